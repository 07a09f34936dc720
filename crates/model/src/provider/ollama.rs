//! Ollama's own interface. It is used instead of the one that Ollama shares with OpenAI, because
//! only here the length of the context can be set. Without it, a long prompt is silently truncated
//! at its start.

use serde_json::{Value, json};

use super::{Endpoint, Provider, ProviderCard, ShapeForm, instructions, set, temperature};
use crate::reply::{Finish, ModelReply, Usage, tokens_at};
use crate::request::{ModelRequest, Role};
use crate::wire::{HttpRequest, KeyPlace};

/// Ollama.
#[derive(Debug)]
pub struct Ollama;

static CARD: ProviderCard = ProviderCard {
    name: "ollama",
    base_url: "http://127.0.0.1:11434",
    key_variables: &[],
    base_variable: "OLLAMA_HOST",
    forms: &[ShapeForm::JsonSchema, ShapeForm::Words],
};

impl Provider for Ollama {
    fn card(&self) -> &'static ProviderCard {
        &CARD
    }

    fn render(&self, endpoint: &Endpoint, request: &ModelRequest, form: ShapeForm) -> HttpRequest {
        let role = |role| match role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let system = instructions(request, form);
        let first = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
        let turns = request
            .messages
            .iter()
            .map(|message| json!({"role": role(message.role), "content": message.text}));
        let mut options =
            json!({"num_predict": request.output_tokens_max, "num_ctx": endpoint.context_tokens});
        set(&mut options, "temperature", temperature(request));
        // Ollama streams its answer unless `stream` is false.
        let mut body = json!({
            "model": endpoint.model, "messages": first.into_iter().chain(turns).collect::<Vec<_>>(), "stream": false, "options": options});
        let schema = request
            .schema
            .as_ref()
            .filter(|_| form == ShapeForm::JsonSchema);
        set(
            &mut body,
            "format",
            schema.map(|schema| schema.body.clone()),
        );
        HttpRequest::json(endpoint.base.below("/api/chat"), KeyPlace::Bearer, &body)
    }

    fn reply(&self, answer: &Value) -> Result<ModelReply, String> {
        let text = answer
            .pointer("/message/content")
            .and_then(Value::as_str)
            .ok_or("it has no message")?;
        let finish = match (answer["done"].as_bool(), answer["done_reason"].as_str()) {
            (Some(false), _) => {
                return Err("it is a piece of a stream, which was not asked for".to_owned());
            }
            (_, Some("length")) => Finish::Length,
            (_, Some("stop")) => Finish::Complete,
            (_, Some(reason)) => return Err(super::no_stop(reason)),
            // Older servers report that they are done, and not why.
            (Some(true), None) => Finish::Complete,
            (None, None) => Finish::Unsaid,
        };
        let model = answer["model"].as_str().map(str::to_owned);
        Ok(ModelReply {
            text: text.to_owned(),
            arguments: None,
            finish,
            usage: usage(answer),
            model,
        })
    }
}

fn usage(answer: &Value) -> Option<Usage> {
    let prompt_tokens = tokens_at(answer, "/prompt_eval_count")?;
    Some(Usage {
        prompt_tokens,
        output_tokens: tokens_at(answer, "/eval_count")?,
        cached_tokens: 0,
    })
}
