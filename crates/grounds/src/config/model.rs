//! The section `model` of the person's own configuration: which model is asked,
//! with which key, and what it may use. A file in the checkout may not have it,
//! since it would say where text is sent and which command is run for the key.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which model is asked, and what it may use. In the person's own configuration only.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// `PROVIDER/MODEL`: the provider is openai (any compatible server), anthropic, gemini, ollama or gguf (a file).
    #[serde(rename = "use")]
    pub model: Option<String>,
    /// Whether `ask` asks it for names where the question's own words gave no answer; it does where nothing is said.
    pub names: Option<bool>,
    /// Whether `ask` has it put answers into sentences; where nothing is said, only with `--model` on the command line.
    pub sentences: Option<bool>,
    /// Milliseconds of one request of `ask` with its waiting and new attempts; the wait for an answer that stands without it.
    pub ask_ms_max: Option<u64>,
    /// The base address, where it is not the provider's own: https, or http to this machine.
    pub base_url: Option<String>,
    /// A command whose first line of output is the key.
    pub key_command: Option<String>,
    /// The variable of the environment that holds the key.
    pub key_variable: Option<String>,
    /// The account in the system's keyring, service `grounds`, that holds the key.
    pub keyring_account: Option<String>,
    /// Tokens of all prompts and answers of one run.
    pub max_tokens_total: Option<u64>,
    /// Requests of one run, new attempts included.
    pub max_requests: Option<u64>,
    /// Dollars that one run may cost; needs a price for the model, unless it runs on this machine.
    pub max_cost_usd: Option<f64>,
    /// Requests a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens a minute.
    pub tokens_per_minute: Option<u64>,
    /// Requests at one time.
    pub parallel_max: Option<usize>,
    /// Milliseconds of one attempt.
    pub request_ms_max: Option<u64>,
    /// Milliseconds of one request with its waiting and new attempts.
    pub total_ms_max: Option<u64>,
    /// Attempts of one request, the first included.
    pub attempts_max: Option<u32>,
    /// Tokens of prompt and answer together that Ollama is asked to hold.
    pub context_tokens: Option<u64>,
    /// Keep good answers in this folder, and use them again for the same request.
    pub cache: Option<std::path::PathBuf>,
    /// What tokens cost; the program ships no prices.
    pub prices: Vec<PriceConfig>,
}

/// What the tokens of a model cost.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceConfig {
    /// The model as it is named in requests; `*` at the end stands for any letters.
    pub model: String,
    /// Dollars for a million tokens of prompts.
    pub prompt_usd_per_million: f64,
    /// Dollars for a million tokens of answers.
    pub output_usd_per_million: f64,
    /// The day that the price was looked up, as 2026-11-21.
    pub as_of: String,
}
