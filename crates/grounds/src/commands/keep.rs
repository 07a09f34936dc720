//! Puts a finished job into the store of runs, after its output was printed, so that nobody waits
//! for it. An error here is one line on standard error; it changes neither the result nor the exit
//! code.

use std::io::{self, Write as _};
use std::time::{Duration, SystemTime};

use grounds_repo::checkout::Checkout;
use grounds_repo::git::TreeState;

use super::CommandCall;
use crate::cli::Format;
use crate::ended::Ended;
use crate::safe;
use crate::store::{Run, RunHead, Store, StoreBounds, mask, new_name};

/// Bytes of one word of the command line that are kept.
const WORD_BYTES_MAX: usize = 4 << 10;
/// Words of the command line that are kept.
const WORDS_MAX: usize = 256;

/// Keeps a run, unless the store is off.
pub(super) fn keep(ended: &Ended, call: &CommandCall<'_>, took: Duration) {
    if call.global.no_store || !ended.store.is_on() {
        return;
    }
    let kept = Store::open(StoreBounds::of(&ended.store))
        .map_err(|error| error.to_string())
        .and_then(|mut store| {
            let run = run(ended, call, took).map_err(|error| format!("keep the run: {error}"))?;
            let put = store.put(&run).map_err(|error| error.to_string());
            // An MCP server shows the name of the run only after this event.
            tell(&run.head.id, call, put.is_ok());
            put.map(|()| store.set_aside().map(|path| path.display().to_string()))
        });
    match kept {
        Ok(None) => {}
        Ok(Some(aside)) => warn(&format!(
            "the store of runs could not be read: it was set aside as `{aside}`, and a new one was made"
        )),
        Err(reason) => warn(&format!(
            "this run is not kept: cannot {reason}; --no-store keeps none"
        )),
    }
}

/// Reports the name of the kept run to readers of progress events.
fn tell(name: &str, call: &CommandCall<'_>, is_kept: bool) {
    if is_kept && call.global.progress {
        let event = serde_json::json!({"type": "kept", "run": name});
        let _ = writeln!(io::stderr().lock(), "{event}");
    }
}

fn warn(text: &str) {
    let _ = writeln!(io::stderr().lock(), "warning: {}", safe::for_line(text));
}

fn run(ended: &Ended, call: &CommandCall<'_>, took: Duration) -> io::Result<Run> {
    let started_ms = milliseconds(call.began);
    let tree = ended.tree.clone().unwrap_or_else(|| tree(ended));
    let shown = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let id = call.global.run_id.clone();
    // A shell may have put thousands of files in the place of a pattern.
    let options = call.words.iter().take(WORDS_MAX);
    let head = RunHead {
        id: id.unwrap_or_else(|| new_name(started_ms)),
        kind: ended.kind,
        words: mask::text(&ended.words),
        options: options
            .map(|word| mask::text(&without_secrets(word)))
            .collect(),
        started_ms,
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        folder: std::env::current_dir().map_or_else(|_| String::new(), |folder| shown(&folder)),
        repository: shown(&ended.root),
        commit: tree.commit,
        is_dirty: tree.dirty,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema: ended.kind.schema().to_owned(),
        exit: ended.exit as u8,
        verdict: ended.verdict.to_owned(),
        documents: ended.documents.as_deref().map(shown),
        bytes: 0,
    };
    Ok(Run {
        head,
        report: mask::json(&ended.text(Format::Json)?),
        pretty: mask::text(&ended.text(Format::Pretty)?),
        markdown: mask::text(&ended.text(Format::Markdown)?),
        beside: mask::json(&serde_json::to_string(&ended.beside)?),
    })
}

/// Returns a moment as stores keep it.
fn milliseconds(moment: SystemTime) -> i64 {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(0))
}

/// Returns the state of the tree, for a job that did not ask it.
fn tree(ended: &Ended) -> TreeState {
    Checkout::open(&ended.root)
        .map(|checkout| checkout.tree_state())
        .unwrap_or_default()
}

/// Returns a word of the command line; of an address without its login and its query.
fn without_secrets(word: &str) -> String {
    let end = (0..=word.len().min(WORD_BYTES_MAX))
        .rev()
        .find(|end| word.is_char_boundary(*end))
        .unwrap_or(0);
    let word = &word[..end];
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let place = rest.split(['?', '#']).next().unwrap_or_default();
    let host_end = place.find('/').unwrap_or(place.len());
    // Only before the first slash: `https://host/@scope/package` has no login.
    let host_start = place[..host_end].rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}://{}", &place[host_start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opens_doors_is_not_kept() {
        let check = |word: &str, kept: &str| assert_eq!(without_secrets(word), kept);
        check(
            "--model-url=https://me:secret@example.org/v1?key=secret#x",
            "--model-url=https://example.org/v1",
        );
        check("https://example.org/a@b", "https://example.org/a@b");
        check("who calls a?", "who calls a?");
        check(&"é".repeat(WORD_BYTES_MAX), &"é".repeat(WORD_BYTES_MAX / 2));
    }
}
