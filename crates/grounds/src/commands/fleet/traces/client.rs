//! The connection to a collector: the exporter's requests through the client that models and pages
//! use, each with a time limit and a limit on the size of the response.

use std::future::{Future, ready};
use std::io::Read as _;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use grounds_http::{ClientOptions, HttpBroken, of_io, of_library};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, ResponseBodyTooLarge};
use ureq::{Agent, Proxy};

use super::answer::Tally;
use super::settings::TraceSettings;

/// Bytes of all headers of one answer.
const HEADERS_BYTES_MAX: usize = 64 << 10;
/// Bytes of the body of one answer.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// Connections that are kept open for the next request.
const IDLE_CONNECTIONS_MAX: usize = 1;

/// The connection to one collector.
#[derive(Debug)]
pub(super) struct CollectorClient {
    agent: Agent,
    within: Duration,
    tally: Arc<Tally>,
}

impl CollectorClient {
    /// Returns a connection as the settings of the person allow it.
    ///
    /// # Errors
    /// Words for a proxy or a file of certificates that cannot be used.
    pub(super) fn new(settings: &TraceSettings, tally: Arc<Tally>) -> Result<Self, String> {
        let network = &settings.network;
        // The reasons of the library are left out: the address of a proxy may have a password.
        let proxy = network
            .proxy_to(&settings.host, settings.is_local())
            .map(Proxy::new)
            .transpose()
            .map_err(|_| "the proxy cannot be used")?;
        let config = grounds_http::config(ClientOptions {
            user_agent: concat!("grounds/", env!("CARGO_PKG_VERSION")),
            headers_bytes_max: HEADERS_BYTES_MAX,
            // `within` is the limit of a whole request, the connection included.
            connect_within: None,
            idle_connections_max: IDLE_CONNECTIONS_MAX,
            certificates: network.certificates.as_deref(),
            proxy,
        });
        Ok(Self {
            agent: config
                .map_err(|_| "the file of certificates cannot be used")?
                .new_agent(),
            within: settings.within,
            tally,
        })
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let broken = |broken: HttpBroken| -> HttpError {
            let why = words(&broken);
            self.tally.failed(why);
            why.into()
        };
        let request = self
            .agent
            .configure_request(request.map(|body| body.to_vec()))
            .timeout_global(Some(self.within))
            .build();
        let answer = self.agent.run(request);
        let (head, body) = answer
            .map_err(|error| broken(of_library(&error)))?
            .into_parts();
        let mut bytes = Vec::new();
        body.into_with_config()
            // `take` below has the bound, and an error in our words.
            .limit(u64::MAX)
            .reader()
            .take(ANSWER_BYTES_MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| broken(of_io(&error)))?;
        if bytes.len() as u64 > ANSWER_BYTES_MAX {
            self.tally.failed("its answer is too large");
            return Err(Box::new(ResponseBodyTooLarge::new()));
        }
        self.tally.answered(head.status.as_u16(), &bytes);
        Ok(Response::from_parts(head, bytes.into()))
    }
}

impl HttpClient for CollectorClient {
    // The thread that exports does nothing else, so that it may wait here.
    fn send_bytes<'s, 'f>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(ready(self.send(request)))
    }
}

/// Returns what broke, without the address and without words of the other side, which may contain a
/// password.
const fn words(broken: &HttpBroken) -> &'static str {
    match broken {
        HttpBroken::ConnectTimeUp | HttpBroken::TimeUp => "it did not answer in time",
        HttpBroken::NoSuchHost => "its host is not known",
        HttpBroken::Unreachable(_) => "nothing listens there, or nothing gets through",
        HttpBroken::Tls(_) => "encryption could not be agreed",
        HttpBroken::Proxy => "the proxy does not do its work",
        HttpBroken::CutShort(_) => "the connection ended in the middle",
        HttpBroken::TooLarge(_)
        | HttpBroken::Headers
        | HttpBroken::Packed
        | HttpBroken::Invalid(_)
        | HttpBroken::NotHttp
        | HttpBroken::Unusable => "its answer is not HTTP that can be read",
    }
}
