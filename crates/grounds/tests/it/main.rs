//! The front door, from outside: the real program over small trees.

mod hostile;
mod index;
mod schema;
mod scip;
mod suite;
mod support;
mod tidy;
