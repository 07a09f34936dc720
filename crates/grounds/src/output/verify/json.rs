//! `grounds verify --format json`: the types that leave the program. The first
//! four keys are those of the shared contract and keep their shape.

use std::io::{self, Write};

use grounds_verify::proof::iso;
use grounds_verify::{
    CitedSource, EvidenceHit, HitStanding, HitTrace, InvalidReason, Policy, SearchQuery, SideTotal,
    UnreadBound, Verdict, VisitedPage,
};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::{ShownVerdict, outcome, reason, seeks, side, why_not};
use crate::safe;

/// The name and version of the schema.
const SCHEMA: &str = "grounds.verify/1";

/// The result of `grounds verify`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.verify/1")]
pub struct VerifyReport {
    /// `True`, `False` or `Invalid`.
    outcome: &'static str,
    /// Short Markdown; every quote stands word for word in a source.
    proof: String,
    /// Exactly the sources that the proof cites, in the order of its numbers.
    sources: Vec<SourceReport>,
    /// Counts, and how it came about.
    debug: DebugReport,
    /// The name and version of the schema: `grounds.verify/1`.
    schema: &'static str,
    /// The name of the claim; in a batch that of its line.
    id: String,
    /// The claim.
    claim: String,
    /// In a batch a hash of the claim's line, the policy, the bars, the judges and the documents: a
    /// result with another one is made again. Null for a single claim.
    plan: Option<String>,
    /// The moment for which it was decided.
    as_of: String,
    /// The time in which it must have happened; null if none was given or read.
    timeframe: Option<TimeframeReport>,
    /// For Invalid: `insufficient` (nobody says so, or too few), `conflicting`, `not_checkable`, `not_matured` (its time
    /// has not ended) or `not_read` (a bound left out what could have spoken); else null.
    reason: Option<&'static str>,
    /// For not_checkable: `opinion`, `question`, `command`, `nothing_to_look_up` or `two_claims`; else null.
    not_checkable: Option<&'static str>,
    /// What speaks for it.
    support: SideReport,
    /// What speaks against it.
    refute: SideReport,
    /// Every hit, with what it counted for.
    evidence: Vec<EvidenceReport>,
    /// Queries that were sent.
    queries: Vec<QueryReport>,
    /// Pages that were visited.
    pages: Vec<PageReport>,
    /// Bounds of the configuration that were reached.
    reached: Vec<&'static str>,
    /// What was not read, though it might have spoken, by the bound that left it out.
    unread: Vec<UnreadReport>,
    /// What failed on the way.
    failures: Vec<String>,
}

/// Documents or pages that a bound left unread.
#[derive(Debug, Serialize, JsonSchema)]
struct UnreadReport {
    /// The bound, as `--accept-bound` takes it.
    bound: String,
    /// How many, as far as they were counted.
    count: usize,
    /// The first of them.
    examples: Vec<String>,
}

/// A source that the proof cites.
#[derive(Debug, Serialize, JsonSchema)]
struct SourceReport {
    /// Its address.
    url: String,
    /// Its title; its address where it has none.
    title: String,
    /// The date that it gives for itself, as ISO 8601; null if it gives none.
    pub_date: Option<String>,
    /// The words that count.
    excerpt: String,
}

/// Counts, and how it came about.
#[derive(Debug, Serialize, JsonSchema)]
struct DebugReport {
    /// Queries that were sent.
    total_queries: usize,
    /// Pages that were visited.
    total_pages_visited: usize,
    /// Rounds of search.
    attempts: usize,
    /// The rule that decided: `spec_v1` or `calibrated_v2`.
    policy: &'static str,
    /// Thousandths of weight that a side needs; for `spec_v1`.
    threshold_milli: u64,
    /// Thousandths of log odds that a side needs; for `calibrated_v2`.
    bar_milli: Option<i64>,
    /// Independent families that a side needs: 1 where one source that knows first hand was accepted.
    families_min: u32,
    /// Whether a query that sought refutation was answered.
    has_sought_refutation: bool,
    /// Queries that could not be asked.
    queries_failed: usize,
    /// Pages that could not be read.
    pages_failed: usize,
    /// Thousandths of log odds that the claim is true; only of `calibrated_v2`.
    log_odds_milli: Option<i64>,
    /// Thousandths of them that stand for the kind of claim before anything was read: 0 outside of the
    /// kinds that were fitted; only of `calibrated_v2`.
    prior_milli: Option<i64>,
    /// Sentences of a model as writer that were dropped.
    proof_dropped: usize,
    /// Why a model as writer gave no proof.
    proof_error: Option<String>,
}

