//! Splits a diff into calls: which files go together, with what context, and what no call shows.
//!
//! Files belong together if one imports the other, uses what it changes, or tests it. Groups are
//! filled up with their neighbours to the limit of a call, so that a small file does not cost a
//! call of its own; a file that is larger than a call is split between its hunks. Every changed
//! line is in a call or gets a reason why not.

mod groups;

use std::collections::{BTreeMap, BTreeSet};

use grounds_model::tokens::Tokenizer;
use grounds_repo::git::GitError;

use crate::bundle::{Bundle, BundlePart, Plan};
use crate::chain::{self, Chain, ResolveLimits};
use crate::diff::skip::{self, SkipLimits};
use crate::diff::{Change, ChangedFile, Diff, DiffLimits, Hunk};
use crate::owners::OwnersLimits;
use crate::report::{BoundReached, LineState, SkipReason};
use crate::sides::{ReadSides, Sides};
use crate::threads;
use crate::tree::{Content, Tree};

/// Tokens around a line in a prompt: its number and its mark.
const LINE_TOKENS: u64 = 3;
/// Tokens around a file in a prompt.
const FILE_TOKENS: u64 = 12;

/// The name of the limit on calls.
const BUNDLES_MAX: &str = "bundles_max";

/// The sizes of calls, and the limits of the search for their context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// Tokens of the lines of the diff in one call.
    pub diff_tokens_max: u64,
    /// Tokens of the context in one call.
    pub context_tokens_max: u64,
    /// Calls of one review.
    pub bundles_max: usize,
    /// The sizes past which a file is skipped.
    pub skip: SkipLimits,
    /// The limits of the search for definitions.
    pub resolve: ResolveLimits,
    /// The limits of reading from git.
    pub diff: DiffLimits,
    /// The limits of an owners file.
    pub owners: OwnersLimits,
}

impl Default for PlanLimits {
    fn default() -> Self {
        Self {
            diff_tokens_max: 8_000,
            context_tokens_max: 1_500,
            bundles_max: 40,
            skip: SkipLimits::default(),
            resolve: ResolveLimits::default(),
            diff: DiffLimits::default(),
            owners: OwnersLimits::default(),
        }
    }
}

/// A review before its first call.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The lines that each call shows, and those that none shows.
    pub plan: Plan,
    /// The reasons that no model is asked about a file, by its place in the diff.
    pub skipped: BTreeMap<usize, SkipReason>,
    /// The files of the reviewed side; `None` if the diff came as a file.
    pub tree: Option<Tree>,
    /// The changed files at the reviewed side, by path.
    pub heads: BTreeMap<String, Content>,
    /// The same at the base, by the path at the reviewed side.
    pub bases: BTreeMap<String, Content>,
    /// The context of each changed file, before it was fitted into calls.
    pub chain: Chain,
    /// Bounds that were reached.
    pub bounds: Vec<BoundReached>,
    /// Files of the reviewed side that could not be read. Names in them are not known to be absent.
    pub unread: usize,
}

/// Reads both sides of a change, finds its context and cuts it into calls.
///
/// # Errors
/// [`GitError`] if a side cannot be read.
pub fn prepare(
    change: &Change,
    tokenizer: Tokenizer,
    limits: &PlanLimits,
) -> Result<Prepared, GitError> {
    match Sides::of(change, limits) {
        Some(sides) => prepare_sides(sides, tokenizer, limits),
        None => Ok(prepare_text(change, tokenizer, limits)),
    }
}

/// As [`prepare`], with sides that may have been read already.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_sides(
    sides: Sides<'_>,
    tokenizer: Tokenizer,
    limits: &PlanLimits,
) -> Result<Prepared, GitError> {
    let diff = &sides.change().diff;
    let ReadSides {
        heads,
        bases,
        tree,
        chain,
        skipped,
    } = sides.into_read()?;
    let reached = |(name, value, cut): &(&'static str, u64, String)| BoundReached {
        name,
        value: *value,
        cut: cut.clone(),
    };
    let mut bounds: Vec<BoundReached> = chain.bounds.iter().map(reached).collect();
    let nothing = BTreeSet::new();
    let plan = plan(
        diff,
        &chain,
        (&skipped, &nothing),
        tokenizer,
        limits,
        &mut bounds,
    );
    Ok(Prepared {
        plan,
        skipped,
        tree: Some(tree),
        heads,
        bases,
        unread: chain.unread,
        chain,
        bounds,
    })
}

