//! The list of runs of a ledger, a bounded number on a page: the state of each, and which terms
//! wait for a worker.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::parts::{budget, counted, cut, duration, segment, states};
use crate::output::fleet::{RunReport, StatusReport};
use crate::output::html::frame::{Policy, Tone, document, kind};
use crate::output::html::parts::{shown, sums};

/// Terms that are listed.
const TERMS_MAX: usize = 10;
/// Parts of terms that are listed.
const PARTS_MAX: usize = 20;
/// Digits of a hash that are shown.
const HASH_DIGITS: usize = 12;

/// The content of the list.
pub struct FleetList<'l> {
    /// The ledger with all its runs, the oldest first.
    pub status: &'l StatusReport,
    /// When it was read.
    pub read: &'l str,
    /// Runs that are skipped, from the newest on.
    pub skipped: usize,
    /// Runs of a page.
    pub step: usize,
}

/// Returns the page of the list.
pub fn of_fleet_list(list: &FleetList<'_>) -> String {
    let status = list.status;
    let waiting = waiting(&status.runs);
    let head = html! {
        (kind(&[("../".to_owned(), "runs of this machine".to_owned())], "grounds fleet: jobs for many workers"))
        h1 { "Runs of the fleet" }
        dl.facts {
            div { dt { "ledger" } dd { code { (shown(&status.ledger)) } } }
            div { dt { "read" } dd { (list.read) } }
        }
    };
    let body = html! {
        nav.toc aria-label="On this page" { ol {
            li { a href="#fleet" { "The fleet" } }
            @if !waiting.is_empty() { li { a href="#terms" { "Terms that wait" } } }
            li { a href="#runs" { "Runs" } }
        } }
        main #main tabindex="-1" {
            section aria-labelledby="fleet" { h2 #fleet { "The fleet" } (overview(status)) }
            @if !waiting.is_empty() {
                section aria-labelledby="terms" { h2 #terms { "Terms that wait for a worker" } (terms(&waiting)) }
            }
            section aria-labelledby="runs" { h2 #runs { (title(status.runs.len())) } (runs(list)) (pager(list)) }
        }
    };
    document("Runs of the fleet", Policy::Alone, &head, &body).into_string()
}

fn title(runs: usize) -> String {
    match runs {
        0 => "No run yet".to_owned(),
        1 => "One run".to_owned(),
        many => format!("{many} runs, the newest first"),
    }
}

fn overview(status: &StatusReport) -> Markup {
    let mut jobs: BTreeMap<String, u64> = BTreeMap::new();
    for (state, count) in status.runs.iter().flat_map(|run| &run.jobs) {
        *jobs.entry(state.clone()).or_default() += count;
    }
    html! {
        (sums(&[
            (jobs.values().sum::<u64>().to_string(), "jobs"),
            (status.workers.to_string(), "workers hold a job"),
            (duration(status.oldest_ready_ms), "the oldest job waits"),
            (status.failures.values().sum::<u64>().to_string(), "failed attempts"),
        ]))
        (states(&jobs))
        @if !status.failures.is_empty() { p.small.quiet { "Failed attempts: " (counted(&status.failures)) "." } }
    }
}

fn runs(list: &FleetList<'_>) -> Markup {
    let shown = list.status.runs.iter().rev().skip(list.skipped);
    html! {
        @if list.status.runs.is_empty() {
            p.quiet {
                "Submit jobs with " code { "grounds fleet submit FILE.jsonl" } ", and do them with "
                code { "grounds fleet work" } "."
            }
        }
        @else { ol.runs { @for run in shown.take(list.step) { li { (item(run)) } } } }
    }
}

fn item(run: &RunReport) -> Markup {
    let (tone, word) = standing(run);
    html! {
        div.row {
            @match segment(&run.name) {
                Some(address) => a href=(address) { (cut(&run.name)) },
                None => span {
                    b { (cut(&run.name)) } " (no address has this name; see " code { "grounds fleet results" } ")"
                },
            }
            span.badge.(tone.class()) { (word) }
        }
        (states(&run.jobs))
        div.quiet.small {
            "submitted " (run.submitted) ", source " code { (hash(&run.source)) }
            @if run.shard != "1/1" { ", share " (run.shard) }
        }
        @let notes = notes(run);
        @if !notes.is_empty() { div.small { (notes.join("; ")) } }
    }
}

/// Returns the beginning of a hash.
pub(super) fn hash(hash: &str) -> String {
    let digits: String = hash.chars().take(HASH_DIGITS).collect();
    shown(&digits).into_owned()
}

/// Returns notes on what goes on in a run, what failed, and what it spent.
pub(super) fn notes(run: &RunReport) -> Vec<String> {
    let mut notes = Vec::new();
    match run.workers {
        // No job is ready, so that no worker is missed.
        0 if run.oldest_ready_ms == 0 => {}
        0 => notes.push("no worker holds a job".to_owned()),
        1 => notes.push("1 worker holds a job".to_owned()),
        workers => notes.push(format!("{workers} workers hold a job")),
    }
    if run.oldest_ready_ms > 0 {
        let wait = duration(run.oldest_ready_ms);
        notes.push(format!("the oldest job waits for {wait}"));
    }
    if !run.failures.is_empty() {
        notes.push(format!("failed attempts: {}", counted(&run.failures)));
    }
    notes.extend(spent(run));
    notes
}

/// Returns the budgets that have a limit, or of which something is used.
fn spent(run: &RunReport) -> Vec<String> {
    let counts = run.budgets.iter();
    let counts = counts.filter(|budget| budget.most.is_some() || budget.used > 0);
    counts.map(budget).collect()
}

/// Returns the state of a run in a word.
pub(super) fn standing(run: &RunReport) -> (Tone, String) {
    let count = |state: &str| run.jobs.get(state).copied().unwrap_or(0);
    let going = count("queued") + count("leased");
    match (going, count("dead"), count("held")) {
        // For example if all jobs were cancelled.
        (0, 0, 0) if count("done") == 0 => (Tone::Open, "no results".to_owned()),
        (0, 0, 0) => (Tone::Good, "ended".to_owned()),
        (0, 0, held) => (Tone::Open, format!("{held} wait for a budget")),
        (0, dead, _) => (Tone::Bad, format!("ended, {dead} without a result")),
        (going, 0, _) => (Tone::Open, format!("{going} to do")),
        (going, dead, _) => (Tone::Bad, format!("{going} to do, {dead} without a result")),
    }
}

/// Returns runs with jobs that are ready under terms of which no worker holds a job.
fn waiting(runs: &[RunReport]) -> Vec<&RunReport> {
    let held = runs.iter().filter(|run| run.workers > 0);
    let held: BTreeSet<&str> = held.map(|run| run.terms.as_str()).collect();
    let mut seen = BTreeSet::new();
    runs.iter()
        .filter(|run| run.oldest_ready_ms > 0 && !held.contains(run.terms.as_str()))
        // Several runs may wait under the same terms, for which one worker is enough.
        .filter(|run| seen.insert(run.terms.as_str()))
        .collect()
}

fn terms(waiting: &[&RunReport]) -> Markup {
    let rest = waiting.len().saturating_sub(TERMS_MAX);
    html! {
        p {
            "Jobs are ready under these terms, and no worker with the same ones holds a job. "
            "Start a worker with all of them."
        }
        ul.plain { @for run in waiting.iter().take(TERMS_MAX) { li {
            "Run " b { (cut(&run.name)) } " waits for " (duration(run.oldest_ready_ms)) "."
            dl.facts { @for (name, value) in run.parts.iter().take(PARTS_MAX) {
                div { dt { (cut(name)) } dd { code { (cut(value)) } } }
            } }
        } } }
        @if rest > 0 { p.quiet { (rest) " more terms wait." } }
    }
}

fn pager(list: &FleetList<'_>) -> Markup {
    let earlier = list.skipped.saturating_sub(list.step);
    let later = list.skipped.saturating_add(list.step);
    html! {
        @if list.status.runs.len() > list.step {
            nav.pager aria-label="Pages of the list" {
                @if list.skipped > 0 { a href={ "./?skip=" (earlier) } rel="prev" { "← newer" } }
                @if later < list.status.runs.len() { a href={ "./?skip=" (later) } rel="next" { "older →" } }
            }
        }
    }
}
