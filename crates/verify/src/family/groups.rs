//! A union-find over places in a list, which also remembers what tied a group.

use std::hash::Hash;

use hashbrown::HashMap;

use crate::trace::{Tie, Ties};

/// Groups of the places `0..count`.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    parents: Vec<u32>,
    ties: Vec<Ties>,
}

impl Groups {
    pub(crate) fn new(count: usize) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            parents: (0..count).collect(),
            ties: vec![Ties::default(); count as usize],
        }
    }

    /// Returns the root of the group of a place.
    pub(crate) fn root(&mut self, place: u32) -> u32 {
        let mut place = place;
        while self.parents[place as usize] != place {
            // Halves the path to the root, which keeps later lookups short.
            let above = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = above;
            place = above;
        }
        place
    }

    /// Puts two places into one group. The smaller root stays, so that the result does not depend
    /// on the order of joins.
    pub(crate) fn join(&mut self, one: u32, other: u32, tie: Tie) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.parents[high as usize] = low;
        let above = self.ties[high as usize];
        self.ties[low as usize].add_all(above);
        self.ties[low as usize].add(tie);
    }

    /// Puts all places with the same key into one group.
    pub(crate) fn join_by_key<K: Eq + Hash>(
        &mut self,
        tie: Tie,
        keyed: impl Iterator<Item = (K, u32)>,
    ) {
        let mut firsts: HashMap<K, u32> = HashMap::with_capacity(keyed.size_hint().0);
        for (key, place) in keyed {
            let first = *firsts.entry(key).or_insert(place);
            // A page may have one key twice, such as a sentence that it quotes twice: no tie.
            if first != place {
                self.join(first, place, tie);
            }
        }
    }

    /// Puts each place that names a key into the group of the places that have it, and of the
    /// others that name it.
    pub(crate) fn join_named<K: Eq + Hash>(
        &mut self,
        tie: Tie,
        having: impl Iterator<Item = (K, u32)>,
        naming: Vec<(K, u32)>,
    ) {
        let mut firsts: HashMap<K, u32> = HashMap::new();
        for (key, place) in having {
            firsts.entry(key).or_insert(place);
        }
        for (key, place) in naming {
            let first = *firsts.entry(key).or_insert(place);
            if first != place {
                self.join(first, place, tie);
            }
        }
    }

    /// Returns what ties the group of a place.
    pub(crate) fn ties(&mut self, place: u32) -> Ties {
        let root = self.root(place);
        self.ties[root as usize]
    }
}
