//! `X` is a class, an interface, an enumeration, a function.

use grounds_evidence::SymbolKind;

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::ClaimVerdict;

pub(super) const KIND: Predicate = Predicate {
    name: "kind",
    frames: &[concat!(
        r"{a} is {not}an? ",
        r"(?:(?P<n>public|abstract|generic|final|static|async|small|simple|thin|free|plain|exported|sealed",
        r"|top-level|module-level) )?",
        r"(?:(?:public|abstract|generic|final|static|async|small|simple|thin|free|plain|exported|sealed",
        r"|top-level|module-level) )*",
        r"(?P<v>class|interface|enum|enumeration|trait|struct|function|method|constant|macro)",
        r"(?:$|[.,;]| (?:that|which|in|for|with|from|of|on|and|used|defined|here)\b)",
    )],
    words: no_words,
    decide,
};

/// Reports whether people call a kind of symbol by this word.
fn fits(word: &str, kind: SymbolKind) -> bool {
    use SymbolKind as K;
    match word {
        "class" => matches!(
            kind,
            K::Class | K::Struct | K::Object | K::Trait | K::TypeAlias
        ),
        "struct" => matches!(kind, K::Struct | K::Class | K::Union | K::TypeAlias),
        "interface" => matches!(kind, K::Interface | K::Trait | K::TypeAlias),
        "trait" => matches!(kind, K::Trait | K::Interface),
        "enum" | "enumeration" => matches!(kind, K::Enum | K::TypeAlias | K::Class),
        "constant" => !matches!(kind, K::Function | K::Method | K::Interface | K::Trait),
        "macro" => matches!(kind, K::Macro | K::Function | K::Constant),
        _ => !matches!(
            kind,
            K::Class | K::Struct | K::Interface | K::Trait | K::Enum
        ),
    }
}

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("it is no name");
    };
    // "`X` is no abstract class" may be a class of another sort.
    if said.is_negated && !said.get("n").is_empty() {
        return unknown("it may be one of another sort");
    }
    let mut all = code.definitions(name).unwrap_or_default();
    all.retain(|one| owner.is_none_or(|owner| one.is_of(owner)));
    let word = said.get("v").to_ascii_lowercase();
    match (all.iter().find(|one| fits(&word, one.kind)), all.first()) {
        (Some(one), _) => ClaimVerdict::Holds(one.place()),
        (None, Some(one)) => contradicted(format!("`{name}` is no {word}"), [one.place()]),
        (None, None) => unknown(format!("no `{name}` is defined here")),
    }
}
