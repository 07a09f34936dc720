//! A kept report of checked texts, without the texts: what does not hold, with its evidence.

use maud::{Markup, html};

use super::super::frame::{PageSection, Tone, VerdictSentence};
use super::super::parts::{place, shown, sums};
use super::tone_of;
use crate::reading::check::{CheckedTexts, ClaimView, Shows};

/// Claims that are shown.
const CLAIMS_SHOWN_MAX: usize = 200;

/// Returns the verdict and the sections of a report.
pub(in crate::output::html) fn of_kept(
    report: &CheckedTexts,
) -> (VerdictSentence, Vec<PageSection>) {
    let counts = &report.counts;
    // As on the page of a check: without a claim that holds there is no good news.
    let (tone, word) = match counts.contradicted + counts.gone {
        0 if counts.holds > 0 => (Tone::Good, "Nothing is contradicted".to_owned()),
        0 => (Tone::Open, "Nothing could be decided".to_owned()),
        1 => (Tone::Bad, "One claim does not hold".to_owned()),
        many => (Tone::Bad, format!("{many} claims do not hold")),
    };
    let verdict = VerdictSentence {
        tone,
        word,
        because: format!("Claims about the code in {}.", report.documents.join(", ")),
    };
    let sections = vec![
        PageSection::of("claims", "What does not hold", claims(report)),
        PageSection::of("scope", "What was looked up", scope(report)),
    ];
    (verdict, sections)
}

fn claims(report: &CheckedTexts) -> Markup {
    let rest = report.claims.len().saturating_sub(CLAIMS_SHOWN_MAX);
    html! {
        @if report.claims.is_empty() { p.quiet { "Nothing." } }
        ul.plain { @for claim in report.claims.iter().take(CLAIMS_SHOWN_MAX) { li { (told(claim)) } } }
        @if rest > 0 { p.quiet { (rest) " more claims are in the report." } }
    }
}

fn told(claim: &ClaimView) -> Markup {
    html! {
        p {
            span.badge.(tone_of(&claim.verdict).class()) { (shown(&claim.verdict.replace('_', " "))) }
            " " span.path { (shown(&place(&claim.document, claim.line, claim.line))) }
            ": " code { (shown(&claim.text)) } " " (shown(&claim.message))
        }
        @for shows in &claim.evidence { p.quiet.small { (evidence(shows)) } }
        @if let Some(suggestion) = &claim.suggestion { p.small { "Write " code { (shown(suggestion)) } } }
    }
}

fn evidence(shows: &Shows) -> Markup {
    let line = shows.line.unwrap_or(0);
    html! {
        span.path { (shown(&place(&shows.path, line, line))) }
        @if let Some(commit) = &shows.commit { " in commit " code { (shown(commit)) } }
        @if let Some(date) = &shows.date { " of " (shown(date)) }
        @if !shows.text.is_empty() { ": " code { (shown(&shows.text)) } }
    }
}

fn scope(report: &CheckedTexts) -> Markup {
    let counts = &report.counts;
    html! {
        (sums(&[
            (counts.claims.to_string(), "claims"),
            (counts.holds.to_string(), "hold"),
            (counts.not_found.to_string(), "not seen here"),
            (counts.unknown.to_string(), "not decided"),
            (report.files_searched.to_string(), "files searched"),
        ]))
        @for limit in &report.limits { p.quiet.small { (shown(limit)) } }
    }
}
