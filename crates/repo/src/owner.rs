//! Whether the last part of a dotted name belongs to what is named before it.
//!
//! `Zorblatt.close` is searched by `close`, which is frequent in any tree. An occurrence is a place
//! of the name only if the whole name is written out, in any notation, or if a definition of the
//! last part is inside what is named before it: a body, a receiver, a module, a file. Otherwise it
//! is another thing with the same last name.

use grounds_evidence::{QuestionTarget, Relation, TargetKind, WantedRelation, name};

use crate::bench::Bench;
use crate::checkout::Checkout;
use crate::labels::{self, LabelledPlace};
use crate::limits::Limits;
use crate::needles::{Needle, Needles, OccurrenceForm};
use crate::scope::SkipReason;
use crate::survey::{self, FileHits, Progress, Survey, SurveyedPart};

/// Marks between an owner and its member in code and prose: `?->` is PHP's, `!!.` Kotlin's, `#`
/// that of documentation.
const SEPARATORS: &[&str] = &[
    ".",
    "::",
    "->",
    "#",
    "?.",
    "?->",
    "!!.",
    ".prototype.",
    "().",
];

/// How the last part of a dotted name relates to what is named before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// The whole is written somewhere, or the last part is defined in what is named before it.
    Shown,
    /// What is named before it exists; that the last part belongs to it was not seen.
    OwnerOnly,
    /// This part of the name occurs nowhere in the tree.
    NoOwner(String),
}

/// How a dotted name as a whole occurs in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owned {
    /// How its last part relates to the rest.
    pub(crate) ownership: Ownership,
    /// Files in which the whole is written. Their occurrences are those of the target number 0.
    pub(crate) written: Vec<FileHits>,
}

impl Owned {
    /// Returns the result for a name without an owner, or one whose last part occurs nowhere.
    fn plain() -> Self {
        Self {
            ownership: Ownership::Shown,
            written: Vec::new(),
        }
    }
}

/// The ground of a search, and its bounds.
#[derive(Clone, Copy)]
pub(crate) struct SearchGround<'a> {
    /// The checkout.
    pub(crate) checkout: &'a Checkout,
    /// The part of it.
    pub(crate) part: SurveyedPart,
    /// The bounds.
    pub(crate) limits: &'a Limits,
    /// How far the pass is.
    pub(crate) progress: &'a Progress,
}

/// Returns for every dotted name among the targets whether its last part may count. What was
/// skipped on the way is added to the survey.
pub(crate) fn of_targets(
    ground: SearchGround<'_>,
    seen: &mut Survey,
    needles: &Needles,
    targets: &[QuestionTarget],
) -> Vec<Owned> {
    let verdict = |(number, target): (usize, &QuestionTarget)| {
        if target.qualifiers().is_empty() || !occurs(seen, number) {
            return Owned::plain();
        }
        look(ground, seen, needles, number, target)
    };
    targets.iter().enumerate().map(verdict).collect()
}

/// Reports whether the last part occurs anywhere, in a text or as the name of a file.
fn occurs(seen: &Survey, number: usize) -> bool {
    let counts = &seen.counts[number];
    counts.exact() > 0 || counts.inside > 0 || !seen.names[number].is_empty()
}

fn look(
    ground: SearchGround<'_>,
    seen: &mut Survey,
    needles: &Needles,
    number: usize,
    target: &QuestionTarget,
) -> Owned {
    let qualifiers = target.qualifiers();
    let written = written(ground, target, &qualifiers);
    if written.scope.skipped.contains_key(&SkipReason::TimeUp) {
        seen.scope.skip(SkipReason::TimeUp, "the owner of a name");
    }
    let is_there = |(index, qualifier): &(usize, &&str)| {
        let counts = &written.counts[index + 1];
        // If the whole is written somewhere, the part before the last was seen in it.
        (index + 1 == qualifiers.len() && written.counts[0].asked > 0)
            || counts.asked + counts.convention > 0
            || !written.names[index + 1].is_empty()
            || is_a_folder(ground.checkout, seen, number, qualifier)
    };
    let missing = qualifiers.iter().enumerate().find(|part| !is_there(part));
    let ownership = match missing {
        Some((_, missing)) => Ownership::NoOwner((*missing).to_owned()),
        None if written.counts[0].asked > 0 => Ownership::Shown,
        None if defined_in_it(ground, seen, needles, number, target) => Ownership::Shown,
        None => Ownership::OwnerOnly,
    };
    let mut written = written.files;
    written.retain(|file| file.exact[0] > 0);
    Owned { ownership, written }
}

