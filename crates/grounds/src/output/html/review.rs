//! The page of a review: the findings, those that block first, each from the gate over its
//! producers to the words of the file; what was dropped, silenced and not judged, and where it was
//! searched.

mod diff;

use maud::{Markup, html};

use super::bar::{self, BarPart};
use super::frame::{PageSection, Tone, VerdictSentence};
use super::links::Links;
use super::parts::{code, place, sentences, shown, sums, words};
use crate::ended::FindingHunk;
use crate::reading::review::{CoverageView, FileView, FindingView, ReviewView, SideView};

/// Billionths of a dollar in a ten-thousandth of it.
const NANO_OF_TENTHS: u64 = 100_000;

/// Returns the verdict and the sections of a review.
pub(super) fn of(
    report: &ReviewView,
    hunks: &[FindingHunk],
    links: &Links,
) -> (VerdictSentence, Vec<PageSection>) {
    let mut sections = vec![PageSection::of(
        "findings",
        "Findings",
        findings(report, hunks, links),
    )];
    if !report.failures.is_empty() {
        sections.push(PageSection::of("failures", "What failed", failures(report)));
    }
    sections.push(PageSection::of(
        "scope",
        "What was not found, and where it looked",
        scope(report),
    ));
    if !(report.dropped.is_empty() && report.suppressed.is_empty() && report.resolved.is_empty()) {
        sections.push(PageSection::of(
            "dropped",
            "Dropped, silenced, gone",
            dropped(report),
        ));
    }
    sections.push(PageSection::of("spend", "What it cost", spend(report)));
    (verdict(report), sections)
}

fn verdict(report: &ReviewView) -> VerdictSentence {
    let blocking = report
        .findings
        .iter()
        .filter(|finding| finding.standing == "blocks")
        .count();
    let (tone, word) = match report.outcome.as_str() {
        "passes" => (
            Tone::Good,
            "Passes: nothing at or above the gate".to_owned(),
        ),
        "blocks" => (
            Tone::Bad,
            format!(
                "Blocks: {blocking} {} at or above the gate",
                if blocking == 1 { "finding" } else { "findings" }
            ),
        ),
        _ => (Tone::Bad, "Failed: nothing is said of the whole".to_owned()),
    };
    let coverage = &report.coverage;
    let judges = match (&report.model, &report.no_model) {
        (Some(model), _) => format!("rules and the model {model}"),
        (None, Some(why)) => format!("rules alone ({why})"),
        (None, None) => "rules alone".to_owned(),
    };
    let judged = coverage.reviewed + coverage.rules_only;
    let because = format!(
        "Judged by {judges}: {judged} of {} changed lines, {} to {}.",
        coverage.changed,
        side(&report.base),
        side(&report.head)
    );
    VerdictSentence {
        tone,
        word,
        because,
    }
}

fn side(side: &SideView) -> String {
    match &side.commit {
        Some(commit) => commit.chars().take(12).collect(),
        None => format!("the {}", words(&side.kind)),
    }
}

fn findings(report: &ReviewView, hunks: &[FindingHunk], links: &Links) -> Markup {
    let rank = |finding: &FindingView| {
        let standing = ["blocks", "known", "below_severity", "below_quality"]
            .iter()
            .position(|word| *word == finding.standing);
        let severity = ["critical", "major", "minor", "info"]
            .iter()
            .position(|word| *word == finding.severity);
        // A word that this program does not know comes last.
        (standing.unwrap_or(4), severity.unwrap_or(4))
    };
    let mut sorted: Vec<&FindingView> = report.findings.iter().collect();
    sorted.sort_by_key(|finding| rank(finding));
    html! {
        p { "The gate: a finding blocks from quality " b { (shown(&report.gate.min_quality)) } " and severity " b { (shown(&report.gate.severity)) } " on." }
        @if sorted.is_empty() { p { "Nothing was found." } }
        @else { ol.tree aria-label="Findings, those that block first" { @for finding in sorted { (finding_item(finding, hunks, links)) } } }
    }
}

fn tone_of(standing: &str) -> Tone {
    if standing == "blocks" {
        Tone::Bad
    } else {
        Tone::Open
    }
}

