//! The map of a search: what was read, what a filter excluded, what was left out and why, and which bounds ended it.

use maud::{Markup, html};

use crate::output::html::bar::{self, Part};
use crate::output::html::parts::{shown, words};
use crate::output::store::size;
use crate::reading::ask::{Asked, Scope, Skipped};

/// The columns of what was left out.
const COLUMNS: [&str; 4] = ["reason", "count", "could it matter?", "for example"];

/// The map.
pub(super) fn of(report: &Asked) -> Markup {
    let scope = &report.scope;
    let bounds = &report.metrics.bounds_reached;
    html! {
        p {
            @if scope.complete { "The whole tree was read, and nothing that could matter was skipped." }
            @else { b { "Not everything that could matter was read: absence is not shown." } }
        }
        (bar::of(&parts(scope)))
        p.small {
            (size(scope.bytes_searched)) " of text. "
            @if bounds.is_empty() { span.quiet { "No bound was reached." } }
            @else { b { "Bounds that were reached: " } @for bound in bounds { code { (shown(bound)) } " " } }
        }
        (excluded(scope))
        @if !scope.skipped.is_empty() { (left_out(&scope.skipped)) }
    }
}

fn parts(scope: &Scope) -> Vec<Part> {
    let excluded = scope.excluded.as_ref().map_or(0, |excluded| excluded.files);
    let read = Part {
        count: scope.files_searched.saturating_sub(excluded),
        name: "files searched".to_owned(),
        class: "read",
    };
    let by_filter = Part {
        count: excluded,
        name: "excluded by the filter".to_owned(),
        class: "passed",
    };
    let skipped = scope.skipped.iter().map(|skipped| Part {
        count: skipped.count,
        name: format!("not read: {}", words(&skipped.reason)),
        class: if skipped.could_matter {
            "lost"
        } else {
            "aside"
        },
    });
    [read, by_filter].into_iter().chain(skipped).collect()
}

fn excluded(scope: &Scope) -> Markup {
    let excluded = scope.excluded.as_ref();
    let excluded = excluded.and_then(|excluded| Some((excluded, excluded.filter.as_ref()?)));
    html! {
        @if let Some((excluded, filter)) = excluded {
            p {
                (excluded.files) " files were not read again: by the filter "
                code { (shown(filter)) } " they have none of the texts."
            }
        }
    }
}

fn left_out(skipped: &[Skipped]) -> Markup {
    html! {
        table.stack {
            caption { "Left out" }
            thead { tr { @for name in COLUMNS { th scope="col" { (name) } } } }
            tbody { @for skipped in skipped {
                tr {
                    th scope="row" { (words(&skipped.reason)) }
                    td { (skipped.count) }
                    td { @if skipped.could_matter { "yes" } @else { "no" } }
                    td.path { (shown(&skipped.examples.join(", "))) }
                }
            } }
        }
    }
}
