//! Anthropic's messages. A shape is enforced by the call of a tool, which all of its models know.

use serde_json::{Value, json};

use super::{Endpoint, Provider, ProviderCard, ShapeForm, instructions, set, temperature};
use crate::reply::{Finish, ModelReply, Usage, tokens_at};
use crate::request::{ModelRequest, Role};
use crate::wire::{HttpRequest, KeyPlace};

/// The version of the interface.
const VERSION: &str = "2023-06-01";

/// Anthropic.
#[derive(Debug)]
pub struct Anthropic;

static CARD: ProviderCard = ProviderCard {
    name: "anthropic",
    base_url: "https://api.anthropic.com",
    key_variables: &["ANTHROPIC_API_KEY"],
    base_variable: "ANTHROPIC_BASE_URL",
    forms: &[ShapeForm::ToolCall, ShapeForm::Words],
};

impl Provider for Anthropic {
    fn card(&self) -> &'static ProviderCard {
        &CARD
    }

    fn render(&self, endpoint: &Endpoint, request: &ModelRequest, form: ShapeForm) -> HttpRequest {
        let role = |role| match role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let turns: Vec<Value> = request
            .messages
            .iter()
            .map(|message| json!({"role": role(message.role), "content": message.text}))
            .collect();
        let mut body = json!({"model": endpoint.model, "max_tokens": request.output_tokens_max, "messages": turns});
        let system = instructions(request, form);
        set(&mut body, "system", (!system.is_empty()).then_some(system));
        set(&mut body, "temperature", temperature(request));
        if let Some(schema) = request
            .schema
            .as_ref()
            .filter(|_| form == ShapeForm::ToolCall)
        {
            set(
                &mut body,
                "tools",
                Some(
                    json!([{"name": schema.name, "description": "Gives the answer.", "input_schema": schema.body}]),
                ),
            );
            set(
                &mut body,
                "tool_choice",
                Some(json!({"type": "tool", "name": schema.name})),
            );
        }
        // The base address may be given with or without the version in its path.
        let path = if endpoint.base.path().ends_with("/v1") {
            "/messages"
        } else {
            "/v1/messages"
        };
        HttpRequest::json(
            endpoint.base.below(path),
            KeyPlace::Header("x-api-key"),
            &body,
        )
        .header("anthropic-version", VERSION)
    }

    fn called<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        let mut parts = answer["content"].as_array()?.iter();
        parts.find(|part| part["type"] == "tool_use")?["name"].as_str()
    }

    fn reply(&self, answer: &Value) -> Result<ModelReply, String> {
        let parts = answer["content"].as_array().ok_or("it has no content")?;
        let of_type = |kind: &'static str| parts.iter().filter(move |part| part["type"] == kind);
        // Thinking comes in parts of another type.
        let text: String = of_type("text")
            .filter_map(|part| part["text"].as_str())
            .collect();
        let calls = of_type("tool_use").count();
        if calls > 1 {
            return Err(super::several_calls(calls));
        }
        let arguments = of_type("tool_use").next().map(|part| part["input"].clone());
        let finish = match answer["stop_reason"].as_str() {
            Some("max_tokens" | "model_context_window_exceeded") => Finish::Length,
            Some("refusal") => Finish::Declined,
            Some("end_turn" | "tool_use" | "stop_sequence") => Finish::Complete,
            Some(reason) => return Err(super::no_stop(reason)),
            None => Finish::Unsaid,
        };
        Ok(ModelReply {
            text,
            arguments,
            finish,
            usage: usage(answer),
            model: answer["model"].as_str().map(str::to_owned),
        })
    }
}

/// Returns the usage. The provider counts tokens that were written to or read from its cache
/// separately.
fn usage(answer: &Value) -> Option<Usage> {
    let cached_tokens = tokens_at(answer, "/usage/cache_read_input_tokens").unwrap_or(0);
    let written = tokens_at(answer, "/usage/cache_creation_input_tokens").unwrap_or(0);
    let prompt_tokens = tokens_at(answer, "/usage/input_tokens")?
        .saturating_add(cached_tokens)
        .saturating_add(written);
    Some(Usage {
        prompt_tokens,
        output_tokens: tokens_at(answer, "/usage/output_tokens")?,
        cached_tokens,
    })
}
