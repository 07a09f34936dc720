//! A report of `grounds review`, as far as it is looked at again. Its words are
//! explained in `schemas/review.json`.

#![expect(
    missing_docs,
    reason = "each field is explained in the schema of the report"
)]

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Reviewed {
    pub outcome: String,
    pub base: Side,
    pub head: Side,
    pub model: Option<String>,
    pub no_model: Option<String>,
    pub coverage: Coverage,
    pub files: Vec<File>,
    pub gate: Gate,
    pub findings: Vec<Finding>,
    pub dropped: Vec<Dropped>,
    pub suppressed: Vec<Suppressed>,
    pub resolved: Vec<Resolved>,
    pub rules: Rules,
    pub calls: Vec<Call>,
    pub gap: Vec<Gap>,
    pub follow_up: FollowUp,
    pub spend: Spend,
    pub bounds: Vec<Bound>,
    pub failures: Vec<Failure>,
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Side {
    pub kind: String,
    pub commit: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Coverage {
    pub changed: u64,
    pub reviewed: u64,
    pub rules_only: u64,
    pub clipped: u64,
    pub skipped: u64,
    pub failed: u64,
}

#[derive(Debug, Deserialize)]
pub struct File {
    pub path: String,
    pub change: String,
    pub skipped: Option<String>,
    pub lines: Vec<Lines>,
}

#[derive(Debug, Deserialize)]
pub struct Lines {
    pub line_start: Option<u32>,
    pub line_end: Option<u32>,
    pub added: u32,
    pub removed: u32,
    pub state: String,
    pub why: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Gate {
    pub min_quality: String,
    pub severity: String,
}

#[derive(Debug, Deserialize)]
pub struct Finding {
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
pub struct Dropped {
    pub path: String,
    pub line: Option<u32>,
    pub title: String,
    pub why: String,
}

#[derive(Debug, Deserialize)]
pub struct Suppressed {
    pub rule: Option<String>,
    pub path: String,
    pub line_start: Option<u32>,
    pub title: String,
    pub by: String,
    pub reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Resolved {
    pub path: String,
    pub title: String,
}

#[derive(Debug, Deserialize)]
pub struct Rules {
    pub rules: u64,
    pub files: u64,
    pub files_judged: u64,
    pub lines: u64,
    pub lines_judged: u64,
    pub not_judged: Vec<NotJudged>,
}

#[derive(Debug, Deserialize)]
pub struct NotJudged {
    pub path: String,
    pub rule: Option<String>,
    pub reason: String,
    pub lines: u64,
}

#[derive(Debug, Deserialize)]
pub struct Call {
    pub id: String,
    pub paths: Vec<String>,
    pub prompt_tokens: u64,
    pub was_stored: bool,
    pub findings: u64,
    pub tokens: u64,
}

#[derive(Debug, Deserialize)]
pub struct Gap {
    pub name: String,
    pub used_at: String,
    pub why: String,
}

#[derive(Debug, Deserialize)]
pub struct FollowUp {
    pub off: Option<String>,
    pub requests: Vec<Request>,
}

#[derive(Debug, Deserialize)]
pub struct Request {
    pub asked: String,
    pub reason: String,
    pub fate: String,
    pub why: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Spend {
    pub requests: u64,
    pub prompt_tokens: u64,
    pub output_tokens: u64,
    pub from_cache: u64,
    pub from_replay: u64,
    pub cost_nano_usd: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub struct Bound {
    pub name: String,
    pub value: u64,
    pub cut: String,
}

#[derive(Debug, Deserialize)]
pub struct Failure {
    pub part: String,
    pub what: String,
    pub advice: String,
}
