//! `grounds serve`: the runs that were kept, in a browser of this machine.
//!
//! It listens on 127.0.0.1 alone, and answers only who asks for it by that name
//! (no other site can reach it by a name of its own that leads here) and who knows
//! the token that was printed. It only reads, and every wait, list and size of a
//! request has a bound.

use std::convert::Infallible;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::print;
use super::show::present;
use crate::cli::{Global, Serve};
use crate::ended::JobKind;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::html::{self, List};
use crate::store::{Extent, Query, Store, StoreError};

/// Connections at one time.
const CONNECTIONS_MAX: usize = 32;
/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 16 << 10;
/// Milliseconds until the head of a request is there.
const HEAD_MS_MAX: u64 = 5_000;
/// Milliseconds of one connection.
const CONNECTION_MS_MAX: u64 = 60_000;
/// Milliseconds until the next is tried where no connection could be taken.
const ACCEPT_PAUSE_MS: u64 = 50;
/// Runs of a page of the list.
const RUNS_STEP: u64 = 50;
/// Letters of what is looked for.
const WORDS_LETTERS_MAX: usize = 200;
/// Words of it.
const WORDS_MAX: usize = 16;

/// What a request is answered from.
struct Served {
    /// The first part of every path: without it nothing is shown.
    token: String,
    /// The names by which this server may be asked for.
    hosts: [String; 2],
    /// How the store is opened.
    open: Box<dyn Fn() -> Result<Option<Store>, Error> + Send + Sync>,
    bounds: crate::store::Bounds,
}

/// An answer: its status and its page.
type Answer = (StatusCode, String);

pub(super) fn run(arguments: &Serve, global: &Global) -> Result<Exit, Error> {
    let wrong = |port: u16| move |error: std::io::Error| Error::Serve { port, reason: error.to_string() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(wrong(arguments.port))?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port))).await.map_err(wrong(arguments.port))?;
        let port = listener.local_addr().map_err(wrong(arguments.port))?.port();
        let served = served(port, global)?;
        print(Exit::Answered, &mut |out| writeln!(out, "http://127.0.0.1:{port}/{}/", served.token))?;
        if !global.quiet {
            let _ = writeln!(std::io::stderr().lock(), "serving the runs that are kept, to this machine alone; Ctrl-C ends it");
        }
        accept(listener, Arc::new(served)).await.map_err(wrong(port))
    })
}

fn served(port: u16, global: &Global) -> Result<Served, Error> {
    let bounds = match present(global)? {
        Ok(store) => store.bounds(),
        Err(bounds) => bounds,
    };
    let file = crate::store::file()?;
    let token = token().map_err(|reason| Error::Serve { port, reason })?;
    let open = move || match file.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Ok(_) | Err(_) => Ok(Some(Store::open_at(&file, bounds)?)),
    };
    Ok(Served { token, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")], open: Box::new(open), bounds })
}

/// What only who was told can know: 128 bits of the system's chance.
fn token() -> Result<String, String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random bytes: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn accept(listener: TcpListener, served: Arc<Served>) -> std::io::Result<Exit> {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(Exit::Answered) };
        match listener.accept().await {
            Ok((stream, _)) => {
                let served = Arc::clone(&served);
                tokio::spawn(async move {
                    let _ = tokio::time::timeout(Duration::from_millis(CONNECTION_MS_MAX), converse(stream, served)).await;
                    drop(place);
                });
            }
            // A connection that is gone already, or no descriptor left: the next may fare better.
            Err(_) => tokio::time::sleep(Duration::from_millis(ACCEPT_PAUSE_MS)).await,
        }
    }
}

async fn converse(stream: TcpStream, served: Arc<Served>) -> Result<(), hyper::Error> {
    let service = service_fn(move |request: Request<Incoming>| {
        let response = respond(&served, &request);
        async move { Ok::<_, Infallible>(response) }
    });
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(HEAD_MS_MAX))
        .max_buf_size(HEAD_BYTES_MAX)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
        .await
}

