//! The providers: each renders a request as the bytes of its interface and parses its answer. They
//! are pure: nothing here sends. A new one is one file and one line.

pub mod anthropic;
pub mod gemini;
pub mod gguf;
pub mod ollama;
pub mod openai;

use std::fmt;

use serde_json::Value;

use crate::address::BaseUrl;
use crate::error::{ModelError, said};
use crate::json::{self, JsonFault};
use crate::reply::{Finish, ModelReply};
use crate::request::ModelRequest;
use crate::wire::{HttpRequest, HttpResponse};

/// Maximum number of letters of a reason for the end of an answer.
const REASON_LETTERS_MAX: usize = 60;
/// Maximum number of letters of an answer that an error keeps.
const RAW_LETTERS_MAX: usize = 64 << 10;

/// All providers. The first is the default for addresses without a provider's name.
pub const ALL: [&dyn Provider; 5] = [
    &openai::OpenAi,
    &anthropic::Anthropic,
    &gemini::Gemini,
    &ollama::Ollama,
    &gguf::Gguf,
];

/// Returns the provider of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Provider> {
    ALL.into_iter()
        .find(|provider| provider.card().name == name)
}

/// The ways to make an answer keep a shape, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeForm {
    /// The provider enforces a JSON schema.
    JsonSchema,
    /// The provider enforces JSON, and takes the schema with it.
    JsonWithSchema,
    /// The answer is the call of a tool whose arguments have the shape.
    ToolCall,
    /// The provider enforces JSON; the shape is described in words.
    Json,
    /// The shape is only described in words.
    Words,
}

impl ShapeForm {
    /// Reports whether the shape has to be described in words as well.
    pub const fn needs_words(self) -> bool {
        match self {
            Self::JsonSchema | Self::ToolCall => false,
            Self::JsonWithSchema | Self::Json | Self::Words => true,
        }
    }
}

/// The facts about a provider that are known without asking it.
#[derive(Debug)]
pub struct ProviderCard {
    /// Its name in settings.
    pub name: &'static str,
    /// Its default address.
    pub base_url: &'static str,
    /// The variables with its key; empty for a server that needs no key.
    pub key_variables: &'static [&'static str],
    /// The variable with another address.
    pub base_variable: &'static str,
    /// The ways to a shape, best first.
    pub forms: &'static [ShapeForm],
}

/// The address and the model to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The base address.
    pub base: BaseUrl,
    /// The model.
    pub model: String,
    /// Tokens of prompt and answer that the model can take, for servers that have to be told.
    pub context_tokens: u64,
}

/// An interface of models.
pub trait Provider: fmt::Debug + Sync {
    /// Returns the facts about it.
    fn card(&self) -> &'static ProviderCard;

    /// Renders a request, whose material is folded in, as bytes.
    fn render(&self, endpoint: &Endpoint, request: &ModelRequest, form: ShapeForm) -> HttpRequest;

    /// Parses the reply in a successful answer.
    ///
    /// # Errors
    /// What is missing in it.
    fn reply(&self, answer: &Value) -> Result<ModelReply, String>;

    /// Returns the name of the tool that an answer calls; `None` if it calls no tool, or names no
    /// tool.
    fn called<'a>(&self, answer: &'a Value) -> Option<&'a str> {
        let _ = answer;
        None
    }
}

/// Parses a response: a reply, or the error that its status and words mean. A call of another tool
/// than the requested one, by the name of its shape, is no answer.
///
/// # Errors
/// [`ModelError`], with a kind of its own for each failure.
pub fn read(
    provider: &dyn Provider,
    endpoint: &Endpoint,
    response: &HttpResponse,
    shape: Option<&str>,
) -> Result<ModelReply, ModelError> {
    let host = endpoint.base.host().to_owned();
    if response.status != 200 {
        return Err(of_status(endpoint, response));
    }
    let raw = || raw(&response.body);
    let answer = json::parse(&response.body).map_err(|fault| match fault {
        JsonFault::Empty => ModelError::Empty { host: host.clone() },
        fault => ModelError::NotJson {
            host: host.clone(),
            fault,
            hint: hint(response),
            raw: raw(),
        },
    })?;
    // Some gateways answer 200 and put the failure into the body, some of them next to a part of an
    // answer.
    let is_bare = answer
        .get("choices")
        .is_none_or(|choices| choices.as_array().is_none_or(Vec::is_empty));
    if let Some(message) = complaint(&answer).filter(|_| is_bare || has_error(&answer)) {
        return Err(ModelError::OutOfOrder {
            host,
            status: response.status,
            said: said(&message),
        });
    }
    let wrong = |why: String| ModelError::WrongShape {
        host: host.clone(),
        why,
        raw: raw(),
    };
    let other = provider
        .called(&answer)
        .filter(|name| shape.is_some_and(|shape| shape != *name));
    if let Some(name) = other {
        return Err(wrong(other_call(name)));
    }
    finished(provider.reply(&answer).map_err(wrong)?, host)
}

