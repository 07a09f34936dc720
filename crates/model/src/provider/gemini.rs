//! Google's Gemini: `generateContent`. The name of the model is a part of the address, so it is
//! checked when settings are read.

use serde_json::{Value, json};

use super::{Endpoint, Provider, ProviderCard, ShapeForm, instructions, set, temperature};
use crate::reply::{Finish, ModelReply, Usage, tokens_at};
use crate::request::{ModelRequest, Role};
use crate::wire::{HttpRequest, KeyPlace};

/// Gemini.
#[derive(Debug)]
pub struct Gemini;

static CARD: ProviderCard = ProviderCard {
    name: "gemini",
    base_url: "https://generativelanguage.googleapis.com/v1beta",
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    base_variable: "GEMINI_BASE_URL",
    forms: &[ShapeForm::JsonSchema, ShapeForm::Json, ShapeForm::Words],
};

impl Provider for Gemini {
    fn card(&self) -> &'static ProviderCard {
        &CARD
    }

    fn render(&self, endpoint: &Endpoint, request: &ModelRequest, form: ShapeForm) -> HttpRequest {
        let role = |role| match role {
            Role::User => "user",
            Role::Assistant => "model",
        };
        let turns: Vec<Value> = request
            .messages
            .iter()
            .map(|message| json!({"role": role(message.role), "parts": [{"text": message.text}]}))
            .collect();
        let mut settings = json!({"maxOutputTokens": request.output_tokens_max});
        set(&mut settings, "temperature", temperature(request));
        if let Some(schema) = request.schema.as_ref().filter(|_| form != ShapeForm::Words) {
            set(&mut settings, "responseMimeType", Some("application/json"));
            set(
                &mut settings,
                "responseJsonSchema",
                (form == ShapeForm::JsonSchema).then(|| schema.body.clone()),
            );
        }
        let mut body = json!({"contents": turns, "generationConfig": settings});
        let system = instructions(request, form);
        set(
            &mut body,
            "systemInstruction",
            (!system.is_empty()).then(|| json!({"parts": [{"text": system}]})),
        );
        let path = format!(
            "/models/{}:generateContent",
            // The service lists its models as `models/NAME`.
            endpoint.model.trim_start_matches("models/")
        );
        HttpRequest::json(
            endpoint.base.below(&path),
            KeyPlace::Header("x-goog-api-key"),
            &body,
        )
    }

    fn reply(&self, answer: &Value) -> Result<ModelReply, String> {
        let model = answer["modelVersion"].as_str().map(str::to_owned);
        let candidates = answer["candidates"].as_array().map_or(0, Vec::len);
        if candidates > 1 {
            return Err(format!(
                "it has {candidates} candidates, and one was asked for"
            ));
        }
        // A blocked prompt has no candidate at all: it is filtered, and no broken answer.
        let Some(candidate) = answer.pointer("/candidates/0") else {
            let blocked = answer.pointer("/promptFeedback/blockReason").is_some();
            let filtered = ModelReply {
                text: String::new(),
                arguments: None,
                finish: Finish::Filtered,
                usage: usage(answer),
                model,
            };
            return if blocked {
                Ok(filtered)
            } else {
                Err("it has no candidates".to_owned())
            };
        };
        let parts = candidate
            .pointer("/content/parts")
            .and_then(Value::as_array);
        // Thinking comes as a part of the text, with a flag.
        let is_said = |part: &&Value| part["thought"] != Value::Bool(true);
        let text = parts
            .into_iter()
            .flatten()
            .filter(is_said)
            .filter_map(|part| part["text"].as_str())
            .collect();
        let finish = match candidate["finishReason"].as_str() {
            Some("MAX_TOKENS") => Finish::Length,
            Some(
                "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
                | "IMAGE_SAFETY",
            ) => Finish::Filtered,
            Some("STOP") => Finish::Complete,
            Some(reason) => return Err(super::no_stop(reason)),
            None => Finish::Unsaid,
        };
        Ok(ModelReply {
            text,
            arguments: None,
            finish,
            usage: usage(answer),
            model,
        })
    }
}

/// Returns the usage. Thinking is counted separately from the words of the answer and paid for like
/// them.
fn usage(answer: &Value) -> Option<Usage> {
    let thinking = tokens_at(answer, "/usageMetadata/thoughtsTokenCount").unwrap_or(0);
    Some(Usage {
        prompt_tokens: tokens_at(answer, "/usageMetadata/promptTokenCount")?,
        output_tokens: tokens_at(answer, "/usageMetadata/candidatesTokenCount")
            .unwrap_or(0)
            .saturating_add(thinking),
        cached_tokens: tokens_at(answer, "/usageMetadata/cachedContentTokenCount").unwrap_or(0),
    })
}
