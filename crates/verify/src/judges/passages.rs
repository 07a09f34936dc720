//! The part of a page to show to a model: all of a short page, or the sentences of a long page with
//! most words of the claim, and their neighbours. Also finds the place in the page of words that a
//! model quotes.

mod ranking;

use std::ops::Range;

use ranking::SentenceRanking;

/// Returns the ranges of a text to show, at most `bytes_max` bytes: the sentences that share words
/// with a claim, with their neighbours. Empty if no word is shared.
pub fn worth_showing(claim: &str, text: &str, bytes_max: usize) -> Vec<Range<usize>> {
    let ranking = SentenceRanking::of(claim, text);
    if ranking.best(1).is_empty() {
        return Vec::new();
    }
    // A short page is shown whole, so that the model sees each sentence in its context.
    if text.len() <= bytes_max {
        return std::iter::once(0..text.len()).collect();
    }
    let mut chosen: Vec<Range<usize>> = Vec::new();
    for place in ranking.with_those_beside() {
        let with_it = joined(text, chosen.iter().cloned().chain([place]).collect());
        // A piece that does not fit is skipped, since a shorter one after it may fit.
        if with_it.iter().map(ExactSizeIterator::len).sum::<usize>() <= bytes_max {
            chosen = with_it;
        }
    }
    chosen
}

/// Returns at most `most` sentences of a text that share words with a claim, the best first.
pub fn worth_asking(claim: &str, text: &str, most: usize) -> Vec<Range<usize>> {
    SentenceRanking::of(claim, text).best(most)
}

/// Sorts places by their order in the text, and joins those with only white space between them.
fn joined(text: &str, mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|place| place.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if is_blank(text, last.end..place.start) => {
                last.end = last.end.max(place.end);
            }
            Some(_) | None => joined.push(place),
        }
    }
    joined
}

/// Reports whether there is no text between two places, the first of which may extend over the
/// second.
fn is_blank(text: &str, between: Range<usize>) -> bool {
    text.get(between).is_none_or(|text| text.trim().is_empty())
}

/// Reports whether an excerpt has at least one word of the claim.
pub(super) fn shares_a_word(claim: &str, excerpt: &str) -> bool {
    !ranking::words(claim).is_disjoint(&ranking::words(excerpt))
}

/// Finds words in a text, with white space folded on both sides. Letters must be equal.
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
            // Two words of the quote must be two words of the page: "can not" is not "cannot".
            if (number > 0 && skipped == 0) || !rest[skipped..].starts_with(word) {
                return None;
            }
            end += skipped + word.len();
        }
        Some(at..end)
    })
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
    #[test]
    fn a_rare_word_and_a_number_in_words_tell_more_than_common_words() {
        let text = "The server keeps the messages of a stream. The server sends messages. A stream has a name. \
            Repeats are dropped within 4 minutes. The messages of the server have a stream.";
        let best = worth_asking(
            "A stream forgets about repeats of messages after four minutes",
            text,
            1,
        );
        assert_eq!(
            &text[best[0].clone()],
            "Repeats are dropped within 4 minutes."
        );
    }

    #[test]
    fn what_stands_beside_is_shown_with_it() {
        let text = format!(
            "{}Repeats are recognised. The window is two minutes. It can be set. {}",
            "Nothing here. ".repeat(100),
            "Other things. ".repeat(100)
        );
        let shown = worth_showing("The window has 2 minutes", &text, 100);
        let shown: Vec<&str> = shown.into_iter().map(|place| &text[place]).collect();
        let expected = "Nothing here. Repeats are recognised. The window is two minutes. It can be set. Other things.";
        assert_eq!(shown, [expected]);
    }
}
