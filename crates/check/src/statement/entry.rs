//! The console script points to `a.b:main`; `X` is one of the options in a file.

use super::{Arguments, Predicate, at, contradicted, line_where, no_words, unknown};
use crate::code::{Code, whole_words};
use crate::verdict::ClaimVerdict;

pub(super) const ENTRY: Predicate = Predicate {
    name: "entry_point",
    frames: &[concat!(
        r"(?:console[- ]script|entry[- ]?point)(?: for «\d+»| «\d+»)?",
        r" (?:points (?:to|at)|is|calls|runs|maps to|leads to) {a}(?:$|[.,;])",
    )],
    words: no_words,
    decide: entry,
};

pub(super) const LISTED: Predicate = Predicate {
    name: "listed",
    frames: &[
        r"{a} is (?:also |now )?one of (?:the |its )?[a-z ]{2,40} in {file}(?:$|[.,;])",
        r"{file} (?:also |now )?lists {a}(?:$|[.,;])",
    ],
    words: no_words,
    decide: listed,
};

/// Files in which a package of Python names its scripts.
const MANIFESTS: [&str; 3] = ["pyproject.toml", "setup.cfg", "setup.py"];

/// Decides whether a manifest at the top has an entry point; it must have others to contradict one.
fn entry(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let stated = said.get("a");
    let is_entry = |text: &str| {
        let (module, function) = text.split_once(':').unwrap_or_default();
        let is_name = |part: &str| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || "_.".contains(letter))
        };
        is_name(module) && is_name(function)
    };
    if !is_entry(stated) {
        return unknown("it is no entry point of Python");
    }
    let mut other = None;
    for path in MANIFESTS
        .iter()
        .filter(|path| code.facts.files.contains(**path))
    {
        let text = code.facts.text(path).unwrap_or_default();
        if let Some(place) = line_where(path, &text, |line| line.contains(stated)) {
            return ClaimVerdict::Holds(place);
        }
        // `setup.py` has the whole entry as one string: `"thing = thing.cli:main",`.
        let has_entry = |line: &str| {
            let value = line.split_once('=').map_or("", |(_, value)| value);
            is_entry(value.trim().trim_matches(['"', '\'', ',', ' ']))
        };
        other = other.or_else(|| line_where(path, &text, has_entry));
    }
    match other {
        Some(place) => contradicted("the manifest names another entry point".to_owned(), [place]),
        None => unknown("no manifest at the top names an entry point"),
    }
}

/// Decides whether a file has a name. A name that other code has may be meant there.
fn listed(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let file = said.path("b").and_then(|(path, _)| code.file_at(path));
    let Some((path, text)) = file.and_then(|path| code.facts.text(&path).map(|text| (path, text)))
    else {
        return unknown("the file is not here");
    };
    let has_name = |line: &str| whole_words(line, name).next().is_some();
    match line_where(&path, &text, has_name) {
        Some(place) => ClaimVerdict::Holds(place),
        None if code.facts.sighting(name).is_some() => unknown(format!("`{name}` is elsewhere")),
        None => contradicted(format!("`{path}` has no `{name}`"), [at(&path, 0, "")]),
    }
}
