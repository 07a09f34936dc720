//! Which uses of a name give it a value, and which take it, by the text around the name.

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
/// Why such a claim is no surer.
pub(super) const BECAUSE: &str =
    "what a use does is seen by its line: what is set through a reference is not seen";

/// Whether a claim asks for one kind of use.
pub(super) fn is_kind(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| [SET, READ, RETURNED].contains(&kind))
}

/// The uses of the kind that a claim asks for, with definitions that give a first value; all, if it asks for none.
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
        SET if is_fixed && subject.is_defined() => is_given(place, desk),
        _ => fits(place, kind, desk),
    });
    let begins =
        |place: &&LabelledPlace| kind == SET && can_change(place.kind) && begins(place, desk);
    uses.extend(subject.definitions.iter().filter(begins).cloned());
    uses.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
    uses
}

/// Whether what is defined so can have another value later, or is a local of such a name.
fn can_change(kind: Option<SymbolKind>) -> bool {
    use SymbolKind::{Constant, Macro, Variant};
    !matches!(kind, Some(Constant | Macro | Variant))
}

/// `return limit`, `yield limit`
fn is_returned(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, _) = effects::sides(place, desk);
    let mut words = before.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| matches!(word, "return" | "yield"))
}

/// Whether a line gives something else the name as its value: `flags |= DEAD`, `state = DEAD | OPEN`.
fn is_given(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, _) = effects::sides(place, desk);
    let Some((target, value)) = before.rsplit_once('=') else {
        return false;
    };
    let is_part = |letter: char| letter.is_alphanumeric() || " \t_|(".contains(letter);
    !target.ends_with(['=', '!', '<', '>', '&']) && value.chars().all(is_part)
}

/// Whether a place is of the kind that is asked for.
fn fits(place: &LabelledPlace, kind: &str, desk: &Desk<'_, '_>) -> bool {
    (sets(place, desk) || is_named_in_braces(place, desk)) == (kind == SET)
}

/// Whether a line gives the name its value: `x.limit = 2`, `limit += 1`, `limit++`.
fn sets(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, after) = effects::sides(place, desk);
    let is_step = ["++", "--"].iter().any(|step| before.ends_with(step));
    is_step || assigns(without_index(after.trim_start()))
}

/// `limit = 2`, `limit: u8 = 2`, `options: dict[str, Any] = {}`: whether a definition gives a first value.
fn begins(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (_, after) = effects::sides(place, desk);
    let value = after.split_once('=').map(|(_, value)| value);
    value.is_some_and(|value| !value.starts_with(['=', '>']))
}

/// `Plan { limit: 2 }`
fn is_named_in_braces(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (_, after) = effects::sides(place, desk);
    let value = after.trim_start().strip_prefix(':');
    // A colon that ends the line begins a block of Python.
    value.is_some_and(|value| !value.starts_with(':') && !value.trim().is_empty())
}

/// Whether text begins with an assignment.
fn assigns(text: &str) -> bool {
    let rest = text.trim_start_matches(|sign| "+-*/%|&^<>?:.!".contains(sign));
    let operator = &text[..text.len() - rest.len()];
    let value = rest.strip_prefix('=');
    let is_equal = value.is_some_and(|value| !value.starts_with(['=', '>', '~']));
    // `<=`, `>=` and `!=` compare, and `.=` is no sign of these languages.
    let is_compared = ["<", ">", "!", "."].contains(&operator);
    is_equal && !is_compared || ["++", "--"].contains(&operator)
}

/// The text after `[…]`: what is set at an index is set.
fn without_index(text: &str) -> &str {
    let end = text.strip_prefix('[').and_then(|rest| rest.find(']'));
    end.map_or(text, |end| text[end + 2..].trim_start())
}
