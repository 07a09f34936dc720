//! `X` is exported from file `F`.

use super::{Arguments, Predicate, at, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const EXPORTED: Predicate = Predicate {
    name: "exported",
    frames: &[
        r"{a} is {not}(?:also |now |still )*(?:re-?exported|exported|available) (?:from|by|in|at|through|via) {b}",
    ],
    words: no_words,
    decide,
};

/// Texts of lines that export whatever another file exports.
const ALL: [&str; 4] = ["export *", "import *", "pub use", "::*"];

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what is exported is no name");
    };
    let Some(file) = said.path("b").and_then(|(path, _)| code.file_at(path)) else {
        return unknown(format!("there is no file `{}` here", said.get("b")));
    };
    let (Some(uses), Some(text)) = (code.uses_in(&file, name), code.facts.text(&file)) else {
        return unknown(format!("`{file}` could not be read"));
    };
    // A file may define a name and keep it for itself.
    let private = code.definitions_in(&file, name);
    if let Some(one) = private
        .first()
        .filter(|_| private.iter().all(|one| one.is_public == Some(false)))
    {
        return contradicted(format!("`{name}` is not public"), [one.place()]);
    }
    match uses.first() {
        Some(one) => ClaimVerdict::Holds(one.place()),
        None if ALL.iter().any(|mark| text.contains(mark)) => {
            unknown(format!("`{file}` passes on what other files export"))
        }
        None => contradicted(
            format!("`{file}` does not name `{name}`"),
            [at(&file, 0, "")],
        ),
    }
}
