//! The network layer that models, pages and CI share. Given the settings of a user and bounds, this
//! crate returns the configuration of a client without redirects, retries, proxies that nobody
//! named, and errors by status. It describes failures in our own words, and makes a request wait
//! for its turn if several processes share a pace. It sends nothing itself.

mod network;
pub mod turns;

pub use network::Network;

#[cfg(feature = "client")]
mod broken;
#[cfg(feature = "client")]
mod config;

#[cfg(feature = "client")]
pub use broken::{HttpBroken, of_io, of_library};
#[cfg(feature = "client")]
pub use config::{ClientOptions, config};