/// A span of time.
#[derive(Debug, Serialize, JsonSchema)]
struct TimeframeReport {
    /// The first moment.
    start: Option<String>,
    /// The last moment.
    end: Option<String>,
}

/// The total of a side.
#[derive(Debug, Serialize, JsonSchema)]
struct SideReport {
    /// Thousandths of weight.
    weight_milli: u64,
    /// Independent families with a date.
    families: u32,
    /// Whether one of them is above the tier `other`.
    is_above_other: bool,
}

/// A hit.
#[derive(Debug, Serialize, JsonSchema)]
struct EvidenceReport {
    /// The address of its page.
    url: String,
    /// The date that the page gives for itself.
    pub_date: Option<String>,
    /// `support` or `refute`; null if it decides nothing.
    side: Option<&'static str>,
    /// `primary`, `wire`, `trade` or `other`.
    tier: &'static str,
    /// Thousandths of weight that it brings to its side.
    weight_milli: u32,
    /// Whether it stands for its family.
    is_counted: bool,
    /// Why it does not count, or `same_family`; null if it counts.
    why_not: Option<&'static str>,
    /// The number of its family.
    family: Option<u32>,
    /// The words, exactly as in the page.
    excerpt: String,
    /// Their first byte in the text of the page.
    start: usize,
    /// The byte after their last.
    end: usize,
    /// Who judged.
    judge: String,
}

/// A query.
#[derive(Debug, Serialize, JsonSchema)]
struct QueryReport {
    /// Its words.
    text: String,
    /// The engine.
    provider: String,
    /// `support`, `refutation` or `either`.
    seeks: &'static str,
    /// How many addresses came; null if it could not be asked.
    results: Option<usize>,
}

/// A page.
#[derive(Debug, Serialize, JsonSchema)]
struct PageReport {
    /// Its address.
    url: String,
    /// The status of HTTP; 200 for a document of a folder.
    status: Option<u16>,
    /// The date that it gives for itself.
    pub_date: Option<String>,
    /// BLAKE3 of what came.
    content_hash: Option<String>,
    /// Why it could not be read; null if it was.
    failure: Option<String>,
}

impl VerifyReport {
    /// Returns the published schema.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    fn of(shown: &ShownVerdict<'_>) -> Self {
        let verification = shown.verification;
        let (task, history) = (&verification.task, &verification.history);
        let result = &verification.result;
        let invalid = match result.outcome {
            Verdict::Invalid(reason) => Some(reason),
            Verdict::True | Verdict::False => None,
        };
        Self {
            outcome: outcome(result.outcome),
            proof: result.proof.clone(),
            sources: result.sources.iter().map(source).collect(),
            debug: debug(shown),
            schema: SCHEMA,
            id: task.id.clone(),
            claim: task.claim.clone(),
            plan: None,
            as_of: history.as_of.to_string(),
            timeframe: task.timeframe.map(timeframe),
            reason: invalid.map(reason),
            not_checkable: match invalid {
                Some(InvalidReason::NotCheckable(kind)) => Some(kind.as_str()),
                _ => None,
            },
            support: side_total(result.trace.support),
            refute: side_total(result.trace.refute),
            // The trace has one entry for each hit, in the same order.
            evidence: history
                .hits
                .iter()
                .zip(&result.trace.hits)
                .map(|(hit, traced)| evidence(hit, traced))
                .collect(),
            queries: history.queries.iter().map(query).collect(),
            pages: history.pages.iter().map(page).collect(),
            reached: verification
                .reached
                .iter()
                .map(|reached| reached.name())
                .collect(),
            unread: verification.unread.iter().map(unread).collect(),
            failures: verification.failures.clone(),
        }
    }
}

