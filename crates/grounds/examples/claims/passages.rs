//! Whether what decides a claim reaches a judge: its page among those that are read, its
//! sentence among what of the page is shown.

use std::path::Path;

use grounds_verify::judges::entailment::SENTENCES_MAX;
use grounds_verify::judges::model::SHOWN_BYTES_MAX;
use grounds_verify::judges::{Judge, JudgeError, JudgedPage, Judgement, passages};
use grounds_verify::rounds::Verification;
use grounds_verify::{JudgeName, SearchTask};
use serde_json::Value;

use super::bank;
use super::check::Checker;

/// How far the sentences that decide claims came.
#[derive(Default)]
struct Reached {
    claims: usize,
    read: usize,
    asked: usize,
    shown: usize,
    pages: usize,
    shown_bytes: usize,
}

/// A judge that reads and says nothing, so that all rounds are made.
#[derive(Debug)]
struct Silent;

impl Judge for Silent {
    fn name(&self) -> JudgeName {
        JudgeName::Entailment("nobody".to_owned())
    }

    fn judge(&self, _: &SearchTask, _: &JudgedPage<'_>) -> Result<Vec<Judgement>, JudgeError> {
        Ok(Vec::new())
    }
}

/// Looks every claim of a bank up and prints how far its sentence came.
#[expect(clippy::print_stdout, reason = "an example prints")]
pub(crate) fn run(bank: &Path, build: &Path) {
    let mut all = Reached::default();
    for entry in std::fs::read_dir(build)
        .expect("the built corpora")
        .flatten()
    {
        let checker = Checker::open(&entry.path());
        let rows = bank::rows(&bank.join(entry.file_name()).join("claims.jsonl"));
        for row in &rows {
            note(&checker, row, &mut all);
        }
    }
    let Reached {
        claims,
        read,
        asked,
        shown,
        pages,
        shown_bytes,
    } = all;
    println!("claims that a sentence decides:              {claims}");
    println!("its page was read:                           {read}");
    println!("it is one of {SENTENCES_MAX} that entailment is asked of: {asked}");
    println!("it is in the part that a model is shown:     {shown}");
    println!("pages a claim: {}", pages / claims.max(1));
    println!(
        "bytes that a model is shown of a claim's pages: {}",
        shown_bytes / claims.max(1)
    );
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn note(checker: &Checker, row: &Value, all: &mut Reached) {
    let (Some(claim), Some(file), Some(quote)) = (
        row["claim"].as_str(),
        row["file"].as_str(),
        row["quote"].as_str(),
    ) else {
        return;
    };
    if quote.is_empty() {
        return;
    }
    all.claims += 1;
    let Some(looked) = checker.look(claim, &[&Silent]) else {
        println!("failed: {claim}");
        return;
    };
    count_shown(claim, &looked, all);
    let ends = format!("/{file}");
    let mut pages = looked.history.pages.iter();
    let read = pages.find(|page| page.url == format!("corpus:{file}") || page.url.ends_with(&ends));
    let Some(page) = read else {
        println!("not read: {claim} | {quote}");
        return;
    };
    all.read += 1;
    let quote = folded(quote);
    let has = |places: Vec<std::ops::Range<usize>>| {
        places.into_iter().any(|place| {
            let text = folded(&page.text[place]);
            text.contains(&quote) || (text.len() > 15 && quote.contains(&text))
        })
    };
    let is_shown = has(passages::worth_showing(claim, &page.text, SHOWN_BYTES_MAX));
    all.shown += usize::from(is_shown);
    let asked = passages::worth_asking(claim, &page.text, SENTENCES_MAX);
    all.asked += usize::from(has(asked));
    if !is_shown {
        println!("not shown: {claim} | {quote}");
    }
}

/// Counts what a model would be shown of all pages of a claim.
fn count_shown(claim: &str, looked: &Verification, all: &mut Reached) {
    let shown = |text: &str| passages::worth_showing(claim, text, SHOWN_BYTES_MAX);
    for page in &looked.history.pages {
        all.pages += 1;
        all.shown_bytes += shown(&page.text)
            .iter()
            .map(ExactSizeIterator::len)
            .sum::<usize>();
    }
}

/// Its letters and digits: not how a text is marked up.
fn folded(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}
