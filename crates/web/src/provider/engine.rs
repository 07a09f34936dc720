//! The parts that all engines share: one request with a key, few attempts, and a separate error for
//! each kind of failure. What an engine says in a failure is shown truncated, as text, and never
//! with the key in it.

use std::time::Duration;

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use url::{Host, Url};

use super::EngineAccess;
use crate::network::{Client, NetworkAnswer, NetworkBroken, RequestParts};
use crate::page::{DateSource, PageDate};
use crate::read::days;
use crate::search::{SearchError, SearchResult};

/// Maximum number of bytes of an engine's own words that are shown.
const SAID_BYTES_MAX: usize = 200;
/// Maximum number of bytes of a title or a snippet.
const SHOWN_BYTES_MAX: usize = 2_000;

/// The connection to one engine.
pub(super) struct EngineWay {
    pub(super) provider: &'static str,
    client: Client,
    key: Option<SecretString>,
    base: Url,
    access: EngineAccess,
}

/// A request to an engine.
pub(super) struct EngineQuery {
    pub(super) path: &'static str,
    pub(super) parameters: Vec<(&'static str, String)>,
    pub(super) json: Option<String>,
    pub(super) key_header: Option<&'static str>,
}

impl EngineWay {
    /// Creates the connection to an engine at its default address or the chosen one.
    pub(super) fn new(
        provider: &'static str,
        common: Option<&str>,
        access: EngineAccess,
    ) -> Result<Self, SearchError> {
        let broke = |why: String| SearchError::Broke { provider, why };
        let text = access
            .address
            .as_deref()
            .or(common)
            .ok_or_else(|| broke("its address is not set".to_owned()))?;
        let base = base(text).map_err(|why| broke(format!("its address {why}")))?;
        let certificates = access.certificates.as_deref();
        let client = Client::to_chosen(access.bounds.exchange(), certificates);
        let client = client.map_err(|error| {
            broke(format!(
                "the file of certificates cannot be used ({})",
                error.kind()
            ))
        })?;
        let key = access.key.clone();
        // Over http a key can be read on its way; on this machine it does not leave.
        if key.is_some() && base.scheme() == "http" && !is_this_machine(&base) {
            return Err(SearchError::Key {
                provider,
                why: "a key is not sent over http; use an address with https".to_owned(),
            });
        }
        Ok(Self {
            provider,
            client,
            key,
            base,
            access,
        })
    }

    /// Returns the connection if it has a usable key.
    pub(super) fn with_key(self, variable: &str) -> Result<Self, SearchError> {
        // A line feed in a key would end its header, and could begin another one.
        let is_usable = self.key.as_ref().is_some_and(|key| {
            !key.expose_secret().is_empty()
                && key
                    .expose_secret()
                    .bytes()
                    .all(|byte| byte.is_ascii_graphic())
        });
        if is_usable {
            Ok(self)
        } else {
            Err(SearchError::Key {
                provider: self.provider,
                why: format!("set {variable} to a key"),
            })
        }
    }

    /// Sends a request until the response is no failure, within the bounds.
    pub(super) fn send(
        &self,
        request: &EngineQuery,
        failure: fn(&NetworkAnswer) -> Option<EngineFailure>,
    ) -> Result<NetworkAnswer, SearchError> {
        let bounds = &self.access.bounds;
        let mut attempt = 1;
        loop {
            let (error, wait) = match self.once(request) {
                // The signs of the engine go first: Serper reports an empty account with status
                // 400.
                Ok(answer) => match failure(&answer).or_else(|| of_status(&answer)) {
                    None => return Ok(answer),
                    Some(failed) => (self.told(&failed, &answer), failed.wait(&answer)),
                },
                Err(broken) => (self.of_broken(&broken), broken_wait(&broken)),
            };
            match wait {
                // A longer wait is an error at once, so that a search does not hang.
                Some(wait)
                    if attempt < bounds.search_attempts_max
                        && wait <= Duration::from_millis(bounds.search_wait_ms_max) =>
                {
                    std::thread::sleep(wait)
                }
                Some(_) | None => return Err(error),
            }
            attempt += 1;
        }
    }