fn timeframe(time: grounds_verify::Timeframe) -> TimeframeReport {
    TimeframeReport {
        start: time.start.map(|moment| moment.to_string()),
        end: time.end.map(|moment| moment.to_string()),
    }
}

pub(super) fn write(shown: &ShownVerdict<'_>, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string_pretty(&VerifyReport::of(shown))?;
    writeln!(out, "{}", safe::for_json(&text))
}

pub(super) fn line(
    shown: &ShownVerdict<'_>,
    claim: &str,
    plan: Option<String>,
) -> serde_json::Result<String> {
    let report = VerifyReport {
        // As it is in the file of claims: the plan has it without white space around it.
        claim: claim.to_owned(),
        plan,
        ..VerifyReport::of(shown)
    };
    Ok(safe::for_json(&serde_json::to_string(&report)?).into_owned())
}

fn source(source: &CitedSource) -> SourceReport {
    let CitedSource {
        url,
        title,
        pub_date,
        excerpt,
    } = source.clone();
    SourceReport {
        title: title.unwrap_or_else(|| url.clone()),
        url,
        pub_date,
        excerpt,
    }
}

fn debug(shown: &ShownVerdict<'_>) -> DebugReport {
    let (verification, trace) = (shown.verification, &shown.verification.result.trace);
    DebugReport {
        total_queries: verification.result.debug.total_queries,
        total_pages_visited: verification.result.debug.total_pages_visited,
        attempts: verification.attempts.len(),
        policy: match trace.policy {
            Policy::SpecV1 => "spec_v1",
            Policy::CalibratedV2 => "calibrated_v2",
        },
        threshold_milli: shown.rules.threshold_milli,
        bar_milli: trace.bar_milli,
        families_min: match trace.policy {
            Policy::SpecV1 => shown.rules.families_min,
            Policy::CalibratedV2 => shown.rules.calibration.families_min,
        },
        has_sought_refutation: trace.has_sought_refutation,
        queries_failed: trace.queries_failed,
        pages_failed: trace.pages_failed,
        log_odds_milli: trace.log_odds_milli,
        prior_milli: trace.prior_milli,
        proof_dropped: shown.proof.dropped,
        proof_error: shown.proof.error.clone(),
    }
}

const fn side_total(total: SideTotal) -> SideReport {
    SideReport {
        weight_milli: total.weight_milli,
        families: total.families,
        is_above_other: total.is_above_other,
    }
}

fn evidence(hit: &EvidenceHit, traced: &HitTrace) -> EvidenceReport {
    let why = match traced.standing {
        HitStanding::Counted => None,
        HitStanding::SameFamily => Some("same_family"),
        HitStanding::NotCounted(why) => Some(why_not(why).0),
    };
    EvidenceReport {
        url: hit.url.to_string(),
        pub_date: hit.published.map(iso),
        side: traced.side.map(side),
        tier: traced.tier.as_str(),
        weight_milli: traced.weight_milli,
        is_counted: traced.standing == HitStanding::Counted,
        why_not: why,
        family: traced.family,
        excerpt: hit.excerpt.to_string(),
        start: hit.bytes.start,
        end: hit.bytes.end,
        judge: hit.judge.to_string(),
    }
}

fn unread(unread: &UnreadBound) -> UnreadReport {
    let UnreadBound {
        bound,
        count,
        examples,
    } = unread.clone();
    UnreadReport {
        bound,
        count,
        examples,
    }
}

fn query(query: &SearchQuery) -> QueryReport {
    QueryReport {
        text: query.text.clone(),
        provider: query.provider.clone(),
        seeks: seeks(query.seeks),
        results: query.result_count,
    }
}

fn page(page: &VisitedPage) -> PageReport {
    PageReport {
        url: page.url.clone(),
        status: page.status,
        pub_date: page.published.map(iso),
        content_hash: page.content_hash.clone(),
        failure: page.failure.clone(),
    }
}
