//! The section `verify`: the bounds of checking one claim, the tiers that a project knows better
//! than the table, and the services to ask. Only the person's own configuration may name services:
//! it decides where claims are sent.

use std::collections::BTreeMap;

use grounds_verify::rounds::Limits;
use grounds_web::corpus::CorpusBounds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;
use crate::cli::{AcceptClaim, BoundName, JudgeKind, TierName};

/// Bounds and sources of `grounds verify`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VerifyConfig {
    /// Rounds of search for one claim.
    #[schemars(range(min = 1, max = 20))]
    #[serde(deserialize_with = "from_one_to::<_, _, 20>")]
    pub attempts_max: Option<u32>,
    /// Queries of one round; one that seeks refutation is always among those of the first.
    #[schemars(range(min = 1, max = 20))]
    #[serde(deserialize_with = "from_one_to::<_, _, 20>")]
    pub queries_per_attempt_max: Option<usize>,
    /// Addresses that are taken of one query.
    #[schemars(range(min = 1, max = 100))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100>")]
    pub results_per_query_max: Option<usize>,
    /// Pages of one round.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub pages_per_attempt_max: Option<usize>,
    /// Pages of all rounds.
    #[schemars(range(min = 1, max = 10_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 10_000>")]
    pub pages_max: Option<usize>,
    /// Pages that are fetched and judged at one time.
    #[schemars(range(min = 1, max = 64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 64>")]
    pub parallel_max: Option<usize>,
    /// Bytes of a page's text that are judged.
    pub judged_bytes_max: Option<usize>,
    /// Milliseconds of all rounds of one claim.
    pub total_ms_max: Option<u64>,
    /// What kind of source a document of `--corpus` is that does not say where it comes from.
    pub corpus_tier: Option<TierName>,
    /// The least that a run may take for enough, whoever asks for less (`--accept`, a client of the MCP server). Of two
    /// configurations the stricter counts.
    pub accept_min: Option<AcceptClaim>,
    /// The share of wrong verdicts that the policy `calibrated_v2` is held to, in percent.
    #[schemars(range(min = 1, max = 50))]
    #[serde(deserialize_with = "from_one_to::<_, _, 50>")]
    pub wrong_max_percent: Option<u32>,
    /// Bounds that may leave something unread without withholding True and False (`--accept-bound`).
    pub accept_bounds: Vec<BoundName>,
    /// Documents of a folder that are read.
    pub corpus_files_max: Option<usize>,
    /// Bytes of one document of a folder; a larger one is not read.
    pub corpus_file_bytes_max: Option<u64>,
    /// Bytes of all documents of a folder together.
    pub corpus_bytes_max: Option<u64>,
    /// Indexes of folders that are kept for later runs.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub corpus_indexes_max: Option<usize>,
    /// Bytes of all kept indexes.
    pub corpus_indexes_bytes_max: Option<u64>,
    /// Days after its last use that an index is kept.
    pub corpus_index_days_max: Option<u64>,
    /// What kind of source a domain is, before the table that ships with the program.
    pub tiers: BTreeMap<String, TierName>,
    /// The search engine: serper, brave or searxng. In the person's own configuration only.
    pub provider: Option<String>,
    /// Those that may judge what a page says, of those that are set up; without it all of them. In the
    /// person's own configuration only.
    pub judges: Option<Vec<JudgeKind>>,
    /// The address of an entailment model. In the person's own configuration only.
    pub entailment_url: Option<String>,
    /// Thousandths of certainty from which on the entailment model speaks.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub entailment_certainty_milli: Option<u32>,
}

