//! The vocabulary and the rules of evidence.
//!
//! Values in, values out: no files, no clock, no environment, no network.

mod relation;

pub use relation::{Place, Relation, SymbolKind};
