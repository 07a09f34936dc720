//! Traces of a fleet as a collector gets them: a real worker sends over HTTP to a scripted receiver,
//! which decodes what came. And collectors that are down, slow or wrong, which change no result.

mod receiver;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use opentelemetry_proto::tonic::trace::v1::status::StatusCode;

use super::*;
use receiver::{Answer, Receiver, Told};

/// Milliseconds that a test waits for something at the most.
const WAIT_MS_MAX: u64 = 60_000;

/// A command whose traces go to an address.
fn traced(tree: &Tree, address: &str, words: &[&str]) -> Command {
    let mut command = fleet(tree, words);
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        .env("OTEL_BSP_SCHEDULE_DELAY", "50");
    command
}

const WORK: [&str; 4] = ["work", "--until-empty", "--corpus", "docs"];
const SUBMIT: [&str; 4] = ["submit", "claims.jsonl", "--corpus", "docs"];

/// The spans of each trace, each checked for what holds of all: no time runs backwards, every parent
/// is of the same trace and holds its children, no span is there twice.
#[track_caller]
fn traces(spans: &[Told]) -> Vec<Vec<Told>> {
    let mut traces: BTreeMap<Vec<u8>, Vec<Told>> = BTreeMap::new();
    for told in spans {
        let span = &told.span;
        assert!(
            span.start_time_unix_nano <= span.end_time_unix_nano,
            "{told:?}"
        );
        assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8));
        assert_eq!(told.is("grounds.clock"), "ledger", "{told:?}");
        let trace = traces.entry(span.trace_id.clone()).or_default();
        trace.push(told.clone());
    }
    for trace in traces.values() {
        let ids: BTreeSet<_> = trace.iter().map(|told| &told.span.span_id).collect();
        assert_eq!(ids.len(), trace.len(), "{trace:#?}");
        for told in trace {
            let parent = trace
                .iter()
                .find(|other| other.span.span_id == told.span.parent_span_id);
            let (of, span) = (parent.map(|parent| &parent.span), &told.span);
            let expected = match span.name.as_str() {
                "fleet.work" | "fleet.write" => "fleet.attempt",
                "fleet.attempt" | "fleet.queue" => "fleet.job",
                _ => "",
            };
            assert_eq!(of.map_or("", |parent| &parent.name), expected, "{told:?}");
            assert!(
                of.is_none_or(|parent| parent.start_time_unix_nano <= span.start_time_unix_nano),
                "{told:?} begins before {of:?}"
            );
        }
    }
    traces.into_values().collect()
}

/// The one span of a trace with a name.
#[track_caller]
fn one<'t>(trace: &'t [Told], name: &str) -> &'t Told {
    let named = |told: &&Told| told.span.name == format!("fleet.{name}");
    let found: Vec<&Told> = trace.iter().filter(named).collect();
    assert_eq!(found.len(), 1, "{name}: {trace:#?}");
    found[0]
}

#[test]
fn every_job_has_a_trace_with_its_wait_its_work_and_its_writing() {
    let (tree, receiver) = (ground(), Receiver::start(Answer::Takes));
    ends(&mut traced(&tree, &receiver.address, &SUBMIT), 0);
    assert_eq!(receiver.count(), 0, "only workers have traces");
    let done = ends(
        traced(&tree, &receiver.address, &WORK)
            .env("OTEL_SERVICE_NAME", "claims of the docs")
            .env("OTEL_EXPORTER_OTLP_HEADERS", "x-team=s3cret-team,y=2"),
        0,
    );
    assert!(!done.text().contains("warning"), "{}", done.text());
    let spans = receiver.spans();
    let traces = traces(&spans);
    assert_eq!((traces.len(), spans.len()), (3, 15), "{spans:#?}");
    let verdicts: BTreeSet<String> = traces.iter().map(|trace| verdict(trace)).collect();
    let expected: BTreeSet<String> = results(&tree, 0)
        .iter()
        .map(|line| line["verdict"].as_str().expect("a word").to_owned())
        .collect();
    assert_eq!(verdicts, expected);
    let (raw, requests) = (receiver.raw(), receiver.requests.lock().expect("no panic"));
    for head in requests.iter().map(|request| &request.head) {
        for words in [
            "post /v1/traces ",
            "x-team: s3cret-team",
            "application/x-protobuf",
        ] {
            assert!(head.contains(words), "{head}");
        }
    }
    for words in [
        "default timeout",
        "office cat",
        "s3cret-team",
        "fleet.sqlite3",
    ] {
        assert!(!raw.contains(words), "{words} was sent");
    }
}

