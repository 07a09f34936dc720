//! Returns how likely each kind of question is by its words: a small network of a few members,
//! whose answers are averaged.
//!
//! `bench/wordings/fit.py` fits it to the sentences of `wordings.txt` and writes `model.bin`: lines
//! of text, an empty line, and the numbers of all tensors in the order of their lines, one byte
//! each.

use std::collections::HashMap;

use super::vectors;
use super::words::LearnedWord;

/// Maximum number of words in a clause. A longer one is not read, since the rest could change it.
const WORDS_MAX: usize = 30;
/// The row of an unknown word.
const UNKNOWN: usize = 0;

/// A kind of question.
#[derive(Clone, Debug)]
pub(super) struct QuestionKind<'t> {
    /// Its claim, followed by "swapped" if its second name comes first.
    pub(super) text: &'t str,
    pub(super) names: usize,
    /// Words of its sentences that are not part of a description; empty if it has none.
    pub(super) own: ModelWords<'t>,
    /// Stems of its sentences, and those that sentences of any claim have.
    seen: ModelWords<'t>,
}

/// Words separated by blanks. Few are looked up, so a table of them would not pay.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelWords<'t>(&'t str);

impl ModelWords<'_> {
    pub(super) fn is_empty(self) -> bool {
        self.0.trim().is_empty()
    }

    pub(super) fn contains(self, word: &str) -> bool {
        self.0.split_whitespace().any(|own| own == word)
    }
}

impl QuestionKind<'_> {
    /// Reports whether sentences of this kind have a word.
    pub(super) fn has_seen(&self, word: &LearnedWord) -> bool {
        self.seen.contains(word.stem.as_str())
    }
}

/// Numbers in rows.
#[derive(Clone, Debug)]
struct Tensor<'t> {
    columns: usize,
    scale: f32,
    bytes: &'t [u8],
}

impl Tensor<'_> {
    /// Adds a row to a sum, multiplied by a factor.
    fn add(&self, row: usize, times: f32, sum: &mut [f32]) {
        let start = row * self.columns;
        let Some(bytes) = self.bytes.get(start..start + self.columns) else {
            return;
        };
        let times = times * self.scale;
        for (part, byte) in sum.iter_mut().zip(bytes) {
            *part += times * f32::from(byte.cast_signed());
        }
    }

    fn rows(&self) -> usize {
        self.bytes.len() / self.columns.max(1)
    }
}

/// One network: rows for words, their classes and vectors, windows of several widths, and kinds.
#[derive(Clone, Debug)]
struct NetworkMember<'t> {
    words: Tensor<'t>,
    classes: Tensor<'t>,
    vectors: Tensor<'t>,
    /// For each width of a window its weights and its bias.
    windows: Vec<(Tensor<'t>, Tensor<'t>)>,
    kinds: Tensor<'t>,
    start: Tensor<'t>,
}

/// The kinds of questions and the networks that tell them apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Model<'t> {
    pub(super) kinds: Vec<QuestionKind<'t>>,
    /// A hash of the sentences that it was fitted to.
    #[cfg(test)]
    pub(super) digest: &'t str,
    words: HashMap<&'t str, usize>,
    classes: HashMap<&'t str, usize>,
    members: Vec<NetworkMember<'t>>,
}

impl<'t> Model<'t> {
    /// Reads a model. Returns one without kinds if the bytes do not have its form.
    pub(super) fn of(bytes: &'t [u8]) -> Self {
        read(bytes).unwrap_or_default()
    }

    /// Returns the kinds with a number of names and the likelihood of each, likeliest first. The
    /// list is empty for a clause of too many words.
    pub(super) fn likely(
        &self,
        words: &[LearnedWord],
        names: usize,
    ) -> Vec<(&QuestionKind<'t>, f64)> {
        if words.len() > WORDS_MAX {
            return Vec::new();
        }
        let group: Vec<usize> = (0..self.kinds.len())
            .filter(|kind| self.kinds[*kind].names == names)
            .collect();
        let mut likely: Vec<(&QuestionKind<'t>, f64)> =
            group.iter().map(|kind| (&self.kinds[*kind], 0.0)).collect();
        for member in &self.members {
            let scores = member.scores(&self.rows(words), self.kinds.len());
            // The largest score is subtracted before `exp`, which could overflow otherwise.
            let most = group
                .iter()
                .map(|kind| scores[*kind])
                .fold(f32::MIN, f32::max);
            let share = |kind: &usize| f64::from((scores[*kind] - most).exp());
            let total: f64 = group.iter().map(share).sum();
            for (one, kind) in likely.iter_mut().zip(&group) {
                one.1 += share(kind) / total / self.members.len() as f64;
            }
        }
        likely.sort_by(|one, other| other.1.total_cmp(&one.1));
        likely
    }

    /// Returns the rows of words and classes, and the vectors, of a question.
    fn rows<'w>(&self, words: &'w [LearnedWord]) -> Vec<(usize, usize, Option<&'static [u8]>)> {
        let row = |word: &'w LearnedWord| {
            let known = self.words.get(word.text.as_str()).copied();
            let class = self.classes.get(word.class.as_str()).copied();
            let vector = vectors::of(&word.text);
            (known.unwrap_or(UNKNOWN), class.unwrap_or_default(), vector)
        };
        words.iter().map(row).collect()
    }
}

