use std::io::Write as _;
use std::sync::{Arc, Mutex};

use grounds_fleet::worker::{Pacer, WorkerDone};
use grounds_fleet::{Ledger, LedgerPlace};

use super::*;

const AT: &str = "model openai example.org";

/// What a worker answers to a job that writes these lines, and why the job has no result.
fn heard(lines: &[&str]) -> (Vec<String>, Option<String>) {
    let (answers, refused, _) = heard_with_use(lines);
    (answers, refused)
}

/// The same, with what the job used.
fn heard_with_use(lines: &[&str]) -> (Vec<String>, Option<String>, Option<Used>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("fleet.sqlite3");
    let database = LedgerPlace::of(&file.display().to_string(), None, None).open();
    let ledger = Ledger::with_tables(database.expect("a database")).expect("tables");
    let pacer = Pacer::new(Arc::new(Mutex::new(ledger)), "w", 100);
    let turns = LedgerTurns::new(&pacer);
    let socket = Socket::open().expect("a socket");
    let path = socket.path();
    let (answers, used) = socket.during(&turns, AT, || {
        let mut stream = UnixStream::connect(&path).expect("a worker");
        let mut answers = BufReader::new(stream.try_clone().expect("a handle")).lines();
        let mut came = Vec::new();
        for line in lines {
            if stream.write_all(line.as_bytes()).is_err() {
                break;
            }
            if line.contains("want") && line.ends_with('\n') {
                came.extend(answers.next().and_then(Result::ok));
            }
        }
        came
    });
    let refused = turns.refused().map(|done| match done {
        WorkerDone::Failed { reason, detail, .. } => format!("{reason}: {detail}"),
        WorkerDone::Result { verdict, .. } => verdict,
    });
    (answers, refused, used)
}

fn want(key: &str) -> String {
    format!(
        "{{\"want\": {{\"key\": \"{key}\", \"apart_ms\": 60000, \"tokens_apart_ms\": 0, \"is_local\": false}}}}\n"
    )
}

#[test]
fn a_job_has_turns_at_the_key_of_its_model() {
    let key = format!("{AT} 0123456789abcdef");
    let well = format!("{{\"well\": {{\"key\": \"{key}\", \"has_failed\": false}}}}\n");
    let (answers, refused) = heard(&[&want(&key), &well, &want(&key)]);
    assert_eq!(refused, None);
    assert!(
        answers[0].starts_with("{\"go\":") && answers[1].starts_with("{\"in\":"),
        "{answers:?}"
    );
}

#[test]
fn a_request_that_was_not_sent_is_no_result() {
    for (line, reason) in [
        ("\"too_late\"\n", "model_turn: "),
        ("{\"closed\": {\"ms\": 7}}\n", "model_closed: "),
        ("{\"unknown\": {\"why\": \"gone\"}}\n", "ledger: "),
    ] {
        let (_, refused) = heard(&[line]);
        let refused = refused.expect("it is refused");
        assert!(refused.starts_with(reason), "{refused}");
    }
}

/// Whatever else a job says changes nothing for others.
#[test]
fn a_job_that_says_something_else_is_not_heard() {
    let own = format!("{AT} 0123456789abcdef");
    let badly = |key: &str| format!("{{\"badly\": {{\"key\": \"{key}\"}}}}\n");
    let long = format!("{}\n", " ".repeat(9_999));
    for line in [
        want("model anthropic example.org 0123"),
        want("host example.org"),
        want(AT),
        want(&format!("{AT}.evil 0123")),
        want(&format!("{own}\\u0000")),
        badly(&own),
        "go\n".to_owned(),
        "{\"want\": {}}\n".to_owned(),
        long,
        "{\"want\"".to_owned(),
    ] {
        let (answers, refused) = heard(&[&line]);
        assert_eq!(answers, Vec::<String>::new(), "{line}");
        let refused = refused.expect("it is refused");
        assert!(refused.starts_with("no_turns: "), "{line}: {refused}");
    }
}

/// A turn whose use was not told may have cost whatever was set aside for it.
#[test]
fn what_a_job_used_is_known_if_it_told_of_each_turn() {
    let key = format!("{AT} 0123456789abcdef");
    let well = format!("{{\"well\": {{\"key\": \"{key}\", \"has_failed\": false}}}}\n");
    let told = "{\"used\": {\"tokens\": 48, \"cost_nano\": 7}}\n";
    let known = |used: Option<Used>| used.map(|used| (used.tokens, used.cost_nano));
    let (_, _, used) = heard_with_use(&[&want(&key), &well, told]);
    assert_eq!(known(used), Some((48, 7)));
    let (_, _, used) = heard_with_use(&[&want(&key), &well]);
    assert_eq!(known(used), None);
    let (_, _, used) = heard_with_use(&[]);
    assert_eq!(known(used), Some((0, 0)));
}

#[test]
fn only_the_first_connection_is_heard_and_one_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("fleet.sqlite3");
    let database = LedgerPlace::of(&file.display().to_string(), None, None).open();
    let ledger = Ledger::with_tables(database.expect("a database")).expect("tables");
    let pacer = Pacer::new(Arc::new(Mutex::new(ledger)), "w", 100);
    let turns = LedgerTurns::new(&pacer);
    let socket = Socket::open().expect("a socket");
    let path = socket.path();
    let ((), used) = socket.during(&turns, AT, || {
        let first = UnixStream::connect(&path).expect("a worker");
        while path.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(UnixStream::connect(&path).is_err());
        drop(first);
    });
    assert!(turns.refused().is_none());
    assert_eq!(used, Some(Used::default()));
    let ((), used) = Socket::open().expect("a socket").during(&turns, AT, || ());
    assert_eq!(used, None);
    assert!(turns.refused().is_some());
}
