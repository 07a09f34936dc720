//! `X` is never used.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, is_source};
use crate::verdict::ClaimVerdict;

pub(super) const UNUSED: Predicate = Predicate {
    name: "unused",
    frames: &[
        r"{a} is (?:exported but |defined but |declared but )?(?:never|not|no longer) (?:actually |directly )?(?:called|used|referenced|invoked|imported|read)(?: anywhere| at all| inside| by (?:anyone|anything|any)| in (?:the|this) (?:code|codebase|package|repo|project)|$|[.,;])",
        r"{a} is (?:now )?(?:unused|dead code)(?:$|[.,;]| in (?:the|this) | by now)",
        r"{a} has no (?:callers?|uses?|users?|references?)(?: left| anywhere| at all)?(?:$|[.,;])",
        r"(?:nothing|nobody|no code|no one)(?: in [^«]{0,30})? (?:calls|uses|references|imports|invokes) {a}",
    ],
    words: no_words,
    decide,
};

pub(super) const UNUSED_IN: Predicate = Predicate {
    name: "unused_in",
    frames: &[
        r"{a} has no (?:callers?|uses?|users?|references?) (?:in|inside|within) {b}",
        r"{a} is (?:never|not) (?:called|used|referenced|invoked|imported) (?:in|by|from|inside|within) {b}",
        r"{b} (?:never|does not|doesn't) (?:calls?|uses?|references?|invokes?) {a}",
    ],
    words: no_words,
    decide: decide_in,
};

fn decide_in(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let file = said.path("b").and_then(|(path, _)| code.file_at(path));
    let (Some((_, name)), Some(file)) = (said.symbol("a"), file) else {
        return unknown("it is no name and a file");
    };
    let Some(uses) = code.uses_in(&file, name) else {
        return unknown(format!("`{file}` could not be read"));
    };
    let used = uses.iter().find(|one| one.is_use());
    match (used, code.definitions(name).unwrap_or_default().first()) {
        (Some(one), Some(_)) => contradicted(
            format!("it is used at {}:{}", one.path, one.line),
            [one.place()],
        ),
        // An occurrence whose role is unknown may be a use.
        (None, Some(one)) if uses.is_empty() => ClaimVerdict::Holds(one.place()),
        _ => unknown(format!(
            "no `{name}` is defined here, or `{file}` has it in another way"
        )),
    }
}

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what is said to be unused is no name");
    };
    let (Some(uses), Some(defined)) = (code.uses(name), code.definitions(name)) else {
        return unknown(format!("too many files have `{name}`"));
    };
    if defined.is_empty() {
        return unknown(format!("no `{name}` is defined here"));
    }
    // A use inside of its own definition does not make a function used.
    let in_itself = |path: &str, line: u32| {
        defined
            .iter()
            .any(|one| one.path == path && (one.line_first..=one.line_last).contains(&line))
    };
    let found: Vec<_> = uses
        .iter()
        .filter(|one| one.is_use() && is_source(&one.path) && !in_itself(&one.path, one.line))
        .collect();
    match found.first() {
        Some(one) => contradicted(
            format!("it is used at {}:{}", one.path, one.line),
            found.iter().map(|one| one.place()),
        ),
        None if uses.iter().any(|one| !is_source(&one.path) && one.is_use()) => {
            unknown("only tests, examples or benches use it")
        }
        None => ClaimVerdict::Holds(defined[0].place()),
    }
}
