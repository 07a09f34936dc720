//! build: builds the checkout with its own toolchain, if that was allowed.

use std::rc::Rc;

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, WantedRelation,
};

use crate::bench::Bench;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};
use crate::toolchains::{BuildReport, Choice, ToolchainFailure};

pub(super) struct Build;

/// Programs at the start of a command.
const COMMANDS: &[&str] = &[
    "cargo",
    "go",
    "make",
    "cmake",
    "ctest",
    "ninja",
    "meson",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "node",
    "python",
    "python3",
    "pytest",
    "tox",
    "nox",
    "mvn",
    "./mvnw",
    "gradle",
    "./gradlew",
];

static CARD: ToolCard = ToolCard {
    name: "build",
    about: "builds the project in a private copy",
    family: Family::Toolchain,
    offers: &[Offer {
        class: EvidenceClass::Build,
        kinds: &[],
        best: Match::TargetBuilt,
        relation: Relation::Unlabelled,
        cost: 50,
    }],
    after: None,
};

impl Tool for Build {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        _request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let (checkout, limits) = (bench.checkout, bench.limits);
        // The choice runs nothing, so a refusal can name the command.
        let choice = bench.workshop.choice(checkout, limits)?;
        if !bench.means.may_run {
            let command = choice.toolchain.commands(checkout, &choice.folder).0;
            return Err(not_allowed("a build", &command, &bench.enquiry.question));
        }
        let asked = asked(bench)?;
        let without_sandbox = bench.means.may_run_without_sandbox;
        let work = &mut bench.workshop;
        let mut report = work.work(checkout, limits, without_sandbox, |choice, site| {
            choice.toolchain.build(site)
        })?;
        report.narrow(&asked);
        let observation = observation(&choice, &report);
        bench.workshop.build = Some(Rc::new(report));
        Ok(vec![observation])
    }
}

/// Returns what of the project the question asks for. A path that does not exist is neither built
/// nor tested.
pub(super) fn asked(bench: &Bench<'_>) -> Result<Vec<QuestionTarget>, ToolError> {
    let is_a_part = |target: &&QuestionTarget| !is_all(target) && !is_command(target);
    let asked: Vec<QuestionTarget> = bench
        .enquiry
        .executed
        .iter()
        .filter(is_a_part)
        .cloned()
        .collect();
    let is_missing = |target: &&QuestionTarget| {
        target.kind == TargetKind::Path && !is_there(bench, &target.text)
    };
    match asked.iter().find(is_missing) {
        Some(missing) => Err(ToolError::refused(
            Obstacle::RunNothing,
            format!("there is no `{}` in the checkout", missing.text),
        )),
        None => Ok(asked),
    }
}

/// Reports whether a path means the whole project: `./` and `./...` do.
fn is_all(target: &QuestionTarget) -> bool {
    target.kind == TargetKind::Path
        && target
            .text
            .chars()
            .all(|letter| matches!(letter, '.' | '/'))
}

/// Reports whether a target is a quoted command, which says how to run and not what.
fn is_command(target: &QuestionTarget) -> bool {
    let mut words = target.text.split_whitespace();
    // `make` alone may be the name of a part, but `make test` is a command.
    words.next().is_some_and(|first| COMMANDS.contains(&first)) && words.next().is_some()
}

fn is_there(bench: &Bench<'_>, path: &str) -> bool {
    let path = RepoPath::relative(std::path::Path::new(path.trim_end_matches('/')));
    path.is_some_and(|path| {
        bench
            .checkout
            .root()
            .join(path.as_path())
            .symlink_metadata()
            .is_ok()
    })
}

/// Returns the refusal without the permission to run anything, with the command that gives it.
pub(super) fn not_allowed(what: &str, command: &str, question: &str) -> ToolError {
    // The question goes between single quotes of a shell.
    let question = question.replace('\'', "'\\''");
    ToolError::refused(
        Obstacle::RunNotAllowed,
        format!(
            "{what} would run code of the repository, which was not allowed; `grounds ask --run '{question}'` would run `{command}`"
        ),
    )
}

/// Returns the evidence of a build.
pub(super) fn observation(choice: &Choice, report: &BuildReport) -> Observation {
    let found = match (&report.failure, report.built, report.is_target) {
        (Some(_), ..) => Match::BuildFailed,
        (None, 0, _) => Match::NothingBuilt,
        (None, _, false) => Match::OtherBuilt,
        (None, _, true) => Match::TargetBuilt,
    };
    let sources = sources(choice, report.failure.as_slice());
    let count = if report.failure.is_some() {
        1
    } else {
        report.built
    };
    let base = CARD.observation(EvidenceClass::Build, &project());
    Observation {
        found,
        query: report.command.clone(),
        match_count: count,
        exact_match_count: count,
        sources,
        ..base
    }
}

/// Returns the project as a whole.
pub(super) fn project() -> QuestionTarget {
    QuestionTarget {
        text: String::new(),
        kind: TargetKind::Path,
        wanted: WantedRelation::Occurrence,
    }
}

/// Returns the places of failures, or else the manifest.
pub(super) fn sources(choice: &Choice, failures: &[ToolchainFailure]) -> Vec<ObservationSource> {
    let places = failures.iter().filter_map(|failure| failure.place.as_ref());
    let sources: Vec<ObservationSource> = places
        .map(|(path, line)| ObservationSource::lines(path, *line, *line))
        .collect();
    if sources.is_empty() {
        vec![ObservationSource::whole(choice.manifest.as_str())]
    } else {
        sources
    }
}
