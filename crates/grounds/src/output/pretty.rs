//! The form for people: the verdict, the places with their excerpts, the reason for the confidence,
//! the scope that was searched.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style as Ansi};
use grounds_ask::Investigation;
use grounds_ask::answer::{Answer, AnswerCitation, AnswerSection, PlaceForm, Resource};
use grounds_ask::investigate::HIDDEN_AND_IGNORED;
use grounds_ask::leads::Lead;
use grounds_claims::names;
use grounds_evidence::confidence::Agreement;
use grounds_evidence::{ConfidenceLevel, EvidenceClass, Match, Outcome, RefusalKind, TargetKind};
use grounds_repo::near::Closeness;
use grounds_repo::scope::SkipReason;

use super::{highlight, ranking};
use crate::safe;

/// The allowed look of the text.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// Whether colour and links may be used.
    pub colour: bool,
    /// Whether every piece of evidence is shown.
    pub verbose: bool,
    /// The root of the checkout, for links.
    pub root: &'a Path,
}

const GOOD: Ansi = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Ansi = AnsiColor::Yellow.on_default().bold();
const PATH: Ansi = AnsiColor::Magenta.on_default();
const TITLE: Ansi = Ansi::new().bold().underline();
pub(super) const DIM: Ansi = AnsiColor::BrightBlack.on_default();

/// Letters of a commit's hash that are shown.
const HASH_LETTERS: usize = 12;

/// Citations that are shown with their text; the rest are listed.
const EXCERPTS_MAX: usize = 10;

pub(super) fn write(
    investigation: &Investigation,
    style: &Style<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let page = PrettyPage { style };
    super::understood::write(investigation, out)?;
    match &investigation.answer {
        Some(answer) => page.answer(answer, out)?,
        None if investigation.is_ranking => ranking::pretty(&page, investigation, out)?,
        None => page.refusal(investigation, out)?,
    }
    super::hypotheses::pretty(investigation, out)?;
    super::prose::pretty(investigation, out)?;
    if style.verbose {
        page.reasons(investigation, out)?;
        page.evidence(investigation, out)
    } else {
        page.footer(investigation, out)
    }
}

pub(super) struct PrettyPage<'a> {
    style: &'a Style<'a>,
}

