//! The bounds of an investigation.

use grounds_repo::hypotheses::NAMES_MAX;
use grounds_repo::limits::Limits;

/// Limits on the cost of one question. An answer reports each limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionBudget {
    /// Calls of tools.
    pub steps_max: usize,
    /// Milliseconds of the whole investigation; no step is begun after them.
    pub total_ms_max: u64,
    /// Citations of an answer.
    pub citations_max: usize,
    /// Leads of a refusal.
    pub leads_max: usize,
    /// Lines of one citation.
    pub excerpt_lines_max: u32,
    /// Bounds of the tools.
    pub limits: Limits,
    /// Names that a model proposed that are looked for.
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
