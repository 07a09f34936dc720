//! The ledger: every observation of a run, rated by the table when it is
//! written down. Entries are added, never changed.

use crate::class::EvidenceClass;
use crate::goal::{QuestionTarget, WantedRelation};
use crate::level::{Rating, Strength};
use crate::observation::Observation;
use crate::table;

/// The number of an entry, which citations refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub usize);

/// An observation with its rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The observation.
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
    /// Returns an empty ledger for a question about these targets.
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

    /// Records an observation, rated by the table. Recording it again changes nothing.
    pub fn record(&mut self, observation: Observation) -> EntryId {
        // The same call can be made twice in a run, which is no further evidence.
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

    /// Returns all entries, in the order in which they were recorded.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// Returns the relation to a target that the question wants.
    pub fn wanted(&self, target: &str) -> WantedRelation {
        self.wanted
            .iter()
            .find(|(text, _)| text == target)
            // An observation about something else than a target, such as the project, has no
            // relation that could lower it.
            .map_or(WantedRelation::Occurrence, |(_, wanted)| *wanted)
    }

    /// Returns the entries of a class about a target, with their numbers.
    pub fn about<'a>(
        &'a self,
        class: EvidenceClass,
        target: &'a str,
    ) -> impl Iterator<Item = (EntryId, &'a LedgerEntry)> {
        let about = move |entry: &LedgerEntry| {
            entry.observation.class == class
                // Evidence about the project as a whole, such as a build, counts for every target.
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
    /// Returns the rating of the observation.
    pub const fn rating(&self) -> Rating {
        self.rating
    }

    /// Returns how many matches there are.
    pub const fn strength(&self) -> Strength {
        self.strength
    }
}
