//! The JSON that comes in. Pages and hits are turned into those of the rule one by one
//! ([`super::read`]), since a history of a million hits does not fit into memory twice.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;

use super::moment::{Moment, TimeSpan, WordRange};
use super::read::{Hits, Pages};

/// A claim, what was found about it, and how many rounds were made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideInput {
    /// What is to be decided.
    pub task: TaskJson,
    /// What was looked at so far.
    pub history: HistoryJson,
    /// Rounds that were made.
    pub attempts: u32,
    /// Rounds that are allowed.
    pub max_attempts: u32,
    /// Numbers of the rule, where they differ from the default.
    #[serde(default)]
    pub rules: RulesJson,
}

/// A claim.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskJson {
    /// The name of the task.
    #[serde(default)]
    pub id: String,
    /// The claim.
    pub claim: String,
    /// The time in which what it claims must have happened.
    #[schemars(with = "Option<SpanJson>")]
    pub timeframe: Option<TimeSpan>,
    /// What a reader needs to know beside the claim; never evidence.
    pub context: Option<String>,
    /// Its language, as BCP 47.
    pub language: Option<String>,
    /// The address that the claim comes from.
    pub origin: Option<String>,
}

/// A span of time, both ends included. A day is written `2025-03-31` and is one of UTC; a moment as in RFC 3339.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpanJson {
    /// The first moment; of a day its first second.
    #[schemars(with = "Option<String>")]
    pub start: Option<Moment>,
    /// The last moment; of a day its last second.
    #[schemars(with = "Option<String>")]
    pub end: Option<Moment>,
}

/// What was looked at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryJson {
    /// The moment for which the decision is made; the rule knows no clock.
    #[schemars(with = "String")]
    pub as_of: Moment,
    /// The queries that were sent. Nothing is True unless one of them sought refutation and was answered.
    #[serde(default)]
    pub queries: Vec<QueryJson>,
    /// The pages that were visited. A hit counts only if the text of its page contains its words.
    #[serde(default)]
    #[schemars(with = "Vec<PageJson>")]
    pub pages: Pages,
    /// What was found in them.
    #[serde(default)]
    #[schemars(with = "Vec<HitJson<'_>>")]
    pub hits: Hits,
}

/// A query.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryJson {
    /// Its words.
    pub text: String,
    /// The engine.
    #[serde(default)]
    pub provider: String,
    /// What it was to find.
    pub seeks: SeeksJson,
    /// How many addresses came.
    #[serde(default)]
    pub result_count: usize,
    /// Why the engine could not be asked, where it could not.
    pub failure: Option<String>,
}

/// What a query was to find.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeeksJson {
    /// What speaks for the claim.
    Support,
    /// What speaks against it.
    Refutation,
    /// Either.
    Either,
}

/// A page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PageJson {
    /// The address that answered.
    pub(super) url: String,
    /// The status of HTTP.
    pub(super) status: Option<u16>,
    /// Its title.
    pub(super) title: Option<String>,
    /// When it says that it was published.
    #[schemars(with = "Option<String>")]
    pub(super) pub_date: Option<Moment>,
    /// When it says that it was last changed.
    #[schemars(with = "Option<String>")]
    pub(super) modified: Option<Moment>,
    /// The address that it names as its own.
    pub(super) canonical: Option<String>,
    /// Who stands behind it, where the address has no host.
    pub(super) publisher: Option<String>,
    /// Who it says wrote it.
    pub(super) byline: Option<String>,
    /// Addresses that it names as its sources.
    #[serde(default)]
    pub(super) cites: Vec<String>,
    /// A hash of what came.
    pub(super) content_hash: Option<String>,
    /// The main text; empty if no text was read.
    #[serde(default)]
    pub(super) text: String,
    /// Why there is no text.
    pub(super) failure: Option<String>,
}

