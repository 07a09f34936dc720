//! One exchange over HTTP within bounds of time, of headers, of bytes on the wire, and of bytes
//! after unpacking. The client of a library makes it, without redirects, retries, cookies and
//! proxies, which would do more than was asked for.

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use grounds_http::HttpBroken as Http;
use grounds_http::turns::NoTurn;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Error};

use crate::guard::{Dialer, Lookup, NotDialled, Reach};

/// The user agent of requests. `robots.txt` knows it by the first word.
pub const USER_AGENT: &str = concat!(
    "grounds/",
    env!("CARGO_PKG_VERSION"),
    " (+",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);
/// The name of this program in `robots.txt`.
pub const ROBOTS_AGENT: &str = "grounds";
/// The headers that are kept.
const HEADERS: [&str; 5] = [
    "content-type",
    "content-encoding",
    "location",
    "retry-after",
    "x-ratelimit-reset",
];

/// The bounds of one exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeBounds {
    /// Timeout of connecting, in milliseconds.
    pub connect_ms_max: u64,
    /// Timeout of the whole exchange, in milliseconds.
    pub exchange_ms_max: u64,
    /// Maximum number of bytes of all headers.
    pub headers_bytes_max: usize,
    /// Maximum number of bytes on the wire.
    pub wire_bytes_max: u64,
    /// Maximum number of bytes after unpacking.
    pub body_bytes_max: u64,
}

impl Default for ExchangeBounds {
    fn default() -> Self {
        Self {
            connect_ms_max: 10_000,
            exchange_ms_max: 20_000,
            headers_bytes_max: 64 << 10,
            wire_bytes_max: 10 << 20,
            body_bytes_max: 20 << 20,
        }
    }
}

/// A response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NetworkAnswer {
    pub(crate) status: u16,
    headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl NetworkAnswer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the character set that the header `content-type` names.
    pub(crate) fn charset(&self) -> Option<&str> {
        self.header("content-type")?
            .split(';')
            .skip(1)
            .find_map(|part| {
                let (name, value) = part.split_once('=')?;
                name.trim()
                    .eq_ignore_ascii_case("charset")
                    .then(|| value.trim().trim_matches(['"', '\'']))
            })
    }
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkBroken {
    /// The guard refused the host.
    #[error("its host is {0}")]
    NotDialled(&'static str),
    /// The name has no IP address.
    #[error("its host has no address")]
    NoHost,
    /// Too slow.
    #[error("it took longer than `{bound}` ({ms} ms)")]
    TimeUp {
        /// The name of the bound.
        bound: &'static str,
        /// Its value.
        ms: u64,
    },
    /// Too large.
    #[error("it is larger than `{bound}` ({bytes} bytes)")]
    Large {
        /// The name of the bound.
        bound: &'static str,
        /// Its value.
        bytes: u64,
    },
    /// It is packed in a way that cannot be unpacked.
    #[error("it is packed in a way that cannot be unpacked")]
    Packed,
    /// No agreement about encryption.
    #[error("its certificate or encryption is not accepted")]
    Tls,
    /// No connection, or a broken one.
    #[error("the connection failed ({0})")]
    Connection(String),
    /// No HTTP.
    #[error("its response is not HTTP, or has too many headers")]
    Malformed,
    /// The pace that several processes share gave no turn, so that nothing was sent.
    #[error("it was not asked: {0}")]
    NoTurn(NoTurn),
}

impl NetworkBroken {
    /// Reports whether the host failed or is overloaded. A name without an IP address, or a refused
    /// certificate, may be a fault of this machine.
    pub(crate) const fn is_of_host(&self) -> bool {
        match self {
            Self::TimeUp { .. } | Self::Connection(_) => true,
            Self::NotDialled(_)
            | Self::NoHost
            | Self::Tls
            | Self::Large { .. }
            | Self::Packed
            | Self::Malformed
            | Self::NoTurn(_) => false,
        }
    }
}

/// A client of the network.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    agent: Agent,
    bounds: ExchangeBounds,
}

/// The parts of a request other than its address.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestParts<'a> {
    pub(crate) headers: Vec<(&'static str, &'a str)>,
    /// A body as JSON; `None` sends a GET request.
    pub(crate) json: Option<String>,
}

impl Client {
    /// Creates a client that reaches only what the guard allows.
    pub(crate) fn guarded(
        bounds: ExchangeBounds,
        certificates: Option<&Path>,
        lookup: impl Lookup,
        reach: Reach,
    ) -> io::Result<Self> {
        let agent = Agent::with_parts(
            config(&bounds, certificates)?,
            DefaultConnector::default(),
            Dialer::new(lookup, reach),
        );
        Ok(Self { agent, bounds })
    }

    /// Creates a client for a service that the user chose, wherever it is.
    pub(crate) fn to_chosen(
        bounds: ExchangeBounds,
        certificates: Option<&Path>,
    ) -> io::Result<Self> {
        Ok(Self {
            agent: config(&bounds, certificates)?.new_agent(),
            bounds,
        })
    }

