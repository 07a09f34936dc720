//! The way through the network: one request, one response, within bounds of
//! time and bytes. A library's client does it, with every convenience switched off
//! that could surprise: redirects, retries, proxies that nobody named. It runs on a
//! thread of its own, so that whoever waits can be stopped at once.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Error, Proxy};

use crate::cancel::{Cancel, LOOK_AGAIN};
use crate::error::Broken;
use crate::gguf::{Engine, Watch};
use crate::key::Key;
use crate::wire::{HttpRequest, HttpResponse, KeyPlace};

/// Bytes of an answer, unpacked.
pub const ANSWER_BYTES_MAX: u64 = 4 << 20;
/// Bytes of all headers of an answer.
const HEADERS_BYTES_MAX: usize = 64 << 10;
/// Bytes of a file of certificates.
const CERTIFICATES_BYTES_MAX: u64 = 4 << 20;
/// Milliseconds of making a connection.
const CONNECT_MS_MAX: u64 = 15_000;
/// The headers that are looked at.
const HEADERS: [&str; 4] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
];

/// What the person gives for the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The proxy for https.
    pub proxy: Option<String>,
    /// Hosts that are reached without it; `*` stands for all.
    pub no_proxy: Vec<String>,
    /// A file of certificates that are trusted instead of the common ones.
    pub certificates: Option<PathBuf>,
}

impl Network {
    /// What the common variables say.
    pub fn from_environment(variables: &dyn Fn(&str) -> Option<String>) -> Self {
        let first = |names: [&str; 2]| {
            names
                .iter()
                .filter_map(|name| variables(name))
                .find(|value| !value.trim().is_empty())
        };
        let hosts = |list: String| {
            list.split(',')
                .map(|host| host.trim().to_ascii_lowercase())
                .filter(|host| !host.is_empty())
                .collect()
        };
        Self {
            proxy: first(["HTTPS_PROXY", "https_proxy"]),
            no_proxy: first(["NO_PROXY", "no_proxy"])
                .map(hosts)
                .unwrap_or_default(),
            certificates: variables("SSL_CERT_FILE")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
        }
    }

    fn proxy_to(&self, host: &str, is_local: bool) -> Option<&str> {
        let excepted = |known: &String| {
            let known = known.trim_start_matches("*.").trim_start_matches('.');
            known == "*"
                || host == known
                || host
                    .strip_suffix(known)
                    .is_some_and(|rest| rest.ends_with('.'))
        };
        self.proxy
            .as_deref()
            .filter(|_| !is_local && !self.no_proxy.iter().any(excepted))
    }
}

/// The way to one host.
#[derive(Clone, Debug)]
pub struct Transport {
    way: Way,
}

/// Where a request goes.
#[derive(Clone, Debug)]
enum Way {
    /// Through the network, or to a server of this machine.
    Http(Agent),
    /// To a model that this process runs.
    InProcess(Arc<Engine>),
}

impl Transport {
    /// The way to a host.
    ///
    /// # Errors
    /// [`Broken`] when the proxy or the certificates cannot be used.
    pub fn new(network: &Network, host: &str, is_local: bool) -> Result<Self, Broken> {
        let proxy = network
            .proxy_to(host, is_local)
            .map(Proxy::new)
            .transpose()
            .map_err(|_| Broken::Proxy)?;
        let roots = network
            .certificates
            .as_deref()
            .map(certificates)
            .transpose()?;
        let config = Agent::config_builder()
            .proxy(proxy)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .max_response_header_size(HEADERS_BYTES_MAX)
            .timeout_connect(Some(Duration::from_millis(CONNECT_MS_MAX)))
            .user_agent(concat!("grounds/", env!("CARGO_PKG_VERSION")))
            .tls_config(
                TlsConfig::builder()
                    .root_certs(roots.unwrap_or(RootCerts::WebPki))
                    .build(),
            );
        Ok(Self {
            way: Way::Http(config.build().new_agent()),
        })
    }

    /// The way to a model of a file, which this process runs: nothing is sent.
    pub fn in_process() -> Self {
        Self {
            way: Way::InProcess(Arc::default()),
        }
    }