fn finding_item(finding: &FindingView, hunks: &[FindingHunk], links: &Links) -> Markup {
    let tone = tone_of(&finding.standing).class();
    let hunk = hunks.iter().find(|hunk| hunk.finding == finding.id);
    let (first, last) = lines(finding);
    html! {
        li.(tone) {
            div.row {
                h3 { (shown(&finding.title)) }
                span.badge.(tone) { (shown(&finding.severity)) }
                span.small { "quality " b { (shown(&finding.quality)) } ", " (words(&finding.standing)) }
            }
            div.beside[hunk.is_some()] {
                div { (told(finding, links)) }
                @match (hunk, &finding.quote) {
                    (Some(hunk), _) => (diff::of(hunk, first, last)),
                    // For example in a run of a fleet, which keeps no lines of the diff.
                    (None, Some(quote)) => (code(quote, first)),
                    (None, None) => p.quiet { "it quotes nothing" },
                }
            }
        }
    }
}

/// Returns the lines of a finding; 0 if it belongs to no line.
fn lines(finding: &FindingView) -> (u32, u32) {
    let line = |line: Option<u32>| line.unwrap_or(0);
    (line(finding.line_start), line(finding.line_end))
}

/// Shows where a finding is, what it says, and who found it.
fn told(finding: &FindingView, links: &Links) -> Markup {
    let (first, last) = lines(finding);
    html! {
        p.small { (links.place(&finding.path, first, last)) @if !finding.symbol.is_empty() { " in " code { (shown(&finding.symbol)) } } }
        @for line in finding.message.lines() { p { (shown(line)) } }
        p { "found by " @for (number, producer) in finding.producers.iter().enumerate() { @if number > 0 { ", " } (words(&producer.kind)) " " b { (shown(&producer.name)) } } }
        @if finding.baseline != "new" { p.quiet { (words(&finding.baseline)) @if let Some(why) = &finding.dismissed { ": " (shown(why)) } } }
        (sentences(finding.notes.iter().map(String::as_str)))
    }
}

fn failures(report: &ReviewView) -> Markup {
    html! {
        ul.plain { @for failure in &report.failures {
            li { b { (shown(&failure.part)) } ": " (shown(&failure.what)) @if !failure.advice.is_empty() { p.quiet { "try: " (shown(&failure.advice)) } } }
        } }
    }
}

fn scope(report: &ReviewView) -> Markup {
    let coverage = &report.coverage;
    html! {
        p { b { (coverage.changed) } " changed lines:" }
        (bar::of(&parts(coverage)))
        p { (report.rules.rules) " rules looked at " (report.rules.lines_judged) " of " (report.rules.lines) " added lines in " (report.rules.files_judged) " of " (report.rules.files) " files." }
        (files(&report.files))
        @if !report.rules.not_judged.is_empty() {
            h3 { "What rules could not judge" }
            ul.list { @for open in &report.rules.not_judged { li { span.path { (shown(&open.path)) } @if let Some(rule) = &open.rule { " by " code { (shown(rule)) } } ": " (shown(&open.reason)) ", " (open.lines) " lines" } } }
        }
        @if !report.gap.is_empty() {
            h3 { "Names that the model could not be shown" }
            ul.list { @for name in &report.gap { li { code { (shown(&name.name)) } " used at " span.path { (shown(&name.used_at)) } ": " (shown(&name.why)) } } }
        }
        (follow_up(report))
        (sentences(report.notes.iter().map(String::as_str)))
    }
}

/// Returns the changed lines by who judged them, and those that nobody did.
fn parts(coverage: &CoverageView) -> Vec<BarPart> {
    let states = [
        (coverage.reviewed, "by rules and a model", "read"),
        (coverage.rules_only, "by rules alone", "passed"),
        (
            coverage.clipped,
            "not judged by a model: no room in a call",
            "aside",
        ),
        (coverage.skipped, "not judged by a model: skipped", "aside"),
        (coverage.failed, "not judged by a model: it failed", "lost"),
    ];
    let named = |(count, name, class): (u64, &str, &'static str)| BarPart {
        count,
        name: name.to_owned(),
        class,
    };
    states.map(named).into()
}

