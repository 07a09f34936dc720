//! How far a review is, on standard error: one JSON object a line where
//! `--progress` asks for it, else a bar at a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use grounds_review::event::Event;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::{Value, json};

use crate::cli::Global;
use crate::safe;

/// Milliseconds between two moves of the bar.
const TICK_MS: u64 = 100;

/// Shows how far a review is, until it is dropped.
pub(super) struct Meter {
    is_json: bool,
    bar: Option<ProgressBar>,
}

impl Meter {
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

    pub(super) fn tell(&self, event: &Event) {
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

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn words(event: &Event) -> String {
    match event {
        Event::Started => "reading the change".to_owned(),
        Event::DiffParsed {
            files,
            changed_lines,
        } => format!("{files} files, {changed_lines} changed lines: rules"),
        Event::RulesComplete { findings } => format!("{findings} findings of rules"),
        Event::ContextResolved { bundles, .. } => format!("asking about {bundles} bundles"),
        Event::ModelCallStarted { bundle } => format!("asking about {bundle}"),
        Event::ModelCallComplete {
            bundle, findings, ..
        } => format!("{bundle}: {findings} findings"),
        Event::FollowUpRequested { file, lines, .. } => format!("follow-up: {file}:{lines}"),
        Event::FollowUpComplete { .. } => "follow-up: done".to_owned(),
        Event::FollowUpRefused { asked, why } => format!("follow-up refused: {asked}: {why}"),
        Event::Complete { findings, .. } => format!("{findings} findings"),
        Event::Error { part, what } => format!("{part}: {what}"),
    }
}

/// The object of an event. The names and fields of the two about the follow-up are those of the specification.
fn wire(event: &Event) -> Value {
    match event {
        Event::Started => json!({"type": "started"}),
        Event::DiffParsed {
            files,
            changed_lines,
        } => json!({"type": "diff_parsed", "files": files, "changed_lines": changed_lines}),
        Event::RulesComplete { findings } => {
            json!({"type": "rules_complete", "findings": findings})
        }
        Event::ContextResolved {
            bundles,
            items,
            tokens,
            unresolved,
        } => {
            json!({"type": "context_resolved", "bundles": bundles, "items": items, "tokens": tokens, "unresolved": unresolved})
        }
        Event::ModelCallStarted { bundle } => {
            json!({"type": "model_call_started", "bundle": bundle})
        }
        Event::ModelCallComplete {
            bundle,
            findings,
            tokens,
            was_stored,
        } => {
            json!({"type": "model_call_complete", "bundle": bundle, "findings": findings, "tokens": tokens, "was_stored": was_stored})
        }
        Event::FollowUpRequested {
            file,
            lines,
            reason,
        } => {
            json!({"type": "follow_up_requested", "file": file, "lines": lines, "reason": reason})
        }
        Event::FollowUpComplete {
            issues_confirmed,
            issues_removed,
            issues_added,
            extra_tokens,
        } => json!({
            "type": "follow_up_complete", "issues_confirmed": issues_confirmed, "issues_removed": issues_removed,
            "issues_added": issues_added, "extra_tokens": extra_tokens}),
        Event::FollowUpRefused { asked, why } => {
            json!({"type": "follow_up_refused", "asked": asked, "why": why})
        }
        Event::Complete { findings, ending } => {
            json!({"type": "complete", "findings": findings, "ending": ending})
        }
        Event::Error { part, what } => json!({"type": "error", "part": part, "what": what}),
    }
}