    /// Sends a request and reads the whole response, or stops at once.
    ///
    /// # Errors
    /// [`Broken`], and none when it was stopped.
    pub fn send(
        &self,
        request: &HttpRequest,
        key: Option<&Key>,
        within: Duration,
        cancel: &Cancel,
    ) -> Result<HttpResponse, Option<Broken>> {
        let (done, result) = channel();
        let (way, request, key) = (self.way.clone(), request.clone(), key.cloned());
        let left = Leaving::default();
        let is_left = Arc::clone(&left.0);
        std::thread::spawn(move || {
            done.send(match way {
                Way::Http(agent) => exchange(&agent, request, key.as_ref(), within),
                Way::InProcess(engine) => engine.answer(
                    &request,
                    &Watch {
                        deadline: Instant::now() + within,
                        is_left: &is_left,
                    },
                ),
            })
        });
        // The library's own time-out counts; this one is for the case that it does not.
        let late = Instant::now() + within + Duration::from_secs(5);
        loop {
            match result.recv_timeout(LOOK_AGAIN) {
                Ok(result) => return result.map_err(|broken| Some(broken.told(within))),
                Err(RecvTimeoutError::Timeout) if cancel.is_stopped() => return Err(None),
                Err(RecvTimeoutError::Timeout) if Instant::now() < late => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Some(Broken::TimeUp { ms: 0 }.told(within)));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Some(Broken::Malformed("cannot be used")));
                }
            }
        }
    }
}

/// Tells a thread that nobody waits for it any more.
#[derive(Default)]
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Broken {
    /// The error with the time that there was.
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
    key: Option<&Key>,
    within: Duration,
) -> Result<HttpResponse, Broken> {
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
        .map_err(|error| of_library(&error))?;
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
        .limit(u64::MAX)
        .reader();
    reader
        .take(ANSWER_BYTES_MAX + 1)
        .read_to_end(&mut body)
        .map_err(|error| of_io(&error))?;
    if body.len() as u64 > ANSWER_BYTES_MAX {
        return Err(Broken::TooLarge {
            bytes: ANSWER_BYTES_MAX,
        });
    }
    Ok(HttpResponse {
        status,
        headers,
        body,
    })
}

fn certificates(path: &Path) -> Result<RootCerts, Broken> {
    let cannot = || Broken::Tls("the file of certificates cannot be used".to_owned());
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|_| cannot())?;
    file.take(CERTIFICATES_BYTES_MAX)
        .read_to_end(&mut bytes)
        .map_err(|_| cannot())?;
    let of_item = |item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        Ok(_) | Err(_) => None,
    };
    let certificates: Vec<Certificate<'static>> = parse_pem(&bytes).filter_map(of_item).collect();
    if certificates.is_empty() {
        Err(cannot())
    } else {
        Ok(RootCerts::Specific(Arc::new(certificates)))
    }
}

/// What broke, in words of ours: a library's message could quote a header.
fn of_library(error: &Error) -> Broken {
    match error {
        Error::Timeout(_) => Broken::TimeUp { ms: 0 },
        Error::HostNotFound => Broken::NoSuchHost,
        Error::ConnectionFailed => Broken::Unreachable("no connection".to_owned()),
        Error::Io(error) => of_io(error),
        Error::Tls(_) | Error::Pem(_) | Error::TlsRequired => {
            Broken::Tls("it could not be agreed".to_owned())
        }
        Error::Rustls(error) => Broken::Tls(error.to_string()),
        Error::InvalidProxyUrl | Error::ConnectProxyFailed(_) => Broken::Proxy,
        Error::LargeResponseHeader(..) => Broken::Malformed("has headers that are too large"),
        Error::Decompress(..) => Broken::Malformed("cannot be unpacked"),
        Error::BodyStalled | Error::BodyExceedsLimit(_) => Broken::CutShort,
        Error::Protocol(_) | Error::Http(_) | Error::BadUri(_) => {
            Broken::Malformed("is no HTTP, or has too many headers")
        }
        _ => Broken::Malformed("cannot be used"),
    }
}

fn of_io(error: &io::Error) -> Broken {
    if let Some(inner) = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>())
    {
        return of_library(inner);
    }
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Broken::TimeUp { ms: 0 },
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Broken::CutShort,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            Broken::Malformed("cannot be unpacked")
        }
        kind => Broken::Unreachable(kind.to_string()),
    }
}
