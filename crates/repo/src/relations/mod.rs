//! The owner of a used member: every use of a member's name, separated by the type of what it is
//! used on.
//!
//! Given where a member is defined, reads the files of its language and follows imports,
//! annotations, parameters, constructors, `self` and the results of functions of the tree. Each use
//! gets a verdict with a reason. A use that the text does not decide is open: it is never dropped,
//! and never counted as resolved.

mod bindings;
mod eval;
mod extended;
mod heirs;
mod implementers;
mod judge;
mod members;
mod modules;
mod plain;
mod read;
mod receiver;
mod rust_paths;
mod satisfied;
mod shapes;
mod tree;
mod types;
mod uses;
mod wording;

use std::collections::BTreeMap;

use grounds_syntax::origins::{LanguageFamily, MemberKind};

use crate::checkout::Checkout;
use crate::labels::LabelledPlace;
use crate::limits::Limits;

pub use heirs::{Heads, heads};
pub use implementers::implementers;
pub use receiver::receiver;
pub use satisfied::{Satisfied, Satisfying, satisfied};
pub use uses::{Uses, uses};

/// Files that are read for one question.
pub const RELATIONS_FILES_MAX: usize = 8_000;
/// Bytes of files that are read for one question.
pub const RELATIONS_BYTES_MAX: u64 = 64 << 20;
/// Milliseconds that reading and deciding may take for one question.
pub const RELATIONS_MS_MAX: u64 = 8_000;

/// Whether a use is of the asked member, as far as the text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberVerdict {
    /// The asked one.
    ResolvedToIt,
    /// Another one, or nothing of the tree.
    ResolvedToAnother,
    /// The text does not decide it.
    Open,
}

/// A use with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The verdict.
    pub verdict: MemberVerdict,
    /// Why, in a few words.
    pub reason: String,
}

/// The uses of a member's name over a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// By path, line and column of the name, both counted from 1.
    pub sites: BTreeMap<(String, u32, u32), Decided>,
    /// Whether the asked member is read and not called: a field, or a property.
    pub is_read: bool,
    /// Bounds that were reached; if one was, no name counts as unique.
    pub bounds: Vec<&'static str>,
}

/// Decides all uses of a name whose asked member is defined at some places; `None` if no language
/// of these is read, or if no member is known at these places.
pub fn decide(
    checkout: &Checkout,
    name: &str,
    definitions: &[&LabelledPlace],
    limits: &Limits,
) -> Option<Relations> {
    let families = definitions
        .iter()
        .filter_map(|place| LanguageFamily::of_language(place.language))
        .collect();
    let (tree, bounds) = read::tree(checkout, name, &families, limits)?;
    let target = tree.members_at(name, definitions);
    if target.is_empty() {
        return None;
    }
    let sites = judge::all(&tree, name, &target);
    let is_read = target
        .iter()
        .all(|member| tree.member(*member).kind == MemberKind::Value);
    Some(Relations {
        sites,
        is_read,
        bounds,
    })
}

impl Relations {
    /// Returns the decision on a place; a use that was not seen is open.
    pub fn of(&self, place: &LabelledPlace) -> Decided {
        let key = (place.path.as_str().to_owned(), place.line, place.column);
        self.sites.get(&key).cloned().unwrap_or_else(|| Decided {
            verdict: MemberVerdict::Open,
            reason: "its expression was not read".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
