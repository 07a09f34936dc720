//! The rounds: queries, search, pages, judges, decision; then a final result, or one more round for
//! what is missing. Takes a claim, search engines, a fetcher and judges, and returns a verdict with
//! everything that was read, or an internal error. It decides nothing itself, and a failure never
//! becomes a verdict.

mod look;

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use grounds_web::{Fetch, Page, SearchProvider, SearchResult};
use jiff::Timestamp;

use crate::decide_by_rules;
use crate::decision::{AgentResult, DecisionGap, InvalidReason, Verdict, VerifyDecision};
use crate::history::{JudgeName, SearchHistory, SourceTier};
use crate::judges::Judge;
use crate::queries::{self, Query};
use crate::rules::DecisionRules;
use crate::spending::{Cap, Spending};
use crate::task::SearchTask;
use crate::unread::{self, UnreadBound};

/// Bounds of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rounds of search.
    pub attempts_max: u32,
    /// Queries of one round.
    pub queries_per_attempt_max: usize,
    /// Addresses that are used of one query.
    pub results_per_query_max: usize,
    /// Pages of one round.
    pub pages_per_attempt_max: usize,
    /// Pages of all rounds.
    pub pages_max: usize,
    /// Pages that are fetched and judged at one time.
    pub parallel_max: usize,
    /// Bytes of a page's text that are judged.
    pub judged_bytes_max: usize,
    /// Milliseconds of all rounds.
    pub total_ms_max: u64,
    /// Bounds that may leave something unread without withholding the verdict, by name:
    /// `corpus_file_bytes_max`, `corpus_files_max`, `corpus_bytes_max`, `corpus_depth_max`,
    /// `corpus_unreadable`, `judged_bytes_max`, `total_ms_max`.
    pub accept_bounds: Vec<String>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            attempts_max: 3,
            queries_per_attempt_max: 3,
            results_per_query_max: 10,
            pages_per_attempt_max: 20,
            pages_max: 50,
            parallel_max: 4,
            judged_bytes_max: 1 << 20,
            total_ms_max: 300_000,
            accept_bounds: Vec::new(),
        }
    }
}

/// The means by which a claim is looked up.
#[derive(Clone, Copy)]
pub struct LookupMeans<'m> {
    /// The search engine that returns addresses.
    pub provider: &'m dyn SearchProvider,
    /// The fetcher that returns pages.
    pub fetch: &'m dyn Fetch,
    /// The judges that read the pages.
    pub judges: &'m [&'m dyn Judge],
    /// Returns the tier of a page.
    pub tier: &'m (dyn Fn(&Page) -> SourceTier + Sync),
    /// The caps of all claims together.
    pub spending: &'m Spending,
    /// Documents that the provider does not have, since a bound left them out.
    pub unread: &'m [UnreadBound],
}

/// An event, for callers that show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyEvent<'e> {
    /// A round begins.
    Attempt {
        /// Its number, from 1.
        number: u32,
        /// The maximum number of rounds.
        of: u32,
    },
    /// A query was answered, or not.
    Query {
        /// The query.
        query: &'e Query,
        /// The number of addresses that were returned; `None` if the engine could not be asked.
        results: Option<usize>,
    },
    /// Pages are fetched and judged.
    Pages {
        /// The number of pages.
        count: usize,
    },
    /// A round ended.
    Decided {
        /// The verdict; `None` if the round ended without one.
        verdict: Option<Verdict>,
    },
}

/// A verdict with everything that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The claim that was checked.
    pub task: SearchTask,
    /// Everything that was searched and read.
    pub history: SearchHistory,
    /// The verdict; its proof is not written yet.
    pub result: AgentResult,
    /// The rounds that it took, each with what was missing after it.
    pub attempts: Vec<Round>,
    /// Bounds that were reached.
    pub reached: Vec<Reached>,
    /// Pages that were not read though they might have spoken, by the bound that left them out.
    pub unread: Vec<UnreadBound>,
    /// Failures that did not end the run.
    pub failures: Vec<String>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Queries of the history that were sent until its end.
    pub queries: usize,
    /// Pages of the history that were visited until its end.
    pub pages: usize,
    /// Hits of the history that were found until its end.
    pub hits: usize,
    /// What was missing after it; `None` after the last round.
    pub gap: Option<DecisionGap>,
}

