//! The text of a lens: how often its function is called, and when it last changed.

use serde::Deserialize;

use super::lenses::LensSubject;
use super::workspace::DocumentPlace;
use crate::exit::Exit;
use crate::mcp::tools::ProgramCall;

/// Codes that come with a report.
pub(super) const CODES: [Exit; 5] = [
    Exit::Answered,
    Exit::Insufficient,
    Exit::Conflicting,
    Exit::NotCheckable,
    Exit::False,
];

/// Letters of a name that is asked about.
const NAME_LETTERS_MAX: usize = 300;

/// The parts of a report of `ask` that are read.
#[derive(Debug, Deserialize)]
pub(super) struct AskedReport {
    outcome: String,
    sections: Vec<AskedSection>,
    citations: Vec<AskedCitation>,
    scope: AskedScope,
    metrics: AskedMetrics,
}

#[derive(Debug, Deserialize)]
struct AskedSection {
    title: String,
    text: String,
    citations: Vec<usize>,
    more: u64,
}

#[derive(Debug, Deserialize)]
struct AskedCitation {
    resource: String,
    path: String,
    line_start: u64,
    what: String,
}

#[derive(Debug, Deserialize)]
struct AskedScope {
    complete: bool,
}

#[derive(Debug, Deserialize)]
struct AskedMetrics {
    bounds_reached: Vec<serde_json::Value>,
}

/// Returns the calls that ask who calls a function and when it last changed.
///
/// # Errors
/// Why it cannot be asked about.
pub(super) fn calls(
    subject: &LensSubject,
    place: &DocumentPlace,
) -> Result<Vec<ProgramCall>, String> {
    let name = &subject.name;
    // The name goes into a claim between quotation marks.
    let is_odd = |letter: char| matches!(letter, '"' | '\\') || letter.is_control();
    if name.is_empty() || name.len() > NAME_LETTERS_MAX || name.contains(is_odd) {
        return Err("it has no name that can be asked about".to_owned());
    }
    let ask = |claim: String| ProgramCall {
        folder: Some(place.folder.clone()),
        words: ["ask", "--no-store", "--no-model", "--no-run", "--offline"]
            .map(Into::into)
            .into_iter()
            .chain([format!("--claim={claim}").into()])
            .collect(),
        ..ProgramCall::default()
    };
    Ok(vec![
        ask(format!("calls(_, \"{name}\")")),
        ask(format!("changed(\"{name}\", _)")),
    ])
}

impl AskedReport {
    /// Returns how often it is called, in words.
    pub(super) fn callers(&self) -> String {
        let Some(first) = self.sections.first().filter(|_| self.outcome == "answered") else {
            return "callers not known".to_owned();
        };
        let is_call = |citation: &&AskedCitation| citation.what.starts_with("call");
        let count = self.of(first).filter(is_call).count() as u64 + first.more;
        // Calls by the same name that may be of something else, and what a bound cut off.
        let has_more = self.sections[1..]
            .iter()
            .any(|section| section.title == "Not resolved")
            || first.text.contains("at least")
            || !self.metrics.bounds_reached.is_empty()
            || !self.scope.complete;
        match (count, has_more) {
            (0, false) => "no caller".to_owned(),
            (0, true) => "no caller for sure".to_owned(),
            (1, false) => "called in 1 place".to_owned(),
            (count, false) => format!("called in {count} places"),
            (count, true) => format!("called in {count} or more places"),
        }
    }

    /// Returns the day of the last change of the definition at a place, in words.
    pub(super) fn changed(&self, subject: &LensSubject, place: &DocumentPlace) -> String {
        let is_of_file =
            |citation: &&AskedCitation| citation.resource == "file" && citation.path == place.path;
        let distance = |section: &&AskedSection| {
            let lines = self.of(section).filter(is_of_file);
            lines
                .map(|citation| citation.line_start.abs_diff(subject.line))
                .min()
        };
        let answered = self.sections.iter().filter(|_| self.outcome == "answered");
        // Several definitions may have the name: the one that is nearest to the lens is meant.
        let nearest = answered
            .filter(|section| distance(section).is_some())
            .min_by_key(distance);
        let commit = nearest.and_then(|section| {
            self.of(section)
                .find(|citation| citation.resource == "commit")
        });
        // A citation of a commit says who changed it, then the day: `…, 2024-05-01`.
        let day = commit.and_then(|commit| commit.what.rsplit(", ").next());
        let is_day = |day: &&str| day.parse::<jiff::civil::Date>().is_ok();
        match day.filter(is_day) {
            Some(day) => format!("last changed {day}"),
            None => "last change not known".to_owned(),
        }
    }

    fn of<'r>(&'r self, section: &'r AskedSection) -> impl Iterator<Item = &'r AskedCitation> {
        let at = |place: &usize| self.citations.get(*place);
        section.citations.iter().filter_map(at)
    }
}
