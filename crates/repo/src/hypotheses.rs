//! Tests names that a model proposed: where they are defined, and whether the text there contains
//! the question's own words.
//!
//! Given names and a target, returns definitions with their ground, and observations of those that
//! contain the words of the target. A name without them is a lead and never an observation. A name
//! is never trusted: it is searched in the tree, and opens no path.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, WantedRelation, name,
};

use crate::bench::Bench;
use crate::detail::{self, DefinitionWords};
use crate::enquiry::Enquiry;
use crate::labels::LabelledPlace;
use crate::needles::{OccurrenceForm, STOP_WORDS, TARGETS_MAX, content_words_of};
use crate::role;
use crate::stem::stem_of;

/// Names of one run that are searched.
pub const NAMES_MAX: usize = TARGETS_MAX;
/// Definitions of one name that are read.
const FOUND_MAX: usize = 3;
/// Letters of a name.
const NAME_LETTERS_MAX: usize = 64;
/// Words of a name.
const NAME_WORDS_MAX: usize = 6;
/// Content words that a target needs, so that they can say what a place is.
const WORDS_MIN: usize = 2;

/// How far the question's own words agree with a place that a proposed name led to, the least
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionGround {
    /// Not at all: only the name exists.
    Alone,
    /// Name, containers, documentation and head contain other forms of all its content words.
    Near,
    /// Name, containers and the first words of documentation contain all its content words.
    Met,
}

impl QuestionGround {
    /// Returns the word for it, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Near => "near",
            Self::Met => "met",
        }
    }
}

/// A definition of a proposed name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedDefinition {
    /// The number of the name.
    pub number: usize,
    /// Where it is.
    pub place: LabelledPlace,
    /// The words that describe it.
    words: DefinitionWords,
}

/// Reports whether a text can be searched as a name: short, of letters that names and phrases have,
/// and with a word of content.
pub fn is_name(text: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || "_-.:$#?! ".contains(letter);
    let words = name::words(text);
    let says_something = words
        .iter()
        .any(|word| word.chars().any(char::is_alphabetic) && !STOP_WORDS.contains(&word.as_str()));
    let letters = text.chars().count();
    (2..=NAME_LETTERS_MAX).contains(&letters)
        && words.len() <= NAME_WORDS_MAX
        && says_something
        && text.chars().all(fits)
}

/// Returns the definitions of some names in the part of the tree that the question is about, in one
/// pass.
pub fn look(bench: &Bench<'_>, names: &[String]) -> Vec<ProposedDefinition> {
    let targets: Vec<QuestionTarget> = names
        .iter()
        .take(NAMES_MAX)
        .map(|text| target_of(text))
        .collect();
    let enquiry = Enquiry {
        targets,
        within: bench.enquiry.within.clone(),
        ..Enquiry::default()
    };
    let mut other = Bench::new(
        bench.checkout,
        bench.limits,
        &enquiry,
        bench.means,
        bench.progress,
    );
    let mut found = Vec::new();
    for number in 0..enquiry.targets.len() {
        let places = defined(&mut other, number).into_iter().take(FOUND_MAX);
        // The documentation is read from disk here, from a file that the pass has read.
        found.extend(places.filter_map(|place| {
            let words = detail::words_of(bench.checkout, &place, bench.limits)?;
            Some(ProposedDefinition {
                number,
                place,
                words,
            })
        }));
    }
    found
}

fn target_of(text: &str) -> QuestionTarget {
    let kind = match () {
        () if text.contains(' ') => TargetKind::Phrase,
        () if name::path_segments(text).len() > 1 => TargetKind::SymbolPath,
        () => TargetKind::Identifier,
    };
    QuestionTarget {
        text: text.to_owned(),
        kind,
        wanted: WantedRelation::Definition,
    }
}

/// Returns the definitions in code of a name, or of all words of a phrase.
fn defined(bench: &mut Bench<'_>, number: usize) -> Vec<LabelledPlace> {
    let mut places = bench.places(number).places.clone();
    if bench.targets()[number].kind == TargetKind::Phrase {
        places.extend(bench.described(number).places.iter().cloned());
    }
    let is_whole = |place: &LabelledPlace| match place.form {
        OccurrenceForm::Asked | OccurrenceForm::Convention | OccurrenceForm::Phrase => true,
        OccurrenceForm::Inside | OccurrenceForm::Word(_) | OccurrenceForm::Piece(_) => false,
    };
    places.retain(|place| {
        place.relation == Relation::Defines
            && is_whole(place)
            && role::is_code(place.role, &place.path)
    });
    places
}

impl ProposedDefinition {
    /// Returns how far the words of a target agree with the place. Another name is never the
    /// requested name: only a description can be met.
    pub fn ground(&self, target: &QuestionTarget) -> QuestionGround {
        let own = content_words_of(target);
        if own.len() < WORDS_MIN {
            return QuestionGround::Alone;
        }
        let DefinitionWords {
            of_name,
            of_summary,
            of_rest,
        } = &self.words;
        // `queries` in the question and `query` in the code are near, but not the same word.
        let stems: Vec<String> = of_name
            .iter()
            .chain(of_summary)
            .chain(of_rest)
            .map(|word| stem_of(word))
            .collect();
        match () {
            () if own
                .iter()
                .all(|word| of_name.contains(word) || of_summary.contains(word)) =>
            {
                QuestionGround::Met
            }
            () if own.iter().all(|word| stems.contains(&stem_of(word))) => QuestionGround::Near,
            () => QuestionGround::Alone,
        }
    }

    /// Returns the place as a source.
    pub fn source(&self) -> ObservationSource {
        self.place.source()
    }
}

/// Returns the observations of a target: one for each name and ground, and if the words were met
/// also that the place was read.
pub fn observations(
    target: &QuestionTarget,
    names: &[String],
    found: &[ProposedDefinition],
) -> Vec<Observation> {
    let mut observations = Vec::new();
    for (number, proposed) in names.iter().enumerate() {
        let on = |ground: QuestionGround| -> Vec<ObservationSource> {
            found
                .iter()
                .filter(|found| found.number == number && found.ground(target) == ground)
                .map(ProposedDefinition::source)
                .collect()
        };
        let (met, near) = (on(QuestionGround::Met), on(QuestionGround::Near));
        observations.extend(observation(
            target,
            proposed,
            Match::ReadHypothesis,
            met.clone(),
        ));
        observations.extend(observation(target, proposed, Match::HypothesisMet, met));
        observations.extend(observation(target, proposed, Match::HypothesisNear, near));
    }
    observations
}

fn observation(
    target: &QuestionTarget,
    proposed: &str,
    found: Match,
    sources: Vec<ObservationSource>,
) -> Option<Observation> {
    let (class, tool, family) = if found == Match::ReadHypothesis {
        (EvidenceClass::FileContent, "read", Family::Reader)
    } else {
        (EvidenceClass::FileSearch, "references", Family::Search)
    };
    let count = sources.len() as u64;
    (count > 0).then(|| Observation {
        class,
        tool,
        family,
        query: proposed.to_owned(),
        target: target.text.clone(),
        found,
        relation: Relation::Defines,
        match_count: count,
        exact_match_count: 0,
        phrase_match: false,
        sources,
    })
}

#[cfg(test)]
mod tests;