fn respond(served: &Served, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let (status, page) = match refused(served, request) {
        Some(refused) => refused,
        None => answer(served, request.uri().path(), request.uri().query().unwrap_or_default()),
    };
    let mut response = Response::new(Full::new(Bytes::from(page)));
    *response.status_mut() = status;
    let policy = format!("{}; frame-ancestors 'none'", html::policy(true));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.extend(HeaderValue::from_str(&policy).ok().map(|policy| (CONTENT_SECURITY_POLICY, policy)));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("GET"));
    }
    response
}

/// Who asks by another name, or for more than to read, gets nothing.
fn refused(served: &Served, request: &Request<Incoming>) -> Option<Answer> {
    let mut named = request.headers().get_all(HOST).iter();
    let host = named.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_known = |name: &str| served.hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_ours = is_known(host) && named.next().is_none() && request.uri().authority().is_none_or(|name| is_known(name.as_str()));
    if !is_ours {
        return Some(message(StatusCode::MISDIRECTED_REQUEST, "Not here", "This server is asked by another name than its own.", None));
    }
    (request.method() != Method::GET).then(|| {
        message(StatusCode::METHOD_NOT_ALLOWED, "Only reading", "This server only shows: it knows no other method than GET.", None)
    })
}

fn message(status: StatusCode, title: &str, text: &str, list: Option<&str>) -> Answer {
    (status, html::of_message(title, text, list))
}

/// The page for a path.
fn answer(served: &Served, path: &str, query: &str) -> Answer {
    let unknown = || message(StatusCode::NOT_FOUND, "Nothing here", "Use the whole address that `grounds serve` printed.", None);
    let Some((token, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else { return unknown() };
    if !is_same(token, &served.token) {
        return unknown();
    }
    let shown = match rest.strip_prefix("runs/") {
        Some(id) => of_run(served, id),
        None if rest.is_empty() => of_list(served, query),
        None => return message(StatusCode::NOT_FOUND, "Nothing here", "There is no such page.", Some(&format!("/{token}/"))),
    };
    shown.unwrap_or_else(|error| of_error(&error, token))
}

/// Compares without telling by the time it takes how much fits.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |differences, (one, other)| differences | (one ^ other)) == 0
}

fn of_error(error: &Error, token: &str) -> Answer {
    let status = match error {
        Error::Store(StoreError::NoSuchRun(_) | StoreError::Ambiguous { .. } | StoreError::Empty) => StatusCode::NOT_FOUND,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    message(status, "Not shown", &format!("{error}; try: {}", error.advice()), Some(&format!("/{token}/")))
}

fn of_run(served: &Served, id: &str) -> Result<Answer, Error> {
    let store = (served.open)()?.ok_or_else(|| StoreError::NoSuchRun(id.to_owned()))?;
    let run = store.find(id)?;
    let page = html::of_served_run(&run, "../").map_err(|reason| Error::Kept { run: run.head.id.clone(), reason })?;
    Ok((StatusCode::OK, page))
}

fn of_list(served: &Served, query: &str) -> Result<Answer, Error> {
    let (mut words, mut kind, mut skipped) = (String::new(), None, 0);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match name.as_ref() {
            "q" => words = value.chars().take(WORDS_LETTERS_MAX).collect(),
            "kind" => kind = JobKind::of_word(&value),
            "skip" => skipped = value.parse::<u32>().map_or(0, u64::from),
            _ => {}
        }
    }
    let query = Query { kind, words: words.split_whitespace().take(WORDS_MAX).map(str::to_owned).collect(), runs_max: RUNS_STEP, skipped };
    let (heads, fitting, extent) = match (served.open)()? {
        Some(store) => (store.list(&query)?, store.count(&query)?, store.extent()?),
        None => (Vec::new(), 0, Extent::default()),
    };
    let list = List { heads: &heads, fitting, words: &words, kind, skipped, step: RUNS_STEP, extent: &extent, bounds: served.bounds };
    Ok((StatusCode::OK, html::of_list(&list)))
}
