//! Finds the line of a trace that says what went wrong.

use super::super::shape;

/// The text of an error.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct ErrorMessage {
    /// The message.
    pub(super) text: String,
    /// The kind of the error; `None` if the line names none.
    pub(super) kind: Option<String>,
}

/// Returns the message in some lines: the last one in a traceback of Python, otherwise the first.
/// `raw` has the same lines with what a logger wrote before them.
pub(super) fn of(lines: &[&str], raw: &[&str]) -> Option<ErrorMessage> {
    let said = |at: usize| {
        let (_, is_logged) = without_log_head(raw[at].trim());
        message(lines[at], lines.get(at + 1).copied(), is_logged)
    };
    if lines.iter().any(|line| {
        line.trim_start()
            .starts_with("Traceback (most recent call last)")
    }) {
        // Python prints the newest exception last, after those that caused it.
        return (0..lines.len()).rev().find_map(said);
    }
    (0..lines.len()).find_map(said)
}

/// Returns the message of one line. `next` is the following line, where some formats write it.
fn message(line: &str, next: Option<&str>, is_logged: bool) -> Option<ErrorMessage> {
    let (text, _) = without_log_head(line.trim());
    // Formats with a distinctive mark come first. `bare` fits nearly any sentence about a failure,
    // so it is almost last.
    panicked(text, next)
        .or_else(|| headed(text))
        .or_else(|| at_a_place(text))
        .or_else(|| kinded(text))
        .or_else(|| of_program(text))
        .or_else(|| of_test(line))
        .or_else(|| bare(text))
        .or_else(|| logged(text, is_logged))
}

/// Reads a panic of Rust: `thread 'main' panicked at src/main.rs:3:5:` and its next line, or the
/// older `… panicked at 'text', src/main.rs:3:5`.
fn panicked(text: &str, next: Option<&str>) -> Option<ErrorMessage> {
    let (before, after) = text.split_once("panicked at ")?;
    before.trim_start().starts_with("thread '").then_some(())?;
    if let Some((said, _)) = after
        .strip_prefix('\'')
        .and_then(|after| after.rsplit_once("', "))
    {
        return Some(plain(said));
    }
    // If the panic was pasted on one line, the message follows the place.
    let inline = after
        .split_once(": ")
        .map(|(_, said)| said.trim())
        .filter(|said| !said.is_empty());
    Some(plain(inline.or(next).unwrap_or_default()))
}

/// Reads a message after a head: `panic: x`, `error: x`, `error[E1]: x`, `==1==ERROR:
/// AddressSanitizer: x`.
fn headed(text: &str) -> Option<ErrorMessage> {
    let text = text
        .split_once("==ERROR: ")
        .filter(|(before, _)| before.starts_with("=="))
        .map_or(text, |(_, after)| after);
    let (head, said) = HEADS
        .iter()
        .find_map(|head| Some((*head, strip_word(text, head)?)))?;
    let said = said.trim_start_matches(['!', ']', ' ']);
    let said = if head.ends_with('[') {
        said.split_once("]: ").map_or(said, |(_, said)| said)
    } else {
        said
    };
    let said = said.trim_start_matches([':', ' ']);
    // A head without a colon may be a word of a sentence, so more than one word must follow.
    (said.split_whitespace().count() > 1 || head.ends_with(':'))
        .then(|| kinded(said).unwrap_or_else(|| plain(said)))
}

fn strip_word<'t>(text: &'t str, head: &str) -> Option<&'t str> {
    text.strip_prefix(head).filter(|_| text.len() > head.len())
}

const HEADS: &[&str] = &[
    "panic:",
    "fatal error:",
    "fatal:",
    "error:",
    "Error:",
    "ERROR:",
    "error[",
    "ERROR ",
    "FATAL:",
    "FATAL ",
    "CRITICAL:",
    "CRITICAL ",
    "[error]",
    "(error) ",
    "[ERROR]",
    "[FATAL]",
    "npm ERR!",
    "AddressSanitizer:",
    "ThreadSanitizer:",
    "LeakSanitizer:",
    "MemorySanitizer:",
    "UndefinedBehaviorSanitizer:",
    "PHP Fatal error:",
    "Fatal error:",
    "CMake Error:",
    "what():",
    "Assertion failed:",
    "ld: error:",
    "make: ***",
];

