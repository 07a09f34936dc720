//! Decides claims by the facts.
//!
//! A missing thing is contradicted or gone only with a reason to expect it here: the history shows
//! it, a link leads into this tree, its owner is here, or a name one slip away is here.

mod flag;
mod link;
mod name;
mod owned;
mod path;
mod script;
mod version;

use std::collections::BTreeSet;

use grounds_repo::words::Sighting;

use crate::claim::{TextClaim, ThingKind};
use crate::code::Code;
use crate::document::CheckedDocument;
use crate::extract::spanned;
use crate::facts::Facts;
use crate::statement::Statement;
use crate::verdict::{ClaimVerdict, Evidence};

pub(crate) use flag::sighting_of_flag;
pub(crate) use path::{PAGE_ENDINGS, as_member, folders_around, found_path, is_from_here};
pub(crate) use script::script_in;

/// Decides a claim.
pub(crate) fn decide(
    claim: &TextClaim,
    document: &CheckedDocument,
    code: &Code<'_, '_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    let facts = code.facts;
    let rests_on_absence = matches!(
        claim.kind,
        ThingKind::Symbol | ThingKind::Variable | ThingKind::Flag | ThingKind::Script
    );
    let was_read = !facts
        .scope
        .skipped
        .keys()
        .any(|reason| reason.could_matter());
    let verdict = by_kind(claim, document, code, own);
    // A document may speak of its readers' own files, so what the tree lacks proves nothing.
    let states_absent = claim
        .statement
        .as_ref()
        .is_some_and(|statement| !statement.is_by_presence() || !verdict.shows_a_line());
    if verdict.accuses() && states_absent && facts.is_of_tree(document) {
        return ClaimVerdict::Unknown("nothing here says otherwise".to_owned());
    }
    if verdict.accuses() && facts.is_of_tree(document) && names_in_passing(claim, document) {
        return ClaimVerdict::Unknown(
            "a name of running text may be that of the product".to_owned(),
        );
    }
    if verdict.accuses() && rests_on_absence && !was_read {
        return ClaimVerdict::Unknown("not all of the tree was read".to_owned());
    }
    verdict
}

/// Reports whether a sentence has a name that it does not write as code and that a product may
/// have: `ThingRunner`.
fn names_in_passing(claim: &TextClaim, document: &CheckedDocument) -> bool {
    let said = document
        .text
        .get(claim.start..claim.end)
        .unwrap_or_default();
    let is_in_passing = |word: &String| {
        let is_product = word.starts_with(char::is_uppercase)
            && word.contains(char::is_lowercase)
            && word.chars().all(char::is_alphanumeric);
        is_product && !spanned(said).any(|span| span.contains(word.as_str()))
    };
    let mut words = claim.statement.iter().flat_map(Statement::words);
    words.any(|word| is_in_passing(&word))
}

/// Decides a claim by the tree alone, whoever the text speaks to.
pub(crate) fn by_kind(
    claim: &TextClaim,
    document: &CheckedDocument,
    code: &Code<'_, '_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    let facts = code.facts;
    match claim.kind {
        ThingKind::Link => link::link(claim, document, facts, own),
        ThingKind::Path => path::path(claim, document, facts, own),
        ThingKind::Line => path::line(claim, document, facts, own),
        ThingKind::Symbol => name::symbol(claim, document, facts),
        ThingKind::Variable => name::variable(claim, document, facts),
        ThingKind::Flag => flag::flag(claim, document, facts, own),
        ThingKind::Script => script::script(claim, document, facts),
        ThingKind::Version => version::version(claim, document, facts),
        ThingKind::Statement => match &claim.statement {
            Some(statement) => statement.decide(code),
            None => ClaimVerdict::Unknown("it states nothing".to_owned()),
        },
    }
}

pub(super) fn place(sighting: &Sighting) -> Evidence {
    Evidence::Place {
        path: sighting.path.as_str().to_owned(),
        line: Some(sighting.line),
        text: String::new(),
    }
}

pub(super) fn file(path: &str) -> Evidence {
    Evidence::Place {
        path: path.to_owned(),
        line: None,
        text: String::new(),
    }
}

pub(crate) fn exists(facts: &Facts<'_>, path: &str) -> bool {
    path.is_empty() || facts.files.contains(path) || facts.folders.contains(path)
}

/// Returns a path joined to a folder, or `None` if it leaves the tree.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    // Forges and sites resolve a path with a leading slash from the top.
    let mut parts: Vec<&str> = if path.starts_with('/') {
        Vec::new()
    } else {
        folder.split('/').collect()
    };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                // The empty folder of the top splits into one empty part. Popping that part would
                // let `../a.md` lead out of the tree unnoticed.
                parts.retain(|part| !part.is_empty());
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join("/"))
}
