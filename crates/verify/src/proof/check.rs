//! Checks the sentences of an untrusted writer. It keeps a sentence that quotes what it cites, and
//! whose other words are all from the claim, the quotes, or a short list of joining words. The
//! writer never words the verdict or the strongest source against it.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use super::quote::{folded, is_inert};
use super::{
    Proof, ProofExcerpt, ProofLine, ProofPiece, ProofWriter, Proposed, cited, counted, plain,
    winner,
};
use crate::decision::Verdict;
use crate::history::EvidenceHit;
use crate::rounds::Verification;

/// Maximum number of sentences that are kept.
const SENTENCES_MAX: usize = 4;
/// Maximum number of sources that a writer gets.
const EXCERPTS_MAX: usize = 6;
/// Maximum number of letters of a sentence.
const SENTENCE_LETTERS_MAX: usize = 700;
/// Maximum number of letters outside of the quotes.
const OUTSIDE_LETTERS_MAX: usize = 200;
/// Minimum number of words of a quote.
const QUOTE_WORDS_MIN: usize = 3;
/// Minimum number of sources that a proof of a verdict shows.
const SOURCES_MIN: usize = 2;

/// Words that join quotes and state nothing about the claim.
const JOINING: [&str; 46] = [
    "a",
    "an",
    "the",
    "of",
    "in",
    "on",
    "to",
    "and",
    "as",
    "by",
    "for",
    "with",
    "that",
    "this",
    "it",
    "its",
    "at",
    "from",
    "also",
    "likewise",
    "says",
    "say",
    "said",
    "states",
    "state",
    "stated",
    "writes",
    "wrote",
    "reports",
    "reported",
    "notes",
    "noted",
    "according",
    "source",
    "sources",
    "page",
    "document",
    "another",
    "one",
    "other",
    "second",
    "further",
    "where",
    "which",
    "while",
    "is",
];
/// Words that reverse a sentence; outside of quotes they are the writer's own.
const TURNING: [&str; 12] = [
    "not", "no", "never", "none", "neither", "nor", "without", "false", "true", "invalid",
    "untrue", "wrong",
];

/// Returns the proof with the writer's sentences if they can be kept, else the plain one.
pub(super) fn written(
    verification: &Verification,
    plain: &Proof,
    writer: &dyn ProofWriter,
) -> Proof {
    let Some(side) = winner(verification.result.outcome) else {
        return plain.clone();
    };
    let hits = counted(verification, side, EXCERPTS_MAX);
    let excerpts: Vec<ProofExcerpt> = hits
        .iter()
        .enumerate()
        .map(|(at, hit)| excerpt(at, hit))
        .collect();
    let verdict = if verification.result.outcome == Verdict::True {
        "True"
    } else {
        "False"
    };
    let proposed = match writer.write(&verification.task.claim, verdict, &excerpts) {
        Ok(proposed) => proposed,
        Err(error) => {
            return Proof {
                error: Some(error),
                ..plain.clone()
            };
        }
    };
    let all = proposed.len();
    let kept: Vec<(Vec<ProofPiece>, Vec<usize>)> = proposed
        .iter()
        .filter_map(|sentence| keep(sentence, &excerpts, &verification.task.claim))
        .take(SENTENCES_MAX)
        .collect();
    let shown: HashSet<usize> = kept
        .iter()
        .flat_map(|(_, numbers)| numbers.iter().copied())
        .collect();
    // A verdict rests on two families: a proof that shows only one would be weaker than the plain
    // one.
    if shown.len() < SOURCES_MIN.min(hits.len()) || kept.is_empty() {
        return Proof {
            dropped: all,
            ..plain.clone()
        };
    }
    let mut proof = Proof {
        dropped: all - kept.len(),
        ..plain::verdict_alone(verification)
    };
    for (pieces, numbers) in kept {
        proof.add(pieces, &numbers, &hits);
    }
    proof.against(verification, side);
    proof.unread(verification);
    proof
}

impl Proof {
    /// Adds a sentence, and those of its sources that are new.
    fn add(&mut self, pieces: Vec<ProofPiece>, numbers: &[usize], hits: &[&EvidenceHit]) {
        let mut line = vec![ProofPiece::Words("-".to_owned())];
        line.extend(pieces);
        for number in numbers {
            // `keep` has found an excerpt for each number.
            let source = cited(hits[number - 1]);
            // Two sentences may cite one source, which is listed once.
            let at = self
                .sources
                .iter()
                .position(|known| *known == source)
                .unwrap_or_else(|| {
                    self.sources.push(source);
                    self.sources.len() - 1
                });
            line.push(ProofPiece::Cite(at));
        }
        self.lines.push(ProofLine { pieces: line });
    }
}

