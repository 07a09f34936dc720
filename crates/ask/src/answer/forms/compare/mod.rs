//! Compare: each target where it is, then what differs between them side by
//! side: what it is, who uses it, what it uses, its history.

mod column;
mod shared;

use grounds_evidence::QuestionTarget;

use super::locate;
use crate::answer::citation::on_one_line;
use crate::answer::definition::KnownDefinition;
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, definition};
use column::Column;

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let question = desk.question;
    let targets: Vec<(usize, &QuestionTarget)> = question.goal.targets.iter().enumerate().collect();
    let known = definition::together(desk, targets.len());
    let mut sections: Vec<AnswerSection> = targets
        .iter()
        .zip(&known)
        .map(|((number, target), known)| of_target(desk, *number, target, known.as_ref()))
        .collect();
    let columns: Vec<Column> = targets
        .iter()
        .zip(&known)
        .map(|((number, target), known)| Column::of(desk, *number, target, known.as_ref()))
        .collect();
    sections.push(AnswerSection {
        title: "What differs".to_owned(),
        text: table(&columns),
        ..AnswerSection::default()
    });
    sections.extend(shared::section("Who uses them", &columns, |column| {
        &column.users
    }));
    sections.extend(shared::section("What they call", &columns, |column| {
        &column.calls
    }));
    sections.extend(column::history(&columns));
    sections
}

/// Returns the definition that is compared; the others are only counted.
fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
    known: Option<&KnownDefinition>,
) -> AnswerSection {
    let mut section = locate::of_target(desk, number, target);
    let is_it = |citation: &AnswerCitation, known: &KnownDefinition| {
        citation.path == known.place.path.as_str() && citation.line_start() == known.place.line
    };
    // At the limit, the definition may not be among the citations; then all of them stay.
    if let Some(known) = known.filter(|known| {
        section
            .citations
            .iter()
            .any(|citation| is_it(citation, known))
    }) {
        let before = section.citations.len();
        section.citations.retain(|citation| is_it(citation, known));
        section.more += (before - section.citations.len()) as u64;
    }
    section
}

/// Returns one row for each property; a property that no column has is left out.
fn table(columns: &[Column]) -> String {
    let mut rows = vec![row(
        "",
        columns
            .iter()
            .map(|column| format!("`{}`", on_one_line(&column.name))),
    )];
    rows.push(format!("|---|{}", "---|".repeat(columns.len())));
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in columns.iter().flat_map(|column| &column.cells) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    for name in names {
        let cells: Vec<&str> = columns.iter().map(|column| column.cell(name)).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(row(
                name,
                cells
                    .iter()
                    // A bar in a signature would end the cell.
                    .map(|cell| on_one_line(cell).replace('|', "\\|")),
            ));
        }
    }
    rows.join("\n")
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    format!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "))
}