    fn once(&self, request: &EngineQuery) -> Result<NetworkAnswer, NetworkBroken> {
        let mut url = self.base.clone();
        // `Url::join` would drop the path of an address such as `https://a.example/searx`.
        url.set_path(&format!(
            "{}{}",
            self.base.path().trim_end_matches('/'),
            request.path
        ));
        if !request.parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.parameters);
        }
        let key = request
            .key_header
            .zip(self.key.as_ref())
            .map(|(name, key)| (name, key.expose_secret()));
        let headers = [("accept", "application/json")]
            .into_iter()
            .chain(key)
            .collect();
        let asked = RequestParts {
            headers,
            json: request.json.clone(),
        };
        self.client.exchange(
            url.as_str(),
            &asked,
            Duration::from_millis(self.access.bounds.search_ms_max),
        )
    }

    fn told(&self, failure: &EngineFailure, answer: &NetworkAnswer) -> SearchError {
        let (provider, status) = (self.provider, answer.status);
        let why = match failure.said {
            Some(said) => said.to_owned(),
            None => self.said(answer),
        };
        match failure.kind {
            FailureKind::Key => SearchError::Key { provider, why },
            FailureKind::Quota => SearchError::Quota { provider, why },
            FailureKind::Service | FailureKind::Request => SearchError::Status {
                provider,
                status,
                why,
            },
        }
    }

    /// Returns what a response says, truncated, on one line and without the key.
    fn said(&self, answer: &NetworkAnswer) -> String {
        let text = String::from_utf8_lossy(&answer.body);
        // A service may repeat the key in its error.
        let text = self.key.as_ref().map_or_else(
            || text.to_string(),
            |key| text.replace(key.expose_secret(), "(the key)"),
        );
        let line: String = text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .filter(|letter| !letter.is_control())
            .collect();
        let line = &line[..line.floor_char_boundary(SAID_BYTES_MAX)];
        if line.is_empty() {
            format!("status {}", answer.status)
        } else {
            format!("status {}, it said: {line}", answer.status)
        }
    }

    fn of_broken(&self, broken: &NetworkBroken) -> SearchError {
        let provider = self.provider;
        match broken {
            // The timeout of connecting is shorter, and then is the one that was reached.
            NetworkBroken::TimeUp { ms, .. } => SearchError::TimeUp {
                provider,
                within_ms: (*ms).min(self.access.bounds.search_ms_max),
            },
            // The client knows the limit by the name that it has for pages.
            NetworkBroken::Large { .. } => SearchError::Unreadable {
                provider,
                why: format!(
                    "it is larger than `search_bytes_max` ({} bytes)",
                    self.access.bounds.search_bytes_max
                ),
            },
            NetworkBroken::Packed | NetworkBroken::Malformed => SearchError::Unreadable {
                provider,
                why: broken.to_string(),
            },
            NetworkBroken::NotDialled(_)
            | NetworkBroken::NoHost
            | NetworkBroken::Tls
            | NetworkBroken::Connection(_)
            | NetworkBroken::NoTurn(_) => SearchError::Broke {
                provider,
                why: broken.to_string(),
            },
        }
    }

    /// Parses a response as JSON.
    pub(super) fn json<T: for<'a> Deserialize<'a>>(
        &self,
        answer: &NetworkAnswer,
    ) -> Result<T, SearchError> {
        let unreadable = |error: serde_json::Error| {
            let what = if error.is_data() {
                "it has another shape than expected"
            } else {
                "it is not JSON"
            };
            SearchError::Unreadable {
                provider: self.provider,
                why: format!("{what} (line {}, column {})", error.line(), error.column()),
            }
        };
        serde_json::from_slice(&answer.body).map_err(unreadable)
    }
}

/// A failure of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EngineFailure {
    pub(super) kind: FailureKind,
    pub(super) said: Option<&'static str>,
}

/// Kinds of failure, by what a user can do about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// Check the key.
    Key,
    /// Wait, or pay.
    Quota,
    /// Try later.
    Service,
    /// A mistake of ours.
    Request,
}

