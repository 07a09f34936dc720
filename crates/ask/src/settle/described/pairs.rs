//! Reads keys and values from one line, at any depth of its brackets, but not inside texts.

use crate::words::is_in;

/// A key and the value that a line gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair<'t> {
    pub(super) key: &'t str,
    pub(super) value: &'t str,
    /// Where the key starts in its line.
    pub(super) at: usize,
    /// Whether the sign is a lone colon.
    pub(super) is_colon: bool,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DescribedValue {
    Number,
    Text,
    /// True, false, a list, a constant of another name.
    Other,
    /// The language's word for no value.
    Null,
}

/// Returns a line with the content of its strings and its comment blanked. Every byte keeps its
/// place.
pub(super) fn masked(line: &str) -> String {
    let bytes = line.as_bytes();
    let mut masked = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        if is_comment(bytes, at) {
            masked[at..].fill(b' ');
            break;
        }
        let end = match bytes[at] {
            // A string without an end continues on the next line.
            b'"' => closing(bytes, at + 1, b'"').or(Some(bytes.len())),
            quote @ (b'\'' | b'`') => closing(bytes, at + 1, quote),
            _ => None,
        };
        if let Some(end) = end {
            masked[at + 1..end].fill(b'_');
            at = end;
        }
        at += 1;
    }
    // A part of a letter with several bytes may have been blanked, so all such bytes are replaced
    // to keep the text valid.
    masked
        .iter_mut()
        .filter(|byte| !byte.is_ascii())
        .for_each(|byte| *byte = b'_');
    String::from_utf8(masked).unwrap_or_default()
}

fn closing(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    (from..bytes.len()).find(|at| bytes[*at] == quote && bytes[at - 1] != b'\\')
}

/// Reports whether a comment starts here: a `//` that is in no address, or a `#` that is in no
/// name.
fn is_comment(bytes: &[u8], at: usize) -> bool {
    let is_after_space = at == 0 || bytes[at - 1].is_ascii_whitespace();
    let next = bytes.get(at + 1).copied().unwrap_or(b' ');
    is_after_space && (bytes[at] == b'/' && next == b'/' || bytes[at] == b'#' && next == b' ')
}

/// Returns the keys of a line with their values.
pub(super) fn pairs<'t>(line: &'t str, masked: &str) -> Vec<Pair<'t>> {
    let bytes = masked.as_bytes();
    let mut pairs = Vec::new();
    for at in 0..bytes.len() {
        let Some((left, right)) = sign(bytes, at) else {
            continue;
        };
        let start = start_of(bytes, left);
        let end = end_of(bytes, right);
        let key = line.get(start..left).unwrap_or_default();
        let indent = key.len() - key.trim_start().len();
        let value = line.get(right..end).unwrap_or_default().trim();
        // `--wait=5` belongs to a command line, and sets no key.
        let is_flag =
            key.trim().trim_start_matches('#').starts_with('-') && !key.trim().contains(' ');
        if !key.trim().is_empty() && !value.is_empty() && !is_flag {
            pairs.push(Pair {
                key: key.trim(),
                value,
                at: start + indent,
                is_colon: bytes[at] == b':' && right == at + 1,
            });
        }
    }
    pairs
}

/// Returns where a sign of assignment starts and ends, if there is one here: no comparison, no
/// arrow of a function, no path.
fn sign(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
    let next = bytes.get(at + 1).copied().unwrap_or(b' ');
    match bytes[at] {
        b'=' if b"=!<>+-*/%^~.:".contains(&before) || next == b'=' || next == b'~' => None,
        // `'max' => 5`, `:max => 5`; `() => 5` is a function.
        b'=' if next == b'>' => {
            let left = &bytes[..at];
            let last = left.iter().rfind(|byte| !byte.is_ascii_whitespace())?;
            (b"'\"".contains(last) || is_symbol(left)).then_some((at, at + 2))
        }
        // `||=`, `&&=` and `??=` set a value if there is no value yet.
        b'=' if b"|&?".contains(&before) => Some((at.saturating_sub(2), at + 1)),
        b'=' => Some((at, at + 1)),
        b':' if next == b'=' => Some((at, at + 2)),
        b':' if before != b':' && next != b':' => {
            let rest = &bytes[at + 1..];
            let is_symbol = rest.first().is_some_and(|byte| !byte.is_ascii_whitespace());
            let is_key = before.is_ascii_alphanumeric() || b"_'\"]?".contains(&before);
            // `name: Type = value` is one pair, of the `=`.
            let is_typed = (at + 1..end_of(bytes, at + 1))
                .any(|other| bytes[other] == b'=' && sign(bytes, other).is_some() && other > at);
            (is_key && !is_typed && !(is_symbol && rest[0].is_ascii_alphabetic()))
                .then_some((at, at + 1))
        }
        _ => None,
    }
}

fn is_symbol(left: &[u8]) -> bool {
    let text = String::from_utf8_lossy(left);
    let word = text.split_whitespace().next_back().unwrap_or_default();
    word.trim_start_matches(['(', '{']).starts_with(':')
}

/// Returns where the text before a sign starts: after the enclosing bracket or the last comma.
fn start_of(bytes: &[u8], end: usize) -> usize {
    let mut depth = 0;
    for at in (0..end).rev() {
        match bytes[at] {
            b')' | b']' | b'}' | b'>' => depth += 1,
            b'(' | b'[' | b'{' | b'<' if depth > 0 => depth -= 1,
            b'(' | b'[' | b'{' | b',' | b';' | b'|' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    0
}

/// Returns where a value ends: before a comma, a semicolon, or the bracket that closes its list.
fn end_of(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at,
            b')' | b']' | b'}' => depth -= 1,
            b',' | b';' if depth == 0 => return at,
            _ => {}
        }
    }
    bytes.len()
}