/// Searches in one pass the whole as it may be written, and each part before the last.
fn written(ground: SearchGround<'_>, target: &QuestionTarget, qualifiers: &[&str]) -> Survey {
    let last = qualifiers.last().copied().unwrap_or_default();
    // An import may shorten `shop.Store.load` to `Store.load`, so only the nearest owner is
    // expected before the name.
    let joined = SEPARATORS.iter().map(|separator| Needle {
        text: format!("{last}{separator}{}", target.needle()),
        target: 0,
        form: OccurrenceForm::Asked,
    });
    let of_part = |(index, part): (usize, &&str)| {
        let spelled = name::spellings(part).into_iter().enumerate();
        let needle = move |(at, text): (usize, String)| Needle {
            text,
            // The number 0 is the whole name, and the parts follow it. `look` counts on that.
            target: index + 1,
            form: if at == 0 {
                OccurrenceForm::Asked
            } else {
                OccurrenceForm::Convention
            },
        };
        spelled.map(needle).collect::<Vec<Needle>>()
    };
    let parts = qualifiers.iter().enumerate().flat_map(of_part);
    let needles = Needles::of(joined.chain(parts).collect(), Vec::new());
    // A quoted target is searched in texts only, and never among the names of files.
    let whole = QuestionTarget {
        kind: TargetKind::Quoted,
        ..target.clone()
    };
    let named = qualifiers.iter().map(|part| identifier(part));
    let targets: Vec<QuestionTarget> = std::iter::once(whole).chain(named).collect();
    survey::survey(
        ground.checkout,
        &targets,
        &needles,
        ground.part,
        ground.limits,
        ground.progress,
    )
}

fn identifier(text: &str) -> QuestionTarget {
    QuestionTarget {
        text: text.to_owned(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Definition,
    }
}

/// Reports whether a name is that of a folder above an occurrence of the last part; the checkout's
/// own folder counts too.
fn is_a_folder(checkout: &Checkout, seen: &Survey, number: usize, part: &str) -> bool {
    let is_it = |known: &str| known == part || name::same_name(known, part);
    let top = checkout.root().file_name();
    let in_path = |path: &str| path.rsplit('/').skip(1).any(is_it);
    let mut holding = seen.files.iter().filter(|file| file.exact[number] > 0);
    top.is_some_and(|top| is_it(&top.to_string_lossy()))
        || holding.any(|file| in_path(file.path.as_str()))
}

/// Reports whether a definition of the last part lies in what is named before it.
fn defined_in_it(
    ground: SearchGround<'_>,
    seen: &mut Survey,
    needles: &Needles,
    number: usize,
    target: &QuestionTarget,
) -> bool {
    let wanted = QuestionTarget {
        wanted: WantedRelation::Definition,
        ..target.clone()
    };
    let (checkout, limits) = (ground.checkout, ground.limits);
    let places = labels::label(checkout, seen, needles, number, &wanted, limits);
    seen.scope.merge(&places.scope);
    let owner = target.qualifiers().last().copied().unwrap_or_default();
    let mut introduced = places
        .places
        .iter()
        .filter(|place| labels::introduces(place));
    let stands_in = |place: &LabelledPlace| {
        let containers = place.containers.iter();
        let mut names = containers.flat_map(|container| name::path_segments(container));
        names.any(|known| known == owner || name::same_name(known, owner))
    };
    // Otherwise the owner may be a module, which only a file or folder names. A type of that name
    // would have the member in its body.
    introduced.clone().any(stands_in)
        || (introduced.next().is_some() && !is_a_symbol(ground, owner))
}

/// Reports whether something with members of its own has a name. Then a file of that name is not
/// meant.
fn is_a_symbol(ground: SearchGround<'_>, owner: &str) -> bool {
    let targets = [identifier(owner)];
    let needles = Needles::of_targets(&targets);
    let SearchGround {
        checkout,
        part,
        limits,
        progress,
    } = ground;
    let seen = survey::survey(checkout, &targets, &needles, part, limits, progress);
    let places = labels::label(checkout, &seen, &needles, 0, &targets[0], limits);
    let is_type = |place: &LabelledPlace| {
        let kind = place.kind.map_or("", |kind| kind.as_str());
        place.relation == Relation::Defines && TYPES.contains(&kind) && place.name == owner
    };
    places.places.iter().any(is_type)
}

/// Kinds that have members of their own.
const TYPES: &[&str] = &[
    "class",
    "struct",
    "union",
    "enum",
    "interface",
    "trait",
    "object",
];

impl Survey {
    /// Removes the occurrences of a target, because they are another thing with the same last name.
    /// Their number is kept.
    pub(crate) fn disown(&mut self, number: usize) {
        let counts = std::mem::take(&mut self.counts[number]);
        self.last_names[number] = Some(u64::from(counts.exact()));
        self.names[number].clear();
        for file in &mut self.files {
            file.exact[number] = 0;
            file.hits.retain(|hit| usize::from(hit.target) != number);
        }
        self.files.retain(|file| {
            !file.hits.is_empty()
                || file.exact.iter().any(|count| *count > 0)
                || file.words.iter().any(|bits| *bits != 0)
        });
    }
}

impl Bench<'_> {
    /// Returns where the last part of a dotted name is defined without belonging to what is named
    /// before it: near misses, never an answer.
    pub fn of_other_owners(&mut self, number: usize) -> Vec<LabelledPlace> {
        let (Some(seen), Some(target)) = (self.disowned(), self.targets().get(number)) else {
            return Vec::new();
        };
        let alone = identifier(target.needle());
        let needles = Needles::of_targets(self.targets());
        let places = labels::label(self.checkout, &seen, &needles, number, &alone, self.limits);
        let mut places = places.places;
        places.retain(|place| place.relation == Relation::Defines);
        places
    }
}
