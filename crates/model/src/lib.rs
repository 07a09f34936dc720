//! Asks a language model. Given a request, this crate returns a reply, or an error that says what
//! to do next. It knows nothing of repositories and questions, prints nothing, and sends nothing
//! that the budget has not reserved and the redaction has not read.
//!
//! The way of one request, and the modules in its order: `request` →
//! `redact` → `provider` renders it as `wire` bytes → `exchange` may know the
//! answer → `budget` reserves → `pace` waits → `transport` sends → `provider`
//! reads a `reply` → `structured` finds the value in it. `client` ties them.

pub mod material;
pub mod redact;
pub mod request;

pub mod address;
pub mod error;
pub mod provider;
pub mod reply;
pub mod wire;

pub mod json;
pub mod sentences;
pub mod shape;
pub mod structured;

pub mod budget;
pub mod price;
pub mod tokens;

pub mod cancel;
pub mod key;
pub mod pace;
pub mod transport;

pub mod client;
pub mod exchange;
pub mod gguf;
pub mod local;
pub mod settings;

pub use client::ModelClient;
pub use error::ModelError;
pub use grounds_http::turns;
pub use reply::ModelReply;
pub use request::ModelRequest;
pub use settings::ModelSettings;
