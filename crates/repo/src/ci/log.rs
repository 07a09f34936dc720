//! The log of a job: kept within a bound, cleaned of terminal control sequences, and cut down to
//! the step that failed.
//!
//! It is foreign text: it is quoted, never understood as a command.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::excerpt::Excerpt;

/// Bytes of the end of a log that are kept; the lines before them are counted.
const KEPT_BYTES_MAX: usize = 4 << 20;
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Lines before the end of the failing step that are shown.
const TAIL_LINES_MAX: usize = 30;
/// Lines that are shown from the first one that mentions an error.
const FIRST_LINES_MAX: usize = 8;
/// Error lines that are shown by themselves.
const ERRORS_MAX: usize = 5;
/// Letters of one line that are shown.
const LINE_LETTERS_MAX: usize = 400;

/// The lines of a log, from some line on.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Log {
    /// The lines that were dropped before the first that is kept.
    pub dropped: u32,
    /// The lines.
    pub lines: Vec<LogLine>,
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LogLine {
    /// The time at which it was written, as the service gives it: `2026-11-21T12:00:00`; empty if
    /// it gives none.
    pub time: String,
    /// The text, without colours and without what was overwritten.
    pub text: String,
    /// The meaning of the line to the service.
    pub mark: LogMark,
}

/// The meaning of a line to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LogMark {
    /// Output.
    #[default]
    Plain,
    /// A command, or a section of the script, begins.
    Begins,
    /// The service or a problem matcher calls it an error.
    Error,
}

/// The time of the step to which a log is cut.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Window {
    /// The first second of the failing step; empty if unknown.
    pub from: String,
    /// The last second of it; empty if unknown.
    pub until: String,
}

impl Log {
    /// Reads a log to its end, and keeps the end.
    ///
    /// # Errors
    /// The error of the source; one of kind `FileTooLarge` past `bytes_max`.
    pub fn read(source: &mut dyn Read, bytes_max: u64) -> io::Result<Self> {
        let (mut kept, mut dropped, mut total) = (VecDeque::new(), 0_u32, 0_u64);
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let count = match source.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            total += count as u64;
            if total > bytes_max {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            kept.extend(&chunk[..count]);
            let over = kept.len().saturating_sub(KEPT_BYTES_MAX);
            // The dropped lines are counted, so that a citation has the line number of the whole
            // log.
            let newlines = kept.drain(..over).filter(|byte| *byte == b'\n').count();
            dropped = dropped.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
        }
        let bytes: Vec<u8> = kept.into();
        Ok(Self {
            dropped,
            lines: String::from_utf8_lossy(&bytes).lines().map(line).collect(),
        })
    }

    /// Returns the lines of the failing step: from the command that failed to the last error in it.
    pub fn failing(&self, window: &Window) -> std::ops::Range<usize> {
        // Times of this form can be compared as text; the service gives those of a step to the
        // second.
        let second = |time: &str| time.get(..19).unwrap_or_default().to_owned();
        let (from, until) = (second(&window.from), second(&window.until));
        let within = |line: &LogLine| {
            !line.time.is_empty()
                && !from.is_empty()
                && line.time >= from
                && (until.is_empty() || line.time <= until)
        };
        // If no line is within the window, the whole log is shown.
        let start = self.lines.iter().position(within).unwrap_or(0);
        let end = self
            .lines
            .iter()
            .rposition(within)
            .map_or(self.lines.len(), |last| last + 1);
        let mut errors = (start..end).filter(|&at| self.lines[at].mark == LogMark::Error);
        let (first_error, last_error) = match (errors.next(), errors.next_back()) {
            (Some(first), last) => (first, last.unwrap_or(first)),
            (None, _) => (end, end.saturating_sub(1)),
        };
        // The command that failed begins before its first error.
        let begins = (start..first_error)
            .rev()
            .find(|&at| self.lines[at].mark == LogMark::Begins)
            .unwrap_or(start);
        begins..(last_error + 1).min(end)
    }

    /// Returns the shown parts of some lines: their end, and before it the lines that first mention
    /// an error and those that the service marks as errors.
    pub fn excerpts(&self, lines: std::ops::Range<usize>) -> Vec<Excerpt> {
        // Blank lines at the end would use up the lines that are shown.
        let end = lines
            .clone()
            .rev()
            .find(|&at| !self.lines[at].text.trim().is_empty())
            .map_or(lines.start, |last| last + 1);
        if end <= lines.start {
            return Vec::new();
        }
        let tail = end.saturating_sub(TAIL_LINES_MAX).max(lines.start);
        // The end often has only the exit code, far below the message of the error.
        let first = (lines.start..tail).find(|&at| speaks_of_an_error(&self.lines[at].text));
        let first = first.map(|at| at..(at + FIRST_LINES_MAX).min(tail));
        // Error lines within the excerpt of the first error are shown by it already.
        let apart = |at: &usize| {
            self.lines[*at].mark == LogMark::Error
                && first.as_ref().is_none_or(|first| !first.contains(at))
        };
        let errors = (lines.start..tail)
            .filter(apart)
            .take(ERRORS_MAX)
            .map(|at| at..at + 1);
        let mut shown: Vec<std::ops::Range<usize>> = errors.chain(first.clone()).collect();
        shown.sort_by_key(|range| range.start);
        shown
            .into_iter()
            .chain(std::iter::once(tail..end))
            .map(|range| self.excerpt(range))
            .collect()
    }

