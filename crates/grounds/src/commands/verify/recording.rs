//! The inputs of a run, so that it can be repeated: the claim, the moment, the bounds, the
//! services. A recording has them beside the queries, the pages and the exchanges with models; it
//! contains no key.

use std::collections::BTreeMap;
use std::path::Path;

use grounds_verify::rounds::{Limits, Verification};
use grounds_verify::{DecisionRules, SearchTask, Timeframe, UnreadBound, record};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::cli::{AcceptClaim, JudgeKind, PolicyName, TierName, Verify};
use crate::config::Config;
use crate::error::Error;
use crate::named;

/// The name and version of this form of file.
const FORMAT: &str = "grounds.verify-run/1";
/// The file that says what a run is made with.
const FILE: &str = "run.json";
/// Bytes of it.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// The settings and inputs of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recorded {
    format: String,
    pub(super) id: String,
    pub(super) claim: String,
    pub(super) context: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) language: Option<String>,
    from: Option<String>,
    to: Option<String>,
    pub(super) as_of: String,
    pub(super) provider: String,
    pub(super) policy: PolicyName,
    #[serde(default)]
    pub(super) accept: AcceptClaim,
    #[serde(default)]
    pub(super) wrong_max_percent: Option<u32>,
    pub(super) corpus_tier: TierName,
    pub(super) tiers: BTreeMap<String, TierName>,
    pub(super) model: Option<String>,
    pub(super) model_url: Option<String>,
    pub(super) entailment_url: Option<String>,
    pub(super) entailment_certainty_milli: Option<u32>,
    /// The judges that may judge; all that are set up if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) judges: Vec<JudgeKind>,
    limits: RecordedLimits,
    /// The documents that a bound of the folder left out. They are recorded, since a replay has no
    /// folder to read.
    #[serde(default)]
    unread: Vec<RecordedUnread>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedUnread {
    bound: String,
    count: usize,
    examples: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedLimits {
    attempts_max: u32,
    queries_per_attempt_max: usize,
    results_per_query_max: usize,
    pages_per_attempt_max: usize,
    pages_max: usize,
    judged_bytes_max: usize,
    total_ms_max: u64,
    parallel_max: usize,
    #[serde(default)]
    accept_bounds: Vec<String>,
}

impl Recorded {
    /// Returns a plan without a claim yet.
    pub(super) fn of(arguments: &Verify, config: &Config, as_of: Timestamp) -> Self {
        let verify = &config.verify;
        let mut limits = verify.limits();
        limits.attempts_max = arguments.max_attempts.unwrap_or(limits.attempts_max);
        let accepted = arguments.accept_bounds.iter().map(|bound| bound.name());
        limits.accept_bounds.extend(accepted);
        Self {
            format: FORMAT.to_owned(),
            id: "claim".to_owned(),
            claim: String::new(),
            context: None,
            origin: None,
            language: None,
            from: None,
            to: None,
            as_of: as_of.to_string(),
            // `said` looks whether it is a folder before the sources are opened, which give the web
            // its name.
            provider: if arguments.corpus.is_some() {
                grounds_web::corpus::NAME.to_owned()
            } else {
                String::new()
            },
            policy: arguments.policy,
            accept: arguments.accept,
            wrong_max_percent: arguments.wrong_max_percent.or(verify.wrong_max_percent),
            corpus_tier: arguments
                .corpus_tier
                .or(verify.corpus_tier)
                .unwrap_or(TierName::Primary),
            tiers: verify.tiers.clone(),
            model: None,
            model_url: None,
            entailment_url: arguments
                .entailment_url
                .clone()
                .or_else(|| verify.entailment_url.clone()),
            entailment_certainty_milli: verify.entailment_certainty_milli,
            judges: verify.judges.clone().unwrap_or_default(),
            limits: RecordedLimits::of(&limits),
            unread: Vec::new(),
        }
    }

    pub(super) fn set_timeframe(&mut self, within: Option<Timeframe>) {
        let shown = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
        self.from = shown(within.and_then(|within| within.start));
        self.to = shown(within.and_then(|within| within.end));
    }

    /// Returns a hash of everything but the sources that a verdict rests on: claim, time, policy,
    /// bars, judges.
    pub(super) fn hash(&self, sources: Option<&str>) -> String {
        // Every part of a plan can be written as JSON.
        let text = serde_json::to_string(self).unwrap_or_default();
        let mut hasher = blake3::Hasher::new();
        hasher.update(text.as_bytes());
        hasher.update(sources.unwrap_or_default().as_bytes());
        hasher.finalize().to_hex()[..40].to_owned()
    }

    /// Sets what a bound of the folder left out.
    pub(super) fn set_unread(&mut self, unread: &[UnreadBound]) {
        let recorded = |unread: &UnreadBound| {
            let UnreadBound {
                bound,
                count,
                examples,
            } = unread.clone();
            RecordedUnread {
                bound,
                count,
                examples,
            }
        };
        self.unread = unread.iter().map(recorded).collect();
    }

    pub(super) fn unread(&self) -> Vec<UnreadBound> {
        let unread = |recorded: &RecordedUnread| {
            let RecordedUnread {
                bound,
                count,
                examples,
            } = recorded.clone();
            UnreadBound {
                bound,
                count,
                examples,
            }
        };
        self.unread.iter().map(unread).collect()
    }

    /// Sets how many pages of one claim are read in parallel.
    pub(super) fn set_parallel(&mut self, parallel_max: usize) {
        self.limits.parallel_max = parallel_max;
    }

    pub(super) fn as_of(&self) -> Result<Timestamp, Error> {
        moment(&self.as_of)
    }

    pub(super) fn is_folder(&self) -> bool {
        self.provider == grounds_web::corpus::NAME
    }

    pub(super) fn task(&self) -> Result<SearchTask, Error> {
        let (start, end) = (
            self.from.as_deref().map(moment).transpose()?,
            self.to.as_deref().map(moment).transpose()?,
        );
        Ok(SearchTask {
            id: self.id.clone(),
            claim: self.claim.clone(),
            timeframe: (start.is_some() || end.is_some()).then_some(Timeframe { start, end }),
            context: self.context.clone(),
            language: self.language.clone(),
            origin: self.origin.clone(),
        })
    }

    pub(super) fn limits(&self) -> Limits {
        // Taken apart by name, so that the compiler asks for a bound that is new in either type.
        let RecordedLimits {
            attempts_max,
            queries_per_attempt_max,
            results_per_query_max,
            pages_per_attempt_max,
            pages_max,
            judged_bytes_max,
            total_ms_max,
            parallel_max,
            accept_bounds,
        } = self.limits.clone();
        Limits {
            attempts_max,
            queries_per_attempt_max,
            results_per_query_max,
            pages_per_attempt_max,
            pages_max,
            parallel_max,
            judged_bytes_max,
            total_ms_max,
            accept_bounds,
        }
    }
}

impl RecordedLimits {
    fn of(limits: &Limits) -> Self {
        Self {
            attempts_max: limits.attempts_max,
            queries_per_attempt_max: limits.queries_per_attempt_max,
            results_per_query_max: limits.results_per_query_max,
            pages_per_attempt_max: limits.pages_per_attempt_max,
            pages_max: limits.pages_max,
            judged_bytes_max: limits.judged_bytes_max,
            total_ms_max: limits.total_ms_max,
            parallel_max: limits.parallel_max,
            accept_bounds: limits.accept_bounds.clone(),
        }
    }
}

fn moment(text: &str) -> Result<Timestamp, Error> {
    let advice = "record the run again".to_owned();
    text.parse().map_err(|_| Error::Claim {
        reason: format!("`{text}` is not a time"),
        advice,
    })
}

/// Reads what a recorded run was made with.
pub(super) fn read(folder: &Path) -> Result<Recorded, Error> {
    let wrong = |reason: String| Error::Recording {
        path: folder.to_owned(),
        reason,
    };
    let text = named::read(&folder.join(FILE), FILE_BYTES_MAX)
        .map_err(|error| wrong(format!("`{FILE}`: {error}")))?;
    let plan: Recorded =
        serde_json::from_str(&text).map_err(|error| wrong(format!("`{FILE}`: {error}")))?;
    if plan.format == FORMAT {
        Ok(plan)
    } else {
        Err(wrong("it is of another version".to_owned()))
    }
}

/// Writes what a run is made with.
pub(super) fn write(folder: &Path, plan: &Recorded) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(plan).map_err(|error| Error::Write(error.into()))?;
    put(folder, FILE, &text)
}

/// Writes the input of the rule after each round, as `grounds verify decide` takes it.
pub(super) fn write_attempts(
    folder: &Path,
    verification: &Verification,
    plan: &Recorded,
    rules: &DecisionRules,
) -> Result<(), Error> {
    for (number, attempt) in (1..).zip(&verification.attempts) {
        let input = record::decide_input(
            verification,
            attempt,
            number,
            plan.limits.attempts_max,
            rules,
        );
        let text =
            serde_json::to_string_pretty(&input).map_err(|error| Error::Write(error.into()))?;
        put(folder, &format!("attempt-{number}.json"), &text)?;
    }
    Ok(())
}

fn put(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::Recording {
        path: folder.to_owned(),
        reason: format!("`{name}`: {error}"),
    };
    std::fs::create_dir_all(folder).map_err(wrong)?;
    std::fs::write(folder.join(name), format!("{text}\n")).map_err(wrong)
}
