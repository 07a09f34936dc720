//! What a language adds to the reading of a line: the shapes of its definitions. A name that fits
//! none of these shapes counts as used.
//!
//! Only what the labels of `grounds_syntax` call a definition or a declaration
//! counts: a parameter or a local name binds, and no answer rests on it alone.
//! `cargo run -p grounds-repo --features measure --example standing -- DIR` holds these shapes
//! against a parse of every file of a tree.

use std::ffi::OsStr;
use std::path::Path;

use super::NameStanding;

/// A family of languages whose definitions have the same shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Rust.
    Rust,
    /// C and C++.
    C,
    /// Python.
    Python,
    /// Go.
    Go,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Java, C#, Kotlin, Swift, Scala, PHP: names before a member access are used.
    Dotted,
    /// Anything else: every shape could define.
    Other,
}

/// The line around a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineAround<'t> {
    /// The text before the name on its line, without the indentation.
    pub(super) code: &'t [u8],
    /// The same without white space at its end.
    pub(super) left: &'t [u8],
    /// The word directly before the name; empty if a mark precedes it.
    pub(super) word: &'t [u8],
    /// The text after the name on its line.
    pub(super) after: &'t [u8],
    /// Whether white space stands before the first letter of the line.
    pub(super) is_indented: bool,
}

const RUST_WORDS: &[&str] = &[
    "fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "mut", "ref",
    "crate", "macro", "as", "default", "auto",
];
const PYTHON_WORDS: &[&str] = &[
    "def", "class", "as", "type", "for", "import", "global", "nonlocal",
];
const GO_WORDS: &[&str] = &["func", "type", "var", "const", "package", "import", "range"];

impl Dialect {
    /// Returns the dialect of a file, by its ending.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(OsStr::to_str).unwrap_or_default() {
            "rs" => Self::Rust,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" => Self::C,
            "py" | "pyi" => Self::Python,
            "go" => Self::Go,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => Self::JavaScript,
            "java" | "cs" | "kt" | "kts" | "swift" | "scala" | "php" => Self::Dotted,
            _ => Self::Other,
        }
    }

    /// Reports whether `name(…);` on a line of its own is a call. In other languages it may be the
    /// case of an enumeration.
    pub(super) const fn calls_stand_alone(self) -> bool {
        match self {
            Self::Rust | Self::C | Self::Python | Self::Go | Self::JavaScript => true,
            Self::Dotted | Self::Other => false,
        }
    }

    /// Reports whether `name(…);` is a call also if its arguments are on several lines.
    pub(super) const fn semicolons_end_calls(self) -> bool {
        match self {
            Self::Rust | Self::C => true,
            Self::Python | Self::Go | Self::JavaScript | Self::Dotted | Self::Other => false,
        }
    }

    /// Reports whether a line belongs to the body of a macro, because the line before ends in a
    /// backslash. The syntax reads such a body as text.
    pub(super) fn continues_macro(self, before: &[u8]) -> bool {
        let line = before.strip_suffix(b"\n").unwrap_or(before);
        let line = line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b"\\");
        // After `#define \` the next line has the name of the macro itself.
        self == Self::C && line.is_some_and(|line| !line.trim_ascii_end().ends_with(b"define"))
    }

    /// Reports whether a name between backticks is only mentioned. In other languages they quote a
    /// name that is defined.
    pub(super) const fn backticks_mention(self) -> bool {
        match self {
            Self::Rust | Self::C | Self::Python | Self::Go => true,
            Self::JavaScript | Self::Dotted | Self::Other => false,
        }
    }

    /// Reports whether `, name(…)` is a call. In other languages it may be a case of an enumeration
    /// or a method of an object.
    pub(super) const fn lists_only_call(self) -> bool {
        match self {
            Self::C | Self::Python | Self::Go => true,
            Self::Rust | Self::JavaScript | Self::Dotted | Self::Other => false,
        }
    }

    /// Returns the role of a name directly after `.` or `->`: some languages define a member by an
    /// assignment to it.
    pub(super) fn member(self, around: &LineAround<'_>, whole_line: bool) -> NameStanding {
        let next = around.after.trim_ascii_start();
        let is_assigned = next.starts_with(b"=") && !next.starts_with(b"==");
        let may_define = match self {
            Self::Python => python(around),
            Self::JavaScript => is_assigned,
            Self::Rust | Self::C | Self::Go | Self::Dotted | Self::Other => true,
        };
        if whole_line && !may_define {
            NameStanding::Use
        } else {
            NameStanding::Member
        }
    }

    /// Reports whether the name after `case` is compared with, and not introduced.
    pub(super) const fn cases_use(self) -> bool {
        match self {
            Self::Rust | Self::C | Self::Python | Self::Go | Self::JavaScript => true,
            Self::Dotted | Self::Other => false,
        }
    }

    /// Reports whether a mark that elsewhere shows a use introduces the name: `const [name] = …`.
    pub(super) fn surely_defines(self, around: &LineAround<'_>) -> bool {
        let starts = |word: &str| {
            around
                .code
                .strip_prefix(b"export ")
                .unwrap_or(around.code)
                .starts_with(word.as_bytes())
        };
        let destructures = || {
            ["const [", "const {", "let [", "let {", "var [", "var {"]
                .iter()
                .any(|start| starts(start))
        };
        self == Self::JavaScript && !around.code.contains(&b'=') && destructures()
    }

    /// Reports whether the language could define the name at this place.
    pub(super) fn may_define(self, around: &LineAround<'_>) -> bool {
        match self {
            Self::Rust => !is_before_member(around) && rust(around),
            Self::C => c(around),
            Self::Python => !is_before_member(around) && python(around),
            Self::Go => !is_before_member(around) && go(around),
            Self::JavaScript => !is_before_member(around) && javascript(around),
            Self::Dotted => !is_before_member(around) && !is_argument_before_member(around),
            Self::Other => true,
        }
    }
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

