//! Computes the features of a value: how well the words of a question describe it.

use std::collections::BTreeSet;

use super::super::page::{DescribedFile, EnclosingWords, Given, stems};
use super::super::pairs::DescribedValue;
use super::super::{is_numeric, worth};
use super::Form;
use super::asked::{OF_UNITS, ValueQuestion, ValueWord};
use crate::words::is_in;

/// Number of features of each value.
pub(super) const FEATURES: usize = 31;
/// The parts of the question in the name, in it by a synonym, in the enclosing lines, in the path,
/// on the line, near it, elsewhere in the file, nowhere in the file, and in the comment.
pub(super) const IN_NAME: usize = 0;
const LIKE_NAME: usize = 1;
pub(super) const ABOVE: usize = 2;
pub(super) const IN_PATH: usize = 3;
const ON_LINE: usize = 4;
const NEAR: usize = 5;
pub(super) const IN_FILE: usize = 6;
pub(super) const NOWHERE: usize = 7;
const IN_COMMENT: usize = 23;
/// The best share of a code word for the question, in the name and in the enclosing lines.
pub(super) const GIVEN: usize = 8;
const GIVEN_ABOVE: usize = 28;
/// Whether the name has words of the asked kind, how many, how many words were not asked for, how
/// many were, and how many words it has.
pub(super) const ASKED: usize = 9;
const ASKED_COUNT: usize = 29;
const UNASKED: usize = 10;
const SAID_COUNT: usize = 11;
const NAME_WORDS: usize = 30;
/// Whether a number is asked for, and the value is one or is not.
pub(super) const NUMERIC: usize = 12;
pub(super) const NOT_NUMERIC: usize = 13;
/// The kind of the value.
const NULL: usize = 14;
const INNER: usize = 15;
const ENTRY: usize = 16;
const OF_DEFAULT: usize = 17;
const CONSTANT: usize = 18;
const OTHER: usize = 19;
const OF_DATA: usize = 20;
pub(super) const LITERAL: usize = 21;
const LITERAL_SAID: usize = 22;
const TEXT_ASKED: usize = 24;
const NUMBER_FOR_TEXT: usize = 25;
const HAS_UNIT: usize = 26;
const IN_VALUE: usize = 27;
/// Lines above and below a value that are near it.
const NEAR_LINES: usize = 6;
/// Counts above these limits make no difference.
const UNASKED_MAX: usize = 4;
const COUNTED_MAX: usize = 3;
const NAME_WORDS_MAX: usize = 10;

/// The features, in the order of the weights.
pub(super) type Row = [f32; FEATURES];

/// A line that is rated for a question.
pub(super) struct LineLook<'a, 'p> {
    pub(super) page: &'a DescribedFile<'p>,
    pub(super) at: usize,
    pub(super) question: &'a ValueQuestion,
    /// The part of the question that each word has.
    pub(super) masses: &'a [f32],
    /// The part of the question that the file has.
    pub(super) in_file: f32,
}

