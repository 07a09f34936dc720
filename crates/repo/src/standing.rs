//! The role of a name on its line: a check without a parse, which orders the files to be parsed and
//! leaves out those that certainly contain no definition.
//!
//! It never labels anything. It must not return `Use` for a definition, in any language; if it is
//! unsure, it returns `Possible`.

mod dialect;

use std::ops::Range;

pub use dialect::Dialect;
use dialect::LineAround;

/// Bytes before and after a name that are searched.
const AROUND_BYTES_MAX: usize = 200;

/// Bytes after a name in which the pass over the tree searches the end of its arguments.
const STATEMENT_BYTES_MAX: usize = 1_000;

/// Bytes after a name in which a second check does so, before a file is parsed for it.
const STATEMENT_BYTES_AGAIN_MAX: usize = 16_000;

/// The role of a name on its line, the most promising last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameStanding {
    /// An operand, an argument, a statement: no language defines a name there.
    Use,
    /// After `.` or `->`: some languages define members there.
    Member,
    /// It may be defined here.
    Possible,
    /// On a line without indentation, or after a defining word.
    Likely,
}

/// Words before a name that define it in some language, or give it a type.
const DEFINING_WORDS: &[&str] = &[
    "fn",
    "def",
    "class",
    "struct",
    "enum",
    "union",
    "trait",
    "interface",
    "type",
    "func",
    "function",
    "fun",
    "const",
    "static",
    "let",
    "var",
    "val",
    "define",
    "macro_rules",
    "mod",
    "module",
    "namespace",
    "object",
    "record",
    "protocol",
    "typedef",
    "void",
    "int",
    "bool",
    "char",
    "long",
];

/// Words before a name that only use it.
const USING_WORDS: &[&str] = &[
    "return",
    "goto",
    "new",
    "await",
    "throw",
    "not",
    "and",
    "or",
    "yield",
    "else",
    "raise",
    "assert",
    "sizeof",
    "if",
    "while",
    "elif",
    "do",
    "for",
    "in",
    "impl",
    "dyn",
    "extends",
    "implements",
    "throws",
    "instanceof",
    "typeof",
    "with",
    "as",
];

/// Words at the start of a line that import names.
const IMPORTING_STARTS: &[&str] = &[
    "use ",
    "pub use ",
    "pub(crate) use ",
    "pub(super) use ",
    "import ",
    "from ",
    "#include",
    "extern crate ",
    "require ",
];

/// Returns the role of the name at `name` in a text of a dialect.
pub fn of(text: &[u8], name: Range<usize>, dialect: Dialect) -> NameStanding {
    of_within(text, name, dialect, STATEMENT_BYTES_MAX)
}

/// Returns the same for the whole text of a file. The pass sees only a window of it, and little
/// after a name.
pub fn in_whole(text: &[u8], name: Range<usize>, dialect: Dialect) -> NameStanding {
    of_within(text, name, dialect, STATEMENT_BYTES_AGAIN_MAX)
}

