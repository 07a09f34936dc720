//! `X` extends `Y`.

use std::collections::BTreeSet;

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::bases::{DEPTH_MAX, bases};
use crate::code::{Code, Definition, whole_words};
use crate::verdict::ClaimVerdict;

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

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
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
    // "`X` is a `Y`" speaks of inheritance only if `Y` is a type.
    if !said.get("v").is_empty() && !code.definitions(base).is_some_and(is_type) {
        return unknown(format!("no type `{base}` is defined here"));
    }
    if let Some(verdict) = along(name, base, code) {
        return verdict;
    }
    // A type of Go implements every interface that it fits, and other languages may state a base
    // elsewhere.
    if types.iter().any(|one| one.path.ends_with(".go")) {
        return unknown("Go says nowhere what a type implements");
    }
    let heads = types.iter().map(|one| one.place());
    contradicted(
        format!("`{name}` does not name `{base}` among its bases"),
        heads,
    )
}

/// Follows the bases of a type and their bases. Returns `None` if they end without the wanted one.
fn along(name: &str, base: &str, code: &Code<'_, '_>) -> Option<ClaimVerdict> {
    // A type from elsewhere has no base of this tree, unless it is one of its types by another
    // name.
    let is_here = code.definitions(base).is_some_and(is_type);
    let mut seen: BTreeSet<String> = BTreeSet::from([name.to_owned()]);
    let mut open = vec![name.to_owned()];
    for _ in 0..=DEPTH_MAX {
        let mut next = Vec::new();
        for one in &open {
            if let Some(place) = inherits(one, base, code) {
                return Some(ClaimVerdict::Holds(place));
            }
            let Some(mut defined) = code.definitions(one) else {
                return Some(unknown(format!("too many files have `{one}`")));
            };
            defined.retain(Definition::is_type);
            if defined.is_empty() && (!is_here || is_alias(one, base, code)) {
                return Some(unknown(format!(
                    "what `{one}` inherits is not in this tree"
                )));
            }
            next.extend(defined.iter().flat_map(bases));
        }
        next.retain(|base| seen.insert(base.clone()));
        if next.is_empty() {
            return None;
        }
        open = next;
    }
    Some(unknown(format!(
        "not all that `{name}` inherits was followed"
    )))
}

fn is_type(all: Vec<Definition>) -> bool {
    all.iter().any(Definition::is_type)
}

/// Words that give a second name to a thing.
const NAMING: [&str; 5] = [" as ", "=", "typedef ", "using ", "alias "];

/// Reports whether a line may make one name another name of the other.
fn is_alias(one: &str, base: &str, code: &Code<'_, '_>) -> bool {
    let Some(paths) = code.facts.paths_with(one) else {
        return true;
    };
    let names_both = |line: &str| {
        let has = |name| whole_words(line, name).next().is_some();
        NAMING.iter().any(|word| line.contains(word)) && has(one) && has(base)
    };
    let mut texts = paths.iter().filter_map(|path| code.facts.text(path));
    texts.any(|text| text.lines().any(names_both))
}

/// Returns the place where a type names a base: in its head, or in a block that implements it.
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
    // In Rust, `impl Base for Name` may be in any file, so the uses of the base are read too.
    let beside = |line: &str| {
        let (before, after) = line.split_once(" for ")?;
        let is_block = before.starts_with("impl") || before.starts_with("unsafe impl");
        let has = |text: &str, word: &str| whole_words(text, word).next().is_some();
        (is_block && has(before, base) && has(after, name)).then_some(())
    };
    let found = uses.into_iter().find(|one| beside(&one.text).is_some());
    found.map(|one| one.place())
}
