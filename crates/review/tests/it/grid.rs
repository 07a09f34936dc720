//! Textbook defects in ten languages, each with a twin that does the same thing well: how
//! many of them the rules find by themselves, at the line that is wrong, and that they say
//! nothing about the twins.

use grounds_review::baseline::Baseline;
use grounds_review::options::PromptOptions;
use grounds_review::report::GateStanding;
use grounds_review::{Anchor, DiffScope, PlanLimits, Report, Reviewer, RuleSet, Setup};
use serde::Deserialize;

use crate::bed::Bed;

const FILES: &[&str] = &[
    include_str!("../grid/python.yml"),
    include_str!("../grid/javascript.yml"),
    include_str!("../grid/go.yml"),
    include_str!("../grid/java.yml"),
    include_str!("../grid/c.yml"),
    include_str!("../grid/csharp.yml"),
    include_str!("../grid/ruby.yml"),
    include_str!("../grid/php.yml"),
    include_str!("../grid/rust.yml"),
];

/// Defects that no rule finds yet: whoever finds one takes its line away.
const MISSED: &str = include_str!("../grid/missed.txt");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    #[expect(dead_code, reason = "for whoever reads the file")]
    cwe: u32,
    path: String,
    /// Words of the line that is wrong.
    at: String,
    /// Which of the lines with these words, from 1.
    #[serde(default = "first")]
    nth: usize,
    base: Option<String>,
    defect: String,
    clean: String,
}

const fn first() -> usize {
    1
}

impl Case {
    /// A folder for each, so that cases do not meet.
    fn path(&self) -> String {
        format!("{}/{}", self.id, self.path)
    }

    /// The line that is wrong.
    fn line(&self) -> u32 {
        let numbered = self.defect.lines().zip(1..);
        let mut lines = numbered.filter(|(line, _)| line.contains(&self.at));
        let (_, number) = lines.nth(self.nth - 1).expect(&self.id);
        number
    }

    /// Whether a review complains at the gate about that line, or about the statement around it.
    fn is_found(&self, report: &Report) -> bool {
        let (path, line) = (self.path(), self.line());
        report.findings.iter().any(|reviewed| {
            let finding = &reviewed.finding;
            let holds = match finding.anchor {
                Anchor::Lines { start, end } => (start..=end).contains(&line),
                Anchor::File => false,
            };
            finding.path == path && holds && reviewed.standing == GateStanding::Blocks
        })
    }
}

fn cases() -> Vec<Case> {
    let read = |text: &&str| serde_saphyr::from_str::<Vec<Case>>(text).expect("cases");
    FILES.iter().flat_map(read).collect()
}

/// The review of one commit that brings a text of every case.
fn review(cases: &[Case], text: impl Fn(&Case) -> &str) -> Report {
    let bed = Bed::new();
    bed.write("README.md", "cases\n");
    for case in cases {
        if let Some(base) = &case.base {
            bed.write(&case.path(), base);
        }
    }
    bed.commit("base");
    for case in cases {
        bed.write(&case.path(), text(case));
    }
    bed.commit("change");
    let (scope, options) = (
        DiffScope::Commit("HEAD".to_owned()),
        PromptOptions::default(),
    );
    let setup = Setup {
        folder: bed.path(),
        scope: &scope,
        rules: &RuleSet::built_in(),
        limits: &PlanLimits::default(),
        options: &options,
        reviewer: Reviewer::Nobody("rules alone"),
        baseline: &Baseline::default(),
        others: &[],
        carried: None,
    };
    grounds_review::run(&setup, &|_| ()).expect("a report")
}

#[test]
fn the_rules_find_the_defects_of_the_grid() {
    let cases = cases();
    assert_eq!(cases.len(), 64);
    let report = review(&cases, |case| &case.defect);
    let missed: Vec<&str> = cases
        .iter()
        .filter(|case| !case.is_found(&report))
        .map(|case| case.id.as_str())
        .collect();
    println!("{} of {} found", cases.len() - missed.len(), cases.len());
    let known: Vec<&str> = MISSED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(missed, known, "tests/grid/missed.txt says otherwise");
}

#[test]
fn the_rules_say_nothing_about_the_twins() {
    let cases = cases();
    let report = review(&cases, |case| &case.clean);
    let told: Vec<String> = report
        .findings
        .iter()
        .filter(|reviewed| reviewed.standing == GateStanding::Blocks)
        .map(|reviewed| {
            let finding = &reviewed.finding;
            format!("{} {:?}: {}", finding.path, finding.anchor, finding.title)
        })
        .collect();
    assert!(told.is_empty(), "{told:#?}");
}