/// As [`prepare`], for a diff without a repository.
fn prepare_text(change: &Change, tokenizer: Tokenizer, limits: &PlanLimits) -> Prepared {
    let reason = |(index, file)| Some((index, skip::reason(file, None, None, &limits.skip)?));
    let skipped: BTreeMap<usize, SkipReason> = change
        .diff
        .files
        .iter()
        .enumerate()
        .filter_map(reason)
        .collect();
    let (chain, mut bounds) = (Chain::default(), Vec::new());
    let plan = plan(
        &change.diff,
        &chain,
        (&skipped, &BTreeSet::new()),
        tokenizer,
        limits,
        &mut bounds,
    );
    Prepared {
        plan,
        skipped,
        tree: None,
        heads: BTreeMap::new(),
        bases: BTreeMap::new(),
        chain,
        bounds,
        unread: 0,
    }
}

impl Prepared {
    /// Removes files that a model judged before: their lines count as judged by it, and are in no
    /// call.
    pub(crate) fn leave_out(
        &mut self,
        judged: &BTreeSet<usize>,
        diff: &Diff,
        tokenizer: Tokenizer,
        limits: &PlanLimits,
    ) {
        // With fewer files the limit may no longer be reached, and the new plan reports it again if
        // it is.
        self.bounds.retain(|bound| bound.name != BUNDLES_MAX);
        self.plan = plan(
            diff,
            &self.chain,
            (&self.skipped, judged),
            tokenizer,
            limits,
            &mut self.bounds,
        );
    }
}

/// Returns the bundle of a call that is about one file and no other.
pub(crate) fn alone(
    file: usize,
    diff: &Diff,
    chain: &Chain,
    tokenizer: Tokenizer,
    limits: &PlanLimits,
) -> Bundle {
    let parts = whole(file, &diff.files[file]);
    bundle(0, parts, diff, chain, tokenizer, limits)
}

/// Divides a diff into calls, and gives each its context.
fn plan(
    diff: &Diff,
    chain: &Chain,
    (skipped, judged): (&BTreeMap<usize, SkipReason>, &BTreeSet<usize>),
    tokenizer: Tokenizer,
    limits: &PlanLimits,
    bounds: &mut Vec<BoundReached>,
) -> Plan {
    let mut plan = Plan::default();
    let reviewed = |part| (part, LineState::Reviewed);
    for index in judged {
        let parts = whole(*index, &diff.files[*index]).into_iter();
        plan.left_out.extend(parts.map(reviewed));
    }
    for (index, reason) in skipped {
        plan.left_out.extend(
            whole(*index, &diff.files[*index])
                .into_iter()
                .map(|part| (part, LineState::Skipped(*reason))),
        );
    }
    let is_out = |index: &usize| skipped.contains_key(index) || judged.contains(index);
    let shown = (0..diff.files.len())
        .filter(|index| !is_out(index) && !diff.files[*index].hunks.is_empty());
    let threads = threads::count(limits.resolve.threads_max);
    let cut_one = |(): &mut (), index: &usize| {
        cut(
            *index,
            &diff.files[*index],
            tokenizer,
            limits.diff_tokens_max,
        )
    };
    let pieces: Vec<Vec<Load>> = threads::each(&shown.collect::<Vec<_>>(), threads, || (), cut_one);
    let mut calls = groups::group(diff, chain, pieces, limits.diff_tokens_max);
    if calls.len() > limits.bundles_max {
        let cut = split_off_last(&mut calls, chain, limits.bundles_max, bounds);
        let clipped = |part| (part, LineState::Clipped);
        plan.left_out.extend(cut.into_iter().map(clipped));
    }
    plan.left_out
        .sort_by_key(|(part, _)| (part.file, part.hunk, part.lines.start));
    // The id of a call is made from its number, which must not depend on the threads.
    let calls: Vec<(usize, Vec<BundlePart>)> = calls.into_iter().enumerate().collect();
    let bundle_of = |(): &mut (), (place, parts): &(usize, Vec<BundlePart>)| {
        bundle(*place, parts.clone(), diff, chain, tokenizer, limits)
    };
    plan.bundles = threads::each(&calls, threads, || (), bundle_of);
    plan
}

