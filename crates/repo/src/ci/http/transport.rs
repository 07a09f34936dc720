//! The way through the network: a library's client, with every convenience of it
//! that could surprise switched off (redirects, proxies, retries, status errors).

use std::io;
use std::time::Duration;

use super::Reply;
use crate::ci::access::CiAccess;
use crate::ci::address::Address;
use crate::ci::error::CiError;

/// What broke on the way, not yet told of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "ci"),
    expect(dead_code, reason = "without a transport nothing breaks on the way")
)]
pub(super) enum Broken {
    TimeUp,
    CutShort,
    NoSuchHost,
    Unreachable(String),
    Tls(String),
    Proxy,
    Malformed(&'static str),
}

impl Broken {
    /// The error for a host that had so many milliseconds.
    pub(super) fn told(self, host: &str, ms: u64) -> CiError {
        let host = host.to_owned();
        match self {
            Self::TimeUp => CiError::TimeUp { host, ms },
            Self::CutShort => CiError::CutShort { host },
            Self::NoSuchHost => CiError::NoSuchHost { host },
            Self::Unreachable(why) => CiError::Unreachable { host, why },
            Self::Tls(why) => CiError::Tls { host, why },
            Self::Proxy => CiError::Proxy { host },
            Self::Malformed(why) => CiError::WrongAnswer {
                host,
                what: "a request".to_owned(),
                why: why.to_owned(),
            },
        }
    }
}

#[cfg(not(feature = "ci"))]
#[derive(Debug)]
pub(super) struct Transport;

#[cfg(not(feature = "ci"))]
impl Transport {
    pub(super) fn new(_access: &CiAccess) -> Result<Self, CiError> {
        Err(CiError::NotBuilt)
    }

