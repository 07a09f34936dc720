//! The contribution of a compiler's index, beside the evidence: which index, what of it was left
//! out, and where it and the text disagree.

use grounds_ask::Investigation;
use grounds_repo::index::{Consulted, CountedExamples, Dispute, Indexed};
use schemars::JsonSchema;
use serde::Serialize;

/// An index as it leaves the program.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct IndexReport {
    /// The file: its path in the repository, or as it was named.
    file: String,
    /// Why nothing of it counts; null if it was used.
    unusable: Option<String>,
    /// The program that wrote it, as it says itself.
    producer: String,
    /// Documents that were looked at.
    documents: u64,
    /// Documents that no longer fit their files and were left out.
    stale: ToldReport,
    /// Documents that lead to no text file in the checkout and were left out.
    unusable_documents: ToldReport,
    /// Bounds that were reached.
    bounds_reached: Vec<&'static str>,
    /// What it said of each target that names a symbol.
    targets: Vec<IndexedReport>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IndexedReport {
    target: String,
    /// Places of the symbol where its name does not stand: used under another name, or implemented through another type.
    unnamed: ToldReport,
    /// Places of which text and index say what cannot both be.
    disputes: Vec<DisputeReport>,
    /// Definitions by the text that the index does not know, although it has the file.
    unknown: ToldReport,
    /// Definitions by the text in files that the index does not have.
    not_indexed: ToldReport,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DisputeReport {
    path: String,
    line: u32,
    /// What the syntax of the file says.
    text: &'static str,
    /// What the index says.
    index: String,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct ToldReport {
    count: u64,
    /// The first few.
    examples: Vec<String>,
}

impl IndexReport {
    pub(super) fn of(investigation: &Investigation) -> Option<Self> {
        let target = |number: usize| {
            investigation
                .question
                .goal
                .targets
                .get(number)
                .map_or("", |target| target.text.as_str())
        };
        Some(match investigation.index.as_ref()? {
            Ok(said) => Self {
                file: said.file.clone(),
                unusable: None,
                producer: said.producer.clone(),
                documents: said.documents,
                stale: ToldReport::of(&said.stale),
                unusable_documents: ToldReport::of(&said.unusable),
                bounds_reached: said.bounds.clone(),
                targets: said
                    .answers
                    .iter()
                    .map(|answer| IndexedReport::of(answer, target(answer.number)))
                    .collect(),
            },
            // An index that cannot be used is in the report: a missing entry means that there was
            // no index.
            Err(error) => Self {
                file: error.file.clone(),
                unusable: Some(error.reason.clone()),
                producer: String::new(),
                documents: 0,
                stale: ToldReport::default(),
                unusable_documents: ToldReport::default(),
                bounds_reached: Vec::new(),
                targets: Vec::new(),
            },
        })
    }
}

impl IndexedReport {
    fn of(answer: &Indexed, target: &str) -> Self {
        let dispute = |dispute: &Dispute| DisputeReport {
            path: dispute.path.clone(),
            line: dispute.line,
            text: dispute.text,
            index: dispute.index.clone(),
        };
        Self {
            target: target.to_owned(),
            unnamed: ToldReport::of(&answer.unnamed),
            disputes: answer.disputes.iter().map(dispute).collect(),
            unknown: ToldReport::of(&answer.unknown),
            not_indexed: ToldReport::of(&answer.not_indexed),
        }
    }
}

impl ToldReport {
    fn of(told: &CountedExamples) -> Self {
        Self {
            count: told.count,
            examples: told.examples.clone(),
        }
    }
}

/// Describes the result of the index for a person; empty if no index was asked.
pub(super) fn sentences(investigation: &Investigation) -> Vec<String> {
    match &investigation.index {
        None => Vec::new(),
        Some(Err(error)) => vec![error.to_string()],
        Some(Ok(said)) => of_index(said)
            .chain(said.answers.iter().flat_map(of_answer))
            .collect(),
    }
}

fn of_index(said: &Consulted) -> impl Iterator<Item = String> {
    let by = if said.producer.is_empty() {
        String::new()
    } else {
        format!(" by {}", said.producer)
    };
    let whole = format!("{}{by}, {} documents", said.file, said.documents);
    let bounds = (!said.bounds.is_empty()).then(|| {
        format!(
            "only a part of it was used, bounds reached: {}",
            said.bounds.join(", ")
        )
    });
    let parts = [
        told(&said.stale, "the index is older than", "left out"),
        told(
            &said.unusable,
            "the index has documents that are not text files of the checkout,",
            "left out",
        ),
        bounds,
    ];
    std::iter::once(whole).chain(parts.into_iter().flatten())
}

fn of_answer(answer: &Indexed) -> impl Iterator<Item = String> {
    let dispute = |dispute: &Dispute| {
        format!(
            "{}:{}: {}, says the text; {}, says the index",
            dispute.path, dispute.line, dispute.text, dispute.index
        )
    };
    let parts = [
        told(
            &answer.unknown,
            "the index has no symbol of that name at",
            "",
        ),
        told(
            &answer.not_indexed,
            "the index does not have the files of the definitions at",
            "",
        ),
        told(
            &answer.unnamed,
            "under another name, says the index, at",
            "",
        ),
    ];
    answer
        .disputes
        .iter()
        .map(dispute)
        .chain(parts.into_iter().flatten())
        .collect::<Vec<String>>()
        .into_iter()
}

/// Returns a sentence such as "the index is older than src/a.ts, src/b.ts and 3 more: left out".
fn told(told: &CountedExamples, what: &str, consequence: &str) -> Option<String> {
    let more = told.count.saturating_sub(told.examples.len() as u64);
    let more = if more == 0 {
        String::new()
    } else {
        format!(" and {more} more")
    };
    let consequence = if consequence.is_empty() {
        String::new()
    } else {
        format!(": {consequence}")
    };
    (told.count > 0).then(|| format!("{what} {}{more}{consequence}", told.examples.join(", ")))
}
