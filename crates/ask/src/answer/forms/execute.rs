//! Execute: whether it builds and its tests pass, by a run that was made for this answer; after a
//! failure, its first place in the code.

use grounds_evidence::{EntryId, EvidenceClass, Rating};
use grounds_repo::excerpt;
use grounds_repo::toolchains::{BuildReport, TestReport, ToolchainFailure};

use crate::answer::citation::{AnswerCitation, CitedPart, Resource, on_one_line};
use crate::answer::{AnswerDesk, AnswerSection};

/// Failures of tests that are cited.
const FAILURES_MAX: usize = 5;
/// Lines above and below a failing line that are shown.
const LINES_AROUND: u32 = 2;
/// Lines of a message that are shown.
const MESSAGE_LINES_MAX: usize = 8;

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let (build, test) = (
        desk.bench.workshop.build.clone(),
        desk.bench.workshop.test.clone(),
    );
    let mut sections = Vec::new();
    if let Some(build) = &build {
        sections.push(of_build(desk, build));
    }
    if let Some(test) = &test {
        sections.push(of_test(desk, test));
    }
    if let Some(last) = sections.last_mut() {
        last.text = format!("{}\n\n{}", last.text, surroundings(desk));
    }
    sections
}

fn of_build(desk: &AnswerDesk<'_, '_>, report: &BuildReport) -> AnswerSection {
    let evidence = evidence(desk, EvidenceClass::Build);
    let run = run(&report.command, "the build", evidence.clone());
    let (text, citations) = match &report.failure {
        None if is_shown(desk, EvidenceClass::Build) => (
            format!(
                "It builds: {} built in this run.",
                counted(report.built, report.unit)
            ),
            vec![run],
        ),
        None => (
            format!(
                "Whether it builds is not shown: {} built in this run.",
                counted(report.built, report.unit)
            ),
            vec![run],
        ),
        Some(failure) => {
            // A failure without a name begins with a line break, after the space of this sentence.
            let text = format!("It does not build: {}", of_failure(failure)).replace(": \n", ":\n");
            (
                text,
                place(desk, failure, &evidence)
                    .into_iter()
                    .chain([run])
                    .collect(),
            )
        }
    };
    AnswerSection {
        text: with_notes(text, &report.notes),
        citations,
        ..AnswerSection::default()
    }
}

fn of_test(desk: &AnswerDesk<'_, '_>, report: &TestReport) -> AnswerSection {
    let evidence = evidence(desk, EvidenceClass::Test);
    let counts = report.counts();
    // The first letter is added below: it is a capital only at the beginning of a sentence.
    let tests = if report.about.is_empty() {
        "he tests".to_owned()
    } else {
        format!("he tests of {}", on_one_line(&report.about))
    };
    let text = match report.failures.first() {
        Some(first) => format!(
            "T{tests} fail: {counts}. First failure: {}",
            of_failure(first)
        ),
        None if report.failed > 0 => format!("T{tests} fail: {counts}."),
        // One test that passed beside 99 that were skipped does not show that the tests pass.
        None if report.passed > 0 && report.is_whole() => format!("T{tests} pass: {counts}."),
        None if report.passed > 0 => {
            format!("Not all of t{tests} are known to pass, those that ran do: {counts}.")
        }
        None => format!("Whether t{tests} pass is not shown: {counts}."),
    };
    // Several tests may fail at one line of a helper, which is cited once.
    let mut citations: Vec<AnswerCitation> = Vec::new();
    for citation in report
        .failures
        .iter()
        .take(FAILURES_MAX)
        .filter_map(|failure| place(desk, failure, &evidence))
    {
        if !citations
            .iter()
            .any(|known| known.path == citation.path && known.cited == citation.cited)
        {
            citations.push(citation);
        }
    }
    citations.push(run(&report.command, "the tests", evidence));
    let more = report.failed.saturating_sub(FAILURES_MAX as u64);
    AnswerSection {
        text: with_notes(text, &report.notes),
        citations,
        more,
        ..AnswerSection::default()
    }
}

/// Reports whether the run showed what was asked. A run of nothing, or of something else, did not.
fn is_shown(desk: &AnswerDesk<'_, '_>, class: EvidenceClass) -> bool {
    desk.ledger
        .about(class, "")
        .any(|(_, entry)| entry.rating() >= Rating::Strong)
}

fn evidence(desk: &AnswerDesk<'_, '_>, class: EvidenceClass) -> Vec<EntryId> {
    desk.ledger.about(class, "").map(|(id, _)| id).collect()
}

fn with_notes(text: String, notes: &[String]) -> String {
    notes.iter().fold(text, |text, note| {
        format!("{text}\n({})", on_one_line(note))
    })
}

fn run(command: &str, what: &str, evidence: Vec<EntryId>) -> AnswerCitation {
    let what = format!("{what}, run for this answer");
    AnswerCitation {
        resource: Resource::Run,
        path: command.to_owned(),
        cited: CitedPart::Whole,
        evidence,
        what,
        language: "",
    }
}

/// Returns the name and the message of a failure, quoted: they come from the code that was run.
fn of_failure(failure: &ToolchainFailure) -> String {
    let name = if failure.name.is_empty() {
        String::new()
    } else {
        // A backtick in the name would end the quotation.
        format!("`{}`", on_one_line(&failure.name.replace('`', "'")))
    };
    let nowhere = if failure.place.is_some() {
        ""
    } else {
        " (no place in the checkout is named)"
    };
    let lines = failure
        .message
        .lines()
        .filter(|line| !line.trim().is_empty());
    let said: String = lines
        .take(MESSAGE_LINES_MAX)
        .map(|line| format!("\n    {}", line.trim_end()))
        .collect();
    format!("{name}{nowhere}{said}")
        .trim_start_matches(' ')
        .to_owned()
}

/// Cites the failing line with a few around it.
fn place(
    desk: &AnswerDesk<'_, '_>,
    failure: &ToolchainFailure,
    evidence: &[EntryId],
) -> Option<AnswerCitation> {
    let (path, line) = failure.place.as_ref()?;
    let (first, last) = (
        line.saturating_sub(LINES_AROUND).max(1),
        line.saturating_add(LINES_AROUND),
    );
    let read = |first, last| {
        excerpt::read(
            desk.bench.checkout,
            path,
            first,
            last,
            desk.budget.excerpt_lines_max,
            desk.budget.limits.file_bytes_max,
        )
    };
    // A failing line may not exist in the file on disk, and the file is still worth citing.
    let excerpt = read(first, last).or_else(|| read(1, 1))?;
    let what = format!(
        "line {line}: {}",
        failure
            .message
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
    );
    Some(AnswerCitation {
        resource: Resource::File,
        path: path.clone(),
        cited: CitedPart::Lines(excerpt),
        evidence: evidence.to_vec(),
        what,
        language: "",
    })
}

/// Returns the sentence about what was run, where, and whether in a sandbox.
fn surroundings(desk: &AnswerDesk<'_, '_>) -> String {
    let workshop = &desk.bench.workshop;
    let walls = match workshop.is_sandboxed() {
        true => "Run in a private copy, in a sandbox without a network.",
        false => {
            "Run in a private copy WITHOUT A SANDBOX, which `run_without_sandbox` accepts: what ran could read, write and send \
             whatever you can."
        }
    };
    format!("{}. {walls}", workshop.why())
}

/// "1 target", "14 targets".
fn counted(count: u64, unit: &str) -> String {
    if count == 1 {
        format!("1 {}", unit.strip_suffix('s').unwrap_or(unit))
    } else {
        format!("{count} {unit}")
    }
}
