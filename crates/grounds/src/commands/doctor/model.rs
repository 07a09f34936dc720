//! `grounds doctor model`: a round trip with the chosen model, or with every model server that
//! answers on this machine, and its reviews of known diffs.

use std::time::Instant;

use grounds_model::local::{self, Server};
use grounds_model::price::dollars;
use grounds_model::provider::{Endpoint, gguf};
use grounds_model::settings::Given;
use grounds_model::{ModelClient, ModelError, ModelRequest, ModelSettings};
use serde_json::json;

use crate::cli::{Doctor, Global};
use crate::commands::print;
use crate::config::{self, ModelConfig};
use crate::error::Error;
use crate::exit::Exit;
use crate::model;
use crate::output::doctor::{DoctorReport, ModelReport, Planned, ReviewScore, RoundTrip};

/// Tokens of the answer in prose.
const PROSE_TOKENS_MAX: u32 = 64;
/// Tokens of the value; a model that thinks needs some for that.
const VALUE_TOKENS_MAX: u32 = 512;
/// Tokens of the answer about one known diff.
#[cfg(feature = "review")]
const REVIEW_TOKENS_MAX: u32 = 1_000;

const NOTHING_FOUND: &str = "no model is chosen, and none answers on this machine\n  \
    try: start one, for example `ollama serve` with `ollama pull qwen2.5-coder:1.5b`, or `llama-server -m MODEL.gguf`\n  \
    or:  run a file in this process with `--model gguf/MODEL.gguf`, where grounds was built with `--features gguf`\n  \
    or:  choose one with --model PROVIDER/MODEL, the variable GROUNDS_MODEL, or `model.use` in your own configuration";

pub(in crate::commands) fn run(arguments: &Doctor, global: &Global) -> Result<Exit, Error> {
    let checkout = crate::commands::ask::open(global)?;
    let config = config::read(global.config.as_deref(), checkout.root())?
        .model
        .unwrap_or_default();
    let servers = match model::settings(&arguments.model, &config)? {
        Some(settings) => vec![(chosen_kind(&settings), settings)],
        None => found(arguments, &config)?,
    };
    let models: Vec<ModelReport> = servers
        .into_iter()
        .map(|((kind, models), settings)| look(kind, models, settings))
        .collect();
    let usable = models.iter().any(|model| model.round_trip.is_some());
    let advice = models.is_empty().then(|| NOTHING_FOUND.to_owned());
    let exit = match (
        // A dry run makes no round trip, so that finding a model has to be enough.
        usable || arguments.model.dry_run && !models.is_empty(),
        models.is_empty(),
    ) {
        (true, _) => Exit::Answered,
        // Without a server on this machine something is missing; one that does not answer is a
        // fault.
        (false, true) => Exit::Insufficient,
        (false, false) => Exit::Failed,
    };
    let report = DoctorReport {
        schema: "grounds.doctor/1",
        usable,
        checks: Vec::new(),
        models,
        advice,
    };
    print(exit, &mut |out| report.print(global.format, out))
}

/// The name of a server, and its models.
type ServerKind = (String, Vec<String>);

fn chosen_kind(settings: &ModelSettings) -> ServerKind {
    let base = &settings.endpoint.base;
    if settings.provider.card().name == gguf::NAME {
        return ("in this process".to_owned(), Vec::new());
    }
    // A dry run of a model that is chosen sends nothing at all.
    let may_ask = base.is_local() && !settings.is_dry_run;
    let server = may_ask
        .then(|| local::at(settings.provider, base))
        .flatten();
    let kind = if base.is_local() {
        "on this machine"
    } else {
        settings.provider.card().name
    };
    (
        kind.to_owned(),
        server.map(|server| server.models).unwrap_or_default(),
    )
}

/// Returns the servers on this machine, each with its first model.
fn found(
    arguments: &Doctor,
    config: &ModelConfig,
) -> Result<Vec<(ServerKind, ModelSettings)>, Error> {
    let mut servers = Vec::new();
    for Server {
        provider,
        kind,
        base,
        models,
    } in local::find()
    {
        // A server without a model can answer nothing.
        let Some(first) = models.first() else {
            continue;
        };
        let given = Given {
            // The real name is set below, exactly as the server reports it.
            model: Some(format!("{}/placeholder", provider.card().name)),
            base_url: Some(base.to_string()),
            ..Given::default()
        };
        let Some(settings) = ModelSettings::of(&given, &|_| None)? else {
            continue;
        };
        let mut settings = model::bounded(settings, &arguments.model, config)?;
        settings.endpoint = Endpoint {
            model: first.clone(),
            ..settings.endpoint
        };
        servers.push(((kind.to_owned(), models), settings));
    }
    Ok(servers)
}