/// Reads a message after a place: `x.c:3:5: error: y`, `x.ts(3,5): error TS1: y`, `x.rb:3:in 'f': y
/// (NameError)`.
fn at_a_place(text: &str) -> Option<ErrorMessage> {
    let (place, rest) = text.split_once(": ")?;
    let path = place.split([':', '(']).next()?;
    let is_placed = shape::is_path(path)
        && place.len() > path.len()
        && place[path.len()..].starts_with([':', '(']);
    let has_line = place[path.len()..]
        .chars()
        .any(|letter| letter.is_ascii_digit());
    (is_placed && has_line).then_some(())?;
    if place.contains(":in ") {
        let (said, kind) = rest
            .strip_suffix(')')
            .and_then(|rest| rest.rsplit_once(" ("))
            .map_or((rest, None), |(said, kind)| (said, Some(kind.to_owned())));
        return Some(ErrorMessage {
            text: said.to_owned(),
            kind,
        });
    }
    let said = SEVERITIES
        .iter()
        .find_map(|severity| rest.strip_prefix(severity));
    let has_column = place[path.len()..].matches(':').count() > 1;
    match said {
        Some(said) => Some(plain(
            said.split_once(": ")
                .filter(|(code, _)| !code.trim().contains(' '))
                .map_or(said, |(_, said)| said),
        )),
        // Go writes no severity. Without a column, `a.rs:3: …` may be any remark about a line.
        None if has_column => Some(plain(rest)),
        None => None,
    }
}

const SEVERITIES: &[&str] = &["fatal error", "error", "warning", "undefined reference"];

/// Reads a message after a kind: `KeyError: x`, `java.io.IOException: x`, `Exception in thread
/// "main" a.B: x`, `Uncaught TypeError: x`.
fn kinded(text: &str) -> Option<ErrorMessage> {
    let text = text
        .strip_prefix("Exception in thread ")
        .map_or(text, |rest| {
            rest.split_once("\" ").map_or(rest, |(_, rest)| rest)
        });
    let text = [
        "Uncaught (in promise) ",
        "Uncaught ",
        "Unhandled exception. ",
        "Unhandled exception: ",
        "Caused by: ",
        "E   ",
    ]
    .iter()
    .fold(text, |text, prefix| {
        text.strip_prefix(prefix).unwrap_or(text).trim_start()
    });
    let (kind, said) = text
        .split_once(": ")
        .or_else(|| text.strip_suffix(':').map(|kind| (kind, "")))
        .unwrap_or((text, ""));
    let last = kind.rsplit(['.', ':', '\\']).next().unwrap_or(kind);
    let is_kind = KINDS.iter().any(|ending| last.ends_with(ending))
        && kind
            .chars()
            .all(|letter| letter.is_alphanumeric() || "._:\\$".contains(letter))
        && last.starts_with(char::is_uppercase)
        && !said.is_empty();
    is_kind.then(|| {
        // An error that wraps another begins with its own kind, and the inner message is the cause.
        let inner = kinded(said.trim()).map_or_else(|| said.trim().to_owned(), |inner| inner.text);
        ErrorMessage {
            text: inner,
            kind: Some(kind.to_owned()),
        }
    })
}

const KINDS: &[&str] = &[
    "Error",
    "Exception",
    "Fault",
    "Interrupt",
    "Panic",
    "Failure",
    "Failed",
    "Warning",
    "Mismatch",
];

fn plain(text: &str) -> ErrorMessage {
    ErrorMessage {
        text: text.trim().trim_start_matches([':', ' ']).to_owned(),
        kind: None,
    }
}

/// Reads a message after the name of a program: `prog: error parsing …`, `prog: cannot open …`.
fn of_program(text: &str) -> Option<ErrorMessage> {
    let (program, said) = text.split_once(": ")?;
    let is_program = !program.is_empty()
        && program
            .chars()
            .all(|letter| letter.is_alphanumeric() || "._-/".contains(letter));
    (is_program && begins_like_an_error(said))
        .then(|| plain(said.strip_prefix("error: ").unwrap_or(said)))
}

