//! A parameter of `X` has a default.

use grounds_syntax::lists;

use super::value::{agrees, is_literal};
use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Definition, whole_words};
use crate::verdict::ClaimVerdict;

pub(super) const PARAMETER: Predicate = Predicate {
    name: "parameter_default",
    frames: &[
        r"{a} has a default (?P<b>\w+) of {v}",
        r"(?P<b>\w+|«\d+») (?:parameter|argument|option) (?:of|to|in) {a} (?:defaults to|is) {v}",
        concat!(
            r"{a} (?:takes|has|accepts|declares)(?: an?| the)?(?: optional| keyword| boolean)* {b} ",
            r"(?:parameter|argument|keyword|option|kwarg),?(?: that| which)? (?:defaults to|is|",
            r"defaulting to|with (?:a |the )?default(?: value)?(?: of)?) {v}",
        ),
        r"{a}'s (?P<b>\w+|«\d+»)(?: parameter| argument)? defaults to {v}",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let mut all = code.definitions(name).unwrap_or_default();
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)));
    let mut other = None;
    // Several functions may have this name, so one with the stated default is enough.
    for one in &all {
        let Some(value) = default_of(one, said.get("b")) else {
            continue;
        };
        let fits = agrees(said.get("v"), &value);
        if fits == Some(true) {
            return ClaimVerdict::Holds(one.place());
        }
        // A default of another kind, as `None` for a number, may be replaced in the body.
        if is_literal(&value) && fits == Some(false) {
            other.get_or_insert((value, one.place()));
        }
    }
    match other {
        Some((value, place)) => contradicted(format!("its default is {value}"), [place]),
        None => unknown("no literal default of the parameter is read"),
    }
}

/// Returns the default that a head gives a parameter: `depth = 512`, `depth: int = 512`.
fn default_of(one: &Definition, parameter: &str) -> Option<String> {
    let language = one.language()?;
    let list = lists::of_definition(&one.head, &one.name, language)?;
    let mut parts = lists::parts(&one.head[list], language)?.into_iter();
    parts.find_map(|part| {
        let (left, value) = part.split_once('=')?;
        let is_named = whole_words(left, parameter).next().is_some();
        is_named.then(|| value.trim().to_owned())
    })
}
