//! The vocabulary and the rules of evidence: values in, values out.
//!
//! The sentence that runs through the program is question → goal → requirement
//! → gap → plan → tool → evidence → decision → answer. This crate holds the
//! words of it that decide: what a producer may report ([`Observation`]), the
//! one table that rates it ([`table`]), what a goal requires ([`requirement`]),
//! what is missing ([`gap`]), when two producers corroborate each other
//! ([`corroborate`]), how sure that makes us ([`confidence`]), and the outcomes
//! that are never collapsed into each other ([`outcome`]). Beside them, and read
//! by none of them, stands a second lens of numbers ([`scorecard`]).
//!
//! No files, no clock, no environment, no network.

mod class;
pub mod confidence;
pub mod corroborate;
pub mod gap;
mod goal;
pub mod hidden;
mod ledger;
mod level;
pub mod name;
mod observation;
pub mod outcome;
mod relation;
pub mod requirement;
mod role;
pub mod scorecard;
pub mod table;

pub use class::{EvidenceClass, Family};
pub use confidence::{Agreement, Confidence, ConfidenceLevel, RequirementCoverage};
pub use gap::{Gap, Lack};
pub use goal::{Goal, Intent, QuestionTarget, TargetKind, WantedRelation};
pub use ledger::{EntryId, Ledger, LedgerEntry};
pub use level::{Quality, Rating, Strength};
pub use observation::{Match, Observation, ObservationSource};
pub use outcome::{Outcome, RefusalKind};
pub use relation::{MentionPlace, Relation, SymbolKind};
pub use requirement::{Execution, Requirement};
pub use role::FileRole;
