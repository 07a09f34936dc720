//! Words that select some of the heirs of a type, and that their heads decide: "which interfaces
//! extend X?", "the abstract subclasses of X". It returns the selected heirs.

use grounds_claims::Claim;

use super::super::import_lines::language_of;
use super::super::{Desk, SettledSpot, Unsettled};
use super::nameless::NAMELESS;
use crate::understand::singular;
use crate::words::is_in;

/// Words that the heads of heirs decide.
pub(crate) const FILTERS: &str = "interfaces interface traits trait enums enum records record \
    concrete abstract named";
/// Languages that write these words into the head of a type.
const WRITTEN_IN: &str = "Java Kotlin C# TypeScript TSX PHP Scala Swift Rust";
/// Languages that mark types which have to be extended with "abstract".
const WITH_ABSTRACT: &str = "Java Kotlin C# TypeScript TSX PHP Scala";

/// Returns the word of a claim that selects heirs.
pub(super) fn of(claim: &Claim) -> Option<&str> {
    let kind = claim.kind.as_deref();
    kind.filter(|kind| is_in(FILTERS, kind))
}

/// Returns the heirs that a claim selects; all of them if it selects none.
///
/// # Errors
/// [`Unsettled`] if the heads do not decide it, or if no heir is selected.
pub(super) fn selected(
    claim: &Claim,
    found: Vec<SettledSpot>,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let Some(word) = of(claim) else {
        return Ok(found);
    };
    let open = |why: &str| {
        Err(
            Unsettled::unknown(format!("which of them are `{word}` is not decided{why}"))
                .with(&found),
        )
    };
    if !are_decided(&found, word, desk) {
        return open("");
    }
    let is_named = |spot: &SettledSpot| !spot.what.starts_with(NAMELESS);
    let says = |spot: &SettledSpot, word: &str| is_named(spot) && head_says(spot, word, desk);
    let kept: Vec<SettledSpot> = match singular(word).as_str() {
        "named" => found
            .iter()
            .filter(|spot| is_named(spot))
            .cloned()
            .collect(),
        "concrete" => {
            let is_abstract = |spot: &SettledSpot| {
                ["abstract", "interface", "trait"]
                    .iter()
                    .any(|word| says(spot, word))
            };
            // What extends an abstract heir may be concrete, and counts as well.
            if found.iter().any(is_abstract) {
                return open(": some are abstract, and may have heirs");
            }
            found.clone()
        }
        word => found
            .iter()
            .filter(|spot| says(spot, word))
            .cloned()
            .collect(),
    };
    if kept.is_empty() && !found.is_empty() {
        return open("");
    }
    Ok(kept)
}

/// Reports whether the languages of all heirs write a word into the heads of types.
fn are_decided(found: &[SettledSpot], word: &str, desk: &Desk<'_, '_>) -> bool {
    let languages = match singular(word).as_str() {
        "named" => "",
        "concrete" | "abstract" => WITH_ABSTRACT,
        _ => WRITTEN_IN,
    };
    let is_decided = |spot: &SettledSpot| {
        let file = desk
            .tree
            .files
            .iter()
            .find(|file| file.as_str() == spot.path);
        languages.is_empty() || file.is_some_and(|file| is_in(languages, language_of(file)))
    };
    found.iter().all(is_decided)
}

/// Reports whether the head of a type has a word before its name.
fn head_says(spot: &SettledSpot, word: &str, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(&spot.path).unwrap_or_default();
    let first = spot.line.saturating_sub(1) as usize;
    let lines = text
        .lines()
        .skip(first)
        .take((spot.line_end.max(spot.line) - spot.line + 1) as usize);
    let head = lines.collect::<Vec<&str>>().join(" ");
    let name = spot.what.trim_matches('`');
    let before = head.split(name).next().unwrap_or_default();
    before
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|part| part == word)
}