impl PrettyPage<'_> {
    pub(super) fn paint(&self, style: Ansi, text: &str) -> String {
        let text = safe::for_terminal(text);
        if self.style.colour {
            format!("{style}{text}{style:#}")
        } else {
            text.into_owned()
        }
    }

    /// Returns `path:line`, which terminals and editors open; with colour, and in a terminal that
    /// has links, also as a link.
    pub(super) fn place(&self, path: &str, line: u32) -> String {
        let shown = if line == 0 {
            safe::for_line(path)
        } else {
            format!("{}:{line}", safe::for_line(path))
        };
        if !self.style.colour {
            return shown;
        }
        if !crate::terminal::has_links() {
            return format!("{PATH}{shown}{PATH:#}");
        }
        let target = safe::for_link(&self.style.root.join(path).to_string_lossy());
        format!("\u{1b}]8;;file://{target}\u{1b}\\{PATH}{shown}{PATH:#}\u{1b}]8;;\u{1b}\\")
    }

    fn answer(&self, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
        answer
            .sections()
            .iter()
            .try_for_each(|section| self.section(section, out))
    }

    fn section(&self, section: &AnswerSection, out: &mut dyn Write) -> io::Result<()> {
        if !section.title.is_empty() {
            writeln!(
                out,
                "{}",
                self.paint(TITLE, &safe::for_line(&section.title))
            )?;
        }
        // The part without a title is the answer itself.
        let style = if section.title.is_empty() {
            GOOD
        } else {
            Ansi::new()
        };
        if !section.text.is_empty() {
            writeln!(out, "{}", self.paint(style, &section.text))?;
        }
        if section.shown != PlaceForm::Listed || section.citations.is_empty() {
            writeln!(out)?;
        }
        match section.shown {
            PlaceForm::Excerpts => self.with_excerpts(&section.citations, out)?,
            PlaceForm::ByFile => self.by_file(&section.citations, out)?,
            PlaceForm::Listed => section
                .citations
                .iter()
                .try_for_each(|citation| self.listed(citation, out))?,
        }
        if section.more > 0 {
            writeln!(out, "and {} more", section.more)?;
        }
        if section.shown == PlaceForm::Listed || section.more > 0 {
            writeln!(out)
        } else {
            Ok(())
        }
    }

    fn with_excerpts(&self, citations: &[AnswerCitation], out: &mut dyn Write) -> io::Result<()> {
        citations
            .iter()
            .take(EXCERPTS_MAX)
            .try_for_each(|citation| self.citation(citation, out))?;
        citations
            .iter()
            .skip(EXCERPTS_MAX)
            .try_for_each(|citation| self.heading(citation, out))
    }

    /// Writes the name of each file, and its places below it with the text of their first line.
    fn by_file(&self, citations: &[AnswerCitation], out: &mut dyn Write) -> io::Result<()> {
        for of_file in citations.chunk_by(|one, other| one.path == other.path) {
            writeln!(out, "{}", self.place(&of_file[0].path, 0))?;
            let width = of_file
                .iter()
                .map(|citation| citation.line_start().to_string().len())
                .max()
                .unwrap_or(1);
            for citation in of_file {
                let text = citation
                    .excerpt()
                    .map_or("", |excerpt| excerpt.text.as_str());
                let line = safe::for_line(text.lines().next().unwrap_or_default().trim());
                let what = if citation.what.is_empty() {
                    String::new()
                } else {
                    format!("  ({})", safe::for_line(&citation.what))
                };
                writeln!(
                    out,
                    "  {:>width$} | {line}{}",
                    citation.line_start(),
                    self.paint(DIM, &what)
                )?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn listed(&self, citation: &AnswerCitation, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "- ")?;
        self.heading(citation, out)
    }

    fn heading(&self, citation: &AnswerCitation, out: &mut dyn Write) -> io::Result<()> {
        let place = match citation.resource {
            Resource::File => self.place(&citation.path, citation.line_start()),
            Resource::Commit => citation.path.chars().take(HASH_LETTERS).collect(),
            // The path of a run is a command, and that of a log an address: a terminal could open
            // neither.
            Resource::Run | Resource::Log => safe::for_line(&citation.path),
        };
        writeln!(
            out,
            "{place}  {}",
            self.paint(DIM, &safe::for_line(&citation.what))
        )
    }

    fn citation(&self, citation: &AnswerCitation, out: &mut dyn Write) -> io::Result<()> {
        self.heading(citation, out)?;
        let Some(excerpt) = citation.excerpt() else {
            return Ok(());
        };
        let text = match self.style.colour {
            true => highlight::paint(
                &citation.path,
                // A carriage return within a colour code would be shown as a character.
                &excerpt.text.replace("\r\n", "\n"),
                &excerpt.text,
            ),
            false => safe::for_lines(&excerpt.text),
        };
        let width = excerpt.line_end.to_string().len();
        for (number, line) in (excerpt.line_start..).zip(text.split('\n')) {
            writeln!(
                out,
                "{} {line}",
                self.paint(DIM, &format!("{number:>width$} |"))
            )?;
        }
        if excerpt.cut {
            writeln!(out, "{}", self.paint(DIM, &format!("{:>width$} …", "")))?;
        }
        writeln!(out)
    }

    fn refusal(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.paint(BAD, verdict(investigation)))?;
        if let Some(says) = &investigation.says {
            writeln!(out, "\n{}", safe::for_terminal(says))?;
        }
        // The first line says it in words, and so does the error of a tool. The classes are for a
        // closer look.
        let is_said = investigation.outcome == Outcome::Insufficient(RefusalKind::NotFound)
            || investigation.says.is_some()
            || investigation.steps.iter().any(|step| step.error.is_some());
        let lacks = investigation.gap.lacks.iter();
        for lack in lacks.filter(|_| self.style.verbose || !is_said) {
            let of = if lack.target.is_empty() {
                String::new()
            } else {
                format!(" for `{}`", safe::for_line(&lack.target))
            };
            writeln!(
                out,
                "  {}{of}: have {}, need {}",
                lack.class, lack.have, lack.need
            )?;
        }
        let steps = investigation.steps.iter();
        for (tool, error) in steps.filter_map(|step| Some((step.tool, step.error.as_ref()?))) {
            let (why, obstacle) = (safe::for_line(&error.why), error.obstacle.as_str());
            writeln!(out, "  {tool}: {why} [{obstacle}]")?;
        }
        self.suggestions(investigation, out)?;
        self.findings(investigation, out)?;
        self.other_leads(investigation, out)?;
        writeln!(out)
    }

    /// Writes the leads that are not among the findings.
    fn other_leads(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        let places = investigation.leads.places.iter();
        let leads: Vec<&Lead> = places
            .filter(|lead| !is_found(investigation, lead))
            .collect();
        if !leads.is_empty() {
            writeln!(out, "\nleads:")?;
        }
        for lead in leads {
            let place = self.place(&lead.path, lead.line_start);
            let why = self.paint(DIM, &safe::for_line(&lead.why));
            writeln!(out, "  {place}  {why}")?;
        }
        Ok(())
    }

    /// Writes what was found although only a run is missing.
    fn findings(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        if investigation.findings.is_empty() {
            return Ok(());
        }
        let heading = match is_partly_decided(investigation) {
            true => self.paint(GOOD, "decided:"),
            false => self.paint(BAD, "findings, not an answer:"),
        };
        writeln!(out, "\n{heading}\n")?;
        investigation
            .findings
            .iter()
            .try_for_each(|section| self.section(section, out))
    }

    fn suggestions(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        if !investigation.leads.did_you_mean.is_empty() {
            writeln!(out, "\ndid you mean (close names, no evidence):")?;
        }
        for (_, near) in &investigation.leads.did_you_mean {
            let how = match near.closeness {
                Closeness::Edits(edits) => {
                    format!("{edits} edit{} away", if edits == 1 { "" } else { "s" })
                }
                Closeness::WordsMissing(0) => "all of its words".to_owned(),
                Closeness::WordsMissing(words) => format!("without {words} of its words"),
            };
            let seen = self.place(near.path.as_str(), near.line);
            writeln!(
                out,
                "  {}  {seen}  {}",
                self.paint(GOOD, &safe::for_line(&near.name)),
                self.paint(DIM, &how)
            )?;
        }
        Ok(())
    }

    /// Writes one line: how sure, who agrees, what was read. What limits the answer follows on
    /// lines of its own.
    fn footer(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        let question = &investigation.question;
        // Claims are shown in the first line already.
        if investigation.understood.is_none()
            && !(question.left_aside.is_empty() && question.within.is_everything())
        {
            self.goal(investigation, out)?;
        }
        let said: Vec<String> = [sure(investigation), agreed(investigation)]
            .into_iter()
            .flatten()
            .chain([format!("searched {}", scope(investigation))])
            .collect();
        writeln!(out, "{}", self.paint(DIM, &said.join(" · ")))?;
        self.limits(investigation, out)
    }

    fn reasons(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        self.goal(investigation, out)?;
        writeln!(
            out,
            "{} {}",
            self.paint(DIM, "confidence:"),
            safe::for_line(&investigation.confidence.explanation)
        )?;
        writeln!(
            out,
            "{} {}",
            self.paint(DIM, "agreement: "),
            investigation.confidence.agreement
        )?;
        writeln!(
            out,
            "{} {}",
            self.paint(DIM, "scope:     "),
            scope(investigation)
        )?;
        self.limits(investigation, out)
    }

    fn goal(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        let goal = &investigation.question.goal;
        let targets: Vec<String> = goal
            .targets
            .iter()
            .map(|target| {
                format!(
                    "{} `{}` ({})",
                    target.kind.as_str(),
                    safe::for_line(&target.text),
                    target.wanted.as_str()
                )
            })
            .collect();
        let within = &investigation.question.within;
        let roles = within.roles.iter().map(|role| role.as_str());
        let places: Vec<&str> = within
            .folders
            .iter()
            .map(String::as_str)
            .chain(roles)
            .collect();
        let within = if places.is_empty() {
            String::new()
        } else {
            format!(", within {}", safe::for_line(&places.join(", ")))
        };
        let left_aside = left_aside(&investigation.question.left_aside);
        writeln!(
            out,
            "{} {}{}{}{within}{left_aside}",
            self.paint(DIM, "understood:"),
            goal.intent.as_str(),
            if goal.about_ci { ", about CI" } else { "" },
            if targets.is_empty() {
                String::new()
            } else {
                format!(", {}", targets.join(", "))
            }
        )
    }

    /// Writes what an index said, and the bounds that were reached.
    fn limits(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        let said = super::index::sentences(investigation);
        for (number, sentence) in said.iter().enumerate() {
            let title = if number == 0 {
                "index:     "
            } else {
                "           "
            };
            writeln!(
                out,
                "{} {}",
                self.paint(DIM, title),
                safe::for_line(sentence)
            )?;
        }
        if !investigation.bounds.is_empty() {
            writeln!(
                out,
                "{} {}",
                self.paint(BAD, "bounds reached:"),
                investigation.bounds.join(", ")
            )?;
        }
        Ok(())
    }

    fn evidence(&self, investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\nevidence:")?;
        for (number, entry) in investigation.ledger.entries().iter().enumerate() {
            let seen = &entry.observation;
            let (rating, strength) = (entry.rating().as_str(), entry.strength().as_str());
            writeln!(
                out,
                "  [{number}] {} {} {}, {} {}: quality {rating}, strength {strength}",
                seen.class,
                seen.tool,
                safe::for_line(&seen.query),
                seen.found.as_str(),
                seen.relation
            )?;
            for source in seen.sources.iter().take(5) {
                writeln!(out, "      {}", self.place(&source.path, source.line_start))?;
            }
        }
        Ok(())
    }
}

