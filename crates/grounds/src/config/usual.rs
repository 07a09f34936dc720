//! The default values, as a configuration: `grounds init` writes them, `config show` shows them.
//! They are taken from the types that the jobs use, so that each has one place.

use grounds_ask::QuestionBudget;
use grounds_verify::rounds::Limits;
use grounds_web::corpus::CorpusBounds;

use super::{
    AskConfig, Config, FleetConfig, LspConfig, McpConfig, ModelConfig, ReviewConfig, RulesConfig,
    StoreConfig, VerifyConfig,
};
use crate::cli::{AcceptClaim, TierName};

impl Config {
    /// Returns every value that has a default. Values that depend on the machine or on a person's
    /// choice are unset.
    pub fn usual() -> Self {
        Self {
            ask: ask(),
            rules: rules(),
            model: Some(model()),
            review: review(),
            verify: verify(),
            mcp: Some(McpConfig::usual()),
            lsp: Some(LspConfig::usual()),
            fleet: Some(FleetConfig::usual()),
            store: store(),
        }
    }
}

fn ask() -> AskConfig {
    // Taken apart by name: the compiler asks for a bound that is added.
    let QuestionBudget {
        steps_max,
        total_ms_max,
        citations_max,
        leads_max,
        excerpt_lines_max,
        limits,
        hypotheses_max,
        text_bytes_max,
    } = QuestionBudget::default();
    AskConfig {
        steps_max: Some(steps_max),
        total_ms_max: Some(total_ms_max),
        citations_max: Some(citations_max),
        leads_max: Some(leads_max),
        excerpt_lines_max: Some(excerpt_lines_max),
        file_bytes_max: Some(limits.file_bytes_max),
        parse_bytes_max: Some(limits.parse_bytes_max),
        related_bytes_max: Some(limits.related_bytes_max),
        ignored_bytes_max: Some(limits.ignored_bytes_max),
        pass_ms_max: Some(limits.pass_ms_max),
        depth_max: Some(limits.depth_max),
        // The default depends on the cores of the machine.
        threads: None,
        history_ms_max: Some(limits.history_ms_max),
        history_run_commits_max: Some(limits.history_run_commits_max),
        history_index_commits_max: Some(limits.history_index_commits_max),
        history_index_bytes_max: Some(limits.history_index_bytes_max),
        history_indexes_max: Some(limits.history_indexes_max),
        history_indexes_bytes_max: Some(limits.history_indexes_bytes_max),
        history_index_days_max: Some(limits.history_index_days_max),
        parses_bytes_max: Some(limits.parses_bytes_max),
        run: Some(false),
        run_without_sandbox: Some(false),
        run_ms_max: Some(limits.run_ms_max),
        run_memory_bytes_max: Some(limits.run_memory_bytes_max),
        run_processes_max: Some(limits.run_processes_max),
        run_output_bytes_max: Some(limits.run_output_bytes_max),
        run_disk_bytes_max: Some(limits.run_disk_bytes_max),
        run_files_max: Some(limits.run_files_max),
        ci_ms_max: Some(limits.ci_ms_max),
        ci_log_bytes_max: Some(limits.ci_log_bytes_max),
        index_bytes_max: Some(limits.index_bytes_max),
        hypotheses_max: Some(hypotheses_max),
        text_bytes_max: Some(text_bytes_max),
    }
}

fn verify() -> VerifyConfig {
    let usual = Limits::default();
    let corpus = CorpusBounds::default();
    VerifyConfig {
        attempts_max: Some(usual.attempts_max),
        queries_per_attempt_max: Some(usual.queries_per_attempt_max),
        results_per_query_max: Some(usual.results_per_query_max),
        pages_per_attempt_max: Some(usual.pages_per_attempt_max),
        pages_max: Some(usual.pages_max),
        parallel_max: Some(usual.parallel_max),
        judged_bytes_max: Some(usual.judged_bytes_max),
        total_ms_max: Some(usual.total_ms_max),
        corpus_tier: Some(TierName::Primary),
        wrong_max_percent: Some(grounds_verify::calibration::WRONG_MAX_PERCENT),
        accept_min: Some(AcceptClaim::Strong),
        corpus_files_max: Some(corpus.corpus_files_max),
        corpus_file_bytes_max: Some(corpus.corpus_file_bytes_max),
        corpus_bytes_max: Some(corpus.corpus_bytes_max),
        corpus_indexes_max: Some(corpus.corpus_indexes_max),
        corpus_indexes_bytes_max: Some(corpus.corpus_indexes_bytes_max),
        corpus_index_days_max: Some(corpus.corpus_index_days_max),
        entailment_certainty_milli: certainty(),
        ..VerifyConfig::default()
    }
}

