//! The answer part by part: a body once, places as a tree, and every other excerpt by itself.

use maud::{Markup, html};

use super::body::Bodies;
use super::places;
use crate::output::html::links::Links;
use crate::output::html::parts::{code, sentence, shown};
use crate::reading::ask::{AskView, CitationView, Prose};

/// An excerpt with its number on the page.
pub(super) type NumberedExcerpt<'r> = (usize, &'r CitationView);

/// A part with its excerpts.
pub(super) struct PartWithExcerpts<'r> {
    pub(super) title: &'r str,
    text: &'r str,
    pub(super) cited: Vec<NumberedExcerpt<'r>>,
    more: u64,
}

/// Shows the answer with its excerpts.
pub(super) fn of(report: &AskView, links: &Links) -> Markup {
    let cited = |numbers: &[usize]| {
        numbers
            .iter()
            .filter_map(|number| {
                let citation = report.citations.get(*number)?;
                // Several questions may be on one page, where each number is an anchor.
                Some((report.excerpts_before + number, citation))
            })
            .collect()
    };
    let parts: Vec<PartWithExcerpts<'_>> = report
        .sections
        .iter()
        .map(|section| PartWithExcerpts {
            title: &section.title,
            text: &section.text,
            cited: cited(&section.citations),
            more: section.more,
        })
        .collect();
    html! {
        @if let Some(says) = &report.says { p { (shown(says)) } }
        (told_in_parts(&parts, "that are not cited", links))
        @if let Some(prose) = &report.prose { (told(prose, report.excerpts_before)) }
    }
}

/// Shows what was found without being an answer; its excerpts are numbered after those of an
/// answer.
pub(super) fn of_findings(report: &AskView, links: &Links) -> Markup {
    // Excerpts of findings follow those of the answer on the page, and each number is an anchor.
    let mut numbers = report.excerpts_before + report.citations.len()..;
    let parts: Vec<PartWithExcerpts<'_>> = report
        .findings
        .iter()
        .map(|finding| PartWithExcerpts {
            title: &finding.title,
            text: &finding.text,
            cited: numbers.by_ref().zip(&finding.places).collect(),
            more: finding.more,
        })
        .collect();
    told_in_parts(&parts, "", links)
}

fn told_in_parts(parts: &[PartWithExcerpts<'_>], which: &str, links: &Links) -> Markup {
    let bodies = Bodies::of(parts);
    html! {
        @for part in parts {
            @if !part.title.is_empty() { h3 { (sentence(part.title)) } }
            @match places::counts(part.text) {
                Some(counts) => (counts),
                None if part.text.is_empty() => {},
                None => p { (sentence(part.text)) },
            }
            (excerpts(part, &bodies, links))
            @if part.more > 0 { p.quiet { "and " (part.more) " more " (which) } }
        }
    }
}

/// Shows the excerpts of a part, in the most compact form that fits them.
fn excerpts(part: &PartWithExcerpts<'_>, bodies: &Bodies<'_>, links: &Links) -> Markup {
    // An excerpt that is a line of a body above is only linked.
    let (inside, apart): (Vec<NumberedExcerpt<'_>>, Vec<NumberedExcerpt<'_>>) = part
        .cited
        .iter()
        .copied()
        .partition(|(number, _)| bodies.has_line_of(*number));
    html! {
        @if !inside.is_empty() {
            ul.refs aria-label="In the body above" {
                @for (number, citation) in inside {
                    li { (reference(number)) " " (sentence(&citation.what)) }
                }
            }
        }
        @if places::is_tree(&apart) { (places::tree(&apart, links)) }
        @else { @for (number, citation) in apart {
            @match bodies.led_by(number) {
                Some(body) => (body.shown(links)),
                None => (excerpt(citation, number, links)),
            }
        } }
    }
}

/// Shows the lines themselves.
fn excerpt(citation: &CitationView, number: usize, links: &Links) -> Markup {
    html! {
        figure id={ "c" (number + 1) } {
            figcaption {
                b { "[" (number + 1) "]" }
                span { (links.place(&citation.path, citation.line_start, citation.line_end)) }
                span { (sentence(&citation.what)) }
            }
            @if !citation.text.is_empty() { (code(&citation.text, citation.line_start)) }
            @if citation.cut { p.quiet.small.rest { "… it goes on" } }
        }
    }
}

/// Returns a link to an excerpt.
pub(super) fn reference(number: usize) -> Markup {
    let number = number + 1;
    html! { a href={ "#c" (number) } aria-label={ "excerpt " (number) } { "[" (number) "]" } }
}

fn told(prose: &Prose, before: usize) -> Markup {
    html! {
        h3 { "In sentences of a model" }
        p.quiet.small { "Each sentence was checked against its citations. It decides nothing." }
        @for said in &prose.sentences {
            p { (shown(&said.text)) @for number in &said.citations { " " (reference(before + number)) } }
        }
        @if prose.dropped > 0 {
            p.quiet { (prose.dropped) " sentences were dropped: they did not keep to their citations" }
        }
        @if let Some(error) = &prose.error { p.quiet { (shown(error)) } }
    }
}
