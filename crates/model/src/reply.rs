//! The answer of a model, in the same form for every provider.

use serde_json::Value;

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It was done.
    Complete,
    /// It reached the maximum length of its answer.
    Length,
    /// It declined.
    Declined,
    /// The provider's filter stopped it.
    Filtered,
    /// The provider did not say.
    Unsaid,
}

/// The usage that the provider reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub prompt_tokens: u64,
    /// Tokens of the answer, thinking included.
    pub output_tokens: u64,
    /// Tokens of the prompt that were read from a cache of the provider.
    pub cached_tokens: u64,
}

/// An answer of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelReply {
    /// Its text, without what the provider marks as thinking.
    pub text: String,
    /// The arguments of a tool call, if the answer was requested as one; else `None`.
    pub arguments: Option<Value>,
    /// Why it ended.
    pub finish: Finish,
    /// The usage; `None` if the provider does not report it.
    pub usage: Option<Usage>,
    /// The model that answered, as the provider reports it; `None` if it does not.
    pub model: Option<String>,
}

/// Returns a number of tokens in an answer; `None` for anything but a whole number.
pub(crate) fn tokens_at(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}