#[cfg(feature = "model")]
const fn certainty() -> Option<u32> {
    Some(grounds_verify::judges::entailment::CERTAINTY_MILLI)
}

#[cfg(not(feature = "model"))]
const fn certainty() -> Option<u32> {
    None
}

#[cfg(feature = "review")]
fn rules() -> RulesConfig {
    let usual = grounds_review::RuleSet::built_in().limits;
    RulesConfig {
        file_bytes_max: Some(usual.file_bytes_max),
        file_ms_max: Some(usual.file_ms_max),
        line_bytes_max: Some(usual.line_bytes_max),
        findings_in_file_max: Some(usual.findings_in_file_max),
        findings_max: Some(usual.findings_max),
        documents_max: Some(usual.documents_max),
        documents_bytes_max: Some(usual.documents_bytes_max),
        stated_names_max: Some(usual.stated_names_max),
        mentions_bytes_max: Some(usual.mentions_bytes_max),
        stated_files_max: Some(usual.stated_files_max),
        stated_bytes_max: Some(usual.stated_bytes_max),
        ..RulesConfig::default()
    }
}

#[cfg(not(feature = "review"))]
fn rules() -> RulesConfig {
    RulesConfig::default()
}

#[cfg(feature = "review")]
fn review() -> ReviewConfig {
    use grounds_review::PlanLimits;
    use grounds_review::options::PromptOptions;
    let (usual, plan) = (PromptOptions::default(), PlanLimits::default());
    ReviewConfig {
        agent: super::AgentConfig {
            enabled: Some(usual.agent.enabled),
            max_follow_up_tokens: Some(usual.agent.max_follow_up_tokens),
            allow_follow_up: Some(usual.agent.allow_follow_up),
        },
        min_quality: quality(usual.gate.min_quality),
        severity: Some(severity(usual.gate.severity)),
        require_coverage: Some(usual.require_coverage),
        canary: Some(usual.canary),
        analyzers: Some(Vec::new()),
        answer_tokens_max: Some(usual.answer_tokens_max),
        parallel_max: Some(usual.parallel_max),
        diff_tokens_max: Some(plan.diff_tokens_max),
        context_tokens_max: Some(plan.context_tokens_max),
        bundles_max: Some(plan.bundles_max),
        owners_bytes_max: Some(plan.owners.owners_bytes_max),
        owners_rules_max: Some(plan.owners.owners_rules_max),
    }
}

#[cfg(feature = "review")]
const fn quality(quality: grounds_evidence::Quality) -> Option<super::QualityName> {
    use grounds_evidence::Quality;
    match quality {
        Quality::None => None,
        Quality::Weak => Some(super::QualityName::Weak),
        Quality::Moderate => Some(super::QualityName::Moderate),
        Quality::Strong => Some(super::QualityName::Strong),
        Quality::Verified => Some(super::QualityName::Verified),
    }
}

#[cfg(feature = "review")]
const fn severity(severity: grounds_review::Severity) -> super::SeverityName {
    use grounds_review::Severity;
    match severity {
        Severity::Info => super::SeverityName::Info,
        Severity::Minor => super::SeverityName::Minor,
        Severity::Major => super::SeverityName::Major,
        Severity::Critical => super::SeverityName::Critical,
    }
}

#[cfg(not(feature = "review"))]
fn review() -> ReviewConfig {
    ReviewConfig::default()
}

#[cfg(feature = "store")]
fn store() -> StoreConfig {
    let usual = crate::store::StoreBounds::default();
    StoreConfig {
        enabled: Some(true),
        runs_max: Some(usual.runs_max),
        bytes_max: Some(usual.bytes_max),
        age_days_max: Some(usual.age_days_max),
    }
}

#[cfg(not(feature = "store"))]
fn store() -> StoreConfig {
    StoreConfig::default()
}

#[cfg(feature = "model")]
fn model() -> ModelConfig {
    use grounds_model::budget::Caps;
    use grounds_model::pace::Rates;
    use grounds_model::settings::{CONTEXT_TOKENS, Patience};
    let (patience, rates, caps) = (Patience::default(), Rates::default(), Caps::default());
    ModelConfig {
        names: Some(true),
        ask_ms_max: Some(crate::model::ASK_MS_MAX),
        max_tokens_total: caps.max_tokens_total,
        max_requests: caps.max_requests,
        requests_per_minute: rates.requests_per_minute,
        tokens_per_minute: rates.tokens_per_minute,
        parallel_max: Some(rates.parallel_max),
        request_ms_max: Some(patience.request_ms_max),
        total_ms_max: Some(patience.total_ms_max),
        attempts_max: Some(patience.attempts_max),
        context_tokens: Some(CONTEXT_TOKENS),
        ..ModelConfig::default()
    }
}

#[cfg(not(feature = "model"))]
fn model() -> ModelConfig {
    ModelConfig::default()
}
