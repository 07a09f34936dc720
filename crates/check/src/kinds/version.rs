//! Claims such as "Requires Python 3.8 or newer", which a manifest states as the minimum.

use grounds_repo::path::file_name;
use std::sync::LazyLock;

use regex::Regex;

use crate::claim::{TextClaim, ThingKind};
use crate::document::CheckedDocument;
use crate::mention::MentionContext;

/// A language or platform whose minimum a manifest states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// `requires-python` or `python_requires`.
    Python,
    /// `engines.node`.
    Node,
    /// `rust-version`.
    Rust,
    /// `go` of `go.mod`.
    Go,
    /// `require.php`.
    Php,
    /// `required_ruby_version`.
    Ruby,
}

/// A version as numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Minimum(pub(crate) Vec<u64>);

const NAMES: &[(&str, Language)] = &[
    ("python", Language::Python),
    ("node.js", Language::Node),
    ("nodejs", Language::Node),
    ("node", Language::Node),
    ("rust", Language::Rust),
    ("rustc", Language::Rust),
    ("go", Language::Go),
    ("golang", Language::Go),
    ("php", Language::Php),
    ("ruby", Language::Ruby),
];

impl Language {
    /// Returns the language with this name.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let lower = word.to_ascii_lowercase();
        NAMES
            .iter()
            .find(|(name, _)| *name == lower)
            .map(|(_, language)| *language)
    }

    /// Returns the name that documents use.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::Node => "Node.js",
            Self::Rust => "Rust",
            Self::Go => "Go",
            Self::Php => "PHP",
            Self::Ruby => "Ruby",
        }
    }
}

impl Minimum {
    /// Returns the version at the start of a text: `3.8+` is 3.8.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let end = text
            .find(|letter: char| !(letter.is_ascii_digit() || letter == '.'))
            .unwrap_or(text.len());
        let parts: Option<Vec<u64>> = text[..end]
            .trim_matches('.')
            .split('.')
            .map(|part| part.parse().ok())
            .collect();
        parts.map(Self)
    }
}

/// Words before a version that make it a minimum.
const REQUIRING: &[&str] = &[
    "require",
    "need",
    "minimum",
    "at least",
    "or newer",
    "or later",
    "or higher",
    "or above",
    "and above",
    "and up",
    "+",
    ">=",
    "≥",
    "support",
    "compatible",
    "msrv",
    "prerequisite",
    "works with",
    "tested",
];

/// Words of a line about a condition, a question, an older release or a reader's own version.
static OTHERWISE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(if|in case|when|where|unless|whether|until|while|drop(s|ped|ping)?|last|oldest|older|earlier|",
        r"prior|previous(ly)?|was|were|used|using|legacy|deprecated?|unsupported|end[- ]of[- ]life|eol|",
        r"no longer|not|instead|example|e\.g|assum(e|es|ing)|added|removed|since|before|your|you're|you are|",
        // What the language includes by itself, and the lines of a manifest that an example shows.
        r"omit(ted)?|optional(ly)?|this requires|you can|built[- ]in|standard library|",
        r"requires-python|python_requires|rust-version)\b|\?|",
        // Several versions side by side: the last release for each of them.
        r"\d: *\**\d|known to work|tests? against|starting with|release of",
    ))
    .expect("an expression")
});

/// Returns the minimum versions that the lines of a document state.
pub(crate) fn claims_of(document: &CheckedDocument) -> Vec<TextClaim> {
    let mut found = Vec::new();
    if !is_front(&document.name) {
        return found;
    }
    let (mut at, mut since) = (0, SECTION_LINES);
    let mut is_example = false;
    let mut before = "";
    for line in document.text.split_inclusive('\n') {
        let is_section = ["requirement", "prerequisite", "support"]
            .iter()
            .any(|word| line.to_ascii_lowercase().contains(word));
        // Below a heading about requirements, a line may name the version alone: `Python 3.8`.
        since = if is_section { 0 } else { since + 1 };
        is_example ^= ["```", "~~~"]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark));
        let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        // The sentence may begin on the line before: "older than⏎Python 3.12".
        let goes_on = OTHERWISE.is_match(last_words(before)) || is_supposed(before);
        if line.len() < LINE_BYTES_MAX && !is_example && !is_heading && !goes_on {
            found.extend(claim_of_line(line, at, since < SECTION_LINES));
        }
        (before, at) = (line, at + line.len());
    }
    found
}

/// Reports whether a version is one of several, `3.6 and 3.7`, and no word of the line says that it
/// is the least.
fn is_of_list(line: &str, version: &str) -> bool {
    let end = version.as_ptr() as usize - line.as_ptr() as usize + version.len();
    let mut rest = line[end..].split(|letter: char| letter.is_whitespace() || letter == ',');
    let joins = rest.find(|word| !word.is_empty()) == Some("and");
    let is_version = |word: &str| word.contains('.') && Minimum::parse(word).is_some();
    let lower = line.to_ascii_lowercase();
    let is_asked = ["require", "need", "at least", "minimum"]
        .iter()
        .any(|word| lower.contains(word));
    joins && !is_asked && rest.take(3).any(is_version)
}

