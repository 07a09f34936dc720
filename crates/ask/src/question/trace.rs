//! A pasted error: its message, and the places that it names.
//!
//! Parses a traceback of Python, a panic of Rust or Go, a stack trace of Java, JavaScript, C#, PHP,
//! Ruby, gdb or a sanitizer, a compiler message or a log line. Pure and bounded. Returns nothing
//! for any other text, and trusts nothing in it beyond its form.

mod frames;
mod messages;

pub use frames::Frame;

/// Maximum number of frames in one trace.
pub const FRAMES_MAX: usize = 64;
/// Maximum number of lines of one trace that are read.
const LINES_MAX: usize = 2_000;

/// A pasted error.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// The message without the kind of the error and without its place; empty if there is no
    /// message.
    pub message: String,
    /// The kind of the error, such as `KeyError` or `java.io.IOException`; `None` if none is named.
    pub kind: Option<String>,
    /// The places, the deepest one first.
    pub frames: Vec<Frame>,
    /// Whether there were more frames than [`FRAMES_MAX`].
    pub is_cut: bool,
}

/// Returns the error that a text is, with or without its stack; `None` if it is no error.
pub fn parse(text: &str) -> Option<Trace> {
    let raw: Vec<&str> = text.lines().take(LINES_MAX).collect();
    let lines: Vec<&str> = raw.iter().map(|line| without_prefix(line)).collect();
    let (mut found, is_newest_last) = frames::all(&lines);
    let said = messages::of(&lines, &raw);
    // A single place is a part of many questions: "what does src/a.rs:10:5 do".
    if said.is_none() && found.len() < 2 {
        return None;
    }
    if is_newest_last {
        found.reverse();
    }
    let is_cut = found.len() > FRAMES_MAX;
    found.truncate(FRAMES_MAX);
    let said = said.unwrap_or_default();
    Some(Trace {
        message: said.text,
        kind: said.kind,
        frames: found,
        is_cut,
    })
}

/// Returns a line without what a runner or a logger puts before every line of a trace.
fn without_prefix(line: &str) -> &str {
    let line = line.strip_prefix("INTERNALERROR> ").unwrap_or(line);
    let logged = line
        .split_once(" -- ")
        .filter(|(head, _)| head.contains(", [") && head.len() < 100);
    logged.map_or(line, |(_, said)| said.trim_start().trim_start_matches(": "))
}

/// Returns what a question quotes if that has quotation marks of its own, from the first mark to
/// the last.
fn quoted(text: &str) -> Option<Trace> {
    let at = [" '", " \"", " `"]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()?
        + 1;
    let mark = text[at..].chars().next()?;
    let end = text
        .trim_end_matches([' ', '?', '.', '!'])
        .strip_suffix(mark)?
        .len();
    let message = text.get(at + 1..end)?;
    (message.contains(mark) && message.split_whitespace().count() > 2).then(|| Trace {
        message: message.to_owned(),
        ..Trace::default()
    })
}

/// Returns the error that a question quotes within its own words: "I get error: no such file".
pub(crate) fn told(text: &str) -> Option<Trace> {
    if let Some(trace) = quoted(text) {
        return Some(trace);
    }
    // Without its first letter, a word matches as "Error" and as "error".
    let at = ["rror: ", "xception: ", "panic: ", "essage: "]
        .iter()
        .filter_map(|head| text.find(head).map(|at| at + head.len()))
        .min()?;
    let message = text[at..]
        .lines()
        .next()
        .unwrap_or_default()
        .trim()
        .trim_end_matches('?');
    // "… no such file when starting": the circumstance is no part of the message.
    let message = [" when ", " while "]
        .iter()
        .filter_map(|word| message.find(word))
        .min()
        .map_or(message, |end| &message[..end]);
    (message.split_whitespace().count() > 1).then(|| Trace {
        message: message.to_owned(),
        ..Trace::default()
    })
}

#[cfg(test)]
mod tests;
