use proptest::prelude::*;

use crate::{ALL, Argument, Claim, ClaimError, ClaimForm, Quantifier, Scope, Tests, parse};

fn claims() -> impl Strategy<Value = Claim> {
    let quantifier = prop_oneof![
        Just(Quantifier::Some),
        Just(Quantifier::Any),
        Just(Quantifier::None),
        Just(Quantifier::Only),
        any::<u32>().prop_map(Quantifier::Exactly),
        any::<u32>().prop_map(Quantifier::AtLeast),
        Just(Quantifier::Count),
        Just(Quantifier::CountFiles),
    ];
    let tests = prop_oneof![
        Just(Tests::Count),
        Just(Tests::Outside),
        Just(Tests::Inside)
    ];
    let text = "\\PC{0,12}|[a-z\"\\\\\n_]{0,8}";
    let places = || prop::collection::vec(text, 0..3);
    let arguments = prop::collection::vec(
        prop_oneof![Just(Argument::Hole), text.prop_map(Argument::Is)],
        2,
    );
    let scope = (places(), places(), tests).prop_map(|(inside, outside, tests)| Scope {
        inside,
        outside,
        tests,
    });
    let kind = prop::option::of("[a-z ]{0,6}");
    (
        0..ALL.len(),
        arguments,
        quantifier,
        any::<bool>(),
        scope,
        kind,
    )
        .prop_map(
            |(number, mut arguments, quantifier, is_negated, scope, kind)| {
                arguments.truncate(ALL[number].arguments.len());
                Claim {
                    quantifier,
                    is_negated,
                    scope,
                    kind,
                    ..Claim::new(ALL[number], arguments)
                }
            },
        )
}

proptest! {
    #[test]
    fn the_text_form_round_trips(claim in claims()) {
        prop_assert_eq!(parse(&claim.to_string()), Ok(claim));
    }

    #[test]
    fn the_json_form_round_trips(claim in claims()) {
        let json = serde_json::to_string(&ClaimForm::from(&claim)).expect("JSON");
        let form: ClaimForm = serde_json::from_str(&json).expect("a claim");
        prop_assert_eq!(Claim::try_from(form), Ok(claim));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,60}") {
        let _ = parse(&text);
    }
}

#[test]
fn every_example_is_a_claim_of_its_predicate() {
    for predicate in ALL {
        for example in predicate.examples {
            let claim = parse(example);
            assert_eq!(
                claim.as_ref().map(|claim| claim.predicate.name),
                Ok(predicate.name)
            );
            assert_eq!(claim.map(|claim| claim.to_string()).as_deref(), Ok(example));
        }
    }
}

#[test]
fn what_is_no_claim_is_told_with_its_reason() {
    let arity = ClaimError::Arity {
        predicate: "calls",
        takes: 2,
        given: 1,
    };
    let cases = [
        ("sings(_, \"x\")", "unknown predicate `sings`".to_owned()),
        ("calls(_)", arity.to_string()),
        (
            "calls(_, \"x",
            "expected a closing quotation mark at byte 10 of the claim".to_owned(),
        ),
        (
            "calls(_, \"x\") near \"y\"",
            "expected `in`, `outside` or the end at byte 14 of the claim".to_owned(),
        ),
        ("", "expected a predicate at byte 0 of the claim".to_owned()),
    ];
    for (text, says) in cases {
        assert_eq!(
            parse(text).map_err(|error| error.to_string()),
            Err(says),
            "{text}"
        );
    }
}

#[test]
fn a_claim_without_a_hole_is_a_statement() {
    let is_statement = |text: &str| parse(text).expect("a claim").is_statement();
    assert!(!is_statement("calls(_, \"x\")"));
    assert!(!is_statement("count calls(_, \"x\")"));
    assert!(is_statement("calls(\"y\", \"x\")"));
    assert!(is_statement("none calls(_, \"x\")"));
    assert!(is_statement("not calls(_, \"x\")"));
}
