//! From occurrences to places: only the candidate files are parsed, to say what each occurrence is.
//!
//! Candidates are taken in the order of their role and path up to a limit of bytes, so that the
//! same tree gives the same places whatever the threads do.

mod any;
mod described;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grounds_evidence::{
    FileRole, MentionPlace, ObservationSource, QuestionTarget, Relation, SymbolKind,
    WantedRelation, name,
};
use grounds_syntax::{Label, Language, Parse, Parser, languages};
use serde::{Deserialize, Serialize};

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::needles::{Needles, OccurrenceForm};
use crate::parses;
use crate::path::RepoPath;
use crate::role;
use crate::scope::{SearchScope, SkipReason};
use crate::standing::{self, Dialect, NameStanding};
use crate::survey::{self, FileHits, Hit, Survey};
use crate::{text, threads};

pub use any::{Fits, Sought, any};
pub use described::described;

/// Bytes of files with only uses that are labelled so that a refusal can show them.
const USES_BYTES_MAX: u64 = 512 << 10;
/// Occurrences in files that are not parsed that are shown as leads.
const UNPARSED_PLACES_MAX: usize = 8;
/// Size of a file in bytes up to which all its occurrences are labelled, even if only a definition
/// is wanted.
const LABELLED_BYTES_MAX: u64 = 16 << 10;
/// Bytes around an occurrence that are read from a file that is too large to be parsed.
const AROUND_BYTES: u64 = 512;

/// One occurrence, labelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledPlace {
    /// The file.
    pub path: RepoPath,
    /// The part that the file plays.
    pub role: FileRole,
    /// Its relation to the target.
    pub relation: Relation,
    /// The kind of thing that it introduces, if its syntax says so.
    pub kind: Option<SymbolKind>,
    /// The form of the name, by its letters alone.
    pub form: OccurrenceForm,
    /// The name as it is written there.
    pub name: String,
    /// The names of what encloses it, outermost first.
    pub containers: Vec<String>,
    /// The line of the name, counted from 1.
    pub line: u32,
    /// The column of the name in bytes, counted from 1.
    pub column: u32,
    /// The last line of the item that it introduces; the line itself for others.
    pub line_end: u32,
    /// The name of the file's language.
    pub language: &'static str,
    /// The test that contains it, if its syntax says so; only for uses.
    pub test: Option<String>,
}

/// Why a place that introduces the name is not the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// It is spelled in another convention, and the requested spelling occurs too: another name.
    Spelling,
    /// It is not inside the container that the symbol path names.
    Container,
}

/// The places of one target.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The occurrences that count as the target, best first.
    pub places: Vec<LabelledPlace>,
    /// The places that introduce the name but are not the requested ones.
    pub others: Vec<(Other, LabelledPlace)>,
    /// Number of occurrences that were not labelled because none of them can be a definition. A few
    /// of them are among the places.
    pub unlabelled: u64,
    /// The files that could not be labelled.
    pub scope: SearchScope,
}

impl Places {
    /// Returns the places where the target is defined or declared.
    pub(crate) fn defined(&self) -> Vec<&LabelledPlace> {
        let is_defined = |relation| matches!(relation, Relation::Defines | Relation::Declares);
        let places = self.places.iter();
        places.filter(|place| is_defined(place.relation)).collect()
    }
}

/// Labels the exact occurrences of a target.
pub fn label(
    checkout: &Checkout,
    survey: &Survey,
    needles: &Needles,
    number: usize,
    target: &QuestionTarget,
    limits: &Limits,
) -> Places {
    let (candidates, uses) = candidates(survey, number, target);
    let qualifiers = target.qualifiers();
    let labelling = |uses| Labelling::new(checkout, needles, number, &qualifiers, limits, uses);
    // Uses are labelled only if nothing is defined; a definition is usually found without them.
    let (some, every) = (
        labelling(UseLabels::of(target)),
        labelling(UseLabels::Labelled),
    );
    let (mut all, mut scope) = some.over(candidates.clone());
    let mut left_out = some.left_out.into_inner();
    let is_defined = all.iter().any(|place| place.relation == Relation::Defines);
    // Nothing defines the name, so a refusal shows its uses: all are labelled after all.
    if !is_defined && left_out > 0 {
        left_out = 0;
        (all, scope) = every.over(candidates);
    }
    let unparsed = if is_defined {
        uses
    } else {
        label_uses(uses, &every, &mut all, &mut scope)
    };
    let hidden: u64 = unparsed
        .iter()
        .map(|file| u64::from(file.exact[number]))
        .sum();
    let first_of = |file: &FileHits| unparsed_place(file, number, target);
    let unparsed = unparsed.into_iter().take(UNPARSED_PLACES_MAX);
    all.extend(unparsed.filter_map(first_of));
    all.sort_by(rank);
    let (places, others) = without_others(all, target, survey.counts[number].asked > 0);
    Places {
        places,
        others,
        unlabelled: left_out + hidden,
        scope,
    }
}

