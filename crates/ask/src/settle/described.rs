//! A value that is described in words: the line that gives a name a literal and has every word around it.

use std::collections::BTreeSet;

use grounds_claims::Claim;
use grounds_evidence::{ConfidenceLevel, FileRole, name};
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use super::values::{ancestors, gives_value, is_literal};
use super::{Decision, Desk, Settled, Spot, Unsettled, counted, plain};
use crate::localise::synonyms;
use crate::understand::token::looks_like_code;
use crate::understand::value::is_soft;

/// Bytes of files that are looked through.
const BYTES_MAX: u64 = 64 << 20;
/// Lines that are shown.
const LINES_MAX: usize = 4;
/// Letters of a line past which it is data.
const LINE_LETTERS_MAX: usize = 240;
/// Lines of documentation above a line that are read.
const DOC_LINES_MAX: usize = 12;
/// What a word is worth in the name, in what encloses it, in the path, in its documentation, and as a synonym.
const IN_NAME: f64 = 4.0;
const ABOVE: f64 = 3.0;
const IN_PATH: f64 = 2.0;
const IN_TEXT: f64 = 1.0;
const AS_OTHER: f64 = 0.5;
/// By how much the best line stands out where it is the only one shown.
const MARGIN: f64 = 1.0;

/// One word of the description.
struct Word {
    text: String,
    stem: String,
    others: Vec<String>,
    is_soft: bool,
    is_code: bool,
}

/// A line that gives a value.
struct Found {
    spot: Spot,
    worth: f64,
    /// Words of the description that its name has.
    by_name: usize,
    /// Whether a word was found only by another word for it.
    is_loose: bool,
    /// Whether the description has every word of its name, and no other word stands beside it only.
    is_whole: bool,
}

impl Found {
    /// Adds what a word is worth.
    fn count(&mut self, word: &Word, worth: f64) {
        self.is_loose |= (worth - AS_OTHER).abs() < f64::EPSILON;
        self.is_whole &= worth >= IN_PATH || word.is_soft;
        self.worth += if word.is_soft { worth / IN_NAME } else { worth };
    }
}

