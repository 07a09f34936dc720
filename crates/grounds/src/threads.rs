//! Whether the system gives this program the threads that it works with. A
//! library that cannot start one ends the program in the midst of its work;
//! here it is one error before any.

use std::io;
use std::sync::mpsc;
use std::thread::Builder;

/// Threads that a run has at one time, at least.
const THREADS: usize = 8;
/// Processes of a person up to which it is tried out: a machine as people have it allows thousands.
const PROCESSES_FEW: u64 = 512;

/// Tries out whether threads can be started, where the limits of the process say that there may be too few.
///
/// # Errors
/// What the system said.
pub(crate) fn tried() -> io::Result<()> {
    if !is_limited(&std::fs::read_to_string("/proc/self/limits").unwrap_or_default()) {
        return Ok(());
    }
    let (held, waiting): (Vec<_>, Vec<_>) = (0..THREADS).map(|_| mpsc::channel::<()>()).unzip();
    let started = waiting
        .into_iter()
        // Each lives until all are started.
        .map(|until| Builder::new().spawn(move || until.recv().is_ok()))
        .collect::<io::Result<Vec<_>>>();
    drop(held);
    started.map(|threads| threads.into_iter().for_each(|thread| drop(thread.join())))
}

/// Whether memory or processes have a limit that threads could meet.
fn is_limited(limits: &str) -> bool {
    let soft = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    soft("Max address space").is_some()
        || soft("Max processes").is_some_and(|most| most <= PROCESSES_FEW)
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
