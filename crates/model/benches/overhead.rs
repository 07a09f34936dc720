//! Measures the cost of asking without the network: calls of the client to a server of this machine
//! that answers at once, compared with bare calls of the HTTP library with the same bytes. `cargo
//! bench -p grounds-model --bench overhead`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops where it cannot go on"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use grounds_model::budget::Caps;
use grounds_model::key::KeySource;
use grounds_model::pace::Rates;
use grounds_model::provider::{Provider as _, ShapeForm, openai::OpenAi};
use grounds_model::settings::Given;
use grounds_model::{ModelClient, ModelRequest, ModelSettings};

/// Number of calls of one measurement.
const CALLS: usize = 300;
/// Number of calls that begin at the same time.
const PARALLEL: usize = 200;

const ANSWER: &str = r#"{"choices": [{"finish_reason": "stop", "message": {"content": "yes"}}], "usage": {"prompt_tokens": 9000, "completion_tokens": 1}}"#;

fn main() {
    let port = serve();
    let given = Given {
        model: Some("openai/gpt-4o".to_owned()),
        base_url: Some(format!("http://127.0.0.1:{port}/v1")),
        ..Given::default()
    };
    let mut settings = ModelSettings::of(&given, &|_| None).unwrap().unwrap();
    settings.caps = Caps {
        max_tokens_total: None,
        max_requests: None,
        max_cost_nano: None,
    };
    settings.key = KeySource::None;
    let client = ModelClient::of(settings.clone());
    let line = "let answer = ledger.entries().filter(|entry| entry.quality >= bar).count(); // as before\n";
    println!(
        "median of {CALLS} calls, in microseconds; the first counts the loading of the vocabulary"
    );
    let start = Instant::now();
    client.plan(&ModelRequest::new("", "a"));
    println!("first count of tokens: {}", start.elapsed().as_micros());
    for bytes in [200, 2_000, 20_000, 200_000] {
        let request = ModelRequest::new("You judge.", line.repeat(bytes / line.len() + 1))
            .output_tokens_max(10);
        let http = OpenAi.render(&settings.endpoint, &request, ShapeForm::Words);
        let agent = ureq::Agent::new_with_defaults();
        let bare = median(|| {
            let mut answer = agent
                .post(&http.url)
                .content_type("application/json")
                .send(&http.body[..])
                .unwrap();
            assert!(answer.body_mut().read_to_string().unwrap().contains("yes"));
        });
        let whole = median(|| assert_eq!(client.ask(&request).unwrap().text, "yes"));
        let over = whole.saturating_sub(bare);
        println!(
            "{bytes:>7} bytes: bare {:>6}, whole {:>6}, over {:>6}",
            bare.as_micros(),
            whole.as_micros(),
            over.as_micros()
        );
    }
    println!("\n{PARALLEL} calls at one time, in milliseconds");
    for requests_per_minute in [None, Some(6_000)] {
        settings.rates = Rates {
            requests_per_minute,
            tokens_per_minute: None,
            parallel_max: 64,
        };
        let took = parallel(&ModelClient::of(settings.clone()));
        let rate = requests_per_minute
            .map_or_else(|| "no rate".to_owned(), |rate| format!("{rate} a minute"));
        println!("{rate}: {}", took.as_millis());
    }
}

/// Measures how long calls take that begin at the same time and share a client.
fn parallel(client: &ModelClient) -> Duration {
    let request = ModelRequest::new("You judge.", "let answer = 42;").output_tokens_max(10);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..PARALLEL {
            scope.spawn(|| assert_eq!(client.ask(&request).unwrap().text, "yes"));
        }
    });
    start.elapsed()
}

fn median(mut call: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..CALLS)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[CALLS / 2]
}

fn serve() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        listener
            .incoming()
            .flatten()
            .for_each(|stream| drop(std::thread::spawn(move || answer(stream))))
    });
    port
}

fn answer(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut length = 0;
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            ANSWER.len()
        );
        stream.write_all((head + ANSWER).as_bytes()).unwrap();
    }
}
