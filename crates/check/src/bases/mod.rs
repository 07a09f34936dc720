//! The types that a type inherits from: bases in the tree, and those of the language itself.

mod python;

use std::collections::BTreeSet;

use crate::code::{Code, Definition, whole_words};

/// Greatest depth to which bases of bases are followed.
pub(crate) const DEPTH_MAX: usize = 8;
/// Most types from which one type may inherit.
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

/// Types of languages that bring no members except [`ROOT_MEMBERS`] and names such as `__eq__`.
#[rustfmt::skip]
const ROOTS: &[&str] = &[
    "ArgumentError", "BadMethodCallException", "DomainException", "Enum", "ErrnoException", "Error",
    "Exception", "IllegalArgumentException", "IllegalStateException", "IndexError",
    "InvalidArgumentException", "IOError", "IOException", "KeyError", "LengthException",
    "LogicException", "NotImplementedError", "OutOfBoundsException", "OutOfRangeException",
    "RangeError", "RangeException", "RuntimeError", "RuntimeException", "StandardError",
    "SyntaxError", "Throwable", "TypeError", "UnexpectedValueException",
    "UnsupportedOperationException", "ZeroDivisionError",
];

/// Members that the types of [`ROOTS`] bring, in whatever language.
#[rustfmt::skip]
const ROOT_MEMBERS: &[&str] = &[
    "addSuppressed", "backtrace", "captureStackTrace", "cause", "code", "detailed_message", "errno",
    "exception", "fillInStackTrace", "full_message", "get", "getCause", "getCode", "getFile",
    "getLine", "getLocalizedMessage", "getMessage", "getPrevious", "getStackTrace", "getSuppressed",
    "getTrace", "getTraceAsString", "initCause", "inspect", "message", "name", "offset", "ordinal",
    "path", "printStackTrace", "reason", "register", "setStackTrace", "stack", "syscall", "text",
    "toString", "value", "valueOf",
];

