//! There is a target or script `X` in a build file.

use super::{Arguments, Predicate, no_words};
use crate::code::Code;
use crate::decide::script_in;
use crate::verdict::ClaimVerdict;

pub(super) const TARGET: Predicate = Predicate {
    name: "target",
    frames: &[
        concat!(
            r"there is (?:now |also )?an? (?:new )?{a} ",
            r"(?:target|script|task|recipe|command|session)(?: (?:for|of) [a-z]+)? in (?:the )?",
            r"(?:{b}|(?P<v>makefile|justfile|package\.json|composer\.json))",
        ),
        concat!(
            r"(?:the )?(?:{b}|(?P<v>makefile|justfile)) (?:has|defines|provides|offers) ",
            r"an? (?:new )?{a} (?:target|script|task|recipe)",
        ),
    ],
    words: no_words,
    decide: |said: &Arguments, code: &Code<'_, '_>| -> ClaimVerdict {
        let file = [said.get("b"), said.get("v")]
            .into_iter()
            .find(|name| !name.is_empty());
        let name = file.unwrap_or_default().to_ascii_lowercase();
        let files = code.facts.files_named(&name);
        script_in(files, said.get("a"), code.facts)
    },
};
