//! Counts the entries of the literal of a definition.

use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;

use super::subject::definition_spot;
use super::{Desk, SettleResult, Settled, Unsettled, counted};

/// Counts the things that a definition lists: the entries of its outermost brackets, the uses of a
/// macro's parameter, or the literals of a union.
pub(super) fn count(place: &LabelledPlace, desk: &Desk<'_, '_>) -> SettleResult {
    let item = text_of(place, desk);
    let listed = match place.kind {
        Some(SymbolKind::Macro) => arguments_of_macro(&item).map(|count| (count, "entry")),
        Some(SymbolKind::TypeAlias) => literals_of_union(&item).map(|count| (count, "literal")),
        _ => entries(&item).map(|count| (count, "entry")),
    };
    let Some((count, noun)) = listed else {
        return Err(
            Unsettled::unknown(format!("`{}` is not a literal with entries", place.name))
                .with(&[definition_spot(place)]),
        );
    };
    let told = format!("`{}` has {}.", place.name, counted(count, noun));
    Ok(Settled::told(
        None,
        desk.section(told, &[definition_spot(place)], 40),
    ))
}

/// Returns the lines of a definition. A macro continues after a backslash, and a union continues
/// with a bar.
fn text_of(place: &LabelledPlace, desk: &Desk<'_, '_>) -> String {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let own = (place.line_end.max(place.line) - place.line + 1) as usize;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().skip(place.line.saturating_sub(1) as usize) {
        let goes_on = match place.kind {
            Some(SymbolKind::Macro) => lines.last().is_some_and(|last| last.ends_with('\\')),
            Some(SymbolKind::TypeAlias) => line.trim_start().starts_with('|'),
            _ => false,
        };
        let is_macro = place.kind == Some(SymbolKind::Macro);
        if (is_macro && !lines.is_empty() || lines.len() >= own) && !goes_on {
            break;
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Returns how often a macro that lists applies its one parameter: `#define EACH(X) X(a) X(b)`.
fn arguments_of_macro(item: &str) -> Option<usize> {
    let (head, body) = item.split_once('(')?.1.split_once(')')?;
    let parameter = head.trim();
    let is_name = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    // A comment may hide an entry, and its text may contain the parameter.
    if !is_name(parameter) || body.contains("/*") || body.contains("//") {
        return None;
    }
    let mut words = body.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let called = body.matches(&format!("{parameter}(")).count();
    let said = words.by_ref().filter(|word| *word == parameter).count();
    // A parameter that is passed on (`OTHER(X)`) lists entries elsewhere.
    (called > 0 && called == said).then_some(called)
}

/// Returns the number of literals of a union (`type Method = "get" | "put"`), if it has nothing
/// else.
fn literals_of_union(item: &str) -> Option<usize> {
    let (_, union) = item.split_once('=')?;
    let parts: Vec<&str> = union
        .trim()
        .trim_end_matches(';')
        .trim_start_matches('|')
        .split('|')
        .collect();
    let is_quoted = |text: &str| {
        let quote = text
            .chars()
            .next()
            .filter(|letter| "\"'`".contains(*letter));
        quote.is_some_and(|quote| {
            // `"a" + "b"` begins and ends with a quote too, and is more than one literal.
            text.len() > 1 && text.ends_with(quote) && text.matches(quote).count() == 2
        })
    };
    let is_literal = |part: &&str| {
        let text = part.trim();
        is_quoted(text) || text.parse::<f64>().is_ok()
    };
    (parts.len() > 1 && parts.iter().all(is_literal)).then_some(parts.len())
}

/// Returns the number of entries at the top of a JSON file: a list, or keys with plain values.
pub(super) fn entries_of_json(text: &str) -> Option<usize> {
    let masked = masked(text);
    let bytes = masked.as_bytes();
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let end = closing(bytes, start).filter(|_| b"[{".contains(&bytes[start]))?;
    let inside = &masked[start + 1..end];
    let is_flat = bytes[start] == b'[' || !inside.contains(['{', '[']);
    (is_flat && !inside.trim().is_empty() && masked[end + 1..].trim().is_empty())
        .then(|| commas(inside) + 1)
}

/// Returns the lines of the entries in a file that only lists: keys or items at the top of YAML,
/// and the projects that the settings of Gradle include. Returns `None` for fewer than two.
pub(super) fn lines_of_list(path: &str, text: &str) -> Option<Vec<u32>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lines = match () {
        () if name.starts_with("settings.gradle") => included(text),
        () if name.ends_with(".yml") || name.ends_with(".yaml") => top_of_yaml(text)?,
        () => return None,
    };
    (lines.len() > 1).then_some(lines)
}

/// Returns the lines of the entries at the top of YAML; `None` if other lines are there too.
fn top_of_yaml(text: &str) -> Option<Vec<u32>> {
    let is_own = |(_, line): &(u32, &str)| {
        let is_thin = line.trim().is_empty() || line.starts_with(['#', ' ', '\t']);
        !is_thin && !line.starts_with("---")
    };
    let own: Vec<(u32, &str)> = (1_u32..).zip(text.lines()).filter(is_own).collect();
    let items = own.iter().filter(|(_, line)| line.starts_with('-')).count();
    let is_even = items == 0 && own.iter().all(|(_, line)| line.contains(':'));
    let lines = own.iter().map(|(number, _)| *number).collect();
    (is_even || items == own.len()).then_some(lines)
}

/// Returns the line of each project that the settings of Gradle include.
fn included(text: &str) -> Vec<u32> {
    let mut lines = Vec::new();
    let mut is_open = false;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or_default().trim();
        let begins = line
            .strip_prefix("include")
            .is_some_and(|rest| rest.starts_with([' ', '(']));
        if begins || is_open {
            let quotes = line.matches(['"', '\'']).count() / 2;
            lines.extend(std::iter::repeat_n(number, quotes));
            // A list goes on until its bracket closes, or after a comma.
            is_open = line.ends_with([',', '(']) || is_open && !line.ends_with(')');
        }
    }
    lines
}

/// Returns the number of entries of the literal in a definition.
fn entries(item: &str) -> Option<usize> {
    let value = item.find('=').map_or(item, |at| &item[at + 1..]);
    let masked = masked(value);
    let bytes = masked.as_bytes();
    // In `map[string]bool{…}`, `new Set([…])` and `&[…]`, the bracket with the most inside is the
    // literal.
    let opens = (0..bytes.len()).filter(|at| b"[{(".contains(&bytes[*at]));
    let spans = opens.filter_map(|at| closing(bytes, at).map(|end| (at, end)));
    let (start, end) =
        spans.max_by_key(|(start, end)| (commas(&masked[start + 1..*end]), end - start))?;
    let inside = &masked[start + 1..end];
    // The brackets in `1024 * (80 + 32)` belong to a number.
    if masked[..start].trim_end().ends_with(['+', '-', '*', '/']) {
        return None;
    }
    // `make(options)` calls with one value, and lists nothing.
    let is_call = masked[start..].starts_with('(')
        && masked[..start].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    if is_call && commas(inside) == 0 {
        return None;
    }
    // `%w[a b]` and `%i[a b]` of Ruby separate entries by spaces.
    let of_words = ["%w", "%W", "%i", "%I"]
        .iter()
        .any(|sign| masked[..start].ends_with(sign));
    let count = match of_words {
        true => inside.split_whitespace().count(),
        false => commas(inside) + 1,
    };
    (!inside.trim().is_empty()).then_some(count)
}

/// Counts the commas at the top level of a text, without one at its end.
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

/// Returns a text with strings and comments replaced by neutral letters.
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
            // `#` begins a comment only before a space: `#fff` and `#define` do not.
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
    use super::{arguments_of_macro, entries, entries_of_json, lines_of_list, literals_of_union};

    #[test]
    fn a_file_that_only_lists_is_counted_by_its_lines() {
        let lines = |path: &str, text: &str| lines_of_list(path, text);
        let gradle =
            "include(\":shelf\")\ninclude(\n  \":a\",\n  \":b\",\n)\nincludeBuild(\"x\")\n";
        assert_eq!(lines("settings.gradle.kts", gradle), Some(vec![1, 3, 4]));
        let yaml = "# shelves\nred:\n  - 1\nblue:\n  - 2\n";
        assert_eq!(lines("conf/shelves.yaml", yaml), Some(vec![2, 4]));
        assert_eq!(
            lines("conf/shelves.yml", "- red\n- blue\n"),
            Some(vec![1, 2])
        );
        assert_eq!(lines("conf/shelves.yml", "red: 1\n- blue\n"), None);
        assert_eq!(lines("conf/shelves.yml", "red:\n  - 1\n"), None);
        assert_eq!(lines("src/shelf.rs", "- red\n- blue\n"), None);
    }

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
            ("config = make_config(options)", None),
            ("A = %i[a_b c\n  d].freeze", Some(3)),
            ("x = ['a,b', // one, two\n 'c']", Some(2)),
        ];
        for (text, count) in cases {
            assert_eq!(entries(text), count, "{text}");
        }
    }

    #[test]
    fn what_a_macro_or_a_union_lists_is_counted() {
        let each = "#define EACH(XX) \\\n  XX(A, \"a\") \\\n  XX(B, f(1))";
        assert_eq!(arguments_of_macro(each), Some(2));
        assert_eq!(arguments_of_macro("#define MAX(a, b) ((a) > (b))"), None);
        assert_eq!(arguments_of_macro("#define EACH(XX) XX(A) OTHER(XX)"), None);
        assert_eq!(
            literals_of_union("type A =\n  | \"get\"\n  | \"put\";"),
            Some(2)
        );
        assert_eq!(literals_of_union("type A = \"get\" | Other"), None);
        assert_eq!(literals_of_union("type A = \"get\""), None);
    }

    #[test]
    fn json_is_counted_at_its_top() {
        assert_eq!(entries_of_json("{\"0\": \"a, b\", \"1\": \"c\"}"), Some(2));
        assert_eq!(entries_of_json("[{\"a\": 1}, {\"a\": [2, 3]}]\n"), Some(2));
        assert_eq!(entries_of_json("{\"all\": [1, 2], \"some\": 3}"), None);
        assert_eq!(entries_of_json("{}"), None);
    }
}
