//! The formats of a result. A new format is one file and one line in [`print()`].

pub mod about;
mod ask_json;
pub mod check;
pub mod config;
pub mod doctor;
pub mod explain;
#[cfg(feature = "fleet")]
pub mod fleet;
mod highlight;
#[cfg(feature = "store")]
pub mod html;
mod hypotheses;
mod index;
mod markdown;
mod pretty;
mod prose;
mod ranking;
#[cfg(feature = "review")]
pub mod review;
#[cfg(feature = "review")]
pub mod rules;
mod scorecard;
#[cfg(feature = "store")]
pub mod store;
mod understood;
pub mod verify;

use std::io::{self, Write};

use grounds_ask::Investigation;
use grounds_evidence::scorecard::Scorecard;

pub use ask_json::AskReport;
use grounds_evidence::{Outcome, RefusalKind};
pub use pretty::Style;

use crate::cli::{Format, TextFormat};

/// Returns how an investigation ended, in one word; a refusal names its kind.
pub const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Answered => "answered",
        Outcome::Insufficient(RefusalKind::NotFound) => "not_found",
        Outcome::Insufficient(RefusalKind::FoundButNotThat) => "found_but_not_that",
        Outcome::Insufficient(RefusalKind::CannotTell) => "cannot_tell",
        Outcome::Conflicting => "conflicting",
        Outcome::NotCheckable => "not_checkable",
        Outcome::Failed => "failed",
    }
}

/// Writes an investigation in a format, with the scorecard where one was asked for.
///
/// # Errors
/// What the writer says.
pub fn print(
    investigation: &Investigation,
    card: Option<&Scorecard>,
    format: Format,
    style: &Style<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format.as_text() {
        TextFormat::Pretty => pretty::write(investigation, style, out)?,
        TextFormat::Json => return ask_json::write(investigation, card, out),
        TextFormat::Markdown => markdown::write(investigation, out)?,
    }
    match (card, format.as_text()) {
        (Some(card), TextFormat::Pretty) => scorecard::pretty(card, out),
        (Some(card), TextFormat::Markdown) => scorecard::markdown(card, out),
        (Some(_), TextFormat::Json) | (None, _) => Ok(()),
    }
}
