//! The observations of a job in one case, in words that leave the program. They are the same for
//! every job, so that one judge, one table and one page serve all of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a job showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Observed {
    /// How the question was understood.
    pub intent: String,
    /// What it is about.
    pub targets: Vec<String>,
    /// Whether only the intent was asked for, and nothing investigated.
    pub is_intent_alone: bool,
    /// Whether places were ranked for a text, which is no answer.
    pub is_ranking: bool,
    /// answered, insufficient, conflicting, not_checkable or failed; empty if nothing was investigated.
    pub outcome: String,
    /// For an insufficient outcome, what it shows.
    pub refusal: Option<String>,
    /// The derived confidence.
    pub confidence: Confidence,
    /// The answer in Markdown, cut.
    pub answer: Option<String>,
    /// What the answer rests on, best first.
    pub cited: Vec<Spot>,
    /// Where to look, where there is no answer.
    pub leads: Vec<Spot>,
    /// The requirements that are not met.
    pub gap: Vec<Lack>,
    /// The ledger.
    pub evidence: Vec<Entry>,
    /// Entries of the ledger that are left out here.
    pub evidence_left_out: usize,
    /// The calls of tools, in order.
    pub steps: Vec<Step>,
    /// Second passes.
    pub recovery_attempts: usize,
    /// Requirements that they closed.
    pub recovery_closed: usize,
    /// Files that were read.
    pub files: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// What was not read, by reason.
    pub skipped: Vec<Skipped>,
    /// Bounds that were reached.
    pub bounds: Vec<String>,
    /// The scorecard, which decides nothing.
    pub scorecard: Option<Card>,
    /// True or False, of a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Whether each place is a statement of its own, as the findings of a review are.
    #[serde(skip_serializing_if = "is_false")]
    pub is_list: bool,
    /// Whether a model asked for the one follow-up of a review; null if none could.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_follow_up: Option<bool>,
}

/// The derived confidence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confidence {
    /// None, Low, Medium, High or Complete.
    pub level: String,
    /// The least quality over the requirements.
    pub quality: String,
    /// Requirements that are met.
    pub met: usize,
    /// Requirements.
    pub required: usize,
    /// Whether independent families agree.
    pub agreement: String,
    /// The sentence that explains the level.
    pub explanation: String,
}

/// A place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spot {
    /// The file, or `commit`, `run` or `log` if it is not a file.
    pub path: String,
    /// The first line; 0 for the file as a whole.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// What stands there, in words.
    pub what: String,
    /// The text, cut.
    pub text: String,
}

/// A requirement that is not met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lack {
    /// The class of evidence.
    pub class: String,
    /// The target.
    pub target: String,
    /// What there is.
    pub have: String,
    /// What is needed.
    pub need: String,
}

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The class of evidence.
    pub class: String,
    /// The tool.
    pub tool: String,
    /// The target.
    pub target: String,
    /// The kind of match.
    pub found: String,
    /// What the places are to the target.
    pub relation: String,
    /// How precisely it matches.
    pub quality: String,
    /// How much of it there is.
    pub strength: String,
    /// How many places.
    pub match_count: u64,
    /// The best places, as PATH:LINE.
    pub places: Vec<String>,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The tool.
    pub tool: String,
    /// The target.
    pub target: String,
    /// What went wrong.
    pub error: Option<String>,
}

/// What was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Why.
    pub reason: String,
    /// How many.
    pub count: u64,
}

/// The scorecard of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Card {
    /// The total in thousandths.
    pub total_thousandths: u32,
    /// failed, weak, adequate or strong.
    pub band: String,
    /// The lowest threshold that it lies below.
    pub below: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Spot {
    /// Returns PATH:LINE, or the path alone.
    pub fn shown(&self) -> String {
        if self.line_start == 0 {
            self.path.clone()
        } else {
            format!("{}:{}", self.path, self.line_start)
        }
    }
}

impl Observed {
    /// Returns the ranked places: those of the answer, or of the leads if places were ranked.
    pub fn ranked(&self) -> &[Spot] {
        if self.is_ranking {
            &self.leads
        } else {
            &self.cited
        }
    }

    /// Reports whether there is an answer.
    pub fn is_answered(&self) -> bool {
        self.outcome == "answered"
    }
}
