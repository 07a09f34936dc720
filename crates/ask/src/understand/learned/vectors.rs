//! Vectors of common words, in which words with a similar use in questions are close.
//!
//! `vectors/words.bin` contains a line with the number of components and of words, the words in
//! order, one per line, and the components of each, one byte each. `bench/wordings/vectors.py`
//! writes it from a public model, whose licence is beside it.

use std::sync::OnceLock;

const BYTES: &[u8] = include_bytes!("vectors/words.bin");

/// Components of a vector.
const COMPONENTS: usize = 64;
/// The value of a byte of a component.
pub(super) const SCALE: f32 = 1.0 / 96.0;

struct Table {
    words: Vec<&'static str>,
    rows: &'static [u8],
}

/// Returns the components of a word, or `None` if it is not a common one.
pub(super) fn of(word: &str) -> Option<&'static [u8]> {
    static TABLE: OnceLock<Option<Table>> = OnceLock::new();
    let table = TABLE.get_or_init(read).as_ref()?;
    let at = table.words.binary_search(&word).ok()?;
    table.rows.get(at * COMPONENTS..(at + 1) * COMPONENTS)
}

/// Returns the table, or `None` if the bytes do not have the form above.
fn read() -> Option<Table> {
    let line = BYTES.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&BYTES[..line]).ok()?;
    let (components, count) = head.split_once(' ')?;
    let (components, count): (usize, usize) = (components.parse().ok()?, count.parse().ok()?);
    let end = BYTES.len().checked_sub(components.checked_mul(count)?)?;
    let words = std::str::from_utf8(BYTES.get(line + 1..end)?).ok()?;
    let words: Vec<&str> = words.lines().collect();
    let is_whole = components == COMPONENTS && words.len() == count;
    is_whole.then_some(Table {
        words,
        rows: &BYTES[end..],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_alike_lie_near() {
        let near = |one: &str, other: &str| {
            let pairs = of(one)
                .unwrap_or_default()
                .iter()
                .zip(of(other).unwrap_or_default());
            pairs
                .map(|(one, other)| i32::from(one.cast_signed()) * i32::from(other.cast_signed()))
                .sum::<i32>()
        };
        assert!(read().is_some(), "the file has its form");
        assert!(near("invokes", "calls") > near("invokes", "license"));
        assert!(near("author", "wrote") > near("author", "returns"));
        assert_eq!(of("qzxv"), None);
    }
}
