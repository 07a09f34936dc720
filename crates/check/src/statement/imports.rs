//! File `F` imports `M`.

use super::{Arguments, Predicate, at, contradicted, line_where, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const IMPORTS: Predicate = Predicate {
    name: "imports",
    frames: &[
        r"{a} {not}(?:still |now |also |only |directly )*(?:imports?|requires?|includes?|pulls? in)(?: the)?(?: (?:module|package|crate|header|library))? {b}",
        r"{b} is {not}(?:still |now |also |only |directly )*(?:imported|required|included)(?: only)? (?:from|by|in|into) {a}",
    ],
    words: |_| Vec::new(),
    decide,
};

/// Words of a line that imports something.
const MARKS: [&str; 8] = [
    "import", "require", "include", "use ", "using", "from", "load", "mod ",
];

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some(file) = said.path("a").and_then(|(path, _)| code.file_at(path)) else {
        return unknown(format!("there is no file `{}` here", said.get("a")));
    };
    let Some(text) = code.facts.text(&file) else {
        return unknown(format!("`{file}` could not be read"));
    };
    let module = said.get("b").trim_matches(['"', '\'', '<', '>']);
    let last = module
        .rsplit(['/', '.', ':'])
        .find(|part| !part.is_empty())
        .unwrap_or(module);
    if let Some(place) = line_where(&file, &text, |line| line.contains(module)) {
        return ClaimVerdict::Holds(place);
    }
    // `from thing import parts` imports `thing.parts` without writing it so.
    let near = line_where(&file, &text, |line| {
        line.contains(last) && MARKS.iter().any(|mark| line.contains(mark))
    });
    match near {
        Some(place) if last != module && !module.contains('/') => ClaimVerdict::Holds(place),
        _ => contradicted(
            format!("`{file}` does not import `{module}`"),
            [at(&file, 0, "")],
        ),
    }
}
