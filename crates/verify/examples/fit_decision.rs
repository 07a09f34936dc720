//! Fits the numbers of `calibrated_v2` on judged pages, and measures both rules on years that they were not fitted on.
//! `fit_decision FOLDER` (or the variable GROUNDS_DATA) reads `trec_hm_gold_stance*.jsonl.gz`, one topic a line with
//! `year`, `truth`, `question` and `evidence` (`stance`), and `climate_fever*.jsonl`, and prints Markdown tables.
//! Every draw is decided by the library itself.
#![expect(clippy::use_debug, reason = "a fit is shown as it is")]

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use grounds_verify::calibration::TierRatios;
use grounds_verify::{
    Calibration, ClaimKind, DecisionRules, EvidenceHit, HitPlace, JudgeName, Manner, Policy,
    SearchHistory, SearchQuery, SearchTask, Seeks, SourceTier, Stance, Verdict, VisitedPage, claim,
    decide_by_rules,
};
use grounds_web::{DateSource, PageDate};
use jiff::Timestamp;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const DRAWS: usize = 200;
const FIT_DRAWS: usize = 30;
const PAGES: [usize; 3] = [5, 10, 20];
const ALPHAS: [f64; 7] = [0.30, 0.25, 0.20, 0.15, 0.12, 0.10, 0.08];
const RHOS_MILLI: [u32; 3] = [100, 300, 600];
/// Kinds with a prior of their own.
const KINDS: [ClaimKind; 3] = [ClaimKind::Cure, ClaimKind::Harm, ClaimKind::Benefit];
const WEIGHTS: usize = 6;

#[derive(Clone)]
struct Topic {
    year: i64,
    /// None where the judges found the matter open.
    truth: Option<bool>,
    kind: ClaimKind,
    claim: String,
    stances: Vec<Stance>,
}

/// Numbers that look random and are the same every time.
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
    // The judges judged pages on the statement that a question asks about.
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
        url: url.clone(),
        title: None,
        published,
        stance: *stance,
        manner: Manner::Statement,
        happened: None,
        // The data knows no tiers.
        tier: SourceTier::Trade,
        place: HitPlace::Page,
        excerpt: text.to_owned(),
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

/// What the rule looks at: support and refutation, discounted for likeness, and the kind.
fn features(kind: ClaimKind, stances: &[Stance], rho_milli: u32) -> [f64; WEIGHTS] {
    let count = |wanted| stances.iter().filter(|stance| **stance == wanted).count() as f64;
    let (support, refute) = (count(Stance::Support), count(Stance::Refute));
    let alike = 1.0 + (support + refute - 1.0).max(0.0) * f64::from(rho_milli) / 1_000.0;
    let of = |wanted| f64::from(u8::from(kind == wanted));
    [
        support / alike,
        refute / alike,
        1.0,
        of(KINDS[0]),
        of(KINDS[1]),
        of(KINDS[2]),
    ]
}

fn dot(weights: &[f64; WEIGHTS], features: &[f64; WEIGHTS]) -> f64 {
    weights
        .iter()
        .zip(features)
        .map(|(weight, feature)| weight * feature)
        .sum()
}

type Example = ([f64; WEIGHTS], bool);

fn examples(topics: &[&Topic], rho_milli: u32, seed: u64) -> Vec<Example> {
    let mut draws = Draws(seed);
    let mut examples = Vec::new();
    for topic in topics {
        let judged: Vec<Stance> = topic
            .stances
            .iter()
            .copied()
            .filter(|stance| *stance != Stance::Neutral)
            .collect();
        for number in 0..FIT_DRAWS {
            let pool = if number % 2 == 0 {
                &topic.stances
            } else {
                &judged
            };
            let drawn = draws.sample(pool, PAGES[number / 2 % PAGES.len()]);
            examples.push((
                features(topic.kind, &drawn, rho_milli),
                topic.truth == Some(true),
            ));
        }
    }
    examples
}

