//! The map of a search: what was read, what was left out and why, and which bounds ended it.

use maud::{Markup, html};

use crate::output::html::bar::{self, BarPart};
use crate::output::html::parts::{shown, words};
use crate::output::store::size;
use crate::reading::ask::{AskView, ScopeView, SkippedView};

/// The columns of what was left out.
const COLUMNS: [&str; 4] = ["reason", "count", "could it matter?", "for example"];

/// Shows the map.
pub(super) fn of(report: &AskView) -> Markup {
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
        @if !scope.skipped.is_empty() { (left_out(&scope.skipped)) }
    }
}

fn parts(scope: &ScopeView) -> Vec<BarPart> {
    let read = BarPart {
        count: scope.files_searched,
        name: "files searched".to_owned(),
        class: "read",
    };
    let skipped = scope.skipped.iter().map(|skipped| BarPart {
        count: skipped.count,
        name: format!("not read: {}", words(&skipped.reason)),
        class: if skipped.could_matter {
            "lost"
        } else {
            "aside"
        },
    });
    std::iter::once(read).chain(skipped).collect()
}

fn left_out(skipped: &[SkippedView]) -> Markup {
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
