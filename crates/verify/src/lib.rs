//! Judges a claim by what independent, dated sources say. One function decides: it takes a task and
//! a history and returns a decision, without clock, network or model. Around it are the rounds that
//! fill the history (queries, search, pages, judges), and after it the proof, written from the hits
//! that counted.
//!
//! The terms in order: task → queries → pages → hits → families → sides → decision → proof.

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
    AgentResult, CitedSource, ClaimSide, Debug, DecisionGap, InvalidReason, NotCheckable, Verdict,
    VerifyDecision, VerifyFailure,
};
pub use history::{
    EvidenceHit, HitManner, HitPlace, JudgeName, SearchHistory, SearchQuery, Seeks, SourceTier,
    Stance, VisitedPage,
};
pub use rules::{DecisionRules, Policy, Undated};
pub use task::{SearchTask, Timeframe};
pub use tiers::Tiers;
pub use trace::{FamilySide, FamilyTrace, HitStanding, HitTrace, SideTotal, Tie, Trace, WhyNot};
pub use unread::UnreadBound;
