//! `X` is a method of `Y`; `Y` has a field `X`.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::bases::is_of_every;
use crate::code::{Code, Definition};
use crate::verdict::ClaimVerdict;

pub(super) const HAS_MEMBER: Predicate = Predicate {
    name: "has_member",
    frames: &[
        r"{b} is (?:a|an|the)(?: \w+)? (?:method|function|field|property|attribute|member|option|constant|variant|accessor|getter|setter|hook) (?:on|of|in|from)(?: the)?(?: class| struct| type| interface| trait| enum)? {a}",
        r"{a}(?: (?:in|from) «\d+»)? (?:{not})(?:now |also |still )?(?:has|have|exposes?|provides?|offers?|defines?|gains?|gained|declares?)(?: an?| the)?(?: \w+)? (?:method|function|field|property|attribute|member|variant|constant)(?: called| named)? {b}",
        concat!(
            r"{a} (?:{not})(?:now |also |still )?(?:exposes?|provides?|offers?|gained|gains|",
            r"overrides?|defines?|declares?) {b}",
        ),
    ],
    words: no_words,
    decide,
};

pub(super) fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let (Some((_, owner)), Some((_, name))) = (said.symbol("a"), said.symbol("b")) else {
        return unknown("it is no type and a member");
    };
    let Some(owners) = code.definitions(owner) else {
        return unknown(format!("too many files have `{owner}`"));
    };
    let types: Vec<&Definition> = owners.iter().filter(|one| one.has_members()).collect();
    if types.is_empty() {
        return unknown(format!("no type `{owner}` is defined here"));
    }
    let Some(all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    if let Some(one) = all.iter().find(|one| one.is_of(owner)) {
        return ClaimVerdict::Holds(one.place());
    }
    // A field may be read as no definition, and a base may bring a member.
    if types.iter().any(|one| one.names(name)) {
        return unknown(format!("`{owner}` speaks of `{name}` without defining it"));
    }
    let may_inherit = || unknown(format!("what `{owner}` inherits may have `{name}`"));
    let Some(bases) = code.ancestors(&types, name) else {
        return may_inherit();
    };
    let of_base = |base: &String| all.iter().any(|one| one.is_of(base));
    let is_foreign = !bases.foreign.is_empty() && !code.is_inside_of_others(&all, &bases);
    if is_foreign || bases.all.iter().any(of_base) || is_of_every(types[0], name) {
        return may_inherit();
    }
    lacks(owner, name, types[0], &all)
}

/// Returns the verdict that the owner is here and has no such member.
fn lacks(owner: &str, name: &str, of: &Definition, all: &[Definition]) -> ClaimVerdict {
    let instead = match all.iter().find_map(|one| one.owners.last()) {
        Some(other) => format!("`{name}` belongs to `{other}`"),
        None if all.is_empty() => format!("`{owner}` has no `{name}`"),
        None => format!("`{name}` is not of `{owner}`"),
    };
    let shown = if all.is_empty() {
        of.place()
    } else {
        all[0].place()
    };
    contradicted(instead, [shown])
}
