//! Claims about a codebase.
//!
//! A question is a claim with a hole, a statement is a claim without one. This crate
//! holds the claims, their predicates as data, and two forms that round-trip: text
//! (`calls(_, "Context.Next") outside tests`) and JSON. Pure: it reads no tree and decides nothing.

mod claim;
mod form;
mod predicate;
mod predicates;
mod text;

pub use claim::{Argument, Claim, Quantifier, Scope, Tests};
pub use form::ClaimForm;
pub use predicate::{Argued, Predicate};
pub use predicates::{ALL, by_name};
pub use text::{CLAIM_BYTES_MAX, ClaimError, parse};

/// The predicates by their names in code.
pub mod names {
    pub use crate::predicates::{
        AUTHORED, BODY, CALLS, CHANGED, CONSTRUCTS, DEFINES, DEPENDENCY, ENVIRONMENT, EXISTS,
        EXTENDS, IMPLEMENTS, IMPORTS, INTRODUCED, LICENSE, MEMBER, OVERRIDES, PARAMETER, REMOVED,
        REQUIRES, RETURNS, TESTED, THROWS, TOPIC, USES, VALUE, VERSION,
    };
}