/// Returns a reply if it is complete and says something.
fn finished(reply: ModelReply, host: String) -> Result<ModelReply, ModelError> {
    match reply.finish {
        Finish::Declined => Err(ModelError::Declined { raw: reply.text }),
        Finish::Filtered => Err(ModelError::Filtered { raw: reply.text }),
        Finish::Complete | Finish::Unsaid
            if reply.text.trim().is_empty() && reply.arguments.is_none() =>
        {
            Err(ModelError::Empty { host })
        }
        // A truncated answer is for the caller, which knows its bound.
        Finish::Complete | Finish::Unsaid | Finish::Length => Ok(reply),
    }
}

/// Reports whether a request was refused for the form of its answer, so that a simpler form may be
/// used.
pub fn is_form_refused(response: &HttpResponse) -> bool {
    let words = [
        "response_format",
        "json_schema",
        "json_object",
        "schema",
        "grammar",
        "tool_choice",
        "tools",
        "tool use",
        "function call",
        "structured output",
        "invalid format",
        "no endpoints found",
    ];
    let body = String::from_utf8_lossy(&response.body).to_lowercase();
    // The page of a proxy or a router may contain any of these words.
    let is_json = body.trim_start().starts_with(['{', '[']);
    // Some servers of this machine fail with 500 and a stack trace if they do not know a form.
    matches!(response.status, 400 | 404 | 422 | 500 | 501)
        && is_json
        && words.iter().any(|word| body.contains(word))
}

/// Reports whether the same request may succeed later.
pub fn may_try_again(response: &HttpResponse) -> bool {
    if response.header("x-should-retry") == Some("false") {
        return false;
    }
    match response.status {
        // A used up quota has the same status as a rate limit, and does not end by waiting.
        429 => !is_out_of_credit(response),
        408 | 409 | 425 | 500 | 502..=504 | 520..=524 | 529 => true,
        _ => false,
    }
}

fn is_out_of_credit(response: &HttpResponse) -> bool {
    let body = String::from_utf8_lossy(&response.body);
    [
        "insufficient_quota",
        "billing_hard_limit",
        "credit balance",
        "insufficient credit",
    ]
    .iter()
    .any(|word| body.contains(word))
}

fn is_too_long(response: &HttpResponse) -> bool {
    let body = String::from_utf8_lossy(&response.body).to_lowercase();
    let words = [
        "context_length",
        "context length",
        "context window",
        "context size",
        "too long",
        "maximum context",
        "exceeds the available",
    ];
    response.status == 413
        || (matches!(response.status, 400 | 422) && words.iter().any(|word| body.contains(word)))
}

fn of_status(endpoint: &Endpoint, response: &HttpResponse) -> ModelError {
    let host = endpoint.base.host().to_owned();
    let words = json::parse(&response.body)
        .ok()
        .as_ref()
        .and_then(complaint)
        .map(|message| said(&message))
        .unwrap_or_default();
    match response.status {
        // Before the status: a context that is too small is often a plain 400.
        _ if is_too_long(response) => ModelError::TooLong { host, said: words },
        402 => ModelError::OutOfCredit { host, said: words },
        429 | 400 | 403 if is_out_of_credit(response) => {
            ModelError::OutOfCredit { host, said: words }
        }
        401 => ModelError::BadKey { host, said: words },
        // Gemini reports a wrong key with 400.
        400 if words.to_lowercase().contains("api key") => ModelError::BadKey { host, said: words },
        403 => ModelError::Forbidden { host, said: words },
        404 => ModelError::NoSuchModel {
            host,
            model: endpoint.model.clone(),
            said: words,
        },
        429 => ModelError::RateLimited {
            host,
            when: response.header("retry-after").map(when).unwrap_or_default(),
        },
        status @ (503 | 529) => ModelError::Overloaded { host, status },
        status @ 500..=599 => ModelError::OutOfOrder {
            host,
            status,
            said: words,
        },
        status @ 300..=399 => ModelError::SentElsewhere { host, status },
        status @ 400..=499 => ModelError::BadRequest {
            host,
            status,
            said: words,
        },
        status => ModelError::StrangeStatus { host, status },
    }
}

