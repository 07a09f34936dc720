//! Two classes named `X` exist.

use super::{Arguments, Predicate, cases, contradicted, no_words, unknown};
use grounds_evidence::SymbolKind;

use crate::code::{Code, is_source};
use crate::verdict::ClaimVerdict;

pub(super) const VARIANTS: Predicate = Predicate {
    name: "variants",
    frames: &[
        r"{a} (?:enum )?(?:has|defines|declares|consists of) (?:exactly |only )?{n} (?:variants|cases|members|values|constants)",
        r"there are (?:exactly |only )?{n} (?:variants|cases|members) (?:of|in) {a}",
    ],
    words: no_words,
    decide: variants,
};

fn variants(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let (Some((_, name)), Some(stated)) = (said.symbol("a"), said.number("n")) else {
        return unknown("it is no name and a number");
    };
    let all = code.definitions(name).unwrap_or_default();
    let enums: Vec<_> = all
        .iter()
        .filter(|one| one.kind == SymbolKind::Enum)
        .collect();
    let classes: Vec<_> = all
        .iter()
        .filter(|one| cases::is_enumeration(one))
        .collect();
    // In Python an enumeration is a class, and its cases are assignments.
    let (one, found) = match (enums.as_slice(), classes.as_slice()) {
        ([one], _) => (one, code.variants_in(one)),
        ([], [one]) => (one, cases::count(one).unwrap_or_default()),
        _ => return unknown(format!("`{name}` is no single enumeration here")),
    };
    match u64::try_from(found) {
        Ok(0) | Err(_) => unknown(format!("the cases of `{name}` are not read")),
        Ok(found) if found == stated => ClaimVerdict::Holds(one.place()),
        Ok(found) => contradicted(format!("`{name}` has {found} cases"), [one.place()]),
    }
}

pub(super) const COUNT: Predicate = Predicate {
    name: "count",
    frames: &[
        r"{n} (?:different |separate )?(?:classes|functions|methods|types|structs|definitions|interfaces|traits)(?: are)? (?:named|called) {a}",
        r"{a} is (?:defined|declared|implemented) {v}(?: times)?(?:$|[ .,;])",
        r"there (?:is|are) (?:exactly |only )?{n} (?:definitions?|implementations?|classes|functions|methods|types) (?:named|called|of) {a}",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let (Some((_, name)), Some(stated)) = (
        said.symbol("a"),
        said.number("n").or_else(|| said.number("v")),
    ) else {
        return unknown("it is no name and a number");
    };
    let Some(all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let own: Vec<_> = all.iter().filter(|one| is_source(&one.path)).collect();
    let count = |found: usize| u64::try_from(found).is_ok_and(|found| found == stated);
    // Definitions in tests may be counted or not, so both numbers are right.
    if count(own.len()) || count(all.len()) {
        return all.first().map_or_else(
            || unknown("none is here"),
            |one| ClaimVerdict::Holds(one.place()),
        );
    }
    if own.is_empty() {
        return unknown(format!("no `{name}` is defined here"));
    }
    contradicted(
        format!("{} definitions of `{name}` are here", own.len()),
        own.iter().map(|one| one.place()),
    )
}
