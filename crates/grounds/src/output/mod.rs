//! The forms of a result. A new format is one file and one line in [`print()`].

mod ask_json;
mod highlight;
mod markdown;
mod pretty;

use std::io::{self, Write};

use grounds_ask::Investigation;

pub use ask_json::AskReport;
pub use pretty::Style;

use crate::cli::Format;

/// Writes an investigation in a format.
///
/// # Errors
/// What the writer says.
pub fn print(investigation: &Investigation, format: Format, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Pretty => pretty::write(investigation, style, out),
        Format::Json => ask_json::write(investigation, out),
        Format::Markdown => markdown::write(investigation, out),
    }
}
