//! What is right and what is not.

use super::*;

fn spot(path: &str, line: u32) -> Spot {
    Spot {
        path: path.to_owned(),
        line_start: line,
        line_end: line,
        text: "fn a_b()".to_owned(),
        ..Spot::default()
    }
}

fn gold(file: &str, line: Option<u32>) -> Gold {
    Gold {
        file: file.to_owned(),
        line,
        symbol: None,
    }
}

fn answered(cited: &[Spot]) -> Observed {
    Observed {
        outcome: "answered".to_owned(),
        cited: cited.to_vec(),
        ..Observed::default()
    }
}

fn refused(kind: &str) -> Observed {
    Observed {
        outcome: "insufficient".to_owned(),
        refusal: Some(kind.to_owned()),
        ..Observed::default()
    }
}

fn expect(outcome: &str, places: &[Gold]) -> Expectation {
    Expectation {
        outcome: Some(outcome.to_owned()),
        gold: places.to_vec(),
        ..Expectation::default()
    }
}

#[track_caller]
fn check(expect: &Expectation, seen: &Observed, verdict: Verdict) {
    assert_eq!(judge(expect, seen).0, verdict);
}

#[test]
fn an_answer_is_right_at_the_labelled_line_only() {
    let wanted = expect("answered", &[gold("a.rs", Some(3))]);
    check(&wanted, &answered(&[spot("a.rs", 3)]), Verdict::Right);
    check(&wanted, &answered(&[spot("a.rs", 4)]), Verdict::WrongPlace);
    check(
        &wanted,
        &answered(&[spot("b.rs", 3), spot("a.rs", 3)]),
        Verdict::WrongPlace,
    );
    check(&wanted, &refused("not_found"), Verdict::WrongfulRefusal);
    check(
        &expect("answered", &[gold("a.rs", None)]),
        &answered(&[spot("a.rs", 4)]),
        Verdict::Right,
    );
}

#[test]
fn a_name_must_stand_in_the_text_as_a_word() {
    let wanted = |symbol: &str| {
        expect(
            "answered",
            &[Gold {
                symbol: Some(symbol.to_owned()),
                ..gold("a.rs", None)
            }],
        )
    };
    check(
        &wanted("a_b"),
        &answered(&[spot("a.rs", 1)]),
        Verdict::Right,
    );
    check(
        &wanted("a"),
        &answered(&[spot("a.rs", 1)]),
        Verdict::WrongPlace,
    );
}

#[test]
fn an_answer_where_there_is_none_is_a_false_answer() {
    let wanted = Expectation {
        refusal: Some("not_found".to_owned()),
        ..expect("insufficient", &[])
    };
    check(&wanted, &answered(&[spot("a.rs", 3)]), Verdict::FalseAnswer);
    check(&wanted, &refused("not_found"), Verdict::Right);
    check(&wanted, &refused("cannot_tell"), Verdict::WrongKind);
    check(
        &wanted,
        &Observed {
            outcome: "not_checkable".to_owned(),
            ..Observed::default()
        },
        Verdict::WrongOutcome,
    );
    check(
        &wanted,
        &Observed {
            outcome: "failed".to_owned(),
            ..Observed::default()
        },
        Verdict::Failed,
    );
}

#[test]
fn what_must_not_be_cited_makes_an_answer_wrong() {
    let wanted = Expectation {
        must_not_cite: vec![gold("b.rs", None)],
        ..expect("answered", &[gold("a.rs", None)])
    };
    let (verdict, judged) = judge(&wanted, &answered(&[spot("a.rs", 1), spot("b.rs", 2)]));
    assert_eq!(
        (verdict, judged.forbidden.as_slice()),
        (Verdict::WrongPlace, &["b.rs:2".to_owned()][..])
    );
}

#[test]
fn an_intent_alone_is_judged_by_itself() {
    let wanted = Expectation {
        intents: vec!["Locate".to_owned(), "Explain".to_owned()],
        ..Expectation::default()
    };
    let seen = |intent: &str| Observed {
        intent: intent.to_owned(),
        is_intent_alone: true,
        ..Observed::default()
    };
    check(&wanted, &seen("Explain"), Verdict::Right);
    check(&wanted, &seen("Status"), Verdict::WrongIntent);
}