    /// Makes one exchange, within its timeout or what is left of the caller's time.
    pub(crate) fn exchange(
        &self,
        url: &str,
        asked: &RequestParts<'_>,
        within: Duration,
    ) -> Result<NetworkAnswer, NetworkBroken> {
        let within = within.min(Duration::from_millis(self.bounds.exchange_ms_max));
        let response = match &asked.json {
            Some(json) => with_headers(self.agent.post(url), asked)
                .config()
                .timeout_global(Some(within))
                .build()
                .content_type("application/json")
                .send(json.as_str()),
            None => with_headers(self.agent.get(url), asked)
                .config()
                .timeout_global(Some(within))
                .build()
                .call(),
        };
        let response = response.map_err(|error| self.of_library(&error))?;
        let status = response.status().as_u16();
        // A header need not be UTF-8, and one bad byte must not cost the page.
        let value = |name: &'static str| {
            Some((
                name,
                String::from_utf8_lossy(response.headers().get(name)?.as_bytes()).into_owned(),
            ))
        };
        let headers: Vec<_> = HEADERS.into_iter().filter_map(value).collect();
        let answer = NetworkAnswer {
            status,
            headers,
            body: Vec::new(),
        };
        let body = self.body(response.into_body(), answer.header("content-encoding"))?;
        Ok(NetworkAnswer { body, ..answer })
    }

    /// Returns the body, unpacked. The library unpacks two kinds, and its limit counts the bytes
    /// before that.
    fn body(&self, body: ureq::Body, packing: Option<&str>) -> Result<Vec<u8>, NetworkBroken> {
        let reader = body
            .into_with_config()
            .limit(self.bounds.wire_bytes_max)
            .reader();
        match packing
            .map(|name| name.trim().to_ascii_lowercase())
            .as_deref()
        {
            // The library has unpacked gzip and brotli already.
            None | Some("" | "identity" | "gzip" | "br") => self.read(reader),
            Some("deflate") => self.read(inflated(self.read(reader)?)),
            Some(_) => Err(NetworkBroken::Packed),
        }
    }

    fn read(&self, reader: impl Read) -> Result<Vec<u8>, NetworkBroken> {
        let bytes_max = self.bounds.body_bytes_max;
        let mut bytes = Vec::new();
        reader
            // One byte more shows that the body is larger.
            .take(bytes_max + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| self.of_io(&error))?;
        if bytes.len() as u64 > bytes_max {
            Err(NetworkBroken::Large {
                bound: "body_bytes_max",
                bytes: bytes_max,
            })
        } else {
            Ok(bytes)
        }
    }

    fn of_library(&self, error: &Error) -> NetworkBroken {
        match error {
            Error::Io(error) => self.of_io(error),
            error => self.of_http(grounds_http::of_library(error)),
        }
    }

    fn of_io(&self, error: &io::Error) -> NetworkBroken {
        let inner = error.get_ref();
        match inner.and_then(|inner| inner.downcast_ref::<NotDialled>()) {
            Some(NotDialled(why)) => NetworkBroken::NotDialled(why),
            None if error.kind() == io::ErrorKind::NotFound => NetworkBroken::NoHost,
            None => self.of_http(grounds_http::of_io(error)),
        }
    }

    fn of_http(&self, broken: Http) -> NetworkBroken {
        match broken {
            Http::ConnectTimeUp => NetworkBroken::TimeUp {
                bound: "connect_ms_max",
                ms: self.bounds.connect_ms_max,
            },
            Http::TimeUp => NetworkBroken::TimeUp {
                bound: "exchange_ms_max",
                ms: self.bounds.exchange_ms_max,
            },
            Http::TooLarge(bytes) => NetworkBroken::Large {
                bound: "wire_bytes_max",
                bytes,
            },
            Http::NoSuchHost => NetworkBroken::NoHost,
            Http::Tls(_) => NetworkBroken::Tls,
            Http::Packed | Http::Invalid(_) => NetworkBroken::Packed,
            Http::CutShort(why) | Http::Unreachable(why) => NetworkBroken::Connection(why),
            Http::Headers | Http::NotHttp | Http::Proxy | Http::Unusable => {
                NetworkBroken::Malformed
            }
        }
    }
}

fn with_headers<B>(
    mut call: ureq::RequestBuilder<B>,
    asked: &RequestParts<'_>,
) -> ureq::RequestBuilder<B> {
    for (name, value) in &asked.headers {
        call = call.header(*name, *value);
    }
    call
}

fn config(
    bounds: &ExchangeBounds,
    certificates: Option<&Path>,
) -> io::Result<ureq::config::Config> {
    grounds_http::config(grounds_http::ClientOptions {
        user_agent: USER_AGENT,
        headers_bytes_max: bounds.headers_bytes_max,
        connect_within: Some(Duration::from_millis(bounds.connect_ms_max)),
        idle_connections_max: 1,
        certificates,
        proxy: None,
    })
}

/// Unpacks the encoding `deflate`: by the standard it is zlib, but some servers leave out its
/// frame.
fn inflated(bytes: Vec<u8>) -> Box<dyn Read> {
    // The first two bytes of zlib name the method, and are a multiple of 31 together.
    let is_framed = bytes.first().is_some_and(|first| first & 0x0f == 8)
        && bytes
            .get(1)
            .is_some_and(|second| (u16::from(bytes[0]) << 8 | u16::from(*second)) % 31 == 0);
    let bytes = io::Cursor::new(bytes);
    if is_framed {
        Box::new(flate2::read::ZlibDecoder::new(bytes))
    } else {
        Box::new(flate2::read::DeflateDecoder::new(bytes))
    }
}
