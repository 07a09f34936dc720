//! Patterns over words: `where is|are * defined|declared`.
//!
//! A part is a word or several with `|` between them; `word?` may be left out;
//! `*` takes one word or more, as few as fit, and captures them; `...` takes any
//! number and captures nothing.

use super::words::Word;

/// The words that the holes of a pattern took, if the pattern fits all the words.
pub(crate) fn fit<'w>(pattern: &str, words: &'w [Word]) -> Option<Vec<&'w [Word]>> {
    let parts: Vec<&str> = pattern.split(' ').collect();
    let mut captured = Vec::new();
    fit_parts(&parts, words, &mut captured).then_some(captured)
}

fn fit_parts<'w>(parts: &[&str], words: &'w [Word], captured: &mut Vec<&'w [Word]>) -> bool {
    let Some((part, rest)) = parts.split_first() else { return words.is_empty() };
    match *part {
        "*" => (1..=words.len()).any(|taken| {
            captured.push(&words[..taken]);
            let fits = fit_parts(rest, &words[taken..], captured);
            if !fits {
                captured.pop();
            }
            fits
        }),
        "..." => (0..=words.len()).any(|taken| fit_parts(rest, &words[taken..], captured)),
        word => {
            let (word, optional) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
            let is_it = |found: &Word| !found.quoted && word.split('|').any(|choice| choice == found.lower);
            let taken = words.split_first().is_some_and(|(first, after)| is_it(first) && fit_parts(rest, after, captured));
            taken || (optional && fit_parts(rest, words, captured))
        }
    }
}
