//! The JSON form of a claim.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::claim::{Argument, Claim, Quantifier, Scope, Tests};
use crate::predicates;
use crate::text::ClaimError;

/// A claim as JSON: `{"predicate": "calls", "arguments": [null, "Context.Next"]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimForm {
    /// The name of a predicate.
    pub predicate: String,
    /// One for each argument of the predicate; null for what is asked for.
    pub arguments: Vec<Option<String>>,
    /// some, any, none, only, exactly, atleast, count or count_files.
    #[serde(default = "some")]
    pub quantifier: String,
    /// The number of `exactly` and `atleast`; null elsewhere.
    #[serde(default)]
    pub number: Option<u32>,
    /// Whether the claim says that this is not so.
    #[serde(default)]
    pub negated: bool,
    /// The kind of thing that is asked for; null if any kind will do.
    #[serde(default)]
    pub kind: Option<String>,
    /// Files, folders and types that places must lie in.
    #[serde(default)]
    pub inside: Vec<String>,
    /// Files, folders and types that places must not lie in.
    #[serde(default)]
    pub outside: Vec<String>,
    /// count, outside or inside: whether tests belong to the part of the tree that is meant.
    #[serde(default = "count")]
    pub tests: String,
}

fn some() -> String {
    "some".to_owned()
}

fn count() -> String {
    "count".to_owned()
}

impl From<&Claim> for ClaimForm {
    fn from(claim: &Claim) -> Self {
        // The words are those that `try_from` below takes.
        let (quantifier, number) = match claim.quantifier {
            Quantifier::Some => ("some", None),
            Quantifier::Any => ("any", None),
            Quantifier::None => ("none", None),
            Quantifier::Only => ("only", None),
            Quantifier::Exactly(number) => ("exactly", Some(number)),
            Quantifier::AtLeast(number) => ("atleast", Some(number)),
            Quantifier::Count => ("count", None),
            Quantifier::CountFiles => ("count_files", None),
        };
        let tests = match claim.scope.tests {
            Tests::Count => "count",
            Tests::Outside => "outside",
            Tests::Inside => "inside",
        };
        let text = |argument: &Argument| match argument {
            Argument::Hole => None,
            Argument::Is(text) => Some(text.clone()),
        };
        Self {
            predicate: claim.predicate.name.to_owned(),
            arguments: claim.arguments.iter().map(text).collect(),
            quantifier: quantifier.to_owned(),
            number,
            negated: claim.is_negated,
            kind: claim.kind.clone(),
            inside: claim.scope.inside.clone(),
            outside: claim.scope.outside.clone(),
            tests: tests.to_owned(),
        }
    }
}

impl TryFrom<ClaimForm> for Claim {
    type Error = ClaimError;

    fn try_from(form: ClaimForm) -> Result<Self, ClaimError> {
        let predicate = predicates::by_name(&form.predicate)
            .ok_or_else(|| ClaimError::UnknownPredicate(form.predicate.clone()))?;
        if form.arguments.len() != predicate.arguments.len() {
            return Err(ClaimError::Arity {
                predicate: predicate.name,
                takes: predicate.arguments.len(),
                given: form.arguments.len(),
            });
        }
        // JSON has no position in a text, so it is always 0.
        let expected = |expected| ClaimError::Expected { expected, at: 0 };
        let quantifier = match (form.quantifier.as_str(), form.number) {
            // A number with another quantifier is ignored; without one, `exactly` and `atleast`
            // fall through to the error.
            ("some", _) => Quantifier::Some,
            ("any", _) => Quantifier::Any,
            ("none", _) => Quantifier::None,
            ("only", _) => Quantifier::Only,
            ("exactly", Some(number)) => Quantifier::Exactly(number),
            ("atleast", Some(number)) => Quantifier::AtLeast(number),
            ("count", _) => Quantifier::Count,
            ("count_files", _) => Quantifier::CountFiles,
            _ => {
                return Err(expected(
                    "a quantifier: some, any, none, only, exactly or atleast with a number, count or count_files",
                ));
            }
        };
        let tests = match form.tests.as_str() {
            "count" => Tests::Count,
            "outside" => Tests::Outside,
            "inside" => Tests::Inside,
            _ => return Err(expected("tests: count, outside or inside")),
        };
        let argument = |text: Option<String>| text.map_or(Argument::Hole, Argument::Is);
        Ok(Self {
            predicate,
            arguments: form.arguments.into_iter().map(argument).collect(),
            quantifier,
            is_negated: form.negated,
            kind: form.kind,
            scope: Scope {
                inside: form.inside,
                outside: form.outside,
                tests,
            },
        })
    }
}