fn of_within(
    text: &[u8],
    name: Range<usize>,
    dialect: Dialect,
    statement_bytes_max: usize,
) -> NameStanding {
    let before = &text[name.start.saturating_sub(AROUND_BYTES_MAX)..name.start];
    let (whole_line, line) = match memchr::memrchr(b'\n', before) {
        Some(newline) => (true, &before[newline + 1..]),
        // Without a newline before the name, the line is whole only at the start of the text.
        None => (name.start <= AROUND_BYTES_MAX, before),
    };
    let after = &text[name.end..text.len().min(name.end + AROUND_BYTES_MAX)];
    let around = line_around(line, after, whole_line);
    let LineAround {
        code,
        word,
        is_indented,
        ..
    } = around;
    let statement = || &text[name.end..text.len().min(name.end + statement_bytes_max)];
    let could_call = dialect.semicolons_end_calls() && code.is_empty() && is_indented;
    let stands_before = |words: &[&str]| words.iter().any(|known| known.as_bytes() == word);
    match () {
        () if line.ends_with(b".") || line.ends_with(b"->") => dialect.member(&around, whole_line),
        // This comes before `is_used`, to which the bracket in `const [name] = …` is an operator.
        () if whole_line && dialect.surely_defines(&around) => NameStanding::Likely,
        () if whole_line && is_used(&around, dialect) => NameStanding::Use,
        // `return name`, `new Name`.
        () if (stands_before(USING_WORDS) && !introduces(code.trim_ascii_end(), dialect))
            || (word == b"case" && dialect.cases_use()) =>
        {
            NameStanding::Use
        }
        () if whole_line && !dialect.may_define(&around) => NameStanding::Use,
        // An indented `name(…);` with its arguments on several lines.
        () if whole_line && could_call && ends_as_statement(statement()) => NameStanding::Use,
        () if whole_line && dialect.continues_macro(&before[..before.len() - line.len()]) => {
            NameStanding::Use
        }
        // `fn name`; in most languages a definition is not indented, or has such a word.
        () if stands_before(DEFINING_WORDS) || !is_indented => NameStanding::Likely,
        () => NameStanding::Possible,
    }
}

/// Splits the text around a name into the parts of its line.
fn line_around<'t>(line: &'t [u8], after: &'t [u8], whole_line: bool) -> LineAround<'t> {
    let left = line.trim_ascii_end();
    let word = left
        .rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .next();
    LineAround {
        code: line.trim_ascii_start(),
        left,
        word: word.unwrap_or_default(),
        after: &after[..memchr::memchr(b'\n', after).unwrap_or(after.len())],
        is_indented: !whole_line || line.first().is_some_and(u8::is_ascii_whitespace),
    }
}

/// Reports whether a group of arguments follows, also over several lines, and directly after it a
/// semicolon: no body and no type.
fn ends_as_statement(after: &[u8]) -> bool {
    let Some(end) = after
        .starts_with(b"(")
        .then(|| end_of_group(after))
        .flatten()
    else {
        return false;
    };
    after[end..].trim_ascii_start().starts_with(b";")
}

