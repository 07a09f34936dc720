//! Whether any occurrence of a target is of a wanted kind: the first file that shows it ends the
//! search.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use grounds_evidence::{QuestionTarget, Relation, WantedRelation};

use super::{LabelledPlace, Labelling, UseLabels, candidates, over_candidates, range_of};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::needles::{Needles, OccurrenceForm};
use crate::scope::SearchScope;
use crate::survey::{FileHits, Survey};
use crate::text;

/// The wanted kind among the occurrences of a name, in the requested spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A definition or a declaration.
    Definition,
    /// An import.
    Import,
    /// Any occurrence.
    Anything,
}

/// Lines above a name in which the statement that imports it can begin.
const IMPORT_LINES_MAX: usize = 40;
/// Bytes after a name in which such a statement can end.
const IMPORT_BYTES_MAX: usize = 400;
/// Number of first words of a line that may be the importing one: `pub(crate) use`.
const FIRST_WORDS: usize = 3;
/// Words with which languages import.
const IMPORTING: &[&[u8]] = &[
    b"import", b"from", b"use", b"using", b"include", b"require", b"load", b"source", b"extern",
    b"export", b"module", b"package", b"open", b"alias",
];

/// A further condition on an occurrence.
pub type Fits<'f> = &'f (dyn Fn(&LabelledPlace) -> bool + Sync);

impl Sought {
    fn is(self, place: &LabelledPlace) -> bool {
        place.form == OccurrenceForm::Asked
            && match self {
                Self::Definition => {
                    matches!(place.relation, Relation::Defines | Relation::Declares)
                }
                Self::Import => place.relation == Relation::Imports,
                Self::Anything => true,
            }
    }
}

/// Reports whether a name without qualifiers has an occurrence that is sought and fits. Also
/// returns what could not be labelled for it.
pub fn any(
    (sought, fits): (Sought, Fits<'_>),
    checkout: &Checkout,
    survey: &Survey,
    needles: &Needles,
    number: usize,
    target: &QuestionTarget,
    limits: &Limits,
) -> (bool, SearchScope) {
    let (wanted, uses) = match sought {
        Sought::Definition => (WantedRelation::Definition, UseLabels::LeftOut),
        Sought::Import | Sought::Anything => (WantedRelation::Uses, UseLabels::Labelled),
    };
    let target = QuestionTarget {
        wanted,
        ..target.clone()
    };
    let labelling = Labelling::new(checkout, needles, number, &[], limits, uses);
    let is_found = AtomicBool::new(false);
    let read = |file: &FileHits, scope: &mut SearchScope| {
        // One place is enough, so the files that other threads still take are not read.
        let is_over = is_found.load(Ordering::Relaxed);
        if is_over || sought == Sought::Import && !labelling.could_import(file) {
            return Vec::new();
        }
        let places = labelling.label_file(file, scope);
        if places.iter().any(|place| sought.is(place) && fits(place)) {
            is_found.store(true, Ordering::Relaxed);
        }
        Vec::new()
    };
    let (candidates, _) = candidates(survey, number, &target);
    let (_, scope) = over_candidates(candidates, limits, &read);
    (is_found.into_inner(), scope)
}

impl Labelling<'_> {
    /// Reports whether a file can import the target, by the lines around its occurrences.
    fn could_import(&self, file: &FileHits) -> bool {
        let path = self.checkout.root().join(file.path.as_path());
        let Ok(source) = text::read_whole(&path, self.limits.parse_file_bytes_max) else {
            // Labelling will fail to read it too, and note that.
            return true;
        };
        let hits = self.hits(file, &source);
        let mut ranges = hits.iter().filter_map(|hit| range_of(hit, 0));
        ranges.any(|range| range.end > source.len() || is_of_import(&source, range))
    }
}

/// Reports whether a name can be in a statement that imports: one begins on its line, or above it
/// in a list of names, or the source of the list follows it (`require`).
fn is_of_import(source: &[u8], name: Range<usize>) -> bool {
    let end = source.len().min(name.end + IMPORT_BYTES_MAX);
    let after = source[name.end..end].split(|byte| *byte == b';').next();
    if after.is_some_and(requires) {
        return true;
    }
    let mut above = source[..name.start].rsplit(|byte| *byte == b'\n');
    if above.next().is_some_and(begins_import) {
        return true;
    }
    let mut above = above.take(IMPORT_LINES_MAX).take_while(|line| lists(line));
    above.any(begins_import)
}

/// Reports whether a line can be part of a list of names.
fn lists(line: &[u8]) -> bool {
    let is_of_list = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || byte.is_ascii_whitespace()
            || b"_,.{(:*'\"/-@$#".contains(byte)
    };
    line.iter().all(is_of_list)
}

/// Reports whether a line begins a statement that imports: one of its first words is such a word,
/// or it has `require`.
fn begins_import(line: &[u8]) -> bool {
    let words = line.split(|byte| !byte.is_ascii_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty()).take(FIRST_WORDS);
    words.any(|word| IMPORTING.contains(&word)) || requires(line)
}

fn requires(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"require").is_some()
}
