//! Names that say nothing about a repository: the words of a language and the names of its standard
//! library. They are separate for each language: `process` is common in JavaScript and an ordinary
//! function name in Python.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The names as data: the family of languages, then names.
const NAMES: &str = include_str!("common.txt");

type ByFamily = HashMap<&'static str, HashSet<&'static str>>;

static COMMON: LazyLock<ByFamily> = LazyLock::new(|| {
    let mut families = ByFamily::new();
    for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_ascii_whitespace();
        if let Some(family) = words.next() {
            families.entry(family).or_default().extend(words);
        }
    }
    families
});

/// Reports whether the chain ignores a name in a family of languages. A family without a list of
/// its own has the words of all families.
pub(super) fn is_common(name: &str, family: &str) -> bool {
    let has = |family: &str| COMMON.get(family).is_some_and(|names| names.contains(name));
    match COMMON.contains_key(family) {
        true => has("*") || has(family),
        false => COMMON.values().any(|names| names.contains(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_common_in_its_own_language_only() {
        for (name, family, expected) in [
            ("process", "JavaScript", true),
            ("process", "Python", false),
            ("starts_with", "Rust", true),
            ("Fprintf", "Go", true),
            ("Fprintf", "C", false),
            ("dumps", "Python", true),
            ("return", "Python", true),
            ("process", "Lua", true),
            ("ledger", "Lua", false),
        ] {
            assert_eq!(is_common(name, family), expected, "{name} in {family}");
        }
    }
}
