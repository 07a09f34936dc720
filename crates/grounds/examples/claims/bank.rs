//! A bank of labelled claims: how many are decided, and how many of those rightly.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::check::{Checker, Told};

/// What came of the claims of one kind.
#[derive(Default)]
struct Score {
    claims: usize,
    decided: usize,
    right: usize,
    /// Told True or False where the label says otherwise.
    wrong: usize,
    told_true: usize,
}

/// Checks every claim of a bank and prints a table.
#[expect(clippy::print_stdout, reason = "an example prints")]
pub(crate) fn run(bank: &Path, build: &Path, predictions: Option<&str>) {
    let mut all: BTreeMap<String, Score> = BTreeMap::new();
    let mut out = predictions.map(|path| std::fs::File::create(path).expect("a file"));
    for entry in std::fs::read_dir(build)
        .expect("the built corpora")
        .flatten()
    {
        let corpus = entry.file_name().to_string_lossy().into_owned();
        let checker = Checker::open(&entry.path());
        for (group, path, key) in [
            ("claims", bank.join(&corpus).join("claims.jsonl"), "claim"),
            (
                "mutants",
                bank.join("mutants").join(format!("{corpus}.jsonl")),
                "mutant",
            ),
        ] {
            let rows = rows(&path);
            let claims: Vec<&str> = rows.iter().filter_map(|row| row[key].as_str()).collect();
            for (row, told) in rows.iter().zip(checker.all(&claims)) {
                let kind = row["kind"].as_str().unwrap_or_default();
                note(
                    &mut all,
                    &format!("{group} {kind}"),
                    &accepted(row, "label"),
                    &told,
                    &mut out,
                    row,
                );
            }
        }
    }
    for entry in std::fs::read_dir(bank.join("world"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let Ok(text) = std::fs::read_to_string(entry.path().join("claim.json")) else {
            continue;
        };
        let row: Value = serde_json::from_str(&text).expect("a world");
        let checker = Checker::of_several(&entry.path().join("docs"));
        let told = checker.one(row["claim"].as_str().unwrap_or_default());
        note(
            &mut all,
            "world",
            &accepted(&row, "verdict"),
            &told,
            &mut out,
            &row,
        );
    }
    println!(
        "{:32} {:>6} {:>8} {:>6} {:>6} {:>6}",
        "kind", "claims", "decided", "right", "wrong", "True"
    );
    for (kind, score) in &all {
        println!(
            "{kind:32} {:>6} {:>8} {:>6} {:>6} {:>6}",
            score.claims, score.decided, score.right, score.wrong, score.told_true
        );
    }
}

pub(super) fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The labels that count as right.
fn accepted(row: &Value, label: &str) -> Vec<String> {
    let listed = row["accept"].as_array().map(|list| {
        list.iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    });
    listed.unwrap_or_else(|| vec![row[label].as_str().unwrap_or_default().to_owned()])
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn note(
    all: &mut BTreeMap<String, Score>,
    kind: &str,
    accepted: &[String],
    told: &Told,
    out: &mut Option<std::fs::File>,
    row: &Value,
) {
    let is_decided = matches!(told.verdict, "True" | "False");
    let is_right = accepted.iter().any(|label| label == told.verdict);
    let score = all.entry(kind.to_owned()).or_default();
    score.claims += 1;
    score.decided += usize::from(is_decided);
    score.right += usize::from(is_decided && is_right);
    score.wrong += usize::from(is_decided && !is_right);
    score.told_true += usize::from(told.verdict == "True");
    if is_decided && !is_right {
        println!(
            "wrong: {} {kind} {} | {}",
            told.verdict,
            row["claim"]
                .as_str()
                .or(row["mutant"].as_str())
                .unwrap_or_default(),
            told.quote
        );
    }
    if let Some(out) = out {
        let line = json!({"id": row["id"], "verdict": told.verdict, "file": told.url, "quote": told.quote});
        let _ = writeln!(out, "{line}");
    }
}
