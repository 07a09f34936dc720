//! `X` is public, or is not.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
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
    let wants_public = matches!(
        said.get("v").to_ascii_lowercase().as_str(),
        "public" | "exported"
    );
    let all: Vec<Definition> = code
        .definitions(name)
        .unwrap_or_default()
        .into_iter()
        .filter(|one| is_source(&one.path) && owner.is_none_or(|owner| one.is_of(owner)))
        .collect();
    // If the syntax of one definition does not tell, that one may be meant.
    let told: Vec<&Definition> = all.iter().filter(|one| one.is_public.is_some()).collect();
    if told.is_empty() || told.len() != all.len() {
        return unknown(format!("the text does not tell whether `{name}` is public"));
    }
    match told.iter().find(|one| one.is_public == Some(wants_public)) {
        Some(one) => ClaimVerdict::Holds(one.place()),
        None => contradicted(
            format!(
                "`{name}` is {}",
                if wants_public { "not public" } else { "public" }
            ),
            told.iter().map(|one| one.place()),
        ),
    }
}
