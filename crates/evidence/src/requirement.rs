//! What a goal requires: which classes of evidence, at which quality.
//!
//! Source: 002, Part IV "Completion Depends on Minimum Quality"; the CI row of Diagnose applies
//! only to questions about CI (evidence.md).

use std::fmt::Write as _;

use crate::class::EvidenceClass;
use crate::corroborate;
use crate::goal::{Goal, Intent};
use crate::ledger::Ledger;
use crate::level::Quality;

/// One class of evidence at a minimum quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The class.
    pub class: EvidenceClass,
    /// The least quality that is enough.
    pub minimum: Quality,
}

/// The bar that a person may set: the defaults, or one level for every required class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bar {
    /// The levels of the table.
    #[default]
    Default,
    /// This level for every class that the table requires.
    At(Quality),
}

const fn need(class: EvidenceClass, minimum: Quality) -> Requirement {
    Requirement { class, minimum }
}

use EvidenceClass as C;
use Quality as Q;

const LOCATE: &[Requirement] = &[
    need(C::FileSearch, Q::Strong),
    need(C::FileContent, Q::Moderate),
];
const EXPLAIN: &[Requirement] = &[
    need(C::FileSearch, Q::Strong),
    need(C::FileContent, Q::Moderate),
    need(C::Discovery, Q::Moderate),
];
const DIAGNOSE: &[Requirement] = &[
    need(C::FileSearch, Q::Strong),
    need(C::FileContent, Q::Moderate),
    need(C::CiWorkflow, Q::Strong),
];
const STATUS: &[Requirement] = &[need(C::GitLog, Q::Moderate)];
const EXECUTE: &[Requirement] = &[need(C::Build, Q::Strong), need(C::Test, Q::Strong)];
const MODIFY: &[Requirement] = &[
    need(C::FileSearch, Q::Strong),
    need(C::FileContent, Q::Strong),
    need(C::Discovery, Q::Moderate),
    need(C::Build, Q::Verified),
    need(C::Test, Q::Verified),
];

/// Returns the row of an intent in the table.
pub const fn of_intent(intent: Intent) -> &'static [Requirement] {
    match intent {
        Intent::Locate | Intent::Navigate | Intent::Compare => LOCATE,
        Intent::Explain | Intent::Review => EXPLAIN,
        Intent::Diagnose => DIAGNOSE,
        Intent::Status => STATUS,
        Intent::Execute => EXECUTE,
        Intent::Modify => MODIFY,
        Intent::Chat => &[],
    }
}

/// Returns the requirements of a goal, with the bar that the person set.
///
/// "Why did CI fail?" names nothing in the tree, so that only the requirements about the project
/// apply.
pub fn of_goal(goal: &Goal, bar: Bar) -> Vec<Requirement> {
    let of_ci_alone = asks_of_ci(goal) && goal.targets.is_empty();
    let applies = |requirement: &&Requirement| match requirement.class {
        C::CiWorkflow => goal.about_ci,
        C::FileSearch | C::FileContent => !of_ci_alone,
        C::GitLog | C::Build | C::Test | C::Discovery => true,
    };
    let at_bar = |requirement: &Requirement| match bar {
        Bar::Default => *requirement,
        Bar::At(minimum) => Requirement {
            minimum,
            ..*requirement
        },
    };
    of_intent(goal.intent)
        .iter()
        .filter(applies)
        .map(at_bar)
        .collect()
}

/// The part of a run that a question of the intent Execute is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Execution {
    /// Whether it builds.
    Build,
    /// Whether its tests pass.
    Test,
    /// Whether it builds and its tests pass.
    #[default]
    Both,
}

/// Returns the requirements of such a question, given what is known already. If the build failed,
/// no test is required: the answer is that it does not build.
pub fn of_execution(
    requirements: Vec<Requirement>,
    execution: Execution,
    ledger: &Ledger,
) -> Vec<Requirement> {
    let applies = |class: C| match (execution, corroborate::build_failed(ledger)) {
        (_, true) | (Execution::Build, false) => class == C::Build,
        (Execution::Test, false) => class == C::Test,
        (Execution::Both, false) => true,
    };
    requirements
        .into_iter()
        .filter(|requirement| applies(requirement.class))
        .collect()
}

/// Reports whether the goal's row has the CI column, and the question is about CI.
fn asks_of_ci(goal: &Goal) -> bool {
    goal.about_ci
        && of_intent(goal.intent)
            .iter()
            .any(|requirement| requirement.class == C::CiWorkflow)
}

/// Reports whether the goal requires evidence about a target, and names none.
pub fn lacks_a_target(goal: &Goal) -> bool {
    goal.targets.is_empty()
        && of_goal(goal, Bar::Default)
            .iter()
            .any(|requirement| requirement.class.is_about_a_target())
}

/// Returns the requirements as Markdown, as the documentation shows them.
pub fn markdown() -> String {
    let mut page = String::from("| intent |");
    for class in C::ALL {
        write!(page, " {class} |").expect("a string takes all text");
    }
    page.push_str("\n|---|---|---|---|---|---|---|---|\n");
    for intent in Intent::ALL {
        let cell = |class| {
            of_intent(intent)
                .iter()
                .find(|need| need.class == class)
                .map_or("-", |need| need.minimum.as_str())
        };
        let cells: Vec<&str> = C::ALL.into_iter().map(cell).collect();
        writeln!(page, "| {} | {} |", intent.as_str(), cells.join(" | "))
            .expect("a string takes all text");
    }
    page
}
