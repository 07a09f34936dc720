//! The last check of a proof, whoever wrote it: a proof that breaks what docs/verify.md promises is
//! withheld.

use super::quote::{folded, is_inert};
use super::{LINES_MAX, Proof, ProofPiece};
use crate::rounds::Verification;

/// Maximum number of bytes of the words of one line that are not quoted.
const WORDS_BYTES_MAX: usize = 400;

/// Checks that a proof keeps its promises.
///
/// # Errors
/// The first promise that it breaks.
pub fn audit(proof: &Proof, verification: &Verification) -> Result<(), String> {
    if proof.lines.is_empty() || proof.lines.len() > LINES_MAX {
        return Err(format!("it has {} lines", proof.lines.len()));
    }
    let mut cited = vec![false; proof.sources.len()];
    for line in &proof.lines {
        // By line: a quote must be in a source that its own line cites, not just in any source.
        let of_line: Vec<usize> = line
            .pieces
            .iter()
            .filter_map(|piece| {
                if let ProofPiece::Cite(source) = piece {
                    Some(*source)
                } else {
                    None
                }
            })
            .collect();
        for source in &of_line {
            *cited
                .get_mut(*source)
                .ok_or("it cites a source that it does not have")? = true;
        }
        for piece in &line.pieces {
            match piece {
                ProofPiece::Words(words) => words_are_ours(words)?,
                ProofPiece::Quote(quote) => quote_stands(quote, &of_line, proof, verification)?,
                ProofPiece::Cite(_) => {}
            }
        }
    }
    if cited.contains(&false) {
        Err("it has a source that it does not cite".to_owned())
    } else {
        Ok(())
    }
}

/// Checks that words contain no number, no link and no markup but our own stress of the verdict.
fn words_are_ours(words: &str) -> Result<(), String> {
    let bare = words.replace("**", "");
    let is_plain = bare.len() <= WORDS_BYTES_MAX
        && !bare.chars().any(char::is_numeric)
        && is_inert(&bare)
        // A quotation mark would make our words look like a quote.
        && !bare.contains('"');
    if is_plain {
        Ok(())
    } else {
        Err("it has words that are no quote and hold a number, markup or a link".to_owned())
    }
}

/// Checks that the excerpt of a source that the line cites contains a quote, and that the page
/// contains the excerpt.
fn quote_stands(
    quote: &str,
    of_line: &[usize],
    proof: &Proof,
    verification: &Verification,
) -> Result<(), String> {
    let stands = |source: &usize| {
        let source = &proof.sources[*source];
        // An address may have been visited more than once, and not always with success.
        let mut pages = verification.history.pages.iter();
        folded(&source.excerpt).contains(quote)
            && pages.any(|page| page.url == source.url && page.text.contains(&source.excerpt))
    };
    let is_good = !quote.is_empty() && is_inert(quote) && of_line.iter().any(stands);
    if is_good {
        Ok(())
    } else {
        Err("it has a quote that is not in a source that it cites".to_owned())
    }
}