impl Code<'_, '_> {
    /// Looks up the bases of types, and theirs, for every type of a set at once.
    pub(crate) fn look_up_bases(&self, names: BTreeSet<String>) {
        let mut seen = names.clone();
        let mut open = names;
        // Each turn looks up one level of bases for all types together, in one pass over the tree.
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

    /// Returns the names of all types that some types inherit from, with those of packages that may
    /// bring a member, or `None` if they are too many to be read.
    pub(crate) fn ancestors(&self, types: &[&Definition], member: &str) -> Option<Ancestors> {
        let mut seen = BTreeSet::new();
        let mut found = Ancestors::default();
        let mut open: Vec<Definition> = types.iter().map(|one| (*one).clone()).collect();
        while let Some(one) = open.pop() {
            for base in base_paths(&one) {
                // A base is judged once for each file that names it, because the imports of the
                // file tell whether it is one of the language's own.
                if !seen.insert((base.clone(), one.path.clone())) {
                    continue;
                }
                let name = last_of(&base);
                let mut all = self.definitions(name)?;
                all.retain(Definition::is_type);
                if seen.len() > BASES_MAX {
                    return None;
                }
                // A type that is defined nowhere here comes from a package, unless the language has
                // it.
                if all.is_empty() && !self.brings_nothing(&base, &one.path, member) {
                    found.foreign.insert(name.to_owned());
                }
                // Each name is followed once, so types that extend each other in a circle end here.
                if found.all.insert(name.to_owned()) {
                    open.extend(all);
                }
            }
        }
        Some(found)
    }

    /// Reports whether a member is a private one of types that have nothing to do with these bases,
    /// so that no base of a package brings it.
    pub(crate) fn is_inside_of_others(&self, all: &[Definition], bases: &Ancestors) -> bool {
        let is_apart = |one: &Definition| {
            let types = self.definitions(one.owners.last()?)?;
            let types: Vec<&Definition> = types.iter().filter(|one| one.is_type()).collect();
            let others = self.ancestors(&types, &one.name)?;
            Some(!types.is_empty() && others.foreign.is_disjoint(&bases.foreign))
        };
        // `_open` is private to its type; `__eq__` is of every type.
        let is_private =
            |one: &Definition| one.name.starts_with('_') && !one.name.starts_with("__");
        let is_theirs = |one: &Definition| is_private(one) && is_apart(one) == Some(true);
        !all.is_empty() && all.iter().all(is_theirs)
    }

    /// Reports whether a base that is not defined here is one of the language's own without a
    /// member of this name. A file that imports the base from elsewhere means another one.
    fn brings_nothing(&self, base: &str, path: &str, member: &str) -> bool {
        let Some(text) = self.facts.text(path) else {
            return false;
        };
        // Python's library is listed type by type. For other languages, only the roots are known.
        if python::is_of(path) {
            return python::brings(base, &text, member) == Some(false);
        }
        let base = last_of(base);
        let takes_in = |line: &&str| {
            let line = line.trim_start();
            ["import ", "from ", "use ", "using "]
                .iter()
                .any(|word| line.starts_with(word))
                && whole_words(line, base).next().is_some()
        };
        let is_root =
            ROOTS.contains(&base) && text.lines().find(takes_in).is_none_or(is_of_language);
        is_root && !member.starts_with("__") && !ROOT_MEMBERS.contains(&member)
    }
}

/// The types that a type inherits from, by name.
#[derive(Default)]
pub(crate) struct Ancestors {
    /// All of them.
    pub(crate) all: BTreeSet<String>,
    /// Those of packages, which may bring a member.
    pub(crate) foreign: BTreeSet<String>,
}

/// Returns the last name of a path such as `module.Base`.
fn last_of(path: &str) -> &str {
    path.rsplit(['.', '\\']).next().unwrap_or(path)
}

/// Reports whether a member is one that every type of a language has: `__eq__`.
pub(crate) fn is_of_every(of: &Definition, member: &str) -> bool {
    python::is_of(&of.path) && member.starts_with("__") && member.ends_with("__")
}

/// Reports whether a line imports from the library of its own language.
fn is_of_language(line: &str) -> bool {
    // In PHP, `use Error;` names a class without a namespace, which is the language's.
    line.trim_start().starts_with("import java.")
        || (line.trim_start().starts_with("use ") && !line.contains(['\\', ':']))
}

/// Returns the names of a type's bases, without qualifiers and type arguments: `Base` of `class
/// X(module.Base[T])`.
pub(crate) fn bases(one: &Definition) -> Vec<String> {
    let paths = base_paths(one);
    paths.iter().map(|path| last_of(path).to_owned()).collect()
}

/// Returns the paths of a type's bases: `module.Base` of `class X(module.Base[T])`.
fn base_paths(one: &Definition) -> Vec<String> {
    let after = one.head.split_once(&one.name);
    let after = after.map_or("", |(_, after)| after);
    // `class X(dict):  # type: ignore`
    let end = if python::is_of(&one.path) {
        after.find('#')
    } else {
        None
    };
    // Type arguments are no bases, so what is inside of brackets becomes blank.
    let mut depth = 0_usize;
    let outside = after[..end.unwrap_or(after.len())].chars().map(|letter| {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => return letter,
            _ => {}
        }
        ' '
    });
    let outside = outside.collect::<String>().replace("::", ".");
    // `metaclass=Meta` brings no member to the objects of the class, while `type X = Y` does.
    let base = |one: &str| match one.split_once('=') {
        Some((given, _)) if !given.trim().is_empty() => String::new(),
        _ => one.to_owned(),
    };
    let bare: Vec<String> = outside.split([',', '(', ')']).map(base).collect();
    let bare = bare.join(",");
    let names =
        bare.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.' | '\\'));
    names
        .filter(|path| {
            let name = last_of(path);
            name.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && !KEYWORDS.contains(&name)
        })
        .map(str::to_owned)
        .collect()
}
