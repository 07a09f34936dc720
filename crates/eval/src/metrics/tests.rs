//! Figures against numbers worked out by hand.

use std::collections::BTreeSet;

use super::*;
use crate::case::Expectation;
use crate::cost::Cost;
use crate::observed::{Card, Confidence, Observed};
use crate::verdict::JudgedParts;

fn near(got: Option<f64>, wanted: f64) {
    assert!(
        got.is_some_and(|got| (got - wanted).abs() < 5e-4),
        "{got:?} is not {wanted}"
    );
}

fn result(answered: bool, verdict: Verdict, level: &str, score: u32) -> CaseResult {
    let outcome = if answered { "answered" } else { "insufficient" };
    let band = grounds_evidence::scorecard::Band::of(score)
        .as_str()
        .to_owned();
    let observed = Observed {
        outcome: outcome.to_owned(),
        confidence: Confidence {
            level: level.to_owned(),
            ..Confidence::default()
        },
        scorecard: Some(Card {
            total_thousandths: score,
            band,
            below: None,
        }),
        ..Observed::default()
    };
    let is_answerable = !matches!(verdict, Verdict::FalseAnswer)
        && (answered || verdict == Verdict::WrongfulRefusal);
    let expected = if is_answerable {
        "answered"
    } else {
        "insufficient"
    };
    CaseResult {
        suite: "s".to_owned(),
        id: String::new(),
        class: "c".to_owned(),
        job: "ask".to_owned(),
        fingerprint: String::new(),
        question: String::new(),
        expected: Expectation {
            outcome: Some(expected.to_owned()),
            ..Expectation::default()
        },
        observed: Some(observed),
        error: None,
        verdict,
        judged: JudgedParts::default(),
        cost: Cost::default(),
    }
}

#[test]
fn the_interval_is_that_of_wilson() {
    let share = Share::of(9, 10);
    near(share.low, 0.5958);
    near(share.high, 0.9821);
    near(Share::of(0, 20).high, 0.1611);
    assert_eq!(Share::of(0, 0).rate, None);
}

#[test]
fn ndcg_is_worked_out_by_hand() {
    let gold: BTreeSet<&str> = ["a", "b"].into();
    near(
        Some(ranking::ndcg10(&["x", "a", "b"], &gold)),
        (0.63093 + 0.5) / (1.0 + 0.63093),
    );
    near(Some(ranking::ndcg10(&["a", "b"], &gold)), 1.0);
    assert_eq!(ranking::first_rank(&["x", "a"], &gold), Some(2));
}

#[test]
fn rates_are_over_the_cases_that_they_are_about() {
    let results = [
        result(true, Verdict::Right, "High", 900),
        result(true, Verdict::FalseAnswer, "High", 800),
        result(false, Verdict::Right, "None", 100),
        result(false, Verdict::WrongfulRefusal, "Low", 300),
    ];
    let figures = &all(&results)[0];
    assert_eq!(
        (figures.false_answers.hits, figures.false_answers.of),
        (1, 2)
    );
    assert_eq!(
        (figures.wrongful_refusals.hits, figures.wrongful_refusals.of),
        (1, 2)
    );
    let high = figures
        .levels
        .iter()
        .find(|level| level.level == "High")
        .expect("a row");
    assert_eq!((high.right.hits, high.right.of), (1, 2));
    assert_eq!(
        all(&results)
            .iter()
            .map(|row| row.group.as_str())
            .collect::<Vec<_>>(),
        ["all", "s", "s: c"]
    );
}

#[test]
fn a_lens_is_measured_by_how_it_orders_pairs() {
    let results = [
        result(true, Verdict::Right, "High", 900),
        result(true, Verdict::Right, "Complete", 400),
        result(true, Verdict::FalseAnswer, "High", 800),
        result(false, Verdict::Right, "None", 100),
    ];
    let lenses = Lenses::of(&results);
    // Pairs of a right run and another: High/High is half, all else is in order.
    near(lenses.derived.auroc_all, 3.5 / 4.0);
    near(lenses.derived.auroc_answered, 1.5 / 2.0);
    // 0.9 is above 0.8 and 0.1, 0.4 is above 0.1 only.
    near(lenses.scorecard.auroc_all, 3.0 / 4.0);
    assert_eq!(
        (lenses.scorecard.recovery.hits, lenses.scorecard.recovery.of),
        (2, 4)
    );
    // Strong holds a right one and another (|1.7 - 1|), weak a right one (|0.4 - 1|), failed another (0.1).
    near(lenses.scorecard.calibration_error, (0.7 + 0.6 + 0.1) / 4.0);
    near(lenses.scorecard.overlap, 0.5);
}
