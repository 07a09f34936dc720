//! frames: the places of a pasted trace that lie in the tree, and whether the tree agrees with the
//! trace there.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::frames::{Holds, Traced};
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct Frames;

static CARD: ToolCard = ToolCard {
    name: "frames",
    about: "maps the places of a pasted trace to files of the tree and compares what it says of them",
    family: Family::Search,
    offers: &[Offer {
        class: EvidenceClass::FileSearch,
        kinds: &[TargetKind::Message],
        best: Match::FrameConfirmed,
        relation: Relation::Unlabelled,
        cost: 1,
    }],
    after: None,
};

impl Tool for Frames {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn is_at_hand(&self, bench: &Bench<'_>) -> bool {
        !bench.enquiry.frames.is_empty()
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
        let traced = bench.frames();
        let found = [
            Match::FrameConfirmed,
            Match::FrameMoved,
            Match::FrameUnconfirmed,
        ]
        .into_iter();
        let mut observations: Vec<Observation> = found
            .filter_map(|found| of_kind(target, &traced, found))
            .collect();
        if observations.is_empty() {
            observations.push(CARD.observation(EvidenceClass::FileSearch, target));
        }
        Ok(observations)
    }
}

/// Returns what a place of a trace shows.
const fn shows(traced: &Traced) -> Match {
    match traced.holds {
        Holds::AsTold => Match::FrameConfirmed,
        Holds::ElsewhereInFile => Match::FrameMoved,
        Holds::FileOnly | Holds::OneOfSeveral => Match::FrameUnconfirmed,
    }
}

fn of_kind(target: &QuestionTarget, traced: &[Traced], found: Match) -> Option<Observation> {
    let of_it: Vec<&Traced> = traced
        .iter()
        .filter(|traced| shows(traced) == found)
        .collect();
    let count = of_it.len() as u64;
    let source = |traced: &&Traced| {
        ObservationSource::lines(traced.path.as_str(), traced.line, traced.line_end)
    };
    let sources = of_it.iter().take(SOURCES_MAX).map(source).collect();
    let exact_match_count = if found == Match::FrameConfirmed {
        count
    } else {
        0
    };
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    (count > 0).then_some(Observation {
        found,
        match_count: count,
        exact_match_count,
        sources,
        ..base
    })
}
