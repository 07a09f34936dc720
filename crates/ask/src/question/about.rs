//! What a way of asking is about, beside its intent: which part of the history,
//! the build or the tests, continuous integration; and which words of the
//! question name its targets.

use grounds_evidence::Execution;
use grounds_repo::history::HistoryAspect;

/// What a way of asking is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The code.
    Code,
    /// A part of the history.
    History(HistoryAspect),
    /// The project's own toolchain.
    Execution(Execution),
    /// Continuous integration.
    Ci,
}

pub(crate) const PLAIN: About = About::Code;
pub(crate) const CI: About = About::Ci;
pub(crate) const BUILD: About = About::Execution(Execution::Build);
pub(crate) const TEST: About = About::Execution(Execution::Test);
pub(crate) const BUILD_AND_TEST: About = About::Execution(Execution::Both);
pub(crate) const NEWEST: About = About::History(HistoryAspect::Newest);
pub(crate) const INTRODUCED: About = About::History(HistoryAspect::Introduced);
pub(crate) const REMOVED: About = About::History(HistoryAspect::Removed);
pub(crate) const LAST_CHANGED: About = About::History(HistoryAspect::LastChanged);
pub(crate) const CHANGES: About = About::History(HistoryAspect::Changes);
pub(crate) const WORK_TREE: About = About::History(HistoryAspect::WorkTree);
pub(crate) const BRANCH: About = About::History(HistoryAspect::Branch);
pub(crate) const TAGS: About = About::History(HistoryAspect::Tags);
pub(crate) const AUTHORS: About = About::History(HistoryAspect::Authors);
