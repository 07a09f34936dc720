//! The progress of a call: the events of the child in words, for a client that asked for them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use serde_json::Value;

use crate::safe;

/// Events of one call that are passed on; further ones are not.
const EVENTS_MAX: u32 = 1_000;
/// The event of a run that is kept. It comes after the result, and is nobody's progress.
const KEPT: &str = "kept";
/// The event of an error. It is no progress: it stays with the other lines of standard error.
const ERROR: &str = "error";
/// Letters of a message.
const MESSAGE_LETTERS_MAX: usize = 200;

/// The receiver of progress, if there is one.
pub(crate) struct ProgressReceiver {
    told: Option<(Peer<RoleServer>, ProgressToken)>,
    count: AtomicU32,
    was_kept: AtomicBool,
}

impl ProgressReceiver {
    pub(crate) const fn new(told: Option<(Peer<RoleServer>, ProgressToken)>) -> Self {
        Self {
            told,
            count: AtomicU32::new(0),
            was_kept: AtomicBool::new(false),
        }
    }

    /// Reports whether the call has said that its run is kept.
    pub(crate) fn was_kept(&self) -> bool {
        self.was_kept.load(Ordering::Relaxed)
    }

    /// Reports whether a line is an event, and passes it on if so.
    pub(crate) async fn tell(&self, line: &[u8]) -> bool {
        let Ok(Value::Object(event)) = serde_json::from_slice(line) else {
            return false;
        };
        // A warning may be any JSON; only what has a type is an event.
        let Some(kind) = event.get("type").and_then(Value::as_str) else {
            return false;
        };
        if kind == ERROR {
            return false;
        }
        if kind == KEPT {
            self.was_kept.store(true, Ordering::Relaxed);
            return true;
        }
        // The protocol wants a number that grows with each notification.
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some((peer, token)) = self.told.as_ref().filter(|_| count <= EVENTS_MAX) {
            let parameters = ProgressNotificationParam::new(token.clone(), f64::from(count))
                .with_message(words(kind, &event));
            // A client that has gone is noticed elsewhere.
            let _ = peer.notify_progress(parameters).await;
        }
        true
    }
}

/// Returns an event in words: its kind, then its other fields.
fn words(kind: &str, event: &serde_json::Map<String, Value>) -> String {
    let mut words = kind.replace('_', " ");
    for (key, value) in event.iter().filter(|(key, _)| *key != "type") {
        let value = match value {
            Value::String(text) if text.is_empty() => continue,
            Value::String(text) => text.clone(),
            Value::Null => continue,
            other => other.to_string(),
        };
        words.push_str(&format!(", {} {value}", key.replace('_', " ")));
    }
    safe::for_line(&words)
        .chars()
        .take(MESSAGE_LETTERS_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_in_words() {
        let said = |json: &str| match serde_json::from_str(json).expect("JSON") {
            Value::Object(event) => words(event["type"].as_str().expect("a type"), &event),
            _ => unreachable!("an object"),
        };
        assert_eq!(
            said(r#"{"type": "step", "tool": "find", "target": "open"}"#),
            "step, target open, tool find"
        );
        assert_eq!(
            said(r#"{"type": "near_names", "of": null, "x": ""}"#),
            "near names"
        );
        assert_eq!(
            said(r#"{"type": "query", "text": "a\u001b[31m\nb", "results": 3}"#),
            "query, results 3, text a\\u{1b}[31m\\nb"
        );
        assert_eq!(
            said(&format!(
                r#"{{"type": "step", "x": "{}"}}"#,
                "é".repeat(500)
            ))
            .chars()
            .count(),
            MESSAGE_LETTERS_MAX
        );
    }
}
