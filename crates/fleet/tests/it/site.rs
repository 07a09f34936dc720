//! A site that notes when it is asked, and answers by a script; and processes that ask it, each with
//! several threads, by turns of one ledger.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grounds_fleet::ledger::{PaceTurn, Went};
use grounds_fleet::worker::Pacer;
use grounds_fleet::{Ledger, LedgerPlace};
use serde_json::{Value, json};

const VARIABLE: &str = "GROUNDS_FLEET_TEST_SENDER";

/// When a request came, and when its answer was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) came: Instant,
    pub(crate) ended: Instant,
}

/// A site on this machine.
pub(crate) struct Site {
    port: u16,
    visits: Arc<Mutex<Vec<Visit>>>,
}

impl Site {
    /// A site that answers its requests in turn: `well`, `badly`, or `held MS`.
    pub(crate) fn start(script: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let visits: Arc<Mutex<Vec<Visit>>> = Arc::default();
        let (noted, script) = (Arc::clone(&visits), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, script) = (Arc::clone(&noted), Arc::clone(&script));
                std::thread::spawn(move || {
                    let number = {
                        let mut noted = noted.lock().expect("no panic");
                        let came = Instant::now();
                        noted.push(Visit { came, ended: came });
                        noted.len() - 1
                    };
                    std::thread::sleep(Duration::from_millis(5));
                    noted.lock().expect("no panic")[number].ended = Instant::now();
                    let _ = writeln!(&stream, "{}", script(number));
                });
            }
        });
        Self { port, visits }
    }

    /// The requests so far, in the order in which they came.
    pub(crate) fn visits(&self) -> Vec<Visit> {
        self.visits.lock().expect("no panic").clone()
    }
}

/// Processes that ask a site.
#[derive(Clone)]
pub(crate) struct Senders {
    pub(crate) address: String,
    /// The keys of each request, with the milliseconds to the next one.
    pub(crate) keys: Vec<(&'static str, u64)>,
    /// Milliseconds after a request where each has its turn alone.
    pub(crate) pause_ms: Option<u64>,
    /// Requests of each of three threads.
    pub(crate) requests: u64,
}

impl Senders {
    pub(crate) fn start(&self, site: &Site, processes: usize) -> Vec<Child> {
        let plan = json!({"address": self.address, "site": site.port, "keys": self.keys,
            "pause_ms": self.pause_ms, "requests": self.requests});
        let start = |_| {
            Command::new(std::env::current_exe().expect("this program"))
                .args(["--exact", "site::sender_of_another_process", "--nocapture"])
                .env(VARIABLE, plan.to_string())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("a sender starts")
        };
        (0..processes).map(start).collect()
    }

    /// Runs three processes to their end, and returns the requests that came.
    pub(crate) fn run(&self, site: &Site) -> Vec<Visit> {
        for sender in self.start(site, 3) {
            let ended = sender.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(ended.status.success(), "{said}");
        }
        site.visits()
    }
}

/// What the other process does; in this one it is nothing.
#[test]
fn sender_of_another_process() {
    let Ok(plan) = std::env::var(VARIABLE) else {
        return;
    };
    let plan: Value = serde_json::from_str(&plan).expect("a plan");
    let address = plan["address"].as_str().expect("an address");
    let database = LedgerPlace::of(address, None, None)
        .open()
        .expect("a database");
    let ledger = Ledger::of(database).expect("a ledger");
    let pacer = Pacer::new(Arc::new(Mutex::new(ledger)), "sender", 300);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..plan["requests"].as_u64().expect("a number") {
                    request(&pacer, &plan);
                }
            });
        }
    });
}

fn request(pacer: &Pacer, plan: &Value) {
    let keys: Vec<(&str, u64)> = serde::Deserialize::deserialize(&plan["keys"]).expect("keys");
    let taken = loop {
        let wait_ms = match pacer.pace(&keys).expect("a turn") {
            PaceTurn::Go(taken) => break taken,
            PaceTurn::In(ms) => ms.min(50),
            PaceTurn::Closed(ms) => ms,
        };
        std::thread::sleep(Duration::from_millis(wait_ms.max(1)));
    };
    let port = u16::try_from(plan["site"].as_u64().expect("a port")).expect("a port");
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("the site is there");
    let mut answer = String::new();
    BufReader::new(stream)
        .read_line(&mut answer)
        .expect("an answer");
    let went = match answer.trim().split_once(' ') {
        Some((_, ms)) => Went::Held(ms.parse().expect("a number")),
        None if answer.trim() == "badly" => Went::Badly,
        None => Went::Well,
    };
    pacer.went(keys[0].0, went).expect("noted");
    if let Some(pause_ms) = plan["pause_ms"].as_u64() {
        pacer
            .end_turn(keys[0].0, taken.number, pause_ms)
            .expect("ended");
    }
}
