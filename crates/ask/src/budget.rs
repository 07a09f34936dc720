//! The bounds of an investigation.

use grounds_repo::hypotheses::NAMES_MAX;
use grounds_repo::limits::Limits;

/// Limits on the cost of one question. An answer reports each limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionBudget {
    /// Limit on the calls of tools.
    pub steps_max: usize,
    /// Time limit for the whole investigation, in milliseconds; no step begins after it.
    pub total_ms_max: u64,
    /// Limit on the citations of one target; related places have limits of their own.
    pub citations_max: usize,
    /// Limit on the leads of a refusal.
    pub leads_max: usize,
    /// Limit on the lines of one citation.
    pub excerpt_lines_max: u32,
    /// Bounds of the tools.
    pub limits: Limits,
    /// Limit on the names from a model that are searched.
    pub hypotheses_max: usize,
    /// Maximum size in bytes of a text that is ranked rather than asked; a longer text is
    /// truncated, and the output says so.
    pub text_bytes_max: usize,
}

impl Default for QuestionBudget {
    fn default() -> Self {
        Self {
            steps_max: 32,
            total_ms_max: 120_000,
            citations_max: 50,
            leads_max: 12,
            excerpt_lines_max: 12,
            limits: Limits::default(),
            hypotheses_max: NAMES_MAX,
            text_bytes_max: 256 << 10,
        }
    }
}
