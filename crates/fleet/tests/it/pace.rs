//! One pace over all workers: what holds of turns on both engines, and what a site sees of several
//! processes with several threads that ask by one ledger.

use std::time::Duration;

use grounds_fleet::FaultKind;
use grounds_fleet::ledger::{PaceTurn, TakenTurn, Went};

use crate::server::Server;
use crate::site::{Senders, Site, Visit};
use crate::support::{Ground, on_both};

/// How much earlier a request may come than its place in the pace. A turn is given by the clock of
/// the ledger; what goes by it comes as much later as the answer of the ledger and the start of the
/// request take, and the one before it may have taken longer. This machine may be busy.
const TOLERANCE: Duration = Duration::from_millis(250);

#[track_caller]
fn go(turn: PaceTurn) -> TakenTurn {
    match turn {
        PaceTurn::Go(taken) => taken,
        PaceTurn::In(ms) => panic!("in {ms} ms"),
        PaceTurn::Closed(ms) => panic!("closed for {ms} ms"),
    }
}

#[track_caller]
fn wait(turn: PaceTurn) -> u64 {
    match turn {
        PaceTurn::In(ms) => ms,
        PaceTurn::Go(_) | PaceTurn::Closed(_) => panic!("{turn:?}"),
    }
}

#[test]
fn turns_are_apart_at_each_key_and_nothing_is_reserved() {
    on_both(|ground| {
        let (mut one, mut other) = (ground.ledger(), ground.ledger());
        go(one.pace(&[("host", 60_000)]).expect("a turn"));
        for _ in 0..2 {
            let ms = wait(other.pace(&[("host", 60_000)]).expect("a turn"));
            assert!((50_000..=60_000).contains(&ms), "{ms}");
        }
        let both = [("model", 0), ("model tokens", 60_000)];
        go(one.pace(&both).expect("a turn"));
        wait(other.pace(&both).expect("a turn"));
        // Without tokens it may go, and what has to wait at one key takes no turn at the other.
        go(other.pace(&both[..1]).expect("a turn"));
        wait(one.pace(&[("model", 60_000), both[1]]).expect("a turn"));
        go(one.pace(&both[..1]).expect("a turn"));
        let fault = one.pace(&[("model", u64::MAX)]).expect_err("too long");
        assert_eq!(fault.kind, FaultKind::Usage, "{fault}");
    });
}

#[test]
fn a_turn_that_is_had_alone_ends_when_it_is_said_or_runs_out() {
    on_both(|ground| {
        let (mut one, mut other) = (ground.ledger(), ground.ledger());
        let first = go(one.pace(&[("host", 60_000)]).expect("a turn"));
        wait(other.pace(&[("host", 60_000)]).expect("a turn"));
        one.end_turn("host", first.number, 0).expect("ended");
        let second = go(other.pace(&[("host", 300)]).expect("a turn"));
        // Of a turn that is over nobody ends the next one.
        one.end_turn("host", first.number, 0).expect("ended");
        wait(one.pace(&[("host", 300)]).expect("a turn"));
        std::thread::sleep(Duration::from_millis(400));
        let third = go(one.pace(&[("host", 60_000)]).expect("a turn"));
        other
            .end_turn("host", second.number, 0)
            .expect("too late, and nothing");
        wait(other.pace(&[("host", 60_000)]).expect("a turn"));
        one.end_turn("host", third.number, 60_000).expect("ended");
        wait(one.pace(&[("host", 0)]).expect("a turn"));
    });
}

#[test]
fn what_fails_again_and_again_or_asks_for_it_is_left_alone() {
    on_both(|ground| {
        let (mut one, mut other) = (ground.ledger(), ground.ledger());
        let key = [("host", 0)];
        assert!(!go(one.pace(&key).expect("a turn")).has_failed);
        for _ in 0..4 {
            one.went("host", Went::Badly).expect("noted");
        }
        assert!(go(other.pace(&key).expect("a turn")).has_failed);
        other.went("host", Went::Well).expect("noted");
        assert!(!go(one.pace(&key).expect("a turn")).has_failed);
        for _ in 0..5 {
            one.went("host", Went::Badly).expect("noted");
        }
        let turn = other.pace(&key).expect("a turn");
        assert!(
            matches!(turn, PaceTurn::Closed(3_000..=5_000)),
            "closed: {turn:?}"
        );
        let held = [("held", 0)];
        go(one.pace(&held).expect("a turn"));
        one.went("held", Went::Held(60_000)).expect("noted");
        one.went("held", Went::Held(1)).expect("noted");
        assert!(wait(other.pace(&held).expect("a turn")) > 50_000);
        // Whatever a server says, it is asked again some day.
        one.went("held", Went::Held(u64::MAX)).expect("noted");
        assert!(wait(other.pace(&held).expect("a turn")) <= 600_000);
    });
}

/// A clock that was set back, or a server that took over with an earlier one, stops nobody.
#[test]
fn turns_of_a_clock_that_was_set_back_do_not_count() {
    let Some(server) = Server::shared() else {
        return;
    };
    let address = server.database("back");
    let mut ledger = crate::server::ledger(&address);
    go(ledger.pace(&[("host", 1_000)]).expect("a turn"));
    server.sql(
        "back",
        "UPDATE fleet_pace SET next_ms = next_ms + 86400000, closed_until_ms = next_ms + 86400000",
    );
    go(ledger.pace(&[("host", 60_000)]).expect("a turn"));
    wait(ledger.pace(&[("host", 60_000)]).expect("a turn"));
}