/// Separates the places of the target from those that introduce its name for something else.
fn without_others(
    all: Vec<LabelledPlace>,
    target: &QuestionTarget,
    asked_occurs: bool,
) -> (Vec<LabelledPlace>, Vec<(Other, LabelledPlace)>) {
    let (all, outside) = by_container(all, target);
    let (places, other_spellings) = by_spelling(all, asked_occurs);
    let introduced = |other: Other, places: Vec<LabelledPlace>| {
        let places = places.into_iter().filter(introduces);
        places.map(move |place| (other, place))
    };
    let others = introduced(Other::Container, outside)
        .chain(introduced(Other::Spelling, other_spellings))
        .collect();
    (places, others)
}

/// How the occurrences of a target are labelled.
pub type Labeller<'l> =
    &'l dyn Fn(&Checkout, &Survey, &Needles, usize, &QuestionTarget, &Limits) -> Places;

/// Returns where a target is defined or declared. Occurrences that only use it, by the look of
/// their line, are not parsed.
pub fn definitions(
    checkout: &Checkout,
    survey: &Survey,
    needles: &Needles,
    number: usize,
    target: &QuestionTarget,
    limits: &Limits,
) -> Places {
    let target = &QuestionTarget {
        wanted: WantedRelation::Definition,
        ..target.clone()
    };
    let qualifiers = target.qualifiers();
    let uses = UseLabels::LeftOut;
    let labelling = Labelling::new(checkout, needles, number, &qualifiers, limits, uses);
    let (candidates, _) = candidates(survey, number, target);
    let (mut all, scope) = labelling.over(candidates);
    all.retain(|place| matches!(place.relation, Relation::Defines | Relation::Declares));
    let (all, _) = by_container(all, target);
    Places {
        places: by_spelling(all, survey.counts[number].asked > 0).0,
        scope,
        ..Places::default()
    }
}

/// Labels the places in some files only, for a citation of them.
pub fn label_some(
    checkout: &Checkout,
    survey: &Survey,
    needles: &Needles,
    number: usize,
    target: &QuestionTarget,
    limits: &Limits,
    paths: &[&str],
) -> (Vec<LabelledPlace>, SearchScope) {
    let qualifiers = target.qualifiers();
    let uses = UseLabels::Labelled;
    let wanted = Labelling::new(checkout, needles, number, &qualifiers, limits, uses);
    let chosen = survey
        .files
        .iter()
        .filter(|file| file.exact[number] > 0 && paths.contains(&file.path.as_str()))
        .collect();
    wanted.over(chosen)
}

/// Returns the labels of some ranges of a file's text and the name of its language, or `None` if it
/// cannot be parsed.
pub fn label_ranges(
    path: &RepoPath,
    source: &[u8],
    ranges: &[Range<usize>],
) -> Option<(Vec<Label>, &'static str)> {
    let language = languages::of_file(path.file_name(), source)?;
    let parse = parse_around(language, source, ranges)?;
    Some((
        ranges
            .iter()
            .map(|range| parse.label(range.clone()))
            .collect(),
        language.name,
    ))
}

