//! The output of the store of runs: the list of runs, and the present state of what a run cited.

mod history;
mod recheck;
mod run;

pub use history::HistoryReport;
pub(in crate::output) use recheck::PlaceReport;
pub use recheck::RecheckReport;
pub use run::{head_lines, moment, size, tree};
