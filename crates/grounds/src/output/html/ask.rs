//! The page of a question: the answer, why it is enough or not, as a path from each
//! requirement over the evidence to the lines, and what was not found and where it
//! was looked for.

use maud::{Markup, html};

use super::frame::{Section, Sentence, Tone};
use super::parts::{
    code, place, sentence, sentences, shown, standing, sums, tone, weakest_first, words,
};
use crate::ended::Need;
use crate::reading::ask::{Asked, Citation, Entry, Finding};

/// Places of an entry that are named.
const SOURCES_MAX: usize = 6;
/// Leads that are shown without opening.
const LEADS_MAX: usize = 12;
/// Entries that are shown where no requirement sorts them.
const COLLECTED_MAX: usize = 50;
/// Requirements with more entries than these open to the rest.
const ENTRIES_MAX: usize = 6;

/// The verdict and the sections of a question; without requirements if they were not kept.
pub(super) fn of(report: &Asked, needs: Option<&[Need]>) -> (Sentence, Vec<Section>) {
    let section = |id, title: &str, body| Section {
        id,
        title: title.to_owned(),
        body,
    };
    let is_answered = report.outcome == "answered";
    let mut sections = Vec::new();
    if !report.sections.is_empty() || report.says.is_some() {
        sections.push(section("answer", "Answer", answer(report)));
    }
    let why = if is_answered {
        "Why this is enough"
    } else {
        "Why there is no answer"
    };
    sections.push(section("why", why, why_section(report, needs)));
    if !report.findings.is_empty() {
        sections.push(section(
            "findings",
            "Found on the way, no answer",
            findings(&report.findings),
        ));
    }
    if !is_answered && (!report.leads.is_empty() || !report.did_you_mean.is_empty()) {
        sections.push(section("leads", "Where to look next", leads(report)));
    }
    if let Some(ranking) = &report.ranking {
        sections.push(section("ranking", "Where the text points", ranked(ranking)));
    }
    sections.push(section(
        "scope",
        "What was not found, and where it looked",
        scope(report),
    ));
    sections.push(section("spend", "What it cost", spend(report)));
    (verdict(report), sections)
}

fn verdict(report: &Asked) -> Sentence {
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
    Sentence {
        tone,
        word,
        because: report.confidence.explanation.clone(),
    }
}

fn answer(report: &Asked) -> Markup {
    html! {
        @if let Some(says) = &report.says { p { (shown(says)) } }
        @for part in &report.sections {
            @if !part.title.is_empty() { h3 { (sentence(&part.title)) } }
            @if !part.text.is_empty() { p { (sentence(&part.text)) } }
            @for number in &part.citations {
                @if let Some(citation) = report.citations.get(*number) { (excerpt(citation, Some(*number))) }
            }
            @if part.more > 0 { p.quiet { "and " (part.more) " more that are not cited" } }
        }
        @if let Some(prose) = &report.prose {
            h3 { "In sentences of a model" }
            p.quiet.small { "Each sentence was checked against its citations. It decides nothing." }
            @for said in &prose.sentences {
                p { (shown(&said.text)) @for number in &said.citations { " " (reference(*number)) } }
            }
            @if prose.dropped > 0 { p.quiet { (prose.dropped) " sentences were dropped: they did not keep to their citations" } }
            @if let Some(error) = &prose.error { p.quiet { (shown(error)) } }
        }
    }
}

/// The lines themselves.
fn excerpt(citation: &Citation, number: Option<usize>) -> Markup {
    let caption = html! {
        figcaption {
            @if let Some(number) = number { b { "[" (number + 1) "]" } }
            span.path { (shown(&place(&citation.path, citation.line_start, citation.line_end))) }
            span { (sentence(&citation.what)) }
        }
    };
    let text = html! {
        @if !citation.text.is_empty() { (code(&citation.text, citation.line_start)) }
        @if citation.cut { p.quiet.small { "… it goes on" } }
    };
    match number {
        Some(number) => html! { figure id={ "c" (number + 1) } { (caption) (text) } },
        None => html! { figure { (caption) (text) } },
    }
}

fn reference(number: usize) -> Markup {
    html! { a href={ "#c" (number + 1) } aria-label={ "excerpt " (number + 1) } { "[" (number + 1) "]" } }
}

/// From each requirement over the evidence to the lines, the weakest requirement first.
fn why_section(report: &Asked, needs: Option<&[Need]>) -> Markup {
    html! {
        p { (sentence(&report.confidence.explanation)) }
        p.quiet { "Agreement: " (shown(&report.confidence.agreement)) "." }
        @match needs {
            None => (collected(report)),
            Some([]) => p.quiet { "Nothing was required: no evidence could have decided this." },
            Some(needs) => ol.tree aria-label="Requirements, the weakest first" {
                @for need in weakest_first(needs) { (requirement(report, need)) }
            },
        }
    }
}

