//! Ranks the values that a tree gives by how well a question describes them.
//!
//! Not every word must be near a value here, so that this is no proof: the share says how often such
//! a ranking has the right value among its first.

mod arms;
mod asked;
mod weights;

use std::collections::BTreeSet;

use grounds_evidence::FileRole;
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use self::asked::{OF_UNITS, ValueQuestion, ValueWord};
use self::weights::{FEATURES, WORTHS};
use super::super::{SettledSpot, environment, plain};
use super::is_of_tool;
use super::page::{DescribedFile, Given, has_keys, stems};
use super::pairs::DescribedValue;
use crate::understand::QuestionTree;
use crate::words::is_in;

pub(crate) use asked::asks_for_value;

/// Bytes of files that are looked through.
pub(crate) const BYTES_MAX: u64 = 64 << 20;
/// Values that are kept, the best first.
const KEPT_MAX: usize = 60;
/// Lines above and below a value that are near it.
const NEAR_LINES: usize = 6;

/// A value with the numbers that say how well it is described.
pub struct LikelyValue {
    pub(crate) spot: SettledSpot,
    /// The name that it is given.
    pub key: String,
    /// The value as it is written.
    pub value: String,
    /// What it is worth beside others.
    pub worth: f64,
    /// The numbers, in the order of the weights.
    pub row: [f32; FEATURES],
}

impl LikelyValue {
    /// The file and the line.
    pub fn place(&self) -> (&str, u32) {
        (&self.spot.path, self.spot.line)
    }
}

/// The values of a tree, best first.
#[derive(Default)]
pub struct ValueRanking {
    /// The values.
    pub values: Vec<LikelyValue>,
    /// How many of such rankings have the right value first.
    pub right_share: f64,
    /// Words of the question that say which value.
    pub words: usize,
    /// How much of the question the tree has nowhere.
    pub absent: f32,
    /// Whether the question asks for a value.
    pub asks: bool,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) is_cut: bool,
}

/// A file of the tree, in lower case to see what it may hold.
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
        asks: asks_for_value(text),
        ..ValueRanking::default()
    };
    if question.words.is_empty() {
        return ranking;
    }
    let sources = sources(tree, &mut ranking);
    let is_absent = |name: &String| !sources.iter().any(|source| source.text.contains(name));
    if question.names.iter().any(is_absent) {
        return ranking;
    }
    let masses = masses(&question, &sources);
    ranking.absent = absent(&question, &masses, &sources);
    for source in &sources {
        let page = DescribedFile {
            path: &source.path,
            of_path: stems(&source.path, &stemmer),
            lines: source.text.lines().collect(),
            stemmer: &stemmer,
        };
        let in_file = masses_in(&source.lower, &question, &masses);
        look(&page, &question, &masses, in_file, &mut ranking.values);
    }
    finish(&mut ranking);
    ranking
}

/// The files that may give values of the project.
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
        ranking.files += 1;
        sources.push(SourceText {
            path: file.as_str().to_owned(),
            lower: format!("{} {}", file.as_str(), text).to_lowercase(),
            text,
        });
    }
    sources
}

/// By what letters a stem is recognised in a text: its last one may be another in the word.
fn start(stem: &str) -> &str {
    let end = stem.len().saturating_sub(1).clamp(2, 6).min(stem.len());
    &stem[..stem.floor_char_boundary(end)]
}

/// How much of the question each word is: the rarer its files, the more.
fn masses(question: &ValueQuestion, sources: &[SourceText]) -> Vec<f32> {
    let all = sources.len() as f32;
    let mass = |word: &ValueWord| {
        let holds = |source: &&SourceText| source.lower.contains(start(&word.stem));
        let files = sources.iter().filter(holds).count() as f32;
        ((all + 1.0) / (files + 0.5)).ln().max(0.2)
    };
    let masses: Vec<f32> = question.words.iter().map(mass).collect();
    let sum: f32 = masses.iter().sum();
    masses.into_iter().map(|mass| mass / sum).collect()
}

