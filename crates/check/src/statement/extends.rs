//! `X` extends `Y`.

use std::collections::BTreeSet;

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Definition, whole_words};
use crate::verdict::Verdict;

pub(super) const EXTENDS: Predicate = Predicate {
    name: "extends",
    frames: &[
        r"{a} {not}(?:now |also |directly |itself )?(?:extends?|inherits? from|subclass(?:es)?|derives? from|implements?|descends? from)(?: the| \w+'s)?(?: (?:interface|class|trait|base class|abstract class))? {b}",
        r"{a} (?:is|are) {not}(?:a|an|the)?(?: direct)? ?(?:subclass|sub-class|subtype|child|implementation|descendant|subinterface)(?:es)? of {b}",
        r"{a} is {not}(?P<v>an?) {b}(?:$|[.,;])",
        r"{b} is (?:the|a) (?:base|parent|super) ?(?:class|type)? of {a}",
    ],
    words: no_words,
    decide,
};

/// Bases of bases that are followed.
const DEPTH_MAX: usize = 8;

fn decide(said: &Arguments, code: &Code<'_, '_>) -> Verdict {
    let (Some((_, name)), Some((_, base))) = (said.symbol("a"), said.symbol("b")) else {
        return unknown("it is no two types");
    };
    let Some(all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let types: Vec<&Definition> = all.iter().filter(|one| one.is_type()).collect();
    if types.is_empty() {
        return unknown(format!("no type `{name}` is defined here"));
    }
    let is_type = |all: Vec<Definition>| all.iter().any(Definition::is_type);
    if !said.get("v").is_empty() && !code.definitions(base).is_some_and(is_type) {
        return unknown(format!("no type `{base}` is defined here"));
    }
    if let Some(verdict) = along(name, base, code) {
        return verdict;
    }
    // Go's types implement what they fit, and other languages may say it beside the type.
    if types.iter().any(|one| one.path.ends_with(".go")) {
        return unknown("Go says nowhere what a type implements");
    }
    let heads = types.iter().map(|one| one.place());
    contradicted(
        format!("`{name}` does not name `{base}` among its bases"),
        heads,
    )
}

/// What the bases of a type and their bases say; `None` where they lead to their end.
fn along(name: &str, base: &str, code: &Code<'_, '_>) -> Option<Verdict> {
    let mut seen: BTreeSet<String> = BTreeSet::from([name.to_owned()]);
    let mut open = vec![name.to_owned()];
    for _ in 0..DEPTH_MAX {
        let mut next = Vec::new();
        for one in &open {
            if let Some(place) = inherits(one, base, code) {
                return Some(Verdict::Holds(place));
            }
            let Some(defined) = code.definitions(one) else {
                return Some(unknown(format!("too many files have `{one}`")));
            };
            let types: Vec<&Definition> = defined.iter().filter(|one| one.is_type()).collect();
            let Some(bases) = code.bases(&types) else {
                let reason = format!("what `{one}` inherits could not be read");
                return Some(unknown(reason));
            };
            next.extend(bases.into_iter().filter(|base| seen.insert(base.clone())));
        }
        open = next;
    }
    (!open.is_empty()).then(|| unknown(format!("not all that `{name}` inherits was followed")))
}

/// Where a type names a base: in its head, or in a block that implements it.
fn inherits(name: &str, base: &str, code: &Code<'_, '_>) -> Option<crate::verdict::Evidence> {
    let defined = code.definitions(name)?;
    let head = defined
        .iter()
        .filter(|one| one.is_type())
        .find(|one| whole_words(&one.head, base).next().is_some());
    if let Some(one) = head {
        return Some(one.place());
    }
    let uses = code.uses(base)?;
    uses.into_iter()
        .find(|one| one.text.contains("impl") && whole_words(&one.text, name).next().is_some())
        .map(|one| one.place())
}
