//! Where the names of a change are defined and used, at the reviewed side.
//!
//! One pass finds the places; a parse of those files labels them. Bounded in names, places and
//! files; whatever a bound cut off is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use grounds_evidence::{FileRole, Relation, SymbolKind};
use grounds_repo::git::{GitError, Next};
use grounds_repo::labels::parse_is_late;
use grounds_repo::role;
use grounds_repo::standing::NameStanding;
use grounds_syntax::{Parser, languages};

use super::choose::DEFINITIONS_MAX;
use super::common::is_common;
use super::definition::{self, ChainDefinition, LineStarts};
use super::near::Near;
use super::scan::{self, FamilyNames, NamePlace, ScanResult, Sought};
use super::seen::{PARSED_BYTES_MAX, SeenFile, Use};
use super::weight_of;
use super::words::NumberedNames;
use crate::threads;
use crate::tree::{Content, Tree, TreeFile};

/// Maximum number of places of one name that are parsed if nothing shows which of them counts.
const PLACES_MAX: usize = 12;
/// Number of places of one name past which only lines that look like definitions are parsed, except
/// near the change.
const CROWD: u32 = 24;
/// Maximum number of uses of one changed name that are parsed, for tests and for other code each.
const USES_MAX: usize = 12;
/// Weight of a changed name in the order of the parses: that of a name that is mentioned once.
const CHANGED_WEIGHT: u32 = 100;
/// Maximum number of definitions of one file that are searched for the one around a use.
const PARSED_DEFINITIONS_MAX: usize = 5_000;
/// Maximum number of characters that are shown of the line of a use.
const USE_BYTES_MAX: usize = 200;
/// Number of files whose roles are determined at once.
const CHUNK_FILES: usize = 1_000;
/// Number of chunks into which the files to parse are divided.
const CHUNKS: usize = 32;

/// A definition with its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DefinitionSite {
    /// The file.
    pub(super) path: String,
    /// Its place in the tree.
    pub(super) file: u32,
    /// The role of the file.
    pub(super) role: FileRole,
    /// The definition.
    pub(super) definition: ChainDefinition,
}

/// A use of a name that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UseSite {
    /// The file.
    pub(super) path: String,
    /// Its place in the tree.
    pub(super) file: u32,
    /// The role of the file.
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
pub(super) type FamilyName = (&'static str, String);

/// Definitions and uses of the names of a change.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeNames {
    /// Their definitions, in the order of the files.
    pub(super) sites: BTreeMap<FamilyName, Vec<DefinitionSite>>,
    /// Number of places that look like a definition, parsed or not. A name that was not searched
    /// has no entry.
    pub(super) places: BTreeMap<FamilyName, u32>,
    /// Uses of what changed.
    pub(super) uses: BTreeMap<FamilyName, Vec<UseSite>>,
    /// Which files lie near each changed one.
    pub(super) near: Near,
    /// Number of names that were not searched, because there were too many.
    pub(super) names_cut: usize,
    /// Number of files that were not parsed, because there were too many.
    pub(super) files_cut: usize,
    /// Number of files that could not be read.
    pub(super) unread: usize,
}

impl ChangeNames {
    /// Reports whether a name was searched in all files and is defined in none.
    pub(super) fn has_none(&self, key: &FamilyName) -> bool {
        // A limit or an unreadable file may have hidden the definition.
        let is_whole = self.places.contains_key(key) && self.files_cut == 0 && self.unread == 0;
        is_whole && self.sites.get(key).is_none_or(Vec::is_empty)
    }
}

/// Limits of the search for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolveLimits {
    /// Maximum number of names of added lines that are searched.
    pub names_max: usize,
    /// Maximum number of files that are parsed for their definitions.
    pub files_parsed_max: usize,
    /// Threads.
    pub threads_max: usize,
}

impl Default for ResolveLimits {
    fn default() -> Self {
        Self {
            names_max: 4_000,
            // With 1,000 files, a large change takes a third more processor time, and its calls
            // show at most 5 % more pieces.
            files_parsed_max: 500,
            threads_max: 4,
        }
    }
}

