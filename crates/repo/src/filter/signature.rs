//! Which runs of four bytes a text has, in few bits, and whether another text can be a part of it.
//!
//! Given the bytes of a text, returns a signature; given a signature and needles, says whether one
//! can occur. It may say so wrongly, and never the other way. Pure.

use std::ops::Range;
use std::sync::Arc;

use crate::needles::Needles;
use crate::text::View;

/// Bits of the class of one byte.
const CLASS_BITS: u32 = 6;
/// Bytes of a run. Of runs of three, those that tell two words apart are too few: `start` and `kernel` are in
/// most files of Linux.
const RUN_BYTES: usize = 4;
const RUN_MASK: u32 = (1 << (RUN_BYTES as u32 * CLASS_BITS)) - 1;
/// Bits of the largest and of the smallest signature, each as a power of two.
const MOST_BITS: u32 = 18;
const LEAST_BITS: u32 = 9;
/// How many bits a signature has for each run in it, at least.
const BITS_A_RUN: u32 = 2;
/// Spreads runs over the bits of a signature.
const SPREAD: u32 = 0x9e37_79b1;

/// A class for each byte: letters without their capitals, digits and `_` have one each, other bytes share.
const CLASSES: [u8; 256] = {
    let mut classes = [0_u8; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        let lower = (byte as u8).to_ascii_lowercase();
        classes[byte] = match lower {
            b'a'..=b'z' => 1 + lower - b'a',
            b'0'..=b'9' => 27 + lower - b'0',
            b'_' => 37,
            _ => 38 + lower % 26,
        };
        byte += 1;
    }
    classes
};

const fn after(run: u32, byte: u8) -> u32 {
    (run << CLASS_BITS | CLASSES[byte as usize] as u32) & RUN_MASK
}

/// The bit of a run in the largest signature. In a smaller one it is that of its first bits.
const fn bit_of(run: u32) -> u32 {
    run.wrapping_mul(SPREAD) >> (u32::BITS - MOST_BITS)
}

/// The runs of one text, in bits of some bytes.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(super) of: Arc<Vec<u8>>,
    pub(super) range: Range<usize>,
}

impl Signature {
    /// The bytes of it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.of[self.range.clone()]
    }

    /// Whether some bytes have the length of a signature.
    pub(super) const fn is_length(bytes: usize) -> bool {
        bytes.is_power_of_two() && bytes >= 1 << (LEAST_BITS - 3) && bytes <= 1 << (MOST_BITS - 3)
    }
}

/// What is looked for, as the bits of its runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked(Vec<Vec<u32>>);

impl Asked {
    /// The runs of each needle.
    pub(crate) fn of(needles: &Needles) -> Self {
        let texts = needles.all().iter();
        Self(texts.map(|needle| runs(needle.text.as_bytes())).collect())
    }

    /// Whether a needle can occur in a text. One of fewer bytes than a run can occur in any.
    pub(crate) fn can_be_in(&self, signature: &Signature) -> bool {
        (0..self.0.len()).any(|needle| self.can_hold(signature, needle))
    }

    /// Whether the needle of a number can occur in a text, whatever its capitals.
    pub(crate) fn can_hold(&self, signature: &Signature, needle: usize) -> bool {
        let bytes = signature.bytes();
        let bits = bytes.len().trailing_zeros() + 3;
        let has = |run: &u32| {
            let bit = (*run >> (MOST_BITS - bits)) as usize;
            bytes[bit >> 3] >> (bit & 7) & 1 == 1
        };
        self.0[needle].iter().all(has)
    }
}

/// The bits of the runs in a text.
fn runs(text: &[u8]) -> Vec<u32> {
    let run = |bytes: &[u8]| bit_of(bytes.iter().fold(0, |run, byte| after(run, *byte)));
    let mut runs: Vec<u32> = text.windows(RUN_BYTES).map(run).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Collects what the views of one text have.
#[derive(Debug)]
pub(crate) struct Recorder {
    seen: Vec<u64>,
    run: u32,
    last: u8,
    is_plain: bool,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            seen: vec![0; 1 << (MOST_BITS - 6)],
            run: 0,
            last: 0,
            is_plain: true,
        }
    }
}

