//! A change removed `X`, or renamed it.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, is_source};
use crate::kinds;
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const REMOVED: Predicate = Predicate {
    name: "removed",
    frames: &[
        r"^(?:i |we |this (?:change|commit|pr|pull request) )?(?:have |has |also )*(?:removed|removes|deleted|deletes|dropped|drops)(?: the| all)?(?: [\w-]+){0,2} {a}(?: (?:function|method|class|file|constant|helper|type))?(?:$|[.,;]| and| as| because| since)",
    ],
    words: no_words,
    decide: |said, code| gone(said.get("a"), code),
};

pub(super) const RENAMED: Predicate = Predicate {
    name: "renamed",
    frames: &[
        r"^(?:i |we |this (?:change|commit|pr|pull request) )?(?:have |has |also )*(?:renamed|renames)(?: the)?(?: [\w-]+)? {a} to {b}",
        r"^{a} (?:was|is|has been) renamed to {b}",
    ],
    words: no_words,
    decide: |said, code| match gone(said.get("b"), code) {
        // The new name is here, so the old one tells whether anything was renamed.
        ClaimVerdict::Contradicted { .. } => gone(said.get("a"), code),
        ClaimVerdict::Holds(_) => contradicted(format!("`{}` is not here", said.get("b")), []),
        other => other,
    },
};

/// Decides whether a file, or a name that only the project has, no longer exists.
fn gone(name: &str, code: &Code<'_, '_>) -> ClaimVerdict {
    let said = Arguments::of_one(name);
    if let Some((path, _)) = said.path("a").filter(|(path, _)| path.contains('/')) {
        return match code.file_at(path) {
            Some(file) => contradicted(format!("`{file}` is here"), [super::at(&file, 0, "")]),
            None => ClaimVerdict::Holds(nothing(name)),
        };
    }
    // A name with an owner may be gone from that owner only, and remain elsewhere.
    let Some((None, name)) = said
        .symbol("a")
        .filter(|(_, name)| kinds::is_distinctive(name))
    else {
        return unknown("the name alone does not tell what is meant");
    };
    let Some(all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    match all.iter().find(|one| is_source(&one.path)) {
        Some(one) => contradicted(format!("`{name}` is still defined"), [one.place()]),
        None if code.is_known(name) => unknown(format!("code still names `{name}`")),
        None => ClaimVerdict::Holds(nothing(name)),
    }
}

fn nothing(name: &str) -> Evidence {
    Evidence::Place {
        path: ".".to_owned(),
        line: None,
        text: format!("no code here has `{name}`"),
    }
}
