//! Runs work on a list by a bounded number of threads, with the results in the order of the list:
//! [`map`] for work that waits, [`spread`] for quick work on very many items.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Applies a function to every item.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    threads_max: usize,
    work: &(dyn Fn(&T) -> R + Sync),
) -> Vec<R> {
    // `clamp` panics if its maximum is 0, as it would be for an empty list.
    let threads = threads_max.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed))
            .and_then(|at| items.get(at).map(|item| (at, item)))
        {
            let result = work(item);
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(run);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Threads finish in any order; callers pair the results with their items.
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Maximum number of threads for quick work.
const THREADS_MAX: usize = 8;
/// Minimum number of items for each thread: with fewer, starting it costs more than it saves.
const ITEMS_OF_THREAD_MIN: usize = 10_000;

/// Applies a quick and pure function to every item, in equal parts for each thread. Short lists
/// stay on the calling thread.
pub(crate) fn spread<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    spread_places(items.len(), |place| work(&items[place]))
}

/// Applies a function to every place of a list, for callers that need items of several lists.
pub(crate) fn spread_places<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let most = THREADS_MAX.min(count / ITEMS_OF_THREAD_MIN);
    // The system is asked for its processors only if the list is long enough for several threads.
    let threads = if most < 2 {
        1
    } else {
        std::thread::available_parallelism()
            .map_or(1, NonZeroUsize::get)
            .min(most)
    };
    if threads < 2 {
        return (0..count).map(work).collect();
    }
    let part = count.div_ceil(threads);
    let of_part = |start: usize| {
        (start..count.min(start + part))
            .map(&work)
            .collect::<Vec<R>>()
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (part..count)
            .step_by(part)
            .map(|start| (start, scope.spawn(move || of_part(start))))
            .collect();
        let mut results = of_part(0);
        results.reserve(count - results.len());
        for (start, other) in others {
            // A thread that panicked is repeated here, where the panic reaches the caller.
            results.extend(other.join().unwrap_or_else(|_| of_part(start)));
        }
        results
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn quick_work_is_the_same_on_any_number_of_items() {
        for count in [0, 1, 19_999, 20_000, 90_001] {
            let items: Vec<u64> = (0..count).collect();
            assert_eq!(
                super::spread(&items, |item| item * 3),
                items.iter().map(|item| item * 3).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_list() {
        let items: Vec<u64> = (0..200).collect();
        let slow = |item: &u64| {
            std::thread::sleep(std::time::Duration::from_micros((item * 37) % 300));
            item * 2
        };
        for threads in [0, 1, 3, 8, 500] {
            assert_eq!(
                super::map(&items, threads, &slow),
                items.iter().map(|item| item * 2).collect::<Vec<_>>()
            );
        }
    }
}
