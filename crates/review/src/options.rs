//! The options of the model's part of a review, each bound with its unit.

use crate::answer::MayAsk;
use crate::report::Gate;

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptOptions {
    /// The follow-up.
    pub agent: Agent,
    /// Tokens of one answer.
    pub answer_tokens_max: u32,
    /// Calls beside each other.
    pub parallel_max: usize,
    /// What is shown and blocks.
    pub gate: Gate,
    /// Whether a review fails of which a changed line was not judged.
    pub require_coverage: bool,
    /// Whether the model must find planted defects before its silence counts.
    pub canary: bool,
}

/// The follow-up. Each of the switches alone puts it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The section as a whole.
    pub enabled: bool,
    /// The follow-up alone.
    pub allow_follow_up: bool,
    /// Tokens of the lines that are read for it.
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
    /// Why there is no follow-up; `None` if there may be one.
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

    /// Whether an answer may ask to see more.
    pub const fn may_ask(&self) -> MayAsk {
        match self.off() {
            Some(_) => MayAsk::No,
            None => MayAsk::Once,
        }
    }
}
