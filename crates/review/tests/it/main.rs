//! The review over real repositories that git makes for each test.

mod bed;
mod diff;
mod protocol;
mod server;
