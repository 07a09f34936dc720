//! Runs the same work on many inputs with a few threads.
//!
//! The results have the order of the inputs, so that they do not depend on the threads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many threads there may be, `most` at most.
pub(crate) fn count(most: usize) -> usize {
    std::thread::available_parallelism()
        .map_or(1, std::num::NonZeroUsize::get)
        .min(most)
        .max(1)
}

/// Works on each thing; every thread makes a tool of its own and keeps it.
pub(crate) fn each<Thing: Sync, Tool, Done: Send>(
    things: &[Thing],
    threads: usize,
    tool: impl Fn() -> Tool + Sync,
    work: impl Fn(&mut Tool, &Thing) -> Done + Sync,
) -> Vec<Done> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut tool = tool();
        let mut done = Vec::new();
        while let Some((index, thing)) = next_of(things, &next) {
            done.push((index, work(&mut tool, thing)));
        }
        done
    };
    let mut done: Vec<(usize, Done)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.clamp(1, things.len().max(1)))
            .map(|_| scope.spawn(run))
            .collect();
        let joined = workers.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.flatten().collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, done)| done).collect()
}

fn next_of<'t, Thing>(things: &'t [Thing], next: &AtomicUsize) -> Option<(usize, &'t Thing)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    things.get(index).map(|thing| (index, thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_out_stands_in_the_order_of_the_things() {
        let things: Vec<usize> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            assert_eq!(
                each(&things, threads, || (), |(), thing| thing * 2),
                things.iter().map(|thing| thing * 2).collect::<Vec<_>>()
            );
        }
        assert!(each(&[], 4, || (), |(), thing: &usize| *thing).is_empty());
    }
}
