//! The spans of jobs: one trace for each job, whichever worker does it. A job has one span once it
//! is over. Each attempt has a span below it with the work and the writing, and the wait before
//! each attempt has one too.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use grounds_fleet::ledger::{Fate, Lease, Leased};
use grounds_fleet::worker::{JobEvent, WorkerDone};
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::trace::{Config, SamplingDecision, SpanData, SpanEvents};

use super::attempt::{TracedAttempt, moment};
use super::sender::Sender;
use super::settings::TraceSettings;

/// The traces of a worker.
pub(in super::super) struct Traces {
    /// `None` if nothing is to be sent.
    tracer: Option<Tracer>,
}

struct Tracer {
    sender: Sender,
    config: Config,
    worker: String,
    scope: InstrumentationScope,
    /// Jobs that the worker has, no more than it leases.
    open: Mutex<HashMap<Lease, TracedAttempt>>,
}

impl Traces {
    /// Starts to send where the environment names a collector; what it has that cannot be used is a
    /// warning.
    pub(in super::super) fn start(worker: &str) -> Self {
        let Some((name, address)) = super::asked_by() else {
            return Self { tracer: None };
        };
        let started = TraceSettings::of(&address).and_then(|settings| {
            let sender = Sender::start(&settings, worker)?;
            settings.ignored.iter().for_each(|text| super::warn(text));
            Ok(sender)
        });
        let sender = started
            .inspect_err(|why| super::warn(&format!("no traces are sent to `{name}`: {why}")))
            .ok();
        Self {
            tracer: sender.map(|sender| Tracer::new(sender, worker)),
        }
    }

    /// Takes note of what happened to a job.
    pub(in super::super) fn happened(&self, event: &JobEvent<'_>) {
        if let Some(tracer) = &self.tracer {
            tracer.happened(event, Instant::now());
        }
    }

    /// Sends what is left, within a bound, and warns of what did not arrive.
    pub(in super::super) fn end(self) {
        let Some(tracer) = self.tracer else {
            return;
        };
        if let Some(missing) = tracer.end() {
            super::warn(&missing);
        }
    }
}

impl Tracer {
    fn new(sender: Sender, worker: &str) -> Self {
        let scope = InstrumentationScope::builder("grounds.fleet");
        Self {
            sender,
            config: Config::default(),
            worker: worker.to_owned(),
            scope: scope.with_version(env!("CARGO_PKG_VERSION")).build(),
            open: Mutex::default(),
        }
    }

