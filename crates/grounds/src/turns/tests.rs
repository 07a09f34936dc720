use std::os::unix::net::UnixListener;

use super::*;

/// What a process hears of a worker that answers so.
fn heard(answer: impl FnOnce(UnixStream) + Send + 'static) -> [TurnAnswer; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("turns");
    let listener = UnixListener::bind(&socket).expect("a socket");
    let worker = std::thread::spawn(move || answer(listener.accept().expect("a process").0));
    let turns = OfWorker::at(&socket);
    let want = Want {
        key: "model openai example.org 0123".to_owned(),
        ..Want::default()
    };
    let turns = [turns.ask(&want), turns.ask(&want)];
    worker.join().expect("no panic");
    turns
}

#[track_caller]
fn is_unknown(turn: &TurnAnswer) {
    assert!(matches!(turn, TurnAnswer::Unknown(_)), "{turn:?}");
}

#[test]
fn a_worker_that_is_gone_or_says_nonsense_gives_no_turn() {
    let unanswered = heard(drop);
    unanswered.iter().for_each(is_unknown);
    for words in [
        "go\n",
        "{\"go\": {}}\n",
        "{\"go\": {\"key\": \"k\", \"has_failed\": false, \"more\": 1}}\n",
        &format!("{{\"unknown\": {{\"why\": \"{}\"}}}}\n", "x".repeat(9_999)),
    ] {
        let words = words.to_owned();
        let turns = heard(move |mut stream| {
            stream.write_all(words.as_bytes()).expect("written");
            // Lines after nonsense are not read.
            let go = "{\"go\": {\"key\": \"k\", \"has_failed\": false}}\n";
            let _ = stream.write_all(go.as_bytes());
            let _ = stream.read(&mut [0; 4096]);
        });
        turns.iter().for_each(is_unknown);
    }
    let turns = OfWorker::at(Path::new("/nowhere/turns"));
    is_unknown(&turns.ask(&Want::default()));
}

#[test]
fn a_worker_that_answers_is_heard() {
    let turns = heard(|stream| {
        let mut lines = BufReader::new(stream.try_clone().expect("a handle")).lines();
        for answered in [
            WorkerAnswer::In { ms: 7 },
            WorkerAnswer::Go {
                key: "k".to_owned(),
                has_failed: true,
            },
        ] {
            let said = lines.next().expect("a line").expect("UTF-8");
            let said: TurnMessage = read(said.as_bytes()).expect("a want");
            assert!(matches!(said, TurnMessage::Want { .. }), "{said:?}");
            write(&stream, &answered).expect("written");
        }
    });
    let grant = Grant {
        key: "k".to_owned(),
        number: 0,
        has_failed: true,
    };
    assert_eq!(turns, [TurnAnswer::In(7), TurnAnswer::Go(grant)]);
}
