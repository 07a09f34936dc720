//! `grounds serve`: the kept runs, in a browser on this machine.
//!
//! It listens on 127.0.0.1 only, and answers only requests for that name (another site cannot reach
//! it under a name of its own that resolves here) with the token that was printed. It only reads,
//! and every wait, list and size of a request has a bound.

#[cfg(feature = "fleet")]
mod fleet;

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::show::present;
use super::{links, print};
use crate::cli::{Global, Serve};
use crate::ended::JobKind;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::html::{self, EditorForm, List};
use crate::store::{Extent, RunQuery, Store, StoreError};

/// Connections at one time. Past them, the oldest that has said nothing yet gives way; if there is
/// none, the new one is closed.
const CONNECTIONS_MAX: usize = 32;
/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 16 << 10;
/// Lines of the head of a request.
const HEAD_LINES_MAX: usize = 64;
/// Milliseconds in which the head of a request must arrive.
const HEAD_MS_MAX: u64 = 5_000;
/// Milliseconds that a part of the answer may take to leave.
const WRITE_MS_MAX: u64 = 20_000;
/// Milliseconds until the next attempt after a connection could not be accepted.
const ACCEPT_PAUSE_MS: u64 = 50;
/// Runs of a page of the list.
const RUNS_STEP: u64 = 50;
/// Letters of a search.
const WORDS_LETTERS_MAX: usize = 200;
/// Words of it.
const WORDS_MAX: usize = 16;

/// The sources of an answer to a request.
struct Served {
    /// The first part of every path: without it nothing is shown.
    token: String,
    /// The names by which this server may be asked for.
    hosts: [String; 2],
    /// The function that opens the store.
    open: Box<dyn Fn() -> Result<Option<Store>, Error> + Send + Sync>,
    bounds: crate::store::StoreBounds,
    /// The editor that the person chose.
    editor: Option<EditorForm>,
    #[cfg(feature = "fleet")]
    fleet: fleet::Fleet,
}

/// The list of runs of a fleet, from the list of runs.
const FLEET: Option<&str> = if cfg!(feature = "fleet") {
    Some("fleet/")
} else {
    None
};

/// The answer of a server to a request, by its number and its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Shown,
    NotUnderstood,
    NotThere,
    OnlyReading,
    TooSlow,
    NotHere,
    TooLong,
    Broken,
    #[cfg(feature = "fleet")]
    NotNow,
}

impl Status {
    const fn line(self) -> &'static str {
        match self {
            Self::Shown => "200 OK",
            Self::NotUnderstood => "400 Bad Request",
            Self::NotThere => "404 Not Found",
            Self::OnlyReading => "405 Method Not Allowed",
            Self::TooSlow => "408 Request Timeout",
            Self::NotHere => "421 Misdirected Request",
            Self::TooLong => "431 Request Header Fields Too Large",
            Self::Broken => "500 Internal Server Error",
            #[cfg(feature = "fleet")]
            Self::NotNow => "503 Service Unavailable",
        }
    }
}

/// An answer: its status and its page.
type StatusAndPage = (Status, String);

/// The parts of a request that are read.
struct RequestLine {
    method: String,
    target: String,
    hosts: Vec<String>,
}

pub(super) fn run(arguments: &Serve, global: &Global) -> Result<Exit, Error> {
    let wrong = |port: u16| {
        move |error: io::Error| Error::Serve {
            port,
            reason: error.to_string(),
        }
    };
    // It listens before its address is printed, so that whoever opens it at once gets an answer.
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port)))
        .map_err(wrong(arguments.port))?;
    // Port 0 lets the system choose one.
    let port = listener.local_addr().map_err(wrong(arguments.port))?.port();
    let served = Arc::new(served(port, global)?);
    print(Exit::Answered, &mut |out| {
        writeln!(out, "http://127.0.0.1:{port}/{}/", served.token)
    })?;
    if !global.quiet {
        let _ = writeln!(
            io::stderr().lock(),
            "serving the runs that are kept, to this machine alone; Ctrl-C ends it"
        );
    }
    accept(&listener, &served)
}

/// Takes connections forever, each on a thread of its own.
fn accept(listener: &TcpListener, served: &Arc<Served>) -> ! {
    let places = Arc::new(ConnectionPlaces::default());
    loop {
        // A connection that is gone already, or no descriptor left: the next may fare better.
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(ACCEPT_PAUSE_MS));
            continue;
        };
        let served = Arc::clone(served);
        if let Some(place) = ConnectionPlaces::take(&places, &stream) {
            // If no thread can be made, the connection is dropped, and its place with it.
            let _ = std::thread::Builder::new().spawn(move || {
                let _ = converse(stream, &served, &place);
                drop(place);
            });
        }
    }
}

/// The places for connections. If all are taken, the oldest that has not yet said what it wants
/// gives way: a client that opens many and says nothing keeps nobody waiting.
#[derive(Default)]
struct ConnectionPlaces {
    taken: Mutex<Vec<TakenPlace>>,
    next: AtomicU64,
}