fn files(files: &[FileView]) -> Markup {
    let state = |file: &FileView| match (&file.skipped, file.lines.is_empty()) {
        (Some(why), _) => format!("skipped: {}", words(why)),
        (None, true) => "no lines".to_owned(),
        (None, false) => {
            let mut states: Vec<String> = file
                .lines
                .iter()
                .map(|lines| format!("{}{}", words(&lines.state), because(lines.why.as_deref())))
                .collect();
            // Ranges that follow each other often have the same state.
            states.dedup();
            states.join("; ")
        }
    };
    html! {
        table.stack {
            caption { "Changed files" }
            thead { tr { th scope="col" { "file" } th scope="col" { "change" } th scope="col" { "lines" } th scope="col" { "judged" } } }
            tbody { @for file in files { tr {
                th.path scope="row" { (shown(&file.path)) } td { (words(&file.change)) }
                td { "+" (file.lines.iter().map(|lines| u64::from(lines.added)).sum::<u64>()) " −" (file.lines.iter().map(|lines| u64::from(lines.removed)).sum::<u64>()) }
                td { (shown(&state(file))) }
            } } }
        }
    }
}

fn because(why: Option<&str>) -> String {
    why.map(|why| format!(" ({})", words(why)))
        .unwrap_or_default()
}

fn follow_up(report: &ReviewView) -> Markup {
    let follow_up = &report.follow_up;
    html! {
        @if !follow_up.requests.is_empty() {
            h3 { "What the model asked to see" }
            ul.list { @for request in &follow_up.requests { li { (shown(&request.asked)) ": " (shown(&request.reason)) " " b { (words(&request.fate)) } @if let Some(why) = &request.why { ": " (shown(why)) } } } }
        } @else if let Some(off) = follow_up.off.as_ref().filter(|_| report.model.is_some()) { p.quiet { "It could ask for nothing more: " (shown(off)) "." } }
    }
}

fn dropped(report: &ReviewView) -> Markup {
    html! {
        @if !report.dropped.is_empty() {
            h3 { "Dropped, each with its reason" }
            ul.list { @for one in &report.dropped { li { span.path { (shown(&place(&one.path, one.line.unwrap_or(0), 0))) } " " (shown(&one.title)) ": " (shown(&one.why)) } } }
        }
        @if !report.suppressed.is_empty() {
            h3 { "Silenced by a person" }
            ul.list { @for one in &report.suppressed { li {
                span.path { (shown(&place(&one.path, one.line_start.unwrap_or(0), 0))) } " " (shown(&one.title))
                @if let Some(rule) = &one.rule { " (" (shown(rule)) ")" } ", by " (words(&one.by)) @if let Some(reason) = &one.reason { ": " (shown(reason)) }
            } } }
        }
        @if !report.resolved.is_empty() {
            h3 { "Gone since the last review" }
            ul.list { @for one in &report.resolved { li { span.path { (shown(&one.path)) } " " (shown(&one.title)) } } }
        }
    }
}

fn spend(report: &ReviewView) -> Markup {
    let spend = &report.spend;
    let dollars = spend.cost_nano_usd.map(|nano| {
        format!(
            "${}.{:04}",
            nano / 1_000_000_000,
            nano % 1_000_000_000 / NANO_OF_TENTHS
        )
    });
    html! {
        (sums(&[
            (spend.requests.to_string(), "requests to a model"),
            (spend.prompt_tokens.to_string(), "tokens of prompts"),
            (spend.output_tokens.to_string(), "tokens of answers"),
            (dollars.unwrap_or_else(|| "unknown".to_owned()), "billed"),
        ]))
        @if report.bounds.is_empty() { p.quiet { "No bound was reached." } }
        @else { ul.list { @for bound in &report.bounds { li { code { (shown(&bound.name)) } " = " (bound.value) ": " (shown(&bound.cut)) } } } }
        @if !report.calls.is_empty() {
            details {
                summary { (report.calls.len()) " calls" }
                ul.list { @for call in &report.calls { li { code { (shown(&call.id)) } " " span.path { (shown(&call.paths.join(", "))) } ": " (call.prompt_tokens) " tokens shown, " (call.tokens) " billed" @if call.was_stored { ", answered from what was stored" } ", " (call.findings) " findings" } } }
            }
        }
        @if spend.from_cache + spend.from_replay > 0 { p { (spend.from_cache + spend.from_replay) " calls were answered from what was stored." } }
    }
}
