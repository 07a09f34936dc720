//! Fits the numbers of `calibrated_v2` on judged pages, and measures both rules on years that they
//! were not fitted on. `fit_decision FOLDER` (or the variable GROUNDS_DATA) reads
//! `trec_hm_gold_stance*.jsonl.gz`, one topic a line with `year`, `truth`, `question` and
//! `evidence` (`stance`), and `climate_fever*.jsonl`, and prints Markdown tables. The library
//! itself weighs every draw.
#![expect(clippy::use_debug, reason = "a fit is shown as it is")]

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use grounds_verify::{
    Calibration, ClaimKind, ClaimSide, DecisionRules, EvidenceHit, FamilySide, FamilyTrace,
    HitManner, HitPlace, JudgeName, Policy, SearchHistory, SearchQuery, SearchTask, Seeks,
    SourceTier, Stance, Verdict, VisitedPage, claim, decide_by_rules,
};
use grounds_web::{DateSource, PageDate};
use jiff::Timestamp;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const DRAWS: usize = 40;
/// Number of draws of each number of pages, on which the weights and the bars are fitted.
const FIT_DRAWS: usize = 20;
const PAGES: [usize; 5] = [5, 10, 20, 50, 100];
const ALPHAS: [f64; 7] = [0.30, 0.25, 0.20, 0.15, 0.12, 0.10, 0.08];
/// Correlation between pages of one search. Of 50, 100, 150, 300 and 600 it is the value with which
/// the bars hold equally well at every number of pages and cost least.
const RHO_MILLI: u32 = 100;
/// Kinds of claims with a prior of their own.
const KINDS: [ClaimKind; 3] = [ClaimKind::Cure, ClaimKind::Harm, ClaimKind::Benefit];
/// Number of weights of what pages say: support and refutation. The priors are fitted after them.
const WEIGHTS: usize = 2;

#[derive(Clone)]
struct Topic {
    year: i64,
    /// Whether the claim is true; `None` if the judges found the matter open.
    truth: Option<bool>,
    kind: ClaimKind,
    claim: String,
    stances: Vec<Stance>,
}

/// Pseudorandom numbers, the same in every run.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or(0)
    }

    fn sample(&mut self, stances: &[Stance], count: usize) -> Vec<Stance> {
        let mut left = stances.to_vec();
        for place in 0..count.min(left.len()) {
            let other = place + self.below(left.len() - place);
            left.swap(place, other);
        }
        left.truncate(count);
        left
    }
}

fn stance(word: &str) -> Stance {
    match word {
        "support" => Stance::Support,
        "refute" => Stance::Refute,
        _ => Stance::Neutral,
    }
}

fn lines(path: &Path) -> Result<Vec<Value>, Failure> {
    let file = std::fs::File::open(path)?;
    let reader: Box<dyn BufRead> = if path.extension().is_some_and(|ending| ending == "gz") {
        Box::new(BufReader::new(flate2::read::GzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    };
    reader
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect()
}

fn files(folder: &Path, start: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    found.retain(|path| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(start))
    });
    found.sort();
    Ok(found)
}

fn topic(value: &Value) -> Topic {
    let question = value["question"]
        .as_str()
        .unwrap_or("the matter of this topic")
        .trim_end_matches('?');
    let stances = value["evidence"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|page| stance(page["stance"].as_str().unwrap_or_default()))
        .collect();
    let truth = match value["truth"].as_str() {
        Some("True") => Some(true),
        Some("False") => Some(false),
        _ => None,
    };
    // The judges judged pages on the statement about which a question asks.
    let claim = format!("Judged to be so: {question}.");
    Topic {
        year: value["year"].as_i64().unwrap_or_default(),
        truth,
        kind: claim::read(&claim).kind,
        claim,
        stances,
    }
}

