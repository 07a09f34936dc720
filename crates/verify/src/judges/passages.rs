//! The part of a page that is worth showing to a model: the whole of a short one,
//! of a long one the sentences that share most words with the claim and what stands
//! beside them. And back again: where words that a model quotes stand in the page.

use std::collections::HashSet;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::lexical::terms;
use super::sentences::sentences;

/// Letters of a word from which its beginning is compared instead of the word.
const STEM_LETTERS: usize = 5;

/// Sentences of a text that share words with a claim, the best first; at most so many.
pub(super) fn ranked(claim: &str, text: &str, most: usize) -> Vec<Range<usize>> {
    let wanted: HashSet<String> = terms(claim)
        .iter()
        .map(|term| beginning(&term.word))
        .collect();
    let shared = |range: &Range<usize>| {
        let words: HashSet<String> = text[range.clone()].unicode_words().map(beginning).collect();
        wanted.intersection(&words).count()
    };
    let mut found: Vec<(usize, Range<usize>)> = sentences(text)
        .into_iter()
        .map(|range| (shared(&range), range))
        .collect();
    found.retain(|(shared, _)| *shared > 0);
    found.sort_by_key(|(shared, range)| (std::cmp::Reverse(*shared), range.start));
    found.truncate(most);
    found.into_iter().map(|(_, range)| range).collect()
}

/// At most so many bytes of a text around what shares words with a claim; none where nothing does.
pub(super) fn worth_showing(claim: &str, text: &str, bytes_max: usize) -> Vec<Range<usize>> {
    let best = ranked(claim, text, 12);
    if best.is_empty() {
        return Vec::new();
    }
    if text.len() <= bytes_max {
        return std::iter::once(0..text.len()).collect();
    }
    let around = bytes_max / 12;
    let (mut chosen, mut used): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    for place in best {
        let start = text.floor_char_boundary(place.start.saturating_sub(around / 2));
        let end = text.ceil_char_boundary((place.end + around / 2).min(text.len()));
        let is_known = chosen
            .iter()
            .any(|known| known.start <= place.start && place.end <= known.end);
        if !is_known && used + (end - start) <= bytes_max {
            used += end - start;
            chosen.push(start..end);
        }
    }
    joined(chosen)
}

/// In the order of the text, overlapping ones as one.
fn joined(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|place| place.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            Some(_) | None => joined.push(place),
        }
    }
    joined
}

/// Whether an excerpt has at least one word of the claim.
pub(super) fn shares_a_word(claim: &str, excerpt: &str) -> bool {
    let words: HashSet<String> = excerpt.unicode_words().map(beginning).collect();
    terms(claim)
        .iter()
        .any(|term| words.contains(&beginning(&term.word)))
}

/// Where words stand in a text, with white space folded on both sides; letters must be the same.
pub(super) fn find(text: &str, words: &str) -> Option<Range<usize>> {
    let wanted: Vec<&str> = words.split_whitespace().collect();
    let first = *wanted.first()?;
    text.match_indices(first).find_map(|(at, _)| {
        let mut end = at;
        for (number, word) in wanted.iter().enumerate() {
            let rest = &text[end..];
            let skipped = if number == 0 {
                0
            } else {
                rest.len() - rest.trim_start().len()
            };
            if (number > 0 && skipped == 0) || !rest[skipped..].starts_with(word) {
                return None;
            }
            end += skipped + word.len();
        }
        Some(at..end)
    })
}

fn beginning(word: &str) -> String {
    word.to_lowercase().chars().take(STEM_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_are_found_whatever_the_white_space() {
        let text = "One  thing.\n  The limit\tis\n30 seconds, always.";
        assert_eq!(
            find(text, "The limit is 30 seconds").map(|range| &text[range]),
            Some("The limit\tis\n30 seconds")
        );
        assert_eq!(find(text, "the limit is"), None);
        assert_eq!(find(text, "Onething."), None);
        assert_eq!(find(text, " "), None);
    }

    #[test]
    fn of_a_long_text_what_shares_words_is_shown() {
        let text = format!(
            "{} The tower is 330 metres tall. {}",
            "Nothing here at all. ".repeat(400),
            "Other things follow. ".repeat(400)
        );
        let shown = worth_showing("The tower is 330 metres tall", &text, 2_000);
        assert!(shown.iter().map(ExactSizeIterator::len).sum::<usize>() <= 2_000);
        assert!(
            shown
                .iter()
                .any(|range| text[range.clone()].contains("330 metres"))
        );
        assert!(worth_showing("Bitcoin", &text, 2_000).is_empty());
    }
}
