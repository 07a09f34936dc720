//! find: files and folders by their names.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, name,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::excerpt;
use crate::files::NameMatch;
use crate::path::RepoPath;
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct Find;

static CARD: ToolCard = ToolCard {
    name: "find",
    about: "matches the names of files and folders",
    family: Family::Search,
    offers: &[
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: &[TargetKind::Path],
            best: Match::NameExact,
            relation: Relation::NamedByFile,
            cost: 1,
        },
        Offer {
            class: EvidenceClass::FileSearch,
            kinds: &[
                TargetKind::Identifier,
                TargetKind::Phrase,
                TargetKind::SymbolPath,
            ],
            best: Match::NameExact,
            relation: Relation::NamedByFile,
            cost: 9,
        },
    ],
    after: None,
};

/// Returns the checkout itself, which every question about the project as a whole names.
fn whole_tree(target: &QuestionTarget) -> Observation {
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    let sources = vec![ObservationSource::whole(".")];
    Observation {
        found: Match::NameExact,
        relation: Relation::NamedByFile,
        match_count: 1,
        exact_match_count: 1,
        sources,
        ..base
    }
}

/// Returns lines of the files that a place names, if they have so many lines.
fn lines(
    bench: &mut Bench<'_>,
    number: usize,
    target: &QuestionTarget,
    first: u32,
    last: u32,
) -> Observation {
    let base = CARD.observation(EvidenceClass::FileSearch, target);
    let survey = bench.survey();
    let exact = survey.names[number]
        .iter()
        .filter(|(matched, _)| *matched == NameMatch::Exact);
    let has_line = |path: &str| {
        let bytes_max = bench.limits.file_bytes_max;
        excerpt::read(bench.checkout, path, first, first, 1, bytes_max).is_some()
    };
    let sources: Vec<ObservationSource> = exact
        .map(|(_, path)| path.as_str())
        .filter(|path| has_line(path))
        .take(SOURCES_MAX)
        .map(|path| ObservationSource::lines(path, first, last))
        .collect();
    if sources.is_empty() {
        return base;
    }
    let count = sources.len() as u64;
    Observation {
        found: Match::NameExact,
        relation: Relation::NamedByFile,
        match_count: count,
        exact_match_count: count,
        sources,
        ..base
    }
}

impl Tool for Find {
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
        if target.text == "." {
            return Ok(vec![whole_tree(target)]);
        }
        if target.kind == TargetKind::Path
            && let Some((_, first, last)) = name::split_place(&target.text)
        {
            return Ok(vec![lines(bench, number, target, first, last)]);
        }
        let survey = bench.survey();
        Ok(vec![named(target, &survey.names[number])])
    }
}

/// Returns the files and folders whose names match best.
fn named(target: &QuestionTarget, names: &[(NameMatch, RepoPath)]) -> Observation {
    let is_path = target.kind == TargetKind::Path;
    let best = names.first().map(|(matched, _)| *matched);
    let of_best = names.iter().filter(|(matched, _)| Some(*matched) == best);
    let count = of_best.clone().count() as u64;
    let sources: Vec<ObservationSource> = of_best
        .map(|(_, path)| ObservationSource::whole(path.as_str()))
        .take(SOURCES_MAX)
        .collect();
    let found = match best {
        None => Match::Nothing,
        Some(NameMatch::Exact) => Match::NameExact,
        // The name `store` means `store.rs` too, but as a path it lacks the ending.
        Some(NameMatch::Stem) if !is_path => Match::NameExact,
        Some(NameMatch::Stem | NameMatch::Part) => Match::NamePart,
    };
    let exact = names
        .iter()
        .filter(|(matched, _)| *matched == NameMatch::Exact)
        .count() as u64;
    let mut observation = CARD.observation(EvidenceClass::FileSearch, target);
    observation.relation = Relation::NamedByFile;
    observation.match_count = count;
    observation.exact_match_count = exact;
    Observation {
        found,
        sources,
        ..observation
    }
}