/// Returns the byte after the parenthesis that closes the first one, or `None` if none does, or a
/// comment, a brace or a directive comes before it.
fn end_of_group(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            b'"' => at += end_of_string(&text[at + 1..])?,
            b'\'' => at += character_bytes(&text[at + 1..]),
            // A body, a block or a directive of the preprocessor is no plain argument.
            b'{' | b'}' | b'#' => return None,
            b'/' if matches!(text.get(at + 1), Some(b'/' | b'*')) => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the bytes of a string after its first quote, including the last one.
fn end_of_string(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Returns the bytes of a character after its first quote, including the last one; 0 for the mark
/// of a lifetime.
fn character_bytes(text: &[u8]) -> usize {
    match text {
        [b'\\', _, b'\'', ..] => 3,
        [first, b'\'', ..] if *first != b'\'' => 2,
        _ => 0,
    }
}

/// Reports whether the text before a name introduces it here though elsewhere it uses it: OCaml's
/// `and name`, Python's `for name in`.
fn introduces(before: &[u8], dialect: Dialect) -> bool {
    before == b"and" || (dialect == Dialect::Python && (before == b"for" || before == b"async for"))
}

/// Returns the text before a name without the marks of a reference to its type: `&`, `&mut `, `&dyn
/// `.
fn without_reference(code: &[u8]) -> &[u8] {
    let code = code
        .strip_suffix(b"&mut ")
        .or_else(|| code.strip_suffix(b"&dyn "))
        .unwrap_or(code);
    code.strip_suffix(b"&").unwrap_or(code)
}

/// Reports whether a comment begins on the line before a name and does not end before it.
fn is_after_comment_mark(code: &[u8]) -> bool {
    if memchr::memchr(b'/', code).is_none() {
        return false;
    }
    let opened = memchr::memmem::rfind(code, b"/*")
        .is_some_and(|open| memchr::memmem::find(&code[open..], b"*/").is_none());
    opened || memchr::memmem::find(code, b"//").is_some()
}

/// Reports whether a colon and a blank precede a name, so that it is a type or a value. Access
/// labels (`public: `) do not count.
fn is_after_colon(code: &[u8]) -> bool {
    let is_label = [
        b"public".as_slice(),
        b"private",
        b"protected",
        b"signals",
        b"slots",
        b"default",
    ]
    .iter()
    .any(|label| code.starts_with(label));
    let before = code.trim_ascii_end();
    before.len() > 1
        && before.len() < code.len()
        && before.ends_with(b":")
        && !before.ends_with(b"::")
        && !is_label
}

/// Reports whether an operator precedes a name that nothing is assigned to.
fn is_operand(around: &LineAround<'_>) -> bool {
    let (left, after) = (around.left, around.after.trim_ascii_start());
    let is_assigned = after.starts_with(b"=") && !after.starts_with(b"==");
    // A definition may follow the end of a comment or `macro_rules!`, which end in such a mark too.
    let ends_in_operator = left
        .last()
        .is_some_and(|byte| matches!(byte, b'=' | b'!' | b'|' | b'+' | b'/' | b'['))
        && !left.ends_with(b"*/")
        && !left.ends_with(b"macro_rules!");
    // `object? name` is a type, `a ? name` is not.
    (ends_in_operator || left.ends_with(b"&&") || left.ends_with(b" ?")) && !is_assigned
}

/// Reports whether a string is open before a name. A string of just the name may be a key.
fn is_in_string(around: &LineAround<'_>) -> bool {
    let (code, after) = (around.code, around.after);
    code.iter().filter(|byte| **byte == b'"').count() % 2 == 1
        && !(code.ends_with(b"\"") && after.starts_with(b"\""))
}

/// Reports whether the marks around a name show that it is used.
fn is_used(around: &LineAround<'_>, dialect: Dialect) -> bool {
    let LineAround {
        code, left, after, ..
    } = *around;
    let bare = without_reference(code);
    // `key: Name`, `-> Name`, `List<Name`.
    let is_typed = || is_after_colon(bare) || bare.ends_with(b"-> ") || bare.ends_with(b"<");
    // `import name = …` of TypeScript defines the name.
    let is_imported = || {
        IMPORTING_STARTS
            .iter()
            .any(|start| code.starts_with(start.as_bytes()))
            && !after.trim_ascii_start().starts_with(b"=")
    };
    // One of several lines of an import: `    shop::name,`.
    let is_end_of_path = || {
        left.ends_with(b"::")
            && !code.contains(&b' ')
            && after
                .iter()
                .all(|byte| matches!(byte, b',' | b';' | b'}' | b' '))
    };
    let is_in_comment = || code.starts_with(b"* ") || is_after_comment_mark(code);
    // An indented `(void)name(…);` casts the result of a call.
    let is_cast = || {
        left.ends_with(b")")
            && left.len() > code.trim_ascii_end().len()
            && after.starts_with(b"(")
            && after.trim_ascii_end().ends_with(b";")
    };
    let is_statement = || {
        dialect.calls_stand_alone()
            && code.is_empty()
            && after.starts_with(b"(")
            && after.trim_ascii_end().ends_with(b");")
    };
    let is_next = || dialect.lists_only_call() && left.ends_with(b",") && after.contains(&b')');
    let is_call_in_call = || after.starts_with(b"(") && (left.ends_with(b"(") || is_next());
    let is_spoken_of =
        || dialect.backticks_mention() && left.ends_with(b"`") && after.starts_with(b"`");
    // `operator+`, `alias =` and the like end in such a mark only if they are alone on the line.
    (is_operand(around) && code.trim_ascii_end().len() > 1)
        || is_typed()
        || is_end_of_path()
        || is_imported()
        || is_in_comment()
        || is_in_string(around)
        || is_cast()
        || is_statement()
        || is_spoken_of()
        || (is_call_in_call() && !code.starts_with(b"("))
}

#[cfg(test)]
mod tests;
