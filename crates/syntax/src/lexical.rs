//! Labels without a grammar, from one line: the words before a name, and the comment and string
//! marks of the language.
//!
//! Used inside of text that a grammar could not parse (macro calls, broken code). It decides only
//! if a defining keyword is directly before the name.

use std::ops::Range;

use grounds_evidence::{MentionPlace, Relation, SymbolKind};
use memchr::{memchr, memrchr};

use crate::label::Label;

/// Most bytes before a name on its line that are read.
const LINE_BYTES_MAX: usize = 512;
/// Most bytes after a name that are searched for the end of its item.
const ITEM_BYTES_MAX: usize = 100_000;

/// Bytes between the parts of a path, if a language counts them to its names.
const PATH_BYTES: &[u8] = b"./:#";

/// The words and marks of a language.
#[derive(Clone, Copy, Debug)]
pub struct Lexicon {
    /// Words that define the name directly after them; `^val` only on a line without indentation.
    /// They are phrases in a language without a grammar.
    pub definers: &'static [(&'static str, SymbolKind)],
    /// Words that import the name directly after them.
    pub importers: &'static [&'static str],
    /// Marks that start a comment up to the end of the line.
    pub line_comments: &'static [&'static str],
    /// The bytes besides letters, digits and `_` that names may hold.
    pub name_bytes: &'static [u8],
    /// Whether a string between plain quotes may continue on the next line.
    pub quotes_span_lines: bool,
}

impl Lexicon {
    /// No words and no marks: everything is a reference.
    pub const NONE: Self = Self {
        definers: &[],
        importers: &[],
        line_comments: &[],
        name_bytes: &[],
        quotes_span_lines: false,
    };

    /// Returns whether the name at `range` is part of a longer one, by the bytes beside it: for
    /// languages without a grammar.
    pub(crate) fn goes_on(&self, source: &[u8], range: &Range<usize>) -> bool {
        let at = |index: Option<usize>| index.and_then(|index| source.get(index)).copied();
        let is_of_name = |byte: u8| self.name_bytes.contains(&byte) && !PATH_BYTES.contains(&byte);
        let (first, second) = (at(Some(range.end)), at(range.end.checked_add(1)));
        let (last, before_last) = (
            at(range.start.checked_sub(1)),
            at(range.start.checked_sub(2)),
        );
        // `$a-1` and `a!=1` are operations.
        let is_operation = match first {
            Some(b'-') => last == Some(b'$') || second.is_none_or(|byte| byte.is_ascii_digit()),
            Some(b'!') => second == Some(b'='),
            _ => false,
        };
        let ends_later = first.is_some_and(is_of_name) && !is_operation;
        // A byte of names before the whole name is a mark: `-name`, `!name`, `*name`.
        let begins_earlier =
            last.is_some_and(is_of_name) && before_last.is_some_and(is_word) && last != Some(b'!');
        ends_later || begins_earlier
    }
}

/// Labels the name at `range`, as far as its line tells.
pub(crate) fn label(lexicon: &Lexicon, source: &[u8], range: Range<usize>) -> Label {
    let line = line_around(source, range.start);
    let before = &source[line.start..range.start];
    let item = line.start + indent(before)..line.end;
    if let Some(place) = mention(lexicon, before) {
        return Label::plain(Relation::Mentions(place), range);
    }
    let word = last_word(before);
    let is_outermost = indent(before) == 0;
    let defines = |definer: &str| match definer.strip_prefix('^') {
        Some(outermost) => is_outermost && outermost.as_bytes() == word,
        None => definer.as_bytes() == word,
    };
    if let Some((_, kind)) = lexicon
        .definers
        .iter()
        .find(|(definer, _)| defines(definer))
    {
        return Label {
            kind: Some(*kind),
            item,
            ..Label::plain(Relation::Defines, range)
        };
    }
    // `import {a, b} from "x"` has its importer at the start of the line, not before each name.
    let first = first_word(before);
    let imports = lexicon
        .importers
        .iter()
        .any(|importer| importer.as_bytes() == word || importer.as_bytes() == first);
    let relation = match imports {
        true => Relation::Imports,
        false if is_called(source, &range) => Relation::Calls,
        false => Relation::References,
    };
    Label::plain(relation, range)
}

/// Words before a parenthesis that are no calls.
const NOT_CALLED: [&[u8]; 48] = [
    b"if",
    b"elif",
    b"elsif",
    b"elseif",
    b"else",
    b"unless",
    b"while",
    b"until",
    b"for",
    b"foreach",
    b"switch",
    b"match",
    b"case",
    b"when",
    b"catch",
    b"except",
    b"with",
    b"using",
    b"lock",
    b"return",
    b"throw",
    b"raise",
    b"yield",
    b"await",
    b"in",
    b"is",
    b"as",
    b"and",
    b"or",
    b"not",
    b"xor",
    b"new",
    b"fn",
    b"fun",
    b"func",
    b"function",
    b"def",
    b"do",
    b"let",
    b"var",
    b"val",
    b"pub",
    b"where",
    b"sizeof",
    b"alignof",
    b"typeof",
    b"defined",
    b"dyn",
];

/// Reports whether a name is called by the marks after it: `name(`, `name!(`, `name::<T>(`.
pub(crate) fn is_called(source: &[u8], name: &Range<usize>) -> bool {
    let rest = source
        .get(name.end..source.len().min(name.end + LINE_BYTES_MAX))
        .unwrap_or_default();
    let generic = || {
        rest.strip_prefix(b"::<")
            .and_then(|types| memchr::memmem::find(types, b">("))
            .is_some()
    };
    let is_opened = matches!(rest, [b'(', ..] | [b'!', b'(' | b'[' | b'{', ..]) || generic();
    is_opened && !NOT_CALLED.contains(&source.get(name.clone()).unwrap_or_default())
}

