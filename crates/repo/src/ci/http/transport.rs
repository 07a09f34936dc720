//! The HTTP client: a library with every surprising convenience switched off (redirects, proxies,
//! retries, status errors).

use std::io;
use std::time::Duration;

use super::CiReply;
use crate::ci::access::CiAccess;
use crate::ci::address::Address;
use crate::ci::error::CiError;

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
    ) -> Result<CiReply, CiError> {
        Err(CiError::NotBuilt)
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
    use grounds_http::HttpBroken;
    use ureq::{Agent, Proxy};

    use super::{Address, CiAccess, CiError, CiReply, Duration, io};

    /// The headers that are used.
    const HEADERS: [&str; 6] = [
        "location",
        "link",
        "retry-after",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "ratelimit-reset",
    ];
    /// Bytes of all headers of one response.
    const HEADERS_BYTES_MAX: usize = 64 << 10;
    /// Connections that are kept open for the next request.
    const IDLE_CONNECTIONS_MAX: usize = 3;

    /// The way through the network.
    #[derive(Debug)]
    pub(in super::super) struct Transport {
        direct: Agent,
        access: CiAccess,
    }

    impl Transport {
        /// Returns the transport that the person's settings allow.
        pub(in super::super) fn new(access: &CiAccess) -> Result<Self, CiError> {
            Ok(Self {
                direct: agent(access, None)?,
                access: access.clone(),
            })
        }

        /// Sends one request; its body is read within the same time.
        pub(in super::super) fn get(
            &self,
            address: &Address,
            headers: &[(&'static str, String)],
            within: Duration,
        ) -> Result<CiReply, CiError> {
            let host = &address.host;
            let ms = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
            let agent = match self.access.proxy_to(address) {
                None => self.direct.clone(),
                // An agent has one proxy, so a request through a proxy gets an agent of its own.
                Some(proxy) => {
                    let proxy = Proxy::new(proxy).map_err(|_| told(HttpBroken::Proxy, host, ms))?;
                    agent(&self.access, Some(proxy))?
                }
            };
            let request = agent
                .get(address.to_string())
                .config()
                .timeout_global(Some(within))
                .build();
            let request = headers.iter().fold(request, |request, (name, value)| {
                request.header(*name, value)
            });
            let response = request
                .call()
                .map_err(|error| told(grounds_http::of_library(&error), host, ms))?;
            let status = response.status().as_u16();
            let value = |name: &'static str| {
                response
                    .headers()
                    .get(name)
                    .and_then(|value| value.to_str().ok())
                    .map(|value| (name, value.to_owned()))
            };
            let headers = HEADERS.into_iter().filter_map(value).collect();
            Ok(CiReply {
                status,
                headers,
                body: Box::new(
                    response
                        .into_body()
                        .into_with_config()
                        // The caller bounds what it reads of the body.
                        .limit(u64::MAX)
                        .reader(),
                ),
            })
        }
    }

    fn agent(access: &CiAccess, proxy: Option<Proxy>) -> Result<Agent, CiError> {
        let config = grounds_http::config(grounds_http::ClientOptions {
            user_agent: concat!("grounds/", env!("CARGO_PKG_VERSION")),
            headers_bytes_max: HEADERS_BYTES_MAX,
            connect_within: None,
            idle_connections_max: IDLE_CONNECTIONS_MAX,
            certificates: access.network.certificates.as_deref(),
            proxy,
        });
        Ok(config.map_err(|_| CiError::Certificates)?.new_agent())
    }

    /// Returns the error for a host that had so many milliseconds.
    fn told(broken: HttpBroken, host: &str, ms: u64) -> CiError {
        let host = host.to_owned();
        let wrong = |why: &str| CiError::WrongAnswer {
            host: host.clone(),
            what: "a request".to_owned(),
            why: why.to_owned(),
        };
        match broken {
            HttpBroken::ConnectTimeUp | HttpBroken::TimeUp => CiError::TimeUp { host, ms },
            // No bound is set on a body here, so `TooLarge` cannot be about one of ours.
            HttpBroken::CutShort(_) | HttpBroken::TooLarge(_) => CiError::CutShort { host },
            HttpBroken::NoSuchHost => CiError::NoSuchHost { host },
            HttpBroken::Unreachable(why) => CiError::Unreachable { host, why },
            HttpBroken::Tls(why) | HttpBroken::Invalid(why) => CiError::Tls { host, why },
            HttpBroken::Proxy => CiError::Proxy { host },
            HttpBroken::Headers => wrong("its headers are too large"),
            HttpBroken::Packed => wrong("it cannot be unpacked"),
            HttpBroken::NotHttp => wrong("it is not HTTP"),
            HttpBroken::Unusable => wrong("it cannot be used"),
        }
    }

    /// Returns the error of a body. Encryption is agreed by then, so wrong bytes are those of the
    /// packing.
    pub(in super::super) fn of_body(error: &io::Error, host: &str, ms: u64, what: &str) -> CiError {
        let broken = match grounds_http::of_io(error) {
            HttpBroken::Tls(_) | HttpBroken::Invalid(_) | HttpBroken::Unreachable(_) => {
                HttpBroken::Packed
            }
            other => other,
        };
        match told(broken, host, ms) {
            CiError::WrongAnswer { host, why, .. } => {
                let what = what.to_owned();
                CiError::WrongAnswer { host, what, why }
            }
            other => other,
        }
    }
}
