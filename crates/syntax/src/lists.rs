//! Lists in parentheses, as languages write them: parameters of a function, arguments of a call.
//! They are read without a tree, and the result is `None` if anything is unclear.

use std::ops::Range;

/// Languages in which `#` begins a comment, and `//` does not.
const HASH_COMMENTS: [&str; 2] = ["Python", "Ruby"];

/// Returns the content of the parentheses after the name in the head of a definition: `f(`,
/// `f<T>(`, `f = async (`, `f: (`.
pub fn of_definition(head: &str, name: &str, language: &str) -> Option<Range<usize>> {
    // The name may occur earlier in the head, as a part of a type, so each place is tried.
    let mut places = head.match_indices(name);
    places.find_map(|(start, _)| {
        let before = head[..start].chars().next_back();
        let is_inside = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        let rest = head[start + name.len()..].trim_start_matches(['?', '!', ' ']);
        let next = rest
            .chars()
            .next()
            .filter(|letter| !is_inside && "(<[=:".contains(*letter))?;
        let from = match next {
            '=' | ':' => head.len() - assigned(&rest[1..]).len(),
            _ => head.len() - rest.len(),
        };
        parentheses(head, from, language)
    })
}

/// Returns an assigned value without the words before its list: `async function (a)`.
fn assigned(text: &str) -> &str {
    const BEFORE: [&str; 4] = ["async", "function", "static", "*"];
    let mut rest = text.trim_start();
    while let Some(after) = BEFORE.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after.trim_start();
    }
    rest
}

/// Returns the content of the parentheses after a name that ends at `from`. Returns `None` if
/// anything but type parameters comes first, or if they do not close.
pub fn parentheses(text: &str, from: usize, language: &str) -> Option<Range<usize>> {
    let open = from + after_types(text.get(from..)?)?;
    let mut depth = 0_usize;
    for (at, letter) in code(&text[open..], language) {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (letter == ')').then_some(open + 1..open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the place of a parenthesis that follows directly or after type parameters.
fn after_types(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let mut end = 0;
    if rest.starts_with(['<', '[']) {
        let (mut depth, mut last) = (0_i32, ' ');
        end = rest.char_indices().find_map(|(at, letter)| {
            match letter {
                '<' | '[' | '(' => depth += 1,
                // `->` and `=>` are inside of the types of functions: `<F: Fn() -> T>`.
                '>' if is_arrow(last) => {}
                '>' | ']' | ')' => depth -= 1,
                _ => {}
            }
            last = letter;
            (depth == 0).then_some(at + 1)
        })?;
    }
    let spaces = rest[end..].len() - rest[end..].trim_start().len();
    let open = start + end + spaces;
    text[open..].starts_with('(').then_some(open)
}

/// Returns the parts of a list between its outermost commas, or `None` if its content is unclear.
pub fn parts<'t>(text: &'t str, language: &str) -> Option<Vec<&'t str>> {
    let (mut parts, mut start, mut depth, mut last) = (Vec::new(), 0, 0_i32, ' ');
    let mut letters = code(text, language);
    for (at, letter) in letters.by_ref() {
        // A comment may contain anything, commas included.
        if begins_comment(last, letter, language) {
            return None;
        }
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if is_arrow(last) => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        last = letter;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    (depth == 0 && letters.is_whole()).then_some(parts)
}

/// Reports whether a `>` ends an arrow, and so no type arguments.
fn is_arrow(last: char) -> bool {
    matches!(last, '-' | '=')
}

fn begins_comment(last: char, letter: char, language: &str) -> bool {
    let has_hash = HASH_COMMENTS.contains(&language);
    match letter {
        '#' => has_hash || language == "PHP",
        '*' => last == '/',
        // In Python, `//` divides.
        '/' => last == '/' && !has_hash,
        _ => false,
    }
}

/// Returns the letters of a text that are code, and are not in a string or a literal letter.
fn code<'t>(text: &'t str, language: &str) -> CodeLetters<'t> {
    CodeLetters {
        text,
        at: 0,
        quote: None,
        has_lifetimes: language == "Rust",
    }
}

struct CodeLetters<'t> {
    text: &'t str,
    at: usize,
    /// The letter that ends the open string.
    quote: Option<char>,
    has_lifetimes: bool,
}

impl CodeLetters<'_> {
    /// Reports whether no string was left open.
    fn is_whole(&self) -> bool {
        self.quote.is_none()
    }

    /// Reports whether an apostrophe begins a string or a literal letter, and not a lifetime.
    fn begins_string(&self, after: &str) -> bool {
        let mut letters = after.chars();
        // `'a` is a lifetime, unless a quote follows after one letter, or a backslash at once.
        !self.has_lifetimes
            || matches!(letters.next(), Some('\\'))
            || matches!(letters.next(), Some('\''))
    }
}

impl Iterator for CodeLetters<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.at;
            let letter = self.text[at..].chars().next()?;
            self.at += letter.len_utf8();
            let after = &self.text[self.at..];
            match self.quote {
                None if matches!(letter, '"' | '`')
                    || letter == '\'' && self.begins_string(after) =>
                {
                    self.quote = Some(letter);
                }
                None => return Some((at, letter)),
                // An escaped quote does not end its string.
                Some(_) if letter == '\\' => {
                    self.at += after.chars().next().map_or(0, char::len_utf8);
                }
                Some(quote) if letter == quote => self.quote = None,
                Some(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, language: &str, expected: Option<&[&str]>) {
        let inside = parentheses(text, 1, language);
        let found = inside.and_then(|inside| parts(&text[inside], language));
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn lists_end_where_their_languages_end_them() {
        check("f(a, b)", "Python", Some(&["a", "b"]));
        check("f()", "Python", Some(&[]));
        check(
            "f(a='x, y', b=\")\")",
            "Python",
            Some(&["a='x, y'", "b=\")\""]),
        );
        check("f[T: (int, str)](a)", "Python", Some(&["a"]));
        check("f(a // b)", "Python", Some(&["a // b"]));
        check(
            "f<T: Fn(u8) -> u8>(a: T, b: &'a str)",
            "Rust",
            Some(&["a: T", "b: &'a str"]),
        );
        check(
            "f(a: char = ',', b: u8)",
            "Rust",
            Some(&["a: char = ','", "b: u8"]),
        );
        check("f('\\'', b)", "Rust", Some(&["'\\''", "b"]));
        check(
            "f(a: Map<string, (b: C) => D>, e)",
            "TypeScript",
            Some(&["a: Map<string, (b: C) => D>", "e"]),
        );
    }

    #[test]
    fn what_is_not_clear_is_no_list() {
        check("f(a, /* , */ b)", "C", None);
        check("f(1 # one\n)", "Python", None);
        check("f(a", "C", None);
        check("f(a]", "C", None);
        check("f = (a)", "C", None);
        check("f(\"a)", "C", None);
    }
}
