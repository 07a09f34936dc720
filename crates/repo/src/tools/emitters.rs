//! emitters: the literals of the code that can be where a message comes from.
//! One observation for each kind of place: what is the message, what makes it up,
//! what could make it among much else, what only quotes it.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::emitters::{Emitter, Grade};
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct Emitters;

static CARD: ToolCard = ToolCard {
    name: "emitters",
    about: "finds the literals and format strings that a message can come from",
    family: Family::Search,
    offers: &[Offer {
        class: EvidenceClass::FileSearch,
        kinds: &[TargetKind::Message],
        best: Match::MessageLiteral,
        relation: Relation::Unlabelled,
        cost: 3,
    }],
    after: None,
};

impl Tool for Emitters {
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
        let emitters = bench.emitters(number);
        Ok(observations(target, &emitters.places))
    }
}

/// Returns what the places of a message show, one observation for each grade.
pub fn observations(target: &QuestionTarget, places: &[Emitter]) -> Vec<Observation> {
    let grades = [Grade::Literal, Grade::Format, Grade::Loose, Grade::Quoted].into_iter();
    let mut observations: Vec<Observation> = grades
        .filter_map(|grade| of_grade(target, places, grade))
        .collect();
    if observations.is_empty() {
        observations.push(CARD.observation(EvidenceClass::FileSearch, target));
    }
    observations
}

fn of_grade(target: &QuestionTarget, places: &[Emitter], grade: Grade) -> Option<Observation> {
    let of_it: Vec<&Emitter> = places.iter().filter(|place| place.grade == grade).collect();
    let first = of_it.first()?;
    let found = match grade {
        Grade::Literal => Match::MessageLiteral,
        Grade::Format => Match::MessageFormat,
        Grade::Loose => Match::MessageLoose,
        Grade::Quoted => Match::MessageQuoted,
    };
    let count = of_it.len() as u64;
    let exact = if matches!(grade, Grade::Literal | Grade::Quoted) {
        count
    } else {
        0
    };
    let source = |place: &&Emitter| {
        ObservationSource::lines(place.path.as_str(), place.line, place.line_end)
    };
    Some(Observation {
        found,
        relation: first.relation,
        match_count: count,
        exact_match_count: exact,
        phrase_match: exact > 0,
        sources: of_it.iter().take(SOURCES_MAX).map(source).collect(),
        ..CARD.observation(EvidenceClass::FileSearch, target)
    })
}