impl VerifyConfig {
    /// Returns a key that says where claims are sent and who judges them, if one is set.
    pub(super) fn key_of_places(&self) -> Option<&'static str> {
        let keys = [
            ("provider", self.provider.is_some()),
            ("judges", self.judges.is_some()),
            ("entailment_url", self.entailment_url.is_some()),
        ];
        keys.into_iter()
            .find(|(_, is_set)| *is_set)
            .map(|(key, _)| key)
    }

    /// Fills unset fields from another configuration.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let mut tiers = other.tiers;
        // Of two entries for one site, that of this configuration counts.
        tiers.extend(self.tiers);
        Self {
            attempts_max: self.attempts_max.or(other.attempts_max),
            queries_per_attempt_max: self
                .queries_per_attempt_max
                .or(other.queries_per_attempt_max),
            results_per_query_max: self.results_per_query_max.or(other.results_per_query_max),
            pages_per_attempt_max: self.pages_per_attempt_max.or(other.pages_per_attempt_max),
            pages_max: self.pages_max.or(other.pages_max),
            parallel_max: self.parallel_max.or(other.parallel_max),
            judged_bytes_max: self.judged_bytes_max.or(other.judged_bytes_max),
            total_ms_max: self.total_ms_max.or(other.total_ms_max),
            corpus_tier: self.corpus_tier.or(other.corpus_tier),
            // A repository may ask for more than the person does, and never for less.
            accept_min: self.accept_min.max(other.accept_min),
            // A repository may ask for more than the person does, and not for less.
            wrong_max_percent: [self.wrong_max_percent, other.wrong_max_percent]
                .into_iter()
                .flatten()
                .min(),
            accept_bounds: if self.accept_bounds.is_empty() {
                other.accept_bounds
            } else {
                self.accept_bounds
            },
            corpus_files_max: self.corpus_files_max.or(other.corpus_files_max),
            corpus_file_bytes_max: self.corpus_file_bytes_max.or(other.corpus_file_bytes_max),
            corpus_bytes_max: self.corpus_bytes_max.or(other.corpus_bytes_max),
            corpus_indexes_max: self.corpus_indexes_max.or(other.corpus_indexes_max),
            corpus_indexes_bytes_max: self
                .corpus_indexes_bytes_max
                .or(other.corpus_indexes_bytes_max),
            corpus_index_days_max: self.corpus_index_days_max.or(other.corpus_index_days_max),
            tiers,
            provider: self.provider.or(other.provider),
            judges: self.judges.or(other.judges),
            entailment_url: self.entailment_url.or(other.entailment_url),
            entailment_certainty_milli: self
                .entailment_certainty_milli
                .or(other.entailment_certainty_milli),
        }
    }

    /// Returns the default bounds of a folder of documents with the values of the configuration.
    pub fn corpus_bounds(&self) -> CorpusBounds {
        let usual = CorpusBounds::default();
        CorpusBounds {
            corpus_files_max: self.corpus_files_max.unwrap_or(usual.corpus_files_max),
            corpus_file_bytes_max: self
                .corpus_file_bytes_max
                .unwrap_or(usual.corpus_file_bytes_max),
            corpus_bytes_max: self.corpus_bytes_max.unwrap_or(usual.corpus_bytes_max),
            corpus_indexes_max: self.corpus_indexes_max.unwrap_or(usual.corpus_indexes_max),
            corpus_indexes_bytes_max: self
                .corpus_indexes_bytes_max
                .unwrap_or(usual.corpus_indexes_bytes_max),
            corpus_index_days_max: self
                .corpus_index_days_max
                .unwrap_or(usual.corpus_index_days_max),
            ..usual
        }
    }

    /// Returns the default bounds with the values of the configuration.
    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            attempts_max: self.attempts_max.unwrap_or(usual.attempts_max),
            queries_per_attempt_max: self
                .queries_per_attempt_max
                .unwrap_or(usual.queries_per_attempt_max),
            results_per_query_max: self
                .results_per_query_max
                .unwrap_or(usual.results_per_query_max),
            pages_per_attempt_max: self
                .pages_per_attempt_max
                .unwrap_or(usual.pages_per_attempt_max),
            pages_max: self.pages_max.unwrap_or(usual.pages_max),
            parallel_max: self.parallel_max.unwrap_or(usual.parallel_max),
            judged_bytes_max: self.judged_bytes_max.unwrap_or(usual.judged_bytes_max),
            total_ms_max: self.total_ms_max.unwrap_or(usual.total_ms_max),
            accept_bounds: self
                .accept_bounds
                .iter()
                .map(|bound| bound.name())
                .collect(),
        }
    }
}
