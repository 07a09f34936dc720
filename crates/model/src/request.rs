//! A request to a model: instructions, a conversation, material to judge, and the shape of the
//! answer. These are plain values; nothing here knows a provider.

use serde_json::Value;

use crate::material::CitableText;

/// Default maximum number of tokens of an answer.
pub const OUTPUT_TOKENS_MAX: u32 = 1_024;

/// The speaker of a turn.
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
    /// The speaker.
    pub role: Role,
    /// The text.
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
    /// Text that the model judges and that is never an instruction. It is fenced and follows the
    /// last turn.
    pub material: Vec<CitableText>,
    /// The shape of the answer; `None` for prose.
    pub schema: Option<Schema>,
    /// Maximum number of tokens of the answer.
    pub output_tokens_max: u32,
    /// How freely words are chosen, in hundredths; `None` leaves it to the provider, since some
    /// models accept no other value.
    pub temperature_hundredths: Option<u16>,
}

impl ModelRequest {
    /// Creates a request of one turn, for prose.
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

    /// Sets the shape of the answer.
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

    /// Sets the maximum length of the answer.
    #[must_use]
    pub fn output_tokens_max(self, output_tokens_max: u32) -> Self {
        Self {
            output_tokens_max,
            ..self
        }
    }

    /// Adds material to judge.
    #[must_use]
    pub fn with_material(mut self, material: CitableText) -> Self {
        self.material.push(material);
        self
    }
}

impl Message {
    /// Creates a turn of ours.
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            role: Role::User,
            text: text.into(),
        }
    }

    /// Creates a turn of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self {
            role: Role::Assistant,
            text: text.into(),
        }
    }
}
