//! Prompts with their class, `prompt | current | expected | failure | source` on each line. The
//! classes are those of another program; the table maps each to the intents of ours that would be
//! right.

use super::{SuiteFormat, SuiteText, fault};
use crate::case::{Case, CaseTree, Expectation, Input};
use crate::error::EvalError;

/// The format.
pub(super) const FORMAT: SuiteFormat = SuiteFormat {
    name: "prompts with their intent",
    knows,
    read,
};

/// Each class of the prompts, with the intents that it means.
const CLASSES: &[(&str, &[&str])] = &[
    ("CodebaseOverview", &["Explain", "Review"]),
    ("ArchitectureReview", &["Review"]),
    (
        "CodebaseQuery",
        &["Locate", "Navigate", "Explain", "Compare"],
    ),
    ("CommitHistory", &["Status"]),
    ("CodeChange", &["Modify", "Execute"]),
    ("CICheck", &["Diagnose"]),
    ("SessionState", &["Chat"]),
    ("GeneralChat", &["Chat"]),
];

fn knows(source: &SuiteText<'_>) -> bool {
    source
        .text
        .lines()
        .find(|line| is_row(line))
        .is_some_and(|line| line.split(" | ").count() == 5)
}

fn is_row(line: &str) -> bool {
    !line.starts_with('#') && !line.trim().is_empty()
}

fn read(source: &SuiteText<'_>) -> Result<Vec<Case>, EvalError> {
    source
        .text
        .lines()
        .zip(1_u64..)
        .filter(|(line, _)| is_row(line))
        .map(|(text, line)| case(source.name, text, line))
        .collect()
}

fn case(suite: &str, text: &str, line: u64) -> Result<Case, EvalError> {
    let fields: Vec<&str> = text.split(" | ").map(str::trim).collect();
    let [prompt, _, expected, ..] = fields.as_slice() else {
        return Err(fault(
            suite,
            &format!("line {line}: it needs `prompt | current | expected`"),
        ));
    };
    let known = CLASSES.iter().find(|(class, _)| class == expected);
    let (_, intents) = known.ok_or_else(|| {
        fault(
            suite,
            &format!("line {line}: the class `{expected}` is not known"),
        )
    })?;
    let intents = intents.iter().map(|intent| (*intent).to_owned()).collect();
    Ok(Case {
        suite: suite.to_owned(),
        // A prompt has no name, so that its line has to identify it.
        id: format!("line-{line}"),
        class: (*expected).to_owned(),
        job: "ask",
        place: CaseTree::Here,
        input: Input::Question((*prompt).to_owned()),
        query: None,
        expect: Expectation {
            intents,
            ..Expectation::default()
        },
        case_ms_max: None,
        line,
    })
}
