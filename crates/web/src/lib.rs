//! Pages of the web, and of a folder of documents. Given a query, this crate returns addresses;
//! given an address, a page: its text, its title, and the dates that it gives for itself. It knows
//! nothing of claims, judges nothing, and reaches no address that the guard has refused.

pub mod cache;
#[cfg(feature = "corpus")]
pub mod corpus;
#[cfg(feature = "network")]
pub mod fetcher;
#[cfg(feature = "network")]
pub mod guard;
#[cfg(feature = "network")]
mod manners;
#[cfg(feature = "network")]
pub mod network;
pub mod page;
#[cfg(feature = "network")]
pub mod provider;
pub mod read;
pub mod record;
#[cfg(feature = "network")]
mod robots;
pub mod search;
#[cfg(all(feature = "testing", feature = "network"))]
pub mod testing;

#[cfg(feature = "network")]
#[doc(hidden)]
pub use robots::allows as robots_allow;

#[cfg(feature = "network")]
pub use grounds_http::turns;
pub use page::{DateSource, Fetch, FetchError, Page, PageDate};
pub use search::{FOLDER, SearchError, SearchProvider, SearchResult};
