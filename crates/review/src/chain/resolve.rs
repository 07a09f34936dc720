//! Where the names of a change are defined and used, at the reviewed side.
//!
//! One pass finds the places, a parse of those files labels them. Bounded in names,
//! places and files; what a bound cut is told.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Mutex;

use grounds_evidence::{FileRole, Relation, SymbolKind};
use grounds_repo::git::{GitError, Next};
use grounds_repo::role;
use grounds_repo::standing::Standing;
use grounds_syntax::{Parser, languages};

use super::choose::DEFINITIONS_MAX;
use super::common::is_common;
use super::definition::{self, Definition, Lines};
use super::near::Near;
use super::scan::{self, Found, Place, Sought};
use super::seen::{PARSED_BYTES_MAX, Seen};
use super::words::Names;
use crate::tree::{Content, Tree, TreeFile};

/// Places of one name that are parsed where nothing says which of them counts.
const PLACES_MAX: usize = 12;
/// Places of one name past which, outside of what the change brings in, only lines that look like definitions are parsed.
const CROWD: u32 = 24;
/// Uses of one changed name that are parsed.
const USES_MAX: usize = 12;
/// Lines of a use that are shown.
const USE_BYTES_MAX: usize = 200;
/// Chunks into which the files to be parsed are cut.
const CHUNKS: usize = 8;

/// A definition with the file that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    /// The file.
    pub(super) path: String,
    /// Its place in the tree.
    pub(super) file: u32,
    /// What part it plays.
    pub(super) role: FileRole,
    /// What is defined.
    pub(super) definition: Definition,
}

/// A use of a name that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UseSite {
    /// The file.
    pub(super) path: String,
    /// Its place in the tree.
    pub(super) file: u32,
    /// What part it plays.
    pub(super) role: FileRole,
    /// The line, from 1.
    pub(super) line: u32,
    /// Its text.
    pub(super) text: String,
    /// Whether something inherits from the name here.
    pub(super) inherits: bool,
    /// The head of the item around it, with its line.
    pub(super) around: Option<(u32, String)>,
    /// The test around it, by its name.
    pub(super) test: Option<String>,
}

/// A name of a family of languages.
pub(super) type Key = (&'static str, String);

/// What is known of the names of a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Their definitions, in the order of the files.
    pub(super) sites: BTreeMap<Key, Vec<Site>>,
    /// How many places look like a definition, parsed or not.
    pub(super) places: BTreeMap<Key, u32>,
    /// Uses of what changed.
    pub(super) uses: BTreeMap<Key, Vec<UseSite>>,
    /// Which files lie near each changed one.
    pub(super) near: Near,
    /// Names that were not looked for, because there were too many.
    pub(super) names_cut: usize,
    /// Files that were not parsed, because there were too many.
    pub(super) files_cut: usize,
    /// Files that could not be read.
    pub(super) unread: usize,
}

/// What looking may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolveLimits {
    /// Names of added lines that are looked for.
    pub names_max: usize,
    /// Files that are parsed for their definitions.
    pub files_parsed_max: usize,
    /// Threads.
    pub threads_max: usize,
}

impl Default for ResolveLimits {
    fn default() -> Self {
        Self { names_max: 8_000, files_parsed_max: 2_000, threads_max: 4 }
    }
}

