//! The front door, from outside: the real program over small trees.

mod ci;
mod configured;
mod eval;
mod hostile;
mod index;
mod localise;
#[cfg(feature = "model")]
mod model;
mod schema;
mod scip;
mod service;
mod stability;
mod stubs;
mod suite;
mod support;
mod tidy;
mod toolchains;
mod verify;