    #[expect(
        clippy::unused_self,
        reason = "the same face as the transport that is built in"
    )]
    pub(super) fn get(
        &self,
        _address: &Address,
        _headers: &[(&'static str, String)],
        _within: Duration,
    ) -> Result<Reply, Broken> {
        Err(Broken::Malformed("there is no transport"))
    }
}

#[cfg(not(feature = "ci"))]
pub(super) fn of_body(_error: &io::Error, host: &str, _ms: u64, _what: &str) -> CiError {
    CiError::CutShort {
        host: host.to_owned(),
    }
}

#[cfg(feature = "ci")]
pub(super) use with_library::{Transport, of_body};

#[cfg(feature = "ci")]
mod with_library {
    use std::sync::Arc;

    use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
    use ureq::{Agent, Error, Proxy};

    use super::{Address, Broken, CiAccess, CiError, Duration, Reply, io};

    /// The headers that are looked at.
    const HEADERS: [&str; 6] = [
        "location",
        "link",
        "retry-after",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "ratelimit-reset",
    ];
    /// Bytes of all headers of one answer.
    const HEADERS_BYTES_MAX: usize = 64 << 10;
    /// Bytes of a file of certificates.
    const CERTIFICATES_BYTES_MAX: u64 = 4 << 20;

    /// The way through the network.
    #[derive(Debug)]
    pub(in super::super) struct Transport {
        direct: Agent,
        access: CiAccess,
        roots: Option<RootCerts>,
    }

    impl Transport {
        /// The way that the person's settings allow.
        pub(in super::super) fn new(access: &CiAccess) -> Result<Self, CiError> {
            let roots = access
                .certificates
                .as_deref()
                .map(certificates)
                .transpose()?;
            Ok(Self {
                direct: agent(roots.as_ref(), None),
                access: access.clone(),
                roots,
            })
        }

        /// One request; its body is read within the same time.
        pub(in super::super) fn get(
            &self,
            address: &Address,
            headers: &[(&'static str, String)],
            within: Duration,
        ) -> Result<Reply, Broken> {
            let through = self
                .access
                .proxy_to(address)
                .map(Proxy::new)
                .transpose()
                .map_err(|_| Broken::Proxy)?;
            let agent = through.map_or_else(
                || self.direct.clone(),
                |proxy| agent(self.roots.as_ref(), Some(proxy)),
            );
            let request = agent
                .get(address.to_string())
                .config()
                .timeout_global(Some(within))
                .build();
            let request = headers.iter().fold(request, |request, (name, value)| {
                request.header(*name, value)
            });
            let response = request.call().map_err(|error| broken(&error))?;
            let status = response.status().as_u16();
            let value = |name: &'static str| {
                response
                    .headers()
                    .get(name)
                    .and_then(|value| value.to_str().ok())
                    .map(|value| (name, value.to_owned()))
            };
            let headers = HEADERS.into_iter().filter_map(value).collect();
            Ok(Reply {
                status,
                headers,
                body: Box::new(
                    response
                        .into_body()
                        .into_with_config()
                        .limit(u64::MAX)
                        .reader(),
                ),
            })
        }
    }

    fn agent(roots: Option<&RootCerts>, proxy: Option<Proxy>) -> Agent {
        let tls = TlsConfig::builder()
            .root_certs(roots.cloned().unwrap_or(RootCerts::WebPki))
            .build();
        let config = Agent::config_builder()
            .proxy(proxy)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .max_response_header_size(HEADERS_BYTES_MAX)
            .user_agent(concat!("grounds/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls);
        config.build().new_agent()
    }

    fn certificates(path: &std::path::Path) -> Result<RootCerts, CiError> {
        let bytes = crate::text::read_whole(path, CERTIFICATES_BYTES_MAX)
            .map_err(|_| CiError::Certificates)?;
        let of_item = |item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            Ok(_) | Err(_) => None,
        };
        let certificates: Vec<Certificate<'static>> =
            parse_pem(&bytes).filter_map(of_item).collect();
        if certificates.is_empty() {
            Err(CiError::Certificates)
        } else {
            Ok(RootCerts::Specific(Arc::new(certificates)))
        }
    }

    /// What broke, in words of ours: a library's message could quote the address or a header.
    fn broken(error: &Error) -> Broken {
        match error {
            Error::Timeout(_) => Broken::TimeUp,
            Error::HostNotFound => Broken::NoSuchHost,
            Error::ConnectionFailed => Broken::Unreachable("no connection".to_owned()),
            Error::Io(error) => of_io(error),
            Error::Tls(_) | Error::Pem(_) | Error::TlsRequired => {
                Broken::Tls("encryption could not be agreed".to_owned())
            }
            Error::Rustls(error) => Broken::Tls(error.to_string()),
            Error::InvalidProxyUrl | Error::ConnectProxyFailed(_) => Broken::Proxy,
            Error::LargeResponseHeader(..) => Broken::Malformed("its headers are too large"),
            Error::Decompress(..) => Broken::Malformed("it cannot be unpacked"),
            Error::BodyStalled | Error::BodyExceedsLimit(_) => Broken::CutShort,
            Error::Protocol(_) | Error::Http(_) | Error::BadUri(_) => {
                Broken::Malformed("it is no HTTP")
            }
            _ => Broken::Malformed("it cannot be used"),
        }
    }

    fn of_io(error: &io::Error) -> Broken {
        if let Some(inner) = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<Error>())
        {
            return broken(inner);
        }
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Broken::TimeUp,
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Broken::CutShort,
            io::ErrorKind::InvalidData => Broken::Tls(error.to_string()),
            kind => Broken::Unreachable(kind.to_string()),
        }
    }

    /// What broke while a body was read.
    pub(in super::super) fn of_body(error: &io::Error, host: &str, ms: u64, what: &str) -> CiError {
        let wrong = |why: &str| CiError::WrongAnswer {
            host: host.to_owned(),
            what: what.to_owned(),
            why: why.to_owned(),
        };
        match of_io(error) {
            Broken::Malformed(why) => wrong(why),
            Broken::Tls(_) | Broken::Unreachable(_) => wrong("it cannot be unpacked"),
            other => other.told(host, ms),
        }
    }
}
