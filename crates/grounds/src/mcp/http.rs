//! The server over HTTP on this machine: who does not have the token is shown
//! nothing, and a page in a browser neither. What a message means is the SDK's
//! matter and the handler's.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::handler::Handler;

/// Connections at one time; further ones wait to be accepted.
const CONNECTIONS_MAX: usize = 128;
/// Sessions at one time; one more is refused until another has ended.
const SESSIONS_MAX: usize = 64;
/// Seconds that a client has to send the head of a request.
const HEAD_S_MAX: u64 = 10;
/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// The header that names a session; a request without it may begin one.
const SESSION_HEADER: &str = "mcp-session-id";

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The door of the server.
#[derive(Clone)]
pub(super) struct Door {
    handler: Handler,
    sessions: Arc<LocalSessionManager>,
    token: Arc<str>,
    message_bytes_max: usize,
    over: CancellationToken,
}

impl Door {
    pub(super) fn new(
        handler: Handler,
        token: String,
        message_bytes_max: usize,
        over: CancellationToken,
    ) -> Self {
        Self {
            handler,
            sessions: Arc::default(),
            token: token.into(),
            message_bytes_max,
            over,
        }
    }

    fn service(&self, address: SocketAddr) -> StreamableHttpService<Handler, LocalSessionManager> {
        let port = address.port();
        let hosts = [
            address.to_string(),
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ];
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(hosts)
            .enforce_origin_validation()
            .with_max_request_body_bytes(self.message_bytes_max)
            .with_cancellation_token(self.over.child_token());
        let handler = self.handler.clone();
        StreamableHttpService::new(
            move || Ok(handler.anew()),
            Arc::clone(&self.sessions),
            config,
        )
    }

    /// Why a request is not let in; none where it is.
    async fn refusal(&self, request: &Request<Incoming>) -> Option<Answer> {
        if !self.knows_token(request) {
            return Some(refused(
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong: send `Authorization: Bearer TOKEN`",
            ));
        }
        if !request.headers().contains_key(HOST) && request.uri().authority().is_none() {
            return Some(refused(
                StatusCode::BAD_REQUEST,
                "the header `Host` is missing",
            ));
        }
        let bytes: usize = request
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if bytes > HEAD_BYTES_MAX {
            return Some(refused(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "the headers have more than 64 KiB",
            ));
        }
        let begins = request.method() == hyper::Method::POST
            && !request.headers().contains_key(SESSION_HEADER);
        if begins && self.sessions.sessions.read().await.len() >= SESSIONS_MAX {
            return Some(refused(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many sessions: end one, or wait until an idle one ends",
            ));
        }
        None
    }

    fn knows_token(&self, request: &Request<Incoming>) -> bool {
        let mut given = request.headers().get_all(AUTHORIZATION).iter();
        let (Some(one), None) = (given.next(), given.next()) else {
            return false;
        };
        let token = one
            .as_bytes()
            .split_first_chunk::<7>()
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"bearer "));
        token.is_some_and(|(_, token)| {
            constant_time_eq::constant_time_eq(token.trim_ascii(), self.token.as_bytes())
        })
    }
}

/// Serves until it is over.
pub(super) async fn listen(
    address: SocketAddr,
    door: &Door,
    over: &CancellationToken,
    on_listening: &dyn Fn(SocketAddr),
) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    on_listening(address);
    let (service, places) = (
        door.service(address),
        Arc::new(Semaphore::new(CONNECTIONS_MAX)),
    );
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return Ok(());
        };
        let accepted = tokio::select! {
            () = over.cancelled() => return Ok(()),
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // As when no file can be opened: others end soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (door, service) = (door.clone(), service.clone());
        tokio::spawn(async move {
            serve(stream, door, service).await;
            drop(place);
        });
    }
}

async fn serve(
    stream: TcpStream,
    door: Door,
    service: StreamableHttpService<Handler, LocalSessionManager>,
) {
    let over = door.over.clone();
    let answer = hyper::service::service_fn(move |request| {
        let (door, service) = (door.clone(), service.clone());
        async move {
            Ok::<_, Infallible>(match door.refusal(&request).await {
                Some(refusal) => refusal,
                None => service.handle(request).await,
            })
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(HEAD_S_MAX))
        .max_buf_size(HEAD_BYTES_MAX);
    tokio::select! {
        // What a connection breaks by is the client's matter.
        _ = builder.serve_connection(TokioIo::new(stream), answer) => {}
        () = over.cancelled() => {}
    }
}

fn refused(status: StatusCode, why: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(why.as_bytes())).boxed());
    *answer.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(
            WWW_AUTHENTICATE,
            hyper::header::HeaderValue::from_static("Bearer"),
        );
    }
    answer
}
