//! Compares what the kept index of a history says with what its patches say:
//! `history TREE CACHE WORD_FILE PATH_FILE` looks up each line of the files both ways.
//!
//! For measuring; nothing of it is a claim.

#![expect(
    clippy::print_stdout,
    reason = "the output is the product of this example"
)]
#![expect(
    clippy::use_debug,
    reason = "it prints differences for whoever measures"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::Path;
use std::time::Instant;

use grounds_repo::git::GitError;
use grounds_repo::history::{GonePath, GoneWord, HistoryReading, Past, Repository};
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
    let patches = HistoryReading::default();
    let kept = HistoryReading {
        folder: Some(Path::new(cache).to_owned()),
        ..HistoryReading::default()
    };
    let ways = [("patches", &patches), ("first", &kept), ("again", &kept)];
    let answers = ways.map(|(name, reading)| look(name, tree, reading, &words, &paths));
    let [patches, first, again] = answers;
    let (patches, first, again) = (patches?, first?, again?);
    let differing: usize = [first, again]
        .map(|kept| differing(&patches.0, &kept.0) + differing(&patches.1, &kept.1))
        .iter()
        .sum();
    println!("{differing} differ");
    Ok(())
}

type Answers = (BTreeMap<String, GoneWord>, BTreeMap<String, GonePath>);

/// Looks words and paths up in one way, and prints how long it took.
fn look(
    name: &str,
    tree: &str,
    reading: &HistoryReading,
    words: &[String],
    paths: &[String],
) -> Result<Answers, GitError> {
    let start = Instant::now();
    let repository = Repository::open(Path::new(tree), MS_MAX)?;
    let mut past = Past::open(&repository, reading, &Limits::default())?;
    let opened_ms = start.elapsed().as_millis();
    let (words, paths) = (past.gone_words(words)?.0, past.gone_paths(paths)?.0);
    let (counts, all_ms) = ((words.len(), paths.len()), start.elapsed().as_millis());
    println!("{name}: {counts:?} gone, opened after {opened_ms} ms, all {all_ms} ms");
    if let Some(why) = past.unkept {
        println!("not kept: {why}");
    }
    Ok((words, paths))
}

/// Prints what differs, and returns how much does.
fn differing<T: PartialEq + Debug>(old: &BTreeMap<String, T>, new: &BTreeMap<String, T>) -> usize {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let is_other = |name: &&&String| old.get(**name) != new.get(**name);
    let other = names.iter().filter(is_other);
    other
        .map(|name| println!("{name}: {:?} is now {:?}", old.get(*name), new.get(*name)))
        .count()
}
