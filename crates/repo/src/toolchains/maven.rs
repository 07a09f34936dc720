//! Maven, offline: what was built by the class files that were made, tests by
//! the reports of surefire.

use std::path::Path;

use super::{
    BuildReport, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, java, refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::process::ProgramEnd;
use crate::tool::ToolError;

pub(super) struct Maven;

/// Maximum number of lines of an error message that are shown.
const COMPLAINT_LINES_MAX: usize = 3;

static SHEET: Sheet = Sheet {
    name: "maven",
    manifests: &["pom.xml"],
    languages: &["Java", "Kotlin", "Scala"],
    brought: &[],
    seen: &[],
};

impl Toolchain for Maven {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (
            "mvn --offline test-compile".to_owned(),
            "mvn --offline test".to_owned(),
        )
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        java::build(
            site,
            "mvn --offline test-compile",
            &|| run(site, &["test-compile"]),
            failure,
        )
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        let ended = run(site, &["--fail-at-end", "test"])?;
        java::test(
            site,
            "mvn --offline test",
            ("surefire-reports", &ended),
            failure,
        )
    }
}

/// Runs Maven with a private home that reads the person's repository of artifacts.
fn run(site: &ToolchainSite<'_>, goals: &[&str]) -> Result<ProgramEnd, ToolError> {
    let environment = java::environment(site);
    let repository = environment.real_folder("MAVEN_REPOSITORY", ".m2/repository");
    let repository = repository.unwrap_or_else(|| site.out("m2"));
    let option = format!("-Dmaven.repo.local={}", repository.display());
    let words = [
        "mvn",
        "--offline",
        "--batch-mode",
        "--no-transfer-progress",
        &option,
        // Otherwise Maven refuses artifacts that came from a repository which is not configured
        // here.
        "-Daether.enhancedLocalRepository.trackingFilename=none",
    ];
    site.run(
        &environment,
        &words.iter().chain(goals).copied().collect::<Vec<&str>>(),
    )
}

/// Returns a failure of the code if a place in the code is named. Anything else is something that
/// Maven lacks offline.
fn failure(site: &ToolchainSite<'_>, ended: &ProgramEnd) -> Result<ToolchainFailure, ToolError> {
    let said = ended.said();
    // Maven names files by their full path.
    match site.first_error(&said, Path::new("/")) {
        Some((place, message)) => Ok(ToolchainFailure::new("", Some(place), &message)),
        None => {
            let errors = said
                .lines()
                .filter_map(|line| line.strip_prefix("[ERROR] "))
                .filter(|line| !line.trim().is_empty());
            let error = errors
                .take(COMPLAINT_LINES_MAX)
                .collect::<Vec<_>>()
                .join(" ");
            refuse(
                Obstacle::RunNotBegun,
                format!(
                    "Maven ended with {} and names no place in the code: {}",
                    ended.code(),
                    site.shown(&error)
                ),
            )
        }
    }
}
