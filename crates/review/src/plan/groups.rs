//! Which changed files go into one call.

use std::collections::BTreeMap;

use super::{FILE_TOKENS, Load};
use crate::bundle::BundlePart;
use crate::chain::Chain;
use crate::diff::Diff;

/// Number of files that change the same name past which the name binds none of them together.
const CHANGERS_MAX: usize = 6;
/// The strength of the bond between a test and its subject.
const TEST_BOND: u32 = 6;
/// The strength of the bond between a file and one that it imports.
const IMPORT_BOND: u32 = 3;

/// Divides the lines of files into calls of at most `tokens_max` tokens.
pub(super) fn group(
    diff: &Diff,
    chain: &Chain,
    files: Vec<Vec<Load>>,
    tokens_max: u64,
) -> Vec<Vec<BundlePart>> {
    let mut calls = Vec::new();
    let mut small: Vec<(usize, u64, Vec<Load>)> = Vec::new();
    for loads in files {
        let Some(file) = loads.first().map(|load| load.part.file) else {
            continue;
        };
        let tokens = FILE_TOKENS + loads.iter().map(|load| load.tokens).sum::<u64>();
        if tokens > tokens_max {
            calls.extend(split(loads, tokens_max));
        } else {
            small.push((file, tokens, loads));
        }
    }
    let groups = joined(diff, chain, &small, tokens_max);
    // A small file does not get a call of its own, since each call costs its instructions again.
    calls.extend(filled(groups, small, tokens_max));
    calls.sort_by_key(|parts: &Vec<BundlePart>| {
        (parts[0].file, parts[0].hunk, parts[0].lines.start)
    });
    calls
}

/// Divides the lines of one large file into several calls, in their order.
fn split(loads: Vec<Load>, tokens_max: u64) -> Vec<Vec<BundlePart>> {
    let mut calls: Vec<Vec<BundlePart>> = Vec::new();
    let mut left = 0;
    for load in loads {
        match calls.last_mut().filter(|_| load.tokens <= left) {
            Some(call) => call.push(load.part),
            None => {
                // A piece can be a single line that is larger than a call.
                left = tokens_max.saturating_sub(FILE_TOKENS).max(load.tokens);
                calls.push(vec![load.part]);
            }
        }
        left -= load.tokens;
    }
    calls
}

/// Joins the files with the strongest bonds, as long as they fit into a call, and returns the group
/// of each.
fn joined(
    diff: &Diff,
    chain: &Chain,
    small: &[(usize, u64, Vec<Load>)],
    tokens_max: u64,
) -> Vec<usize> {
    let places: BTreeMap<usize, usize> = small
        .iter()
        .enumerate()
        .map(|(place, (file, ..))| (*file, place))
        .collect();
    let mut groups: Vec<usize> = (0..small.len()).collect();
    let mut tokens: Vec<u64> = small.iter().map(|(_, tokens, _)| *tokens).collect();
    let mut bonds: Vec<((usize, usize), u32)> = bonds(diff, chain, &places).into_iter().collect();
    // The strongest bonds come first, since a call that is full takes no further file.
    bonds.sort_by_key(|(pair, bond)| (std::cmp::Reverse(*bond), *pair));
    for ((one, other), _) in bonds {
        let (one, other) = (groups[one], groups[other]);
        if one != other && tokens[one] + tokens[other] <= tokens_max {
            let (kept, gone) = (one.min(other), one.max(other));
            tokens[kept] += tokens[gone];
            groups
                .iter_mut()
                .filter(|group| **group == gone)
                .for_each(|group| *group = kept);
        }
    }
    groups
}

/// Groups files by their subject: a source and its tests.
fn by_subject(diff: &Diff, places: &BTreeMap<usize, usize>) -> BTreeMap<String, Vec<usize>> {
    let mut subjects: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for file in places.keys() {
        let subject = subject(&diff.files[*file].path);
        subjects.entry(subject).or_default().push(*file);
    }
    subjects
}

/// Returns the strength of the bonds between pairs of files, by their places.
fn bonds(
    diff: &Diff,
    chain: &Chain,
    places: &BTreeMap<usize, usize>,
) -> BTreeMap<(usize, usize), u32> {
    let mut bonds: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut bind = |one: usize, other: usize, bond: u32| {
        if let (Some(one), Some(other)) = (places.get(&one), places.get(&other))
            && one != other
        {
            *bonds.entry((*one.min(other), *one.max(other))).or_default() += bond;
        }
    };
    let mut changers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (file, chain) in &chain.files {
        chain
            .changes
            .iter()
            .for_each(|name| changers.entry(name).or_default().push(*file));
    }
    for (file, chain) in &chain.files {
        chain
            .brings_in
            .iter()
            .for_each(|other| bind(*file, *other, IMPORT_BOND));
        let shared = chain
            .uses
            .iter()
            .filter_map(|name| changers.get(name.as_str()))
            // A name such as `new` that many files change says nothing about which of them belong
            // together.
            .filter(|files| files.len() <= CHANGERS_MAX);
        shared.flatten().for_each(|other| bind(*file, *other, 1));
    }
    for files in by_subject(diff, places).values() {
        if files.len() <= CHANGERS_MAX {
            files
                .windows(2)
                .for_each(|pair| bind(pair[0], pair[1], TEST_BOND));
        }
    }
    bonds
}

/// Returns the name of a file without the parts that make it a test or a header: `ledger_test.go`,
/// `test_ledger.py` and `ledger.h` all give `ledger`.
fn subject(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name
        .split('.')
        .next()
        .filter(|stem| !stem.is_empty())
        .unwrap_or(name);
    let stem = stem
        .strip_prefix("test_")
        .or_else(|| stem.strip_prefix("Test"))
        .unwrap_or(stem);
    let ends = ["_test", "_tests", "Tests", "Test", "_spec", "Spec", "-test"];
    ends.iter()
        .find_map(|end| stem.strip_suffix(end))
        .unwrap_or(stem)
        .to_lowercase()
}

/// Fills calls up with the groups that follow, in the order of the diff.
fn filled(
    groups: Vec<usize>,
    small: Vec<(usize, u64, Vec<Load>)>,
    tokens_max: u64,
) -> Vec<Vec<BundlePart>> {
    let mut by_group: BTreeMap<usize, (u64, Vec<BundlePart>)> = BTreeMap::new();
    for (group, (_, tokens, loads)) in groups.into_iter().zip(small) {
        let entry = by_group.entry(group).or_default();
        entry.0 += tokens;
        entry.1.extend(loads.into_iter().map(|load| load.part));
    }
    let mut calls: Vec<(u64, Vec<BundlePart>)> = Vec::new();
    for (tokens, parts) in by_group.into_values() {
        match calls
            .last_mut()
            .filter(|(used, _)| used + tokens <= tokens_max)
        {
            Some((used, call)) => {
                *used += tokens;
                call.extend(parts);
            }
            None => calls.push((tokens, parts)),
        }
    }
    calls
        .iter_mut()
        .for_each(|(_, parts)| parts.sort_by_key(|part| (part.file, part.hunk, part.lines.start)));
    calls.into_iter().map(|(_, parts)| parts).collect()
}
