//! The server, from outside: raw lines of JSON from Rust, and two real clients.

mod calls;
mod clients;
#[cfg(unix)]
mod ending;
mod hostile;
mod http;
pub(crate) mod session;
mod settings;
mod surface;
#[cfg(unix)]
mod workers;
