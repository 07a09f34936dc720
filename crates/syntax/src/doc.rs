//! The one line of documentation that stands with an item.

use std::ops::Range;

/// Lines above an item that are looked at.
const LINES_MAX: usize = 60;
/// Bytes of a documentation line that are kept.
const LINE_BYTES_MAX: usize = 240;
const MARKS: [&str; 10] = ["///", "//!", "/**", "/*!", "/*", "//", "---", "--", "##", "#"];

/// The first line of the comment above `item`, or of the string that opens its
/// body; attributes and decorators between comment and item are passed over.
pub fn doc_line(source: &[u8], item: &Range<usize>) -> Option<String> {
    above(source, item.start).or_else(|| docstring(source, item))
}

fn above(source: &[u8], start: usize) -> Option<String> {
    let line_start = memchr::memrchr(b'\n', &source[..start.min(source.len())]).map_or(0, |newline| newline + 1);
    let mut block: Vec<String> = Vec::new();
    let mut end = line_start.checked_sub(1)?;
    for _ in 0..LINES_MAX {
        let begin = memchr::memrchr(b'\n', &source[..end]).map_or(0, |newline| newline + 1);
        let line = String::from_utf8_lossy(&source[begin..end.min(begin + LINE_BYTES_MAX)]).trim().to_owned();
        if is_comment(&line) {
            block.push(line);
        } else if !is_attribute(&line) {
            break;
        }
        let Some(next) = begin.checked_sub(1) else { break };
        end = next;
    }
    block.iter().rev().map(|line| strip_marks(line)).find(|line| line.chars().any(char::is_alphanumeric))
}

fn is_comment(line: &str) -> bool {
    !is_attribute(line) && (MARKS.iter().any(|mark| line.starts_with(mark)) || line.starts_with('*') || line.ends_with("*/"))
}

fn is_attribute(line: &str) -> bool {
    line.starts_with("#[") || line.starts_with('@') || line.starts_with("#![") || (line.starts_with('[') && line.ends_with(']'))
}

fn strip_marks(line: &str) -> String {
    let text = MARKS.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    text.trim_start_matches(['/', '*', '!', '#', '-']).trim_end_matches("*/").trim().to_owned()
}

/// The first line of a string that opens the body (Python).
fn docstring(source: &[u8], item: &Range<usize>) -> Option<String> {
    let text = String::from_utf8_lossy(source.get(item.start..item.end.min(item.start + 2_000))?).into_owned();
    let (header, body) = text.split_once(":\n").or_else(|| text.split_once(":\r\n"))?;
    let body = body.trim_start().trim_start_matches(['r', 'u', 'b', 'f']);
    let inner = body.strip_prefix("\"\"\"").or_else(|| body.strip_prefix("'''"))?;
    let line = inner.trim_start().lines().next()?.trim_end_matches("\"\"\"").trim();
    (!header.contains('{') && !line.is_empty()).then(|| line.chars().take(LINE_BYTES_MAX).collect())
}
