//! Kotlin as its grammar can read it. Some words have a meaning only before a declaration, and the
//! grammar takes them for names after an annotation or the end of a line. These words are blanked.

use std::ops::Range;

use crate::lexical;

/// Words that begin a declaration or precede one.
const DECLARING: [&[u8]; 28] = [
    b"abstract",
    b"annotation",
    b"class",
    b"companion",
    b"const",
    b"constructor",
    b"data",
    b"enum",
    b"external",
    b"final",
    b"fun",
    b"infix",
    b"inline",
    b"inner",
    b"interface",
    b"internal",
    b"lateinit",
    b"object",
    b"open",
    b"operator",
    b"override",
    b"private",
    b"protected",
    b"public",
    b"sealed",
    b"suspend",
    b"typealias",
    b"val",
];

/// Returns the text with such words blanked, and a constructor on the line of its class, or `None`
/// if nothing changes.
pub(super) fn tidy(source: &[u8]) -> Option<Vec<u8>> {
    // Most files have none of these words, and need no second look.
    let has = |word: &str| memchr::memmem::find(source, word.as_bytes()).is_some();
    let words = [
        "actual ",
        "expect ",
        "annotation class",
        "fun interface",
        "constructor",
        "get(",
        "set(",
    ];
    if !words.into_iter().any(has) {
        return None;
    }
    let mut tidied = source.to_owned();
    for name in lexical::words(source, 0..source.len()) {
        let next = next_word(source, name.end);
        let is_blanked = match &source[name.clone()] {
            b"actual" | b"expect" => {
                DECLARING.contains(&next) || next == b"value" || next == b"var"
            }
            b"annotation" => next == b"class",
            b"fun" => next == b"interface",
            // Line breaks before `constructor` are blanked, because the grammar ends the class there.
            b"constructor" => {
                let head = end_of_head(source, name.start).unwrap_or(name.start);
                let between = tidied[head..name.start].iter_mut();
                between
                    .filter(|byte| matches!(byte, b'\n' | b'\r'))
                    .for_each(|byte| *byte = b' ');
                false
            }
            b"get" | b"set" if source.get(name.end) == Some(&b'(') => {
                if let Some(annotation) = annotation_before(source, name.start) {
                    tidied[annotation].fill(b' ');
                }
                false
            }
            _ => false,
        };
        // `map.actual` is a member and no word before a declaration.
        if is_blanked
            && name
                .start
                .checked_sub(1)
                .is_none_or(|before| source[before] != b'.')
        {
            tidied[name].fill(b' ');
        }
    }
    (tidied != source).then_some(tidied)
}

/// Returns the annotation right before an accessor, `@JvmName("size")`, at which the grammar fails.
fn annotation_before(source: &[u8], accessor: usize) -> Option<Range<usize>> {
    let end = source[..accessor].trim_ascii_end().len();
    let line = memchr::memrchr(b'\n', &source[..end]).map_or(0, |newline| newline + 1);
    let start = line
        + source[line..end]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
    let name = source[start..end].strip_prefix(b"@")?;
    let is_of_name = |byte: &&u8| lexical::is_word(**byte) || matches!(**byte, b'.' | b':');
    let length = name.iter().take_while(is_of_name).count();
    let given = &name[length..];
    (given.is_empty() || given.starts_with(b"(") && given.ends_with(b")")).then_some(start..end)
}

/// Returns the word after blanks on the same line.
fn next_word(source: &[u8], from: usize) -> &[u8] {
    let rest = &source[from..];
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let word = &rest[blanks..];
    &word[..word
        .iter()
        .take_while(|byte| lexical::is_word(**byte))
        .count()]
}

/// Words that may be before `constructor`.
const OF_CONSTRUCTOR: [&[u8]; 6] = [
    b"actual",
    b"expect",
    b"internal",
    b"private",
    b"protected",
    b"public",
];

/// Returns the end of the head `class Name<T>`, if only white space with the end of a line is
/// between it and `constructor`, or words and annotations of the constructor.
fn end_of_head(source: &[u8], constructor: usize) -> Option<usize> {
    let mut head = source[..constructor].trim_ascii_end();
    loop {
        let word = head
            .iter()
            .rev()
            .take_while(|byte| lexical::is_word(**byte));
        let start = head.len() - word.count();
        let is_annotation = head[..start].ends_with(b"@");
        if !is_annotation && !OF_CONSTRUCTOR.contains(&&head[start..]) {
            break;
        }
        head = head[..start - usize::from(is_annotation)].trim_ascii_end();
    }
    if !source[head.len()..constructor].contains(&b'\n') {
        return None;
    }
    let bare = match head.last() {
        Some(b'>') => head[..memchr::memrchr(b'<', head)?].trim_ascii_end(),
        _ => head,
    };
    let name = bare
        .iter()
        .rev()
        .take_while(|byte| lexical::is_word(**byte))
        .count();
    let before = bare[..bare.len() - name].trim_ascii_end();
    (name > 0 && before.len() + name < bare.len() && before.ends_with(b"class"))
        .then_some(head.len())
}