/// Returns the files in which the whole target occurs. If a definition is wanted, files that cannot
/// contain one are returned apart: prose, data, and files where every occurrence is a use by its
/// line alone.
fn candidates<'s>(
    survey: &'s Survey,
    number: usize,
    target: &QuestionTarget,
) -> (Vec<&'s FileHits>, Vec<&'s FileHits>) {
    let all: Vec<&FileHits> = survey
        .files
        .iter()
        .filter(|file| file.exact[number] > 0)
        .collect();
    if target.wanted != WantedRelation::Definition {
        return (all, Vec::new());
    }
    // Other conventions count only if the requested spelling does not occur (`by_spelling`).
    let asked_occurs = survey.counts[number].asked > 0;
    all.into_iter().partition(|file| {
        could_define(
            file,
            if asked_occurs {
                file.asked_standing
            } else {
                file.best_standing
            },
        )
    })
}

/// Labels uses up to a limit, because a refusal shows them if nothing is defined. Returns the files
/// past the limit.
fn label_uses<'s>(
    uses: Vec<&'s FileHits>,
    labelling: &Labelling<'_>,
    all: &mut Vec<LabelledPlace>,
    scope: &mut SearchScope,
) -> Vec<&'s FileHits> {
    let mut bytes = 0;
    let (within, past): (Vec<&FileHits>, Vec<&FileHits>) = uses.into_iter().partition(|file| {
        bytes += file.bytes;
        bytes <= USES_BYTES_MAX
    });
    let (places, seen) = labelling.over(within);
    all.extend(places);
    scope.merge(&seen);
    past
}

/// Returns the first occurrence in a file that was not parsed.
fn unparsed_place(
    file: &FileHits,
    number: usize,
    target: &QuestionTarget,
) -> Option<LabelledPlace> {
    let hit = file.hits.iter().find(|hit| is_exact(hit, number))?;
    Some(unlabelled_place(file, hit, target.needle().to_owned()))
}

/// Returns an occurrence without asking the syntax for its label.
fn unlabelled_place(file: &FileHits, hit: &Hit, name: String) -> LabelledPlace {
    LabelledPlace {
        path: file.path.clone(),
        role: role::of(&file.path),
        relation: Relation::Unlabelled,
        kind: None,
        form: hit.form,
        name,
        containers: Vec::new(),
        line: hit.line,
        column: 1,
        line_end: hit.line,
        language: "",
        test: None,
    }
}

fn could_define(file: &FileHits, standing: NameStanding) -> bool {
    could_stand(file, standing) && role::is_code(role::of(&file.path), &file.path)
}

/// Reports whether a name with this standing can be defined in the file.
fn could_stand(file: &FileHits, standing: NameStanding) -> bool {
    match standing {
        NameStanding::Use => false,
        // `res.send = …` defines a member in JavaScript; elsewhere a name behind a dot is a use.
        NameStanding::Member => {
            languages::of_name(file.path.file_name()).is_none_or(Language::members_define)
        }
        NameStanding::Possible | NameStanding::Likely => true,
    }
}

impl LabelledPlace {
    /// Its lines as the source of an observation.
    pub fn source(&self) -> ObservationSource {
        let line_end = self.line_end.max(self.line);
        ObservationSource::lines(self.path.as_str(), self.line, line_end)
    }

    /// Reports whether it is a use in a test: by the role of its file, or by its syntax.
    pub const fn is_in_a_test(&self) -> bool {
        matches!(self.role, FileRole::Test | FileRole::Fixture) || self.test.is_some()
    }
}

/// Reports whether a place introduces the name.
pub fn introduces(place: &LabelledPlace) -> bool {
    place.relation.introduces()
}

fn is_exact(hit: &Hit, number: usize) -> bool {
    usize::from(hit.target) == number
        && matches!(
            hit.form,
            OccurrenceForm::Asked | OccurrenceForm::Convention | OccurrenceForm::Phrase
        )
}