/// Checks the trace of a claim that one attempt decided, and returns the verdict that it says.
#[track_caller]
fn verdict(trace: &[Told]) -> String {
    let root = one(trace, "job");
    for name in ["queue", "attempt", "work", "write"] {
        let told = one(trace, name);
        assert_eq!(told.is("grounds.attempt"), "1");
        assert_eq!(
            told.is("grounds.worker"),
            told.process["service.instance.id"]
        );
        assert_eq!(told.process["service.name"], "claims of the docs");
        for key in ["grounds.job.id", "grounds.run"] {
            assert!(!told.is(key).is_empty() && told.is(key) == root.is(key));
        }
        assert_eq!(told.is("grounds.job.kind"), "claim");
        assert!(told.refused().is_empty());
    }
    let (queue, attempt) = (one(trace, "queue"), one(trace, "attempt"));
    assert_eq!(
        queue.span.end_time_unix_nano,
        attempt.span.start_time_unix_nano
    );
    let (work, write) = (one(trace, "work"), one(trace, "write"));
    assert!(work.span.end_time_unix_nano <= write.span.start_time_unix_nano);
    for told in [root, attempt, work] {
        assert_eq!(told.status(), (StatusCode::Ok, ""));
        assert_eq!(told.is("grounds.queries"), "0");
    }
    assert_eq!(root.is("grounds.state"), "done");
    root.is("grounds.verdict").to_owned()
}

/// An engine that holds back its answer to the first query until it is told to give it.
struct Gate {
    address: String,
    is_asked: Arc<AtomicU64>,
    is_open: Arc<AtomicU64>,
}

impl Gate {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let gate = Self {
            address: format!("http://{}", listener.local_addr().expect("an address")),
            is_asked: Arc::default(),
            is_open: Arc::default(),
        };
        let (asked, open) = (Arc::clone(&gate.is_asked), Arc::clone(&gate.is_open));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                asked.fetch_add(1, Ordering::SeqCst);
                wait_for(|| open.load(Ordering::SeqCst) > 0);
                let body = "{\"results\": []}";
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
                     content-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
            }
        });
        gate
    }
}