fn history(stances: &[(Stance, String)]) -> SearchHistory {
    let as_of: Timestamp = Timestamp::UNIX_EPOCH;
    let published = Some(PageDate {
        at: as_of,
        is_day: false,
        source: DateSource::Meta,
    });
    let text = "The words that were judged.";
    let query = SearchQuery {
        text: String::new(),
        provider: String::new(),
        seeks: Seeks::Refutation,
        result_count: Some(1),
    };
    let page = |url: &String| VisitedPage {
        published,
        text: text.to_owned(),
        ..VisitedPage::of_address(url)
    };
    let hit = |(stance, url): &(Stance, String)| EvidenceHit {
        url: url.as_str().into(),
        title: None,
        published,
        stance: *stance,
        manner: HitManner::Statement,
        happened: None,
        // The data has no tiers.
        tier: SourceTier::Trade,
        place: HitPlace::Page,
        excerpt: text.into(),
        bytes: 0..text.len(),
        judge: JudgeName::Human,
    };
    SearchHistory {
        as_of,
        queries: vec![query],
        pages: stances.iter().map(|(_, url)| page(url)).collect(),
        hits: stances.iter().map(hit).collect(),
    }
}

fn pages_of_many(stances: &[Stance]) -> Vec<(Stance, String)> {
    stances
        .iter()
        .enumerate()
        .map(|(number, stance)| (*stance, format!("https://publisher{number}.example/")))
        .collect()
}

fn decided(claim: &str, pages: &[(Stance, String)], rules: &DecisionRules) -> Option<bool> {
    let task = SearchTask {
        id: String::new(),
        claim: claim.to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    };
    match decide_by_rules(&task, &history(pages), 1, 1, rules).verdict() {
        Some(Verdict::True) => Some(true),
        Some(Verdict::False) => Some(false),
        Some(Verdict::Invalid(_)) | None => None,
    }
}

/// Returns what the rule counts: support and refutation, discounted for the correlation of pages.
fn features(stances: &[Stance]) -> [f64; WEIGHTS] {
    let count = |wanted| stances.iter().filter(|stance| **stance == wanted).count() as f64;
    let (support, refute) = (count(Stance::Support), count(Stance::Refute));
    let alike = 1.0 + (support + refute - 1.0).max(0.0) * f64::from(RHO_MILLI) / 1_000.0;
    [support / alike, refute / alike]
}

struct Example {
    features: [f64; WEIGHTS],
    truth: bool,
    kind: ClaimKind,
}

fn judged(topic: &Topic) -> Vec<Stance> {
    topic
        .stances
        .iter()
        .copied()
        .filter(|stance| *stance != Stance::Neutral)
        .collect()
}

fn examples(topics: &[&Topic], seed: u64) -> Vec<Example> {
    let mut draws = Draws(seed);
    let mut examples = Vec::new();
    for topic in topics {
        let judged = judged(topic);
        for pages in PAGES.iter().flat_map(|pages| [*pages; FIT_DRAWS]) {
            let drawn = draws.sample(&judged, pages);
            examples.push(Example {
                features: features(&drawn),
                truth: topic.truth == Some(true),
                kind: topic.kind,
            });
        }
    }
    examples
}

/// The fitted numbers: weights of pages, and a prior for each of the kinds.
#[derive(Clone, Copy, Default)]
struct Fit {
    weights: [f64; WEIGHTS],
    priors: [f64; KINDS.len()],
}

