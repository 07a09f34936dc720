//! Finds servers of models on this machine: which of the usual ports answers as one, and which
//! models it has. No other machine is asked.

use std::io::Read as _;
use std::time::Duration;

use ureq::Agent;

use crate::address::BaseUrl;
use crate::json;
use crate::provider::{self, Provider};

/// Timeout of one port, in milliseconds.
const ANSWER_MS_MAX: u64 = 1_500;
/// Maximum number of bytes of a list of models.
const LIST_BYTES_MAX: u64 = 1 << 20;
/// Maximum number of models that are listed for one server.
const MODELS_MAX: usize = 50;

/// A server that answered.
#[derive(Clone, Debug)]
pub struct Server {
    /// The interface that it speaks.
    pub provider: &'static dyn Provider,
    /// The likely kind of server.
    pub kind: &'static str,
    /// Its base address.
    pub base: BaseUrl,
    /// Its models.
    pub models: Vec<String>,
}

/// A usual place: provider, kind of server, base address, and the path of its list of models.
type LocalServer = (&'static str, &'static str, &'static str, &'static str);

/// The default ports of the usual servers.
const PLACES: [LocalServer; 5] = [
    ("ollama", "Ollama", "http://127.0.0.1:11434", "/api/tags"),
    ("openai", "llama.cpp", "http://127.0.0.1:8080/v1", "/models"),
    (
        "openai",
        "llama-cpp-python or vLLM",
        "http://127.0.0.1:8000/v1",
        "/models",
    ),
    ("openai", "LM Studio", "http://127.0.0.1:1234/v1", "/models"),
    ("openai", "Jan", "http://127.0.0.1:1337/v1", "/models"),
];

/// Returns all servers that answer at the usual places, in their order.
pub fn find() -> Vec<Server> {
    // At the same time, since a port that answers nothing takes the whole timeout.
    let looks: Vec<_> = PLACES
        .iter()
        .map(|place| std::thread::spawn(|| look(place)))
        .collect();
    looks
        .into_iter()
        .filter_map(|look| look.join().ok().flatten())
        .collect()
}

/// Returns the server at an address of this machine, if one answers.
pub fn at(provider: &'static dyn Provider, base: &BaseUrl) -> Option<Server> {
    let list = if provider.card().name == "ollama" {
        "/api/tags"
    } else {
        "/models"
    };
    let models = models(&base.below(list))?;
    Some(Server {
        provider,
        kind: "a server",
        base: base.clone(),
        models,
    })
}

fn look((provider, kind, base, list): &LocalServer) -> Option<Server> {
    let (provider, base) = (provider::by_name(provider)?, BaseUrl::parse(base).ok()?);
    let models = models(&base.below(list))?;
    Some(Server {
        provider,
        kind,
        base,
        models,
    })
}

/// Returns the names in a list of models: Ollama and OpenAI use different words.
fn models(url: &str) -> Option<Vec<String>> {
    // Any program may listen on these ports: it must not send the request to another machine.
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_millis(ANSWER_MS_MAX)));
    let response = config
        .build()
        .new_agent()
        .get(url)
        .call()
        .ok()
        .filter(|response| response.status().as_u16() == 200)?;
    let mut bytes = Vec::new();
    response
        .into_body()
        .into_reader()
        .take(LIST_BYTES_MAX)
        .read_to_end(&mut bytes)
        .ok()?;
    let answer = json::parse(&bytes).ok()?;
    let list = answer
        .get("models")
        .or_else(|| answer.get("data"))?
        .as_array()?
        .clone();
    let name = |model: &serde_json::Value| {
        ["id", "name", "model"]
            .into_iter()
            .find_map(|field| model[field].as_str().map(str::to_owned))
    };
    Some(list.iter().filter_map(name).take(MODELS_MAX).collect())
}
