//! The toolchains that build and test a checkout, one file each, and what they
//! report.
//!
//! Found by their manifests; their results are read from structured output
//! (JSON messages, JUnit, file APIs, the files that were made), never by looking
//! for a word in a log. A toolchain reports facts; nothing here rates them.

mod cargo;
mod cmake;
mod go;
mod gradle;
mod java;
mod junit;
mod lacking;
mod made;
mod make;
mod maven;
mod meson;
mod npm;
mod part;
mod place;
mod pytest;
mod site;
mod workshop;

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::tool::ToolError;
use crate::tools::{self, Project};

#[doc(hidden)]
pub use junit::count as count_junit;
pub use part::{BuiltPart, PARTS_MAX, TestVerdict};
pub use site::ToolchainSite;
pub use workshop::Workshop;

/// Every toolchain. Among several at one place, the one whose languages most of the code is written
/// in is chosen.
pub static ALL: &[&dyn Toolchain] = &[
    &cargo::Cargo,
    &go::Go,
    &cmake::CMake,
    &meson::Meson,
    &maven::Maven,
    &gradle::Gradle,
    &npm::Npm,
    &pytest::Pytest,
    &make::Make,
];

/// Failures that are kept of one run; all are counted.
pub const FAILURES_MAX: usize = 20;
/// Bytes of one failure's message.
pub const MESSAGE_BYTES_MAX: usize = 2 << 10;

/// What is known of a toolchain without running it.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Its name.
    pub name: &'static str,
    /// The files that it is known by.
    pub manifests: &'static [&'static str],
    /// The languages that it builds.
    pub languages: &'static [&'static str],
    /// Ignored folders that it cannot work without and that no run makes. They are shown to it
    /// unchanged.
    pub brought: &'static [&'static str],
    /// Ignored folders of programs and libraries that are used at their own path.
    pub seen: &'static [&'static str],
}

/// A way to build and test a checkout.
pub trait Toolchain: Sync {
    /// Returns what is known of it without running it.
    fn sheet(&self) -> &'static Sheet;

    /// Returns the commands that would build and test, as a person would write them.
    fn commands(&self, checkout: &Checkout, folder: &str) -> (String, String);

    /// Builds the checkout.
    ///
    /// # Errors
    /// [`ToolError`] if something that is no fault of the code kept it from building.
    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError>;

    /// Runs the tests.
    ///
    /// # Errors
    /// [`ToolError`] if something that is no fault of the code kept it from testing.
    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError>;

    /// Builds what the tests need, if it is not built yet. Returns a report if that fails.
    ///
    /// # Errors
    /// [`ToolError`] as of [`Self::build`].
    fn unbuilt(&self, site: &ToolchainSite<'_>) -> Result<Option<TestReport>, ToolError> {
        if site.is_built()? {
            return Ok(None);
        }
        let built = self.build(site)?;
        Ok(built.failure.is_some().then(|| TestReport {
            command: built.command,
            unbuilt: built.failure,
            ..TestReport::default()
        }))
    }
}

impl std::fmt::Debug for dyn Toolchain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sheet().name)
    }
}

/// One thing that failed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ToolchainFailure {
    /// The test or the target; empty if it has no name.
    pub name: String,
    /// The place in the checkout, as path and line; `None` if none was named.
    pub place: Option<(String, u32)>,
    /// The message, within [`MESSAGE_BYTES_MAX`].
    pub message: String,
}

/// The result of a build.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BuildReport {
    /// The command that was run.
    pub command: String,
    /// Number of units of the project that were built in this run.
    pub built: u64,
    /// Whether they are the project's own targets, and not something beside them.
    pub is_target: bool,
    /// What is counted: "targets", "packages".
    pub unit: &'static str,
    /// Its first failure; `None` if it succeeded.
    pub failure: Option<ToolchainFailure>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// What was built, as far as the toolchain says so.
    pub parts: Vec<BuiltPart>,
}

