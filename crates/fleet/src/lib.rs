//! Jobs for many workers over one ledger. From jobs as data and a function that runs one, this
//! crate keeps who works on what, the results, and the spending, so that every job ends with
//! exactly one result or one named reason, whatever is killed meanwhile. The ledger is plain SQL in
//! a file of SQLite or in a server of PostgreSQL. This crate runs no job itself and prints nothing.

pub mod answers;
pub mod bounds;
pub mod database;
pub mod job;
pub mod ledger;
pub mod merge;
pub mod metrics;
pub mod place;
pub mod schema;
pub mod shard;
pub mod terms;
pub mod worker;

#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

pub use database::{Fault, FaultKind};
pub use job::Job;
pub use ledger::Ledger;
pub use place::LedgerPlace;
pub use shard::Shard;
pub use terms::Terms;