/// Keeps an introduction of a symbol path's last name only if the name before it encloses it, at
/// the smallest distance. `Kernel::handle` is a method of `Kernel`, and not of a class in the
/// namespace `Kernel`. Uses are all kept, because they cannot be told apart here.
fn by_container(
    places: Vec<LabelledPlace>,
    target: &QuestionTarget,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let qualifiers = target.qualifiers();
    if qualifiers.is_empty() {
        return (places, Vec::new());
    }
    // Distances are compared within one relation, so that a near declaration does not drop the
    // definition.
    let mut nearest: BTreeMap<usize, usize> = BTreeMap::new();
    for place in places.iter().filter(|place| introduces(place)) {
        if let Some(distance) = distance(place, &qualifiers) {
            let known = nearest
                .entry(relation_rank(place.relation))
                .or_insert(distance);
            *known = distance.min(*known);
        }
    }
    let is_nearest = |place: &LabelledPlace| {
        let distance = distance(place, &qualifiers);
        distance.is_some() && distance.as_ref() == nearest.get(&relation_rank(place.relation))
    };
    places
        .into_iter()
        .partition(|place| !introduces(place) || is_nearest(place))
}

/// Sets other conventions apart if the requested spelling occurs, even in prose. A spelling that
/// the tree uses is a name of its own: `FromStr` is not `from_str`.
fn by_spelling(
    places: Vec<LabelledPlace>,
    asked_occurs: bool,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    if asked_occurs {
        places
            .into_iter()
            .partition(|place| place.form == OccurrenceForm::Asked)
    } else {
        (places, Vec::new())
    }
}

/// Orders places best first: relation, role of the file, kind, then the order of the tree. A
/// constructor outside its class comes after the class, which has the name first.
pub(crate) fn rank(one: &LabelledPlace, other: &LabelledPlace) -> std::cmp::Ordering {
    let key = |place: &LabelledPlace| {
        let is_constructor = place.kind == Some(SymbolKind::Constructor);
        (
            relation_rank(place.relation),
            is_constructor,
            place.role,
            place.kind.map_or(u8::MAX, kind_rank),
            place.form,
        )
    };
    key(one).cmp(&key(other)).then_with(|| {
        (&one.path, one.line, one.column).cmp(&(&other.path, other.line, other.column))
    })
}

fn relation_rank(relation: Relation) -> usize {
    Relation::ALL
        .iter()
        .position(|known| *known == relation)
        .unwrap_or(Relation::ALL.len())
}

/// Returns the rank of a kind: types before functions before values. A line such as `mod name;`
/// comes late, because the file of the module is meant.
const fn kind_rank(kind: SymbolKind) -> u8 {
    use SymbolKind as K;
    match kind {
        K::Class
        | K::Struct
        | K::Union
        | K::Enum
        | K::Interface
        | K::Trait
        | K::Object
        | K::Table => 0,
        K::Function | K::Method | K::Macro | K::TypeAlias | K::Constructor | K::Target => 1,
        K::Constant | K::Variable | K::Property | K::Event => 2,
        K::Namespace | K::Module => 3,
        K::Variant | K::Field => 4,
        K::Parameter | K::TypeParameter | K::Label => 5,
    }
}

/// Returns how many names are between the last qualifier of a symbol path and a place that it
/// encloses, as a container or as a folder and file of the path; `None` if it does not enclose the
/// place.
fn distance(place: &LabelledPlace, qualifiers: &[&str]) -> Option<usize> {
    let wanted = qualifiers.last()?;
    // A module of Rust or Python is named by its file alone, so path parts count as containers too.
    let folders = place
        .path
        .as_str()
        .split('/')
        .map(|part| part.split('.').next().unwrap_or(part));
    let containers = place
        .containers
        .iter()
        .flat_map(|container| name::path_segments(container));
    let around: Vec<&str> = folders.chain(containers).collect();
    around
        .iter()
        .rev()
        .position(|known| known == wanted || name::same_name(known, wanted))
}

type ReadFile<'a> = dyn Fn(&FileHits, &mut SearchScope) -> Vec<LabelledPlace> + Sync + 'a;

