//! cargo: builds by its JSON messages. Tests by the executables that these name; each is run by
//! itself, and its libtest summary is read strictly.

use std::path::Path;

use serde_json::Value;

use super::{
    BuildReport, BuiltPart, Sheet, TestReport, TestVerdict, Toolchain, ToolchainFailure,
    ToolchainSite, refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::process::{Environment, ProgramEnd};
use crate::tool::ToolError;

pub(super) struct Cargo;

const BUILD: &[&str] = &["cargo", "build", "--workspace", "--message-format=json"];
const TEST: &[&str] = &[
    "cargo",
    "test",
    "--workspace",
    "--no-run",
    "--message-format=json",
];
const DOC_TEST: &[&str] = &["cargo", "test", "--workspace", "--doc", "--no-fail-fast"];
const METADATA: &[&str] = &["cargo", "metadata", "--no-deps", "--format-version", "1"];

/// Maximum number of lines of an error message that are shown.
const COMPLAINT_LINES_MAX: usize = 4;

static SHEET: Sheet = Sheet {
    name: "cargo",
    manifests: &["Cargo.toml"],
    languages: &["Rust"],
    brought: &[],
    seen: &[],
};

/// A test executable of the workspace.
struct Executable {
    path: String,
    folder: String,
    name: String,
    source: String,
}

impl Toolchain for Cargo {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (
            "cargo build --workspace".to_owned(),
            "cargo test --workspace".to_owned(),
        )
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let environment = environment(site);
        is_there(site, &environment)?;
        let ended = site.run(&environment, BUILD)?;
        let messages = messages(&ended)?;
        let report = BuildReport {
            command: BUILD.join(" "),
            unit: "targets",
            ..BuildReport::default()
        };
        if let Some(failure) = failure(site, &environment, &messages, &ended)? {
            return Ok(report.failed(failure));
        }
        let own = |message: &&Value| {
            message["reason"] == "compiler-artifact"
                && is_own(message, site)
                && !is_build_script(message)
        };
        let parts: Vec<BuiltPart> = messages
            .iter()
            .filter(own)
            // A fresh artifact was not built in this run.
            .filter(|message| message["fresh"] == false)
            .map(|message| part(site, message))
            .collect();
        let built = parts.len() as u64;
        Ok(BuildReport {
            built,
            is_target: built > 0,
            parts,
            ..report
        })
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        let environment = environment(site);
        is_there(site, &environment)?;
        let ended = site.run(&environment, TEST)?;
        let messages = messages(&ended)?;
        let mut report = TestReport {
            command: "cargo test --workspace".to_owned(),
            ..TestReport::default()
        };
        if let Some(failure) = failure(site, &environment, &messages, &ended)? {
            return Ok(TestReport {
                unbuilt: Some(failure),
                ..report
            });
        }
        for executable in messages.iter().filter_map(executable) {
            run_executable(site, &environment, &executable, &mut report)?;
        }
        // Without a library `cargo test --doc` is an error.
        let has_library = messages
            .iter()
            .any(|message| is_own(message, site) && is_documented_library(message));
        if has_library {
            let ended = site.run(&environment, DOC_TEST)?;
            summarise(
                site,
                &ended,
                "documentation tests",
                Summaries::Some,
                &mut report,
            );
        }
        Ok(report)
    }
}

/// Returns an environment with a private cargo home. It shares what was downloaded, and nothing
/// else.
fn environment(site: &ToolchainSite<'_>) -> Environment {
    let mut environment = site.environment();
    let home = site.out("cargo-home");
    let real = environment.real_folder("CARGO_HOME", ".cargo");
    // The real home also has `credentials.toml`, which no run may see.
    for name in ["registry", "git"] {
        let shared = real
            .as_ref()
            .map(|real| real.join(name))
            .filter(|folder| folder.is_dir());
        shared
            .into_iter()
            .for_each(|shared| drop(site.link(&shared, &home.join(name))));
    }
    copy_configuration(site, real.as_deref(), &home);
    environment.set("CARGO_HOME", &home);
    if let Some(rustup) = environment.real_folder("RUSTUP_HOME", ".rustup") {
        environment.set("RUSTUP_HOME", rustup);
    }
    environment.set("CARGO_TARGET_DIR", site.out("target"));
    for (name, value) in [
        ("CARGO_NET_OFFLINE", "true"),
        ("CARGO_TERM_COLOR", "never"),
        ("CARGO_INCREMENTAL", "0"),
        ("RUST_BACKTRACE", "0"),
    ] {
        environment.set(name, value);
    }
    environment
}

