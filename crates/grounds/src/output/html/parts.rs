//! Parts that several pages have: text made harmless, excerpts, scales, facts.

use std::borrow::Cow;

use maud::{Markup, html};

use super::frame::{PageSection, Tone};
use crate::ended::Need;
use crate::output::store::{moment, size, tree};
use crate::safe;
use crate::store::RunHead;

/// The levels of quality above None, the least first.
const LEVELS: [&str; 4] = ["Weak", "Moderate", "Strong", "Verified"];

/// Returns a text as it is shown: invisible characters are made visible. The template escapes the
/// rest.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    safe::for_terminal(text)
}

/// Shows a sentence of ours, in which names are between backticks.
pub(super) fn sentence(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    // One backquote alone, as in a quoted line of a shell, is text and no mark.
    let is_paired = pieces.len() % 2 == 1;
    html! {
        @for (place, piece) in pieces.iter().enumerate() {
            @if is_paired && place % 2 == 1 { code { (shown(piece)) } }
            @else {
                @if !is_paired && place > 0 { "`" }
                (shown(piece))
            }
        }
    }
}

/// Returns a path with its lines.
pub(super) fn place(path: &str, first: u32, last: u32) -> String {
    match (first, last) {
        (0, _) => path.to_owned(),
        (first, last) if last <= first => format!("{path}:{first}"),
        (first, last) => format!("{path}:{first}-{last}"),
    }
}

/// Shows lines of a file word for word, with their numbers beside them.
pub(super) fn code(text: &str, first: u32) -> Markup {
    // A carriage return would be shown as a character.
    let text = text.replace("\r\n", "\n");
    html! {
        pre { code {
            @for (line, number) in text.split('\n').zip(first..) {
                @if first > 0 { span.line data-n=(number) { (shown(line)) "\n" } } @else { (shown(line)) "\n" }
            }
        } }
    }
}

/// Shows an address as a link if a click on it is harmless, else as text. Showing it fetches
/// nothing.
pub(super) fn address(url: &str) -> Markup {
    // `javascript:` in a link would run in the reader's browser.
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    html! {
        @if is_web { a.path href=(url) rel="noreferrer noopener" { (shown(url)) } } @else { span.path { (shown(url)) } }
    }
}

/// Shows what there is and what is needed, as words and as a scale.
pub(super) fn standing(need: &Need) -> Markup {
    html! {
        (scale(need))
        span.badge.(tone(need.is_met).class()) { @if need.is_met { "met" } @else { "not met" } }
        span.small { "has " b { (shown(&need.have)) } ", needs " b { (shown(&need.need)) } }
    }
}

/// Shows what there is and what is needed as a scale, which a screen reader skips.
pub(super) fn scale(need: &Need) -> Markup {
    let rank = |word: &str| {
        LEVELS
            .iter()
            .position(|level| *level == word)
            .map(|place| place + 1)
    };
    let (have, needed) = (rank(&need.have).unwrap_or(0), rank(&need.need));
    html! {
        // What a claim needs, such as a weight, is no level, and has no scale.
        @if let Some(needed) = needed {
            span.scale aria-hidden="true" {
                @for level in 1..=LEVELS.len() { i.has[level <= have].need[level == needed] {} }
            }
        }
    }
}

/// Returns the colour of a requirement.
pub(super) const fn tone(is_met: bool) -> Tone {
    if is_met { Tone::Good } else { Tone::Open }
}

/// Returns the requirements, the weakest first.
pub(super) fn weakest_first(needs: &[Need]) -> Vec<&Need> {
    let rank = |word: &str| {
        LEVELS
            .iter()
            .position(|level| *level == word)
            .map_or(0, |place| place + 1)
    };
    let mut sorted: Vec<&Need> = needs.iter().collect();
    sorted.sort_by_key(|need| (need.is_met, rank(&need.have)));
    sorted
}

/// Encodes a text for a part of an address.
pub(super) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// Returns the words of a key, as people write them.
pub(super) fn words(key: &str) -> String {
    key.replace('_', " ")
}

/// Shows numbers with what they count, as tiles.
pub(super) fn sums(sums: &[(String, &str)]) -> Markup {
    html! { dl.sum { @for (number, name) in sums { div { dt { (name) } dd { (shown(number)) } } } } }
}

/// Renders a list of sentences; nothing for an empty list.
pub(super) fn sentences<'t>(items: impl IntoIterator<Item = &'t str>) -> Markup {
    let items: Vec<&str> = items.into_iter().collect();
    html! { @if !items.is_empty() { ul.list { @for item in items { li { (sentence(item)) } } } } }
}

/// Shows the facts about the run, below the verdict.
pub(super) fn facts(head: &RunHead) -> Markup {
    let seconds = format!("{}.{:03} s", head.took_ms / 1_000, head.took_ms % 1_000);
    let facts = [
        ("when", moment(head.started_ms)),
        ("where", tree(head)),
        ("took", seconds),
    ];
    html! { dl.facts { @for (name, value) in &facts { div { dt { (name) } dd { (shown(value)) } } } } }
}

/// Returns the last section: how the run was called, and how to check it again.
pub(super) fn of_run(head: &RunHead) -> PageSection {
    let rows = [
        ("name", head.id.clone()),
        ("called as", format!("grounds {}", head.options.join(" "))),
        ("in", head.folder.clone()),
        ("documents", head.documents.clone().unwrap_or_default()),
        ("exit code", head.exit.to_string()),
        (
            "program",
            format!(
                "grounds {}, report {}, {}",
                head.version,
                head.schema,
                size(head.bytes)
            ),
        ),
        ("is it still true?", format!("grounds recheck {}", head.id)),
    ];
    let body = html! {
        dl.facts { @for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) { div { dt { (name) } dd { code { (shown(value)) } } } } }
    };
    PageSection::of("run", "This run", body)
}
