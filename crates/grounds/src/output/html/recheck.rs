//! The page of a recheck: the present state of each place that a run cited, what is no longer true
//! first.

use maud::{Markup, html};

use super::frame::{PageSection, RunPage, Tone, VerdictSentence};
use super::links::Links;
use super::parts::{address, facts, of_run, place, sentence, shown, sums};
use crate::output::store::{PlaceReport, RecheckReport};
use crate::store::RunHead;

/// Places of one state that are shown without opening.
const PLACES_OPEN_MAX: usize = 50;

/// States in the order of the page, each with its name there and its heading.
const STATES: [(&str, &str, &str); 6] = [
    ("gone", "gone", "Gone"),
    ("changed", "changed", "Changed: the text is no longer there"),
    ("moved", "moved", "Moved: the same text is elsewhere"),
    ("not_quoted", "unquoted", "Nothing was quoted of it"),
    ("not_looked", "unseen", "Not looked at"),
    ("stands", "stands", "As it was cited"),
];

/// Returns the page of a report about a run.
pub fn of_recheck(head: &RunHead, report: &RecheckReport, links: &Links) -> String {
    let all = report.places.len();
    let open = report.not_looked + report.not_quoted;
    let (tone, word) = match (all, report.fallen, open) {
        // Without a place nothing has fallen either, which would look as if all of it stood.
        (0, _, _) => (Tone::Open, "Nothing can be looked at again".to_owned()),
        (_, 0, 0) => (Tone::Good, "It still stands".to_owned()),
        (_, 0, _) => (Tone::Open, "Not all of it was looked at".to_owned()),
        (_, fallen, _) => (Tone::Bad, format!("{fallen} of {all} places do not stand")),
    };
    let mut sections = vec![PageSection::of(
        "places",
        "What became of the places",
        counted(report),
    )];
    for (state, id, title) in STATES {
        let places: Vec<&PlaceReport> = report
            .places
            .iter()
            .filter(|place| place.state == state)
            .collect();
        if !places.is_empty() {
            let body = listed(&places, report.job == "verify", links);
            sections.push(PageSection::of(id, title, body));
        }
    }
    sections.push(of_run(head));
    let page = RunPage {
        kind: "grounds recheck: what a run cited, as it is now".to_owned(),
        heading: head.words.clone(),
        verdict: VerdictSentence {
            tone,
            word,
            because: report.summary(),
        },
        facts: facts(head),
        sections,
    };
    page.alone().into_string()
}

fn counted(report: &RecheckReport) -> Markup {
    html! {
        (sums(&[
            (report.stand.to_string(), "stand"),
            (report.fallen.to_string(), "moved, changed or gone"),
            (report.not_quoted.to_string(), "quoted nothing"),
            (report.not_looked.to_string(), "not looked at"),
        ]))
        p.quiet { "What this says of each place is true now. The times above are those of the run." }
    }
}

fn listed(places: &[&PlaceReport], are_pages: bool, links: &Links) -> Markup {
    let (first, rest) = places.split_at(places.len().min(PLACES_OPEN_MAX));
    let item = |one: &PlaceReport| {
        html! {
            li {
                (at(&one.path, (one.line_start, one.line_end), are_pages, links)) " "
                span.quiet { (sentence(&one.what)) }
                @if let Some(now) = &one.now {
                    ", now at " (at(&now.path, (now.line, now.line), are_pages, links))
                }
                @if let Some(note) = &one.note { ": " (shown(note)) }
            }
        }
    };
    html! {
        ul.list { @for one in first { (item(one)) } }
        @if !rest.is_empty() {
            details { summary { (rest.len()) " more" } ul.list { @for one in rest { (item(one)) } } }
        }
    }
}

/// Shows a place: one of the tree with links to it, a page with its address.
fn at(path: &str, lines: (u32, u32), is_page: bool, links: &Links) -> Markup {
    match is_page {
        true => {
            html! { (address(path)) @if lines.0 > 0 { span.quiet { (place("", lines.0, lines.1)) } } }
        }
        false => links.place(path, lines.0, lines.1),
    }
}
