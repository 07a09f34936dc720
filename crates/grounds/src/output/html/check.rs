//! The page of checked texts: each text with its claims in the colour of their verdicts, and the
//! evidence of a claim beside it.

use grounds_check::CheckedDocument;
use maud::{Markup, html};

#[cfg(all(feature = "fleet", feature = "serve"))]
pub(super) use self::kept::of_kept;
use super::frame::{Policy, Tone, document};
use super::links::Links;
use super::parts::shown;
use crate::output::check::{CheckReport, ClaimEntry, EvidenceEntry};

#[cfg(all(feature = "fleet", feature = "serve"))]
mod kept;

/// Bytes of one text that are shown; the rest is left out and the page says so.
const TEXT_BYTES_MAX: usize = 1 << 20;
/// Claims of one text that are marked.
const CLAIMS_MAX: usize = 5_000;

/// Returns the page of a report with every claim.
pub fn of_check(documents: &[CheckedDocument], report: &CheckReport, links: &Links) -> String {
    let accused = report.counts.contradicted + report.counts.gone;
    // Claims that could all not be decided are no good news, although none is contradicted.
    let (tone, word) = match accused {
        0 if report.counts.holds > 0 => (Tone::Good, "Nothing is contradicted".to_owned()),
        0 => (Tone::Open, "Nothing could be decided".to_owned()),
        count => (Tone::Bad, format!("{count} claims do not hold")),
    };
    let head = html! {
        p.kind { span { "grounds check: texts about a codebase" } }
        h1 { (shown(&report.documents.join(", "))) }
        p.verdict.(tone.class()) {
            b { (word) }
            span.why { (shown(&report.summary())) }
        }
        @for limit in &report.limits { p.quiet.small { (shown(limit)) } }
    };
    let body = html! {
        nav.toc aria-label="On this page" {
            ol { @for (number, document) in documents.iter().enumerate() {
                li { a href={ "#t" (number) } { (shown(&document.name)) } }
            } }
        }
        main #main tabindex="-1" {
            @for (number, document) in documents.iter().enumerate() {
                section aria-labelledby={ "t" (number) } {
                    h2 #{ "t" (number) } { (shown(&document.name)) }
                    (page_of(number, document, report, links))
                }
            }
        }
    };
    document(&word, Policy::Alone, &head, &body).into_string()
}

/// Shows one text with its marks, and what does not hold in it.
fn page_of(
    number: usize,
    document: &CheckedDocument,
    report: &CheckReport,
    links: &Links,
) -> Markup {
    let claims: Vec<&ClaimEntry> = report
        .claims
        .iter()
        .filter(|claim| claim.document == document.name && claim.verdict != "no_claim")
        .take(CLAIMS_MAX)
        .collect();
    let is_cut = document.text.len() > TEXT_BYTES_MAX;
    html! {
        @if claims.is_empty() { p { "This text makes no claim about the code." } }
        ul.plain {
            // Counted before the filter: the place is the anchor to which the mark in the text
            // leads.
            @for (place, claim) in claims.iter().enumerate().filter(|(_, claim)| is_bad(claim)) {
                li #{ "c" (number) "-" (place) } { (told(claim, links)) }
            }
        }
        pre.text { (marked(number, document, &claims)) }
        @if is_cut { p.quiet { "The rest of the text is left out here." } }
        @if claims.len() == CLAIMS_MAX { p.quiet { "Only the first " (CLAIMS_MAX) " claims are marked." } }
    }
}

fn is_bad(claim: &ClaimEntry) -> bool {
    matches!(claim.verdict, "contradicted" | "gone")
}

/// Shows a claim with its verdict and its evidence.
fn told(claim: &ClaimEntry, links: &Links) -> Markup {
    html! {
        p {
            span.badge.(tone(claim).class()) {
                @if claim.is_note { "note: " }
                (claim.verdict.replace('_', " "))
            }
            " line " (claim.line) ": " code { (shown(&claim.text)) } " " (shown(&claim.message))
        }
        @for evidence in &claim.evidence { p.quiet.small { (shows(evidence, links)) } }
        @if let Some(suggestion) = &claim.suggestion { p.small { "Write " code { (shown(suggestion)) } } }
    }
}

/// Shows a piece of evidence, with a link to its place in the tree.
fn shows(evidence: &EvidenceEntry, links: &Links) -> Markup {
    let line = evidence.line.unwrap_or(0);
    match (&evidence.commit, evidence.text.as_str()) {
        (Some(_), _) => html! { (shown(&evidence.words())) },
        (None, "") => links.place(&evidence.path, line, line),
        (None, text) => html! { (links.place(&evidence.path, line, line)) ": " (shown(text)) },
    }
}

fn tone(claim: &ClaimEntry) -> Tone {
    tone_of(claim.verdict)
}

fn tone_of(verdict: &str) -> Tone {
    match verdict {
        "holds" => Tone::Good,
        "contradicted" | "gone" => Tone::Bad,
        _ => Tone::Open,
    }
}

/// Shows the text, its claims in colour. If two claims overlap, the worse one counts; of equal ones
/// the first.
fn marked(number: usize, document: &CheckedDocument, claims: &[&ClaimEntry]) -> Markup {
    let end = document
        .text
        .floor_char_boundary(TEXT_BYTES_MAX.min(document.text.len()));
    let text = &document.text[..end];
    let mut pieces: Vec<(&str, Option<usize>)> = Vec::new();
    let mut at = 0;
    // `without_overlap` leaves out claims beyond the end, so that every range is within the text.
    for (start, stop, place) in without_overlap(text, claims) {
        pieces.push((&text[at..start], None));
        pieces.push((&text[start..stop], Some(place)));
        at = stop;
    }
    pieces.push((&text[at..], None));
    html! {
        @for (piece, place) in pieces {
            @match place.map(|place| (place, claims[place])) {
                None => (shown(piece)),
                Some((place, claim)) if is_bad(claim) => {
                    a.mark.bad href={ "#c" (number) "-" (place) } title=(shown(&claim.message)) { (shown(piece)) }
                },
                Some((_, claim)) => {
                    span.mark.(tone(claim).class()) title=(shown(&beside(claim))) { (shown(piece)) }
                },
            }
        }
    }
}

/// Returns the start, the end and the index of each claim that is shown. The worst claims take
/// their place first.
fn without_overlap(text: &str, claims: &[&ClaimEntry]) -> Vec<(usize, usize, usize)> {
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by_key(|place| {
        let claim = claims[*place];
        // A statement is a whole sentence, and would cover the names in it.
        (!is_bad(claim), claim.kind == "statement", claim.start)
    });
    let mut taken: Vec<(usize, usize, usize)> = Vec::new();
    for place in order {
        let (start, stop) = (claims[place].start, claims[place].end);
        let is_free = taken
            .iter()
            .all(|(first, last, _)| stop <= *first || *last <= start);
        if is_free && start < stop && text.get(start..stop).is_some() {
            taken.push((start, stop, place));
        }
    }
    taken.sort_unstable();
    taken
}

/// Returns the evidence of a claim in one line.
fn beside(claim: &ClaimEntry) -> String {
    let evidence: Vec<String> = claim.evidence.iter().map(|one| one.words()).collect();
    format!(
        "{}: {} {}",
        claim.verdict.replace('_', " "),
        claim.message,
        evidence.join(", ")
    )
}
