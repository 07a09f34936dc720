//! The parts of a report of `grounds review` that are read again. `schemas/review.json` explains
//! their words.

#![expect(
    missing_docs,
    reason = "each field is explained in the schema of the report"
)]

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct ReviewView {
    pub outcome: String,
    pub base: SideView,
    pub head: SideView,
    pub model: Option<String>,
    pub no_model: Option<String>,
    pub coverage: CoverageView,
    pub files: Vec<FileView>,
    pub gate: GateView,
    pub findings: Vec<FindingView>,
    pub dropped: Vec<DroppedView>,
    pub suppressed: Vec<SuppressedView>,
    pub resolved: Vec<ResolvedView>,
    pub rules: RulesView,
    pub calls: Vec<CallView>,
    pub gap: Vec<GapView>,
    pub follow_up: FollowUp,
    pub spend: SpendView,
    pub bounds: Vec<BoundView>,
    pub failures: Vec<FailureView>,
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct SideView {
    pub kind: String,
    pub commit: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct CoverageView {
    pub changed: u64,
    pub reviewed: u64,
    pub rules_only: u64,
    pub clipped: u64,
    pub skipped: u64,
    pub failed: u64,
}

#[derive(Debug, Deserialize)]
pub struct FileView {
    pub path: String,
    pub change: String,
    pub skipped: Option<String>,
    pub lines: Vec<LinesView>,
}

#[derive(Debug, Deserialize)]
pub struct LinesView {
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub added: u32,
    pub removed: u32,
    pub state: String,
    pub why: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct GateView {
    pub min_quality: String,
    pub severity: String,
}

#[derive(Debug, Deserialize)]
pub struct FindingView {
    pub id: String,
    pub path: String,
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub severity: String,
    pub quality: String,
    pub title: String,
    pub message: String,
    pub quote: Option<String>,
    pub symbol: String,
    pub producers: Vec<Producer>,
    pub baseline: String,
    pub dismissed: Option<String>,
    pub standing: String,
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Producer {
    pub kind: String,
    pub name: String,
}

#[derive(Debug, Deserialize)]
pub struct DroppedView {
    pub path: String,
    pub line: Option<u32>,
    pub title: String,
    pub why: String,
}

#[derive(Debug, Deserialize)]
pub struct SuppressedView {
    pub rule: Option<String>,
    pub path: String,
    pub line_start: Option<u32>,
    pub title: String,
    pub by: String,
    pub reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct ResolvedView {
    pub path: String,
    pub title: String,
}

#[derive(Debug, Deserialize)]
pub struct RulesView {
    pub rules: u64,
    pub files: u64,
    pub files_judged: u64,
    pub lines: u64,
    pub lines_judged: u64,
    pub not_judged: Vec<NotJudgedView>,
}

#[derive(Debug, Deserialize)]
pub struct NotJudgedView {
    pub path: String,
    pub rule: Option<String>,
    pub reason: String,
    pub lines: u64,
}

#[derive(Debug, Deserialize)]
pub struct CallView {
    pub id: String,
    pub paths: Vec<String>,
    pub prompt_tokens: u64,
    pub was_stored: bool,
    pub findings: u64,
    pub tokens: u64,
}

#[derive(Debug, Deserialize)]
pub struct GapView {
    pub name: String,
    pub used_at: String,
    pub why: String,
}

#[derive(Debug, Deserialize)]
pub struct FollowUp {
    pub off: Option<String>,
    pub requests: Vec<RequestView>,
}

#[derive(Debug, Deserialize)]
pub struct RequestView {
    pub asked: String,
    pub reason: String,
    pub fate: String,
    pub why: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct SpendView {
    pub requests: u64,
    pub prompt_tokens: u64,
    pub output_tokens: u64,
    pub from_cache: u64,
    pub from_replay: u64,
    pub cost_nano_usd: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub struct BoundView {
    pub name: String,
    pub value: u64,
    pub cut: String,
}

#[derive(Debug, Deserialize)]
pub struct FailureView {
    pub part: String,
    pub what: String,
    pub advice: String,
}
