//! The settings of a model: which one is asked, where, with which key, and within which bounds.
//! They are made from the command line, the environment and the user's own configuration. Nothing
//! of a repository is read.

use std::sync::Arc;

use grounds_http::turns::Turns;

use crate::address::BaseUrl;
use crate::budget::Caps;
use crate::error::ModelError;
use crate::exchange::Shelves;
use crate::key::KeySource;
use crate::pace::Rates;
use crate::price::Price;
use crate::provider::{self, Endpoint, Provider};
use crate::transport::Network;

/// Maximum number of letters of a model's name.
const MODEL_LETTERS_MAX: usize = 200;
/// Default number of tokens of context that a local server is asked for.
pub const CONTEXT_TOKENS: u64 = 16_384;

/// Timeouts and attempts of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Timeout of one attempt, in milliseconds.
    pub request_ms_max: u64,
    /// Timeout of a request with all its waiting and attempts, in milliseconds.
    pub total_ms_max: u64,
    /// Maximum number of attempts, the first included.
    pub attempts_max: u32,
    /// Wait before the second attempt, in milliseconds; each further one waits twice as long.
    pub backoff_ms: u64,
    /// Maximum time in milliseconds that a provider may ask to wait; a longer wait is reported as
    /// an error.
    pub wait_ms_max: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            request_ms_max: 180_000,
            total_ms_max: 600_000,
            attempts_max: 4,
            backoff_ms: 500,
            wait_ms_max: 60_000,
        }
    }
}

/// Everything that is needed to ask a model.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// The interface.
    pub provider: &'static dyn Provider,
    /// The address and the model.
    pub endpoint: Endpoint,
    /// The source of the key.
    pub key: KeySource,
    /// Times and attempts.
    pub patience: Patience,
    /// The pace.
    pub rates: Rates,
    /// Gives turns over all processes that share a key, in addition to the pace of this one; `None`
    /// if only this process counts.
    pub turns: Option<Arc<dyn Turns>>,
    /// The caps.
    pub caps: Caps,
    /// The prices of tokens.
    pub prices: Vec<Price>,
    /// The network.
    pub network: Network,
    /// Recorded exchanges.
    pub shelves: Shelves,
    /// Whether nothing is sent.
    pub is_dry_run: bool,
}

/// The settings that a user gives, as words. What is `None` is read from the environment, and then
/// from the provider's card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// `PROVIDER`, `PROVIDER/MODEL` or `MODEL`.
    pub model: Option<String>,
    /// The base address.
    pub base_url: Option<String>,
    /// A command that prints the key.
    pub key_command: Option<String>,
    /// The variable that holds the key.
    pub key_variable: Option<String>,
    /// The account in the system's keyring that holds the key.
    pub keyring_account: Option<String>,
}

impl ModelSettings {
    /// Returns the name under which turns are taken, without the key: the provider and its host, or
    /// the whole address of a server on this machine, of which there may be several.
    pub fn turns_at(&self) -> String {
        let (provider, base) = (self.provider.card().name, &self.endpoint.base);
        match base.is_local() {
            true => format!("model {provider} {base}"),
            false => format!("model {provider} {}", base.host()),
        }
    }

    /// Creates settings from what is given, over the variables `GROUNDS_MODEL` and
    /// `GROUNDS_MODEL_URL`; `None` if no model is named.
    ///
    /// # Errors
    /// [`ModelError::Settings`] if they do not fit together.
    pub fn of(
        given: &Given,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, ModelError> {
        let variable = |name: &str| variables(name).filter(|value| !value.trim().is_empty());
        let Some(model) = given.model.clone().or_else(|| variable("GROUNDS_MODEL")) else {
            return Ok(None);
        };
        let (provider, model) = provider_and_model(&model)?;
        let card = provider.card();
        let named = given
            .base_url
            .clone()
            .or_else(|| variable("GROUNDS_MODEL_URL"));
        let of_provider = || variable(card.base_variable).map(|base| with_scheme(&base));
        // A model in this process has no other address, whatever address is named for others.
        let named = named.filter(|_| card.name != provider::gguf::NAME);
        let base = named
            .or_else(of_provider)
            .unwrap_or_else(|| card.base_url.to_owned());
        let base = BaseUrl::parse(&base)
            .map_err(|error| ModelError::Settings(format!("the base address `{base}`: {error}")))?;
        let key = key_source(given, provider, &base, &variable);
        let prices = Vec::new();
        let endpoint = Endpoint {
            base,
            model,
            context_tokens: CONTEXT_TOKENS,
        };
        let (patience, rates, caps) = (Patience::default(), Rates::default(), Caps::default());
        let network = Network::from_environment(variables);
        let shelves = Shelves::default();
        Ok(Some(Self {
            provider,
            endpoint,
            key,
            patience,
            rates,
            turns: None,
            caps,
            prices,
            network,
            shelves,
            is_dry_run: false,
        }))
    }
}

/// Splits `anthropic/NAME` into both. A name without a known provider before it is one of an
/// OpenAI-compatible server.
fn provider_and_model(text: &str) -> Result<(&'static dyn Provider, String), ModelError> {
    let wrong = |why: &str| {
        ModelError::Settings(format!(
            "the model `{}`: {why}",
            text.chars().take(MODEL_LETTERS_MAX).collect::<String>()
        ))
    };
    let is_name = |name: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:/@+".contains(&byte);
        !name.is_empty()
            && name.len() <= MODEL_LETTERS_MAX
            && name.bytes().all(fits)
            // The name becomes a part of Gemini's address, where `..` would lead to another path.
            && !name.contains("..")
    };
    let (provider, model) = match text.split_once('/') {
        Some((name, model)) if provider::by_name(name).is_some() => {
            (provider::by_name(name), model)
        }
        Some(_) | None => (provider::by_name("openai"), text),
    };
    let provider = provider.ok_or_else(|| wrong("there is no such provider"))?;
    // `anthropic` alone is a provider without a model.
    if provider::by_name(model).is_some() {
        return Err(wrong("write PROVIDER/MODEL"));
    }
    if is_name(model) {
        Ok((provider, model.to_owned()))
    } else {
        Err(wrong("a name has letters, digits and -._:/@+"))
    }
}

