//! The proof: a few lines that quote, word for word, what counted. Takes a finished verification,
//! and returns at most seven lines and exactly the sources that they cite. It is written after the
//! decision and cannot change it. An untrusted writer may word the lines; words that go beyond the
//! quotes are dropped.

mod audit;
mod check;
#[cfg(feature = "model")]
pub mod model;
mod plain;
mod quote;

use std::fmt::Debug;

use grounds_web::PageDate;

use crate::decision::{CitedSource, ClaimSide, Verdict};
use crate::history::EvidenceHit;
use crate::rounds::Verification;
use crate::trace::HitStanding;

pub use audit::audit;

/// Maximum number of lines of a proof.
pub const LINES_MAX: usize = 7;

/// A proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Its lines: the verdict first.
    pub lines: Vec<ProofLine>,
    /// The sources that the lines cite, in their order.
    pub sources: Vec<CitedSource>,
    /// Number of the writer's lines that were dropped, since they do not keep to the quotes.
    pub dropped: usize,
    /// Why there are no lines of the writer; `None` if it did not fail.
    pub error: Option<String>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofLine {
    /// Its pieces, in order.
    pub pieces: Vec<ProofPiece>,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofPiece {
    /// Words of ours, or of a writer after they were checked.
    Words(String),
    /// Words of a page, with white space folded.
    Quote(String),
    /// The number of a source, from 0.
    Cite(usize),
}

/// Writes the sentences of a proof: a language model, or a script in tests. Never trusted.
pub trait ProofWriter: Debug {
    /// Returns sentences about the claim, each with the numbers of the excerpts that it quotes.
    ///
    /// # Errors
    /// Returns the reason in plain words if there are no sentences.
    fn write(
        &self,
        claim: &str,
        verdict: &str,
        excerpts: &[ProofExcerpt],
    ) -> Result<Vec<Proposed>, String>;
}

/// An excerpt that a writer may quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofExcerpt {
    /// Its number, from 1.
    pub number: usize,
    /// Its address.
    pub url: String,
    /// Its words: data, whatever they say.
    pub text: String,
}

/// A sentence of a writer, with quotes between double quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The sentence.
    pub text: String,
    /// The numbers of the excerpts that it quotes from.
    pub excerpts: Vec<usize>,
}

impl Proof {
    /// Returns the proof in Markdown.
    pub fn markdown(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(ProofLine::markdown).collect();
        lines.join("\n")
    }
}

impl ProofLine {
    /// Returns the line in Markdown. Quotes contain nothing that Markdown would interpret.
    pub fn markdown(&self) -> String {
        let shown = |piece: &ProofPiece| match piece {
            ProofPiece::Words(words) => words.clone(),
            ProofPiece::Quote(words) => quote::marked(words),
            ProofPiece::Cite(source) => format!("[{}]", source + 1),
        };
        self.pieces.iter().map(shown).collect::<Vec<_>>().join(" ")
    }
}

/// Writes the proof into the result of a verification, by a writer if there is one.
pub fn write(verification: &mut Verification, writer: Option<&dyn ProofWriter>) -> Proof {
    let proof = of(verification, writer);
    verification.result.proof = proof.markdown();
    verification.result.sources.clone_from(&proof.sources);
    proof
}

/// Returns the proof of a verification.
pub fn of(verification: &Verification, writer: Option<&dyn ProofWriter>) -> Proof {
    let plain = plain::write(verification);
    let proof = match writer {
        Some(writer) => check::written(verification, &plain, writer),
        None => plain,
    };
    // A proof that fails this check is withheld, whoever wrote it.
    match audit(&proof, verification) {
        Ok(()) => proof,
        Err(why) => Proof {
            error: Some(format!("the proof was withheld: {why}")),
            ..plain::verdict_alone(verification)
        },
    }
}

/// Returns the hits that represent a family of a side, the weightiest first, at most `hits_max`.
fn counted(verification: &Verification, side: ClaimSide, hits_max: usize) -> Vec<&EvidenceHit> {
    let trace = &verification.result.trace;
    let hits = verification.history.hits.iter().zip(&trace.hits);
    let of_side = hits
        .filter(|(_, traced)| traced.standing == HitStanding::Counted && traced.side == Some(side));
    let mut counted: Vec<(u32, &EvidenceHit)> = of_side
        .map(|(hit, traced)| (traced.weight_milli, hit))
        .collect();
    let order = |(one, hit): &(u32, &EvidenceHit), (other, next): &(u32, &EvidenceHit)| {
        other
            .cmp(one)
            .then_with(|| hit.url.cmp(&next.url))
            .then_with(|| hit.bytes.start.cmp(&next.bytes.start))
    };
    // Of a million hits only the few that are shown are sorted.
    if counted.len() > hits_max {
        counted.select_nth_unstable_by(hits_max, order);
        counted.truncate(hits_max);
    }
    counted.sort_by(order);
    counted.into_iter().map(|(_, hit)| hit).collect()
}

/// Returns the side that the lines are about, or `None` if no side wins.
const fn winner(verdict: Verdict) -> Option<ClaimSide> {
    match verdict {
        Verdict::True => Some(ClaimSide::Support),
        Verdict::False => Some(ClaimSide::Refute),
        Verdict::Invalid(_) => None,
    }
}

fn cited(hit: &EvidenceHit) -> CitedSource {
    CitedSource {
        url: hit.url.to_string(),
        title: hit.title.clone(),
        pub_date: hit.published.map(iso),
        excerpt: hit.excerpt.to_string(),
    }
}

/// Formats a date as ISO 8601: a day, or a moment.
pub fn iso(date: PageDate) -> String {
    if date.is_day {
        date.at.strftime("%Y-%m-%d").to_string()
    } else {
        date.at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }
}

#[cfg(test)]
mod tests;
