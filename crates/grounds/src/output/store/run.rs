//! The facts about a run, in words for people.

use jiff::Timestamp;

use crate::safe;
use crate::store::RunHead;

/// Digits of a commit's hash that are shown.
const COMMIT_DIGITS: usize = 12;

/// Returns a moment in UTC, to the second.
pub fn moment(started_ms: i64) -> String {
    Timestamp::from_millisecond(started_ms).map_or_else(
        |_| "an unknown time".to_owned(),
        |moment| moment.strftime("%Y-%m-%d %H:%M:%SZ").to_string(),
    )
}

/// Returns bytes as people write them.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{}.{} KB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// Returns the tree that a run read: where, at which commit, whether it was as committed.
pub fn tree(head: &RunHead) -> String {
    let commit = head
        .commit
        .as_deref()
        .map(|commit| commit.chars().take(COMMIT_DIGITS).collect::<String>());
    let state = match head.is_dirty {
        Some(true) => " with changes",
        Some(false) => "",
        None => ", changes not asked",
    };
    match commit {
        Some(commit) => format!("{} at {commit}{state}", head.repository),
        None => format!("{}, no commit", head.repository),
    }
}

/// Returns the lines above a run that is shown.
pub fn head_lines(head: &RunHead) -> Vec<String> {
    let seconds = format!("{}.{:03} s", head.took_ms / 1_000, head.took_ms % 1_000);
    let mut lines = vec![
        format!(
            "run {}: {} of {}, took {seconds}, ended with {} ({})",
            head.id,
            head.kind.as_str(),
            moment(head.started_ms),
            head.exit,
            head.verdict
        ),
        format!("in {}", tree(head)),
    ];
    lines.extend(
        head.documents
            .as_ref()
            .map(|documents| format!("documents: {documents}")),
    );
    lines.push(format!(
        "called in {} as: grounds {}",
        head.folder,
        head.options.join(" ")
    ));
    // Each line by itself: a line break in a path must not begin another one.
    lines
        .into_iter()
        .map(|line| safe::for_line(&line))
        .collect()
}