/// Copies the person's own settings, which say where dependencies come from. A file that could
/// contain a token is not copied.
fn copy_configuration(site: &ToolchainSite<'_>, real: Option<&Path>, home: &Path) {
    for name in ["config.toml", "config"] {
        let text = real
            .and_then(|real| std::fs::read_to_string(real.join(name)).ok())
            .unwrap_or_default();
        if !text.is_empty() && !text.to_lowercase().contains("token") {
            let _ = site.write(&home.join(name), text.as_bytes());
        }
    }
}

/// Checks that the toolchain which the checkout pins is installed: nothing can be built without it.
fn is_there(site: &ToolchainSite<'_>, environment: &Environment) -> Result<(), ToolError> {
    let ended = site.run(environment, &["cargo", "--version"])?;
    if ended.code() == 0 {
        return Ok(());
    }
    refuse(
        Obstacle::RunNotBegun,
        format!(
            "cargo does not run here: {}",
            first_line(&site.shown(&ended.err.text()))
        ),
    )
}

fn first_line(text: &str) -> &str {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("no reason given")
}

/// Returns the beginning of a complaint on one line. What is not supported is said below its first
/// line.
fn first_lines(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(COMPLAINT_LINES_MAX)
        .collect::<Vec<_>>()
        .join(" ")
}

