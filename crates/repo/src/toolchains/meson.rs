//! Meson: the targets by `meson introspect`; what was built by their files in a new build folder;
//! tests by Meson's JSON log.

use serde_json::Value;

use super::{
    BuildReport, BuiltPart, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, lacking,
    refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::tool::ToolError;

pub(super) struct Meson;

/// Bytes of the log of the tests.
const LOG_BYTES_MAX: u64 = 64 << 20;

/// The command that builds, as a person would write it.
const BUILD: &str = "meson setup $PRIVATE/build && meson compile -C $PRIVATE/build";

static SHEET: Sheet = Sheet {
    name: "meson",
    manifests: &["meson.build"],
    languages: &["C", "C++", "Rust", "Vala"],
    brought: &[],
    seen: &[],
};

impl Toolchain for Meson {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (BUILD.to_owned(), "meson test -C $PRIVATE/build".to_owned())
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let environment = site.environment();
        let folder = site.out("build").to_string_lossy().into_owned();
        let report = BuildReport {
            command: BUILD.to_owned(),
            unit: "targets",
            ..BuildReport::default()
        };
        site.note_begun();
        let ended = site.run(
            &environment,
            // A wrap would download a subproject, and a run has no network.
            &["meson", "setup", "--wrap-mode=nodownload", &folder],
        )?;
        if ended.code() != 0 {
            let said = site.shown(&ended.said());
            // Meson ends in the same way for a broken `meson.build` and for a library that is
            // missing here, so this is no failure of the code.
            let error = said.lines().find(|line| line.contains(": ERROR: "));
            let error = error.unwrap_or_default();
            let why = format!("Meson could not configure the project here: {error}");
            return refuse(Obstacle::RunNotBegun, why);
        }
        let ended = site.run(&environment, &["meson", "compile", "-C", &folder])?;
        let said = ended.said();
        if ended.code() != 0 {
            if let Some(lack) = lacking::of_compiler(site, &said, ended.code()) {
                return refuse(Obstacle::RunLacking, lack);
            }
            return Ok(report.failed(failure(site, &said)));
        }
        let targets = site.run(&environment, &["meson", "introspect", &folder, "--targets"])?;
        let parts = built(site, &targets.out.text());
        let built = parts.len() as u64;
        site.note_built();
        Ok(BuildReport {
            built,
            is_target: built > 0,
            parts,
            ..report
        })
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        if let Some(report) = self.unbuilt(site)? {
            return Ok(report);
        }
        let folder = site.out("build").to_string_lossy().into_owned();
        let ended = site.run(&site.environment(), &["meson", "test", "-C", &folder])?;
        let mut report = TestReport {
            command: "meson test -C $PRIVATE/build".to_owned(),
            ..TestReport::default()
        };
        let log = site.out("build").join("meson-logs/testlog.json");
        let log = site.read(&log, LOG_BYTES_MAX).unwrap_or_default();
        // The log has one JSON object on each line.
        for test in String::from_utf8_lossy(&log)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            count(site, &test, &mut report);
        }
        report.agree_with(ended.code(), &site.shown(&ended.said()));
        Ok(report)
    }
}

/// Returns a target, in the folder of the file that describes it.
fn part(site: &ToolchainSite<'_>, target: &Value) -> BuiltPart {
    let file = site.shown(target["defined_in"].as_str().unwrap_or_default());
    let folder = file
        .rsplit_once('/')
        .map_or("/".to_owned(), |(folder, _)| format!("{folder}/"));
    BuiltPart::new(name_of(target), folder)
}

fn is_built(site: &ToolchainSite<'_>, target: &Value) -> bool {
    let mut files = target["filename"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    target["type"] != "custom"
        && target["type"] != "run"
        && files.all(|file| site.has(std::path::Path::new(file)))
}

fn name_of(test: &Value) -> &str {
    test["name"].as_str().unwrap_or_default()
}

fn count(site: &ToolchainSite<'_>, test: &Value, report: &mut TestReport) {
    match test["result"].as_str().unwrap_or_default() {
        "OK" => report.pass(BuiltPart::new(name_of(test), "")),
        "EXPECTEDFAIL" => report.fail_as_expected(BuiltPart::new(name_of(test), "")),
        "SKIP" => report.skip(BuiltPart::new(name_of(test), "")),
        _ => {
            let said = ["stdout", "stderr"]
                .map(|name| test[name].as_str().unwrap_or_default())
                .join("\n");
            report.fail(ToolchainFailure::new(
                name_of(test),
                site.first_place(&said),
                &site.shown(&said),
            ));
        }
    }
}

/// Returns the targets of a list that were built.
fn built(site: &ToolchainSite<'_>, listed: &str) -> Vec<BuiltPart> {
    let targets: Value = serde_json::from_str(listed).unwrap_or_default();
    let targets = targets.as_array().into_iter().flatten();
    targets
        .filter(|target| is_built(site, target))
        .map(|target| part(site, target))
        .collect()
}

/// Returns the first error of a compiler with its place, or the whole output.
fn failure(site: &ToolchainSite<'_>, said: &str) -> ToolchainFailure {
    match site.first_error(said, &site.out("build")) {
        Some((place, message)) => ToolchainFailure::new("", Some(place), &message),
        None => ToolchainFailure::new("", None, &site.shown(said)),
    }
}
