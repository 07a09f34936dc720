//! Places in the output of compilers and test runners: `path:line`. A place says where something
//! failed, never that something failed.

/// Lines of a log that are read.
const LINES_MAX: usize = 200_000;
/// Bytes of one line that are read.
const LINE_BYTES_MAX: usize = 4_000;

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .take(LINES_MAX)
        .map(|line| &line[..line.floor_char_boundary(LINE_BYTES_MAX)])
}

/// Returns every `path:line` that a text names, in order.
pub(super) fn all(text: &str) -> impl Iterator<Item = (&str, u32)> {
    lines(text).flat_map(|line| {
        quoted_file(line)
            .into_iter()
            .chain(words(line).filter_map(in_word))
    })
}

/// Returns every line of the form `path:line: error: message`, as compilers write it.
pub(super) fn errors(text: &str) -> impl Iterator<Item = (&str, u32, &str)> {
    lines(text).filter_map(error_line)
}

/// Returns every line of the form `path:line:column: message`, with any message.
pub(super) fn diagnostics(text: &str) -> impl Iterator<Item = (&str, u32, &str)> {
    lines(text).filter_map(|line| {
        let (head, message) = line.split_once(": ")?;
        in_word(head.trim())
            .filter(|_| !head.trim().contains(' '))
            .map(|(path, number)| (path, number, message))
    })
}

fn error_line(line: &str) -> Option<(&str, u32, &str)> {
    let line = line.trim();
    // Maven: "[ERROR] /path/File.java:[12,5] message".
    if let Some(rest) = line.strip_prefix("[ERROR] ") {
        let (head, message) = rest.split_once("] ")?;
        return in_word(head).map(|(path, number)| (path, number, message));
    }
    let mark = [
        ": error: ",
        ": fatal error: ",
        ": error TS",
        ": error[",
        ": Error: ",
        ": error C",
    ]
    .into_iter()
    .find_map(|mark| line.find(mark))?;
    let (head, message) = line.split_at(mark);
    // Kotlin begins the line of an error with `e: `.
    let head = head.strip_prefix("e: ").unwrap_or(head);
    in_word(head).map(|(path, number)| (path, number, message.trim_start_matches(": ")))
}

/// Parses `File "path", line 12`.
fn quoted_file(line: &str) -> Option<(&str, u32)> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (path, rest) = rest.split_once("\", line ")?;
    number_at(rest).map(|number| (path, number))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| {
        letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '<' | '>' | ';' | '|')
    })
}

/// Parses `path:12`, `path:12:3`, `path:[12,3]`, `path(12,3)` or `(path:12:3)`.
fn in_word(word: &str) -> Option<(&str, u32)> {
    let word = word.trim_start_matches(['(', '[']);
    let word = word.strip_prefix("file://").unwrap_or(word);
    let at_colon = word.match_indices(':').map(|(at, _)| (at, at + 1));
    let at_bracket = word.match_indices('(').map(|(at, _)| (at, at + 1));
    at_colon.chain(at_bracket).find_map(|(end, start)| {
        let (path, rest) = (&word[..end], word[start..].trim_start_matches('['));
        // The time `12:30` has the same form.
        let looks_like_a_file = path.contains('.') || path.contains('/');
        number_at(rest)
            .filter(|_| looks_like_a_file && !path.is_empty())
            .map(|number| (path, number))
    })
}

fn number_at(text: &str) -> Option<u32> {
    let digits = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    let after = text[digits..].chars().next();
    let ends = after.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
    text[..digits]
        .parse()
        .ok()
        .filter(|number| *number > 0 && ends)
}
