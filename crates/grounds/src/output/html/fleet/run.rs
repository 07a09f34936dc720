//! A run: its jobs by state, the answers over repositories, dead letters with their evidence, and
//! one page of its jobs.

use grounds_fleet::answers::verdicts;
use grounds_fleet::ledger::{Attempts, ChosenJobs, JobRow};
use maud::{Markup, html};

use super::list::{hash, notes, standing};
use super::parts::{attempts, counted, cut, ordered, row, segment, states};
use crate::output::fleet::{AnswerReport, RunReport};
use crate::output::html::frame::{Policy, Tone, document, kind};
use crate::output::html::parts::{encoded, shown};

/// Answers that are shown.
const ANSWERS_MAX: usize = 50;
/// Bytes of a question that an address may have.
const TOPIC_BYTES_MAX: usize = 1_000;
/// Parts of terms that are listed.
const PARTS_MAX: usize = 20;

/// The content of the page.
pub struct FleetRun<'r> {
    /// The run, with its answers.
    pub run: &'r RunReport,
    /// When it was read.
    pub read: &'r str,
    /// The chosen jobs.
    pub chosen: &'r ChosenJobs,
    /// One page of them.
    pub rows: &'r [JobRow],
    /// Whether there are jobs before the page.
    pub has_earlier: bool,
    /// Whether there are jobs after it.
    pub has_later: bool,
    /// Some dead letters.
    pub dead: &'r [(JobRow, Attempts)],
}

