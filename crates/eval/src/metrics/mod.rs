//! Figures over results. Shares carry their 95 % interval; a figure over no cases is null, never 0.

mod lens;
pub mod ranking;
mod share;

use std::collections::BTreeMap;

use grounds_evidence::ConfidenceLevel;
use schemars::JsonSchema;
use serde::Serialize;

use crate::result::CaseResult;
use crate::verdict::Verdict;

pub use lens::{Bin, Lens, Lenses};
pub use share::{Share, mean, percentile};

/// The numbers of first files that are counted.
pub const FIRST: [usize; 4] = [1, 3, 5, 10];

/// Figures over a group of results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Figures {
    /// all, a suite, or SUITE: CLASS.
    pub group: String,
    /// Cases.
    pub cases: usize,
    /// Cases that are right in every respect.
    pub right: Share,
    /// How many cases have which verdict.
    pub verdicts: BTreeMap<String, usize>,
    /// Answers to cases that have no answer.
    pub false_answers: Share,
    /// Refusals where there is an answer, of the cases with one.
    pub wrongful_refusals: Share,
    /// Cases that were answered, of those that were investigated.
    pub coverage: Share,
    /// Answers whose first file is a labelled one.
    pub right_file: Share,
    /// Answers whose first line is a labelled one.
    pub right_line: Share,
    /// Answers that list every labelled place.
    pub all_listed: Share,
    /// Cases with a labelled file among the first 1, 3, 5, 10.
    pub first: Vec<Share>,
    /// The mean NDCG@10 over labelled files.
    pub ndcg10: Option<f64>,
    /// Cases whose intent is a labelled one.
    pub intent: Share,
    /// Cases whose band of the scorecard is the labelled one.
    pub band: Share,
    /// How often an answer of a level is right.
    pub levels: Vec<Level>,
    /// Right answers of all answers of High or better: what a person may rely on.
    pub high_or_better: Share,
    /// What second passes were made, and what they closed.
    pub recovery: Recovery,
    /// What the cases cost.
    pub costs: Costs,
}

/// How often the answers of a level are right.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Level {
    /// None, Low, Medium, High or Complete.
    pub level: String,
    /// Right answers of all answers of the level.
    pub right: Share,
}

/// Second passes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Recovery {
    /// Answers without a second pass, of the cases that have an answer.
    pub first_pass_success: Share,
    /// Cases with a second pass, of those that were investigated.
    pub rate: Share,
    /// Cases that were answered after a second pass, of those that had one.
    pub success: Share,
    /// Requirements that second passes closed.
    pub closed: usize,
}

/// What cases cost: the median, the 95th percentile and the most.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Costs {
    /// Calls of tools.
    pub steps: Spread,
    /// Files that were read.
    pub files: Spread,
    /// Bytes that were read.
    pub bytes: Spread,
    /// Milliseconds by the clock.
    pub wall_ms: Spread,
    /// Milliseconds of all processors.
    pub cpu_ms: Spread,
    /// The most memory of the process.
    pub memory_bytes: Spread,
}

/// How a number is spread; null if nobody measured it.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Spread {
    /// Half are below.
    pub median: Option<f64>,
    /// 95 of 100 are below.
    pub p95: Option<f64>,
    /// The most.
    pub most: Option<f64>,
}

/// How cases should end and how they ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Flow {
    /// The labelled ending.
    pub expected: String,
    /// How it ended.
    pub ended: String,
    /// How many.
    pub cases: usize,
    /// How many of them are right.
    pub right: usize,
}

