//! What the store of runs tells: the list of runs, and what became of what a run cited.

mod history;
mod recheck;
mod run;

pub use history::HistoryReport;
pub(in crate::output) use recheck::PlaceReport;
pub use recheck::RecheckReport;
pub use run::{head_lines, moment, size, tree};