/// Finds out where the names of changed files are defined and used.
pub(super) fn known(tree: &Tree, seen: &[Seen], limits: &ResolveLimits) -> Result<Known, GitError> {
    let (keys, names_cut) = keys_of(seen, limits.names_max);
    let changed: BTreeSet<Key> =
        seen.iter().flat_map(|seen| seen.changed.iter().map(|changed| (seen.family, changed.name.clone()))).collect();
    let families: BTreeSet<&'static str> = seen.iter().map(|seen| seen.family).collect();
    let numbered = |family: &'static str| {
        keys.iter()
            .enumerate()
            .filter(move |(_, key)| key.0 == family)
            .map(|(number, key)| (u32::try_from(number).unwrap_or(u32::MAX), key.1.as_str()))
    };
    let sought = Sought {
        names: families.iter().map(|family| (*family, Names::of(numbered(family)))).collect(),
        count: keys.len(),
        wants_uses: keys.iter().map(|key| changed.contains(key)).collect(),
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).min(limits.threads_max);
    let found = scan::pass(tree, &picks(tree, &families, seen), &sought, threads)?;
    let mut known = Known { names_cut, unread: found.unread, near: Near::of(tree, seen), ..Known::default() };
    known.places = keys.iter().cloned().zip(found.counts.iter().copied()).collect();
    let users = users_of(seen, &keys);
    let is_changed: Vec<bool> = keys.iter().map(|key| changed.contains(key)).collect();
    let picks = picked(tree, seen, &users, &is_changed, &found, &known.near);
    let (wanted, cut) = at_most(picks.first, limits.files_parsed_max);
    let mut looked = parse_all(tree, &wanted, threads)?;
    looked.sites.sort_by_key(|(name, _)| *name);
    let is_open = |place: &&Place| !is_decided(place.name, &looked, seen, &users, &known.near);
    let mut later: BTreeMap<u32, Wanted> = BTreeMap::new();
    for place in picks.later.into_iter().filter(is_open) {
        later.entry(place.file).or_default().definitions.push((place.name, place.range.clone()));
    }
    let (wanted, cut_later) = at_most(later, limits.files_parsed_max.saturating_sub(wanted.len()));
    known.files_cut = cut + cut_later;
    looked.sites.extend(parse_all(tree, &wanted, threads)?.sites);
    looked.sites.sort_by_key(|(_, site)| site.file);
    for (key, site) in looked.sites {
        known.sites.entry((keys[key as usize].0, keys[key as usize].1.clone())).or_default().push(site);
    }
    for (key, site) in looked.uses {
        known.uses.entry((keys[key as usize].0, keys[key as usize].1.clone())).or_default().push(site);
    }
    Ok(known)
}

/// The names that are looked for, in their order, and how many are left out: those of the files that come last.
fn keys_of(seen: &[Seen], names_max: usize) -> (Vec<Key>, usize) {
    let mut keys: BTreeSet<Key> = BTreeSet::new();
    let mut cut: BTreeSet<Key> = BTreeSet::new();
    for seen in seen {
        let changed = seen.changed.iter().map(|changed| &changed.name).filter(|name| !is_common(name) && name.len() > 1);
        for name in changed.chain(seen.uses.iter().map(|used| &used.name)) {
            let key = (seen.family, name.clone());
            if keys.len() < names_max || keys.contains(&key) {
                keys.insert(key);
            } else {
                cut.insert(key);
            }
        }
    }
    (keys.into_iter().collect(), cut.len())
}

/// The files that may define something that the change means.
fn picks(tree: &Tree, families: &BTreeSet<&'static str>, seen: &[Seen]) -> Vec<u32> {
    let changed: BTreeSet<&str> = seen.iter().map(|seen| seen.path.as_str()).collect();
    let is_picked = |path: &str| {
        let fits = scan::family_of_path(path).is_some_and(|family| families.contains(family));
        fits && (changed.contains(path) || !matches!(role::of_shown(path), FileRole::Vendored | FileRole::Generated | FileRole::Backup))
    };
    let files = tree.files().iter().enumerate().filter(|(_, file)| is_picked(&file.path));
    files.filter_map(|(index, _)| u32::try_from(index).ok()).collect()
}

/// What is parsed in one file.
#[derive(Clone, Debug, Default)]
struct Wanted {
    definitions: Vec<(u32, Range<usize>)>,
    uses: Vec<(u32, Range<usize>)>,
}

/// The places that are worth a parse.
struct Picks<'f> {
    /// By file: the places near the files that use a name; all where none is near, and of the names that changed. With the uses.
    first: BTreeMap<u32, Wanted>,
    /// The others: they count only where the first do not decide.
    later: Vec<&'f Place>,
}

