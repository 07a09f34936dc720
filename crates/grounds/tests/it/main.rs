//! The front door, from outside: the real program over small trees.

mod ci;
mod hostile;
mod index;
mod localise;
mod schema;
mod scip;
mod service;
mod suite;
mod support;
mod tidy;
mod toolchains;
