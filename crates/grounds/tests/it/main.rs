//! The front door, from outside: the real program over small trees.

mod hostile;
mod schema;
mod suite;
mod support;
mod tidy;
mod toolchains;