/// Whether a changed name is searched if standard libraries have it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommonNames {
    /// It is not searched: there are many uses of such a name, and they say little.
    Left,
    /// It is searched: the caller decides from the words around a use what it means.
    Sought,
}

/// Finds where the names of changed files are defined and used.
pub(super) fn known(
    tree: &Tree,
    seen: &[SeenFile],
    limits: &ResolveLimits,
    common: CommonNames,
) -> Result<ChangeNames, GitError> {
    let (keys, names_cut) = keys_of(seen, limits.names_max, common);
    let names = names_of(seen, &keys);
    let families: BTreeSet<&'static str> = seen.iter().map(|seen| seen.family).collect();
    let sought = sought(&keys, &families, &names);
    let threads = threads::count(limits.threads_max);
    let roles = roles_of(tree, &families, threads);
    let picked_files = picks(tree, &roles, seen);
    // Which files lie near is independent of where the names occur, so both are found at the same
    // time.
    let (near, found) = std::thread::scope(|scope| {
        let near = scope.spawn(|| Near::of(tree, seen));
        let found = scan::pass(tree, &picked_files, &sought, threads);
        (
            near.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            found,
        )
    });
    let found = found?;
    let mut known = ChangeNames {
        names_cut,
        unread: found.unread,
        near,
        ..ChangeNames::default()
    };
    known.places = keys
        .iter()
        .cloned()
        .zip(found.counts.iter().copied())
        .collect();
    let picks = picked(seen, &names, &found, &known.near, &roles, threads);
    let is_decided =
        |name, looked: &ParsedNames| is_decided(name, looked, seen, &names, &known.near);
    let (looked, files_cut) = parse_picks(
        tree,
        picks,
        &names,
        &is_decided,
        limits.files_parsed_max,
        threads,
    )?;
    known.files_cut = files_cut;
    for (key, site) in looked.sites {
        let key = keys[key as usize].clone();
        known.sites.entry(key).or_default().push(site);
    }
    for (key, site) in looked.uses {
        let key = keys[key as usize].clone();
        known.uses.entry(key).or_default().push(site);
    }
    Ok(known)
}

/// Parses the first picks, then the later ones of names that the first do not decide. Also returns
/// how many files were left out.
fn parse_picks(
    tree: &Tree,
    picks: Picks<'_>,
    names: &[NameUser],
    is_decided: &dyn Fn(u32, &ParsedNames) -> bool,
    files_parsed_max: usize,
    threads: usize,
) -> Result<(ParsedNames, usize), GitError> {
    let (wanted, cut) = at_most(picks.first, names, files_parsed_max);
    let mut looked = parse_all(tree, &wanted, threads)?;
    // `is_decided` searches them by name.
    looked.sites.sort_by_key(|(name, _)| *name);
    // The choice is the same as with all of them parsed, for half of the parses of a large change.
    let mut later: BTreeMap<u32, WantedParse> = BTreeMap::new();
    for place in picks.later {
        if !is_decided(place.name, &looked) {
            later.entry(place.file).or_default().define(place);
        }
    }
    let files_left = files_parsed_max.saturating_sub(wanted.len());
    let (wanted, cut_later) = at_most(later, names, files_left);
    let sites = parse_all(tree, &wanted, threads)?.sites;
    looked.sites.extend(sites);
    // The result must not depend on which of the two parses found a definition.
    looked.sites.sort_by_key(|(_, site)| site.file);
    Ok((looked, cut + cut_later))
}