/// Reads the candidates in parallel, up to the limit of bytes: the most promising standing first,
/// then by role and path. The result does not depend on the threads.
fn over_candidates(
    mut candidates: Vec<&FileHits>,
    limits: &Limits,
    read: &ReadFile<'_>,
) -> (Vec<LabelledPlace>, SearchScope) {
    candidates.sort_by_cached_key(|file| {
        (
            std::cmp::Reverse(file.best_standing),
            role::of(&file.path),
            file.path.clone(),
        )
    });
    let mut scope = SearchScope::default();
    let mut bytes = 0;
    let within = candidates.iter().take_while(|file| {
        bytes += file.bytes;
        bytes <= limits.parse_bytes_max
    });
    // One file is read even if it alone exceeds the limit, so that a result is never empty for it.
    let within = within.count().max(1).min(candidates.len());
    for file in &candidates[within..] {
        scope.skip(SkipReason::ParseBytes, file.path.as_str());
    }
    let read_alone = |(): &mut (), file: &&FileHits| {
        let mut scope = SearchScope::default();
        (read(file, &mut scope), scope)
    };
    let parts = threads::each(&candidates[..within], limits.threads, || (), read_alone);
    parts.iter().for_each(|(_, part)| scope.merge(part));
    (
        parts.into_iter().flat_map(|(places, _)| places).collect(),
        scope,
    )
}

/// Whether occurrences that are uses by their line alone are labelled too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UseLabels {
    Labelled,
    LeftOut,
}

impl UseLabels {
    /// Uses are only counted if a definition is wanted.
    fn of(target: &QuestionTarget) -> Self {
        if target.wanted == WantedRelation::Definition {
            Self::LeftOut
        } else {
            Self::Labelled
        }
    }
}

/// The label of one range of a text, and the test around it.
#[derive(Serialize, Deserialize)]
struct RangeSyntax {
    label: Label,
    /// The test that contains a use.
    test: Option<String>,
}

/// What is labelled, in whatever file.
struct Labelling<'a> {
    checkout: &'a Checkout,
    needles: &'a Needles,
    number: usize,
    qualifiers: &'a [&'a str],
    limits: &'a Limits,
    uses: UseLabels,
    /// Occurrences that were left out.
    left_out: AtomicU64,
}

