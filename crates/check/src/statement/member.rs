//! Names with their owner: any sentence with `Parser.next` says that `Parser` has `next`.

use grounds_evidence::SymbolKind;

use super::{Arguments, Predicate, frame, has_member, no_words, unknown};
use crate::code::{Code, Definition};
use crate::extract::NumberedSentence;
use crate::verdict::ClaimVerdict;

pub(super) const OWN: Predicate = Predicate {
    name: "has_own",
    frames: &[],
    words: no_words,
    decide,
};

/// Endings of files of languages in which all members of a type are in its own text, or in blocks
/// that name it.
const CLOSED: [&str; 8] = ["py", "php", "java", "kt", "cs", "rs", "swift", "scala"];

/// Words of a sentence about another time, a wish, or something that is absent.
const MARKS: [&str; 26] = [
    " add",
    "Add",
    "new ",
    " no ",
    " not ",
    "n't ",
    "never",
    "missing",
    "remov",
    "renam",
    "delet",
    "should",
    "would",
    "could",
    "instead",
    "Instead",
    "would be",
    "used to",
    "previously",
    "former",
    "similar",
    "like ",
    " crate ",
    " package ",
    " gem ",
    " library ",
];

/// Returns the members that the names of a sentence state.
pub(super) fn read(sentence: &NumberedSentence) -> Vec<Arguments> {
    let words = &sentence.words;
    if !frame::is_plain(words) || MARKS.iter().any(|mark| words.contains(mark)) {
        return Vec::new();
    }
    // A small owner, as in `parser.next`, may be a variable of any type.
    let of_types = sentence.names.iter().filter_map(|name| {
        let (owner, member) = frame::symbol(name)?;
        let owner = owner.filter(|owner| owner.starts_with(char::is_uppercase))?;
        // A path of modules, a file, a value.
        let is_plain = !name.contains(['/', ' ', '=', '"', '[']) && member.len() > 2;
        let is_plain = is_plain && !member.starts_with("__");
        is_plain.then(|| (owner.to_owned(), member.to_owned()))
    });
    of_types
        .map(|(owner, member)| Arguments::of_two(owner, member))
        .collect()
}

/// Decides a name alone, which says less than a sentence about its owner. To contradict it, the
/// member must be a function of other types, and no type that could bring it may be near.
fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let verdict = has_member::decide(said, code);
    let (Some((_, owner)), Some((_, name))) = (said.symbol("a"), said.symbol("b")) else {
        return verdict;
    };
    if !verdict.accuses() {
        return verdict;
    }
    let members = code.definitions(name).unwrap_or_default();
    let owners = code.definitions(owner).unwrap_or_default();
    let types: Vec<&Definition> = owners.iter().filter(|one| one.is_type()).collect();
    let is_method = |one: &Definition| {
        matches!(one.kind, SymbolKind::Function | SymbolKind::Method)
            && one.owners.iter().all(|owner| !is_open(owner, code))
    };
    let is_closed = types.iter().all(|one| {
        let ending = one.path.rsplit('.').next().unwrap_or_default();
        CLOSED.contains(&ending)
    });
    if members.is_empty() || !members.iter().all(is_method) || !is_closed {
        return unknown(format!(
            "`{owner}` may have `{name}` in a way that is not read"
        ));
    }
    verdict
}

/// Reports whether other types may include a type beside their own text.
fn is_open(owner: &str, code: &Code<'_, '_>) -> bool {
    let all = code.definitions(owner).unwrap_or_default();
    all.iter().any(|one| {
        matches!(
            one.kind,
            SymbolKind::Trait | SymbolKind::Interface | SymbolKind::Module
        )
    })
}
