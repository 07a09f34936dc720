//! A service of continuous integration on this machine: a script of answers, and
//! a client that asks for what is not in the script, or asks it wrongly, fails.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the service answers to one path.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) manner: Manner,
}

/// How an answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Whole,
    SlowHeaders,
    SlowBody,
    EndlessBody,
    CutBody,
    NoHttp,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
}

pub(crate) struct Service {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Answer {
    pub(crate) fn json(body: &serde_json::Value) -> Self {
        Self::of(200, body.to_string())
    }

    pub(crate) fn of(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            manner: Manner::Whole,
        }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn manner(self, manner: Manner) -> Self {
        Self { manner, ..self }
    }
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

impl Service {
    /// A service with a script: the path with its query, and the answer.
    pub(crate) fn of(script: Vec<(String, Answer)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (script, seen) = (Arc::new(script), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &script, &seen));
            }
        });
        Self { port, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("a lock").clone()
    }
}

/// One request a connection.
fn serve(mut stream: TcpStream, script: &[(String, Answer)], seen: &Mutex<Vec<Asked>>) {
    let Some(asked) = read_request(&stream) else {
        return;
    };
    seen.lock().expect("a lock").push(asked.clone());
    let known = script
        .iter()
        .find(|(path, _)| *path == asked.path)
        .map(|(_, answer)| answer.clone());
    let answer = match (wrong(&asked), known) {
        (Some(why), _) => Answer::of(418, why),
        (None, Some(answer)) => answer,
        (None, None) => Answer::of(404, r#"{"message": "Not Found"}"#),
    };
    let _ = give(&mut stream, &answer);
}

fn read_request(stream: &TcpStream) -> Option<Asked> {
    let mut lines = BufReader::new(stream.try_clone().ok()?.take(64 << 10)).lines();
    let first = lines.next()?.ok()?;
    let path = first
        .strip_prefix("GET ")?
        .strip_suffix(" HTTP/1.1")?
        .to_owned();
    let lines = lines
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty());
    let headers = lines
        .filter_map(|line| {
            line.split_once(": ")
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        })
        .collect();
    Some(Asked { path, headers })
}

/// What the real service would not accept.
fn wrong(asked: &Asked) -> Option<&'static str> {
    let accept = asked.header("accept").unwrap_or_default();
    let of_github = asked.path.starts_with("/api/v3/");
    let of_gitlab = asked.path.starts_with("/api/v4/");
    match (asked.header("user-agent"), of_github, of_gitlab) {
        (None, ..) => Some("no user agent"),
        (_, true, _) if accept != "application/vnd.github+json" => Some("a wrong Accept"),
        (_, true, _) if asked.header("x-github-api-version").is_none() => {
            Some("no version of the API")
        }
        (_, true, _) if asked.header("private-token").is_some() => {
            Some("a token of another service")
        }
        (_, _, true) if !["application/json", "text/plain"].contains(&accept) => {
            Some("a wrong Accept")
        }
        (_, _, true) if asked.header("authorization").is_some() => {
            Some("a token of another service")
        }
        _ => None,
    }
}

fn give(stream: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
    if answer.manner == Manner::NoHttp {
        return stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n");
    }
    if answer.manner == Manner::SlowHeaders {
        std::thread::sleep(Duration::from_secs(20));
    }
    let length = if answer.manner == Manner::EndlessBody {
        1 << 40
    } else {
        answer.body.len()
    };
    write!(
        stream,
        "HTTP/1.1 {} Said\r\nConnection: close\r\nContent-Length: {length}\r\n",
        answer.status
    )?;
    answer
        .headers
        .iter()
        .try_for_each(|(name, value)| write!(stream, "{name}: {value}\r\n"))?;
    stream.write_all(b"\r\n")?;
    let half = answer.body.len() / 2;
    match answer.manner {
        Manner::CutBody => stream.write_all(&answer.body[..half]),
        Manner::SlowBody => {
            stream.write_all(&answer.body[..half])?;
            std::thread::sleep(Duration::from_secs(20));
            stream.write_all(&answer.body[half..])
        }
        Manner::EndlessBody => loop {
            stream.write_all(&answer.body)?;
        },
        Manner::Whole | Manner::SlowHeaders | Manner::NoHttp => stream.write_all(&answer.body),
    }
}