fn picked<'f>(tree: &Tree, seen: &[Seen], users: &[Vec<usize>], is_changed: &[bool], found: &'f Found, near: &Near) -> Picks<'f> {
    let mut places: Vec<Vec<&Place>> = vec![Vec::new(); users.len()];
    found.definitions.iter().for_each(|place| places[place.name as usize].push(place));
    let mut picks = Picks { first: used(tree, found, users.len()), later: Vec::new() };
    let mut roles: HashMap<u32, FileRole> = HashMap::new();
    for (number, places) in places.iter_mut().enumerate() {
        let path = |place: &Place| tree.files()[place.file as usize].path.as_str();
        let is_near = |place: &&Place| users[number].iter().any(|user| near.has(&seen[*user], place.file, path(place)));
        places.sort_by_cached_key(|place| {
            let role = *roles.entry(place.file).or_insert_with(|| role::of_shown(path(place)));
            (scan::rank(place), !is_near(place), role, place.file, place.range.start)
        });
        let is_few = found.counts[number] <= CROWD;
        let picked = places.iter().copied().filter(|place| scan::rank(place) < 2 || is_few || is_near(place)).take(PLACES_MAX);
        let (mut first, mut later): (Vec<&Place>, Vec<&Place>) = picked.partition(|place| is_changed[number] || is_near(place));
        if first.is_empty() {
            std::mem::swap(&mut first, &mut later);
        }
        for place in first {
            picks.first.entry(place.file).or_default().definitions.push((place.name, place.range.clone()));
        }
        picks.later.extend(later);
    }
    picks
}

/// The uses that are worth a parse, by file.
fn used(tree: &Tree, found: &Found, names: usize) -> BTreeMap<u32, Wanted> {
    let mut wanted: BTreeMap<u32, Wanted> = BTreeMap::new();
    let mut kept = vec![[0_usize; 2]; names];
    let mut tests: HashMap<u32, bool> = HashMap::new();
    for place in found.uses.iter().filter(|place| place.standing <= Standing::Possible) {
        let is_test = *tests.entry(place.file).or_insert_with(|| is_test(&tree.files()[place.file as usize].path));
        let is_test = usize::from(is_test);
        let kept = &mut kept[place.name as usize][is_test];
        if *kept < USES_MAX {
            *kept += 1;
            wanted.entry(place.file).or_default().uses.push((place.name, place.range.clone()));
        }
    }
    wanted
}

/// Whether every file that uses a name has definitions near by that say what it means there, whatever stands elsewhere.
fn is_decided(name: u32, looked: &Looked, seen: &[Seen], users: &[Vec<usize>], near: &Near) -> bool {
    let first = looked.sites.partition_point(|(number, _)| *number < name);
    let sites = || looked.sites[first..].iter().take_while(|(number, _)| *number == name).map(|(_, site)| site);
    let is_whole =
        |site: &&Site| !site.definition.is_declared && matches!(site.role, FileRole::Source | FileRole::Header | FileRole::Build);
    users[name as usize].iter().all(|user| {
        let near = sites().filter(is_whole).filter(|site| near.has(&seen[*user], site.file, &site.path)).count();
        (1..=DEFINITIONS_MAX).contains(&near)
    })
}

/// So many files, those with the most places, in the order of the tree; and how many were too many.
fn at_most(wanted: BTreeMap<u32, Wanted>, files_max: usize) -> (Vec<(u32, Wanted)>, usize) {
    let mut files: Vec<(u32, Wanted)> = wanted.into_iter().collect();
    let cut = files.len().saturating_sub(files_max);
    if cut > 0 {
        files.sort_by_key(|(file, wanted)| (std::cmp::Reverse(wanted.definitions.len()), *file));
        files.truncate(files_max);
        files.sort_by_key(|(file, _)| *file);
    }
    (files, cut)
}

/// For each name, the changed files that use it.
fn users_of(seen: &[Seen], keys: &[Key]) -> Vec<Vec<usize>> {
    let numbers: BTreeMap<(&str, &str), usize> = keys.iter().enumerate().map(|(number, key)| ((key.0, key.1.as_str()), number)).collect();
    let mut users = vec![Vec::new(); keys.len()];
    for (index, seen) in seen.iter().enumerate() {
        for used in &seen.uses {
            if let Some(number) = numbers.get(&(seen.family, used.name.as_str())) {
                users[*number].push(index);
            }
        }
    }
    users
}

pub(super) fn is_test(path: &str) -> bool {
    matches!(role::of_shown(path), FileRole::Test | FileRole::Fixture | FileRole::Bench)
}

