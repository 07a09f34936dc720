//! `grounds ask --format json`: the types that leave the program.

use std::io::{self, Write};

use grounds_ask::{Decision, Investigation, Understood, plain_claim};
use grounds_claims::ClaimForm;
use grounds_evidence::scorecard::Scorecard;
use grounds_evidence::{ObservationSource, Outcome};
use schemars::JsonSchema;
use serde::Serialize;

use super::hypotheses::HypothesesReport;
use super::index::IndexReport;
use super::prose::ProseReport;
use super::ranking::RankingReport;
use super::scorecard::ScorecardReport;
use crate::safe;

/// The name and version of the schema.
const SCHEMA: &str = "grounds.ask/1";

/// The result of `grounds ask`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.ask/1")]
pub struct AskReport {
    /// The name and version of the schema: `grounds.ask/1`.
    schema: &'static str,
    /// The question as asked; for a text that was ranked, its first line.
    question: String,
    /// The claims that the question was understood as; null if it was understood as its goal alone.
    understood: Option<UnderstoodReport>,
    /// What was understood.
    goal: GoalReport,
    /// How the run ended.
    outcome: OutcomeReport,
    /// What a question of yes or no comes to, for the exit code; null if it is no such question or was not answered.
    decision: Option<DecisionReport>,
    /// For an insufficient outcome, what it shows.
    refusal: Option<RefusalReport>,
    /// How sure the evidence makes us, derived from it.
    confidence: ConfidenceReport,
    /// The answer in Markdown; null without an answer.
    answer: Option<String>,
    /// The answer part by part, each with the places that it rests on; the citations of all parts in this order are `citations`.
    sections: Vec<SectionReport>,
    /// What the answer rests on, best first, word for word.
    citations: Vec<CitationReport>,
    /// Ranked places: of the answer or, without one, where to look.
    leads: Vec<LeadReport>,
    /// Names that exist and are close to what was asked for. Never evidence.
    did_you_mean: Vec<SuggestionReport>,
    /// The requirements that are not met.
    gap: Vec<LackReport>,
    /// Everything that was seen, as rated by the match table.
    evidence: Vec<EntryReport>,
    /// What was read and what was not.
    scope: ScopeReport,
    /// The calls of tools, in order.
    steps: Vec<StepReport>,
    /// What the run cost.
    metrics: Metrics,
    /// A second lens of numbers, which decides nothing; null if it was not asked for.
    scorecard: Option<ScorecardReport>,
    /// Ways to recover that were tried because the gap stayed open, in order. A metric, never evidence.
    recovery: Vec<AttemptReport>,
    /// What is said to talk that asks nothing of a codebase; null elsewhere.
    says: Option<String>,
    /// What a compiler's index said; null if none was asked.
    index: Option<IndexReport>,
    /// What was found where only what the text cannot give is lacking: a run, or the kind of the project. Findings, not an answer.
    findings: Vec<FindingReport>,
    /// The answer in sentences of a language model, each checked against its citations; null if none was asked. It decides nothing.
    prose: Option<ProseReport>,
    /// Names that a model proposed where the question's own words gave no answer, and where they led; null if none was asked.
    hypotheses: Option<HypothesesReport>,
    /// Where a text points, which is no proof; null if a question was asked.
    ranking: Option<RankingReport>,
    /// What came of each of several that were asked together, in their order; not there if one was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    each: Vec<Self>,
}

/// Claims, with the words that none of them has.
#[derive(Debug, Serialize, JsonSchema)]
struct UnderstoodReport {
    /// The claims in their text form: `calls(_, "Context.Next")`.
    text: Vec<String>,
    /// The same claims as data.
    claims: Vec<ClaimForm>,
    /// Words of the question that no claim has. Where there are some, nothing is answered.
    not_understood: Vec<String>,
    /// Whether the statement holds; null if values are asked for, or nothing could be decided.
    holds: Option<bool>,
}

