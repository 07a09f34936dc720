//! What a tool is: a card that says what it can acquire, and one function.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Rating, Relation,
    TargetKind, WantedRelation, table,
};

use crate::bench::Bench;
use crate::obstacle::Obstacle;

/// One way in which a tool can acquire evidence.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// The class of evidence.
    pub class: EvidenceClass,
    /// The kinds of target that it works on; empty for a class about the project.
    pub kinds: &'static [TargetKind],
    /// The best match that it can report.
    pub best: Match,
    /// The relation that goes with the best match.
    pub relation: Relation,
    /// Its cost relative to the other offers: the planner takes the cheapest that can close the
    /// gap.
    pub cost: u8,
}

/// What the planner knows of a tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolCard {
    /// The name of the tool.
    pub name: &'static str,
    /// One sentence: what it does.
    pub about: &'static str,
    /// The family of producers that it belongs to.
    pub family: Family,
    /// What it can acquire.
    pub offers: &'static [Offer],
    /// The class of evidence that must point at places before the tool can work.
    pub after: Option<EvidenceClass>,
}

/// A request to a tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolRequest<'r> {
    /// The number of the target in the bench; `None` for the project.
    pub target: Option<usize>,
    /// What the best search evidence points at, best first.
    pub pointed_at: &'r [Pointed],
}

/// Places that one piece of evidence points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    /// The places, best first.
    pub sources: Vec<ObservationSource>,
    /// The kind of match that pointed at them.
    pub found: Match,
    /// Its relation to the target.
    pub relation: Relation,
}

/// Why a tool gave no observation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct ToolError {
    /// What kept it from searching, by its stable name.
    pub obstacle: Obstacle,
    /// What it tried, why that failed and what to do next.
    pub why: String,
    /// Whether it broke, so that its findings are unknown. Otherwise it cannot work here, and the
    /// run goes on without it.
    pub is_broken: bool,
}

impl ToolError {
    /// Returns the error of a tool that cannot work here.
    pub fn refused(obstacle: Obstacle, why: impl Into<String>) -> Self {
        Self {
            obstacle,
            why: why.into(),
            is_broken: false,
        }
    }

    /// Returns the error of a tool that broke.
    pub fn broke(obstacle: Obstacle, why: impl Into<String>) -> Self {
        Self {
            obstacle,
            why: why.into(),
            is_broken: true,
        }
    }
}

/// A way to acquire evidence.
pub trait Tool: Sync {
    /// Returns what the planner may know.
    fn card(&self) -> &'static ToolCard;

    /// Reports whether what the tool works with is available. A tool without it is not planned, and
    /// its absence shows nothing.
    fn is_at_hand(&self, _bench: &Bench<'_>) -> bool {
        true
    }

    /// Acquires evidence; finding nothing is an observation too.
    ///
    /// # Errors
    /// [`ToolError`] if it could not search.
    fn run(
        &self,
        bench: &mut Bench<'_>,
        request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError>;
}

impl std::fmt::Debug for dyn Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.card().name)
    }
}

impl Offer {
    /// Returns the best rating that the offer can get for a question that wants `wanted`.
    pub fn best_rating(&self, wanted: WantedRelation) -> Rating {
        let by_match = table::rate_match(self.best);
        if self.class.is_about_a_target() {
            by_match.min(table::rate_relation(self.relation, wanted))
        } else {
            by_match
        }
    }
}

impl ToolCard {
    /// Returns an observation of this tool that has found nothing yet, for a producer to fill in.
    pub fn observation(&self, class: EvidenceClass, target: &QuestionTarget) -> Observation {
        Observation {
            class,
            tool: self.name,
            family: self.family,
            query: target.needle().to_owned(),
            target: target.text.clone(),
            found: Match::Nothing,
            relation: Relation::Unlabelled,
            match_count: 0,
            exact_match_count: 0,
            phrase_match: false,
            sources: Vec::new(),
        }
    }
}
