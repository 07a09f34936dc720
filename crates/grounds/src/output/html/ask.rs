//! The page of a question: the answer, the reason why it is enough or not, as a path from each
//! requirement over the evidence to the lines, and what was not found and where it was searched.

mod answer;
mod body;
mod places;
mod searched;
pub(super) mod several;
mod way;

use maud::{Markup, html};

use super::frame::{PageSection, Tone, VerdictSentence};
use super::links::Links;
use super::parts::{place, sentence, sentences, shown, standing, sums, tone, weakest_first, words};
use crate::ended::Need;
use crate::reading::ask::{AskView, EntryView};
use answer::reference;

/// Places of an entry that are named.
const SOURCES_MAX: usize = 6;
/// Leads that are shown without opening.
const LEADS_MAX: usize = 12;
/// Entries that are shown where no requirement sorts them.
const COLLECTED_MAX: usize = 50;
/// Requirements with more entries than these open to the rest.
const ENTRIES_MAX: usize = 6;

/// Returns the verdict and the sections of a question. `needs` is `None` if the requirements were
/// not kept.
pub(super) fn of(
    report: &AskView,
    needs: Option<&[Need]>,
    links: &Links,
) -> (VerdictSentence, Vec<PageSection>) {
    let is_answered = report.outcome == "answered";
    let mut sections = Vec::new();
    if !report.sections.is_empty() || report.says.is_some() {
        sections.push(PageSection::of(
            "answer",
            "Answer",
            answer::of(report, links),
        ));
    }
    sections.push(PageSection::of(
        "why",
        why_title(report),
        why_section(report, needs),
    ));
    if !report.findings.is_empty() {
        sections.push(PageSection::of(
            "findings",
            "Found on the way, no answer",
            answer::of_findings(report, links),
        ));
    }
    // The leads of an answer are its citations once more (`leads` of the JSON), which are shown
    // above.
    if !is_answered && (!report.leads.is_empty() || !report.did_you_mean.is_empty()) {
        sections.push(PageSection::of(
            "leads",
            "Where to look next",
            leads(report, links),
        ));
    }
    if let Some(ranking) = &report.ranking {
        sections.push(PageSection::of(
            "ranking",
            "Where the text points",
            ranked(ranking, links),
        ));
    }
    sections.push(PageSection::of(
        "scope",
        "What was not found, and where it looked",
        scope(report, links),
    ));
    sections.push(PageSection::of("spend", "What it cost", spend(report)));
    (verdict(report), sections)
}

fn why_title(report: &AskView) -> &'static str {
    match report.outcome.as_str() {
        "answered" => "Why this is enough",
        _ => "Why there is no answer",
    }
}

fn verdict(report: &AskView) -> VerdictSentence {
    let (tone, word) = match (report.outcome.as_str(), report.refusal.as_deref()) {
        ("answered", _) => (
            Tone::Good,
            format!("Answered, confidence {}", report.confidence.level),
        ),
        ("failed", _) => (Tone::Bad, "Failed: absence was not shown".to_owned()),
        ("conflicting", _) => (Tone::Bad, "Conflicting evidence".to_owned()),
        ("not_checkable", _) => (Tone::Open, "Not checkable".to_owned()),
        (_, Some("not_found")) => (Tone::Open, "Not found".to_owned()),
        (_, Some("found_but_not_that")) => (Tone::Open, "Found, but not that".to_owned()),
        (_, _) => (Tone::Open, "Cannot tell".to_owned()),
    };
    VerdictSentence {
        tone,
        word,
        because: report.confidence.explanation.clone(),
    }
}

/// Shows the path from each requirement over the evidence to the lines, the weakest requirement
/// first.
fn why_section(report: &AskView, needs: Option<&[Need]>) -> Markup {
    html! {
        p { (sentence(&report.confidence.explanation)) }
        p.quiet { "Agreement: " (shown(&report.confidence.agreement)) "." }
        @match needs {
            None => (collected(report)),
            Some([]) if report.evidence.is_empty() => p.quiet {
                "Nothing was required: no evidence could have decided this."
            },
            // A claim is decided from what was collected, without a list of requirements.
            Some([]) => (collected(report)),
            Some(needs) => {
                (way::of(report, needs))
                h3 { "All evidence" }
                ol.tree aria-label="Requirements, the weakest first" {
                    @for need in weakest_first(needs) { (requirement(report, need)) }
                }
            },
        }
    }
}

