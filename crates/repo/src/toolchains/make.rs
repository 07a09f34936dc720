//! make: what was built by the files that were made; tests by the results that Automake writes. A
//! Makefile that writes no results can only show that its target ended well, which counts no tests.

use super::{
    BuildReport, BuiltPart, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, lacking,
    made, refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::process::ProgramEnd;
use crate::text;
use crate::tool::ToolError;

pub(super) struct Make;

/// Usual names of the targets that run tests.
const TEST_TARGETS: &[&str] = &["check", "test"];
/// Bytes of a Makefile or of one result.
const FILE_BYTES_MAX: u64 = 4 << 20;

static SHEET: Sheet = Sheet {
    name: "make",
    manifests: &["Makefile", "GNUmakefile", "makefile"],
    languages: &["C", "C++"],
    brought: &[],
    seen: &[],
};

impl Toolchain for Make {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, checkout: &Checkout, folder: &str) -> (String, String) {
        let makefile = SHEET.manifests.iter().find_map(|name| {
            text::read_whole(&checkout.root().join(folder).join(name), FILE_BYTES_MAX).ok()
        });
        let target =
            test_target(&String::from_utf8_lossy(&makefile.unwrap_or_default())).unwrap_or("check");
        ("make".to_owned(), format!("make {target}"))
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let before = made::look(&site.tree());
        let ended = run(site, &[])?;
        let report = BuildReport {
            command: "make".to_owned(),
            unit: "files",
            ..BuildReport::default()
        };
        if ended.code() != 0 {
            return Ok(report.failed(failure(site, &ended)?));
        }
        let built = made::since(&before, &site.tree()).len() as u64;
        Ok(BuildReport {
            built,
            is_target: built > 0,
            ..report
        })
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        let makefile = SHEET
            .manifests
            .iter()
            .find_map(|name| site.read(&site.tree().join(name), FILE_BYTES_MAX).ok());
        let Some(target) = test_target(&String::from_utf8_lossy(&makefile.unwrap_or_default()))
        else {
            return refuse(
                Obstacle::RunNothing,
                "the Makefile has no target `check` or `test`",
            );
        };
        let before = made::look(&site.tree());
        let ended = run(site, &[target])?;
        let mut report = TestReport {
            command: format!("make {target}"),
            ..TestReport::default()
        };
        for path in made::since(&before, &site.tree()) {
            // Automake writes one `.trs` file for each test.
            if path.extension().is_some_and(|ending| ending == "trs") {
                let name = path
                    .file_stem()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                count(
                    &String::from_utf8_lossy(&site.read(&path, FILE_BYTES_MAX).unwrap_or_default()),
                    &name,
                    &mut report,
                );
            }
        }
        if report.total() == 0 {
            report.uncounted += 1;
            report.notes.push(format!(
                "`make {target}` ended with {} and writes no results that can be counted",
                ended.code()
            ));
        }
        let said = site.shown(&ended.said());
        let place = site
            .first_error(&said, &site.tree())
            .map(|(place, _)| place)
            .or_else(|| site.first_place(&said));
        report.agree_with(ended.code(), &said);
        report
            .failures
            .iter_mut()
            .filter(|failure| failure.place.is_none())
            .for_each(|failure| failure.place.clone_from(&place));
        Ok(report)
    }
}

fn run(site: &ToolchainSite<'_>, targets: &[&str]) -> Result<ProgramEnd, ToolError> {
    let threads = format!("-j{}", site.limits.threads);
    site.run(
        &site.environment(),
        &["make", &threads]
            .iter()
            .chain(targets)
            .copied()
            .collect::<Vec<&str>>(),
    )
}

/// Returns the conventional test target of a Makefile.
fn test_target(makefile: &str) -> Option<&'static str> {
    // `CC := gcc` is an assignment and no target.
    let names = |line: &str| {
        line.split_once(':')
            .filter(|(_, rest)| !rest.starts_with('='))
            .map(|(names, _)| names.to_owned())
    };
    let there: Vec<String> = makefile
        .lines()
        .filter(|line| !line.starts_with(['\t', '#', ' ']))
        .filter_map(names)
        .collect();
    TEST_TARGETS.iter().copied().find(|target| {
        there
            .iter()
            .any(|names| names.split_whitespace().any(|name| name == *target))
    })
}

fn failure(site: &ToolchainSite<'_>, ended: &ProgramEnd) -> Result<ToolchainFailure, ToolError> {
    let said = ended.said();
    if let Some(lack) = lacking::of_compiler(site, &said, ended.code()) {
        return refuse(Obstacle::RunLacking, lack);
    }
    let located = site.first_error(&said, &site.tree());
    let errors = || {
        said.lines()
            .filter(|line| line.starts_with("make"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    Ok(match located {
        Some((place, message)) => ToolchainFailure::new("", Some(place), &message),
        None => ToolchainFailure::new("", site.first_place(&errors()), &site.shown(&errors())),
    })
}

/// Adds results such as ":test-result: PASS name", as Automake writes them.
fn count(results: &str, name: &str, report: &mut TestReport) {
    for result in results
        .lines()
        .filter_map(|line| line.strip_prefix(":test-result: "))
    {
        match result.split(' ').next().unwrap_or_default() {
            "PASS" => report.pass(BuiltPart::new(name, "")),
            "XFAIL" => report.fail_as_expected(BuiltPart::new(name, "")),
            "SKIP" => report.skip(BuiltPart::new(name, "")),
            _ => report.fail(ToolchainFailure::new(name, None, result)),
        }
    }
}
