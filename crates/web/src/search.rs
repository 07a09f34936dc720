//! The trait of search engines: a query in, addresses out. Statements of an engine itself (answer
//! boxes, overviews, snippets) are never evidence.

use crate::page::PageDate;

/// The name of the engine that searches a folder of documents: asking it costs nothing.
pub const FOLDER: &str = "corpus";

/// One address that an engine returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The address.
    pub url: String,
    /// The title that the engine shows.
    pub title: String,
    /// The snippet that the engine shows.
    pub snippet: String,
    /// The date that the engine shows; `None` if it shows no valid date.
    pub published: Option<PageDate>,
}

/// A search engine.
pub trait SearchProvider: Sync {
    /// Returns its name, as in the configuration.
    fn name(&self) -> &'static str;

    /// Returns the addresses for a query, best first, at most `results_max`.
    ///
    /// # Errors
    /// [`SearchError`] if the engine could not be asked. An empty result is no error.
    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError>;
}

impl<T: SearchProvider + ?Sized> SearchProvider for &T {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        (**self).search(query, results_max)
    }
}

impl<T: SearchProvider + ?Sized> SearchProvider for Box<T> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        (**self).search(query, results_max)
    }
}

/// Why an engine gave no answer. None of these means that nothing exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The key is missing or was refused.
    #[error("`{provider}` does not accept the key: {why}")]
    Key {
        /// The engine.
        provider: &'static str,
        /// What it said, and where the key comes from.
        why: String,
    },
    /// The quota is used up, or the engine asks to wait longer than the bound.
    #[error("`{provider}` has no quota left: {why}")]
    Quota {
        /// The engine.
        provider: &'static str,
        /// What it said.
        why: String,
    },
    /// The engine did not answer in time.
    #[error(
        "`{provider}` gave no answer within {within_ms} ms; try again, or raise `search_ms_max`"
    )]
    TimeUp {
        /// The engine.
        provider: &'static str,
        /// The time limit in milliseconds.
        within_ms: u64,
    },
    /// The engine answered with a failure of its own.
    #[error("`{provider}` failed with status {status}: {why}")]
    Status {
        /// The engine.
        provider: &'static str,
        /// The HTTP status.
        status: u16,
        /// What is known about it.
        why: String,
    },
    /// The response of the engine cannot be parsed.
    #[error("cannot read the answer of `{provider}`: {why}")]
    Unreadable {
        /// The engine.
        provider: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A replay has no such request: the run is not the one that was recorded.
    #[error(
        "cannot replay the query `{query}` to `{provider}`: it was not sent when the run was recorded; record it again"
    )]
    NotRecorded {
        /// The engine.
        provider: &'static str,
        /// The query.
        query: String,
    },
    /// The network failed, or the engine cannot be used at all.
    #[error("cannot search with `{provider}`: {why}")]
    Broke {
        /// The engine.
        provider: &'static str,
        /// What failed.
        why: String,
    },
}
