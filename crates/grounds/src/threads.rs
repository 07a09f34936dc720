//! Checks whether the system gives this program the threads that it works with. A library that
//! cannot start a thread ends the program in the middle of its work; this check reports one error
//! before any work.

use std::io;
use std::sync::mpsc;
use std::thread::Builder;

/// Minimum number of threads of a run.
const THREADS: usize = 8;
/// Limit of processes up to which starting threads is tried out: an ordinary machine allows
/// thousands.
const PROCESSES_FEW: u64 = 512;
/// The line of the limit of memory.
const ADDRESSES: &str = "Max address space";

/// Bytes of address space that a run needs beside the program itself: eight threads with their
/// stacks, a window of text each, and trees.
const ADDRESS_BYTES_MIN: u64 = 256 << 20;
/// Bytes of a page of memory: the system counts a program in pages.
const PAGE_BYTES: u64 = 4 << 10;

/// Tries out whether threads can be started, if the limits of the process may leave too few.
///
/// # Errors
/// What the system said, or that memory is too small: no allocation of a grammar can fail without
/// ending the program.
pub(crate) fn tried() -> io::Result<()> {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    // Starting eight threads costs each run something, and few machines have such limits.
    if !is_limited(&limits) {
        return Ok(());
    }
    let taken = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let taken = taken.split_whitespace().next();
    let pages: u64 = taken.and_then(|pages| pages.parse().ok()).unwrap_or(0);
    has_memory(&limits, pages * PAGE_BYTES)?;
    let (held, waiting): (Vec<_>, Vec<_>) = (0..THREADS).map(|_| mpsc::channel::<()>()).unzip();
    let started = waiting
        .into_iter()
        // Each lives until all are started.
        .map(|until| Builder::new().spawn(move || until.recv().is_ok()))
        .collect::<io::Result<Vec<_>>>();
    drop(held);
    started.map(|threads| threads.into_iter().for_each(|thread| drop(thread.join())))
}

/// Returns the bytes of memory that this process holds; `None` if the system has no file that says
/// so.
#[cfg(feature = "mcp")]
pub(crate) fn held_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let held: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(held * PAGE_BYTES)
}

/// Reports whether memory or processes have a limit that threads could reach.
fn is_limited(limits: &str) -> bool {
    soft(limits, ADDRESSES).is_some()
        || soft(limits, "Max processes").is_some_and(|most| most <= PROCESSES_FEW)
}

fn has_memory(limits: &str, taken: u64) -> io::Result<()> {
    let Some(most) = soft(limits, ADDRESSES) else {
        return Ok(());
    };
    let left = most.saturating_sub(taken);
    if left >= ADDRESS_BYTES_MIN {
        return Ok(());
    }
    let mebibytes = |bytes: u64| bytes >> 20;
    Err(io::Error::new(
        io::ErrorKind::OutOfMemory,
        format!(
            "the limit of memory leaves {} MiB, and {} are needed",
            mebibytes(left),
            mebibytes(ADDRESS_BYTES_MIN)
        ),
    ))
}

/// Returns a limit of the process; `None` if it is unlimited.
fn soft(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::is_limited;

    #[test]
    fn limits_that_threads_could_meet() {
        let of = |processes: &str, space: &str| {
            is_limited(&format!(
                "Limit                     Soft Limit           Hard Limit           Units\n\
                 Max processes             {processes}                unlimited                processes\n\
                 Max address space         {space}            unlimited            bytes\n"
            ))
        };
        assert!(!of("63304", "unlimited"));
        assert!(!of("unlimited", "unlimited"));
        assert!(of("1", "unlimited"));
        assert!(of("63304", "134217728"));
        assert!(!is_limited(""));
    }
}
