//! What is merged, and what is not.

use grounds_evidence::Quality;
use proptest::prelude::*;

use super::*;
use crate::answer::NameClaim;
use crate::finding::Severity;

fn finding(id: &str, line: u32, title: &str, basis: Basis) -> Finding {
    Finding {
        id: id.to_owned(),
        rule: (basis == Basis::Rule).then(|| "a-rule".to_owned()),
        path: "a.rs".to_owned(),
        anchor: if line == 0 {
            Anchor::File
        } else {
            Anchor::Lines {
                start: line,
                end: line,
            }
        },
        severity: Severity::Minor,
        title: title.to_owned(),
        message: String::new(),
        quote: None,
        symbol: String::new(),
        producers: vec![if basis == Basis::Rule {
            Producer::Rule("a-rule".to_owned())
        } else {
            Producer::Model("m".to_owned())
        }],
        quality: quality::of(basis),
        exact: None,
    }
}

fn candidate(id: &str, line: u32, title: &str, basis: Basis, same_as: Option<&str>) -> Candidate {
    let finding = finding(id, line, title, basis);
    Candidate {
        finding,
        basis,
        claim: NameClaim::Nothing,
        same_as: same_as.map(str::to_owned),
        notes: Vec::new(),
    }
}

/// Ids with their qualities, and ids of those that went into others.
fn merged(rules: &[Finding], candidates: Vec<Candidate>) -> (Vec<(String, Quality)>, Vec<String>) {
    let (merged, dropped) = merge(rules, candidates);
    let kept = merged
        .into_iter()
        .map(|merged| (merged.finding.id, merged.finding.quality))
        .collect();
    (
        kept,
        dropped.into_iter().map(|dropped| dropped.id).collect(),
    )
}

fn rule() -> Vec<Finding> {
    vec![finding(
        "R1",
        9,
        "a value is put into a command line of a shell",
        Basis::Rule,
    )]
}

fn kept(list: &[(&str, Quality)]) -> Vec<(String, Quality)> {
    list.iter()
        .map(|(id, quality)| ((*id).to_owned(), *quality))
        .collect()
}

#[test]
fn rule_and_model_of_the_same_lines_corroborate_each_other() {
    for (same_as, title) in [
        (Some("R1"), "injection"),
        (None, "value is put unquoted into a shell command line"),
    ] {
        let (list, gone) = merged(
            &rule(),
            vec![candidate("M1.1", 9, title, Basis::Anchored, same_as)],
        );
        assert_eq!(
            (list, gone),
            (kept(&[("R1", Quality::Verified)]), vec!["M1.1".to_owned()]),
            "{title}"
        );
    }
}

#[test]
fn a_model_without_a_quote_is_no_witness() {
    let (list, _) = merged(
        &rule(),
        vec![candidate(
            "M1.1",
            9,
            "injection",
            Basis::Unverified,
            Some("R1"),
        )],
    );
    assert_eq!(list, kept(&[("R1", Quality::Strong)]));
}

#[test]
fn a_wrong_word_of_sameness_hides_nothing() {
    for line in [8, 10, 90] {
        let (list, gone) = merged(
            &rule(),
            vec![candidate(
                "M1.1",
                line,
                "claims may be nothing",
                Basis::Anchored,
                Some("R1"),
            )],
        );
        assert_eq!((list.len(), gone.len()), (2, 0), "{line}");
    }
}

#[test]
fn equal_findings_of_two_calls_are_one_and_the_better_founded_stays() {
    let weak = candidate(
        "M1.1",
        20,
        "request token may be absent here",
        Basis::Anchored,
        None,
    );
    let strong = candidate(
        "M2.1",
        21,
        "token may be absent in the request",
        Basis::Confirmed,
        None,
    );
    let (list, gone) = merged(&[], vec![weak, strong]);
    assert_eq!(
        (list, gone),
        (kept(&[("M2.1", Quality::Strong)]), vec!["M1.1".to_owned()])
    );
}

proptest! {
    /// Whatever a model says, every finding of a rule stays as severe and as sure as it was, or surer; and nothing is lost.
    #[test]
    fn rules_are_never_weakened_and_nothing_is_lost(
        said in proptest::collection::vec((0_u32..30, "(shell|value|token|command|line| ){1,6}", 0_usize..4, prop::bool::ANY), 0..12),
    ) {
        let bases = [Basis::ModelAlone, Basis::Anchored, Basis::Confirmed, Basis::Unverified];
        let candidates: Vec<Candidate> = said.iter().enumerate()
            .map(|(number, (line, title, basis, same))| candidate(&format!("M1.{number}"), *line, title, bases[*basis], same.then_some("R1"))).collect();
        let count = candidates.len();
        let (merged, dropped) = merge(&rule(), candidates);
        prop_assert_eq!(merged.len() + dropped.len(), count + 1);
        let of_rule = merged.iter().find(|merged| merged.finding.id == "R1").expect("it stays");
        prop_assert!(of_rule.finding.quality >= Quality::Strong);
        prop_assert_eq!(&of_rule.finding.title, &rule()[0].title);
        prop_assert_eq!(of_rule.finding.severity, Severity::Minor);
    }
}
