//! Shows what a function takes by its head: "which parameters does f take?"

use grounds_claims::Claim;
use grounds_evidence::ConfidenceLevel;
use grounds_repo::detail;
use grounds_repo::labels::LabelledPlace;

use super::effects::definitions;
use super::subject::resolve;
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled};

/// The kind of a claim about what a function takes.
pub(crate) const KIND: &str = "signature";
/// Limit on the lines of one head.
const HEAD_LINES_MAX: u32 = 24;

/// Shows the head of each definition of a function.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(0).unwrap_or_default();
    let subject = resolve(text, desk)?;
    let places = definitions(&subject)?;
    let spots: Vec<SettledSpot> = places.iter().map(|place| head(place, desk)).collect();
    let one = |place: &&LabelledPlace| {
        let detail = detail::of_place(desk.tree.checkout, place, &desk.tree.limits)?;
        Some(format!("`{}`", detail.head))
    };
    let heads: Vec<String> = places.iter().filter_map(one).collect();
    if heads.len() < places.len() {
        let why = format!("the head of `{text}` could not be read");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    let told = format!("What `{text}` takes, by its head: {}", heads.join("; "));
    let settled = Settled::told(None, desk.section(told, &spots, HEAD_LINES_MAX));
    let is_cut = heads.iter().any(|head| head.contains('…'));
    Ok(match is_cut {
        true => settled.at(
            ConfidenceLevel::Medium,
            "a head is too long to be shown as a whole",
        ),
        false => settled,
    })
}

/// Returns the lines of a head, up to the one that ends its list of parameters.
fn head(place: &LabelledPlace, desk: &Desk<'_, '_>) -> SettledSpot {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let lines = text.lines().skip(place.line.saturating_sub(1) as usize);
    let mut depth = 0_i64;
    let mut length = 0;
    for line in lines.take(HEAD_LINES_MAX as usize) {
        depth += line.matches('(').count() as i64 - line.matches(')').count() as i64;
        if depth <= 0 {
            break;
        }
        length += 1;
    }
    SettledSpot {
        line_end: place.line + length,
        ..SettledSpot::line(place.path.as_str(), place.line, "head")
    }
}