impl<'a> Labelling<'a> {
    fn new(
        checkout: &'a Checkout,
        needles: &'a Needles,
        number: usize,
        qualifiers: &'a [&'a str],
        limits: &'a Limits,
        uses: UseLabels,
    ) -> Self {
        Self {
            checkout,
            needles,
            number,
            qualifiers,
            limits,
            uses,
            left_out: AtomicU64::new(0),
        }
    }

    fn over(&self, candidates: Vec<&FileHits>) -> (Vec<LabelledPlace>, SearchScope) {
        over_candidates(candidates, self.limits, &|file, scope| {
            self.label_file(file, scope)
        })
    }

    fn label_file(&self, file: &FileHits, scope: &mut SearchScope) -> Vec<LabelledPlace> {
        let role = role::of(&file.path);
        let path = self.checkout.root().join(file.path.as_path());
        // Its lines are all that is known: such an occurrence stays unlabelled.
        if file.bytes > self.limits.parse_file_bytes_max {
            scope.skip(SkipReason::Unparsed, file.path.as_str());
            let hits = file.hits.iter().filter(|hit| is_exact(hit, self.number));
            return hits
                .filter_map(|hit| label_by_line(&path, file, hit, role))
                .collect();
        }
        // With another size than in the pass, the ranges of the hits belong to another text.
        let Some(source) = text::read_whole(&path, self.limits.parse_file_bytes_max)
            .ok()
            .filter(|source| source.len() as u64 == file.bytes)
        else {
            scope.skip(SkipReason::Changed, file.path.as_str());
            return Vec::new();
        };
        let hits = self.hits(file, &source);
        // `every_hit` has a bound too, so a file with very many occurrences is labelled in part.
        if hits.len() < file.exact[self.number] as usize {
            scope.skip(SkipReason::Unparsed, file.path.as_str());
        }
        match languages::of_file(file.path.file_name(), &source) {
            Some(language) => self.label_hits(file, &source, hits, language, scope),
            None => hits
                .iter()
                .filter_map(|hit| plain_place(&source, file, hit, role))
                .collect(),
        }
    }

    /// Labels occurrences by the syntax of their file. Of those that are left out, the first is
    /// returned unlabelled.
    fn label_hits(
        &self,
        file: &FileHits,
        source: &[u8],
        hits: Vec<Hit>,
        language: &'static Language,
        scope: &mut SearchScope,
    ) -> Vec<LabelledPlace> {
        let role = role::of(&file.path);
        let (hits, rest) = self.split(file, source, hits);
        let name = |hit: &Hit| Some(String::from_utf8_lossy(source.get(range_of(hit, 0)?)?));
        let left_out = rest
            .first()
            .and_then(|hit| Some(unlabelled_place(file, hit, name(hit)?.into_owned())));
        if hits.is_empty() {
            return left_out.into_iter().collect();
        }
        let hits = with_ranges(hits, source);
        let ranges: Vec<Range<usize>> = hits.iter().map(|(_, range)| range.clone()).collect();
        let Some(said) = self.said(language, source, &ranges, role) else {
            scope.skip(SkipReason::Unparsed, file.path.as_str());
            return Vec::new();
        };
        let labelled = |((hit, range), said): ((Hit, Range<usize>), RangeSyntax)| {
            let place = place(source, file, &hit, role, language.name, range, said.label);
            let place = self.qualified(place, source, &hit);
            LabelledPlace {
                // After `qualified` it may no longer count as a use of the target.
                test: said.test.filter(|_| is_use(place.relation)),
                ..place
            }
        };
        let said = hits.into_iter().zip(said);
        // `empty` in Ruby's `empty?` is another name.
        said.filter(|(_, said)| !said.label.is_part_of_a_longer_name)
            .map(labelled)
            .chain(left_out)
            .collect()
    }

    /// Returns the labels of some ranges of a file's text, from the kept parses if they have them.
    fn said(
        &self,
        language: &'static Language,
        source: &[u8],
        ranges: &[Range<usize>],
        role: FileRole,
    ) -> Option<Vec<RangeSyntax>> {
        let may_test = may_hold_tests(role, source);
        let asked: Vec<u8> = ranges
            .iter()
            .flat_map(|range| [range.start as u64, range.end as u64])
            .flat_map(u64::to_le_bytes)
            .collect();
        // The ranges are part of the key instead of the name: the labels depend on nothing else.
        // Without `may_test` no test was looked for, so that belongs to the key too.
        let asked = [
            b"labels",
            language.name.as_bytes(),
            &[u8::from(may_test)],
            &asked,
        ];
        parses::once(self.checkout, &asked, source, || {
            let parse = parse_around(language, source, ranges)?;
            let said = |range: &Range<usize>| {
                let label = parse.label(range.clone());
                let test = (may_test && is_use(label.relation))
                    .then(|| parse.test_around(range.clone()))
                    .flatten();
                RangeSyntax {
                    label,
                    test: test.map(|test| test.name),
                }
            };
            Some(ranges.iter().map(said).collect())
        })
    }

    /// Splits the occurrences into those to label, and those left out: uses by their line alone, in
    /// a large file.
    fn split(&self, file: &FileHits, source: &[u8], hits: Vec<Hit>) -> (Vec<Hit>, Vec<Hit>) {
        let takes_all = self.uses == UseLabels::Labelled || file.bytes <= LABELLED_BYTES_MAX;
        let dialect = Dialect::of(file.path.as_path());
        // By its line alone, a part of a long call, a name in the body of a macro or in backticks
        // may look like a definition. The whole text is checked before the file is parsed for it.
        let again = |hit: &Hit| {
            range_of(hit, 0).map_or(hit.standing, |range| {
                standing::in_whole(source, range, dialect)
            })
        };
        let stands = |hit: &Hit| {
            could_stand(file, hit.standing)
                && (hit.standing != NameStanding::Possible || could_stand(file, again(hit)))
        };
        let (hits, rest): (Vec<Hit>, Vec<Hit>) =
            hits.into_iter().partition(|hit| takes_all || stands(hit));
        self.left_out
            .fetch_add(rest.len() as u64, Ordering::Relaxed);
        (hits, rest)
    }

    /// Returns the occurrences of the target. The file is searched again if the pass did not keep
    /// them all.
    fn hits(&self, file: &FileHits, source: &[u8]) -> Vec<Hit> {
        let of_target = |hits: &[Hit]| {
            hits.iter()
                .filter(|hit| is_exact(hit, self.number))
                .copied()
                .collect::<Vec<Hit>>()
        };
        let kept = of_target(&file.hits);
        if kept.len() == file.exact[self.number] as usize {
            kept
        } else {
            of_target(&survey::every_hit(
                source,
                file.path.as_path(),
                self.needles,
                file.exact.len(),
            ))
        }
    }

    /// Labels an occurrence of a symbol path's last name. A use counts only if the name before it
    /// is written there too. A definition with that name written before it belongs to it (`res.send
    /// = function …`).
    fn qualified(&self, place: LabelledPlace, source: &[u8], hit: &Hit) -> LabelledPlace {
        let Some(qualifier) = self.qualifiers.last() else {
            return place;
        };
        // What is written directly before the name: the path in `res.send`, `Kernel::handle`,
        // `this->handle`.
        let before = source
            .get(..usize::try_from(hit.start).unwrap_or(0))
            .unwrap_or_default();
        let path = before
            .strip_suffix(b"::")
            .or_else(|| before.strip_suffix(b"->"))
            .or_else(|| before.strip_suffix(b"."));
        let is_qualified = path.is_some_and(|path| {
            ends_with_name(path, qualifier)
                // `Response.prototype.send = …` defines a member of `Response`.
                || ends_with_name(path.strip_suffix(b".prototype").unwrap_or(path), qualifier)
        });
        let is_use = matches!(
            place.relation,
            Relation::Calls | Relation::Inherits | Relation::References | Relation::Imports
        );
        match (is_use, is_qualified) {
            // `other.send()` may call the member of any owner.
            (true, false) => LabelledPlace {
                relation: Relation::Unlabelled,
                ..place
            },
            (false, true)
                if introduces(&place)
                    && place.containers.last().is_none_or(|last| last != qualifier) =>
            {
                let containers = place
                    .containers
                    .iter()
                    .cloned()
                    .chain([(*qualifier).to_owned()])
                    .collect();
                LabelledPlace {
                    containers,
                    ..place
                }
            }
            (true, true) | (false, _) => place,
        }
    }
}

