//! The crate from outside, against servers of this machine that answer by a
//! script and refuse malformed requests as the real ones do.

mod budget;
#[cfg(feature = "gguf")]
mod gguf;
mod pages;
mod protocol;
mod real;
mod replay;
mod server;
mod strict;
mod turns;
