//! The forms of a result. A new format is one file and one line in [`print()`].

mod ask_json;
pub mod doctor;
mod highlight;
mod index;
mod markdown;
mod pretty;
mod prose;
mod ranking;
mod scorecard;
pub mod verify;

use std::io::{self, Write};

use grounds_ask::Investigation;
use grounds_evidence::scorecard::Scorecard;

pub use ask_json::AskReport;
pub use pretty::Style;

use crate::cli::Format;

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
    match format {
        Format::Pretty => pretty::write(investigation, style, out)?,
        Format::Json => return ask_json::write(investigation, card, out),
        Format::Markdown => markdown::write(investigation, out)?,
    }
    match (card, format) {
        (Some(card), Format::Pretty) => scorecard::pretty(card, out),
        (Some(card), Format::Markdown) => scorecard::markdown(card, out),
        (Some(_), Format::Json) | (None, _) => Ok(()),
    }
}
