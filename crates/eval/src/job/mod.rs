//! The jobs that cases can be for. A new job is one file and one line in [`ALL`].

mod ask;
mod review;
mod verify;

use std::sync::Arc;

use grounds_model::ModelSettings;

use crate::case::{Case, Input};
use crate::checkouts::CaseCheckout;
use crate::observed::Observed;

/// What a case may use.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Milliseconds of one case.
    pub case_ms_max: u64,
    /// Threads of one case.
    pub threads: usize,
    /// The model that judges beside the rules, where a person chose one.
    pub model: Option<Arc<ModelSettings>>,
}

/// Gives the tree of the case, made at the first call; not every case needs one.
pub type TreeOf<'t> = &'t dyn Fn() -> Result<Arc<CaseCheckout>, String>;

/// A job that cases can be for.
pub trait CaseJob: Sync {
    /// The word in the suites.
    fn name(&self) -> &'static str;

    /// Whether it is asked in this way.
    fn takes(&self, input: &Input) -> bool;

    /// Does the job once.
    ///
    /// # Errors
    /// Why it could not even begin; how it ends is no error.
    fn run(&self, case: &Case, tree: TreeOf<'_>, terms: &Terms) -> Result<Observed, String>;
}

/// Every job.
pub const ALL: &[&dyn CaseJob] = &[&ask::Ask, &review::Review, &verify::Verify];

/// The job of a name.
pub fn of(name: &str) -> Option<&'static dyn CaseJob> {
    ALL.iter().copied().find(|job| job.name() == name)
}

/// The names of all jobs, for messages.
pub fn names() -> String {
    ALL.iter()
        .map(|job| format!("`{}`", job.name()))
        .collect::<Vec<_>>()
        .join(", ")
}
