//! Turns that somebody else gives: nothing is sent without one, and whoever gives them hears how it
//! went.

use std::sync::{Arc, Mutex};

use grounds_model::pace::Rates;
use grounds_model::turns::{Grant, NoTurn, TurnAnswer, Turns, Want, Went};
use grounds_model::{ModelClient, ModelError};

use crate::budget::{HONEST, answer};
use crate::protocol::{request, settings};
use crate::server::{Answer, KEY, Server};

/// Gives turns by a script, and notes what it hears.
#[derive(Debug, Default)]
struct Scripted {
    turns: Mutex<Vec<TurnAnswer>>,
    wants: Mutex<Vec<Want>>,
    went: Mutex<Vec<Went>>,
    gave_up: Mutex<Vec<NoTurn>>,
}

impl Turns for Scripted {
    fn ask(&self, want: &Want) -> TurnAnswer {
        self.wants.lock().expect("no panic").push(want.clone());
        self.turns.lock().expect("no panic").remove(0)
    }

    fn went(&self, _: &Grant, went: Went, _: Option<u64>) {
        self.went.lock().expect("no panic").push(went);
    }

    fn gave_up(&self, _: &Want, why: &NoTurn) {
        self.gave_up.lock().expect("no panic").push(why.clone());
    }
}

fn go() -> TurnAnswer {
    TurnAnswer::Go(Grant::default())
}

fn client(server: &Server, turns: &[TurnAnswer]) -> (ModelClient, Arc<Scripted>) {
    let scripted = Arc::new(Scripted {
        turns: Mutex::new(turns.to_vec()),
        ..Scripted::default()
    });
    let mut settings = settings(server, "openai");
    settings.rates = Rates {
        requests_per_minute: Some(7_000),
        tokens_per_minute: Some(1_000_000),
        parallel_max: 4,
    };
    settings.turns = Some(Arc::clone(&scripted) as Arc<dyn Turns>);
    (ModelClient::of(settings), scripted)
}

fn of_status(status: u16, retry_after: Option<&str>) -> Answer {
    let header = |value: &str| ("retry-after".to_owned(), value.to_owned());
    Answer {
        status,
        headers: retry_after.map(header).into_iter().collect(),
        body: b"{}".to_vec(),
        ..Answer::default()
    }
}

#[test]
fn each_attempt_has_a_turn_and_its_end_is_told() {
    let honest = answer(HONEST);
    let script = vec![of_status(429, Some("1")), of_status(500, None), honest];
    let server = Server::of("openai", script);
    let (client, turns) = client(&server, &[go(), TurnAnswer::In(5), go(), go()]);
    client.ask(&request(false)).expect("an answer");
    let went = turns.went.lock().expect("no panic").clone();
    assert_eq!(went, [Went::Held(1_000), Went::Badly, Went::Well]);
    let wants = turns.wants.lock().expect("no panic").clone();
    assert_eq!(wants.len(), 4);
    // 60,000 ms for 7,000 requests, rounded so that there are not more.
    assert!(wants[0].apart_ms == 9 && wants[0].tokens_apart_ms > 0 && wants[0].is_local);
    let known_by = wants[0].key.rsplit(' ').next().expect("a word");
    assert!(wants[0].key.starts_with("model openai http://127.0.0.1:"));
    assert!(
        known_by.len() == 16 && !wants[0].key.contains(KEY),
        "{}",
        wants[0].key
    );
}

#[test]
fn without_a_turn_nothing_is_sent_and_nothing_is_spent() {
    let server = Server::of("openai", vec![of_status(500, None)]);
    for (turn, why) in [
        (TurnAnswer::In(600_000), NoTurn::TooLate),
        (TurnAnswer::Closed(9), NoTurn::Closed(9)),
        (
            TurnAnswer::Unknown("gone".to_owned()),
            NoTurn::Unknown("gone".to_owned()),
        ),
    ] {
        let (client, turns) = client(&server, &[turn]);
        let host = "127.0.0.1".to_owned();
        let error = client.ask(&request(false)).expect_err("no turn");
        let expected = ModelError::NoTurn {
            host,
            why: why.clone(),
        };
        assert_eq!(error, expected);
        assert_eq!(*turns.gave_up.lock().expect("no panic"), [why]);
        assert_eq!((client.spent().requests, client.spent().tokens()), (0, 0));
    }
    assert!(server.asked().is_empty());
}
