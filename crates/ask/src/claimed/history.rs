//! Claims about the history, decided by the forms that read it.

use grounds_claims::{Claim, Tests, names};
use grounds_evidence::{ConfidenceLevel, Intent, Outcome, TargetKind};
use grounds_repo::git;
use grounds_repo::history::{HistoryAspect, HistoryQuestion};
use grounds_repo::within::Within;

use super::forms::{asked, kind_of};
use super::{Older, release_of};
use crate::answer::AnswerSection;
use crate::investigate::Investigation;
use crate::question::{FormWants, Question};
use crate::settle::{self, Desk, SettleResult, Settled, Unsettled};
use crate::understand;

/// Decides a claim about the history by the tools that read it.
pub(super) fn history(
    claim: &Claim,
    question: &Question,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
) -> SettleResult {
    let asked = PastSubject::of(claim, desk)?;
    let seen = asked.look(claim, question, desk, older)?;
    let mut sections = asked.told(claim, &seen, desk)?;
    // "Who wrote it?" also asks for the authors of its lines today.
    if question.history.aspect == HistoryAspect::Authors && question.goal.intent == Intent::Status {
        let shares = older(question.clone()).answer;
        sections.extend(shares.iter().flat_map(|answer| answer.sections()).cloned());
    }
    Ok(Settled {
        holds: None,
        sections,
        level: seen.confidence.level.min(asked.level(question, desk)),
        because: "the history was read".to_owned(),
    })
}

/// The aspect of the history that a claim asks for, and its file or name.
struct PastSubject<'c> {
    text: &'c str,
    /// The text as the code writes it: a flag can be the field of a struct.
    written: String,
    is_path: bool,
    is_flag: bool,
    aspect: HistoryAspect,
}

impl<'c> PastSubject<'c> {
    fn of(claim: &'c Claim, desk: &Desk<'_, '_>) -> Result<Self, Unsettled> {
        let aspect = aspect_of(claim)?;
        let text = claim.text(0).unwrap_or_default();
        let is_removal = aspect == HistoryAspect::Removed;
        let is_gone = is_removal && is_written_as_file(text);
        if is_removal && !is_gone {
            // A removal is only true if the tree does not have the name, so it is searched too.
            desk.tree.know(&[text]);
        }
        let is_path = is_gone
            || understand::is_path(text, desk.tree)
            // A name that a definition and a folder share means the definition.
            || !desk.tree.defines(text) && desk.tree.folders_of(text).len() == 1;
        let is_there =
            || !desk.tree.files_of(text).is_empty() || !desk.tree.folders_of(text).is_empty();
        if is_path && !is_removal && !is_there() {
            let why = format!("`{text}` is not in the tree");
            return Err(Unsettled::absent(why, &[]));
        }
        let is_flag = understand::token::is_flag(text);
        if !is_path && !is_flag && !is_removal {
            settle::resolve(text, desk)?;
        }
        let written = settle::flags::written(text, desk).unwrap_or_else(|| text.to_owned());
        Ok(Self {
            text,
            written,
            is_path,
            is_flag,
            aspect,
        })
    }

    /// Runs the question of the claim through the history.
    fn look(
        &self,
        claim: &Claim,
        question: &Question,
        desk: &Desk<'_, '_>,
        older: Older<'_>,
    ) -> Result<Investigation, Unsettled> {
        let within = match self.is_path {
            // A path is the target itself, and needs no scope beside it.
            true => Within::default(),
            false => part_of(claim, question, desk)?,
        };
        let lowered = |text: &str, is_path| lowered(text, is_path, self.aspect, &within, question);
        let mut seen = older(lowered(&self.written, self.is_path));
        // A removed file can be written like a name: `.travis.yml`.
        let is_removal = self.aspect == HistoryAspect::Removed;
        let may_be_file = is_removal && !self.is_path && self.text.contains('.');
        if may_be_file && seen.outcome != Outcome::Answered {
            seen = older(lowered(self.text, true));
        }
        match seen.outcome == Outcome::Answered && seen.answer.is_some() {
            true => Ok(seen),
            false => Err(Unsettled::unknown(format!(
                "the history that is here does not tell it of `{}`",
                self.text
            ))),
        }
    }

    /// Returns the sections of an answer, with the commit and the release that are asked for first.
    fn told(
        &self,
        claim: &Claim,
        seen: &Investigation,
        desk: &Desk<'_, '_>,
    ) -> Result<Vec<AnswerSection>, Unsettled> {
        let answer = seen.answer.iter();
        let mut sections: Vec<AnswerSection> = answer
            .flat_map(|answer| answer.sections())
            .cloned()
            .collect();
        let has_tag = |section: &AnswerSection| section.text.contains("first tag with it");
        let asks_release = claim.kind.as_deref() == Some("release");
        let is_beginning = self.aspect == HistoryAspect::Introduced;
        // Only a tag shows a release, so a commit without one does not answer.
        if asks_release && is_beginning && !sections.iter().any(has_tag) {
            let text = self.text;
            let why = format!("no tag that is here has the commit that brought `{text}` in");
            return Err(Unsettled::unknown(why));
        }
        if let Some(first) = first_commit(&sections, desk)
            && let Some(section) = sections.first_mut()
        {
            let release = asks_release.then(|| release_of(&section.text)).flatten();
            section.text = format!("{}{first}\n{}", release.unwrap_or_default(), section.text);
        }
        Ok(sections)
    }