/// Returns the level of an answer, with what keeps it from being surer; `None` for a refusal, which
/// has said why already.
fn sure(investigation: &Investigation) -> Option<String> {
    let confidence = &investigation.confidence;
    let is_answer = matches!(
        investigation.outcome,
        Outcome::Answered | Outcome::Conflicting
    );
    let level = is_answer.then_some(confidence.level)?;
    Some(match level >= ConfidenceLevel::High {
        true => level.as_str().to_owned(),
        false => safe::for_line(&confidence.explanation),
    })
}

/// Returns which families agree, or that they do not.
fn agreed(investigation: &Investigation) -> Option<String> {
    let agreement = &investigation.confidence.agreement;
    (*agreement != Agreement::Uncorroborated).then(|| agreement.to_string())
}

/// Reports whether a lead is shown as a finding: places are, runs are not.
pub(super) const fn is_found(investigation: &Investigation, lead: &Lead) -> bool {
    !investigation.findings.is_empty() && lead.line_start > 0
}

/// Returns the words of the question that are not searched.
fn left_aside(words: &[String]) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!("; not looked for: {}", safe::for_line(&words.join(", ")))
    }
}

/// Returns the first line of a refusal: its kind, and what that means.
pub(super) fn verdict(investigation: &Investigation) -> &'static str {
    if investigation.is_ranking {
        return ranking::verdict(investigation);
    }
    let skipped = |reason| investigation.scope.skipped.contains_key(&reason);
    // Both come before the outcome: of several questions the outcome is that of the worst.
    if is_partly_decided(investigation) {
        return "partly decided: first what could not be decided, then what could";
    }
    if is_partly_understood(investigation) {
        return "partly understood: no answer covers the words that were not understood; partial findings follow";
    }
    match investigation.outcome {
        Outcome::Answered => "answered",
        Outcome::Insufficient(RefusalKind::NotFound)
            // "When was the last release?" names nothing that could be in the tree.
            if lacks_history(investigation) && investigation.question.goal.targets.is_empty() =>
        {
            "not found: the history was read, and no commit of it matches"
        }
        Outcome::Insufficient(RefusalKind::NotFound) if lacks_history(investigation) => {
            "not found: neither the tree nor the history that is here has it"
        }
        Outcome::Insufficient(RefusalKind::NotFound) if lacks_ci_alone(investigation) => {
            "not found: the service of CI answered, and has no run that the question is about"
        }
        // "How are routes matched?": that the words do not occur together says nothing about
        // routing.
        Outcome::Insufficient(RefusalKind::NotFound) if has_only_phrases(investigation) => {
            "not found: the whole tree was read, and these words occur nowhere together as a name or a phrase; it may have another name"
        }
        Outcome::Insufficient(RefusalKind::NotFound) if is_of_paths(investigation) => {
            "not found: every file name was checked, and none matches"
        }
        Outcome::Insufficient(RefusalKind::NotFound) => {
            "not found: the whole tree was read, and it is not there"
        }
        Outcome::Insufficient(RefusalKind::FoundButNotThat)
            if stands_inside_words(investigation) =>
        {
            "found, but not as a whole word: it occurs only inside longer words"
        }
        Outcome::Insufficient(RefusalKind::FoundButNotThat) => {
            "found, but not that: the name occurs, not in the way that was asked for"
        }
        Outcome::Insufficient(_) if !investigation.findings.is_empty() => {
            "cannot tell: evidence that the text cannot give is lacking; what was found without it follows"
        }
        Outcome::Insufficient(RefusalKind::CannotTell) if skipped(SkipReason::NothingToRead) => {
            "cannot tell: there is nothing to read here"
        }
        Outcome::Insufficient(RefusalKind::CannotTell) if skipped(SkipReason::NoSuchPath) => {
            "cannot tell: the question says where to look, and no such path is in the tree"
        }
        Outcome::Insufficient(RefusalKind::CannotTell) => {
            "cannot tell: something that could matter was not read or cannot be acquired here"
        }
        Outcome::Conflicting => "conflicting: evidence contradicts evidence",
        Outcome::NotCheckable => {
            "not checkable: the question names nothing in a codebase to look for"
        }
        Outcome::Failed if investigation.changed_meanwhile() => {
            "failed: files changed while they were read; ask again"
        }
        Outcome::Failed => {
            "failed: a tool broke or a cited file changed, so absence was not shown; ask again"
        }
    }
}

