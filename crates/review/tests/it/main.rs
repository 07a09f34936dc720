//! The review over real repositories that git makes for each test.

mod attacks;
mod bed;
mod callers;
mod chain;
mod diff;
mod diff_file;
mod documents;
mod grid;
mod patch_laws;
mod plan;
mod protocol;
mod server;
