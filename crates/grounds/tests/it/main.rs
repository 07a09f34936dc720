//! The front door, from outside: the real program over small trees.

#[cfg(feature = "review")]
mod analyzers;
#[cfg(feature = "serve")]
#[cfg(feature = "review")]
mod attacks;
mod browser;
mod ci;
mod configured;
mod eval;
#[cfg(feature = "fleet")]
mod fleet;
#[cfg(feature = "review")]
mod folders;
#[cfg(feature = "review")]
mod forges;
mod fuzz;
#[cfg(feature = "review")]
mod hook;
#[cfg(feature = "review")]
mod hook_agent;
mod hostile;
#[cfg(feature = "review")]
mod hostile_git;
mod hypotheses;
mod index;
mod java;
mod localise;
#[cfg(all(feature = "lsp", feature = "review"))]
mod lsp;
#[cfg(all(feature = "mcp", feature = "review"))]
mod mcp;
#[cfg(feature = "model")]
mod model;
mod notices;
#[cfg(feature = "review")]
mod owners;
mod packaging;
mod packs;
#[cfg(feature = "serve")]
mod pages;
mod ratchet;
#[cfg(feature = "review")]
mod review;
#[cfg(feature = "review")]
mod rules;
mod schema;
mod scip;
mod service;
mod stability;
#[cfg(feature = "store")]
mod standing;
mod store;
mod stubs;
mod suite;
mod support;
mod terminal;
mod tidy;
mod toolchains;
mod verify;
