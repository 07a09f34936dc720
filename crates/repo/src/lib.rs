//! The tools over a checkout: one parallel pass that searches for all names at once, labels from a
//! parse of the candidate files, reading, discovery, git and the service of continuous integration.
//!
//! Every tool is one file in `tools/` and one line in [`tools::ALL`]. Tools report what they saw,
//! and never rate it.

pub mod area;
pub mod bench;
pub mod beneath;
mod binary;
pub mod catalogue;
pub mod checkout;
pub mod chunks;
pub mod ci;
pub mod defining;
pub mod detail;
pub mod emitters;
pub mod enquiry;
pub mod excerpt;
pub mod files;
pub mod frames;
pub mod git;
pub mod history;
pub mod hypotheses;
pub mod index;
pub mod kept;
pub mod labels;
pub mod limits;
pub mod listing;
pub mod means;
pub mod message;
pub mod near;
pub mod needles;
pub mod obstacle;
pub mod outline;
pub mod owner;
pub mod parses;
pub mod path;
pub mod person;
pub mod private;
pub mod process;
pub mod programs;
pub mod recover;
pub mod relations;
pub mod role;
pub mod scope;
pub mod spelled;
pub mod standing;
pub mod stem;
pub mod survey;
pub mod template;
pub mod text;
pub mod threads;
pub mod tool;
pub mod toolchains;
pub mod tools;
pub mod tracked;
pub mod vocabulary;
pub mod within;
pub mod words;
