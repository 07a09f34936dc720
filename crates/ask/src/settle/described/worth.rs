//! Whether a value fits a description: each word must be found near it, otherwise it is not an
//! answer.

use std::collections::BTreeSet;

use grounds_evidence::name;
use rust_stemmers::Stemmer;

use super::super::{SettledSpot, plain};
use super::page::{DescribedFile, EnclosingWords, Given, stems};
use super::pairs::DescribedValue;
use super::synonyms;
use crate::understand::token::looks_like_code;
use crate::understand::value::{is_of_default, is_of_limit, is_soft};
use crate::words::is_in;

/// The worth of a word in the name, in the enclosing lines, in the path, in its documentation, and
/// as a synonym.
const IN_NAME: f64 = 4.0;
const ABOVE: f64 = 3.0;
const IN_PATH: f64 = 2.0;
const IN_TEXT: f64 = 1.0;
const AS_OTHER: f64 = 0.5;
/// Deduction for a null value.
const NULL: f64 = 2.0;
/// Deduction for a part of another value.
const INNER: f64 = 1.0;
/// Stems of keywords, and of words in a name that only say that it is a default.
const OF_LANGUAGE: &str = "const let var val pub static final privat public protect self this export default \
 crate int string str bool long readonli mut auto char float double constexpr inlin \
 unsign usiz option config valu set";

/// One word of the description.
pub(super) struct DescriptionWord {
    pub(super) text: String,
    pub(super) stem: String,
    pub(super) others: Vec<String>,
    pub(super) is_soft: bool,
    pub(super) is_code: bool,
    /// Whether it says that a default is asked for.
    pub(super) is_default: bool,
    /// Whether it says that a bound is asked for.
    pub(super) is_limit: bool,
}

/// A line that gives a value.
pub(super) struct ValueLine {
    pub(super) spot: SettledSpot,
    pub(super) worth: f64,
    pub(super) key: String,
    /// The value as it is written.
    pub(super) value: String,
    pub(super) is_null: bool,
    /// Number of words of the description in its name.
    pub(super) by_name: usize,
    /// Whether a word was found only by a synonym.
    pub(super) is_loose: bool,
    /// Whether the description has every word of its name, and each word of the description is in
    /// the name, the enclosing lines or the path.
    pub(super) is_whole: bool,
    /// Whether the description has every word of its name.
    pub(super) is_named: bool,
}

impl ValueLine {
    /// Returns a line that gives a value, before its words are counted.
    fn of(page: &DescribedFile<'_>, at: usize, given: &Given<'_>) -> Self {
        let line = plain::set_here(page.lines[at]);
        Self {
            spot: SettledSpot::line(page.path, u32::try_from(at + 1).unwrap_or(0), line),
            worth: match given.value {
                DescribedValue::Null => -NULL,
                _ if given.is_inner => -INNER,
                _ => 0.0,
            },
            key: given.key.to_owned(),
            value: given.text.to_owned(),
            is_null: given.value == DescribedValue::Null,
            by_name: 0,
            is_loose: false,
            is_whole: true,
            is_named: false,
        }
    }

    /// Adds the worth of a word.
    fn count(&mut self, word: &DescriptionWord, worth: f64) {
        if !word.is_soft {
            self.is_loose |= (worth - AS_OTHER).abs() < f64::EPSILON;
            self.is_whole &= worth >= IN_PATH;
        }
        self.worth += match () {
            () if word.is_default => worth / 2.0,
            () if word.is_limit && worth > 0.0 => worth.max(IN_PATH),
            () if word.is_soft => worth / IN_NAME,
            () => worth,
        };
    }
}

/// Returns a word of a description, ready for the search.
pub(super) fn word(text: &str, stemmer: &Stemmer) -> DescriptionWord {
    let is_quoted = text.starts_with('`');
    let text = text.trim_matches('`');
    let lower = text.to_lowercase();
    let is_code = is_quoted || looks_like_code(text);
    DescriptionWord {
        stem: stemmer.stem(&lower).into_owned(),
        others: if is_code {
            Vec::new()
        } else {
            synonyms::of(&lower)
        },
        is_soft: is_soft(&lower) && !is_code,
        is_default: is_of_default(&lower) && !is_code,
        is_limit: is_of_limit(&lower) && !is_code,
        is_code,
        text: text.to_owned(),
    }
}

/// Reports whether a text can contain a word, by its letters only: a quick test before the close
/// one.
pub(super) fn may_have(lower: &str, word: &DescriptionWord) -> bool {
    word.is_soft || has_word(lower, word)
}

/// Reports whether a text has the first letters of a word, or of one of its synonyms.
pub(super) fn has_word(lower: &str, word: &DescriptionWord) -> bool {
    // The last letter of a stem may be another one in the word: `retri` is of `retry`.
    let start = |stem: &str| stem.floor_char_boundary(stem.len().saturating_sub(1).clamp(2, 5));
    let has = |stem: &String| lower.contains(&stem[..start(stem).min(stem.len())]);
    if word.is_code {
        lower.contains(&word.text.to_lowercase()) || word.text.contains(['.', ':', '#'])
    } else {
        has(&word.stem) || word.others.iter().any(has)
    }
}

