//! One attempt at a job, as its spans describe it. Identifiers are hashes of the run and the job,
//! so that the attempts of different workers belong together without an exchange between them.
//! Attributes have a bounded size, and none has the text of a claim, a question or a failure. Times
//! are on the ledger's clock: a worker measures only the distance from the moment at which the
//! ledger leased the job to it, so that no clock of a worker makes time run backwards.

use std::time::{Duration, Instant, SystemTime};

use grounds_fleet::ledger::{Lease, Leased, Next, Unit};
use grounds_fleet::worker::WorkerDone;
use opentelemetry::KeyValue;
use opentelemetry::trace::{Event, SpanId, Status, TraceId};
use opentelemetry_sdk::trace::SpanEvents;

/// Bytes of one attribute.
const ATTRIBUTE_BYTES_MAX: usize = 200;
/// Reasons that are refusals of the ledger and not failures of a job.
const REFUSALS: [&str; 4] = ["budget_spent", "called_off", "engine_closed", "lease_lost"];

/// A job that a worker has.
#[derive(Clone)]
pub(super) struct TracedAttempt {
    pub(super) trace: TraceId,
    pub(super) root: SpanId,
    pub(super) id: SpanId,
    pub(super) lease: Lease,
    pub(super) clock: Clock,
    pub(super) created: SystemTime,
    /// Attributes of the job.
    pub(super) job: Vec<KeyValue>,
    /// Attributes of this attempt.
    pub(super) own: Vec<KeyValue>,
    pub(super) begun: Option<Instant>,
    pub(super) writing: Option<Instant>,
    /// Refusals, with when they came.
    refused: Vec<(Instant, String)>,
    pub(super) outcome: Vec<KeyValue>,
    pub(super) status: Status,
}

/// The clock of the ledger, as far as a worker knows it.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub(super) leased: SystemTime,
    known: Instant,
}

impl Clock {
    pub(super) fn at(self, moment: Instant) -> SystemTime {
        // `Instant` is monotonic: a clock that is set back meanwhile changes nothing.
        self.leased + moment.saturating_duration_since(self.known)
    }
}

impl TracedAttempt {
    pub(super) fn of(leased: &Leased, worker: &str, now: Instant) -> Self {
        let (job, run) = (&leased.lease.job, &leased.run);
        let at = moment(leased.leased_ms);
        let text = |key: &'static str, value: &str| KeyValue::new(key, cut(value).to_owned());
        let named = [
            text("grounds.run", run),
            text("grounds.job.id", job),
            text("grounds.job.kind", leased.job.kind()),
            text("grounds.repository", leased.job.repository()),
        ];
        Self {
            trace: trace_of(run, job),
            root: span_of(run, job, 0, "job"),
            id: span_of(run, job, leased.lease.number, "attempt"),
            lease: leased.lease.clone(),
            clock: Clock {
                leased: at,
                known: now,
            },
            created: moment(leased.created_ms),
            job: named
                .into_iter()
                // A claim is about no repository.
                .filter(|named| !named.value.as_str().is_empty())
                .collect(),
            own: vec![
                text("grounds.worker", worker),
                KeyValue::new("grounds.attempt", leased.attempt),
                KeyValue::new("grounds.lease", leased.lease.number),
                KeyValue::new("grounds.clock", "ledger"),
                KeyValue::new("grounds.clock.worker_ahead_ms", ahead_ms(at)),
            ],
            begun: None,
            writing: None,
            refused: Vec::new(),
            outcome: Vec::new(),
            status: Status::Unset,
        }
    }

    /// Returns the identifier of one more span of this attempt.
    pub(super) fn span(&self, name: &str) -> SpanId {
        let mut bytes = self.id.to_bytes().to_vec();
        bytes.extend(name.as_bytes());
        SpanId::from_bytes(start_of(&blake3::hash(&bytes)))
    }

    pub(super) fn refuse(&mut self, reason: &str, now: Instant) {
        // One refusal may be noticed several times, as by a heartbeat and by a query.
        if !self.refused.iter().any(|(_, known)| known == reason) {
            self.refused.push((now, reason.to_owned()));
        }
    }

    pub(super) fn events(&self) -> SpanEvents {
        let mut events = SpanEvents::default();
        events.events = self
            .refused
            .iter()
            .map(|(when, reason)| {
                let why = vec![KeyValue::new("error.type", reason.clone())];
                Event::new("refused", self.clock.at(*when), why, 0)
            })
            .collect();
        events
    }

    /// Notes how the work ended.
    pub(super) fn outcome(&mut self, done: &WorkerDone, queries: u64, now: Instant) {
        let number = |key: &'static str, value: u64| {
            KeyValue::new(key, i64::try_from(value).unwrap_or(i64::MAX))
        };
        self.outcome = vec![number("grounds.queries", queries)];
        match done {
            WorkerDone::Result { verdict, used, .. } => {
                self.status = Status::Ok;
                let verdict = KeyValue::new("grounds.verdict", cut(verdict).to_owned());
                self.outcome.push(verdict);
                self.outcome
                    .extend(used.iter().map(|(unit, used)| number(key_of(*unit), *used)));
            }
            WorkerDone::Failed { reason, next, .. } => {
                let reason = cut(reason).to_owned();
                if REFUSALS.contains(&reason.as_str()) {
                    self.refuse(&reason, now);
                }
                self.status = match next {
                    Next::Retry | Next::Never => Status::error(reason.clone()),
                    // It did not fail: it waits for money, or for another worker.
                    Next::Hold | Next::Release => Status::Unset,
                };
                self.outcome.extend([
                    KeyValue::new("error.type", reason),
                    KeyValue::new("grounds.next", word(*next)),
                ]);
            }
        }
    }
}

