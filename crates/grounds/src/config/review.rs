//! The section `review`: how large calls are, what the follow-up may use, and what
//! is shown and blocks. It names no model and no command: a file of the checkout may have it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;

/// How a change is reviewed.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReviewConfig {
    /// The follow-up: one request of the model for more lines, for the whole review.
    pub agent: AgentConfig,
    /// The quality that a finding must have to be shown and to block.
    pub min_quality: Option<QualityName>,
    /// The severity that a finding must have to be shown and to block.
    pub severity: Option<SeverityName>,
    /// Whether a review fails of which a changed line was not judged, as with `--require-coverage`. Where it is not
    /// set, it is true with `--post` and in the forms sarif, annotations and rdjson.
    pub require_coverage: Option<bool>,
    /// Whether the model must find planted defects before its silence counts, as with `--canary`.
    pub canary: Option<bool>,
    /// Analyzers that are run over the changed files, in the sandbox: their names, or `auto` for each that the base configures and that is installed.
    pub analyzers: Option<Vec<String>>,
    /// Tokens of one answer of the model.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub answer_tokens_max: Option<u32>,
    /// Calls of the model beside each other.
    #[schemars(range(min = 1, max = 64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 64>")]
    pub parallel_max: Option<usize>,
    /// Tokens of the lines of the diff in one call.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_000_000>")]
    pub diff_tokens_max: Option<u64>,
    /// Tokens of the context in one call.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub context_tokens_max: Option<u64>,
    /// Calls of one review.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 10_000>")]
    pub bundles_max: Option<usize>,
    /// Bytes of the owners file of the base; a larger one is not read, and the output says so.
    #[schemars(range(min = 1, max = 4_194_304))]
    #[serde(deserialize_with = "from_one_to::<_, _, 4_194_304>")]
    pub owners_bytes_max: Option<u64>,
    /// Rules of the owners file of the base; one with more is not read, and the output says so.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_000_000>")]
    pub owners_rules_max: Option<usize>,
}

/// The follow-up.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentConfig {
    /// Whether there may be one.
    pub enabled: Option<bool>,
    /// Tokens of the lines that are read for it.
    pub max_follow_up_tokens: Option<u64>,
    /// Whether there may be one; both switches alone put it off.
    pub allow_follow_up: Option<bool>,
}

/// A quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualityName {
    /// A model alone.
    Weak,
    /// A model with a quote that stands.
    Moderate,
    /// A rule, or a model that saw more.
    Strong,
    /// A rule and a model.
    Verified,
}

/// A severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeverityName {
    /// Worth knowing.
    Info,
    /// Worth fixing.
    Minor,
    /// A defect.
    Major,
    /// A defect that loses data, money or trust.
    Critical,
}

impl ReviewConfig {
    /// Fills unset fields from another configuration.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        Self {
            agent: AgentConfig {
                enabled: self.agent.enabled.or(other.agent.enabled),
                max_follow_up_tokens: self
                    .agent
                    .max_follow_up_tokens
                    .or(other.agent.max_follow_up_tokens),
                allow_follow_up: self.agent.allow_follow_up.or(other.agent.allow_follow_up),
            },
            min_quality: self.min_quality.or(other.min_quality),
            severity: self.severity.or(other.severity),
            require_coverage: self.require_coverage.or(other.require_coverage),
            canary: self.canary.or(other.canary),
            analyzers: self.analyzers.or(other.analyzers),
            answer_tokens_max: self.answer_tokens_max.or(other.answer_tokens_max),
            parallel_max: self.parallel_max.or(other.parallel_max),
            diff_tokens_max: self.diff_tokens_max.or(other.diff_tokens_max),
            context_tokens_max: self.context_tokens_max.or(other.context_tokens_max),
            bundles_max: self.bundles_max.or(other.bundles_max),
            owners_bytes_max: self.owners_bytes_max.or(other.owners_bytes_max),
            owners_rules_max: self.owners_rules_max.or(other.owners_rules_max),
        }
    }
}

#[cfg(feature = "review")]
impl From<QualityName> for grounds_evidence::Quality {
    fn from(name: QualityName) -> Self {
        match name {
            QualityName::Weak => Self::Weak,
            QualityName::Moderate => Self::Moderate,
            QualityName::Strong => Self::Strong,
            QualityName::Verified => Self::Verified,
        }
    }
}

#[cfg(feature = "review")]
impl From<SeverityName> for grounds_review::Severity {
    fn from(name: SeverityName) -> Self {
        match name {
            SeverityName::Info => Self::Info,
            SeverityName::Minor => Self::Minor,
            SeverityName::Major => Self::Major,
            SeverityName::Critical => Self::Critical,
        }
    }
}
