//! An engine that costs: it counts what it is asked, so that a query that is sent twice is seen.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An engine on this machine.
pub(crate) struct Engine {
    pub(crate) port: u16,
    asked: Arc<Mutex<BTreeMap<String, u64>>>,
}

impl Engine {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(BTreeMap::new()));
        let counts = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counts = Arc::clone(&counts);
                std::thread::spawn(move || answer(&stream, &counts));
            }
        });
        Self { port, asked }
    }

    /// How often each query came.
    pub(crate) fn asked(&self) -> BTreeMap<String, u64> {
        self.asked.lock().expect("no panic").clone()
    }
}

fn answer(stream: &TcpStream, counts: &Mutex<BTreeMap<String, u64>>) {
    let mut line = String::new();
    if BufReader::new(stream).read_line(&mut line).is_err() {
        return;
    }
    let query = line.trim().to_owned();
    *counts
        .lock()
        .expect("no panic")
        .entry(query.clone())
        .or_default() += 1;
    std::thread::sleep(Duration::from_millis(5));
    let _ = writeln!(&*stream, "answer to {query}");
}

/// Asks an engine.
pub(crate) fn ask(port: u16, query: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    writeln!(stream, "{query}")?;
    let mut line = String::new();
    if BufReader::new(stream).read_line(&mut line)? == 0 {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim().to_owned())
}
