//! The options of the model's part of a review, each bound with its unit.

use crate::answer::MayAsk;
use crate::report::Gate;

/// The settings of the calls to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptOptions {
    /// The follow-up.
    pub agent: Agent,
    /// Maximum number of tokens of one answer.
    pub answer_tokens_max: u32,
    /// Maximum number of calls at the same time.
    pub parallel_max: usize,
    /// The least that a finding needs to be shown and to block.
    pub gate: Gate,
    /// Whether a review fails if a changed line was not judged.
    pub require_coverage: bool,
    /// Whether the model must find planted defects before its silence counts.
    pub canary: bool,
}

/// The settings of the follow-up. Each of them alone can turn it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The section as a whole.
    pub enabled: bool,
    /// The follow-up alone.
    pub allow_follow_up: bool,
    /// Maximum number of tokens of the lines that are read for it.
    pub max_follow_up_tokens: u64,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            enabled: true,
            allow_follow_up: true,
            max_follow_up_tokens: 2_000,
        }
    }
}

impl Default for PromptOptions {
    fn default() -> Self {
        Self {
            agent: Agent::default(),
            answer_tokens_max: 2_000,
            parallel_max: 4,
            gate: Gate::default(),
            require_coverage: false,
            canary: false,
        }
    }
}

impl Agent {
    /// Returns the reason that there is no follow-up; `None` if there may be one.
    pub const fn off(&self) -> Option<&'static str> {
        match (
            self.enabled,
            self.allow_follow_up,
            self.max_follow_up_tokens,
        ) {
            (false, ..) => Some("`agent.enabled` is false, or --no-agent"),
            (true, false, _) => Some("`agent.allow_follow_up` is false"),
            (true, true, 0) => Some("`agent.max_follow_up_tokens` is 0"),
            (true, true, _) => None,
        }
    }

    /// Returns whether an answer may ask for more lines.
    pub const fn may_ask(&self) -> MayAsk {
        match self.off() {
            Some(_) => MayAsk::No,
            None => MayAsk::Once,
        }
    }
}
