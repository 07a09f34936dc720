//! Ranks the values that a tree gives by how well a question describes them.
//!
//! Not every word has to be near a value here, so the ranking is no proof. The share says how often
//! such a ranking has the right value among its first.

mod arms;
mod asked;
mod row;
pub(crate) mod tooling;
mod weights;
mod wording;

use std::collections::BTreeSet;

use grounds_evidence::FileRole;
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use self::asked::{ValueQuestion, ValueWord};
use self::row::{FEATURES, LineLook};
use self::weights::WORTHS;
use super::super::{SettledSpot, environment, plain};
use super::is_of_tool;
use super::page::{DescribedFile, Given, has_keys, stems};
use crate::understand::QuestionTree;
use crate::words::is_in;

pub(crate) use asked::asks_for_value;
pub(crate) use wording::asks as asks_for_message;

/// Limit on the bytes of files that are searched.
pub(crate) const BYTES_MAX: u64 = 64 << 20;
/// Limit on the files whose lines are read: those with most of the question.
const FILES_LOOKED_MAX: usize = 200;
/// Limit on the lines of these files, from the best file on.
const LINES_LOOKED_MAX: usize = 60_000;
/// The largest part of the question by which a file may fall behind the best one.
const MASS_LESS_MAX: f32 = 0.5;
/// Values that are kept, the best first.
const KEPT_MAX: usize = 60;

/// A value with its features: the numbers that say how well it is described.
#[cfg_attr(
    not(feature = "measure"),
    expect(unreachable_pub, reason = "exported to measure")
)]
pub struct LikelyValue {
    pub(crate) spot: SettledSpot,
    /// The name that it is given.
    pub key: String,
    /// The value as it is written.
    pub value: String,
    /// Its worth compared with others.
    pub worth: f64,
    /// The numbers, in the order of the weights.
    pub row: [f32; FEATURES],
}

#[cfg(feature = "measure")]
impl LikelyValue {
    /// Returns the file and the line.
    pub fn place(&self) -> (&str, u32) {
        (&self.spot.path, self.spot.line)
    }
}

/// The values of a tree, best first.
#[cfg_attr(
    not(feature = "measure"),
    expect(unreachable_pub, reason = "exported to measure")
)]
#[derive(Default)]
pub struct ValueRanking {
    /// The values.
    pub values: Vec<LikelyValue>,
    /// The share of such rankings that have the right value first.
    pub right_share: f64,
    /// Number of words in the question that say which value is meant.
    pub words: usize,
    /// The part of the question that occurs nowhere in the tree.
    pub absent: f32,
    /// Number of these words that say more than the kind of the value.
    pub describing: usize,
    /// Whether the question says the kind of the value: "how long", "at most".
    pub says_kind: bool,
    /// Whether the question asks for a value.
    pub asks: bool,
    pub(crate) bytes: u64,
    pub(crate) is_cut: bool,
    /// Whether lines of likely files were left out because of the limit.
    pub(crate) is_shortened: bool,
}

/// A file of the tree, also in lower case for the search of stems.
struct SourceText {
    path: String,
    text: String,
    lower: String,
}

/// Ranks the values of a tree for a question.
pub(crate) fn rank(text: &str, tree: &QuestionTree<'_>) -> ValueRanking {
    let stemmer = Stemmer::create(Algorithm::English);
    let question = ValueQuestion::of(text, &stemmer, &|word| tree.is_project(word));
    let mut ranking = ValueRanking {
        words: question.words.len(),
        describing: question
            .words
            .iter()
            .filter(|word| !question.asked.contains(&word.stem))
            .count(),
        says_kind: !question.asked.is_empty(),
        asks: asks_for_value(text),
        ..ValueRanking::default()
    };
    if question.words.is_empty() {
        return ranking;
    }
    let sources = sources(tree, &mut ranking);
    if asks_for_message(text) {
        wording::rank(&question, &sources, &mut ranking);
        return ranking;
    }
    let is_absent = |name: &String| !sources.iter().any(|source| source.text.contains(name));
    let is_no_type = |name: &String| !sources.iter().any(|source| source.lower.contains(name));
    // "The timeout of FooPool" has no answer in a tree without `FooPool`.
    if question.names.iter().any(is_absent) || question.types.iter().any(is_no_type) {
        return ranking;
    }
    let masses = masses(&question, &sources);
    ranking.absent = absent(&question, &masses, &sources);
    rate_files(&sources, &question, &masses, &mut ranking);
    finish(&mut ranking);
    ranking
}

