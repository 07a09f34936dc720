//! The output, as it is written in JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::listed::{LISTED_MAX, ListedHits};
use super::read::ReadInput;
use crate::address;
use crate::decision::{
    AgentResult, CitedSource, ClaimSide, DecisionGap, InvalidReason, Verdict, VerifyDecision,
    VerifyFailure,
};
use crate::history::{EvidenceHit, SearchHistory};
use crate::rules::Policy;
use crate::trace::{
    BoundReached, FamilySide, FamilyTrace, HitStanding, HitTrace, SideTotal, Tie, Trace, WhyNot,
};

/// A decision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DecideOutput {
    /// The form of this object.
    pub schema: &'static str,
    /// Whether there is a verdict, another round is needed, or nothing could be looked at.
    pub status: &'static str,
    /// The verdict, where there is one.
    pub result: Option<ResultJson>,
    /// What another round must look for, where one is needed.
    pub gap: Option<GapJson>,
    /// What failed, where nothing could be looked at: that shows nothing about the claim.
    pub failure: Option<&'static str>,
    /// How it came to that.
    pub trace: TraceJson,
}

/// A verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResultJson {
    /// True, False or Invalid.
    pub outcome: &'static str,
    /// Short Markdown.
    pub proof: String,
    /// The sources of the proof.
    pub sources: Vec<SourceJson>,
    /// Counts.
    pub debug: DebugJson,
    /// Why it is Invalid: insufficient, conflicting, `not_checkable`, `not_matured`.
    pub reason: Option<&'static str>,
    /// What makes a claim not checkable.
    pub detail: Option<&'static str>,
    /// Every hit with its side, tier and weight, in the order of the history; of more than 10,000 hits the 10,000
    /// weightiest of those that count.
    pub evidence: Vec<EvidenceJson>,
}

/// A source of the proof.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SourceJson {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The date that it gives for itself.
    pub pub_date: Option<String>,
    /// The words that count.
    pub excerpt: String,
}

/// Counts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DebugJson {
    /// Queries that were sent.
    pub total_queries: usize,
    /// Pages that were visited.
    pub total_pages_visited: usize,
    /// Queries that could not be asked.
    pub queries_failed: usize,
    /// Pages that could not be read.
    pub pages_failed: usize,
}

/// One hit, and what came of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvidenceJson {
    /// The address of the page.
    pub url: String,
    /// Its publisher, after unwrapping.
    pub domain: String,
    /// The title of the page.
    pub title: Option<String>,
    /// The date that counts for it.
    pub pub_date: Option<String>,
    /// The words.
    pub excerpt: String,
    /// `support`, `refute`, or null if it decides nothing.
    pub side: Option<&'static str>,
    /// What kind of source it counts as.
    pub tier: &'static str,
    /// Thousandths of weight that it brings to its side.
    pub weight_milli: u32,
    /// counted, `same_family` or `not_counted`.
    pub standing: &'static str,
    /// Why it does not count.
    pub why_not: Option<&'static str>,
    /// Its family, as a place in `trace.families`.
    pub family: Option<u32>,
}

/// What another round must look for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GapJson {
    /// The side that is nearest to enough.
    pub side: &'static str,
    /// Thousandths of weight, or of log odds, that it lacks.
    pub lacks_milli: u64,
    /// Families that it lacks.
    pub lacks_families: u32,
    /// Whether what it has is of the tier "other" only.
    pub lacks_tier: bool,
    /// Whether no query sought refutation yet.
    pub lacks_refutation_query: bool,
    /// Whether the sides conflict.
    pub is_conflict: bool,
    /// The first moment in which sources count.
    pub from: Option<String>,
    /// The last moment in which sources count.
    pub to: Option<String>,
}

/// How a decision came about.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceJson {
    /// The rule that decided.
    pub policy: &'static str,
    /// The version of its numbers; only of `calibrated_v2`.
    pub calibration: Option<String>,
    /// The moment for which it was decided.
    pub as_of: String,
    /// What speaks for the claim.
    pub support: SideJson,
    /// What speaks against it.
    pub refute: SideJson,
    /// The families, in the order of their first hit; of more than 10,000 hits those of the hits that are listed.
    pub families: Vec<FamilyJson>,
    /// What is only counted, since there were more than 10,000 hits.
    pub unlisted: UnlistedJson,
    /// Whether a query that sought refutation was answered.
    pub has_sought_refutation: bool,
    /// Thousandths of log odds that the claim is true; only of `calibrated_v2`.
    pub log_odds_milli: Option<i64>,
    /// Bounds that were reached, so that no side wins.
    pub bounds_reached: Vec<&'static str>,
    /// Hits that do not count, by reason.
    pub not_counted: std::collections::BTreeMap<&'static str, usize>,
    /// The hits as in `result.evidence`, where there is no verdict.
    pub hits: Vec<EvidenceJson>,
}