/// Returns the names to search, in their order, and how many are left out: first the changed names,
/// then the used names of each file, the weightiest of every file first.
fn keys_of(seen: &[SeenFile], names_max: usize, common: CommonNames) -> (Vec<FamilyName>, usize) {
    let changed = seen.iter().flat_map(|seen| {
        seen.changed
            .iter()
            .map(|changed| (seen.family, changed.name.as_str()))
    });
    let mut ranked: Vec<(usize, (&'static str, &str))> = Vec::new();
    for seen in seen {
        let mut uses: Vec<&Use> = seen.uses.iter().collect();
        uses.sort_by_key(|used| std::cmp::Reverse(weight_of(used)));
        ranked.extend(
            uses.into_iter()
                .enumerate()
                .map(|(rank, used)| (rank, (seen.family, used.name.as_str()))),
        );
    }
    // By rank within the file and not by weight over all files, so that the limit leaves out no
    // file for the sake of an earlier one.
    ranked.sort_by_key(|(rank, _)| *rank);
    let wanted = changed
        .filter(|(family, name)| common == CommonNames::Sought || !is_common(name, family))
        // A name of one letter occurs nearly everywhere.
        .filter(|(_, name)| name.len() > 1)
        .chain(ranked.into_iter().map(|(_, key)| key));
    let mut known = BTreeSet::new();
    let in_order: Vec<(&'static str, &str)> = wanted.filter(|key| known.insert(*key)).collect();
    let mut keys: Vec<FamilyName> = in_order
        .iter()
        .take(names_max)
        .map(|(family, name)| (*family, (*name).to_owned()))
        .collect();
    keys.sort();
    (keys, in_order.len().saturating_sub(names_max))
}

/// Returns the names that the pass over the tree searches; the number of a name is its place.
fn sought<'n>(
    keys: &'n [FamilyName],
    families: &BTreeSet<&'static str>,
    names: &[NameUser],
) -> Sought<'n> {
    let numbered = |family: &'static str| {
        let keys = keys
            .iter()
            .enumerate()
            .filter(move |(_, key)| key.0 == family);
        keys.map(|(number, key)| (u32::try_from(number).unwrap_or(u32::MAX), key.1.as_str()))
    };
    let of_family = |family: &'static str| FamilyNames {
        family,
        all: NumberedNames::of(numbered(family)),
        // Uses are wanted only of changed names, for their callers, implementors and tests.
        used: NumberedNames::of(
            numbered(family).filter(|(number, _)| names[*number as usize].is_changed),
        ),
    };
    Sought {
        families: families.iter().copied().map(of_family).collect(),
        count: keys.len(),
        wants_uses: names.iter().map(|name| name.is_changed).collect(),
    }
}

/// Returns the role of each file that shares a language with the change, and `None` for the others.
fn roles_of(
    tree: &Tree,
    families: &BTreeSet<&'static str>,
    threads: usize,
) -> Vec<Option<FileRole>> {
    let role = |file: &TreeFile| {
        let fits = scan::family_of_path(&file.path).is_some_and(|family| families.contains(family));
        fits.then(|| role::of_shown(&file.path))
    };
    let chunks: Vec<&[TreeFile]> = tree.files().chunks(CHUNK_FILES).collect();
    threads::each(
        &chunks,
        threads,
        || (),
        |(), files| files.iter().map(role).collect::<Vec<_>>(),
    )
    .concat()
}

/// Returns the files that may define a name of the change.
fn picks(tree: &Tree, roles: &[Option<FileRole>], seen: &[SeenFile]) -> Vec<u32> {
    let changed: BTreeSet<u32> = seen
        .iter()
        .filter_map(|seen| tree.place(&seen.path))
        .collect();
    let is_foreign = |role: FileRole| {
        matches!(
            role,
            FileRole::Vendored | FileRole::Generated | FileRole::Backup
        )
    };
    // A vendored or generated file is searched only if the change itself edits it.
    let is_picked = |file: u32, role: Option<FileRole>| {
        role.is_some_and(|role| !is_foreign(role) || changed.contains(&file))
    };
    (0..)
        .zip(roles)
        .filter(|(file, role)| is_picked(*file, **role))
        .map(|(file, _)| file)
        .collect()
}

/// The places to parse in one file.
#[derive(Clone, Debug, Default)]
struct WantedParse {
    definitions: Vec<(u32, Range<usize>)>,
    uses: Vec<(u32, Range<usize>)>,
}

