//! The jobs of cases. A new job is one file and one line in [`ALL`].

mod ask;
mod review;
mod verify;

use std::sync::Arc;

use grounds_model::ModelSettings;

use crate::case::{Case, Input};
use crate::checkouts::CaseCheckout;
use crate::observed::Observed;

/// The limits and means of a case.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Timeout of one case in milliseconds.
    pub case_ms_max: u64,
    /// Threads of one case.
    pub threads: usize,
    /// The model that judges in addition to the rules, or `None` if only the rules judge.
    pub model: Option<Arc<ModelSettings>>,
}

/// Returns the tree of the case, made at the first call; not every case needs one.
pub type TreeOf<'t> = &'t dyn Fn() -> Result<Arc<CaseCheckout>, String>;

/// A job of cases.
pub trait CaseJob: Sync {
    /// The word in the suites.
    fn name(&self) -> &'static str;

    /// Reports whether it takes this kind of input.
    fn takes(&self, input: &Input) -> bool;

    /// Does the job once.
    ///
    /// # Errors
    /// The reason why it could not even begin; its outcome is no error.
    fn run(&self, case: &Case, tree: TreeOf<'_>, terms: &Terms) -> Result<Observed, String>;
}

/// Every job.
pub const ALL: &[&dyn CaseJob] = &[&ask::Ask, &review::Review, &verify::Verify];

/// Returns the job of a name, or `None` if it is unknown.
pub fn of(name: &str) -> Option<&'static dyn CaseJob> {
    ALL.iter().copied().find(|job| job.name() == name)
}

/// Returns the names of all jobs, for messages.
pub fn names() -> String {
    ALL.iter()
        .map(|job| format!("`{}`", job.name()))
        .collect::<Vec<_>>()
        .join(", ")
}
