//! What a question asks about, in addition to its intent: a part of the history, the build or the
//! tests, continuous integration.

use grounds_evidence::Execution;
use grounds_repo::history::HistoryAspect;

/// What a form of question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormAbout {
    /// The code.
    Code,
    /// A part of the history.
    History(HistoryAspect),
    /// The project's own toolchain.
    Execution(Execution),
    /// Continuous integration.
    Ci,
}

pub(crate) const PLAIN: FormAbout = FormAbout::Code;
pub(crate) const CI: FormAbout = FormAbout::Ci;
pub(crate) const BUILD: FormAbout = FormAbout::Execution(Execution::Build);
pub(crate) const TEST: FormAbout = FormAbout::Execution(Execution::Test);
pub(crate) const BUILD_AND_TEST: FormAbout = FormAbout::Execution(Execution::Both);
pub(crate) const NEWEST: FormAbout = FormAbout::History(HistoryAspect::Newest);
pub(crate) const INTRODUCED: FormAbout = FormAbout::History(HistoryAspect::Introduced);
pub(crate) const REMOVED: FormAbout = FormAbout::History(HistoryAspect::Removed);
pub(crate) const LAST_CHANGED: FormAbout = FormAbout::History(HistoryAspect::LastChanged);
pub(crate) const CHANGES: FormAbout = FormAbout::History(HistoryAspect::Changes);
pub(crate) const WORK_TREE: FormAbout = FormAbout::History(HistoryAspect::WorkTree);
pub(crate) const BRANCH: FormAbout = FormAbout::History(HistoryAspect::Branch);
pub(crate) const TAGS: FormAbout = FormAbout::History(HistoryAspect::Tags);
pub(crate) const CONTRIBUTORS: FormAbout = FormAbout::History(HistoryAspect::Contributors);
pub(crate) const AUTHORS: FormAbout = FormAbout::History(HistoryAspect::Authors);
