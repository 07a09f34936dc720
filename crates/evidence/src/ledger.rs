//! The ledger: every observation of a run, rated by the table when it is
//! written down. Entries are added, never changed.

use crate::class::EvidenceClass;
use crate::goal::{QuestionTarget, WantedRelation};
use crate::level::{Rating, Strength};
use crate::observation::Observation;
use crate::table;

/// The number of an entry: what citations point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub usize);

/// An observation with what the table made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// What was seen.
    pub observation: Observation,
    rating: Rating,
    strength: Strength,
}

/// The evidence of one run.
#[derive(Clone, Debug)]
pub struct Ledger {
    wanted: Vec<(String, WantedRelation)>,
    entries: Vec<LedgerEntry>,
}

impl Ledger {
    /// An empty ledger for a question about these targets.
    pub fn new(targets: &[QuestionTarget]) -> Self {
        let wanted = targets
            .iter()
            .map(|target| (target.text.clone(), target.wanted))
            .collect();
        Self {
            wanted,
            entries: Vec::new(),
        }
    }

    /// Writes an observation down, rated by the table. One that is there already changes nothing.
    pub fn record(&mut self, observation: Observation) -> EntryId {
        if let Some(known) = self
            .entries
            .iter()
            .position(|entry| entry.observation == observation)
        {
            return EntryId(known);
        }
        let rating = table::rate(&observation, self.wanted(&observation.target));
        let strength = Strength::of_count(observation.match_count);
        self.entries.push(LedgerEntry {
            observation,
            rating,
            strength,
        });
        EntryId(self.entries.len() - 1)
    }

    /// All entries, in the order in which they were written.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// The relation that the question wants of a target.
    pub fn wanted(&self, target: &str) -> WantedRelation {
        self.wanted
            .iter()
            .find(|(text, _)| text == target)
            .map_or(WantedRelation::Occurrence, |(_, wanted)| *wanted)
    }

    /// The entries of a class about a target, with their numbers.
    pub fn about<'a>(
        &'a self,
        class: EvidenceClass,
        target: &'a str,
    ) -> impl Iterator<Item = (EntryId, &'a LedgerEntry)> {
        let about = move |entry: &LedgerEntry| {
            entry.observation.class == class
                && (!class.is_about_a_target() || entry.observation.target == target)
        };
        self.entries
            .iter()
            .enumerate()
            .filter(move |(_, entry)| about(entry))
            .map(|(id, entry)| (EntryId(id), entry))
    }
}

impl LedgerEntry {
    /// What the match table made of the observation.
    pub const fn rating(&self) -> Rating {
        self.rating
    }

    /// How much of it there is.
    pub const fn strength(&self) -> Strength {
        self.strength
    }
}