/// Reports whether a text ends with a name as a whole word.
fn ends_with_name(text: &[u8], name: &str) -> bool {
    let before = text.strip_suffix(name.as_bytes());
    before.is_some_and(|before| {
        before
            .last()
            .is_none_or(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))
    })
}

thread_local! {
    static PARSER: Parser = Parser::default();
}

/// Milliseconds after which the parse of one file is given up: hostile text can make a parser slow.
const PARSE_MS_MAX: u64 = 10_000;

/// Says when the parse of one file that begins now is given up.
pub fn parse_is_late() -> impl Fn() -> bool {
    let deadline = Instant::now() + Duration::from_millis(PARSE_MS_MAX);
    move || Instant::now() > deadline
}

pub(crate) fn parse<'s>(language: &'static Language, source: &'s [u8]) -> Option<Parse<'s>> {
    parse_around(language, source, &[])
}

/// Parses at least the parts that contain some places, or the whole file if there are no places.
fn parse_around<'s>(
    language: &'static Language,
    source: &'s [u8],
    places: &[Range<usize>],
) -> Option<Parse<'s>> {
    PARSER
        .with(|parser| parser.parse_around(language, source, places, &parse_is_late()))
        .ok()
}

/// Occurrences with their ranges, as far as the text has them.
fn with_ranges(hits: Vec<Hit>, source: &[u8]) -> Vec<(Hit, Range<usize>)> {
    let hits = hits.into_iter();
    hits.filter_map(|hit| Some((hit, range_of(&hit, 0)?)))
        .filter(|(_, range)| range.end <= source.len())
        .collect()
}

fn range_of(hit: &Hit, base: u64) -> Option<Range<usize>> {
    let start = usize::try_from(hit.start.checked_sub(base)?).ok()?;
    Some(start..start + hit.length as usize)
}

/// What marks tests in files that are no files of tests.
const TEST_MARKS: &[&[u8]] = &[
    b"#[test",
    b"cfg(test",
    b"::test",
    b"TEST(",
    b"TEST_",
    b"@Test",
];

/// Reports whether a file may contain tests. Checked first, because finding the test around each
/// use is expensive.
fn may_hold_tests(role: FileRole, source: &[u8]) -> bool {
    matches!(role, FileRole::Test | FileRole::Fixture)
        || TEST_MARKS
            .iter()
            .any(|mark| memchr::memmem::find(source, mark).is_some())
}