/// A place that is taken.
struct TakenPlace {
    number: u64,
    stream: TcpStream,
    has_asked: bool,
}

/// One of the places, given back when it is dropped.
struct ConnectionPlace {
    places: Arc<ConnectionPlaces>,
    number: u64,
}

impl ConnectionPlaces {
    fn take(places: &Arc<Self>, stream: &TcpStream) -> Option<ConnectionPlace> {
        let number = places.next.fetch_add(1, Ordering::Relaxed);
        let stream = stream.try_clone().ok()?;
        let mut taken = places.taken();
        if taken.len() >= CONNECTIONS_MAX {
            // The stream is shut down and not only dropped: its thread waits for it in a read.
            let silent = taken.iter().position(|place| !place.has_asked)?;
            let _ = taken.remove(silent).stream.shutdown(Shutdown::Both);
        }
        taken.push(TakenPlace {
            number,
            stream,
            has_asked: false,
        });
        drop(taken);
        Some(ConnectionPlace {
            places: Arc::clone(places),
            number,
        })
    }

    fn taken(&self) -> std::sync::MutexGuard<'_, Vec<TakenPlace>> {
        self.taken
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl ConnectionPlace {
    /// Marks that it has said what it wants: from now on it gives way to nobody.
    fn has_asked(&self) {
        let mut taken = self.places.taken();
        if let Some(mine) = taken.iter_mut().find(|place| place.number == self.number) {
            mine.has_asked = true;
        }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.places
            .taken()
            .retain(|place| place.number != self.number);
    }
}

/// Reads one request and writes its answer.
fn converse(mut stream: TcpStream, served: &Served, place: &ConnectionPlace) -> io::Result<()> {
    stream.set_write_timeout(Some(Duration::from_millis(WRITE_MS_MAX)))?;
    let (status, page) = match asked(&mut stream)? {
        Ok(asked) => {
            place.has_asked();
            respond(served, &asked)
        }
        Err(status) => message(
            status,
            "Not understood",
            "This is not a request of a browser.",
            None,
        ),
    };
    stream.write_all(head(status, page.len()).as_bytes())?;
    stream.write_all(page.as_bytes())?;
    // Unread bytes of the request would make the other side lose the answer.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(ACCEPT_PAUSE_MS)))?;
    let _ = io::copy(&mut stream.take(HEAD_BYTES_MAX as u64), &mut io::sink());
    Ok(())
}

/// Reads the head of a request, within its bounds of bytes and of time.
fn asked(stream: &mut TcpStream) -> io::Result<Result<RequestLine, Status>> {
    let start = Instant::now();
    let mut bytes = Vec::new();
    loop {
        // The limit is for the whole head: a client that sends one byte a second would never meet
        // one for each read.
        let left = Duration::from_millis(HEAD_MS_MAX).saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(Err(Status::TooSlow));
        }
        stream.set_read_timeout(Some(left))?;
        let mut part = [0_u8; 2 << 10];
        let read = match stream.read(&mut part) {
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                ) =>
            {
                return Ok(Err(Status::TooSlow));
            }
            read => read?,
        };
        bytes.extend_from_slice(&part[..read]);
        match parsed(&bytes) {
            // The client has closed its side in the middle of the head.
            Ok(None) if read == 0 => return Ok(Err(Status::NotUnderstood)),
            Ok(None) if bytes.len() > HEAD_BYTES_MAX => return Ok(Err(Status::TooLong)),
            Ok(None) => {}
            Ok(Some(asked)) => return Ok(Ok(asked)),
            Err(status) => return Ok(Err(status)),
        }
    }
}

/// Parses the head; `None` if it is not complete.
fn parsed(bytes: &[u8]) -> Result<Option<RequestLine>, Status> {
    let mut lines = [httparse::EMPTY_HEADER; HEAD_LINES_MAX];
    let mut request = httparse::Request::new(&mut lines);
    match request.parse(bytes) {
        Err(httparse::Error::TooManyHeaders) => Err(Status::TooLong),
        Err(_) => Err(Status::NotUnderstood),
        Ok(httparse::Status::Partial) => Ok(None),
        Ok(httparse::Status::Complete(_)) => {
            // All of them are kept: `respond` refuses a request with two hosts.
            let hosts = request
                .headers
                .iter()
                .filter(|line| line.name.eq_ignore_ascii_case("host"));
            Ok(Some(RequestLine {
                method: request.method.unwrap_or_default().to_owned(),
                target: request.path.unwrap_or_default().to_owned(),
                hosts: hosts
                    .map(|line| String::from_utf8_lossy(line.value).trim().to_owned())
                    .collect(),
            }))
        }
    }
}

fn head(status: Status, length: usize) -> String {
    let allow = if status == Status::OnlyReading {
        "Allow: GET\r\n"
    } else {
        ""
    };
    format!(
        // The token is a part of every address, so no page may name its own as a referrer, and no
        // cache may keep it.
        "HTTP/1.1 {}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n{allow}\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Content-Security-Policy: {}; frame-ancestors 'none'\r\n\r\n",
        status.line(),
        html::policy(true)
    )
}

