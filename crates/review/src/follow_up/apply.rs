//! What a second answer may do to the findings of the first: confirm, revise, leave unverified,
//! add; and dismiss, with a quote from the lines just given. It cannot change a finding of a rule,
//! and findings that it does not mention stay as they were.

use std::collections::{BTreeMap, BTreeSet};

use grounds_model::redact;

use super::answer::{FindingVerdict, Second, VerdictKind};
use super::{Draft, Final, FollowUpCounts, Provided};
use crate::candidate::{self, Candidate};
use crate::diff::Diff;
use crate::finding::{Finding, Producer};
use crate::gates::drop_of;
use crate::report::DropReason;

/// Minimum number of characters of a name that two texts may share.
const NAME_LETTERS_MIN: usize = 3;

/// Applies a second answer to a draft, as far as it may change it.
pub(super) fn apply(
    draft: Draft,
    second: Second,
    provided: &Provided,
    diff: &Diff,
    model: &str,
) -> Final {
    let mut counts = FollowUpCounts {
        requests_ignored: second.requests_ignored,
        unreadable: u32::try_from(second.unreadable.len()).unwrap_or(u32::MAX),
        ..FollowUpCounts::default()
    };
    let is_of_rule =
        |verdict: &&FindingVerdict| draft.rules.iter().any(|rule| rule.id == verdict.id);
    // The draft has no findings of rules to dismiss, so such a verdict is only counted.
    let against_rules = second
        .verdicts
        .iter()
        .filter(is_of_rule)
        .filter(|verdict| verdict.kind == VerdictKind::Dismiss)
        .count();
    counts.dismissals_refused += u32::try_from(against_rules).unwrap_or(u32::MAX);
    let verdicts = by_id(second.verdicts);
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for mut candidate in draft.candidates {
        let fate = verdicts.get(&candidate.finding.id).map(|verdict| {
            judge(
                &mut candidate,
                verdict.as_ref(),
                provided,
                model,
                &mut counts,
            )
        });
        match fate.flatten() {
            Some(why) => dropped.push(drop_of(&candidate, why)),
            None => kept.push(candidate),
        }
    }
    for (number, issue) in (1..).zip(second.issues) {
        match candidate::of_issue(
            issue,
            format!("F{number}"),
            Producer::FollowUp(model.to_owned()),
            diff,
            None,
        ) {
            Ok(candidate) => {
                counts.added += 1;
                kept.push(candidate);
            }
            Err(fell) => dropped.push(fell),
        }
    }
    dropped.extend(
        (1..)
            .zip(second.unreadable)
            .map(|(number, item)| candidate::of_unreadable(item, format!("F-{number}"))),
    );
    Final {
        candidates: kept,
        dropped,
        counts,
        failed: None,
    }
}

/// Returns the verdict of each id; `None` if there are several that differ, which counts as no
/// verdict.
fn by_id(verdicts: Vec<FindingVerdict>) -> BTreeMap<String, Option<FindingVerdict>> {
    let mut by_id: BTreeMap<String, Option<FindingVerdict>> = BTreeMap::new();
    for verdict in verdicts {
        let differs = |known: &Option<FindingVerdict>| {
            known
                .as_ref()
                .is_none_or(|known| known.kind != verdict.kind)
        };
        match by_id.get_mut(&verdict.id) {
            Some(known) if differs(known) => *known = None,
            Some(_) => {}
            None => drop(by_id.insert(verdict.id.clone(), Some(verdict))),
        }
    }
    by_id
}

/// Applies the verdict about one finding, and returns the reason if the finding is dropped.
fn judge(
    candidate: &mut Candidate,
    verdict: Option<&FindingVerdict>,
    provided: &Provided,
    model: &str,
    counts: &mut FollowUpCounts,
) -> Option<DropReason> {
    let Some(verdict) = verdict else {
        candidate
            .notes
            .push("the follow-up contradicts itself about it: it stays as it was".to_owned());
        return None;
    };
    match verdict.kind {
        VerdictKind::Confirm => {
            counts.confirmed += 1;
            candidate
                .finding
                .producers
                .push(Producer::FollowUp(model.to_owned()));
            candidate.stand_on(candidate.basis.confirmed());
        }
        VerdictKind::Unverified => {
            counts.unverified += 1;
            candidate.notes.push(format!(
                "the follow-up could not verify it: {}",
                verdict.reason
            ));
            candidate.stand_on(candidate.basis.unverified());
        }
        VerdictKind::Revise => {
            counts.revised += 1;
            revise(candidate, verdict, provided);
        }
        VerdictKind::Dismiss => match place_of(verdict, &candidate.finding, provided) {
            Some((quote, place)) => {
                counts.removed += 1;
                return Some(DropReason::Dismissed {
                    quote,
                    place,
                    reason: verdict.reason.clone(),
                });
            }
            None => {
                counts.dismissals_refused += 1;
                candidate
                    .notes
                    .push("the follow-up dismissed it without whole lines of those it was given that name what it is about: it stays".to_owned());
            }
        },
    }
    None
}