/// Fits first what pages say, from claims of which half are weighed as true, without prior
/// knowledge. Then fits, with these weights fixed, what each kind of claim adds.
fn regressed(examples: &[Example]) -> Fit {
    let trues = examples.iter().filter(|one| one.truth).count().max(1) as f64;
    let falses = (examples.len() as f64 - trues).max(1.0);
    let weights = descended([0.0; WEIGHTS], 0.02, |weights| {
        let mut slope = [0.0; WEIGHTS];
        for one in examples {
            let told = chance(dot(weights, &one.features));
            let error = if one.truth {
                (told - 1.0) * 0.5 / trues
            } else {
                told * 0.5 / falses
            };
            slope
                .iter_mut()
                .zip(&one.features)
                .for_each(|(slope, feature)| *slope += error * feature);
        }
        slope
    });
    let priors = KINDS.map(|kind| {
        let of_kind: Vec<&Example> = examples.iter().filter(|one| one.kind == kind).collect();
        let [prior] = descended([0.0], 0.025, |prior| {
            let error = |one: &&Example| {
                let told = chance(prior[0] + dot(&weights, &one.features));
                told - f64::from(u8::from(one.truth))
            };
            [of_kind.iter().map(error).sum::<f64>() / of_kind.len().max(1) as f64]
        });
        prior
    });
    Fit { weights, priors }
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

fn dot(weights: &[f64; WEIGHTS], features: &[f64; WEIGHTS]) -> f64 {
    weights
        .iter()
        .zip(features)
        .map(|(weight, feature)| weight * feature)
        .sum()
}

/// Returns the lowest point along a slope, drawn a little towards zero.
fn descended<const N: usize>(
    mut point: [f64; N],
    held_back: f64,
    slope_at: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    const STEPS: usize = 150;
    let mut squares = [1e-8; N];
    for _ in 0..STEPS {
        let slope = slope_at(&point);
        for place in 0..N {
            let slope = slope[place] + point[place] * held_back;
            squares[place] += slope * slope;
            point[place] -= 0.3 * slope / f64::sqrt(squares[place]);
        }
    }
    point
}

fn milli(number: f64) -> i64 {
    (number * 1_000.0).round() as i64
}

/// Returns the numbers in the form of the library; without a prior if none is wanted.
fn calibration(fit: &Fit, has_prior: bool, bar_milli: i64) -> Calibration {
    let priors = KINDS
        .into_iter()
        .zip(fit.priors)
        .filter(|_| has_prior)
        .map(|(kind, prior)| (kind, milli(prior)))
        .collect();
    Calibration {
        version: "fitted".to_owned(),
        support_milli: milli(fit.weights[0]),
        refute_milli: milli(fit.weights[1]),
        rho_milli: RHO_MILLI,
        priors,
        bar_milli,
        bar_without_prior_milli: bar_milli,
        ..Calibration::default()
    }
}

fn rules(calibration: Calibration) -> DecisionRules {
    DecisionRules {
        policy: Policy::CalibratedV2,
        calibration,
        ..DecisionRules::default()
    }
}

fn years(topics: &[&Topic]) -> Vec<i64> {
    let mut years: Vec<i64> = topics.iter().map(|topic| topic.year).collect();
    years.sort_unstable();
    years.dedup();
    years
}

/// Returns the fit without each year, by year: the error that can be known from the training data
/// alone.
fn crossed(topics: &[&Topic]) -> Vec<(i64, Fit)> {
    let without = |year: i64| {
        topics
            .iter()
            .copied()
            .filter(|topic| topic.year != year)
            .collect::<Vec<_>>()
    };
    years(topics)
        .into_iter()
        .map(|year| (year, regressed(&examples(&without(year), 11))))
        .collect()
}

fn fit_of(crossed: &[(i64, Fit)], topic: &Topic) -> Fit {
    crossed
        .iter()
        .find(|(year, _)| *year == topic.year)
        .map(|(_, fit)| *fit)
        .unwrap_or_default()
}

/// Returns the log odds of a draw, as the library weighs them, and the number of pages on their
/// side.
fn odds(kind: ClaimKind, calibration: &Calibration, drawn: &[Stance]) -> (i64, usize) {
    let family = |stance: &Stance| {
        let side = match stance {
            Stance::Support => ClaimSide::Support,
            Stance::Refute => ClaimSide::Refute,
            Stance::Neutral => return None,
        };
        Some(FamilyTrace {
            head: 0,
            hit_count: 1,
            side: FamilySide::One(side),
            // The data has no tiers.
            tier: SourceTier::Trade,
            weight_milli: 0,
            is_dated: true,
            ties: Default::default(),
        })
    };
    let families: Vec<FamilyTrace> = drawn.iter().filter_map(family).collect();
    let odds = calibration.log_odds_milli(kind, &families);
    let side = if odds >= 0 {
        ClaimSide::Support
    } else {
        ClaimSide::Refute
    };
    let count = families
        .iter()
        .filter(|family| family.side == FamilySide::One(side))
        .count();
    (odds, count)
}

/// Returns what the library decides if each page has a publisher of its own. It is [`decided`]
/// without the search for copies, which takes long.
fn weighed(topic: &Topic, drawn: &[Stance], rules: &DecisionRules) -> Option<bool> {
    let calibration = &rules.calibration;
    let (odds, families) = odds(topic.kind, calibration, drawn);
    let is_enough =
        odds.abs() >= calibration.bar(topic.kind) && families >= calibration.families_min as usize;
    is_enough.then_some(odds >= 0)
}

/// Returns how often each bar is wrong on topics of years that the fit did not see, at the number
/// of pages at which it is wrong most often.
fn wrong_by_bar(topics: &[&Topic], has_prior: bool) -> Vec<(i64, f64)> {
    let crossed = crossed(topics);
    let bars: Vec<i64> = (0..60).map(|step| step * 50).collect();
    let mut worst = vec![0.0_f64; bars.len()];
    for pages in PAGES {
        let mut wrong = vec![0.0; bars.len()];
        let mut draws = Draws(13);
        for topic in topics {
            let calibration = calibration(&fit_of(&crossed, topic), has_prior, 0);
            let judged = judged(topic);
            for _ in 0..FIT_DRAWS {
                let (odds, families) =
                    odds(topic.kind, &calibration, &draws.sample(&judged, pages));
                let is_wrong = families >= 2 && Some(odds >= 0) != topic.truth;
                for (bar, wrong) in bars.iter().zip(&mut wrong) {
                    let is_said = odds.abs() >= *bar;
                    *wrong += f64::from(u8::from(is_said && is_wrong)) / FIT_DRAWS as f64;
                }
            }
        }
        for (worst, wrong) in worst.iter_mut().zip(wrong) {
            *worst = worst.max(wrong);
        }
    }
    bars.into_iter().zip(worst).collect()
}

/// Returns the upper bound (90 %, Clopper and Pearson) of a rate, if `wrong` of `count` were seen.
fn upper_bound(wrong: f64, count: usize) -> f64 {
    let seen = wrong.ceil() as usize;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let rate: f64 = (low + high) / 2.0;
        let mut term = (1.0 - rate).powi(i32::try_from(count).unwrap_or(i32::MAX));
        let mut at_most = term;
        for place in 0..seen.min(count.saturating_sub(1)) {
            term *= (count - place) as f64 / (place + 1) as f64 * rate / (1.0 - rate);
            at_most += term;
        }
        if at_most > 0.1 {
            low = rate
        } else {
            high = rate
        }
    }
    high
}