impl UnderstoodReport {
    fn of(investigation: &Investigation) -> Option<Self> {
        // A plain question has no claim of its own; it is shown as one, so that an agent sees how
        // it was understood.
        let plain = || {
            let claim = plain_claim(&investigation.question)?;
            Some(Understood {
                claims: vec![claim],
                ..Understood::default()
            })
        };
        let understood = investigation.understood.clone().or_else(plain)?;
        Some(Self {
            text: understood.claims.iter().map(ToString::to_string).collect(),
            claims: understood.claims.iter().map(ClaimForm::from).collect(),
            not_understood: understood.unread,
            holds: understood.holds,
        })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct GoalReport {
    /// Locate, Navigate, Explain, Compare, Review, Diagnose, Status, Execute, Modify or Chat.
    intent: &'static str,
    targets: Vec<TargetReport>,
    /// Folders and roles of files that the question names.
    within: Vec<String>,
    /// Words of the question with a content of their own that are not looked for.
    left_aside: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TargetReport {
    text: String,
    /// identifier, symbol_path, path, phrase, quoted, commit or message.
    kind: &'static str,
    /// definition, uses or occurrence.
    wanted: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OutcomeReport {
    Answered,
    Insufficient,
    Conflicting,
    NotCheckable,
    Failed,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DecisionReport {
    /// It builds, the tests pass, CI passed, or whatever was asked is so.
    Yes,
    /// It is not so. The exit code is 6.
    No,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RefusalReport {
    /// The whole tree was read and nothing that could matter was skipped.
    NotFound,
    /// The target occurs, not in the relation that was asked for.
    FoundButNotThat,
    /// Something that could matter was not read, or no tool can acquire what is missing.
    CannotTell,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ConfidenceReport {
    /// None, Low, Medium, High or Complete.
    level: &'static str,
    /// None, Weak, Moderate, Strong or Verified: the least over the requirements.
    quality: &'static str,
    coverage: CoverageReport,
    agreement: String,
    explanation: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CoverageReport {
    met: usize,
    required: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SectionReport {
    /// What the part is about; empty for the first.
    title: String,
    /// Sentences in Markdown.
    text: String,
    /// Indices into `citations`.
    citations: Vec<usize>,
    /// Places that were counted and are not cited.
    more: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FindingReport {
    /// What the part is about; empty for the first.
    title: String,
    /// Sentences in Markdown.
    text: String,
    /// The places that it rests on, word for word.
    places: Vec<CitationReport>,
    /// Places that were counted and are not listed.
    more: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CitationReport {
    /// file, commit, run or log.
    resource: &'static str,
    /// The path in the repository, the hash of a commit, the command of a run or the address of a log.
    path: String,
    /// The first line, counted from 1; 0 for a resource as a whole.
    line_start: u32,
    line_end: u32,
    /// The lines word for word; bytes that are not UTF-8 stand as U+FFFD.
    text: String,
    /// Whether the item goes on after the text.
    cut: bool,
    /// What stands there, in words.
    what: String,
    /// Indices into `evidence`.
    evidence: Vec<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LeadReport {
    path: String,
    line_start: u32,
    line_end: u32,
    why: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SuggestionReport {
    target: String,
    name: String,
    path: String,
    line: u32,
    count: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LackReport {
    class: &'static str,
    target: String,
    have: &'static str,
    need: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EntryReport {
    class: &'static str,
    tool: &'static str,
    /// Producers of one family never corroborate each other.
    family: &'static str,
    query: String,
    target: String,
    r#match: &'static str,
    /// What the places are to the target.
    relation: &'static str,
    quality: &'static str,
    strength: &'static str,
    match_count: u64,
    exact_match_count: u64,
    phrase_match: bool,
    /// The best places; the list may be cut, the counts are not.
    sources: Vec<SourceReport>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SourceReport {
    path: String,
    line_start: u32,
    line_end: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ScopeReport {
    files_searched: u64,
    bytes_searched: u64,
    /// Whether nothing that could have held the answer was skipped.
    complete: bool,
    skipped: Vec<SkippedReport>,
    /// The commit that is checked out.
    commit: Option<String>,
    /// Whether tracked files differ from it; null if that could not be asked safely.
    dirty: Option<bool>,
    /// The texts that were looked for.
    forms: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SkippedReport {
    reason: &'static str,
    count: u64,
    examples: Vec<String>,
    could_matter: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StepReport {
    tool: &'static str,
    target: String,
    /// Why the tool gave no evidence: what was tried, why that failed and what to do next.
    error: Option<String>,
    /// What kept it from looking, by a name that stays the same (`grounds explain NAME`).
    code: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Metrics {
    steps: usize,
    recovery_attempts: usize,
    /// Requirements that recovery closed.
    recovery_closed: usize,
    files_searched: u64,
    /// Bounds that were reached, by their names in the configuration.
    bounds_reached: Vec<&'static str>,
    elapsed_ms: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AttemptReport {
    /// aliases, implementation, stems or hidden_and_ignored.
    way: &'static str,
    /// Places that it found.
    found: u64,
    /// Requirements that it closed.
    closed: usize,
}

impl AttemptReport {
    const fn of(attempt: &grounds_ask::investigate::RecoveryAttempt) -> Self {
        Self {
            way: attempt.way,
            found: attempt.found,
            closed: attempt.closed,
        }
    }
}

/// Writes the report as one JSON object.
pub(super) fn write(
    investigation: &Investigation,
    card: Option<&Scorecard>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let json = serde_json::to_string_pretty(&AskReport::of(investigation, card))
        .map_err(io::Error::from)?;
    writeln!(out, "{}", safe::for_json(&json))
}

impl AskReport {
    /// Returns the report of an investigation.
    pub fn of(investigation: &Investigation, card: Option<&Scorecard>) -> Self {
        Self {
            schema: SCHEMA,
            question: investigation.question.text.clone(),
            understood: UnderstoodReport::of(investigation),
            goal: GoalReport::of(investigation),
            outcome: OutcomeReport::of(investigation.outcome),
            decision: investigation.decided().map(DecisionReport::of),
            refusal: RefusalReport::of(investigation.outcome),
            confidence: ConfidenceReport::of(investigation),
            answer: investigation
                .answer
                .as_ref()
                .map(grounds_ask::answer::Answer::markdown),
            sections: sections(investigation),
            citations: citations(investigation),
            leads: leads(investigation),
            did_you_mean: suggestions(investigation),
            gap: gap(investigation),
            evidence: evidence(investigation),
            scope: ScopeReport::of(investigation),
            steps: steps(investigation),
            metrics: Metrics::of(investigation),
            scorecard: card.map(ScorecardReport::of),
            recovery: investigation
                .recovery
                .iter()
                .map(AttemptReport::of)
                .collect(),
            says: investigation.says.clone(),
            index: IndexReport::of(investigation),
            findings: findings(investigation),
            prose: investigation.prose.as_ref().map(ProseReport::of),
            hypotheses: investigation.hypotheses.as_ref().map(HypothesesReport::of),
            ranking: RankingReport::of(investigation),
            each: investigation
                .each
                .iter()
                .map(|one| Self::of(one, None))
                .collect(),
        }
    }

    /// Returns the schema of the report.
    pub fn schema() -> schemars::Schema {
        schemars::schema_for!(Self)
    }
}

impl GoalReport {
    fn of(investigation: &Investigation) -> Self {
        let question = &investigation.question;
        let target = |target: &grounds_evidence::QuestionTarget| TargetReport {
            text: target.text.clone(),
            kind: target.kind.as_str(),
            wanted: target.wanted.as_str(),
        };
        let roles = question
            .within
            .roles
            .iter()
            .map(|role| role.as_str().to_owned());
        Self {
            intent: question.goal.intent.as_str(),
            targets: question.goal.targets.iter().map(target).collect(),
            within: question
                .within
                .folders
                .iter()
                .cloned()
                .chain(roles)
                .collect(),
            left_aside: question.left_aside.clone(),
        }
    }
}

impl OutcomeReport {
    const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Answered => Self::Answered,
            Outcome::Insufficient(_) => Self::Insufficient,
            Outcome::Conflicting => Self::Conflicting,
            Outcome::NotCheckable => Self::NotCheckable,
            Outcome::Failed => Self::Failed,
        }
    }
}

impl DecisionReport {
    const fn of(decision: Decision) -> Self {
        match decision {
            Decision::Yes => Self::Yes,
            Decision::No => Self::No,
        }
    }
}

impl RefusalReport {
    const fn of(outcome: Outcome) -> Option<Self> {
        use grounds_evidence::RefusalKind as Kind;
        match outcome {
            Outcome::Insufficient(Kind::NotFound) => Some(Self::NotFound),
            Outcome::Insufficient(Kind::FoundButNotThat) => Some(Self::FoundButNotThat),
            Outcome::Insufficient(Kind::CannotTell) => Some(Self::CannotTell),
            Outcome::Answered | Outcome::Conflicting | Outcome::NotCheckable | Outcome::Failed => {
                None
            }
        }
    }
}

impl ConfidenceReport {
    fn of(investigation: &Investigation) -> Self {
        let confidence = &investigation.confidence;
        Self {
            level: confidence.level.as_str(),
            quality: confidence.quality.as_str(),
            coverage: CoverageReport {
                met: confidence.coverage.met,
                required: confidence.coverage.required,
            },
            agreement: confidence.agreement.to_string(),
            explanation: confidence.explanation.clone(),
        }
    }
}

fn sections(investigation: &Investigation) -> Vec<SectionReport> {
    let mut next = 0;
    let report = |section: &grounds_ask::answer::AnswerSection| {
        // The list of citations has those of all parts one after the other, so a part knows only
        // where its own begin.
        let first = next;
        next += section.citations.len();
        SectionReport {
            title: section.title.clone(),
            text: section.text.clone(),
            citations: (first..next).collect(),
            more: section.more,
        }
    };
    investigation
        .answer
        .iter()
        .flat_map(|answer| answer.sections())
        .map(report)
        .collect()
}

fn citations(investigation: &Investigation) -> Vec<CitationReport> {
    investigation
        .answer
        .iter()
        .flat_map(|answer| answer.citations())
        .map(CitationReport::of)
        .collect()
}

fn findings(investigation: &Investigation) -> Vec<FindingReport> {
    let report = |section: &grounds_ask::answer::AnswerSection| FindingReport {
        title: section.title.clone(),
        text: section.text.clone(),
        places: section.citations.iter().map(CitationReport::of).collect(),
        more: section.more,
    };
    investigation.findings.iter().map(report).collect()
}

impl CitationReport {
    fn of(citation: &grounds_ask::answer::AnswerCitation) -> Self {
        let excerpt = citation.excerpt();
        Self {
            resource: citation.resource.as_str(),
            path: citation.path.clone(),
            line_start: excerpt.map_or(0, |excerpt| excerpt.line_start),
            line_end: excerpt.map_or(0, |excerpt| excerpt.line_end),
            text: excerpt.map_or_else(String::new, |excerpt| excerpt.text.clone()),
            cut: excerpt.is_some_and(|excerpt| excerpt.cut),
            what: citation.what.clone(),
            evidence: citation.evidence.iter().map(|id| id.0).collect(),
        }
    }
}

fn leads(investigation: &Investigation) -> Vec<LeadReport> {
    // Leads are places to look at, whether or not they answer: a caller that only wants places
    // reads one list.
    let of_answer = investigation
        .answer
        .iter()
        .flat_map(|answer| answer.citations())
        .map(|citation| LeadReport {
            path: citation.path.clone(),
            line_start: citation.line_start(),
            line_end: citation.line_end(),
            why: citation.what.clone(),
        });
    let of_refusal = investigation.leads.places.iter().map(|lead| LeadReport {
        path: lead.path.clone(),
        line_start: lead.line_start,
        line_end: lead.line_end,
        why: lead.why.clone(),
    });
    of_answer.chain(of_refusal).collect()
}

fn suggestions(investigation: &Investigation) -> Vec<SuggestionReport> {
    let near = investigation.leads.did_you_mean.iter();
    near.map(|(target, near)| SuggestionReport {
        target: target.clone(),
        name: near.name.clone(),
        path: near.path.as_str().to_owned(),
        line: near.line,
        count: near.count,
    })
    .collect()
}

fn gap(investigation: &Investigation) -> Vec<LackReport> {
    let lacks = investigation.gap.lacks.iter();
    lacks
        .map(|lack| LackReport {
            class: lack.class.as_str(),
            target: lack.target.clone(),
            have: lack.have.as_str(),
            need: lack.need.as_str(),
        })
        .collect()
}

fn evidence(investigation: &Investigation) -> Vec<EntryReport> {
    let source = |source: &ObservationSource| SourceReport {
        path: source.path.clone(),
        line_start: source.line_start,
        line_end: source.line_end,
    };
    let entry = |entry: &grounds_evidence::LedgerEntry| {
        let seen = &entry.observation;
        EntryReport {
            class: seen.class.as_str(),
            tool: seen.tool,
            family: seen.family.as_str(),
            query: seen.query.clone(),
            target: seen.target.clone(),
            r#match: seen.found.as_str(),
            relation: seen.relation.as_str(),
            quality: entry.rating().as_str(),
            strength: entry.strength().as_str(),
            match_count: seen.match_count,
            exact_match_count: seen.exact_match_count,
            phrase_match: seen.phrase_match,
            sources: seen.sources.iter().map(source).collect(),
        }
    };
    // In the order of the ledger: citations name an entry by its place in this list.
    investigation.ledger.entries().iter().map(entry).collect()
}

fn steps(investigation: &Investigation) -> Vec<StepReport> {
    let report = |step: &grounds_ask::investigate::ToolCall| StepReport {
        tool: step.tool,
        target: step.target.clone(),
        error: step.error.as_ref().map(ToString::to_string),
        code: step.error.as_ref().map(|error| error.obstacle.as_str()),
    };
    investigation.steps.iter().map(report).collect()
}

impl ScopeReport {
    fn of(investigation: &Investigation) -> Self {
        let scope = &investigation.scope;
        let skipped = scope.skipped.iter().map(|(reason, skipped)| SkippedReport {
            reason: reason.as_str(),
            count: skipped.count,
            examples: skipped.examples.clone(),
            could_matter: reason.could_matter(),
        });
        Self {
            files_searched: scope.files_searched,
            bytes_searched: scope.bytes_searched,
            complete: scope.is_complete(),
            skipped: skipped.collect(),
            commit: investigation.tree.commit.clone(),
            dirty: investigation.tree.dirty,
            forms: investigation.forms.clone(),
        }
    }
}

impl Metrics {
    fn of(investigation: &Investigation) -> Self {
        Self {
            steps: investigation.steps.len(),
            recovery_attempts: investigation.recovery.len(),
            recovery_closed: investigation
                .recovery
                .iter()
                .map(|attempt| attempt.closed)
                .sum(),
            files_searched: investigation.scope.files_searched,
            bounds_reached: investigation.bounds.clone(),
            elapsed_ms: u64::try_from(investigation.elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }
}
