//! The errors of asking a model, each with what to do next. No message contains a key, and the
//! words of a provider are truncated. A raw answer is kept whole, up to a maximum, for those who
//! want to read it.

use grounds_http::turns::NoTurn;

use crate::budget::Exceeded;
use crate::json::JsonFault;
use crate::key::KeyError;

/// Maximum number of letters of a provider's own error text that are shown.
pub const SAID_LETTERS_MAX: usize = 200;

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// There is no usable key.
    #[error("get the key for {provider}: {error}")]
    Key {
        /// The provider.
        provider: &'static str,
        /// Why.
        error: KeyError,
    },
    /// The settings do not fit together.
    #[error("use the settings of the model: {0}")]
    Settings(String),
    /// 401.
    #[error("ask {host}: it does not accept the key{said}")]
    BadKey {
        /// The host.
        host: String,
        /// Its own words, after a colon.
        said: String,
    },
    /// 403.
    #[error("ask {host}: it does not allow this{said}")]
    Forbidden {
        /// The host.
        host: String,
        /// Its own words.
        said: String,
    },
    /// 402, or a limit that does not end by waiting.
    #[error("ask {host}: the account has no credit left{said}")]
    OutOfCredit {
        /// The host.
        host: String,
        /// Its own words.
        said: String,
    },
    /// 404.
    #[error("ask {host}: it has no model `{model}`, or no such interface{said}")]
    NoSuchModel {
        /// The host.
        host: String,
        /// The model.
        model: String,
        /// Its own words.
        said: String,
    },
    /// 400, 422 and their like.
    #[error("ask {host}: it does not understand the request (status {status}){said}")]
    BadRequest {
        /// The host.
        host: String,
        /// The status.
        status: u16,
        /// Its own words.
        said: String,
    },
    /// 413, or a context that is too small.
    #[error("ask {host}: the request is too long for the model{said}")]
    TooLong {
        /// The host.
        host: String,
        /// Its own words.
        said: String,
    },
    /// 429 to the end of the attempts.
    #[error("ask {host}: its rate limit is reached{when}")]
    RateLimited {
        /// The host.
        host: String,
        /// When to ask again, if it says so.
        when: String,
    },
    /// 503 and 529 to the end of the attempts.
    #[error("ask {host}: it has too much to do (status {status})")]
    Overloaded {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// Another 5xx to the end of the attempts.
    #[error("ask {host}: it is out of order (status {status}){said}")]
    OutOfOrder {
        /// The host.
        host: String,
        /// The status.
        status: u16,
        /// Its own words.
        said: String,
    },
    /// A status that has no meaning here.
    #[error("ask {host}: it answered with the strange status {status}")]
    StrangeStatus {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// A redirect: it is not followed, since the key would have to go with it.
    #[error("ask {host}: it sends elsewhere (status {status}), where the key must not follow")]
    SentElsewhere {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// The network returned no complete answer.
    #[error("ask {host}: {broken}")]
    Broken {
        /// The host.
        host: String,
        /// What broke.
        broken: TransportBroken,
    },
    /// The answer is no JSON.
    #[error("read the answer of {host}: {fault}{hint}")]
    NotJson {
        /// The host.
        host: String,
        /// What is wrong.
        fault: JsonFault,
        /// What it looks like instead.
        hint: &'static str,
        /// What was received.
        raw: String,
    },
    /// The answer is JSON of another kind.
    #[error("read the answer of {host}: {why}")]
    WrongShape {
        /// The host.
        host: String,
        /// What is missing.
        why: String,
        /// What was received.
        raw: String,
    },
    /// The answer has no text.
    #[error("use the answer of {host}: it is empty")]
    Empty {
        /// The host.
        host: String,
    },
    /// The answer reached its bound before its end.
    #[error("use the answer: it was cut at {output_tokens_max} tokens")]
    Truncated {
        /// The bound.
        output_tokens_max: u32,
        /// What was received.
        raw: String,
    },
    /// The model declined.
    #[error("use the answer: the model declined")]
    Declined {
        /// Its words.
        raw: String,
    },
    /// The provider's filter stopped the answer.
    #[error("use the answer: a filter of the provider stopped it")]
    Filtered {
        /// What was received before.
        raw: String,
    },
    /// The answer does not have the requested shape, even after one repair.
    #[error("read the answer of the model: {why}")]
    Unreadable {
        /// Why.
        why: String,
        /// What was received.
        raw: String,
    },
    /// The budget does not allow the request; nothing was sent.
    #[error("send the request: {0}")]
    OverBudget(Exceeded),
    /// A dry run: nothing was sent.
    #[error("send the request: this is a dry run")]
    DryRun,
    /// A replay does not know the request.
    #[error("replay the request: `{folder}` has no exchange {name}")]
    UnknownExchange {
        /// The folder.
        folder: String,
        /// The name that it would have.
        name: String,
    },
    /// A recorded exchange cannot be read or written.
    #[error("use the recorded exchange `{path}`: {why}")]
    Exchange {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// The pace that several processes share gave no turn, so that nothing was sent.
    #[error("ask {host}: {why}")]
    NoTurn {
        /// The host.
        host: String,
        /// Why.
        why: NoTurn,
    },
    /// The work was stopped.
    #[error("ask the model: it was stopped")]
    Cancelled,
}

/// A failure between this machine and a provider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportBroken {
    /// No complete answer in time.
    #[error("no whole answer within {ms} ms")]
    TimeUp {
        /// The milliseconds.
        ms: u64,
    },
    /// The answer stopped in the middle.
    #[error("the answer was cut off")]
    CutShort,
    /// The answer has more bytes than an answer may have.
    #[error("the answer has more than {bytes} bytes")]
    TooLarge {
        /// The bound.
        bytes: u64,
    },
    /// The name is not known.
    #[error("no such host")]
    NoSuchHost,
    /// No server listens there, or the network does not reach it.
    #[error("it cannot be reached ({0})")]
    Unreachable(String),
    /// Encryption could not be agreed.
    #[error("no trusted encryption ({0})")]
    Tls(String),
    /// The proxy does not work.
    #[error("the proxy cannot be used")]
    Proxy,
    /// The response is no HTTP, or cannot be unpacked.
    #[error("what came {0}")]
    Malformed(&'static str),
}

impl ModelError {
    /// Returns the words of the provider, wherever the error quotes them.
    pub(crate) fn quoted(&mut self) -> Vec<&mut String> {
        match self {
            Self::BadKey { said, .. }
            | Self::Forbidden { said, .. }
            | Self::OutOfCredit { said, .. }
            | Self::NoSuchModel { said, .. }
            | Self::BadRequest { said, .. }
            | Self::TooLong { said, .. }
            | Self::OutOfOrder { said, .. } => vec![said],
            Self::NotJson { raw, .. } | Self::Declined { raw } | Self::Filtered { raw } => {
                vec![raw]
            }
            Self::WrongShape { why, raw, .. } => vec![why, raw],
            Self::RateLimited { when, .. } => vec![when],
            Self::Key { .. }
            | Self::Settings(_)
            | Self::Overloaded { .. }
            | Self::StrangeStatus { .. }
            | Self::SentElsewhere { .. }
            | Self::Broken { .. }
            | Self::Empty { .. }
            | Self::Truncated { .. }
            | Self::Unreadable { .. }
            | Self::OverBudget(_)
            | Self::DryRun
            | Self::UnknownExchange { .. }
            | Self::Exchange { .. }
            | Self::NoTurn { .. }
            | Self::Cancelled => Vec::new(),
        }
    }

    /// Returns what to do next.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Key { error, .. } => error.advice(),
            Self::Settings(_) => "see docs/models.md for what may be set, and where",
            Self::BadKey { .. } => "check the key and that it belongs to this provider",
            Self::Forbidden { .. } => {
                "check what the key may do, and whether the model is enabled for the account"
            }
            Self::OutOfCredit { .. } => "add credit, or use another provider or a local model",
            Self::NoSuchModel { .. } => {
                "check the name of the model and the base address; `grounds doctor model` shows what a local server has"
            }
            Self::BadRequest { .. } => {
                "check that the base address belongs to this provider, and that the model takes chat requests"
            }
            Self::TooLong { .. } => "use a model with a larger context, or send less",
            Self::RateLimited { .. } => {
                "wait, or lower `model.requests_per_minute` and `model.tokens_per_minute`"
            }
            Self::Overloaded { .. } | Self::OutOfOrder { .. } => {
                "try again later, or use another provider or a local model"
            }
            Self::StrangeStatus { .. } | Self::SentElsewhere { .. } => {
                "check the base address: it must be the provider's own, with its path"
            }
            Self::Broken { broken, .. } => broken.advice(),
            Self::NotJson { .. } | Self::WrongShape { .. } => {
                "check that the base address is the interface and not a web page"
            }
            Self::Empty { .. } => {
                "try again, or allow a longer answer: thinking may have used it up"
            }
            Self::Truncated { .. } => "allow a longer answer, or ask for less",
            Self::Declined { .. } | Self::Filtered { .. } => {
                "ask in other words, or use another model"
            }
            Self::Unreadable { .. } => {
                "use a model that follows a format better; the raw answer is kept with the error"
            }
            Self::OverBudget(exceeded) => exceeded.advice(),
            Self::DryRun => "leave --dry-run out to send it",
            Self::UnknownExchange { .. } => "record it with --record DIR, or leave --replay out",
            Self::Exchange { .. } => "check the folder, or record the exchange again",
            Self::NoTurn { .. } => {
                "try again later; `grounds fleet status` shows whether the ledger answers"
            }
            Self::Cancelled => "start it again",
        }
    }

    /// Returns the raw answer; `None` if there was no answer that could not be used.
    pub fn raw(&self) -> Option<&str> {
        match self {
            Self::NotJson { raw, .. }
            | Self::WrongShape { raw, .. }
            | Self::Truncated { raw, .. }
            | Self::Declined { raw }
            | Self::Filtered { raw }
            | Self::Unreadable { raw, .. } => Some(raw),
            Self::Key { .. }
            | Self::Settings(_)
            | Self::BadKey { .. }
            | Self::Forbidden { .. }
            | Self::OutOfCredit { .. }
            | Self::NoSuchModel { .. }
            | Self::BadRequest { .. }
            | Self::TooLong { .. }
            | Self::RateLimited { .. }
            | Self::Overloaded { .. }
            | Self::OutOfOrder { .. }
            | Self::StrangeStatus { .. }
            | Self::SentElsewhere { .. }
            | Self::Broken { .. }
            | Self::Empty { .. }
            | Self::OverBudget(_)
            | Self::DryRun
            | Self::UnknownExchange { .. }
            | Self::Exchange { .. }
            | Self::NoTurn { .. }
            | Self::Cancelled => None,
        }
    }
}

impl TransportBroken {
    /// Returns what to do next.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::TimeUp { .. } => "raise `model.request_ms_max`, or use a faster model",
            Self::CutShort | Self::Malformed(_) => {
                "try again; if it persists, check the network between here and the provider"
            }
            Self::TooLarge { .. } => "check the base address: no answer of a model is that large",
            Self::NoSuchHost => "check the base address and the network",
            Self::Unreachable(_) => "check that the server runs and the network reaches it",
            Self::Tls(_) => "check the certificates; SSL_CERT_FILE names others to trust",
            Self::Proxy => "check HTTPS_PROXY",
        }
    }
}

/// Returns a provider's words on one line, truncated, after a colon.
pub fn said(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.is_empty() {
        true => String::new(),
        false => format!(
            ": {}",
            text.chars().take(SAID_LETTERS_MAX).collect::<String>()
        ),
    }
}
