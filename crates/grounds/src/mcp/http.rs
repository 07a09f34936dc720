//! The server over HTTP on this machine: a client without the token sees nothing, and neither does
//! a page in a browser. The SDK and the handler interpret the messages.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, Limited};
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

/// Connections at one time. Past them, the oldest on which nothing is asked gives way; if there is
/// none, further ones wait to be accepted.
const CONNECTIONS_MAX: usize = 128;
/// Seconds that a client has to send the body of a request.
const BODY_S_MAX: u64 = 10;
/// Sessions at one time; one more is refused until another has ended.
const SESSIONS_MAX: usize = 64;
/// Seconds that a client has to send the head of a request.
const HEAD_S_MAX: u64 = 10;
/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// The header that names a session; a request without it may begin one.
const SESSION_HEADER: &str = "mcp-session-id";

type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

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
        // A page in a browser may reach this address under a name of its own that resolves here.
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

    /// Returns the response to a request that is refused, or `None` if it is accepted.
    async fn refusal(&self, request: &Request<Incoming>) -> Option<HttpAnswer> {
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
        // A session stays until it is idle for long, so that any number of them could fill the
        // memory.
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
        // Of two headers nobody knows which one a proxy before this server has checked.
        let (Some(one), None) = (given.next(), given.next()) else {
            return false;
        };
        let token = one
            .as_bytes()
            .split_first_chunk::<7>()
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"bearer "));
        token.is_some_and(|(_, token)| {
            // The time must not say how much of a guess is right.
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
    let (service, places, idle) = (
        door.service(address),
        Arc::new(Semaphore::new(CONNECTIONS_MAX)),
        Idle::default(),
    );
    loop {
        let accepted = tokio::select! {
            () = over.cancelled() => return Ok(()),
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // As when no file can be opened: others end soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Silent connections that stayed open kept everybody else out.
        if places.available_permits() == 0 {
            idle.end_oldest();
        }
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return Ok(());
        };
        let (door, service, seat) = (door.clone(), service.clone(), idle.enter());
        tokio::spawn(async move {
            serve(stream, door, service, seat).await;
            drop(place);
        });
    }
}

/// Connections on which nothing is asked, the oldest first. If all places are taken they give way,
/// so that a client that opens many and says nothing, or says it slowly, keeps nobody waiting.
#[derive(Clone, Default)]
struct Idle(Arc<Mutex<BTreeMap<u64, CancellationToken>>>, Arc<AtomicU64>);

/// A connection among them.
#[derive(Clone)]
struct Seat {
    idle: Idle,
    number: u64,
    end: CancellationToken,
}

impl Idle {
    fn enter(&self) -> Seat {
        let number = self.1.fetch_add(1, Ordering::Relaxed);
        let seat = Seat {
            idle: self.clone(),
            number,
            end: CancellationToken::new(),
        };
        seat.wait();
        seat
    }

    fn end_oldest(&self) {
        if let Some((_, end)) = self.all().pop_first() {
            end.cancel();
        }
    }

    fn all(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, CancellationToken>> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Seat {
    /// Marks that the connection has no request now.
    fn wait(&self) {
        self.idle.all().insert(self.number, self.end.clone());
    }

    /// Marks that the connection has a request, or has ended.
    fn leave(&self) {
        self.idle.all().remove(&self.number);
    }
}

/// Reads the whole body of a request, if it comes in time and within its bound.
async fn whole(
    request: Request<Incoming>,
    bytes_max: usize,
) -> Result<Request<Full<Bytes>>, HttpAnswer> {
    let (head, body) = request.into_parts();
    let read = Limited::new(body, bytes_max).collect();
    match tokio::time::timeout(Duration::from_secs(BODY_S_MAX), read).await {
        Ok(Ok(body)) => Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
        Ok(Err(_)) => Err(refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body is too large, or broke off",
        )),
        Err(_) => Err(refused(
            StatusCode::REQUEST_TIMEOUT,
            "the body did not come in time",
        )),
    }
}

async fn serve(
    stream: TcpStream,
    door: Door,
    service: StreamableHttpService<Handler, LocalSessionManager>,
    seat: Seat,
) {
    let over = door.over.clone();
    let mine = seat.clone();
    let answer = hyper::service::service_fn(move |request| {
        let (door, service, seat) = (door.clone(), service.clone(), mine.clone());
        async move {
            if let Some(refusal) = door.refusal(&request).await {
                return Ok(refusal);
            }
            // Until its body is here it gives way to others.
            let request = match whole(request, door.message_bytes_max).await {
                Ok(request) => request,
                Err(refusal) => return Ok::<_, Infallible>(refusal),
            };
            seat.leave();
            Ok(service.handle(request).await)
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        // hyper has no clock of its own: a read timeout needs this.
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(HEAD_S_MAX))
        .max_buf_size(HEAD_BYTES_MAX);
    tokio::select! {
        // A broken connection is the client's matter.
        _ = builder.serve_connection(TokioIo::new(stream), answer) => {}
        () = seat.end.cancelled() => {}
        () = over.cancelled() => {}
    }
    seat.leave();
}

fn refused(status: StatusCode, why: &'static str) -> HttpAnswer {
    let mut answer = Response::new(Full::new(Bytes::from_static(why.as_bytes())).boxed());
    *answer.status_mut() = status;
    // HTTP demands this header in a response with 401.
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(
            WWW_AUTHENTICATE,
            hyper::header::HeaderValue::from_static("Bearer"),
        );
    }
    answer
}
