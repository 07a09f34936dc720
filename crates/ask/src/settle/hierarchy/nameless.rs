//! Objects of a type without a name: `new Base(…) { … }` of Java and Scala,
//! `object : Base(…) { … }` of Kotlin. Reads the text around a name, and returns which base such an
//! object extends or implements.

use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;

use super::{bases, makes_an_object};
use crate::settle::Desk;
use crate::words::is_in;

/// The words for such an object.
pub(super) const NAMELESS: &str = "an object without a name";
/// Languages that make such objects with `new`.
const BY_NEW: &str = "Java Scala";

/// Reports whether a name is the base of an object whose body follows it.
pub(super) fn is_base(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    // Nothing but a base follows `object :`. After a syntax error the grammar reads a call.
    if place.language == "Kotlin" {
        let is_read = matches!(place.relation, Relation::Calls | Relation::References);
        return is_read && makes_an_object(place, desk);
    }
    if place.relation != Relation::Calls || !is_in(BY_NEW, place.language) {
        return false;
    }
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let Some(start) = offset_of(place, &text) else {
        return false;
    };
    let rest = text.get(start + place.name.len()..).unwrap_or_default();
    let is_made = text.get(..start).is_some_and(|before| {
        let before = before.trim_end_matches(|letter: char| is_of_path(letter));
        ends_with_word(before.trim_end(), "new")
    });
    is_made && has_body(&masked(rest), place.language)
}

/// Returns the bases of the nameless object that has a definition as its own member; `None` for
/// members of other things.
pub(super) fn bases_around(member: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<Vec<String>> {
    if !is_in(BY_NEW, member.language) && member.language != "Kotlin" {
        return None;
    }
    let text = desk.tree.text(member.path.as_str())?;
    let code = masked(text.get(..offset_of(member, &text)?)?);
    let mut open = Vec::new();
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => drop(open.pop()),
            _ => {}
        }
    }
    // The innermost open brace begins the body that contains the member.
    let head = &code[..*open.last()?];
    match member.language {
        "Kotlin" => of_object(head),
        _ => made_before(head).map(|base| vec![base.to_owned()]),
    }
}

/// Returns the byte at which a place begins.
fn offset_of(place: &LabelledPlace, text: &str) -> Option<usize> {
    let before = place.line.checked_sub(1)? as usize;
    let lines: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    Some(lines + place.column.checked_sub(1)? as usize)
}

fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || "_.$".contains(letter)
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let before = text.strip_suffix(word);
    before
        .is_some_and(|before| !before.ends_with(|letter: char| is_of_path(letter) && letter != '.'))
}

/// Reports whether arguments and a body follow the name of a base.
fn has_body(rest: &str, language: &str) -> bool {
    let mut rest = rest.trim_start();
    let types = if language == "Scala" { "[]" } else { "<>" };
    if rest.starts_with(&types[..1]) {
        rest = after_brackets(rest, types).trim_start();
    }
    match rest.starts_with('(') {
        true => rest = after_brackets(rest, "()").trim_start(),
        // `new Base[] { a, b }` of Java makes an array; Scala may leave the arguments out.
        false if language == "Java" => return false,
        false => {}
    }
    rest.starts_with('{')
}

/// Returns the text after the brackets at its beginning.
fn after_brackets<'t>(text: &'t str, pair: &str) -> &'t str {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if pair.starts_with(letter) {
            depth += 1;
        } else if pair.ends_with(letter) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return &text[at + 1..];
            }
        }
    }
    ""
}

/// Returns the text before the brackets at its end.
fn before_brackets<'t>(text: &'t str, pair: &str) -> &'t str {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices().rev() {
        if pair.ends_with(letter) {
            depth += 1;
        } else if pair.starts_with(letter) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return &text[..at];
            }
        }
    }
    ""
}

/// Returns the base in a text that ends with `new Base<…>(…)`.
fn made_before(head: &str) -> Option<&str> {
    let mut head = head.trim_end();
    for pair in ["()", "<>", "[]"] {
        if head.ends_with(&pair[1..]) {
            head = before_brackets(head, pair).trim_end();
        }
    }
    let before = head.trim_end_matches(is_of_path);
    let base = &head[before.len()..];
    (!base.is_empty() && ends_with_word(before.trim_end(), "new")).then_some(base)
}

/// Returns the bases in a text that ends with `object : Base<…>(…), Other`.
fn of_object(head: &str) -> Option<Vec<String>> {
    let (before, rest) = head.rsplit_once("object")?;
    let is_head = rest.trim_start().starts_with(':') && !rest.contains(['{', '}', ';']);
    (is_head && !before.ends_with(is_of_path)).then(|| bases::after_mark(rest, "Kotlin"))
}

/// Returns a text with spaces for comments and strings, byte for byte: a brace in a string opens
/// nothing.
fn masked(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut code, mut at) = (String::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = match bytes[at] {
            b'/' if rest.starts_with(b"//") => end_of(rest, 2, b"\n"),
            b'/' if rest.starts_with(b"/*") => end_of(rest, 2, b"*/"),
            b'"' if rest.starts_with(b"\"\"\"") => end_of(rest, 3, b"\"\"\""),
            quote @ (b'"' | b'\'') => end_of(rest, 1, &[quote]),
            byte => {
                // A letter of several bytes becomes as many spaces, so that every offset stays
                // valid.
                code.push(if byte.is_ascii() { byte.into() } else { ' ' });
                at += 1;
                continue;
            }
        };
        code.extend(std::iter::repeat_n(' ', end));
        at += end;
    }
    code
}

/// Returns the length in bytes of a comment or string. One that is limited to a line ends with the
/// line.
fn end_of(text: &[u8], start: usize, end: &[u8]) -> usize {
    let is_of_line = end.len() == 1;
    let mut at = start;
    while at < text.len() {
        match text[at] {
            b'\\' if is_of_line && end != b"\n" => at += 1,
            b'\n' if is_of_line => return at,
            _ if text[at..].starts_with(end) => return at + end.len(),
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{has_body, made_before, masked, of_object};

    #[test]
    fn a_body_after_the_arguments_makes_a_type() {
        let cases = [
            ("<Key>(a, b(1)) {", "Java", true),
            ("(\n  \"{\", /* { */ x)\n  {", "Java", true),
            ("(a);\n{", "Java", false),
            ("[] { a, b }", "Java", false),
            (" { def x = 1 }", "Scala", true),
            (" {", "Java", false),
        ];
        for (rest, language, wanted) in cases {
            assert_eq!(has_body(&masked(rest), language), wanted, "{rest}");
        }
    }

    #[test]
    fn the_base_stands_before_the_body() {
        assert_eq!(
            made_before("x = new Sink<Map<A, B>>(y, z()) "),
            Some("Sink")
        );
        assert_eq!(made_before("return new io.Sink() "), Some("io.Sink"));
        assert_eq!(made_before("void renew Sink() "), None);
        assert_eq!(made_before("if (sink) "), None);
        let wanted = Some(vec!["Sink".to_owned(), "Closer".to_owned()]);
        assert_eq!(of_object("val x = object : Sink<A>(1), Closer "), wanted);
        assert_eq!(of_object("object Other : Sink "), None);
    }

    #[test]
    fn comments_and_strings_are_blank() {
        assert_eq!(masked("a // {\n\"{\\\"\" '{' b"), "a     \n          b");
    }
}