/// Most bytes of type arguments that are read.
const TYPE_ARGUMENTS_BYTES_MAX: usize = 120;

/// Returns the text after the type arguments that begin at a byte, as `<String, Int>`, or `None`
/// without such arguments.
pub(crate) fn after_type_arguments(source: &[u8], from: usize) -> Option<&[u8]> {
    let rest = source.get(from..)?;
    let rest = &rest[..rest.len().min(TYPE_ARGUMENTS_BYTES_MAX)];
    let mut depth = 0_usize;
    let end = rest.iter().position(|&byte| {
        depth = (depth + usize::from(byte == b'<')).saturating_sub(usize::from(byte == b'>'));
        // Any other byte means a comparison: `a < b && c > (d)`.
        depth == 0 || !(byte.is_ascii_alphanumeric() || b"_<>,.?*|[] ".contains(&byte))
    });
    let end = end.filter(|&end| end > 0 && rest[end] == b'>')?;
    Some(&rest[end + 1..])
}

/// Returns the start of the path that ends at `name`: words joined by `.`, `->` or `::`.
pub(crate) fn path_start(source: &[u8], name: usize) -> usize {
    let floor = name.saturating_sub(LINE_BYTES_MAX);
    let mut start = name;
    while start > floor {
        let before = &source[floor..start];
        let joined = before
            .strip_suffix(b"::")
            .or_else(|| before.strip_suffix(b"->"))
            .or_else(|| before.strip_suffix(b"."));
        let Some(joined) = joined else { break };
        let word = joined
            .iter()
            .rev()
            .take_while(|&&byte| is_word(byte))
            .count();
        // Before the dot of `f().name` is no word, so the path starts after it.
        if word == 0 {
            break;
        }
        start = floor + joined.len() - word;
    }
    start
}

/// Returns the names in a range of the text, in a language whose names hold more bytes than others
/// do.
pub(crate) fn names(source: &[u8], range: Range<usize>, name_bytes: &[u8]) -> Vec<Range<usize>> {
    let is_name = |byte: u8| is_word(byte) || name_bytes.contains(&byte);
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in range.filter(|&at| source.get(at).is_some_and(|&byte| is_name(byte))) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Reports whether the last mark of a block comment before `at`, within a short distance, opens
/// one.
pub(crate) fn in_block_comment(source: &[u8], at: usize) -> bool {
    let before = &source[at.saturating_sub(LINE_BYTES_MAX)..at];
    let open = memchr::memmem::rfind(before, b"/*");
    open.is_some_and(|open| memchr::memmem::rfind(before, b"*/").is_none_or(|close| close < open))
}

/// Returns the extent of the item that starts on the line of `name`, in text that the grammar could
/// not parse: up to the brace that closes what the header opens, or the line.
pub(crate) fn item(source: &[u8], name: &Range<usize>) -> Range<usize> {
    let line = line_around(source, name.start);
    let start = line.start + indent(&source[line.clone()]);
    let rest = &source[name.end..source.len().min(name.end + ITEM_BYTES_MAX)];
    // A semicolon before any brace ends the item on its line.
    let opening = rest.iter().position(|byte| matches!(byte, b'{' | b';'));
    let Some(open) = opening.filter(|&at| rest[at] == b'{') else {
        return start..line.end;
    };
    let mut depth = 0_usize;
    for (index, byte) in rest.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return start..name.end + index + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    start..line.end
}

fn line_around(source: &[u8], at: usize) -> Range<usize> {
    let start = memrchr(b'\n', &source[..at])
        .map_or(0, |newline| newline + 1)
        .max(at.saturating_sub(LINE_BYTES_MAX));
    let end = memchr(b'\n', &source[at..]).map_or(source.len(), |length| at + length);
    start..end
}

fn indent(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns the words in a range of the text.
pub(crate) fn words(source: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    names(source, range, b"")
}

/// Returns the word that ends the text, with only blanks, `*`, `&`, `(` or `!` after it.
fn last_word(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t' | b'*' | b'&' | b'(' | b'!'))
        .map_or(0, |last| last + 1);
    let start = text[..end]
        .iter()
        .rposition(|&byte| !is_word(byte))
        .map_or(0, |gap| gap + 1);
    &text[start..end]
}

fn first_word(text: &[u8]) -> &[u8] {
    let text = &text[indent(text)..];
    &text[..text.iter().take_while(|&&byte| is_word(byte)).count()]
}

/// Reports whether the text before a name opens a comment or leaves a string open.
fn mention(lexicon: &Lexicon, before: &[u8]) -> Option<MentionPlace> {
    let trimmed = &before[indent(before)..];
    let mut quote = None;
    for (index, &byte) in trimmed.iter().enumerate() {
        match quote {
            None if lexicon
                .line_comments
                .iter()
                .any(|mark| trimmed[index..].starts_with(mark.as_bytes())) =>
            {
                return Some(MentionPlace::Comment);
            }
            // A single quote is left out: it is also an apostrophe, a character or a lifetime.
            None if byte == b'"' || byte == b'`' => quote = Some(byte),
            Some(open) if open == byte && (index == 0 || trimmed[index - 1] != b'\\') => {
                quote = None
            }
            _ => {}
        }
    }
    quote.map(|_| MentionPlace::String)
}