/// What is counted and not listed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnlistedJson {
    /// Hits that stand for their families.
    pub counted: usize,
    /// Hits of families for which another hit stands.
    pub same_family: usize,
    /// Hits that do not count.
    pub not_counted: usize,
    /// Families.
    pub families: usize,
}

/// The total of a side.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SideJson {
    /// Thousandths of weight.
    pub weight_milli: u64,
    /// Independent families with a date.
    pub families: u32,
    /// Whether one of them is above the tier "other".
    pub is_above_other: bool,
}

/// One family.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FamilyJson {
    /// The publisher of the hit that stands for it.
    pub name: String,
    /// The place in the history of the hit that stands for it.
    pub head: usize,
    /// Its hits that could count.
    pub hits: u32,
    /// support, refute, both, or origin.
    pub side: &'static str,
    /// Its best tier.
    pub tier: &'static str,
    /// Thousandths of weight.
    pub weight_milli: u32,
    /// Whether a date of it is known.
    pub is_dated: bool,
    /// What ties it together.
    pub ties: Vec<&'static str>,
}

pub(super) fn of(decision: &VerifyDecision, read: &ReadInput) -> DecideOutput {
    let trace = decision.trace();
    let listed = ListedHits::of(trace, LISTED_MAX);
    // The hits are listed once: with a verdict below `result`, else below `trace`.
    let all = || listed.evidence(trace, &read.history);
    let (status, result, gap, failure, hits) = match decision {
        VerifyDecision::Final(result) => (
            "final",
            Some(self::result(result, all())),
            None,
            None,
            Vec::new(),
        ),
        VerifyDecision::NeedMoreSearch { gap, .. } => {
            ("need_more_search", None, Some(self::gap(gap)), None, all())
        }
        VerifyDecision::Failed { failure, .. } => {
            ("failed", None, None, Some(failure_word(*failure)), all())
        }
    };
    DecideOutput {
        schema: "grounds.verify.decision/2",
        status,
        result,
        gap,
        failure,
        trace: trace_json(trace, read, &listed, hits),
    }
}

fn result(result: &AgentResult, evidence: Vec<EvidenceJson>) -> ResultJson {
    let (outcome, reason, detail) = verdict_words(result.outcome);
    ResultJson {
        outcome,
        proof: result.proof.clone(),
        sources: result.sources.iter().map(source).collect(),
        debug: DebugJson {
            total_queries: result.debug.total_queries,
            total_pages_visited: result.debug.total_pages_visited,
            queries_failed: result.trace.queries_failed,
            pages_failed: result.trace.pages_failed,
        },
        reason,
        detail,
        evidence,
    }
}

fn source(source: &CitedSource) -> SourceJson {
    let CitedSource {
        url,
        title,
        pub_date,
        excerpt,
    } = source.clone();
    SourceJson {
        url,
        title: title.unwrap_or_default(),
        pub_date,
        excerpt,
    }
}

/// Returns the words in JSON for the outcome, the reason of an Invalid, and what makes a claim not
/// checkable.
pub fn verdict_words(
    verdict: Verdict,
) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    match verdict {
        Verdict::True => ("True", None, None),
        Verdict::False => ("False", None, None),
        Verdict::Invalid(InvalidReason::Insufficient) => ("Invalid", Some("insufficient"), None),
        Verdict::Invalid(InvalidReason::Conflicting) => ("Invalid", Some("conflicting"), None),
        Verdict::Invalid(InvalidReason::NotMatured) => ("Invalid", Some("not_matured"), None),
        Verdict::Invalid(InvalidReason::NotRead) => ("Invalid", Some("not_read"), None),
        Verdict::Invalid(InvalidReason::NotCheckable(why)) => {
            ("Invalid", Some("not_checkable"), Some(why.as_str()))
        }
    }
}

const fn failure_word(failure: VerifyFailure) -> &'static str {
    match failure {
        VerifyFailure::NoQueryAnswered => "no_query_answered",
        VerifyFailure::NoPageRead => "no_page_read",
    }
}

const fn side_word(side: ClaimSide) -> &'static str {
    match side {
        ClaimSide::Support => "support",
        ClaimSide::Refute => "refute",
    }
}

const fn tie_word(tie: Tie) -> &'static str {
    match tie {
        Tie::Publisher => "publisher",
        Tie::Owner => "owner",
        Tie::Canonical => "canonical",
        Tie::Agency => "agency",
        Tie::Copy => "copy",
        Tie::Quote => "quote",
        Tie::Cited => "cited",
        Tie::FactCheck => "fact_check",
    }
}

