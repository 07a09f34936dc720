//! `grounds history`: the runs that are kept, for people, as JSON and as Markdown.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::run::{moment, size};
use crate::cli::{Format, TextFormat};
use crate::safe;
use crate::store::{Extent, RunHead, StoreBounds};

/// The runs that are kept.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.history/1")]
pub struct HistoryReport {
    /// `grounds.history/1`.
    schema: &'static str,
    /// The runs that fit, the newest first; at most as many as were asked for.
    runs: Vec<RunReport>,
    /// How many fit.
    runs_fitting: u64,
    /// What is kept at all.
    store: StoreReport,
}

/// A run without its report.
#[derive(Debug, Serialize, JsonSchema)]
struct RunReport {
    /// Its name.
    id: String,
    /// `ask`, `verify` or `review`.
    job: &'static str,
    /// The question, the claim, or which change.
    words: String,
    /// The words of the command line; of addresses only the place.
    options: Vec<String>,
    /// When it began, in UTC.
    started: String,
    /// Milliseconds that it took.
    took_ms: u64,
    /// The code that it ended with.
    exit: u8,
    /// How it ended, in one word.
    verdict: String,
    /// The folder that was looked at.
    repository: String,
    /// The folder of documents, where there was one.
    documents: Option<String>,
    /// The folder that the person stood in.
    folder: String,
    /// The commit that was checked out.
    commit: Option<String>,
    /// Whether tracked files differed from it.
    dirty: Option<bool>,
    /// The version of the program.
    version: String,
    /// The schema of the report.
    report_schema: String,
    /// Bytes that it takes.
    bytes: u64,
}

/// What is kept at all, and its bounds.
#[derive(Debug, Serialize, JsonSchema)]
struct StoreReport {
    /// The file; null before the first run is kept.
    file: Option<String>,
    /// Runs that are kept.
    runs: u64,
    /// Bytes of their texts.
    bytes: u64,
    /// `store.runs_max`.
    runs_max: u64,
    /// `store.bytes_max`.
    bytes_max: u64,
    /// `store.age_days_max`.
    age_days_max: u64,
    /// Runs that were dropped so far, by the bound that was reached.
    dropped: Vec<DroppedReport>,
}

/// Runs that were dropped by a bound.
#[derive(Debug, Serialize, JsonSchema)]
struct DroppedReport {
    /// Its name in the section `store` of the configuration.
    bound: String,
    /// How many.
    runs: u64,
}

impl HistoryReport {
    /// Returns the schema of the report.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Returns the report of the content of a store.
    pub fn of(
        heads: &[RunHead],
        runs_fitting: u64,
        file: Option<&std::path::Path>,
        extent: Extent,
        bounds: StoreBounds,
    ) -> Self {
        let store = StoreReport {
            file: file.map(|file| file.to_string_lossy().into_owned()),
            runs: extent.runs,
            bytes: extent.bytes,
            runs_max: bounds.runs_max,
            bytes_max: bounds.bytes_max,
            age_days_max: bounds.age_days_max,
            dropped: extent
                .dropped
                .into_iter()
                .map(|(bound, runs)| DroppedReport { bound, runs })
                .collect(),
        };
        Self {
            schema: "grounds.history/1",
            runs: heads.iter().map(RunReport::of).collect(),
            runs_fitting,
            store,
        }
    }

    /// Reports whether no run fits.
    pub const fn is_empty(&self) -> bool {
        self.runs.is_empty()
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
            TextFormat::Pretty => self.pretty(out),
            TextFormat::Markdown => self.markdown(out),
        }
    }

    fn pretty(&self, out: &mut dyn Write) -> io::Result<()> {
        let width =
            |column: fn(&RunReport) -> usize| self.runs.iter().map(column).max().unwrap_or(0);
        let (id, verdict) = (width(|run| run.id.len()), width(|run| run.verdict.len()));
        for run in &self.runs {
            // `verify` and `review` are the longest jobs, of six letters.
            let line = format!(
                "{:id$}  {}  {:6}  {:verdict$}  {}",
                run.id,
                run.started,
                run.job,
                run.verdict,
                shortened(&run.words)
            );
            writeln!(
                out,
                "{}  ({})",
                safe::for_line(&line),
                safe::for_line(place_name(&run.repository))
            )?;
        }
        if !self.runs.is_empty() {
            writeln!(out)?;
        }
        self.notes()
            .iter()
            .try_for_each(|note| writeln!(out, "{}", safe::for_line(note)))
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.runs.is_empty() {
            writeln!(
                out,
                "| run | when | job | ended | asked | where |\n|---|---|---|---|---|---|"
            )?;
        }
        for run in &self.runs {
            let cells = [
                &run.id,
                &run.started,
                run.job,
                &run.verdict,
                &shortened(&run.words),
                &run.repository,
            ]
            .map(cell);
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        writeln!(out)?;
        self.notes()
            .iter()
            .try_for_each(|note| writeln!(out, "{}", cell(note)))
    }

    /// Returns notes on the store as a whole.
    fn notes(&self) -> Vec<String> {
        let store = &self.store;
        let shown = self.runs.len() as u64;
        let mut notes = Vec::new();
        if shown == 0 {
            notes.push(
                if store.runs == 0 {
                    "no run is kept yet"
                } else {
                    "no run that is kept fits"
                }
                .to_owned(),
            );
        }
        if shown > 0 && self.runs_fitting > shown {
            notes.push(format!(
                "{shown} of {} runs that fit; --limit shows more",
                self.runs_fitting
            ));
        }
        notes.push(format!(
            "kept: {} of {} runs at most (store.runs_max), {} of {} (store.bytes_max), for {} days (store.age_days_max)",
            store.runs,
            store.runs_max,
            size(store.bytes),
            size(store.bytes_max),
            store.age_days_max
        ));
        let dropped = store.dropped.iter().map(|dropped| {
            format!(
                "dropped so far: {} by store.{}",
                dropped.runs, dropped.bound
            )
        });
        notes.extend(dropped);
        notes
    }
}

impl RunReport {
    fn of(head: &RunHead) -> Self {
        Self {
            id: head.id.clone(),
            job: head.kind.as_str(),
            words: head.words.clone(),
            options: head.options.clone(),
            started: moment(head.started_ms),
            took_ms: head.took_ms,
            exit: head.exit,
            verdict: head.verdict.clone(),
            repository: head.repository.clone(),
            documents: head.documents.clone(),
            folder: head.folder.clone(),
            commit: head.commit.clone(),
            dirty: head.is_dirty,
            version: head.version.clone(),
            report_schema: head.schema.clone(),
            bytes: head.bytes,
        }
    }
}

/// Letters of what was asked that one line shows.
const WORDS_LETTERS_MAX: usize = 100;

fn shortened(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<&str>>().join(" ");
    match line.char_indices().nth(WORDS_LETTERS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn place_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .filter(|name| !name.is_empty())
        .unwrap_or(path)
}

/// Escapes a text for a cell of Markdown: nothing of it is taken for markup.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for letter in safe::for_line(text).chars() {
        if matches!(
            letter,
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '#' | '!'
        ) {
            cell.push('\\');
        }
        cell.push(letter);
    }
    cell
}