const fn truth(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

impl LineLook<'_, '_> {
    /// Returns the features of a value on the line; `None` if the question says nothing of its
    /// name.
    pub(super) fn row(&self, given: &Given<'_>, form: Form) -> Option<Row> {
        let of_key = stems(given.key, self.page.stemmer);
        if !self.may_be(&of_key, given, form) {
            return None;
        }
        let around = self.page.around(self.at);
        let of_line = stems(self.page.lines[self.at], self.page.stemmer);
        let says = |stem: &str| {
            of_key.contains(stem) || around.of_doc.contains(stem) || of_line.contains(stem)
        };
        // Bounds and names in the question are required: a value without them is not rated at all.
        let bounds = &self.question.bounds;
        if !bounds.iter().all(|word| worth::is_bound_said(word, &says)) {
            return None;
        }
        if !self.has_names(given, &around) {
            return None;
        }
        let mut row = [0.0; FEATURES];
        self.place_words(&mut row, &of_key, given, &around);
        self.rate_name(&mut row, &of_key, given, &around);
        self.rate_value(&mut row, &of_key, given);
        row[LITERAL] = truth(form == Form::Literal);
        // The weights are linear, so the product of two features is a feature of its own.
        row[LITERAL_SAID] = row[LITERAL] * row[IN_NAME];
        Some(row)
    }

    /// Reports whether a name has anything that the question says or may mean.
    fn may_be(&self, of_key: &BTreeSet<String>, given: &Given<'_>, form: Form) -> bool {
        let is_any = |word: &ValueWord| is_said(word, of_key) || is_like(word, of_key);
        self.question.words.iter().any(is_any)
            || self.share(of_key) > 0.0
            || self.question.asked.iter().any(|stem| of_key.contains(stem))
            || given.is_entry
            || form == Form::Variable
    }

    /// Reports whether each code name of the question is an owner of the value, or occurs beside
    /// it.
    fn has_names(&self, given: &Given<'_>, around: &EnclosingWords<'_>) -> bool {
        let holds = |name: &String| {
            let is_in = |text: &str| text.contains(name.as_str());
            is_in(self.page.lines[self.at])
                || is_in(self.page.path)
                || is_in(given.key)
                || around.above.iter().any(|line| is_in(line))
        };
        self.question.names.iter().all(holds)
    }

    /// Returns the best share of a code word for the question among some stems.
    fn share(&self, among: &BTreeSet<String>) -> f32 {
        let given = self.question.given.iter();
        let shares = given
            .filter(|(stem, _)| among.contains(stem))
            .map(|(_, share)| *share);
        shares.fold(0.0, f32::max)
    }

    /// Counts each word of the question at the closest place that has it.
    fn place_words(
        &self,
        row: &mut Row,
        of_key: &BTreeSet<String>,
        given: &Given<'_>,
        around: &EnclosingWords<'_>,
    ) {
        let page = self.page;
        let of_text = stems(&given.beside, page.stemmer);
        let first = self.at.saturating_sub(NEAR_LINES);
        let last = (self.at + NEAR_LINES + 1).min(page.lines.len());
        let near = stems(&page.lines[first..last].join(" "), page.stemmer);
        let mut said = 0;
        for (word, mass) in self.question.words.iter().zip(self.masses) {
            let at = match () {
                () if is_said(word, of_key) => IN_NAME,
                () if is_like(word, of_key) => LIKE_NAME,
                () if around.of_above.contains(&word.stem) => ABOVE,
                () if page.of_path.contains(&word.stem) => IN_PATH,
                () if of_text.contains(&word.stem) => ON_LINE,
                () if around.of_doc.contains(&word.stem) => IN_COMMENT,
                () if near.contains(&word.stem) => NEAR,
                () => NOWHERE,
            };
            row[at] += mass;
            said += usize::from(at == IN_NAME);
        }
        // The part of the question that the file has, but not near the value.
        let elsewhere = (self.in_file - (1.0 - row[NOWHERE])).max(0.0);
        row[IN_FILE] = elsewhere;
        row[NOWHERE] = (row[NOWHERE] - elsewhere).max(0.0);
        row[SAID_COUNT] = said.min(COUNTED_MAX) as f32 / COUNTED_MAX as f32;
    }

    /// Rates the words of the name that were not asked for, and its kind.
    fn rate_name(
        &self,
        row: &mut Row,
        of_key: &BTreeSet<String>,
        given: &Given<'_>,
        around: &EnclosingWords<'_>,
    ) {
        let question = self.question;
        row[GIVEN] = self.share(of_key);
        row[GIVEN_ABOVE] = self.share(&around.of_above);
        let asked = question
            .asked
            .iter()
            .filter(|stem| of_key.contains(*stem))
            .count();
        row[ASKED] = truth(asked > 0);
        row[ASKED_COUNT] = asked.min(COUNTED_MAX) as f32 / COUNTED_MAX as f32;
        let is_open = |stem: &&String| {
            let is_word = |word: &ValueWord| word.stem == **stem || word.others.contains(*stem);
            let is_given = |(given, _): &(String, f32)| given == *stem;
            !question.words.iter().any(is_word)
                && !question.given.iter().any(is_given)
                && !question.asked.contains(*stem)
                && !worth::is_of_language(stem)
        };
        let open = of_key.iter().filter(is_open).count();
        row[UNASKED] = open.min(UNASKED_MAX) as f32 / UNASKED_MAX as f32;
        row[NAME_WORDS] = of_key.len().min(NAME_WORDS_MAX) as f32 / NAME_WORDS_MAX as f32;
        let is_constant = given.key.len() > 2 && !given.key.contains(char::is_lowercase);
        row[CONSTANT] = truth(is_constant);
        let says_default = of_key.contains("default") || around.of_above.contains("default");
        row[OF_DEFAULT] = truth(question.is_default && says_default);
    }

    /// Rates the value itself against the asked kind.
    fn rate_value(&self, row: &mut Row, of_key: &BTreeSet<String>, given: &Given<'_>) {
        let question = self.question;
        let is = |value: DescribedValue| given.value == value;
        row[NUMERIC] = truth(question.is_number && is_numeric(given));
        row[NOT_NUMERIC] = truth(question.is_number && !is_numeric(given));
        row[NULL] = truth(is(DescribedValue::Null));
        row[OTHER] = truth(is(DescribedValue::Other));
        row[INNER] = truth(given.is_inner);
        row[ENTRY] = truth(given.is_entry);
        row[OF_DATA] = truth(is_data(self.page.path));
        row[TEXT_ASKED] = truth(question.is_text && is(DescribedValue::Text));
        row[NUMBER_FOR_TEXT] = truth(question.is_text && is(DescribedValue::Number));
        let of_value = stems(given.text, self.page.stemmer);
        let mut words = of_value.iter().chain(of_key);
        row[HAS_UNIT] = truth(question.is_measured && words.any(|stem| is_in(OF_UNITS, stem)));
        let said = question.words.iter().zip(self.masses);
        let said = said.filter(|(word, _)| of_value.contains(&word.stem));
        row[IN_VALUE] = said.map(|(_, mass)| mass).sum();
    }
}

fn is_said(word: &ValueWord, of_key: &BTreeSet<String>) -> bool {
    of_key.contains(&word.stem)
}

fn is_like(word: &ValueWord, of_key: &BTreeSet<String>) -> bool {
    word.others.iter().any(|other| of_key.contains(other))
}

fn is_data(path: &str) -> bool {
    grounds_syntax::languages::of_name(path.rsplit('/').next().unwrap_or(path)).is_none()
}