/// Returns the figures over all results, each suite and each class of it.
pub fn all(results: &[CaseResult]) -> Vec<Figures> {
    let every: Vec<&CaseResult> = results.iter().collect();
    let mut rows = vec![Figures::of("all", &every)];
    let mut groups: Vec<(String, Vec<&CaseResult>)> = Vec::new();
    for result in results {
        // A suite without classes of its own would have each of its cases in two equal rows.
        let class = if result.class == result.suite {
            None
        } else {
            Some(format!("{}: {}", result.suite, result.class))
        };
        for group in [Some(result.suite.clone()), class].into_iter().flatten() {
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, members)) => members.push(result),
                None => groups.push((group, vec![result])),
            }
        }
    }
    // The groups are in the order of the suites, and each class follows its suite.
    groups.sort_by_key(|(name, _)| {
        results
            .iter()
            .position(|result| name.starts_with(&result.suite))
    });
    rows.extend(
        groups
            .iter()
            .map(|(name, members)| Figures::of(name, members)),
    );
    rows
}

/// Returns the numbers of cases by their labelled ending and their own, in a fixed order.
pub fn flows(results: &[CaseResult]) -> Vec<Flow> {
    // Cases that were only understood or ranked have no ending to compare.
    let mut flows: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    for result in results
        .iter()
        .filter(|result| !matches!(result.ending(), "understood" | "ranked"))
    {
        let flow = flows
            .entry((
                result.expected_ending().to_owned(),
                result.ending().to_owned(),
            ))
            .or_default();
        *flow = (
            flow.0 + 1,
            flow.1 + usize::from(result.verdict == Verdict::Right),
        );
    }
    flows
        .into_iter()
        .map(|((expected, ended), (cases, right))| Flow {
            expected,
            ended,
            cases,
            right,
        })
        .collect()
}

impl Figures {
    /// Returns the figures over a group.
    pub fn of(group: &str, results: &[&CaseResult]) -> Self {
        let is = |verdict: Verdict| move |result: &CaseResult| result.verdict == verdict;
        let share = |of: &dyn Fn(&CaseResult) -> bool, hit: &dyn Fn(&CaseResult) -> bool| {
            let of = results.iter().filter(|result| of(result));
            Share::of_known(of.map(|result| hit(result)))
        };
        let labelled = |part: &dyn Fn(&CaseResult) -> Option<bool>| {
            Share::of_known(results.iter().filter_map(|result| part(result)))
        };
        // A refusal shows no place, so that there is nothing to judge.
        let shown = |part: fn(&CaseResult) -> Option<bool>| {
            move |result: &CaseResult| part(result).filter(|_| shows_places(result))
        };
        Self {
            group: group.to_owned(),
            cases: results.len(),
            right: share(&|_| true, &is(Verdict::Right)),
            verdicts: verdicts(results),
            false_answers: share(&|one| is_answerable(one, false), &is(Verdict::FalseAnswer)),
            wrongful_refusals: share(
                &|one| is_answerable(one, true),
                &is(Verdict::WrongfulRefusal),
            ),
            coverage: share(&CaseResult::is_investigated, &CaseResult::is_answered),
            right_file: labelled(&shown(|result| result.judged.right_file)),
            right_line: labelled(&shown(|result| result.judged.right_line)),
            all_listed: labelled(&shown(|result| result.judged.all_gold)),
            first: FIRST
                .iter()
                .map(|first| labelled(&|result| in_first(result, *first)))
                .collect(),
            ndcg10: mean(results.iter().filter_map(|result| result.judged.ndcg10)),
            intent: labelled(&|result| result.judged.right_intent),
            band: labelled(&|result| result.judged.right_band),
            levels: levels(results),
            high_or_better: high_or_better(&levels(results)),
            recovery: recovery(results),
            costs: costs(results),
        }
    }
}

/// Reports whether a case is labelled as one with an answer, or without, and asks for no ranking.
fn is_answerable(result: &CaseResult, wanted: bool) -> bool {
    result.expected.is_answerable() == Some(wanted)
        && !result.observed.as_ref().is_some_and(|seen| seen.is_ranking)
}

fn shows_places(result: &CaseResult) -> bool {
    result
        .observed
        .as_ref()
        .is_some_and(|seen| seen.is_answered() || seen.is_ranking)
}

