//! The face of a search engine: a query in, addresses out. What an engine says
//! itself (answer boxes, overviews, snippets) is never evidence.

use crate::page::PageDate;

/// One address that an engine gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The address.
    pub url: String,
    /// The title that the engine shows.
    pub title: String,
    /// The piece of text that the engine shows.
    pub snippet: String,
    /// The date that the engine shows, if it is one.
    pub published: Option<PageDate>,
}

/// A search engine.
pub trait SearchProvider: Sync {
    /// Its name, as in the configuration.
    fn name(&self) -> &'static str;

    /// The addresses for a query, best first, at most `results_max`.
    ///
    /// # Errors
    /// [`SearchError`] when the engine could not be asked. No result is no error.
    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError>;
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The key is missing or was refused.
    #[error("`{provider}` does not accept the key: {why}")]
    Key {
        /// The engine.
        provider: &'static str,
        /// What it said.
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
    /// The network or the engine failed, or its answer was unreadable.
    #[error("cannot search with `{provider}`: {why}")]
    Broke {
        /// The engine.
        provider: &'static str,
        /// What failed.
        why: String,
    },
}
