//! Work on a list by a bounded number of threads, with the results in the order of
//! the list whatever the threads do.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Applies a function to every item.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], threads_max: usize, work: &(dyn Fn(&T) -> R + Sync)) -> Vec<R> {
    let threads = threads_max.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| items.get(at).map(|item| (at, item))) {
            let result = work(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(run);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_list() {
        let items: Vec<u64> = (0..200).collect();
        let slow = |item: &u64| {
            std::thread::sleep(std::time::Duration::from_micros((item * 37) % 300));
            item * 2
        };
        for threads in [0, 1, 3, 8, 500] {
            assert_eq!(super::map(&items, threads, &slow), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }
}