/// A bound of [`Limits`] that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reached {
    /// All rounds were made.
    Attempts,
    /// There was nothing more to ask.
    Queries,
    /// Pages were left out of a round.
    PagesPerAttempt,
    /// Pages were left out of all rounds.
    Pages,
    /// The end of a page's text was not judged.
    JudgedBytes,
    /// A judge found more passages in one page than are kept.
    HitsPerPage,
    /// The time was over.
    Time,
}

impl Reached {
    /// Returns the name of the bound in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts_max",
            Self::Queries => "queries",
            Self::PagesPerAttempt => "pages_per_attempt_max",
            Self::Pages => "pages_max",
            Self::JudgedBytes => "judged_bytes_max",
            Self::HitsPerPage => "hits_per_page_max",
            Self::Time => "total_ms_max",
        }
    }
}

/// Why there is no verdict. No error says anything about the claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// No query of a round was answered.
    #[error("search for `{query}`: {why}")]
    Search {
        /// The first query that failed.
        query: String,
        /// Why.
        why: String,
    },
    /// Every page that was tried failed.
    #[error("read any of the {count} pages that were found: {first}")]
    Pages {
        /// The number of pages.
        count: usize,
        /// Why the first one failed.
        first: String,
    },
    /// A judge could not be asked about most pages.
    #[error("judge {count} of the pages: {first}")]
    Judge {
        /// The number of pages.
        count: usize,
        /// The first failure.
        first: String,
        /// What to do.
        advice: String,
        /// Whether its budget is used.
        is_spent: bool,
    },
    /// A cap of all claims together is reached.
    #[error("finish `{claim}`: {cap}")]
    Spent {
        /// The claim.
        claim: String,
        /// The cap.
        cap: Cap,
    },
    /// A replay does not have a request: the run is not the one that was recorded.
    #[error("play the recording: {why}")]
    Replay {
        /// What it does not have.
        why: String,
    },
    /// The time was over before a page was judged.
    #[error("judge a page within {ms} ms")]
    Time {
        /// The bound.
        ms: u64,
    },
}

impl VerifyError {
    /// Returns what to do next.
    pub fn advice(&self) -> String {
        match self {
            Self::Search { .. } => {
                "check the provider, its key and its quota, or use --corpus DIR".to_owned()
            }
            Self::Pages { .. } => {
                "check the network, or whether the addresses are allowed (docs/web.md)".to_owned()
            }
            Self::Judge { advice, .. } => advice.clone(),
            Self::Spent { .. } => "raise the cap and run again: what is done is kept".to_owned(),
            Self::Replay { .. } => "record the run again with --record DIR".to_owned(),
            Self::Time { .. } => "raise `verify.total_ms_max`".to_owned(),
        }
    }
}

