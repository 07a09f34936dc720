//! One job: its report as its command shows it, or as JSON if it cannot be read so, the attempts
//! that failed, and the facts about it.

use grounds_fleet::ledger::{JobEntry, ReportText};
use maud::{Markup, html};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::parts::{attempts, cut, duration, segment, word};
use super::tone;
use crate::ended::JobKind;
use crate::output::html::frame::{PageSection, RunPage, VerdictSentence};
use crate::output::html::parts::{address, shown};
use crate::output::html::{Links, about, ask, check, review, verify};
use crate::output::store::moment;
use crate::reading;

/// Letters of a report that are shown as they are.
const RAW_LETTERS_MAX: usize = 100_000;

/// The content of the page.
pub struct FleetJob<'j> {
    /// The name of the run.
    pub run: &'j str,
    /// The job.
    pub entry: &'j JobEntry,
}

/// Returns the page of a job.
pub fn of_fleet_job(job: &FleetJob<'_>) -> String {
    let entry = job.entry;
    let (verdict, mut sections) = match &entry.report {
        Some(report) => of_report(entry, report),
        None => (without(entry), Vec::new()),
    };
    if entry.attempts.count > 0 {
        sections.push(PageSection::of(
            "attempts",
            "Attempts that failed",
            attempts(&entry.attempts),
        ));
    }
    sections.push(PageSection::of("job", "This job", of_job(job)));
    let page = RunPage {
        kind: kind(&entry.row.kind),
        heading: cut(&entry.row.topic).into_owned(),
        verdict,
        facts: facts(entry),
        sections,
    };
    let mut ways = vec![("../".to_owned(), "all runs of the fleet".to_owned())];
    if let Some(address) = segment(job.run) {
        ways.push((format!("../{address}"), format!("run {}", cut(job.run))));
    }
    page.below(&ways).into_string()
}

fn kind(word: &str) -> String {
    match word {
        "ask" => about(JobKind::Ask),
        "claim" => about(JobKind::Verify),
        "review" => about(JobKind::Review),
        "check" => "grounds check: texts about a codebase".to_owned(),
        word => format!("grounds fleet: {}", cut(word)),
    }
}

/// Shows the report as its command shows it, else as JSON with the reason.
fn of_report(entry: &JobEntry, report: &ReportText) -> (VerdictSentence, Vec<PageSection>) {
    let read = typed(&entry.row.kind, report);
    read.unwrap_or_else(|why| {
        let verdict = VerdictSentence {
            tone: tone("done", Some(&entry.row.word)),
            word: cut(&entry.row.word).replace('_', " "),
            because: String::new(),
        };
        (
            verdict,
            vec![PageSection::of("report", "Report", raw(report, &why))],
        )
    })
}

type Shape = (VerdictSentence, Vec<PageSection>);

fn typed(kind: &str, report: &ReportText) -> Result<Shape, String> {
    // JSON that ends in the middle cannot be read.
    if is_cut(report) {
        return Err(format!(
            "The report has {} letters, and only its beginning is shown; `grounds fleet results` has it whole.",
            report.letters
        ));
    }
    match kind {
        // A ledger keeps no requirements of a job, so the page shows all evidence.
        "ask" => {
            read(report, JobKind::Ask.schema()).map(|read| ask::of(&read, None, &Links::default()))
        }
        "claim" => read(report, JobKind::Verify.schema()).map(|read| verify::of(&read, &[])),
        "review" => read(report, JobKind::Review.schema())
            .map(|read| review::of(&read, &[], &Links::default())),
        "check" => read(report, "grounds.check/1").map(|read| check::of_kept(&read)),
        _ => Err(String::new()),
    }
}

fn read<T: DeserializeOwned>(report: &ReportText, schema: &str) -> Result<T, String> {
    reading::read(&report.text, schema).map_err(|why| {
        format!("The report is shown as it was kept, since it cannot be read: {why}.")
    })
}

fn is_cut(report: &ReportText) -> bool {
    report.letters > report.text.chars().count() as u64
}

fn raw(report: &ReportText, why: &str) -> Markup {
    // A report that was cut is no JSON, and shown as it is.
    let text = match serde_json::from_str::<Value>(&report.text) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or_default(),
        Err(_) => report.text.clone(),
    };
    let end = text.char_indices().nth(RAW_LETTERS_MAX);
    html! {
        @if !why.is_empty() { p.quiet { (shown(why)) } }
        pre.text { (shown(&text[..end.map_or(text.len(), |(end, _)| end)])) }
        @if end.is_some() {
            p.quiet { "The rest is not shown here; " code { "grounds fleet results" } " has it whole." }
        }
    }
}

/// Returns why a job has no result.
fn without(entry: &JobEntry) -> VerdictSentence {
    let because = match entry.row.state.as_str() {
        "queued" if entry.attempts.count > 0 => "It waits to be tried again.".to_owned(),
        "queued" => "It waits for a worker.".to_owned(),
        "leased" => format!("Held by {}.", cut(&entry.holder)),
        "held" => "It waits until the budget of its run is raised: submit the same file with more."
            .to_owned(),
        "dead" => "It is not tried again unless `grounds fleet retry` says so.".to_owned(),
        "cancelled" => "It was called off.".to_owned(),
        _ => String::new(),
    };
    VerdictSentence {
        tone: tone(&entry.row.state, None),
        word: cut(&word(&entry.row).replace('_', " ")).into_owned(),
        because,
    }
}

fn facts(entry: &JobEntry) -> Markup {
    let row = &entry.row;
    let facts = [
        ("repository", row.repository.clone()),
        ("name", row.name.clone()),
        ("when", row.done_ms.map_or_else(String::new, moment)),
        ("took", row.took_ms.map_or_else(String::new, duration)),
    ];
    html! {
        dl.facts { @for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
            div { dt { (name) } dd { (cut(value)) } }
        } }
    }
}

fn of_job(job: &FleetJob<'_>) -> Markup {
    let entry = job.entry;
    let report = entry.report.as_ref();
    let facts = [
        ("run", job.run),
        ("in the ledger", entry.row.id.as_str()),
        ("state", entry.row.state.as_str()),
        (
            "worker",
            // While the job runs this is the holder of its lease, afterwards the worker of the
            // report.
            report.map_or(entry.holder.as_str(), |report| &report.worker),
        ),
        (
            "hash of the report",
            report.map_or("", |report| &report.hash),
        ),
    ];
    let body = serde_json::from_str::<Value>(&entry.body).ok();
    let origin = body.as_ref().and_then(|body| body["origin"].as_str());
    let text = body
        .as_ref()
        .and_then(|body| serde_json::to_string_pretty(body).ok());
    html! {
        dl.facts {
            div { dt { "submitted" } dd { (moment(entry.created_ms)) } }
            @for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
                div { dt { (name) } dd { code { (cut(value)) } } }
            }
            @if let Some(origin) = origin { div { dt { "origin" } dd { (address(origin)) } } }
        }
        details { summary { "The job as it was submitted" } pre.text { (shown(text.as_ref().unwrap_or(&entry.body))) } }
    }
}
