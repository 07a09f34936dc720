//! JSON lines of "where is X defined?": `repo`, `cls`, `answerable`, `question`,
//! `target`, `gold` with file and line, `id`.

use serde::Deserialize;

use super::{SuiteFormat, SuiteText, fault};
use crate::case::{Case, CaseTree, Expectation, Gold, Input};
use crate::error::EvalError;

/// The format.
pub(super) const FORMAT: SuiteFormat = SuiteFormat {
    name: "locate and abstain",
    knows,
    read,
};

#[derive(Deserialize)]
struct LocateRow {
    repo: String,
    cls: String,
    answerable: bool,
    question: String,
    target: Option<String>,
    #[serde(default)]
    gold: Vec<RowGold>,
    id: String,
}

#[derive(Deserialize)]
struct RowGold {
    file: String,
    line: Option<u32>,
}

fn knows(source: &SuiteText<'_>) -> bool {
    let first = source.text.lines().next().unwrap_or_default();
    first.starts_with('{') && first.contains("\"cls\"") && first.contains("\"answerable\"")
}

fn read(source: &SuiteText<'_>) -> Result<Vec<Case>, EvalError> {
    let lines = source
        .text
        .lines()
        .zip(1_u64..)
        .filter(|(line, _)| !line.trim().is_empty());
    let case = |(text, line): (&str, u64)| {
        let row: LocateRow = serde_json::from_str(text)
            .map_err(|error| fault(source.name, &format!("line {line}: {error}")))?;
        Ok(of_row(source.name, row, line))
    };
    lines.map(case).collect()
}

fn of_row(suite: &str, row: LocateRow, line: u64) -> Case {
    let gold = row
        .gold
        .into_iter()
        .map(|gold| Gold {
            file: gold.file,
            line: gold.line,
            symbol: None,
        })
        .collect();
    let outcome = if row.answerable {
        "answered"
    } else {
        "insufficient"
    };
    Case {
        suite: suite.to_owned(),
        id: row.id,
        class: row.cls,
        job: "ask",
        place: CaseTree::Repository {
            name: row.repo,
            revision: None,
            root: String::new(),
        },
        input: Input::Question(row.question),
        query: row.target,
        expect: Expectation {
            outcome: Some(outcome.to_owned()),
            gold,
            ..Expectation::default()
        },
        case_ms_max: None,
        line,
    }
}
