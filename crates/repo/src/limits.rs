//! The bounds of a run over a checkout, each with its unit. The answer reports each bound that was
//! reached; reaching one is not an error.

/// How much may be read, kept and parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file that are searched; a larger file is skipped and reported.
    pub file_bytes_max: u64,
    /// Occurrences that the pass keeps for one file; all are counted, and a file with more is
    /// searched again when it is labelled.
    pub file_hits_max: usize,
    /// Files with occurrences that are kept; all are counted.
    pub hit_files_max: usize,
    /// Bytes of candidate files that are parsed for one target.
    pub parse_bytes_max: u64,
    /// Bytes of files that are parsed for what an answer reports in addition: callers, tests,
    /// documents.
    pub related_bytes_max: u64,
    /// Bytes of one file that are parsed; a larger file is labelled by its lines.
    pub parse_file_bytes_max: u64,
    /// Depth of folders.
    pub depth_max: usize,
    /// Milliseconds that one pass over the tree may take.
    pub pass_ms_max: u64,
    /// Bytes that the second pass reads in hidden and ignored folders.
    pub ignored_bytes_max: u64,
    /// Threads of a pass.
    pub threads: usize,
    /// Milliseconds that reading the history may take for one question.
    pub history_ms_max: u64,
    /// Commits of the history that one run of `check` reads in addition to those of its index.
    pub history_run_commits_max: usize,
    /// Commits of a history whose index is kept; a longer one is read at each run.
    pub history_index_commits_max: usize,
    /// Bytes of the kept index of one history.
    pub history_index_bytes_max: u64,
    /// Indexes of histories that are kept.
    pub history_indexes_max: usize,
    /// Bytes of all of them.
    pub history_indexes_bytes_max: u64,
    /// Days after its last use that an index of a history is kept.
    pub history_index_days_max: u64,
    /// Bytes of results of parses that are kept from one run to the next; 0 keeps nothing.
    pub parses_bytes_max: u64,
    /// Milliseconds that one step of running the repository's code may take: its build, or its
    /// tests.
    pub run_ms_max: u64,
    /// Bytes of memory that its processes may use together.
    pub run_memory_bytes_max: u64,
    /// Processes that it may have at one time.
    pub run_processes_max: usize,
    /// Bytes of each output of one of its programs that are kept; the rest is counted.
    pub run_output_bytes_max: usize,
    /// Bytes that the private copy of the tree and what is built from it may take.
    pub run_disk_bytes_max: u64,
    /// Files that are copied for a run.
    pub run_files_max: usize,
    /// Milliseconds that asking a service of CI may take, all requests together.
    pub ci_ms_max: u64,
    /// Maximum size in bytes of the log of one job; a larger one is reported as too large.
    pub ci_log_bytes_max: u64,
    /// Maximum size in bytes of a compiler's index; a larger one is not read, and that is reported.
    pub index_bytes_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Self {
            file_bytes_max: 1 << 30,
            file_hits_max: 16,
            hit_files_max: 50_000,
            parse_bytes_max: 32 << 20,
            related_bytes_max: 8 << 20,
            parse_file_bytes_max: 8 << 20,
            depth_max: 200,
            pass_ms_max: 60_000,
            ignored_bytes_max: 256 << 20,
            threads: cores.min(12),
            history_ms_max: 30_000,
            history_run_commits_max: 200,
            history_index_commits_max: 500_000,
            history_index_bytes_max: 512 << 20,
            history_indexes_max: 50,
            history_indexes_bytes_max: 2 << 30,
            history_index_days_max: 30,
            parses_bytes_max: 512 << 20,
            run_ms_max: 900_000,
            run_memory_bytes_max: 8 << 30,
            run_processes_max: 1_000,
            run_output_bytes_max: 64 << 20,
            run_disk_bytes_max: 8 << 30,
            run_files_max: 300_000,
            ci_ms_max: 45_000,
            ci_log_bytes_max: 64 << 20,
            index_bytes_max: 2 << 30,
        }
    }
}
