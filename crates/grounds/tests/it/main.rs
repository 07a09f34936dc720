//! The front door, from outside: the real program over small trees. What is about modes of files, links, signals,
//! scripts of a shell, terminals or the sandbox is for Unix.

#[cfg(feature = "review")]
#[cfg(unix)]
mod action;
#[cfg(feature = "review")]
#[cfg(unix)]
mod analyzers;
#[cfg(feature = "serve")]
#[cfg(feature = "review")]
mod attacks;
#[cfg(unix)]
mod browser;
mod ci;
#[cfg(unix)]
mod configured;
mod eval;
#[cfg(feature = "fleet")]
#[cfg(unix)]
mod fleet;
#[cfg(feature = "fleet")]
#[cfg(unix)]
mod fleet_pace;
#[cfg(all(feature = "fleet", feature = "serve", feature = "review"))]
#[cfg(unix)]
mod fleet_pages;
#[cfg(feature = "review")]
mod folders;
#[cfg(feature = "review")]
mod forges;
mod fuzz;
#[cfg(feature = "review")]
#[cfg(unix)]
mod hook;
#[cfg(feature = "review")]
mod hook_agent;
#[cfg(unix)]
mod hostile;
#[cfg(feature = "review")]
#[cfg(unix)]
mod hostile_git;
mod hypotheses;
mod index;
#[cfg(unix)]
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
#[cfg(unix)]
mod packaging;
mod packs;
#[cfg(feature = "serve")]
#[cfg(unix)]
mod page_views;
#[cfg(unix)]
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
#[cfg(unix)]
mod stubs;
mod suite;
mod support;
#[cfg(unix)]
mod terminal;
mod tidy;
#[cfg(unix)]
mod toolchains;
mod verify;
