//! Brave: a search engine with an index of its own, which needs a key. Its discussions, panels and
//! summaries are not read.

use serde::Deserialize;

use super::engine::{self, EngineFailure, EngineQuery, EngineWay, FailureKind};
use super::{EngineAccess, SearchEngine};
use crate::network::NetworkAnswer;
use crate::search::{SearchError, SearchProvider, SearchResult};

const NAME: &str = "brave";
const ADDRESS: &str = "https://api.search.brave.com";
const VARIABLE: &str = "BRAVE_API_KEY";
/// Maximum number of results of one request.
const RESULTS_MAX: usize = 20;
/// Maximum number of letters of a query.
const QUERY_LETTERS_MAX: usize = 400;
/// Maximum number of words of a query.
const QUERY_WORDS_MAX: usize = 50;

pub(super) const ENGINE: SearchEngine = SearchEngine {
    name: NAME,
    variable: VARIABLE,
    address_variable: "BRAVE_URL",
    make: |access| Ok(Box::new(Brave::new(access)?)),
};

/// Brave.
#[derive(Debug)]
pub struct Brave(EngineWay);

#[derive(Deserialize)]
struct BraveResponse {
    #[serde(rename = "type")]
    kind: String,
    web: Option<Web>,
    error: Option<serde_json::Value>,
    message: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Web {
    #[serde(default)]
    results: Vec<BraveResult>,
}

#[derive(Deserialize)]
struct BraveResult {
    url: String,
    title: Option<String>,
    description: Option<String>,
    page_age: Option<String>,
}

impl Brave {
    /// Creates the engine with a key.
    ///
    /// # Errors
    /// [`SearchError::Key`] without one, [`SearchError::Broke`] for an address that cannot be used.
    pub fn new(access: EngineAccess) -> Result<Self, SearchError> {
        Ok(Self(
            EngineWay::new(NAME, Some(ADDRESS), access)?.with_key(VARIABLE)?,
        ))
    }
}

impl SearchProvider for Brave {
    fn name(&self) -> &'static str {
        NAME
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let parameters = vec![
            ("q", shortened(query)),
            ("count", results_max.clamp(1, RESULTS_MAX).to_string()),
            ("text_decorations", "false".to_owned()),
        ];
        let request = EngineQuery {
            path: "/res/v1/web/search",
            parameters,
            json: None,
            key_header: Some("x-subscription-token"),
        };
        let response: BraveResponse = self.0.json(&self.0.send(&request, refused_key)?)?;
        // An error with status 200 must not count as an empty list of results.
        let is_error = response.error.is_some() || response.message.is_some();
        if response.kind != "search" || (response.web.is_none() && is_error) {
            return Err(SearchError::Unreadable {
                provider: NAME,
                why: "it is not a search result".to_owned(),
            });
        }
        let read = |found: BraveResult| {
            engine::result(
                &found.url,
                found.title.as_deref(),
                found.description.as_deref(),
                found.page_age.as_deref(),
            )
        };
        Ok(engine::distinct(
            response
                .web
                .into_iter()
                .flat_map(|web| web.results)
                .filter_map(read),
            results_max,
        ))
    }
}

/// Returns the first words of a query, as many as the service takes: it refuses a longer query as a
/// whole.
fn shortened(query: &str) -> String {
    let mut short = String::new();
    for word in query.split_whitespace().take(QUERY_WORDS_MAX) {
        if short.chars().count() + word.chars().count() + 1 > QUERY_LETTERS_MAX {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short
}

/// Reads a rejected key, which the service reports with status 422.
fn refused_key(answer: &NetworkAnswer) -> Option<EngineFailure> {
    let is_told = answer.status == 422
        && String::from_utf8_lossy(&answer.body).contains("SUBSCRIPTION_TOKEN_INVALID");
    is_told.then_some(EngineFailure {
        kind: FailureKind::Key,
        said: Some("it says that the key is not valid"),
    })
}
