//! The answer in sentences of a language model, apart from what was found, and marked as the
//! model's.

use std::io::{self, Write};

use grounds_ask::Investigation;
use grounds_ask::prose::Prose;
use schemars::JsonSchema;
use serde::Serialize;

use crate::safe;

/// The answer in sentences.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ProseReport {
    /// The sentences that keep to their citations.
    sentences: Vec<SentenceReport>,
    /// Sentences that were dropped, since they cite nothing or name what does not stand there.
    dropped: usize,
    /// The reason if the model could not be asked or its reply could not be read.
    error: Option<String>,
    /// What there is to tell of it: what was masked, what it used.
    notes: Vec<String>,
}

/// One sentence.
#[derive(Debug, Serialize, JsonSchema)]
struct SentenceReport {
    text: String,
    /// Indices into `citations`.
    citations: Vec<usize>,
}

impl ProseReport {
    pub(super) fn of(prose: &Prose) -> Self {
        let sentence = |sentence: &grounds_ask::prose::CitedSentence| SentenceReport {
            text: sentence.text.clone(),
            citations: sentence.citations.clone(),
        };
        Self {
            sentences: prose.sentences.iter().map(sentence).collect(),
            dropped: prose.dropped,
            error: prose.error.clone(),
            notes: prose.notes.clone(),
        }
    }
}

/// Writes the sentences with the places that they cite, for people.
pub(super) fn pretty(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    // Sentences cite by the place in the answer, so that without one they cite nothing.
    let (Some(prose), Some(answer)) = (&investigation.prose, &investigation.answer) else {
        return Ok(());
    };
    let citations: Vec<_> = answer.citations().collect();
    if !prose.sentences.is_empty() {
        writeln!(
            out,
            "in words of a model, each checked against what it cites:"
        )?;
    }
    for sentence in &prose.sentences {
        let cited = sentence
            .citations
            .iter()
            .filter_map(|index| citations.get(*index));
        let places: Vec<String> = cited
            .map(|citation| {
                format!(
                    "{}:{}",
                    safe::for_line(&citation.path),
                    citation.line_start()
                )
            })
            .collect();
        writeln!(
            out,
            "- {} [{}]",
            safe::for_line(&sentence.text),
            places.join(", ")
        )?;
    }
    match (prose.dropped, &prose.error) {
        (0, None) => {}
        (_, Some(error)) => writeln!(out, "no words of a model: {}", safe::for_line(error))?,
        (1, None) => writeln!(
            out,
            "1 sentence of the model was dropped: it does not keep to what it cites"
        )?,
        (dropped, None) => writeln!(
            out,
            "{dropped} sentences of the model were dropped: they do not keep to what they cite"
        )?,
    }
    prose
        .notes
        .iter()
        .try_for_each(|note| writeln!(out, "model: {}", safe::for_line(note)))?;
    writeln!(out)
}
