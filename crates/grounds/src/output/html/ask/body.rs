//! The body of a definition. Its head, its documentation and the lines with calls are excerpts of
//! one item, so they form one listing. The calls are marked in it, and lines without an excerpt are
//! replaced by their number.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::answer::{NumberedExcerpt, PartWithExcerpts};
use crate::output::html::links::Links;
use crate::output::html::parts::{sentence, shown};
use crate::reading::ask::CitationView;

/// Lines that may stand between documentation and what it is about: attributes and decorators.
const ABOVE_LINES_MAX: u32 = 6;
/// The words before the names that a line calls.
const CALLS: &str = "calls ";

/// The bodies of an answer that more than one excerpt is of.
pub(super) struct Bodies<'r>(Vec<ListingBody<'r>>);

/// A body: the excerpt that leads it, and those that are lines of it.
pub(super) struct ListingBody<'r> {
    lead: NumberedExcerpt<'r>,
    others: Vec<NumberedExcerpt<'r>>,
}

/// A line of a listing with the excerpts that begin at it.
#[derive(Default)]
struct ListingLine<'r> {
    text: &'r str,
    begins: Vec<usize>,
    names: Vec<&'r str>,
}

impl<'r> Bodies<'r> {
    pub(super) fn of(parts: &[PartWithExcerpts<'r>]) -> Self {
        let alone = |lead| ListingBody {
            lead,
            others: Vec::new(),
        };
        let mut bodies: Vec<ListingBody<'r>> = leads(parts).into_iter().map(alone).collect();
        let lines = parts.iter().flat_map(|part| part.cited.iter().copied());
        for (number, citation) in lines.filter(|(_, citation)| is_part(citation)) {
            match nearest(&bodies, citation) {
                Some(place) => bodies[place].others.push((number, citation)),
                // Without an excerpt of its head a body is led by the first of its calls.
                None if citation.what.starts_with(CALLS) => bodies.push(alone((number, citation))),
                None => {}
            }
        }
        bodies.retain(|body| !body.others.is_empty());
        Self(bodies)
    }

    /// Reports whether an excerpt is shown as lines of a body that another one leads.
    pub(super) fn has_line_of(&self, number: usize) -> bool {
        let mut others = self.0.iter().flat_map(|body| &body.others);
        others.any(|(other, _)| *other == number)
    }

    /// Returns the body that an excerpt leads.
    pub(super) fn led_by(&self, number: usize) -> Option<&ListingBody<'r>> {
        self.0.iter().find(|body| body.lead.0 == number)
    }
}

/// Returns the excerpts of the first part, which is about the definitions.
fn leads<'r>(parts: &[PartWithExcerpts<'r>]) -> Vec<NumberedExcerpt<'r>> {
    let first = parts.iter().find(|part| part.title.is_empty());
    let cited = first.map_or(&[][..], |part| &part.cited).iter().copied();
    cited
        .filter(|(_, citation)| citation.line_end > citation.line_start && !is_part(citation))
        .collect()
}

fn is_part(citation: &CitationView) -> bool {
    let what = citation.what.as_str();
    citation.line_start > 0 && (what.starts_with(CALLS) || what == "documentation")
}

/// Returns the body of which an excerpt is a part: the last that begins before it in its file, or
/// that follows it closely.
fn nearest(bodies: &[ListingBody<'_>], citation: &CitationView) -> Option<usize> {
    let is_call = citation.what.starts_with(CALLS);
    let fits = |lead: &CitationView| {
        let follows = lead.line_start > citation.line_end
            && lead.line_start - citation.line_end <= ABOVE_LINES_MAX;
        let begins = lead.line_start <= citation.line_start;
        // Documentation that begins behind what is cited of a head may be that of something else.
        let touches = citation.line_start <= lead.line_end + 1;
        lead.path == citation.path
            && if is_call {
                begins
            } else {
                follows || (begins && touches)
            }
    };
    let fitting = bodies
        .iter()
        .enumerate()
        .filter(|(_, body)| fits(body.lead.1));
    fitting
        .max_by_key(|(_, body)| body.lead.1.line_start)
        .map(|(place, _)| place)
}

impl<'r> ListingBody<'r> {
    /// Shows the listing.
    pub(super) fn shown(&self, links: &Links) -> Markup {
        let (number, lead) = self.lead;
        let lines = self.lines();
        let last = lines.keys().next_back().copied().unwrap_or(0);
        let mut before = None;
        html! {
            figure id={ "c" (number + 1) } {
                figcaption {
                    b { "[" (number + 1) "]" }
                    span { (links.place(&lead.path, lead.line_start, last)) }
                    span { (sentence(&lead.what)) }
                }
                pre { code {
                    @for (at, line) in &lines {
                        (gap(before.replace(*at), *at))
                        (self.line(*at, line))
                    }
                } }
                @if lead.cut { p.quiet.small.rest { "Lines that no excerpt has are left out." } }
            }
        }
    }

    fn lines(&self) -> BTreeMap<u32, ListingLine<'r>> {
        let mut lines: BTreeMap<u32, ListingLine<'r>> = BTreeMap::new();
        for (number, citation) in std::iter::once(&self.lead).chain(&self.others) {
            for (text, at) in citation.text.lines().zip(citation.line_start..) {
                // Excerpts overlap: a line with a call may be in the excerpt of the head as well.
                lines.entry(at).or_default().text = text;
            }
            let begins = lines.entry(citation.line_start).or_default();
            begins.begins.push(*number);
            if citation.what.starts_with(CALLS) {
                // As in "calls `a` and `b`": each second piece is a name.
                let names = citation.what.split('`').skip(1).step_by(2);
                begins.names.extend(names);
            }
        }
        lines
    }

    fn line(&self, at: u32, line: &ListingLine<'_>) -> Markup {
        let begins = line.begins.iter().filter(|number| **number != self.lead.0);
        html! {
            span.line data-n=(at) {
                (marked(line.text, &line.names))
                @for number in begins { span.quiet.ref id={ "c" (number + 1) } { " [" (number + 1) "]" } }
                "\n"
            }
        }
    }
}

/// Shows how many lines between two others are in no excerpt.
fn gap(before: Option<u32>, at: u32) -> Markup {
    let left = before.map_or(0, |before| at - before - 1);
    html! { @if left > 0 { span.line.gap { "⋯ " (left) @if left == 1 { " line" } @else { " lines" } "\n" } } }
}

/// Shows a line in which the called names are marked, each once.
fn marked(text: &str, names: &[&str]) -> Markup {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for name in names {
        // `read` occurs in `let read = read(path);` before it is called.
        let call = text.find(&format!("{name}("));
        let Some(start) = call.or_else(|| text.find(name)) else {
            continue;
        };
        let end = start + name.len();
        if ranges
            .iter()
            .all(|(first, last)| end <= *first || *last <= start)
        {
            ranges.push((start, end));
        }
    }
    ranges.sort_unstable();
    let mut at = 0;
    html! {
        @for (start, end) in ranges {
            (shown(&text[std::mem::replace(&mut at, end)..start]))
            mark { (shown(&text[start..end])) }
        }
        (shown(&text[at..]))
    }
}