    /// Returns the highest level that an answer about this text can have.
    fn level(&self, question: &Question, desk: &Desk<'_, '_>) -> ConfidenceLevel {
        let is_known = self.is_path || self.is_flag || self.aspect == HistoryAspect::Removed;
        level_of_form(self.text, &self.written)
            .min(level_of_word(self.text, self.is_path, self.aspect))
            .min(level_of_text(self.text, is_known, desk))
            .min(level_of_guess(self.text, question))
    }
}

fn aspect_of(claim: &Claim) -> Result<HistoryAspect, Unsettled> {
    match () {
        () if claim.predicate == &names::INTRODUCED => Ok(HistoryAspect::Introduced),
        () if claim.predicate == &names::AUTHORED => Ok(HistoryAspect::Introduced),
        () if claim.predicate == &names::REMOVED => Ok(HistoryAspect::Removed),
        () if claim.predicate == &names::CHANGED => Ok(HistoryAspect::LastChanged),
        () => Err(Unsettled::unknown(format!(
            "`{}` is not decided yet",
            claim.predicate.name
        ))),
    }
}

/// Returns the highest level for the origin of a name: an everyday word occurs in texts before
/// anything has it as a name.
fn level_of_word(text: &str, is_path: bool, aspect: HistoryAspect) -> ConfidenceLevel {
    let mut letters = text.chars().skip(1);
    let is_word = letters.clone().all(|letter| letter.is_ascii_lowercase())
        || letters.all(|letter| letter.is_ascii_uppercase());
    match aspect == HistoryAspect::Introduced && !is_path && is_word {
        true => ConfidenceLevel::Medium,
        false => ConfidenceLevel::Complete,
    }
}

/// Returns the highest level for a file or folder that a word of the question was taken for.
fn level_of_guess(text: &str, question: &Question) -> ConfidenceLevel {
    match question.text.contains(text) || !text.contains('/') {
        true => ConfidenceLevel::Complete,
        false => ConfidenceLevel::Medium,
    }
}

/// Returns the highest level for a name without a definition: its letters may be part of any text.
fn level_of_text(text: &str, is_known: bool, desk: &Desk<'_, '_>) -> ConfidenceLevel {
    match is_known || desk.tree.defines(understand::tree::last_part(text)) {
        true => ConfidenceLevel::Complete,
        false => ConfidenceLevel::Medium,
    }
}

/// Returns the highest level for an answer by another form of the asked text: a quoted word may
/// belong to something else.
fn level_of_form(text: &str, written: &str) -> ConfidenceLevel {
    match written {
        _ if written == text => ConfidenceLevel::Complete,
        _ if written.contains(['-', '_']) => ConfidenceLevel::High,
        _ => ConfidenceLevel::Medium,
    }
}

/// Reports whether a text is written like a file ("src/a.py", "DateAdapter.java"), which is the
/// only sign of a removed file.
fn is_written_as_file(text: &str) -> bool {
    text.contains('/') || grounds_syntax::languages::of_name(text).is_some()
}

/// Returns the files, folders and roles whose history is asked for, as the tools that read it take
/// them.
fn part_of(claim: &Claim, question: &Question, desk: &Desk<'_, '_>) -> Result<Within, Unsettled> {
    let scope = &claim.scope;
    if scope.is_everything() {
        return Ok(question.within.clone());
    }
    let folders = scope.inside.clone();
    // git limits a log to paths; it knows neither types nor tests.
    let is_of_paths = scope.outside.is_empty() && scope.tests == Tests::Count;
    match is_of_paths
        && folders
            .iter()
            .all(|place| understand::is_path(place, desk.tree))
    {
        true => Ok(Within {
            folders,
            ..Within::default()
        }),
        false => Err(Unsettled::unknown(
            "the history is read of files and folders, and of no other part".to_owned(),
        )),
    }
}

fn lowered(
    text: &str,
    is_path: bool,
    aspect: HistoryAspect,
    within: &Within,
    question: &Question,
) -> Question {
    let text = text.trim_start_matches('@');
    let mut lowered = asked(Intent::Status, text, FormWants::Occurrence, question);
    for target in &mut lowered.goal.targets {
        target.kind = if is_path {
            TargetKind::Path
        } else {
            kind_of(text)
        };
    }
    // The last change of a file is its newest commit; a name has lines, whose changes are followed.
    let aspect = if is_path && aspect == HistoryAspect::LastChanged {
        HistoryAspect::Newest
    } else {
        aspect
    };
    Question {
        within: within.clone(),
        history: HistoryQuestion {
            aspect,
            ..HistoryQuestion::default()
        },
        ..lowered
    }
}

/// Returns the first commit that an answer cites, with the hash as git shortens it, the day and the
/// author.
pub(super) fn first_commit(sections: &[AnswerSection], desk: &Desk<'_, '_>) -> Option<String> {
    let cited = sections.iter().flat_map(|section| &section.citations);
    let commit = cited
        .clone()
        .find(|citation| citation.resource == crate::answer::Resource::Commit)?;
    let top = desk.tree.checkout.git_top()?;
    let hash = commit.path.as_str();
    let output = git::call(
        top,
        &[
            "log",
            "-1",
            // `log.showSignature` in a user's configuration would add lines to the output.
            "--no-show-signature",
            "--format=%h%x00%cs%x00%an",
            "--end-of-options",
            hash,
            "--",
        ],
    )
    .ok()?;
    let text = String::from_utf8_lossy(&output).trim().to_owned();
    let mut fields = text.split('\0');
    let (short, day, author) = (fields.next()?, fields.next()?, fields.next()?);
    Some(format!("Commit {short}, committed on {day}, by {author}."))
}
