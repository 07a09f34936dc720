//! The context chain: what a reviewer would look up, small, exact and in order.
//!
//! Takes a diff and the reviewed side, and returns for each changed file the pieces that belong to
//! it: heads around its hunks, definitions of what its added lines use, users of what changed, and
//! what could not be shown. Exact names and scopes only. It reads the reviewed side and knows no
//! model; `pack` fits the pieces into the tokens of a call.

mod bodies;
mod choose;
mod common;
mod definition;
mod imports;
mod near;
mod pack;
mod resolve;
mod scan;
mod seen;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use grounds_evidence::{Rating, SymbolKind};
use grounds_repo::git::GitError;
use grounds_syntax::Parser;

use crate::diff::{ChangedFile, Diff};
use crate::material::ContextKind;
use crate::threads;
use crate::tree::{Content, Tree};

use choose::{Choice, choose};
use definition::ChainDefinition;
pub use pack::{Packed, pack, render};
pub use resolve::ResolveLimits;
use resolve::{ChangeNames, CommonNames, UseSite};
pub(crate) use seen::brought_in;
use seen::{Changed, FileSides, Nearness, SeenFile, Use, Wants};

/// Maximum number of users that are shown of one changed name.
const USERS_MAX: usize = 3;
/// Maximum number of users of one changed head that a rule is given, which counts them.
const COUNTED_USERS_MAX: usize = 50;
/// Maximum number of heads of one file that are shown beside the changed ones.
const BESIDE_MAX: usize = 24;
/// Maximum number of tests that are shown of one changed name.
const TESTS_MAX: usize = 1;

/// A piece of context before it is known whether it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextPiece {
    /// The relation to the change.
    pub kind: ContextKind,
    /// The file that it comes from.
    pub path: String,
    /// Its lines, both included.
    pub lines: (u32, u32),
    /// The text of these lines.
    pub text: String,
    /// The whole item with its last line, if it is a short data type; otherwise `None`.
    pub body: Option<(u32, String)>,
    /// The lines of the whole item.
    pub item: (u32, u32),
    /// The first line of its documentation.
    pub doc: Option<String>,
    /// The name that it is about.
    pub name: String,
    /// The kind of the symbol with this name.
    pub symbol: SymbolKind,
    /// The reason that it is shown.
    pub reason: String,
    /// How certain it is that the name means this.
    pub rating: Rating,
    /// How closely it belongs to the change: a greater weight comes earlier among its kind.
    pub weight: u32,
    /// How the change leads to it.
    pub turn: PieceTurn,
}

/// How a change leads to a piece, the most direct way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceTurn {
    /// Added lines name it, or it encloses, uses or was what changed.
    Changed,
    /// Only lines that the diff shows beside the added ones name it, or lines that went.
    Shown,
    /// Nothing names it: it is beside the changed code.
    Beside,
    /// Only the rest of the changed function names it.
    Around,
    /// The name has a likelier definition that comes before.
    Further,
}

impl PieceTurn {
    /// Returns the turn of the definitions of a name; the likeliest has place 0.
    fn of_definition(used: &Use, place: usize) -> Self {
        match used.nearness {
            _ if place > 0 => Self::Further,
            Nearness::Added => Self::Changed,
            Nearness::Shown => Self::Shown,
            Nearness::Around => Self::Around,
        }
    }
}

/// A name of an added line that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameGap {
    /// The name.
    pub name: String,
    /// The place that uses it.
    pub used_at: String,
    /// The reason that it is not shown.
    pub why: String,
    /// Where it may be defined: file, lines, and what these contain.
    pub near: Vec<(String, (u32, u32), String)>,
    /// Its weight in the change.
    pub weight: u32,
}

/// The context of one changed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChain {
    /// The pieces, in the order of the chain.
    pub pieces: Vec<ContextPiece>,
    /// The names that could not be shown.
    pub gaps: Vec<NameGap>,
    /// The names that the file's added lines use, and those that it changes: files that share them
    /// belong together.
    pub uses: BTreeSet<String>,
    /// The names that change in it.
    pub changes: BTreeSet<String>,
    /// The names whose definition is gone, and that the reviewed side defines nowhere.
    pub gone: BTreeSet<String>,
    /// The changed files that it imports, by their places in the diff.
    pub brings_in: BTreeSet<usize>,
}

