//! The way through the network that models, pages and CI share. Given the settings of a person and bounds, this crate returns
//! the configuration of a client with every convenience switched off that could surprise (redirects, retries, proxies that
//! nobody named, errors by status), and says in words of ours what broke. It says too how a request waits for its turn
//! where several processes share a pace. It sends nothing by itself.

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