/// Reports whether the search text occurs in the tree only inside longer words.
fn stands_inside_words(investigation: &Investigation) -> bool {
    let mut seen = investigation.ledger.entries().iter();
    !investigation
        .ledger
        .entries()
        .iter()
        .any(|entry| entry.observation.found.is_exact())
        && seen.any(|entry| matches!(entry.observation.found, Match::Substring { .. }))
}

/// Reports whether something was found, but words of the question that no claim uses keep it from
/// being an answer.
fn is_partly_understood(investigation: &Investigation) -> bool {
    let is_demoted = !investigation.findings.is_empty() && investigation.gap.lacks.is_empty();
    is_demoted && investigation.understood.is_some() && investigation.outcome != Outcome::Answered
}

/// Reports whether the question is only which files and lines exist.
fn is_of_paths(investigation: &Investigation) -> bool {
    let understood = investigation.understood.as_ref();
    understood.is_some_and(|understood| {
        let mut claims = understood.claims.iter();
        !understood.claims.is_empty() && claims.all(|claim| claim.predicate == &names::EXISTS)
    })
}

/// Reports whether some of several claims are decided, and others are not.
pub(super) fn is_partly_decided(investigation: &Investigation) -> bool {
    let understood = investigation.understood.as_ref();
    let of_claims = is_partly_understood(investigation)
        && understood.is_some_and(|known| known.unread.is_empty() && known.claims.len() > 1);
    // The findings of several questions are the answers of those that have one.
    let is_refused = matches!(
        investigation.outcome,
        Outcome::Insufficient(_) | Outcome::NotCheckable
    );
    let of_several = !investigation.each.is_empty() && !investigation.findings.is_empty();
    of_claims || is_refused && of_several
}

