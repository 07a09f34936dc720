//! File `F` reads the environment variable `V`.

use super::{Arguments, Predicate, at, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const READS: Predicate = Predicate {
    name: "reads",
    frames: &[
        r"{a} {not}(?:now |also |still )*(?:reads?|honou?rs?|checks?|looks at|consults?|respects?|sets?|inspects?)(?: the)?(?: (?:environment variable|env var|variable|key|option|setting|flag|header))? {b}",
        r"{b}(?: (?:environment|env|variable|var|key|option|setting|flag|header))* is {not}(?:now |also |still )*(?:read|honou?red|checked|consulted|handled|set|parsed) (?:in|by|at|from|inside) {a}",
    ],
    words: no_words,
    decide,
};

pub(super) const READ_FROM: Predicate = Predicate {
    name: "read_from",
    frames: &[concat!(
        r"(?:is|are) {not}(?:read|taken|loaded|picked up|determined) from(?: the)?",
        r"(?: (?:environment variable|env var|variable))? {b}",
        r"(?: (?:environment|env|variable|var))* (?:in|by|inside) {a}",
    )],
    words: no_words,
    decide: |said, code| {
        let is_shouted =
            |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
        match said.get("b").trim_start_matches('$') {
            name if name.chars().all(is_shouted) => decide(said, code),
            _ => unknown("it is no variable of the environment"),
        }
    },
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    // Texts write a variable as a shell does, `$NAME`, or as code does, `"NAME"`.
    let wanted = said.get("b").trim_matches(['$', '"', '\'']);
    let Some(file) = said.path("a").and_then(|(path, _)| code.file_at(path)) else {
        return in_function(said, wanted, code);
    };
    match code.uses_in(&file, wanted) {
        None => unknown(format!("`{file}` could not be read")),
        Some(uses) => match uses.first() {
            Some(one) => ClaimVerdict::Holds(one.place()),
            None => match code.uses(wanted).unwrap_or_default().first() {
                Some(one) => contradicted(
                    format!("`{file}` does not name `{wanted}`, {} does", one.path),
                    [one.place()],
                ),
                None => contradicted(
                    format!("`{file}` does not name `{wanted}`"),
                    [at(&file, 0, "")],
                ),
            },
        },
    }
}

/// Decides a function, which reads what its text names. It may read more through others that it
/// calls.
fn in_function(said: &Arguments, wanted: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown(format!("there is no `{}` here", said.get("a")));
    };
    let all = code.definitions(name).unwrap_or_default();
    let mut of_owner = all
        .iter()
        .filter(|one| owner.is_none_or(|owner| one.is_of(owner)));
    match of_owner.find(|one| !one.is_type() && one.names(wanted)) {
        Some(one) => ClaimVerdict::Holds(one.line_with(wanted)),
        None => unknown(format!("the text of `{name}` does not name `{wanted}`")),
    }
}
