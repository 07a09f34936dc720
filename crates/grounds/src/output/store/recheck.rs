//! `grounds recheck`: the present state of each place, for people, as JSON and as Markdown.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::cli::{Format, TextFormat};
use crate::recheck::{Checked, CitationState};
use crate::safe;
use crate::store::RunHead;

/// Whether what a run cited is still true.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.recheck/1")]
pub struct RecheckReport {
    /// `grounds.recheck/1`.
    schema: &'static str,
    /// The name of the run.
    run: String,
    /// `ask`, `verify` or `review`.
    pub(in crate::output) job: &'static str,
    /// What was asked.
    words: String,
    /// Places that stand.
    pub(in crate::output) stand: usize,
    /// Places that moved, changed or are gone.
    pub(in crate::output) fallen: usize,
    /// Files that are there and of which nothing was quoted: of them nothing can be compared.
    pub(in crate::output) not_quoted: usize,
    /// Places that could not be looked at.
    pub(in crate::output) not_looked: usize,
    /// Each place that was cited, in the order of the report.
    pub(in crate::output) places: Vec<PlaceReport>,
}

/// A place that was cited.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::output) struct PlaceReport {
    /// The path, the address, or the hash of a commit.
    pub(in crate::output) path: String,
    /// The first line; 0 for a resource as a whole.
    pub(in crate::output) line_start: u32,
    /// The last line.
    pub(in crate::output) line_end: u32,
    /// What it was cited for.
    pub(in crate::output) what: String,
    /// `stands`, `moved`, `changed`, `gone`, `not_quoted` or `not_looked`.
    pub(in crate::output) state: &'static str,
    /// Where the same text stands now, for `moved`.
    pub(in crate::output) now: Option<NowReport>,
    /// Why it could not be looked at, or what else there is to tell.
    pub(in crate::output) note: Option<String>,
}

/// Where a text stands now.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::output) struct NowReport {
    /// The file or page.
    pub(in crate::output) path: String,
    /// Its first line there.
    pub(in crate::output) line: u32,
}

impl RecheckReport {
    /// Returns the schema of the report.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Returns the report of what was checked.
    pub fn of(head: &RunHead, checked: &[Checked]) -> Self {
        let count = |fits: fn(&CitationState) -> bool| {
            checked.iter().filter(|place| fits(&place.state)).count()
        };
        let stand = count(|state| *state == CitationState::Stands);
        let not_quoted = count(|state| *state == CitationState::NotQuoted);
        let not_looked = count(|state| matches!(state, CitationState::NotLooked(_)));
        Self {
            schema: "grounds.recheck/1",
            run: head.id.clone(),
            job: head.kind.as_str(),
            words: head.words.clone(),
            stand,
            fallen: checked.len() - stand - not_quoted - not_looked,
            not_quoted,
            not_looked,
            places: checked.iter().map(PlaceReport::of).collect(),
        }
    }

    /// Writes the report in a format.
    ///
    /// # Errors
    /// What the writer says.
    pub fn print(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format.as_text() {
            TextFormat::Json => writeln!(
                out,
                "{}",
                safe::for_json(&serde_json::to_string_pretty(self)?)
            ),
            TextFormat::Pretty => self.lines("", out),
            TextFormat::Markdown => self.lines("- ", out),
        }
    }

    /// Returns ", 2 quote nothing", or nothing if every place quotes something.
    fn unquoted(&self) -> String {
        match self.not_quoted {
            0 => String::new(),
            1 => ", 1 quotes nothing".to_owned(),
            count => format!(", {count} quote nothing"),
        }
    }

    fn lines(&self, mark: &str, out: &mut dyn Write) -> io::Result<()> {
        for place in &self.places {
            writeln!(out, "{mark}{}", safe::for_line(&place.line()))?;
        }
        let words = safe::for_line(&self.words);
        let (before, mark) = match self.places.is_empty() {
            true => ("", ""),
            false => ("\n", ":"),
        };
        let (run, summary) = (&self.run, self.summary());
        writeln!(out, "{before}run {run}{mark} {summary}: {words}")
    }

    /// Returns how many stand, how many do not, and how many could not be read.
    pub(in crate::output) fn summary(&self) -> String {
        match self.places.len() {
            0 => "cites nothing that could be looked at again".to_owned(),
            all => format!(
                "{} of {all} stand, {} moved, changed or are gone{}, {} could not be looked at",
                self.stand,
                self.fallen,
                self.unquoted(),
                self.not_looked
            ),
        }
    }
}

impl PlaceReport {
    fn of(checked: &Checked) -> Self {
        let (state, now, why) = match &checked.state {
            CitationState::Stands => ("stands", None, None),
            CitationState::Moved { path, line } => (
                "moved",
                Some(NowReport {
                    path: path.clone(),
                    line: *line,
                }),
                None,
            ),
            CitationState::Changed => ("changed", None, None),
            CitationState::Gone => ("gone", None, None),
            CitationState::NotQuoted => (
                "not_quoted",
                None,
                Some(
                    "the file is there; nothing of it was quoted that could be compared".to_owned(),
                ),
            ),
            CitationState::NotLooked(why) => ("not_looked", None, Some(why.clone())),
        };
        Self {
            path: checked.path.clone(),
            line_start: checked.line_start,
            line_end: checked.line_end,
            what: checked.what.clone(),
            state,
            now,
            note: why.or_else(|| checked.note.clone()),
        }
    }

    fn line(&self) -> String {
        let place = match (self.line_start, self.line_end) {
            (0, _) => self.path.clone(),
            (first, last) if first == last => format!("{}:{first}", self.path),
            (first, last) => format!("{}:{first}-{last}", self.path),
        };
        let state = match &self.now {
            Some(now) => format!("moved to {}:{}", now.path, now.line),
            None => self.state.replace('_', " "),
        };
        let note = self
            .note
            .as_ref()
            .map(|note| format!("; {note}"))
            .unwrap_or_default();
        format!("{state}: {place}  {}{note}", self.what)
    }
}
