//! `X` is public, or is not.

use super::{Arguments, Predicate, contradicted, modifier, no_words, unknown};
use crate::code::{Code, Definition, is_source};
use crate::verdict::ClaimVerdict;

pub(super) const VISIBILITY: Predicate = Predicate {
    name: "visibility",
    frames: &[
        r"{a} is {not}(?:a |an |part of the )?(?P<v>public|exported|private|internal|unexported|protected)(?: api)?(?: \w+)?(?:$|[.,;]| and| but)",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let word = said.get("v").to_ascii_lowercase();
    let all: Vec<Definition> = code
        .definitions(name)
        .unwrap_or_default()
        .into_iter()
        .filter(|one| is_source(&one.path) && owner.is_none_or(|owner| one.is_of(owner)))
        .collect();
    // If the syntax of one definition does not tell, that one may be meant.
    let told: Vec<Option<bool>> = all
        .iter()
        .map(|one| modifier::is_visible(&word, one))
        .collect();
    if told.is_empty() || told.contains(&None) {
        return unknown(format!("the text does not tell whether `{name}` is {word}"));
    }
    match told.iter().position(|fits| *fits == Some(true)) {
        Some(at) => ClaimVerdict::Holds(all[at].place()),
        None => contradicted(
            format!("`{name}` is not {word}"),
            all.iter().map(Definition::place),
        ),
    }
}
