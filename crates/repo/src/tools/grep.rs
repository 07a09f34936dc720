//! grep: the text of files. Whole names and phrases, and what is only a part of
//! them; it does not know what an occurrence is, so it never says that one
//! defines anything.

use grounds_evidence::{EvidenceClass, Family, Match, Observation, Relation, Source, TargetKind};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::needles::Form;
use crate::role;
use crate::survey::{Counts, FileHits};
use crate::tool::{Card, Offer, Request, Tool, ToolError};

pub(super) struct Grep;

static CARD: Card = Card {
    name: "grep",
    about: "matches the text of files: whole names, phrases, parts of words",
    family: Family::Search,
    offers: &[
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: &[TargetKind::Quoted, TargetKind::Phrase],
            best: Match::ExactPhrase,
            relation: Relation::Unlabelled,
            cost: 2,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: &[TargetKind::Identifier, TargetKind::SymbolPath],
            best: Match::ExactIdentifier,
            relation: Relation::Unlabelled,
            cost: 2,
        },
    ],
    after: None,
};

impl Tool for Grep {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        request: Request<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let Some(number) = request.target else {
            return Ok(Vec::new());
        };
        let target = &bench.targets()[number];
        let survey = bench.survey();
        let counts = survey.counts[number];
        let found = what_was_seen(&counts, target.kind);
        let wanted: &[Form] = if exact(&counts) > 0 {
            &[Form::Asked, Form::Convention, Form::Phrase]
        } else {
            &[Form::Inside]
        };
        let mut observation = CARD.observation(EvidenceClass::FileSearch, target);
        observation.relation = Relation::Unlabelled;
        observation.exact_match_count = exact(&counts);
        observation.match_count = match found {
            Match::TokenOverlap => counts.word_files,
            Match::Substring { places } => places,
            _ => exact(&counts),
        };
        observation.phrase_match = found == Match::ExactPhrase;
        Ok(vec![Observation {
            found,
            sources: sources(&survey.files, number, wanted),
            ..observation
        }])
    }
}

fn what_was_seen(counts: &Counts, kind: TargetKind) -> Match {
    match (exact(counts), counts.inside, counts.word_files) {
        (0, 0, 0) => Match::Nothing,
        (0, 0, _) => Match::TokenOverlap,
        (0, places, _) => Match::Substring { places },
        _ if counts.phrase > 0 || kind == TargetKind::Quoted => Match::ExactPhrase,
        _ => Match::ExactIdentifier,
    }
}

const fn exact(counts: &Counts) -> u64 {
    counts.asked + counts.convention + counts.phrase
}

/// The lines that hold the target, code before prose, in the order of the tree.
fn sources(files: &[FileHits], number: usize, wanted: &[Form]) -> Vec<Source> {
    let mut found: Vec<_> = files
        .iter()
        .flat_map(|file| file.hits.iter().map(move |hit| (file, hit)))
        .filter(|(_, hit)| usize::from(hit.target) == number && wanted.contains(&hit.form))
        .map(|(file, hit)| (role::of(&file.path), hit.form, file.path.as_str(), hit.line))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(SOURCES_MAX);
    found
        .into_iter()
        .map(|(_, _, path, line)| Source {
            path: path.to_owned(),
            line_start: line,
            line_end: line,
        })
        .collect()
}
