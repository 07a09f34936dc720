//! The bounds of a run of rules. A run reports each bound that it reached.

/// Limits of a run of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLimits {
    /// Maximum number of bytes of one side of a file; a larger file is not judged.
    pub file_bytes_max: usize,
    /// Timeout for one side of a file, in milliseconds.
    pub file_ms_max: u64,
    /// Maximum number of bytes of a line; of a longer one, text rules read the beginning.
    pub line_bytes_max: usize,
    /// Maximum number of findings of one rule in one file; more are counted and reported.
    pub findings_in_file_max: usize,
    /// Maximum number of findings of a run; more are counted and reported.
    pub findings_max: usize,
    /// Maximum number of documents that are searched for what a change alters; with more, nothing
    /// is searched.
    pub documents_max: usize,
    /// Maximum number of bytes of these documents.
    pub documents_bytes_max: usize,
    /// Maximum number of altered names and paths; with more, no document is searched.
    pub stated_names_max: usize,
    /// Maximum number of files that may decide what documents state of a change.
    pub stated_files_max: usize,
    /// Maximum number of bytes of these files, at both sides.
    pub stated_bytes_max: usize,
    /// Maximum number of bytes of the tree that are searched for a caller of new code.
    pub mentions_bytes_max: usize,
    /// Maximum number of threads.
    pub threads_max: usize,
}

impl Default for RuleLimits {
    fn default() -> Self {
        Self {
            file_bytes_max: 2 << 20,
            file_ms_max: 10_000,
            line_bytes_max: 20_000,
            findings_in_file_max: 50,
            findings_max: 2_000,
            documents_max: 5_000,
            documents_bytes_max: 64 << 20,
            stated_names_max: 2_000,
            stated_files_max: 2_000,
            stated_bytes_max: 128 << 20,
            mentions_bytes_max: 256 << 20,
            threads_max: std::thread::available_parallelism()
                .map_or(1, usize::from)
                .min(16),
        }
    }
}
