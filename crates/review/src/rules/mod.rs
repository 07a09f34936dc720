//! Deterministic findings on changed lines.
//!
//! Given a change and the bytes of both sides, gives what is new and wrong there by
//! rules that are data: patterns over the syntax tree in the form of ast-grep, regular
//! expressions over lines, and a few rules in code behind the same face. A model never
//! sees a way to remove what stands here.

mod report;

pub use report::{Judged, NotJudged, RuleReport, Suppressed, SuppressedBy};