/// Rates a value; `None` if a word of the description is not around it.
pub(super) fn rated(
    page: &DescribedFile<'_>,
    at: usize,
    given: &Given<'_>,
    words: &[DescriptionWord],
) -> Option<ValueLine> {
    // `formatted` in a name does not mean a format.
    let of_key = stems(&without_participles(given.key, words), page.stemmer);
    let is_in_key = |word: &DescriptionWord| match word.is_code {
        true => is_named(given.key, &word.text),
        false => of_key.contains(&word.stem),
    };
    let is_like = |word: &DescriptionWord| word.others.iter().any(|other| of_key.contains(other));
    let by_name = words.iter().filter(|word| is_in_key(word)).count();
    // The words around a value say what it belongs to, but its name has to say what it is.
    if by_name == 0 && !words.iter().any(is_like) && !given.is_entry {
        return None;
    }
    if spells_name(page, given, &of_key, words) {
        return None;
    }
    let around = page.around(at);
    let of_text = stems(&given.beside, page.stemmer);
    if !has_bounds(words, [&of_key, &around.of_doc, &of_text]) {
        return None;
    }
    let mut found = ValueLine::of(page, at, given);
    found.by_name = by_name;
    for word in words {
        let of_word = if is_in_key(word) || word.is_default && given.is_entry {
            IN_NAME
        } else {
            worth(word, page, &around, &of_key, &of_text)?
        };
        found.count(word, of_word);
    }
    let unasked = unasked(&of_key, words, page.stemmer);
    // Each further word of the name makes it likelier that the name is of something else.
    found.worth -= unasked as f64 / 2.0;
    found.is_whole &= unasked == 0;
    found.is_named = unasked == 0;
    Some(found)
}

/// Reports whether a value only spells its own name: `USER_AGENT = "User-Agent"` is no default.
fn spells_name(
    page: &DescribedFile<'_>,
    given: &Given<'_>,
    of_key: &BTreeSet<String>,
    words: &[DescriptionWord],
) -> bool {
    words.iter().any(|word| word.is_default)
        && given.value == DescribedValue::Text
        && stems(given.text, page.stemmer) == *of_key
}

/// Reports whether each asked bound occurs in one of some places.
fn has_bounds(words: &[DescriptionWord], places: [&BTreeSet<String>; 3]) -> bool {
    let says = |stem: &str| places.iter().any(|place| place.contains(stem));
    words.iter().all(|word| is_bound_said(&word.text, &says))
}

/// Reports whether a value is the asked bound: "the minimum duration" is not the default duration.
pub(super) fn is_bound_said(word: &str, says: &dyn Fn(&str) -> bool) -> bool {
    let stems: &[&str] = match word.to_lowercase().as_str() {
        "maximum" | "max" | "maximal" | "upper" => &[
            "max",
            "maximum",
            "limit",
            "upper",
            "cap",
            "most",
            "bound",
            "ceil",
            "threshold",
        ],
        "minimum" | "min" | "minimal" | "lower" => &[
            "min",
            "minimum",
            "lower",
            "least",
            "floor",
            "bound",
            "threshold",
        ],
        _ => return true,
    };
    stems.iter().any(|stem| says(stem))
}

/// Returns a name without its words in "-ed", if the description has no such words.
fn without_participles(key: &str, words: &[DescriptionWord]) -> String {
    let has_any = words.iter().any(|word| word.text.ends_with("ed"));
    let kept = name::words(key).into_iter();
    let kept = kept.filter(|word| has_any || word.len() < 5 || !word.ends_with("ed"));
    kept.collect::<Vec<String>>().join(" ")
}

/// Counts the words of a name that the description does not have.
fn unasked(of_key: &BTreeSet<String>, words: &[DescriptionWord], stemmer: &Stemmer) -> usize {
    let is_asked = |stem: &String| {
        words.iter().any(|word| {
            let is_other = word.others.contains(stem);
            word.stem == *stem || is_other || stems(&word.text, stemmer).contains(stem)
        })
    };
    let open = of_key.iter().filter(|stem| !is_asked(stem));
    open.filter(|stem| !is_of_language(stem)).count()
}

/// Returns the worth of a word around a name that does not have it; `None` if it is missing but
/// required.
fn worth(
    word: &DescriptionWord,
    page: &DescribedFile<'_>,
    around: &EnclosingWords<'_>,
    of_key: &BTreeSet<String>,
    of_text: &BTreeSet<String>,
) -> Option<f64> {
    let is_other = |set: &BTreeSet<String>| word.others.iter().any(|other| set.contains(other));
    let is_heading = |one: &BTreeSet<String>| one.len() == 1 && one.contains(&word.stem);
    match () {
        () if word.is_code => {
            let is_above = around.above.iter().any(|line| is_named(line, &word.text));
            let is_path = || is_named(page.path, &word.text).then_some(IN_PATH);
            is_above.then_some(ABOVE).or_else(is_path)
        }
        // The lines under a heading of one word (`[features]`, `retry: {`) are about it.
        () if around.sections.iter().any(is_heading) => Some(IN_NAME),
        () if around.of_above.contains(&word.stem) => Some(ABOVE),
        () if page.of_path.contains(&word.stem) => Some(IN_PATH),
        () if around.of_doc.contains(&word.stem) || of_text.contains(&word.stem) => Some(IN_TEXT),
        () if is_other(of_key) || is_other(&around.of_above) => Some(AS_OTHER),
        () if word.is_soft => Some(0.0),
        () => None,
    }
}

pub(super) fn is_of_language(stem: &str) -> bool {
    is_in(OF_LANGUAGE, stem) || stem.len() < 2
}

/// Reports whether a text has the last part of a name as a whole word.
pub(super) fn is_named(text: &str, asked: &str) -> bool {
    let last = crate::understand::tree::last_part(asked);
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .any(|word| word == last)
}
