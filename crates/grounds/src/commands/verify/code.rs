//! A claim about code, decided by the repository of `--repo`: "`GlobSet` is defined in
//! `src/lib.rs`". `grounds check` reads such a sentence and decides it over the tree, and its
//! results are the pages and the judgements here; rule and proof are those of every claim. A
//! sentence that says anything else as well is left to the other sources.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use grounds_check::{CheckOptions, CheckedDocument, ClaimVerdict, Evidence, ThingKind, check};
use grounds_repo::beneath::Beneath;
use grounds_repo::checkout::Checkout;
use grounds_verify::judges::{Judge, JudgeError, JudgedPage, Judgement};
use grounds_verify::proof::{self, Proof};
use grounds_verify::rounds::{self, LookupMeans, Verification};
use grounds_verify::spending::Spending;
use grounds_verify::{HitManner, JudgeName, SearchTask, SourceTier, Stance};
use grounds_web::corpus::SCHEME;
use grounds_web::{FOLDER, Fetch, FetchError, Page, SearchError, SearchProvider, SearchResult};

use super::recording::Recorded;
use crate::cli::{AcceptClaim, Global, Verify};
use crate::config::Config;
use crate::error::Error;

/// Bytes of a file that is quoted; a larger one shows nothing here.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The evidence of the tree about a claim.
#[derive(Debug)]
struct Code {
    stance: Stance,
    /// The files with the lines that show it, by their addresses.
    files: BTreeMap<String, CodeFile>,
}

#[derive(Debug)]
struct CodeFile {
    path: String,
    text: String,
    lines: Vec<Range<usize>>,
}

/// Reports whether the person named a repository, and no other source, to decide.
pub(super) const fn is_asked(arguments: &Verify, global: &Global) -> bool {
    global.repo.is_some()
        && arguments.corpus.is_none()
        && arguments.provider.is_none()
        && arguments.model.record.is_none()
        // A recording has queries and pages, which the tree has not.
        && arguments.model.replay.is_none()
}

/// Returns the verdict of the tree; `None` if the claim is no statement about its code, or the tree
/// does not decide it.
pub(super) fn checked(
    plan: &mut Recorded,
    checkout: &Checkout,
    config: &Config,
) -> Result<Option<(Verification, Proof)>, Error> {
    let task = plan.task()?;
    // The tree shows what is true now, and nothing about another time.
    let read = if task.timeframe.is_none() {
        Code::read(&task.claim, checkout, config)?
    } else {
        None
    };
    let Some(code) = read else { return Ok(None) };
    plan.provider = FOLDER.to_owned();
    // The tree is what the claim is about: nobody else has to say so.
    let asks_more = |accept| accept > AcceptClaim::Strong;
    if !config.verify.accept_min.is_some_and(asks_more) {
        plan.accept = AcceptClaim::Strong;
    }
    let means = LookupMeans {
        provider: &code,
        fetch: &code,
        judges: &[&code],
        tier: &|_: &Page| SourceTier::Primary,
        spending: &Spending::default(),
        unread: &[],
    };
    let rules = super::rules(plan);
    let (as_of, limits) = (plan.as_of()?, plan.limits());
    let mut verification = rounds::verify(task, as_of, &means, &limits, &rules, &|_| ())?;
    let proof = proof::write(&mut verification, None);
    Ok(Some((verification, proof)))
}

impl Code {
    fn read(claim: &str, checkout: &Checkout, config: &Config) -> Result<Option<Self>, Error> {
        let documents = [CheckedDocument::new("-", claim)];
        let limits = config.ask.budget().limits;
        let report = check(&documents, checkout, &limits, &CheckOptions::default())?;
        let is_statement = |kind| matches!(kind, ThingKind::Statement);
        let mut said = report
            .checked
            .iter()
            .filter(|checked| is_statement(checked.claim.kind));
        // "`a` calls `b` and `c` returns 5" is two statements, of which one verdict could hold for
        // one only.
        let (Some(one), None) = (said.next(), said.next()) else {
            return Ok(None);
        };
        let statement = one.claim.statement.as_ref();
        // "`f` is defined in a.rs, which is why builds are slow": the tree decides only the first
        // half.
        if !statement.is_some_and(grounds_check::Statement::is_whole_sentence) {
            return Ok(None);
        }
        let (stance, evidence) = match &one.verdict {
            ClaimVerdict::Holds(evidence) => (Stance::Support, std::slice::from_ref(evidence)),
            ClaimVerdict::Contradicted { evidence, .. } => (Stance::Refute, evidence.as_slice()),
            // No place that could be cited as a page shows that something is absent.
            ClaimVerdict::Gone { .. }
            | ClaimVerdict::NotFound
            | ClaimVerdict::Unknown(_)
            | ClaimVerdict::NoClaim(_) => return Ok(None),
        };
        let files = files(evidence, checkout);
        Ok((!files.is_empty()).then_some(Self { stance, files }))
    }
}

