//! The words that programmers would use for what a short text describes: `csrf` for "forged
//! requests from another site".
//!
//! A small network is fitted to descriptions in plain words with the words of code for each
//! (`bench/jargon`). It returns how likely each of a few thousand words is. The rows of the words
//! of a text are added, and layers lead from the sum to the words of code.

use std::sync::OnceLock;

use grounds_repo::stem::stem_of;

/// The network: a line with four numbers, the words of texts in order, the words of code, the rows
/// and the weights of the words of texts, and the layers.
const BYTES: &[u8] = include_bytes!("jargon/network.bin");

/// Maximum number of words of a text that are added.
const WORDS_MAX: usize = 32;
/// Maximum number of words of code for one text.
const GIVEN_MAX: usize = 12;
/// Smallest number of letters in a word of code. Shorter ones occur all over a tree.
const LETTERS_MIN: usize = 3;

/// A matrix with one scale for each row and one byte for each number.
struct Matrix {
    columns: usize,
    scales: Vec<f32>,
    bytes: &'static [u8],
}

impl Matrix {
    fn row(&self, row: usize) -> impl Iterator<Item = f32> {
        let scale = self.scales[row];
        let bytes = &self.bytes[row * self.columns..(row + 1) * self.columns];
        bytes
            .iter()
            .map(move |byte| scale * f32::from(byte.cast_signed()))
    }

    /// Returns the product with a vector, plus an offset for each row.
    fn times(&self, vector: &[f32], offsets: &[f32]) -> Vec<f32> {
        let sum = |row: usize| {
            self.row(row)
                .zip(vector)
                .map(|(one, other)| one * other)
                .sum::<f32>()
        };
        offsets
            .iter()
            .enumerate()
            .map(|(row, offset)| offset + sum(row))
            .collect()
    }
}

struct Network {
    words: Vec<&'static str>,
    given: Vec<&'static str>,
    rows: Matrix,
    /// The weight of each word.
    shares: Vec<f32>,
    layers: [(Matrix, Vec<f32>); 3],
}

/// A word that code may use for what a text describes.
pub(crate) struct CodeWord {
    /// The word.
    pub(crate) word: &'static str,
    /// Its stem.
    pub(crate) stem: String,
    /// Its weight relative to a word of the text, at most 1.
    pub(crate) share: f32,
}

fn network() -> Option<&'static Network> {
    static NETWORK: OnceLock<Option<Network>> = OnceLock::new();
    NETWORK.get_or_init(|| read(BYTES)).as_ref()
}

/// Reports whether a word in lower case is one that descriptions in plain words have.
pub(crate) fn is_plain(word: &str) -> bool {
    network().is_some_and(|network| network.words.binary_search(&word).is_ok())
}

