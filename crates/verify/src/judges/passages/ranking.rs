//! Ranks the sentences of a page by how likely they speak about a claim. People say a thing in
//! other words than its source, so that few words are shared. So a word counts the more, the fewer
//! sentences have it; words are compared by their beginning, and numbers by their value. The
//! sentences right beside one count a little for it, since "it" and "this" refer to what was named
//! before.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::judges::lexical::is_function_word;
use crate::judges::sentences::sentences;

/// Number of letters at the beginning of a word that are compared.
const STEM_LETTERS: usize = 5;
/// Share that the score of a neighbour adds to a sentence.
const BESIDE_SHARE: f64 = 0.3;
/// Share by which each word of a sentence lowers its score: a long one shares words by chance.
const LENGTH_SHARE: f64 = 0.03;

/// The sentences of a page and the order in which they are worth reading.
pub(super) struct SentenceRanking {
    sentences: Vec<Range<usize>>,
    order: Vec<usize>,
}

impl SentenceRanking {
    /// Ranks the sentences that share a word with the claim, or have a neighbour that does.
    pub(super) fn of(claim: &str, text: &str) -> Self {
        let sentences = sentences(text);
        let words: Vec<HashSet<String>> = sentences
            .iter()
            .map(|place| words(&text[place.clone()]))
            .collect();
        let scores = scores(&self::words(claim), &words);
        let mut order: Vec<usize> = (0..sentences.len())
            .filter(|at| scores[*at] > 0.0)
            .collect();
        order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]).then(one.cmp(other)));
        Self { sentences, order }
    }

    /// Returns at most `most` sentences, the best first.
    pub(super) fn best(&self, most: usize) -> Vec<Range<usize>> {
        let best = self.order.iter().take(most);
        best.map(|at| self.sentences[*at].clone()).collect()
    }

    /// Returns each sentence with its neighbours, the best first.
    pub(super) fn with_those_beside(&self) -> impl Iterator<Item = Range<usize>> {
        self.order.iter().map(|at| {
            let last = (at + 1).min(self.sentences.len() - 1);
            self.sentences[at.saturating_sub(1)].start..self.sentences[last].end
        })
    }
}

fn scores(claim: &HashSet<String>, sentences: &[HashSet<String>]) -> Vec<f64> {
    let mut having: HashMap<&str, usize> = HashMap::new();
    for word in sentences.iter().flatten() {
        *having.entry(word).or_default() += 1;
    }
    let share = |count: usize| sentences.len() as f64 / count as f64;
    let rarity = |word: &String| {
        having
            .get(word.as_str())
            // `ln_1p`, since the plain logarithm of a word that is in every sentence is 0: a page
            // of one sentence would never be shown.
            .map_or(0.0, |count| share(*count).ln_1p())
    };
    let own: Vec<f64> = sentences
        .iter()
        .map(|words| {
            let met: f64 = claim.intersection(words).map(rarity).sum();
            met / LENGTH_SHARE.mul_add(words.len() as f64, 1.0)
        })
        .collect();
    let at = |place: Option<usize>| {
        place
            .and_then(|place| own.get(place))
            .copied()
            .unwrap_or(0.0)
    };
    let beside = |place: usize| at(place.checked_sub(1)).max(at(Some(place + 1)));
    (0..own.len())
        .map(|place| BESIDE_SHARE.mul_add(beside(place), own[place]))
        .collect()
}

/// Returns the words with content of a text, each in the form that is compared.
pub(super) fn words(text: &str) -> HashSet<String> {
    let pieces = text.split(|letter: char| !letter.is_alphanumeric());
    let words = pieces
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase);
    words
        .filter(|word| !is_function_word(word))
        .map(compared)
        .collect()
}

/// Returns a number in digits, or the beginning of a word.
fn compared(word: String) -> String {
    number(&word).map_or_else(|| word.chars().take(STEM_LETTERS).collect(), str::to_owned)
}

/// Returns the digits of a number in words.
fn number(word: &str) -> Option<&'static str> {
    const NUMBERS: [(&str, &str); 38] = [
        ("zero", "0"),
        ("one", "1"),
        ("once", "1"),
        ("first", "1"),
        ("two", "2"),
        ("twice", "2"),
        ("second", "2"),
        ("three", "3"),
        ("third", "3"),
        ("four", "4"),
        ("fourth", "4"),
        ("five", "5"),
        ("fifth", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
        ("dozen", "12"),
        ("thirteen", "13"),
        ("fourteen", "14"),
        ("fifteen", "15"),
        ("sixteen", "16"),
        ("seventeen", "17"),
        ("eighteen", "18"),
        ("nineteen", "19"),
        ("twenty", "20"),
        ("thirty", "30"),
        ("forty", "40"),
        ("fifty", "50"),
        ("sixty", "60"),
        ("seventy", "70"),
        ("eighty", "80"),
        ("ninety", "90"),
        ("hundred", "100"),
        ("thousand", "1000"),
    ];
    let known = NUMBERS.iter().find(|(name, _)| *name == word);
    known.map(|(_, digits)| *digits)
}
