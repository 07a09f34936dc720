//! A labelled case: the question, the tree, and the right result.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tree::{Inline, TreeEntry};

/// A labelled case, checked.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// The suite that it belongs to.
    pub suite: String,
    /// Its name within the suite.
    pub id: String,
    /// The group in which it is counted.
    pub class: String,
    /// The job that it is for.
    pub job: &'static str,
    /// The tree that it is about.
    pub place: CaseTree,
    /// The input of the job.
    pub input: Input,
    /// The words for a peer, which understands no questions; `None` for the target that was
    /// understood.
    pub query: Option<String>,
    /// The right result.
    pub expect: Expectation,
    /// Timeout in milliseconds, or `None` if the case sets no own one.
    pub case_ms_max: Option<u64>,
    /// The line of the suite, for messages; 0 if it is not known.
    #[serde(skip)]
    pub line: u64,
}

/// The tree that a case is about.
#[derive(Clone, Debug, Serialize)]
pub enum CaseTree {
    /// The folder that the command names.
    Here,
    /// Files that the case brings along.
    Inline(#[serde(serialize_with = "as_it_is")] Arc<Inline>),
    /// A repository below the folder of repositories.
    Repository {
        /// Its folder: a name, or OWNER/NAME.
        name: String,
        /// The commit, or `None` for the tree as it is.
        revision: Option<String>,
        /// The folder inside of it that is the tree; empty for all.
        root: String,
    },
}

/// The input of a job.
#[derive(Clone, Debug, Serialize)]
pub enum Input {
    /// A question.
    Question(String),
    /// A text of any length, whose places are ranked.
    Text(String),
    /// A claim, and a tree of documents that speak about it or not.
    Claim(CaseClaim),
    /// A change of the tree.
    Change(CaseChange),
}

/// A claim to be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseClaim {
    /// The claim.
    pub text: String,
    /// The first day of its time, as ISO 8601, or `None` if it is open.
    pub from: Option<String>,
    /// The last day of its time, or `None` if it is open.
    pub to: Option<String>,
    /// The moment for which it is decided; a case never depends on the day of its run.
    pub as_of: String,
}

/// A change to be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum CaseChange {
    /// New entries of the tree, or `None` for one that is removed.
    Files(BTreeMap<String, Option<TreeEntry>>),
    /// The difference between this commit and the one that is checked out.
    Since(String),
}

/// What would be right. What is not set is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Expectation {
    /// The intents that are right; empty if it is not judged.
    pub intents: Vec<String>,
    /// answered, insufficient, conflicting, not_checkable or failed.
    pub outcome: Option<String>,
    /// not_found, found_but_not_that or cannot_tell.
    pub refusal: Option<String>,
    /// The places that are right: the first one cited must be one of them.
    pub gold: Vec<Gold>,
    /// Places that must not be cited.
    pub must_not_cite: Vec<Gold>,
    /// The band of the scorecard: failed, weak, adequate or strong.
    pub band: Option<String>,
    /// True or False: another verdict than this is a false answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
}

/// A labelled place.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Gold {
    /// The file.
    pub file: String,
    /// The line, where it is labelled.
    #[serde(default)]
    pub line: Option<u32>,
    /// A name that the cited text must hold, where it is labelled.
    #[serde(default)]
    pub symbol: Option<String>,
}

fn as_it_is<S: serde::Serializer>(inline: &Arc<Inline>, serializer: S) -> Result<S::Ok, S::Error> {
    inline.as_ref().serialize(serializer)
}

impl Case {
    /// Returns the name of the case among all suites.
    pub fn name(&self) -> String {
        format!("{}/{}", self.suite, self.id)
    }

    /// Returns what is asked, as text.
    pub fn text(&self) -> &str {
        match &self.input {
            Input::Question(text) | Input::Text(text) => text,
            Input::Claim(claim) => &claim.text,
            Input::Change(CaseChange::Since(revision)) => revision,
            Input::Change(CaseChange::Files(_)) => "",
        }
    }

    /// Returns a number that changes with everything that could change the result, and with nothing
    /// else.
    pub fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        // This is FNV-1a, which stays the same between versions of the compiler; the standard
        // hasher may not.
        let mixed = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{mixed:016x}")
    }
}

impl Expectation {
    /// Reports whether only the intent is judged, so that nothing needs to be investigated.
    pub fn is_of_intent_alone(&self) -> bool {
        Self {
            intents: Vec::new(),
            ..self.clone()
        } == Self::default()
    }

    /// Reports whether there is an answer, or returns `None` if that is not labelled.
    pub fn is_answerable(&self) -> Option<bool> {
        match self.outcome.as_deref() {
            Some(outcome) => Some(outcome == "answered"),
            None if self.gold.is_empty() => None,
            None => Some(true),
        }
    }
}