/// Shows all evidence, for a run whose requirements were not kept.
fn collected(report: &AskView) -> Markup {
    let rest = report.evidence.len().saturating_sub(COLLECTED_MAX);
    html! {
        @if report.evidence.is_empty() { p.quiet { "Nothing was collected." } }
        @else { ol.plain aria-label="Evidence" {
            @for (number, entry) in report.evidence.iter().enumerate().take(COLLECTED_MAX) {
                (entry_item(report, number, entry))
            }
        } }
        @if rest > 0 { p.quiet { (rest) " more entries are in the report." } }
    }
}

fn requirement(report: &AskView, need: &Need) -> Markup {
    let mut entries: Vec<(usize, &EntryView)> = report
        .evidence
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.class == need.class && entry.target == need.target)
        .collect();
    entries.sort_by_key(|(_, entry)| std::cmp::Reverse(rank(&entry.quality)));
    let (first, rest) = entries.split_at(entries.len().min(ENTRIES_MAX));
    html! {
        li.(tone(need.is_met).class()) {
            div.row {
                h3 { (shown(&need.class)) @if !need.target.is_empty() { " for " code { (shown(&need.target)) } } }
                (standing(need))
            }
            @if entries.is_empty() { p.quiet { "Nothing was collected." } }
            @else { ol aria-label="Evidence, the best first" { @for (number, entry) in first { (entry_item(report, *number, entry)) } } }
            @if !rest.is_empty() {
                details {
                    summary { (rest.len()) " more entries" }
                    ol { @for (number, entry) in rest { (entry_item(report, *number, entry)) } }
                }
            }
        }
    }
}

fn rank(quality: &str) -> usize {
    // One observation is never Verified.
    ["None", "Weak", "Moderate", "Strong"]
        .iter()
        .position(|level| *level == quality)
        .unwrap_or(0)
}