    fn happened(&self, event: &JobEvent<'_>, now: Instant) {
        match *event {
            JobEvent::Leased(leased) => self.leased(leased, now),
            JobEvent::Begun(lease) => self.note(lease, |attempt| attempt.begun = Some(now)),
            JobEvent::Lost(lease) => self.note(lease, |attempt| attempt.refuse("lease_lost", now)),
            JobEvent::Ended {
                lease,
                done,
                queries,
            } => self.ended(lease, done, queries, now),
            JobEvent::Writing(lease) => self.note(lease, |attempt| attempt.writing = Some(now)),
            JobEvent::Written(lease, fate) => self.written(lease, fate, now),
            JobEvent::Returned(lease) => self.returned(lease, now),
            JobEvent::Counted(_) => {}
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Lease, TracedAttempt>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, lease: &Lease, note: impl FnOnce(&mut TracedAttempt)) {
        if let Some(attempt) = self.open().get_mut(lease) {
            note(attempt);
        }
    }

    fn leased(&self, leased: &Leased, now: Instant) {
        let attempt = TracedAttempt::of(leased, &self.worker, now);
        let sampler = &self.config.sampler;
        let kind = SpanKind::Internal;
        let sampled =
            sampler.should_sample(None, attempt.trace, "fleet.job", &kind, &attempt.job, &[]);
        // The decision follows from the trace's identifier, so that all workers sample the same
        // jobs.
        if sampled.decision != SamplingDecision::RecordAndSample {
            return;
        }
        // A span must not end before it starts, whatever times the ledger has.
        let ready = moment(leased.ready_ms).min(attempt.clock.leased);
        let queue = SpanParts {
            id: attempt.span("queue"),
            parent: attempt.root,
            name: "fleet.queue",
            start: ready,
            end: attempt.clock.leased,
            own: Vec::new(),
            status: Status::Unset,
        };
        self.send(&attempt, queue, SpanEvents::default());
        self.open().insert(leased.lease.clone(), attempt);
    }

    fn ended(&self, lease: &Lease, done: &WorkerDone, queries: u64, now: Instant) {
        // A copy is sent, so that other jobs do not wait for the lock meanwhile.
        let mut ended = None;
        self.note(lease, |attempt| {
            attempt.outcome(done, queries, now);
            ended = Some(attempt.clone());
        });
        // A job that was not sampled has no attempt here.
        let Some(attempt) = ended else {
            return;
        };
        let span = SpanParts {
            id: attempt.span("work"),
            parent: attempt.id,
            name: "fleet.work",
            start: attempt.clock.at(attempt.begun.unwrap_or(now)),
            end: attempt.clock.at(now),
            own: attempt.outcome.clone(),
            status: attempt.status.clone(),
        };
        self.send(&attempt, span, attempt.events());
    }

    fn written(&self, lease: &Lease, fate: Fate, now: Instant) {
        let Some(mut attempt) = self.open().remove(lease) else {
            return;
        };
        let mut status = Status::Ok;
        if fate == Fate::Late {
            attempt.refuse("lease_lost", now);
            status = Status::error("lease_lost");
            attempt.status = status.clone();
        } else {
            let state = KeyValue::new("grounds.state", fate.word());
            attempt.outcome.push(state);
        }
        let write = SpanParts {
            id: attempt.span("write"),
            parent: attempt.id,
            name: "fleet.write",
            start: attempt.clock.at(attempt.writing.unwrap_or(now)),
            end: attempt.clock.at(now),
            own: Vec::new(),
            status,
        };
        self.send(&attempt, write, SpanEvents::default());
        self.close(&attempt, now);
        // A job that is tried again gets its own span from the worker that ends it.
        if fate.is_over() {
            self.send_root(attempt, now);
        }
    }

    fn returned(&self, lease: &Lease, now: Instant) {
        let Some(mut attempt) = self.open().remove(lease) else {
            return;
        };
        attempt
            .outcome
            .push(KeyValue::new("grounds.state", "returned"));
        self.close(&attempt, now);
    }

    /// Sends the span of an attempt.
    fn close(&self, attempt: &TracedAttempt, now: Instant) {
        let span = SpanParts {
            id: attempt.id,
            parent: attempt.root,
            name: "fleet.attempt",
            start: attempt.clock.leased,
            end: attempt.clock.at(now),
            own: attempt.outcome.clone(),
            status: attempt.status.clone(),
        };
        self.send(attempt, span, attempt.events());
    }

    /// Sends the span of a job that is over.
    fn send_root(&self, mut attempt: TracedAttempt, now: Instant) {
        // A job belongs to no single worker and no single attempt.
        attempt.own = vec![KeyValue::new("grounds.clock", "ledger")];
        let span = SpanParts {
            id: attempt.root,
            parent: SpanId::INVALID,
            name: "fleet.job",
            start: attempt.created.min(attempt.clock.leased),
            end: attempt.clock.at(now),
            own: std::mem::take(&mut attempt.outcome),
            status: attempt.status.clone(),
        };
        self.send(&attempt, span, SpanEvents::default());
    }

    fn send(&self, attempt: &TracedAttempt, span: SpanParts, events: SpanEvents) {
        let mut attributes = attempt.job.clone();
        attributes.extend(attempt.own.iter().cloned().chain(span.own));
        self.sender.send(SpanData {
            span_context: SpanContext::new(
                attempt.trace,
                span.id,
                // Attempts that were not sampled never come here (`leased`).
                TraceFlags::SAMPLED,
                false,
                TraceState::default(),
            ),
            parent_span_id: span.parent,
            parent_span_is_remote: false,
            span_kind: SpanKind::Internal,
            name: span.name.into(),
            start_time: span.start,
            end_time: span.end,
            attributes,
            dropped_attributes_count: 0,
            events,
            links: Default::default(),
            status: span.status,
            instrumentation_scope: self.scope.clone(),
        });
    }

    /// Closes what a worker still has when its ledger failed, and sends what is left.
    fn end(self) -> Option<String> {
        let now = Instant::now();
        let mut open: Vec<TracedAttempt> =
            self.open().drain().map(|(_, attempt)| attempt).collect();
        // The order of a map is another one in every run.
        open.sort_by_key(|attempt| (attempt.clock.leased, attempt.lease.job.clone()));
        for mut attempt in open {
            attempt.status = Status::error("not_written");
            self.close(&attempt, now);
        }
        self.sender.end()
    }
}

/// The parts that differ from span to span of an attempt.
struct SpanParts {
    id: SpanId,
    parent: SpanId,
    name: &'static str,
    start: SystemTime,
    end: SystemTime,
    own: Vec<KeyValue>,
    status: Status,
}