impl NetworkMember<'_> {
    /// Returns the score of each kind.
    fn scores(&self, words: &[(usize, usize, Option<&[u8]>)], kinds: usize) -> Vec<f32> {
        let inputs: Vec<Vec<f32>> = words.iter().map(|word| self.input(word)).collect();
        let mut scores = vec![0.0; kinds];
        self.start.add(0, 1.0, &mut scores);
        let mut row = 0;
        for (weights, start) in &self.windows {
            for most in most_of(&inputs, weights, start) {
                self.kinds.add(row, most, &mut scores);
                row += 1;
            }
        }
        scores
    }

    fn input(&self, (word, class, vector): &(usize, usize, Option<&[u8]>)) -> Vec<f32> {
        let own = self.words.columns;
        let mut input = vec![0.0; own + self.vectors.columns];
        self.words.add(*word, 1.0, &mut input[..own]);
        self.classes.add(*class, 1.0, &mut input[..own]);
        for (part, byte) in vector.unwrap_or_default().iter().enumerate() {
            let times = f32::from(byte.cast_signed()) * vectors::SCALE;
            self.vectors.add(part, times, &mut input[own..]);
        }
        input
    }
}

/// Returns the largest value of each weight of a window anywhere in a question, at least 0.
fn most_of(inputs: &[Vec<f32>], weights: &Tensor<'_>, start: &Tensor<'_>) -> Vec<f32> {
    let height = inputs.first().map_or(1, Vec::len);
    let width = weights.rows() / height;
    let before = (width - 1) / 2;
    let mut most = vec![0.0_f32; weights.columns];
    for at in 0..inputs.len() {
        let mut found = vec![0.0; weights.columns];
        start.add(0, 1.0, &mut found);
        for place in 0..width {
            // A window at the edge of the question has places without a word.
            let Some(input) = (at + place)
                .checked_sub(before)
                .and_then(|at| inputs.get(at))
            else {
                continue;
            };
            for (part, value) in input.iter().enumerate() {
                weights.add(place * height + part, *value, &mut found);
            }
        }
        for (most, found) in most.iter_mut().zip(found) {
            *most = most.max(found);
        }
    }
    most
}

fn read(bytes: &[u8]) -> Option<Model<'_>> {
    let end = memchr::memmem::find(bytes, b"\n\n")?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut rest = &bytes[end + 2..];
    let mut model = Model::default();
    let mut tensors = Vec::new();
    for line in text.lines() {
        let (what, said) = line.split_once('\t')?;
        match what {
            #[cfg(test)]
            "sentences" => model.digest = said,
            #[cfg(not(test))]
            "sentences" => {}
            "kind" => model.kinds.push(kind(said)?),
            // Row 0 is that of an unknown word or class, so the numbers begin with 1.
            "words" => model.words = said.split(' ').zip(1..).collect(),
            "classes" => model.classes = said.split(' ').zip(1..).collect(),
            "tensor" => tensors.push(tensor(said, &mut rest)?),
            _ => return None,
        }
    }
    let mut tensors = tensors.into_iter().peekable();
    while tensors.peek().is_some() {
        model.members.push(member(&mut tensors)?);
    }
    // Bytes that are left over mean that the text and the tensors do not belong together.
    rest.is_empty().then_some(model)
}

/// Reads a kind: number of names, claim, own words, words of its sentences.
fn kind(said: &str) -> Option<QuestionKind<'_>> {
    let mut parts = said.split('\t');
    Some(QuestionKind {
        names: parts.next()?.parse().ok()?,
        text: parts.next()?,
        own: ModelWords(parts.next()?),
        seen: ModelWords(parts.next()?),
    })
}

/// Reads rows, columns and the scale of a byte.
fn tensor<'t>(said: &str, rest: &mut &'t [u8]) -> Option<Tensor<'t>> {
    let mut parts = said.split(' ');
    let rows: usize = parts.next()?.parse().ok()?;
    let columns: usize = parts.next()?.parse().ok()?;
    let scale = parts.next()?.parse().ok()?;
    let (bytes, others) = rest.split_at_checked(rows.checked_mul(columns)?)?;
    *rest = others;
    Some(Tensor {
        columns,
        scale,
        bytes,
    })
}

/// Number of widths of windows.
const WINDOWS: usize = 4;

fn member<'t>(tensors: &mut impl Iterator<Item = Tensor<'t>>) -> Option<NetworkMember<'t>> {
    let (words, classes, vectors) = (tensors.next()?, tensors.next()?, tensors.next()?);
    let mut windows = Vec::new();
    for _ in 0..WINDOWS {
        windows.push((tensors.next()?, tensors.next()?));
    }
    Some(NetworkMember {
        words,
        classes,
        vectors,
        windows,
        kinds: tensors.next()?,
        start: tensors.next()?,
    })
}
