//! `X` takes a variadic list.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const VARIADIC: Predicate = Predicate {
    name: "variadic",
    frames: &[
        r"{a} (?:takes|accepts|has|receives) (?:a |an |any )?(?:variadic|variable[- ]length|variable number of)",
        r"{a} is {not}variadic",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let mut all = code.definitions(name).unwrap_or_default();
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)) && one.head.contains('('));
    let Some(first) = all.first() else {
        return unknown(format!("no function `{name}` is defined here"));
    };
    let is_variadic =
        |head: &str| head.contains("...") || head.contains('*') || head.contains("params ");
    match all.iter().find(|one| is_variadic(&one.head)) {
        Some(one) => ClaimVerdict::Holds(one.place()),
        None => contradicted(format!("`{name}` takes no variable list"), [first.place()]),
    }
}
