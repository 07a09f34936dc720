//! A whole in its parts: a bar to look at, and the same in words below it.

use maud::{Markup, html};

use super::parts::shown;

/// The width of a bar in its own unit.
const WIDTH: f64 = 1_000.0;
/// The least width of a part that is not empty.
const PART_MIN: f64 = 4.0;

/// A part of a bar.
pub(super) struct BarPart {
    /// The number.
    pub(super) count: u64,
    /// The name of the counted things.
    pub(super) name: String,
    /// The class of its colour.
    pub(super) class: &'static str,
}

/// Draws the bar with its words; nothing if every count is 0.
pub(super) fn of(parts: &[BarPart]) -> Markup {
    let all: u64 = parts.iter().map(|part| part.count).sum();
    let present: Vec<&BarPart> = parts.iter().filter(|part| part.count > 0).collect();
    let mut at = 0.0;
    let drawn: Vec<(&BarPart, f64, f64)> = present
        .iter()
        .map(|part| {
            // One file of ten thousand that could not be read would be too thin to see.
            let (start, width) = (at, share(part.count, all).max(PART_MIN));
            at += width;
            (*part, start, width)
        })
        .collect();
    html! {
        @if !present.is_empty() {
            svg.bar viewBox={ "0 0 " (at.max(WIDTH)) " 10" } preserveAspectRatio="none" aria-hidden="true" {
                @for (part, start, width) in &drawn { rect.(part.class) x=(start) y="0" width=(width) height="10" {} }
            }
            ul.states { @for part in &present { li { i.(part.class) {} b { (part.count) } " " (shown(&part.name)) } } }
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a bar on a screen has fewer points than a float has digits"
)]
fn share(part: u64, all: u64) -> f64 {
    (part as f64 / all.max(1) as f64 * WIDTH).round()
}
