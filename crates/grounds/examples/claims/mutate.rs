//! Sentences of a folder, each as it stands and with one thing changed.

use std::path::Path;

use grounds_verify::judges::sentences::sentences;
use grounds_web::corpus::{CorpusOptions, read_document};
use jiff::Timestamp;

use super::files;

/// Words with content that a sentence needs.
const CONTENT_MIN: usize = 9;
/// Documents of one folder that are read.
const FILES_MAX: usize = 400;

/// A claim with what was changed in it: "same" where nothing was.
pub(crate) struct Case {
    pub(crate) kind: String,
    pub(crate) text: String,
}

const STOP: [&str; 60] = [
    "a", "an", "the", "of", "in", "on", "to", "is", "are", "was", "were", "be", "been", "by",
    "for", "with", "and", "or", "that", "this", "these", "those", "it", "its", "as", "at", "from",
    "has", "have", "had", "do", "does", "did", "will", "than", "then", "there", "their", "they",
    "you", "your", "we", "our", "which", "what", "when", "where", "how", "also", "into", "if",
    "not", "no", "can", "may", "such", "so", "but", "any", "all",
];

/// The cases of a folder: of each drawn sentence itself and every change that fits it.
pub(crate) fn cases(folder: &Path, each: usize, seed: u64) -> Vec<Case> {
    let options = CorpusOptions::new(Timestamp::now());
    let mut all: Vec<String> = Vec::new();
    for path in files(folder).into_iter().take(FILES_MAX) {
        let Ok(inner) = path.strip_prefix(folder) else {
            continue;
        };
        let Ok(page) = read_document(folder, &inner.display().to_string(), &options) else {
            continue;
        };
        let of_page = sentences(&page.text).into_iter().map(|place| {
            page.text[place]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        });
        all.extend(of_page.filter(|sentence| is_sentence(sentence)));
    }
    all.sort();
    all.dedup();
    let pool: Vec<String> = all
        .iter()
        .flat_map(|sentence| sentence.split(' '))
        .filter(|word| is_plain(word) && word.len() > 3)
        .map(str::to_owned)
        .collect();
    let mut dice = Dice(seed);
    let mut cases = Vec::new();
    // Sentences with a number come first: there are few of them.
    let (numbered, plain): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|text| text.split(' ').any(|word| number(word).is_some()));
    for mut list in [numbered, plain] {
        for _ in 0..each / 2 {
            if list.is_empty() {
                break;
            }
            let sentence = list.swap_remove(dice.below(list.len()));
            cases.extend(changed(&sentence, &pool, &mut dice));
            cases.push(Case {
                kind: "same".to_owned(),
                text: sentence,
            });
        }
    }
    cases
}

fn is_sentence(text: &str) -> bool {
    let content = text.split(' ').filter(|word| is_plain(word)).count();
    let first = text.trim_start_matches(['-', '*', ' ', '`', '"']);
    content >= CONTENT_MIN
        && text.ends_with('.')
        && first.starts_with(char::is_uppercase)
        && !text.contains(['|', '{', '<', '='])
        && text.len() < 400
}

/// A word of letters that carries content.
fn is_plain(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ',']);
    bare.len() > 1
        && bare.chars().all(char::is_alphabetic)
        && !STOP.contains(&bare.to_lowercase().as_str())
}

