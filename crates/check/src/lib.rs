//! Is what a text says about a codebase true?
//!
//! text → mentions → claims → facts → verdicts
//!
//! [`extract`] finds what a text mentions, [`kinds`] makes claims of mentions, [`foreign`] sets
//! aside what is not about this tree, [`facts`] looks everything up in one pass, and [`decide`]
//! gives each claim a verdict with its evidence. A claim is contradicted only by evidence that says
//! otherwise; a name that was never here is reported apart and accuses nobody.

pub mod base;
mod bases;
pub mod between;
pub mod change;
pub mod check;
pub mod claim;
mod code;
mod comments;
mod company;
pub mod decide;
pub mod document;
pub mod extract;
pub mod facts;
pub mod fix;
pub mod foreign;
pub mod kinds;
mod lookup;
pub mod mention;
mod near;
mod packages;
mod platform;
pub mod project;
mod runner;
mod site;
pub mod standing;
pub mod statement;
mod suppress;
mod targets;
pub mod verdict;

pub use base::BaseError;
pub use check::{CheckOptions, CheckRun, Checked, Counts, check};
pub use claim::{TextClaim, ThingKind};
pub use document::{CheckedDocument, DocumentFormat};
pub use fix::{fixed, repair};
pub use standing::StandingClaims;
pub use statement::Statement;
pub use verdict::{ClaimVerdict, Evidence};