/// Returns the words of code for a text, likeliest first.
pub(crate) fn of(text: &str) -> Vec<CodeWord> {
    let Some(network) = network() else {
        return Vec::new();
    };
    // A text with a name in code says itself what it is about.
    if text.split_whitespace().any(is_name) {
        return Vec::new();
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let own: Vec<String> = words.iter().map(|word| stem_of(word)).collect();
    let likely = network.likely(&words);
    let most = likely.first().map_or(1.0, |(_, likelihood)| *likelihood);
    let others = likely.into_iter().filter_map(|(number, likelihood)| {
        let word = network.given[number];
        let stem = stem_of(word);
        let share = (likelihood / most).sqrt();
        let is_other = stem.len() >= LETTERS_MIN && !own.contains(&stem);
        is_other.then_some(CodeWord { word, stem, share })
    });
    others.take(GIVEN_MAX).collect()
}

/// Reports whether a word is written like a name in code.
fn is_name(word: &str) -> bool {
    let mut letters = word.chars().skip_while(|letter| !letter.is_alphabetic());
    let first_is_lower = letters.next().is_some_and(char::is_lowercase);
    word.contains('_') || (first_is_lower && letters.any(char::is_uppercase))
}

impl Network {
    /// Returns the words of code by number, with their likelihood, likeliest first.
    fn likely(&self, words: &[&str]) -> Vec<(usize, f32)> {
        let known = words
            .iter()
            .filter_map(|word| self.words.binary_search(word).ok());
        let known: Vec<usize> = known.take(WORDS_MAX).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let all: f32 = known.iter().map(|word| self.shares[*word]).sum();
        let mut sum = vec![0.0; self.rows.columns];
        for word in known {
            let times = self.shares[word] / all.sqrt();
            sum.iter_mut()
                .zip(self.rows.row(word))
                .for_each(|(sum, part)| *sum += times * part);
        }
        let [
            (first, first_offsets),
            (second, second_offsets),
            (last, last_offsets),
        ] = &self.layers;
        let hidden = positive(first.times(&sum, first_offsets));
        let more = positive(second.times(&hidden, second_offsets));
        let hidden: Vec<f32> = hidden
            .iter()
            .zip(more)
            .map(|(one, other)| one + other)
            .collect();
        let sums = last.times(&hidden, last_offsets);
        let most = sums.iter().copied().fold(f32::MIN, f32::max);
        let mut likely: Vec<(usize, f32)> = sums
            .iter()
            .map(|sum| (sum - most).exp())
            .enumerate()
            .collect();
        likely.sort_by(|one, other| other.1.total_cmp(&one.1));
        // Twice the number is kept, since words that the text has itself are removed later.
        likely.truncate(GIVEN_MAX * 2);
        likely
    }
}

fn positive(numbers: Vec<f32>) -> Vec<f32> {
    numbers.into_iter().map(|number| number.max(0.0)).collect()
}

/// Reads the network; `None` if the bytes do not have its form.
fn read(bytes: &'static [u8]) -> Option<Network> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let numbers: Vec<usize> = head
        .split(' ')
        .map_while(|part| part.parse().ok())
        .collect();
    let [words, components, hidden, given] = numbers[..] else {
        return None;
    };
    let mut rest = Rest(&bytes[end + 1..]);
    let network = Network {
        words: rest.lines(words)?,
        given: rest.lines(given)?,
        rows: rest.matrix(words, components)?,
        shares: rest.numbers(words)?,
        layers: [
            (rest.matrix(hidden, components)?, rest.numbers(hidden)?),
            (rest.matrix(hidden, hidden)?, rest.numbers(hidden)?),
            (rest.matrix(given, hidden)?, rest.numbers(given)?),
        ],
    };
    rest.0.is_empty().then_some(network)
}

/// The bytes that were not read yet.
struct Rest(&'static [u8]);

impl Rest {
    fn bytes(&mut self, count: usize) -> Option<&'static [u8]> {
        let (part, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(part)
    }

    fn lines(&mut self, count: usize) -> Option<Vec<&'static str>> {
        let line = |_| {
            let end = self.0.iter().position(|byte| *byte == b'\n')?;
            let line = self.bytes(end + 1)?;
            std::str::from_utf8(&line[..end]).ok()
        };
        (0..count).map(line).collect()
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<f32>> {
        let bytes = self.bytes(count.checked_mul(4)?)?;
        let number = |part: &[u8]| f32::from_le_bytes([part[0], part[1], part[2], part[3]]);
        Some(bytes.chunks_exact(4).map(number).collect())
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Option<Matrix> {
        Some(Matrix {
            columns,
            scales: self.numbers(rows)?,
            bytes: self.bytes(rows.checked_mul(columns)?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_give_words_of_code() {
        let given = |text: &str| {
            of(text)
                .into_iter()
                .map(|given| given.word)
                .collect::<Vec<_>>()
        };
        assert!(read(BYTES).is_some(), "the file has its form");
        assert!(given("waiting longer and longer after each failed attempt").contains(&"backoff"));
        assert!(given("protection against forged requests from another site").contains(&"csrf"));
        assert!(given("qzxv").is_empty());
    }
}