/// Reports whether an occurrence is a use in code, which a test may contain.
const fn is_use(relation: Relation) -> bool {
    matches!(
        relation,
        Relation::Calls | Relation::Inherits | Relation::References
    )
}

/// Returns the place in a file without a language. In prose or data it is a mention; in other text
/// its relation stays open.
fn plain_place(source: &[u8], file: &FileHits, hit: &Hit, role: FileRole) -> Option<LabelledPlace> {
    let range = range_of(hit, 0).filter(|range| range.end <= source.len())?;
    let relation = match role {
        FileRole::Documentation => Relation::Mentions(MentionPlace::Prose),
        FileRole::Data | FileRole::Fixture | FileRole::Generated => {
            Relation::Mentions(MentionPlace::Data)
        }
        FileRole::Source
        | FileRole::Header
        | FileRole::Build
        | FileRole::Test
        | FileRole::Bench
        | FileRole::Example => Relation::Unlabelled,
        FileRole::Vendored | FileRole::Backup => Relation::Unlabelled,
    };
    Some(place(
        source,
        file,
        hit,
        role,
        "",
        range.clone(),
        Label::plain(relation, range),
    ))
}

/// Returns an occurrence in a file that is too large to be parsed, with what its line shows.
fn label_by_line(
    path: &std::path::Path,
    file: &FileHits,
    hit: &Hit,
    role: FileRole,
) -> Option<LabelledPlace> {
    let (base, around) = text::read_around(path, hit.start, AROUND_BYTES, AROUND_BYTES).ok()?;
    let range = range_of(hit, base).filter(|range| range.end <= around.len())?;
    let label = Label::plain(Relation::Unlabelled, range.clone());
    let starts_here = base == 0 || around[..range.start].contains(&b'\n');
    let place = place(&around, file, hit, role, "", range, label);
    if starts_here {
        return Some(place);
    }
    // Two places of one long line would have the same column in what was read around each.
    let column = column_at(path, hit.start)?;
    Some(LabelledPlace { column, ..place })
}

/// Returns the column of a byte of a file, counted from 1, whatever the length of its line.
fn column_at(path: &std::path::Path, at: u64) -> Option<u32> {
    let mut before = AROUND_BYTES;
    loop {
        before = before.saturating_mul(8);
        let (base, text) = text::read_around(path, at, before, 0).ok()?;
        let newline = memchr::memrchr(b'\n', &text);
        if newline.is_some() || base == 0 {
            let column = text.len() + 1 - newline.map_or(0, |newline| newline + 1);
            return Some(u32::try_from(column).unwrap_or(u32::MAX));
        }
    }
}

fn place(
    source: &[u8],
    file: &FileHits,
    hit: &Hit,
    role: FileRole,
    language: &'static str,
    range: Range<usize>,
    label: Label,
) -> LabelledPlace {
    let lines_after = memchr::memchr_iter(
        b'\n',
        source.get(range.end..label.item.end).unwrap_or_default(),
    )
    .count();
    let column = range.start
        - memchr::memrchr(b'\n', &source[..range.start]).map_or(0, |newline| newline + 1)
        + 1;
    let line_end = hit
        .line
        .saturating_add(u32::try_from(lines_after).unwrap_or(0));
    LabelledPlace {
        path: file.path.clone(),
        role,
        relation: label.relation,
        kind: label.kind,
        form: hit.form,
        name: String::from_utf8_lossy(&source[range]).into_owned(),
        containers: label.containers,
        line: hit.line,
        column: u32::try_from(column).unwrap_or(u32::MAX),
        line_end: if label.relation.introduces() {
            line_end
        } else {
            hit.line
        },
        language,
        test: None,
    }
}

#[cfg(test)]
mod tests {
    use super::column_at;

    #[test]
    fn a_column_counts_from_the_start_of_a_long_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.js");
        std::fs::write(&path, format!("a\n{}", "b".repeat(70_000))).expect("a file");
        let columns = [0, 1, 2, 3, 69_999].map(|at| column_at(&path, at));
        assert_eq!(columns, [1, 2, 1, 2, 69_998].map(Some));
    }
}