/// How much of the question the tree has nowhere, in no word for it either.
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

/// Rates the values of a file.
fn look(
    page: &DescribedFile<'_>,
    question: &ValueQuestion,
    masses: &[f32],
    in_file: f32,
    found: &mut Vec<LikelyValue>,
) {
    for at in 0..page.lines.len() {
        let line = page.lines[at];
        if !may_give(line) {
            continue;
        }
        let rated =
            |given: &Given<'_>, form: Form| rated(page, at, given, question, masses, in_file, form);
        if question.is_environment {
            for variable in environment::read_in(line) {
                found.extend(rated(&Given::of_variable(&variable, line), Form::Variable));
            }
            continue;
        }
        if !may_fit(line, question) {
            continue;
        }
        let given = page.given(at).into_iter().chain(arms::given(page, at));
        let known: Vec<LikelyValue> = given
            .filter_map(|given| rated(&given, Form::Given))
            .collect();
        let is_known = |text: &str| known.iter().any(|known| known.value.contains(text));
        let others = arms::literals(page, at)
            .into_iter()
            .filter(|other| !is_known(other.text));
        let others: Vec<LikelyValue> = others
            .filter_map(|given| rated(&given, Form::Literal))
            .collect();
        found.extend(known.into_iter().chain(others));
    }
}

/// How a line has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// It gives it to a name.
    Given,
    /// It reads the environment variable of that name.
    Variable,
    /// It only contains it.
    Literal,
}

/// Whether a line can give a value at all.
fn may_give(line: &str) -> bool {
    line.contains(['=', ':', '(', '#', '.'])
}

/// Whether a line has a word that the name of the value may have, or says that it gives a default.
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

