//! One run: documents → claims → facts → verdicts.

use std::collections::BTreeSet;

use grounds_repo::checkout::Checkout;
use grounds_repo::history::HistoryReading;
use grounds_repo::limits::Limits;
use grounds_repo::scope::SearchScope;

use crate::base::{Base, BaseError};
use crate::change::{self, TreeChange};
use crate::claim::{TextClaim, ThingKind};
use crate::code::Code;
use crate::comments;
use crate::company;
use crate::decide;
use crate::document::{CheckedDocument, DocumentFormat, TEXT_BYTES_MAX};
use crate::extract::{self, Extract};
use crate::facts::Facts;
use crate::foreign::Foreign;
use crate::kinds;
use crate::lookup::{self, WantedNames};
use crate::project;
use crate::site;
use crate::standing::{self, StandingClaims};
use crate::statement::{self, Statement};
use crate::suppress;
use crate::verdict::ClaimVerdict;

/// Claims of one run that are decided; the rest is counted and reported.
pub const CLAIMS_MAX: usize = 200_000;

/// The options of a run: all that it may do beyond reading the tree.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Whether the history is asked for what the tree does not have.
    pub reads_history: bool,
    /// How much of the history is read, and where an index of it is kept.
    pub history: HistoryReading,
    /// A revision: a claim that was not true there is not reported as false now.
    pub base: Option<String>,
    /// Whether files of code are read for their comments and doc strings.
    pub reads_comments: bool,
    /// Claims that held in an earlier run. Each is decided again only if a file that showed it
    /// changed.
    pub standing: StandingClaims,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            reads_history: true,
            history: HistoryReading::default(),
            base: None,
            reads_comments: false,
            standing: StandingClaims::default(),
        }
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Its document, by number.
    pub document: usize,
    /// The claim.
    pub claim: TextClaim,
    /// The verdict on it.
    pub verdict: ClaimVerdict,
    /// The files that were asked for to decide it.
    pub files: BTreeSet<String>,
    /// Whether it accuses as a note, which fails no run.
    pub is_note: bool,
    /// Whether the verdict is that of an earlier run.
    pub stands: bool,
    /// When an earlier run last saw it hold; `None` if none did, or if it holds.
    pub held: Option<String>,
}

/// The result of a run.
#[derive(Debug)]
pub struct CheckRun {
    /// Every claim, in the order of the documents and their texts.
    pub checked: Vec<Checked>,
    /// What was read of the tree.
    pub scope: SearchScope,
    /// Why the history could not be read to its end, or `None` if it was or was not needed.
    pub history_gap: Option<String>,
    /// Why no index of the history is kept, or `None` if one is, or if none was wanted.
    pub history_unkept: Option<String>,
    /// Claims beyond [`CLAIMS_MAX`], which were not decided.
    pub claims_left: usize,
    /// The numbers of documents that have more mentions, sentences or comments than are looked at.
    pub cut: Vec<usize>,
    /// Claims that do not hold and that a comment in the text silences with a reason.
    pub silenced: usize,
}

/// Reports whether fewer than nine of ten accusations of the claim's kind were right, as measured
/// on documents of repositories that nobody had looked at before. The figure does not apply to a
/// text that is not of the tree, or to what held at a base.
fn is_weak(one: &Checked, document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    match one.claim.kind {
        ThingKind::Script => false,
        ThingKind::Statement => {
            let statement = one.claim.statement.as_ref();
            statement.is_some_and(Statement::is_of_version)
        }
        // A target that never was here may be made by a build, or lie elsewhere once the site is
        // built, unless a forge shows the page as it is.
        ThingKind::Link => match &one.verdict {
            ClaimVerdict::Contradicted { .. } => !site::is_shown_by_forge(document),
            _ => site::may_be_found_by_name(&one.claim.name, document, facts),
        },
        // On repositories that nobody had looked at, 47 of 71 accusations of paths were right, none
        // of 12 of lines, and 2 of 18 of flags.
        ThingKind::Path
        | ThingKind::Line
        | ThingKind::Symbol
        | ThingKind::Variable
        | ThingKind::Flag
        | ThingKind::Version => true,
    }
}

