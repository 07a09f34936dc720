//! The way of an answer as one picture of boxes: what was required, who saw it, the excerpts, and
//! the resulting level. It is made of text, so that the picture is its own words.

use maud::{Markup, html};

use super::answer::reference;
use crate::ended::Need;
use crate::output::html::parts::{scale, shown, tone, weakest_first};
use crate::reading::ask::{AskView, EntryView};

/// Requirements that the picture has.
const NEEDS_MAX: usize = 6;
/// Excerpts that a box names.
const EXCERPTS_MAX: usize = 4;

/// Shows the picture, the weakest requirement first.
pub(super) fn of(report: &AskView, needs: &[Need]) -> Markup {
    let rest = needs.len().saturating_sub(NEEDS_MAX);
    html! {
        ol.way aria-label="The way from each requirement over tools and excerpts to its level" {
            @for need in weakest_first(needs).into_iter().take(NEEDS_MAX) { (row(report, need)) }
        }
        @if rest > 0 { p.quiet { (rest) " more requirements are below." } }
        p.sum-up { "The least of them decides: confidence " b { (shown(&report.confidence.level)) } "." }
    }
}

fn row(report: &AskView, need: &Need) -> Markup {
    let of_need: Vec<(usize, &EntryView)> = report
        .evidence
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.class == need.class && entry.target == need.target)
        .collect();
    // What rates as None was seen and is not enough: it is shown only if nothing better was.
    let (counting, idle): (Vec<_>, Vec<_>) = of_need
        .into_iter()
        .partition(|(_, entry)| entry.quality != "None");
    html! {
        li.(tone(need.is_met).class()) {
            div {
                small { "required" }
                b { (shown(&need.class)) }
                @if !need.target.is_empty() { code { (shown(&need.target)) } }
            }
            div { small { "seen by" } @if counting.is_empty() { (looked(&idle)) } @else { (tools(&counting)) } }
            div { small { "excerpts" } (excerpts(report, &counting)) }
            div.level {
                small { "level" }
                b { (shown(&need.have)) }
                (scale(need))
                span { @if need.is_met { "met" } @else { "needs " (shown(&need.need)) } }
            }
        }
    }
}

fn tools(seen: &[(usize, &EntryView)]) -> Markup {
    let mut tools: Vec<(&str, u64)> = Vec::new();
    for (_, entry) in seen {
        match tools.iter_mut().find(|(tool, _)| *tool == entry.tool) {
            // The best observation of a tool says how much it saw; the others may be of the same places.
            Some((_, places)) => *places = (*places).max(entry.match_count),
            None => tools.push((&entry.tool, entry.match_count)),
        }
    }
    html! {
        @for (tool, places) in tools { span {
            b { (shown(tool)) } " "
            span.quiet { (places) @if places == 1 { " place" } @else { " places" } }
        } }
    }
}

/// Shows the tools that looked, if nothing that they saw counts for the requirement.
fn looked(idle: &[(usize, &EntryView)]) -> Markup {
    html! {
        @if idle.is_empty() { span.quiet { "nobody" } }
        @for (_, entry) in idle { span {
            b { (shown(&entry.tool)) } " "
            span.quiet {
                @if entry.match_count == 0 { "found nothing" }
                @else { (entry.match_count) " places, none of them enough" }
            }
        } }
    }
}

fn excerpts(report: &AskView, seen: &[(usize, &EntryView)]) -> Markup {
    let is_of = |evidence: &[usize]| seen.iter().any(|(number, _)| evidence.contains(number));
    let cited: Vec<usize> = report
        .citations
        .iter()
        .enumerate()
        .filter(|(_, citation)| is_of(&citation.evidence))
        .map(|(number, _)| number)
        .collect();
    let rest = cited.len().saturating_sub(EXCERPTS_MAX);
    html! {
        @if cited.is_empty() { span.quiet { "none cited" } }
        @else { span {
            @for number in cited.into_iter().take(EXCERPTS_MAX) { (reference(report.excerpts_before + number)) " " }
            @if rest > 0 { span.quiet { "and " (rest) " more" } }
        } }
    }
}
