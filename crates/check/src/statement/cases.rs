//! The cases of an enumeration that is a class of Python.

use crate::code::{Definition, whole_words};

/// Classes of Python's library whose subclasses are enumerations.
const BASES: [&str; 5] = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"];

/// Reports whether a class is an enumeration by its head.
pub(super) fn is_enumeration(one: &Definition) -> bool {
    let is_heir = |base: &&str| whole_words(&one.head, base).next().is_some();
    one.path.ends_with(".py") && one.is_type() && BASES.iter().any(is_heir)
}

/// Counts the cases of a class. Returns `None` if two have one value, since the second is then no
/// case of its own.
pub(super) fn count(one: &Definition) -> Option<usize> {
    let body = one
        .text
        .split_once(&one.head)
        .map_or(one.text.as_str(), |(_, body)| body);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = || body.lines().filter(|line| !line.trim().is_empty());
    let depth = lines().map(indent).find(|depth| *depth > 0)?;
    let mut values = Vec::new();
    let mut in_text = false;
    for line in lines() {
        let marks = line.matches("\"\"\"").count() + line.matches("'''").count();
        let was_in_text = in_text;
        in_text ^= marks % 2 == 1;
        // Lines of a doc string, and those inside of methods, define no cases.
        if was_in_text || marks > 0 || indent(line) != depth {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            continue;
        };
        let name = name.split(':').next().unwrap_or_default().trim();
        let is_name = name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
        if is_name && !name.starts_with('_') && !value.starts_with('=') {
            values.push(value.trim().to_owned());
        }
    }
    // `auto()` gives each case another value.
    let is_double = |at: usize| !values[at].contains("auto(") && values[..at].contains(&values[at]);
    let has_double = (0..values.len()).any(is_double);
    (!values.is_empty() && !has_double).then_some(values.len())
}