struct Fitted {
    fit: Fit,
    /// A bar for each alpha, with the priors and without; `None` if no bar keeps it.
    bars: [Vec<Option<i64>>; 2],
}

fn fitted(topics: &[&Topic]) -> Fitted {
    let bars = |has_prior: bool| {
        let wrong = wrong_by_bar(topics, has_prior);
        // From the highest bar down, finds the lowest above which every bar keeps the bound.
        let bar = |alpha: &f64| {
            wrong
                .iter()
                .rev()
                .take_while(|(_, wrong)| upper_bound(*wrong, topics.len()) <= *alpha)
                .last()
                .map(|(bar, _)| *bar)
        };
        ALPHAS.iter().map(bar).collect()
    };
    Fitted {
        fit: regressed(&examples(topics, 14)),
        bars: [bars(true), bars(false)],
    }
}

/// The shares of right, wrong and undecided draws of a topic.
type Outcome = [f64; 3];

fn outcome(topic: &Topic, rules: &DecisionRules, pages: usize, is_with_neutral: bool) -> Outcome {
    outcome_of(topic, pages, is_with_neutral, &|drawn| match rules.policy {
        Policy::CalibratedV2 => weighed(topic, drawn, rules),
        Policy::SpecV1 => decided(&topic.claim, &pages_of_many(drawn), rules),
    })
}

