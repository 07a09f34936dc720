//! Text → mentions, one file a format.

mod markdown;
mod plain;
mod rst;
mod sentences;
mod words;

use crate::document::{CheckedDocument, DocumentFormat};
use crate::mention::Mention;
pub use sentences::{NumberedSentence, sentences};
pub(crate) use words::spanned;

/// Most mentions of one text that are looked at; those after them are dropped.
pub const MENTIONS_MAX: usize = 100_000;

/// Finds what a text mentions, in the order of the text.
pub fn mentions(document: &CheckedDocument) -> Vec<Mention> {
    let mut found = match document.format {
        DocumentFormat::Markdown => markdown::mentions(&document.text),
        DocumentFormat::Rst => rst::mentions(&document.text),
        DocumentFormat::Plain => plain::mentions(&document.text),
    };
    found.sort_by_key(|mention| (mention.start, mention.end));
    found.truncate(MENTIONS_MAX);
    found
}