/// Checks a claim as of a moment.
///
/// # Errors
/// [`VerifyError`]: a failure of ours, which is never a verdict.
pub fn verify(
    task: SearchTask,
    as_of: Timestamp,
    means: &LookupMeans<'_>,
    limits: &Limits,
    rules: &DecisionRules,
    tell: &(dyn Fn(&VerifyEvent<'_>) + Sync),
) -> Result<Verification, VerifyError> {
    let mut run = ClaimRun::begin(task, as_of, means, limits, tell);
    // Asked before the first query: a refused claim costs nothing.
    if let Some(result) = not_checkable(&run.task, &run.history, rules) {
        return Ok(run.finished(result, Vec::new()));
    }
    let (mut attempts, mut gap) = (Vec::new(), None);
    for number in 1.. {
        tell(&VerifyEvent::Attempt {
            number,
            of: limits.attempts_max,
        });
        run.attempt(gap.as_ref())?;
        let is_last = number >= limits.attempts_max || run.is_at_its_end();
        let decision = decide_by_rules(
            &run.task,
            &run.history,
            // A run that is at its end early counts as the last attempt, so that the rule
            // concludes.
            if is_last { limits.attempts_max } else { number },
            limits.attempts_max,
            rules,
        );
        tell(&VerifyEvent::Decided {
            verdict: decision.verdict(),
        });
        match decision {
            VerifyDecision::Final(result) => {
                attempts.push(run.round(None));
                run.note_attempts(number, &result);
                // Only now, since a verdict of the pages that were read is valid even if others
                // failed.
                run.looked(&result)?;
                run.judges_spoke(&result)?;
                return Ok(run.finished(result, attempts));
            }
            VerifyDecision::NeedMoreSearch {
                gap: lacking,
                trace: _,
            } if !is_last => {
                attempts.push(run.round(Some(lacking.clone())));
                gap = Some(lacking);
            }
            // With no attempts left the rule asks for no more. If it did, nothing would be decided.
            VerifyDecision::NeedMoreSearch { .. } | VerifyDecision::Failed { .. } => break,
        }
    }
    Err(run.nothing_seen())
}

impl<'m> ClaimRun<'m> {
    /// Creates a run before its first query. Its time begins now.
    fn begin(
        task: SearchTask,
        as_of: Timestamp,
        means: &'m LookupMeans<'m>,
        limits: &'m Limits,
        tell: &'m (dyn Fn(&VerifyEvent<'_>) + Sync),
    ) -> Self {
        let history = SearchHistory {
            as_of,
            queries: Vec::new(),
            pages: Vec::new(),
            hits: Vec::new(),
        };
        Self {
            task,
            history,
            means,
            limits,
            tell,
            until: Instant::now() + Duration::from_millis(limits.total_ms_max),
            reached: Vec::new(),
            unread: means.unread.to_vec(),
            failures: Vec::new(),
            judged: BTreeMap::new(),
            own: Vec::new(),
            chosen: HashSet::new(),
        }
    }

    /// Returns the size of the history as the end of a round.
    fn round(&self, gap: Option<DecisionGap>) -> Round {
        Round {
            queries: self.history.queries.len(),
            pages: self.history.pages.len(),
            hits: self.history.hits.len(),
            gap,
        }
    }
}

/// Returns the result of a claim that cannot be checked, else `None`.
fn not_checkable(
    task: &SearchTask,
    history: &SearchHistory,
    rules: &DecisionRules,
) -> Option<AgentResult> {
    // Without any page, a question that yes or no answers is refused as well.
    match decide_by_rules(task, history, 0, 1, rules) {
        VerifyDecision::Final(result)
            if matches!(
                result.outcome,
                Verdict::Invalid(InvalidReason::NotCheckable(_))
            ) =>
        {
            Some(result)
        }
        VerifyDecision::Final(_)
        | VerifyDecision::NeedMoreSearch { .. }
        | VerifyDecision::Failed { .. } => None,
    }
}

/// The state of one claim while it is checked.
struct ClaimRun<'r> {
    task: SearchTask,
    history: SearchHistory,
    means: &'r LookupMeans<'r>,
    limits: &'r Limits,
    tell: &'r (dyn Fn(&VerifyEvent<'_>) + Sync),
    until: Instant,
    reached: Vec<Reached>,
    unread: Vec<UnreadBound>,
    failures: Vec<String>,
    judged: BTreeMap<JudgeName, JudgeRun>,
    /// The results for the claim's own words in a folder that is read deep.
    own: Vec<SearchResult>,
    /// The addresses that were chosen to be read, also those that led to another address.
    chosen: HashSet<String>,
}

/// The pages and failures of one judge.
#[derive(Debug, Default)]
struct JudgeRun {
    pages: usize,
    failed: usize,
    is_spent: bool,
    first: Option<(String, String)>,
}

impl JudgeRun {
    /// Reports whether it failed on at least half of the pages, or has no budget left.
    const fn is_out_of_order(&self) -> bool {
        (self.failed > 0 && self.failed * 2 >= self.pages) || self.is_spent
    }
}

