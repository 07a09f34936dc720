//! The command-line application grounds: its command line, its configuration, its output.
//!
//! No crate below this one prints or exits. The types that leave the program are in `output`;
//! `schemas/` publishes their schemas.

mod cache_folder;
pub mod cli;
pub mod code;
pub mod commands;
pub mod config;
pub mod ended;
pub mod error;
pub mod exit;
pub mod explain;
#[cfg(feature = "lsp")]
pub mod lsp;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "model")]
pub mod model;
mod named;
pub mod output;
#[cfg(feature = "store")]
mod parses;
#[cfg(feature = "model")]
pub mod proposer;
#[cfg(feature = "store")]
pub mod reading;
#[cfg(feature = "store")]
pub mod recheck;
#[cfg(feature = "review")]
pub mod rules;
pub mod safe;
#[cfg(feature = "store")]
pub mod store;
pub mod terminal;
mod threads;
#[cfg(all(unix, feature = "fleet"))]
mod turns;
#[cfg(feature = "model")]
pub mod writer;

pub use error::Error;
pub use exit::Exit;

/// Names this build: its version, and a hash of what it was made from.
#[cfg(feature = "store")]
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("GROUNDS_SOURCES"));
