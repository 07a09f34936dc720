//! Lists of words, written as one text.

/// Whether a word is one of those in a list, which are set off by white space.
pub(crate) fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}