    fn excerpt(&self, lines: std::ops::Range<usize>) -> Excerpt {
        let number = |at: usize| {
            self.dropped
                .saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
        };
        let text: Vec<&str> = self.lines[lines.clone()]
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        Excerpt {
            line_start: number(lines.start).saturating_add(1),
            line_end: number(lines.end),
            text: text.join("\n"),
            cut: false,
        }
    }
}

/// Returns a line in its parts: time, mark and text.
fn line(raw: &str) -> LogLine {
    // The logs of GitHub begin with a byte order mark.
    let (time, rest) = time(raw.trim_start_matches('\u{feff}'));
    // A terminal would not show what a carriage return overwrites.
    let shown = rest.trim_end_matches('\r');
    let visible = shown
        .rsplit('\r')
        .find(|part| !without_escapes(part).trim().is_empty())
        .unwrap_or_default();
    let text = without_escapes(visible);
    // GitLab writes `section_start:1560896352:name`, and overwrites it with a title.
    let begins_section = shown.starts_with("section_start:")
        || shown.contains("\rsection_start:")
        || rest.contains("section_start:");
    // `##[error]` is GitHub's, `ERROR: Job failed` is of GitLab's runner.
    let (mark, text) = match text.strip_prefix("##[error]") {
        Some(error) => (LogMark::Error, error),
        None if text.starts_with("ERROR: Job failed") => (LogMark::Error, text.as_str()),
        None if begins_section || text.starts_with("##[group]Run ") => {
            (LogMark::Begins, text.trim_start_matches("##[group]"))
        }
        None => (
            LogMark::Plain,
            text.trim_start_matches("##[group]")
                .trim_start_matches("##[endgroup]")
                .trim_start_matches("##[command]"),
        ),
    };
    LogLine {
        time,
        mark,
        text: shortened(text),
    }
}

/// Splits the time at the start of a line, to the second, from what follows it.
fn time(raw: &str) -> (String, &str) {
    let bytes = raw.as_bytes();
    let is_time = bytes.len() >= 20
        && bytes[..19].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            10 => *byte == b'T',
            13 | 16 => *byte == b':',
            _ => byte.is_ascii_digit(),
        });
    // GitHub writes `2026-11-21T12:00:01.0000000Z`. The number of digits in the fraction is not
    // fixed.
    let end = raw.find('Z').filter(|end| {
        is_time
            && *end <= 32
            && bytes[19..*end]
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.')
    });
    match end {
        Some(end) => (
            raw[..19].to_owned(),
            without_stream(raw[end + 1..].strip_prefix(' ').unwrap_or(&raw[end + 1..])),
        ),
        None => (String::new(), raw),
    }
}

/// Removes the number and the kind of the stream that GitLab's runner writes after the time: `00O
/// `, `01E+`.
fn without_stream(rest: &str) -> &str {
    let bytes = rest.as_bytes();
    let is_stream = bytes.len() >= 4
        && bytes[..2].iter().all(u8::is_ascii_hexdigit)
        && b"OE".contains(&bytes[2])
        && b" +".contains(&bytes[3]);
    if is_stream { &rest[4..] } else { rest }
}

/// Returns a text without escape sequences: those that set colours, titles and links.
fn without_escapes(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => skip_escape(&mut letters),
            '\u{9b}' => skip_control(&mut letters),
            _ => clean.push(letter),
        }
    }
    clean
}

type Letters<'t> = std::iter::Peekable<std::str::Chars<'t>>;

fn skip_escape(letters: &mut Letters<'_>) {
    match letters.next() {
        Some('[') => skip_control(letters),
        Some(']' | 'P' | '^' | '_') => skip_string(letters),
        Some('(' | ')' | '*' | '+') => drop(letters.next()),
        Some(_) | None => {}
    }
}

/// Skips to the letter that ends a control sequence.
fn skip_control(letters: &mut Letters<'_>) {
    while letters
        .next_if(|letter| matches!(letter, ' '..='?'))
        .is_some()
    {}
    letters.next_if(|letter| matches!(letter, '@'..='~'));
}

/// Skips to the bell or the string terminator, or to the end of the line without one.
fn skip_string(letters: &mut Letters<'_>) {
    while let Some(letter) = letters.next() {
        match letter {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                letters.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LINE_LETTERS_MAX) {
        Some((end, _)) => format!("{} […]", &text[..end]),
        None => text.to_owned(),
    }
}

/// Words with which programs begin to report an error. They choose what is shown, and rate nothing.
const SPEAKING: &[&str] = &[
    "error:",
    "error[",
    "panicked at",
    "traceback (most recent",
    "fatal:",
    "assertionerror",
    "exception:",
    "--- fail",
    "failures:",
    "failed:",
    "error ts",
    "npm err!",
    " ... failed",
];

fn speaks_of_an_error(text: &str) -> bool {
    let lower = text.to_lowercase();
    SPEAKING.iter().any(|word| lower.contains(word))
        || text.starts_with("FAIL")
        || text.contains(" FAILED")
}

#[cfg(test)]
mod tests;