/// The chain of a diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// By the place of the file in the diff; files of no known language have none.
    pub files: BTreeMap<usize, FileChain>,
    /// Limits that were reached: the name, its value, what was left out.
    pub bounds: Vec<(&'static str, u64, String)>,
    /// Files of the reviewed side that could not be read.
    pub unread: usize,
}

/// The input of the chain.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'g> {
    /// The change.
    pub diff: &'g Diff,
    /// The files of the reviewed side.
    pub tree: &'g Tree,
    /// The bytes of the changed files at the reviewed side, by path.
    pub heads: &'g BTreeMap<String, Content>,
    /// The same at the base.
    pub bases: &'g BTreeMap<String, Content>,
    /// The files to read, by their places in the diff.
    pub files: &'g BTreeSet<usize>,
}

/// Finds the context that a diff needs to be understood.
///
/// # Errors
/// [`GitError`] if the reviewed side cannot be read: that does not mean that names are missing.
pub fn resolve(ground: &Ground<'_>, limits: &ResolveLimits) -> Result<Chain, GitError> {
    let seen = look_at_all(ground, Wants::All, limits.threads_max);
    resolved(ground, seen, limits, CommonNames::Left)
}

/// Finds only the users of definitions whose head changed.
///
/// # Errors
/// As [`resolve`].
pub fn users_of_heads(ground: &Ground<'_>, limits: &ResolveLimits) -> Result<Chain, GitError> {
    let mut seen = look_at_all(ground, Wants::Changes, limits.threads_max);
    for one in &mut seen {
        one.changed.retain(|changed| changed.is_head);
    }
    // Without names that standard libraries have too, stale calls were found in 10 instead of 26 of
    // 30 layouts.
    resolved(ground, seen, limits, CommonNames::Sought)
}

fn resolved(
    ground: &Ground<'_>,
    seen: Vec<SeenFile>,
    limits: &ResolveLimits,
    common: CommonNames,
) -> Result<Chain, GitError> {
    if seen.is_empty() {
        return Ok(Chain::default());
    }
    let known = resolve::known(ground.tree, &seen, limits, common)?;
    // Lines that the diff shows are not repeated as context.
    let visible: BTreeMap<&str, &BTreeSet<u32>> = seen
        .iter()
        .map(|seen| (seen.path.as_str(), &seen.visible))
        .collect();
    // A rule has to see the calls that the diff shows, too.
    let is_hidden_once_shown = common == CommonNames::Left;
    let is_visible = |path: &str, line: u32| {
        is_hidden_once_shown && visible.get(path).is_some_and(|lines| lines.contains(&line))
    };
    let users_max = match common {
        CommonNames::Left => USERS_MAX,
        CommonNames::Sought => COUNTED_USERS_MAX,
    };
    let place = |seen: &SeenFile| Some((seen.file, ground.tree.place(&seen.path)?));
    // Which changed files belong together matters only for dividing them into calls of a model.
    let changed: Vec<(usize, u32)> = match common {
        CommonNames::Left => seen.iter().filter_map(place).collect(),
        CommonNames::Sought => Vec::new(),
    };
    let chain = |(): &mut (), one: &SeenFile| {
        (
            one.file,
            chain_of(one, &changed, &known, (&is_visible, users_max)),
        )
    };
    let files = threads::each(&seen, threads::count(limits.threads_max), || (), chain)
        .into_iter()
        .collect();
    let cut = [
        (
            "names_max",
            limits.names_max,
            known.names_cut,
            "names of added lines were not looked for",
        ),
        (
            "files_parsed_max",
            limits.files_parsed_max,
            known.files_cut,
            "files were not parsed for definitions",
        ),
    ];
    let reached = cut.into_iter().filter(|(_, _, count, _)| *count > 0);
    let bounds = reached
        .map(|(name, value, count, what)| (name, value as u64, format!("{count} {what}")))
        .collect();
    Ok(Chain {
        files,
        bounds,
        unread: known.unread,
    })
}

/// Parses the changed files, in parallel; the result is in their order.
fn look_at_all(ground: &Ground<'_>, wants: Wants, threads_max: usize) -> Vec<SeenFile> {
    let files: Vec<(usize, &ChangedFile)> = ground
        .diff
        .files
        .iter()
        .enumerate()
        .filter(|(index, _)| ground.files.contains(index))
        .collect();
    let look = |parser: &mut Parser, (index, file): &(usize, &ChangedFile)| {
        look_at(ground, (*index, file), wants, parser)
    };
    threads::each(&files, threads::count(threads_max), Parser::default, look)
        .into_iter()
        .flatten()
        .collect()
}

