//! grep: the text of files. It finds whole names and phrases, and parts of them. It does not know
//! what an occurrence is, so it never says that one defines anything.

use grounds_evidence::{
    EvidenceClass, Family, FileRole, Match, Observation, ObservationSource, QuestionTarget,
    Relation, TargetKind,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::labels::introduces;
use crate::needles::OccurrenceForm;
use crate::role;
use crate::survey::{FileHits, FormCounts, Hit, Survey};
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct Grep;

static CARD: ToolCard = ToolCard {
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
        let survey = bench.survey();
        // The last part belongs to something else, so its places are only counted.
        if let Some(count) = survey.last_names[number].filter(|count| *count > 0) {
            return Ok(vec![Observation {
                found: Match::LastNameOnly,
                match_count: count,
                ..CARD.observation(EvidenceClass::FileSearch, target)
            }]);
        }
        if let Some(written) = bench.written(number) {
            return Ok(vec![as_a_whole(bench, number, &written)]);
        }
        Ok(vec![of_survey(target, &survey, number)])
    }
}

/// Returns what the pass saw of a target.
fn of_survey(target: &QuestionTarget, survey: &Survey, number: usize) -> Observation {
    let counts = survey.counts[number];
    let found = what_was_seen(&counts, target.kind);
    let wanted: &[OccurrenceForm] = if exact(&counts) > 0 {
        &[
            OccurrenceForm::Asked,
            OccurrenceForm::Convention,
            OccurrenceForm::Phrase,
        ]
    } else {
        &[OccurrenceForm::Inside]
    };
    let mut observation = CARD.observation(EvidenceClass::FileSearch, target);
    observation.exact_match_count = exact(&counts);
    observation.match_count = match found {
        Match::TokenOverlap => counts.word_files,
        Match::Substring { places } => places,
        _ => exact(&counts),
    };
    observation.phrase_match = found == Match::ExactPhrase;
    Observation {
        found,
        sources: sources(&survey.files, number, wanted),
        ..observation
    }
}

/// Returns where a dotted name is written as a whole, and where its last part is defined in the
/// rest. Other places of the last part are not its own.
fn as_a_whole(bench: &mut Bench<'_>, number: usize, written: &[FileHits]) -> Observation {
    let target = &bench.targets()[number];
    let mut places: Vec<_> = places(written, 0, &[OccurrenceForm::Asked]).collect();
    let defined = bench.places(number);
    let defined = defined.places.iter().filter(|place| introduces(place));
    places.extend(defined.map(|place| {
        let role = role::of(&place.path);
        (
            role,
            OccurrenceForm::Asked,
            place.path.as_str().to_owned(),
            place.line,
        )
    }));
    places.sort_unstable();
    places.dedup();
    // A file keeps only its first occurrences; the others are counted without a place.
    let more: u64 = (written.iter())
        .map(|file| u64::from(file.exact[0]).saturating_sub(file.hits.len() as u64))
        .sum();
    let count = places.len() as u64 + more;
    Observation {
        found: if count > 0 {
            Match::ExactIdentifier
        } else {
            Match::Nothing
        },
        match_count: count,
        exact_match_count: count,
        sources: as_sources(places),
        ..CARD.observation(EvidenceClass::FileSearch, target)
    }
}

fn what_was_seen(counts: &FormCounts, kind: TargetKind) -> Match {
    match (exact(counts), counts.inside, counts.word_files) {
        (0, 0, 0) => Match::Nothing,
        // Only single words of a phrase occur.
        (0, 0, _) => Match::TokenOverlap,
        // A name such as `parse` occurs only inside longer ones, such as `reparse`.
        (0, places, _) => Match::Substring { places },
        _ if counts.phrase > 0 || kind == TargetKind::Quoted => Match::ExactPhrase,
        _ => Match::ExactIdentifier,
    }
}

const fn exact(counts: &FormCounts) -> u64 {
    counts.asked + counts.convention + counts.phrase
}

/// A line with the target. The fields give the order: code before prose, then by path and line.
type GrepLine = (FileRole, OccurrenceForm, String, u32);

/// Returns the lines with the target, code before prose, in the order of their paths.
fn sources(files: &[FileHits], number: usize, wanted: &[OccurrenceForm]) -> Vec<ObservationSource> {
    let mut found: Vec<GrepLine> = places(files, number, wanted).collect();
    found.sort_unstable();
    found.dedup();
    as_sources(found)
}

fn places<'f>(
    files: &'f [FileHits],
    number: usize,
    wanted: &'f [OccurrenceForm],
) -> impl Iterator<Item = GrepLine> + 'f {
    let of_target =
        move |hit: &&Hit| usize::from(hit.target) == number && wanted.contains(&hit.form);
    files.iter().flat_map(move |file| {
        let role = role::of(&file.path);
        let hits = file.hits.iter().filter(of_target);
        hits.map(move |hit| (role, hit.form, file.path.as_str().to_owned(), hit.line))
    })
}

fn as_sources(found: Vec<GrepLine>) -> Vec<ObservationSource> {
    let lines = found.into_iter().take(SOURCES_MAX);
    lines
        .map(|(_, _, path, line)| ObservationSource::lines(path, line, line))
        .collect()
}
