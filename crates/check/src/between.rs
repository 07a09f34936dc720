//! Documents that a change makes false and leaves as they are.
//!
//! From documents, what a change altered, and the files that decide it at both sides, finds the
//! claims that held before the change and do not after it. Both sides are decided as any text is:
//! there is no second reader. Reads no history: what the change removed is what is gone.

use std::collections::{BTreeMap, BTreeSet};

use grounds_repo::checkout::Checkout;
use grounds_repo::history::{GonePath, removed_by};
use grounds_repo::limits::Limits;

use crate::check::{CheckOptions, claims_of};
use crate::claim::{TextClaim, ThingKind};
use crate::code::Code;
use crate::decide::{by_kind, decide, joined};
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::foreign::Foreign;
use crate::lookup::{WantedNames, forms_of_flag, words_of};
use crate::site;
use crate::statement::Statement;
use crate::suppress;
use crate::verdict::{ClaimVerdict, Evidence};

/// The parts of a change that documents may speak of.
#[derive(Clone, Debug, Default)]
pub struct Altered {
    /// Names that have another value now, or that the change removes; the languages whose minimum
    /// version it changes.
    pub words: BTreeSet<String>,
    /// Paths that no longer exist, each with its new path, if it moved.
    pub paths: BTreeMap<String, Option<String>>,
    /// The change as a patch without context, as git prints it.
    pub patch: String,
}

/// Documents with their claims about what a change alters.
pub struct Stated<'d> {
    documents: &'d [CheckedDocument],
    own: BTreeSet<String>,
    claims: Vec<(usize, TextClaim)>,
    foreign: Vec<Foreign>,
}

/// A claim that held before a change and does not after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenClaim {
    /// Its document, by number.
    pub document: usize,
    /// The line of the claim, 1-based.
    pub line: u32,
    /// The altered names or paths that it speaks of.
    pub names: BTreeSet<String>,
    /// The fact that holds instead, in words.
    pub instead: String,
    /// The place that shows it at the reviewed side; `None` if what it speaks of is gone.
    pub shown: Option<(String, u32)>,
    /// Whether a check of the document alone would not report it, or reports it of a name or a
    /// minimum version only.
    pub is_note: bool,
}

/// One side of the change, looked up.
struct LookedUpSide<'f, 'c> {
    code: Code<'f, 'c>,
    own: &'f BTreeSet<String>,
}

impl<'d> Stated<'d> {
    /// Returns the claims of documents about what a change alters. `own` is what the project calls
    /// itself.
    pub fn of(documents: &'d [CheckedDocument], own: BTreeSet<String>, altered: &Altered) -> Self {
        let options = CheckOptions::default();
        let (mut claims, mut foreign) = (Vec::new(), Vec::new());
        for (number, document) in documents.iter().enumerate() {
            let found = claims_of(document, &own, &options);
            foreign.push(found.foreign);
            let about = found.claims.into_iter().filter(|(claim, reason)| {
                reason.is_none() && !names(claim, document, altered).is_empty()
            });
            claims.extend(about.map(|(claim, _)| (number, claim)));
        }
        Self {
            documents,
            own,
            claims,
            foreign,
        }
    }

    /// Reports whether no document speaks of what was altered.
    pub const fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Returns the documents that speak of it, by number.
    pub fn documents(&self) -> BTreeSet<usize> {
        self.claims.iter().map(|(number, _)| *number).collect()
    }

    /// Returns the words that decide the claims: each file that has one is needed at both sides.
    pub fn words(&self) -> BTreeSet<String> {
        let mut wanted = WantedNames::default();
        self.claims
            .iter()
            .for_each(|(_, claim)| words_of(claim, &mut wanted));
        wanted.words
    }

    /// Returns the claims that held at the base and do not at the head.
    pub fn broken(
        &self,
        (base, head): (&Checkout, &Checkout),
        altered: &Altered,
        limits: &Limits,
    ) -> Vec<BrokenClaim> {
        let words = self.words();
        let mut after = Facts::of(head, limits, &words);
        let list: Vec<String> = words.iter().cloned().collect();
        // What the patch removes takes the place of the history, which is not read here.
        after.take_removed(removed_by(&altered.patch, &list), self.gone_paths(altered));
        let before = Facts::of(base, limits, &words);
        let side = |facts| {
            let code = Code::of(facts, None);
            let statements = self
                .claims
                .iter()
                .filter_map(|(_, one)| one.statement.as_ref());
            let inheriting = statements.filter_map(Statement::inheriting);
            code.look_up_bases(inheriting.map(str::to_owned).collect());
            LookedUpSide {
                code,
                own: &self.own,
            }
        };
        let (after, before) = (side(&after), side(&before));
        let each = self.claims.iter();
        each.filter_map(|(number, claim)| self.decide(*number, claim, (&before, &after), altered))
            .collect()
    }