/// Every change that fits a sentence, once.
fn changed(sentence: &str, pool: &[String], dice: &mut Dice) -> Vec<Case> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let plain: Vec<usize> = (0..words.len()).filter(|at| is_plain(words[*at])).collect();
    let with = |at: usize, word: &str| {
        let mut words = words.clone();
        words[at] = word;
        words.join(" ")
    };
    let mut found: Vec<(&str, String)> = Vec::new();
    if let (Some(at), Some(other)) = (dice.of(&plain), dice.of(pool)) {
        let mark = words[*at].trim_start_matches(char::is_alphabetic);
        let other = format!(
            "{}{mark}",
            other.trim_end_matches(['.', ',']).to_lowercase()
        );
        if !words[*at].eq_ignore_ascii_case(&other) {
            found.push(("word", with(*at, &other)));
        }
    }
    let subject = plain.first().zip(dice.of(pool));
    if let Some((at, other)) = subject
        && !words[*at].eq_ignore_ascii_case(other)
    {
        let first: String = other.chars().take(1).flat_map(char::to_uppercase).collect();
        found.push((
            "subject",
            with(
                *at,
                &format!(
                    "{first}{}",
                    other[other.chars().next().map_or(0, char::len_utf8)..]
                        .trim_end_matches(['.', ','])
                ),
            ),
        ));
    }
    if let [first, .., last] = plain.as_slice() {
        let (one, other) = (words[*first], words[*last].trim_end_matches(['.', ',']));
        let mut swapped = words.clone();
        let (one, other) = (
            one.to_lowercase(),
            format!("{other}{}", &words[*last][other.len()..]).to_lowercase(),
        );
        swapped[*first] = other.trim_end_matches(['.', ',']);
        swapped[*last] = &one;
        if one != other {
            found.push(("order", swapped.join(" ")));
        }
    }
    if let Some((at, other)) = (0..words.len()).find_map(|at| Some((at, number(words[at])?))) {
        found.push(("number", with(at, &other)));
    }
    found.extend(pairs(&words, &with));
    found
        .into_iter()
        .map(|(kind, text)| Case {
            kind: kind.to_owned(),
            text,
        })
        .collect()
}

/// Changes of one known word for another: units, denials, tense, modality, limits, relations.
fn pairs<'k>(words: &[&str], with: &dyn Fn(usize, &str) -> String) -> Vec<(&'k str, String)> {
    const PAIRS: [(&str, &str, &str); 40] = [
        ("unit", "seconds", "minutes"),
        ("unit", "minutes", "hours"),
        ("unit", "hours", "days"),
        ("unit", "days", "weeks"),
        ("unit", "milliseconds", "seconds"),
        ("unit", "bytes", "kilobytes"),
        ("unit", "bits", "bytes"),
        ("unit", "KB", "MB"),
        ("unit", "MB", "GB"),
        ("unit", "GB", "MB"),
        ("negation", "is", "is not"),
        ("negation", "are", "are not"),
        ("negation", "can", "cannot"),
        ("negation", "will", "will not"),
        ("negation", "must", "must not"),
        ("negation", "should", "should not"),
        ("negation", "not", ""),
        ("tense", "is", "was"),
        ("tense", "are", "were"),
        ("tense", "will", "did"),
        ("tense", "has", "had"),
        ("tense", "is", "will be"),
        ("modality", "is", "may be"),
        ("modality", "are", "might be"),
        ("modality", "will", "might"),
        ("modality", "must", "may"),
        ("limit", "is", "is only"),
        ("limit", "are", "are always"),
        ("limit", "can", "can only"),
        ("relation", "before", "after"),
        ("relation", "after", "before"),
        ("relation", "least", "most"),
        ("relation", "until", "unless"),
        ("relation", "unless", "if"),
        ("relation", "only", ""),
        ("relation", "always", "never"),
        ("relation", "all", "some"),
        ("relation", "with", "without"),
        ("relation", "without", "with"),
        ("relation", "or", "and"),
    ];
    let mut found: Vec<(&str, String)> = Vec::new();
    for (kind, from, to) in PAIRS {
        if let Some(at) = words.iter().position(|word| *word == from) {
            let text = with(at, to);
            found.push((kind, text.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    found
}

/// Another number in place of one that is written in digits.
fn number(word: &str) -> Option<String> {
    let bare = word.trim_end_matches(['.', ',']);
    let value: u64 = bare.parse().ok()?;
    let other = value.saturating_add(value / 2 + 2);
    (other != value).then(|| format!("{other}{}", &word[bare.len()..]))
}

/// Numbers that are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most.max(1) as u64).unwrap_or(0)
    }

    fn of<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        let at = self.below(list.len());
        list.get(at)
    }
}
