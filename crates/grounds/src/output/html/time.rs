//! The time of a claim as a line: the dates of its sources, the time that it speaks of, and the day
//! as of which it was decided. The line is only for the eye; the list below it says the same.

use std::collections::BTreeMap;

use jiff::civil::Date;
use maud::{Markup, html};

use crate::reading::verify::{Hit, Verified};

/// The width of the line in its own unit.
const WIDTH: f64 = 1_000.0;
/// The width of a mark.
const MARK: f64 = 8.0;
/// Days with sources that the list has.
const DAYS_MAX: usize = 20;
/// Letters of a moment that are its day: `2026-11-21`.
const DAY_LETTERS: usize = 10;

/// The line from one day to another.
struct TimeLine {
    from: Date,
    to: Date,
}

/// Shows the line of a claim; nothing if no source has a date.
pub(super) fn of_claim(report: &Verified) -> Markup {
    let dated: Vec<(Date, &Hit)> = report
        .evidence
        .iter()
        .filter_map(|hit| Some((day(hit.pub_date.as_deref()?)?, hit)))
        .collect();
    let now = day(&report.as_of);
    let (start, end) = report.timeframe.as_ref().map_or((None, None), |time| {
        (
            time.start.as_deref().and_then(day),
            time.end.as_deref().and_then(day),
        )
    });
    let days = || {
        dated
            .iter()
            .map(|(day, _)| *day)
            .chain(now)
            .chain(start)
            .chain(end)
    };
    // The time of the claim and the day of the decision alone would draw a line without a source.
    let (Some(from), Some(to), false) = (days().min(), days().max(), dated.is_empty()) else {
        return html! {};
    };
    let line = TimeLine { from, to };
    let undated = report.evidence.len() - dated.len();
    html! {
        figure.time {
            figcaption {
                "When the sources are from. The upright line is the day as of which it was decided"
                @if (start, end) != (None, None) { ", the band is the time of the claim" } "."
            }
            (drawn(&line, &dated, now, (start, end)))
            (listed(&dated, (start, end)))
            @if undated > 0 { p.quiet.small { (undated) " hits are of pages without a date." } }
        }
    }
}

/// Returns the day of a date or a moment.
fn day(text: &str) -> Option<Date> {
    text.get(..DAY_LETTERS)?.parse().ok()
}

fn drawn(
    line: &TimeLine,
    dated: &[(Date, &Hit)],
    now: Option<Date>,
    frame: (Option<Date>, Option<Date>),
) -> Markup {
    let is_framed = frame != (None, None);
    // A time that is open on one side reaches to that end of the line.
    let start = frame.0.map_or(0.0, |day| line.at(day));
    let end = frame.1.map_or(WIDTH, |day| line.at(day)).max(start);
    html! {
        svg.line viewBox="-10 0 1020 30" preserveAspectRatio="none" aria-hidden="true" {
            rect.track x="0" y="14" width="1000" height="2" {}
            @if is_framed { rect.span x=(start) y="4" width=((end - start).max(MARK)) height="22" {} }
            @for (day, hit) in dated {
                rect.(class(hit)) x=(line.at(*day) - MARK / 2.0) y="7" width=(MARK) height="16" {}
            }
            @if let Some(now) = now { rect.now x=(line.at(now)) y="0" width="2" height="30" {} }
        }
        div.ends { span { (line.from) } span { (line.to) } }
    }
}

impl TimeLine {
    /// Returns the place of a day on the line.
    #[expect(
        clippy::cast_precision_loss,
        reason = "days of ten thousand years have fewer digits than a float"
    )]
    fn at(&self, day: Date) -> f64 {
        let days = |date: Date| date.duration_since(self.from).as_hours() / 24;
        // A line of a single day has no length to divide by.
        (days(day) as f64 / days(self.to).max(1) as f64 * WIDTH).round()
    }
}

/// Returns the class of a source: its side if it counts.
fn class(hit: &Hit) -> &'static str {
    match hit.side.as_deref() {
        Some("support") if hit.is_counted => "good",
        Some("refute") if hit.is_counted => "bad",
        _ => "aside",
    }
}

fn listed(dated: &[(Date, &Hit)], frame: (Option<Date>, Option<Date>)) -> Markup {
    let mut days: BTreeMap<(Date, &'static str), usize> = BTreeMap::new();
    for (day, hit) in dated {
        *days.entry((*day, class(hit))).or_default() += 1;
    }
    let rest = days.len().saturating_sub(DAYS_MAX);
    html! {
        ul.states { @for ((day, class), count) in days.iter().take(DAYS_MAX) {
            li { i.(class) {} (day) ": " b { (count) } " " (side(class)) (beyond(*day, frame)) }
        } }
        @if rest > 0 { p.quiet.small { (rest) " more days are in the report." } }
    }
}

fn side(class: &str) -> &'static str {
    match class {
        "good" => "for the claim",
        "bad" => "against it",
        _ => "not counted",
    }
}

fn beyond(day: Date, (start, end): (Option<Date>, Option<Date>)) -> &'static str {
    if start.is_some_and(|start| day < start) {
        ", before its time"
    } else if end.is_some_and(|end| day > end) {
        ", after its time"
    } else {
        ""
    }
}
