//! index: what a compiler's index says about a symbol. It is a family of its own, so that it
//! corroborates the search or contradicts it. Every place that it reports was compared with the
//! file on disk.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::index::Dispute;
use crate::labels::LabelledPlace;
use crate::obstacle::Obstacle;
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct IndexTool;

const KINDS: &[TargetKind] = &[TargetKind::Identifier, TargetKind::SymbolPath];

static CARD: ToolCard = ToolCard {
    name: "index",
    about: "asks a compiler's index (SCIP) where a symbol is defined, used and implemented",
    family: Family::Index,
    offers: &[
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::SymbolDefinition,
            relation: Relation::Defines,
            cost: 6,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::ResolvedSymbol,
            relation: Relation::Calls,
            cost: 6,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::ResolvedSymbol,
            relation: Relation::Inherits,
            cost: 6,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::ResolvedSymbol,
            relation: Relation::Imports,
            cost: 6,
        },
    ],
    after: None,
};

impl Tool for IndexTool {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn is_at_hand(&self, bench: &Bench<'_>) -> bool {
        bench.index_file().is_some()
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let (Some(number), Some(file)) = (request.target, bench.index_file()) else {
            return Ok(Vec::new());
        };
        let target = &bench.targets()[number];
        let said = bench
            .consult_index(&file)
            .map_err(|error| ToolError::refused(Obstacle::IndexUnusable, error.to_string()))?;
        // The index is not asked about every target. Without an answer nothing is observed, not
        // even an absence.
        let Some(indexed) = said.answers.iter().find(|answer| answer.number == number) else {
            return Ok(Vec::new());
        };
        let mut observations: Vec<Observation> = RELATIONS
            .iter()
            .filter_map(|relation| of_relation(target, &indexed.places, *relation))
            .collect();
        if observations.is_empty() {
            observations.push(CARD.observation(EvidenceClass::FileSearch, target));
        }
        observations.extend(disputed(target, &indexed.disputes));
        Ok(observations)
    }
}

/// The relations that an index can show. What it finds in comments and strings is no place of a
/// symbol.
const RELATIONS: &[Relation] = &[
    Relation::Defines,
    Relation::Declares,
    Relation::Binds,
    Relation::Calls,
    Relation::Inherits,
    Relation::Imports,
    Relation::References,
];

fn of_relation(
    target: &QuestionTarget,
    places: &[LabelledPlace],
    relation: Relation,
) -> Option<Observation> {
    let of_it: Vec<&LabelledPlace> = places
        .iter()
        .filter(|place| place.relation == relation)
        .collect();
    let found = if relation.introduces() {
        Match::SymbolDefinition
    } else {
        Match::ResolvedSymbol
    };
    let source = |place: &&LabelledPlace| {
        ObservationSource::lines(place.path.as_str(), place.line, place.line_end)
    };
    let sources: Vec<ObservationSource> = of_it.iter().take(SOURCES_MAX).map(source).collect();
    let count = of_it.len() as u64;
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    (count > 0).then_some(Observation {
        found,
        relation,
        match_count: count,
        exact_match_count: count,
        sources,
        ..base
    })
}

/// Returns the places where text and index contradict each other.
fn disputed(target: &QuestionTarget, disputes: &[Dispute]) -> Option<Observation> {
    let source =
        |dispute: &Dispute| ObservationSource::lines(&dispute.path, dispute.line, dispute.line);
    let sources: Vec<ObservationSource> = disputes.iter().take(SOURCES_MAX).map(source).collect();
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    (!disputes.is_empty()).then_some(Observation {
        found: Match::Disputed,
        match_count: disputes.len() as u64,
        sources,
        ..base
    })
}
