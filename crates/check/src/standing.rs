//! Claims that stand from an earlier run, which saw them hold, with the files that showed them.
//!
//! A claim stands if its document and every file that was read to decide it have not changed. A
//! claim that rests on more than files, as "is never called" does, and one that was contradicted,
//! is always decided again. One that was not found or not decided stands while the commit is the
//! same and nothing differs from it.

use std::collections::{BTreeMap, BTreeSet};

use grounds_repo::checkout::Checkout;
use grounds_repo::text;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::check::{CheckOptions, CheckRun, Checked};
use crate::claim::{TextClaim, ThingKind};
use crate::document::CheckedDocument;
use crate::project;
use crate::verdict::{ClaimVerdict, Evidence};

/// Most files that may show one claim; a claim that took more is decided again.
const FILES_MAX: usize = 64;
/// Largest file, in bytes, that may show a claim; what a larger one shows is decided again.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// The verdicts of earlier runs, by document.
pub type StandingClaims = BTreeMap<String, Stood>;

/// The verdicts on one document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stood {
    /// The hash of the document, the program, its options and the names of the project.
    pub digest: String,
    /// When it was seen, as the caller says it: a date, a commit.
    pub seen: String,
    /// The commit of the tree, or `None` if the tree differed from it.
    pub commit: Option<String>,
    /// The claims that held, were not found or not decided.
    pub claims: Vec<Stands>,
    /// Claims that held before and do not now, with when each was last seen to hold.
    pub broken: BTreeMap<String, String>,
}

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stands {
    /// Its number among the claims of the document.
    pub number: usize,
    /// Its content.
    pub written: String,
    /// The verdict on it.
    pub verdict: ClaimVerdict,
    /// The files that were read to decide it, each with its hash. Without any, more than files
    /// decides it.
    pub files: BTreeMap<String, String>,
}

/// Sets the verdicts of the claims that stand.
pub(crate) fn settle(
    claims: &mut [crate::check::FoundClaim],
    documents: &[CheckedDocument],
    checkout: &Checkout,
    own: &BTreeSet<String>,
    options: &CheckOptions,
) {
    if options.standing.is_empty() {
        return;
    }
    let mut hashes = Hashes::of(checkout);
    let now = commit(checkout);
    let stood: Vec<Option<&Stood>> = documents
        .iter()
        .map(|document| {
            let stood = options.standing.get(&document.name)?;
            (stood.digest == digest(document, own, options)).then_some(stood)
        })
        .collect();
    let mut numbers = vec![0; documents.len()];
    for (document, claim, settled) in claims {
        // Claims are counted before any is skipped, so that a number means the same claim at each
        // run.
        let number = numbers[*document];
        numbers[*document] += 1;
        if settled.is_some() {
            continue;
        }
        let Some(stood) = stood[*document] else {
            continue;
        };
        let is_same_tree = now.is_some() && stood.commit == now;
        let one = stood.find(number, claim).filter(|one| match one.verdict {
            // Only a file that showed it can make a claim false, but any file may define what was
            // missing.
            ClaimVerdict::Holds(_) => hashes.are_same(&one.files),
            _ => is_same_tree,
        });
        *settled = one.map(|one| one.verdict.clone());
    }
}

impl Stood {
    fn find(&self, number: usize, claim: &TextClaim) -> Option<&Stands> {
        let at = self.claims.binary_search_by_key(&number, |one| one.number);
        let one = self.claims.get(at.ok()?)?;
        (one.written == written(claim)).then_some(one)
    }

    /// Returns when a claim was last seen to hold, wherever in the document, or `None` if it never
    /// was.
    pub(crate) fn seen_to_hold(&self, claim: &TextClaim) -> Option<&String> {
        let written = written(claim);
        let holds = |one: &Stands| matches!(one.verdict, ClaimVerdict::Holds(_));
        let mut claims = self.claims.iter();
        let held = claims.any(|one| holds(one) && one.written == written);
        held.then_some(&self.seen)
            .or_else(|| self.broken.get(&written))
    }
}

