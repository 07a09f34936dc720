//! Parts that the served pages of a fleet share: states as a bar and as words, counts, budgets,
//! moments.

use std::borrow::Cow;
use std::collections::BTreeMap;

use grounds_fleet::ledger::{Attempts, JobRow};
use maud::{Markup, html};

use super::tone;
use crate::output::fleet::BudgetReport;
use crate::output::html::parts::{encoded, shown};
use crate::output::store::moment;

/// Letters of a text that is one of many on a page.
const LETTERS_MAX: usize = 300;
/// Names that are counted in one line.
const COUNTED_MAX: usize = 12;
/// States in the order of a bar.
const STATES: [&str; 6] = ["done", "leased", "queued", "held", "dead", "cancelled"];
/// The width of a bar in its own unit.
const BAR_WIDTH: f64 = 1_000.0;

/// Returns the beginning of a text, so that no page grows with it.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LETTERS_MAX) {
        Some((end, _)) => Cow::Owned(format!("{} …", shown(&text[..end]))),
        None => shown(text),
    }
}

/// Returns a run as a part of an address; `None` for a name that browsers take for a way up.
pub(super) fn segment(name: &str) -> Option<String> {
    (!matches!(name, "" | "." | "..")).then(|| encoded(name))
}

/// Shows jobs by state: a bar to look at, and the same in words.
pub(super) fn states(jobs: &BTreeMap<String, u64>) -> Markup {
    let all: u64 = jobs.values().sum();
    let count = |state: &str| jobs.get(state).copied().unwrap_or(0);
    let mut at = 0.0;
    // A state that this program does not know has no colour; the words below name it.
    let parts: Vec<(&str, f64, f64)> = STATES
        .into_iter()
        .filter(|state| count(state) > 0)
        .map(|state| {
            let (start, width) = (at, share(count(state), all));
            at += width;
            (state, start, width)
        })
        .collect();
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
            @for (state, start, width) in &parts { rect.(state) x=(start) y="0" width=(width) height="10" {} }
        }
        ul.states {
            @for (state, count) in ordered(jobs) { li { i.(class(state)) {} (shown(state)) " " b { (count) } } }
        }
    }
}

/// Returns states in the order of a bar, then those that this program does not know.
pub(super) fn ordered(jobs: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    let known = STATES
        .into_iter()
        .filter_map(|state| Some((state, *jobs.get(state)?)));
    let others = jobs
        .iter()
        .map(|(state, count)| (state.as_str(), *count))
        .filter(|(state, _)| !STATES.contains(state))
        .take(COUNTED_MAX);
    known.chain(others).collect()
}

fn class(state: &str) -> &'static str {
    let known = STATES.into_iter().find(|known| *known == state);
    known.unwrap_or("cancelled")
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a bar on a screen has fewer points than a float has digits"
)]
fn share(part: u64, all: u64) -> f64 {
    (part as f64 / all.max(1) as f64 * BAR_WIDTH).round()
}

/// Returns names with how often they occur, the most frequent first.
pub(super) fn counted(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let rest = sorted.len().saturating_sub(COUNTED_MAX);
    let mut words: Vec<String> = sorted
        .into_iter()
        .take(COUNTED_MAX)
        .map(|(name, count)| format!("{count} {}", cut(&name.replace('_', " "))))
        .collect();
    if rest > 0 {
        words.push(format!("{rest} more reasons"));
    }
    words.join(", ")
}

/// Returns what is spent of what may be.
pub(super) fn budget(budget: &BudgetReport) -> String {
    let amount = |amount: u64| match budget.unit.as_str() {
        "micro_usd" => format!("{}.{:02}", amount / 1_000_000, amount % 1_000_000 / 10_000),
        _ => amount.to_string(),
    };
    let unit = match budget.unit.as_str() {
        "micro_usd" => Cow::Borrowed("US dollars"),
        unit => cut(unit),
    };
    match budget.most {
        Some(most) => format!("{} of {} {unit}", amount(budget.used), amount(most)),
        None => format!("{} {unit}, no limit", amount(budget.used)),
    }
}

/// Returns milliseconds as people say them.
pub(super) fn duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 => format!("{ms} ms"),
        1..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Returns how a job ended, else its state with the reason.
pub(super) fn word(row: &JobRow) -> String {
    match (row.state.as_str(), row.word.as_str()) {
        ("done", word) => word.to_owned(),
        (state, "") => state.to_owned(),
        (state, reason) => format!("{state}: {reason}"),
    }
}

/// Shows a job of a list, with the link to its page.
pub(super) fn row(run: &str, row: &JobRow) -> Markup {
    let verdict = (row.state == "done").then_some(row.word.as_str());
    html! {
        div.row {
            a href={ (run) "/" (encoded(&row.id)) } {
                @if !row.repository.is_empty() { (cut(&row.repository)) ": " }
                (cut(&row.topic))
            }
            span.badge.(tone(&row.state, verdict).class()) { (cut(&word(row).replace('_', " "))) }
        }
        div.quiet.small {
            (cut(&row.kind))
            @if !row.name.is_empty() { " " (cut(&row.name)) }
            @if let Some(done_ms) = row.done_ms { ", " (moment(done_ms)) }
            @if let Some(took_ms) = row.took_ms { ", took " (duration(took_ms)) }
        }
    }
}

/// Shows failed attempts, the newest first.
pub(super) fn attempts(attempts: &Attempts) -> Markup {
    let rest = attempts.count.saturating_sub(attempts.last.len() as u64);
    html! {
        ul.plain { @for attempt in &attempts.last { li {
            p.small {
                b { (cut(&attempt.reason.replace('_', " "))) }
                span.quiet {
                    ", attempt " (attempt.lease) ", " (moment(attempt.at_ms)) ", by "
                    span.path { (cut(&attempt.worker)) }
                }
            }
            @if !attempt.detail.is_empty() { pre.text { (shown(&attempt.detail)) } }
        } } }
        @if rest > 0 { p.quiet.small { (rest) " earlier attempts are not shown here." } }
    }
}