/// Returns when a limit ends, if the header is a number or a plausible date.
fn when(header: &str) -> String {
    let is_plain = header.len() <= 40
        && header
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b" ,:.-".contains(&byte));
    match header.trim().parse::<f64>() {
        Ok(seconds) => format!("; ask again in {seconds} s"),
        Err(_) if is_plain => format!("; ask again after {header}"),
        Err(_) => String::new(),
    }
}

/// Reports whether a part of an answer contains an error. Some servers always have the field, and
/// leave it empty.
pub(crate) fn has_error(part: &Value) -> bool {
    match part.get("error") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        Some(Value::Bool(true) | Value::Number(_)) => true,
    }
}

/// Returns the reason against an answer that did not end with a stop.
pub(crate) fn no_stop(reason: &str) -> String {
    let reason: String = reason.chars().take(REASON_LETTERS_MAX).collect();
    format!("it ended by `{reason}`, which is not a stop")
}

/// Returns the reason against a call of another tool than the requested one.
fn other_call(name: &str) -> String {
    let name: String = name.chars().take(REASON_LETTERS_MAX).collect();
    format!("it calls `{name}`, which was not asked for")
}

/// Returns the reason against several calls: one was requested, and nobody can tell which one is
/// meant.
pub(crate) fn several_calls(calls: usize) -> String {
    format!("it calls tools {calls} times, and once was asked for")
}

/// Returns the message of an error response.
fn complaint(answer: &Value) -> Option<String> {
    // Some servers wrap their error in a list.
    let answer = answer
        .as_array()
        .and_then(|list| list.first())
        .unwrap_or(answer);
    let error = answer.get("error").filter(|_| has_error(answer));
    let places = [
        error.and_then(|error| error.get("message")),
        error,
        answer.get("message"),
        answer.get("detail"),
    ];
    let words = places
        .into_iter()
        .flatten()
        .find_map(Value::as_str)
        .map(str::to_owned);
    words.or_else(|| error.map(Value::to_string)).filter(|_| {
        error.is_some()
            || answer.get("choices").is_none()
                && answer.get("message").is_some_and(Value::is_string)
    })
}

/// Returns what an answer looks like that is no JSON.
fn hint(response: &HttpResponse) -> &'static str {
    let head = String::from_utf8_lossy(&response.body[..response.body.len().min(512)])
        .trim_start()
        .to_lowercase();
    if head.starts_with("<!doctype") || head.starts_with("<html") {
        "; it is a web page"
    } else if head.starts_with("data:") || head.starts_with("event:") {
        "; it is a stream of events, which was not asked for"
    } else {
        ""
    }
}

/// Returns a raw answer, truncated.
pub(crate) fn raw(body: &[u8]) -> String {
    String::from_utf8_lossy(body)
        .chars()
        .take(RAW_LETTERS_MAX)
        .collect()
}

/// Returns the temperature in the form of the providers.
pub(crate) fn temperature(request: &ModelRequest) -> Option<f64> {
    request
        .temperature_hundredths
        .map(|hundredths| f64::from(hundredths) / 100.0)
}

/// Sets a field of an object, if there is a value for it.
pub(crate) fn set(body: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let (Some(object), Some(value)) = (body.as_object_mut(), value) {
        object.insert(name.to_owned(), value.into());
    }
}

/// Returns the instructions, with the shape in words if the form needs them.
pub(crate) fn instructions(request: &ModelRequest, form: ShapeForm) -> String {
    match &request.schema {
        Some(schema) if form.needs_words() => format!(
            "{}\n\n{}",
            request.system,
            crate::structured::instruction(schema)
        )
        // Without instructions, the text would begin with empty lines.
        .trim_start()
        .to_owned(),
        Some(_) | None => request.system.clone(),
    }
}

#[cfg(test)]
mod tests;