/// Reports whether a member of the name is accessed, so that the name exists already.
fn is_before_member(around: &LineAround<'_>) -> bool {
    let rest = around
        .after
        .strip_prefix(b"?")
        .or_else(|| around.after.strip_prefix(b"!"))
        .unwrap_or(around.after);
    // `name...` is a pack or a variadic parameter.
    rest.starts_with(b"::")
        || rest.starts_with(b"->")
        || (rest.starts_with(b".") && !rest.starts_with(b"..."))
}

fn is_argument_before_member(around: &LineAround<'_>) -> bool {
    around.left.ends_with(b"(") && around.after.starts_with(b".")
}

/// Accepts a name after a defining word, a field or a variant.
fn rust(around: &LineAround<'_>) -> bool {
    let next = around.after.trim_ascii_start();
    let is_field = next.starts_with(b":") && !next.starts_with(b"::");
    let starts_item = matches!(
        around.left.last(),
        None | Some(b'{' | b',' | b']' | b'}' | b'|' | b'/' | b'(' | b';')
    );
    let is_item = next.is_empty()
        || matches!(next[0], b',' | b'(' | b'{' | b'}' | b'/')
        || (next[0] == b'=' && next.get(1) != Some(&b'='));
    // `use shop::{name, …}` lists names and defines none.
    let is_import = memchr::memmem::find(around.code, b"::{").is_some();
    let is_variant = starts_item && is_item && !is_import && !is_in_parentheses(around.code);
    // `macro_rules! name`.
    is_one_of(around.word, RUST_WORDS) || around.left.ends_with(b"!") || is_field || is_variant
}

/// Reports whether a parenthesis is open at the end of a text.
fn is_in_parentheses(code: &[u8]) -> bool {
    memchr::memchr_iter(b'(', code).count() > memchr::memchr_iter(b')', code).count()
}

/// Accepts anything but an operand of an operator or the value of an argument.
fn c(around: &LineAround<'_>) -> bool {
    let next = around.after.trim_ascii_start();
    let ends_in_operator = matches!(
        around.left.last(),
        Some(b'=' | b'!' | b'|' | b'+' | b'/' | b'?' | b'[' | b'%' | b'^' | b'-')
    );
    let is_operand = around.is_indented && ends_in_operator && !around.left.ends_with(b"*/");
    let is_compared = around.is_indented
        && (next.starts_with(b"==")
            || next.starts_with(b"!=")
            || next.starts_with(b"&&")
            || next.starts_with(b"||")
            || next.starts_with(b"->"));
    let is_accessed = around.is_indented && next.starts_with(b".") && !next.starts_with(b"...");
    !is_operand && !is_compared && !is_accessed
}

/// Accepts a name after a defining word, or a target of an assignment or a loop, with nothing but
/// other targets before it.
fn python(around: &LineAround<'_>) -> bool {
    let next = around.after.trim_ascii_start();
    let is_of_targets = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'_' | b'.' | b',' | b' ' | b'(' | b'[' | b']' | b'*' | b'=' | b')'
            )
    };
    let only_targets = around.code.iter().all(is_of_targets)
        && (around.word.is_empty() || around.code.ends_with(b"."));
    // `(a, b) = …` is a tuple of targets, `print(a, b)` is a call.
    let is_call = is_in_parentheses(around.code) && !around.code.starts_with(b"(");
    let is_target = matches!(
        next.first(),
        None | Some(b':' | b',' | b')' | b']' | b'\\' | b'=')
    ) && !next.starts_with(b"==");
    let is_loop = around.code.starts_with(b"for ")
        || around.code.starts_with(b"async for ")
        || around.code.starts_with(b"with ");
    is_one_of(around.word, PYTHON_WORDS) || (only_targets && !is_call && is_target) || is_loop
}

/// Accepts a name after a defining word, or at the start of a line: fields, methods of interfaces,
/// groups of constants.
fn go(around: &LineAround<'_>) -> bool {
    let only_names = around
        .code
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b',' | b' ' | b'\t'));
    // `func (m *Mux) Serve(…)`.
    let is_method = around.code.starts_with(b"func") && around.left.ends_with(b")");
    let is_field = memchr::memmem::find(around.code, b"struct").is_some()
        || memchr::memmem::find(around.code, b"interface").is_some();
    // `name, err := …`.
    let is_short = memchr::memmem::find(around.after, b":=").is_some();
    is_one_of(around.word, GO_WORDS)
        || only_names
        || is_method
        || is_short
        || is_field
        || around.left.ends_with(b";")
}

/// Accepts anything but the operand of an operator, an argument or the value of a property.
fn javascript(around: &LineAround<'_>) -> bool {
    let next = around.after.trim_ascii_start();
    let is_operand = matches!(
        around.left.last(),
        Some(b'!' | b'+' | b'?' | b'=' | b'/' | b'%')
    ) && around.code.len() > 1;
    let is_argument = around.left.ends_with(b"(") && matches!(next.first(), Some(b',' | b')'));
    let is_compared = next.starts_with(b"==")
        || next.starts_with(b"!=")
        || next.starts_with(b"&&")
        || next.starts_with(b"||");
    !is_operand && !is_argument && !is_compared
}
