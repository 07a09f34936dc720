//! Evaluation: labelled cases run through the public functions of the jobs, and
//! what came of them is judged, counted and shown.
//!
//! Given suites (`suite`), gives a result for each case (`result`), figures over
//! them (`metrics`), reports (`report`) and the difference to an earlier run
//! (`snapshot`). It changes nothing of what it measures and prints nothing.

pub mod case;
pub mod checkouts;
pub mod cost;
pub mod error;
pub mod job;
pub mod journal;
pub mod metrics;
pub mod observed;
pub mod peers;
pub mod report;
pub mod result;
pub mod runner;
pub mod snapshot;
pub mod suite;
pub mod tree;
pub mod verdict;

pub use case::Case;
pub use error::EvalError;
pub use grounds_model::ModelSettings;
pub use report::EvalReport;
pub use result::CaseResult;
