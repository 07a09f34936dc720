//! `grounds hook stop`: checks what an agent says at its end. Silent unless the code contradicts
//! it, or the history shows that what it names was removed long before. Unknown claims and failures
//! here never hold an agent up.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use grounds_check::{CheckOptions, CheckedDocument, ClaimVerdict, Evidence, check};
use grounds_repo::checkout::Checkout;
use grounds_repo::history::{HistoryReading, short};
use grounds_repo::limits::Limits;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::cache_folder;
use crate::cli::{Global, HookClient, HookStop};
use crate::commands::print;
use crate::error::Error;
use crate::exit::Exit;
use crate::named;
use crate::safe;

/// Bytes of an event that are read.
const EVENT_BYTES_MAX: u64 = 4 << 20;
/// Bytes at the end of a transcript that are read.
const TRANSCRIPT_BYTES_MAX: u64 = 4 << 20;
/// Milliseconds that the pass over the tree may take.
const PASS_MS_MAX: u64 = 1_200;
/// Milliseconds that the history may take. A statement about a release may take as many of it
/// again.
const HISTORY_MS_MAX: u64 = 300;
/// Commits that are read because the kept index of the history lacks them, the newest first.
const NEW_COMMITS_MAX: usize = 100;
/// Days that a removal must be old: the agent itself may have made a newer one, and speak of it.
const GONE_DAYS_MIN: i64 = 2;
/// Maximum number of contradictions that are reported.
const TOLD_MAX: usize = 8;

pub(super) fn run(arguments: &HookStop, global: &Global) -> Result<Exit, Error> {
    // Every failure means silence here: an agent that is held up by a broken check learns nothing.
    let said = event().and_then(|event| contradictions(&event, global));
    let Some(said) = said else {
        return Ok(Exit::Answered);
    };
    let told = match arguments.client {
        HookClient::Claude | HookClient::Codex => json!({"decision": "block", "reason": said}),
        HookClient::Cursor => json!({"followup_message": said}),
    };
    print(Exit::Answered, &mut |out| writeln!(out, "{told}"))
}

fn event() -> Option<Value> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(EVENT_BYTES_MAX)
        .read_to_end(&mut bytes);
    read.ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Returns the statements of the last message that do not hold; `None` if nothing is contradicted,
/// or if that could not be decided.
fn contradictions(event: &Value, global: &Global) -> Option<String> {
    // The agent goes on because of a hook already: once is enough.
    if event["stop_hook_active"] == true || event["loop_count"].as_u64() > Some(0) {
        return None;
    }
    let message = message(event)?;
    // Claude Code names the folder `cwd`; Cursor has a list of workspace roots.
    let folder = global
        .repo
        .clone()
        .or_else(|| event["cwd"].as_str().map(PathBuf::from))
        .or_else(|| event["workspace_roots"][0].as_str().map(PathBuf::from))?;
    let checkout = Checkout::open(&folder).ok()?;
    let limits = Limits {
        pass_ms_max: PASS_MS_MAX,
        history_ms_max: HISTORY_MS_MAX,
        ..Limits::default()
    };
    let folder = cache_folder::of(cache_folder::HISTORIES);
    let options = CheckOptions {
        // Without a kept index the history would have to be read as patches, for which 300 ms are
        // not enough.
        reads_history: folder.is_some(),
        history: HistoryReading {
            folder,
            commits_max: Some(NEW_COMMITS_MAX),
            // There is no time to read patches that no later run can use.
            is_index_only: true,
        },
        ..CheckOptions::default()
    };
    let documents = [CheckedDocument::new("-", &message)];
    let report = check(&documents, &checkout, &limits, &options).ok()?;
    let lines: Vec<String> = report
        .checked
        .iter()
        .filter_map(|checked| {
            let text = message.get(checked.claim.start..checked.claim.end)?;
            line(text, &checked.verdict)
        })
        .take(TOLD_MAX)
        .collect();
    (!lines.is_empty()).then(|| {
        format!(
            "grounds checked your last message against the code. These statements do not hold; correct them:\n{}",
            lines.join("\n")
        )
    })
}

fn line(text: &str, verdict: &ClaimVerdict) -> Option<String> {
    let shown = match verdict {
        ClaimVerdict::Contradicted {
            instead, evidence, ..
        } => instead.clone() + &evidence.first().map(place).unwrap_or_default(),
        ClaimVerdict::Gone { closest, evidence } => gone(closest.as_deref(), evidence)?,
        ClaimVerdict::Holds(_)
        | ClaimVerdict::NotFound
        | ClaimVerdict::Unknown(_)
        | ClaimVerdict::NoClaim(_) => {
            return None;
        }
    };
    Some(safe::for_line(&format!("- \"{text}\": {shown}")))
}

/// Returns a place in parentheses; empty for a commit.
fn place(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Place {
            path,
            line: Some(line),
            ..
        } => format!(" ({path}:{line})"),
        Evidence::Place {
            path, line: None, ..
        } => format!(" ({path})"),
        Evidence::Commit { .. } => String::new(),
    }
}

/// Returns how something was removed, if that was before the agent could have done it.
fn gone(closest: Option<&str>, evidence: &Evidence) -> Option<String> {
    let Evidence::Commit { hash, date, .. } = evidence else {
        return None;
    };
    let date: Date = date.parse().ok()?;
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let days = date.until(today).ok()?.get_days();
    let now = closest.map(|closest| format!("; now `{closest}`"));
    (i64::from(days) >= GONE_DAYS_MIN).then(|| {
        let now = now.unwrap_or_default();
        format!(
            "not here any more: removed by {} on {date}{now}",
            short(hash)
        )
    })
}

/// Returns the last message of the agent: as the event has it, or the last one of the transcript.
fn message(event: &Value) -> Option<String> {
    let given = event["last_assistant_message"].as_str().map(str::to_owned);
    given.or_else(|| last_of(Path::new(event["transcript_path"].as_str()?)))
}

/// Returns the text of the last message of an assistant in a file of JSON lines.
fn last_of(path: &Path) -> Option<String> {
    let kind = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut file = named::open(path).ok()?;
    // A transcript grows over a session; the first line that is read may be a torn one, and is
    // skipped.
    let start = kind.len().saturating_sub(TRANSCRIPT_BYTES_MAX);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(TRANSCRIPT_BYTES_MAX)
        .read_to_end(&mut bytes)
        .ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines()
        .rev()
        .find_map(|line| text_of(&serde_json::from_str(line).ok()?))
}

/// Returns the text of one entry; `None` if it is not a message of an assistant with text.
fn text_of(entry: &Value) -> Option<String> {
    let message = entry.get("message").unwrap_or(entry);
    // `{"type": "assistant", "message": {…}}` of Claude Code, or `{"role": "assistant", "content":
    // …}` alone.
    let role = message["role"].as_str().or_else(|| entry["type"].as_str());
    if role != Some("assistant") {
        return None;
    }
    let parts: Vec<&str> = match &message["content"] {
        Value::String(text) => vec![text],
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => Vec::new(),
    };
    let text = parts.join("\n\n");
    (!text.trim().is_empty()).then_some(text)
}
