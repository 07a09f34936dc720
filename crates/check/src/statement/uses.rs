//! `X` has two callers; `X` is called three times in `F`; `Y` has four subclasses.

use std::collections::BTreeSet;

use grounds_evidence::Relation;

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Use, is_source};
use crate::verdict::ClaimVerdict;

pub(super) const USES: Predicate = Predicate {
    name: "uses_count",
    frames: &[
        concat!(
            r"{a} has (?:exactly |only |just |a total of )?(?P<n>\d+|two|three|four|five|six|",
            r"seven|eight|nine|ten) (?:direct |separate |different )?(?:callers?|call sites?|",
            r"calls)(?:,? (?:and )?(?:all(?: of them)?(?: are)? )?(?:in|inside|within) {b})",
            r"?(?:$|[.,; ])",
        ),
        concat!(
            r"{a} is (?:called|invoked) (?:from |in |at )?(?:exactly |only |just )?(?P<n>\d+|",
            r"two|three|four|five|six|seven|eight|nine|ten) (?:different |separate )?(?:times|",
            r"places|call sites|spots)(?: (?:in|inside|within) {b})?(?:$|[.,; ])",
        ),
        concat!(
            r"there (?:are|is) (?:exactly |only |just )?(?:a )?(?P<n>\d+|single|one|two|three|",
            r"four|five|six|seven|eight|nine|ten) (?:calls?|call sites?|callers?) (?:of|to)",
            r" {a}(?: (?:in|inside|within) {b})?(?:$|[.,; ])",
        ),
    ],
    words: no_words,
    decide: calls,
};

pub(super) const SUBCLASSES: Predicate = Predicate {
    name: "subclasses",
    frames: &[
        concat!(
            r"{a} has (?:exactly |only |just )?{n} (?:direct )?(?:subclasses|implementations|",
            r"implementers|children|subtypes)(?:$|[.,; ])",
        ),
        concat!(
            r"there are (?:exactly |only |just )?{n} (?:direct )?(?:subclasses|",
            r"implementations|subtypes) of {a}(?:$|[.,; ])",
        ),
    ],
    words: no_words,
    decide: subclasses,
};

fn calls(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let single = (said.get("n") == "single").then_some(1);
    let (Some((_, name)), Some(stated)) = (said.symbol("a"), said.number("n").or(single)) else {
        return unknown("it is no name and a number");
    };
    let Some(uses) = code.uses(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let file = said.path("b").and_then(|(path, _)| code.file_at(path));
    if file.is_none() && !said.get("b").is_empty() {
        return unknown(format!("there is no file `{}` here", said.get("b")));
    }
    // The uses of two things with one name are not told apart.
    if code.definitions(name).is_none_or(|all| all.len() != 1) {
        return unknown(format!("`{name}` is not defined once here"));
    }
    let is_there = |one: &&Use| file.as_deref().is_none_or(|file| file == one.path);
    let all: Vec<&Use> = uses
        .iter()
        .filter(|one| one.is_use())
        .filter(is_there)
        .collect();
    counted(name, stated, &all, code)
}

/// Compares a number with the places, lines and functions that use a name, with tests or without.
/// Any of them may be meant.
fn counted(name: &str, stated: u64, all: &[&Use], code: &Code<'_, '_>) -> ClaimVerdict {
    let is_own = |one: &&Use| is_source(&one.path);
    let own: Vec<&Use> = all.iter().copied().filter(is_own).collect();
    let mut counts: BTreeSet<usize> = BTreeSet::new();
    for found in [all, &own] {
        let lines: BTreeSet<_> = found.iter().map(|one| (&one.path, one.line)).collect();
        counts.extend([found.len(), lines.len(), callers(found, code)]);
    }
    let Some(one) = own.first().or(all.first()) else {
        return unknown(format!("no call of `{name}` is read"));
    };
    if counts.iter().any(|count| count_is(*count, stated)) {
        return ClaimVerdict::Holds(one.place());
    }
    contradicted(
        format!("{} places use `{name}`", own.len().max(1)),
        own.iter().map(|one| one.place()),
    )
}

/// Counts the definitions that contain some uses.
fn callers(found: &[&Use], code: &Code<'_, '_>) -> usize {
    let around = found
        .iter()
        .filter_map(|one| code.around(&one.path, one.line));
    around.collect::<BTreeSet<_>>().len()
}

fn count_is(count: usize, stated: u64) -> bool {
    u64::try_from(count).is_ok_and(|count| count == stated)
}

fn subclasses(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let (Some((_, name)), Some(stated)) = (said.symbol("a"), said.number("n")) else {
        return unknown("it is no name and a number");
    };
    let Some(uses) = code.uses(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let inherits = |one: &&Use| matches!(one.relation, Relation::Inherits);
    let all: Vec<&Use> = uses.iter().filter(inherits).collect();
    // Types of tests may be counted or not, so both numbers are right.
    let own = all.iter().filter(|one| is_source(&one.path)).count();
    match all.first() {
        Some(one) if count_is(all.len(), stated) || count_is(own, stated) => {
            ClaimVerdict::Holds(one.place())
        }
        Some(_) => contradicted(
            format!("{} types name `{name}` as a base", all.len()),
            all.iter().map(|one| one.place()),
        ),
        None => unknown(format!("no type that inherits from `{name}` is read")),
    }
}