impl WantedParse {
    fn define(&mut self, place: &NamePlace) {
        self.definitions.push((place.name, place.range.clone()));
    }
}

/// The places that are worth a parse.
struct Picks<'f> {
    /// By file: the places near the files that use a name (all places if none is near), those of
    /// the changed names, and the uses.
    first: BTreeMap<u32, WantedParse>,
    /// The others, which are parsed only for names that the first do not decide.
    later: Vec<&'f NamePlace>,
}

fn picked<'f>(
    seen: &[SeenFile],
    names: &[NameUser],
    found: &'f ScanResult,
    near: &Near,
    roles: &[Option<FileRole>],
    threads: usize,
) -> Picks<'f> {
    let mut places: Vec<Vec<&NamePlace>> = vec![Vec::new(); names.len()];
    found
        .definitions
        .iter()
        .for_each(|place| places[place.name as usize].push(place));
    let sought: Vec<(&NameUser, Vec<&NamePlace>, u32)> = names
        .iter()
        .zip(places)
        .zip(&found.counts)
        .map(|((name, places), count)| (name, places, *count))
        .collect();
    let pick = |(): &mut (), (name, places, count): &(&NameUser, Vec<&'f NamePlace>, u32)| {
        let is_far = |place: &NamePlace| {
            let is_near = |user: &usize| near.has(&seen[*user], place.file);
            !name.users.iter().any(is_near)
        };
        picked_of(name, places, *count, &is_far, roles)
    };
    let mut picks = Picks {
        first: used(found, names.len(), roles),
        later: Vec::new(),
    };
    for (first, later) in threads::each(&sought, threads, || (), pick) {
        for place in first {
            picks.first.entry(place.file).or_default().define(place);
        }
        picks.later.extend(later);
    }
    picks
}

/// Returns the places of one name to parse first, and those to parse later. Of a name that occurs
/// in very many places, only the near ones and those that look like definitions are parsed.
fn picked_of<'f>(
    name: &NameUser,
    places: &[&'f NamePlace],
    count: u32,
    is_far: &dyn Fn(&NamePlace) -> bool,
    roles: &[Option<FileRole>],
) -> (Vec<&'f NamePlace>, Vec<&'f NamePlace>) {
    let mut ranked: Vec<_> = places
        .iter()
        .map(|place| (scan::rank(place), is_far(place), *place))
        .collect();
    ranked.sort_by_key(|(rank, is_far, place)| {
        let role = roles[place.file as usize];
        (*rank, *is_far, role, place.file, place.range.start)
    });
    // A name can be used a thousand times, and far lines that only might define it must not take
    // the places of those that look like definitions.
    let picked = ranked
        .into_iter()
        .filter(|(rank, is_far, _)| *rank < 2 || count <= CROWD || !is_far)
        .take(PLACES_MAX);
    let (first, later): (Vec<_>, Vec<_>) =
        picked.partition(|(_, is_far, _)| name.is_changed || !is_far);
    let place = |(_, _, place)| place;
    let first: Vec<_> = first.into_iter().map(place).collect();
    let later: Vec<_> = later.into_iter().map(place).collect();
    // With no place near the change, the far ones are all that can decide the name.
    if first.is_empty() {
        (later, first)
    } else {
        (first, later)
    }
}

/// Returns the uses to parse, by file.
fn used(
    found: &ScanResult,
    names: usize,
    roles: &[Option<FileRole>],
) -> BTreeMap<u32, WantedParse> {
    let mut wanted: BTreeMap<u32, WantedParse> = BTreeMap::new();
    let mut kept = vec![[0_usize; 2]; names];
    for place in found
        .uses
        .iter()
        // A place that is `Likely` looks like a definition, and not like a use.
        .filter(|place| place.standing <= NameStanding::Possible)
    {
        // Tests are counted by themselves, since a name with many tests would otherwise leave no
        // room for its callers.
        let is_test = usize::from(roles[place.file as usize].is_some_and(is_role_of_test));
        let kept = &mut kept[place.name as usize][is_test];
        if *kept < USES_MAX {
            *kept += 1;
            wanted
                .entry(place.file)
                .or_default()
                .uses
                .push((place.name, place.range.clone()));
        }
    }
    wanted
}

