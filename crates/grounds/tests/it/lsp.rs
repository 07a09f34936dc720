//! The language server, from outside: the real process and a client that believes nothing.

mod client;
mod ending;
mod findings;
mod hostile;
mod lenses;
mod repairs;