#[track_caller]
fn wait_for(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_millis(WAIT_MS_MAX));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A worker is stopped in the middle of a paid query, another takes over, and the first returns too
/// late: one trace.
#[test]
fn attempts_of_different_workers_are_one_trace() {
    let tree = ground()
        .file(
            "one.jsonl",
            "{\"kind\": \"claim\", \"claim\": \"The default timeout is 30 seconds\"}\n",
        )
        .file("short.yaml", "fleet:\n  lease_ms: 1500\n");
    let (receiver, gate) = (Receiver::start(Answer::Takes), Gate::start());
    let with = |words: &[&str]| {
        let mut command = traced(&tree, &receiver.address, words);
        command
            .env("SEARXNG_URL", &gate.address)
            .args(["--provider", "searxng", "--config"])
            .arg(tree.path("short.yaml"));
        command
    };
    ends(&mut with(&["submit", "one.jsonl"]), 0);
    let first = with(&["work", "--until-empty"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("a worker");
    wait_for(|| gate.is_asked.load(Ordering::SeqCst) > 0);
    send(Signal::STOP, first.id()).expect("it is there");
    // Nobody knows whether the query was paid for, so that the second worker gives the job up.
    let second = ends(&mut with(&["work", "--until-empty"]), 0);
    assert!(out(&second).contains("1 failed"), "{}", second.text());
    gate.is_open.store(1, Ordering::SeqCst);
    send(Signal::CONT, first.id()).expect("it is there");
    let first = finish(first);
    assert!(out(&first).contains("1 too late"), "{}", first.text());

    let traces = traces(&receiver.spans());
    assert_eq!(traces.len(), 1, "{traces:#?}");
    are_late_and_dead(&traces[0]);
}

/// Checks the attempt whose lease ran out, and the one that gave the job up.
#[track_caller]
fn are_late_and_dead(trace: &[Told]) {
    let of = |number: &str| -> Vec<Told> {
        let is_of = |told: &&Told| told.is("grounds.attempt") == number;
        trace.iter().filter(is_of).cloned().collect()
    };
    let (first, second) = (of("1"), of("2"));
    assert_ne!(
        one(&first, "attempt").is("grounds.worker"),
        one(&second, "attempt").is("grounds.worker")
    );
    assert_eq!(
        one(&first, "attempt").status(),
        (StatusCode::Error, "lease_lost")
    );
    assert!(
        one(&first, "attempt")
            .refused()
            .contains(&"lease_lost".to_owned())
    );
    assert_eq!(one(&first, "work").is("grounds.queries"), "1");
    assert_eq!(
        one(&first, "write").status(),
        (StatusCode::Error, "lease_lost")
    );
    let root = one(trace, "job");
    for told in [one(&second, "attempt"), one(&second, "work"), root] {
        assert_eq!(told.status(), (StatusCode::Error, "query_unknown"));
        assert_eq!(told.is("error.type"), "query_unknown");
        assert_eq!(told.is("grounds.next"), "never");
        assert_eq!(told.is("grounds.queries"), "0");
    }
    assert_eq!(root.is("grounds.state"), "dead");
}

/// A job that waits for money has not failed, and is not over.
#[test]
fn a_spent_budget_is_a_refusal_and_no_failure() {
    let (tree, receiver) = (ground(), Receiver::start(Answer::Takes));
    let (engine, _) = engine();
    let with = |words: &[&str]| {
        let mut command = traced(&tree, &receiver.address, words);
        command.env("SEARXNG_URL", &engine);
        command.args(["--provider", "searxng"]);
        command
    };
    ends(
        &mut with(&["submit", "claims.jsonl", "--max-queries", "0"]),
        0,
    );
    ends(&mut with(&["work", "--until-empty"]), 0);
    // The root of a job that is not over has not been sent.
    let spans = receiver.spans();
    let names = |name: &str| -> Vec<&Told> {
        let is_so = |told: &&Told| told.span.name == name;
        spans.iter().filter(is_so).collect()
    };
    assert_eq!(
        (names("fleet.attempt").len(), names("fleet.job").len()),
        (3, 0)
    );
    for told in names("fleet.attempt") {
        assert_eq!(told.status(), (StatusCode::Unset, ""));
        assert_eq!(told.refused(), ["budget_spent"]);
        assert_eq!(
            (told.is("grounds.state"), told.is("grounds.next")),
            ("held", "hold")
        );
    }
}

/// What a worker does, says and returns beside its traces.
fn worked(address: &str, variables: &[(&str, &str)]) -> (Run, Vec<Value>, Duration) {
    let tree = ground();
    ends(&mut fleet(&tree, &SUBMIT), 0);
    let start = Instant::now();
    let done = run(traced(&tree, address, &WORK).envs(variables.iter().copied()));
    let took = start.elapsed();
    // The rest of a line is times, and what has times in it.
    let same = |line: &Value| json!([line["id"], line["job"], line["state"], line["verdict"]]);
    let lines = results(&tree, 0).iter().map(same).collect();
    (done, lines, took)
}

#[test]
fn no_collector_changes_a_result_or_an_exit_code() {
    let good = Receiver::start(Answer::Takes);
    let (expected, results, _) = worked(&good.address, &[]);
    assert_eq!(expected.code, Some(0), "{}", expected.text());
    // A port that nothing listens at.
    let down = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    let cases = [
        (down.clone(), "nothing listens there"),
        (Receiver::start(Answer::Status(500)).address, "status 500"),
        (Receiver::start(Answer::Status(503)).address, "status 503"),
        (Receiver::start(Answer::Status(302)).address, "status 302"),
        (Receiver::start(Answer::WebPage).address, "not one of OTLP"),
        (
            Receiver::start(Answer::Garbage).address,
            "its answer is not HTTP",
        ),
        (Receiver::start(Answer::Never).address, "within the 5000 ms"),
        (
            format!("{}@{}", "http://user:pa55word", &down[7..]),
            "nothing",
        ),
    ];
    for (address, why) in cases {
        let (done, lines, took) = worked(&address, &[]);
        assert_eq!((done.code, &done.out), (expected.code, &expected.out));
        assert_eq!(lines, results, "{why}");
        let said = String::from_utf8_lossy(&done.err).into_owned();
        assert_eq!(said.matches("warning").count(), 1, "{said}");
        for words in ["15 of 15 spans did not reach", why] {
            assert!(said.contains(words), "{why}: {said}");
        }
        assert!(!said.contains("pa55word"), "{said}");
        assert!(took < Duration::from_secs(30), "{why}: {took:?}");
    }
}

/// A worker that is asked to end waits for a collector that hangs, but not for ever.
#[test]
fn a_signal_ends_a_worker_whose_collector_hangs() {
    let (tree, receiver) = (ground(), Receiver::start(Answer::Never));
    ends(&mut fleet(&tree, &SUBMIT), 0);
    let worker = traced(&tree, &receiver.address, &["work", "--corpus", "docs"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("a worker");
    wait_for(|| receiver.count() > 0 && status(&tree)["runs"][0]["jobs"] == json!({"done": 3}));
    let start = Instant::now();
    send(Signal::TERM, worker.id()).expect("it is there");
    let done = finish(worker);
    assert_eq!(done.code, Some(0), "{}", done.text());
    assert!(out(&done).contains("3 results"), "{}", done.text());
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn what_the_environment_says_counts_and_nothing_else_does() {
    let receiver = Receiver::start(Answer::Takes);
    let off = [
        ("OTEL_SDK_DISABLED", "true"),
        ("OTEL_TRACES_EXPORTER", "none"),
        ("OTEL_TRACES_SAMPLER", "always_off"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
    ];
    for (name, value) in off {
        let (done, ..) = worked(&receiver.address, &[(name, value)]);
        assert_eq!(receiver.count(), 0, "{name}");
        assert!(!done.text().contains("warning"), "{}", done.text());
    }
    let unusable = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "secret.example:4318"),
        (
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "grpc://secret.example",
        ),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nonexistent/secret.pem"),
    ];
    for (name, value) in unusable {
        let (done, lines, _) = worked(&receiver.address, &[(name, value)]);
        assert_eq!((done.code, lines.len(), receiver.count()), (Some(0), 3, 0));
        let said = done.text();
        assert!(said.contains("no traces are sent to `OTEL"), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    // An address for traces alone is used as it is.
    let whole = format!("{}/elsewhere", receiver.address);
    let variables = [
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", whole.as_str()),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
    ];
    let (done, ..) = worked("http://127.0.0.1:1", &variables);
    assert!(
        done.text()
            .contains("OTEL_EXPORTER_OTLP_PROTOCOL is ignored"),
        "{}",
        done.text()
    );
    assert_eq!(receiver.spans().len(), 15);
    let requests = receiver.requests.lock().expect("no panic");
    assert!(requests[0].head.starts_with("post /elsewhere "));
}

/// A checkout has no say in where traces go.
#[test]
fn a_file_of_a_checkout_sends_nothing() {
    let receiver = Receiver::start(Answer::Takes);
    let line = format!("OTEL_EXPORTER_OTLP_ENDPOINT={}\n", receiver.address);
    let tree = ground().file(".env", line);
    ends(&mut fleet(&tree, &SUBMIT), 0);
    ends(
        fleet(&tree, &WORK).env_remove("OTEL_EXPORTER_OTLP_ENDPOINT"),
        0,
    );
    assert_eq!(receiver.count(), 0);
}

/// Of a server whose clock is an hour ahead, spans have its times, and the password stays here.
#[test]
fn times_are_those_of_the_ledger() {
    let Some(server) = server::Server::start_at("+3600s") else {
        return;
    };
    let (tree, address) = (ground(), server.database("fleet"));
    let receiver = Receiver::start(Answer::Takes);
    let on_server = |words: &[&str]| {
        let mut command = traced(&tree, &receiver.address, words);
        command.env("GROUNDS_FLEET_LEDGER", &address);
        command
    };
    ends(&mut on_server(&["migrate", "--roles"]), 0);
    ends(&mut on_server(&SUBMIT), 0);
    ends(&mut on_server(&WORK), 0);
    assert!(address.contains(server::PASSWORD));
    assert!(!receiver.raw().contains(server::PASSWORD));
    let traces = traces(&receiver.spans());
    assert_eq!(traces.len(), 3);
    let now_ns = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970")
        .as_nanos();
    for told in traces.iter().flatten() {
        let ahead_s = (i128::from(told.span.end_time_unix_nano) - now_ns as i128) / 1_000_000_000;
        assert!((3_000..3_700).contains(&ahead_s), "{ahead_s} s: {told:?}");
        if told.span.name == "fleet.attempt" {
            let ahead = told.is("grounds.clock.worker_ahead_ms");
            let ahead: i64 = ahead.parse().expect("a number");
            assert!((-3_700_000..-3_000_000).contains(&ahead), "{ahead}");
        }
    }
}
