//! The progress events of a run. They are values until the command line prints them.

/// What a run says of itself while it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskEvent {
    /// A tool begins.
    Step {
        /// The tool.
        tool: &'static str,
        /// The target; empty for the project.
        target: String,
    },
    /// The second pass begins.
    SecondPass,
    /// Someone is asked for names.
    Hypotheses,
    /// The look for names that are close begins.
    NearNames,
    /// Everything is found and written: what is cited is read from disk once more.
    Checking,
}
