//! The interface of OpenAI's chat completions, which most servers offer as well: Azure, OpenRouter,
//! Groq, vLLM, llama.cpp's server, LM Studio. The base address ends where `/chat/completions`
//! follows.

use serde_json::{Value, json};

use super::{Endpoint, Provider, ProviderCard, ShapeForm, instructions, set, temperature};
use crate::reply::{Finish, ModelReply, Usage, tokens_at};
use crate::request::{ModelRequest, Role, Schema};
use crate::shape;
use crate::wire::{HttpRequest, KeyPlace};

/// Any server with the interface of chat completions.
#[derive(Debug)]
pub struct OpenAi;

static CARD: ProviderCard = ProviderCard {
    name: "openai",
    base_url: "https://api.openai.com/v1",
    key_variables: &["OPENAI_API_KEY"],
    base_variable: "OPENAI_BASE_URL",
    forms: &[
        ShapeForm::JsonSchema,
        ShapeForm::JsonWithSchema,
        ShapeForm::ToolCall,
        ShapeForm::Words,
    ],
};

impl Provider for OpenAi {
    fn card(&self) -> &'static ProviderCard {
        &CARD
    }

    fn render(&self, endpoint: &Endpoint, request: &ModelRequest, form: ShapeForm) -> HttpRequest {
        let host = endpoint.base.host();
        let system = instructions(request, form);
        let first = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
        let turns = request
            .messages
            .iter()
            .map(|message| json!({"role": role(message.role), "content": message.text}));
        let mut body = json!({"model": endpoint.model, "messages": first.into_iter().chain(turns).collect::<Vec<_>>(), "stream": false});
        // OpenAI's newer models refuse the old name, and other servers do not know the new one.
        let is_new = host == "api.openai.com" || is_azure(host);
        set(
            &mut body,
            if is_new {
                "max_completion_tokens"
            } else {
                "max_tokens"
            },
            Some(request.output_tokens_max),
        );
        set(&mut body, "temperature", temperature(request));
        if let Some(schema) = &request.schema {
            shape_answer(&mut body, schema, form);
        }
        let key_place = if is_azure(host) {
            KeyPlace::Header("api-key")
        } else {
            KeyPlace::Bearer
        };
        HttpRequest::json(endpoint.base.below("/chat/completions"), key_place, &body)
    }

    fn called<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        let message = answer.pointer("/choices/0/message")?;
        let name = message.pointer("/tool_calls/0/function/name");
        name.or_else(|| message.pointer("/function_call/name"))?
            .as_str()
    }

    fn reply(&self, answer: &Value) -> Result<ModelReply, String> {
        let choices = answer["choices"].as_array().map_or(0, Vec::len);
        if choices > 1 {
            return Err(format!("it has {choices} choices, and one was asked for"));
        }
        let choice = answer.pointer("/choices/0").ok_or("it has no choices")?;
        if super::has_error(choice) {
            return Err("its choice holds an error".to_owned());
        }
        let message = choice
            .get("message")
            .filter(|message| message.is_object())
            .ok_or("its choice has no message")?;
        let refusal = refusal_of(message);
        let finish = match (refusal, choice["finish_reason"].as_str()) {
            (Some(_), _) => Finish::Declined,
            // Azure may report a stop and still have left out a part.
            (None, Some(_)) if is_filtered(choice) => Finish::Filtered,
            (None, Some("length")) => Finish::Length,
            (None, Some("content_filter")) => Finish::Filtered,
            (None, Some(reason)) if STOPS.contains(&reason.to_ascii_lowercase().as_str()) => {
                see_native_stop(choice)?;
                Finish::Complete
            }
            (None, Some(reason)) => return Err(super::no_stop(reason)),
            (None, None) => Finish::Unsaid,
        };
        let said = refusal.map_or_else(|| text_of(&message["content"]), str::to_owned);
        let (text, arguments) = match arguments(message)? {
            // Arguments that are no JSON are the text to repair; other text of the answer must not
            // replace them.
            Some(Value::String(broken)) => (broken, None),
            arguments => (said, arguments),
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

/// Returns the words of a refusal: a field of its own, or a part of the content.
fn refusal_of(message: &Value) -> Option<&str> {
    let parts = message["content"].as_array();
    let of_part = parts.and_then(|parts| {
        let mut refusals = parts.iter().filter(|part| part["type"] == "refusal");
        refusals
            .next()
            .map(|part| part["refusal"].as_str().unwrap_or("it refuses"))
    });
    let own = message["refusal"].as_str();
    own.filter(|refusal| !refusal.is_empty()).or(of_part)
}

/// Reports whether the filter of the service left out a part of the answer, as Azure reports.
fn is_filtered(choice: &Value) -> bool {
    let results = choice["content_filter_results"].as_object();
    results.is_some_and(|results| results.values().any(|result| result["filtered"] == true))
}

/// Checks the reason that a gateway passes on from the maker of the model, since it calls some
/// failures a stop.
fn see_native_stop(choice: &Value) -> Result<(), String> {
    let reason = choice["native_finish_reason"].as_str().unwrap_or_default();
    let lower = reason.to_ascii_lowercase();
    match NATIVE_FAILURES.iter().any(|word| lower.contains(word)) {
        true => Err(super::no_stop(reason)),
        false => Ok(()),
    }
}

/// Parts of the words by which makers of models name an end other than a stop.
const NATIVE_FAILURES: [&str; 14] = [
    "length",
    "max_",
    "limit",
    "safety",
    "recitation",
    "filter",
    "block",
    "error",
    "malformed",
    "refus",
    "abort",
    "cancel",
    "timeout",
    "prohibited",
];

/// The words of servers for an answer that is complete.
const STOPS: [&str; 8] = [
    "stop",
    "tool_calls",
    "function_call",
    "end_turn",
    "stop_sequence",
    "eos",
    "eos_token",
    "complete",
];

fn is_azure(host: &str) -> bool {
    [
        ".openai.azure.com",
        ".cognitiveservices.azure.com",
        ".services.ai.azure.com",
    ]
    .iter()
    .any(|end| host.ends_with(end))
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

fn shape_answer(body: &mut Value, schema: &Schema, form: ShapeForm) {
    // OpenAI refuses `strict` for a schema with open objects or optional properties.
    let strict = shape::is_strict(&schema.body);
    let format = match form {
        ShapeForm::JsonSchema => Some(
            json!({"type": "json_schema", "json_schema": {"name": schema.name, "strict": strict, "schema": schema.body}}),
        ),
        ShapeForm::JsonWithSchema => Some(json!({"type": "json_object", "schema": schema.body})),
        ShapeForm::Json => Some(json!({"type": "json_object"})),
        ShapeForm::ToolCall | ShapeForm::Words => None,
    };
    set(body, "response_format", format);
    if form == ShapeForm::ToolCall {
        let function = json!({"name": schema.name, "description": "Gives the answer.", "parameters": schema.body});
        set(
            body,
            "tools",
            Some(json!([{"type": "function", "function": function}])),
        );
        set(
            body,
            "tool_choice",
            Some(json!({"type": "function", "function": {"name": schema.name}})),
        );
    }
}

/// Returns a text, or the texts of a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

/// Returns the arguments of the call of a tool: a text of JSON or, with some servers, the value
/// itself. Text that is no JSON stays a text, so that no other words of the answer replace it.
fn arguments(message: &Value) -> Result<Option<Value>, String> {
    let is_old = message.get("function_call").is_some_and(Value::is_object);
    let calls = message["tool_calls"].as_array().map_or(0, Vec::len) + usize::from(is_old);
    if calls > 1 {
        return Err(super::several_calls(calls));
    }
    let arguments = message
        .pointer("/tool_calls/0/function/arguments")
        .or_else(|| message.pointer("/function_call/arguments"));
    Ok(arguments.map(|arguments| match arguments {
        Value::String(text) => {
            crate::json::parse(text.as_bytes()).unwrap_or_else(|_| arguments.clone())
        }
        other => other.clone(),
    }))
}

fn usage(answer: &Value) -> Option<Usage> {
    Some(Usage {
        prompt_tokens: tokens_at(answer, "/usage/prompt_tokens")?,
        output_tokens: tokens_at(answer, "/usage/completion_tokens")?,
        cached_tokens: tokens_at(answer, "/usage/prompt_tokens_details/cached_tokens").unwrap_or(0),
    })
}
