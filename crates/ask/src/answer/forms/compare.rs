//! Compare: each target where it is, then what differs between them, side by side.

use std::collections::BTreeSet;

use grounds_evidence::{FileRole, Relation, Target};
use grounds_repo::labels::Place;

use super::locate;
use crate::answer::citation::on_one_line;
use crate::answer::{Desk, Section};

/// Names of callers that are given for one target.
const CALLERS_MAX: usize = 5;

pub(super) fn write(desk: &mut Desk<'_, '_>) -> Vec<Section> {
    let question = desk.question;
    let mut sections: Vec<Section> =
        question.goal.targets.iter().enumerate().map(|(number, target)| locate::of_target(desk, number, target)).collect();
    let columns: Vec<Column> = question.goal.targets.iter().enumerate().map(|(number, target)| Column::of(desk, number, target)).collect();
    sections.push(Section { title: "What differs".to_owned(), text: table(&columns), ..Section::default() });
    sections
}

/// What is said of one target.
struct Column {
    name: String,
    cells: Vec<(&'static str, String)>,
}

impl Column {
    fn of(desk: &mut Desk<'_, '_>, number: usize, target: &Target) -> Self {
        let everywhere = desk.bench.everywhere(number);
        let places = &everywhere.places;
        let defined: Vec<&Place> = places.iter().filter(|place| place.relation == Relation::Defines).collect();
        let first = defined.first();
        let uses: Vec<&Place> =
            places.iter().filter(|place| matches!(place.relation, Relation::Calls | Relation::References | Relation::Inherits)).collect();
        let at_least = if everywhere.scope.skipped.is_empty() { "" } else { "at least " };
        let cells = vec![
            ("kind", first.and_then(|place| place.kind).map_or_else(|| "not defined here".to_owned(), |kind| kind.as_str().to_owned())),
            ("definitions", defined.len().to_string()),
            ("location", first.map_or_else(String::new, |place| format!("{}:{}", place.path.as_str(), place.line))),
            ("stands in", first.map_or_else(String::new, |place| place.containers.join("::"))),
            ("lines", first.map_or_else(String::new, |place| (place.line_end - place.line + 1).to_string())),
            ("signature", first.map_or_else(String::new, |place| signature(desk, place))),
            ("calls of it", format!("{at_least}{}", uses.iter().filter(|place| place.relation == Relation::Calls).count())),
            ("other uses", format!("{at_least}{}", uses.iter().filter(|place| place.relation != Relation::Calls).count())),
            ("files that use it", uses.iter().map(|place| place.path.as_str()).collect::<BTreeSet<_>>().len().to_string()),
            ("uses in tests", uses.iter().filter(|place| place.role == FileRole::Test).count().to_string()),
            ("used by", callers(&uses)),
        ];
        Self { name: target.text.clone(), cells }
    }
}

/// The first line of the definition.
fn signature(desk: &Desk<'_, '_>, place: &Place) -> String {
    let most = desk.budget.limits.file_bytes_max;
    let excerpt = grounds_repo::excerpt::read(desk.bench.checkout, place.path.as_str(), place.line, place.line, 1, most);
    excerpt.map_or_else(String::new, |excerpt| excerpt.text.trim().trim_end_matches('{').trim_end().to_owned())
}

fn callers(uses: &[&Place]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in uses.iter().filter_map(|place| place.containers.last()).filter(|name| !name.is_empty()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let more = names.len().saturating_sub(CALLERS_MAX);
    names.truncate(CALLERS_MAX);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &tail
}

/// One row for each property, with a mark where the targets differ.
fn table(columns: &[Column]) -> String {
    let mut rows = vec![row("", columns.iter().map(|column| format!("`{}`", on_one_line(&column.name))))];
    rows.push(format!("|---|{}", "---|".repeat(columns.len())));
    for index in 0..columns.first().map_or(0, |column| column.cells.len()) {
        let cells: Vec<&str> = columns.iter().map(|column| column.cells[index].1.as_str()).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(row(columns[0].cells[index].0, cells.iter().map(|cell| on_one_line(cell).replace('|', "\\|"))));
        }
    }
    rows.join("\n")
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    format!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "))
}