/// Reports whether every file that uses a name has definitions near by that decide what it means
/// there, whatever else the tree defines.
fn is_decided(
    name: u32,
    looked: &ParsedNames,
    seen: &[SeenFile],
    names: &[NameUser],
    near: &Near,
) -> bool {
    let first = looked.sites.partition_point(|(number, _)| *number < name);
    let sites = || {
        looked.sites[first..]
            .iter()
            .take_while(|(number, _)| *number == name)
            .map(|(_, site)| site)
    };
    // A declaration, or a definition in a test, does not decide: a real definition elsewhere goes
    // before it.
    let is_whole = |site: &&DefinitionSite| {
        !site.definition.is_declared
            && matches!(
                site.role,
                FileRole::Source | FileRole::Header | FileRole::Build
            )
    };
    names[name as usize].users.iter().all(|user| {
        let near = sites()
            .filter(is_whole)
            .filter(|site| near.has(&seen[*user], site.file))
            .count();
        (1..=DEFINITIONS_MAX).contains(&near)
    })
}

/// Returns at most `files_max` files, those of the weightiest names, in the order of the tree, and
/// how many were left out.
fn at_most(
    wanted: BTreeMap<u32, WantedParse>,
    names: &[NameUser],
    files_max: usize,
) -> (Vec<(u32, WantedParse)>, usize) {
    let mut files: Vec<(u32, WantedParse)> = wanted.into_iter().collect();
    let cut = files.len().saturating_sub(files_max);
    if cut > 0 {
        let weight = |(name, _): &(u32, Range<usize>)| names[*name as usize].weight;
        files.sort_by_cached_key(|(file, wanted)| {
            let heaviest = wanted
                .definitions
                .iter()
                .chain(&wanted.uses)
                .map(weight)
                .max();
            (
                std::cmp::Reverse(heaviest),
                std::cmp::Reverse(wanted.definitions.len()),
                *file,
            )
        });
        files.truncate(files_max);
        // The order of the weights was only for the limit; all further steps use the order of the
        // tree.
        files.sort_by_key(|(file, _)| *file);
    }
    (files, cut)
}

/// The users of one name.
#[derive(Clone, Debug, Default)]
struct NameUser {
    /// The changed files that use it.
    users: Vec<usize>,
    /// The greatest weight that the change gives it.
    weight: u32,
    /// Whether it changed.
    is_changed: bool,
}

/// Returns the users of each name.
fn names_of(seen: &[SeenFile], keys: &[FamilyName]) -> Vec<NameUser> {
    let numbers: BTreeMap<(&str, &str), usize> = keys
        .iter()
        .enumerate()
        .map(|(number, key)| ((key.0, key.1.as_str()), number))
        .collect();
    let mut names = vec![NameUser::default(); keys.len()];
    for (index, seen) in seen.iter().enumerate() {
        for used in &seen.uses {
            if let Some(number) = numbers.get(&(seen.family, used.name.as_str())) {
                names[*number].users.push(index);
                names[*number].weight = names[*number].weight.max(weight_of(used));
            }
        }
        for changed in &seen.changed {
            if let Some(number) = numbers.get(&(seen.family, changed.name.as_str())) {
                names[*number].is_changed = true;
                names[*number].weight = names[*number].weight.max(CHANGED_WEIGHT);
            }
        }
    }
    names
}

pub(super) fn is_test(path: &str) -> bool {
    is_role_of_test(role::of_shown(path))
}

const fn is_role_of_test(role: FileRole) -> bool {
    matches!(role, FileRole::Test | FileRole::Fixture | FileRole::Bench)
}

/// The results of the parses, by the number of the name.
#[derive(Default)]
struct ParsedNames {
    sites: Vec<(u32, DefinitionSite)>,
    uses: Vec<(u32, UseSite)>,
}