/// All evidence, where nobody kept which was required.
fn collected(report: &Asked) -> Markup {
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

fn requirement(report: &Asked, need: &Need) -> Markup {
    let mut entries: Vec<(usize, &Entry)> = report
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
    ["None", "Weak", "Moderate", "Strong"]
        .iter()
        .position(|level| *level == quality)
        .unwrap_or(0)
}

fn entry_item(report: &Asked, number: usize, entry: &Entry) -> Markup {
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
            @if cited.is_empty() { (places(entry)) }
            @else {
                ol aria-label="Excerpts" {
                    @for number in cited {
                        @let citation = &report.citations[number];
                        li { (reference(number)) " " span.path { (shown(&place(&citation.path, citation.line_start, citation.line_end))) } " " span.quiet { (sentence(&citation.what)) } }
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

fn places(entry: &Entry) -> Markup {
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

fn findings(findings: &[Finding]) -> Markup {
    html! {
        @for finding in findings {
            @if !finding.title.is_empty() { h3 { (sentence(&finding.title)) } }
            @if !finding.text.is_empty() { p { (sentence(&finding.text)) } }
            @for citation in &finding.places { (excerpt(citation, None)) }
            @if finding.more > 0 { p.quiet { "and " (finding.more) " more" } }
        }
    }
}

fn leads(report: &Asked) -> Markup {
    let item = |lead: &crate::reading::ask::Lead| {
        html! { li { span.path { (shown(&place(&lead.path, lead.line_start, lead.line_end))) } " " span.quiet { (sentence(&lead.why)) } } }
    };
    let (first, rest) = report.leads.split_at(report.leads.len().min(LEADS_MAX));
    html! {
        p.quiet { "Leads, never evidence." }
        @if !first.is_empty() { ul.list { @for lead in first { (item(lead)) } } }
        @if !rest.is_empty() { details { summary { (rest.len()) " more" } ul.list { @for lead in rest { (item(lead)) } } } }
        @if !report.did_you_mean.is_empty() {
            h3 { "Names that are close" }
            ul.list { @for near in &report.did_you_mean { li { code { (shown(&near.name)) } " in " span.path { (shown(&place(&near.path, near.line, near.line))) } span.quiet { ", " (count(near.count)) } } } }
        }
    }
}

fn ranked(ranking: &crate::reading::ask::Ranking) -> Markup {
    html! {
        p.quiet { "The likeliest first. Ranking is no proof." }
        ol.list {
            @for file in &ranking.files {
                li {
                    span.path { (shown(&file.path)) } span.quiet { ", " (words(&file.role)) }
                    (sentences(file.why.iter().map(String::as_str)))
                    @if !file.spans.is_empty() {
                        ul.list { @for span in &file.spans { li.path { (shown(&place(&file.path, span.line_start, span.line_end))) " " (shown(&span.name)) } } }
                    }
                }
            }
        }
    }
}

fn scope(report: &Asked) -> Markup {
    let scope = &report.scope;
    let excluded = scope.excluded.as_ref();
    let excluded = excluded.and_then(|excluded| Some((excluded, excluded.filter.as_ref()?)));
    html! {
        @if report.outcome == "answered" { p { "Nothing that was required is missing." } }
        p {
            @if scope.complete { "The whole tree was read, and nothing that could matter was skipped." }
            @else { b { "Not everything that could matter was read: absence is not shown." } }
        }
        @if let Some((excluded, filter)) = excluded {
            p {
                (excluded.files) " files were not read again: by the filter "
                code { (shown(filter)) } " they have none of the texts."
            }
        }
        (sums(&[
            (scope.files_searched.to_string(), "files searched"),
            (crate::output::store::size(scope.bytes_searched), "of text"),
            (scope.skipped.iter().map(|skipped| skipped.count).sum::<u64>().to_string(), "left out"),
        ]))
        @if !scope.skipped.is_empty() {
            table.stack {
                caption { "Left out" }
                thead { tr { th scope="col" { "reason" } th scope="col" { "count" } th scope="col" { "could it matter?" } th scope="col" { "for example" } } }
                tbody { @for skipped in &scope.skipped {
                    tr { th scope="row" { (words(&skipped.reason)) } td { (skipped.count) } td { @if skipped.could_matter { "yes" } @else { "no" } } td.path { (shown(&skipped.examples.join(", "))) } }
                } }
            }
        }
        @if !scope.forms.is_empty() { p { "Looked for as: " @for form in &scope.forms { code { (shown(form)) } " " } } }
        (understood(report))
        (tried(report))
    }
}

fn understood(report: &Asked) -> Markup {
    let goal = &report.goal;
    html! {
        p {
            "Understood as: " (shown(&goal.intent))
            @for target in &goal.targets { ", " (words(&target.kind)) " " code { (shown(&target.text)) } " (" (words(&target.wanted)) ")" }
            @if !goal.within.is_empty() { ", within " (shown(&goal.within.join(", "))) }
            @if !goal.left_aside.is_empty() { "; left aside: " (shown(&goal.left_aside.join(", "))) }
            "."
        }
    }
}

/// The calls of tools, and the ways to recover that were tried.
fn tried(report: &Asked) -> Markup {
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
            ul.list { @for name in &asked.names { li { code { (shown(&name.name)) } @if name.places.is_empty() { " is defined nowhere" } @for at in &name.places { " " span.path { (shown(&place(&at.path, at.line_start, at.line_end))) } } } } }
            @if let Some(error) = &asked.error { p { (shown(error)) } }
        }
    }
}

fn spend(report: &Asked) -> Markup {
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
        @if metrics.bounds_reached.is_empty() { p.quiet { "No bound was reached." } }
        @else { p { "Bounds that were reached: " @for bound in &metrics.bounds_reached { code { (shown(bound)) } " " } } }
        (sentences(notes.map(String::as_str)))
        @if report.prose.is_none() && report.hypotheses.is_none() { p.quiet { "No model was asked." } }
    }
}
