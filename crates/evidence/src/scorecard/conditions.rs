//! The rows of the scorecard's table, and which of them a category reached.
//! The best row counts, so that the order and the number of calls do not.

use std::collections::BTreeSet;

use super::convergence::name_of;
use super::{Category, results};
use crate::class::EvidenceClass;
use crate::ledger::{Ledger, LedgerEntry};
use crate::level::Rating;
use crate::observation::{Match, Observation};

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// No row was reached.
    Nothing,
    /// search: one of find, grep and references returned results.
    SearchOne,
    /// search: two of them for the same target.
    SearchTwo,
    /// search: all three for the same target.
    SearchThree,
    /// read: a file, without results of a search.
    ReadAlone,
    /// read: a file, and a search returned results.
    ReadConfirmed,
    /// read: three files or more on targets for which a search returned results.
    ReadBroadly,
    /// discovery: none or one of the four factors.
    DiscoveryMinimal,
    /// discovery: two factors.
    DiscoveryPartial,
    /// discovery: three factors.
    DiscoveryGood,
    /// discovery: all four factors.
    DiscoveryFull,
    /// verification: the build failed.
    BuildFailed,
    /// verification: tests failed.
    TestsFailed,
    /// verification: the build passed.
    BuildPassed,
    /// verification: build and tests passed.
    BuildAndTestsPassed,
    /// git: it returned results.
    History,
    /// ci: runs or the log of what was asked for.
    CiComplete,
}

/// The tools that the table counts as search. An index is not among them: the source document has
/// no such tool.
const SEARCH_TOOLS: [&str; 3] = ["find", "grep", "references"];
/// Number of files from which reading is broad.
const BROAD_FILES: usize = 3;

/// Returns the best row that a category reached.
pub(super) fn reached(category: Category, ledger: &Ledger) -> Condition {
    match category {
        Category::Search => search(ledger),
        Category::Read => read(ledger),
        Category::Discovery => discovery(ledger),
        Category::Verification => verification(ledger),
        Category::Git => any(ledger, EvidenceClass::GitLog, |_| true, Condition::History),
        Category::Ci => any(
            ledger,
            EvidenceClass::CiWorkflow,
            is_complete_ci,
            Condition::CiComplete,
        ),
    }
}

fn any(
    ledger: &Ledger,
    class: EvidenceClass,
    counts: fn(Match) -> bool,
    condition: Condition,
) -> Condition {
    let reached = results(ledger).any(|seen| seen.class == class && counts(seen.found));
    if reached {
        condition
    } else {
        Condition::Nothing
    }
}

const fn is_complete_ci(found: Match) -> bool {
    matches!(found, Match::MatchingRuns | Match::MatchingRunLog)
}

/// Returns the results of the search tools.
fn searched(ledger: &Ledger) -> impl Iterator<Item = &Observation> {
    results(ledger)
        .filter(|seen| seen.class == EvidenceClass::FileSearch && SEARCH_TOOLS.contains(&seen.tool))
}

fn search(ledger: &Ledger) -> Condition {
    let tools_for = |target: &Option<String>| {
        let same = searched(ledger).filter(|seen| name_of(&seen.target) == *target);
        same.map(|seen| seen.tool).collect::<BTreeSet<&str>>().len()
    };
    let most = searched(ledger)
        .map(|seen| name_of(&seen.target))
        // Searches without a target have nothing in common, so they do not confirm each other.
        .filter(Option::is_some)
        .map(|target| tools_for(&target))
        .max();
    match most {
        Some(3..) => Condition::SearchThree,
        Some(2) => Condition::SearchTwo,
        _ if searched(ledger).next().is_some() => Condition::SearchOne,
        _ => Condition::Nothing,
    }
}

fn read(ledger: &Ledger) -> Condition {
    let reads = || results(ledger).filter(|seen| seen.class == EvidenceClass::FileContent);
    // A file counts toward broad reading only if a search had results for the same target.
    let targets: BTreeSet<String> = searched(ledger)
        .filter_map(|seen| name_of(&seen.target))
        .collect();
    let related = reads()
        .filter(|seen| name_of(&seen.target).is_some_and(|target| targets.contains(&target)));
    let files: BTreeSet<&str> = related
        .flat_map(|seen| &seen.sources)
        .map(|source| source.path.as_str())
        .collect();
    match (reads().next().is_some(), searched(ledger).next().is_some()) {
        (false, _) => Condition::Nothing,
        (true, false) => Condition::ReadAlone,
        (true, true) if files.len() >= BROAD_FILES => Condition::ReadBroadly,
        (true, true) => Condition::ReadConfirmed,
    }
}

