//! A claim, judged on what independent, dated sources say. One boundary decides:
//! task and history in, decision out, without clock, network or model. Around it
//! stand the rounds that fill the history: queries, search, pages, judges; and
//! after it the proof, written from the hits that counted.
//!
//! The words in order: task → queries → pages → hits → families → sides →
//! decision → proof.

pub mod decision;
pub mod history;
pub mod judges;
mod parallel;
pub mod proof;
pub mod queries;
pub mod rounds;
pub mod spending;
pub mod task;

pub use decision::{AgentResult, CitedSource, Debug, Decision, DecisionGap, InvalidReason, Side, Verdict};
pub use history::{EvidenceHit, JudgeName, SearchHistory, SearchQuery, Seeks, SourceTier, Stance, VisitedPage};
pub use task::{SearchTask, Timeframe};
