//! Shows what the judge of words says about single sentences, without a search:
//!
//! `cargo run -p grounds-verify --example sentences -- pairs FILE…` reads lines with `source`,
//! `mutant`, `kind` and `label`, and counts by kind what the source sentence says of the changed
//! one. With `--show KIND` it prints the pairs of that kind on which the judge is silent.
//!
//! `… -- twins FOLDER…` searches for two sentences of one folder that differ only in a number, both
//! of which a document says. If one is said to refute the other, they cannot be states of one thing
//! with one value at a time, so that each printed line is a probable error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use grounds_verify::Stance;
use grounds_verify::judges::JudgedPage;
use grounds_verify::judges::lexical::Lexical;
use grounds_verify::judges::sentences::sentences;
use grounds_web::corpus::{CorpusOptions, read_document};
use jiff::Timestamp;
use serde_json::Value;

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let shown = arguments
        .iter()
        .position(|argument| argument == "--show")
        .and_then(|at| arguments.get(at + 1));
    let paths: Vec<PathBuf> = arguments
        .iter()
        .skip(1)
        .take_while(|argument| !argument.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    match arguments.first().map(String::as_str) {
        Some("pairs") => pairs(&paths, shown.map(String::as_str)),
        Some("twins") => paths.iter().for_each(|folder| twins(folder)),
        _ => println!("sentences pairs FILE… [--show KIND] | sentences twins FOLDER…"),
    }
}

/// Returns what one sentence alone says about a claim.
fn said(claim: &str, sentence: &str) -> Option<Stance> {
    let page = JudgedPage {
        url: "",
        title: None,
        text: sentence,
    };
    let judged = Lexical::default().of_page(claim, Some("en"), &page);
    judged
        .into_iter()
        .map(|judgement| judgement.stance)
        .find(|stance| *stance != Stance::Neutral)
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn pairs(files: &[PathBuf], shown: Option<&str>) {
    let mut all: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file of pairs");
        for row in text.lines() {
            let row: Value = serde_json::from_str(row).expect("a pair");
            let part = |name: &str| row[name].as_str().unwrap_or_default();
            let stance = said(part("mutant"), part("source"));
            let place = match stance {
                Some(Stance::Support) => 0,
                Some(Stance::Refute) => 1,
                Some(Stance::Neutral) | None => 2,
            };
            all.entry(part("kind").to_owned()).or_default()[place] += 1;
            let told = ["True", "False", "Invalid"][place];
            let is_wrong = place != 2 && told != part("label");
            if is_wrong || (told != part("label") && Some(part("kind")) == shown) {
                println!(
                    "{told} {}: {} | {}\n",
                    part("kind"),
                    part("mutant"),
                    part("source")
                );
            }
        }
    }
    println!(
        "{:24} {:>6} {:>6} {:>8}",
        "kind", "True", "False", "Invalid"
    );
    for (kind, [yes, no, open]) in all {
        println!("{kind:24} {yes:>6} {no:>6} {open:>8}");
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn twins(folder: &Path) {
    let mut alike: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let options = CorpusOptions::new(Timestamp::now());
    for path in files(folder) {
        let inner = path.strip_prefix(folder).expect("a path of the folder");
        let Ok(page) = read_document(folder, &inner.display().to_string(), &options) else {
            continue;
        };
        for place in sentences(&page.text) {
            let words: Vec<&str> = page.text[place].split_whitespace().collect();
            if words.len() < 5 || words.len() > 80 {
                continue;
            }
            let form: Vec<String> = words.iter().map(|word| without_number(word)).collect();
            alike
                .entry(form.join(" "))
                .or_default()
                .insert(words.join(" "));
        }
    }
    let (mut pairs, mut refuted) = (0, 0);
    for group in alike.values().filter(|group| group.len() > 1) {
        let group: Vec<&String> = group.iter().take(6).collect();
        for (at, one) in group.iter().enumerate() {
            for other in &group[at + 1..] {
                pairs += 1;
                if said(one, other) == Some(Stance::Refute) {
                    refuted += 1;
                    println!("{one} | {other}");
                }
            }
        }
    }
    println!("{}: {pairs} pairs, {refuted} refuted", folder.display());
}

/// Replaces the digits of a word, or a small number in words, by one sign.
fn without_number(word: &str) -> String {
    const NAMES: [&str; 9] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    if NAMES.contains(&word.to_lowercase().trim_end_matches(['.', ','])) {
        return "#".to_owned();
    }
    let mut plain = String::new();
    for letter in word.chars() {
        match letter.is_ascii_digit() {
            true if plain.ends_with('#') => {}
            true => plain.push('#'),
            false => plain.push(letter),
        }
    }
    plain
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_document = path
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| matches!(extension, "md" | "txt" | "rst" | "html"));
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if is_document {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
