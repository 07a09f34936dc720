//! Pages of the web, and of a folder of documents. Given a query, this crate
//! gives back addresses; given an address, a page: its text, its title, the dates
//! that it gives for itself. It knows nothing of claims, judges nothing, and
//! reaches no address that the guard has not let through.

pub mod page;
pub mod search;

pub use page::{DateSource, Fetch, FetchError, Page, PageDate};
pub use search::{SearchError, SearchProvider, SearchResult};