/// No window of any length has more requests than its pace allows.
#[track_caller]
fn are_apart(visits: &[Visit], apart: Duration) {
    for (first, from) in visits.iter().enumerate() {
        for (number, to) in visits[first..].iter().enumerate() {
            let least = apart * u32::try_from(number).expect("few");
            let took = to.came.saturating_duration_since(from.came);
            assert!(
                took + TOLERANCE >= least,
                "{number} requests after {first} in {took:?}, not {least:?}"
            );
        }
    }
}

fn senders(ground: &Ground, keys: &[(&'static str, u64)]) -> Senders {
    drop(ground.ledger());
    Senders {
        address: ground.address.clone(),
        keys: keys.to_vec(),
        pause_ms: None,
        requests: 4,
    }
}

#[test]
fn processes_and_threads_keep_one_rate() {
    on_both(|ground| {
        let site = Site::start(|_| "well".to_owned());
        let visits = senders(ground, &[("model", 60)]).run(&site);
        assert_eq!(visits.len(), 36);
        are_apart(&visits, Duration::from_millis(60));
        let site = Site::start(|_| "well".to_owned());
        let by_tokens = Senders {
            requests: 2,
            ..senders(ground, &[("other", 1), ("other tokens", 100)])
        };
        let visits = by_tokens.run(&site);
        assert_eq!(visits.len(), 18);
        are_apart(&visits, Duration::from_millis(100));
    });
}

/// Here no tolerance is needed: the next turn is given after the end of the request was said.
#[test]
fn processes_ask_a_host_one_at_a_time_with_a_pause() {
    on_both(|ground| {
        let site = Site::start(|_| "well".to_owned());
        let alone = Senders {
            pause_ms: Some(80),
            requests: 2,
            ..senders(ground, &[("host", 5_000)])
        };
        let visits = alone.run(&site);
        assert_eq!(visits.len(), 18);
        for pair in visits.windows(2) {
            let pause = pair[1].came.saturating_duration_since(pair[0].ended);
            // The ledger counts whole milliseconds, so that a pause may be shorter by less than one.
            assert!(pause >= Duration::from_millis(79), "{pause:?}");
        }
    });
}

#[test]
fn a_process_that_is_killed_in_its_turn_holds_the_host_no_longer_than_it_said() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        // Nobody says the end of this turn.
        go(ledger.pace(&[("host", 1_500)]).expect("a turn"));
        let site = Site::start(|_| "well".to_owned());
        let start = std::time::Instant::now();
        let alone = Senders {
            pause_ms: Some(0),
            requests: 1,
            ..senders(ground, &[("host", 1_500)])
        };
        let visits = alone.run(&site);
        assert_eq!(visits.len(), 9);
        let waited = visits[0].came.saturating_duration_since(start);
        assert!(waited >= Duration::from_millis(1_200), "{waited:?}");
    });
}

#[test]
fn a_pause_that_one_is_asked_for_holds_all() {
    on_both(|ground| {
        let held = Duration::from_millis(1_500);
        let site = Site::start(|number| match number {
            9 => "held 1500".to_owned(),
            _ => "well".to_owned(),
        });
        let visits = senders(ground, &[("model", 20)]).run(&site);
        assert_eq!(visits.len(), 36);
        let asked = visits[9].ended;
        let after = |visit: &&Visit| visit.came > asked + TOLERANCE;
        let next = visits.iter().find(after).expect("they go on");
        let paused = next.came.saturating_duration_since(asked);
        assert!(paused >= held, "{paused:?}");
    });
}

#[test]
fn what_fails_again_and_again_is_closed_for_all_and_opens_again() {
    on_both(|ground| {
        let site = Site::start(|number| match number {
            10..=24 => "badly".to_owned(),
            _ => "well".to_owned(),
        });
        let one_by_one = Senders {
            pause_ms: Some(1),
            ..senders(ground, &[("host", 5_000)])
        };
        let visits = one_by_one.start(&site, 3);
        std::thread::sleep(Duration::from_millis(4_000));
        // Five failed in a row: the other 20 are not sent while it is closed.
        let came = site.visits();
        assert_eq!(came.len(), 15);
        for mut sender in visits {
            sender.kill().expect("it is there");
            sender.wait().expect("it ends");
        }
        let mut ledger = ground.ledger();
        let PaceTurn::Closed(ms) = ledger.pace(&[("host", 0)]).expect("a turn") else {
            panic!("it is not closed");
        };
        std::thread::sleep(Duration::from_millis(ms + 10));
        assert!(go(ledger.pace(&[("host", 0)]).expect("a turn")).has_failed);
        // One more failure, and it is closed for longer.
        ledger.went("host", Went::Badly).expect("noted");
        let turn = ledger.pace(&[("host", 0)]).expect("a turn");
        assert!(matches!(turn, PaceTurn::Closed(8_000..=10_000)), "{turn:?}");
    });
}

#[test]
fn without_a_ledger_nothing_is_sent() {
    let Some(server) = Server::start() else {
        return;
    };
    let address = server.database("fleet");
    drop(crate::server::ledger(&address));
    let site = Site::start(|_| "well".to_owned());
    let patient = Senders {
        address,
        keys: vec![("model", 50)],
        pause_ms: None,
        requests: 1_000,
    };
    let senders = patient.start(&site, 3);
    while site.visits().len() < 5 {
        std::thread::sleep(Duration::from_millis(10));
    }
    server.kill();
    // A request whose turn was given before may still be on its way.
    std::thread::sleep(TOLERANCE);
    let sent = site.visits().len();
    for sender in senders {
        let ended = sender.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(
            !ended.status.success() && said.contains("Unreachable"),
            "{said}"
        );
    }
    assert_eq!(site.visits().len(), sent);
}
