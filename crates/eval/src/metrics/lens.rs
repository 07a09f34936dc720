//! Two lenses on the same runs: the derived confidence, which decides, and the scorecard, which
//! does not. Which of them separates right from wrong better?
//!
//! A run is right if it gave a right answer. Levels are ordered, but they are no probabilities. If
//! a number is needed, they are read as even steps from 0 to 1.

use grounds_evidence::{ConfidenceLevel, scorecard};
use schemars::JsonSchema;
use serde::Serialize;

use super::share::Share;
use crate::observed::Observed;
use crate::result::CaseResult;
use crate::verdict::Verdict;

/// Both lenses.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Lenses {
    /// Five levels, derived from the ledger.
    pub derived: Lens,
    /// A weighted score with four bands.
    pub scorecard: Lens,
}

/// How well a lens separates right runs from wrong ones.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Lens {
    /// Over all runs: how often a right run is rated above one that is not. 0.5 is chance.
    pub auroc_all: Option<f64>,
    /// The same over the runs that were answered.
    pub auroc_answered: Option<f64>,
    /// The expected calibration error over the lens's own steps, over all runs.
    pub calibration_error: Option<f64>,
    /// How far the right and the others lie in the same steps: 0 is apart, 1 is alike.
    pub overlap: Option<f64>,
    /// Runs that the lens sends into recovery.
    pub recovery: Share,
    /// The steps, lowest first.
    pub bins: Vec<Bin>,
}

/// One step of a lens.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bin {
    /// Its name.
    pub step: String,
    /// Runs that gave a right answer.
    pub right: usize,
    /// Runs that gave no answer where there is no answer to give.
    pub rightly_refused: usize,
    /// All others.
    pub wrong: usize,
}

/// A run as a lens sees it.
struct LensRun {
    value: f64,
    step: usize,
    is_right: bool,
    is_rightly_refused: bool,
    is_answered: bool,
    is_in_recovery: bool,
}

const BANDS: [&str; 4] = ["failed", "weak", "adequate", "strong"];

impl Lenses {
    /// Returns both lenses on the runs that were investigated.
    pub fn of(results: &[CaseResult]) -> Self {
        // Both lenses are given the same runs, so that their figures can be compared.
        let runs: Vec<(&CaseResult, &Observed)> = results
            .iter()
            .filter(|result| result.is_investigated())
            .filter_map(|result| Some((result, result.observed.as_ref()?)))
            .collect();
        let derived: Vec<LensRun> = runs
            .iter()
            .filter_map(|(result, seen)| of_level(result, seen))
            .collect();
        let scored: Vec<LensRun> = runs
            .iter()
            .filter_map(|(result, seen)| of_card(result, seen))
            .collect();
        let levels: Vec<&str> = ConfidenceLevel::ALL
            .iter()
            .map(|level| level.as_str())
            .collect();
        Self {
            derived: Lens::of(&derived, &levels),
            scorecard: Lens::of(&scored, &BANDS),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are five levels")]
fn of_level(result: &CaseResult, seen: &Observed) -> Option<LensRun> {
    let step = ConfidenceLevel::ALL
        .iter()
        .position(|level| level.as_str() == seen.confidence.level)?;
    Some(run(
        result,
        seen,
        step as f64 / 4.0,
        step,
        seen.recovery_attempts > 0,
    ))
}

fn of_card(result: &CaseResult, seen: &Observed) -> Option<LensRun> {
    let card = seen.scorecard.as_ref()?;
    let step = BANDS.iter().position(|band| *band == card.band)?;
    let is_below = card.total_thousandths < scorecard::RECOVERY_THOUSANDTHS;
    Some(run(
        result,
        seen,
        f64::from(card.total_thousandths) / 1e3,
        step,
        is_below,
    ))
}

fn run(
    result: &CaseResult,
    seen: &Observed,
    value: f64,
    step: usize,
    is_in_recovery: bool,
) -> LensRun {
    let (is_answered, is_as_labelled) = (seen.is_answered(), result.verdict == Verdict::Right);
    LensRun {
        value,
        step,
        is_right: is_answered && is_as_labelled,
        is_rightly_refused: !is_answered && is_as_labelled,
        is_answered,
        is_in_recovery,
    }
}

impl Lens {
    fn of(runs: &[LensRun], steps: &[&str]) -> Self {
        let answered: Vec<&LensRun> = runs.iter().filter(|run| run.is_answered).collect();
        let bin = |(number, step): (usize, &&str)| {
            let of_step = || runs.iter().filter(move |run| run.step == number);
            let right = of_step().filter(|run| run.is_right).count();
            let rightly_refused = of_step().filter(|run| run.is_rightly_refused).count();
            Bin {
                step: (*step).to_owned(),
                right,
                rightly_refused,
                // Whatever is left is wrong, so that each run is counted exactly once.
                wrong: of_step().count() - right - rightly_refused,
            }
        };
        let bins: Vec<Bin> = steps.iter().enumerate().map(bin).collect();
        Self {
            auroc_all: auroc(runs.iter()),
            auroc_answered: auroc(answered.into_iter()),
            calibration_error: calibration_error(runs, steps.len()),
            overlap: overlap(&bins),
            recovery: Share::of(
                runs.iter().filter(|run| run.is_in_recovery).count(),
                runs.len(),
            ),
            bins,
        }
    }
}

/// Returns the share of pairs of a right run and another in which the right one has the greater
/// value. A tie counts half.
#[expect(clippy::cast_precision_loss, reason = "pairs of cases fit")]
fn auroc<'s>(runs: impl Iterator<Item = &'s LensRun>) -> Option<f64> {
    let (right, others): (Vec<&LensRun>, Vec<&LensRun>) = runs.partition(|run| run.is_right);
    let mut values: Vec<f64> = others.iter().map(|run| run.value).collect();
    values.sort_by(f64::total_cmp);
    // Runs below the value count one each, and ties one half: the mean of both bounds.
    let below = |run: &&LensRun| {
        let (under, upto) = (
            values.partition_point(|value| *value < run.value),
            values.partition_point(|value| *value <= run.value),
        );
        (under + upto) as f64 / 2.0
    };
    let pairs = right.len() as f64 * others.len() as f64;
    (pairs > 0.0).then(|| right.iter().map(below).sum::<f64>() / pairs)
}

/// Returns the mean distance between the value of a step and its share of right runs, weighted by
/// its runs.
#[expect(clippy::cast_precision_loss, reason = "counts of cases fit")]
fn calibration_error(runs: &[LensRun], steps: usize) -> Option<f64> {
    let distance = |step: usize| {
        let members: Vec<&LensRun> = runs.iter().filter(|run| run.step == step).collect();
        let right = members.iter().filter(|run| run.is_right).count() as f64;
        (members.iter().map(|run| run.value).sum::<f64>() - right).abs()
    };
    (!runs.is_empty()).then(|| (0..steps).map(distance).sum::<f64>() / runs.len() as f64)
}

/// Returns what the shares of the right and of the others have in common, over the steps.
#[expect(clippy::cast_precision_loss, reason = "counts of cases fit")]
fn overlap(bins: &[Bin]) -> Option<f64> {
    let others = |bin: &Bin| bin.wrong + bin.rightly_refused;
    let (all_right, all_others): (usize, usize) = (
        bins.iter().map(|bin| bin.right).sum(),
        bins.iter().map(others).sum(),
    );
    let common = |bin: &Bin| {
        (bin.right as f64 / all_right as f64).min(others(bin) as f64 / all_others as f64)
    };
    (all_right > 0 && all_others > 0).then(|| bins.iter().map(common).sum())
}
