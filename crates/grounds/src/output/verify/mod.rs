//! The formats of a checked claim.

mod json;
mod markdown;
mod needs;
mod pretty;

use std::io::{self, Write};

use grounds_verify::proof::Proof;
use grounds_verify::rounds::Verification;
use grounds_verify::{
    ClaimSide, DecisionRules, EvidenceHit, HitStanding, HitTrace, InvalidReason, Seeks, Verdict,
    WhyNot,
};

use crate::cli::{Format, TextFormat};

pub use json::VerifyReport;
pub use needs::needs;

/// A checked claim, with what is needed to show it.
#[derive(Clone, Copy, Debug)]
pub struct ShownVerdict<'s> {
    /// The verdict with what led to it.
    pub verification: &'s Verification,
    /// Its proof.
    pub proof: &'s Proof,
    /// The rules that decided.
    pub rules: &'s DecisionRules,
    /// The use of models.
    pub notes: &'s [String],
    /// Whether colour may be used.
    pub colour: bool,
    /// Whether every piece of evidence is shown.
    pub verbose: bool,
}

/// Writes a checked claim in a format.
///
/// # Errors
/// What the writer says.
pub fn print(shown: &ShownVerdict<'_>, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format.as_text() {
        TextFormat::Pretty => pretty::write(shown, out),
        TextFormat::Json => json::write(shown, out),
        TextFormat::Markdown => markdown::write(shown, out),
    }
}

/// Formats a checked claim on one line, for a batch, with the claim as it was given.
///
/// # Errors
/// Returns an error if it cannot be written as JSON.
pub fn line(
    shown: &ShownVerdict<'_>,
    claim: &str,
    plan: Option<String>,
) -> serde_json::Result<String> {
    json::line(shown, claim, plan)
}

/// Returns hits that decide nothing but are near, the best first: where to look next.
fn leads(verification: &Verification) -> Vec<(&EvidenceHit, &HitTrace)> {
    let hits = verification
        .history
        .hits
        .iter()
        .zip(&verification.result.trace.hits);
    let mut leads: Vec<(&EvidenceHit, &HitTrace)> = hits
        .filter(|(_, traced)| matches!(traced.standing, HitStanding::NotCounted(_)))
        .collect();
    // A hit that takes a side is a better lead than one that takes none.
    leads.sort_by_key(|(_, traced)| traced.side.is_none());
    leads
}

/// Returns True, False or Invalid.
pub fn outcome(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::True => "True",
        Verdict::False => "False",
        Verdict::Invalid(_) => "Invalid",
    }
}

/// Returns the verdict in one word; for Invalid its reason.
pub const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::True => "True",
        Verdict::False => "False",
        Verdict::Invalid(why) => reason(why),
    }
}

const fn reason(reason: InvalidReason) -> &'static str {
    match reason {
        InvalidReason::Insufficient => "insufficient",
        InvalidReason::Conflicting => "conflicting",
        InvalidReason::NotCheckable(_) => "not_checkable",
        InvalidReason::NotMatured => "not_matured",
        InvalidReason::NotRead => "not_read",
    }
}

const fn side(side: ClaimSide) -> &'static str {
    match side {
        ClaimSide::Support => "support",
        ClaimSide::Refute => "refute",
    }
}

/// Returns what a query was to find.
pub const fn seeks(seeks: Seeks) -> &'static str {
    match seeks {
        Seeks::Support => "support",
        Seeks::Refutation => "refutation",
        Seeks::Either => "either",
    }
}

/// Returns why a hit does not count: a key for programs, and words for people.
const fn why_not(why: WhyNot) -> (&'static str, &'static str) {
    match why {
        WhyNot::Neutral => ("neutral", "it speaks of the matter and decides nothing"),
        WhyNot::AnswerBox => ("answer_box", "it is what a search engine says itself"),
        WhyNot::SnippetOnly => ("snippet_only", "its page was not read"),
        WhyNot::Forecast => ("forecast", "it says what may be"),
        WhyNot::Satire => ("satire", "it is not meant seriously"),
        WhyNot::PageNotRead => ("page_not_read", "its page was not read"),
        WhyNot::NotInPage => ("not_in_page", "its words are not in the page"),
        WhyNot::Undated => ("undated", "its page gives no date"),
        WhyNot::BeforeWindow => (
            "before_window",
            "its page is older than the time that was given",
        ),
        WhyNot::AfterWindow => (
            "after_window",
            "its page is younger than the time that was given",
        ),
        WhyNot::AfterAsOf => (
            "after_as_of",
            "its page is younger than the moment of the decision",
        ),
        WhyNot::ChangedAfterWindow => (
            "changed_after_window",
            "its page was changed after the time that was given",
        ),
        WhyNot::WordsAreOlder => ("words_are_older", "its words are in an older page"),
        WhyNot::EventOutside => (
            "event_outside",
            "what it speaks of did not happen in the time that was given",
        ),
        WhyNot::AbsenceBeforeEnd => (
            "absence_before_end",
            "it says that nothing happened, before the time had ended",
        ),
        WhyNot::NotMatured => ("not_matured", "it refutes before the time has ended"),
        WhyNot::AgainstItsSource => (
            "against_its_source",
            "it adds the opposite to words that it took of a better source",
        ),
        WhyNot::OwnOrigin => ("own_origin", "it is where the claim comes from"),
        WhyNot::FamilyOnBothSides => ("family_on_both_sides", "its family speaks on both sides"),
    }
}

/// Returns thousandths as people write them.
fn signed(milli: i64) -> String {
    format!(
        "{}{}",
        if milli < 0 { "-" } else { "" },
        weight(milli.unsigned_abs())
    )
}

/// Returns thousandths that cannot be negative as people write them.
fn weight(milli: u64) -> String {
    let text = format!("{}.{:03}", milli / 1000, milli % 1000);
    let short = text.trim_end_matches('0');
    if short.ends_with('.') {
        format!("{short}0")
    } else {
        short.to_owned()
    }
}