/// Returns the files that show something, with the lines that do.
fn files(evidence: &[Evidence], checkout: &Checkout) -> BTreeMap<String, CodeFile> {
    let mut files: BTreeMap<String, CodeFile> = BTreeMap::new();
    for one in evidence {
        // A commit shows what was there, and a file as a whole has no words to quote.
        let Evidence::Place {
            path,
            line: Some(line),
            text: _,
        } = one
        else {
            continue;
        };
        let address = format!("{SCHEME}{path}");
        let file = files
            .entry(address)
            .or_insert_with(|| CodeFile::read(path, checkout));
        file.lines.extend(line_of(&file.text, *line));
    }
    // A file that is too large, is not UTF-8 or has changed meanwhile has no such line.
    files.retain(|_, file| !file.lines.is_empty());
    files
}

impl CodeFile {
    /// Reads a file; one that cannot be read has no text, and shows nothing.
    fn read(path: &str, checkout: &Checkout) -> Self {
        let read = Beneath::open(checkout.root())
            .and_then(|root| root.read(Path::new(path), FILE_BYTES_MAX));
        let text = read.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        Self {
            path: path.to_owned(),
            text: text.unwrap_or_default(),
            lines: Vec::new(),
        }
    }
}

/// Returns the bytes of a line, counted from 1, without the white space around it; `None` for a
/// blank or missing line.
fn line_of(text: &str, line: u32) -> Option<Range<usize>> {
    let number = usize::try_from(line).ok()?.checked_sub(1)?;
    let before: usize = text.split_inclusive('\n').take(number).map(str::len).sum();
    let line = text.get(before..)?.lines().next()?;
    let start = before + (line.len() - line.trim_start().len());
    (!line.trim().is_empty()).then(|| start..start + line.trim().len())
}

impl SearchProvider for Code {
    fn name(&self) -> &'static str {
        FOLDER
    }

    fn search(&self, _query: &str, _results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let result = |(url, file): (&String, &CodeFile)| SearchResult {
            url: url.clone(),
            title: file.path.clone(),
            snippet: String::new(),
            published: None,
        };
        Ok(self.files.iter().map(result).collect())
    }
}

impl Fetch for Code {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let file = self.files.get(url).ok_or_else(|| FetchError::Refused {
            url: url.to_owned(),
            why: "it shows nothing of the claim".to_owned(),
        })?;
        Ok(Page {
            asked: url.to_owned(),
            url: url.to_owned(),
            status: 200,
            title: None,
            text: file.text.clone(),
            canonical: None,
            published: None,
            modified: None,
            language: None,
            byline: None,
            // All files have the same publisher, so that two of them are never two independent
            // families.
            publisher: Some(format!("{SCHEME}.")),
            content_hash: blake3::hash(file.text.as_bytes()).to_hex().to_string(),
            is_cut: false,
        })
    }
}

impl Judge for Code {
    fn name(&self) -> JudgeName {
        JudgeName::Code
    }

    fn judge(
        &self,
        _task: &SearchTask,
        page: &JudgedPage<'_>,
    ) -> Result<Vec<Judgement>, JudgeError> {
        let lines = self.files.get(page.url).map(|file| file.lines.as_slice());
        let judgement = |bytes: &Range<usize>| Judgement {
            stance: self.stance,
            manner: HitManner::Statement,
            bytes: bytes.clone(),
        };
        Ok(lines.unwrap_or_default().iter().map(judgement).collect())
    }
}
