//! One run: documents → claims → facts → verdicts.

use grounds_repo::checkout::Checkout;
use grounds_repo::history::Repository;
use grounds_repo::limits::Limits;
use grounds_repo::scope::Scope;

use crate::base::{self, BaseError};
use crate::claim::Claim;
use crate::code::Code;
use crate::decide::{self, Wanted};
use crate::document::{Document, TEXT_BYTES_MAX};
use crate::extract;
use crate::facts::Facts;
use crate::foreign::Foreign;
use crate::kinds;
use crate::project;
use crate::statement;
use crate::verdict::Verdict;

/// Claims of one run that are decided; the rest is counted and reported.
pub const CLAIMS_MAX: usize = 200_000;

/// What a run may do beyond reading the tree.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the history is asked for what the tree does not have.
    pub reads_history: bool,
    /// A revision: what was not true there is not reported as false now.
    pub base: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            reads_history: true,
            base: None,
        }
    }
}

/// A claim with what came of it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Its document, by number.
    pub document: usize,
    /// The claim.
    pub claim: Claim,
    /// What came of it.
    pub verdict: Verdict,
}

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// Every claim, in the order of the documents and their texts.
    pub checked: Vec<Checked>,
    /// What was read of the tree.
    pub scope: Scope,
    /// Why the history could not be read to its end, or `None` if it was or was not needed.
    pub history_gap: Option<String>,
    /// Claims beyond [`CLAIMS_MAX`], which were not decided.
    pub claims_left: usize,
}

/// How many claims came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Claims about this tree.
    pub claims: usize,
    /// Claims that hold.
    pub holds: usize,
    /// Claims that are contradicted or gone.
    pub accused: usize,
}

impl Report {
    /// How many claims came out how.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for verdict in self.checked.iter().map(|checked| &checked.verdict) {
            counts.claims += usize::from(!matches!(verdict, Verdict::NoClaim(_)));
            counts.holds += usize::from(matches!(verdict, Verdict::Holds(_)));
            counts.accused += usize::from(verdict.accuses());
        }
        counts
    }

    /// Limits that were reached and parts that could not be read, in words.
    pub fn limits(&self, documents: &[Document]) -> Vec<String> {
        let cut = documents
            .iter()
            .filter(|document| document.is_cut)
            .map(|document| format!("`{}` was read up to {TEXT_BYTES_MAX} bytes", document.name));
        let left = (self.claims_left > 0).then(|| {
            format!(
                "{} claims beyond {CLAIMS_MAX} were not decided",
                self.claims_left
            )
        });
        let history = self
            .history_gap
            .iter()
            .map(|gap| format!("what was removed could not all be told: {gap}"));
        let skipped = self
            .scope
            .skipped
            .iter()
            .filter(|(reason, _)| reason.could_matter())
            .map(|(reason, skipped)| {
                format!(
                    "{} skipped: {} ({})",
                    skipped.count,
                    reason.as_str(),
                    skipped.examples.join(", ")
                )
            });
        cut.chain(left).chain(history).chain(skipped).collect()
    }
}

/// Decides what documents say of a checkout.
///
/// # Errors
/// [`BaseError`] when a base is named and cannot be compared with.
pub fn check(
    documents: &[Document],
    checkout: &Checkout,
    limits: &Limits,
    options: &Options,
) -> Result<Report, BaseError> {
    let own = project::names(checkout);
    let mut claims: Vec<(usize, Claim, Option<&'static str>)> = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let mentions = extract::mentions(document);
        let foreign = Foreign::of(document, &mentions, &own);
        let versions = kinds::versions_of(document);
        let sentences = extract::sentences(document);
        let statements = sentences.iter().flat_map(statement::claims);
        let found = mentions
            .iter()
            .flat_map(kinds::claims)
            .chain(versions)
            .chain(statements);
        claims.extend(found.map(|claim| {
            let reason = foreign.reason(&claim);
            (number, claim, reason)
        }));
    }
    let claims_left = claims.len().saturating_sub(CLAIMS_MAX);
    claims.truncate(CLAIMS_MAX);
    let mut wanted = Wanted::default();
    for (_, claim, _) in claims.iter().filter(|(_, _, reason)| reason.is_none()) {
        decide::words_of(claim, &mut wanted);
    }
    let mut facts = Facts::of(checkout, limits, &wanted.words);
    if options.reads_history {
        let missing = decide::missing(&claims, documents, &facts);
        facts.look_back(&missing.words, &missing.paths);
    }
    let code = Code::of(&facts);
    let mut checked: Vec<Checked> = claims
        .into_iter()
        .map(|(number, claim, reason)| {
            let verdict = match reason {
                Some(reason) => Verdict::NoClaim(reason),
                None => decide::decide(&claim, &documents[number], &code, &own),
            };
            Checked {
                document: number,
                claim,
                verdict,
            }
        })
        .collect();
    if let Some(base) = &options.base {
        keep_broken(&mut checked, documents, checkout, limits, base)?;
    }
    Ok(Report {
        checked,
        scope: facts.scope.clone(),
        history_gap: facts.history_gap.clone(),
        claims_left,
    })
}

/// Takes back what was not true at a revision either.
fn keep_broken(
    checked: &mut [Checked],
    documents: &[Document],
    checkout: &Checkout,
    limits: &Limits,
    base: &str,
) -> Result<(), BaseError> {
    let failed = |source| BaseError::Git {
        base: base.to_owned(),
        source,
    };
    let top = checkout
        .git_top()
        .ok_or_else(|| BaseError::NoHistory(base.to_owned()))?;
    let repository = Repository::open(top, limits.history_ms_max).map_err(failed)?;
    let commit = base::commit(&repository, base).map_err(failed)?;
    for checked in checked
        .iter_mut()
        .filter(|checked| checked.verdict.accuses())
    {
        let document = &documents[checked.document];
        if !base::held(&repository, &commit, &checked.claim, document) {
            checked.verdict = Verdict::Unknown(format!("it did not hold at `{base}` either"));
        }
    }
    Ok(())
}
