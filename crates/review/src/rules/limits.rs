//! The bounds of a run of rules. A run reports each bound that it reached.

/// How much rules may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLimits {
    /// Bytes of one side of a file; a larger file is not judged.
    pub file_bytes_max: usize,
    /// Milliseconds that one side of a file may take.
    pub file_ms_max: u64,
    /// Bytes of a line; of a longer one text rules read the beginning.
    pub line_bytes_max: usize,
    /// Findings of one rule in one file; more are counted and told.
    pub findings_in_file_max: usize,
    /// Findings of a run; more are counted and told.
    pub findings_max: usize,
    /// Documents that are looked through for what a change alters; of more none is.
    pub documents_max: usize,
    /// Bytes of these documents.
    pub documents_bytes_max: usize,
    /// Names and paths that a change may alter; of more no document is looked through.
    pub stated_names_max: usize,
    /// Files that may decide what documents state of a change.
    pub stated_files_max: usize,
    /// Bytes of these files, at both sides.
    pub stated_bytes_max: usize,
    /// Bytes of the tree that are looked through for a caller of new code.
    pub mentions_bytes_max: usize,
    /// Threads of a run.
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
