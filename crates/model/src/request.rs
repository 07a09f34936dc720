//! What a model is asked: instructions, a conversation, material to judge, and
//! the shape of the answer. Plain values; nothing here knows a provider.

use serde_json::Value;

use crate::material::CitableText;

/// Tokens of an answer where nothing else is said.
pub const OUTPUT_TOKENS_MAX: u32 = 1_024;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// We.
    User,
    /// The model, earlier in the conversation.
    Assistant,
}

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// The shape that an answer must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// A name of letters, digits and underscores.
    pub name: String,
    /// A JSON schema of the subset that [`crate::shape`] checks.
    pub body: Value,
}

/// One request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// The instructions.
    pub system: String,
    /// The conversation; the last turn is ours.
    pub messages: Vec<Message>,
    /// Text that the model judges and that is never an instruction; it follows the last turn,
    /// fenced.
    pub material: Vec<CitableText>,
    /// The shape of the answer; none for prose.
    pub schema: Option<Schema>,
    /// Tokens that the answer may have.
    pub output_tokens_max: u32,
    /// How freely words are chosen, in hundredths; none leaves it to the provider, since some
    /// models take no other value.
    pub temperature_hundredths: Option<u16>,
}

impl ModelRequest {
    /// A request of one turn, for prose.
    pub fn new(system: impl Into<String>, question: impl Into<String>) -> Self {
        Self {
            system: system.into(),
            messages: vec![Message::user(question)],
            material: Vec::new(),
            schema: None,
            output_tokens_max: OUTPUT_TOKENS_MAX,
            temperature_hundredths: None,
        }
    }

    /// The request with a shape for its answer.
    #[must_use]
    pub fn shaped(self, name: &str, body: Value) -> Self {
        Self {
            schema: Some(Schema {
                name: name.to_owned(),
                body,
            }),
            ..self
        }
    }

    /// The request with another bound of its answer.
    #[must_use]
    pub fn output_tokens_max(self, output_tokens_max: u32) -> Self {
        Self {
            output_tokens_max,
            ..self
        }
    }

    /// The request with material to judge.
    #[must_use]
    pub fn with_material(mut self, material: CitableText) -> Self {
        self.material.push(material);
        self
    }
}

impl Message {
    /// A turn of ours.
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            text: text.into(),
        }
    }

    /// A turn of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            text: text.into(),
        }
    }
}