/// Counts the four factors: the type of the project, its source files, its tests, and that the
/// scans agree about it.
fn discovery(ledger: &Ledger) -> Condition {
    let entries = || {
        ledger
            .entries()
            .iter()
            .filter(|entry| entry.observation.class == EvidenceClass::Discovery)
    };
    // Without any scan the category is empty, which is less than a scan that knows nothing.
    if entries().next().is_none() {
        return Condition::Nothing;
    }
    let saw = |matches: &[Match]| entries().any(|entry| matches.contains(&entry.observation.found));
    let agrees = |entry: &LedgerEntry| {
        entries().any(|other| are_two_scans_of_one_place(&entry.observation, &other.observation))
    };
    // Richer matches include the poorer ones: a scan with the full metadata knows the type too.
    let factors = [
        saw(&[Match::ProjectTypeKnown, Match::FullMetadata]),
        saw(&[
            Match::ScanOutput,
            Match::ProjectTypeKnown,
            Match::FullMetadata,
        ]),
        saw(&[Match::FullMetadata]),
        entries().any(agrees),
    ];
    match factors.into_iter().filter(|factor| *factor).count() {
        0 | 1 => Condition::DiscoveryMinimal,
        2 => Condition::DiscoveryPartial,
        3 => Condition::DiscoveryGood,
        _ => Condition::DiscoveryFull,
    }
}

fn are_two_scans_of_one_place(one: &Observation, other: &Observation) -> bool {
    one.family != other.family
        && one
            .sources
            .iter()
            .any(|source| other.sources.iter().any(|place| source.overlaps(place)))
}

/// Returns the row of builds and tests. A build with nothing to do has not failed, and a run
/// without tests passes nothing.
fn verification(ledger: &Ledger) -> Condition {
    let of = |class| {
        ledger
            .entries()
            .iter()
            .filter(move |entry: &&LedgerEntry| entry.observation.class == class)
    };
    let saw = |class, matches: &[Match]| {
        of(class).any(|entry| matches.contains(&entry.observation.found))
    };
    // What did not run at all has failed, too.
    let failed = |class| {
        let is_failure = |found| matches!(found, Match::BuildFailed | Match::TestsFailed);
        of(class).any(|entry| entry.rating() == Rating::None || is_failure(entry.observation.found))
    };
    let built = saw(
        EvidenceClass::Build,
        &[Match::TargetBuilt, Match::OtherBuilt, Match::NothingBuilt],
    );
    let tests_passed = saw(EvidenceClass::Test, &[Match::AllRelevantTestsPassed]);
    // The best row that applies counts, so the better rows come first.
    match () {
        () if built && tests_passed => Condition::BuildAndTestsPassed,
        () if saw(EvidenceClass::Test, &[Match::TestsFailed]) => Condition::TestsFailed,
        () if built || tests_passed => Condition::BuildPassed,
        () if saw(EvidenceClass::Test, &[Match::SomeTestsPassed])
            || failed(EvidenceClass::Test) =>
        {
            Condition::TestsFailed
        }
        () if failed(EvidenceClass::Build) => Condition::BuildFailed,
        () => Condition::Nothing,
    }
}

impl Condition {
    /// Every row, in the order of the table.
    pub const ALL: [Self; 17] = [
        Self::SearchOne,
        Self::SearchTwo,
        Self::SearchThree,
        Self::ReadAlone,
        Self::ReadConfirmed,
        Self::ReadBroadly,
        Self::DiscoveryMinimal,
        Self::DiscoveryPartial,
        Self::DiscoveryGood,
        Self::DiscoveryFull,
        Self::BuildFailed,
        Self::TestsFailed,
        Self::BuildPassed,
        Self::BuildAndTestsPassed,
        Self::History,
        Self::CiComplete,
        Self::Nothing,
    ];

    /// Returns the score of the row, in hundredths.
    pub const fn score_hundredths(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::SearchOne => 65,
            Self::SearchTwo => 80,
            Self::SearchThree => 92,
            Self::ReadAlone => 55,
            Self::ReadConfirmed => 80,
            Self::ReadBroadly => 88,
            Self::DiscoveryMinimal => 20,
            Self::DiscoveryPartial => 50,
            Self::DiscoveryGood => 70,
            Self::DiscoveryFull => 85,
            Self::BuildFailed => 15,
            Self::TestsFailed => 30,
            Self::BuildPassed => 80,
            Self::BuildAndTestsPassed => 93,
            Self::History => 75,
            Self::CiComplete => 80,
        }
    }

    /// Returns the row in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing was reached",
            Self::SearchOne => "one of find, grep and references returned results",
            Self::SearchTwo => "two of find, grep and references returned results for one target",
            Self::SearchThree => "find, grep and references returned results for one target",
            Self::ReadAlone => "a file was read, no search confirms it",
            Self::ReadConfirmed => "a file was read, and a search returned results",
            Self::ReadBroadly => "three or more files were read on targets that a search found",
            Self::DiscoveryMinimal => "at most 1 of 4 factors is known",
            Self::DiscoveryPartial => "2 of 4 factors are known",
            Self::DiscoveryGood => "3 of 4 factors are known",
            Self::DiscoveryFull => "all 4 factors are known",
            Self::BuildFailed => "the build failed",
            Self::TestsFailed => "tests failed",
            Self::BuildPassed => "the build passed",
            Self::BuildAndTestsPassed => "the build and the tests passed",
            Self::History => "the history returned results",
            Self::CiComplete => "runs or the log of what was asked for",
        }
    }
}
