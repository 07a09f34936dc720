//! Bonuses for categories that confirm the same target.
//!
//! The same target is the same identifier, path or phrase after its convention is
//! taken away; never a part of what a tool was asked, and nothing equals an empty one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Category, results};
use crate::ledger::Ledger;
use crate::name;

/// Why something is added, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// The categories that agree.
    pub categories: Vec<Category>,
    /// The target or the file that they agree on.
    pub target: String,
    /// What is added, in hundredths.
    pub hundredths: u32,
}

/// What categories that agree add.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bonuses {
    /// Categories that confirm one target: two of them, or three and more.
    pub same_target: Option<Bonus>,
    /// Search and read on one file or symbol.
    pub search_and_read: Option<Bonus>,
}

/// What two categories on one target add.
const TWO_HUNDREDTHS: u32 = 10;
/// What three or more add.
const THREE_HUNDREDTHS: u32 = 20;
/// What search and read on one file or symbol add to it.
const SEARCH_AND_READ_HUNDREDTHS: u32 = 5;

/// What the categories of a ledger agree on.
pub(super) fn of(ledger: &Ledger) -> Bonuses {
    Bonuses {
        same_target: same_target(ledger),
        search_and_read: search_and_read(ledger),
    }
}

/// The target that most categories confirm; of several the first by its name.
fn same_target(ledger: &Ledger) -> Option<Bonus> {
    let by_target = categories_by(ledger, |seen| name_of(&seen.target).into_iter().collect());
    let agreeing = by_target
        .into_iter()
        .max_by_key(|(target, categories)| (categories.len(), std::cmp::Reverse(target.clone())));
    let (target, categories) = agreeing?;
    let hundredths = match categories.len() {
        0 | 1 => return None,
        2 => TWO_HUNDREDTHS,
        _ => THREE_HUNDREDTHS,
    };
    Some(Bonus {
        categories: categories.into_iter().collect(),
        target,
        hundredths,
    })
}

fn search_and_read(ledger: &Ledger) -> Option<Bonus> {
    let both = |categories: &BTreeSet<Category>| {
        categories.contains(&Category::Search) && categories.contains(&Category::Read)
    };
    let symbols = categories_by(ledger, |seen| name_of(&seen.target).into_iter().collect());
    let files = categories_by(ledger, |seen| {
        seen.sources
            .iter()
            .map(|source| source.path.clone())
            .filter(|path| path != ".")
            .collect()
    });
    let (target, _) = symbols
        .into_iter()
        .chain(files)
        .find(|(_, categories)| both(categories))?;
    Some(Bonus {
        categories: vec![Category::Search, Category::Read],
        target,
        hundredths: SEARCH_AND_READ_HUNDREDTHS,
    })
}

/// The categories that returned results, by what `key` takes from each.
fn categories_by(
    ledger: &Ledger,
    key: impl Fn(&crate::Observation) -> Vec<String>,
) -> BTreeMap<String, BTreeSet<Category>> {
    let mut by_key: BTreeMap<String, BTreeSet<Category>> = BTreeMap::new();
    for seen in results(ledger) {
        for key in key(seen) {
            by_key
                .entry(key)
                .or_default()
                .insert(Category::of(seen.class));
        }
    }
    by_key
}

/// A target without its convention: `EvidenceStore`, `evidence_store` and "evidence store" are one;
/// none for an empty one.
pub(super) fn name_of(target: &str) -> Option<String> {
    let target = target.trim();
    let words = name::words(target);
    let is_path = target.contains('/');
    let normal = match () {
        () if is_path => target
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .collect::<Vec<_>>()
            .join("/"),
        () if words.is_empty() => target.to_owned(),
        () => {
            // The underscores around a name are a part of it in every convention.
            let inside = target.trim_start_matches('_');
            let before = &target[..target.len() - inside.len()];
            let after = &inside[inside.trim_end_matches('_').len()..];
            format!("{before}{}{after}", words.join(" "))
        }
    };
    (!normal.is_empty()).then_some(normal)
}

impl Bonuses {
    /// All that is added, in hundredths.
    pub fn sum_hundredths(&self) -> u32 {
        [&self.same_target, &self.search_and_read]
            .into_iter()
            .flatten()
            .map(|bonus| bonus.hundredths)
            .sum()
    }
}
