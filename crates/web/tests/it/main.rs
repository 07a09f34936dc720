//! The crate from outside, against a web and engines of this machine, and
//! against folders of documents.

mod corpus;
mod engines;
mod fetching;
mod hostile;
mod keeping;
mod living;
mod reading;
mod turns;
