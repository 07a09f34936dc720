//! How fast claims are checked over a folder of documents, and how much memory that takes:
//! `cargo run --release -p grounds --features measure --example verify_batch -- DIR [CLAIMS] [JOBS]`.
//! The claims are sentences of the documents themselves; every second one has a number or a word changed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use grounds_verify::batch::{self, BatchClaim, BatchDone};
use grounds_verify::judges::Judge;
use grounds_verify::judges::lexical::Lexical;
use grounds_verify::judges::sentences::sentences;
use grounds_verify::rounds::{Limits, LookupMeans, verify};
use grounds_verify::spending::Spending;
use grounds_verify::{DecisionRules, SearchTask, SourceTier, Undated, Verdict, proof};
use grounds_web::Fetch;
use grounds_web::SearchProvider;
use grounds_web::corpus::{Corpus, CorpusOptions};
use jiff::Timestamp;

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let folder = PathBuf::from(
        arguments
            .get(1)
            .expect("the first argument names a folder of documents"),
    );
    let number = |at: usize, usual: usize| {
        arguments
            .get(at)
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let (count, jobs) = (number(2, 10_000), number(3, 2));
    let start = Instant::now();
    let corpus = Corpus::open(&folder, &CorpusOptions::new(Timestamp::now()))
        .expect("a folder of documents");
    println!(
        "{} documents indexed in {:.1} s, {} MB",
        corpus.documents_count(),
        start.elapsed().as_secs_f64(),
        memory_mb()
    );
    let claims = claims(&corpus, count);
    let out = tempfile::tempdir().expect("a folder");
    let start = Instant::now();
    let summary = batch::run(
        &claims,
        &out.path().join("out.jsonl"),
        jobs,
        &|_| None,
        &|claim| one(claim, &corpus),
        &|_| (),
    )
    .expect("a run");
    let took = start.elapsed().as_secs_f64();
    println!(
        "{} claims by {jobs} threads in {took:.1} s: {:.0} a second, {} MB at the most",
        summary.done,
        summary.done as f64 / took,
        memory_mb()
    );
    told(&out.path().join("out.jsonl"));
}

fn one(claim: &BatchClaim, corpus: &Corpus) -> BatchDone {
    let task = SearchTask {
        id: claim.id.clone(),
        claim: claim.claim.clone(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    };
    let (judge, spending) = (Lexical::default(), Spending::default());
    let judges: [&dyn Judge; 1] = [&judge];
    let means = LookupMeans {
        provider: corpus,
        fetch: corpus,
        judges: &judges,
        tier: &|_| SourceTier::Primary,
        spending: &spending,
        unread: &[],
    };
    let rules = DecisionRules {
        undated: Undated::Counts,
        ..DecisionRules::default()
    };
    let limits = Limits {
        parallel_max: 1,
        ..Limits::default()
    };
    match verify(
        task,
        Timestamp::UNIX_EPOCH,
        &means,
        &limits,
        &rules,
        &|_| (),
    ) {
        Ok(mut verification) => {
            proof::write(&mut verification, None);
            let outcome = match verification.result.outcome {
                Verdict::True => "True",
                Verdict::False => "False",
                Verdict::Invalid(_) => "Invalid",
            };
            BatchDone::Result(
                serde_json::json!({"id": claim.id, "claim": claim.claim, "outcome": outcome})
                    .to_string(),
            )
        }
        Err(error) => BatchDone::Failed(error.to_string()),
    }
}

/// Sentences that make claims: neither short nor long, with a verb that states.
fn claims(corpus: &Corpus, count: usize) -> Vec<BatchClaim> {
    let found = [
        "is", "are", "default", "must", "returns", "supports", "uses",
    ]
    .iter()
    .flat_map(|word| corpus.search(word, 3_000).unwrap_or_default());
    let mut texts: Vec<String> = Vec::new();
    for result in found {
        let Ok(page) = corpus.fetch(&result.url) else {
            continue;
        };
        let of_page = sentences(&page.text).into_iter().map(|range| {
            page.text[range]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        });
        texts.extend(
            of_page
                .filter(|text| (5..=16).contains(&text.split(' ').count()) && text.ends_with('.'))
                .take(12),
        );
        if texts.len() >= count * 2 {
            break;
        }
    }
    texts.sort();
    texts.dedup();
    let changed = |(number, text): (usize, String)| match number % 2 {
        0 => text,
        _ => text
            .replacen(" is ", " is not ", 1)
            .replacen(" are ", " are not ", 1),
    };
    let claim = |(number, claim): (usize, String)| BatchClaim {
        id: number.to_string(),
        claim,
        from: None,
        to: None,
        context: None,
        origin: None,
        language: None,
    };
    texts
        .into_iter()
        .enumerate()
        .map(changed)
        .take(count)
        .enumerate()
        .map(claim)
        .collect()
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn told(out: &Path) {
    let text = std::fs::read_to_string(out).unwrap_or_default();
    for outcome in ["True", "False", "Invalid"] {
        println!(
            "{outcome}: {}",
            text.lines()
                .filter(|line| line.contains(&format!("\"outcome\":\"{outcome}\"")))
                .count()
        );
    }
}

/// The most memory that this program had.
fn memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| {
        line.trim()
            .trim_end_matches("kB")
            .trim()
            .parse::<u64>()
            .ok()
    })
    .unwrap_or(0)
        / 1024
}
