//! Decides which uses of a name set it, and which read it, by the text around the name.

use grounds_claims::Claim;
use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;

use super::subject::ClaimSubject;
use super::{Desk, effects};

/// The kind of a claim about uses that give a name its value.
pub(crate) const SET: &str = "set";
/// The kind of a claim about uses that take the value of a name.
pub(crate) const READ: &str = "read";
/// The kind of a claim about uses that return a name.
pub(crate) const RETURNED: &str = "returned";
/// The reason why such a claim is not High.
pub(super) const BECAUSE: &str =
    "what a use does is seen by its line: what is set through a reference is not seen";

/// Reports whether a claim asks for one kind of use.
pub(super) fn is_kind(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| [SET, READ, RETURNED].contains(&kind))
}

/// Returns the uses of the asked kind, with definitions that set a first value; all uses if no kind
/// is asked.
pub(super) fn of_kind(
    mut uses: Vec<LabelledPlace>,
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Vec<LabelledPlace> {
    let Some(kind) = claim.kind.as_deref().filter(|kind| is_kind(Some(kind))) else {
        return uses;
    };
    let is_fixed = !subject
        .definitions
        .iter()
        .any(|place| can_change(place.kind));
    uses.retain(|place| match kind {
        RETURNED => is_returned(place, desk),
        // A constant cannot be set, so "where is DEAD set?" asks where it is given to something.
        SET if is_fixed && subject.is_defined() => is_given(place, desk),
        _ => fits(place, kind, desk),
    });
    let begins =
        |place: &&LabelledPlace| kind == SET && can_change(place.kind) && begins(place, desk);
    uses.extend(subject.definitions.iter().filter(begins).cloned());
    uses.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
    uses
}

/// Reports whether a definition of a kind can have another value later.
fn can_change(kind: Option<SymbolKind>) -> bool {
    use SymbolKind::{Constant, Macro, Variant};
    !matches!(kind, Some(Constant | Macro | Variant))
}

/// Reports whether a line returns the name: `return limit`, `yield limit`.
fn is_returned(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, _) = effects::sides(place, desk);
    let mut words = before.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| matches!(word, "return" | "yield"))
}

/// Reports whether a line sets something else to the name: `flags |= DEAD`, `state = DEAD | OPEN`.
fn is_given(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, _) = effects::sides(place, desk);
    let Some((target, value)) = before.rsplit_once('=') else {
        return false;
    };
    let is_part = |letter: char| letter.is_alphanumeric() || " \t_|(".contains(letter);
    !target.ends_with(['=', '!', '<', '>', '&']) && value.chars().all(is_part)
}

/// Reports whether a place is of the asked kind.
fn fits(place: &LabelledPlace, kind: &str, desk: &Desk<'_, '_>) -> bool {
    (sets(place, desk) || is_named_in_braces(place, desk)) == (kind == SET)
}

/// Reports whether a line sets the name: `x.limit = 2`, `limit += 1`, `limit++`.
fn sets(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, after) = effects::sides(place, desk);
    let is_step = ["++", "--"].iter().any(|step| before.ends_with(step));
    is_step || assigns(without_index(after.trim_start()))
}

/// Reports whether a definition sets a first value: `limit = 2`, `limit: u8 = 2`,
/// `options: dict[str, Any] = {}`.
fn begins(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (_, after) = effects::sides(place, desk);
    let value = after.split_once('=').map(|(_, value)| value);
    value.is_some_and(|value| !value.starts_with(['=', '>']))
}

/// Reports whether braces set the name: `Plan { limit: 2 }`.
fn is_named_in_braces(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (_, after) = effects::sides(place, desk);
    let value = after.trim_start().strip_prefix(':');
    // A colon at the end of a line begins a Python block.
    value.is_some_and(|value| !value.starts_with(':') && !value.trim().is_empty())
}

/// Reports whether text begins with an assignment.
fn assigns(text: &str) -> bool {
    let rest = text.trim_start_matches(|sign| "+-*/%|&^<>?:.!".contains(sign));
    let operator = &text[..text.len() - rest.len()];
    let value = rest.strip_prefix('=');
    let is_equal = value.is_some_and(|value| !value.starts_with(['=', '>', '~']));
    // `<=`, `>=` and `!=` compare, `..=` begins a range of Rust, and `.=` is an operator of PHP
    // alone, where a name has its sign before it.
    let is_compared = ["<", ">", "!", ".", ".."].contains(&operator);
    is_equal && !is_compared || ["++", "--"].contains(&operator)
}

/// Returns the text after `[…]`: setting an element sets the name.
fn without_index(text: &str) -> &str {
    let end = text.strip_prefix('[').and_then(|rest| rest.find(']'));
    end.map_or(text, |end| text[end + 2..].trim_start())
}
