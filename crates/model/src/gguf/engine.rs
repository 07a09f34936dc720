//! The engine: reads a GGUF file once, and generates token after token from it. Given the body of a
//! request in the form of chat completions, returns the body of a response in the same form. A
//! broken file leads to an error response, never to a panic of the program.

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use candle_core::quantized::gguf_file::{Content, Value as Meta};
use candle_core::quantized::tokenizer::TokenizerFromGguf as _;
use candle_core::{D, Device, Tensor};
use candle_transformers::models::{quantized_llama, quantized_qwen2};
use serde_json::{Value, json};
use tokenizers::Tokenizer;

use super::dialogue::{Dialogue, PromptPart};
use super::{Deadline, refusal};
use crate::error::TransportBroken;
use crate::wire::{HttpRequest, HttpResponse};

/// Maximum number of bytes of a file.
const FILE_BYTES_MAX: u64 = 64 << 30;
/// Number of tokens of a prompt that are read in one step; the time is checked between steps.
const STEP_TOKENS: usize = 64;
/// Minimum number of tokens for a prompt and its answer that a file is assumed to have.
const CONTEXT_TOKENS_MIN: usize = 64;

/// The architectures that are known, for messages.
const ARCHITECTURES: &str = "qwen2 and llama";

/// A model of a file, which is read when it is first asked.
#[derive(Default)]
pub(crate) struct Engine {
    loaded: Mutex<Option<Loaded>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// A file in memory.
struct Loaded {
    weights: Weights,
    tokenizer: Tokenizer,
    dialogue: Dialogue,
    ends: Vec<u32>,
    context_tokens: usize,
}

enum Weights {
    Qwen2(quantized_qwen2::ModelWeights),
    Llama(quantized_llama::ModelWeights),
}

/// Why the model gave no answer.
enum Cannot {
    /// It is too late, or nobody waits.
    Over,
    /// The error response.
    Refused(HttpResponse),
}

impl From<candle_core::Error> for Cannot {
    fn from(error: candle_core::Error) -> Self {
        Self::Refused(refusal(422, &format!("the model cannot be run: {error}")))
    }
}

/// The parts of a request that matter here.
struct EngineRequest {
    path: String,
    turns: Vec<(String, String)>,
    output_tokens_max: usize,
}

/// The answer of the model.
struct EngineReply {
    text: String,
    is_whole: bool,
    prompt_tokens: usize,
    output_tokens: usize,
}

impl Engine {
    /// Returns the response to a request.
    pub(crate) fn answer(
        &self,
        request: &HttpRequest,
        watch: &Deadline<'_>,
    ) -> Result<HttpResponse, TransportBroken> {
        match self.try_answer(request, watch) {
            Ok(said) => Ok(response(&said)),
            Err(Cannot::Refused(response)) => Ok(response),
            Err(Cannot::Over) => Err(TransportBroken::TimeUp { ms: 0 }),
        }
    }

    fn try_answer(
        &self,
        request: &HttpRequest,
        watch: &Deadline<'_>,
    ) -> Result<EngineReply, Cannot> {
        let asked = EngineRequest::of(&request.body)
            .ok_or_else(|| Cannot::Refused(refusal(400, "the request has no turns")))?;
        // Whatever a request left in the memory of the model is cleared by the next one, even after
        // a panic.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let model = match loaded.as_mut() {
            Some(model) => model,
            None => loaded.insert(Loaded::read(Path::new(&asked.path))?),
        };
        model.say(&asked, watch)
    }
}

impl EngineRequest {
    fn of(body: &[u8]) -> Option<Self> {
        let body: Value = serde_json::from_slice(body).ok()?;
        let turn = |turn: &Value| {
            Some((
                turn["role"].as_str()?.to_owned(),
                turn["content"].as_str()?.to_owned(),
            ))
        };
        Some(Self {
            path: body["model"].as_str()?.to_owned(),
            turns: body["messages"]
                .as_array()?
                .iter()
                .map(turn)
                .collect::<Option<_>>()?,
            // `max_tokens` and not the newer name, since `Gguf` is rendered as a server other than
            // OpenAI.
            output_tokens_max: usize::try_from(body["max_tokens"].as_u64()?).ok()?,
        })
    }
}

