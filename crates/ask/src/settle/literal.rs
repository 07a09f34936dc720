//! Counts the entries of the literal of a definition.

use grounds_repo::labels::LabelledPlace;

use super::subject::definition_spot;
use super::{Desk, SettleResult, Settled, Unsettled, counted};

/// Counts the entries of the outermost brackets of a definition.
pub(super) fn count(place: &LabelledPlace, desk: &Desk<'_, '_>) -> SettleResult {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let item: Vec<&str> = text
        .lines()
        .skip(place.line.saturating_sub(1) as usize)
        .take((place.line_end.max(place.line) - place.line + 1) as usize)
        .collect();
    let item = item.join("\n");
    let Some(entries) = entries(&item) else {
        return Err(
            Unsettled::unknown(format!("`{}` is not a literal with entries", place.name))
                .with(&[definition_spot(place)]),
        );
    };
    let told = format!("`{}` has {}.", place.name, counted(entries, "entry"));
    Ok(Settled::told(
        None,
        desk.section(told, &[definition_spot(place)], 40),
    ))
}

/// The number of entries in the last bracket that opens at the top of the value.
fn entries(item: &str) -> Option<usize> {
    let value = item.find('=').map_or(item, |at| &item[at + 1..]);
    let masked = masked(value);
    let bytes = masked.as_bytes();
    // `map[string]bool{…}`, `new Set([…])`, `&[…]`: the bracket with the most inside is the literal.
    let opens = (0..bytes.len()).filter(|at| b"[{(".contains(&bytes[*at]));
    let spans = opens.filter_map(|at| closing(bytes, at).map(|end| (at, end)));
    let (start, end) =
        spans.max_by_key(|(start, end)| (commas(&masked[start + 1..*end]), end - start))?;
    let inside = &masked[start + 1..end];
    // `1024 * (80 + 32)` is a number.
    if masked[..start].trim_end().ends_with(['+', '-', '*', '/']) {
        return None;
    }
    // Ruby's `%w[a b]` and `%i[a b]` have words.
    let of_words = ["%w", "%W", "%i", "%I"]
        .iter()
        .any(|sign| masked[..start].ends_with(sign));
    let count = match of_words {
        true => inside.split_whitespace().count(),
        false => commas(inside) + 1,
    };
    (!inside.trim().is_empty()).then_some(count)
}

/// Counts the commas at the top level of a text or, without commas, its lines.
fn commas(inside: &str) -> usize {
    let trimmed = inside.trim().trim_end_matches(',');
    let mut depth = 0_i32;
    let mut count = 0;
    for letter in trimmed.chars() {
        match letter {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

fn closing(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The text with strings and comments as letters that count for nothing.
fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut quote: Option<char> = None;
    while let Some(letter) = letters.next() {
        match quote {
            Some(open) => {
                if letter == '\\' {
                    letters.next();
                    masked.push('x');
                } else if letter == open {
                    quote = None;
                }
                masked.push('x');
            }
            None if letter == '"' || letter == '\'' || letter == '`' => {
                quote = Some(letter);
                masked.push('x');
            }
            None if letter == '/' && letters.peek() == Some(&'/')
                || letter == '#' && letters.peek() == Some(&' ') =>
            {
                for letter in letters.by_ref() {
                    if letter == '\n' {
                        break;
                    }
                }
                masked.push(' ');
            }
            None => masked.push(if letter.is_ascii() { letter } else { 'x' }),
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn entries_are_counted_by_commas_at_the_top() {
        let cases = [
            ("const A = [1, 2, 3];", Some(3)),
            (
                "var m = map[string]int{\n\t\"a\": 1,\n\t\"b\": f(2, 3),\n}",
                Some(2),
            ),
            (
                "export const codes = new Set([301, 302, 303, 307, 308]);",
                Some(5),
            ),
            ("A = %w[]", None),
            ("LIMIT = 1024 * (80 + 32)", None),
            ("A = %i[a_b c\n  d].freeze", Some(3)),
            ("x = ['a,b', // one, two\n 'c']", Some(2)),
        ];
        for (text, count) in cases {
            assert_eq!(entries(text), count, "{text}");
        }
    }
}
