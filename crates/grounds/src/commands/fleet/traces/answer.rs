//! The content of a collector's responses about the spans that were sent to it. A span has arrived
//! only if the collector said so; every other span is counted, with the last reason.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message as _;

/// Spans of a worker, counted.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Spans that ended.
    ended: AtomicU64,
    /// Spans that a collector took.
    arrived: AtomicU64,
    /// Spans of the last request that the collector did not take.
    refused: AtomicU64,
    /// The reason why spans of the last such request did not arrive.
    why: Mutex<String>,
}

impl Tally {
    pub(super) fn ended(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes why a request failed.
    pub(super) fn failed(&self, why: &str) {
        let mut last = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone_into(&mut last);
    }

    /// Notes what a collector answered.
    pub(super) fn answered(&self, status: u16, body: &[u8]) {
        let refused = match status {
            200..=299 => match ExportTraceServiceResponse::decode(body) {
                Ok(answer) => answer.partial_success.map_or(0, |part| part.rejected_spans),
                // A proxy or a login page answers with 200 and HTML.
                Err(_) => {
                    self.failed("its answer is not one of OTLP");
                    i64::MAX
                }
            },
            status => {
                self.failed(&format!("it answered with status {status}"));
                i64::MAX
            }
        };
        let refused = u64::try_from(refused).unwrap_or(0);
        if (1..i64::MAX.unsigned_abs()).contains(&refused) {
            self.failed("it rejected spans");
        }
        self.refused.store(refused, Ordering::Relaxed);
    }

    /// Counts a batch whose request had an answer that the exporter takes for a good one.
    pub(super) fn exported(&self, spans: u64) {
        let refused = self.refused.load(Ordering::Relaxed);
        self.arrived
            .fetch_add(spans.saturating_sub(refused), Ordering::Relaxed);
    }

    /// Returns what did not arrive, in words; `None` if everything did.
    pub(super) fn missing(&self) -> Option<String> {
        let ended = self.ended.load(Ordering::Relaxed);
        let missing = ended.saturating_sub(self.arrived.load(Ordering::Relaxed));
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        let why = match why.as_str() {
            "" => "they were more than the queue holds, or time was up",
            why => why,
        };
        (missing > 0).then(|| {
            format!("{missing} of {ended} spans did not reach the collector of traces: {why}")
        })
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry_proto::tonic::collector::trace::v1::ExportTracePartialSuccess;

    use super::*;

    fn rejecting(spans: i64) -> Vec<u8> {
        let part = ExportTracePartialSuccess {
            rejected_spans: spans,
            error_message: "no".to_owned(),
        };
        ExportTraceServiceResponse {
            partial_success: Some(part),
        }
        .encode_to_vec()
    }

    /// What is said after two spans were sent and answered so.
    #[track_caller]
    fn check(status: u16, body: &[u8], is_good: bool, expected: Option<&str>) {
        let tally = Tally::default();
        tally.ended();
        tally.ended();
        tally.answered(status, body);
        if is_good {
            tally.exported(2);
        }
        let missing = tally.missing();
        match (&missing, expected) {
            (Some(said), Some(expected)) => assert!(said.contains(expected), "{said}"),
            (said, expected) => assert_eq!(said.as_deref(), expected),
        }
    }

    #[test]
    fn only_what_a_collector_took_has_arrived() {
        check(200, b"", true, None);
        check(200, &rejecting(0), true, None);
        check(200, &rejecting(1), true, Some("1 of 2 spans"));
        check(200, &rejecting(9), true, Some("2 of 2 spans"));
        check(200, &rejecting(-4), true, None);
        check(200, b"<html>hello</html>", true, Some("2 of 2 spans"));
        check(500, b"", false, Some("status 500"));
        check(302, b"", false, Some("status 302"));
    }
}
