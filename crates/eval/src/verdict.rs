//! The judge: compares what a job showed with what would be right.
//!
//! Pure. An answer is right if the first place that it cites is labelled as right, to the line if
//! lines are labelled, and nothing forbidden is cited.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{Expectation, Gold};
use crate::metrics::ranking;
use crate::observed::{Observed, Spot};

/// What came of a case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As labelled.
    Right,
    /// An answer where there is one, at another place.
    WrongPlace,
    /// An answer to a case that has none: this must never happen.
    FalseAnswer,
    /// A refusal where there is an answer.
    WrongfulRefusal,
    /// A refusal as labelled, of another kind.
    WrongKind,
    /// Another outcome than the labelled one.
    WrongOutcome,
    /// Another intent than the labelled ones, where nothing else is labelled.
    WrongIntent,
    /// The case broke: an error, a panic, a time-out.
    Failed,
}

/// The parts of a verdict. What is not labelled is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedParts {
    /// Whether the first place lies in a labelled file.
    pub right_file: Option<bool>,
    /// Whether the first place is a labelled line.
    pub right_line: Option<bool>,
    /// Whether every labelled place is listed.
    pub all_gold: Option<bool>,
    /// The rank of the first labelled file, from 1; null if none is listed.
    pub rank: Option<usize>,
    /// NDCG@10 over the files, from 0 to 1.
    pub ndcg10: Option<f64>,
    /// Whether the intent is a labelled one.
    pub right_intent: Option<bool>,
    /// Whether the band of the scorecard is the labelled one.
    pub right_band: Option<bool>,
    /// Whether the verdict of a claim is the labelled one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_verdict: Option<bool>,
    /// Places that were cited and must not be.
    pub forbidden: Vec<String>,
}

/// Judges what was shown.
pub fn judge(expect: &Expectation, seen: &Observed) -> (Verdict, JudgedParts) {
    let judged = parts(expect, seen);
    (verdict(expect, seen, &judged), judged)
}

fn parts(expect: &Expectation, seen: &Observed) -> JudgedParts {
    let (ranked, gold) = (seen.ranked(), &expect.gold);
    let labelled = |value: bool| (!gold.is_empty()).then_some(value);
    // Labels without lines do not judge the line.
    let has_lines = gold.iter().any(|gold| gold.line.is_some());
    let first = ranked.first();
    let files = ranking::files(ranked);
    let gold_files = ranking::gold_files(gold);
    JudgedParts {
        right_file: labelled(
            first.is_some_and(|spot| gold.iter().any(|gold| gold.file == spot.path)),
        ),
        right_line: labelled(first.is_some_and(|spot| gold.iter().any(|gold| gold.is_at(spot))))
            .filter(|_| has_lines),
        all_gold: labelled(
            gold.iter()
                .all(|gold| ranked.iter().any(|spot| gold.is_at(spot))),
        ),
        rank: ranking::first_rank(&files, &gold_files),
        ndcg10: labelled(true).map(|_| ranking::ndcg10(&files, &gold_files)),
        right_intent: (!expect.intents.is_empty()).then(|| expect.intents.contains(&seen.intent)),
        right_band: expect.band.as_ref().map(|band| {
            seen.scorecard
                .as_ref()
                .is_some_and(|card| card.band == *band)
        }),
        // Without an answer there is no verdict to judge, and the refusal is judged instead.
        right_verdict: expect
            .verdict
            .as_ref()
            .filter(|_| seen.is_answered())
            .map(|verdict| seen.verdict.as_ref() == Some(verdict)),
        forbidden: forbidden(expect, &seen.cited),
    }
}

fn forbidden(expect: &Expectation, cited: &[Spot]) -> Vec<String> {
    let is_forbidden = |spot: &&Spot| expect.must_not_cite.iter().any(|gold| gold.is_at(spot));
    cited.iter().filter(is_forbidden).map(Spot::shown).collect()
}

