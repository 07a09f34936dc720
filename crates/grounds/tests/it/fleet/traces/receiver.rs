//! A collector of traces for tests: it decodes what comes over HTTP, and answers as it was told to.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value as Any};
use opentelemetry_proto::tonic::trace::v1::{Span, status::StatusCode};
use prost::Message as _;

/// How a receiver answers.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    Takes,
    Status(u16),
    WebPage,
    Garbage,
    Never,
}

/// A request as it came.
pub(super) struct Request {
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

/// A collector, as far as a worker can tell.
pub(super) struct Receiver {
    pub(super) address: String,
    pub(super) requests: Arc<Mutex<Vec<Request>>>,
}

impl Receiver {
    pub(super) fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let receiver = Self {
            address: format!("http://{}", listener.local_addr().expect("an address")),
            requests: Arc::default(),
        };
        let requests = Arc::clone(&receiver.requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let requests = Arc::clone(&requests);
                std::thread::spawn(move || serve(stream, answer, &requests));
            }
        });
        receiver
    }

    pub(super) fn count(&self) -> usize {
        self.requests.lock().expect("no panic").len()
    }

    /// What came, as text: to look for words that may not be in it.
    pub(super) fn raw(&self) -> String {
        let requests = self.requests.lock().expect("no panic");
        let bytes = requests.iter().flat_map(|request| request.body.clone());
        String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
    }

    /// All spans, with the attributes of their process.
    pub(super) fn spans(&self) -> Vec<Told> {
        let requests = self.requests.lock().expect("no panic");
        let mut spans = Vec::new();
        for request in requests.iter() {
            let decoded = ExportTraceServiceRequest::decode(&request.body[..]).expect("OTLP");
            for of_process in decoded.resource_spans {
                let process = texts(&of_process.resource.expect("a resource").attributes);
                let of_scopes = of_process.scope_spans.into_iter();
                spans.extend(of_scopes.flat_map(|scope| scope.spans).map(|span| Told {
                    process: process.clone(),
                    is: texts(&span.attributes),
                    span,
                }));
            }
        }
        spans
    }
}

/// A span that was received.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) process: BTreeMap<String, String>,
    pub(super) is: BTreeMap<String, String>,
    pub(super) span: Span,
}

impl Told {
    pub(super) fn status(&self) -> (StatusCode, &str) {
        let status = self.span.status.as_ref();
        status.map_or((StatusCode::Unset, ""), |status| {
            (status.code(), status.message.as_str())
        })
    }

    /// The reasons of its refusals.
    pub(super) fn refused(&self) -> Vec<String> {
        let refused = self.span.events.iter();
        refused
            .map(|event| {
                assert_eq!(event.name, "refused");
                texts(&event.attributes)["error.type"].clone()
            })
            .collect()
    }

    pub(super) fn is(&self, key: &str) -> &str {
        self.is.get(key).map_or("", String::as_str)
    }
}

fn texts(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |attribute: &KeyValue| {
        let value = attribute.value.clone().and_then(|value| value.value);
        match value.expect("a value") {
            Any::StringValue(text) => text,
            Any::IntValue(number) => number.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let each = attributes.iter();
    each.map(|one| (one.key.clone(), text(one))).collect()
}

fn serve(mut stream: TcpStream, answer: Answer, requests: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a handle"));
    loop {
        let (mut head, mut line) = (String::new(), String::new());
        while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
            head.push_str(&line.to_ascii_lowercase());
            line.clear();
        }
        let length = head.split("content-length: ").nth(1);
        let length = length.and_then(|rest| rest.lines().next()?.trim().parse().ok());
        let Some(length) = length else {
            return;
        };
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        let request = Request { head, body };
        requests.lock().expect("no panic").push(request);
        let (status, body) = match answer {
            Answer::Takes => (200, ""),
            Answer::Status(status) => (status, "no"),
            Answer::WebPage => (200, "<!doctype html><p>welcome"),
            Answer::Garbage => {
                let _ = stream.write_all(b"\x16\x03\x01 what is this?\r\n\r\n");
                return;
            }
            Answer::Never => loop {
                std::thread::park();
            },
        };
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status} X\r\ncontent-type: application/x-protobuf\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
    }
}