    fn decide(
        &self,
        number: usize,
        claim: &TextClaim,
        (before, after): (&LookedUpSide<'_, '_>, &LookedUpSide<'_, '_>),
        altered: &Altered,
    ) -> Option<BrokenClaim> {
        let document = &self.documents[number];
        let verdict = decide(claim, document, &after.code, after.own);
        // A check of the document alone does not know what the value was before: of a name that is
        // no constant it may be another thing. Here the same reading showed the old value.
        let (verdict, is_seen_alone) = match verdict.accuses() {
            true => (verdict, true),
            false => (by_kind(claim, document, &after.code, after.own), false),
        };
        let by_value = matches!(claim.kind, ThingKind::Statement | ThingKind::Version);
        let is_meant = verdict.accuses() && (is_seen_alone || by_value && verdict.shows_a_line());
        if !is_meant || self.is_excused(number, claim, &verdict, &after.code) {
            return None;
        }
        // The base is decided last: most claims are settled by the head.
        let held = decide(claim, document, &before.code, before.own);
        if !matches!(held, ClaimVerdict::Holds(_)) {
            return None;
        }
        let (instead, shown) = told(claim, &verdict)?;
        // A flag or a path that this change removed from the tree is no guess.
        let is_weak = matches!(
            claim.kind,
            ThingKind::Symbol | ThingKind::Variable | ThingKind::Version
        );
        Some(BrokenClaim {
            document: number,
            line: document.line_of(claim.start),
            names: names(claim, document, altered),
            instead,
            shown,
            is_note: !is_seen_alone || is_weak,
        })
    }

    fn is_excused(
        &self,
        number: usize,
        claim: &TextClaim,
        verdict: &ClaimVerdict,
        code: &Code<'_, '_>,
    ) -> bool {
        let document = &self.documents[number];
        site::is_of_older_version(document, code.facts)
            || site::is_of_copy(document, code.facts)
            || self.foreign[number].excuse(claim, verdict).is_some()
            || suppress::silences(document, claim)
    }

    /// Returns the paths that no longer exist, by the names that the claims use for them.
    fn gone_paths(&self, altered: &Altered) -> BTreeMap<String, GonePath> {
        let mut all = BTreeMap::new();
        for (number, claim) in &self.claims {
            let Some(called) = called(claim, &self.documents[*number]) else {
                continue;
            };
            if let Some((path, moved_to)) = altered.paths.iter().find(|(path, _)| is(path, &called))
            {
                // Only the patch of the change is known, and it may be no commit yet.
                let gone = GonePath {
                    commit: "-".to_owned(),
                    date: "-".to_owned(),
                    path: path.clone(),
                    moved_to: moved_to.clone(),
                    moved_out: false,
                };
                all.insert(called, gone);
            }
        }
        all
    }
}

/// Returns what holds instead of a claim, and the line that shows it, or `None` if there is nothing
/// to report.
fn told(claim: &TextClaim, verdict: &ClaimVerdict) -> Option<(String, Option<(String, u32)>)> {
    match verdict {
        ClaimVerdict::Contradicted {
            instead, evidence, ..
        } => {
            let place = evidence.iter().find_map(|one| match one {
                Evidence::Place {
                    path,
                    line: Some(line),
                    ..
                } => Some((path.clone(), *line)),
                _ => None,
            });
            Some((instead.clone(), place))
        }
        ClaimVerdict::Gone { closest, .. } => {
            let closest = closest
                .as_ref()
                .map(|closest| format!(" (try `{closest}`)"));
            let name = &claim.name;
            Some((
                format!("`{name}` is gone{}", closest.unwrap_or_default()),
                None,
            ))
        }
        ClaimVerdict::Holds(_)
        | ClaimVerdict::NotFound
        | ClaimVerdict::Unknown(_)
        | ClaimVerdict::NoClaim(_) => None,
    }
}

/// Returns the altered names and paths that a claim is about.
fn names(claim: &TextClaim, document: &CheckedDocument, altered: &Altered) -> BTreeSet<String> {
    let is_altered = |word: &String| altered.words.contains(word);
    match claim.kind {
        ThingKind::Symbol | ThingKind::Variable | ThingKind::Script => [claim.name.clone()]
            .into_iter()
            .filter(is_altered)
            .collect(),
        // Code may have the flag without its dashes or with underscores, and any of these may be
        // altered.
        ThingKind::Flag => {
            let forms = forms_of_flag(&claim.name).into_iter();
            forms.filter(is_altered).collect()
        }
        ThingKind::Statement => {
            let words = claim.statement.as_ref().map(Statement::words);
            words.into_iter().flatten().filter(is_altered).collect()
        }
        // The owner of a version is its language, which counts as altered if its minimum changed.
        ThingKind::Version => claim
            .owners
            .iter()
            .filter(|word| is_altered(word))
            .cloned()
            .collect(),
        ThingKind::Link | ThingKind::Path => {
            let called = called(claim, document);
            let paths = altered.paths.keys();
            let is_it = |path: &&String| called.as_ref().is_some_and(|called| is(path, called));
            paths.filter(is_it).cloned().collect()
        }
        ThingKind::Line => BTreeSet::new(),
    }
}

/// Returns the path that a claim names: a link by the tree, any other as it is written.
fn called(claim: &TextClaim, document: &CheckedDocument) -> Option<String> {
    match claim.kind {
        ThingKind::Link => joined(document.folder(), &claim.name),
        ThingKind::Path => Some(claim.name.clone()),
        _ => None,
    }
}

/// Reports whether a path has this name, or ends with it.
fn is(path: &str, called: &str) -> bool {
    let before = path.strip_suffix(called);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
