//! The progress events of a run. They are values until the command line prints them.

/// A progress event of a run.
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
    /// The proposer is asked for names.
    Hypotheses,
    /// The search for similar names begins.
    NearNames,
    /// The answer is written, and its citations are read from disk once more.
    Checking,
}
