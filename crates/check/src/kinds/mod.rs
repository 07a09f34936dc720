//! Mentions → claims, one file a kind of claim.
//!
//! A kind says what of a mention it claims. Kinds are asked in the order of the list; a mention may
//! make several claims (a shell line names a script, a flag and a path).

mod flag;
mod link;
mod path;
mod script;
mod shape;
mod symbol;
mod variable;
mod version;

use crate::claim::{TextClaim, ThingKind};
use crate::mention::Mention;

pub(crate) use shape::{has_known_ending, is_distinctive};
pub(crate) use version::{Minimum, claims_of as versions_of};

/// Returns the claims of one kind in a mention.
type Recognise = fn(&Mention) -> Vec<TextClaim>;

/// Every kind with its file.
const ALL: &[Recognise] = &[
    link::claims,
    path::claims,
    flag::claims,
    variable::claims,
    script::claims,
    symbol::claims,
];

/// Returns the claims of a mention.
pub fn claims(mention: &Mention) -> Vec<TextClaim> {
    ALL.iter()
        .flat_map(|recognise| recognise(mention))
        .collect()
}

/// Returns a claim of a part of a mention.
fn claim_of(mention: &Mention, kind: ThingKind, name: &str, at: usize) -> TextClaim {
    let start = mention.start + at;
    TextClaim {
        kind,
        name: name.to_owned(),
        owners: Vec::new(),
        detail: None,
        start,
        end: (start + name.len()).min(mention.end.max(start)),
        context: mention.context.clone(),
        headings: mention.headings.clone(),
        around: mention.around.clone(),
        linked: mention.linked.clone(),
        statement: None,
    }
}
