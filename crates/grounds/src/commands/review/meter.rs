//! The progress of a review on standard error: one JSON object per line with `--progress`, else a
//! bar at a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use grounds_review::event::ReviewEvent;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::{Value, json};

use crate::cli::Global;
use crate::safe;

/// Milliseconds between two moves of the bar.
const TICK_MS: u64 = 100;

/// Shows how far a review is, until it is dropped.
pub(super) struct ReviewMeter {
    is_json: bool,
    bar: Option<ProgressBar>,
}

impl ReviewMeter {
    pub(super) fn start(global: &Global) -> Self {
        let wants_bar = !global.quiet && !global.progress && std::io::stderr().is_terminal();
        let bar = wants_bar.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(TICK_MS));
            bar
        });
        Self {
            is_json: global.progress,
            bar,
        }
    }

    pub(super) fn tell(&self, event: &ReviewEvent) {
        if let Some(bar) = &self.bar {
            bar.set_message(safe::for_line(&words(event)));
        }
        if self.is_json {
            let _ = writeln!(
                std::io::stderr().lock(),
                "{}",
                safe::for_json(&wire(event).to_string())
            );
        }
    }
}

impl Drop for ReviewMeter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn words(event: &ReviewEvent) -> String {
    match event {
        ReviewEvent::Started => "reading the change".to_owned(),
        ReviewEvent::DiffParsed {
            files,
            changed_lines,
        } => format!("{files} files, {changed_lines} changed lines: rules"),
        ReviewEvent::RulesComplete { findings } => format!("{findings} findings of rules"),
        ReviewEvent::ContextResolved { bundles, .. } => format!("asking about {bundles} bundles"),
        ReviewEvent::ModelCallStarted { bundle } => format!("asking about {bundle}"),
        ReviewEvent::ModelCallComplete {
            bundle, findings, ..
        } => format!("{bundle}: {findings} findings"),
        ReviewEvent::FollowUpRequested { file, lines, .. } => format!("follow-up: {file}:{lines}"),
        ReviewEvent::FollowUpComplete { .. } => "follow-up: done".to_owned(),
        ReviewEvent::FollowUpRefused { asked, why } => format!("follow-up refused: {asked}: {why}"),
        ReviewEvent::Complete { findings, .. } => format!("{findings} findings"),
        ReviewEvent::Error { part, what } => format!("{part}: {what}"),
    }
}

/// Returns the JSON object of an event. The names and fields of the two about the follow-up are
/// those of the specification.
fn wire(event: &ReviewEvent) -> Value {
    match event {
        ReviewEvent::Started => json!({"type": "started"}),
        ReviewEvent::DiffParsed {
            files,
            changed_lines,
        } => json!({"type": "diff_parsed", "files": files, "changed_lines": changed_lines}),
        ReviewEvent::RulesComplete { findings } => {
            json!({"type": "rules_complete", "findings": findings})
        }
        ReviewEvent::ContextResolved {
            bundles,
            items,
            tokens,
            unresolved,
        } => {
            json!({"type": "context_resolved", "bundles": bundles, "items": items, "tokens": tokens, "unresolved": unresolved})
        }
        ReviewEvent::ModelCallStarted { bundle } => {
            json!({"type": "model_call_started", "bundle": bundle})
        }
        ReviewEvent::ModelCallComplete {
            bundle,
            findings,
            tokens,
            was_stored,
        } => {
            json!({"type": "model_call_complete", "bundle": bundle, "findings": findings, "tokens": tokens, "was_stored": was_stored})
        }
        ReviewEvent::FollowUpRequested {
            file,
            lines,
            reason,
        } => {
            json!({"type": "follow_up_requested", "file": file, "lines": lines, "reason": reason})
        }
        ReviewEvent::FollowUpComplete {
            issues_confirmed,
            issues_removed,
            issues_added,
            extra_tokens,
        } => json!({
            "type": "follow_up_complete", "issues_confirmed": issues_confirmed, "issues_removed": issues_removed,
            "issues_added": issues_added, "extra_tokens": extra_tokens}),
        ReviewEvent::FollowUpRefused { asked, why } => {
            json!({"type": "follow_up_refused", "asked": asked, "why": why})
        }
        ReviewEvent::Complete { findings, ending } => {
            json!({"type": "complete", "findings": findings, "ending": ending})
        }
        ReviewEvent::Error { part, what } => json!({"type": "error", "part": part, "what": what}),
    }
}
