//! Text → mentions, one file a format.

mod markdown;
mod plain;
mod rst;
mod sentences;
mod words;

use crate::document::{CheckedDocument, DocumentFormat};
use crate::mention::Mention;
pub use sentences::NumberedSentence;
pub(crate) use words::spanned;

/// Most mentions of one text that are looked at; those after them are dropped.
pub const MENTIONS_MAX: usize = 100_000;
/// Most sentences of one text that are read.
const SENTENCES_MAX: usize = 20_000;

/// What a text mentions and says.
#[derive(Debug, Default)]
pub(crate) struct Extract {
    /// The mentions, in the order of the text.
    pub(crate) mentions: Vec<Mention>,
    /// The sentences that name something, in the order of the text.
    pub(crate) sentences: Vec<NumberedSentence>,
    /// Whether some were dropped, because there are more than are looked at.
    pub(crate) is_cut: bool,
}

/// Finds what a text mentions and says.
pub(crate) fn of(document: &CheckedDocument) -> Extract {
    let mut mentions = match document.format {
        DocumentFormat::Markdown => markdown::mentions(&document.text),
        DocumentFormat::Rst => rst::mentions(&document.text),
        DocumentFormat::Plain => plain::mentions(&document.text),
    };
    let mut sentences = sentences::sentences(document);
    let is_cut = mentions.len() > MENTIONS_MAX || sentences.len() > SENTENCES_MAX;
    mentions.sort_by_key(|mention| (mention.start, mention.end));
    mentions.truncate(MENTIONS_MAX);
    sentences.truncate(SENTENCES_MAX);
    Extract {
        mentions,
        sentences,
        is_cut,
    }
}
