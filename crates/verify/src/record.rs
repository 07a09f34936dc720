//! The record of a round, in the form of the input of `grounds verify decide`: everything that the
//! rule read. Anyone who doubts a decision can repeat it, change one thing and see the effect.

use grounds_web::PageDate;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::claim;
use crate::history::{EvidenceHit, HitManner, HitPlace, SearchQuery, Seeks, Stance, VisitedPage};
use crate::proof::iso;
use crate::rounds::{Round, Verification};
use crate::rules::{DecisionRules, Policy, Undated};
use crate::task::SearchTask;

/// Returns the input for the decision after a round. `number` counts from 1.
pub fn decide_input(
    verification: &Verification,
    attempt: &Round,
    number: usize,
    attempts_max: u32,
    rules: &DecisionRules,
) -> Value {
    let (task, history) = (&verification.task, &verification.history);
    let moment = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
    let timeframe = task
        .timeframe
        .map(|time| json!({"start": moment(time.start), "end": moment(time.end)}));
    // After the last round no attempt is left, even if fewer were made than allowed.
    let made = if attempt.gap.is_none() {
        attempts_max
    } else {
        u32::try_from(number).unwrap_or(u32::MAX)
    };
    let weights = rules.weights;
    json!({
        "task": {
            "id": task.id, "claim": task.claim, "timeframe": timeframe, "context": task.context, "language": task.language, "origin": task.origin},
        "history": {
            "as_of": history.as_of.to_string(),
            "queries": history.queries[..attempt.queries].iter().map(query).collect::<Vec<_>>(),
            "pages": history.pages[..attempt.pages].iter().map(page).collect::<Vec<_>>(),
            "hits": history.hits[..attempt.hits].iter().map(hit).collect::<Vec<_>>()},
        "attempts": made,
        "max_attempts": attempts_max,
        "rules": {
            "policy": policy(rules.policy), "undated": undated(rules.undated), "threshold_milli": rules.threshold_milli,
            "families_min": families_min(rules), "opposing_max_milli": rules.opposing_max_milli,
            "tolerance_hours": rules.tolerance_hours, "bar_milli": bar(task, rules),
            "primary_milli": weights.primary_milli, "wire_milli": weights.wire_milli,
            "trade_milli": weights.trade_milli, "other_milli": weights.other_milli}})
}

/// Returns the number of families that the policy asks for: the format has one for both policies.
const fn families_min(rules: &DecisionRules) -> u32 {
    match rules.policy {
        Policy::SpecV1 => rules.families_min,
        Policy::CalibratedV2 => rules.calibration.families_min,
    }
}

/// Returns the bar of the claim's kind; `None` if the policy has no bar. The format has one bar for
/// all kinds, and a record is about one claim.
fn bar(task: &SearchTask, rules: &DecisionRules) -> Option<i64> {
    match rules.policy {
        Policy::SpecV1 => None,
        Policy::CalibratedV2 => Some(rules.calibration.bar(claim::read(&task.claim).kind)),
    }
}

fn query(query: &SearchQuery) -> Value {
    let seeks = match query.seeks {
        Seeks::Support => "support",
        Seeks::Refutation => "refutation",
        Seeks::Either => "either",
    };
    // The format has a count for every query: by the failure, `None` is read back.
    let failure = query
        .result_count
        .is_none()
        .then_some("it could not be asked");
    json!({"text": query.text, "provider": query.provider, "seeks": seeks, "result_count": query.result_count.unwrap_or(0), "failure": failure})
}

fn date(date: Option<PageDate>) -> Option<String> {
    date.map(iso)
}

fn page(page: &VisitedPage) -> Value {
    json!({
        "url": page.url, "status": page.status, "title": page.title, "pub_date": date(page.published), "modified": date(page.modified),
        "canonical": page.canonical, "publisher": page.publisher, "byline": page.byline, "cites": page.cites,
        "content_hash": page.content_hash, "text": page.text, "failure": page.failure})
}

fn hit(hit: &EvidenceHit) -> Value {
    let happened = hit.happened.map(|time| {
        let moment = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
        json!({"start": moment(time.start), "end": moment(time.end)})
    });
    json!({
        "url": *hit.url, "title": hit.title, "pub_date": date(hit.published),
        "stance": stance(hit.stance), "manner": manner(hit.manner),
        "happened": happened, "tier": hit.tier.as_str(), "place": place(hit.place), "excerpt": *hit.excerpt,
        "bytes": [hit.bytes.start, hit.bytes.end], "judge": hit.judge.to_string()})
}

const fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Support => "support",
        Stance::Refute => "refute",
        Stance::Neutral => "neutral",
    }
}

const fn manner(manner: HitManner) -> &'static str {
    match manner {
        HitManner::Statement => "statement",
        HitManner::Absence => "absence",
        HitManner::Foreclosed => "foreclosed",
        HitManner::Forecast => "forecast",
        HitManner::Satire => "satire",
        HitManner::FactCheck => "fact_check",
    }
}

const fn place(place: HitPlace) -> &'static str {
    match place {
        HitPlace::Page => "page",
        HitPlace::Snippet => "snippet",
        HitPlace::AnswerBox => "answer_box",
    }
}

const fn policy(policy: Policy) -> &'static str {
    match policy {
        Policy::SpecV1 => "spec_v1",
        Policy::CalibratedV2 => "calibrated_v2",
    }
}

const fn undated(undated: Undated) -> &'static str {
    match undated {
        Undated::WeightOnly => "weight_only",
        Undated::Counts => "counts",
    }
}
