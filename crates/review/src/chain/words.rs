//! The names in a text, by their bytes alone, and a set of names that can be asked quickly.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Bytes of the shortest name that is looked for.
pub(super) const NAME_BYTES_MIN: usize = 2;
/// Bytes of the longest one.
const NAME_BYTES_MAX: usize = 120;
/// Bits of the filter that most words do not pass.
const FILTER_BITS: usize = 1 << 16;

/// What each byte is to a name: 1 where it goes on, 2 where it may also start one.
const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        classes[byte] = match value {
            b'0'..=b'9' => 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xff => 2,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

/// The names of a text in their order.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text.get(at..)?.iter().position(|byte| CLASSES[*byte as usize] != 0)?;
            let length = text[at..].iter().position(|byte| CLASSES[*byte as usize] == 0).unwrap_or(text.len() - at);
            let word = at..at + length;
            at = word.end;
            let fits = (NAME_BYTES_MIN..=NAME_BYTES_MAX).contains(&length) && CLASSES[text[word.start] as usize] == 2;
            if fits {
                return Some(word);
            }
        }
    })
}

/// A set of names with their numbers.
#[derive(Debug)]
pub(super) struct Names<'n> {
    numbers: HashMap<&'n [u8], u32, BuildHasherDefault<Mixer>>,
    filter: Vec<u64>,
}

impl<'n> Names<'n> {
    /// The set of these names; a name's number is its place.
    pub(super) fn of(names: impl Iterator<Item = (u32, &'n str)>) -> Self {
        let mut set = Self { numbers: HashMap::default(), filter: vec![0; FILTER_BITS / 64] };
        for (number, name) in names {
            let bit = filter_bit(name.as_bytes());
            set.filter[bit / 64] |= 1 << (bit % 64);
            set.numbers.insert(name.as_bytes(), number);
        }
        set
    }

    /// The number of a name.
    pub(super) fn number(&self, word: &[u8]) -> Option<u32> {
        let bit = filter_bit(word);
        (self.filter[bit / 64] >> (bit % 64) & 1 == 1).then(|| self.numbers.get(word).copied()).flatten()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

/// From the length, the first two bytes, the middle one and the last one.
fn filter_bit(word: &[u8]) -> usize {
    let byte = |index: usize| word.get(index).map_or(0, |byte| *byte as usize);
    let last = byte(word.len().saturating_sub(1));
    (word.len() ^ (byte(0) << 4) ^ (byte(1) << 7) ^ (byte(word.len() / 2) << 9) ^ (last << 2) ^ (byte(2) << 11)) % FILTER_BITS
}

/// A quick hash; who writes a repository gains nothing from names that meet in it but a slower look at his own.
#[derive(Debug, Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}