impl Recorder {
    /// Begins another text.
    pub(crate) fn begin(&mut self) {
        self.seen.fill(0);
        (self.run, self.last, self.is_plain) = (0, 0, true);
    }

    /// Sees the part of a view that no earlier one had.
    pub(crate) fn see(&mut self, view: View<'_>) {
        let text = &view.text[view.from..view.upto];
        let mut run = self.run;
        for byte in text {
            run = after(run, *byte);
            let bit = bit_of(run);
            self.seen[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        self.run = run;
        let begins_escaped = self.last == b'\\' && text.first() == Some(&b'u');
        let is_escaped = begins_escaped || memchr::memmem::find(text, b"\\u").is_some();
        self.is_plain &= text.is_ascii() && !is_escaped;
        self.last = text.last().copied().unwrap_or(self.last);
    }

    /// Whether the text has only letters of ASCII, none of them as an escape.
    pub(crate) const fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// The signature of what was seen.
    pub(crate) fn signature(&self) -> Signature {
        let count: u32 = self.seen.iter().map(|word| word.count_ones()).sum();
        let wanted = (count * BITS_A_RUN).next_power_of_two().trailing_zeros();
        let bits = wanted.clamp(LEAST_BITS, MOST_BITS);
        let mut bytes = vec![0_u8; 1 << (bits - 3)];
        for (number, word) in (0_u32..).zip(&self.seen) {
            let mut left = *word;
            while left != 0 {
                let bit = number << 6 | left.trailing_zeros();
                let bit = (bit >> (MOST_BITS - bits)) as usize;
                bytes[bit >> 3] |= 1 << (bit & 7);
                left &= left - 1;
            }
        }
        let range = 0..bytes.len();
        Signature {
            of: Arc::new(bytes),
            range,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Asked, Recorder};
    use crate::needles::{Form, Needle, Needles};
    use crate::text::View;

    fn asked(text: &str) -> Asked {
        let needle = Needle {
            text: text.to_owned(),
            target: 0,
            form: Form::Asked,
        };
        Asked::of(&Needles::of(vec![needle], Vec::new()))
    }

    fn recorded(parts: &[&[u8]]) -> Recorder {
        let mut recorder = Recorder::default();
        recorder.begin();
        for part in parts {
            recorder.see(View {
                text: part,
                base: 0,
                from: 0,
                upto: part.len(),
            });
        }
        recorder
    }

    proptest! {
        #[test]
        fn what_is_in_a_text_is_never_denied(
            text in "[a-zA-Z_.é\u{0}-\u{ff}]{3,400}",
            cut in 0usize..400,
            from in 0usize..400,
            length in 1usize..40,
        ) {
            let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let signature = recorded(&[&text.as_bytes()[..cut], &text.as_bytes()[cut..]]).signature();
            let part: String = text.chars().skip(from % text.chars().count()).take(length).collect();
            prop_assert!(asked(&part).can_be_in(&signature));
            prop_assert!(asked(&part.to_ascii_uppercase()).can_be_in(&signature));
        }
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        let signature = recorded(&[b"fn alpha(beta: u8) -> Gamma {}"]).signature();
        for (text, can_be) in [
            ("alpha", true),
            ("ALPHA", true),
            ("al", true),
            ("delta", false),
            ("alphabet", false),
        ] {
            assert_eq!(asked(text).can_be_in(&signature), can_be, "{text}");
        }
    }

    #[test]
    fn escapes_are_seen_over_the_end_of_a_view() {
        assert!(recorded(&[b"plain", b"text"]).is_plain());
        assert!(!recorded(&[b"a\\", b"u0041"]).is_plain());
        assert!(!recorded(&["é".as_bytes()]).is_plain());
    }
}