fn messages(ended: &ProgramEnd) -> Result<Vec<Value>, ToolError> {
    let Some(text) = ended.out.whole() else {
        return refuse(
            Obstacle::RunBound,
            "cargo said more than is kept (`run_output_bytes_max` was reached)",
        );
    };
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

/// Returns the failure of a build, or `None` if it succeeded.
fn failure(
    site: &ToolchainSite<'_>,
    environment: &Environment,
    messages: &[Value],
    ended: &ProgramEnd,
) -> Result<Option<ToolchainFailure>, ToolError> {
    let finished = messages
        .iter()
        .find(|message| message["reason"] == "build-finished");
    match (
        finished.map(|message| message["success"] == true),
        ended.code(),
    ) {
        (Some(true), 0) => Ok(None),
        (Some(true), code) => refuse(
            Obstacle::RunNotBegun,
            format!("cargo says that it finished and ended with {code}"),
        ),
        (Some(false), _) => of_messages(site, messages, ended).map(Some),
        // Cargo writes that message only if the build began.
        (None, _) => not_begun(site, environment, ended).map(Some),
    }
}

/// Returns the first error of the compiler. Without one, a build script failed, and that is as
/// often a fault outside of the code as in it.
fn of_messages(
    site: &ToolchainSite<'_>,
    messages: &[Value],
    ended: &ProgramEnd,
) -> Result<ToolchainFailure, ToolError> {
    let is_error = |message: &&Value| {
        message["reason"] == "compiler-message" && message["message"]["level"] == "error"
    };
    let Some(first) = messages.iter().find(is_error) else {
        return refuse(
            Obstacle::RunNotBegun,
            format!(
                "a step before the compiler failed: {}",
                first_line(&site.shown(&ended.err.text()))
            ),
        );
    };
    let message = &first["message"];
    let name = first["target"]["name"].as_str().unwrap_or_default();
    let rendered = message["rendered"]
        .as_str()
        .or_else(|| message["message"].as_str())
        .unwrap_or_default();
    Ok(ToolchainFailure::new(
        name,
        place_of(site, message),
        &site.shown(rendered),
    ))
}

fn place_of(site: &ToolchainSite<'_>, message: &Value) -> Option<(String, u32)> {
    let spans = message["spans"].as_array()?;
    // The primary place of an error may be in a macro of a dependency.
    let primary = spans
        .iter()
        .filter(|span| span["is_primary"] == true)
        .chain(spans);
    primary.into_iter().find_map(|span| {
        let path = site.repo_path(span["file_name"].as_str()?, &site.tree())?;
        u32::try_from(span["line_start"].as_u64()?)
            .ok()
            .map(|line| (path, line))
    })
}

/// Classifies a build that did not start: a broken manifest is a fact about the project, and a
/// missing dependency is not.
fn not_begun(
    site: &ToolchainSite<'_>,
    environment: &Environment,
    ended: &ProgramEnd,
) -> Result<ToolchainFailure, ToolError> {
    let metadata = site.run(environment, METADATA)?;
    let said = site.shown(&ended.err.text());
    if metadata.code() == 0 {
        // In a sandbox the network is absent, which cargo words in one of these ways.
        let is_offline = said.contains("offline") || said.contains("CARGO_NET_OFFLINE");
        let why = if is_offline {
            "a dependency is missing without a network"
        } else {
            "cargo refuses to"
        };
        return refuse(
            Obstacle::RunNotBegun,
            format!("the build did not begin, {why}: {}", first_lines(&said)),
        );
    }
    let manifest = site
        .repo_path("Cargo.toml", &site.tree())
        .map(|path| (path, 1));
    Ok(ToolchainFailure::new(
        "",
        site.first_place(&metadata.err.text()).or(manifest),
        &said,
    ))
}

fn is_own(message: &Value, site: &ToolchainSite<'_>) -> bool {
    let manifest = message["manifest_path"].as_str().unwrap_or_default();
    site.repo_path(manifest, &site.tree()).is_some()
}

/// Returns a target, in the folder of its package.
fn part(site: &ToolchainSite<'_>, message: &Value) -> BuiltPart {
    let name = message["target"]["name"].as_str().unwrap_or_default();
    let manifest = site
        .repo_path(
            message["manifest_path"].as_str().unwrap_or_default(),
            &site.tree(),
        )
        .unwrap_or_default();
    let folder = manifest.strip_suffix("Cargo.toml").unwrap_or(&manifest);
    BuiltPart::new(name, if folder.is_empty() { "/" } else { folder })
}

fn kinds(message: &Value) -> impl Iterator<Item = &str> {
    message["target"]["kind"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn is_build_script(message: &Value) -> bool {
    kinds(message).any(|kind| kind == "custom-build")
}

fn is_documented_library(message: &Value) -> bool {
    message["target"]["doctest"] == true
        && kinds(message).any(|kind| kind.ends_with("lib") || kind == "proc-macro")
}

fn executable(message: &Value) -> Option<Executable> {
    let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent()?.to_string_lossy().into_owned();
    let name = message["target"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let source = message["target"]["src_path"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    Some(Executable {
        // Cargo writes null here for what cannot be run.
        path: message["executable"].as_str()?.to_owned(),
        folder,
        name,
        source,
    })
    .filter(|_| is_test)
}

fn run_executable(
    site: &ToolchainSite<'_>,
    environment: &Environment,
    executable: &Executable,
    report: &mut TestReport,
) -> Result<(), ToolError> {
    let mut environment = environment.clone();
    // Cargo sets these when it runs a test itself.
    environment.set("CARGO_MANIFEST_DIR", &executable.folder);
    let own = std::iter::once(site.out("target").join("debug/deps"));
    let given = environment.variable("LD_LIBRARY_PATH").unwrap_or_default();
    // Cargo puts its own folder before those of the person, which a test may need as well.
    let folders = own.chain(std::env::split_paths(&given));
    environment.set(
        "LD_LIBRARY_PATH",
        std::env::join_paths(folders).unwrap_or_default(),
    );
    let ended = site.run_in(
        Path::new(&executable.folder),
        &environment,
        &[&executable.path],
    )?;
    let before = report.parts.len();
    summarise(site, &ended, &executable.name, Summaries::One, report);
    let source = site.shown(&executable.source);
    report.parts[before..]
        .iter_mut()
        .filter(|(part, _)| part.path.is_empty())
        .for_each(|(part, _)| part.path.clone_from(&source));
    Ok(())
}

/// Number of summaries that a run must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Summaries {
    One,
    Some,
}

/// The numbers of a summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SummaryCounts {
    passed: u64,
    failed: u64,
    ignored: u64,
    announced: u64,
}

/// Adds the results of a libtest run. Its words count only if the announced number, the summary and
/// the lines agree.
fn summarise(
    site: &ToolchainSite<'_>,
    ended: &ProgramEnd,
    name: &str,
    expected: Summaries,
    report: &mut TestReport,
) {
    let text = ended.out.text();
    let Some(counts) = ended
        .out
        .whole()
        .as_deref()
        .and_then(|text| counts(text, expected))
    else {
        match ended.code() {
            0 => {
                report.uncounted += 1;
                report.notes.push(format!(
                    "`{name}` ended with 0 without a summary that can be counted"
                ));
            }
            code => report.fail(failed_test(
                site,
                name,
                &format!("it ended with {code}: {}", tail(&ended.said())),
            )),
        }
        return;
    };
    let counted = (
        report.passed + counts.passed,
        report.skipped + counts.ignored,
    );
    for (test, verdict) in listed_tests(&text) {
        match verdict {
            TestVerdict::Passed => report.pass(BuiltPart::new(test, path_of_documentation(test))),
            TestVerdict::Skipped => report.skip(BuiltPart::new(test, path_of_documentation(test))),
            TestVerdict::Failed | TestVerdict::ExpectedFailure | TestVerdict::Deselected => {}
        }
    }
    // The numbers are those of the summary. A line that other output has broken into gives no name.
    (report.passed, report.skipped) = counted;
    let before = report.failed;
    // A test may print such heads itself, so no more are taken than the summary counts.
    for (test, said) in failed_tests(&text)
        .take(super::FAILURES_MAX.min(usize::try_from(counts.failed).unwrap_or(usize::MAX)))
    {
        report.fail(failed_test(site, test, &said));
    }
    // All failures are counted, also those that are not listed.
    report.failed = report.failed.max(before + counts.failed);
    if (ended.code() == 0) != (counts.failed == 0) {
        report.fail(failed_test(
            site,
            name,
            &format!(
                "it ended with {} although its summary counts {} failures",
                ended.code(),
                counts.failed
            ),
        ));
    }
}

/// Returns the lines of single tests; failed tests come with their output.
fn listed_tests(text: &str) -> impl Iterator<Item = (&str, TestVerdict)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("test ")?.rsplit_once(" ... "))
        .filter_map(|(test, word)| match word {
            "ok" => Some((test, TestVerdict::Passed)),
            _ if word.starts_with("ignored") => Some((test, TestVerdict::Skipped)),
            _ => None,
        })
}

/// Returns the file of a documentation test from its name: "src/lib.rs - add (line 3)".
fn path_of_documentation(test: &str) -> &str {
    test.split_once(" - ").map_or("", |(path, _)| path)
}

fn failed_test(site: &ToolchainSite<'_>, name: &str, said: &str) -> ToolchainFailure {
    let panicked = said
        .lines()
        .find(|line| line.contains("panicked at "))
        .and_then(|line| site.first_place(line));
    ToolchainFailure::new(
        name,
        panicked.or_else(|| site.first_place(said)),
        &site.shown(said),
    )
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}

/// Adds the counts of all summaries, or returns `None` if they contradict what was announced or
/// listed.
fn counts(text: &str, expected: Summaries) -> Option<SummaryCounts> {
    let announced: Vec<u64> = text.lines().filter_map(announcement).collect();
    let summaries: Option<Vec<SummaryCounts>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "))
        .map(summary)
        .collect();
    let summaries = summaries?;
    let enough = match expected {
        Summaries::One => summaries.len() == 1,
        Summaries::Some => !summaries.is_empty(),
    };
    let agree = announced.len() == summaries.len()
        && announced
            .iter()
            .zip(&summaries)
            .all(|(announced, counts)| *announced == counts.announced);
    // A test may print such lines itself, so there may be no more of them than the summary counts.
    let listed = text
        .lines()
        .filter(|line| line.starts_with("test ") && line.ends_with(" ... ok"))
        .count() as u64;
    let sum = summaries
        .into_iter()
        .fold(SummaryCounts::default(), |sum, more| SummaryCounts {
            passed: sum.passed + more.passed,
            failed: sum.failed + more.failed,
            ignored: sum.ignored + more.ignored,
            announced: sum.announced + more.announced,
        });
    (enough && agree && listed <= sum.passed + sum.failed).then_some(sum)
}

fn announcement(line: &str) -> Option<u64> {
    let count = line.strip_prefix("running ")?;
    count
        .strip_suffix(" tests")
        .or_else(|| count.strip_suffix(" test"))?
        .parse()
        .ok()
}

/// "ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; …".
fn summary(line: &str) -> Option<SummaryCounts> {
    let (verdict, rest) = line.split_once(". ")?;
    let mut parts = rest.split("; ");
    let mut next = |word: &str| parts.next()?.strip_suffix(word)?.trim().parse::<u64>().ok();
    let (passed, failed, ignored, measured) = (
        next(" passed")?,
        next(" failed")?,
        next(" ignored")?,
        next(" measured")?,
    );
    let filtered = next(" filtered out")?;
    // A verdict that contradicts its numbers is not believed. A filter means that some tests did
    // not run.
    let is_true =
        (verdict == "ok") == (failed == 0) && matches!(verdict, "ok" | "FAILED") && filtered == 0;
    is_true.then_some(SummaryCounts {
        passed: passed + measured,
        failed,
        ignored,
        announced: passed + failed + ignored + measured,
    })
}

/// Returns the failed tests with their output: "---- name stdout ----" and the lines after it.
fn failed_tests(text: &str) -> impl Iterator<Item = (&str, String)> {
    text.split("\n---- ").skip(1).filter_map(|part| {
        let (head, said) = part.split_once('\n')?;
        let name = head.strip_suffix(" ----")?;
        let end = said.find("\nfailures:\n").unwrap_or(said.len());
        Some((
            name.strip_suffix(" stdout").unwrap_or(name),
            said[..end].to_owned(),
        ))
    })
}

#[cfg(test)]
mod tests;
