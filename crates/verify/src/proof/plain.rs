//! The built-in writer, which needs no model: the verdict in our words, the weightiest source of
//! each family in its own words, and the strongest source against the verdict. Numbers and dates
//! appear only in quotes.

use super::{LINES_MAX, Proof, ProofLine, ProofPiece, cited, counted, quote, winner};
use crate::decision::{ClaimSide, InvalidReason, NotCheckable, Verdict};
use crate::history::EvidenceHit;
use crate::rounds::Verification;
use crate::trace::FamilySide;

/// Maximum number of sources of one side that are quoted.
const SOURCES_MAX: usize = 4;
/// Maximum number of sources of each side if no side has won.
const SOURCES_OF_BOTH_MAX: usize = 3;

/// Writes the proof in our words.
pub(super) fn write(verification: &Verification) -> Proof {
    let mut proof = verdict_alone(verification);
    match winner(verification.result.outcome) {
        Some(side) => {
            for hit in counted(verification, side, SOURCES_MAX) {
                proof.quote("-", hit);
            }
            proof.against(verification, side);
        }
        None => {
            for (side, label) in [
                (ClaimSide::Support, "- For it:"),
                (ClaimSide::Refute, "- Against it:"),
            ] {
                for hit in counted(verification, side, SOURCES_OF_BOTH_MAX) {
                    proof.quote(label, hit);
                }
            }
        }
    }
    proof.unread(verification);
    proof
}

/// Returns a proof with the first line only.
pub(super) fn verdict_alone(verification: &Verification) -> Proof {
    let outcome = verification.result.outcome;
    let words = match winner(outcome).filter(|side| is_alone(verification, *side)) {
        Some(ClaimSide::Support) => "**True.** One source that was accepted by itself says so:",
        Some(ClaimSide::Refute) => {
            "**False.** One source that was accepted by itself contradicts it:"
        }
        None => sentence(outcome, verification.history.hits.is_empty()),
    };
    Proof {
        lines: vec![ProofLine {
            pieces: vec![ProofPiece::Words(words.to_owned())],
        }],
        ..Proof::default()
    }
}

/// Reports whether only one family speaks for a side, which is enough only if a person accepted
/// one.
fn is_alone(verification: &Verification, side: ClaimSide) -> bool {
    verification
        .result
        .trace
        .families
        .iter()
        .filter(|family| family.side == FamilySide::One(side))
        .count()
        == 1
}

impl Proof {
    /// Adds a line that quotes a hit, if it can be quoted.
    fn quote(&mut self, label: &str, hit: &EvidenceHit) {
        let pieces = quote::pieces(&hit.excerpt);
        if pieces.is_empty() || self.lines.len() >= LINES_MAX {
            return;
        }
        let mut line = vec![ProofPiece::Words(label.to_owned())];
        for (at, piece) in pieces.into_iter().enumerate() {
            // Between two pieces the page has something that cannot be quoted.
            line.extend((at > 0).then(|| ProofPiece::Words("…".to_owned())));
            line.push(ProofPiece::Quote(piece));
        }
        line.push(ProofPiece::Cite(self.sources.len()));
        self.sources.push(cited(hit));
        self.lines.push(ProofLine { pieces: line });
    }

    /// Adds a line with the bounds that left something unread: without it the proof would promise
    /// too much.
    pub(super) fn unread(&mut self, verification: &Verification) {
        let bounds: Vec<String> = verification
            .unread
            .iter()
            .map(|unread| unread.bound.clone())
            .collect();
        if bounds.is_empty() || self.lines.len() >= LINES_MAX {
            return;
        }
        let words = match winner(verification.result.outcome) {
            Some(_) => "Not everything was read. These bounds were accepted:",
            None => "Not everything was read. These bounds were reached:",
        };
        self.lines.push(ProofLine {
            pieces: vec![ProofPiece::Words(format!("{words} {}.", bounds.join(", ")))],
        });
    }

    /// Adds the strongest source of the other side, or says that it has no source.
    pub(super) fn against(&mut self, verification: &Verification, winner: ClaimSide) {
        let before = self.lines.len();
        let counted = counted(verification, winner.other(), 1);
        if let Some(hit) = counted.first() {
            let label = if winner == ClaimSide::Support {
                "- Against it:"
            } else {
                "- For it:"
            };
            self.quote(label, hit);
        }
        // No line was added if the source cannot be quoted, since no inert piece of it is left.
        if self.lines.len() == before && self.lines.len() < LINES_MAX {
            let none = match (winner, counted.is_empty()) {
                (ClaimSide::Support, true) => "No source that counts contradicts it.",
                (ClaimSide::Refute, true) => "No source that counts supports it.",
                (ClaimSide::Support, false) => {
                    "A source that counts contradicts it, in words that cannot be quoted."
                }
                (ClaimSide::Refute, false) => {
                    "A source that counts supports it, in words that cannot be quoted."
                }
            };
            self.lines.push(ProofLine {
                pieces: vec![ProofPiece::Words(none.to_owned())],
            });
        }
    }
}

fn sentence(verdict: Verdict, is_empty: bool) -> &'static str {
    match verdict {
        Verdict::True => "**True.** Independent sources say so:",
        Verdict::False => "**False.** Independent sources contradict it:",
        Verdict::Invalid(InvalidReason::Insufficient) if is_empty => {
            "**Invalid**, insufficient: no source was found that speaks of it."
        }
        Verdict::Invalid(InvalidReason::Insufficient) => {
            "**Invalid**, insufficient: too few independent sources that count say so, or the contrary."
        }
        Verdict::Invalid(InvalidReason::Conflicting) => {
            "**Invalid**, conflicting: independent sources contradict each other."
        }
        Verdict::Invalid(InvalidReason::NotMatured) => {
            "**Invalid**, not matured: its time has not ended, and nothing that counts says that it has happened or no longer can."
        }
        Verdict::Invalid(InvalidReason::NotRead) => {
            "**Invalid**, not read: what could have spoken was left out at a bound that was not accepted."
        }
        Verdict::Invalid(InvalidReason::NotCheckable(kind)) => not_checkable(kind),
    }
}

const fn not_checkable(kind: NotCheckable) -> &'static str {
    match kind {
        NotCheckable::Opinion => {
            "**Invalid**, not checkable: it is an opinion, and no source can settle that."
        }
        NotCheckable::Question => {
            "**Invalid**, not checkable: it is a question. State what you expect the answer to be."
        }
        NotCheckable::Command => "**Invalid**, not checkable: it tells someone what to do.",
        NotCheckable::NothingToLookUp => {
            "**Invalid**, not checkable: it names nothing that could be looked up."
        }
        NotCheckable::TwoClaims => {
            "**Invalid**, not checkable: it makes several claims that can be true apart. Check each by itself."
        }
    }
}
