//! The front door, from outside: the real program over small trees.

mod ci;
mod configured;
mod hostile;
mod index;
mod schema;
mod scip;
mod service;
mod stubs;
mod suite;
mod support;
mod tidy;
mod toolchains;
