//! What types inherit from: the bases that are here, and those of the language itself.

use std::collections::BTreeSet;

use crate::code::{Code, Definition, whole_words};

/// Bases of bases that are followed.
pub(crate) const DEPTH_MAX: usize = 8;
/// Types that one type inherits from that are followed.
const BASES_MAX: usize = 200;

/// Words of heads that are no bases.
const KEYWORDS: [&str; 14] = [
    "extends",
    "implements",
    "class",
    "struct",
    "interface",
    "where",
    "public",
    "private",
    "protected",
    "virtual",
    "for",
    "metaclass",
    "with",
    "final",
];

/// Types of languages that bring no members beside [`ROOT_MEMBERS`] and those between underscores.
#[rustfmt::skip]
const ROOTS: &[&str] = &[
    "ABC", "ABCMeta", "ArgumentError", "ArithmeticError", "AssertionError", "AttributeError",
    "BadMethodCallException", "BaseException", "ConnectionError", "DeprecationWarning", "dict",
    "DomainException", "Enum", "EOFError", "ErrnoException", "Error", "Exception",
    "FileExistsError", "FileNotFoundError", "FutureWarning", "Generic", "IllegalArgumentException",
    "IllegalStateException", "ImportError", "IndexError", "IntEnum", "InvalidArgumentException",
    "IOError", "IOException", "KeyError", "LengthException", "list", "LogicException",
    "LookupError", "Mapping", "MemoryError", "MutableMapping", "NamedTuple", "NotImplementedError",
    "object", "OrderedDict", "OSError", "OutOfBoundsException", "OutOfRangeException",
    "OverflowError", "PermissionError", "Protocol", "RangeError", "RangeException", "RuntimeError",
    "RuntimeException", "RuntimeWarning", "set", "StandardError", "StrEnum", "SyntaxError",
    "Throwable", "TimeoutError", "tuple", "TypedDict", "TypeError", "UnexpectedValueException",
    "UnicodeError", "UnsupportedOperationException", "UserWarning", "ValueError", "Warning",
    "ZeroDivisionError",
];

/// Members that the types of [`ROOTS`] bring, in whatever language.
#[rustfmt::skip]
const ROOT_MEMBERS: &[&str] = &[
    "add", "add_note", "addSuppressed", "append", "args", "backtrace", "captureStackTrace", "cause",
    "characters_written", "clear", "code", "copy", "count", "detailed_message", "difference",
    "discard", "encoding", "end", "errno", "exception", "extend", "filename", "filename2",
    "fillInStackTrace", "fromkeys", "full_message", "get", "getCause", "getCode", "getFile",
    "getLine", "getLocalizedMessage", "getMessage", "getPrevious", "getStackTrace", "getSuppressed",
    "getTrace", "getTraceAsString", "index", "initCause", "insert", "inspect", "intersection",
    "isdisjoint", "issubset", "issuperset", "items", "keys", "lineno", "message", "move_to_end",
    "msg", "name", "obj", "offset", "ordinal", "path", "pop", "popitem", "printStackTrace",
    "reason", "register", "remove", "reverse", "setdefault", "setStackTrace", "sort", "stack",
    "start", "strerror", "symmetric_difference", "syscall", "text", "toString", "union", "update",
    "value", "valueOf", "values", "with_traceback",
];

impl Code<'_, '_> {
    /// Looks up the bases of types, and theirs, for every type of a set at once.
    pub(crate) fn look_up_bases(&self, names: BTreeSet<String>) {
        let mut seen = names.clone();
        let mut open = names;
        for _ in 0..DEPTH_MAX {
            let defined = open.iter().filter_map(|name| self.definitions(name));
            let defined: Vec<Definition> = defined.flatten().collect();
            let bases = defined.iter().filter(|one| one.is_type()).flat_map(bases);
            open = bases.filter(|base| seen.insert(base.clone())).collect();
            if open.is_empty() {
                return;
            }
            self.facts.look_for(&open);
        }
    }

    /// The names of all types that types inherit from; `None` if one of them could bring members
    /// that are not here, or was not read.
    pub(crate) fn ancestors(&self, types: &[&Definition]) -> Option<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Definition> = types.iter().map(|one| (*one).clone()).collect();
        while let Some(one) = open.pop() {
            for base in bases(&one) {
                if !found.insert(base.clone()) {
                    continue;
                }
                let mut all = self.definitions(&base)?;
                all.retain(Definition::is_type);
                if found.len() > BASES_MAX || (all.is_empty() && !self.is_root(&base, &one.path)) {
                    return None;
                }
                open.extend(all);
            }
        }
        Some(found)
    }

    /// Whether a base that is not defined here is one of the language's own, which a file does not
    /// take in from elsewhere.
    fn is_root(&self, base: &str, path: &str) -> bool {
        let takes_in = |line: &str| {
            let line = line.trim_start();
            ["import ", "from ", "use ", "using "]
                .iter()
                .any(|word| line.starts_with(word))
                && whole_words(line, base).next().is_some()
        };
        ROOTS.contains(&base)
            && self.facts.text(path).is_some_and(|text| {
                let taken_in = text.lines().find(|line| takes_in(line));
                taken_in.is_none_or(is_of_language)
            })
    }
}

/// Whether a line takes a name in from the library of its own language.
fn is_of_language(line: &str) -> bool {
    let modules = ["from enum ", "from abc ", "from typing ", "import java."];
    modules
        .iter()
        .any(|module| line.trim_start().starts_with(module))
        || (line.trim_start().starts_with("use ") && !line.contains(['\\', ':']))
}

/// Whether a type of the language itself brings a member.
pub(crate) fn is_of_root(member: &str) -> bool {
    member.starts_with("__") || ROOT_MEMBERS.contains(&member)
}

/// The names that a type gives as its bases, without what qualifies them and what fills them in:
/// `Base` of `class X(module.Base[T])`.
pub(crate) fn bases(one: &Definition) -> Vec<String> {
    let after = one.head.split_once(&one.name);
    let mut depth = 0_usize;
    let outside = after.map_or("", |(_, after)| after).chars().map(|letter| {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => return letter,
            _ => {}
        }
        ' '
    });
    let outside = outside.collect::<String>().replace("::", ".");
    let names = outside
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.' | '\\'));
    let names = names.filter_map(|path| path.rsplit(['.', '\\']).next());
    names
        .filter(|name| {
            name.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && !KEYWORDS.contains(name)
        })
        .map(str::to_owned)
        .collect()
}