const fn key_of(unit: Unit) -> &'static str {
    match unit {
        Unit::Tokens => "grounds.tokens",
        Unit::Queries => "grounds.queries.settled",
        Unit::MicroUsd => "grounds.micro_usd",
    }
}

const fn word(next: Next) -> &'static str {
    match next {
        Next::Retry => "retry",
        Next::Never => "never",
        Next::Hold => "hold",
        Next::Release => "release",
    }
}

pub(super) fn moment(ms: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

/// Returns the milliseconds that the clock of this machine is ahead of the ledger's, the time of
/// the message included; negative if it is behind.
fn ahead_ms(ledger: SystemTime) -> i64 {
    let ms = |distance: Duration| i64::try_from(distance.as_millis()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(ledger) {
        Ok(ahead) => ms(ahead),
        Err(behind) => -ms(behind.duration()),
    }
}

fn trace_of(run: &str, job: &str) -> TraceId {
    TraceId::from_bytes(start_of(&hash(run, job, 0, "trace")))
}

fn span_of(run: &str, job: &str, lease: i64, name: &str) -> SpanId {
    SpanId::from_bytes(start_of(&hash(run, job, lease, name)))
}

fn hash(run: &str, job: &str, lease: i64, name: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_derive_key("grounds fleet traces 1");
    for text in [run, job, name] {
        // With its length, so that run `a` with job `bc` differs from run `ab` with job `c`.
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.update(&lease.to_le_bytes()).finalize()
}

fn start_of<const N: usize>(hash: &blake3::Hash) -> [u8; N] {
    std::array::from_fn(|place| hash.as_bytes()[place])
}

/// Returns the start of a text, cut between two characters.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(ATTRIBUTE_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use grounds_fleet::Job;
    use grounds_fleet::job::ClaimJob;

    use super::*;

    fn attempt(run: &str, job: &str, number: i64) -> TracedAttempt {
        let leased = Leased {
            lease: Lease {
                job: job.to_owned(),
                number,
            },
            run: run.to_owned(),
            job: Job::Claim(ClaimJob {
                claim: "a text of its own".to_owned(),
                ..ClaimJob::default()
            }),
            attempt: number,
            created_ms: 1_000,
            ready_ms: 2_000,
            leased_ms: 3_000,
        };
        TracedAttempt::of(&leased, &"w".repeat(999), Instant::now())
    }

    /// Returns the outcome of an attempt as words.
    fn outcome(done: &WorkerDone) -> (String, Status, usize) {
        let mut attempt = attempt("r", "a", 1);
        attempt.outcome(done, 2, Instant::now());
        let words = attempt
            .outcome
            .iter()
            .map(|one| format!("{}={}", one.key, one.value));
        let words: Vec<String> = words.collect();
        (
            words.join(" "),
            attempt.status.clone(),
            attempt.events().len(),
        )
    }

    #[test]
    fn attempts_share_their_trace_and_nothing_else() {
        let (first, second) = (attempt("r", "a", 1), attempt("r", "a", 2));
        assert_eq!((first.trace, first.root), (second.trace, second.root));
        assert_ne!(first.id, second.id);
        assert_ne!(first.span("work"), second.span("work"));
        assert_ne!(first.span("work"), first.span("write"));
        for other in [
            attempt("r", "b", 1),
            attempt("s", "a", 1),
            attempt("ra", "", 1),
        ] {
            assert_ne!((first.trace, first.root), (other.trace, other.root));
        }
    }

    #[test]
    fn attributes_are_short_and_have_no_text_of_the_job() {
        let attempt = attempt("r", &"ä".repeat(500), 1);
        for one in attempt.job.iter().chain(&attempt.own) {
            let text = one.value.as_str();
            assert!(text.len() <= ATTRIBUTE_BYTES_MAX, "{one:?}");
            assert!(!text.contains("text of its own"), "{one:?}");
        }
    }

    #[test]
    fn an_outcome_says_what_was_used_and_why_it_ended() {
        let result = WorkerDone::Result {
            verdict: "True".to_owned(),
            report: "{\"a\": 1}".to_owned(),
            used: vec![(Unit::Tokens, 70), (Unit::MicroUsd, 3)],
        };
        let words = "grounds.queries=2 grounds.verdict=True grounds.tokens=70 grounds.micro_usd=3";
        assert_eq!(outcome(&result), (words.to_owned(), Status::Ok, 0));
        let failed = |reason: &str, next| {
            outcome(&WorkerDone::Failed {
                reason: reason.to_owned(),
                detail: "password".to_owned(),
                next,
            })
        };
        let words = |reason: &str, next: &str| {
            format!("grounds.queries=2 error.type={reason} grounds.next={next}")
        };
        assert_eq!(
            failed("engine_closed", Next::Retry),
            (
                words("engine_closed", "retry"),
                Status::error("engine_closed"),
                1
            )
        );
        assert_eq!(
            failed("budget_spent", Next::Hold),
            (words("budget_spent", "hold"), Status::Unset, 1)
        );
        assert_eq!(
            failed("exit_1", Next::Never),
            (words("exit_1", "never"), Status::error("exit_1"), 0)
        );
    }

    /// Whatever the clocks of two machines say, no span ends before it begins.
    #[test]
    fn no_time_is_before_the_lease() {
        let attempt = attempt("r", "a", 1);
        let earlier = attempt.clock.known.checked_sub(Duration::from_secs(9));
        assert_eq!(attempt.clock.leased, moment(3_000));
        assert_eq!(
            attempt.clock.at(earlier.expect("a moment")),
            attempt.clock.leased
        );
        let later = attempt.clock.known + Duration::from_millis(40);
        assert_eq!(attempt.clock.at(later), moment(3_040));
        assert_eq!(moment(-5), SystemTime::UNIX_EPOCH);
    }
}
