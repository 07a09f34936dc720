//! The page of a run of a fleet: what is answered over all repositories, and every job with how it
//! ended.

use maud::{Markup, html};

use super::frame::{Policy, Tone, document};
use super::parts::shown;
use crate::output::fleet::{ResultLine, RunReport};

/// The page of a run.
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
                span.badge.(tone(line).class()) { (shown(&line.word().replace('_', " "))) }
            }
            div.quiet.small {
                (line.job.kind()) " " (shown(line.job.name()))
                @for attempt in &line.attempts { ", " (shown(&attempt.detail)) }
            }
        }
    } } }
}

fn tone(line: &ResultLine) -> Tone {
    match line.verdict.as_deref() {
        Some("True" | "answered" | "holds" | "good") => Tone::Good,
        Some("False" | "contradicted" | "blocked" | "failed") => Tone::Bad,
        Some(_) => Tone::Open,
        None if line.state == "dead" => Tone::Bad,
        None => Tone::Open,
    }
}
