//! Words of a page in the form that a proof may show: byte for byte, white space folded, and with
//! nothing that Markdown, a browser or a terminal would act on. If an excerpt contains such a
//! thing, the pieces around it are quoted instead.

use grounds_evidence::hidden::is_hidden;

/// Maximum number of letters of one quote.
const LETTERS_MAX: usize = 420;
/// Maximum number of pieces of an excerpt that are quoted.
const PIECES_MAX: usize = 3;
/// Minimum number of words of a piece: fewer state nothing.
const WORDS_MIN: usize = 2;

/// Folds white space to single spaces.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the pieces of an excerpt that can be quoted, in order.
pub(super) fn pieces(excerpt: &str) -> Vec<String> {
    let text = folded(excerpt);
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, length) in active(&text) {
        // Places may overlap: a quotation mark within an address is found by itself, too.
        pieces.push(&text[start..at.max(start)]);
        start = start.max(at + length);
    }
    pieces.push(&text[start..]);
    let trim = |piece: &str| {
        piece
            .trim()
            .trim_matches(['(', ')', ',', ';', ':'])
            .trim()
            .to_owned()
    };
    let mut pieces: Vec<(usize, String)> = pieces
        .into_iter()
        .map(trim)
        .enumerate()
        .filter(|(_, piece)| is_worth(piece) && is_inert(piece))
        .collect();
    // The longest pieces are kept, and then shown in their order in the page.
    pieces.sort_by_key(|(at, piece)| (std::cmp::Reverse(piece.len()), *at));
    pieces.truncate(PIECES_MAX);
    pieces.sort_by_key(|(at, _)| *at);
    let cut = |piece: String| cut(&piece).to_owned();
    pieces.into_iter().map(|(_, piece)| cut(piece)).collect()
}

fn is_worth(piece: &str) -> bool {
    piece
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count()
        >= WORDS_MIN
}

/// Truncates a piece to at most [`LETTERS_MAX`] letters, at the end of a word.
fn cut(piece: &str) -> &str {
    let Some((end, _)) = piece.char_indices().nth(LETTERS_MAX) else {
        return piece;
    };
    let head = &piece[..end];
    head.rfind(' ').map_or(head, |blank| &head[..blank])
}

/// Reports whether a quote contains nothing that a reader's software would act on.
pub(super) fn is_inert(quote: &str) -> bool {
    active(quote).is_empty()
        && !quote.contains(['\n', '\t'])
        // With both kinds of marks inside, `marked` could not put either kind around the quote.
        && !(quote.contains('"') && quote.contains(['“', '”']))
}

/// Returns the places that could act, in order, each with its length in bytes.
fn active(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, word) in words(text) {
        if is_address(word) {
            found.push((at, word.len()));
            // The whole address is one place: its characters must not be found again.
            continue;
        }
        found.extend(
            word.char_indices()
                .filter(|(inside, letter)| acts(word, *inside, *letter))
                .map(|(inside, letter)| (at + inside, letter.len_utf8())),
        );
    }
    let mixed = text.contains('"') && text.contains(['“', '”']);
    if mixed {
        found.extend(text.match_indices('"').map(|(at, mark)| (at, mark.len())));
        found.sort_unstable();
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace()
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Reports whether a word is an address of the web or of mail, which readers turn into a link.
fn is_address(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_mail = word.split_once('@').is_some_and(|(name, host)| {
        name.chars().next_back().is_some_and(char::is_alphanumeric)
            && host.chars().next().is_some_and(char::is_alphanumeric)
    });
    lower.contains("://")
        || lower.contains("www.")
        || lower.contains("mailto:")
        || lower.contains("javascript:")
        || is_data(&lower)
        || is_mail
}

/// Reports whether a word is an address that contains its data. The `data:` of "Metadata:", or at
/// the end of a word, is text.
fn is_data(lower: &str) -> bool {
    lower.match_indices("data:").any(|(at, scheme)| {
        !lower[..at].ends_with(char::is_alphanumeric) && at + scheme.len() < lower.len()
    })
}

fn acts(word: &str, at: usize, letter: char) -> bool {
    let after = word[at + letter.len_utf8()..].chars().next();
    let before = word[..at].chars().next_back();
    let is_inside =
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
    match letter {
        '`' | '*' | '[' | ']' | '<' | '>' | '\\' | '|' | '~' | '{' | '}' | '#' => true,
        // The underscore of `work_mem` is no emphasis.
        '_' => !is_inside,
        // `&lt;` and `&#60;` are references; a single `&` is text.
        '&' => after.is_some_and(|next| next.is_alphanumeric() || next == '#'),
        // `![` begins an image.
        '!' => after == Some('['),
        other => is_hidden(other),
    }
}

/// Puts a quote between marks that it does not contain.
pub(super) fn marked(quote: &str) -> String {
    if quote.contains('"') {
        format!("“{quote}”")
    } else {
        format!("\"{quote}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(excerpt: &str, expected: &[&str]) {
        assert_eq!(pieces(excerpt), expected);
    }

    #[test]
    fn what_could_act_is_left_out() {
        check(
            "The default  timeout\nis 30 seconds.",
            &["The default timeout is 30 seconds."],
        );
        check(
            "See [the docs](https://evil.example/x) for the limit of 30.",
            &["for the limit of 30."],
        );
        check(
            "<script>alert(1)</script> It is 30 seconds",
            &["It is 30 seconds"],
        );
        check(
            "set max_attempts to 3 & go",
            &["set max_attempts to 3 & go"],
        );
        check(
            "the _private thing is &lt;here",
            ["private thing is", "lt;here"]
                .into_iter()
                .filter(|piece| piece.contains(' '))
                .collect::<Vec<_>>()
                .as_slice(),
        );
        check(
            "He said \"no\" and “yes”, mail me@x.org now",
            &["He said", "and “yes”, mail"],
        );
    }

    #[test]
    fn a_word_that_ends_in_data_is_no_address() {
        check(
            "Metadata: it is kept. The data: 30 rows",
            &["Metadata: it is kept. The data: 30 rows"],
        );
        check("Open (data:text/html,x) in a tab", &["in a tab"]);
    }

    proptest! {
        #[test]
        fn pieces_are_inert_substrings(text in "[a-zA-Z0-9 \\[\\]()<>*_`\"“”&#!@:/.\u{202e}\u{1b}~|\\\\-]{0,200}") {
            for piece in pieces(&text) {
                prop_assert!(folded(&text).contains(&piece), "{piece}");
                prop_assert!(is_inert(&piece), "{piece}");
            }
        }
    }
}
