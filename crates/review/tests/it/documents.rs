//! Changes of what documents state: which of the documents that were left as they are a review names,
//! how much it makes of them, and that it says nothing where the document was changed too.

use std::collections::BTreeMap;

use grounds_review::baseline::Baseline;
use grounds_review::options::PromptOptions;
use grounds_review::report::GateStanding;
use grounds_review::{DiffScope, PlanLimits, Report, Reviewer, RuleSet, Setup};
use serde::Deserialize;

use crate::bed::Bed;

const CASES: &str = include_str!("../grid/documents.yml");
const RULE: &str = "document-not-updated";

/// Texts by path; a file without one is removed.
type Texts = BTreeMap<String, Option<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    /// Whether the gate blocks; `None` if nothing is said at all.
    blocks: Option<bool>,
    was: Texts,
    is: Texts,
    document: Texts,
    updated: Texts,
}

fn write(bed: &Bed, texts: &Texts) {
    for (path, text) in texts {
        match text {
            Some(text) => bed.write(path, text),
            None => std::fs::remove_file(bed.path().join(path)).expect("a file to remove"),
        }
    }
}

/// What a review of one change says about documents, each with whether it blocks.
fn told(case: &Case, changes: &[&Texts], rules: &RuleSet) -> (Vec<(bool, String)>, Report) {
    let bed = Bed::new();
    write(&bed, &case.was);
    write(&bed, &case.document);
    bed.commit("base");
    changes.iter().for_each(|texts| write(&bed, texts));
    bed.commit("change");
    let report = review(&bed, rules);
    assert!(
        report.failures.is_empty(),
        "{}: {:?}",
        case.id,
        report.failures
    );
    let findings = report.findings.iter();
    let of_rule = findings.filter(|one| one.finding.rule.as_deref() == Some(RULE));
    let told = of_rule.map(|one| {
        (
            one.standing == GateStanding::Blocks,
            one.finding.title.clone(),
        )
    });
    (told.collect(), report)
}

fn review(bed: &Bed, rules: &RuleSet) -> Report {
    let (scope, options) = (
        DiffScope::Commit("HEAD".to_owned()),
        PromptOptions::default(),
    );
    let setup = Setup {
        folder: bed.path(),
        scope: &scope,
        rules,
        limits: &PlanLimits::default(),
        options: &options,
        reviewer: Reviewer::Nobody("rules alone"),
        baseline: &Baseline::default(),
        others: &[],
        carried: None,
    };
    grounds_review::run(&setup, &|_| ()).expect("a report")
}

fn cases() -> Vec<Case> {
    serde_saphyr::from_str(CASES).expect("cases")
}

#[test]
fn documents_that_say_what_was_are_found_and_their_twins_are_not() {
    let rules = RuleSet::built_in();
    let mut wrong = Vec::new();
    for case in &cases() {
        let (found, _) = told(case, &[&case.is], &rules);
        let blocks = found.iter().map(|(blocks, _)| *blocks).max();
        let cites = |(_, title): &(bool, String)| {
            let mut documents = case.document.keys();
            documents.any(|path| title.contains(&format!("{path}:")))
        };
        if blocks != case.blocks || !found.iter().all(cites) {
            wrong.push(format!("{}: {found:?}", case.id));
        }
        let (twin, _) = told(case, &[&case.is, &case.updated], &rules);
        if !twin.is_empty() {
            wrong.push(format!("{}, its twin: {twin:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_bound_that_is_reached_is_told_and_nothing_is_said() {
    let cases = cases();
    let case = cases.iter().find(|case| case.id == "constant-of-rust");
    let case = case.expect("the case");
    type Narrow = fn(&mut RuleSet);
    let bounds: [(&str, Narrow); 5] = [
        ("documents_max", |rules| rules.limits.documents_max = 0),
        ("documents_bytes_max", |rules| {
            rules.limits.documents_bytes_max = 1;
        }),
        ("stated_names_max", |rules| {
            rules.limits.stated_names_max = 0
        }),
        ("stated_files_max", |rules| {
            rules.limits.stated_files_max = 0
        }),
        ("stated_bytes_max", |rules| {
            rules.limits.stated_bytes_max = 1
        }),
    ];
    for (name, narrow) in bounds {
        let mut rules = RuleSet::built_in();
        narrow(&mut rules);
        let (found, report) = told(case, &[&case.is], &rules);
        let mut open = report.rules_not_judged.iter();
        let is_told = open.any(|one| {
            one.rule.as_deref() == Some(RULE) && one.reason.contains(&format!("({name})"))
        });
        assert!(
            found.is_empty() && is_told,
            "{name}: {found:?} {:?}",
            report.rules_not_judged
        );
    }
}