/// The result of a test run.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TestReport {
    /// The command that was run.
    pub command: String,
    /// Tests that ran and passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that were skipped.
    pub skipped: u64,
    /// Tests that failed as their author expects of them.
    pub expected_failures: u64,
    /// Tests that the project's own configuration left out of the run.
    pub deselected: u64,
    /// The first failures.
    pub failures: Vec<ToolchainFailure>,
    /// Parts of the tests whose results could not be counted.
    pub uncounted: u64,
    /// The failure of the build before a test could run; `None` if it succeeded.
    pub unbuilt: Option<ToolchainFailure>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// The tests that ran, as far as the runner names them, within [`PARTS_MAX`].
    pub parts: Vec<(BuiltPart, TestVerdict)>,
    /// The requested tests; empty for all.
    pub about: String,
}

/// The toolchain that was chosen, and why.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The toolchain.
    pub toolchain: &'static dyn Toolchain,
    /// The manifest that it was found by.
    pub manifest: RepoPath,
    /// The folder of the manifest; empty for the top.
    pub folder: String,
    /// Why this one, in words.
    pub why: String,
}

/// Returns the toolchain of a checkout: that of the highest manifest, and among several there the
/// one of most of the code.
pub fn choose(checkout: &Checkout, limits: &Limits) -> Option<Choice> {
    let project = tools::project(checkout, limits);
    let depth = |path: &RepoPath| path.as_str().matches('/').count();
    let extra = EXTRA_MANIFESTS
        .iter()
        .filter(|name| checkout.root().join(name).is_file());
    let extra = extra.filter_map(|name| RepoPath::relative(std::path::Path::new(name)));
    let manifests = project.manifests.iter().cloned().chain(extra);
    let mut found: Vec<(RepoPath, &'static dyn Toolchain)> = manifests
        .filter_map(|path| of_manifest(&path).map(|toolchain| (path, toolchain)))
        .collect();
    found.sort_by_key(|(path, toolchain)| {
        // A Makefile often only calls another toolchain, so it comes last even if most of the code
        // is in C.
        let is_make = toolchain.sheet().name == "make";
        (
            depth(path),
            is_make,
            std::cmp::Reverse(files_of(&project, *toolchain)),
            // Without a difference the order of `ALL` decides: `pom.xml` before `build.gradle`.
            rank(*toolchain),
        )
    });
    let (manifest, toolchain) = found.first()?.clone();
    let rivals = found
        .iter()
        .filter(|(path, _)| depth(path) == depth(&manifest));
    let rivals = rivals.map(|(_, other)| other.sheet().name).collect();
    let path = manifest.as_str();
    let why = why(toolchain.sheet().name, path, rivals);
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.to_owned();
    Some(Choice {
        toolchain,
        manifest,
        folder,
        why,
    })
}

/// Says why a toolchain was chosen for a manifest, and before which others.
fn why(name: &str, path: &str, mut rivals: Vec<&str>) -> String {
    rivals.dedup();
    rivals.retain(|rival| *rival != name);
    let beside = match rivals.is_empty() {
        true => String::new(),
        false => format!(", before {}", rivals.join(" and ")),
    };
    format!("{name} was taken for `{path}`{beside}")
}

/// Manifests at the top that the description of the project does not list.
const EXTRA_MANIFESTS: &[&str] = &[
    "pytest.ini",
    "tox.ini",
    "noxfile.py",
    "GNUmakefile",
    "makefile",
    "settings.gradle",
    "settings.gradle.kts",
];

fn of_manifest(path: &RepoPath) -> Option<&'static dyn Toolchain> {
    ALL.iter()
        .copied()
        .find(|toolchain| toolchain.sheet().manifests.contains(&path.file_name()))
}

fn files_of(project: &Project, toolchain: &dyn Toolchain) -> u64 {
    toolchain
        .sheet()
        .languages
        .iter()
        .filter_map(|name| project.languages.get(name))
        .sum()
}