/// Rates the values of the likeliest files.
fn rate_files(
    sources: &[SourceText],
    question: &ValueQuestion,
    masses: &[f32],
    ranking: &mut ValueRanking,
) {
    let stemmer = Stemmer::create(Algorithm::English);
    let (likely, is_shortened) = likeliest(sources, question, masses);
    ranking.is_shortened = is_shortened;
    for (in_file, source) in likely {
        let page = DescribedFile {
            path: &source.path,
            of_path: stems(&source.path, &stemmer),
            lines: source.text.lines().collect(),
            stemmer: &stemmer,
        };
        for at in (0..page.lines.len()).filter(|at| may_give(page.lines[*at])) {
            let line = LineLook {
                page: &page,
                at,
                question,
                masses,
                in_file,
            };
            look(&line, &mut ranking.values);
        }
    }
}

/// Returns the files with the most of the question, each with its part, and whether the limit on
/// lines left some out.
fn likeliest<'s>(
    sources: &'s [SourceText],
    question: &ValueQuestion,
    masses: &[f32],
) -> (Vec<(f32, &'s SourceText)>, bool) {
    let rated = sources
        .iter()
        .map(|source| (masses_in(&source.lower, question, masses), source));
    let mut rated: Vec<(f32, &SourceText)> = rated.collect();
    rated.sort_by(|one, other| {
        // Files with equal parts are ordered by path, so that every run ranks them alike.
        let by_mass = other.0.total_cmp(&one.0);
        by_mass.then_with(|| one.1.path.cmp(&other.1.path))
    });
    let best = rated.first().map_or(0.0, |first| first.0);
    rated.truncate(FILES_LOOKED_MAX);
    rated.retain(|(mass, _)| best - mass <= MASS_LESS_MAX);
    let (mut lines, count) = (0, rated.len());
    rated.retain(|(_, source)| {
        let own = source.text.lines().count();
        let fits = lines + own <= LINES_LOOKED_MAX;
        lines += if fits { own } else { 0 };
        fits
    });
    let is_shortened = rated.len() < count;
    (rated, is_shortened)
}

/// Returns the files that may give values of the project.
fn sources(tree: &QuestionTree<'_>, ranking: &mut ValueRanking) -> Vec<SourceText> {
    let mut sources = Vec::new();
    for file in &tree.files {
        let is_code = matches!(
            role::of(file),
            FileRole::Source | FileRole::Header | FileRole::Data | FileRole::Build
        );
        if !is_code || !has_keys(file.as_str()) || is_of_tool(file.as_str()) {
            continue;
        }
        let Some(text) = tree.text(file.as_str()) else {
            continue;
        };
        ranking.bytes += text.len() as u64;
        if ranking.bytes > BYTES_MAX {
            ranking.is_cut = true;
            break;
        }
        sources.push(SourceText {
            path: file.as_str().to_owned(),
            lower: format!("{} {}", file.as_str(), text).to_lowercase(),
            text,
        });
    }
    sources
}

/// Returns the letters by which a stem is recognised in a text: its last one may differ in the
/// word.
fn start(stem: &str) -> &str {
    let end = stem.len().saturating_sub(1).clamp(2, 6).min(stem.len());
    &stem[..stem.floor_char_boundary(end)]
}

/// Returns the weight of each word in the question: the fewer files have it, the more.
fn masses(question: &ValueQuestion, sources: &[SourceText]) -> Vec<f32> {
    let all = sources.len() as f32;
    let mass = |word: &ValueWord| {
        let holds = |source: &&SourceText| source.lower.contains(start(&word.stem));
        let files = sources.iter().filter(holds).count() as f32;
        // Even a word that every file has keeps a little weight.
        ((all + 1.0) / (files + 0.5)).ln().max(0.2)
    };
    let masses: Vec<f32> = question.words.iter().map(mass).collect();
    let sum: f32 = masses.iter().sum();
    masses.into_iter().map(|mass| mass / sum).collect()
}

/// Returns the part of the question of which neither the word nor a synonym occurs in the tree.
fn absent(question: &ValueQuestion, masses: &[f32], sources: &[SourceText]) -> f32 {
    let is_there = |stem: &String| {
        sources
            .iter()
            .any(|source| source.lower.contains(start(stem)))
    };
    let words = question.words.iter().zip(masses);
    words
        .filter(|(word, _)| !is_there(&word.stem) && !word.others.iter().any(is_there))
        .map(|(_, mass)| mass)
        .sum()
}

fn masses_in(lower: &str, question: &ValueQuestion, masses: &[f32]) -> f32 {
    let words = question.words.iter().zip(masses);
    words
        .filter(|(word, _)| lower.contains(start(&word.stem)))
        .map(|(_, mass)| mass)
        .sum()
}

/// Rates the values of a line.
fn look(look: &LineLook<'_, '_>, found: &mut Vec<LikelyValue>) {
    let (page, at) = (look.page, look.at);
    let line = page.lines[at];
    if look.question.is_environment {
        for variable in environment::read_in(line) {
            let given = Given::of_variable(&variable, line);
            found.extend(rated(look, &given, Form::Variable));
        }
        return;
    }
    // Brackets and enclosing lines are only read for lines that may fit.
    if !may_fit(line, look.question) {
        return;
    }
    let given = page.given(at).into_iter().chain(arms::given(page, at));
    let known: Vec<LikelyValue> = given
        .filter_map(|given| rated(look, &given, Form::Given))
        .collect();
    let is_known = |text: &str| known.iter().any(|known| known.value.contains(text));
    // A literal that a name is given is rated with that name, and not once more alone.
    let others = arms::literals(page, at).into_iter();
    let others: Vec<LikelyValue> = others
        .filter(|other| !is_known(other.text))
        .filter_map(|given| rated(look, &given, Form::Literal))
        .collect();
    found.extend(known.into_iter().chain(others));
}

/// The way in which a line has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// It gives it to a name.
    Given,
    /// It reads the environment variable of that name.
    Variable,
    /// It only contains it.
    Literal,
}