/// Logistic regression; both truths weigh the same, and all but the common prior is held back a little.
fn regressed(examples: &[Example]) -> [f64; WEIGHTS] {
    const STEPS: usize = 400;
    const HELD_BACK: f64 = 0.02;
    let trues = examples.iter().filter(|(_, truth)| *truth).count().max(1) as f64;
    let falses = (examples.len() as f64 - trues).max(1.0);
    let (mut weights, mut squares) = ([0.0; WEIGHTS], [1e-8; WEIGHTS]);
    for _ in 0..STEPS {
        let mut slope = weights.map(|weight| weight * HELD_BACK);
        slope[2] = 0.0;
        for (features, truth) in examples {
            let told = 1.0 / (1.0 + (-dot(&weights, features)).exp());
            let error = if *truth {
                (told - 1.0) * 0.5 / trues
            } else {
                told * 0.5 / falses
            };
            slope
                .iter_mut()
                .zip(features)
                .for_each(|(slope, feature)| *slope += error * feature);
        }
        for place in 0..WEIGHTS {
            squares[place] += slope[place] * slope[place];
            weights[place] -= 0.3 * slope[place] / f64::sqrt(squares[place]);
        }
    }
    weights
}

fn milli(number: f64) -> i64 {
    (number * 1_000.0).round() as i64
}