/// Decides what value a description means.
pub(super) fn settle(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Decision {
    let stemmer = Stemmer::create(Algorithm::English);
    let words: Vec<Word> = text.split(' ').map(|text| word(text, &stemmer)).collect();
    let mut found = search(&words, &stemmer, claim, desk)?;
    let near = sorted(&mut found);
    let spots: Vec<Spot> = found.iter().map(|found| found.spot.clone()).collect();
    let text = text.replace('`', "");
    let open = found
        .first()
        .is_none_or(|first| near > LINES_MAX || near > 1 && first.is_loose);
    if open {
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

/// Puts the best lines first, and counts those that are as good.
fn sorted(found: &mut [Found]) -> usize {
    found.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    let best = found.first().map_or(0.0, |first| first.worth);
    let is_near = |other: &&Found| best - other.worth < MARGIN;
    found.iter().filter(is_near).count()
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
    for file in &desk.tree.files {
        let is_code = matches!(
            role::of(file),
            FileRole::Source | FileRole::Header | FileRole::Data | FileRole::Build
        );
        if !is_code || !in_inside(file.as_str(), claim, desk) {
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
            page.look(words, &mut found);
        }
    }
    Ok(found)
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

fn stems(text: &str, stemmer: &Stemmer) -> BTreeSet<String> {
    let words = text
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .flat_map(name::words);
    words.map(|word| stemmer.stem(&word).into_owned()).collect()
}

/// One file while it is looked through.
struct Page<'p> {
    path: &'p str,
    of_path: BTreeSet<String>,
    lines: Vec<&'p str>,
    stemmer: &'p Stemmer,
}

impl Page<'_> {
    fn look(&self, words: &[Word], found: &mut Vec<Found>) {
        for (at, line) in self.lines.iter().enumerate() {
            let trimmed = line.trim();
            if is_comment(trimmed) || trimmed.len() > LINE_LETTERS_MAX {
                continue;
            }
            let keys = keys(trimmed);
            let of_line = keys.iter().filter_map(|key| self.rated(at, key, words));
            found.extend(of_line.max_by(|one, other| one.worth.total_cmp(&other.worth)));
        }
    }

    /// What a line that gives a key its value is worth; `None` if a word of the description is not around it.
    fn rated(&self, at: usize, key: &str, words: &[Word]) -> Option<Found> {
        let of_key = stems(key, self.stemmer);
        let has = |set: &BTreeSet<String>, word: &Word| set.contains(&word.stem);
        let is_in_key = |word: &Word| {
            if word.is_code {
                is_named(key, &word.text)
            } else {
                has(&of_key, word)
            }
        };
        let by_name = words.iter().filter(|word| is_in_key(word)).count();
        if by_name == 0 {
            return None;
        }
        let above = ancestors(&self.lines, at);
        let around = Around {
            path: self.path,
            of_above: stems(&above.join(" "), self.stemmer),
            sections: above.iter().map(|line| stems(line, self.stemmer)).collect(),
            of_text: stems(&self.text_around(at), self.stemmer),
            of_path: &self.of_path,
            of_key: &of_key,
            above: &above,
        };
        let mut found = Found {
            spot: Spot::line(
                self.path,
                u32::try_from(at + 1).unwrap_or(0),
                plain::set_here(self.lines[at]),
            ),
            worth: 0.0,
            by_name,
            is_loose: false,
            is_whole: true,
        };
        for word in words {
            let of_word = if is_in_key(word) {
                IN_NAME
            } else {
                around.worth(word)?
            };
            found.count(word, of_word);
        }
        let unasked = self.unasked(&of_key, words);
        found.worth -= unasked as f64 / 2.0;
        found.is_whole &= unasked == 0;
        Some(found)
    }

    /// How many words of a name the description does not have.
    fn unasked(&self, of_key: &BTreeSet<String>, words: &[Word]) -> usize {
        let is_asked = |stem: &String| {
            words
                .iter()
                .any(|word| word.stem == *stem || stems(&word.text, self.stemmer).contains(stem))
        };
        let open = of_key.iter().filter(|stem| !is_asked(stem));
        open.filter(|stem| !is_of_language(stem)).count()
    }

    /// The line itself and the comment right above it.
    fn text_around(&self, at: usize) -> String {
        let above = self.lines[..at].iter().rev().take(DOC_LINES_MAX);
        let above =
            above.take_while(|line| is_comment(line.trim()) || line.trim().starts_with(['#', '@']));
        above
            .chain(std::iter::once(&self.lines[at]))
            .copied()
            .collect::<Vec<&str>>()
            .join(" ")
    }
}

/// What is around a line, as stems.
struct Around<'a> {
    path: &'a str,
    /// The lines that enclose it, and their stems together and one by one.
    above: &'a [&'a str],
    of_above: BTreeSet<String>,
    sections: Vec<BTreeSet<String>>,
    of_text: BTreeSet<String>,
    of_path: &'a BTreeSet<String>,
    of_key: &'a BTreeSet<String>,
}

impl Around<'_> {
    /// What a word is worth there; `None` if it must be there and is not.
    fn worth(&self, word: &Word) -> Option<f64> {
        let is_other = |set: &BTreeSet<String>| word.others.iter().any(|other| set.contains(other));
        let is_heading = |one: &BTreeSet<String>| one.len() == 1 && one.contains(&word.stem);
        match () {
            () if word.is_code => {
                let is_above = self.above.iter().any(|line| is_named(line, &word.text));
                let is_path = || is_named(self.path, &word.text).then_some(IN_PATH);
                is_above.then_some(ABOVE).or_else(is_path)
            }
            // `[features]`, `retry: {`: what is under a heading of one word is about it.
            () if self.sections.iter().any(is_heading) => Some(IN_NAME),
            () if self.of_above.contains(&word.stem) => Some(ABOVE),
            () if self.of_path.contains(&word.stem) => Some(IN_PATH),
            () if self.of_text.contains(&word.stem) => Some(IN_TEXT),
            () if word.is_soft => Some(0.0),
            () if is_other(self.of_key) || is_other(&self.of_above) => Some(AS_OTHER),
            () => None,
        }
    }
}

