//! A claim, judged on what independent, dated sources say. One boundary decides:
//! task and history in, decision out, without clock, network or model. Around it
//! stand the rounds that fill the history: queries, search, pages, judges; and
//! after it the proof, written from the hits that counted.
//!
//! The words in order: task → queries → pages → hits → families → sides →
//! decision → proof.

pub mod address;
pub mod batch;
pub mod calibration;
pub mod claim;
mod countable;
mod decide;
pub mod decision;
mod family;
pub mod history;
pub mod judges;
mod parallel;
pub mod proof;
pub mod queries;
pub mod record;
pub mod rounds;
pub mod rules;
pub mod spending;
pub mod task;
pub mod tiers;
pub mod timeframe;
pub mod trace;
pub mod unread;
pub mod wire;

pub use calibration::Calibration;
pub use claim::{ClaimKind, ClaimReading};
pub use decide::{decide_by_rules, decide_from_history};
pub use decision::{
    AgentResult, CitedSource, Debug, Decision, DecisionGap, Failure, InvalidReason, NotCheckable,
    Side, Verdict,
};
pub use history::{
    EvidenceHit, HitPlace, JudgeName, Manner, SearchHistory, SearchQuery, Seeks, SourceTier,
    Stance, VisitedPage,
};
pub use rules::{DecisionRules, Policy, Undated};
pub use task::{SearchTask, Timeframe};
pub use tiers::Tiers;
pub use trace::{FamilySide, FamilyTrace, HitTrace, SideTotal, Standing, Tie, Trace, WhyNot};
pub use unread::Unread;
