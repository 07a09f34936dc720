//! CMake and CTest: the targets by CMake's file API; what was built by their files in a new build
//! folder; tests by CTest's JUnit file.

use std::path::Path;

use serde_json::Value;

use super::{
    BuildReport, BuiltPart, PARTS_MAX, Sheet, TestReport, Toolchain, ToolchainFailure,
    ToolchainSite, junit, lacking, refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::process::{Environment, ProgramEnd};
use crate::tool::ToolError;

pub(super) struct CMake;

/// Bytes of one reply of the file API.
const REPLY_BYTES_MAX: u64 = 64 << 20;
/// Commands of CMake that fail if something is missing on the machine, or if a project says so
/// itself.
const SEARCHES: &[&str] = &[
    "find_",
    "message",
    "pkg_",
    "FetchContent",
    "ExternalProject",
    "file",
    "execute_process",
    "include",
    "project",
    "try_",
];

static SHEET: Sheet = Sheet {
    name: "cmake",
    manifests: &["CMakeLists.txt"],
    languages: &["C", "C++"],
    brought: &[],
    seen: &[],
};

impl Toolchain for CMake {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (
            "cmake -S . -B $PRIVATE/build && cmake --build $PRIVATE/build".to_owned(),
            "ctest --test-dir $PRIVATE/build".to_owned(),
        )
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let environment = site.environment();
        // Ninja is preferred: it logs its steps and names the target that failed.
        let generator = if environment.find("ninja").is_some() {
            "Ninja"
        } else {
            "Unix Makefiles"
        };
        let report = BuildReport {
            command: format!(
                "cmake -S . -B $PRIVATE/build -G \"{generator}\" && cmake --build $PRIVATE/build"
            ),
            unit: "targets",
            ..BuildReport::default()
        };
        if let Some(failure) = configure(site, &environment, generator)? {
            return Ok(report.failed(failure));
        }
        let folder = site.out("build").to_string_lossy().into_owned();
        let threads = site.limits.threads.to_string();
        let ended = site.run(
            &environment,
            &["cmake", "--build", &folder, "--parallel", &threads],
        )?;
        if ended.code() != 0 {
            return Ok(report.failed(failure(site, &ended)?));
        }
        let made: Vec<Value> = targets(site)
            .into_iter()
            .filter(|target| is_made(site, target))
            .collect();
        let built = made.len() as u64;
        site.note_built();
        // A project of custom targets alone may make no file that CMake describes.
        let beside = if built == 0 { log_entries(site) } else { 0 };
        let parts = made
            .iter()
            .flat_map(|target| parts(site, target))
            .take(PARTS_MAX)
            .collect();
        Ok(BuildReport {
            built: built.max(beside),
            is_target: built > 0,
            parts,
            ..report
        })
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        if let Some(report) = self.unbuilt(site)? {
            return Ok(report);
        }
        let (folder, file) = (
            site.out("build").to_string_lossy().into_owned(),
            site.out("ctest.xml"),
        );
        let (threads, file_name) = (
            site.limits.threads.to_string(),
            file.to_string_lossy().into_owned(),
        );
        let words = [
            "ctest",
            "--test-dir",
            &folder,
            "--output-junit",
            &file_name,
            // That no test ran is a result of its own (`NoTestRan`), and no error of ctest.
            "--no-tests=ignore",
            "-j",
            &threads,
        ];
        let ended = site.run(&site.environment(), &words)?;
        let mut report = TestReport {
            command: "ctest --test-dir $PRIVATE/build".to_owned(),
            ..TestReport::default()
        };
        if site.has(&file) {
            junit::read_all(&[file], site, &mut report);
        }
        report.agree_with(ended.code(), &site.shown(&ended.said()));
        Ok(report)
    }
}