fn parse_all(
    tree: &Tree,
    wanted: &[(u32, WantedParse)],
    threads: usize,
) -> Result<ParsedNames, GitError> {
    let chunks: Vec<&[(u32, WantedParse)]> = wanted
        .chunks(wanted.len().div_ceil(CHUNKS).max(1))
        .collect();
    let results = threads::each(&chunks, threads, Parser::default, |parser, chunk| {
        parse_some(tree, chunk, parser)
    });
    let mut all = ParsedNames::default();
    for looked in results {
        let looked = looked?;
        all.sites.extend(looked.sites);
        all.uses.extend(looked.uses);
    }
    all.sites.sort_by_key(|(_, site)| site.file);
    all.uses.sort_by_key(|(_, site)| site.file);
    Ok(all)
}

fn parse_some(
    tree: &Tree,
    wanted: &[(u32, WantedParse)],
    parser: &Parser,
) -> Result<ParsedNames, GitError> {
    let files: Vec<&TreeFile> = wanted
        .iter()
        .map(|(file, _)| &tree.files()[*file as usize])
        .collect();
    let mut looked = ParsedNames::default();
    tree.each_in_any_order(&files, &mut |index, content| {
        if let Content::Bytes(text) = &content {
            parse_one(
                (wanted[index].0, &files[index].path),
                text,
                &wanted[index].1,
                parser,
                &mut looked,
            );
        }
        Next::GoOn
    })?;
    Ok(looked)
}

fn parse_one(
    (file, path): (u32, &str),
    text: &[u8],
    wanted: &WantedParse,
    parser: &Parser,
    looked: &mut ParsedNames,
) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(language) = languages::of_file(name, text).filter(|_| text.len() <= PARSED_BYTES_MAX)
    else {
        return;
    };
    let fits = |range: &&(u32, Range<usize>)| range.1.end <= text.len();
    let all = wanted.definitions.iter().chain(&wanted.uses);
    let places: Vec<Range<usize>> = all.filter(fits).map(|(_, range)| range.clone()).collect();
    let Ok(parse) = parser.parse_around(language, text, &places, &parse_is_late()) else {
        return;
    };
    let lines = LineStarts::of(text);
    let role = role::of_shown(path);
    for (number, range) in wanted.definitions.iter().filter(fits) {
        let label = parse.label(range.clone());
        if let Some(definition) = definition::at(&parse, text, &lines, range, &label) {
            let path = path.to_owned();
            looked.sites.push((
                *number,
                DefinitionSite {
                    path,
                    file,
                    role,
                    definition,
                },
            ));
        }
    }
    if wanted.uses.is_empty() {
        return;
    }
    let found = parse.definitions(PARSED_DEFINITIONS_MAX);
    let definitions: Vec<ChainDefinition> = found
        .iter()
        .filter_map(|(name, label)| definition::at(&parse, text, &lines, name, label))
        .collect();
    for (number, range) in wanted.uses.iter().filter(fits) {
        let label = parse.label(range.clone());
        let inherits = label.relation == Relation::Inherits;
        if label.is_part_of_a_longer_name || !inherits && label.relation != Relation::Calls {
            continue;
        }
        let line = lines.number(range.start);
        let mut around = super::seen::around(&definitions, line).into_iter().rev();
        let inner = around.find(|definition| is_routine_or_type(definition.kind));
        let shown = definition::shown(text, &lines, line, line);
        looked.uses.push((
            *number,
            UseSite {
                path: path.to_owned(),
                file,
                role,
                line,
                text: shown.chars().take(USE_BYTES_MAX).collect(),
                inherits,
                around: inner.map(|definition| (definition.head.0, definition.text.clone())),
                test: parse.test_around(range.clone()).map(|test| test.name),
            },
        ));
    }
}

/// Reports whether the head of a symbol of this kind describes a use inside of it.
fn is_routine_or_type(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    matches!(
        kind,
        K::Function
            | K::Method
            | K::Constructor
            | K::Class
            | K::Struct
            | K::Interface
            | K::Trait
            | K::Object
            | K::Macro
    )
}
