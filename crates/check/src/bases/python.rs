//! The members that types of Python's standard library bring to their subclasses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use regex::Regex;

/// A line for each type: its module, its name, its bases after `<`, its own members after `:`.
/// Written by `bench/check/roots.py`.
const TYPES: &str = include_str!("python.txt");

/// A type of the library.
struct Type {
    bases: Vec<&'static str>,
    members: Vec<&'static str>,
}

/// Reports whether a file is of this language.
pub(super) fn is_of(path: &str) -> bool {
    [".py", ".pyi"].iter().any(|ending| path.ends_with(ending))
}

/// Reports whether a base that a file names brings a member. Returns `None` if it is no type of the
/// library.
pub(super) fn brings(base: &str, text: &str, member: &str) -> Option<bool> {
    let (first, rest) = base.split_once('.').unwrap_or((base, ""));
    let mut taken_in = taken_in(text).remove(first).unwrap_or_default();
    // A name that no import binds is one of the builtins.
    if taken_in.is_empty() {
        taken_in.insert(format!("builtins.{first}"));
    }
    let mut any = false;
    for from in taken_in {
        let whole = [from.as_str(), rest].join(".");
        // A name may be bound by two imports, as in `try` and `except ImportError`. If one of them
        // is not of the library, nothing is known of the type.
        any |= has(whole.trim_end_matches('.'), member)?;
    }
    Some(any)
}

/// Whether a type of the library or one of its bases has a member.
fn has(name: &str, member: &str) -> Option<bool> {
    let known = types().get(name)?;
    let is_own = known.members.contains(&member);
    Some(
        // A base that the list lacks may have any member.
        is_own
            || known
                .bases
                .iter()
                .any(|base| has(base, member).unwrap_or(true)),
    )
}

fn types() -> &'static BTreeMap<String, Type> {
    static KNOWN: OnceLock<BTreeMap<String, Type>> = OnceLock::new();
    KNOWN.get_or_init(|| TYPES.lines().filter_map(read).collect())
}

fn read(line: &'static str) -> Option<(String, Type)> {
    let (head, members) = line.split_once(':')?;
    let (name, bases) = head.split_once(" < ").unwrap_or((head, ""));
    let known = Type {
        bases: bases.split_whitespace().collect(),
        members: members.split_whitespace().collect(),
    };
    Some((name.replace(' ', "."), known))
}

/// Returns the names that the imports of a file bind, each with the places it may come from.
fn taken_in(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    static IMPORTS: OnceLock<Option<Regex>> = OnceLock::new();
    // Names may go on in parentheses or after a backslash, on several lines.
    let pattern =
        r"(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]*\)|(?:[^\n#\\]|\\\n)+)";
    let imports = IMPORTS.get_or_init(|| Regex::new(pattern).ok());
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for import in imports
        .iter()
        .flat_map(|imports| imports.captures_iter(text))
    {
        let module = import.get(1).map(|module| module.as_str());
        // In parentheses, each line of names may have a comment behind them.
        let comment = |line: &str| line.split('#').next().unwrap_or_default().to_owned();
        let names: Vec<String> = import[2].lines().map(comment).collect();
        let names = names.join(" ").replace(['(', ')', '\\'], " ");
        for one in names.split(',') {
            let words: Vec<&str> = one.split_whitespace().collect();
            let (name, bound) = match words.as_slice() {
                [name] => (*name, *name),
                [name, "as", bound] => (*name, *bound),
                _ => continue,
            };
            let (bound, from) = match module {
                Some(module) => (bound, format!("{module}.{name}")),
                // `import a.b` binds `a`.
                None if bound == name => {
                    let first = name.split('.').next().unwrap_or(name);
                    (first, first.to_owned())
                }
                None => (bound, name.to_owned()),
            };
            found.entry(bound.to_owned()).or_default().insert(from);
        }
    }
    found
}