/// Returns what holds now, for the next run.
pub fn of(
    documents: &[CheckedDocument],
    report: &CheckRun,
    checkout: &Checkout,
    options: &CheckOptions,
    seen: &str,
) -> StandingClaims {
    let own = project::names(checkout);
    let mut hashes = Hashes::of(checkout);
    let now = commit(checkout);
    let mut all: Vec<Stood> = documents
        .iter()
        .map(|document| Stood {
            digest: digest(document, &own, options),
            seen: seen.to_owned(),
            commit: now.clone(),
            claims: Vec::new(),
            broken: BTreeMap::new(),
        })
        .collect();
    let mut numbers = vec![0; documents.len()];
    for checked in &report.checked {
        let number = numbers[checked.document];
        numbers[checked.document] += 1;
        if let Some(seen) = &checked.held {
            let written = written(&checked.claim);
            all[checked.document].broken.insert(written, seen.clone());
        }
        // A later run reads more of the history, and may find there what this one did not.
        let may_be_found = report.history_gap.is_some();
        if may_be_found && !matches!(checked.verdict, ClaimVerdict::Holds(_)) {
            continue;
        }
        let before = options.standing.get(&documents[checked.document].name);
        let before = before.and_then(|stood| stood.find(number, &checked.claim));
        all[checked.document]
            .claims
            .extend(stands(checked, number, before, &mut hashes));
    }
    let names = documents.iter().map(|document| document.name.clone());
    names.zip(all).collect()
}

/// Returns a claim for the next run, or `None` if it is always decided again.
fn stands(
    checked: &Checked,
    number: usize,
    before: Option<&Stands>,
    hashes: &mut Hashes<'_>,
) -> Option<Stands> {
    if checked.verdict.accuses() || matches!(checked.verdict, ClaimVerdict::NoClaim(_)) {
        return None;
    }
    let files = match before.filter(|_| checked.stands) {
        // A claim that stands was not decided by this run, which so knows no files of it.
        Some(one) => one.files.clone(),
        None => files_of(checked, hashes).unwrap_or_default(),
    };
    Some(Stands {
        number,
        written: written(&checked.claim),
        verdict: checked.verdict.clone(),
        files,
    })
}

/// Returns the files on which a claim rests, or `None` if it rests on more than files, or on too
/// many.
fn files_of(checked: &Checked, hashes: &mut Hashes<'_>) -> Option<BTreeMap<String, String>> {
    let ClaimVerdict::Holds(Evidence::Place { path, .. }) = &checked.verdict else {
        return None;
    };
    let statement = checked.claim.statement.as_ref();
    let rests = statement.is_none_or(|statement| statement.rests_on_files());
    let files: BTreeSet<&String> = checked.files.iter().chain([path]).collect();
    if !rests || files.len() > FILES_MAX {
        return None;
    }
    let hash = |path: &String| Some((path.clone(), hashes.hash(path)?));
    files.into_iter().map(hash).collect()
}

/// Returns the commit of a tree that does not differ from it.
fn commit(checkout: &Checkout) -> Option<String> {
    let state = checkout.tree_state();
    // A sparse tree lacks files of its commit, so the same commit is not the same tree.
    let is_whole = state.dirty == Some(false) && !state.sparse;
    state.commit.filter(|_| is_whole)
}

/// Returns what a claim says, whatever its place.
fn written(claim: &TextClaim) -> String {
    let owners = claim.owners.join(".");
    let detail = claim.detail.as_deref().unwrap_or_default();
    let kind = claim.kind.as_str();
    match claim.kind {
        ThingKind::Statement => format!("{kind} {}", claim.name),
        _ => format!("{kind} {owners} {} {detail}", claim.name),
    }
}

/// Returns the hash of all inputs to the verdicts of a document that are not files of the tree.
fn digest(document: &CheckedDocument, own: &BTreeSet<String>, options: &CheckOptions) -> String {
    let mut hash = Sha256::new();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let read = format!("{} {}", options.reads_history, options.reads_comments);
    let parts = [
        env!("CARGO_PKG_VERSION"),
        &read,
        &own.join("\n"),
        &document.name,
        &document.text,
    ];
    for part in parts {
        // With the length first, the border between two parts is part of the hash.
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// The hashes of files of a checkout, each read once.
struct Hashes<'c> {
    checkout: &'c Checkout,
    known: BTreeMap<String, Option<String>>,
}

impl<'c> Hashes<'c> {
    const fn of(checkout: &'c Checkout) -> Self {
        Self {
            checkout,
            known: BTreeMap::new(),
        }
    }

    /// Reports whether there are files and all of them have their hashes.
    fn are_same(&mut self, files: &BTreeMap<String, String>) -> bool {
        let mut is_same = |(path, hash): (&String, &String)| self.hash(path).as_ref() == Some(hash);
        !files.is_empty() && files.iter().all(&mut is_same)
    }

    /// Returns the hash of a file, `folder` for a folder, or `None` if the file cannot be read as a
    /// whole.
    fn hash(&mut self, path: &str) -> Option<String> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let place = self.checkout.root().join(path);
        let found = match place.is_dir() {
            true => Some("folder".to_owned()),
            false => text::read_whole(&place, FILE_BYTES_MAX)
                .ok()
                .map(|bytes| hex(&Sha256::digest(bytes))),
        };
        self.known.insert(path.to_owned(), found.clone());
        found
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