/// Returns the name at the end of a key, without keywords and types: `val limit: Int`,
/// `LogLevel _level`, `wait time.Duration`.
pub(super) fn name_of(key: &str, is_type_last: bool) -> &str {
    let key = key.split("//").next().unwrap_or(key).trim();
    // `int Max { get; set; }` is a property.
    let key = match key.split_once(" {") {
        Some((property, rest)) if rest.trim_end().ends_with('}') => property.trim(),
        _ => key,
    };
    let quoted = key.trim_matches(['"', '\'', '[', ']', '?', '!', ' ']);
    if key.starts_with(['"', '\'']) || key.contains("['") || key.contains("[\"") {
        return quoted.rsplit(['\'', '"']).next().unwrap_or(quoted);
    }
    let typed = key
        .find(':')
        .filter(|at| *at > 0 && !key[*at..].starts_with("::"));
    let plain = typed
        .map_or(key, |at| &key[..at])
        .trim_end_matches(['?', '!', ' ']);
    let is_word = |word: &&str| !is_in(KEYWORDS, word);
    let mut words = plain.split_whitespace().filter(is_word);
    let word = if is_type_last {
        words.next()
    } else {
        words.next_back()
    };
    word.unwrap_or(plain)
}

/// Words before a name that are neither its type nor a part of it.
const KEYWORDS: &str = "const var let val static pub final private public protected internal readonly mut export \
    #define override lateinit";

/// Reports whether a value is written as it is, and not computed from a name.
pub(super) fn is_plain(value: &str) -> bool {
    let first = value.trim().chars().next().unwrap_or(' ');
    let calls = value.contains('(') && !first.is_uppercase();
    !(calls && first.is_alphabetic()) || value.starts_with("time.")
}

/// Limit on the length of an expression in which a number is its value.
const NUMBER_LETTERS_MAX: usize = 80;

/// Returns the kind of a value; `None` if it is computed from something that is not shown.
pub(super) fn value_of(value: &str) -> Option<DescribedValue> {
    let value = value.trim().trim_end_matches([',', ';']).trim();
    let first = value.chars().next()?;
    let is_null = is_in("None null nil undefined nullptr NULL", value);
    let unprefixed = value.trim_start_matches(['f', 'b', 'r', 'u', 'L', '@', '$']);
    let is_text = ["\"", "'", "`"]
        .iter()
        .any(|quote| unprefixed.starts_with(quote));
    let is_truth = is_in("true false True False", value);
    let has_number = || {
        let mut words = value.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        // The number in `items[0]` is an index, and not the value.
        let is_part = !value.starts_with('[') && value.contains('[');
        !is_part
            && value.len() < NUMBER_LETTERS_MAX
            && words.any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_name = value
        .chars()
        .all(|letter| letter.is_alphanumeric() || "_.:".contains(letter));
    match () {
        () if is_null => Some(DescribedValue::Null),
        () if first.is_ascii_digit() || first == '-' && has_number() => {
            Some(DescribedValue::Number)
        }
        () if is_text => Some(DescribedValue::Text),
        () if is_truth || "[{(:".contains(first) && value.len() > 1 => Some(DescribedValue::Other),
        // `if cfg!(windows) { 48 } else { 256 }`
        () if has_number() && (!value.contains('{') || value.starts_with("if ")) => {
            Some(DescribedValue::Number)
        }
        // A constant of another name: `Level.Information`, `DEFAULT_SORTING`.
        () if is_name && value.contains(char::is_uppercase) => Some(DescribedValue::Other),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{DescribedValue, masked, name_of, pairs, value_of};

    #[test]
    fn lines_give_their_keys_values() {
        for (line, expected) in [
            (
                "LIMITS = Limits(most=100, idle=20)",
                "LIMITS=Limits(most=100, idle=20)|most=100|idle=20",
            ),
            ("  'max' => 5,", "max=5"),
            ("const run = (a) => 5", "run=(a) => 5"),
            ("  timeout?: Milliseconds;", "timeout=Milliseconds"),
            (
                "let wait: Duration = Duration::from_secs(5);",
                "wait=Duration::from_secs(5)",
            ),
            ("print(f\"limit={self.limit}, \")", ""),
            ("if limit == 5 {", ""),
            ("LogLevel _level = LogLevel.Info;", "_level=LogLevel.Info"),
            ("  concurrency: 5, # five", "concurrency=5"),
            ("$config['size'] = 25;", "size=25"),
        ] {
            let masked = masked(line);
            let found: Vec<String> = pairs(line, &masked)
                .iter()
                .map(|pair| format!("{}={}", name_of(pair.key, false), pair.value))
                .collect();
            assert_eq!(found.join("|"), expected, "{line}");
        }
    }

    #[test]
    fn values_are_told_from_types_and_calls() {
        for (text, expected) in [
            ("32 << 20", Some(DescribedValue::Number)),
            ("f\"Depot/{version}\"", Some(DescribedValue::Text)),
            ("Level.Information", Some(DescribedValue::Other)),
            ("int(env.get(\"WORKERS\", 1))", Some(DescribedValue::Number)),
            ("compute()", None),
            ("other", None),
            ("nil", Some(DescribedValue::Null)),
        ] {
            assert_eq!(value_of(text), expected, "{text}");
        }
    }
}