/// A value with its numbers; `None` if nothing of its name was said.
fn rated(
    page: &DescribedFile<'_>,
    at: usize,
    given: &Given<'_>,
    question: &ValueQuestion,
    masses: &[f32],
    in_file: f32,
    form: Form,
) -> Option<LikelyValue> {
    let of_key = stems(given.key, page.stemmer);
    let is_said = |word: &ValueWord| of_key.contains(&word.stem);
    let is_like = |word: &ValueWord| word.others.iter().any(|other| of_key.contains(other));
    let share = question
        .given
        .iter()
        .filter(|(stem, _)| of_key.contains(stem))
        .map(|(_, share)| *share)
        .fold(0.0, f32::max);
    let asked = question
        .asked
        .iter()
        .filter(|stem| of_key.contains(*stem))
        .count();
    let is_any = question
        .words
        .iter()
        .any(|word| is_said(word) || is_like(word));
    if !is_any && share == 0.0 && asked == 0 && !given.is_entry && form != Form::Variable {
        return None;
    }
    let around = page.around(at);
    // A name of code is what the value belongs to, or stands beside it.
    let holds = |name: &String| {
        let is_in = |text: &str| text.contains(name.as_str());
        is_in(page.lines[at])
            || is_in(page.path)
            || is_in(given.key)
            || around.above.iter().any(|line| is_in(line))
    };
    if !question.names.iter().all(holds) {
        return None;
    }
    let of_text = stems(&given.beside, page.stemmer);
    let first = at.saturating_sub(NEAR_LINES);
    let last = (at + NEAR_LINES + 1).min(page.lines.len());
    let near = stems(&page.lines[first..last].join(" "), page.stemmer);
    let mut row = [0.0; FEATURES];
    let mut said = 0.0;
    for (word, mass) in question.words.iter().zip(masses) {
        let at = match () {
            () if is_said(word) => 0,
            () if is_like(word) => 1,
            () if around.of_above.contains(&word.stem) => 2,
            () if page.of_path.contains(&word.stem) => 3,
            () if of_text.contains(&word.stem) => 4,
            () if around.of_doc.contains(&word.stem) => 23,
            () if near.contains(&word.stem) => 5,
            () => 6,
        };
        row[at] += mass;
        said += f32::from(u8::from(at == 0));
    }
    let beside = row[23];
    // Words of the question that are elsewhere in the file, and nowhere.
    row[6] = (in_file - (1.0 - row[6])).max(0.0);
    row[7] = (1.0 - beside - row[..7].iter().sum::<f32>()).max(0.0);
    row[8] = share;
    row[9] = f32::from(u8::from(asked > 0));
    let open = of_key.iter().filter(|stem| {
        let is_word = question
            .words
            .iter()
            .any(|word| word.stem == **stem || word.others.contains(stem));
        let is_given = question.given.iter().any(|(given, _)| given == *stem);
        !is_word
            && !is_given
            && !question.asked.contains(*stem)
            && !super::worth::is_of_language(stem)
    });
    row[10] = open.count().min(4) as f32 / 4.0;
    row[11] = said.min(3.0) / 3.0;
    let is_numeric = super::is_numeric(given);
    row[12] = f32::from(u8::from(question.is_number && is_numeric));
    row[13] = f32::from(u8::from(question.is_number && !is_numeric));
    row[14] = f32::from(u8::from(given.value == DescribedValue::Null));
    row[15] = f32::from(u8::from(given.is_inner));
    row[16] = f32::from(u8::from(given.is_entry));
    let says_default = of_key.contains("default") || around.of_above.contains("default");
    row[17] = f32::from(u8::from(question.is_default && says_default));
    let is_constant = given.key.len() > 2 && !given.key.contains(char::is_lowercase);
    row[18] = f32::from(u8::from(is_constant));
    row[21] = f32::from(u8::from(form == Form::Literal));
    row[22] = f32::from(u8::from(form == Form::Literal)) * row[0];
    row[19] = f32::from(u8::from(given.value == DescribedValue::Other));
    row[20] = f32::from(u8::from(is_data(page.path)));
    let is_text = given.value == DescribedValue::Text;
    row[24] = f32::from(u8::from(question.is_text && is_text));
    row[25] = f32::from(u8::from(
        question.is_text && given.value == DescribedValue::Number,
    ));
    let of_value = stems(given.text, page.stemmer);
    let has_unit = of_value
        .iter()
        .chain(&of_key)
        .any(|stem| is_in(OF_UNITS, stem));
    row[26] = f32::from(u8::from(question.is_measured && has_unit));
    let words = question.words.iter().zip(masses);
    row[27] = words
        .filter(|(word, _)| of_value.contains(&word.stem))
        .map(|(_, mass)| mass)
        .sum();
    row[28] = question
        .given
        .iter()
        .filter(|(stem, _)| around.of_above.contains(stem))
        .map(|(_, share)| *share)
        .fold(0.0, f32::max);
    row[29] = (asked.min(3) as f32) / 3.0;
    row[30] = (of_key.len().min(10) as f32) / 10.0;
    let worth = row
        .iter()
        .zip(WORTHS)
        .map(|(number, weight)| f64::from(*number) * weight)
        .sum();
    let number = u32::try_from(at + 1).unwrap_or(0);
    Some(LikelyValue {
        spot: SettledSpot::line(page.path, number, plain::set_here(page.lines[at])),
        key: given.key.to_owned(),
        value: given.text.to_owned(),
        worth,
        row,
    })
}

fn is_data(path: &str) -> bool {
    grounds_syntax::languages::of_name(path.rsplit('/').next().unwrap_or(path)).is_none()
}

/// Orders the values, keeps the best, and says how often such a ranking is right.
fn finish(ranking: &mut ValueRanking) {
    let values = &mut ranking.values;
    values.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert((value.key.clone(), value.value.clone())));
    values.truncate(KEPT_MAX);
    ranking.right_share = weights::share(ranking);
}