/// Reads a line as a test runner writes it: `E fixture 'x' not found`.
fn of_test(line: &str) -> Option<ErrorMessage> {
    line.strip_prefix("E   ")
        .map(str::trim)
        .filter(|said| said.split_whitespace().count() > 1)
        .map(plain)
}

/// Reads a message without a head that has the words and marks of an error: `invalid type: string
/// "x", expected y`.
fn bare(text: &str) -> Option<ErrorMessage> {
    let is_marked = text.contains(": ") || text.contains(['"', '\'', '`', '“']);
    let is_long = text.split_whitespace().count() > 3;
    (is_marked && is_long && !text.ends_with('?') && begins_like_an_error(text))
        .then(|| plain(text))
}

fn begins_like_an_error(text: &str) -> bool {
    let lower = text.to_lowercase();
    BEGINNINGS.iter().any(|beginning| {
        lower
            .strip_prefix(beginning)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Words that an error without a head begins with, unlike a question.
const BEGINNINGS: &[&str] = &[
    "invalid",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "failed to",
    "unable to",
    "unexpected",
    "unknown",
    "error",
    "fatal",
    "missing field",
    "no such",
    "expected",
    "undefined reference",
    "segmentation fault",
    "permission denied",
    "not allowed",
    "illegal",
    "unsupported",
    "unrecognized",
    "unrecognised",
    "duplicate",
    "warning",
    "mismatched",
];

/// Reads a line of a log, which has only the message after its time.
fn logged(text: &str, is_logged: bool) -> Option<ErrorMessage> {
    (is_logged && text.split_whitespace().count() > 2).then(|| plain(text))
}

/// Returns a line without the head of a log, and whether it had a time or a level.
fn without_log_head(text: &str) -> (&str, bool) {
    let text = ["INTERNALERROR> "]
        .iter()
        .find_map(|head| text.strip_prefix(head))
        .unwrap_or(text)
        .trim_start();
    // `E, [2012-10-04T02:25:52 #9422] ERROR -- : text`
    if let Some((_, said)) = text
        .split_once(" -- ")
        .filter(|(head, _)| head.contains(", [") && head.len() < HEAD_BYTES_MAX)
    {
        return (said.trim_start().trim_start_matches(": "), true);
    }
    let is_level = |group: &str| {
        ["WARN", "ERR", "FATAL", "CRIT", "PANIC"]
            .iter()
            .any(|level| group.to_uppercase().contains(level))
    };
    let mut rest = text;
    let mut leveled = false;
    while let Some((group, after)) = rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "))
        .filter(|(group, _)| group.len() < 32)
    {
        leveled |= is_level(group);
        rest = after.trim_start();
    }
    if leveled {
        return (rest, true);
    }
    match after_time(text) {
        Some(said) => (said, true),
        None => (without_stamp(text), false),
    }
}

/// Maximum size in bytes of the head of a log line, with time and source.
const HEAD_BYTES_MAX: usize = 100;

/// Returns what follows the time of day near the start of a line, without the mark of a level.
fn after_time(text: &str) -> Option<&str> {
    let is_time = |word: &str| {
        let word = word.trim_matches(['[', ']', ',']);
        word.matches(':').count() == 2
            && word.len() >= 8
            && word
                .chars()
                .all(|letter| letter.is_ascii_digit() || ":.,TZ+-".contains(letter))
    };
    let (at, time) = words_with_places(text)
        .take(6)
        .find(|(at, word)| is_time(word) && *at < HEAD_BYTES_MAX)?;
    let rest = text[at + time.len()..].trim_start();
    let rest = rest
        // Redis marks the level with one sign after the time: `16 Oct 2021 18:44:38.778 # …`.
        .strip_prefix(['#', '*', '-', '.', '|'])
        .map_or(rest, str::trim_start);
    Some(rest).filter(|rest| !rest.is_empty())
}

fn words_with_places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(' ').scan(0, |from, word| {
        let at = *from;
        *from += word.len() + 1;
        Some((at, word))
    })
}

/// Returns a line without the time that a log writes first.
fn without_stamp(text: &str) -> &str {
    let is_stamp = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits >= 4
            && word
                .chars()
                .all(|letter| letter.is_ascii_digit() || "[]-:.,TZ+/".contains(letter))
    };
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| is_stamp(word)) {
        rest = after.trim_start();
    }
    rest
}
