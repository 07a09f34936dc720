//! Work on a list by several threads. Takes the things and what each thread needs for itself.
//! Returns the results in the order of the list, whatever the threads do.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Works on each thing; every thread makes its own tool and keeps it.
pub fn each<Thing: Sync, Tool, Done: Send>(
    things: &[Thing],
    threads: usize,
    tool: impl Fn() -> Tool + Sync,
    work: impl Fn(&mut Tool, &Thing) -> Done + Sync,
) -> Vec<Done> {
    let next = AtomicUsize::new(0);
    let run = || {
        let (mut tool, mut done) = (tool(), Vec::new());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(index) else {
                return done;
            };
            done.push((index, work(&mut tool, thing)));
        }
    };
    let mut all = std::thread::scope(|scope| {
        // This thread works too: a list of one thing starts no other.
        let others: Vec<_> = (1..threads.min(things.len()))
            .map(|_| scope.spawn(run))
            .collect();
        let mut all = run();
        for other in others {
            all.extend(
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        all
    });
    all.sort_unstable_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_list() {
        let things: Vec<usize> = (0..100).collect();
        let doubled: Vec<usize> = things.iter().map(|thing| thing * 2).collect();
        for threads in [0, 1, 3, 200] {
            let done = super::each(&things, threads, || (), |(), thing| thing * 2);
            assert_eq!(done, doubled);
        }
        assert!(super::each(&[], 4, || (), |(), thing: &usize| *thing).is_empty());
    }
}
