use grounds_evidence::{Family, Observation, Relation};
use grounds_repo::ci::question::Asks;
use grounds_repo::ci::{CiRun, CiStanding, ServiceKind};

use super::*;

fn ledger(found: &[Match]) -> Ledger {
    let mut ledger = Ledger::new(&[]);
    for found in found {
        let class = match found {
            Match::TargetBuilt | Match::BuildFailed | Match::OtherBuilt => EvidenceClass::Build,
            _ => EvidenceClass::Test,
        };
        ledger.record(Observation {
            class,
            tool: "test",
            family: Family::Toolchain,
            query: String::new(),
            target: String::new(),
            found: *found,
            relation: Relation::Unlabelled,
            match_count: 1,
            exact_match_count: 1,
            phrase_match: false,
            sources: Vec::new(),
        });
    }
    ledger
}

fn findings(states: &[CiState]) -> CiFindings {
    let run = |state: &CiState| CiRun {
        id: 1,
        workflow: String::new(),
        file: None,
        event: String::new(),
        branch: String::new(),
        commit: String::new(),
        standing: CiStanding {
            state: *state,
            word: String::new(),
        },
        page: String::new(),
        created: String::new(),
    };
    CiFindings {
        kind: ServiceKind::GitHub,
        host: String::new(),
        repository: String::new(),
        subject: String::new(),
        asks: Asks::Whether,
        runs: states.iter().map(run).collect(),
        others: Vec::new(),
        listed: 0,
        failures: Vec::new(),
        notes: Vec::new(),
        bounds: Vec::new(),
    }
}

#[track_caller]
fn check(text: &str, seen: &[Match], expected: Option<Decision>) {
    let question = crate::understand(text).expect("a question");
    let got = of(&question, Outcome::Answered, &ledger(seen), None);
    assert_eq!(got, expected, "{text} {seen:?}");
}

#[test]
fn a_build_and_tests_decide_what_was_asked() {
    use Decision::{No, Yes};
    use Match::{
        AllRelevantTestsPassed as Pass, BuildFailed, OtherBuilt, SomeTestsPassed, TargetBuilt,
        TestsFailed,
    };
    for (text, seen, expected) in [
        ("does it build?", &[TargetBuilt][..], Some(Yes)),
        ("does it build?", &[BuildFailed], Some(No)),
        ("build", &[BuildFailed], Some(No)),
        ("does it build?", &[OtherBuilt], None),
        ("do the tests pass?", &[Pass], Some(Yes)),
        ("do the tests pass?", &[TestsFailed], Some(No)),
        ("run the tests", &[TestsFailed], Some(No)),
        ("do the tests pass?", &[BuildFailed], Some(No)),
        ("do the tests pass?", &[SomeTestsPassed], None),
        ("does it build and do the tests pass?", &[TargetBuilt], None),
        (
            "does it build and do the tests pass?",
            &[TargetBuilt, Pass],
            Some(Yes),
        ),
        (
            "does it build and do the tests pass?",
            &[TargetBuilt, TestsFailed],
            Some(No),
        ),
        ("do the tests fail?", &[TestsFailed], Some(Yes)),
        ("do the tests fail?", &[Pass], Some(No)),
        ("does `fails` pass?", &[Pass], Some(Yes)),
        ("where is add defined?", &[TestsFailed], None),
        ("rename `add` to `sum`", &[TestsFailed], None),
    ] {
        check(text, seen, expected);
    }
}

#[test]
fn only_an_answer_decides() {
    let question = crate::understand("do the tests pass?").expect("a question");
    let ledger = ledger(&[Match::TestsFailed]);
    for outcome in [Outcome::Conflicting, Outcome::NotCheckable, Outcome::Failed] {
        assert_eq!(of(&question, outcome, &ledger, None), None);
    }
}

#[test]
fn runs_of_a_service_decide_only_whether_they_passed() {
    use CiState::{Failed, Passed, Skipped, Stopped, Unfinished};
    use Decision::{No, Yes};
    for (text, states, expected) in [
        ("did CI pass?", &[Passed, Skipped][..], Some(Yes)),
        ("did CI pass?", &[Passed, Failed], Some(No)),
        ("is CI green?", &[Passed, Unfinished], Some(No)),
        ("did CI pass?", &[Stopped], Some(No)),
        ("did CI pass?", &[Skipped], Some(No)),
        ("is CI broken?", &[Failed], Some(Yes)),
        ("why did CI fail?", &[Failed], None),
        ("check my CI workflow", &[Failed], None),
    ] {
        let question = crate::understand(text).expect("a question");
        let ci = findings(states);
        let got = of(&question, Outcome::Answered, &ledger(&[]), Some(&ci));
        assert_eq!(got, expected, "{text} {states:?}");
    }
}
