//! Measures how much of the main text of real pages is read. Given a folder with
//! `ground-truth.json` and `html/ID.html.gz` in the form of the public article extraction
//! benchmark, prints precision, recall and F1 of runs of four words.
//!
//!     cargo run --release -p grounds-web --features measure --example extraction -- FOLDER

#![expect(
    clippy::print_stdout,
    clippy::use_debug,
    reason = "an example that prints what it measured"
)]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use grounds_web::read::{Material, Medium, ReadBounds, read};
use serde_json::Value;

/// Number of words of one run.
const RUN_WORDS: usize = 4;

type Runs = BTreeMap<Vec<String>, usize>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(
        std::env::args()
            .nth(1)
            .ok_or("give the folder of the benchmark")?,
    );
    let truth: BTreeMap<String, Value> =
        serde_json::from_slice(&std::fs::read(folder.join("ground-truth.json"))?)?;
    let (mut precisions, mut recalls, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    let start = Instant::now();
    for (id, page) in &truth {
        let found = text_of(&folder.join("html").join(format!("{id}.html.gz")))?;
        if found.is_empty() {
            failed.push(&id[..8.min(id.len())]);
        }
        let (precision, recall) = compared(
            &runs(page["articleBody"].as_str().unwrap_or_default()),
            &runs(&found),
        );
        precisions.push(precision);
        recalls.push(recall);
    }
    let (precision, recall) = (mean(&precisions), mean(&recalls));
    let f1 = 2.0 * precision * recall / (precision + recall);
    let ms_a_page = start.elapsed().as_millis() as f64 / truth.len() as f64;
    println!(
        "{} pages: precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}, {ms_a_page:.1} ms a page, no page: {failed:?}",
        truth.len()
    );
    Ok(())
}

fn text_of(path: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path)?).read_to_end(&mut bytes)?;
    let material = Material {
        bytes: &bytes,
        medium: Medium::Html,
        charset: None,
        address: None,
        path: None,
        now: jiff::Timestamp::now(),
    };
    Ok(read(&material, &ReadBounds::default())
        .map(|reading| reading.text)
        .unwrap_or_default())
}

/// Returns the runs of words of a text, each with the number of its occurrences.
fn runs(text: &str) -> Runs {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut runs = Runs::new();
    for start in 0..words
        .len()
        .saturating_sub(RUN_WORDS - 1)
        .max(usize::from(!words.is_empty()))
    {
        *runs
            .entry(words[start..(start + RUN_WORDS).min(words.len())].to_vec())
            .or_default() += 1;
    }
    runs
}

fn compared(wanted: &Runs, found: &Runs) -> (f64, f64) {
    let common: usize = wanted
        .iter()
        .map(|(run, count)| *count.min(found.get(run).unwrap_or(&0)))
        .sum();
    let total = |runs: &Runs| runs.values().sum::<usize>();
    let share = |of: usize| {
        if of == 0 {
            1.0
        } else {
            common as f64 / of as f64
        }
    };
    match (total(wanted), total(found)) {
        (wanted, 0) if wanted > 0 => (0.0, 0.0),
        (wanted, found) => (share(found), share(wanted)),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