fn entry_item(report: &AskView, number: usize, entry: &EntryView) -> Markup {
    let cited: Vec<usize> = report
        .citations
        .iter()
        .enumerate()
        .filter(|(_, citation)| citation.evidence.contains(&number))
        .map(|(place, _)| place)
        .collect();
    html! {
        li {
            div {
                b { (shown(&entry.tool)) } " saw " (words(&entry.r#match)) " (" (words(&entry.relation)) ") of " code { (shown(&entry.query)) }
                ": " b { (shown(&entry.quality)) } span.quiet { ", " (count(entry.match_count)) ", strength " (shown(&entry.strength)) ", family " (shown(&entry.family)) }
            }
            @if cited.is_empty() { (places_of(entry)) }
            @else {
                ol aria-label="Excerpts" {
                    @for number in cited {
                        @let citation = &report.citations[number];
                        li { (reference(report.excerpts_before + number)) " " span.path { (shown(&place(&citation.path, citation.line_start, citation.line_end))) } " " span.quiet { (sentence(&citation.what)) } }
                    }
                }
            }
        }
    }
}

fn count(matches: u64) -> String {
    if matches == 1 {
        "1 place".to_owned()
    } else {
        format!("{matches} places")
    }
}

fn places_of(entry: &EntryView) -> Markup {
    let rest = entry.sources.len().saturating_sub(SOURCES_MAX);
    html! {
        @if !entry.sources.is_empty() {
            ol aria-label="Places" {
                @for source in entry.sources.iter().take(SOURCES_MAX) { li.path { (shown(&place(&source.path, source.line_start, source.line_end))) } }
                @if rest > 0 { li.quiet { "and " (rest) " more" } }
            }
        }
    }
}

fn leads(report: &AskView, links: &Links) -> Markup {
    let item = |lead: &crate::reading::ask::Lead| {
        let place = links.place(&lead.path, lead.line_start, lead.line_end);
        html! { li { (place) " " span.quiet { (sentence(&lead.why)) } } }
    };
    let (first, rest) = report.leads.split_at(report.leads.len().min(LEADS_MAX));
    html! {
        p.quiet { "Leads, never evidence." }
        @if !first.is_empty() { ul.list { @for lead in first { (item(lead)) } } }
        @if !rest.is_empty() { details { summary { (rest.len()) " more" } ul.list { @for lead in rest { (item(lead)) } } } }
        @if !report.did_you_mean.is_empty() {
            h3 { "Names that are close" }
            ul.list { @for near in &report.did_you_mean { li { code { (shown(&near.name)) } " in " (links.place(&near.path, near.line, near.line)) span.quiet { ", " (count(near.count)) } } } }
        }
    }
}

fn ranked(ranking: &crate::reading::ask::RankingView, links: &Links) -> Markup {
    html! {
        p.quiet { "The likeliest first. A ranking is not a proof." }
        ol.list {
            @for file in &ranking.files {
                li {
                    (links.place(&file.path, 0, 0)) span.quiet { ", " (words(&file.role)) }
                    (sentences(file.why.iter().map(String::as_str)))
                    @if !file.spans.is_empty() {
                        ul.list { @for span in &file.spans { li { (links.place(&file.path, span.line_start, span.line_end)) " " span.path { (shown(&span.name)) } } } }
                    }
                }
            }
        }
    }
}

fn scope(report: &AskView, links: &Links) -> Markup {
    html! {
        @if report.outcome == "answered" { p { "Nothing that was required is missing." } }
        (searched::of(report))
        @if !report.scope.forms.is_empty() { p { "Looked for as: " @for form in &report.scope.forms { code { (shown(form)) } " " } } }
        (understood(report))
        (tried(report, links))
    }
}

fn understood(report: &AskView) -> Markup {
    let goal = &report.goal;
    html! {
        p {
            "Understood as: " (shown(&goal.intent))
            @for target in &goal.targets { ", " (words(&target.kind)) " " code { (shown(&target.text)) } " (" (words(&target.wanted)) ")" }
            @if !goal.within.is_empty() { ", within " (shown(&goal.within.join(", "))) }
            @if !goal.left_aside.is_empty() { "; not looked for: " (shown(&goal.left_aside.join(", "))) }
            "."
        }
    }
}

/// Shows the calls of tools, and the ways to recover that were tried.
fn tried(report: &AskView, links: &Links) -> Markup {
    html! {
        @if !report.steps.is_empty() {
            h3 { "Steps" }
            ol.list { @for step in &report.steps {
                li { b { (shown(&step.tool)) } @if !step.target.is_empty() { " for " code { (shown(&step.target)) } } @if let Some(error) = &step.error { ": " b { (shown(error)) } } }
            } }
        }
        @if !report.recovery.is_empty() {
            h3 { "Ways to recover" }
            ul.list { @for way in &report.recovery { li { (words(&way.way)) ": " (count(way.found)) " found, " (way.closed) " requirements closed" } } }
        }
        @if let Some(asked) = &report.hypotheses {
            h3 { "Names that a model proposed" }
            ul.list { @for name in &asked.names { li { code { (shown(&name.name)) } @if name.places.is_empty() { " is defined nowhere" } @for at in &name.places { " " (links.place(&at.path, at.line_start, at.line_end)) } } } }
            @if let Some(error) = &asked.error { p { (shown(error)) } }
        }
    }
}

fn spend(report: &AskView) -> Markup {
    let metrics = &report.metrics;
    let notes = report
        .prose
        .iter()
        .flat_map(|prose| &prose.notes)
        .chain(report.hypotheses.iter().flat_map(|asked| &asked.notes));
    html! {
        (sums(&[
            (metrics.steps.to_string(), "calls of tools"),
            (format!("{} ms", metrics.elapsed_ms), "of time"),
            (report.evidence.len().to_string(), "pieces of evidence"),
        ]))
        (sentences(notes.map(String::as_str)))
        @if report.prose.is_none() && report.hypotheses.is_none() { p.quiet { "No model was asked." } }
    }
}