impl EngineFailure {
    /// Returns how long to wait before another attempt; `None` if another attempt is of no use.
    fn wait(self, answer: &NetworkAnswer) -> Option<Duration> {
        match self.kind {
            FailureKind::Key | FailureKind::Request => None,
            FailureKind::Service => Some(Duration::from_millis(500)),
            FailureKind::Quota => {
                let said = answer
                    .header("retry-after")
                    .or_else(|| answer.header("x-ratelimit-reset"))?;
                // Brave lists a time for each of its limits (`1, 1419704`), the shortest first.
                said.split(',')
                    .next()?
                    .trim()
                    .parse()
                    .ok()
                    .map(Duration::from_secs)
            }
        }
    }
}

const fn broken_wait(broken: &NetworkBroken) -> Option<Duration> {
    match broken {
        NetworkBroken::Connection(_) => Some(Duration::from_millis(500)),
        NetworkBroken::NotDialled(_)
        | NetworkBroken::NoHost
        | NetworkBroken::TimeUp { .. }
        | NetworkBroken::Large { .. }
        | NetworkBroken::Packed
        | NetworkBroken::Tls
        | NetworkBroken::Malformed
        | NetworkBroken::NoTurn(_) => None,
    }
}

fn of_status(answer: &NetworkAnswer) -> Option<EngineFailure> {
    let kind = match answer.status {
        200..=299 => return None,
        401 | 403 => FailureKind::Key,
        // 402 asks for payment: the quota is used up.
        402 | 429 => FailureKind::Quota,
        500.. => FailureKind::Service,
        _ => FailureKind::Request,
    };
    Some(EngineFailure { kind, said: None })
}

/// Parses the address of a service. A person chose it, so that it may be anywhere.
fn base(text: &str) -> Result<Url, &'static str> {
    let mut url = Url::parse(text.trim())
        .map_err(|_| "is not an address; it looks like https://search.example.org")?;
    match () {
        () if !matches!(url.scheme(), "http" | "https") => Err("is neither http nor https"),
        () if !url.username().is_empty() || url.password().is_some() => {
            Err("has a user name or a password in it")
        }
        () => {
            // The query is made of the parameters of each search.
            url.set_query(None);
            url.set_fragment(None);
            Ok(url)
        }
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(number)) => number.is_loopback(),
        Some(Host::Ipv6(number)) => number.is_loopback(),
        None => false,
    }
}

/// Returns a result, if its address is one of the web.
pub(super) fn result(
    url: &str,
    title: Option<&str>,
    snippet: Option<&str>,
    date: Option<&str>,
) -> Option<SearchResult> {
    let url = Url::parse(url.trim())
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    let published = date
        // A date of an engine is only a lead, so that even one in the future is kept.
        .and_then(|text| days::parse(text, Timestamp::MAX))
        .map(|day| day.dated(DateSource::Engine));
    let published: Option<PageDate> = published;
    Some(SearchResult {
        url: url.into(),
        title: shown(title),
        snippet: shown(snippet),
        published,
    })
}

/// Returns the text that an engine shows, without emphasis and entities.
fn shown(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    let text = ["<strong>", "</strong>", "<b>", "</b>", "<em>", "</em>"]
        .iter()
        .fold(text.to_owned(), |text, mark| text.replace(mark, ""));
    // The ampersand comes last: `&amp;lt;` is the text `&lt;`.
    let text = [
        ("&#x27;", "'"),
        ("&quot;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text, |text, (from, to)| text.replace(from, to));
    text[..text.floor_char_boundary(SHOWN_BYTES_MAX)].to_owned()
}

/// Returns the results without those whose address came before, at most `results_max`.
pub(super) fn distinct(
    results: impl Iterator<Item = SearchResult>,
    results_max: usize,
) -> Vec<SearchResult> {
    let mut kept: Vec<SearchResult> = Vec::new();
    for result in results {
        if kept.len() >= results_max {
            break;
        }
        if !kept.iter().any(|known| known.url == result.url) {
            kept.push(result);
        }
    }
    kept
}

impl std::fmt::Debug for EngineWay {
    fn fmt(&self, form: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        form.debug_struct("Way")
            .field("provider", &self.provider)
            .field("base", &self.base.as_str())
            .finish_non_exhaustive()
    }
}