/// Configures the project. A failure is one of the code only if CMake names a command of the code
/// that can fail by itself.
fn configure(
    site: &ToolchainSite<'_>,
    environment: &Environment,
    generator: &str,
) -> Result<Option<ToolchainFailure>, ToolError> {
    let folder = site.out("build");
    // An empty file of this name asks CMake to describe its targets.
    let query = folder.join(".cmake/api/v1/query/codemodel-v2");
    site.note_begun();
    site.write(&query, b"").map_err(|error| {
        ToolError::refused(
            Obstacle::RunNotBegun,
            format!("no build folder could be made: {error}"),
        )
    })?;
    let folder = folder.to_string_lossy().into_owned();
    let ended = site.run(
        environment,
        &[
            "cmake",
            "-S",
            ".",
            "-B",
            &folder,
            "-G",
            generator,
            // FetchContent would download sources, and a run has no network.
            "-DFETCHCONTENT_FULLY_DISCONNECTED=ON",
        ],
    )?;
    if ended.code() == 0 {
        return Ok(None);
    }
    let said = site.shown(&ended.err.text());
    // Only an error with a place names a command: `CMake Error at CMakeLists.txt:3 (project):`. Two
    // blank lines end it.
    let Some(start) = said.find("CMake Error at ") else {
        return refuse(
            Obstacle::RunNotBegun,
            format!(
                "CMake could not configure the project here: {}",
                first_lines(&said, 2)
            ),
        );
    };
    let error = said[start..].split("\n\n\n").next().unwrap_or_default();
    let command = error
        .lines()
        .next()
        .and_then(|line| line.rsplit_once('('))
        .map_or("", |(_, rest)| rest);
    // `find_package(...)` fails for what this machine lacks.
    if SEARCHES.iter().any(|word| command.starts_with(word)) {
        return refuse(
            Obstacle::RunNotBegun,
            format!(
                "CMake could not configure the project here: {}",
                first_lines(error, 4)
            ),
        );
    }
    Ok(Some(ToolchainFailure::new(
        "",
        site.first_place(error),
        error,
    )))
}

fn first_lines(text: &str, count: usize) -> String {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(count)
        .collect::<Vec<_>>()
        .join(" ")
}

fn failure(site: &ToolchainSite<'_>, ended: &ProgramEnd) -> Result<ToolchainFailure, ToolError> {
    let said = ended.said();
    if let Some(lack) = lacking::of_compiler(site, &said, ended.code()) {
        return refuse(Obstacle::RunLacking, lack);
    }
    // Ninja names the target that failed: `FAILED: lib/a.o`.
    let target = said
        .lines()
        .find_map(|line| line.strip_prefix("FAILED: "))
        .map(|target| target.split(' ').next().unwrap_or(target));
    let target = site.shown(target.unwrap_or_default());
    Ok(match site.first_error(&said, &site.out("build")) {
        Some((place, message)) => ToolchainFailure::new(target, Some(place), &message),
        None => ToolchainFailure::new(target, None, &site.shown(&tail(&said))),
    })
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

fn json(site: &ToolchainSite<'_>, path: &Path) -> Option<Value> {
    serde_json::from_slice(&site.read(path, REPLY_BYTES_MAX).ok()?).ok()
}

/// Returns the targets of the project, as CMake's file API describes them.
fn targets(site: &ToolchainSite<'_>) -> Vec<Value> {
    let reply = site.out("build").join(".cmake/api/v1/reply");
    let entries = std::fs::read_dir(&reply).into_iter().flatten().flatten();
    let is_target = |name: &str| name.starts_with("target-") && name.ends_with(".json");
    entries
        .filter(|entry| is_target(&entry.file_name().to_string_lossy()))
        .filter_map(|entry| json(site, &entry.path()))
        .collect()
}

/// Reports whether the file of a target lies in the build folder.
fn is_made(site: &ToolchainSite<'_>, target: &Value) -> bool {
    target["artifacts"][0]["path"]
        .as_str()
        .is_some_and(|path| site.has(&site.out("build").join(path)))
}

/// Returns a target by its name, and by each of its sources.
fn parts(site: &ToolchainSite<'_>, target: &Value) -> Vec<BuiltPart> {
    let name = target["name"].as_str().unwrap_or_default();
    let sources = target["sources"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|source| source["path"].as_str());
    let outer = |path: &str| {
        if site.folder.is_empty() {
            path.to_owned()
        } else {
            format!("{}/{path}", site.folder)
        }
    };
    std::iter::once(BuiltPart::new(name, ""))
        .chain(sources.map(|path| BuiltPart::new(name, outer(path))))
        .collect()
}

/// Counts the steps in ninja's log: what was done if no target is a file.
fn log_entries(site: &ToolchainSite<'_>) -> u64 {
    let log = site.out("build").join(".ninja_log");
    let log = site.read(&log, REPLY_BYTES_MAX).unwrap_or_default();
    String::from_utf8_lossy(&log)
        .lines()
        .filter(|line| !line.starts_with('#'))
        .count() as u64
}
