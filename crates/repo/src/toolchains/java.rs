//! What the toolchains of the Java machine have in common.

use std::path::PathBuf;

use super::{BuildReport, TestReport, ToolchainFailure, ToolchainSite, junit, made};
use crate::path::RepoPath;
use crate::process::{Environment, ProgramEnd};
use crate::survey;
use crate::tool::ToolError;

/// Endings of files in the languages of a Java machine.
const ENDINGS: &[&str] = &["java", "kt", "scala", "groovy"];
/// Lines of a trace that are read.
const FRAMES_MAX: usize = 2_000;
/// Files of the project among which those of a trace are searched.
const FILES_MAX: usize = 200_000;

/// Returns the environment, with the private home and the private folder for temporary files in the
/// form that a Java machine reads: it uses neither `HOME` nor `TMPDIR`.
pub(super) fn environment(site: &ToolchainSite<'_>) -> Environment {
    let mut environment = site.environment();
    let option = |property: &str, name: &str| {
        let value = environment.variable(name)?.into_string().ok()?;
        // A Java machine splits the variable at blanks, except between quotes.
        Some(format!("-D{property}='{value}'"))
    };
    let options = [
        option("user.home", "HOME"),
        option("java.io.tmpdir", "TMPDIR"),
    ];
    environment.set(
        "JAVA_TOOL_OPTIONS",
        options
            .into_iter()
            .flatten()
            .collect::<Vec<String>>()
            .join(" "),
    );
    environment
}

/// Reads what failed from a tool's output: a place in the code, or what it lacks.
type FailureOf = fn(&ToolchainSite<'_>, &ProgramEnd) -> Result<ToolchainFailure, ToolError>;

/// Builds with a tool, and counts the classes that it made.
pub(super) fn build(
    site: &ToolchainSite<'_>,
    command: &str,
    run: &dyn Fn() -> Result<ProgramEnd, ToolError>,
    failure: FailureOf,
) -> Result<BuildReport, ToolError> {
    let before = made::look(&site.tree());
    let ended = run()?;
    let report = BuildReport {
        command: command.to_owned(),
        unit: "class files",
        ..BuildReport::default()
    };
    if ended.code() != 0 {
        return Ok(report.failed(failure(site, &ended)?));
    }
    // Lists and reports are written beside the compiled code, so only classes count.
    let is_class = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "class");
    let built = made::since(&before, &site.tree())
        .iter()
        .filter(is_class)
        .count() as u64;
    Ok(BuildReport {
        built,
        is_target: built > 0,
        ..report
    })
}

/// Reads the reports that a run of the tests left in folders of a name.
pub(super) fn test(
    site: &ToolchainSite<'_>,
    command: &str,
    (folder, ended): (&str, &ProgramEnd),
    failure: FailureOf,
) -> Result<TestReport, ToolError> {
    let mut report = TestReport {
        command: command.to_owned(),
        ..TestReport::default()
    };
    junit::read_all(
        &junit::reports_below(&site.tree(), folder),
        site,
        &mut report,
    );
    // Without a failed test in a report, the tests did not even compile.
    if ended.code() != 0 && report.failed == 0 {
        return Ok(TestReport {
            unbuilt: Some(failure(site, ended)?),
            ..report
        });
    }
    report.agree_with(ended.code(), &site.shown(&ended.said()));
    Ok(report)
}

/// Returns the deepest frame of a trace in the project: `at p.A.f(A.java:12)` names a package and a
/// file, but no folder.
pub(super) fn own_frame(text: &str, files: &[RepoPath]) -> Option<(String, u32)> {
    let frames = text.lines().take(FRAMES_MAX).filter_map(frame);
    let place = |(path, line): (String, u32)| {
        files_of(&path, files).map(|file| (file.as_str().to_owned(), line))
    };
    // Java prints the deepest frame first.
    frames.filter_map(place).next()
}

/// Returns the files of the project that a trace can name.
pub(super) fn files(site: &ToolchainSite<'_>) -> Vec<RepoPath> {
    let walk = survey::walker(site.checkout, site.limits)
        .sort_by_file_name(Ord::cmp)
        .build()
        .flatten();
    let is_ours = |path: &RepoPath| {
        path.file_name()
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
    };
    walk.filter_map(|entry| RepoPath::below(site.checkout.root(), entry.path()))
        .filter(is_ours)
        .take(FILES_MAX)
        .collect()
}

/// Returns the path made of the package and the file of a frame, and its line.
fn frame(line: &str) -> Option<(String, u32)> {
    let (function, rest) = line.trim().strip_prefix("at ")?.split_once('(')?;
    let (file, number) = rest.strip_suffix(')')?.split_once(':')?;
    let (_, ending) = file.rsplit_once('.')?;
    // `java.base/java.util.List.of` begins with its module.
    let function = function
        .rsplit_once('/')
        .map_or(function, |(_, function)| function);
    // The last two parts are the class and the method.
    let package: Vec<&str> = function.rsplit('.').skip(2).collect();
    let folders: String = package
        .iter()
        .rev()
        .map(|part| format!("{part}/"))
        .collect();
    ENDINGS
        .contains(&ending)
        .then_some((format!("{folders}{file}"), number.parse().ok()?))
}

/// Returns the one file with this ending, or `None` if none has it, or several, which a frame
/// cannot distinguish.
fn files_of<'f>(path: &str, files: &'f [RepoPath]) -> Option<&'f RepoPath> {
    let ends = |file: &&RepoPath| {
        file.as_str()
            .strip_suffix(path)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let mut found = files.iter().filter(ends);
    found.next().filter(|_| found.next().is_none())
}