fn rank(toolchain: &dyn Toolchain) -> usize {
    ALL.iter()
        .position(|other| other.sheet().name == toolchain.sheet().name)
        .unwrap_or(ALL.len())
}

impl ToolchainFailure {
    /// Returns a failure with its message truncated to its bound.
    pub fn new(name: impl Into<String>, place: Option<(String, u32)>, message: &str) -> Self {
        let end = message.floor_char_boundary(MESSAGE_BYTES_MAX);
        Self {
            name: name.into(),
            place,
            message: message[..end].trim_end().to_owned(),
        }
    }

    /// Returns what failed, as a part of the run.
    pub fn part(&self) -> BuiltPart {
        BuiltPart::new(
            self.name.clone(),
            self.place.as_ref().map_or("", |(path, _)| path),
        )
    }
}

impl TestReport {
    /// Counts a test that passed.
    pub fn pass(&mut self, part: BuiltPart) {
        self.passed += 1;
        self.know(part, TestVerdict::Passed);
    }

    /// Counts a test that was skipped.
    pub fn skip(&mut self, part: BuiltPart) {
        self.skipped += 1;
        self.know(part, TestVerdict::Skipped);
    }

    /// Counts a test that failed as its author expects.
    pub fn fail_as_expected(&mut self, part: BuiltPart) {
        self.expected_failures += 1;
        self.know(part, TestVerdict::ExpectedFailure);
    }

    /// Counts a test that was left out of the run.
    pub fn deselect(&mut self, part: BuiltPart) {
        self.deselected += 1;
        self.know(part, TestVerdict::Deselected);
    }

    /// Reports whether every test is known to have run, with a result that says whether the code is
    /// right.
    pub const fn is_whole(&self) -> bool {
        self.uncounted == 0
            && self.skipped == 0
            && self.expected_failures == 0
            && self.deselected == 0
    }

    /// Describes the results of the tests. Expected failures and tests that were left out are
    /// listed if there are any.
    pub fn counts(&self) -> String {
        let mut counts = format!(
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        );
        if self.expected_failures > 0 {
            counts += &format!(", {} failed as expected", self.expected_failures);
        }
        if self.deselected > 0 {
            counts += &format!(", {} deselected", self.deselected);
        }
        counts
    }

    /// Returns the number of all known tests, whether they ran or not.
    pub const fn total(&self) -> u64 {
        self.passed + self.failed + self.skipped + self.expected_failures + self.deselected
    }

    /// Keeps the name of a test, while there is room.
    fn know(&mut self, part: BuiltPart, verdict: TestVerdict) {
        if self.parts.len() < PARTS_MAX {
            self.parts.push((part, verdict));
        }
    }

    /// Counts a failure, and keeps it while there is room.
    pub fn fail(&mut self, failure: ToolchainFailure) {
        self.failed += 1;
        self.know(failure.part(), TestVerdict::Failed);
        if self.failures.len() < FAILURES_MAX {
            self.failures.push(failure);
        }
    }

    /// Counts a failure if the runner ended badly and lists none. If it ended well and lists one, a
    /// note says so.
    pub fn agree_with(&mut self, code: i32, said: &str) {
        if code != 0 && self.failed == 0 && self.unbuilt.is_none() {
            let tail: String = said
                .lines()
                .rev()
                .take(10)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect::<Vec<_>>()
                .join("\n");
            self.fail(ToolchainFailure::new(
                "",
                None,
                &format!("the runner ended with {code}, though it lists no failure: {tail}"),
            ));
        }
        // The report is believed: a script may end with 0 whatever its tests do.
        if code == 0 && self.failed > 0 {
            self.notes
                .push("the runner ended with 0 although failures are in its report".to_owned());
        }
    }
}

/// Refuses, with the reason why something could not be shown.
fn refuse<T>(obstacle: Obstacle, why: impl Into<String>) -> Result<T, ToolError> {
    Err(ToolError::refused(obstacle, why))
}

#[cfg(test)]
mod tests;