/// A place in a page that speaks about the claim.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HitJson")]
pub(super) struct HitJson<'a> {
    /// The address of the page.
    #[serde(borrow)]
    pub(super) url: Cow<'a, str>,
    /// For readers only: the rule derives the registrable domain from the address.
    #[serde(borrow)]
    #[expect(dead_code, reason = "what comes in may have it")]
    domain: Option<Cow<'a, str>>,
    /// The title of the page.
    pub(super) title: Option<String>,
    /// When the page says that it was published.
    #[schemars(with = "Option<String>")]
    pub(super) pub_date: Option<Moment>,
    /// What it says about the claim.
    pub(super) stance: StanceJson,
    /// In what manner it says so.
    #[serde(default)]
    pub(super) manner: MannerJson,
    /// When it says that what it speaks of happened.
    #[schemars(with = "Option<SpanJson>")]
    pub(super) happened: Option<TimeSpan>,
    /// What kind of source it is.
    pub(super) tier: TierJson,
    /// Where the words were seen.
    #[serde(default)]
    pub(super) place: PlaceJson,
    /// The words, exactly as in the page.
    #[serde(borrow)]
    pub(super) excerpt: Cow<'a, str>,
    /// First byte and end in the text of the page; without it, the first place that has the words.
    #[schemars(with = "Option<[usize; 2]>")]
    pub(super) bytes: Option<WordRange>,
    /// Who judged the stance.
    pub(super) judge: Option<String>,
}

/// What a hit says about the claim.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StanceJson {
    /// It supports it.
    Support,
    /// It refutes it.
    Refute,
    /// It decides nothing.
    Neutral,
}

/// In what manner a hit speaks.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MannerJson {
    /// It says what is, or what happened.
    #[default]
    Statement,
    /// It says that something has not happened, so far.
    Absence,
    /// It says that something can no longer happen.
    Foreclosed,
    /// It says what may or will be. Never counted.
    Forecast,
    /// It is not meant seriously. Never counted.
    Satire,
    /// It is a check of the same claim by others. All of these are one family.
    FactCheck,
}

/// What kind of source a page is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TierJson {
    /// The one who knows first hand.
    Primary,
    /// A news agency or a paper of record.
    Wire,
    /// A specialised publication.
    Trade,
    /// Everything else.
    Other,
}

/// Where the words of a hit were seen.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlaceJson {
    /// In the text of the page.
    #[default]
    Page,
    /// In what a search engine shows of the page. Never counted.
    Snippet,
    /// In what a search engine says itself. Never counted.
    AnswerBox,
}

/// Numbers of the rule. What is left out is as by default.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesJson {
    /// Which rule.
    pub policy: Option<PolicyJson>,
    /// Thousandths of weight of a primary source [default: 1000].
    pub primary_milli: Option<u32>,
    /// Of an agency or a paper of record [default: 800].
    pub wire_milli: Option<u32>,
    /// Of a specialised publication [default: 600].
    pub trade_milli: Option<u32>,
    /// Of everything else [default and maximum: 400].
    pub other_milli: Option<u32>,
    /// Thousandths of weight that a side needs [default: 1600].
    pub threshold_milli: Option<u64>,
    /// Independent families that a side needs [default: 2].
    pub families_min: Option<u32>,
    /// The most that the other side may have, in thousandths of the winner's total [default: 500].
    pub opposing_max_milli: Option<u64>,
    /// Hours that a date may lie outside of a time [default: 48].
    pub tolerance_hours: Option<u32>,
    /// What an undated page can be where no time was given [default: weight_only].
    pub undated: Option<UndatedJson>,
    /// Thousandths of log odds that `calibrated_v2` needs on a side.
    pub bar_milli: Option<u32>,
}

/// Which rule decides.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyJson {
    /// Weights, a threshold and a margin.
    SpecV1,
    /// Log-likelihood ratios and a bar.
    CalibratedV2,
}

/// What an undated page can be.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndatedJson {
    /// It adds its weight, but does not count as one of the families that a side needs.
    WeightOnly,
    /// It is like a dated one.
    Counts,
}
