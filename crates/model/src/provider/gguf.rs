//! A model in a GGUF file on this machine, run by this process. It uses the interface of chat
//! completions within the process; the model's name is the path of the file.

use serde_json::Value;

use super::openai::OpenAi;
use super::{Endpoint, Provider, ProviderCard, ShapeForm};
use crate::reply::ModelReply;
use crate::request::ModelRequest;
use crate::wire::HttpRequest;

/// A model of a file.
#[derive(Debug)]
pub struct Gguf;

/// The name of the provider and of its engine.
pub const NAME: &str = "gguf";

static CARD: ProviderCard = ProviderCard {
    name: NAME,
    // A placeholder for this process: nothing is ever sent there.
    base_url: "http://localhost/gguf",
    key_variables: &[],
    base_variable: "",
    forms: &[ShapeForm::Words],
};

impl Provider for Gguf {
    fn card(&self) -> &'static ProviderCard {
        &CARD
    }

    fn render(&self, endpoint: &Endpoint, request: &ModelRequest, form: ShapeForm) -> HttpRequest {
        OpenAi.render(endpoint, request, form)
    }

    fn reply(&self, answer: &Value) -> Result<ModelReply, String> {
        OpenAi.reply(answer)
    }
}