/// Numbers of claims by their verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Claims about this tree.
    pub claims: usize,
    /// Claims that hold.
    pub holds: usize,
    /// Claims that are contradicted or gone.
    pub accused: usize,
    /// Those of them that are notes.
    pub notes: usize,
}

impl CheckRun {
    /// Counts the claims by their verdicts.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for checked in &self.checked {
            let verdict = &checked.verdict;
            counts.notes += usize::from(checked.is_note);
            counts.claims += usize::from(!matches!(verdict, ClaimVerdict::NoClaim(_)));
            counts.holds += usize::from(matches!(verdict, ClaimVerdict::Holds(_)));
            counts.accused += usize::from(verdict.accuses());
        }
        counts
    }

    /// Limits that were reached and parts that could not be read, in words.
    pub fn limits(&self, documents: &[CheckedDocument]) -> Vec<String> {
        let cut = documents
            .iter()
            .filter(|document| document.is_cut)
            .map(|document| format!("`{}` was read up to {TEXT_BYTES_MAX} bytes", document.name));
        let named = self.cut.iter().filter_map(|number| documents.get(*number));
        let part = named.map(|document| {
            format!(
                "`{}` has more mentions, sentences or comments than are looked at",
                document.name
            )
        });
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
            // Some files have nothing that could matter, so that skipping them is no limit.
            .filter(|(reason, _)| reason.could_matter())
            .map(|(reason, skipped)| {
                format!(
                    "{} skipped: {} ({})",
                    skipped.count,
                    reason.as_str(),
                    skipped.examples.join(", ")
                )
            });
        let silenced = (self.silenced > 0)
            .then(|| format!("{} silenced by comments in the texts", self.silenced));
        cut.chain(part)
            .chain(left)
            .chain(silenced)
            .chain(history)
            .chain(skipped)
            .collect()
    }
}

/// The number of a document, a claim of it, and its verdict if it is settled without the tree.
pub(crate) type FoundClaim = (usize, TextClaim, Option<ClaimVerdict>);

/// Decides what documents say of a checkout.
///
/// # Errors
/// [`BaseError`] when a base is named and cannot be compared with.
pub fn check(
    documents: &[CheckedDocument],
    checkout: &Checkout,
    limits: &Limits,
    options: &CheckOptions,
) -> Result<CheckRun, BaseError> {
    let own = project::names(checkout);
    let (mut claims, foreign, cut) = claims_of_all(documents, &own, options);
    let claims_left = claims.len().saturating_sub(CLAIMS_MAX);
    claims.truncate(CLAIMS_MAX);
    let compared = options.base.as_deref();
    let compared = compared
        .map(|base| compared_with(base, checkout, limits))
        .transpose()?;
    let change = compared.as_ref().map(|(_, change)| change);
    // What stands from an earlier run needs no facts, so it is settled before the tree is read.
    standing::settle(&mut claims, documents, checkout, &own, options);
    let facts = facts_for(&claims, documents, checkout, limits, options);
    let code = Code::of(&facts, change);
    let statements = claims
        .iter()
        .filter_map(|(_, claim, _)| claim.statement.as_ref());
    let inheriting = statements.filter_map(Statement::inheriting);
    code.look_up_bases(inheriting.map(str::to_owned).collect());
    let decide = |claim: &TextClaim, document: &CheckedDocument| {
        decide::decide(claim, document, &code, &own)
    };
    let decided = |claim: FoundClaim| decided(claim, documents, &foreign, &facts, &decide);
    let mut checked: Vec<Checked> = claims.into_iter().map(decided).collect();
    // Before the base withdraws anything: a page that several documents link to counts with all of
    // its links.
    company::weigh(&mut checked, documents, &facts);
    if let Some((base, change)) = &compared {
        keep_broken(&mut checked, documents, base, change);
    }
    // After the base, so that only accusations that remain count as silenced.
    let silenced = silence(&mut checked, documents);
    for one in &mut checked {
        one.held = held_before(one, documents, options);
        one.is_note = is_note(one, documents, &facts, change);
    }
    Ok(CheckRun {
        checked,
        scope: facts.scope.clone(),
        history_gap: facts.history_gap.clone(),
        history_unkept: facts.history_unkept.clone(),
        claims_left,
        cut,
        silenced,
    })
}

