//! The model that a person chose: from the command line, the environment and their own
//! configuration, in this order. The repository is never consulted.

use grounds_model::key::KeySource;
use grounds_model::price::Price;
use grounds_model::settings::Given;
use grounds_model::{ModelError, ModelSettings};

use crate::cli::ModelOptions;
use crate::config::ModelConfig;

/// Default time limit in milliseconds for one request of `ask`.
pub const ASK_MS_MAX: u64 = 120_000;
/// Billionths of a dollar that a cap may have.
const COST_NANO_MAX: f64 = 1e18;

/// Returns the settings of the chosen model; `None` if no model is chosen.
///
/// # Errors
/// [`ModelError::Settings`] when they do not fit together.
pub fn settings(
    options: &ModelOptions,
    config: &ModelConfig,
) -> Result<Option<ModelSettings>, ModelError> {
    let chosen = options
        .model
        .clone()
        .or_else(of_environment)
        .or_else(|| config.model.clone());
    // The address and the key of the configuration belong to its own model. A model of the command
    // line or the environment must not get them.
    let is_configured = chosen == config.model;
    let own = |value: &Option<String>| value.clone().filter(|_| is_configured);
    let given = Given {
        model: chosen,
        base_url: options.model_url.clone().or_else(|| own(&config.base_url)),
        // A key is for the address beside it, and must not be sent to another one.
        key_command: own(&config.key_command).filter(|_| options.model_url.is_none()),
        key_variable: own(&config.key_variable).filter(|_| options.model_url.is_none()),
        keyring_account: own(&config.keyring_account).filter(|_| options.model_url.is_none()),
    };
    let Some(settings) = ModelSettings::of(&given, &|name| std::env::var(name).ok())? else {
        return Ok(None);
    };
    bounded(settings, options, config).map(Some)
}

/// Returns the model that the environment names. An empty variable names none: a workflow sets one
/// so if nobody gave it a value.
pub fn of_environment() -> Option<String> {
    std::env::var("GROUNDS_MODEL")
        .ok()
        .filter(|model| !model.trim().is_empty())
}

/// Returns the settings with the bounds of the configuration and the folders of the command line.
///
/// # Errors
/// [`ModelError::Settings`] when a bound cannot be used.
pub fn bounded(
    mut settings: ModelSettings,
    options: &ModelOptions,
    config: &ModelConfig,
) -> Result<ModelSettings, ModelError> {
    fn set<T: Copy>(field: &mut T, value: Option<T>) {
        *field = value.unwrap_or(*field);
    }
    settings.caps.max_tokens_total = config.max_tokens_total.or(settings.caps.max_tokens_total);
    settings.caps.max_requests = config.max_requests.or(settings.caps.max_requests);
    settings.caps.max_cost_nano = config.max_cost_usd.map(cost_nano).transpose()?;
    settings.rates.requests_per_minute = config.requests_per_minute;
    settings.rates.tokens_per_minute = config.tokens_per_minute;
    set(&mut settings.rates.parallel_max, config.parallel_max);
    set(&mut settings.patience.request_ms_max, config.request_ms_max);
    set(&mut settings.patience.total_ms_max, config.total_ms_max);
    set(&mut settings.patience.attempts_max, config.attempts_max);
    set(&mut settings.endpoint.context_tokens, config.context_tokens);
    settings.prices = config.prices.iter().map(price).collect::<Result<_, _>>()?;
    settings.shelves.cache.clone_from(&config.cache);
    settings.shelves.replay.clone_from(&options.replay);
    settings.shelves.record.clone_from(&options.record);
    settings.is_dry_run = options.dry_run;
    #[cfg(all(unix, feature = "fleet"))]
    settings.turns.clone_from(&crate::turns::given());
    // A replay sends nothing, so that it also works where the key does not exist.
    if settings.shelves.replay.is_some() {
        settings.key = KeySource::None;
    }
    Ok(settings)
}

fn price(price: &crate::config::PriceConfig) -> Result<Price, ModelError> {
    Price::of_million(
        &price.model,
        price.prompt_usd_per_million,
        price.output_usd_per_million,
        &price.as_of,
    )
    .map_err(ModelError::Settings)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be within the bound"
)]
fn cost_nano(dollars: f64) -> Result<u64, ModelError> {
    let nano = dollars * grounds_model::price::NANO as f64;
    let is_cap = nano.is_finite() && (0.0..=COST_NANO_MAX).contains(&nano);
    is_cap.then_some(nano as u64).ok_or_else(|| {
        ModelError::Settings("`model.max_cost_usd` must be a number from 0".to_owned())
    })
}