/// Returns the page of a run.
pub fn of_fleet_run(page: &FleetRun<'_>) -> String {
    let run = page.run;
    let title = format!("Run {}", cut(&run.name));
    let (tone, word) = standing(run);
    let head = html! {
        (kind(&[("./".to_owned(), "all runs of the fleet".to_owned())], "grounds fleet: a run"))
        h1 { (title) }
        p.verdict.(tone.class()) {
            span.sign aria-hidden="true" { (tone.sign()) }
            b { (capital(&word)) }
            @let notes = notes(run);
            @if !notes.is_empty() { span.why { (notes.join("; ")) "." } }
        }
        (facts(page))
    };
    let sections = [
        ("states", "Jobs by state".to_owned(), by_state(run)),
        (
            "answers",
            "Answers over repositories".to_owned(),
            answers(run),
        ),
        ("dead", "Dead letters".to_owned(), dead(page)),
        ("jobs", chosen_title(page.chosen), jobs(page)),
    ];
    let body = html! {
        nav.toc aria-label="On this page" {
            ol { @for (id, title, _) in &sections { li { a href={ "#" (id) } { (title) } } } }
        }
        main #main tabindex="-1" {
            @for (id, title, body) in &sections { section aria-labelledby=(id) { h2 #(id) { (title) } (body) } }
        }
    };
    document(&title, Policy::Alone, &head, &body).into_string()
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

fn facts(page: &FleetRun<'_>) -> Markup {
    let run = page.run;
    html! {
        dl.facts {
            div { dt { "submitted" } dd { (run.submitted) } }
            div { dt { "read" } dd { (page.read) } }
            @if run.shard != "1/1" { div { dt { "share" } dd { (run.shard) } } }
            div { dt { "source" } dd { code { (hash(&run.source)) } } }
        }
        details {
            summary { "Terms: what a worker must have in common with whoever submitted it" }
            dl.facts { @for (name, value) in run.parts.iter().take(PARTS_MAX) {
                div { dt { (cut(name)) } dd { code { (cut(value)) } } }
            } }
        }
    }
}

fn by_state(run: &RunReport) -> Markup {
    html! {
        (states(&run.jobs))
        @if !run.reasons.is_empty() { p.small { "Without a result: " (counted(&run.reasons)) "." } }
    }
}

/// Shows the answers, what was found first.
fn answers(run: &RunReport) -> Markup {
    let mut sorted: Vec<&AnswerReport> = run.answers.iter().collect();
    let rank = |answer: &AnswerReport| match answer.overall {
        "found" => 0,
        "cannot_tell" => 1,
        _ => 2,
    };
    sorted.sort_by_key(|answer| rank(answer));
    let rest = sorted.len().saturating_sub(ANSWERS_MAX);
    html! {
        @if sorted.is_empty() { p.quiet { "No question was asked of repositories." } }
        @else { ol.runs { @for one in sorted.into_iter().take(ANSWERS_MAX) { li { (answer(one)) } } } }
        @if rest > 0 { p.quiet { (rest) " more questions are in " code { "grounds fleet status --run NAME" } "." } }
    }
}

/// Returns the colour of an answer, and the words for it, for what has it and for what does not. A
/// document is asked for what is wrong in it.
fn words(answer: &AnswerReport) -> (Tone, &'static str, [&'static str; 2]) {
    match (answer.kind.as_str(), answer.overall) {
        ("check", "found") => (Tone::Bad, "contradicted", ["contradicted", "hold"]),
        ("check", "not_found") => (Tone::Good, "holds", ["contradicted", "hold"]),
        ("check", _) => (Tone::Open, "cannot tell", ["contradicted", "hold"]),
        (_, "found") => (Tone::Good, "found", ["found", "not found"]),
        (_, "not_found") => (Tone::Open, "not found", ["found", "not found"]),
        (_, _) => (Tone::Open, "cannot tell", ["found", "not found"]),
    }
}

fn answer(answer: &AnswerReport) -> Markup {
    let (tone, overall, [have, have_not]) = words(answer);
    let (found, not_found) = verdicts(&answer.kind).unwrap_or_default();
    let has = |verdict: &str, words: &str, jobs: u64| {
        count(answer, "done", verdict, &format!("{jobs} {words}"), jobs)
    };
    html! {
        div.row { b { (cut(&answer.topic)) } span.badge.(tone.class()) { (overall) } }
        div.small {
            (answer.found + answer.not_found) " of " (answer.repositories) " repositories answered: "
            (has(found, have, answer.found)) ", " (has(not_found, have_not, answer.not_found)) "."
        }
        @if !answer.open.is_empty() || !answer.missing.is_empty() {
            ul.list.small {
                @for (word, jobs) in answer.open.iter().take(ANSWERS_MAX) {
                    li { (count(answer, "done", word, &format!("{jobs} {}", word.replace('_', " ")), *jobs)) }
                }
                @for (word, jobs) in answer.missing.iter().take(ANSWERS_MAX) {
                    // A word of those without a result is `STATE: REASON`, or a state alone.
                    @let (state, reason) = word.split_once(": ").unwrap_or((word, ""));
                    @let words = format!("{jobs} {}", word.replace('_', " "));
                    li { "no answer: " (count(answer, state, reason, &words, *jobs)) }
                }
            }
        }
    }
}

/// Shows a count that links to the jobs that it counts.
fn count(answer: &AnswerReport, state: &str, word: &str, text: &str, jobs: u64) -> Markup {
    let chosen = ChosenJobs {
        state: state.to_owned(),
        word: word.to_owned(),
        kind: answer.kind.clone(),
        topic: answer.topic.clone(),
    };
    html! {
        @if jobs > 0 && answer.topic.len() <= TOPIC_BYTES_MAX {
            a href={ "?" (query(&chosen)) "#jobs" } { (cut(text)) }
        } @else { (cut(text)) }
    }
}

/// Returns what was chosen, as the query of an address.
fn query(chosen: &ChosenJobs) -> String {
    let parts = [
        ("state", &chosen.state),
        ("word", &chosen.word),
        ("kind", &chosen.kind),
        ("topic", &chosen.topic),
    ];
    let given = parts.into_iter().filter(|(_, value)| !value.is_empty());
    let given: Vec<String> = given
        .map(|(name, value)| format!("{name}={}", encoded(value)))
        .collect();
    given.join("&")
}

fn dead(page: &FleetRun<'_>) -> Markup {
    let all = page.run.jobs.get("dead").copied().unwrap_or(0);
    let address = segment(&page.run.name).unwrap_or_default();
    let rest = all.saturating_sub(page.dead.len() as u64);
    html! {
        @if page.dead.is_empty() { p.quiet { "None: no job used up its attempts." } }
        @else { ol.runs { @for (job, tried) in page.dead { li {
            (row(&address, job))
            details {
                summary { (tried.count) @if tried.count == 1 { " attempt" } @else { " attempts" } }
                (attempts(tried))
            }
        } } } }
        @if rest > 0 {
            @let dead = query(&ChosenJobs::of_state("dead"));
            p { a href={ "?" (dead) "#jobs" } { "All " (all) " dead letters" } }
        }
        @if all > 0 {
            p.quiet.small { "Have them tried again: " code { "grounds fleet retry " (cut(&page.run.name)) } }
        }
    }
}

fn chosen_title(chosen: &ChosenJobs) -> String {
    if *chosen == ChosenJobs::default() {
        return "All jobs".to_owned();
    }
    let words = [&chosen.state, &chosen.word, &chosen.kind, &chosen.topic];
    let words: Vec<String> = words
        .into_iter()
        .filter(|word| !word.is_empty())
        .map(|word| cut(word).replace('_', " "))
        .collect();
    format!("Jobs: {}", words.join(", "))
}

fn jobs(page: &FleetRun<'_>) -> Markup {
    let address = segment(&page.run.name).unwrap_or_default();
    html! {
        (tabs(page))
        @if page.rows.is_empty() { p.quiet { "No job fits." } }
        @else { ol.runs { @for job in page.rows { li { (row(&address, job)) } } } }
        (pager(page))
    }
}

/// Shows the states to choose from.
fn tabs(page: &FleetRun<'_>) -> Markup {
    let states = ordered(&page.run.jobs);
    let all: u64 = page.run.jobs.values().sum();
    let current = |is: bool| is.then_some("page");
    html! {
        nav aria-label="Jobs by state" { ul.tabs {
            li { a href="?#jobs" aria-current=[current(*page.chosen == ChosenJobs::default())] { "all " (all) } }
            @for (state, jobs) in states {
                @let chosen = ChosenJobs::of_state(state);
                @let is_shown = current(*page.chosen == chosen);
                li { a href={ "?" (query(&chosen)) "#jobs" } aria-current=[is_shown] { (shown(state)) " " (jobs) } }
            }
        } }
    }
}

fn pager(page: &FleetRun<'_>) -> Markup {
    let at = |side: &str, row: &JobRow| {
        let chosen = query(page.chosen);
        format!("?{chosen}&{side}={}.{}#jobs", row.place, encoded(&row.id))
    };
    html! {
        @if page.has_earlier || page.has_later {
            nav.pager aria-label="Pages of the jobs" {
                @if let (true, Some(first)) = (page.has_earlier, page.rows.first()) {
                    a href=(at("before", first)) rel="prev" { "← earlier" }
                }
                @if let (true, Some(last)) = (page.has_later, page.rows.last()) {
                    a href=(at("after", last)) rel="next" { "later →" }
                }
            }
        }
    }
}
