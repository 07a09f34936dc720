//! How often the judge of words is right over documentation that it was not made on:
//!
//! `cargo run -p grounds --features measure --example claims -- mutants FOLDER… [--each N] [--seed N] [--show KIND]`
//! draws sentences of a folder, changes one thing of each (a word, a value, a unit, a denial, the
//! order, the tense, the subject) and counts how often each kind is told True, False and Invalid.
//! A changed sentence that is told True is an error, and is printed.
//!
//! `… -- bank BANK BUILD [--predictions FILE]` checks a bank of labelled claims: `BANK/CORPUS/claims.jsonl`
//! and `BANK/mutants/CORPUS.jsonl` over `BUILD/CORPUS`, and `BANK/world/SET/docs` with `claim.json`.
//!
//! `… -- passages BANK BUILD` tells of the claims of a bank that a sentence decides whether its page was
//! read and its sentence shown to a judge: that is what every judge that reads depends on.
//!
//! Everything is decided as by `grounds verify --corpus FOLDER --corpus-hands one --accept strong`.

mod bank;
mod check;
mod mutate;
mod passages;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::check::{Checker, Told};

/// Sentences that are drawn of one folder.
const EACH: usize = 50;

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let mut plain: Vec<PathBuf> = Vec::new();
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        if argument.starts_with("--") {
            rest.next();
        } else {
            plain.push(PathBuf::from(argument));
        }
    }
    match (arguments.first().map(String::as_str), plain.as_slice()) {
        (Some("mutants"), folders) if !folders.is_empty() => {
            let number = |name: &str, usual: u64| {
                after(name)
                    .and_then(|text| text.parse().ok())
                    .unwrap_or(usual)
            };
            mutants(
                folders,
                number("--each", EACH as u64),
                number("--seed", 1),
                after("--show"),
            );
        }
        (Some("bank"), [bank, build]) => bank::run(bank, build, after("--predictions").as_deref()),
        (Some("passages"), [bank, build]) => passages::run(bank, build),
        _ => {
            println!("claims mutants FOLDER… | claims bank BANK BUILD | claims passages BANK BUILD")
        }
    }
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn mutants(folders: &[PathBuf], each: u64, seed: u64, show: Option<String>) {
    let mut all: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for folder in folders {
        let checker = Checker::open(folder);
        let cases = mutate::cases(folder, usize::try_from(each).unwrap_or(EACH), seed);
        let claims: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
        let told = checker.all(&claims);
        for (case, told) in cases.iter().zip(&told) {
            count(&mut all, &case.kind, told);
            let is_wrong = case.kind != "same" && told.verdict == "True";
            if is_wrong || show.as_deref() == Some(&case.kind) {
                println!(
                    "{} {} | {} | {}",
                    told.verdict, case.kind, case.text, told.quote
                );
            }
        }
        println!("{}: {} claims", folder.display(), cases.len());
    }
    table(&all);
}

/// Counts a verdict under its kind: True, False, Invalid.
fn count(all: &mut BTreeMap<String, [usize; 3]>, kind: &str, told: &Told) {
    let place = match told.verdict {
        "True" => 0,
        "False" => 1,
        _ => 2,
    };
    all.entry(kind.to_owned()).or_default()[place] += 1;
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn table(all: &BTreeMap<String, [usize; 3]>) {
    println!(
        "{:24} {:>6} {:>6} {:>8}",
        "kind", "True", "False", "Invalid"
    );
    for (kind, [yes, no, open]) in all {
        println!("{kind:24} {yes:>6} {no:>6} {open:>8}");
    }
}

/// The files of a folder whose names end like those of documents, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_document = [".md", ".txt", ".rst", ".html"]
                .iter()
                .any(|end| name.ends_with(end));
            if path.is_dir() && !path.is_symlink() && !name.starts_with('.') {
                open.push(path);
            } else if is_document && !name.starts_with('.') {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