/// Returns the claims of all documents, what each document says about names that are not the
/// project's, and the numbers of the documents that have more than is looked at.
fn claims_of_all(
    documents: &[CheckedDocument],
    own: &BTreeSet<String>,
    options: &CheckOptions,
) -> (Vec<FoundClaim>, Vec<Foreign>, Vec<usize>) {
    let (mut claims, mut foreign, mut cut) = (Vec::new(), Vec::new(), Vec::new());
    for (number, document) in documents.iter().enumerate() {
        let found = claims_of(document, own, options);
        foreign.push(found.foreign);
        cut.extend(found.is_cut.then_some(number));
        let of_document = found.claims.into_iter();
        claims.extend(of_document.map(|(claim, reason)| (number, claim, reason)));
    }
    (claims, foreign, cut)
}

/// Returns the facts that the open claims need. The tree is not read if every claim about it is
/// settled already.
fn facts_for<'c>(
    claims: &[FoundClaim],
    documents: &[CheckedDocument],
    checkout: &'c Checkout,
    limits: &'c Limits,
    options: &CheckOptions,
) -> Facts<'c> {
    let mut wanted = WantedNames::default();
    let open = claims.iter().filter(|(_, _, settled)| settled.is_none());
    for (_, claim, _) in open.clone() {
        lookup::words_of(claim, &mut wanted);
    }
    let is_open = open.count() > 0;
    let mut settled = claims.iter().filter_map(|(_, _, settled)| settled.as_ref());
    let mut facts = match is_open || !settled.any(stands) {
        true => Facts::of(checkout, limits, &wanted.words),
        false => Facts::none(checkout, limits),
    };
    if options.reads_history {
        let missing = lookup::missing(claims, documents, &facts);
        facts.look_back(&missing, documents, &options.history);
    }
    facts
}

fn stands(verdict: &ClaimVerdict) -> bool {
    !matches!(verdict, ClaimVerdict::NoClaim(_))
}

/// Returns a claim with its verdict, and with the files that the verdict rests on.
fn decided(
    (number, claim, settled): FoundClaim,
    documents: &[CheckedDocument],
    foreign: &[Foreign],
    facts: &Facts<'_>,
    decide: &dyn Fn(&TextClaim, &CheckedDocument) -> ClaimVerdict,
) -> Checked {
    let (document, foreign) = (&documents[number], &foreign[number]);
    let stands = settled.as_ref().is_some_and(stands);
    // What was asked for another claim is not among the files of this one.
    facts.take_asked();
    let verdict = settled.unwrap_or_else(|| decide(&claim, document));
    let excuse = || excuse(document, foreign, &claim, &verdict, facts);
    let excuse = verdict.accuses().then(excuse).flatten();
    let verdict = excuse.map_or(verdict, ClaimVerdict::NoClaim);
    Checked {
        document: number,
        claim,
        verdict,
        files: facts.take_asked(),
        is_note: false,
        stands,
        held: None,
    }
}

/// Returns the reason why an accused claim is not about this tree, if the tree or its document
/// gives one.
fn excuse(
    document: &CheckedDocument,
    foreign: &Foreign,
    claim: &TextClaim,
    verdict: &ClaimVerdict,
    facts: &Facts<'_>,
) -> Option<&'static str> {
    let is_older = site::is_of_older_version(document, facts);
    let of_older = is_older.then_some("a manual of an older version");
    let of_copy = site::is_of_copy(document, facts).then_some("a copy of another project");
    of_older
        .or(of_copy)
        .or_else(|| foreign.excuse(claim, verdict))
}

/// Opens a base and reads the change since.
fn compared_with(
    base: &str,
    checkout: &Checkout,
    limits: &Limits,
) -> Result<(Base, TreeChange), BaseError> {
    let base = Base::open(base, checkout, limits)?;
    let change = base.change(checkout)?;
    Ok((base, change))
}

/// Reports whether an accusation is weak, and no change broke what it is about.
fn is_note(
    one: &Checked,
    documents: &[CheckedDocument],
    facts: &Facts<'_>,
    change: Option<&TreeChange>,
) -> bool {
    let document = &documents[one.document];
    let is_broken = |change: &TreeChange| !change.wrote(document, one.claim.start..one.claim.end);
    one.verdict.accuses()
        && facts.is_of_tree(document)
        && is_weak(one, document, facts)
        && !change.is_some_and(is_broken)
}

