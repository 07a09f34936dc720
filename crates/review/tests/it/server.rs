//! A model on this machine that answers by a script: each answer is for the
//! requests that hold some words, in turn, and the last one again and again.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One answer of a script.
#[derive(Clone, Debug)]
pub(crate) struct Scripted {
    /// Words that a request must hold to get it.
    pub(crate) to: String,
    /// The status; 0 says nothing at all until the client leaves.
    pub(crate) status: u16,
    /// What the model writes, or where the status is not 200 the body.
    pub(crate) text: String,
    /// Why the model stopped; `as it is` where the text is the whole body.
    pub(crate) finish: String,
    /// Milliseconds before it answers.
    pub(crate) wait_ms: u64,
}

/// A server with a script.
pub(crate) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

struct Shared {
    script: Vec<Scripted>,
    given: Mutex<Vec<bool>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn of(script: Vec<Scripted>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let given = Mutex::new(vec![false; script.len()]);
        let shared = Arc::new(Shared {
            script,
            given,
            asked: Arc::clone(&asked),
        });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(&stream, &shared));
            }
        });
        Self { port, asked }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// The bodies of all requests, in the order in which they came.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a lock").clone()
    }
}

fn serve(mut stream: &TcpStream, shared: &Shared) {
    let Ok(reading) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(reading);
    while let Some(body) = read_body(&mut reader) {
        shared.asked.lock().expect("a lock").push(body.clone());
        let answer = answer_to(&body, shared);
        std::thread::sleep(Duration::from_millis(answer.wait_ms));
        if answer.status == 0 {
            std::thread::sleep(Duration::from_secs(20));
            return;
        }
        let text = match (answer.status, answer.finish.as_str()) {
            (200, "as it is") => answer.text,
            (200, _) => completion(&answer),
            _ => answer.text,
        };
        let head = format!(
            "HTTP/1.1 {} Said\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.status,
            text.len()
        );
        if stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(text.as_bytes()))
            .is_err()
        {
            return;
        }
    }
}

/// The next answer that was not given yet, else the last one for such a request.
fn answer_to(body: &str, shared: &Shared) -> Scripted {
    let mut given = shared.given.lock().expect("a lock");
    let fits: Vec<usize> = (0..shared.script.len())
        .filter(|place| body.contains(&shared.script[*place].to))
        .collect();
    let Some(place) = fits
        .iter()
        .find(|place| !given[**place])
        .or(fits.last())
        .copied()
    else {
        return Scripted {
            to: String::new(),
            status: 418,
            text: r#"{"error": {"message": "no answer is scripted"}}"#.to_owned(),
            finish: String::new(),
            wait_ms: 0,
        };
    };
    given[place] = true;
    shared.script[place].clone()
}

fn completion(answer: &Scripted) -> String {
    serde_json::json!({
        "choices": [{"finish_reason": answer.finish, "message": {"role": "assistant", "content": answer.text}}],
        "usage": {"prompt_tokens": 1_000, "completion_tokens": 50},
    })
    .to_string()
}

fn read_body(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}
