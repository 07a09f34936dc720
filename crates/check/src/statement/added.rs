//! `X` was added to `F`; a new file `F`.

use super::{Arguments, Predicate, at, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const ADDED: Predicate = Predicate {
    name: "added",
    frames: &[
        r"^(?:i |we |this (?:change|commit|pr|pull request) )?(?:have |has |also )*(?:added|adds|wrote|created|creates|introduced|introduces)(?: an?| the| new)*(?: [\w-]+){0,3}? {a} (?:to|in|into|inside|under|at) {b}",
        r"^(?:i |we |this (?:change|commit|pr|pull request) )?(?:have |has |also )*(?:added|adds|wrote|created|creates|introduced|introduces)(?: an?| the| new)*(?: [\w-]+){0,3}? {a}",
        r"(?:were|was|have been|has been|are) added (?:in|to|at|under) {a}",
        r"(?:is |are )?{not}(?:now |also |already )*(?:covered|tested|exercised|documented|described) (?:by|in|at)(?: the)?(?: new)?(?: tests?)?(?: in)? {a}",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    // With a path in this place, the sentence tells of a new file.
    if let Some((path, _)) = said.path("a") {
        return match code.file_at(path) {
            Some(file) => ClaimVerdict::Holds(at(&file, 0, "")),
            None if is_file(path) => contradicted(format!("there is no file `{path}`"), []),
            None => unknown(format!("there is no file `{path}` here")),
        };
    }
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what was added is no name");
    };
    match said.path("b").map(|(path, _)| (path, code.file_at(path))) {
        // Since when the file has the name is not asked: a text about a change is true if it has
        // it.
        Some((_, Some(file))) => match code.uses_in(&file, name) {
            None => unknown(format!("`{file}` could not be read")),
            Some(uses) => match uses.first() {
                Some(one) => ClaimVerdict::Holds(one.place()),
                None => contradicted(format!("`{file}` has no `{name}`"), [at(&file, 0, "")]),
            },
        },
        Some((path, None)) if is_file(path) => {
            contradicted(format!("there is no file `{path}`"), [])
        }
        Some((path, None)) => unknown(format!("there is no file `{path}` here")),
        None if code.is_known(name) => unknown("it is here; who added it was not asked"),
        None => unknown(format!("no code has `{name}`")),
    }
}

/// Reports whether a path is that of a file, and not a repository's name, `owner/name`.
fn is_file(path: &str) -> bool {
    path.rsplit_once('/')
        .is_some_and(|(_, last)| last.contains('.'))
}
