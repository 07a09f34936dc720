//! The changed lines around a finding, with signs and numbers; those that it is about are marked.

use maud::{Markup, html};

use crate::ended::{FindingHunk, HunkLine};
use crate::output::html::parts::shown;

/// Shows the lines of a hunk; `first` to `last` at the reviewed side are the finding's.
pub(super) fn of(hunk: &FindingHunk, first: u32, last: u32) -> Markup {
    html! {
        pre.diff { code { @for line in &hunk.lines { (of_line(line, first, last)) } } }
    }
}

fn of_line(line: &HunkLine, first: u32, last: u32) -> Markup {
    let (class, sign) = match (line.old, line.new) {
        (_, None) => ("gone", "\u{2212}"),
        (None, Some(_)) => ("new", "+"),
        (Some(_), Some(_)) => ("", " "),
    };
    let number = line.new.or(line.old).unwrap_or(0);
    let is_found = line
        .new
        .is_some_and(|number| (first..=last).contains(&number));
    html! {
        span.line.(class).found[is_found] data-n=(number) { (sign) " " (shown(&line.text)) "\n" }
    }
}
