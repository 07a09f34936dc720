//! `X` is deprecated.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::{Code, Definition};
use crate::verdict::ClaimVerdict;

pub(super) const DEPRECATED: Predicate = Predicate {
    name: "deprecated",
    frames: &[
        r"{a} is {not}(?:now |also |already |marked |marked as )*deprecated(?: (?:in favou?r of|and replaced by|and superseded by|for) {b})?",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("what is said to be deprecated is no name");
    };
    let Some(all) = code.definitions(name) else {
        return unknown(format!("too many files have `{name}`"));
    };
    let all: Vec<Definition> = all
        .into_iter()
        .filter(|one| owner.is_none_or(|owner| one.is_of(owner)))
        .collect();
    // One stem covers the marks of all languages: `@Deprecated`, `#[deprecated]`, `..
    // deprecated::`.
    let says_so = |text: &str| text.to_ascii_lowercase().contains("deprecat");
    let marked = all
        .iter()
        .find(|one| says_so(&one.about) || says_so(&one.text));
    match (marked, all.first()) {
        (_, None) => unknown(format!("no `{name}` is defined here")),
        (None, Some(one)) => contradicted(
            format!("nothing at `{name}` says that it is deprecated"),
            [one.place()],
        ),
        (Some(one), _) => match said.symbol("b") {
            Some((_, other)) if !one.about.contains(other) && !one.text.contains(other) => unknown(
                format!("`{name}` is deprecated, and `{other}` is not named there"),
            ),
            _ => ClaimVerdict::Holds(one.place()),
        },
    }
}
