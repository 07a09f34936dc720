//! The answer: sections of sentences and places, each intent in its own form.
//! An answer cannot be built without a citation.

pub(crate) mod chat;
mod citation;
mod definition;
pub(crate) mod forms;
mod places;
mod related;

use std::fmt::Write as _;

use grounds_evidence::{EntryId, Ledger, Observation};
use grounds_repo::bench::Bench;

pub use citation::{AnswerCitation, CitedPart, Resource};

use crate::budget::QuestionBudget;
use crate::question::Question;

/// An answer with at least one citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    sections: Vec<AnswerSection>,
}

/// One part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AnswerSection {
    /// The heading of the part; empty for the first.
    pub title: String,
    /// Sentences, in Markdown; no list of places.
    pub text: String,
    /// The places that support it, best first.
    pub citations: Vec<AnswerCitation>,
    /// Places that were counted and are not cited.
    pub more: u64,
    /// How the places are shown.
    pub shown: PlaceForm,
}

/// How the places of a section are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PlaceForm {
    /// Each with its text.
    #[default]
    Excerpts,
    /// One line each, under the name of their file.
    ByFile,
    /// One line each.
    Listed,
}

/// The inputs of a form.
pub(crate) struct AnswerDesk<'d, 'b> {
    /// What was asked.
    pub(crate) question: &'d Question,
    /// All evidence.
    pub(crate) ledger: &'d mut Ledger,
    /// The bench over the visible tree.
    pub(crate) bench: &'d mut Bench<'b>,
    /// The bench over hidden and ignored files; `None` without a second pass.
    pub(crate) hidden: Option<&'d mut Bench<'b>>,
    /// The bounds.
    pub(crate) budget: &'d QuestionBudget,
}

impl AnswerDesk<'_, '_> {
    /// Records evidence for parts of the answer beside its target. The gate has been passed, so it
    /// raises no confidence.
    pub(crate) fn observe(&mut self, observation: Observation) -> EntryId {
        self.ledger.record(observation)
    }
}

impl Answer {
    /// Creates an answer, or returns `None` if no section cites anything.
    pub fn new(sections: Vec<AnswerSection>) -> Option<Self> {
        sections
            .iter()
            .any(|section| !section.citations.is_empty())
            .then_some(Self { sections })
    }

    /// Returns the parts, in reading order.
    pub fn sections(&self) -> &[AnswerSection] {
        &self.sections
    }

    /// Returns the places that support the answer, best first.
    pub fn citations(&self) -> impl Iterator<Item = &AnswerCitation> {
        self.sections.iter().flat_map(|section| &section.citations)
    }

    /// Returns the whole answer in Markdown.
    pub fn markdown(&self) -> String {
        self.sections
            .iter()
            .map(AnswerSection::markdown)
            .collect::<Vec<_>>()
            .join("\n")
            .trim_end()
            .to_owned()
    }
}

impl AnswerSection {
    /// Returns the section in Markdown: title, sentences, one line for each place.
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        let mut line = |text: &str| writeln!(page, "{text}").expect("a string takes all text");
        if !self.title.is_empty() {
            line(&format!("### {}\n", self.title));
        }
        if !self.text.is_empty() {
            line(&self.text);
        }
        self.citations
            .iter()
            .for_each(|citation| line(&citation.line()));
        if self.more > 0 {
            line(&format!("- and {} more", self.more));
        }
        page
    }
}

/// Writes the answer to a question whose gap is closed. Returns `None` if nothing can be cited,
/// which is a defect that is reported as a failure.
pub(crate) fn write(mut desk: AnswerDesk<'_, '_>) -> Option<Answer> {
    let form = forms::of(desk.question.goal.intent);
    // The runs of CI are the direct answer to a question about CI, so they come before the form.
    let mut sections = forms::ci::write(&mut desk);
    sections.extend(form(&mut desk));
    Answer::new(sections)
}

/// Returns the findings of a refusal for which only a run is lacking: in the form of the answer,
/// and no answer.
pub(crate) fn findings(mut desk: AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let form = forms::of(desk.question.goal.intent);
    let sections = form(&mut desk);
    sections
        .into_iter()
        .filter(|section| !section.citations.is_empty() || !section.title.is_empty())
        .collect()
}
