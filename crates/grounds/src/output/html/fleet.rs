//! The pages of a fleet: the page of a run for a file, and, for the server, the list of runs, a run
//! and a job. Everything in a ledger was written by others, and is cut and escaped; no page changes
//! anything.

#[cfg(feature = "serve")]
mod job;
#[cfg(feature = "serve")]
mod list;
#[cfg(feature = "serve")]
mod parts;
#[cfg(feature = "serve")]
mod run;

use maud::{Markup, html};

use super::frame::{Policy, Tone, document};
use super::parts::shown;
use crate::output::fleet::{ResultLine, RunReport};

#[cfg(feature = "serve")]
pub use job::{FleetJob, of_fleet_job};
#[cfg(feature = "serve")]
pub use list::{FleetList, of_fleet_list};
#[cfg(feature = "serve")]
pub use run::{FleetRun, of_fleet_run};

/// Returns the page of a run.
pub fn of_fleet(run: &RunReport, lines: &[ResultLine]) -> String {
    let title = format!("Run {}", run.name);
    let head = html! { p.kind { span { "grounds fleet" } } h1 { (shown(&title)) } };
    let body = html! {
        nav.toc aria-label="On this page" {
            ol { li { a href="#answers" { "Answers" } } li { a href="#jobs" { "Jobs" } } }
        }
        main #main tabindex="-1" {
            section aria-labelledby="answers" { h2 #answers { "Answers" } (answers(run)) }
            section aria-labelledby="jobs" { h2 #jobs { (lines.len()) " jobs" } (jobs(lines)) }
        }
    };
    document(&title, Policy::Alone, &head, &body).into_string()
}

fn answers(run: &RunReport) -> Markup {
    html! {
        @if run.answers.is_empty() { p.quiet { "No question was asked of repositories." } }
        @else { ul.list { @for answer in &run.answers {
            li {
                b { (shown(&answer.topic)) } ": " (answer.overall.replace('_', " ")) ", "
                (answer.found) " found, " (answer.not_found) " not found of " (answer.repositories) " repositories"
                @for (word, count) in answer.open.iter().chain(&answer.missing) { ", " (count) " " (shown(word)) }
            }
        } } }
    }
}

fn jobs(lines: &[ResultLine]) -> Markup {
    html! { ol.runs { @for line in lines {
        li {
            div.row {
                span { (shown(&line.about())) }
                @let tone = tone(&line.state, line.verdict.as_deref());
                span.badge.(tone.class()) { (shown(&line.word().replace('_', " "))) }
            }
            div.quiet.small {
                (line.job.kind()) " " (shown(line.job.name()))
                @for attempt in &line.attempts { ", " (shown(&attempt.detail)) }
            }
        }
    } } }
}

/// Returns the colour of a job: by its verdict, or else by its state.
fn tone(state: &str, verdict: Option<&str>) -> Tone {
    match verdict {
        Some("True" | "answered" | "holds" | "good") => Tone::Good,
        Some("False" | "contradicted" | "blocked" | "failed") => Tone::Bad,
        Some(_) => Tone::Open,
        None if state == "dead" => Tone::Bad,
        None => Tone::Open,
    }
}