impl ClaimRun<'_> {
    fn attempt(&mut self, gap: Option<&DecisionGap>) -> Result<(), VerifyError> {
        let most = self.limits.queries_per_attempt_max;
        let queries = gap.map_or_else(
            || queries::first(&self.task, most),
            |gap| queries::further(&self.task, gap, &self.history, most),
        );
        if queries.is_empty() {
            // All queries were sent in earlier rounds: the run ends with what it has.
            self.reach(Reached::Queries);
            return Ok(());
        }
        let found = self.search(&queries)?;
        self.visit(found)
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Reports whether another round would find nothing more.
    fn is_at_its_end(&self) -> bool {
        self.reached
            .iter()
            .any(|reached| matches!(reached, Reached::Queries | Reached::Time | Reached::Pages))
    }

    fn reach(&mut self, bound: Reached) {
        if !self.reached.contains(&bound) {
            self.reached.push(bound);
        }
    }

    fn note_attempts(&mut self, number: u32, result: &AgentResult) {
        let is_open = matches!(
            result.outcome,
            Verdict::Invalid(InvalidReason::Insufficient | InvalidReason::Conflicting)
        );
        if is_open && number >= self.limits.attempts_max {
            self.reach(Reached::Attempts);
        }
    }

    /// Fails if no query was answered, or the time was over before a page was read: that nothing
    /// was found then shows nothing.
    fn looked(&self, result: &AgentResult) -> Result<(), VerifyError> {
        let is_silent = matches!(
            result.outcome,
            Verdict::Invalid(InvalidReason::Insufficient)
        );
        let is_asked = self
            .history
            .queries
            .iter()
            .any(|query| query.result_count.is_some());
        // The result of the failed query is unknown, and no other page speaks.
        let is_half_asked = self
            .history
            .queries
            .iter()
            .any(|query| query.result_count.is_none())
            && result.trace.support.weight_milli == 0
            && result.trace.refute.weight_milli == 0;
        let is_late = self.reached.contains(&Reached::Time)
            && self.history.pages.iter().all(|page| page.failure.is_some());
        if is_silent && (!is_asked || is_late || is_half_asked) {
            Err(self.nothing_seen())
        } else {
            Ok(())
        }
    }

    /// Fails if a judge was out of order and too little was found: its silence shows nothing.
    fn judges_spoke(&self, result: &AgentResult) -> Result<(), VerifyError> {
        // A verdict rests on what was judged; only silence means nothing if a judge failed.
        let is_silent = matches!(
            result.outcome,
            Verdict::Invalid(InvalidReason::Insufficient)
        );
        let broken = self
            .judged
            .values()
            .find(|judged| is_silent && judged.is_out_of_order());
        match broken.and_then(|judged| judged.first.as_ref().map(|first| (judged, first))) {
            Some((judged, (first, advice))) => {
                let (count, is_spent) = (judged.failed, judged.is_spent);
                Err(VerifyError::Judge {
                    count,
                    first: first.clone(),
                    advice: advice.clone(),
                    is_spent,
                })
            }
            None => Ok(()),
        }
    }

    /// Returns the error of a run in which nothing could be read.
    fn nothing_seen(&self) -> VerifyError {
        let failed = self
            .history
            .pages
            .iter()
            .filter_map(|page| page.failure.clone())
            .collect::<Vec<_>>();
        match (failed.first(), self.history.queries.first()) {
            // First, since a search that was cut off by the time is no failure of the engine.
            (None, _) if self.is_over() => VerifyError::Time {
                ms: self.limits.total_ms_max,
            },
            (Some(first), _) => VerifyError::Pages {
                count: failed.len(),
                first: first.clone(),
            },
            (None, Some(query)) => VerifyError::Search {
                query: query.text.clone(),
                why: self.first_failure(),
            },
            (None, None) => VerifyError::Search {
                query: self.task.claim.clone(),
                why: self.first_failure(),
            },
        }
    }

    fn first_failure(&self) -> String {
        self.failures
            .first()
            .cloned()
            .unwrap_or_else(|| "no query was answered".to_owned())
    }

    fn finished(self, mut result: AgentResult, attempts: Vec<Round>) -> Verification {
        result.debug.total_queries = self.history.queries.len();
        result.debug.total_pages_visited = self.history.pages.len();
        // After the decision: the rule does not know what a bound left out.
        result.outcome = unread::withheld(result.outcome, &self.unread, &self.limits.accept_bounds);
        let Self {
            task,
            history,
            mut reached,
            mut unread,
            failures,
            ..
        } = self;
        reached.sort_unstable();
        unread.sort_unstable();
        Verification {
            task,
            history,
            result,
            attempts,
            reached,
            unread,
            failures,
        }
    }
}

#[cfg(test)]
mod tests;
