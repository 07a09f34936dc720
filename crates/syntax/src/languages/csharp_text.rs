//! C# as its grammar can read it. A condition of the preprocessor may begin inside of a
//! declaration, before its body or between its attributes, which the grammar takes for an error.
//! The lines of such a condition are blanked, and so are its branches without the body.

use std::ops::Range;

/// Limit on the lines that are searched for the end of a condition.
const LINES_MAX: usize = 4_000;

/// Returns the text with such conditions blanked, or `None` if it has none.
pub(super) fn tidy(source: &[u8]) -> Option<Vec<u8>> {
    memchr::memmem::find(source, b"#if")?;
    let lines = lines(source);
    let mut blanks = Vec::new();
    let (mut at, mut before) = (0, b';');
    while let Some(line) = lines.get(at) {
        let text = &source[line.clone()];
        let group = match directive(text) {
            Some(b"if") => group(source, &lines, at),
            _ => None,
        };
        if let Some(group) = group {
            let cut = group.blanks(source, &lines, before);
            if !cut.is_empty() {
                blanks.extend(cut);
                before = b'}';
                at = group.end() + 1;
                continue;
            }
        }
        before = last_byte(text).unwrap_or(before);
        at += 1;
    }
    if blanks.is_empty() {
        return None;
    }
    let mut tidied = source.to_vec();
    for blank in blanks {
        // Line breaks stay, so that every byte keeps its line.
        tidied[blank]
            .iter_mut()
            .filter(|byte| !byte.is_ascii_whitespace())
            .for_each(|byte| *byte = b' ');
    }
    Some(tidied)
}

/// A condition: the numbers of its own lines, from `#if` to `#endif`.
struct Condition {
    lines: Vec<usize>,
}

impl Condition {
    fn end(&self) -> usize {
        self.lines.last().copied().unwrap_or_default()
    }

    /// Returns what is blanked of a condition after a byte of code; nothing if the byte ends a
    /// statement or a member, so that whole ones follow.
    fn blanks(&self, source: &[u8], lines: &[Range<usize>], before: u8) -> Vec<Range<usize>> {
        let branches: Vec<(usize, usize)> = self
            .lines
            .windows(2)
            .map(|pair| (pair[0] + 1, pair[1]))
            .collect();
        let starts_with = |branch: &(usize, usize), start: &[u8]| {
            let code = |line: &&Range<usize>| last_byte(&source[(*line).clone()]).is_some();
            let first = lines[branch.0..branch.1].iter().find(code);
            first.is_some_and(|line| source[line.clone()].trim_ascii_start().starts_with(start))
        };
        let is_body =
            |branch: &(usize, usize)| starts_with(branch, b"{") || starts_with(branch, b"=>");
        let is_in_head = before.is_ascii_alphanumeric() || b")>]?_".contains(&before);
        let kept = match branches.as_slice() {
            [one] if before == b']' && starts_with(one, b"[") => Some(0),
            _ if is_in_head => branches.iter().position(is_body),
            _ => None,
        };
        let Some(kept) = kept else { return Vec::new() };
        let others = branches.iter().enumerate();
        let others = others
            .filter(|(number, _)| *number != kept)
            .flat_map(|(_, branch)| branch.0..branch.1);
        let blanked = self.lines.iter().copied().chain(others);
        blanked.map(|line| lines[line].clone()).collect()
    }
}

/// Returns the condition that begins on a line, or `None` if it does not end.
fn group(source: &[u8], lines: &[Range<usize>], first: usize) -> Option<Condition> {
    let (mut own, mut depth) = (vec![first], 0_usize);
    for (number, line) in lines.iter().enumerate().skip(first + 1).take(LINES_MAX) {
        match directive(&source[line.clone()]) {
            Some(b"if") => depth += 1,
            Some(b"else" | b"elif") if depth == 0 => own.push(number),
            Some(b"endif") if depth == 0 => {
                own.push(number);
                return Some(Condition { lines: own });
            }
            Some(b"endif") => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the ranges of the lines without their line breaks.
fn lines(source: &[u8]) -> Vec<Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', source).chain([source.len()]);
    let mut from = 0;
    ends.map(|end| {
        let line = from..end;
        from = end + 1;
        line
    })
    .collect()
}

/// Returns the word after `#` of a line of the preprocessor.
fn directive(line: &[u8]) -> Option<&[u8]> {
    let rest = line
        .trim_ascii_start()
        .strip_prefix(b"#")?
        .trim_ascii_start();
    let end = rest.iter().position(|byte| !byte.is_ascii_alphabetic());
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Returns the last byte of the code on a line; `None` if it has only a comment or is of the
/// preprocessor.
fn last_byte(line: &[u8]) -> Option<u8> {
    let text = line.trim_ascii();
    let is_no_code = [b"//".as_slice(), b"/*", b"*", b"#"]
        .iter()
        .any(|start| text.starts_with(start));
    if is_no_code {
        return None;
    }
    // A comment may follow the code, and `//` in a string begins no comment.
    let is_comment = |at: &usize| {
        let quotes = text[..*at].iter().filter(|byte| **byte == b'"').count();
        quotes % 2 == 0
    };
    let end = memchr::memmem::find_iter(text, b"//").find(is_comment);
    text[..end.unwrap_or(text.len())]
        .trim_ascii_end()
        .last()
        .copied()
}
