//! Lists of words, written as one text.

use memchr::memmem;

/// Reports whether a word is in a list whose words are separated by white space.
pub(crate) fn is_in(list: &str, word: &str) -> bool {
    let is_edge = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    let stands_alone = |at: usize| {
        is_edge(list[..at].chars().next_back()) && is_edge(list[at + word.len()..].chars().next())
    };
    // The search skips overlapping occurrences, but these have a letter before them and cannot be a
    // word.
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    is_word && memmem::find_iter(list.as_bytes(), word).any(stands_alone)
}

#[cfg(test)]
mod tests {
    use super::is_in;

    #[test]
    fn a_word_of_a_list_stands_alone() {
        for word in ["aba", "what", "é"] {
            assert!(is_in("ababa what\té aba", word), "{word}");
        }
        for word in ["", "hat", "what é", "b", "wha"] {
            assert!(!is_in("ababa what\té aba", word), "{word}");
        }
    }
}
