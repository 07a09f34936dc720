//! `X` is used only in `Y`.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, is_source, whole_words};
use crate::verdict::ClaimVerdict;

pub(super) const ONLY: Predicate = Predicate {
    name: "only",
    frames: &[
        r"{a} is (?:(?:used|called|referenced|imported|invoked|constructed|instantiated|raised|thrown) only|only (?:used|called|referenced|imported|invoked|constructed|instantiated|raised|thrown)) (?:in|by|from|inside|within)(?: the)?(?: (?:file|function|method|class|module))? {b}",
        r"{a} is (?:used|called|referenced|imported|invoked|constructed|instantiated) (?:in|by|from|inside|within) {b} (?:only|alone|and nowhere else)",
        r"(?:only|nothing but|nobody but) {b} (?:calls?|uses?|references?|imports?|invokes?) {a}",
        r"{b} is the only (?:place|file|caller|user|function|one|module|class)(?: that)? (?:calls?|uses?|references?|imports?|invokes?|of) {a}",
        r"the only (?:place|file|caller|user|function) (?:that (?:calls?|uses?|references?|imports?|invokes?)|of) {a} is {b}",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what is used is no name");
    };
    let Some(uses) = code.uses(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let uses: Vec<_> = uses
        .into_iter()
        .filter(|one| one.is_use() && is_source(&one.path))
        .collect();
    let file = said.path("b").and_then(|(path, _)| code.file_at(path));
    let inside: Vec<_> = match (&file, said.symbol("b")) {
        (Some(file), _) => vec![(file.clone(), 1, u32::MAX)],
        (None, Some((_, user))) => code
            .definitions(user)
            .unwrap_or_default()
            .into_iter()
            .map(|one| (one.path, one.line_first, one.line_last))
            .collect(),
        (None, None) => Vec::new(),
    };
    if inside.is_empty() {
        return unknown(format!("`{}` is not here", said.get("b")));
    }
    let is_inside = |path: &str, line: u32| {
        inside
            .iter()
            .any(|(file, first, last)| path == file && (*first..=*last).contains(&line))
    };
    let defined = code.definitions(name).unwrap_or_default();
    let in_itself = |path: &str, line: u32| {
        defined.iter().any(|one| {
            one.path == path
                && (one.line_first..=one.line_last).contains(&line)
                && whole_words(&one.text, name).count() > 0
        })
    };
    let outside: Vec<_> = uses
        .iter()
        .filter(|one| !is_inside(&one.path, one.line) && !in_itself(&one.path, one.line))
        .collect();
    match (
        outside.first(),
        uses.iter().find(|one| is_inside(&one.path, one.line)),
    ) {
        (Some(one), _) => contradicted(
            format!("it is also used at {}:{}", one.path, one.line),
            outside.iter().map(|one| one.place()),
        ),
        (None, Some(one)) => ClaimVerdict::Holds(one.place()),
        (None, None) => unknown(format!("no use of `{name}` is read in `{}`", said.get("b"))),
    }
}
