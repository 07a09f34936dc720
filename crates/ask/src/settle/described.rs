//! A value that is described in words: the line that gives a name a literal and has every word around it.

mod entry;
mod page;
mod pairs;
mod standing;

use std::collections::BTreeSet;

use grounds_claims::Claim;
use grounds_evidence::{ConfidenceLevel, FileRole, name};
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use self::page::{Around, Given, Page, stems};
use self::pairs::Value;
use super::values::ancestors;
use super::{Decision, Desk, Settled, Spot, Unsettled, counted, plain};
use crate::localise::synonyms;
use crate::understand::token::looks_like_code;
use crate::understand::value::{is_of_default, is_of_limit, is_soft};

/// Bytes of files that are looked through.
const BYTES_MAX: u64 = 64 << 20;
/// Lines that are shown.
const LINES_MAX: usize = 4;
/// What a word is worth in the name, in what encloses it, in the path, in its documentation, and as a synonym.
const IN_NAME: f64 = 4.0;
const ABOVE: f64 = 3.0;
const IN_PATH: f64 = 2.0;
const IN_TEXT: f64 = 1.0;
const AS_OTHER: f64 = 0.5;
/// What it is worth less that the value is none.
const NULL: f64 = 2.0;
/// What it is worth less that it stands inside of another value.
const INNER: f64 = 1.0;
/// By how much the best line stands out where it is the only one shown.
const MARGIN: f64 = 1.0;

/// One word of the description.
struct Word {
    text: String,
    stem: String,
    others: Vec<String>,
    is_soft: bool,
    is_code: bool,
    /// Whether it says that a default is asked for.
    is_default: bool,
    /// Whether it says that a bound is asked for.
    is_limit: bool,
}

/// A line that gives a value.
struct Found {
    spot: Spot,
    worth: f64,
    key: String,
    /// The value as it is written.
    value: String,
    is_null: bool,
    /// Words of the description that its name has.
    by_name: usize,
    /// Whether a word was found only by another word for it.
    is_loose: bool,
    /// Whether the description has every word of its name, and no other word stands beside it only.
    is_whole: bool,
    /// Whether the description has every word of its name.
    is_named: bool,
}

