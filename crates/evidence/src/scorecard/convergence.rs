//! Bonuses for categories that confirm the same target.
//!
//! The same target is the same identifier, path or phrase after its convention is removed. A part
//! of a query is not enough, and an empty target equals nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Category, results};
use crate::ledger::Ledger;
use crate::name;

/// A bonus, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// The categories that agree.
    pub categories: Vec<Category>,
    /// The target or the file that they agree on.
    pub target: String,
    /// Its value, in hundredths.
    pub hundredths: u32,
}

/// The bonuses for categories that agree.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bonuses {
    /// The bonus for two or more categories that confirm one target, if there are such.
    pub same_target: Option<Bonus>,
    /// The bonus for search and read on one file or symbol, if both have results.
    pub search_and_read: Option<Bonus>,
}

/// Bonus for two categories on one target.
const TWO_HUNDREDTHS: u32 = 10;
/// Bonus for three or more.
const THREE_HUNDREDTHS: u32 = 20;
/// Further bonus for search and read on one file or symbol.
const SEARCH_AND_READ_HUNDREDTHS: u32 = 5;

/// Returns the bonuses of a ledger.
pub(super) fn of(ledger: &Ledger) -> Bonuses {
    Bonuses {
        same_target: same_target(ledger),
        search_and_read: search_and_read(ledger),
    }
}

/// Returns the bonus for the target that most categories confirm; of several the first by its name.
fn same_target(ledger: &Ledger) -> Option<Bonus> {
    let by_target = categories_by(ledger, |seen| name_of(&seen.target).into_iter().collect());
    // The names are reversed, since the greatest key wins and the first name should.
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
            // The path `.` is the project as a whole, which search and read would always have in
            // common.
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

/// Returns the categories with results, by the keys that `key` takes from each.
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

/// Returns a target without its convention: `EvidenceStore`, `evidence_store` and "evidence store"
/// are one. `None` for an empty target.
pub(super) fn name_of(target: &str) -> Option<String> {
    let target = target.trim();
    let words = name::words(target);
    let is_path = target.contains('/');
    let normal = match () {
        // Paths are compared as they are: `src/a_b.rs` and `src/aB.rs` are two files.
        () if is_path => target
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .collect::<Vec<_>>()
            .join("/"),
        // A target of marks alone, such as an operator, has no words to compare.
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
    /// Returns the sum of the bonuses, in hundredths.
    pub fn sum_hundredths(&self) -> u32 {
        [&self.same_target, &self.search_and_read]
            .into_iter()
            .flatten()
            .map(|bonus| bonus.hundredths)
            .sum()
    }
}