/// Returns the word in JSON for why a hit does not count.
pub const fn why_not_word(why: WhyNot) -> &'static str {
    match why {
        WhyNot::Neutral => "neutral",
        WhyNot::AnswerBox => "answer_box",
        WhyNot::SnippetOnly => "snippet_only",
        WhyNot::Forecast => "forecast",
        WhyNot::Satire => "satire",
        WhyNot::PageNotRead => "page_not_read",
        WhyNot::NotInPage => "not_in_page",
        WhyNot::Undated => "undated",
        WhyNot::BeforeWindow => "before_window",
        WhyNot::AfterWindow => "after_window",
        WhyNot::AfterAsOf => "after_as_of",
        WhyNot::ChangedAfterWindow => "changed_after_window",
        WhyNot::WordsAreOlder => "words_are_older",
        WhyNot::EventOutside => "event_outside",
        WhyNot::AbsenceBeforeEnd => "absence_before_end",
        WhyNot::NotMatured => "not_matured",
        WhyNot::OwnOrigin => "own_origin",
        WhyNot::AgainstItsSource => "against_its_source",
        WhyNot::FamilyOnBothSides => "family_on_both_sides",
    }
}

const fn bound_word(bound: BoundReached) -> &'static str {
    match bound {
        BoundReached::ComparedWords => "compared_words_max",
        BoundReached::SharedShingles => "shared_shingles_max",
        BoundReached::SearchedBytes => "searched_bytes_max",
    }
}

/// Returns a hit with its record in the trace. `family` is its index among the families that are
/// listed.
pub(super) fn evidence_of(hit: &EvidenceHit, came: &HitTrace, family: Option<u32>) -> EvidenceJson {
    let (standing, why_not) = match came.standing {
        HitStanding::Counted => ("counted", None),
        HitStanding::SameFamily => ("same_family", None),
        HitStanding::NotCounted(why) => ("not_counted", Some(why_not_word(why))),
    };
    EvidenceJson {
        url: hit.url.to_string(),
        domain: address::publisher(&hit.url).into_owned(),
        title: hit.title.clone(),
        pub_date: hit.published.map(|date| {
            if date.is_day {
                date.at.strftime("%Y-%m-%d").to_string()
            } else {
                date.at.to_string()
            }
        }),
        excerpt: hit.excerpt.to_string(),
        side: came.side.map(side_word),
        tier: came.tier.as_str(),
        weight_milli: came.weight_milli,
        standing,
        why_not,
        family,
    }
}

fn gap(gap: &DecisionGap) -> GapJson {
    let within = gap.within.unwrap_or_default();
    GapJson {
        side: side_word(gap.side),
        lacks_milli: gap.lacks_milli,
        lacks_families: gap.lacks_families,
        lacks_tier: gap.lacks_tier,
        lacks_refutation_query: gap.lacks_refutation_query,
        is_conflict: gap.is_conflict,
        from: within.start.map(|at| at.to_string()),
        to: within.end.map(|at| at.to_string()),
    }
}

fn trace_json(
    trace: &Trace,
    read: &ReadInput,
    listed: &ListedHits,
    hits: Vec<EvidenceJson>,
) -> TraceJson {
    let (history, calibration) = (&read.history, &read.rules.calibration);
    let (policy, calibration) = match trace.policy {
        Policy::SpecV1 => ("spec_v1", None),
        Policy::CalibratedV2 => ("calibrated_v2", Some(calibration.version.clone())),
    };
    // Counted over all hits, including those that are not listed.
    let mut not_counted = std::collections::BTreeMap::new();
    for hit in &trace.hits {
        if let HitStanding::NotCounted(why) = hit.standing {
            *not_counted.entry(why_not_word(why)).or_insert(0) += 1;
        }
    }
    TraceJson {
        policy,
        calibration,
        as_of: history.as_of.to_string(),
        support: side(trace.support),
        refute: side(trace.refute),
        families: listed
            .families(trace)
            .map(|family| self::family(family, history))
            .collect(),
        unlisted: listed.unlisted(trace),
        has_sought_refutation: trace.has_sought_refutation,
        log_odds_milli: trace.log_odds_milli,
        bounds_reached: trace.bounds.iter().copied().map(bound_word).collect(),
        not_counted,
        hits,
    }
}

const fn side(total: SideTotal) -> SideJson {
    SideJson {
        weight_milli: total.weight_milli,
        families: total.families,
        is_above_other: total.is_above_other,
    }
}

fn family(family: &FamilyTrace, history: &SearchHistory) -> FamilyJson {
    let side = match family.side {
        FamilySide::One(side) => side_word(side),
        FamilySide::Both => "both",
        FamilySide::Origin => "origin",
    };
    FamilyJson {
        name: address::publisher(&history.hits[family.head].url).into_owned(),
        head: family.head,
        hits: family.hit_count,
        side,
        tier: family.tier.as_str(),
        weight_milli: family.weight_milli,
        is_dated: family.is_dated,
        ties: family.ties.iter().map(tie_word).collect(),
    }
}
