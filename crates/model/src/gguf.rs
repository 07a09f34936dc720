//! A model in a GGUF file, run by this process: no server, no network. It takes and returns the
//! same bytes as a server would, so that budget, pace, cache and replay apply to it as well. Built
//! only with the feature `gguf`; without it, it answers with an error that says so.
//!
//! It decodes greedily, on the processor, one request at a time. The text of a request can never
//! become a mark of the conversation: marks are put between the texts as tokens.

#[cfg(feature = "gguf")]
mod dialogue;
#[cfg(feature = "gguf")]
mod engine;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[cfg(not(feature = "gguf"))]
use crate::error::TransportBroken;
#[cfg(not(feature = "gguf"))]
use crate::wire::HttpRequest;
use crate::wire::HttpResponse;

#[cfg(feature = "gguf")]
pub(crate) use engine::Engine;

/// The deadline of an answer, and whether anybody still waits for it.
#[derive(Debug)]
pub(crate) struct Deadline<'w> {
    pub(crate) deadline: Instant,
    pub(crate) is_left: &'w AtomicBool,
}

impl Deadline<'_> {
    /// Reports whether going on is of no use.
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() > self.deadline || self.is_left.load(Ordering::Relaxed)
    }
}

/// The engine of a build without the feature.
#[cfg(not(feature = "gguf"))]
#[derive(Debug, Default)]
pub(crate) struct Engine;

#[cfg(not(feature = "gguf"))]
impl Engine {
    pub(crate) fn answer(
        &self,
        _request: &HttpRequest,
        watch: &Deadline<'_>,
    ) -> Result<HttpResponse, TransportBroken> {
        if watch.is_over() {
            return Err(TransportBroken::TimeUp { ms: 0 });
        }
        Ok(refusal(
            501,
            "this program was built without the feature `gguf`, so that it runs no model of a file",
        ))
    }
}

/// Returns an error response, as a server would send it.
pub(crate) fn refusal(status: u16, why: &str) -> HttpResponse {
    let body = serde_json::json!({"error": {"message": why}})
        .to_string()
        .into_bytes();
    HttpResponse {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body,
    }
}

#[cfg(all(test, feature = "gguf"))]
mod tests;
