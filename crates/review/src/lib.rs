//! Judges a diff within a bounded budget; findings carry evidence.
//!
//! The steps in order: diff → rules → context chain → bundles → model → follow-up → gates → merge →
//! baseline → gate. Everything is read from git objects at the reviewed revision. A model proposes;
//! it never rates its own finding, never removes a rule's, and its quotes are compared byte for
//! byte.

pub mod analyzers;
pub mod anchor;
pub mod answer;
pub mod assemble;
pub mod baseline;
pub mod bundle;
pub mod canary;
pub mod candidate;
pub mod carried;
pub mod chain;
pub mod coverage;
pub mod diff;
pub mod event;
pub mod finding;
pub mod fingerprint;
pub mod folders;
pub mod follow_up;
pub mod forms;
pub mod gates;
pub mod judge;
pub mod material;
pub mod measured;
pub mod merge;
pub mod names;
pub mod options;
pub mod others;
pub mod owners;
pub mod plan;
pub mod posting;
pub mod prompt;
pub mod quality;
pub mod report;
pub mod rules;
pub mod run;
pub mod settings;
pub mod sides;
mod threads;
pub mod tree;
pub mod veil;

pub use bundle::{Bundle, BundlePart, Plan};
pub use diff::{
    Change, ChangedFile, ChangedLine, Diff, DiffError, DiffLimits, DiffScope, FileChange, Hunk,
    LineEnding, LineKind, Revision,
};
pub use finding::{Anchor, Finding, Producer, Severity};
pub use material::{ContextItem, ContextKind, Menu, MenuRange, Unresolved};
pub use plan::{PlanLimits, Prepared, prepare, prepare_sides};
pub use report::Report;
pub use rules::{RuleReport, RuleSet};
pub use run::{ReviewError, Reviewer, Setup, judge_change, load, run};
pub use settings::SettingsSide;
pub use sides::Sides;
pub use tree::Tree;
