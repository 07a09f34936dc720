//! The page of several questions: the outcome of each in one list, then each with its answer, why
//! that is enough or not, and what was read for it.

use maud::{Markup, html};

use super::{answer, leads, scope, spend, verdict, why_section, why_title};
use crate::ended::Need;
use crate::output::html::frame::{PageSection, Tone, VerdictSentence};
use crate::output::html::links::Links;
use crate::output::html::parts::shown;
use crate::reading::ask::AskView;

/// Returns the verdict over all and the sections; `needs` has the requirements of each, as far as
/// they were kept.
pub(in crate::output::html) fn of(
    mut report: AskView,
    needs: Vec<Vec<Need>>,
    links: &Links,
) -> (VerdictSentence, Vec<PageSection>) {
    // Before anything is shown, since each number is an anchor of the whole page.
    report.number_excerpts();
    let overview = overview(&report.each);
    let mut sections = vec![PageSection::of("each", "What came of each", overview)];
    for (place, one) in report.each.iter().enumerate() {
        let needs = needs.get(place).map(Vec::as_slice);
        let title = format!("{}. {}", place + 1, shown(&one.question));
        sections.push(PageSection::of(id(place), &title, body(one, needs, links)));
    }
    sections.push(PageSection::of("spend", "What it cost", spend(&report)));
    (verdict_of_all(&report), sections)
}

fn id(place: usize) -> String {
    format!("q{}", place + 1)
}

fn verdict_of_all(report: &AskView) -> VerdictSentence {
    // "No" is an answer, though what was asked about is not there.
    let is_answered =
        |one: &&AskView| one.outcome == "answered" || one.decision.as_deref() == Some("no");
    let answered = report.each.iter().filter(is_answered);
    let tone = match report.outcome.as_str() {
        "answered" => Tone::Good,
        "failed" | "conflicting" => Tone::Bad,
        _ => Tone::Open,
    };
    VerdictSentence {
        tone,
        word: format!("{} of {} are answered", answered.count(), report.each.len()),
        because: "Each has an outcome of its own.".to_owned(),
    }
}

/// Shows every question with its outcome, as a link to its section.
fn overview(each: &[AskView]) -> Markup {
    html! {
        ol.runs { @for (place, one) in each.iter().enumerate() {
            @let verdict = verdict_of_one(one);
            li.(verdict.tone.class()) {
                div.row {
                    a href={ "#" (id(place)) } { (place + 1) ". " (shown(&one.question)) }
                    span.badge.(verdict.tone.class()) { (verdict.word) }
                }
            }
        } }
    }
}

/// Returns how one ended, with the decision of a question of yes or no.
fn verdict_of_one(one: &AskView) -> VerdictSentence {
    let mut verdict = verdict(one);
    if let Some(decision) = &one.decision {
        verdict.word = format!("{}: {decision}", verdict.word);
    }
    verdict
}

fn body(one: &AskView, needs: Option<&[Need]>, links: &Links) -> Markup {
    let has_leads = !one.leads.is_empty() || !one.did_you_mean.is_empty();
    html! {
        (verdict_of_one(one).shown())
        @if !one.sections.is_empty() || one.says.is_some() { (answer::of(one, links)) }
        @if !one.findings.is_empty() { h3 { "Found on the way, no answer" } (answer::of_findings(one, links)) }
        @if one.outcome != "answered" && has_leads { h3 { "Where to look next" } (leads(one, links)) }
        details { summary { (why_title(one)) } (why_section(one, needs)) }
        details { summary { "What was not found, and where it looked" } (scope(one, links)) }
    }
}