fn excerpt(at: usize, hit: &EvidenceHit) -> ProofExcerpt {
    ProofExcerpt {
        number: at + 1,
        url: hit.url.to_string(),
        text: folded(&hit.excerpt),
    }
}

/// Returns the pieces of a sentence that keeps to its sources, else `None`.
fn keep(
    sentence: &Proposed,
    excerpts: &[ProofExcerpt],
    claim: &str,
) -> Option<(Vec<ProofPiece>, Vec<usize>)> {
    let mut numbers = sentence.excerpts.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let cited: Vec<&ProofExcerpt> = numbers
        .iter()
        .map(|number| excerpts.iter().find(|excerpt| excerpt.number == *number))
        // A number without an excerpt drops the whole sentence.
        .collect::<Option<_>>()?;
    if cited.is_empty() || sentence.text.chars().count() > SENTENCE_LETTERS_MAX {
        return None;
    }
    let pieces = parted(&sentence.text)?;
    let quotes: Vec<&str> = pieces
        .iter()
        .filter_map(|piece| {
            if let ProofPiece::Quote(quote) = piece {
                Some(quote.as_str())
            } else {
                None
            }
        })
        .collect();
    let stands = |quote: &&str| {
        is_inert(quote)
            && quote.split(' ').count() >= QUOTE_WORDS_MIN
            && cited.iter().any(|excerpt| has_whole(&excerpt.text, quote))
    };
    let is_quoted =
        |excerpt: &&ProofExcerpt| quotes.iter().any(|quote| has_whole(&excerpt.text, quote));
    let outside: String = pieces
        .iter()
        .filter_map(|piece| {
            if let ProofPiece::Words(words) = piece {
                Some(words.as_str())
            } else {
                None
            }
        })
        .collect::<Vec<_>>()
        .join(" ");
    let is_kept = !quotes.is_empty()
        && quotes.iter().all(stands)
        // A source that is cited and not quoted would seem to say the same.
        && cited.iter().all(is_quoted)
        // Without this, a writer could put its own statement between two true quotes.
        && says_nothing_else(&outside, &quotes, claim);
    is_kept.then_some((pieces, numbers))
}

/// Reports whether a text contains a quote as whole words.
fn has_whole(text: &str, quote: &str) -> bool {
    // "The server can" is no quote of "the server cannot".
    text.match_indices(quote).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + quote.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Splits the sentence into words and quotes. `None` if its quotation marks are not paired.
fn parted(text: &str) -> Option<Vec<ProofPiece>> {
    let text = folded(&text.replace(['“', '”'], "\""));
    let parts: Vec<&str> = text.split('"').collect();
    let piece = |(at, part): (usize, &&str)| match at % 2 {
        0 => ProofPiece::Words(part.trim().to_owned()),
        _ => ProofPiece::Quote(part.trim().to_owned()),
    };
    let is_empty =
        |piece: &ProofPiece| matches!(piece, ProofPiece::Words(words) if words.is_empty());
    // An even number of marks leaves an odd number of parts.
    (parts.len() % 2 == 1).then(|| {
        parts
            .iter()
            .enumerate()
            .map(piece)
            .filter(|piece| !is_empty(piece))
            .collect()
    })
}

/// Reports whether the words around the quotes add nothing of their own.
fn says_nothing_else(outside: &str, quotes: &[&str], claim: &str) -> bool {
    let of = |text: &str| {
        text.unicode_words()
            .map(str::to_lowercase)
            .collect::<HashSet<String>>()
    };
    let quoted: HashSet<String> = quotes.iter().flat_map(|quote| of(quote)).collect();
    let claimed = of(claim);
    let is_known = |word: &String| match () {
        // Checked first: a number of the claim outside of a quote could pass for one of a source.
        () if word.chars().any(char::is_numeric) => false,
        // Checked before the claim's own words, which may contain "not".
        () if TURNING.contains(&word.as_str()) || word.ends_with("n't") => false,
        () => JOINING.contains(&word.as_str()) || quoted.contains(word) || claimed.contains(word),
    };
    let is_plain = |letter: char| letter.is_alphabetic() || " ,.;:'’-–()…".contains(letter);
    outside.chars().count() <= OUTSIDE_LETTERS_MAX
        && outside.chars().all(is_plain)
        && of(outside).iter().all(is_known)
}
