//! Functions that take other arguments now, or are gone, in ten languages and many layouts:
//! how many of the calls that still mean the old one a review finds, and that it says
//! nothing where the calls were changed too.

use std::collections::BTreeMap;

use grounds_review::baseline::Baseline;
use grounds_review::options::PromptOptions;
use grounds_review::report::GateStanding;
use grounds_review::{DiffScope, PlanLimits, Report, Reviewer, RuleSet, Setup};
use serde::Deserialize;

use crate::bed::Bed;

const CASES: &str = include_str!("../grid/callers.yml");

/// Layouts that are not found yet: whoever finds one takes its name away.
const MISSED: &[&str] = &[
    "python-method-of-an-object",
    "go-method",
    "php-static-method",
];

type Texts = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    was: Texts,
    is: Texts,
    call: Texts,
    updated: Texts,
}

/// What a review of one change says about callers.
fn told(case: &Case, changes: &[&Texts]) -> Vec<String> {
    let bed = Bed::new();
    let write = |texts: &Texts| texts.iter().for_each(|(path, text)| bed.write(path, text));
    write(&case.was);
    write(&case.call);
    bed.commit("base");
    changes.iter().for_each(|texts| write(texts));
    bed.commit("change");
    let report = review(&bed);
    assert!(
        report.failures.is_empty(),
        "{}: {:?}",
        case.id,
        report.failures
    );
    let findings = report.findings.iter();
    findings
        .filter(|reviewed| reviewed.standing == GateStanding::Blocks)
        .map(|reviewed| reviewed.finding.title.clone())
        .collect()
}

fn review(bed: &Bed) -> Report {
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
fn calls_that_mean_the_old_function_are_found() {
    let cases: Vec<Case> = serde_saphyr::from_str(CASES).expect("cases");
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    for case in &cases {
        if told(case, &[&case.is]).is_empty() {
            missed.push(case.id.as_str());
        }
        let twin = told(case, &[&case.is, &case.updated]);
        if !twin.is_empty() {
            wrong.push((case.id.as_str(), twin));
        }
    }
    println!("{} of {} found", cases.len() - missed.len(), cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(missed, MISSED);
    assert!(cases.len() >= 30, "{}", cases.len());
}
