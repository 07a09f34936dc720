//! The language server, from outside: the real process and a client that believes nothing.

mod client;
#[cfg(unix)]
mod ending;
mod findings;
mod hostile;
#[cfg(unix)]
mod lenses;
mod repairs;