fn served(port: u16, global: &Global) -> Result<Served, Error> {
    let bounds = match present(global)? {
        Ok(store) => store.bounds(),
        Err(bounds) => bounds,
    };
    let file = crate::store::file()?;
    let token = token().map_err(|reason| Error::Serve { port, reason })?;
    // The store is opened for each request, so that a run that ends meanwhile is shown. Looking
    // makes none.
    let open = move || match file.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Ok(_) | Err(_) => Ok(Some(Store::open_at(&file, bounds)?)),
    };
    Ok(Served {
        token,
        hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        open: Box::new(open),
        bounds,
        editor: links::editor(),
        #[cfg(feature = "fleet")]
        fleet: fleet::Fleet::new(global)?,
    })
}

/// Returns what only the reader of the address can know: 128 random bits from the system.
fn token() -> Result<String, String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the system gives no random bytes: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the answer to a request. A request for another host name, or for more than reading, gets
/// nothing.
fn respond(served: &Served, asked: &RequestLine) -> StatusAndPage {
    let is_known = |name: &str| {
        served
            .hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    };
    // A whole address in the place of a path names another server, or this one in a form that no
    // browser uses.
    if asked.hosts.len() != 1 || !is_known(&asked.hosts[0]) || !asked.target.starts_with('/') {
        return message(
            Status::NotHere,
            "Not here",
            "This server is asked by another name than its own.",
            None,
        );
    }
    if asked.method != "GET" {
        return message(
            Status::OnlyReading,
            "Only reading",
            "This server only shows: it knows no other method than GET.",
            None,
        );
    }
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    answer(served, path, query)
}

fn message(status: Status, title: &str, text: &str, list: Option<&str>) -> StatusAndPage {
    (status, html::of_message(title, text, list))
}

/// Returns the page for a path.
fn answer(served: &Served, path: &str, query: &str) -> StatusAndPage {
    let unknown = || {
        message(
            Status::NotThere,
            "Nothing here",
            "Use the whole address that `grounds serve` printed.",
            None,
        )
    };
    let Some((token, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
        return unknown();
    };
    // The page for a wrong token has no link to the list, since that would have the right one.
    if !is_same(token, &served.token) {
        return unknown();
    }
    #[cfg(feature = "fleet")]
    if let Some(rest) = rest.strip_prefix("fleet/") {
        return served.fleet.answer(rest, query, token);
    }
    let shown = match rest.strip_prefix("runs/") {
        Some(id) => of_run(served, id),
        None if rest.is_empty() => of_list(served, query),
        None => {
            return message(
                Status::NotThere,
                "Nothing here",
                "There is no such page.",
                Some(&format!("/{token}/")),
            );
        }
    };
    shown.unwrap_or_else(|error| of_error(&error, token))
}

/// Compares without telling by the time it takes how much fits.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one
            .bytes()
            .zip(other.bytes())
            .fold(0, |differences, (one, other)| differences | (one ^ other))
            == 0
}

fn of_error(error: &Error, token: &str) -> StatusAndPage {
    let status = match error {
        Error::Store(
            StoreError::NoSuchRun(_) | StoreError::Ambiguous { .. } | StoreError::Empty,
        ) => Status::NotThere,
        _ => Status::Broken,
    };
    message(
        status,
        "Not shown",
        &format!("{error}; try: {}", error.advice()),
        Some(&format!("/{token}/")),
    )
}

fn of_run(served: &Served, id: &str) -> Result<StatusAndPage, Error> {
    let store = (served.open)()?.ok_or_else(|| StoreError::NoSuchRun(id.to_owned()))?;
    let run = store.find(id)?;
    let links = links::of(&run, served.editor.as_ref());
    let page = html::of_served_run(&run, "../", &links).map_err(|reason| Error::Kept {
        run: run.head.id.clone(),
        reason,
    })?;
    Ok((Status::Shown, page))
}

fn of_list(served: &Served, query: &str) -> Result<StatusAndPage, Error> {
    let (mut words, mut kind, mut skipped) = (String::new(), None, 0);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match name.as_ref() {
            "q" => words = value.chars().take(WORDS_LETTERS_MAX).collect(),
            "kind" => kind = JobKind::of_word(&value),
            // A number of 32 bits leaves room to add the steps of further pages to it.
            "skip" => skipped = value.parse::<u32>().map_or(0, u64::from),
            _ => {}
        }
    }
    let query = RunQuery {
        kind,
        words: words
            .split_whitespace()
            .take(WORDS_MAX)
            .map(str::to_owned)
            .collect(),
        runs_max: RUNS_STEP,
        skipped,
    };
    let (heads, fitting, extent) = match (served.open)()? {
        Some(store) => (store.list(&query)?, store.count(&query)?, store.extent()?),
        None => (Vec::new(), 0, Extent::default()),
    };
    let list = List {
        heads: &heads,
        fitting,
        words: &words,
        kind,
        skipped,
        step: RUNS_STEP,
        extent: &extent,
        bounds: served.bounds,
        fleet: FLEET,
    };
    Ok((Status::Shown, html::of_list(&list)))
}
