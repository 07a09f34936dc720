//! One request to a service and its answer in JSON, within bounds of time and bytes. The
//! token is in a header and nowhere else: no error shows it.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

use super::{PAGE, PAGES_MAX};

/// Milliseconds of one request.
const REQUEST_MS_MAX: u64 = 30_000;
/// Bytes of one answer.
const ANSWER_BYTES_MAX: u64 = 16 << 20;
/// Letters of what a service says about a request that it refuses.
const SAID_LETTERS_MAX: usize = 300;

/// A service.
pub(super) struct Wire {
    agent: Agent,
    base: String,
    /// The name of the header of the token, and what it says.
    header: (&'static str, String),
    token: String,
}

impl Wire {
    /// Returns the service at an address. A token is sent over https only, or to this machine.
    pub(super) fn to(
        base: &str,
        header: &'static str,
        scheme: &str,
        token: String,
    ) -> Result<Self, String> {
        let base = base.trim_end_matches('/').to_owned();
        let is_own = ["http://127.0.0.1:", "http://[::1]:", "http://localhost:"]
            .iter()
            .any(|own| base.starts_with(own));
        if !(base.starts_with("https://") || is_own) {
            return Err(format!(
                "a token is sent over https only, and `{base}` is something else"
            ));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(Duration::from_millis(REQUEST_MS_MAX)))
            // A redirect could carry the token to another host.
            .max_redirects(0)
            .max_redirects_will_error(false)
            // The text of an error says what the service missed, for example a permission of the
            // token.
            .http_status_as_error(false)
            .build();
        Ok(Self {
            agent: config.into(),
            base,
            header: (header, format!("{scheme}{token}")),
            token,
        })
    }

    /// Sends one request. Returns the response, or null if it has no body.
    pub(super) fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, String> {
        // A service may repeat the header in its answer, and a message of the client may have it
        // too.
        let wrong = |why: String| format!("{method} {path}: {}", why.replace(&self.token, "…"));
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(self.header.0, &self.header.1)
            .header("accept", "application/json")
            .header("user-agent", "grounds");
        let sent = match body {
            Some(body) => request
                .header("content-type", "application/json")
                .body(body.to_string())
                .map(|request| self.agent.run(request)),
            None => request.body(()).map(|request| self.agent.run(request)),
        };
        let mut response = sent
            .map_err(|error| wrong(error.to_string()))?
            .map_err(|error| wrong(error.to_string()))?;
        let status = response.status().as_u16();
        let bounded = response.body_mut().with_config().limit(ANSWER_BYTES_MAX);
        let text = bounded
            .read_to_string()
            .map_err(|error| wrong(error.to_string()))?;
        if !(200..300).contains(&status) {
            let said: String = text.chars().take(SAID_LETTERS_MAX).collect();
            return Err(wrong(format!("the service answered {status}: {said}")));
        }
        // As with status 204.
        if text.trim().is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))
    }

    /// Returns all entries of a list that comes in pages. `size` is the parameter for the size of
    /// one: `per_page` is kept to, `limit` may be capped by the service (Gitea: 50 by default).
    pub(super) fn list(&self, path: &str, size: &str) -> Result<Vec<Value>, String> {
        let mut all = Vec::new();
        for page in 1..=PAGES_MAX {
            let answer = self.call("GET", &format!("{path}?{size}={PAGE}&page={page}"), None)?;
            let Value::Array(entries) = answer else {
                return Err(format!("GET {path}: the response is not a list"));
            };
            let keeps_to_size = size == "per_page";
            let is_last = entries.is_empty() || keeps_to_size && entries.len() < PAGE;
            all.extend(entries);
            if is_last {
                return Ok(all);
            }
        }
        // A comment that is not read would be written a second time.
        Err(format!("GET {path}: more than {PAGES_MAX} pages of {PAGE}"))
    }
}

/// Returns the entries of a list; a response without a body is an empty one.
///
/// # Errors
/// Another response: a comment that is not seen would be written a second time.
pub(super) fn entries(answer: &Value) -> Result<&[Value], String> {
    match answer {
        Value::Array(entries) => Ok(entries),
        Value::Null => Ok(&[]),
        _ => Err("the service answered with something else than a list".to_owned()),
    }
}

/// Returns a name at a service, which is a number or a string.
pub(super) fn name(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the text of a comment.
pub(super) fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}
