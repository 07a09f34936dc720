//! `X` is never used.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, is_source};
use crate::verdict::Verdict;

pub(super) const UNUSED: Predicate = Predicate {
    name: "unused",
    frames: &[
        r"{a} is (?:exported but |defined but |declared but )?(?:never|not|no longer) (?:actually |directly )?(?:called|used|referenced|invoked|imported|read)(?: anywhere| at all| inside| by (?:anyone|anything|any)| in (?:the|this) (?:code|codebase|package|repo|project)|$|[.,;])",
        r"{a} is (?:now )?(?:unused|dead code)(?:$|[.,;]| in (?:the|this) )",
        r"{a} has no (?:callers|uses|users|references)",
        r"(?:nothing|nobody|no code|no one)(?: in [^«]{0,30})? (?:calls|uses|references|imports|invokes) {a}",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> Verdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what is said to be unused is no name");
    };
    let (Some(uses), Some(defined)) = (code.uses(name), code.definitions(name)) else {
        return unknown(format!("too many files have `{name}`"));
    };
    if defined.is_empty() {
        return unknown(format!("no `{name}` is defined here"));
    }
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
        None => Verdict::Holds(defined[0].place()),
    }
}