impl Loaded {
    fn read(path: &Path) -> Result<Self, Cannot> {
        let refused = |status, why: String| Cannot::Refused(refusal(status, &why));
        let shown = path.display();
        let mut file = File::open(path).map_err(|error| {
            let why = format!("`{shown}` cannot be opened: {}", error.kind());
            refused(404, why)
        })?;
        // A pipe or a device would block the reader, or never end.
        let is_sized = file
            .metadata()
            .is_ok_and(|metadata| metadata.is_file() && metadata.len() <= FILE_BYTES_MAX);
        if !is_sized {
            let why = format!("`{shown}` is not a file of at most {FILE_BYTES_MAX} bytes");
            return Err(refused(404, why));
        }
        let content = Content::read(&mut file)
            .map_err(|error| refused(422, format!("`{shown}` is not a GGUF file: {error}")))?;
        let architecture = text(&content, "general.architecture")
            .unwrap_or_default()
            .to_owned();
        let dialogue = text(&content, "tokenizer.chat_template").and_then(Dialogue::of_template);
        let dialogue = dialogue
            .ok_or_else(|| refused(422, "its chat template is not supported".to_owned()))?;
        let mut tokenizer = Tokenizer::from_gguf(&content)?;
        // No text becomes a mark: marks are inserted as tokens.
        tokenizer.set_encode_special_tokens(true);
        let end = tokenizer.token_to_id(dialogue.end());
        let ends = end
            .into_iter()
            .chain(number(&content, "tokenizer.ggml.eos_token_id"))
            .collect();
        let context =
            number(&content, &format!("{architecture}.context_length")).unwrap_or_default();
        let context_tokens = usize::try_from(context)
            .unwrap_or_default()
            .max(CONTEXT_TOKENS_MIN);
        let device = Device::Cpu;
        let weights = match architecture.as_str() {
            "qwen2" => Weights::Qwen2(quantized_qwen2::ModelWeights::from_gguf(
                content, &mut file, &device,
            )?),
            "llama" => Weights::Llama(quantized_llama::ModelWeights::from_gguf(
                content, &mut file, &device,
            )?),
            other => {
                let known = format!("those that are known are {ARCHITECTURES}");
                let why = format!("its architecture is `{other}`; {known}");
                return Err(refused(422, why));
            }
        };
        Ok(Self {
            weights,
            tokenizer,
            dialogue,
            ends,
            context_tokens,
        })
    }

    fn say(&mut self, asked: &EngineRequest, watch: &Deadline<'_>) -> Result<EngineReply, Cannot> {
        let prompt = self.tokens(&asked.turns)?;
        let room = self.context_tokens.saturating_sub(prompt.len());
        // Refused before the work: an answer would be truncated after minutes.
        if room < asked.output_tokens_max {
            let why = format!(
                "the prompt of {} tokens and an answer of {} exceed the context length of {}",
                prompt.len(),
                asked.output_tokens_max,
                self.context_tokens
            );
            return Err(Cannot::Refused(refusal(400, &why)));
        }
        self.weights.clear();
        let (mut at, mut next) = (0, 0);
        for step in prompt.chunks(STEP_TOKENS) {
            next = self.step(step, at, watch)?;
            at += step.len();
        }
        let mut output = Vec::new();
        let is_whole = loop {
            // A file may name another end than its template, so that both end an answer.
            if self.ends.contains(&next) {
                break true;
            }
            if output.len() >= asked.output_tokens_max {
                break false;
            }
            output.push(next);
            next = self.step(&[next], at, watch)?;
            at += 1;
        };
        let text = self
            .tokenizer
            .decode(&output, true)
            .map_err(|error| of_tokenizer(&error.to_string()))?;
        Ok(EngineReply {
            text,
            is_whole,
            prompt_tokens: prompt.len(),
            output_tokens: output.len(),
        })
    }

    /// Returns the likeliest next token after the tokens from a position.
    fn step(&mut self, tokens: &[u32], at: usize, watch: &Deadline<'_>) -> Result<u32, Cannot> {
        if watch.is_over() {
            return Err(Cannot::Over);
        }
        let input = Tensor::new(tokens, &Device::Cpu)?.unsqueeze(0)?;
        let logits = match &mut self.weights {
            Weights::Qwen2(model) => model.forward(&input, at)?,
            Weights::Llama(model) => model.forward(&input, at)?,
        };
        Ok(logits.squeeze(0)?.argmax(D::Minus1)?.to_scalar::<u32>()?)
    }

    fn tokens(&self, turns: &[(String, String)]) -> Result<Vec<u32>, Cannot> {
        let mut tokens = Vec::new();
        for part in self.dialogue.parts(turns) {
            match part {
                PromptPart::Mark(mark) => {
                    let why = || {
                        Cannot::Refused(refusal(422, &format!("its vocabulary has no `{mark}`")))
                    };
                    tokens.push(self.tokenizer.token_to_id(mark).ok_or_else(why)?);
                }
                PromptPart::Text(text) => {
                    // `false`: the tokenizer adds no marks of its own, since `parts` has all of
                    // them.
                    let encoded = self
                        .tokenizer
                        .encode(text, false)
                        .map_err(|error| of_tokenizer(&error.to_string()))?;
                    tokens.extend_from_slice(encoded.get_ids());
                }
            }
        }
        Ok(tokens)
    }
}

impl Weights {
    fn clear(&mut self) {
        match self {
            Self::Qwen2(model) => model.clear_kv_cache(),
            Self::Llama(model) => model.clear_kv_cache(),
        }
    }
}

fn of_tokenizer(error: &str) -> Cannot {
    Cannot::Refused(refusal(
        422,
        &format!("its vocabulary cannot be used: {error}"),
    ))
}

fn text<'c>(content: &'c Content, key: &str) -> Option<&'c str> {
    content
        .metadata
        .get(key)
        .and_then(|value| value.to_string().ok())
        .map(String::as_str)
}

fn number(content: &Content, key: &str) -> Option<u32> {
    match content.metadata.get(key)? {
        Meta::U32(number) => Some(*number),
        Meta::U64(number) => u32::try_from(*number).ok(),
        Meta::I32(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

fn response(said: &EngineReply) -> HttpResponse {
    let finish = if said.is_whole { "stop" } else { "length" };
    let body = json!({
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": said.text}}],
        "usage": {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.output_tokens}});
    HttpResponse {
        status: 200,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: body.to_string().into_bytes(),
    }
}
