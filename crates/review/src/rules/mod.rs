//! Deterministic findings on changed lines.
//!
//! Takes a change and the bytes of both sides, and returns new problems by rules that are data:
//! patterns over the syntax tree in the format of ast-grep, regular expressions over lines, and a
//! few rules in code with the same interface. No model can remove these findings.
//!
//! In the order of a run: rule files (`documents`) → rules (`rule`) → a set (`set`) → a look at one
//! side (`look`) → what is new (`news`) → what a reason silences (`suppression`) → the report
//! (`report`).

mod built_in;
mod callers;
pub mod cases;
mod changes;
mod documents;
mod fix;
mod git_blobs;
mod language;
mod limits;
mod look;
mod mentions;
mod native;
mod news;
pub mod page;
mod report;
mod rule;
mod run;
mod set;
mod side;
mod stated;
mod suppression;
mod watched;
mod worth;

pub use callers::{CallSite, Callers, ChainCallers};
pub use documents::RuleError;
pub use git_blobs::GitBlobs;
pub use limits::RuleLimits;
pub use report::{NotJudged, Open, RuleCoverage, RuleReport, Suppressed, SuppressedBy, Unread};
pub use rule::{Documentation, Rule, RuleOrigin, RuleReach};
pub use run::{run, run_in_repository};
pub use set::{RuleSet, SwitchError, case_files};
pub use side::{Blobs, Side};

#[cfg(test)]
mod tests;