/// Applies new words to a finding. A lower severity needs the same quote as a dismissal: otherwise
/// a finding could be made harmless instead of being dismissed.
fn revise(candidate: &mut Candidate, verdict: &FindingVerdict, provided: &Provided) {
    let finding = &mut candidate.finding;
    if let Some(title) = &verdict.title {
        finding.title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if let Some(message) = &verdict.message {
        finding.message.clone_from(message);
    }
    match verdict.severity {
        Some(severity) if severity >= finding.severity || place_of(verdict, finding, provided).is_some() => finding.severity = severity,
        Some(_) => {
            candidate.notes.push("the follow-up called it less harmful and quoted nothing that shows it: its severity stays".to_owned())
        }
        None => {}
    }
    candidate
        .notes
        .push(format!("revised in the follow-up: {}", verdict.reason));
}

/// Returns the quote of a verdict and its place in the lines that were given. It must be whole
/// lines that bear on the finding: a comment shows nothing, and a piece of a line could mean
/// anything.
fn place_of(
    verdict: &FindingVerdict,
    finding: &Finding,
    provided: &Provided,
) -> Option<(String, String)> {
    let quote = lines_of(verdict.quote.as_deref()?);
    let code: Vec<&String> = quote.iter().filter(|line| !is_comment(line)).collect();
    if !bears_on(&code, finding) {
        return None;
    }
    // The model quotes what it was sent, with masks in the place of secrets.
    let masked = redact::mask(&provided.lines.join("\n"), &mut redact::Masked::new());
    let masked: Vec<&str> = masked.split('\n').collect();
    let raw: Vec<&str> = provided.lines.iter().map(String::as_str).collect();
    let at = place_in(&raw, &quote).or_else(|| place_in(&masked, &quote))?;
    let line = provided.wanted.line_start + u32::try_from(at).ok()?;
    Some((quote.join("\n"), format!("{}:{line}", provided.wanted.path)))
}

/// Reports whether lines name something that the finding or its quote names too.
fn bears_on(lines: &[&String], finding: &Finding) -> bool {
    let quote = finding.quote.as_deref().unwrap_or_default();
    let words = [&finding.title, &finding.message, &finding.symbol, quote].map(names_in);
    lines
        .iter()
        .flat_map(|line| names_in(line))
        .any(|name| words.iter().any(|known| known.contains(&name)))
}

/// Returns the names in a text, without words that every text has.
fn names_in(text: &str) -> BTreeSet<String> {
    const COMMON: [&str; 44] = [
        "and", "are", "async", "await", "class", "const", "def", "else", "false", "final", "fn",
        "for", "from", "func", "function", "has", "have", "import", "int", "let", "may", "mut",
        "new", "nil", "none", "not", "null", "pub", "public", "return", "self", "static", "string",
        "that", "the", "then", "this", "true", "use", "value", "var", "void", "when", "with",
    ];
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| word.chars().count() >= NAME_LETTERS_MIN)
        .filter(|word| word.starts_with(|letter: char| !letter.is_ascii_digit()))
        .map(str::to_lowercase)
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect()
}

fn place_in(lines: &[&str], quote: &[String]) -> Option<usize> {
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    lines
        .windows(quote.len().max(1))
        .position(|window| window == quote)
}

/// Returns the lines of a quote, without the numbers of the prompt.
fn lines_of(quote: &str) -> Vec<String> {
    let unnumbered = |line: &str| match line.split_once('|') {
        Some((head, text))
            if !head.trim().is_empty() && head.trim().bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            plain(text)
        }
        Some(_) | None => plain(line),
    };
    quote
        .lines()
        .map(unnumbered)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Reports whether a line is surely only a comment, in any of the common languages.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "# ", "<!--", "-- ", "* ", ";;", "\"\"\""]
        .iter()
        .any(|mark| line.starts_with(mark))
        || ["#", "*", "*/"].contains(&line)
}

fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
