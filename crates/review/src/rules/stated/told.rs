//! Reports what broke once for each altered name, at the place of the change that did it.

use std::collections::BTreeMap;

use grounds_check::CheckedDocument;
use grounds_check::between::BrokenClaim;

use super::Stale;
use super::altered::{Alteration, AlteredSite};
use crate::diff::{ChangedLine, Diff, LineKind};

/// Maximum number of places in documents that a message names.
const NAMED_MAX: usize = 3;
/// Maximum number of bytes of a line of a document in a message.
const SAID_BYTES_MAX: usize = 120;

/// The key of a finding: the place in the diff, the name, and whether it is a note.
type FindingKey = (usize, Option<u32>, String, bool);

/// The content of a finding about one place.
struct PlaceNote {
    quote: String,
    instead: String,
    places: Vec<String>,
}

/// Returns what a line of this change breaks, each with its file by its place in the diff.
pub(super) fn of(
    broken: &[BrokenClaim],
    documents: &[CheckedDocument],
    alteration: &Alteration,
    diff: &Diff,
) -> Vec<(usize, Stale)> {
    let mut all: BTreeMap<FindingKey, PlaceNote> = BTreeMap::new();
    for one in broken {
        let document = &documents[one.document];
        // A line that the change itself adds to a document is about the present state.
        if added(diff, &document.name, one.line).is_some() {
            continue;
        }
        let Some((name, site)) = site(one, alteration, diff) else {
            continue;
        };
        let said = document.line(one.line).trim();
        let said = &said[..said.floor_char_boundary(SAID_BYTES_MAX.min(said.len()))];
        let place = format!("{}:{} says: {said}", document.name, one.line);
        let told = all
            .entry((site.file, site.line, name, one.is_note))
            .or_insert_with(|| PlaceNote {
                quote: site.quote,
                instead: one.instead.clone(),
                places: Vec::new(),
            });
        if !told.places.contains(&place) {
            told.places.push(place);
        }
    }
    let stale = |((file, line, name, is_note), told): (FindingKey, PlaceNote)| {
        let stale = Stale {
            line,
            message: format!("{}, and {}", told.instead, listed(&told.places)),
            quote: told.quote,
            name,
            is_note,
        };
        (file, stale)
    };
    all.into_iter().map(stale).collect()
}

/// Returns the place of the change that makes a claim false; `None` if it was not this change.
fn site(
    broken: &BrokenClaim,
    alteration: &Alteration,
    diff: &Diff,
) -> Option<(String, AlteredSite)> {
    let name = broken.names.iter().next()?;
    let site = match &broken.shown {
        None => alteration.sites.get(name)?.clone(),
        Some((path, line)) => {
            let (file, line) = added(diff, path, *line)?;
            AlteredSite {
                file,
                line: line.new_number,
                quote: line.text.trim().to_owned(),
            }
        }
    };
    Some((name.clone(), site))
}

/// Returns a line that the change added, with the place of its file in the diff.
fn added<'d>(diff: &'d Diff, path: &str, line: u32) -> Option<(usize, &'d ChangedLine)> {
    let file = diff.files.iter().position(|file| file.path == path)?;
    let mut lines = diff.files[file].hunks.iter().flat_map(|hunk| &hunk.lines);
    let line = lines.find(|one| one.kind == LineKind::Added && one.new_number == Some(line))?;
    Some((file, line))
}

/// Returns the places in documents, for a message.
fn listed(places: &[String]) -> String {
    let more = match places.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let named: Vec<&str> = places.iter().take(NAMED_MAX).map(String::as_str).collect();
    format!("{}{more}", named.join(" | "))
}
