//! Decides whether a use of a type makes a value of it, by the text around the name.

use grounds_evidence::{Relation, SymbolKind};
use grounds_repo::labels::LabelledPlace;

use super::subject::ClaimSubject;
use super::{Desk, effects};
use crate::words::is_in;

/// Languages in which a declared variable of a type is a value of it.
const DECLARED: &str = "C C++";
/// Languages in which a variant of an enum is made with values, and not only named.
const OF_VARIANTS: &str = "Rust Swift Scala";

/// Languages in which a constructor is called by the name of its type.
const BY_NAME: &str = "Python Ruby JavaScript TypeScript Java C# Kotlin PHP Scala Swift";

/// The reason why values may be made although no place was found.
pub(super) const OTHERWISE: &str =
    "a value can be made without its type's name, as a default or by what reads data";

/// Reports whether values of a type are made by its name, and not by functions that return one.
pub(super) fn is_by_name(subject: &ClaimSubject) -> bool {
    let is_one = |place: &LabelledPlace| is_in(BY_NAME, place.language);
    subject.definitions.iter().all(is_one)
}

/// Reports whether a name is an enum whose variants make its values.
pub(super) fn is_of_enum(subject: &ClaimSubject) -> bool {
    let is_enum = |place: &LabelledPlace| {
        place.kind == Some(SymbolKind::Enum) && is_in(OF_VARIANTS, place.language)
    };
    !subject.definitions.is_empty() && subject.definitions.iter().all(is_enum)
}

/// Reports whether a name is only that of fields and variables, which have no values of their own.
pub(super) fn has_no_values(subject: &ClaimSubject) -> bool {
    let is_one = |place: &LabelledPlace| {
        matches!(
            place.kind,
            Some(SymbolKind::Field | SymbolKind::Property | SymbolKind::Variable)
        )
    };
    subject.is_defined() && subject.definitions.iter().all(is_one)
}

/// Reports whether a use makes a value: a call, braces after the name, a variant of an enum, a
/// variable of C.
pub(super) fn makes_value(place: &LabelledPlace, is_enum: bool, desk: &Desk<'_, '_>) -> bool {
    if !matches!(place.relation, Relation::Calls | Relation::References) {
        return false;
    }
    let (before, after) = effects::sides(place, desk);
    let (before, after) = (before.as_str(), after.as_str());
    match () {
        () if is_enum => is_variant(before, after),
        // `request.Context()` of Go calls a method with the name of the type.
        () if place.relation == Relation::Calls => place.language != "Go" || !before.ends_with('.'),
        () => {
            is_literal(before, after)
                || is_in(DECLARED, place.language) && is_variable(before, after)
        }
    }
}

/// Reports whether the braces after a type make a value: `Point{1, 2}`, `Some(Point { x: 1 })`, and
/// not `impl Point {`.
fn is_literal(before: &str, after: &str) -> bool {
    const VALUES: [&str; 9] = ["(", ",", "=", "{", "=>", "|", "&", "[", "return"];
    let before = before.trim_end();
    let is_head = before.ends_with("==") || before.ends_with("->");
    let is_value = before.is_empty() || VALUES.iter().any(|sign| before.ends_with(sign));
    after.starts_with('{') || after.starts_with(" {") && is_value && !is_head
}

/// Reports whether a variant is a value here (`Err(Failure::Late)`), and not a pattern
/// (`Failure::Late => …`).
fn is_variant(before: &str, after: &str) -> bool {
    let variant = after.strip_prefix("::").or_else(|| after.strip_prefix('.'));
    let is_one = variant.is_some_and(|variant| variant.starts_with(char::is_uppercase));
    let before = before.trim();
    let opens = before.split_whitespace().next().unwrap_or_default();
    let is_matched = is_in("let case", opens)
        || before.contains(" let ")
        || before.contains("matches!(")
        // Before an arrow the variant is a pattern; after it, it is the value of the arm.
        || !before.contains("=>") && after.contains("=>")
        || before.starts_with('|')
        || opens == "use";
    is_one && !is_matched
}

/// Reports whether a C variable has the type itself, and is no pointer to it:
/// `struct point p = { 0 };`.
fn is_variable(before: &str, after: &str) -> bool {
    let name = after.trim_start();
    let end = name.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let rest = end.map_or("", |end| name[end..].trim_start());
    let is_statement = before.trim().is_empty() || is_in("struct static const", before.trim());
    after.starts_with(' ')
        && end.is_some_and(|end| end > 0)
        && is_statement
        && rest.starts_with([';', '=', '[', '{'])
}
