//! Measures how often a judge is right on labelled pairs of claim and evidence, and how often it
//! speaks: `GROUNDS_DATA=DIR cargo run --release -p grounds-verify --features measure --example
//! judges [-- --errors]`. With `--features model` and `--entailment URL` the judge is an entailment
//! model instead of the judge of words. DIR contains `claims/healthver_dev.csv` and
//! `claims/climate_fever_first_half.jsonl`. The rules were made on the topics with an even number;
//! those with an odd number are reported.

use std::path::{Path, PathBuf};

use grounds_verify::judges::lexical::Lexical;
use grounds_verify::judges::{Judge, JudgedPage};
use grounds_verify::{SearchTask, Stance};

struct Pair {
    claim: String,
    evidence: String,
    label: Label,
    is_fitted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Support,
    Refute,
    Neutral,
}

#[derive(Default)]
struct Score {
    pairs: usize,
    said: usize,
    right: usize,
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    let folder = std::env::var_os("GROUNDS_DATA")
        .map(PathBuf::from)
        .expect("GROUNDS_DATA names the folder of the data");
    let judge = judge();
    let shows_errors = std::env::args().any(|argument| argument == "--errors");
    for (name, pairs) in [
        ("healthver_dev", healthver(&folder)),
        ("climate_fever", climate(&folder)),
    ] {
        for is_fitted in [true, false] {
            let score = score(
                &*judge,
                pairs.iter().filter(|pair| pair.is_fitted == is_fitted),
                shows_errors && is_fitted,
            );
            let half = if is_fitted { "made on" } else { "reported" };
            let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
            println!(
                "{name} {half}: {} pairs, spoke on {} ({:.1} %), right {} ({:.1} %)",
                score.pairs,
                score.said,
                percent(score.said, score.pairs),
                score.right,
                percent(score.right, score.said)
            );
        }
    }
}

#[cfg(feature = "model")]
fn judge() -> Box<dyn Judge> {
    use grounds_verify::judges::entailment::{CERTAINTY_MILLI, Entailment};
    let arguments: Vec<String> = std::env::args().collect();
    let after = |name: &str| {
        arguments
            .iter()
            .position(|argument| argument == name)
            .and_then(|at| arguments.get(at + 1))
    };
    let Some(url) = after("--entailment") else {
        return Box::new(Lexical::default());
    };
    let certainty = after("--certainty")
        .and_then(|text| text.parse().ok())
        .unwrap_or(CERTAINTY_MILLI);
    Box::new(
        Entailment::new(url, &Default::default(), Default::default(), certainty)
            .expect("an address"),
    )
}

#[cfg(not(feature = "model"))]
fn judge() -> Box<dyn Judge> {
    Box::new(Lexical::default())
}

#[expect(clippy::print_stdout, clippy::use_debug, reason = "an example prints")]
fn score<'p>(judge: &dyn Judge, pairs: impl Iterator<Item = &'p Pair>, shows: bool) -> Score {
    let mut score = Score::default();
    for pair in pairs {
        let (id, claim, language) = (String::new(), pair.claim.clone(), Some("en".to_owned()));
        let task = SearchTask {
            id,
            claim,
            timeframe: None,
            context: None,
            language,
            origin: None,
        };
        let page = JudgedPage {
            url: "https://example.org/",
            title: None,
            text: &pair.evidence,
        };
        let said = judge.judge(&task, &page).expect("the judge can be asked");
        let sides: Vec<Label> = said
            .iter()
            .filter_map(|judgement| match judgement.stance {
                Stance::Support => Some(Label::Support),
                Stance::Refute => Some(Label::Refute),
                Stance::Neutral => None,
            })
            .collect();
        score.pairs += 1;
        let Some(side) = sides
            .first()
            .filter(|first| sides.iter().all(|side| side == *first))
        else {
            continue;
        };
        score.said += 1;
        score.right += usize::from(*side == pair.label);
        if shows {
            println!(
                "{} {side:?} is {:?}: {} | {}",
                if *side == pair.label { "+" } else { "-" },
                pair.label,
                pair.claim,
                pair.evidence
            );
        }
    }
    score
}

fn healthver(folder: &Path) -> Vec<Pair> {
    let Ok(mut reader) = csv::Reader::from_path(folder.join("claims/healthver_dev.csv")) else {
        return Vec::new();
    };
    let pair = |row: csv::StringRecord| {
        let label = match &row[3] {
            "Supports" => Label::Support,
            "Refutes" => Label::Refute,
            _ => Label::Neutral,
        };
        let topic: u32 = row[4].parse().unwrap_or(0);
        Pair {
            claim: row[2].to_owned(),
            evidence: row[1].to_owned(),
            label,
            is_fitted: topic.is_multiple_of(2),
        }
    };
    reader.records().flatten().map(pair).collect()
}

fn climate(folder: &Path) -> Vec<Pair> {
    let text = std::fs::read_to_string(folder.join("claims/climate_fever_first_half.jsonl"))
        .unwrap_or_default();
    let claims = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let of_claim = |(number, claim): (usize, serde_json::Value)| {
        let evidences = claim["evidences"].as_array().cloned().unwrap_or_default();
        let pair = move |evidence: serde_json::Value| {
            let label = match evidence["evidence_label"].as_str() {
                Some("SUPPORTS") => Label::Support,
                Some("REFUTES") => Label::Refute,
                _ => Label::Neutral,
            };
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            Pair {
                claim: text(&claim["claim"]),
                evidence: text(&evidence["evidence"]),
                label,
                is_fitted: number % 2 == 0,
            }
        };
        evidences.into_iter().map(pair).collect::<Vec<_>>()
    };
    claims.enumerate().flat_map(of_claim).collect()
}