/// Returns the side with more pages, without a threshold or a margin: the baseline for a rule.
fn majority(drawn: &[Stance]) -> Option<bool> {
    let count = |wanted| drawn.iter().filter(|stance| **stance == wanted).count();
    let (support, refute) = (count(Stance::Support), count(Stance::Refute));
    (support != refute).then_some(support > refute)
}

fn outcome_of(
    topic: &Topic,
    pages: usize,
    is_with_neutral: bool,
    says: &dyn Fn(&[Stance]) -> Option<bool>,
) -> Outcome {
    let mut draws = Draws(17);
    let pool: Vec<Stance> = topic
        .stances
        .iter()
        .copied()
        .filter(|stance| is_with_neutral || *stance != Stance::Neutral)
        .collect();
    let mut counts = [0.0; 3];
    for _ in 0..DRAWS {
        let place = match says(&draws.sample(&pool, pages)) {
            Some(said) if Some(said) == topic.truth => 0,
            Some(_) => 1,
            None => 2,
        };
        counts[place] += 1.0 / DRAWS as f64;
    }
    counts
}

fn mean(outcomes: &[Outcome], place: usize) -> f64 {
    outcomes.iter().map(|outcome| outcome[place]).sum::<f64>() / outcomes.len().max(1) as f64
}

