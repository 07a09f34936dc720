//! `SearXNG`: an engine that a person runs, which asks other engines. It needs no key, but an
//! address. Its answers and boxes are not read. If engines behind it failed, an empty result does
//! not mean that nothing exists.

use serde::Deserialize;
use serde_json::Value;

use super::engine::{self, EngineFailure, EngineQuery, EngineWay, FailureKind};
use super::{EngineAccess, SearchEngine};
use crate::network::NetworkAnswer;
use crate::search::{SearchError, SearchProvider, SearchResult};

const NAME: &str = "searxng";
const VARIABLE: &str = "SEARXNG_URL";

pub(super) const ENGINE: SearchEngine = SearchEngine {
    name: NAME,
    variable: VARIABLE,
    address_variable: VARIABLE,
    make: |access| Ok(Box::new(Searxng::new(access)?)),
};

/// `SearXNG`.
#[derive(Debug)]
pub struct Searxng(EngineWay);

#[derive(Deserialize)]
struct SearxngResponse {
    results: Vec<SearxngResult>,
    #[serde(default)]
    unresponsive_engines: Vec<Value>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct SearxngResult {
    url: String,
    title: Option<String>,
    content: Option<String>,
    #[serde(rename = "publishedDate")]
    published: Option<String>,
}

impl Searxng {
    /// Creates the engine at its address.
    ///
    /// # Errors
    /// [`SearchError::Broke`] without an address that can be used.
    pub fn new(access: EngineAccess) -> Result<Self, SearchError> {
        if access.address.is_none() {
            return Err(SearchError::Broke {
                provider: NAME,
                why: format!("set {VARIABLE} to its address, such as http://localhost:8080"),
            });
        }
        Ok(Self(EngineWay::new(
            NAME,
            None,
            EngineAccess {
                key: None,
                ..access
            },
        )?))
    }
}

impl SearchProvider for Searxng {
    fn name(&self) -> &'static str {
        NAME
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let parameters = vec![("q", query.to_owned()), ("format", "json".to_owned())];
        let request = EngineQuery {
            path: "/search",
            parameters,
            json: None,
            key_header: None,
        };
        let response: SearxngResponse = self.0.json(&self.0.send(&request, closed_format)?)?;
        if response.results.is_empty() && !response.unresponsive_engines.is_empty() {
            let why = format!(
                "it found nothing, and {} of the engines behind it did not answer",
                response.unresponsive_engines.len()
            );
            return Err(SearchError::Broke {
                provider: NAME,
                why,
            });
        }
        // An error with status 200 must not count as an empty list of results.
        if response.results.is_empty() && response.error.is_some() {
            return Err(SearchError::Unreadable {
                provider: NAME,
                why: "it is an error and no answer to a search".to_owned(),
            });
        }
        let read = |found: SearxngResult| {
            engine::result(
                &found.url,
                found.title.as_deref(),
                found.content.as_deref(),
                found.published.as_deref(),
            )
        };
        Ok(engine::distinct(
            response.results.into_iter().filter_map(read),
            results_max,
        ))
    }
}

/// Reads the refusal of an instance that serves no JSON: it answers with status 403.
fn closed_format(answer: &NetworkAnswer) -> Option<EngineFailure> {
    let said = "it refuses JSON: add `json` to `search.formats` in its settings.yml";
    (answer.status == 403).then_some(EngineFailure {
        kind: FailureKind::Request,
        said: Some(said),
    })
}