fn look(kind: String, models: Vec<String>, settings: ModelSettings) -> ModelReport {
    let (provider, base_url) = (
        settings.provider.card().name,
        settings.endpoint.base.to_string(),
    );
    let (model, is_dry_run) = (settings.endpoint.model.clone(), settings.is_dry_run);
    let client = ModelClient::of(settings);
    let planned = is_dry_run.then(|| planned(&client));
    let (round_trip, error) = match (is_dry_run, round_trip(&client)) {
        // A dry run sends nothing: its client returns an error for each request.
        (true, _) => (None, None),
        (false, Ok(trip)) => (Some(trip), None),
        (false, Err(error)) => (None, Some(error)),
    };
    // A model that fails the round trip would fail each of the known diffs too, one timeout after
    // the other.
    let review = round_trip.as_ref().and_then(|_| reviewed(&client));
    let advice = error.as_ref().map(|error| error.advice().to_owned());
    let code = error
        .as_ref()
        .map(|error| crate::error::of_model(error).as_str());
    ModelReport {
        provider,
        kind,
        base_url,
        model,
        models,
        round_trip,
        review,
        error: error.map(|error| error.to_string()),
        code,
        advice,
        planned,
    }
}

fn value_request() -> ModelRequest {
    let shape = json!({"type": "object", "required": ["sum"], "additionalProperties": false, "properties": {"sum": {"type": "integer"}}});
    ModelRequest::new("You add numbers.", "What is 19 + 23?")
        .shaped("sum", shape)
        .output_tokens_max(VALUE_TOKENS_MAX)
}

fn prose_request() -> ModelRequest {
    ModelRequest::new(
        "You answer in one short sentence.",
        "What does a compiler do?",
    )
    .output_tokens_max(PROSE_TOKENS_MAX)
}

fn round_trip(client: &ModelClient) -> Result<RoundTrip, ModelError> {
    let start = Instant::now();
    let value = client.ask_for_value(&value_request())?;
    let value_ms = ms_since(start);
    let before = client.spent();
    let start = Instant::now();
    // A long answer is as good for the speed as a whole one.
    match client.ask(&prose_request()) {
        Ok(_) | Err(ModelError::Truncated { .. }) => {}
        Err(error) => return Err(error),
    }
    let (prose_ms, spent) = (ms_since(start), client.spent());
    let output_tokens =
        u32::try_from(spent.output_tokens - before.output_tokens).unwrap_or(u32::MAX);
    Ok(RoundTrip {
        value_ms,
        value_is_right: value.value["sum"] == 42,
        was_repaired: value.was_repaired,
        prose_ms,
        tokens_per_second: f64::from(output_tokens) / start.elapsed().as_secs_f64().max(0.001),
        prompt_tokens: (spent.unsaid == 0 && spent.said_prompt_tokens > 0)
            .then_some(spent.said_prompt_tokens),
        count_error_percent: spent.count_error_percent(),
    })
}

/// Returns the requests of the known diffs.
#[cfg(feature = "review")]
fn review_requests() -> Vec<ModelRequest> {
    grounds_review::canary::score_requests(REVIEW_TOKENS_MAX)
}

#[cfg(not(feature = "review"))]
fn review_requests() -> Vec<ModelRequest> {
    Vec::new()
}

#[cfg(feature = "review")]
fn reviewed(client: &ModelClient) -> Option<ReviewScore> {
    let score = grounds_review::canary::score(client, REVIEW_TOKENS_MAX);
    let (failed, failure) = score.failed.unzip();
    Some(ReviewScore {
        diffs: score.diffs,
        planted: score.planted,
        found: score.found,
        false_alarms: score.false_alarms,
        failed: failed.unwrap_or(0),
        failure,
    })
}

#[cfg(not(feature = "review"))]
fn reviewed(_client: &ModelClient) -> Option<ReviewScore> {
    None
}

fn planned(client: &ModelClient) -> Planned {
    let mut requests = vec![value_request(), prose_request()];
    requests.extend(review_requests());
    let plans: Vec<_> = requests
        .iter()
        .map(|request| client.plan(request))
        .collect();
    // As soon as one price is not known, neither is the sum.
    let cost: Option<u64> = plans.iter().map(|plan| plan.cost_nano_max).sum();
    Planned {
        requests: requests.len() as u64,
        requests_max: plans.iter().map(|plan| plan.requests_max).sum(),
        prompt_tokens: plans.iter().map(|plan| plan.prompt_tokens).sum(),
        output_tokens_max: plans.iter().map(|plan| plan.output_tokens_max).sum(),
        cost_usd_max: cost.map(dollars),
    }
}

fn ms_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}