/// Returns the date at which an earlier run last saw a claim hold, if this run leaves it open or
/// accuses it.
fn held_before(
    one: &Checked,
    documents: &[CheckedDocument],
    options: &CheckOptions,
) -> Option<String> {
    let is_open = !matches!(
        one.verdict,
        ClaimVerdict::Holds(_) | ClaimVerdict::NoClaim(_)
    );
    let stood = options
        .standing
        .get(&documents[one.document].name)
        .filter(|_| is_open)?;
    stood.seen_to_hold(&one.claim).cloned()
}

/// The claims of a document, each with its verdict if it is not about this tree.
pub(crate) struct ClaimsFound {
    pub(crate) claims: Vec<(TextClaim, Option<ClaimVerdict>)>,
    /// What the document says about names that are not the project's.
    pub(crate) foreign: Foreign,
    /// Whether the document has more than is looked at.
    is_cut: bool,
}

/// Returns the claims of one document.
pub(crate) fn claims_of(
    document: &CheckedDocument,
    own: &BTreeSet<String>,
    options: &CheckOptions,
) -> ClaimsFound {
    let may_be_code = options.reads_comments && document.format == DocumentFormat::Plain;
    let of_code = may_be_code.then(|| comments::read(document)).flatten();
    let is_code = of_code.is_some();
    let Extract {
        mentions,
        sentences,
        is_cut,
    } = of_code.unwrap_or_else(|| extract::of(document));
    let foreign = Foreign::of(document, &mentions, own);
    let versions = if is_code {
        Vec::new()
    } else {
        kinds::versions_of(document)
    };
    let of_sentence = |sentence| {
        // "Removed `parse`." in a description is about the change; other sentences state how the
        // tree is.
        let of_change = document.is_description.then(|| change::claims(sentence));
        match of_change.flatten() {
            Some(claim) => vec![claim],
            None => statement::claims(sentence),
        }
    };
    let statements = sentences.iter().flat_map(of_sentence);
    let found = mentions
        .iter()
        .flat_map(kinds::claims)
        .chain(versions)
        .chain(statements);
    let claims = found
        .map(|claim| {
            let reason = foreign.reason(&claim).map(ClaimVerdict::NoClaim);
            (claim, reason)
        })
        .collect();
    ClaimsFound {
        claims,
        foreign,
        is_cut,
    }
}

/// Withdraws accusations of what was not true at the base either, unless the change itself wrote
/// it. What a description names may be what the change removed.
fn keep_broken(
    checked: &mut [Checked],
    documents: &[CheckedDocument],
    base: &Base,
    change: &TreeChange,
) {
    for checked in checked
        .iter_mut()
        .filter(|checked| checked.verdict.accuses())
    {
        let document = &documents[checked.document];
        let is_statement = checked.claim.kind == ThingKind::Statement;
        let held = || base.held(&checked.claim, document, &checked.verdict, change);
        if document.is_description {
            if !is_statement && held() == Some(true) {
                checked.verdict = ClaimVerdict::NoClaim("the change removed it");
            }
        } else if change.wrote(document, checked.claim.start..checked.claim.end) {
            // The change wrote the text itself, so what held at the base is no excuse.
        } else if held() != Some(false) {
            // What git could not tell excuses nothing either.
            base.name_breaker(&mut checked.verdict);
        } else {
            let reason = format!("it did not hold at `{}` either", change.base);
            checked.verdict = ClaimVerdict::Unknown(reason);
        }
    }
}

/// Withdraws accusations that comments in the texts silence, and counts them.
fn silence(checked: &mut [Checked], documents: &[CheckedDocument]) -> usize {
    let mut silenced = 0;
    for checked in checked
        .iter_mut()
        .filter(|checked| checked.verdict.accuses())
    {
        if suppress::silences(&documents[checked.document], &checked.claim) {
            checked.verdict = ClaimVerdict::NoClaim("silenced by a comment in the text");
            silenced += 1;
        }
    }
    silenced
}