/// Reports whether the sentence that continues after a line is an example: "For example, if it
/// requires".
fn is_supposed(line: &str) -> bool {
    let begun = line.rsplit(". ").next().unwrap_or(line);
    let lower = begun.trim_start().to_ascii_lowercase();
    !begun.trim_end().ends_with('.') && lower.starts_with("for example")
}

/// Returns the last words of a line whose sentence continues on the next, or nothing if it ends
/// here.
fn last_words(line: &str) -> &str {
    let line = line.trim_end();
    let ends = line.ends_with(['.', ':', '?', '!', '|']) || line.starts_with(['#', '-', '*', '|']);
    let start = line.rmatch_indices(' ').nth(1).map_or(0, |(at, _)| at);
    if ends { "" } else { &line[start..] }
}

/// Reports whether a document is about the project as a whole. Versions in other documents are
/// those of others.
fn is_front(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let (folders, _) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let parts = [
        "test", "example", "sample", "demo", "bench", "script", "tool",
    ];
    if parts.iter().any(|part| folders.contains(part)) {
        return false;
    }
    let last = file_name(&lower);
    let marks = [
        "readme",
        "index",
        "install",
        "contribut",
        "start",
        "introduction",
        "requirement",
        "setup",
        "support",
        "develop",
        "hacking",
        "build",
        "overview",
        "faq",
        "compat",
        "usage",
        "guide",
    ];
    // `-` is a text from standard input.
    name == "-" || marks.iter().any(|mark| last.contains(mark))
}

/// Longest line, in bytes, that may state a version.
const LINE_BYTES_MAX: usize = 600;

/// Number of lines after a heading about requirements that list them.
const SECTION_LINES: usize = 8;

/// Words that may be between a language and its version.
const BETWEEN: [&str; 13] = [
    "version",
    "versions",
    "v",
    "at",
    "least",
    "is",
    "or",
    "newer",
    "than",
    "LTS",
    "interpreter",
    "a",
    "compiler",
];

fn claim_of_line(line: &str, at: usize, is_listed: bool) -> Option<TextClaim> {
    let lower = line.to_ascii_lowercase();
    // Below a heading about requirements, a line needs no word that asks for the version.
    let is_stated = is_listed || REQUIRING.iter().any(|word| lower.contains(word));
    if !is_stated || OTHERWISE.is_match(&lower) {
        return None;
    }
    let (language, version) = first_version(line)?;
    let offset = offset_in(line, version);
    if is_of_something_else(line, version, offset) {
        return None;
    }
    let start = at + offset;
    let written = version.trim_end_matches(['.', '+']);
    Some(TextClaim {
        kind: ThingKind::Version,
        name: written.trim_start_matches('v').to_owned(),
        owners: vec![language.as_str().to_owned()],
        detail: None,
        start,
        end: start + written.len(),
        context: MentionContext::Prose,
        headings: Vec::new(),
        around: line.trim().to_owned(),
        linked: None,
        statement: None,
    })
}

/// Returns where a part of a line begins in it.
fn offset_in(line: &str, part: &str) -> usize {
    part.as_ptr() as usize - line.as_ptr() as usize
}

/// Returns the first language of a line that a version follows, and that version.
fn first_version(line: &str) -> Option<(Language, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || ".+_".contains(letter);
    let words: Vec<&str> = line
        .split(|letter: char| !is_part(letter))
        .filter(|word| !word.is_empty())
        .collect();
    // `brotli-python` is another thing.
    let is_alone = |word: &str| !line[..offset_in(line, word)].ends_with(['-', '/']);
    let language_of = |word: &str| Language::of_word(word.trim_end_matches('.'));
    let behind = |place: usize| {
        let mut rest = words[place + 1..]
            .iter()
            .skip_while(|word| BETWEEN.contains(&word.to_ascii_lowercase().as_str()));
        let is_version = |word: &&&str| Minimum::parse(word.trim_start_matches('v')).is_some();
        rest.next().filter(is_version)
    };
    // "a minimum PHP version requirement of PHP 7.2" names it twice.
    let mut places = (0..words.len()).filter(|place| is_alone(words[*place]));
    places.find_map(|place| Some((language_of(words[place])?, *behind(place)?)))
}

/// Reports whether a version that begins at `offset` is not the minimum that the line asks for.
fn is_of_something_else(line: &str, version: &str, offset: usize) -> bool {
    // An earlier version says whose minimum it is: "Thing 2.5 works with Node 14 or above".
    let before = &line[..offset];
    // "`SSLContext` (Python 3.4+)" says since when the name is there.
    let is_since = before
        .rsplit_once('(')
        .is_some_and(|(named, _)| named.trim_end().ends_with('`'));
    let is_number = |letter: char| letter.is_ascii_digit();
    // The number of an item of a list is no version: `1. Node 16 or later`.
    let item = before.trim_start().trim_start_matches(is_number);
    let before = item.strip_prefix('.').unwrap_or(before);
    // `[Go][5]` is a link.
    let is_named_before = before.contains(is_number) || before.ends_with("][");
    // `- Go ≥ 1.13: do this` is one of several.
    let is_headed = line[offset + version.len()..].starts_with(':');
    is_since || is_named_before || is_of_list(line, version) || is_headed
}