/// Formats a mean in percent with its interval (95 %) over a thousand draws of topics.
fn shown(outcomes: &[Outcome], place: usize) -> String {
    let mut draws = Draws(19);
    let mut means: Vec<f64> = (0..1_000)
        .map(|_| {
            (0..outcomes.len())
                .map(|_| outcomes[draws.below(outcomes.len())][place])
                .sum::<f64>()
                / outcomes.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    format!(
        "{:.1} ({:.0}-{:.0})",
        100.0 * mean(outcomes, place),
        100.0 * means[25],
        100.0 * means[974]
    )
}

fn row(name: &str, pool: &str, pages: usize, outcomes: &[Outcome]) -> String {
    format!(
        "| {name} | {pool} | {pages} | {} | {} | {} |\n",
        shown(outcomes, 0),
        shown(outcomes, 1),
        shown(outcomes, 2)
    )
}

fn health(topics: &[Topic]) -> (String, Fitted) {
    let decidable: Vec<&Topic> = topics
        .iter()
        .filter(|topic| topic.truth.is_some())
        .collect();
    let folds: Vec<(i64, Fitted)> = years(&decidable)
        .into_iter()
        .map(|year| {
            (
                year,
                fitted(
                    &decidable
                        .iter()
                        .copied()
                        .filter(|topic| topic.year != year)
                        .collect::<Vec<_>>(),
                ),
            )
        })
        .collect();
    let mut out = "| rule | pages drawn from | pages | right % | wrong % | Invalid % |\n|---|---|---|---|---|---|\n".to_owned();
    for (is_with_neutral, pool) in [(false, "those with a stance"), (true, "all")] {
        for pages in PAGES
            .into_iter()
            .filter(|pages| !is_with_neutral || *pages == 10)
        {
            let topics = decidable.iter().copied().filter(|topic| {
                is_with_neutral
                    || topic
                        .stances
                        .iter()
                        .any(|stance| *stance != Stance::Neutral)
            });
            let topics: Vec<&Topic> = topics.collect();
            let plain: Vec<Outcome> = topics
                .iter()
                .map(|topic| outcome(topic, &DecisionRules::default(), pages, is_with_neutral))
                .collect();
            let more: Vec<Outcome> = topics
                .iter()
                .map(|topic| outcome_of(topic, pages, is_with_neutral, &majority))
                .collect();
            out += &row("the side with more pages", pool, pages, &more);
            out += &row("spec_v1", pool, pages, &plain);
            for (place, alpha) in ALPHAS.iter().enumerate() {
                let of = |topic: &&Topic| {
                    let fold = folds
                        .iter()
                        .find(|(year, _)| *year == topic.year)
                        .map(|(_, fold)| fold);
                    let rules = fold.and_then(|fold| {
                        Some(rules(calibration(&fold.fit, true, fold.bars[0][place]?)))
                    });
                    rules.map_or([0.0, 0.0, 1.0], |rules| {
                        outcome(topic, &rules, pages, is_with_neutral)
                    })
                };
                let outcomes: Vec<Outcome> = topics.iter().map(of).collect();
                out += &row(
                    &format!("calibrated_v2, alpha {alpha:.2}"),
                    pool,
                    pages,
                    &outcomes,
                );
            }
        }
    }
    (out, fitted(&decidable))
}

/// Describes the weights of fits without each year, with the bars that all years choose: the cost
/// and the yield of a rule that ships with such a bar. Each topic is scored by a fit that did not
/// see its year, here and where the bars are chosen. The bars have seen all topics.
fn with_bars_of_all(decidable: &[&Topic], whole: &Fitted) -> String {
    let judged: Vec<&Topic> = decidable
        .iter()
        .copied()
        .filter(|topic| {
            topic
                .stances
                .iter()
                .any(|stance| *stance != Stance::Neutral)
        })
        .collect();
    let crossed = crossed(decidable);
    let priors = [(true, "with"), (false, "without")];
    let bars = priors.into_iter().flat_map(|prior| {
        ALPHAS
            .iter()
            .zip(&whole.bars[usize::from(!prior.0)])
            .filter_map(move |(alpha, bar)| Some((prior, alpha, (*bar)?)))
    });
    let mut out = "| bar of all years | pages drawn from | pages | right % | wrong % | Invalid % |\n|---|---|---|---|---|---|\n".to_owned();
    for (((has_prior, name), alpha, bar), pages) in
        bars.flat_map(|bar| PAGES.map(|pages| (bar, pages)))
    {
        let of = |topic: &&Topic| {
            outcome(
                topic,
                &rules(calibration(&fit_of(&crossed, topic), has_prior, bar)),
                pages,
                false,
            )
        };
        let outcomes: Vec<Outcome> = judged.iter().map(of).collect();
        out += &row(
            &format!("{bar} {name} prior, alpha {alpha:.2}"),
            "those with a stance",
            pages,
            &outcomes,
        );
    }
    out
}

fn open_topics(topics: &[Topic], whole: &Fitted) -> String {
    let open: Vec<&Topic> = topics
        .iter()
        .filter(|topic| topic.truth.is_none())
        .collect();
    let share = |rules: &DecisionRules| {
        100.0
            * mean(
                &open
                    .iter()
                    .map(|topic| outcome(topic, rules, 10, true))
                    .collect::<Vec<_>>(),
                2,
            )
    };
    let mut out = format!(
        "{} topics that the judges left open, 10 pages: spec_v1 says Invalid for {:.1} %",
        open.len(),
        share(&DecisionRules::default())
    );
    for (alpha, bar) in ALPHAS.iter().zip(&whole.bars[0]) {
        if let Some(bar) = bar {
            out += &format!(
                ", calibrated_v2 at alpha {alpha:.2} for {:.1} %",
                share(&rules(calibration(&whole.fit, true, *bar)))
            );
        }
    }
    out + ".\n"
}

fn climate(claims: &[Value], whole: &Fitted) -> String {
    let mut out =
        "| rule | decided % | precision of decided | true-false flips % |\n|---|---|---|---|\n"
            .to_owned();
    let mut settings = vec![("spec_v1".to_owned(), DecisionRules::default())];
    for (alpha, bar) in ALPHAS.iter().zip(&whole.bars[0]) {
        settings.extend(bar.map(|bar| {
            (
                format!("calibrated_v2, alpha {alpha:.2}"),
                rules(calibration(&whole.fit, true, bar)),
            )
        }));
    }
    for (name, rules) in settings {
        let (mut draws, mut all, mut said, mut right, mut flips) =
            (Draws(23), 0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        for claim in claims
            .iter()
            .flat_map(|claim| std::iter::repeat_n(claim, 10))
        {
            let pages = voted(claim, &mut draws);
            let label = claim["claim_label"].as_str().unwrap_or_default();
            all += 1.0;
            if let Some(came) = decided(claim["claim"].as_str().unwrap_or_default(), &pages, &rules)
            {
                said += 1.0;
                right += f64::from(u8::from(label == if came { "SUPPORTS" } else { "REFUTES" }));
                flips += f64::from(u8::from(label == if came { "REFUTES" } else { "SUPPORTS" }));
            }
        }
        out += &format!(
            "| {name} | {:.1} | {:.3} | {:.2} |\n",
            100.0 * said / all,
            right / said.max(1.0),
            100.0 * flips / all
        );
    }
    out
}

/// Draws one vote for each sentence. The sentences of one article have one publisher.
fn voted(claim: &Value, draws: &mut Draws) -> Vec<(Stance, String)> {
    let sentences = claim["evidences"].as_array().cloned().unwrap_or_default();
    let mut pages = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let votes: Vec<&str> = sentence["votes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if votes.is_empty() {
            continue;
        }
        let stance = match votes[draws.below(votes.len())] {
            "SUPPORTS" => Stance::Support,
            "REFUTES" => Stance::Refute,
            _ => Stance::Neutral,
        };
        let article: u64 = sentence["article"]
            .as_str()
            .unwrap_or_default()
            .bytes()
            .fold(7, |sum, byte| sum * 31 % 1_000_000_007 + u64::from(byte));
        pages.push((stance, format!("https://article{article}.example/{number}")));
    }
    pages
}

fn main() -> Result<(), Failure> {
    let folder = std::env::args()
        .nth(1)
        .or_else(|| std::env::var("GROUNDS_DATA").ok())
        .ok_or("which folder?")?;
    let folder = Path::new(&folder);
    let mut topics = Vec::new();
    for file in files(folder, "trec_hm_gold_stance")? {
        topics.extend(lines(&file)?.iter().map(topic));
    }
    if topics.is_empty() {
        return Err(format!(
            "no file `trec_hm_gold_stance*.jsonl.gz` in `{}`",
            folder.display()
        )
        .into());
    }
    let mut out = std::io::stdout().lock();
    let (table, whole) = health(&topics);
    writeln!(out, "{table}")?;
    let decidable: Vec<&Topic> = topics
        .iter()
        .filter(|topic| topic.truth.is_some())
        .collect();
    writeln!(out, "{}", with_bars_of_all(&decidable, &whole))?;
    writeln!(out, "{}", open_topics(&topics, &whole))?;
    let fit = calibration(&whole.fit, true, 0);
    writeln!(
        out,
        "Fitted on all: {fit:?}\nBars by alpha, with the priors and without: {:?}\n",
        ALPHAS
            .iter()
            .zip(whole.bars[0].iter().zip(&whole.bars[1]))
            .collect::<Vec<_>>()
    )?;
    for file in files(folder, "climate_fever")? {
        writeln!(out, "{}", climate(&lines(&file)?, &whole))?;
    }
    Ok(())
}