fn verdict(expect: &Expectation, seen: &Observed, judged: &JudgedParts) -> Verdict {
    // Such a case was not investigated, so there is no outcome to judge.
    if expect.is_of_intent_alone() {
        return if judged.right_intent == Some(false) {
            Verdict::WrongIntent
        } else {
            Verdict::Right
        };
    }
    // A failed run is neither an answer nor a refusal.
    if seen.outcome == "failed" && expect.outcome.as_deref() != Some("failed") {
        return Verdict::Failed;
    }
    // A ranking is judged by its first place, as an answer is.
    match (
        seen.is_answered() || seen.is_ranking,
        expect.is_answerable(),
    ) {
        (true, Some(true) | None) => of_answer(expect, seen, judged),
        (true, Some(false)) => Verdict::FalseAnswer,
        (false, Some(true)) => Verdict::WrongfulRefusal,
        (false, Some(false) | None) => of_refusal(expect, seen),
    }
}

/// Judges an answer. Its first place must be labelled as right, to the line if lines are labelled.
/// Of a list of statements, each must be labelled, and none may be missing. Another verdict than
/// the labelled one is a false answer.
fn of_answer(expect: &Expectation, seen: &Observed, judged: &JudgedParts) -> Verdict {
    if judged.right_verdict == Some(false) {
        return Verdict::FalseAnswer;
    }
    if seen.is_list && !expect.gold.is_empty() {
        return of_list(expect, seen, judged);
    }
    let first = seen.ranked().first();
    let is_at_gold = expect.gold.is_empty()
        || first.is_some_and(|spot| expect.gold.iter().any(|gold| gold.is_at(spot)));
    if is_at_gold && judged.forbidden.is_empty() {
        Verdict::Right
    } else {
        Verdict::WrongPlace
    }
}

fn of_list(expect: &Expectation, seen: &Observed, judged: &JudgedParts) -> Verdict {
    let is_labelled = |spot: &Spot| expect.gold.iter().any(|gold| gold.is_at(spot));
    match (seen.cited.iter().all(is_labelled), judged.all_gold) {
        (true, Some(true) | None) => Verdict::Right,
        // A finding that is missing is a refusal to find it, while one too many states what is not
        // so.
        (true, Some(false)) => Verdict::WrongfulRefusal,
        (false, _) => Verdict::FalseAnswer,
    }
}

fn of_refusal(expect: &Expectation, seen: &Observed) -> Verdict {
    let is_outcome = expect
        .outcome
        .as_ref()
        .is_none_or(|outcome| *outcome == seen.outcome);
    let is_kind = expect.refusal.is_none() || expect.refusal == seen.refusal;
    match (is_outcome, is_kind) {
        (true, true) => Verdict::Right,
        (true, false) => Verdict::WrongKind,
        (false, _) => Verdict::WrongOutcome,
    }
}

impl Gold {
    /// Reports whether a place is this one, to the line and the name if they are labelled.
    pub fn is_at(&self, spot: &Spot) -> bool {
        let is_line = self.line.is_none_or(|line| line == spot.line_start);
        let is_symbol = self
            .symbol
            .as_ref()
            .is_none_or(|symbol| holds_word(&spot.text, symbol));
        self.file == spot.path && is_line && is_symbol
    }
}

fn holds_word(text: &str, word: &str) -> bool {
    // These letters continue a name, so `max` is no whole word in `max_len`.
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_whole = |(at, found): (usize, &str)| {
        !text[..at].chars().next_back().is_some_and(is_part)
            && !text[at + found.len()..].chars().next().is_some_and(is_part)
    };
    !word.is_empty() && text.match_indices(word).any(is_whole)
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 8] = [
        Self::Right,
        Self::WrongPlace,
        Self::FalseAnswer,
        Self::WrongfulRefusal,
        Self::WrongKind,
        Self::WrongOutcome,
        Self::WrongIntent,
        Self::Failed,
    ];

    /// Returns the word for the verdict, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::WrongPlace => "wrong_place",
            Self::FalseAnswer => "false_answer",
            Self::WrongfulRefusal => "wrongful_refusal",
            Self::WrongKind => "wrong_kind",
            Self::WrongOutcome => "wrong_outcome",
            Self::WrongIntent => "wrong_intent",
            Self::Failed => "failed",
        }
    }

    /// Returns the verdict for people.
    pub fn shown(self) -> String {
        self.as_str().replace('_', " ")
    }
}

#[cfg(test)]
mod tests;
