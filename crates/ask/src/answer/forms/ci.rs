//! Continuous integration: how each run of the commit ended. For a failed run, its failed step, the
//! log word for word, and the places that the log names.
//!
//! A run that has not finished has not passed, and neither has a run whose status word is unknown.

use grounds_evidence::{EntryId, EvidenceClass};
use grounds_repo::ci::{CiFindings, CiJob, CiRun, FailedRun, FoundLog, NamedPlace, ServiceKind};
use grounds_repo::ci::{CiState, question::Asks};
use grounds_repo::excerpt;

use crate::answer::citation::{AnswerCitation, CitedPart, Resource};
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm};

/// Limit on the lines of a place that a log names.
const PLACE_LINES_MAX: u32 = 3;
/// Digits of a hash that are shown.
const HASH_DIGITS: usize = 12;

/// Writes the sections about CI, or none if the question did not ask the CI service.
pub(in crate::answer) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let Some(findings) = desk.bench.ci_findings() else {
        return Vec::new();
    };
    let mut sections = vec![of_runs(desk, &findings)];
    for failure in &findings.failures {
        let Some(run) = findings.runs.get(failure.run) else {
            continue;
        };
        sections.push(of_failure(desk, run, failure));
        let places = of_places(desk, run, failure);
        sections.extend((!places.citations.is_empty()).then_some(places));
    }
    sections
}

/// Describes one run: "`CI` (push on `main`): failure".
pub(crate) fn describe(run: &CiRun) -> String {
    let of = [&run.event, &run.branch].map(|text| quoted(text));
    // A service may give no event or no branch, and an empty name is two backticks.
    let event = match of {
        [event, branch] if event != "``" && branch != "``" => format!(" ({event} on {branch})"),
        [event, _] if event != "``" => format!(" ({event})"),
        [_, branch] if branch != "``" => format!(" (on {branch})"),
        _ => String::new(),
    };
    format!(
        "{}{event} of commit {}: {}",
        quoted(&run.workflow),
        short(&run.commit),
        run.standing.word
    )
}

fn short(commit: &str) -> &str {
    commit.get(..HASH_DIGITS).unwrap_or(commit)
}

/// Returns a name from a service in backticks. Names come from outside, so their backticks and line
/// breaks are replaced.
fn quoted(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace('\n', " "))
}

/// Returns the ledger entries about CI that point at a page, or all of them if no entry does.
fn evidence_at(desk: &AnswerDesk<'_, '_>, page: &str) -> Vec<EntryId> {
    let about = || desk.ledger.about(EvidenceClass::CiWorkflow, "");
    let points = |entry: &grounds_evidence::LedgerEntry| {
        entry
            .observation
            .sources
            .iter()
            .any(|source| source.path == page)
    };
    let at_page: Vec<EntryId> = about()
        .filter(|(_, entry)| points(entry))
        .map(|(id, _)| id)
        .collect();
    // A log or a job has an address of its own, for which the ledger may have no entry.
    if at_page.is_empty() {
        about().map(|(id, _)| id).collect()
    } else {
        at_page
    }
}

fn cite_log(desk: &AnswerDesk<'_, '_>, page: &str, what: String) -> AnswerCitation {
    AnswerCitation {
        resource: Resource::Log,
        path: page.to_owned(),
        cited: CitedPart::Whole,
        evidence: evidence_at(desk, page),
        what,
        language: "",
    }
}

fn of_runs(desk: &AnswerDesk<'_, '_>, findings: &CiFindings) -> AnswerSection {
    let shown = if findings.runs.is_empty() {
        &findings.others
    } else {
        &findings.runs
    };
    let mut citations: Vec<AnswerCitation> = shown
        .iter()
        .take(desk.budget.citations_max)
        .map(|run| cite_log(desk, &run.page, describe(run)))
        .collect();
    let more = (shown.len() - citations.len()) as u64;
    // The empty list itself is cited: an answer without any citation counts as failed.
    if shown.is_empty() {
        citations.push(cite_log(
            desk,
            &findings.repository,
            format!("an empty list of runs at {}", findings.host),
        ));
    }
    let text = std::iter::once(verdict(findings))
        .chain(findings.notes.iter().cloned())
        .collect::<Vec<_>>()
        .join(" ");
    AnswerSection {
        text,
        citations,
        more,
        shown: PlaceForm::Listed,
        ..AnswerSection::default()
    }
}

/// Returns the sentence about all runs: a failed run counts most, then an unfinished and a stopped
/// one.
fn verdict(findings: &CiFindings) -> String {
    let runs = &findings.runs;
    let service = match findings.kind {
        ServiceKind::GitHub => "GitHub",
        ServiceKind::GitLab => "GitLab",
    };
    let at = format!(
        "{} ({service}, {})",
        findings.subject,
        quoted(&findings.repository)
    );
    let count = |state| {
        runs.iter()
            .filter(|run| run.standing.state == state)
            .count()
    };
    let all = runs.len();
    let of_all = |count: usize| {
        if all == 1 {
            "its only run".to_owned()
        } else {
            format!("{count} of {all} runs")
        }
    };
    match (
        count(CiState::Failed),
        count(CiState::Unfinished),
        count(CiState::Stopped),
        count(CiState::Passed),
    ) {
        _ if all == 0 => format!("No run was found of {at}; what there is:"),
        // There are runs, but none failed, passed, stopped or goes on: all were skipped.
        (0, 0, 0, 0) => format!(
            "CI ran nothing for {at}: {} skipped.",
            was(&of_all(all), all)
        ),
        (0, 0, 0, passed) => {
            let skipped = if passed < all {
                format!(
                    ", {} skipped",
                    was(&(all - passed).to_string(), all - passed)
                )
            } else {
                String::new()
            };
            // "Why did CI fail?" presumes a failure.
            let premise = if findings.asks == Asks::Why {
                "Nothing failed: "
            } else {
                ""
            };
            format!(
                "{premise}CI passed for {at}: {} passed{skipped}.",
                of_all(passed)
            )
        }
        (0, 0, stopped, _) => format!(
            "CI did not get through for {at}: {} stopped or {} for a person, which is not a pass.",
            was(&of_all(stopped), stopped),
            waits(stopped)
        ),
        (0, unfinished, ..) => {
            format!(
                "CI has not finished for {at}: {} still under way, which is not a pass.",
                are(&of_all(unfinished), unfinished)
            )
        }
        (failed, unfinished, ..) => {
            let rest = if unfinished > 0 {
                format!(
                    ", {} still under way",
                    are(&unfinished.to_string(), unfinished)
                )
            } else {
                String::new()
            };
            format!("CI failed for {at}: {} failed{rest}.", of_all(failed))
        }
    }
}

