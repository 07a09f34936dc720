//! Serper: results of a large engine, with a key. Its answer box and its panels of knowledge are
//! statements of the engine itself, and are not read.

use serde::Deserialize;

use super::engine::{self, EngineFailure, EngineQuery, EngineWay, FailureKind};
use super::{EngineAccess, SearchEngine};
use crate::network::NetworkAnswer;
use crate::search::{SearchError, SearchProvider, SearchResult};

const NAME: &str = "serper";
const ADDRESS: &str = "https://google.serper.dev";
const VARIABLE: &str = "SERPER_API_KEY";
/// Maximum number of results of one request.
const RESULTS_MAX: usize = 100;

pub(super) const ENGINE: SearchEngine = SearchEngine {
    name: NAME,
    variable: VARIABLE,
    address_variable: "SERPER_URL",
    make: |access| Ok(Box::new(Serper::new(access)?)),
};

/// Serper.
#[derive(Debug)]
pub struct Serper(EngineWay);

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    organic: Vec<Organic>,
    #[serde(rename = "searchParameters")]
    parameters: Option<serde_json::Value>,
    error: Option<serde_json::Value>,
    message: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Organic {
    link: String,
    title: Option<String>,
    snippet: Option<String>,
    date: Option<String>,
}

impl Serper {
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

impl SearchProvider for Serper {
    fn name(&self) -> &'static str {
        NAME
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let body = serde_json::json!({ "q": query, "num": results_max.clamp(1, RESULTS_MAX) });
        let request = EngineQuery {
            path: "/search",
            parameters: Vec::new(),
            json: Some(body.to_string()),
            key_header: Some("x-api-key"),
        };
        let response: Response = self.0.json(&self.0.send(&request, out_of_credit)?)?;
        // An error can come with status 200, and must not count as an empty list of results.
        let is_error = response.error.is_some() || response.message.is_some();
        // A search that finds nothing still returns its own parameters.
        if response.organic.is_empty() && (is_error || response.parameters.is_none()) {
            return Err(SearchError::Unreadable {
                provider: NAME,
                why: "it has neither results nor the parameters of a search".to_owned(),
            });
        }
        let read = |found: Organic| {
            engine::result(
                &found.link,
                found.title.as_deref(),
                found.snippet.as_deref(),
                found.date.as_deref(),
            )
        };
        Ok(engine::distinct(
            response.organic.into_iter().filter_map(read),
            results_max,
        ))
    }
}

/// Reads an account without credit, which the service reports with status 400.
fn out_of_credit(answer: &NetworkAnswer) -> Option<EngineFailure> {
    let is_told = answer.status == 400
        && String::from_utf8_lossy(&answer.body)
            .to_ascii_lowercase()
            .contains("credit");
    is_told.then_some(EngineFailure {
        kind: FailureKind::Quota,
        said: Some("the account has no credit left"),
    })
}
