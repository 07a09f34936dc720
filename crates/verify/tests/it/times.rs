//! Deadlines of real texts against what a person reads from them.

use grounds_verify::timeframe;
use jiff::Timestamp;
use serde_json::Value;

#[test]
fn ninety_five_of_a_hundred_real_deadlines_are_read_as_a_person_reads_them() {
    let page = include_str!("../times/uma.jsonl");
    for part in ["fitted", "held"] {
        let cases: Vec<Value> = page
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .filter(|case: &Value| case["part"] == part)
            .collect();
        let is_right = |case: &&Value| {
            let written = Timestamp::from_second(case["written"].as_i64().expect("a second"))
                .expect("a time");
            let frame = timeframe::read(case["text"].as_str().expect("a text"), written)
                .unwrap_or_default();
            let labelled = |name: &str| {
                case[name]
                    .as_str()
                    .map(|at| at.parse::<Timestamp>().expect("a time"))
            };
            (frame.start, frame.end) == (labelled("start"), labelled("end"))
        };
        let right = cases.iter().filter(is_right).count();
        assert!(
            cases.len() >= 100 && right * 100 >= cases.len() * 95,
            "{part}: {right} of {}",
            cases.len()
        );
    }
}
