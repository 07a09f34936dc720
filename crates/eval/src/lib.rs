//! Evaluation: labelled cases run through the public functions of the jobs, and the results are
//! judged, counted and shown.
//!
//! From suites (`suite`), makes a result for each case (`result`), figures over them (`metrics`),
//! reports (`report`) and the difference from an earlier run (`snapshot`). It changes nothing of
//! what it measures and prints nothing.

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
