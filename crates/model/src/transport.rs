//! Sends one request over the network and reads one response, within bounds of time and bytes. The
//! client of a library does it, without redirects, retries, and proxies that nobody named. It runs
//! on a thread of its own, so that a waiting caller can be stopped at once.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

pub use grounds_http::Network;
use ureq::{Agent, Proxy};

use crate::cancel::{Cancel, LOOK_AGAIN};
use crate::error::TransportBroken;
use crate::gguf::{Deadline, Engine};
use crate::key::ApiKey;
use crate::wire::{HttpRequest, HttpResponse, KeyPlace};

/// Maximum number of bytes of an answer, unpacked.
pub const ANSWER_BYTES_MAX: u64 = 4 << 20;
/// Maximum number of bytes of all headers of an answer.
const HEADERS_BYTES_MAX: usize = 64 << 10;
/// Timeout of connecting, in milliseconds.
const CONNECT_MS_MAX: u64 = 15_000;
/// Maximum number of connections that are kept open for the next request.
const IDLE_CONNECTIONS_MAX: usize = 3;
/// The headers that are kept.
const HEADERS: [&str; 4] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
];

/// The connection to one host.
#[derive(Clone, Debug)]
pub struct ModelTransport {
    way: Route,
}

/// The destination of a request.
#[derive(Clone, Debug)]
enum Route {
    /// Through the network, or to a server of this machine.
    Http(Agent),
    /// To a model that this process runs.
    InProcess(Arc<Engine>),
}

impl ModelTransport {
    /// Creates the connection to a host.
    ///
    /// # Errors
    /// [`TransportBroken`] if the proxy or the certificates cannot be used.
    pub fn new(network: &Network, host: &str, is_local: bool) -> Result<Self, TransportBroken> {
        let proxy = network
            .proxy_to(host, is_local)
            .map(Proxy::new)
            .transpose()
            .map_err(|_| TransportBroken::Proxy)?;
        let config = grounds_http::config(grounds_http::ClientOptions {
            user_agent: concat!("grounds/", env!("CARGO_PKG_VERSION")),
            headers_bytes_max: HEADERS_BYTES_MAX,
            connect_within: Some(Duration::from_millis(CONNECT_MS_MAX)),
            idle_connections_max: IDLE_CONNECTIONS_MAX,
            certificates: network.certificates.as_deref(),
            proxy,
        })
        .map_err(|_| TransportBroken::Tls("the file of certificates cannot be used".to_owned()))?;
        Ok(Self {
            way: Route::Http(config.new_agent()),
        })
    }

    /// Creates the connection to a model of a file, which this process runs: nothing is sent.
    pub fn in_process() -> Self {
        Self {
            way: Route::InProcess(Arc::default()),
        }
    }

    /// Sends a request and reads the whole response, or stops at once.
    ///
    /// # Errors
    /// [`TransportBroken`], or `None` if it was stopped.
    pub fn send(
        &self,
        request: &HttpRequest,
        key: Option<&ApiKey>,
        within: Duration,
        cancel: &Cancel,
    ) -> Result<HttpResponse, Option<TransportBroken>> {
        let (done, result) = channel();
        let (way, request, key) = (self.way.clone(), request.clone(), key.cloned());
        let left = Leaving::default();
        let is_left = Arc::clone(&left.0);
        std::thread::spawn(move || {
            done.send(match way {
                Route::Http(agent) => exchange(&agent, request, key.as_ref(), within),
                Route::InProcess(engine) => engine.answer(
                    &request,
                    &Deadline {
                        deadline: Instant::now() + within,
                        is_left: &is_left,
                    },
                ),
            })
        });
        // The library's own timeout counts; this one is for the case that it does not end the
        // exchange.
        let late = Instant::now() + within + Duration::from_secs(5);
        loop {
            match result.recv_timeout(LOOK_AGAIN) {
                Ok(result) => return result.map_err(|broken| Some(broken.told(within))),
                Err(RecvTimeoutError::Timeout) if cancel.is_stopped() => return Err(None),
                Err(RecvTimeoutError::Timeout) if Instant::now() < late => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Some(TransportBroken::TimeUp { ms: 0 }.told(within)));
                }
                // The thread ended without a result: the library panicked.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Some(TransportBroken::Malformed("cannot be used")));
                }
            }
        }
    }
}

/// Signals to a thread that nobody waits for it any more.
#[derive(Default)]
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl TransportBroken {
    /// Returns the error with the time limit.
    fn told(self, within: Duration) -> Self {
        match self {
            Self::TimeUp { .. } => Self::TimeUp {
                ms: u64::try_from(within.as_millis()).unwrap_or(u64::MAX),
            },
            other => other,
        }
    }
}

fn exchange(
    agent: &Agent,
    request: HttpRequest,
    key: Option<&ApiKey>,
    within: Duration,
) -> Result<HttpResponse, TransportBroken> {
    let mut call = agent
        .post(&request.url)
        .config()
        .timeout_global(Some(within))
        .build();
    for (name, value) in &request.headers {
        call = call.header(*name, value);
    }
    if let Some(key) = key {
        call = match request.key_place {
            KeyPlace::Bearer => call.header("authorization", format!("Bearer {}", key.reveal())),
            KeyPlace::Header(name) => call.header(name, key.reveal()),
        };
    }
    let response = call
        .send(&request.body[..])
        .map_err(|error| grounds_http::of_library(&error))?;
    let status = response.status().as_u16();
    let value = |name: &str| {
        response
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(|value| (name.to_owned(), value.to_owned()))
    };
    let headers = HEADERS.into_iter().filter_map(value).collect();
    let mut body = Vec::new();
    let reader = response
        .into_body()
        .into_with_config()
        // The library's limit counts bytes before unpacking; the one below counts them after it.
        .limit(u64::MAX)
        .reader();
    reader
        // One byte more shows that the answer is larger.
        .take(ANSWER_BYTES_MAX + 1)
        .read_to_end(&mut body)
        .map_err(|error| grounds_http::of_io(&error))?;
    if body.len() as u64 > ANSWER_BYTES_MAX {
        return Err(TransportBroken::TooLarge {
            bytes: ANSWER_BYTES_MAX,
        });
    }
    Ok(HttpResponse {
        status,
        headers,
        body,
    })
}

impl From<grounds_http::HttpBroken> for TransportBroken {
    fn from(broken: grounds_http::HttpBroken) -> Self {
        use grounds_http::HttpBroken as Http;
        match broken {
            Http::ConnectTimeUp | Http::TimeUp => Self::TimeUp { ms: 0 },
            Http::CutShort(_) => Self::CutShort,
            Http::TooLarge(bytes) => Self::TooLarge { bytes },
            Http::NoSuchHost => Self::NoSuchHost,
            Http::Unreachable(why) => Self::Unreachable(why),
            Http::Tls(why) => Self::Tls(why),
            Http::Proxy => Self::Proxy,
            Http::Headers => Self::Malformed("has headers that are too large"),
            Http::Packed | Http::Invalid(_) => Self::Malformed("cannot be unpacked"),
            Http::NotHttp => Self::Malformed("is not HTTP, or has too many headers"),
            Http::Unusable => Self::Malformed("cannot be used"),
        }
    }
}