impl Found {
    /// Adds what a word is worth.
    fn count(&mut self, word: &Word, worth: f64) {
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

/// Decides what value a description means.
pub(super) fn settle(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Decision {
    let stemmer = Stemmer::create(Algorithm::English);
    let words: Vec<Word> = text.split(' ').map(|text| word(text, &stemmer)).collect();
    let mut found = search(&words, &stemmer, claim, desk)?;
    without_references(&mut found);
    let near = sorted(&mut found);
    let spots: Vec<Spot> = found.iter().map(|found| found.spot.clone()).collect();
    let text = text.replace('`', "");
    if is_open(&found[..near], &words) {
        let why = format!("no single place gives `{text}`");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    let is_clear = |first: &Found| !first.is_loose && (first.by_name >= 2 || first.is_whole);
    let is_sure = near == 1 && found.first().is_some_and(is_clear);
    let (level, because) = if is_sure {
        (ConfidenceLevel::High, String::new())
    } else {
        let because = "it was found by the words that describe it".to_owned();
        (ConfidenceLevel::Medium, because)
    };
    let told = format!("`{text}` has its value in {}:", counted(near, "place"));
    Ok(Settled {
        holds: None,
        sections: vec![desk.section(told, &spots[..near], 2)],
        level,
        because,
    })
}

/// Whether the best lines are no answer: none, too many, by other words than were said, or of several values that
/// do not all belong to the description.
fn is_open(near: &[Found], words: &[Word]) -> bool {
    let Some(first) = near.first() else {
        return true;
    };
    let values: BTreeSet<&str> = near.iter().map(|found| found.value.as_str()).collect();
    let hard = words.iter().filter(|word| !word.is_soft).count();
    near.len() > LINES_MAX
        || near.len() > 1 && first.is_loose
        || first.is_null && !first.is_whole
        || values.len() > 1 && !near.iter().all(|found| found.is_named)
        // One word alone says too little of a name that has more of them.
        || hard < 2 && !first.is_named
}

/// Whether a line gives a name a value, and not a type alone.
pub(super) fn gives(path: &str, line: &str, name: &str) -> bool {
    types_only(path, line, name).contains(&false)
}

/// Whether a line gives a name a type alone.
pub(super) fn only_types(path: &str, line: &str, name: &str) -> bool {
    let types = types_only(path, line, name);
    types.contains(&true) && !types.contains(&false)
}

/// For each pair of a name in a line, whether it has a type alone, or passes on what has the same name.
fn types_only(path: &str, line: &str, name: &str) -> Vec<bool> {
    let pairs = pairs::pairs(line, &pairs::masked(line));
    let own = pairs.iter().filter(|pair| is_named(pair.key, name));
    // `self.limit = limit` passes on what was given.
    let passes_on = |value: &str| value.rsplit('.').next() == Some(name);
    own.map(|pair| page::is_typed_only(path, pair) || passes_on(pair.value))
        .collect()
}

/// Leaves out what only passes on a value that was found itself: `timeout = DEFAULT_TIMEOUT`.
fn without_references(found: &mut Vec<Found>) {
    let keys: BTreeSet<String> = found.iter().map(|found| found.key.clone()).collect();
    found.retain(|found| {
        let last = found.value.rsplit(['.', ':']).next().unwrap_or_default();
        last == found.key || !keys.contains(last)
    });
}

/// Puts the best lines first, and counts those that are as good.
fn sorted(found: &mut [Found]) -> usize {
    found.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    let best = found.first().map_or(0.0, |first| first.worth);
    let near = found
        .iter()
        .take_while(|other| best - other.worth < MARGIN)
        .count();
    // Names that are said as a whole come before those of which a part is.
    if found[..near].iter().any(|found| found.is_named) {
        found[..near].sort_by_key(|found| !found.is_named);
        return found[..near].iter().filter(|found| found.is_named).count();
    }
    near
}

fn word(text: &str, stemmer: &Stemmer) -> Word {
    let is_quoted = text.starts_with('`');
    let text = text.trim_matches('`');
    let lower = text.to_lowercase();
    let is_code = is_quoted || looks_like_code(text);
    Word {
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

fn search(
    words: &[Word],
    stemmer: &Stemmer,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Result<Vec<Found>, Unsettled> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    let is_number = claim.kind.is_some();
    for file in &desk.tree.files {
        let is_code = matches!(
            role::of(file),
            FileRole::Source | FileRole::Header | FileRole::Data | FileRole::Build
        );
        if !is_code
            || is_of_tool(file.as_str()) && !words.iter().any(|word| word.is_code)
            || !page::has_keys(file.as_str())
            || !in_inside(file.as_str(), claim, desk)
        {
            continue;
        }
        let Some(source) = desk.tree.text(file.as_str()) else {
            continue;
        };
        bytes += source.len() as u64;
        if bytes > BYTES_MAX {
            let why = "the tree is too large to look for a value that is described in words";
            return Err(Unsettled::unknown(why));
        }
        let lower = format!("{} {}", file.as_str(), source).to_lowercase();
        if words.iter().all(|word| may_have(&lower, word)) {
            let page = Page {
                path: file.as_str(),
                of_path: stems(file.as_str(), stemmer),
                lines: source.lines().collect(),
                stemmer,
            };
            look(&page, words, is_number, &mut found);
        }
    }
    Ok(found)
}

fn look(page: &Page<'_>, words: &[Word], is_number: bool, found: &mut Vec<Found>) {
    for at in 0..page.lines.len() {
        let given = page.given(at);
        let fits = given.iter().filter(|given| !is_number || is_numeric(given));
        let rated = fits.filter_map(|given| rated(page, at, given, words));
        found.extend(rated.max_by(|one, other| one.worth.total_cmp(&other.worth)));
    }
}

/// Whether a file configures a tool that works on the project, and nothing of the project itself.
fn is_of_tool(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ends = [
        ".config.js",
        ".config.ts",
        ".config.mjs",
        ".config.cjs",
        ".lock",
        "-lock.json",
    ];
    ends.iter().any(|end| name.ends_with(end)) || path.starts_with('.') || path.contains("/.")
}

/// Whether a value says how many or how long: a number, or a text with one.
fn is_numeric(given: &Given<'_>) -> bool {
    given.value == Value::Number
        || given.value == Value::Text && given.text.contains(|letter: char| letter.is_ascii_digit())
}

/// Whether a text can hold a word: by letters only, before it is looked at closely.
fn may_have(lower: &str, word: &Word) -> bool {
    // The last letter of a stem may be another one in the word: `retri` is of `retry`.
    let start = |stem: &str| stem.floor_char_boundary(stem.len().saturating_sub(1).clamp(2, 5));
    let has = |stem: &String| lower.contains(&stem[..start(stem).min(stem.len())]);
    word.is_soft
        || if word.is_code {
            lower.contains(&word.text.to_lowercase()) || word.text.contains(['.', ':', '#'])
        } else {
            has(&word.stem) || word.others.iter().any(has)
        }
}

fn in_inside(path: &str, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    let is_in = |text: &String| {
        let files = desk.tree.files_of(text);
        let folders = desk.tree.folders_of(text);
        files.iter().any(|file| file.as_str() == path)
            || folders
                .iter()
                .any(|folder| path.starts_with(&format!("{folder}/")))
    };
    let inside = &claim.scope.inside;
    inside.is_empty() || inside.iter().any(is_in)
}

/// What a value is worth; `None` if a word of the description is not around it.
fn rated(page: &Page<'_>, at: usize, given: &Given<'_>, words: &[Word]) -> Option<Found> {
    // `formatted` is no format.
    let of_key = stems(&without_participles(given.key, words), page.stemmer);
    let is_in_key = |word: &Word| match word.is_code {
        true => is_named(given.key, &word.text),
        false => of_key.contains(&word.stem),
    };
    let is_like = |word: &Word| word.others.iter().any(|other| of_key.contains(other));
    let by_name = words.iter().filter(|word| is_in_key(word)).count();
    if by_name == 0 && !words.iter().any(is_like) && !given.is_entry {
        return None;
    }
    let around = page.around(at);
    let of_text = stems(&given.beside, page.stemmer);
    let line = plain::set_here(page.lines[at]);
    let mut found = Found {
        spot: Spot::line(page.path, u32::try_from(at + 1).unwrap_or(0), line),
        worth: match given.value {
            Value::Null => -NULL,
            _ if given.is_inner => -INNER,
            _ => 0.0,
        },
        key: given.key.to_owned(),
        value: given.text.to_owned(),
        is_null: given.value == Value::Null,
        by_name,
        is_loose: false,
        is_whole: true,
        is_named: false,
    };
    for word in words {
        let of_word = if is_in_key(word) || word.is_default && given.is_entry {
            IN_NAME
        } else {
            worth(word, page, &around, &of_key, &of_text)?
        };
        found.count(word, of_word);
    }
    let unasked = unasked(&of_key, words, page.stemmer);
    found.worth -= unasked as f64 / 2.0;
    found.is_whole &= unasked == 0;
    found.is_named = unasked == 0;
    Some(found)
}

/// A name without its words in "-ed", where the description has none.
fn without_participles(key: &str, words: &[Word]) -> String {
    let has_any = words.iter().any(|word| word.text.ends_with("ed"));
    let kept = name::words(key).into_iter();
    let kept = kept.filter(|word| has_any || word.len() < 5 || !word.ends_with("ed"));
    kept.collect::<Vec<String>>().join(" ")
}

/// How many words of a name the description does not have.
fn unasked(of_key: &BTreeSet<String>, words: &[Word], stemmer: &Stemmer) -> usize {
    let is_asked = |stem: &String| {
        words.iter().any(|word| {
            let is_other = word.others.contains(stem);
            word.stem == *stem || is_other || stems(&word.text, stemmer).contains(stem)
        })
    };
    let open = of_key.iter().filter(|stem| !is_asked(stem));
    open.filter(|stem| !is_of_language(stem)).count()
}

/// What a word that is not in a name is worth around it; `None` if it must be there and is not.
fn worth(
    word: &Word,
    page: &Page<'_>,
    around: &Around<'_>,
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
        // `[features]`, `retry: {`: what is under a heading of one word is about it.
        () if around.sections.iter().any(is_heading) => Some(IN_NAME),
        () if around.of_above.contains(&word.stem) => Some(ABOVE),
        () if page.of_path.contains(&word.stem) => Some(IN_PATH),
        () if around.of_doc.contains(&word.stem) || of_text.contains(&word.stem) => Some(IN_TEXT),
        () if is_other(of_key) || is_other(&around.of_above) => Some(AS_OTHER),
        () if word.is_soft => Some(0.0),
        () => None,
    }
}

/// Words with which languages introduce a name, and those that say of a name that it is a default.
fn is_of_language(stem: &str) -> bool {
    const WORDS: &[&str] = &[
        "const",
        "let",
        "var",
        "val",
        "pub",
        "static",
        "final",
        "privat",
        "public",
        "protect",
        "self",
        "this",
        "export",
        "default",
        "crate",
        "int",
        "string",
        "str",
        "bool",
        "long",
        "readonli",
        "mut",
        "auto",
        "char",
        "float",
        "double",
        "constexpr",
        "inlin",
        "unsign",
        "usiz",
        "option",
        "config",
        "valu",
        "set",
    ];
    WORDS.contains(&stem) || stem.len() < 2
}

/// Whether a text has a name as a whole word, with what it belongs to where the name says so.
fn is_named(text: &str, asked: &str) -> bool {
    let last = crate::understand::tree::last_part(asked);
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .any(|word| word == last)
}