fn calibration(weights: &[f64; WEIGHTS], rho_milli: u32, bar_milli: i64) -> Calibration {
    let priors = (0..KINDS.len())
        .map(|place| (KINDS[place], milli(weights[2] + weights[3 + place])))
        .collect();
    let (support, refute) = (
        TierRatios::all(milli(weights[0])),
        TierRatios::all(milli(weights[1])),
    );
    Calibration {
        version: "fitted".to_owned(),
        support,
        refute,
        rho_milli,
        priors,
        prior_milli: milli(weights[2]),
        bar_milli,
        families_min: 2,
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

/// The fit that leaves each year out, year by year, without a bar: what training may know of its own error.
fn crossed(topics: &[&Topic], rho_milli: u32) -> Vec<(i64, [f64; WEIGHTS])> {
    let without = |year: i64| {
        topics
            .iter()
            .copied()
            .filter(|topic| topic.year != year)
            .collect::<Vec<_>>()
    };
    years(topics)
        .into_iter()
        .map(|year| (year, regressed(&examples(&without(year), rho_milli, 11))))
        .collect()
}

fn loss(topics: &[&Topic], rho_milli: u32) -> f64 {
    let mut total = 0.0;
    for (year, weights) in crossed(topics, rho_milli) {
        let left_out: Vec<&Topic> = topics
            .iter()
            .copied()
            .filter(|topic| topic.year == year)
            .collect();
        for (features, truth) in examples(&left_out, rho_milli, 12) {
            let told = dot(&weights, &features);
            total += (1.0 + (if truth { -told } else { told }).exp()).ln();
        }
    }
    total
}

/// How often each bar is wrong on topics of years that the fit did not see, with ten pages.
fn wrong_by_bar(topics: &[&Topic], rho_milli: u32) -> Vec<(i64, f64)> {
    let crossed = crossed(topics, rho_milli);
    let fitted = |topic: &Topic| {
        crossed
            .iter()
            .find(|(year, _)| *year == topic.year)
            .map_or([0.0; WEIGHTS], |(_, weights)| *weights)
    };
    let bars = (0..60).map(|step| step * 50);
    bars.map(|bar| {
        let mut draws = Draws(13);
        let wrong: f64 = topics
            .iter()
            .map(|topic| {
                wrong_of(
                    topic,
                    &rules(calibration(&fitted(topic), rho_milli, bar)),
                    10,
                    20,
                    &mut draws,
                )
            })
            .sum();
        (bar, wrong)
    })
    .collect()
}

fn wrong_of(
    topic: &Topic,
    rules: &DecisionRules,
    pages: usize,
    count: usize,
    draws: &mut Draws,
) -> f64 {
    let judged: Vec<Stance> = topic
        .stances
        .iter()
        .copied()
        .filter(|stance| *stance != Stance::Neutral)
        .collect();
    let is_wrong = |_: &usize| {
        let drawn = draws.sample(&judged, pages);
        decided(&topic.claim, &pages_of_many(&drawn), rules)
            .is_some_and(|said| Some(said) != topic.truth)
    };
    (0..count).filter(is_wrong).count() as f64 / count as f64
}

/// The upper bound (90 %, Clopper and Pearson) on a rate of which `wrong` of `count` were seen.
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
    weights: [f64; WEIGHTS],
    rho_milli: u32,
    /// A bar for each alpha, where one keeps it.
    bars: Vec<Option<i64>>,
}

fn fitted(topics: &[&Topic]) -> Fitted {
    let by_loss = |one: &u32, other: &u32| loss(topics, *one).total_cmp(&loss(topics, *other));
    let rho_milli = RHOS_MILLI.into_iter().min_by(by_loss).unwrap_or(300);
    let wrong = wrong_by_bar(topics, rho_milli);
    // From the highest bar down: the lowest above which every bar keeps the bound.
    let bar = |alpha: &f64| {
        wrong
            .iter()
            .rev()
            .take_while(|(_, wrong)| upper_bound(*wrong, topics.len()) <= *alpha)
            .last()
            .map(|(bar, _)| *bar)
    };
    Fitted {
        weights: regressed(&examples(topics, rho_milli, 14)),
        rho_milli,
        bars: ALPHAS.iter().map(bar).collect(),
    }
}

/// Right, wrong and neither, a topic.
type Outcome = [f64; 3];

fn outcome(topic: &Topic, rules: &DecisionRules, pages: usize, is_with_neutral: bool) -> Outcome {
    outcome_of(topic, pages, is_with_neutral, &|drawn| {
        decided(&topic.claim, &pages_of_many(drawn), rules)
    })
}

/// What the side with more pages says, without a threshold or a margin: what a rule is held against.
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

/// A mean in percent with the interval (95 %) of a thousand draws of topics.
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
        for pages in PAGES {
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
                        Some(rules(calibration(
                            &fold.weights,
                            fold.rho_milli,
                            fold.bars[place]?,
                        )))
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

/// The weights of a fit without each year, with the bars that all years choose: what a rule costs and gives that ships with such a bar.
/// Each topic is scored by a fit that did not see its year, here and where the bars are chosen; the bars have seen all of them.
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
    let crossed = crossed(decidable, whole.rho_milli);
    let weights = |topic: &Topic| {
        crossed
            .iter()
            .find(|(year, _)| *year == topic.year)
            .map_or([0.0; WEIGHTS], |(_, weights)| *weights)
    };
    let bars = ALPHAS
        .iter()
        .zip(&whole.bars)
        .filter_map(|(alpha, bar)| Some((alpha, (*bar)?)));
    let mut out = "| bar of all years | pages drawn from | pages | right % | wrong % | Invalid % |\n|---|---|---|---|---|---|\n".to_owned();
    for ((alpha, bar), pages) in bars.flat_map(|bar| PAGES.map(|pages| (bar, pages))) {
        let of = |topic: &&Topic| {
            outcome(
                topic,
                &rules(calibration(&weights(topic), whole.rho_milli, bar)),
                pages,
                false,
            )
        };
        let outcomes: Vec<Outcome> = judged.iter().map(of).collect();
        out += &row(
            &format!("{bar}, alpha {alpha:.2}"),
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
    for (alpha, bar) in ALPHAS.iter().zip(&whole.bars) {
        if let Some(bar) = bar {
            out += &format!(
                ", calibrated_v2 at alpha {alpha:.2} for {:.1} %",
                share(&rules(calibration(&whole.weights, whole.rho_milli, *bar)))
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
    for (alpha, bar) in ALPHAS.iter().zip(&whole.bars) {
        settings.extend(bar.map(|bar| {
            (
                format!("calibrated_v2, alpha {alpha:.2}"),
                rules(calibration(&whole.weights, whole.rho_milli, bar)),
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

/// One vote a sentence, drawn; the sentences of one article are of one publisher.
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
    let fit = calibration(&whole.weights, whole.rho_milli, 0);
    writeln!(
        out,
        "Fitted on all: {fit:?}\nBars by alpha: {:?}\n",
        ALPHAS.iter().zip(&whole.bars).collect::<Vec<_>>()
    )?;
    for file in files(folder, "climate_fever")? {
        writeln!(out, "{}", climate(&lines(&file)?, &whole))?;
    }
    Ok(())
}