fn was(what: &str, count: usize) -> String {
    format!("{what} {}", if count == 1 { "was" } else { "were" })
}

fn are(what: &str, count: usize) -> String {
    format!("{what} {}", if count == 1 { "is" } else { "are" })
}

const fn waits(count: usize) -> &'static str {
    if count == 1 { "waits" } else { "wait" }
}

/// Returns the failing step of a run, and its log.
fn of_failure(desk: &AnswerDesk<'_, '_>, run: &CiRun, failure: &FailedRun) -> AnswerSection {
    let title = format!("{} failed", quoted(&run.workflow));
    // A workflow file with an error fails before it has a job.
    let Some(job) = failure.jobs.first() else {
        let text = "The service lists no job of it that failed: the run itself could not be started, which an error in the file of the workflow does.";
        let citations = vec![cite_log(desk, &run.page, describe(run))];
        return AnswerSection {
            title,
            text: text.to_owned(),
            citations,
            shown: PlaceForm::Listed,
            ..AnswerSection::default()
        };
    };
    let log = failure.log.as_ref();
    let read = match log {
        Some(Ok(log)) if log.excerpts.is_empty() => " Its log is empty.".to_owned(),
        Some(Ok(_)) | None => String::new(),
        Some(Err(error)) => format!(" Its log could not be read: {error}."),
    };
    let text = format!("{}{}{read}", failed_step(job), other_jobs(&failure.jobs));
    let citations = match log {
        Some(Ok(log)) if !log.excerpts.is_empty() => cite_excerpts(desk, job, log),
        Some(_) | None => vec![cite_log(
            desk,
            &job.page,
            format!("job {}: {}", quoted(&job.name), job.standing.word),
        )],
    };
    AnswerSection {
        title,
        text,
        citations,
        ..AnswerSection::default()
    }
}

fn failed_step(job: &CiJob) -> String {
    let reason = if job.reason.is_empty() {
        job.standing.word.clone()
    } else {
        job.reason.clone()
    };
    match &job.failed_step {
        Some(step) if !step.name.is_empty() => {
            format!(
                "The step {} of the job {} failed ({reason}).",
                quoted(&step.name),
                quoted(&job.name)
            )
        }
        Some(_) | None => format!("The job {} failed ({reason}).", quoted(&job.name)),
    }
}

fn other_jobs(jobs: &[CiJob]) -> String {
    let names: Vec<String> = jobs.iter().skip(1).map(|job| quoted(&job.name)).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" Also failed: {}.", names.join(", "))
    }
}

fn cite_excerpts(desk: &AnswerDesk<'_, '_>, job: &CiJob, log: &FoundLog) -> Vec<AnswerCitation> {
    let what = format!("log of the job {}", quoted(&job.name));
    let cite = |excerpt: &excerpt::Excerpt| AnswerCitation {
        cited: CitedPart::Lines(excerpt.clone()),
        ..cite_log(desk, &job.page, what.clone())
    };
    log.excerpts.iter().map(cite).collect()
}

/// Returns the places that the log names, as they are in the checkout now.
fn of_places(desk: &AnswerDesk<'_, '_>, run: &CiRun, failure: &FailedRun) -> AnswerSection {
    let (Some(Ok(log)), Some(job)) = (&failure.log, failure.jobs.first()) else {
        return AnswerSection::default();
    };
    let text = format!(
        "The log names these places; they are shown as in the checkout, the run was of commit {}:",
        short(&run.commit)
    );
    let cite = |place: &NamedPlace| cite_place(desk, place, job);
    let citations = log.places.iter().filter_map(cite).collect();
    AnswerSection {
        text,
        citations,
        ..AnswerSection::default()
    }
}

/// Cites a place that a log names, or returns `None` if the file has no such line.
fn cite_place(
    desk: &AnswerDesk<'_, '_>,
    place: &NamedPlace,
    job: &CiJob,
) -> Option<AnswerCitation> {
    let last = place.line.saturating_add(PLACE_LINES_MAX - 1);
    let excerpt = excerpt::read(
        desk.bench.checkout,
        &place.path,
        place.line,
        last,
        PLACE_LINES_MAX,
        desk.budget.limits.file_bytes_max,
    )?;
    Some(AnswerCitation {
        resource: Resource::File,
        path: place.path.clone(),
        cited: CitedPart::Lines(excerpt),
        evidence: evidence_at(desk, &job.page),
        what: format!("named by the log of the job {}", quoted(&job.name)),
        language: "",
    })
}
