//! Compares what the kept index of a history says with what its patches say:
//! `history TREE CACHE WORD_FILE PATH_FILE` looks up each line of the files both ways.
//!
//! For measuring; nothing of it is a claim.

#![expect(
    clippy::print_stdout,
    reason = "the output is the product of this example"
)]

use std::path::Path;
use std::time::Instant;

use grounds_repo::history::{Keeping, Past, Repository};
use grounds_repo::limits::Limits;

/// Milliseconds that each way may take: more than either needs.
const MS_MAX: u64 = 3_600_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tree, cache, words, paths] = arguments.as_slice() else {
        return Err("usage: history TREE CACHE WORD_FILE PATH_FILE".into());
    };
    let lines = |file: &String| -> std::io::Result<Vec<String>> {
        let text = std::fs::read_to_string(file)?;
        Ok(text.lines().map(str::to_owned).collect())
    };
    let (words, paths) = (lines(words)?, lines(paths)?);
    let keeping = Keeping {
        folder: Path::new(cache).to_owned(),
        missing_max: None,
    };
    let ways = [
        ("patches", None),
        ("first", Some(&keeping)),
        ("again", Some(&keeping)),
    ];
    let mut answers = Vec::new();
    for (name, keeping) in ways {
        let start = Instant::now();
        let repository = Repository::open(Path::new(tree), MS_MAX)?;
        let mut past = Past::open(&repository, keeping, &Limits::default())?;
        let opened = start.elapsed().as_millis();
        let found = (past.gone_words(&words)?, past.gone_paths(&paths)?);
        let (gone, paths) = (found.0.0.len(), found.1.0.len());
        let taken = start.elapsed().as_millis();
        println!(
            "{name}: {gone} words, {paths} paths gone, opened after {opened} ms, all {taken} ms {:?}",
            past.unkept
        );
        answers.push(found);
    }
    let mut differing = 0;
    for (words, paths) in &answers[1..] {
        let old = &answers[0].0.0;
        for word in old.keys().chain(words.0.keys()) {
            if old.get(word) != words.0.get(word) {
                differing += 1;
                println!("{word}: {:?} is now {:?}", old.get(word), words.0.get(word));
            }
        }
        let old = &answers[0].1.0;
        for path in old.keys().chain(paths.0.keys()) {
            if old.get(path) != paths.0.get(path) {
                differing += 1;
                println!("{path}: {:?} is now {:?}", old.get(path), paths.0.get(path));
            }
        }
    }
    println!("{differing} differ");
    Ok(())
}
