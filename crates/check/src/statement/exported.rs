//! `X` is exported from file `F`.

use regex::Regex;

use super::{Arguments, Predicate, at, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const EXPORTED: Predicate = Predicate {
    name: "exported",
    frames: &[
        r"{a} is {not}(?:also |now |still )*(?:re-?exported|exported|available) (?:from|by|in|at|through|via) {b}",
        r"^{file} {not}(?:also |now |still )*(?:re-?)?exports {a}(?:$|[.,;])",
    ],
    words: no_words,
    decide,
};

/// Texts of lines that export whatever another file exports.
const ALL: [&str; 4] = ["export *", "import *", "pub use", "::*"];

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
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
    if is_of_script(&file) {
        return by_script(&file, &text, owner, name);
    }
    // A file that only uses a name passes nothing on.
    let passed = uses.iter().find(|one| !one.is_use());
    if passed.is_none() && !uses.is_empty() {
        return unknown(format!("`{file}` uses `{name}`"));
    }
    match passed {
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

/// Reports whether a file is of JavaScript or TypeScript, which name what they export.
fn is_of_script(file: &str) -> bool {
    const ENDINGS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
    file.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Decides by the exports that a file of JavaScript writes.
fn by_script(file: &str, text: &str, owner: Option<&str>, name: &str) -> ClaimVerdict {
    let word = regex::escape(name);
    let forms = [
        format!(r"\bexports\.{word}\s*="),
        format!(r"\bexports\s*=\s*(?:new\s+)?{word}\b"),
        format!(
            concat!(
                r"\bexport\s+(?:default\s+|declare\s+|async\s+|abstract\s+)*",
                r"(?:(?:function|class|const|let|var|type|interface|enum|namespace)\b\*?\s*)?{}\b",
            ),
            word
        ),
        format!(r"\b(?:exports\s*=|export(?:\s+type)?)\s*\{{[^}}]*?\b{word}\b\s*[,}}:(\r\n]"),
    ];
    let forms = forms.iter().filter_map(|form| Regex::new(form).ok());
    if let Some(found) = forms.into_iter().find_map(|form| form.find(text)) {
        let line = text[..found.end()].matches('\n').count() + 1;
        let shown = text.lines().nth(line - 1).unwrap_or_default();
        return ClaimVerdict::Holds(at(file, line, shown));
    }
    // `exports.a = b` passes `b` on under another name, and an object its members.
    let other = Regex::new(&format!(r"\bexports?\b[^\n]*\b{word}\b")).ok();
    let is_other = other.is_some_and(|other| other.is_match(text));
    let is_whole = ["export *", "assign(", "defineProperty", "exports[", "..."]
        .iter()
        .any(|mark| text.contains(mark));
    if owner.is_some() || is_other || is_whole || !text.contains("export") {
        return unknown(format!("what `{file}` exports is not all read"));
    }
    contradicted(
        format!("`{file}` does not export `{name}`"),
        [at(file, 0, "")],
    )
}