/// Adds a scheme: a variable of Ollama may contain only `HOST:PORT`.
fn with_scheme(base: &str) -> String {
    if base.contains("://") {
        base.to_owned()
    } else {
        // As the address of a server `0.0.0.0` means all interfaces; no client can connect to it.
        format!("http://{}", base.replace("0.0.0.0", "127.0.0.1"))
    }
}

/// Returns the source of the key that is meant for this address. The usual variable of a provider
/// is for the provider's own host, and for the host that its variable names. Any other address gets
/// only a key that is given with it, so that no key is sent to a host by accident.
fn key_source(
    given: &Given,
    provider: &dyn Provider,
    base: &BaseUrl,
    variable: &dyn Fn(&str) -> Option<String>,
) -> KeySource {
    let card = provider.card();
    if let Some(command) = &given.key_command {
        return KeySource::Command(command.clone());
    }
    if let Some(account) = &given.keyring_account {
        return KeySource::Keyring(account.clone());
    }
    if let Some(name) = &given.key_variable {
        return KeySource::Environment(vec![name.clone()]);
    }
    // It is set for this program alone, and so meant for whatever address is asked.
    if variable("GROUNDS_MODEL_KEY").is_some() {
        return KeySource::Environment(vec!["GROUNDS_MODEL_KEY".to_owned()]);
    }
    let host_of = |text: &str| BaseUrl::parse(text).ok().map(|base| base.host().to_owned());
    let own = [Some(card.base_url.to_owned()), variable(card.base_variable)];
    let is_own = own
        .into_iter()
        .flatten()
        .filter_map(|text| host_of(&text))
        .any(|host| host == base.host());
    if is_own
        && !card.key_variables.is_empty()
        // A server of this machine usually needs no key: an unset variable is no error there.
        && !(base.is_local()
            && card
                .key_variables
                .iter()
                .all(|name| variable(name).is_none()))
    {
        return KeySource::Environment(
            card.key_variables
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
        );
    }
    KeySource::None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(model: &str, url: Option<&str>, variables: &[(&str, &str)]) -> ModelSettings {
        let given = Given {
            model: Some(model.to_owned()),
            base_url: url.map(str::to_owned),
            ..Given::default()
        };
        let lookup = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        ModelSettings::of(&given, &lookup)
            .expect("they fit")
            .expect("a model is named")
    }

    #[test]
    fn a_name_says_provider_and_model() {
        let shown = |text: &str| {
            provider_and_model(text)
                .map(|(provider, model)| format!("{} {model}", provider.card().name))
        };
        assert_eq!(
            shown("anthropic/claude-x"),
            Ok("anthropic claude-x".to_owned())
        );
        assert_eq!(
            shown("qwen/qwen-3:8b"),
            Ok("openai qwen/qwen-3:8b".to_owned())
        );
        assert_eq!(
            shown("ollama/library/qwen3:8b"),
            Ok("ollama library/qwen3:8b".to_owned())
        );
        for text in [
            "",
            "ollama",
            "gemini/../../x",
            "gemini/a?b",
            "a b",
            "gemini/a#b",
        ] {
            assert!(shown(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_goes_only_where_it_belongs() {
        let keys = [("OPENAI_API_KEY", "sk-1"), ("ANTHROPIC_API_KEY", "sk-2")];
        let of = |name: &str| KeySource::Environment(vec![name.to_owned()]);
        assert_eq!(settings("gpt-x", None, &keys).key, of("OPENAI_API_KEY"));
        assert_eq!(
            settings("anthropic/x", None, &keys).key,
            of("ANTHROPIC_API_KEY")
        );
        assert_eq!(
            settings("x", Some("https://elsewhere.example.org/v1"), &keys).key,
            KeySource::None
        );
        assert_eq!(
            settings("x", Some("http://127.0.0.1:8080/v1"), &keys).key,
            KeySource::None
        );
        let named = [
            ("OPENAI_API_KEY", "sk-1"),
            ("OPENAI_BASE_URL", "https://my.example.org/v1"),
        ];
        assert_eq!(settings("x", None, &named).key, of("OPENAI_API_KEY"));
        assert_eq!(
            settings(
                "x",
                Some("https://e.example.org"),
                &[("GROUNDS_MODEL_KEY", "k")]
            )
            .key,
            of("GROUNDS_MODEL_KEY")
        );
        assert_eq!(settings("ollama/x", None, &[]).key, KeySource::None);
    }

    #[test]
    fn nothing_is_asked_where_no_model_is_named() {
        assert!(
            ModelSettings::of(&Given::default(), &|_| None)
                .expect("they fit")
                .is_none()
        );
        let clear = Given {
            model: Some("x".to_owned()),
            base_url: Some("http://example.org".to_owned()),
            ..Given::default()
        };
        assert!(matches!(
            ModelSettings::of(&clear, &|_| None),
            Err(ModelError::Settings(_))
        ));
        assert_eq!(
            settings("ollama/x", None, &[("OLLAMA_HOST", "0.0.0.0:9")])
                .endpoint
                .base
                .to_string(),
            "http://127.0.0.1:9"
        );
    }
}