fn lacks_history(investigation: &Investigation) -> bool {
    investigation
        .gap
        .lacks
        .iter()
        .any(|lack| lack.class == EvidenceClass::GitLog)
}

/// Reports whether only words were searched that are no name: what they mean may exist under
/// another name.
fn has_only_phrases(investigation: &Investigation) -> bool {
    let targets = &investigation.question.goal.targets;
    !targets.is_empty()
        && targets
            .iter()
            .all(|target| target.kind == TargetKind::Phrase)
}

/// Reports whether only a run of CI is missing.
fn lacks_ci_alone(investigation: &Investigation) -> bool {
    let lacks = &investigation.gap.lacks;
    !lacks.is_empty()
        && lacks
            .iter()
            .all(|lack| lack.class == EvidenceClass::CiWorkflow)
}

/// Returns what was read, at which commit, and what was not read.
pub(super) fn scope(investigation: &Investigation) -> String {
    let scope = &investigation.scope;
    let commit = investigation
        .tree
        .commit
        .as_deref()
        .map_or_else(String::new, |commit| {
            format!(" at {}", &commit[..commit.len().min(12)])
        });
    let dirty = match investigation.tree.dirty {
        Some(true) => " with changes",
        Some(false) | None => "",
    };
    let skipped: Vec<String> = scope
        .skipped
        .iter()
        .map(|(reason, skipped)| {
            // Names of images that were skipped would fill the line; a file that may hold the
            // answer is named.
            let examples = if reason.could_matter() {
                format!(" ({})", safe::for_line(&skipped.examples.join(", ")))
            } else {
                String::new()
            };
            format!(
                "{} {}{examples}",
                skipped.count,
                reason.as_str().replace('_', " ")
            )
        })
        .collect();
    let skipped = if skipped.is_empty() {
        String::new()
    } else {
        format!("; not read: {}", skipped.join(", "))
    };
    let read_hidden = investigation
        .recovery
        .iter()
        .any(|attempt| attempt.way == HIDDEN_AND_IGNORED);
    let second = if read_hidden {
        ", hidden and ignored ones in a second pass"
    } else {
        ""
    };
    format!(
        "{} file{}, {} bytes{commit}{dirty}{second}{skipped}",
        scope.files_searched,
        if scope.files_searched == 1 { "" } else { "s" },
        scope.bytes_searched
    )
}
