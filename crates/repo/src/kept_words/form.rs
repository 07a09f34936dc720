//! The form in which word counts are kept: numbers of seven bits a byte, and blocks of words.
//!
//! Whatever is read is data that others may have changed: each reading is checked for its bounds.

/// Letters by which stems share a block: those that a stem shares with one that stands for it.
const LETTERS: usize = crate::vocabulary::NEAR_LETTERS_MIN;

/// Appends a number.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Appends a number that is near an earlier one.
pub(super) fn put_near(bytes: &mut Vec<u8>, number: u64, before: u64) {
    let step = number.wrapping_sub(before).cast_signed();
    put(bytes, ((step << 1) ^ (step >> 63)).cast_unsigned());
}

/// Appends the length of some bytes, and these.
pub(super) fn put_bytes(bytes: &mut Vec<u8>, some: &[u8]) {
    put(bytes, some.len() as u64);
    bytes.extend_from_slice(some);
}

/// What is left of some bytes that are read.
#[derive(Clone, Copy)]
pub(super) struct Rest<'b>(pub(super) &'b [u8]);

impl<'b> Rest<'b> {
    pub(super) fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = *self.take(1)?.first()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number below a bound, as a place in memory.
    pub(super) fn place(&mut self, bound: usize) -> Option<usize> {
        let number = usize::try_from(self.number()?).ok()?;
        (number < bound).then_some(number)
    }

    pub(super) fn near(&mut self, before: u64) -> Option<u64> {
        let zigzag = self.number()?;
        let step = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
        Some(before.wrapping_add(step.cast_unsigned()))
    }

    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WordKind {
    Stem,
    Name,
}

impl WordKind {
    pub(super) fn of(byte: u8) -> Option<Self> {
        [Self::Stem, Self::Name]
            .into_iter()
            .find(|kind| *kind as u8 == byte)
    }

    /// The block of so many that a word is in. Stems that can stand for each other share one.
    pub(super) fn block_of(self, text: &[u8], blocks: u64) -> u64 {
        let key = match self {
            Self::Stem => &text[..text.len().min(LETTERS)],
            Self::Name => text,
        };
        let start = 0xcbf2_9ce4_8422_2325 ^ u64::from(self as u8);
        let mixed = key.iter().fold(start, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        (mixed ^ (mixed >> 29)) % blocks.max(1)
    }
}

/// How often a file has a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Occurrences {
    pub(super) uses: u32,
    pub(super) defines: u32,
}

/// The files that have a word, in order.
#[derive(Debug, Default)]
pub(super) struct Postings {
    last: usize,
    pub(super) bytes: Vec<u8>,
}

impl Postings {
    /// Adds a file after those that were added, and returns how many bytes that took.
    pub(super) fn add(&mut self, file: usize, found: Occurrences) -> usize {
        let before = self.bytes.len();
        let step = (file - self.last) as u64;
        self.last = file;
        put(&mut self.bytes, step << 1 | u64::from(found.defines > 0));
        put(&mut self.bytes, found.uses.into());
        if found.defines > 0 {
            put(&mut self.bytes, found.defines.into());
        }
        self.bytes.len() - before
    }
}

/// Calls `see` with each of so many files that has a word: each thread that counted has a part, with
/// the number of its first file. `None` if that is damaged.
pub(super) fn each_posting(
    parts: &[u8],
    files: usize,
    mut see: impl FnMut(usize, Occurrences),
) -> Option<()> {
    let mut parts = Rest(parts);
    while !parts.0.is_empty() {
        let mut file = parts.place(files)?;
        let mut part = Rest(parts.bytes()?);
        while !part.0.is_empty() {
            let step = part.number()?;
            file = file.checked_add(usize::try_from(step >> 1).ok()?)?;
            let mut number = || u32::try_from(part.number()?).ok();
            let uses = number()?;
            let defines = if step & 1 == 1 { number()? } else { 0 };
            if file >= files {
                return None;
            }
            see(file, Occurrences { uses, defines });
        }
    }
    Some(())
}