fn look_at(
    ground: &Ground<'_>,
    (index, file): (usize, &ChangedFile),
    wants: Wants,
    parser: &Parser,
) -> Option<SeenFile> {
    let new = ground.heads.get(&file.path).and_then(Content::bytes)?;
    let old = ground.bases.get(&file.path).and_then(Content::bytes);
    seen::look(
        &FileSides {
            file,
            index,
            new,
            old,
        },
        wants,
        parser,
    )
}

/// Reports whether the diff itself shows a line of a file.
type Visible<'v> = &'v dyn Fn(&str, u32) -> bool;

fn chain_of(
    seen: &SeenFile,
    changed: &[(usize, u32)],
    known: &ChangeNames,
    (is_visible, users_max): (Visible<'_>, usize),
) -> FileChain {
    let mut chain = FileChain {
        uses: seen
            .uses
            .iter()
            .filter(|used| used.nearness == Nearness::Added)
            .map(|used| used.name.clone())
            .collect(),
        changes: seen
            .changed
            .iter()
            .map(|changed| changed.name.clone())
            .collect(),
        // Only a name that no file defines any more is gone; a definition that moved to another
        // file is not.
        gone: seen
            .changed
            .iter()
            .filter(|changed| changed.line.is_none() && changed.is_head)
            .map(|changed| &changed.name)
            .filter(|name| known.has_none(&(seen.family, (*name).clone())))
            .cloned()
            .collect(),
        brings_in: changed
            .iter()
            .filter(|(file, place)| *file != seen.file && known.near.brings_in(seen, *place))
            .map(|(file, _)| *file)
            .collect(),
        ..FileChain::default()
    };
    chain.pieces.extend(around(seen));
    chain.pieces.extend(beside(seen));
    for used in &seen.uses {
        use_of(seen, used, known, is_visible, &mut chain);
    }
    for changed in &seen.changed {
        users(
            seen,
            changed,
            known,
            (is_visible, users_max),
            &mut chain.pieces,
        );
        chain.pieces.extend(old_form(seen, changed));
    }
    in_order(&mut chain.pieces);
    chain
}

/// Returns the heads around the hunks that the diff does not show.
fn around(seen: &SeenFile) -> Vec<ContextPiece> {
    let mut times: BTreeMap<(u32, u32), (u32, u32, &ChainDefinition)> = BTreeMap::new();
    for line in &seen.added {
        for definition in seen::around(&seen.definitions, *line) {
            // A definition whose name is on this line is shown by the diff itself.
            if definition.line != *line {
                let entry = times
                    .entry((definition.item.0, definition.item.1))
                    .or_insert((0, *line, definition));
                entry.0 += 1;
            }
        }
    }
    let hidden = times
        .into_values()
        .filter(|(_, _, definition)| !seen.visible.contains(&definition.line));
    hidden
        .map(|(times, line, definition)| {
            piece(
                ContextKind::Around,
                &seen.path,
                definition,
                format!("around line {line}"),
                Rating::Strong,
                times,
            )
        })
        .collect()
}

/// Sorts pieces by kind and weight, and removes duplicates.
fn in_order(pieces: &mut Vec<ContextPiece>) {
    let key = |piece: &ContextPiece| (piece.kind, std::cmp::Reverse(piece.weight));
    pieces.sort_by(|one, other| {
        let places = (&one.path, one.lines).cmp(&(&other.path, other.lines));
        key(one).cmp(&key(other)).then(places)
    });
    pieces.dedup_by(|later, kept| {
        let is_same =
            later.path == kept.path && later.lines == kept.lines && later.kind == kept.kind;
        if is_same {
            // A change can lead to the same piece in several ways, and the most direct one counts.
            kept.turn = kept.turn.min(later.turn);
        }
        is_same
    });
}

/// Returns the distance in lines to the nearest added line.
fn distance(seen: &SeenFile, line: u32) -> u32 {
    let before = seen
        .added
        .range(..=line)
        .next_back()
        .map(|added| line - added);
    let after = seen.added.range(line..).next().map(|added| added - line);
    before.into_iter().chain(after).min().unwrap_or(u32::MAX)
}

/// Returns the heads beside the changed ones, which the same item encloses, the nearest first.
fn beside(seen: &SeenFile) -> Vec<ContextPiece> {
    let is_touched = |definition: &ChainDefinition| {
        seen.added
            .range(definition.item.0..=definition.item.1)
            .next()
            .is_some()
    };
    let enclosing: BTreeSet<&[String]> = seen
        .definitions
        .iter()
        .filter(|one| is_touched(one))
        .map(|one| one.containers.as_slice())
        .collect();
    let is_beside = |one: &&ChainDefinition| {
        kind_weight(one.kind) > 2
            && !is_touched(one)
            && !seen.visible.contains(&one.line)
            && enclosing.contains(one.containers.as_slice())
    };
    let mut beside: Vec<&ChainDefinition> = seen.definitions.iter().filter(is_beside).collect();
    beside.sort_by_key(|one| {
        (
            // Functions and types come before constants and fields, however near those are.
            std::cmp::Reverse(kind_weight(one.kind) > 7),
            distance(seen, one.line),
            one.line,
        )
    });
    let pieces = beside
        .into_iter()
        .take(BESIDE_MAX)
        .enumerate()
        .map(|(place, one)| {
            let reason = match one.containers.last() {
                Some(container) => format!("{}, in `{container}`", pack::BESIDE),
                None => pack::BESIDE.to_owned(),
            };
            let weight = u32::try_from(BESIDE_MAX - place).unwrap_or(0);
            ContextPiece {
                turn: PieceTurn::Beside,
                ..piece(
                    ContextKind::SameFile,
                    &seen.path,
                    one,
                    reason,
                    Rating::Moderate,
                    weight,
                )
            }
        });
    pieces.collect()
}

fn piece(
    kind: ContextKind,
    path: &str,
    definition: &ChainDefinition,
    reason: String,
    rating: Rating,
    weight: u32,
) -> ContextPiece {
    ContextPiece {
        kind,
        path: path.to_owned(),
        lines: definition.head,
        text: definition.text.clone(),
        body: definition
            .body
            .clone()
            .map(|body| (definition.item.1, body)),
        item: definition.item,
        doc: definition.doc.clone(),
        name: definition.name.clone(),
        symbol: definition.kind,
        reason,
        rating,
        weight,
        turn: PieceTurn::Changed,
    }
}

/// Adds the definitions of one used name to the chain, or the gap if they cannot be shown.
fn use_of(
    seen: &SeenFile,
    used: &Use,
    known: &ChangeNames,
    is_visible: Visible<'_>,
    chain: &mut FileChain,
) {
    let used_at = format!("{}:{}", seen.path, used.line);
    let weight = weight_of(used);
    match choose(seen, used, known, is_visible) {
        // The diff shows the definition.
        Choice::Visible => {}
        Choice::Sites(sites) => {
            for (place, (site, rating)) in sites.into_iter().enumerate() {
                let kind = if site.path == seen.path {
                    ContextKind::SameFile
                } else {
                    ContextKind::OtherFile
                };
                let weight = weight * kind_weight(site.definition.kind)
                    / (1 + u32::try_from(place).unwrap_or(1));
                let weight = if rating == Rating::Strong {
                    weight
                } else {
                    weight * 2 / 3
                };
                let reason = format!("{}{used_at}", pack::USED_AT);
                let definition = piece(kind, &site.path, &site.definition, reason, rating, weight);
                chain.pieces.push(ContextPiece {
                    turn: PieceTurn::of_definition(used, place),
                    ..definition
                });
            }
        }
        // Only a name of an added line is reported as a gap, and only if the repository defines it
        // or it was not searched. A name that the repository defines nowhere belongs to a library,
        // and a model would read a list of those as what is missing.
        Choice::Unclear(_, near, is_absent)
            if used.nearness != Nearness::Added
                || is_absent && near.is_empty()
                || seen.imports.iter().any(|import| import.names(&used.name)) => {}
        Choice::Unclear(why, near, _) => {
            let near = near
                .into_iter()
                .map(|site| {
                    (
                        site.path.clone(),
                        site.definition.item,
                        format!("a definition of `{}`", used.name),
                    )
                })
                .collect();
            chain.gaps.push(NameGap {
                name: used.name.clone(),
                used_at,
                why,
                near,
                weight,
            });
        }
    }
}

/// Returns the weight of a use: calls before mentions, frequent names before rare ones.
fn weight_of(used: &Use) -> u32 {
    let base = if used.is_called { 12 } else { 8 };
    let weight = (base + used.times.min(seen::TIMES_MAX) * 2) * 10;
    match used.nearness {
        Nearness::Added => weight,
        Nearness::Shown => weight / 4,
        Nearness::Around => weight / 10,
    }
}

/// Returns the weight of a kind of symbol: how much can be wrong in its use.
const fn kind_weight(kind: SymbolKind) -> u32 {
    use SymbolKind as K;
    match kind {
        K::Function | K::Method | K::Constructor | K::Macro => 10,
        K::Class
        | K::Struct
        | K::Union
        | K::Enum
        | K::Interface
        | K::Trait
        | K::Object
        | K::TypeAlias => 8,
        K::Constant | K::Event | K::Table | K::Target => 7,
        K::Variant | K::Field | K::Property | K::Variable => 5,
        K::Module | K::Namespace | K::Parameter | K::TypeParameter | K::Label => 2,
    }
}

/// Adds callers of a changed head, implementors of a changed type, and tests of what changed.
fn users(
    seen: &SeenFile,
    changed: &Changed,
    known: &ChangeNames,
    (is_visible, users_max): (Visible<'_>, usize),
    pieces: &mut Vec<ContextPiece>,
) {
    let Some(sites) = known.uses.get(&(seen.family, changed.name.clone())) else {
        return;
    };
    let definitions = known
        .sites
        .get(&(seen.family, changed.name.clone()))
        .map_or(0, Vec::len);
    // With many definitions of the same name, only a use near the changed file can be trusted to
    // mean it.
    let is_known_by_name = definitions <= choose::DEFINITIONS_MAX;
    let hidden = || {
        sites
            .iter()
            .filter(|site| !is_visible(&site.path, site.line))
    };
    let is_near = |site: &&UseSite| is_known_by_name || known.near.has(seen, site.file);
    let is_type = matches!(
        changed.kind,
        SymbolKind::Interface | SymbolKind::Trait | SymbolKind::Class
    );
    // If only the inside changed, every call still fits.
    if changed.is_head {
        let callers = hidden()
            .filter(|site| !site.inherits && !resolve::is_test(&site.path))
            .filter(is_near);
        pieces.extend(
            callers
                .take(users_max)
                .map(|site| user(ContextKind::Caller, site, changed, "calls", seen)),
        );
    }
    // A new method of an interface is in its body and not in its head, but its implementors need it
    // all the same.
    if is_type {
        let implementors = hidden().filter(|site| site.inherits).filter(is_near);
        pieces.extend(
            implementors
                .take(users_max)
                .map(|site| user(ContextKind::Implementor, site, changed, "implements", seen)),
        );
    }
    let tests = hidden()
        .filter(|site| !site.inherits && (resolve::is_test(&site.path) || site.test.is_some()))
        .filter(is_near);
    pieces.extend(
        tests
            .take(TESTS_MAX)
            .map(|site| user(ContextKind::Test, site, changed, "tests", seen)),
    );
}

fn user(
    kind: ContextKind,
    site: &UseSite,
    changed: &Changed,
    verb: &str,
    seen: &SeenFile,
) -> ContextPiece {
    let within = match (&site.test, &site.around) {
        (Some(test), _) => format!(" in the test `{test}`"),
        (None, Some((line, head))) => format!(
            " in `{}` (line {line})",
            head.lines().next().unwrap_or_default().trim()
        ),
        (None, None) => String::new(),
    };
    let changed_at = changed.line.map_or_else(
        || format!("{}, where it is gone", seen.path),
        |line| format!("{}:{line}", seen.path),
    );
    ContextPiece {
        kind,
        path: site.path.clone(),
        lines: (site.line, site.line),
        text: site.text.clone(),
        body: None,
        item: (site.line, site.line),
        doc: None,
        name: changed.name.clone(),
        symbol: changed.kind,
        reason: format!("{verb} `{}` of {changed_at}{within}", changed.name),
        rating: Rating::Moderate,
        weight: if changed.is_head { 20 } else { 8 },
        turn: PieceTurn::Changed,
    }
}

/// Returns the old form of a changed head, if the diff does not show all of it.
fn old_form(seen: &SeenFile, changed: &Changed) -> Option<ContextPiece> {
    let old = changed.old.as_ref().filter(|_| changed.is_head)?;
    // A changed head of one line is a removed line of the diff, which shows all of it.
    let is_whole = old.head.0 == old.head.1;
    let at = changed.line.map_or_else(
        || "gone now".to_owned(),
        |line| format!("now at {}:{line}", seen.path),
    );
    (!is_whole).then(|| {
        piece(
            ContextKind::OldForm,
            &seen.path,
            old,
            format!("the head at the base, {at}"),
            Rating::Strong,
            10,
        )
    })
}
