//! The boundary as JSON: strict on the way in, told where, and every hit on the way out.

use grounds_verify::wire;
use serde_json::{Value, json};

fn page(number: usize) -> Value {
    json!({"url": format!("https://paper{number}.example/a"), "pub_date": "2025-03-04", "text": format!("Paper {number}. The bridge opened on Tuesday. More words.")})
}

fn hit(number: usize, stance: &str) -> Value {
    json!({"url": format!("https://paper{number}.example/a"), "stance": stance, "tier": "wire", "excerpt": "The bridge opened on Tuesday."})
}

fn input() -> Value {
    json!({
        "task": {"claim": "The bridge of Example opened in March 2025.", "timeframe": {"start": "2025-03-01", "end": "2025-03-31"}},
        "history": {
            "as_of": "2025-04-20T00:00:00Z",
            "queries": [{"text": "bridge not opened", "seeks": "refutation", "result_count": 4}],
            "pages": [page(1), page(2)],
            "hits": [hit(1, "support"), hit(2, "support")],
        },
        "attempts": 1,
        "max_attempts": 3,
    })
}

fn decide(input: &Value) -> Value {
    serde_json::from_str(&wire::decide(&input.to_string()).expect("a decision")).expect("JSON")
}

#[test]
fn two_papers_make_a_claim_true_with_a_proof_that_quotes_them() {
    let output = decide(&input());
    let result = &output["result"];
    assert_eq!(
        (&output["status"], &result["outcome"]),
        (&json!("final"), &json!("True"))
    );
    assert!(
        result["proof"]
            .as_str()
            .is_some_and(|proof| proof.contains("The bridge opened on Tuesday.")),
        "{result}"
    );
    assert_eq!(result["sources"].as_array().map(Vec::len), Some(2));
    assert_eq!(result["debug"]["total_pages_visited"], json!(2));
    assert_eq!(result["evidence"][0]["weight_milli"], json!(800));
    assert_eq!(
        output["trace"]["support"],
        json!({"weight_milli": 1600, "families": 2, "is_above_other": true})
    );
}

#[test]
fn without_a_refutation_query_it_asks_for_one_and_then_says_invalid() {
    let mut input = input();
    input["history"]["queries"] = json!([]);
    let output = decide(&input);
    assert_eq!(
        (&output["status"], &output["gap"]["lacks_refutation_query"]),
        (&json!("need_more_search"), &json!(true))
    );
    input["attempts"] = json!(3);
    let result = &decide(&input)["result"];
    assert_eq!(
        (&result["outcome"], &result["reason"]),
        (&json!("Invalid"), &json!("insufficient"))
    );
}

#[test]
fn a_failure_is_no_verdict() {
    let mut input = input();
    input["attempts"] = json!(3);
    input["history"]["pages"] = json!([{"url": "https://paper1.example/a", "failure": "refused"}]);
    let output = decide(&input);
    assert_eq!(
        (&output["status"], &output["failure"], &output["result"]),
        (&json!("failed"), &json!("no_page_read"), &Value::Null)
    );
}

#[test]
fn what_does_not_count_says_why() {
    let mut input = input();
    input["attempts"] = json!(3);
    let cases = [
        (
            "excerpt",
            json!("The bridge opened on Monday."),
            "not_in_page",
        ),
        ("place", json!("snippet"), "snippet_only"),
        ("place", json!("answer_box"), "answer_box"),
        ("manner", json!("forecast"), "forecast"),
        ("stance", json!("neutral"), "neutral"),
        (
            "happened",
            json!({"start": "2024-03-04", "end": "2024-03-04"}),
            "event_outside",
        ),
    ];
    for (name, value, why) in cases {
        let mut changed = input.clone();
        changed["history"]["hits"][0][name] = value;
        let output = decide(&changed);
        assert_eq!(
            output["result"]["evidence"][0]["why_not"],
            json!(why),
            "{name}"
        );
        assert_eq!(output["result"]["outcome"], json!("Invalid"), "{name}");
    }
    for (name, value, why) in [
        ("pub_date", Value::Null, "undated"),
        ("pub_date", json!("2025-02-20"), "before_window"),
        ("pub_date", json!("2025-04-10"), "after_window"),
        ("pub_date", json!("2025-05-10"), "after_as_of"),
        ("modified", json!("2025-04-19"), "changed_after_window"),
    ] {
        let mut changed = input.clone();
        changed["history"]["pages"][0][name] = value;
        assert_eq!(
            decide(&changed)["result"]["evidence"][0]["why_not"],
            json!(why),
            "{name}"
        );
    }
}

