//! references: what each occurrence is, from a parse of the files that contain the name. One
//! observation for each relation. A use in the requested spelling is the exact identifier; uses in
//! another convention count by their number.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, QuestionTarget, Relation, TargetKind,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::labels::LabelledPlace;
use crate::needles::OccurrenceForm;
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct References;

const KINDS: &[TargetKind] = &[
    TargetKind::Identifier,
    TargetKind::SymbolPath,
    TargetKind::Phrase,
];

static CARD: ToolCard = ToolCard {
    name: "references",
    about: "parses the files that hold a name and says what each occurrence is",
    family: Family::Search,
    offers: &[
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::SymbolDefinition,
            relation: Relation::Defines,
            cost: 4,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::ExactIdentifier,
            relation: Relation::Calls,
            cost: 4,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::ExactIdentifier,
            relation: Relation::Inherits,
            cost: 4,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: KINDS,
            best: Match::ExactIdentifier,
            relation: Relation::Imports,
            cost: 4,
        },
    ],
    after: None,
};

impl Tool for References {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let Some(number) = request.target else {
            return Ok(Vec::new());
        };
        let target = &bench.targets()[number];
        let places = bench.places(number);
        let mut observations = by_relation(target, &places.places, false);
        for observation in observations
            .iter_mut()
            .filter(|seen| seen.relation == Relation::Unlabelled)
        {
            // Occurrences that were only counted may be more than those in the places.
            observation.match_count = observation.match_count.max(places.unlabelled);
            observation.exact_match_count = observation.match_count;
        }
        let is_defined = places
            .places
            .iter()
            .any(|place| place.relation == Relation::Defines);
        // A phrase whose own words define nothing may still describe a definition.
        if target.kind == TargetKind::Phrase && !is_defined {
            let described = bench.described(number);
            observations.extend(by_relation(target, &described.places, true));
        }
        observations.extend(fitting(target, &bench.implementers(number)));
        if let Some(uses) = bench.uses_by_owner(number) {
            observations.extend(open_uses(target, &uses.open));
        }
        if observations.is_empty() {
            observations.push(CARD.observation(EvidenceClass::FileSearch, target));
        }
        Ok(observations)
    }
}

/// Returns the types that have every method of an interface.
fn fitting(target: &QuestionTarget, types: &[LabelledPlace]) -> Option<Observation> {
    let count = types.len() as u64;
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    (count > 0).then(|| Observation {
        found: Match::FitsInterface,
        relation: Relation::Inherits,
        match_count: count,
        sources: types
            .iter()
            .take(SOURCES_MAX)
            .map(LabelledPlace::source)
            .collect(),
        ..base
    })
}

/// Returns the uses of which the text does not show the owner.
fn open_uses(target: &QuestionTarget, open: &[(LabelledPlace, String)]) -> Option<Observation> {
    let count = open.len() as u64;
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    let sources = open
        .iter()
        .take(SOURCES_MAX)
        .map(|(place, _)| place.source());
    (count > 0).then(|| Observation {
        found: Match::OwnerOpen,
        relation: Relation::Unlabelled,
        match_count: count,
        sources: sources.collect(),
        ..base
    })
}

fn by_relation(
    target: &QuestionTarget,
    places: &[LabelledPlace],
    described: bool,
) -> Vec<Observation> {
    let of_relation = |relation: Relation| {
        let of_it: Vec<&LabelledPlace> = places
            .iter()
            .filter(|place| place.relation == relation)
            .collect();
        let count = of_it.len() as u64;
        let found = match relation {
            Relation::Defines if described => Match::DescribedDefinition,
            Relation::Defines | Relation::Declares | Relation::Binds => Match::SymbolDefinition,
            Relation::Calls | Relation::Inherits | Relation::References | Relation::Imports
                if is_asked(&of_it) =>
            {
                Match::ExactIdentifier
            }
            Relation::Calls | Relation::Inherits | Relation::References | Relation::Imports => {
                Match::SymbolReferences { count }
            }
            Relation::Mentions(_) | Relation::NamedByFile | Relation::Unlabelled
                if is_phrase(&of_it) =>
            {
                Match::ExactPhrase
            }
            Relation::Mentions(_) | Relation::NamedByFile | Relation::Unlabelled => {
                Match::ExactIdentifier
            }
        };
        let observation = CARD.observation(EvidenceClass::FileSearch, target);
        let phrase_match = found == Match::ExactPhrase;
        let sources = of_it
            .iter()
            .take(SOURCES_MAX)
            .map(|place| place.source())
            .collect();
        (count > 0).then_some(Observation {
            found,
            relation,
            match_count: count,
            exact_match_count: count,
            phrase_match,
            sources,
            ..observation
        })
    };
    Relation::ALL.into_iter().filter_map(of_relation).collect()
}

fn is_asked(places: &[&LabelledPlace]) -> bool {
    places
        .iter()
        .any(|place| place.form == OccurrenceForm::Asked)
}

fn is_phrase(places: &[&LabelledPlace]) -> bool {
    places
        .iter()
        .any(|place| place.form == OccurrenceForm::Phrase)
}
