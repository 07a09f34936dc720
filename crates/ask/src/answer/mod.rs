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

pub use citation::{Citation, Cited, Resource};

use crate::budget::Budget;
use crate::question::Question;

/// An answer with at least one citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    sections: Vec<Section>,
}

/// One part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Section {
    /// What the part is about; empty for the first.
    pub title: String,
    /// Sentences, in Markdown; no list of places.
    pub text: String,
    /// The places that it rests on, best first.
    pub citations: Vec<Citation>,
    /// Places that were counted and are not cited.
    pub more: u64,
    /// How the places are shown.
    pub shown: Shown,
}

/// How the places of a section are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shown {
    /// Each with its text.
    #[default]
    Excerpts,
    /// One line each, under the name of their file.
    ByFile,
    /// One line each.
    Listed,
}

/// What a form writes from.
pub(crate) struct Desk<'d, 'b> {
    /// What was asked.
    pub(crate) question: &'d Question,
    /// All evidence.
    pub(crate) ledger: &'d mut Ledger,
    /// The bench over the visible tree.
    pub(crate) bench: &'d mut Bench<'b>,
    /// The bench over hidden and ignored files, where the second pass was made.
    pub(crate) hidden: Option<&'d mut Bench<'b>>,
    /// The bounds.
    pub(crate) budget: &'d Budget,
}

impl Desk<'_, '_> {
    /// Writes down what the answer tells beside its target. The gate has been passed: it raises nothing.
    pub(crate) fn observe(&mut self, observation: Observation) -> EntryId {
        self.ledger.record(observation)
    }
}

impl Answer {
    /// An answer; none where it has nothing to rest on.
    pub fn new(sections: Vec<Section>) -> Option<Self> {
        sections
            .iter()
            .any(|section| !section.citations.is_empty())
            .then_some(Self { sections })
    }

    /// The parts, in reading order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// What the answer rests on, best first.
    pub fn citations(&self) -> impl Iterator<Item = &Citation> {
        self.sections.iter().flat_map(|section| &section.citations)
    }

    /// The whole answer in Markdown.
    pub fn markdown(&self) -> String {
        self.sections
            .iter()
            .map(Section::markdown)
            .collect::<Vec<_>>()
            .join("\n")
            .trim_end()
            .to_owned()
    }
}

impl Section {
    /// The section in Markdown: title, sentences, one line for each place.
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

/// Writes the answer to a question whose gap is closed; none where nothing can be cited, which is a defect and told as a failure.
pub(crate) fn write(mut desk: Desk<'_, '_>) -> Option<Answer> {
    let form = forms::of(desk.question.goal.intent);
    let mut sections = forms::ci::write(&mut desk);
    sections.extend(form(&mut desk));
    Answer::new(sections)
}

/// What was found where the gate was not passed for want of a run alone: in the form of the answer, and no answer.
pub(crate) fn findings(mut desk: Desk<'_, '_>) -> Vec<Section> {
    let form = forms::of(desk.question.goal.intent);
    let sections = form(&mut desk);
    sections
        .into_iter()
        .filter(|section| !section.citations.is_empty() || !section.title.is_empty())
        .collect()
}
