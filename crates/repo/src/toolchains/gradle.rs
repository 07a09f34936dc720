//! Gradle, offline: what was built by the files that were made, tests by the
//! XML reports of its test tasks.

use super::{
    BuildReport, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, java, refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::process::ProgramEnd;
use crate::tool::ToolError;

pub(super) struct Gradle;

const OPTIONS: &[&str] = &["--offline", "--no-daemon", "--console=plain", "--continue"];

static SHEET: Sheet = Sheet {
    name: "gradle",
    manifests: &[
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ],
    languages: &["Java", "Kotlin", "Scala"],
    brought: &[],
    seen: &[],
};

impl Toolchain for Gradle {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (
            "gradle --offline testClasses".to_owned(),
            "gradle --offline test".to_owned(),
        )
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        java::build(
            site,
            "gradle --offline testClasses",
            &|| run(site, "testClasses"),
            failure,
        )
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        let ended = run(site, "test")?;
        java::test(
            site,
            "gradle --offline test",
            ("test-results", &ended),
            failure,
        )
    }
}

/// Runs Gradle with a private home that reads the person's cache of dependencies.
fn run(site: &ToolchainSite<'_>, task: &str) -> Result<ProgramEnd, ToolError> {
    let mut environment = java::environment(site);
    let home = site.out("gradle-home");
    let real = environment.real_folder("GRADLE_USER_HOME", ".gradle");
    let wrapper = real
        .as_ref()
        .map(|real| real.join("wrapper"))
        .filter(|folder| folder.is_dir());
    if let Some(wrapper) = &wrapper {
        let _ = site.link(wrapper, &home.join("wrapper"));
    }
    environment.set("GRADLE_USER_HOME", &home);
    if let Some(caches) = real
        .map(|real| real.join("caches"))
        .filter(|folder| folder.is_dir())
    {
        // Gradle writes to the cache in its home. The one that this variable names is only read.
        environment.set("GRADLE_RO_DEP_CACHE", caches);
    }
    let own = site.tree().join("gradlew");
    // Without its distribution the wrapper would try to download one.
    let has_distribution =
        wrapper.is_some_and(|wrapper| wrapper.join("dists").is_dir()) && site.has(&own);
    let program = if has_distribution {
        own.to_string_lossy().into_owned()
    } else {
        "gradle".to_owned()
    };
    site.run(
        &environment,
        &[program.as_str()]
            .iter()
            .chain(OPTIONS)
            .chain(&[task])
            .copied()
            .collect::<Vec<&str>>(),
    )
}

/// Returns a failure of the code if a place in the code is named. Anything else is something that
/// Gradle lacks offline.
fn failure(site: &ToolchainSite<'_>, ended: &ProgramEnd) -> Result<ToolchainFailure, ToolError> {
    let said = ended.said();
    match site.first_error(&said, &site.tree()) {
        Some((place, message)) => Ok(ToolchainFailure::new("", Some(place), &message)),
        None => {
            // The reason is on the lines below `* What went wrong:`.
            let what = said
                .lines()
                .skip_while(|line| !line.starts_with("* What went wrong"))
                .skip(1)
                .take(2)
                .collect::<Vec<_>>()
                .join(" ");
            refuse(
                Obstacle::RunNotBegun,
                format!(
                    "Gradle ended with {} and names no place in the code: {}",
                    ended.code(),
                    site.shown(&what)
                ),
            )
        }
    }
}
