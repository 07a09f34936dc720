//! `X` is used only in `Y`.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Definition, is_source, whole_words};
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
    let inside = named_lines(said, code);
    if inside.is_empty() {
        return unknown(format!("`{}` is not here", said.get("b")));
    }
    let own = own_lines(name, code);
    // A recursive function, and the type of its own constructor, use the name without being another
    // user.
    let outside: Vec<_> = uses
        .iter()
        .filter(|one| !is_in(&inside, &one.path, one.line) && !is_in(&own, &one.path, one.line))
        .collect();
    let mut users = uses.iter();
    let first_inside = users.find(|one| is_in(&inside, &one.path, one.line));
    match (outside.first(), first_inside) {
        (Some(one), _) => contradicted(
            format!("it is also used at {}:{}", one.path, one.line),
            outside.iter().map(|one| one.place()),
        ),
        (None, Some(one)) => ClaimVerdict::Holds(one.place()),
        (None, None) => unknown(format!("no use of `{name}` is read in `{}`", said.get("b"))),
    }
}

/// A file, and the first and last of some of its lines.
type FileLines = (String, u32, u32);

fn is_in(all: &[FileLines], path: &str, line: u32) -> bool {
    all.iter()
        .any(|(file, first, last)| path == file && (*first..=*last).contains(&line))
}

fn lines_of(definition: Definition) -> FileLines {
    (definition.path, definition.line_first, definition.line_last)
}

/// Returns the lines of the definitions of a name that contain it: its uses there are its own.
fn own_lines(name: &str, code: &Code<'_, '_>) -> Vec<FileLines> {
    let defined = code.definitions(name).unwrap_or_default().into_iter();
    let holds_name = |one: &Definition| whole_words(&one.text, name).count() > 0;
    defined.filter(holds_name).map(lines_of).collect()
}

/// Returns the lines of the file or of the definitions that the sentence names as the only user.
fn named_lines(said: &Arguments, code: &Code<'_, '_>) -> Vec<FileLines> {
    let file = said.path("b").and_then(|(path, _)| code.file_at(path));
    match (file, said.symbol("b")) {
        (Some(file), _) => vec![(file, 1, u32::MAX)],
        (None, Some((_, user))) => {
            let definitions = code.definitions(user).unwrap_or_default().into_iter();
            definitions.map(lines_of).collect()
        }
        (None, None) => Vec::new(),
    }
}
