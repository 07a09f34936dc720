//! Runs the same work on many inputs with a few threads.
//!
//! The results have the order of the inputs, so that they do not depend on the threads.

pub(crate) use grounds_repo::threads::each;

/// Returns the number of threads to use, at most `most`.
pub(crate) fn count(most: usize) -> usize {
    std::thread::available_parallelism()
        .map_or(1, std::num::NonZeroUsize::get)
        .min(most)
        .max(1)
}