/// What the parses gave, by the number of the name.
#[derive(Default)]
struct Looked {
    sites: Vec<(u32, Site)>,
    uses: Vec<(u32, UseSite)>,
}

fn parse_all(tree: &Tree, wanted: &[(u32, Wanted)], threads: usize) -> Result<Looked, GitError> {
    let chunks: Vec<&[(u32, Wanted)]> = wanted.chunks(wanted.len().div_ceil(CHUNKS).max(1)).collect();
    let queue = Mutex::new((0..chunks.len()).collect::<Vec<usize>>());
    let results: Mutex<Vec<Option<Result<Looked, GitError>>>> = Mutex::new(chunks.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, CHUNKS) {
            scope.spawn(|| {
                let parser = Parser::default();
                while let Some(index) = queue.lock().ok().and_then(|mut queue| queue.pop()) {
                    let looked = parse_some(tree, chunks[index], &parser);
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(looked);
                    }
                }
            });
        }
    });
    let mut all = Looked::default();
    for looked in results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_iter().flatten() {
        let looked = looked?;
        all.sites.extend(looked.sites);
        all.uses.extend(looked.uses);
    }
    all.sites.sort_by_key(|(_, site)| site.file);
    all.uses.sort_by_key(|(_, site)| site.file);
    Ok(all)
}

fn parse_some(tree: &Tree, wanted: &[(u32, Wanted)], parser: &Parser) -> Result<Looked, GitError> {
    let files: Vec<&TreeFile> = wanted.iter().map(|(file, _)| &tree.files()[*file as usize]).collect();
    let mut looked = Looked::default();
    tree.each_in_any_order(&files, &mut |index, content| {
        if let Content::Bytes(text) = &content {
            parse_one((wanted[index].0, &files[index].path), text, &wanted[index].1, parser, &mut looked);
        }
        Next::GoOn
    })?;
    Ok(looked)
}

fn parse_one((file, path): (u32, &str), text: &[u8], wanted: &Wanted, parser: &Parser, looked: &mut Looked) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(language) = languages::of_file(name, text).filter(|_| text.len() <= PARSED_BYTES_MAX) else { return };
    let fits = |range: &&(u32, Range<usize>)| range.1.end <= text.len();
    let places: Vec<Range<usize>> = wanted.definitions.iter().chain(&wanted.uses).filter(fits).map(|(_, range)| range.clone()).collect();
    let Ok(parse) = parser.parse_at(language, text, &places, &|| false) else { return };
    let lines = Lines::of(text);
    let role = role::of_shown(path);
    for (number, range) in wanted.definitions.iter().filter(fits) {
        let label = parse.label(range.clone());
        if let Some(definition) = definition::at(&parse, text, &lines, range, &label) {
            looked.sites.push((*number, Site { path: path.to_owned(), file, role, definition }));
        }
    }
    if wanted.uses.is_empty() {
        return;
    }
    let definitions: Vec<Definition> =
        parse.definitions(5_000).iter().filter_map(|(name, label)| definition::at(&parse, text, &lines, name, label)).collect();
    for (number, range) in wanted.uses.iter().filter(fits) {
        let label = parse.label(range.clone());
        let inherits = match label.relation {
            Relation::Calls => false,
            Relation::Inherits => true,
            Relation::Defines
            | Relation::Declares
            | Relation::Binds
            | Relation::References
            | Relation::Imports
            | Relation::Mentions(_)
            | Relation::NamedByFile
            | Relation::Unlabelled => continue,
        };
        let line = lines.number(range.start);
        let inner = super::seen::around(&definitions, line).into_iter().rev().find(|definition| is_routine_or_type(definition.kind));
        looked.uses.push((
            *number,
            UseSite {
                path: path.to_owned(),
                file,
                role,
                line,
                text: definition::shown(text, &lines, line, line).chars().take(USE_BYTES_MAX).collect(),
                inherits,
                around: inner.map(|definition| (definition.head.0, definition.text.clone())),
                test: parse.test_around(range.clone()).map(|test| test.name),
            },
        ));
    }
}

/// Whether a use is told by the head of such a thing.
fn is_routine_or_type(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    matches!(kind, K::Function | K::Method | K::Constructor | K::Class | K::Struct | K::Interface | K::Trait | K::Object | K::Macro)
}
