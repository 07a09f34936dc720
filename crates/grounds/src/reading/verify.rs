//! The parts of a report of `grounds verify` that are read again. `schemas/verify.json` explains
//! their words.

#![expect(
    missing_docs,
    reason = "each field is explained in the schema of the report"
)]

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Verified {
    pub outcome: String,
    pub proof: String,
    pub sources: Vec<Source>,
    pub debug: Debug,
    pub claim: String,
    pub as_of: String,
    pub timeframe: Option<Timeframe>,
    pub reason: Option<String>,
    pub not_checkable: Option<String>,
    pub evidence: Vec<Hit>,
    pub queries: Vec<QueryView>,
    pub pages: Vec<PageView>,
    pub reached: Vec<String>,
    pub failures: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Source {
    pub url: String,
    pub title: String,
    pub pub_date: Option<String>,
    pub excerpt: String,
}

#[derive(Debug, Deserialize)]
pub struct Debug {
    pub total_queries: u64,
    pub total_pages_visited: u64,
    pub attempts: u64,
    pub policy: String,
    pub queries_failed: u64,
    pub pages_failed: u64,
    pub proof_dropped: u64,
    pub proof_error: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Timeframe {
    pub start: Option<String>,
    pub end: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Hit {
    pub url: String,
    pub pub_date: Option<String>,
    pub side: Option<String>,
    pub tier: String,
    pub weight_milli: u64,
    pub is_counted: bool,
    pub why_not: Option<String>,
    pub family: Option<u32>,
    pub excerpt: String,
    pub start: usize,
    pub end: usize,
    pub judge: String,
}

#[derive(Debug, Deserialize)]
pub struct QueryView {
    pub text: String,
    pub provider: String,
    pub seeks: String,
    pub results: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub struct PageView {
    pub url: String,
    pub status: Option<u16>,
    pub pub_date: Option<String>,
    pub failure: Option<String>,
}