/// Removes the calls past the limit, those of files without context first, and records that the
/// limit was reached.
fn split_off_last(
    calls: &mut Vec<Vec<BundlePart>>,
    chain: &Chain,
    bundles_max: usize,
    bounds: &mut Vec<BoundReached>,
) -> Vec<BundlePart> {
    calls.sort_by_key(|parts| {
        // A file without context has no known language, and is the least worth a call.
        let has_context = |part: &BundlePart| chain.files.contains_key(&part.file);
        (!parts.iter().any(has_context), parts[0].file, parts[0].hunk)
    });
    let cut: Vec<BundlePart> = calls.split_off(bundles_max).into_iter().flatten().collect();
    let lines: usize = cut.iter().map(|part| part.lines.len()).sum();
    bounds.push(BoundReached {
        name: BUNDLES_MAX,
        value: bundles_max as u64,
        cut: format!("{lines} lines of the diff"),
    });
    cut
}

fn bundle(
    place: usize,
    parts: Vec<BundlePart>,
    diff: &Diff,
    chain: &Chain,
    tokenizer: Tokenizer,
    limits: &PlanLimits,
) -> Bundle {
    let files: BTreeSet<usize> = parts.iter().map(|part| part.file).collect();
    let mut numbers: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for part in &parts {
        let file = &diff.files[part.file];
        let lines = file.hunks[part.hunk].lines[part.lines.clone()]
            .iter()
            .filter_map(|line| line.new_number);
        numbers.entry(&file.path).or_default().extend(lines);
    }
    let is_shown = |path: &str, line: u32| {
        numbers
            .get(path)
            .is_some_and(|numbers| numbers.contains(&line))
    };
    let packed = chain::pack(
        chain,
        &files,
        limits.context_tokens_max,
        tokenizer,
        &is_shown,
    );
    Bundle {
        id: format!("b{}", place + 1),
        parts,
        items: packed.items,
        unresolved: packed.unresolved,
        menu: packed.menu,
    }
}

/// Lines of one hunk with the tokens that they take.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Load {
    part: BundlePart,
    tokens: u64,
}

/// Returns all lines of a file.
fn whole(index: usize, file: &ChangedFile) -> Vec<BundlePart> {
    file.hunks
        .iter()
        .enumerate()
        .map(|(hunk, lines)| BundlePart {
            file: index,
            hunk,
            lines: 0..lines.lines.len(),
        })
        .collect()
}

/// Returns the hunks of a file, those that are larger than a call in several pieces.
fn cut(index: usize, file: &ChangedFile, tokenizer: Tokenizer, tokens_max: u64) -> Vec<Load> {
    let room = tokens_max.saturating_sub(FILE_TOKENS).max(1);
    file.hunks
        .iter()
        .enumerate()
        .flat_map(|(place, hunk)| cut_hunk(index, place, hunk, tokenizer, room))
        .collect()
}

fn cut_hunk(file: usize, place: usize, hunk: &Hunk, tokenizer: Tokenizer, room: u64) -> Vec<Load> {
    let mut loads = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (at, line) in hunk.lines.iter().enumerate() {
        let cost = tokenizer.count(&line.text) + LINE_TOKENS;
        // A single line that is larger than a call is in a piece of its own; every piece has at
        // least one line.
        if tokens + cost > room && at > start {
            loads.push(Load {
                part: BundlePart {
                    file,
                    hunk: place,
                    lines: start..at,
                },
                tokens,
            });
            (start, tokens) = (at, 0);
        }
        tokens += cost;
    }
    loads.push(Load {
        part: BundlePart {
            file,
            hunk: place,
            lines: start..hunk.lines.len(),
        },
        tokens,
    });
    loads
}
