//! The names in a text, by their bytes alone, and a set of names that can be asked quickly.

use std::ops::Range;

/// Number of bytes of the shortest name that is searched.
pub(super) const NAME_BYTES_MIN: usize = 2;
/// Number of bytes of the longest name that is searched.
const NAME_BYTES_MAX: usize = 120;
/// Number of bits of the filter, which rejects most words.
const FILTER_BITS: usize = 1 << 17;
/// Number of bytes of a text that are classified at once.
const BLOCK_BYTES: usize = 64;

/// Returns the names of a text in their order.
pub(super) fn words(text: &[u8]) -> TextNames<'_> {
    words_in(text, 0..text.len())
}

/// Returns the names of a part of a text. The part must not cut through a name.
pub(super) fn words_in(text: &[u8], part: Range<usize>) -> TextNames<'_> {
    TextNames {
        text: &text[..part.end],
        next: part.start,
        base: 0,
        edges: 0,
        is_inside: false,
        open: None,
    }
}

/// An iterator over the names of a text. The bytes where words begin and end are found for a block
/// at once.
#[derive(Clone, Debug)]
pub(super) struct TextNames<'t> {
    text: &'t [u8],
    /// The start of the next block.
    next: usize,
    /// The start of the current block.
    base: usize,
    /// A bit for each byte of the current block at which a word begins, or has just ended.
    edges: u64,
    /// Whether the last byte of the current block belongs to a word.
    is_inside: bool,
    /// The start of a word that has not ended yet.
    open: Option<usize>,
}

impl Iterator for TextNames<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // Edges alternate: the first one opens a word, and the next one closes it. The end of
            // the text closes the last word.
            let edge = if self.edges != 0 {
                let place = self.base + self.edges.trailing_zeros() as usize;
                self.edges &= self.edges - 1;
                place
            } else if self.next < self.text.len() {
                self.read_block();
                continue;
            } else {
                self.open?;
                self.text.len()
            };
            match self.open.take() {
                None => self.open = Some(edge),
                Some(start) if is_name(self.text[start], edge - start) => return Some(start..edge),
                Some(_) => {}
            }
        }
    }
}

impl TextNames<'_> {
    fn read_block(&mut self) {
        let rest = &self.text[self.next..];
        let bits = match rest.first_chunk::<BLOCK_BYTES>() {
            Some(block) => word_bits(block),
            None => {
                let mut block = [0; BLOCK_BYTES];
                block[..rest.len()].copy_from_slice(rest);
                word_bits(&block)
            }
        };
        // A byte is an edge if it differs from the byte before it, which for the first byte is in
        // the last block.
        self.edges = bits ^ (bits << 1 | u64::from(self.is_inside));
        self.is_inside = bits >> (BLOCK_BYTES - 1) == 1;
        self.base = self.next;
        self.next += BLOCK_BYTES;
    }
}

fn is_name(first: u8, bytes: usize) -> bool {
    (NAME_BYTES_MIN..=NAME_BYTES_MAX).contains(&bytes) && !first.is_ascii_digit()
}

/// Returns a bit for each byte that belongs to a word, the first byte lowest.
fn word_bits(block: &[u8; BLOCK_BYTES]) -> u64 {
    let is_of_word = block.map(|byte| {
        // Without branches, so that the compiler can classify many bytes at once. Bytes from 0x80
        // on belong to letters outside of ASCII.
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let is_digit = byte.wrapping_sub(b'0') < 10;
        u8::from(is_letter | is_digit | (byte == b'_') | (byte >= 0x80))
    });
    let (eights, _) = is_of_word.as_chunks::<8>();
    // The product brings the lowest bit of each byte into the highest byte.
    let gathered =
        |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights
        .iter()
        .rev()
        .fold(0, |bits, eight| bits << 8 | gathered(eight))
}

/// A set of names with their numbers.
#[derive(Debug)]
pub(super) struct NumberedNames<'n> {
    names: Vec<(&'n [u8], u32)>,
    /// Positions in `names`, from 1, by the hash of a name; 0 for an empty slot.
    slots: Vec<u32>,
    filter: Vec<u64>,
}

impl<'n> NumberedNames<'n> {
    /// Makes a set of these names with their numbers.
    pub(super) fn of(names: impl Iterator<Item = (u32, &'n str)>) -> Self {
        let names: Vec<(&[u8], u32)> = names
            .map(|(number, name)| (name.as_bytes(), number))
            .collect();
        let mut set = Self {
            // At most a quarter of the slots is used, so that the search in `number` soon meets an
            // empty one.
            slots: vec![0; (names.len() * 4).next_power_of_two()],
            filter: vec![0; FILTER_BITS / 64],
            names,
        };
        for place in 0..set.names.len() {
            let name = set.names[place].0;
            let mix = mix(name, &(0..name.len()));
            set.filter[filter_bit(mix) / 64] |= 1 << (filter_bit(mix) % 64);
            let slot = set.slots_from(mix).find(|slot| set.slots[*slot] == 0);
            if let (Some(slot), Ok(place)) = (slot, u32::try_from(place + 1)) {
                set.slots[slot] = place;
            }
        }
        set
    }

    /// Returns the number of the name at a place of a text.
    pub(super) fn number(&self, text: &[u8], word: &Range<usize>) -> Option<u32> {
        let mix = mix(text, word);
        let bit = filter_bit(mix);
        // Nearly every word of a text ends here: one bit is read and no name is compared.
        if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
            return None;
        }
        let places = self
            .slots_from(mix)
            .map(|slot| self.slots[slot])
            .take_while(|place| *place != 0);
        places
            .map(|place| self.names[place as usize - 1])
            .find(|(name, _)| *name == &text[word.clone()])
            .map(|(_, number)| number)
    }

    fn slots_from(&self, mix: u64) -> impl Iterator<Item = usize> + use<> {
        let slots = self.slots.len();
        (0..slots).map(move |step| (mix as usize).wrapping_add(step) & (slots - 1))
    }

    /// Reports whether it has no names.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

const fn filter_bit(mix: u64) -> usize {
    (mix >> 40) as usize % FILTER_BITS
}

/// Returns a quick hash of the first and the last eight bytes of a word and its length. Names that
/// collide on purpose only make the search of that repository slower.
fn mix(text: &[u8], word: &Range<usize>) -> u64 {
    // A short word is read with bytes around it, and the shifts remove these again.
    let shift = 8 * 8_usize.saturating_sub(word.len());
    let (first, last) = match (
        text[word.start..].first_chunk::<8>(),
        text[..word.end].last_chunk::<8>(),
    ) {
        (Some(first), Some(last)) => (
            u64::from_le_bytes(*first) << shift,
            u64::from_le_bytes(*last) >> shift << shift,
        ),
        // Near the start or the end of the text, eight bytes cannot be read at once. The result is
        // the same as elsewhere.
        _ => {
            let mut bytes = [0; 8];
            let length = word.len().min(8);
            bytes[8 - length..].copy_from_slice(&text[word.start..word.start + length]);
            let first = u64::from_le_bytes(bytes);
            bytes[8 - length..].copy_from_slice(&text[word.end - length..word.end]);
            (first, u64::from_le_bytes(bytes))
        }
    };
    let mixed = (first ^ (word.len() as u64)).wrapping_mul(0x517c_c1b7_2722_0a95)
        ^ last.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mixed = mixed.wrapping_mul(0x2545_f491_4f6c_dd1d);
    mixed ^ mixed >> 29
}
