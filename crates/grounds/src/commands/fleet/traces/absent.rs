//! A build without traces: it says so if they are requested.

use grounds_fleet::worker::JobEvent;

/// No traces.
pub(in super::super) struct Traces;

impl Traces {
    /// Warns once if the environment names a collector.
    pub(in super::super) fn start(_worker: &str) -> Self {
        if let Some((name, _)) = super::asked_by() {
            super::warn(&format!(
                "no traces are sent: this program was built without the feature `telemetry`, and `{name}` is set"
            ));
        }
        Self
    }

    #[expect(clippy::unused_self, reason = "as the traces that are sent")]
    pub(in super::super) const fn happened(&self, _event: &JobEvent<'_>) {}

    #[expect(clippy::unused_self, reason = "as the traces that are sent")]
    pub(in super::super) const fn end(self) {}
}
