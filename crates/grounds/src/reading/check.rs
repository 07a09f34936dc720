//! The parts of a report of `grounds check` that are read again. `schemas/check.json` explains
//! their words.

#![expect(
    missing_docs,
    reason = "each field is explained in the schema of the report"
)]

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct CheckedTexts {
    pub documents: Vec<String>,
    pub counts: CountsView,
    pub claims: Vec<ClaimView>,
    pub files_searched: u64,
    pub limits: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct CountsView {
    pub claims: u64,
    pub holds: u64,
    pub contradicted: u64,
    pub gone: u64,
    pub not_found: u64,
    pub unknown: u64,
}

#[derive(Debug, Deserialize)]
pub struct ClaimView {
    pub document: String,
    pub line: u32,
    pub text: String,
    pub verdict: String,
    pub message: String,
    pub suggestion: Option<String>,
    pub evidence: Vec<Shows>,
}

#[derive(Debug, Deserialize)]
pub struct Shows {
    pub path: String,
    pub line: Option<u32>,
    pub commit: Option<String>,
    pub date: Option<String>,
    pub text: String,
}
