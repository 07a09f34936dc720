//! `X` is a class, an interface, an enumeration, a function, with its modifiers.

use grounds_evidence::SymbolKind;

use super::{Arguments, Predicate, contradicted, modifier, no_words, unknown};
use crate::code::{Code, Definition};
use crate::verdict::ClaimVerdict;

pub(super) const KIND: Predicate = Predicate {
    name: "kind",
    frames: &[concat!(
        r"{a} is {not}an? (?:(?P<n>(?:{modifier} )*{modifier}) )?",
        r"(?P<v>class|interface|enum|enumeration|trait|struct|function|method|constant|macro)",
        r"(?:$|[.,;]| (?:that|which|in|for|with|from|of|on|and|used|defined|here)\b)",
    )],
    words: no_words,
    decide,
};

/// Reports whether people call a kind of symbol by this word, or `None` if they may.
fn fits(word: &str, one: &Definition) -> Option<bool> {
    use SymbolKind as K;
    let kind = one.kind;
    let is_of_go = one.path.ends_with(".go");
    match word {
        "struct" | "interface" if is_of_go && one.is_type() => Some(type_word(one) == word),
        "class" if kind == K::Class => Some(true),
        "class" => {
            (!matches!(kind, K::Struct | K::Object | K::Trait | K::TypeAlias)).then_some(false)
        }
        "struct" if kind == K::Struct => Some(true),
        "struct" => (!matches!(kind, K::Class | K::Union | K::TypeAlias)).then_some(false),
        "interface" if kind == K::Interface => Some(true),
        "interface" => (!matches!(kind, K::Trait | K::TypeAlias)).then_some(false),
        "trait" if kind == K::Trait => Some(true),
        "trait" => (kind != K::Interface).then_some(false),
        "enum" | "enumeration" => match kind {
            K::Enum => Some(true),
            // `class Color(Enum)` and `enum class Color` say it in their heads.
            K::Class if one.head.contains("enum") || one.head.contains("Enum") => Some(true),
            K::Class | K::TypeAlias => None,
            _ => Some(false),
        },
        _ => fits_value(word, one),
    }
}

/// Reports whether people call what is no type by this word, or `None` if they may.
fn fits_value(word: &str, one: &Definition) -> Option<bool> {
    use SymbolKind as K;
    let kind = one.kind;
    let is_function = matches!(kind, K::Function | K::Method | K::Constructor);
    let is_type = matches!(
        kind,
        K::Class | K::Struct | K::Interface | K::Trait | K::Enum
    );
    match word {
        "constant" if kind == K::Constant => Some(true),
        "constant" if is_function || matches!(kind, K::Interface | K::Trait) => Some(false),
        "constant" => is_fixed(one).then_some(true),
        "macro" if kind == K::Macro => Some(true),
        "macro" => (!matches!(kind, K::Function | K::Constant)).then_some(false),
        _ if is_function => Some(true),
        _ if is_type => Some(false),
        // A value may hold a function; a property is not called.
        _ => holds_function(one).then_some(true),
    }
}

/// Returns the word of Go that says what a type is: `struct`, `interface`, `func`.
fn type_word(one: &Definition) -> &str {
    let after = one
        .text
        .split_once(&one.name)
        .map_or("", |(_, after)| after);
    // The parameters of a generic type come first.
    let after = match after.trim_start().strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(_, after)| after),
        None => after,
    };
    let after = after.trim_start();
    let end = after.find(|letter: char| !letter.is_ascii_lowercase());
    &after[..end.unwrap_or(after.len())]
}

fn is_fixed(one: &Definition) -> bool {
    let is_in_capitals = !one.name.contains(char::is_lowercase);
    let marks = ["const", "final", "readonly", "val ", "static"];
    is_in_capitals || marks.iter().any(|mark| one.head.contains(mark))
}

fn holds_function(one: &Definition) -> bool {
    let is_value = matches!(
        one.kind,
        SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
    );
    is_value
        && ["=>", "function", "lambda"]
            .iter()
            .any(|mark| one.text.contains(mark))
}

/// Reports whether a definition is of a kind and has all modifiers, or `None` if its text does not
/// tell.
fn is_all(word: &str, modifiers: &str, one: &Definition) -> Option<bool> {
    let of_modifiers = modifiers
        .split_whitespace()
        .map(|word| modifier::fits(word, one));
    let all: Vec<Option<bool>> = of_modifiers.chain([fits(word, one)]).collect();
    match all.contains(&Some(false)) {
        true => Some(false),
        false => (!all.contains(&None)).then_some(true),
    }
}

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    let modifiers = said.get("n").to_ascii_lowercase();
    // "`X` is no abstract class" may be a class of another sort.
    if said.is_negated && !modifiers.is_empty() {
        return unknown("it may be one of another sort");
    }
    let mut all = code.definitions(name).unwrap_or_default();
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)));
    let word = said.get("v").to_ascii_lowercase();
    let Some(first) = all.first() else {
        return unknown(format!("no `{name}` is defined here"));
    };
    let told: Vec<Option<bool>> = all
        .iter()
        .map(|one| is_all(&word, &modifiers, one))
        .collect();
    if let Some(at) = told.iter().position(|fits| *fits == Some(true)) {
        return ClaimVerdict::Holds(all[at].place());
    }
    let sort = [modifiers.as_str(), word.as_str()].join(" ");
    let sort = sort.trim();
    match told.contains(&None) {
        true => unknown(format!(
            "the text does not tell whether `{name}` is a {sort}"
        )),
        false => contradicted(format!("`{name}` is no {sort}"), [first.place()]),
    }
}
