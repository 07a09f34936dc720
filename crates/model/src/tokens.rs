//! Counts the tokens of a text, by vocabularies that ship with the program. For a model with an
//! unknown vocabulary the count is raised, since a budget that counts too little does not limit
//! spending. The count is never more than the bytes, which no vocabulary over bytes exceeds.

use crate::request::ModelRequest;

/// Maximum number of bytes of a text that is split; in a longer one each byte counts as a token. No
/// context window takes so much, and a single word of two megabytes takes seconds to split.
const SPLIT_BYTES_MAX: usize = 2 << 20;
/// Number of tokens around each turn.
const TURN_TOKENS: u64 = 8;
/// Number of tokens around a request.
const REQUEST_TOKENS: u64 = 32;

/// A vocabulary that ships with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vocabulary {
    O200k,
    Cl100k,
}

impl Vocabulary {
    /// Counts the tokens of a text. The first call unpacks the vocabulary, in about a tenth of a
    /// second.
    fn count(self, text: &str) -> usize {
        let name = match self {
            Self::O200k => "o200k_base",
            Self::Cl100k => "cl100k_base",
        };
        // A name without its feature would return `None`; then each byte counts, which is on the
        // safe side.
        tiktoken::get_encoding(name).map_or(text.len(), |encoding| encoding.count(text))
    }
}

/// A family of models: how its names start, its vocabulary or the nearest one, and the percentage
/// to which the count is raised.
struct TokenFamily {
    names: &'static [&'static str],
    vocabulary: Vocabulary,
    percent: u64,
}

/// The first family that fits counts. The raise is the worst that was seen over the files of eight
/// public repositories in nine languages, rounded up: published vocabularies need up to 1.19 times
/// the tokens of `o200k` (Qwen 2, DeepSeek 3, Llama 3, GLM 4, Kimi 2), and 1.34 times (Mistral 3).
/// If no vocabulary is published, the count is raised by half.
const FAMILIES: [TokenFamily; 4] = [
    TokenFamily {
        names: &[
            "gpt-4o",
            "gpt-4.1",
            "gpt-4.5",
            "gpt-5",
            "gpt-oss",
            "chatgpt-4o",
            "o1",
            "o3",
            "o4",
        ],
        vocabulary: Vocabulary::O200k,
        percent: 100,
    },
    TokenFamily {
        names: &["gpt-4", "gpt-3.5", "gpt-35"],
        vocabulary: Vocabulary::Cl100k,
        percent: 100,
    },
    TokenFamily {
        names: &["qwen", "llama", "deepseek", "glm", "kimi", "minimax"],
        vocabulary: Vocabulary::O200k,
        percent: 125,
    },
    TokenFamily {
        names: &[""],
        vocabulary: Vocabulary::O200k,
        percent: UNKNOWN_PERCENT,
    },
];
/// The percentage to which a count is raised if the vocabulary is not known.
const UNKNOWN_PERCENT: u64 = 150;

/// Counts the tokens of texts for one model.
#[derive(Clone, Copy, Debug)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
    percent: u64,
}

impl Tokenizer {
    /// Returns the counter for a model, by its name.
    pub fn for_model(model: &str) -> Self {
        let model = model.to_lowercase();
        // Gateways put the maker before the name: `openai/gpt-4o`.
        let name = model.rsplit('/').next().unwrap_or_default();
        let family = FAMILIES
            .iter()
            .find(|family| family.names.iter().any(|start| name.starts_with(start)));
        family.map_or(
            Self {
                vocabulary: Vocabulary::O200k,
                percent: UNKNOWN_PERCENT,
            },
            |family| Self {
                vocabulary: family.vocabulary,
                percent: family.percent,
            },
        )
    }

    /// Unpacks the vocabulary on a thread of its own, so that a later count need not wait for it.
    pub fn read_ahead(self) {
        std::thread::spawn(move || self.count("a"));
    }

    /// Reports whether the counts are the model's own, and not raised.
    pub fn is_exact(self) -> bool {
        self.percent == 100
    }

    /// Counts the tokens of a text, rather too many than too few.
    pub fn count(self, text: &str) -> u64 {
        let bytes = text.len() as u64;
        if text.len() > SPLIT_BYTES_MAX {
            return bytes;
        }
        let counted = self.vocabulary.count(text);
        (counted as u64 * self.percent).div_ceil(100).min(bytes)
    }

    /// Counts the tokens of a whole request with its shape.
    pub fn count_request(self, request: &ModelRequest) -> u64 {
        let turns: u64 = request
            .messages
            .iter()
            .map(|message| self.count(&message.text) + TURN_TOKENS)
            .sum();
        let material: u64 = request
            .material
            .iter()
            .map(|piece| self.count(&piece.text) + self.count(&piece.name) + TURN_TOKENS)
            .sum();
        REQUEST_TOKENS + self.count(&request.system) + turns + material + self.count_shape(request)
    }

    /// Counts the tokens of the shape of a request. It is sent once as a schema and, to models
    /// without schemas, once in words.
    pub fn count_shape(self, request: &ModelRequest) -> u64 {
        request.schema.as_ref().map_or(0, |schema| {
            2 * (self.count(&schema.body.to_string()) + TURN_TOKENS)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_on_the_safe_side() {
        let exact = Tokenizer::for_model("openai/gpt-4o-mini");
        assert!(exact.is_exact());
        assert_eq!(exact.count("Hello, world!"), 4);
        let unknown = Tokenizer::for_model("claude-next");
        assert!(!unknown.is_exact());
        assert_eq!(unknown.count("Hello, world!"), 6);
        assert_eq!(unknown.count("ab"), 2, "never more than the bytes");
        assert_eq!(unknown.count(""), 0);
        let long = "x".repeat(SPLIT_BYTES_MAX + 1);
        assert_eq!(unknown.count(&long), long.len() as u64);
    }

    #[test]
    fn a_request_counts_all_that_is_sent() {
        let counter = Tokenizer::for_model("gpt-4o");
        let request = ModelRequest::new("Hello, world!", "Hello, world!");
        assert_eq!(
            counter.count_request(&request),
            REQUEST_TOKENS + 4 + 4 + TURN_TOKENS
        );
        let shaped = request.shaped("a", serde_json::json!({"type": "object"}));
        assert!(counter.count_request(&shaped) > REQUEST_TOKENS + 16 + 2 * TURN_TOKENS);
        assert_eq!(
            counter.count_request(&shaped) - counter.count_shape(&shaped),
            REQUEST_TOKENS + 4 + 4 + TURN_TOKENS
        );
    }
}