#[test]
fn before_the_end_a_claim_is_not_matured_and_what_is_foreclosed_is_false() {
    let mut input = input();
    input["attempts"] = json!(3);
    input["history"]["as_of"] = json!("2025-03-10T00:00:00Z");
    for number in 0..2 {
        input["history"]["hits"][number]["stance"] = json!("refute");
    }
    assert_eq!(decide(&input)["result"]["reason"], json!("not_matured"));
    for number in 0..2 {
        input["history"]["hits"][number]["manner"] = json!("foreclosed");
    }
    assert_eq!(decide(&input)["result"]["outcome"], json!("False"));
}

#[test]
fn a_claim_that_cannot_be_checked_is_told_at_once() {
    for (claim, detail) in [
        ("Pizza is delicious.", "opinion"),
        ("Who won the World Cup?", "question"),
        (
            "Germany won the cup in 2014 and France won the cup in 2018.",
            "two_claims",
        ),
    ] {
        let mut input = input();
        input["task"]["claim"] = json!(claim);
        let result = &decide(&input)["result"];
        assert_eq!(
            (&result["reason"], &result["detail"]),
            (&json!("not_checkable"), &json!(detail)),
            "{claim}"
        );
    }
}

#[test]
fn the_calibrated_rule_tells_its_numbers() {
    let mut input = input();
    input["rules"] = json!({"policy": "calibrated_v2"});
    let output = decide(&input);
    assert_eq!(output["trace"]["policy"], json!("calibrated_v2"));
    assert!(
        output["trace"]["log_odds_milli"].is_i64() && output["trace"]["calibration"].is_string()
    );
}

#[test]
fn of_very_many_hits_those_that_count_are_listed_and_the_others_are_counted() {
    let mut input = input();
    let more = 10_001;
    let hits = input["history"]["hits"].as_array_mut().expect("hits");
    let (first, count) = (hits[0].clone(), hits.len());
    hits.resize(count + more, first);
    let (few, many) = (decide(&self::input()), decide(&input));
    assert_eq!(many["result"]["outcome"], few["result"]["outcome"]);
    let counted = |output: &Value| -> Vec<Value> {
        let evidence = output["result"]["evidence"].as_array().expect("evidence");
        let counted = evidence.iter().filter(|hit| hit["standing"] == "counted");
        counted.cloned().collect()
    };
    assert_eq!(many["result"]["evidence"], json!(counted(&few)));
    assert_eq!(few["trace"]["unlisted"]["same_family"], json!(0));
    let rest = few["result"]["evidence"].as_array().map_or(0, Vec::len) - counted(&few).len();
    let unlisted = &many["trace"]["unlisted"];
    let told = unlisted["same_family"].as_u64().unwrap_or(0)
        + unlisted["not_counted"].as_u64().unwrap_or(0);
    assert_eq!(told, (rest + more) as u64);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let cases: [(&str, Value, &str); 7] = [
        ("/attempts", json!("one"), "attempts"),
        ("/history/as_of", json!("yesterday"), "history.as_of"),
        (
            "/history/hits/1/tier",
            json!("best"),
            "history.hits[1].tier",
        ),
        (
            "/history/hits/1/bytes",
            json!([5, 2]),
            "history.hits[1].bytes",
        ),
        (
            "/history/pages/0/pub_date",
            json!("2025-13-01"),
            "history.pages[0].pub_date",
        ),
        (
            "/task/timeframe",
            json!({"start": "2025-05-01", "end": "2025-03-01"}),
            "task.timeframe",
        ),
        (
            "/task/timeframe",
            json!({"until": "2025-05-01"}),
            "task.timeframe",
        ),
    ];
    for (place, value, path) in cases {
        let mut input = input();
        match input.pointer_mut(place) {
            Some(found) => *found = value,
            None => input["history"]["hits"][1]["bytes"] = value,
        }
        let error = wire::decide(&input.to_string()).expect_err(place);
        assert!(error.path.starts_with(path), "{place}: {error}");
    }
    for rules in [
        json!({"other_milli": 900}),
        json!({"opposing_max_milli": 1000}),
        json!({"families_min": 0}),
        json!({"trade_milli": 900}),
    ] {
        let mut input = input();
        input["rules"] = rules;
        assert_eq!(
            wire::decide(&input.to_string()).expect_err("rules").path,
            "rules"
        );
    }
    assert!(
        wire::decide("{} {}").is_err() && wire::decide("").is_err() && wire::decide("[]").is_err()
    );
}
