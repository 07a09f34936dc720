//! The parts of a report of `grounds ask` that are read again. `schemas/ask.json` explains their
//! words.

#![expect(
    missing_docs,
    reason = "each field is explained in the schema of the report"
)]

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct AskView {
    pub question: String,
    pub goal: Goal,
    pub outcome: String,
    /// `None` in a report of an older version, too.
    #[serde(default)]
    pub decision: Option<String>,
    pub refusal: Option<String>,
    pub confidence: ConfidenceView,
    pub sections: Vec<SectionView>,
    pub citations: Vec<CitationView>,
    pub leads: Vec<Lead>,
    pub did_you_mean: Vec<Suggestion>,
    pub evidence: Vec<EntryView>,
    pub scope: ScopeView,
    pub steps: Vec<StepView>,
    pub metrics: MetricsView,
    pub recovery: Vec<AttemptView>,
    pub says: Option<String>,
    pub findings: Vec<PlaceView>,
    pub prose: Option<Prose>,
    pub hypotheses: Option<Hypotheses>,
    pub ranking: Option<RankingView>,
    /// The report of each of several; empty in a report of one.
    #[serde(default)]
    pub each: Vec<Self>,
    /// Excerpts that come before its own on a page of several.
    #[serde(skip)]
    pub excerpts_before: usize,
}

impl AskView {
    /// Numbers the excerpts of several in one row, so that each number is one excerpt of the page.
    pub fn number_excerpts(&mut self) {
        let mut before = 0;
        for one in &mut self.each {
            one.excerpts_before = before;
            // Excerpts of findings are numbered as well, after those of the answer.
            let found = one.findings.iter().map(|finding| finding.places.len());
            before += one.citations.len() + found.sum::<usize>();
        }
    }
}

#[derive(Debug, Deserialize)]
pub struct Goal {
    pub intent: String,
    pub targets: Vec<TargetView>,
    pub within: Vec<String>,
    pub left_aside: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct TargetView {
    pub text: String,
    pub kind: String,
    pub wanted: String,
}

#[derive(Debug, Deserialize)]
pub struct ConfidenceView {
    pub level: String,
    pub agreement: String,
    pub explanation: String,
}

#[derive(Debug, Deserialize)]
pub struct SectionView {
    pub title: String,
    pub text: String,
    pub citations: Vec<usize>,
    pub more: u64,
}

#[derive(Debug, Deserialize)]
pub struct PlaceView {
    pub title: String,
    pub text: String,
    pub places: Vec<CitationView>,
    pub more: u64,
}

#[derive(Debug, Deserialize)]
pub struct CitationView {
    pub resource: String,
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub text: String,
    pub cut: bool,
    pub what: String,
    pub evidence: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub struct Lead {
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    pub why: String,
}

#[derive(Debug, Deserialize)]
pub struct Suggestion {
    pub name: String,
    pub path: String,
    pub line: u32,
    pub count: u64,
}

#[derive(Debug, Deserialize)]
pub struct EntryView {
    pub class: String,
    pub tool: String,
    pub family: String,
    pub query: String,
    pub target: String,
    pub r#match: String,
    pub relation: String,
    pub quality: String,
    pub strength: String,
    pub match_count: u64,
    pub sources: Vec<SourceView>,
}

#[derive(Debug, Deserialize)]
pub struct SourceView {
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
}

#[derive(Debug, Deserialize)]
pub struct ScopeView {
    pub files_searched: u64,
    pub bytes_searched: u64,
    pub complete: bool,
    pub skipped: Vec<SkippedView>,
    pub forms: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct SkippedView {
    pub reason: String,
    pub count: u64,
    pub examples: Vec<String>,
    pub could_matter: bool,
}

#[derive(Debug, Deserialize)]
pub struct StepView {
    pub tool: String,
    pub target: String,
    pub error: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct MetricsView {
    pub steps: u64,
    pub bounds_reached: Vec<String>,
    pub elapsed_ms: u64,
}

#[derive(Debug, Deserialize)]
pub struct AttemptView {
    pub way: String,
    pub found: u64,
    pub closed: u64,
}

#[derive(Debug, Deserialize)]
pub struct Prose {
    pub sentences: Vec<SentenceView>,
    pub dropped: u64,
    pub error: Option<String>,
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct SentenceView {
    pub text: String,
    pub citations: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub struct Hypotheses {
    pub names: Vec<NameView>,
    pub error: Option<String>,
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct NameView {
    pub name: String,
    pub places: Vec<SourceView>,
}

#[derive(Debug, Deserialize)]
pub struct RankingView {
    pub files: Vec<RankedFile>,
}

#[derive(Debug, Deserialize)]
pub struct RankedFile {
    pub path: String,
    pub role: String,
    pub why: Vec<String>,
    pub spans: Vec<SpanView>,
}

#[derive(Debug, Deserialize)]
pub struct SpanView {
    pub name: String,
    pub line_start: u32,
    pub line_end: u32,
}
