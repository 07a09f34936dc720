//! Search engines over the network, one file each. Given a key and an address from the environment
//! or the caller, returns a [`SearchProvider`]. A key never appears in an error, a recording or a
//! debug text.

mod brave;
mod engine;
mod searxng;
mod serper;

use std::path::PathBuf;

use secrecy::SecretString;

use crate::network::ExchangeBounds;
use crate::search::{SearchError, SearchProvider};

pub use brave::Brave;
pub use searxng::Searxng;
pub use serper::Serper;

/// The bounds of asking an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBounds {
    /// Timeout of one request, in milliseconds.
    pub search_ms_max: u64,
    /// Maximum number of bytes of one response.
    pub search_bytes_max: u64,
    /// Maximum number of requests for one query, if an engine asks to wait or fails for a moment.
    pub search_attempts_max: usize,
    /// Maximum wait before another request, in milliseconds. An engine that asks for more has no
    /// quota left.
    pub search_wait_ms_max: u64,
}

impl Default for SearchBounds {
    fn default() -> Self {
        Self {
            search_ms_max: 15_000,
            search_bytes_max: 4 << 20,
            search_attempts_max: 3,
            search_wait_ms_max: 2_000,
        }
    }
}

impl SearchBounds {
    fn exchange(&self) -> ExchangeBounds {
        let bytes = self.search_bytes_max;
        ExchangeBounds {
            exchange_ms_max: self.search_ms_max,
            wire_bytes_max: bytes,
            body_bytes_max: bytes,
            ..ExchangeBounds::default()
        }
    }
}

/// The access to an engine.
#[derive(Clone, Debug, Default)]
pub struct EngineAccess {
    /// The key; `None` without one.
    pub key: Option<SecretString>,
    /// The address of the service; `None` for the default one.
    pub address: Option<String>,
    /// The bounds.
    pub bounds: SearchBounds,
    /// A file of certificates that are trusted instead of the default ones; `None` for the default.
    pub certificates: Option<PathBuf>,
}

/// An engine as the program knows it.
#[derive(Clone, Copy, Debug)]
pub struct SearchEngine {
    /// Its name in the configuration.
    pub name: &'static str,
    /// The variable with its key, or with its address if it needs no key.
    pub variable: &'static str,
    /// The variable with its address.
    pub address_variable: &'static str,
    make: fn(EngineAccess) -> Result<Box<dyn SearchProvider + Send>, SearchError>,
}

/// All engines, in the order in which a key that is set chooses one.
pub const ALL: [SearchEngine; 3] = [serper::ENGINE, brave::ENGINE, searxng::ENGINE];

/// Returns the values of variables: of the environment, or of a list in tests.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;

/// Creates an engine.
///
/// # Errors
/// [`SearchError::Key`] without the key that it needs, [`SearchError::Broke`] for an address that
/// cannot be used.
pub fn named(
    engine: &SearchEngine,
    access: EngineAccess,
) -> Result<Box<dyn SearchProvider + Send>, SearchError> {
    (engine.make)(access)
}

/// Creates the engine that a person chose by name, or the first whose variable is set; `None` if no
/// variable is set.
///
/// # Errors
/// Returns [`UnknownEngine`] for an unknown name, and the errors of [`named`].
pub fn from_environment(
    chosen: Option<&str>,
    variables: Variables<'_>,
    bounds: SearchBounds,
) -> Result<Option<Box<dyn SearchProvider + Send>>, ChoiceError> {
    let set = |name: &str| {
        variables(name)
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
    };
    let engine = match chosen {
        Some(name) => Some(
            ALL.iter()
                .find(|engine| engine.name == name)
                .ok_or_else(|| UnknownEngine(name.to_owned()))?,
        ),
        None => ALL.iter().find(|engine| set(engine.variable).is_some()),
    };
    let Some(engine) = engine else {
        return Ok(None);
    };
    let key = set(engine.variable)
        // An engine without a key has one variable for both, which is its address.
        .filter(|_| engine.variable != engine.address_variable)
        .map(SecretString::from);
    let certificates = set("SSL_CERT_FILE").map(PathBuf::from);
    let access = EngineAccess {
        key,
        address: set(engine.address_variable),
        bounds,
        certificates,
    };
    Ok(Some(named(engine, access)?))
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no engine is named `{0}`; use serper, brave or searxng, or a folder of documents")]
pub struct UnknownEngine(pub String);

/// Why no engine could be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// No engine has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownEngine),
    /// The engine cannot be used.
    #[error(transparent)]
    Engine(#[from] SearchError),
}
