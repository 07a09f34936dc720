//! The progress of a check: one line for people, or one JSON object per line with `--progress`.

use std::io::{IsTerminal as _, Write as _};

use grounds_verify::rounds::VerifyEvent;
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::cli::Global;
use crate::output::verify::{outcome, seeks};
use crate::safe;

/// Shows how far a check is, until it is dropped.
pub(super) struct VerifyMeter {
    bar: ProgressBar,
    json: bool,
}

impl VerifyMeter {
    pub(super) fn start(global: &Global) -> Self {
        let is_shown = !global.quiet && !global.progress && std::io::stderr().is_terminal();
        let target = if is_shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            bar: ProgressBar::with_draw_target(None, target),
            json: global.progress,
        }
    }

    pub(super) fn tell(&self, event: &VerifyEvent<'_>) {
        let (shown, object) = match event {
            VerifyEvent::Attempt { number, of } => (
                format!("round {number} of at most {of}"),
                serde_json::json!({"type": "attempt", "number": number, "of": of}),
            ),
            VerifyEvent::Query { query, results } => {
                let object = serde_json::json!({"type": "query", "text": query.text, "seeks": seeks(query.seeks), "results": results});
                (format!("searched: {}", query.text), object)
            }
            VerifyEvent::Pages { count } => (
                format!("reading {count} pages"),
                serde_json::json!({"type": "pages", "count": count}),
            ),
            VerifyEvent::Decided { verdict } => {
                let verdict = verdict.map(outcome);
                (
                    "deciding".to_owned(),
                    serde_json::json!({"type": "decided", "outcome": verdict}),
                )
            }
        };
        self.bar.set_message(safe::for_line(&shown));
        self.bar.tick();
        if self.json {
            let _ = writeln!(
                std::io::stderr().lock(),
                "{}",
                safe::for_json(&object.to_string())
            );
        }
    }
}

impl Drop for VerifyMeter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
