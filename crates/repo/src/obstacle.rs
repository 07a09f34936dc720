//! What can keep a tool from looking, under stable names: `grounds explain` has a page for each.

macro_rules! obstacles {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)*) => {
        /// What kept a tool from looking.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Obstacle {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Obstacle {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

obstacles! {
    /// There is no repository, or no commit in it.
    HistoryMissing = "history-missing",
    /// A bound ended the search of the history.
    HistoryBound = "history-bound",
    /// The clone is shallow or partial and lacks what was asked for.
    HistoryNotHere = "history-not-here",
    /// Git failed, or may not be used as the repository wants it.
    HistoryUnreadable = "history-unreadable",
    /// The question names a moment, or files, that cannot be taken.
    HistoryQuestion = "history-question",
    /// Code of the repository would have to run, and that was not allowed.
    RunNotAllowed = "run-not-allowed",
    /// Code of the repository would have to run without a sandbox, and that was not accepted.
    RunNoSandbox = "run-no-sandbox",
    /// There is no manifest of a known toolchain, or not the part that was asked for.
    RunNothing = "run-nothing",
    /// A program or a dependency that the build needs is not on this machine.
    RunLacking = "run-lacking",
    /// A bound of a run was reached.
    RunBound = "run-bound",
    /// The toolchain did not get as far as the code.
    RunNotBegun = "run-not-begun",
    /// The build fails, so that no test can run.
    RunBuildFails = "run-build-fails",
    /// A compiler's index cannot be used.
    IndexUnusable = "index-unusable",
    /// No network was allowed, or none is built in.
    CiNotAsked = "ci-not-asked",
    /// It is not known which service runs for this repository.
    CiUnknown = "ci-unknown",
    /// The service wants a token, or another one.
    CiToken = "ci-token",
    /// The service does not know what was asked for, or no longer.
    CiNotFound = "ci-not-found",
    /// The service answers no more for now, or the question would cost too much.
    CiLimit = "ci-limit",
    /// The service cannot be reached, or not safely.
    CiUnreachable = "ci-unreachable",
    /// The service broke, took too long or was cut off.
    CiOutOfOrder = "ci-out-of-order",
    /// The service answered something else than its API gives.
    CiNotUnderstood = "ci-not-understood",
}
