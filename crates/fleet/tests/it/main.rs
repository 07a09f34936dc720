//! The ledger on both of its engines: a file of SQLite, and a real server of PostgreSQL that the
//! tests start in a folder of their own.

// The servers of these tests are started as Debian does.
#![cfg(unix)]

mod documents;
mod engine;
mod events;
mod faults;
mod kills;
mod laws;
mod pace;
mod partition;
mod process;
mod reading;
mod schema;
mod server;
mod site;
mod support;
mod tls;
