//! Decides when a request may be sent. One process paces its own requests; several processes that
//! share a host or a key ask a common authority. A request waits for its turn up to a deadline.
//! Without a turn, nothing is sent.

use std::fmt;
use std::time::{Duration, Instant};

/// Maximum milliseconds of one sleep: an exclusive turn of another process may end earlier, and a
/// stop must be noticed.
const LOOK_MS: u64 = 100;

/// The turn that a request asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// The host, or the model's provider, host and a hash of the key; never the key itself.
    pub key: String,
    /// Milliseconds between this turn and the next one at this key.
    pub apart_ms: u64,
    /// Milliseconds until the next turn for the tokens of this request; 0 if tokens are not paced.
    pub tokens_apart_ms: u64,
    /// Whether no other request has a turn until [`Turns::went`]; `apart_ms` is then the maximum
    /// time.
    pub is_alone: bool,
    /// Whether the host is this machine: on another machine the same name means another host.
    pub is_local: bool,
}

/// The answer to a request for a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnAnswer {
    /// The request may go now.
    Go(Grant),
    /// Not before so many milliseconds; nothing is reserved.
    In(u64),
    /// Not for so many milliseconds, since requests failed again and again.
    Closed(u64),
    /// The state is not known, with the reason.
    Unknown(String),
}

/// A turn that was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// The key of the want.
    pub key: String,
    /// The number of the turn at this key.
    pub number: i64,
    /// Whether the last requests at this key failed.
    pub has_failed: bool,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    /// It was answered.
    Well,
    /// It failed.
    Badly,
    /// The server asks for a pause of so many milliseconds.
    Held(u64),
}

/// Why a request has no turn. It was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTurn {
    /// The turn would be past the bound.
    TooLate,
    /// Requests failed again and again; no request is sent for so many milliseconds.
    Closed(u64),
    /// The state was not known, with the reason.
    Unknown(String),
    /// The work was stopped.
    Stopped,
}

impl fmt::Display for NoTurn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLate => formatter.write_str("others have the turns until its time is over"),
            Self::Closed(ms) => write!(
                formatter,
                "requests failed again and again; no worker sends one for {ms} ms"
            ),
            Self::Unknown(why) => write!(formatter, "the common pace is unknown: {why}"),
            Self::Stopped => formatter.write_str("it was stopped"),
        }
    }
}

/// Gives turns over all processes.
pub trait Turns: fmt::Debug + Send + Sync {
    /// Takes the turn if it is free now. Does not wait for it.
    fn ask(&self, want: &Want) -> TurnAnswer;

    /// Notes the outcome of the request of a turn. `pause_ms` is the pause before the next turn, if
    /// the turn was exclusive.
    fn went(&self, grant: &Grant, went: Went, pause_ms: Option<u64>);

    /// Notes what a request with a turn used of a model: tokens, and billionths of a dollar.
    fn used(&self, tokens: u64, cost_nano: u64) {
        let (_, _) = (tokens, cost_nano);
    }

    /// Notes that a request was not sent because it had no turn.
    fn gave_up(&self, want: &Want, why: &NoTurn) {
        let (_, _) = (want, why);
    }
}

/// Waits for a turn until a deadline.
///
/// # Errors
/// [`NoTurn`]: the request must not be sent.
pub fn wait(
    turns: &dyn Turns,
    want: &Want,
    until: Instant,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Grant, NoTurn> {
    let waited = waited(turns, want, until, is_stopped);
    if let Err(why) = &waited {
        turns.gave_up(want, why);
    }
    waited
}

fn waited(
    turns: &dyn Turns,
    want: &Want,
    until: Instant,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Grant, NoTurn> {
    loop {
        if is_stopped() {
            return Err(NoTurn::Stopped);
        }
        let ms = match turns.ask(want) {
            TurnAnswer::Go(grant) => return Ok(grant),
            TurnAnswer::Closed(ms) => return Err(NoTurn::Closed(ms)),
            TurnAnswer::Unknown(why) => return Err(NoTurn::Unknown(why)),
            TurnAnswer::In(ms) => ms,
        };
        let left = until.saturating_duration_since(Instant::now());
        // An exclusive turn may end long before its maximum time, so that waiting is worthwhile.
        if left.is_zero() || (!want.is_alone && Duration::from_millis(ms) > left) {
            return Err(NoTurn::TooLate);
        }
        // Any other turn comes no earlier than announced.
        let longest = if want.is_alone { LOOK_MS } else { ms };
        pause(
            Duration::from_millis(ms.clamp(1, longest.max(1))),
            is_stopped,
        );
    }
}

/// Sleeps until the time is over, or until it is stopped.
fn pause(time: Duration, is_stopped: &dyn Fn() -> bool) {
    let end = Instant::now() + time;
    while !is_stopped() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(Duration::from_millis(LOOK_MS)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Answers by a script, and notes what was given up.
    #[derive(Debug)]
    struct Scripted(Mutex<Vec<TurnAnswer>>, Mutex<Vec<NoTurn>>);

    impl Turns for Scripted {
        fn ask(&self, _: &Want) -> TurnAnswer {
            self.0.lock().expect("no panic").remove(0)
        }

        fn went(&self, _: &Grant, _: Went, _: Option<u64>) {}

        fn gave_up(&self, _: &Want, why: &NoTurn) {
            self.1.lock().expect("no panic").push(why.clone());
        }
    }

    fn of(script: &[TurnAnswer], is_alone: bool, ms: u64) -> (Result<Grant, NoTurn>, Vec<NoTurn>) {
        let turns = Scripted(Mutex::new(script.to_vec()), Mutex::default());
        let want = Want {
            is_alone,
            ..Want::default()
        };
        let until = Instant::now() + Duration::from_millis(ms);
        let waited = wait(&turns, &want, until, &|| false);
        (waited, turns.1.into_inner().expect("no panic"))
    }

    #[test]
    fn a_request_goes_only_with_a_turn() {
        let go = TurnAnswer::Go(Grant::default());
        let good = (Ok(Grant::default()), Vec::new());
        assert_eq!(
            of(
                &[TurnAnswer::In(1), TurnAnswer::In(1), go.clone()],
                false,
                9_000
            ),
            good
        );
        assert_eq!(of(&[TurnAnswer::In(60_000), go], true, 9_000), good);
        for (turn, why) in [
            (TurnAnswer::In(60_000), NoTurn::TooLate),
            (TurnAnswer::Closed(7), NoTurn::Closed(7)),
            (
                TurnAnswer::Unknown("x".to_owned()),
                NoTurn::Unknown("x".to_owned()),
            ),
        ] {
            assert_eq!(of(&[turn], false, 9_000), (Err(why.clone()), vec![why]));
        }
        let taken = [
            TurnAnswer::In(60_000),
            TurnAnswer::In(60_000),
            TurnAnswer::In(60_000),
        ];
        assert_eq!(of(&taken, true, 120).0, Err(NoTurn::TooLate));
    }

    #[test]
    fn a_stop_is_heard() {
        let turns = Scripted(Mutex::default(), Mutex::default());
        let until = Instant::now() + Duration::from_secs(60);
        let waited = wait(&turns, &Want::default(), until, &|| true);
        assert_eq!(waited, Err(NoTurn::Stopped));
    }
}
