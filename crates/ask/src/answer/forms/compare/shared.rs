//! What two or more targets have in common, and what only one of them has, of the names of their
//! users or of what they call.

use std::collections::BTreeSet;

use super::column::Column;
use crate::answer::AnswerSection;
use crate::answer::citation::on_one_line;

/// Limit on the names of one group.
const NAMES_MAX: usize = 12;

/// Lists the names that all targets have and those that only one has, or returns `None` if no
/// target has any.
pub(super) fn section(
    title: &str,
    columns: &[Column],
    names: fn(&Column) -> &BTreeSet<String>,
) -> Option<AnswerSection> {
    let sets: Vec<&BTreeSet<String>> = columns.iter().map(names).collect();
    if sets.len() < 2 || sets.iter().all(|set| set.is_empty()) {
        return None;
    }
    let in_all: Vec<&String> = sets[0]
        .iter()
        .filter(|name| sets.iter().all(|set| set.contains(*name)))
        .collect();
    let of_one = |index: usize| -> Vec<&String> {
        let others = || sets.iter().enumerate().filter(|(other, _)| *other != index);
        sets[index]
            .iter()
            .filter(|name| others().all(|(_, set)| !set.contains(*name)))
            .collect()
    };
    let all = if sets.len() == 2 { "both" } else { "all" };
    let mut lines = vec![format!("- {all}: {}", listed(&in_all))];
    lines.extend(columns.iter().enumerate().map(|(index, column)| {
        format!(
            "- only `{}`: {}",
            on_one_line(&column.name),
            listed(&of_one(index))
        )
    }));
    Some(AnswerSection {
        title: title.to_owned(),
        text: lines.join("\n"),
        ..AnswerSection::default()
    })
}

fn listed(names: &[&String]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(NAMES_MAX)
        .map(|name| format!("`{}`", on_one_line(name)))
        .collect();
    let more = names.len().saturating_sub(shown.len());
    match (shown.is_empty(), more) {
        (true, _) => "none".to_owned(),
        (false, 0) => shown.join(", "),
        (false, more) => format!("{} and {more} more", shown.join(", ")),
    }
}