/// Words with which languages introduce a name.
fn is_of_language(stem: &str) -> bool {
    [
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
    ]
    .contains(&stem)
        || stem.len() < 2
}

fn is_comment(trimmed: &str) -> bool {
    ["//", "*", "/*", "# ", "#:", "<!--", "--"]
        .iter()
        .any(|mark| trimmed.starts_with(mark))
        || trimmed == "#"
}

/// Whether a text has a name as a whole word, with what it belongs to where the name says so.
fn is_named(text: &str, asked: &str) -> bool {
    let last = crate::understand::tree::last_part(asked);
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .any(|word| word == last)
}

/// What a line gives a literal value: the name before `=` or `:`, a quoted key that is set, parameters with defaults.
fn keys(line: &str) -> Vec<&str> {
    let mut keys: Vec<&str> = set_by_call(line).into_iter().collect();
    match split_at_sign(line) {
        Some((left, right)) if !left.contains('(') && !left.is_empty() && gives(right) => {
            keys.push(left)
        }
        Some((left, _)) if left.contains('(') && introduces(left) => {
            let inside = &line[line.find('(').map_or(0, |at| at + 1)..];
            let parameters = inside.split(',').filter_map(|one| {
                let (key, value) = one.split_once('=')?;
                is_literal(value.trim().trim_end_matches([')', ':', '{', ' '])).then_some(key)
            });
            keys.extend(parameters);
        }
        _ => {}
    }
    keys
}

/// A line before and from its first `=` or `:`; the colons of `a::b` do not count.
fn split_at_sign(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    let is_sign = |at: &usize| match bytes[*at] {
        b'=' => true,
        b':' => bytes.get(at + 1) != Some(&b':') && (*at == 0 || bytes[at - 1] != b':'),
        _ => false,
    };
    let at = (0..bytes.len()).find(is_sign)?;
    Some(line.split_at(at))
}

/// Whether what stands from the sign on gives a value: behind a colon alone, types stand as well.
fn gives(right: &str) -> bool {
    let is_plain = || {
        let value = right[1..].trim_start();
        value.starts_with(|letter: char| letter.is_ascii_digit() || "\"'-`".contains(letter))
            || [
                "true",
                "false",
                "null",
                "None",
                "nil",
                "True",
                "False",
                "undefined",
            ]
            .iter()
            .any(|word| value.starts_with(word))
    };
    gives_value(right) && (right.contains('=') || is_plain())
}

/// Whether a line begins with a word that introduces a function.
fn introduces(left: &str) -> bool {
    let first = left.split_whitespace().next().unwrap_or_default();
    [
        "def",
        "function",
        "fun",
        "constructor",
        "async",
        "export",
        "public",
        "private",
        "protected",
    ]
    .contains(&first)
}

/// `app.set('query parser', 'simple')`: the key of a call that sets it.
fn set_by_call(line: &str) -> Option<&str> {
    let open = line.find("('").or_else(|| line.find("(\""))?;
    let verb = line[..open]
        .rsplit(|letter: char| !letter.is_alphanumeric())
        .next()?
        .to_lowercase();
    let sets = [
        "set", "put", "add", "define", "default", "option", "register",
    ];
    let quote = line[open + 1..].chars().next()?;
    let rest = &line[open + 2..];
    let (key, after) = rest.split_once(quote)?;
    let value = after.trim_start().strip_prefix(',')?.trim();
    let is_set = sets.iter().any(|set| verb.starts_with(set));
    (is_set && is_literal(value.trim_end_matches([';', ')']))).then_some(key)
}
