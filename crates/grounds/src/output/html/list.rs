//! The list of runs, as it is served: the kept runs, a search, and a link to each run.

use maud::{Markup, html};

use super::frame::{Policy, Tone, document};
use super::parts::{encoded, shown};
use crate::ended::JobKind;
use crate::output::store::{moment, size};
use crate::store::{Extent, RunHead, StoreBounds};

/// The content of the list.
pub struct List<'l> {
    /// The runs of this page, the newest first.
    pub heads: &'l [RunHead],
    /// The number of runs that fit.
    pub fitting: u64,
    /// The words that were searched.
    pub words: &'l str,
    /// The job that was chosen.
    pub kind: Option<JobKind>,
    /// Runs that were skipped: those of earlier pages.
    pub skipped: u64,
    /// Runs of a page.
    pub step: u64,
    /// The number and the size of all kept runs.
    pub extent: &'l Extent,
    /// The bounds of it.
    pub bounds: StoreBounds,
    /// The address of the list of runs of a fleet; `None` if this program knows no fleets.
    pub fleet: Option<&'static str>,
}

/// Returns the page of the list.
pub fn of_list(list: &List<'_>) -> String {
    let title = if list.words.is_empty() {
        "Runs".to_owned()
    } else {
        format!("Runs with {}", list.words)
    };
    let head = html! {
        p.kind { span { "grounds history" } @if let Some(fleet) = list.fleet { a href=(fleet) { "runs of a fleet →" } } }
        h1 { "Runs" }
    };
    let body = html! {
        nav.toc aria-label="On this page" { ol {
            li { a href="#search" { "Search" } }
            li { a href="#runs" { "Runs" } }
            li { a href="#kept" { "What is kept" } }
        } }
        main #main tabindex="-1" {
            section aria-labelledby="search" { h2 #search { "Search" } (search(list)) }
            section aria-labelledby="runs" { h2 #runs { (found(list)) } (runs(list)) (pager(list)) }
            section aria-labelledby="kept" { h2 #kept { "What is kept" } (kept(list)) }
        }
    };
    // The search is a form, which may be sent to the server of the page only.
    document(&title, Policy::Served, &head, &body).into_string()
}

/// Returns a page that says why the requested one is not shown.
pub fn of_message(title: &str, text: &str, list: Option<&str>) -> String {
    let head = html! {
        p.kind { @if let Some(list) = list { a href=(list) { "← all runs" } } }
        h1 { (shown(title)) }
    };
    let body = html! { nav.toc aria-label="On this page" {} main #main tabindex="-1" { section aria-labelledby="why" { h2 #why { "Why" } p { (shown(text)) } } } };
    document(title, Policy::Served, &head, &body).into_string()
}

fn search(list: &List<'_>) -> Markup {
    html! {
        form.search role="search" method="get" action="./" {
            label { "Words of the question, the folder, the verdict" input type="search" name="q" value=(list.words) maxlength="200"; }
            label { "Job" select name="kind" {
                option value="" { "all" }
                @for kind in JobKind::ALL { option value=(kind.as_str()) selected[list.kind == Some(kind)] { (kind.as_str()) } }
            } }
            button type="submit" { "Search" }
        }
    }
}

fn found(list: &List<'_>) -> String {
    match list.fitting {
        0 => "No run fits".to_owned(),
        1 => "One run".to_owned(),
        many => format!("{many} runs, the newest first"),
    }
}

fn runs(list: &List<'_>) -> Markup {
    html! {
        @if list.extent.runs == 0 { p.quiet { "Ask something with " code { "grounds ask" } ", " code { "verify" } " or " code { "review" } "; it appears here then." } }
        @else { div.days { @for day in list.heads.chunk_by(|one, other| day(one) == day(other)) {
            h3 { (self::day(&day[0])) " " span.count { (day.len()) @if day.len() == 1 { " run" } @else { " runs" } } }
            ol.runs { @for head in day { (run(head)) } }
        } } }
    }
}

/// Returns the day on which a run began, by which the list is grouped.
fn day(head: &RunHead) -> String {
    let moment = moment(head.started_ms);
    moment.split(' ').next().unwrap_or_default().to_owned()
}

fn run(head: &RunHead) -> Markup {
    let tone = match head.exit {
        // 6 is an answer, too: no.
        0 | 6 => Tone::Good,
        3 | 5 => Tone::Open,
        _ => Tone::Bad,
    };
    html! {
        li.(tone.class()) {
            div.row { a href={ "runs/" (head.id) } { (shown(&head.words)) } span.badge.(tone.class()) { (shown(&head.verdict.replace('_', " "))) } }
            div.quiet.small { (head.kind.as_str()) ", " (moment(head.started_ms)) ", in " span.path { (shown(&head.repository)) } }
        }
    }
}

fn pager(list: &List<'_>) -> Markup {
    let (earlier, later) = (
        list.skipped.saturating_sub(list.step),
        list.skipped + list.step,
    );
    html! {
        @if list.fitting > list.step {
            nav.pager aria-label="Pages of the list" {
                @if list.skipped > 0 { a href=(address(list, earlier)) rel="prev" { "← newer" } }
                @if later < list.fitting { a href=(address(list, later)) rel="next" { "older →" } }
            }
        }
    }
}

fn address(list: &List<'_>, skipped: u64) -> String {
    let words: String = encoded(list.words);
    format!(
        "./?q={words}&kind={}&skip={skipped}",
        list.kind.map_or("", JobKind::as_str)
    )
}

fn kept(list: &List<'_>) -> Markup {
    let (extent, bounds) = (list.extent, list.bounds);
    html! {
        p {
            (extent.runs) " of at most " (bounds.runs_max) " runs (" code { "store.runs_max" } "), " (size(extent.bytes)) " of " (size(bounds.bytes_max)) " ("
            code { "store.bytes_max" } "), for " (bounds.age_days_max) " days (" code { "store.age_days_max" } ")."
        }
        @if !extent.dropped.is_empty() { ul.list { @for (bound, runs) in &extent.dropped { li { (runs) " dropped by " code { "store." (bound) } } } } }
    }
}
