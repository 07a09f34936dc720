//! What a model answered, in the same words for every provider.

use serde_json::Value;

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It was done.
    Complete,
    /// It reached the bound of its answer.
    Length,
    /// It declined.
    Declined,
    /// The provider's filter cut it.
    Filtered,
    /// The provider did not say.
    Unsaid,
}

/// What the provider says was used.
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
    /// The arguments of the call of a tool that the answer was asked to be.
    pub arguments: Option<Value>,
    /// Why it ended.
    pub finish: Finish,
    /// What was used; not every provider says.
    pub usage: Option<Usage>,
    /// The model that answered, by the provider's word.
    pub model: Option<String>,
}

/// A number of tokens in an answer; what is no whole number is not there.
pub(crate) fn tokens_at(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}
