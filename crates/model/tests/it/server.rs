//! A provider on this machine: it answers by a script, and a request that the
//! real one would refuse is refused.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::strict;

/// The key that the server wants.
pub(crate) const KEY: &str = "sk-test-0123456789-never-shown";

/// One answer of a script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// How it is given; whole where nothing is said.
    pub(crate) manner: String,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

pub(crate) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    at_once: Arc<AtOnce>,
}

/// How many requests are answered at one time, and the most that were.
#[derive(Debug, Default)]
struct AtOnce {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// What the threads of a server share.
struct Shared {
    script: Vec<Answer>,
    next: AtomicUsize,
    asked: Arc<Mutex<Vec<Asked>>>,
    at_once: Arc<AtOnce>,
    provider: &'static str,
}

impl Server {
    /// A server that gives the answers in turn, and the last one again and again.
    pub(crate) fn of(provider: &'static str, script: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let at_once = Arc::new(AtOnce::default());
        let shared = Arc::new(Shared {
            script,
            next: AtomicUsize::new(0),
            asked: Arc::clone(&asked),
            at_once: Arc::clone(&at_once),
            provider,
        });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(&stream, &shared));
            }
        });
        Self {
            port,
            asked,
            at_once,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The most requests that were answered at one time.
    pub(crate) fn at_once_max(&self) -> usize {
        self.at_once.most.load(Ordering::SeqCst)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("a lock").clone()
    }
}

fn serve(stream: &TcpStream, shared: &Shared) {
    let Ok(reading) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(reading);
    // A connection may be used again, as real servers allow.
    while let Some(asked) = read_request(&mut reader) {
        let now = shared.at_once.now.fetch_add(1, Ordering::SeqCst) + 1;
        shared.at_once.most.fetch_max(now, Ordering::SeqCst);
        let wrong = strict::wrong(shared.provider, &asked, KEY);
        shared.asked.lock().expect("a lock").push(asked);
        let answer = match wrong {
            Some(why) => Answer {
                status: 418,
                body: format!(r#"{{"error": {{"message": "{why}"}}}}"#).into_bytes(),
                ..Answer::default()
            },
            None => {
                let at = shared
                    .next
                    .fetch_add(1, Ordering::SeqCst)
                    .min(shared.script.len() - 1);
                shared.script[at].clone()
            }
        };
        shared.at_once.now.fetch_sub(1, Ordering::SeqCst);
        if give(stream, &answer).is_err() || !answer.manner.is_empty() {
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line
        .strip_prefix("POST ")?
        .trim_end()
        .strip_suffix(" HTTP/1.1")?
        .to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.to_owned())),
            None => break,
        }
    }
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        at: Instant::now(),
    })
}

fn give(mut stream: &TcpStream, answer: &Answer) -> std::io::Result<()> {
    let manner = answer.manner.as_str();
    match manner {
        "no-http" => return stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n"),
        "hang-up" => return stream.shutdown(std::net::Shutdown::Both),
        "silent" => {
            std::thread::sleep(Duration::from_secs(30));
            return Ok(());
        }
        _ => {}
    }
    let body = packed(answer);
    let length = if manner == "endless" {
        1 << 40
    } else {
        body.len()
    };
    write!(
        stream,
        "HTTP/1.1 {} Said\r\ncontent-length: {length}\r\n",
        answer.status
    )?;
    if !answer
        .headers
        .iter()
        .any(|(name, _)| name == "content-type")
    {
        stream.write_all(b"content-type: application/json\r\n")?;
    }
    answer
        .headers
        .iter()
        .try_for_each(|(name, value)| write!(stream, "{name}: {value}\r\n"))?;
    if manner == "huge-headers" {
        (0..4_000)
            .try_for_each(|number| write!(stream, "x-filler-{number}: {}\r\n", "x".repeat(100)))?;
    }
    if manner.starts_with("gzip") {
        stream.write_all(b"content-encoding: gzip\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    match manner {
        "cut" => stream.write_all(&body[..body.len() / 2]),
        "drip" => body.iter().try_for_each(|byte| {
            std::thread::sleep(Duration::from_millis(100));
            stream.write_all(&[*byte])
        }),
        "endless" => loop {
            stream.write_all(&[b' '; 1 << 16])?;
        },
        _ => stream.write_all(&body),
    }
}

fn packed(answer: &Answer) -> Vec<u8> {
    let pack = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).expect("it is packed");
        encoder.finish().expect("it is packed")
    };
    match answer.manner.as_str() {
        "gzip" => pack(&answer.body),
        "gzip-bomb" => pack(&vec![b' '; 64 << 20]),
        "gzip-broken" => [&pack(&answer.body)[..10], b"nonsense that is not packed"].concat(),
        _ => answer.body.clone(),
    }
}
