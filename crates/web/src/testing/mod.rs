//! A web of this machine for tests: servers that answer by a function of the
//! request, look-ups that lead every name to them, engines that refuse what the
//! real ones refuse, and a small web with one page of each kind of trouble. No
//! request leaves the machine. Only behind the feature `testing`.

mod engines;
mod small_web;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ureq::unversioned::transport::NextTimeout;

use crate::guard::Lookup;

pub use engines::{KEY, brave, searxng, serper};
pub use small_web::small_web;

/// Maximum number of lines of the head of a request.
const HEAD_LINES_MAX: usize = 100;
/// Maximum number of bytes of the body of a request.
const BODY_BYTES_MAX: u64 = 1 << 20;

/// A request as it was received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// GET or POST.
    pub method: String,
    /// The host that was asked for, without a port.
    pub host: String,
    /// The path with its query.
    pub path: String,
    /// The headers, names in small letters.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// Returns the value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A response of a test server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers other than the length.
    pub headers: Vec<(String, String)>,
    /// The body, as it is sent over the wire.
    pub body: Vec<u8>,
    /// The manner in which it is sent.
    pub manner: Manner,
}

/// The manner in which a response is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// At once.
    #[default]
    Whole,
    /// One byte at a time, head included, with a pause of so many milliseconds.
    Dripping(u64),
    /// Half of it, and then the connection is closed.
    Cut,
    /// The same bytes again and again, without an end.
    Endless,
}

impl Reply {
    /// Creates a page of HTML.
    #[must_use]
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::of(200, "text/html; charset=utf-8", body)
    }

    /// Creates a status without a page.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::of(status, "text/plain", Vec::new())
    }

    /// Creates a redirect.
    #[must_use]
    pub fn redirect(location: &str) -> Self {
        Self::status(302).with("location", location)
    }

    /// Creates any response.
    #[must_use]
    pub fn of(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self {
            status,
            headers,
            body: body.into(),
            manner: Manner::Whole,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends the response in another manner.
    #[must_use]
    pub fn given(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }
}

/// A server of this machine. It ends when it is dropped.
#[derive(Debug)]
pub struct TestServer {
    port: u16,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
    is_over: Arc<AtomicBool>,
}

impl TestServer {
    /// Starts a server that answers by a function.
    ///
    /// # Panics
    /// If the machine gives no port.
    #[must_use]
    pub fn start(answer: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port of this machine");
        let port = listener
            .local_addr()
            .expect("the address of a listener")
            .port();
        let server = Self {
            port,
            asked: Arc::default(),
            is_over: Arc::default(),
        };
        let (asked, is_over, answer) = (
            Arc::clone(&server.asked),
            Arc::clone(&server.is_over),
            Arc::new(answer),
        );
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                let (asked, answer, is_over) = (
                    Arc::clone(&asked),
                    Arc::clone(&answer),
                    Arc::clone(&is_over),
                );
                std::thread::spawn(move || {
                    serve(&stream, &asked, &*answer, &is_over).unwrap_or_default()
                });
            }
        });
        server
    }

    /// Returns an address of the server.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns a look-up that leads every name to the server, which plays all hosts of a web.
    #[must_use]
    pub const fn names(&self) -> TestNames {
        TestNames { port: self.port }
    }

    /// Returns the requests that were received, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns the paths that were requested.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.path).collect()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // The listener waits for one more connection before it sees that it is over.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

/// Leads every name to one server of this machine.
#[derive(Clone, Copy, Debug)]
pub struct TestNames {
    port: u16,
}

impl Lookup for TestNames {
    fn numbers(
        &self,
        _: &ureq::http::Uri,
        _: &ureq::config::Config,
        _: NextTimeout,
    ) -> Result<Vec<SocketAddr>, ureq::Error> {
        Ok(vec![SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))])
    }
}

fn serve(
    stream: &TcpStream,
    asked: &Mutex<Vec<ReceivedRequest>>,
    answer: &dyn Fn(&ReceivedRequest) -> Reply,
    is_over: &AtomicBool,
) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.set_write_timeout(Some(Duration::from_secs(20)))?;
    let request = request(&mut BufReader::new(stream))?;
    asked
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(request.clone());
    give(stream, &answer(&request), is_over)
}

fn request(reader: &mut impl BufRead) -> io::Result<ReceivedRequest> {
    let mut lines = Vec::new();
    for _ in 0..HEAD_LINES_MAX {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let mut first = lines
        .first()
        .map(String::as_str)
        .unwrap_or_default()
        .split(' ');
    let (method, path) = (
        first.next().unwrap_or_default().to_owned(),
        first.next().unwrap_or_default().to_owned(),
    );
    let headers = lines.iter().skip(1).filter_map(|line| line.split_once(':'));
    let headers: Vec<_> = headers
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut asked = ReceivedRequest {
        method,
        path,
        headers,
        ..ReceivedRequest::default()
    };
    let length: u64 = asked
        .header("content-length")
        .and_then(|value| value.parse().ok())
        .unwrap_or(0);
    reader
        .take(length.min(BODY_BYTES_MAX))
        .read_to_end(&mut asked.body)?;
    asked.host = asked
        .header("host")
        .map(|host| host.split(':').next().unwrap_or(host).to_owned())
        .unwrap_or_default();
    Ok(asked)
}

fn give(mut stream: &TcpStream, reply: &Reply, is_over: &AtomicBool) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {} given\r\nconnection: close\r\n", reply.status);
    if reply.manner != Manner::Endless {
        head.push_str(&format!("content-length: {}\r\n", reply.body.len()));
    }
    reply
        .headers
        .iter()
        .for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    head.push_str("\r\n");
    match reply.manner {
        Manner::Whole => stream.write_all(&[head.as_bytes(), &reply.body].concat()),
        Manner::Cut => {
            stream.write_all(&[head.as_bytes(), &reply.body[..reply.body.len() / 2]].concat())
        }
        Manner::Dripping(pause_ms) => drip(
            stream,
            &[head.as_bytes(), &reply.body].concat(),
            pause_ms,
            is_over,
        ),
        Manner::Endless => {
            stream.write_all(head.as_bytes())?;
            while !is_over.load(Ordering::Relaxed) {
                stream.write_all(&reply.body)?;
            }
            Ok(())
        }
    }
}

fn drip(
    mut stream: &TcpStream,
    bytes: &[u8],
    pause_ms: u64,
    is_over: &AtomicBool,
) -> io::Result<()> {
    for byte in bytes {
        if is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        stream.write_all(&[*byte])?;
        std::thread::sleep(Duration::from_millis(pause_ms));
    }
    Ok(())
}