// NDCG is only known for cases with labelled places.
fn in_first(result: &CaseResult, first: usize) -> Option<bool> {
    result
        .judged
        .ndcg10
        .map(|_| result.judged.rank.is_some_and(|rank| rank <= first))
}

fn verdicts(results: &[&CaseResult]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    results.iter().for_each(|result| {
        *counts
            .entry(result.verdict.as_str().to_owned())
            .or_default() += 1
    });
    counts
}

fn levels(results: &[&CaseResult]) -> Vec<Level> {
    let of_level = |level: &ConfidenceLevel| {
        let is_of = |result: &&&CaseResult| {
            result.is_answered()
                // A refusal has a level too, and is not counted here.
                && result
                    .observed
                    .as_ref()
                    .is_some_and(|seen| seen.confidence.level == level.as_str())
        };
        let answers: Vec<_> = results.iter().filter(is_of).collect();
        let right = answers
            .iter()
            .filter(|result| result.verdict == Verdict::Right)
            .count();
        Level {
            level: level.as_str().to_owned(),
            right: Share::of(right, answers.len()),
        }
    };
    ConfidenceLevel::ALL.iter().map(of_level).collect()
}

fn high_or_better(levels: &[Level]) -> Share {
    let high = levels
        .iter()
        .filter(|level| ["High", "Complete"].contains(&level.level.as_str()));
    let (hits, of) = high.fold((0, 0), |(hits, of), level| {
        (hits + level.right.hits, of + level.right.of)
    });
    Share::of(hits, of)
}

fn recovery(results: &[&CaseResult]) -> Recovery {
    let seen: Vec<_> = results
        .iter()
        .filter(|result| result.is_investigated())
        .filter_map(|result| Some((result, result.observed.as_ref()?)))
        .collect();
    let had = |attempts: usize| attempts > 0;
    let second: Vec<_> = seen
        .iter()
        .filter(|(_, seen)| had(seen.recovery_attempts))
        .collect();
    let answerable: Vec<_> = seen
        .iter()
        .filter(|(result, _)| result.expected.is_answerable() == Some(true))
        .collect();
    // An answer after a second pass is no success of the first one.
    let at_once = answerable
        .iter()
        .filter(|(_, seen)| seen.is_answered() && !had(seen.recovery_attempts))
        .count();
    Recovery {
        first_pass_success: Share::of(at_once, answerable.len()),
        rate: Share::of(second.len(), seen.len()),
        success: Share::of(
            second.iter().filter(|(_, seen)| seen.is_answered()).count(),
            second.len(),
        ),
        closed: seen.iter().map(|(_, seen)| seen.recovery_closed).sum(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of files and bytes fit")]
fn costs(results: &[&CaseResult]) -> Costs {
    let investigated = || results.iter().filter(|result| result.is_investigated());
    let seen = |number: fn(&crate::observed::Observed) -> f64| {
        spread(
            investigated()
                .filter_map(|result| result.observed.as_ref())
                .map(number),
        )
    };
    Costs {
        steps: seen(|seen| seen.steps.len() as f64),
        files: seen(|seen| seen.files as f64),
        bytes: seen(|seen| seen.bytes as f64),
        wall_ms: spread(investigated().map(|result| result.cost.wall_ms)),
        // Time of the processor and memory are only known of a case that ran alone.
        cpu_ms: spread(investigated().filter_map(|result| result.cost.cpu_ms)),
        memory_bytes: spread(
            investigated()
                .filter_map(|result| result.cost.memory_bytes)
                .map(|bytes| bytes as f64),
        ),
    }
}

fn spread(numbers: impl Iterator<Item = f64>) -> Spread {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let at = |part: u32| percentile(&numbers, part);
    Spread {
        median: at(50),
        p95: at(95),
        most: at(100),
    }
}

#[cfg(test)]
mod tests;
