//! Counts what all claims of a run may use together. What is not reserved is not sent, and a claim
//! that meets a cap is left for later: it never becomes a verdict.

use std::sync::atomic::{AtomicU64, Ordering};

/// Caps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Queries that may be sent; `None` if any number may.
    pub queries_max: Option<u64>,
    /// Pages that may be fetched; `None` if any number may.
    pub pages_max: Option<u64>,
}

/// A cap that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cap {
    /// Of queries.
    #[error("all {0} queries of the cap are used")]
    Queries(u64),
    /// Of pages.
    #[error("all {0} pages of the cap are used")]
    Pages(u64),
}

/// Queries and pages that were used so far.
#[derive(Debug, Default)]
pub struct Spending {
    caps: Caps,
    queries: AtomicU64,
    pages: AtomicU64,
}

impl Spending {
    /// Starts with what an earlier run used.
    pub fn new(caps: Caps, queries: u64, pages: u64) -> Self {
        Self {
            caps,
            queries: AtomicU64::new(queries),
            pages: AtomicU64::new(pages),
        }
    }

    /// Returns the queries and pages that were used.
    pub fn used(&self) -> (u64, u64) {
        (
            self.queries.load(Ordering::Relaxed),
            self.pages.load(Ordering::Relaxed),
        )
    }

    /// Takes one query.
    ///
    /// # Errors
    /// Returns the [`Cap`] if no query is left.
    pub fn take_query(&self) -> Result<(), Cap> {
        take(&self.queries, self.caps.queries_max).map_err(Cap::Queries)
    }

    /// Takes one page.
    ///
    /// # Errors
    /// Returns the [`Cap`] if no page is left.
    pub fn take_page(&self) -> Result<(), Cap> {
        take(&self.pages, self.caps.pages_max).map_err(Cap::Pages)
    }
}

fn take(used: &AtomicU64, most: Option<u64>) -> Result<(), u64> {
    let step = |used: u64| {
        most.is_none_or(|most| used < most)
            .then(|| used.saturating_add(1))
    };
    used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step)
        .map(|_| ())
        .map_err(|_| most.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_cap_is_given_whatever_threads_do() {
        let spending = Spending::new(
            Caps {
                queries_max: Some(100),
                pages_max: None,
            },
            40,
            0,
        );
        let given = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    (0..50)
                        .filter(|_| spending.take_query().is_ok())
                        .for_each(|_| {
                            let _ = given.fetch_add(1, Ordering::Relaxed);
                        })
                });
            }
        });
        assert_eq!(
            (given.load(Ordering::Relaxed), spending.take_query()),
            (60, Err(Cap::Queries(100)))
        );
        assert_eq!(spending.take_page(), Ok(()));
    }
}