/// Reports whether a line can give a value at all.
fn may_give(line: &str) -> bool {
    line.contains(['=', ':', '(', '#', '.'])
}

/// Reports whether a line has a word that the value's name may have, or says that it gives a
/// default.
fn may_fit(line: &str, question: &ValueQuestion) -> bool {
    let lower = line.to_lowercase();
    let holds = |stem: &String| lower.contains(start(stem));
    lower.contains("default")
        || question.asked.iter().any(holds)
        || question
            .words
            .iter()
            .any(|word| holds(&word.stem) || word.others.iter().any(holds))
        || question.given.iter().any(|(stem, _)| holds(stem))
}

/// Returns a value with its features; `None` if the question says nothing of its name.
fn rated(look: &LineLook<'_, '_>, given: &Given<'_>, form: Form) -> Option<LikelyValue> {
    let row = look.row(given, form)?;
    let weighted = row.iter().zip(WORTHS);
    let worth = weighted
        .map(|(number, weight)| f64::from(*number) * weight)
        .sum();
    let number = u32::try_from(look.at + 1).unwrap_or(0);
    let line = plain::set_here(look.page.lines[look.at]);
    Some(LikelyValue {
        spot: SettledSpot::line(look.page.path, number, line),
        key: given.key.to_owned(),
        value: given.text.to_owned(),
        worth,
        row,
    })
}

/// Orders the values, keeps the best, and computes how often such a ranking is right.
fn finish(ranking: &mut ValueRanking) {
    let values = &mut ranking.values;
    values.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    // The same name with the same value in several files is one answer.
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert((value.key.clone(), value.value.clone())));
    values.truncate(KEPT_MAX);
    ranking.right_share = weights::share(ranking);
}
