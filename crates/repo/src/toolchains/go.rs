//! go: what is missing by `go list`; what was built by the packages that `go build -v` names with
//! an empty cache; tests by `go test -json`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Deserializer, Value};

use super::{
    BuildReport, BuiltPart, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, place,
    refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::process::{Environment, ProgramEnd};
use crate::tool::ToolError;

pub(super) struct Go;

const LIST: &[&str] = &["go", "list", "-e", "-deps", "-test", "-json", "./..."];
const BUILD: &[&str] = &["go", "build", "-v", "./..."];
const TEST: &[&str] = &["go", "test", "-json", "./..."];
/// Lines of one test's output that are kept.
const LINES_MAX: usize = 40;

static SHEET: Sheet = Sheet {
    name: "go",
    manifests: &["go.mod"],
    languages: &["Go"],
    brought: &["vendor"],
    seen: &[],
};

impl Toolchain for Go {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (BUILD.join(" "), TEST.join(" "))
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let environment = environment(site);
        let own = own_packages(site, &environment)?;
        let ended = site.run(&environment, BUILD)?;
        let said = ended.err.text();
        let report = BuildReport {
            command: BUILD.join(" "),
            unit: "packages",
            ..BuildReport::default()
        };
        if ended.code() != 0 {
            return Ok(report.failed(failure(site, &said)));
        }
        let parts: Vec<BuiltPart> = said
            // `-v` names each package that is built, and with a new cache these are all.
            .lines()
            .filter(|line| own.contains(*line))
            .map(|package| BuiltPart::new(package, folder_of(site, package)))
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
        own_packages(site, &environment)?;
        let ended = site.run(&environment, TEST)?;
        let mut report = TestReport {
            command: TEST.join(" "),
            ..TestReport::default()
        };
        events(site, &ended, &mut report)?;
        report.agree_with(ended.code(), &site.shown(&ended.err.text()));
        Ok(report)
    }
}

fn environment(site: &ToolchainSite<'_>) -> Environment {
    let mut environment = site.environment();
    if let Some(modules) = environment.real_folder("GOMODCACHE", "go/pkg/mod") {
        environment.set("GOMODCACHE", modules);
    }
    environment.set("GOCACHE", site.out("go-cache"));
    environment.set("GOPATH", site.out("go-path"));
    for (name, value) in [
        ("GOENV", "off"),
        ("GOPROXY", "off"),
        ("GOSUMDB", "off"),
        // Otherwise go would fetch the toolchain that `go.mod` names.
        ("GOTOOLCHAIN", "local"),
        ("GOTELEMETRY", "off"),
    ] {
        environment.set(name, value);
    }
    environment.set("GOFLAGS", "-buildvcs=false");
    environment
}

/// Returns the packages of the module itself. A package of others that is not on this machine is no
/// fault of the code.
fn own_packages(
    site: &ToolchainSite<'_>,
    environment: &Environment,
) -> Result<BTreeSet<String>, ToolError> {
    let ended = site.run(environment, LIST)?;
    let Some(text) = ended.out.whole() else {
        return refuse(
            Obstacle::RunBound,
            "`go list` said more than is kept (`run_output_bytes_max` was reached)",
        );
    };
    let packages: Vec<Value> = Deserializer::from_str(&text)
        .into_iter::<Value>()
        .map_while(Result::ok)
        .collect();
    // go says this of every module that it would have to fetch.
    let unreachable = |text: &&str| text.contains("GOPROXY=off");
    let missing = packages
        .iter()
        .filter_map(|package| package["Error"]["Err"].as_str())
        .find(unreachable);
    let complaint = ended.err.text();
    if let Some(missing) = missing.or_else(|| complaint.lines().find(unreachable)) {
        return refuse(
            Obstacle::RunLacking,
            format!(
                "a dependency is missing without a network: {}",
                site.shown(missing.lines().last().unwrap_or(missing))
            ),
        );
    }
    let own = packages
        .iter()
        .filter(|package| package["Module"]["Main"] == true);
    Ok(own
        .filter_map(|package| package["ImportPath"].as_str())
        .map(str::to_owned)
        .collect())
}

/// Returns the first place that the compiler names.
fn failure(site: &ToolchainSite<'_>, said: &str) -> ToolchainFailure {
    let first = place::diagnostics(said).find_map(|(path, line, message)| {
        // `go test` runs vet, which puts its name before the place.
        let path = site.repo_path(path.trim_start_matches("vet: "), &site.tree())?;
        Some(((path, line), message.to_owned()))
    });
    let whole = said
        .lines()
        .filter(|line| !line.is_empty())
        .take(LINES_MAX)
        .collect::<Vec<_>>()
        .join("\n");
    match first {
        Some((place, message)) => ToolchainFailure::new("", Some(place), &message),
        None => ToolchainFailure::new("", None, &site.shown(&whole)),
    }
}

/// A test, or a package as a whole if the name is empty.
type GoTestKey = (String, String);

/// Adds the results of the events. A test with tests inside it is counted by those.
fn events(
    site: &ToolchainSite<'_>,
    ended: &ProgramEnd,
    report: &mut TestReport,
) -> Result<(), ToolError> {
    let Some(text) = ended.out.whole() else {
        return refuse(
            Obstacle::RunBound,
            "`go test` said more than is kept (`run_output_bytes_max` was reached)",
        );
    };
    let (mut results, mut output) = (
        BTreeMap::<GoTestKey, String>::new(),
        BTreeMap::<GoTestKey, Vec<String>>::new(),
    );
    for event in text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        let word = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let key = (word("Package"), word("Test"));
        match word("Action").as_str() {
            "pass" | "fail" | "skip" => drop(results.insert(key, word("Action"))),
            "output" => output.entry(key).or_default().push(word("Output")),
            _ => {}
        }
    }
    for (key, result) in results
        .iter()
        .filter(|(key, _)| !key.1.is_empty() && !has_inner(&results, key))
    {
        match result.as_str() {
            "pass" => report.pass(part(site, key)),
            "skip" => report.skip(part(site, key)),
            _ => report.fail(failed(site, key, output.get(key))),
        }
    }
    packages_without_a_failed_test(site, ended, &results, &output, report);
    Ok(())
}

/// Reports whether a test has tests inside it.
fn has_inner(results: &BTreeMap<GoTestKey, String>, (package, test): &GoTestKey) -> bool {
    // Go names a test inside another one `TestAdd/small`.
    let inner = (package.clone(), format!("{test}/"));
    let mut after = results.range(&inner..).map(|(key, _)| key);
    after
        .next()
        .is_some_and(|(package, test)| *package == inner.0 && test.starts_with(&inner.1))
}

/// Adds packages that failed without a failed test: they did not compile, or ended in the middle.
fn packages_without_a_failed_test(
    site: &ToolchainSite<'_>,
    ended: &ProgramEnd,
    results: &BTreeMap<GoTestKey, String>,
    output: &BTreeMap<GoTestKey, Vec<String>>,
    report: &mut TestReport,
) {
    let has_failed_test = |package: &str| {
        results
            .iter()
            .any(|((other, test), result)| other == package && !test.is_empty() && result == "fail")
    };
    let failed_packages = results.iter().filter(|((package, test), result)| {
        test.is_empty() && *result == "fail" && !has_failed_test(package)
    });
    for (key, _) in failed_packages {
        // go writes `FAIL example.org/t [build failed]` for such a package. The error of the
        // compiler is elsewhere in the output.
        let did_not_compile = output
            .get(key)
            .is_some_and(|lines| lines.iter().any(|line| line.contains("[build failed]")));
        let failure = if did_not_compile {
            failure(site, &ended.said())
        } else {
            failed(site, key, output.get(key))
        };
        report.fail(ToolchainFailure {
            name: key.0.clone(),
            ..failure
        });
    }
}

/// Returns a test, in the folder of its package: the part of the package's path that is a folder of
/// the tree.
fn part(site: &ToolchainSite<'_>, key: &GoTestKey) -> BuiltPart {
    BuiltPart::new(
        format!("{} {}", key.0, key.1).trim(),
        folder_of(site, &key.0),
    )
}

fn folder_of(site: &ToolchainSite<'_>, package: &str) -> String {
    let folders: Vec<&str> = package.split('/').collect();
    let inner = (1..=folders.len())
        .map(|skip| folders[skip..].join("/"))
        .find(|folder| site.tree().join(folder).is_dir());
    match (site.folder, inner.filter(|folder| !folder.is_empty())) {
        ("", Some(inner)) => format!("{inner}/"),
        (outer, Some(inner)) => format!("{outer}/{inner}/"),
        (outer, None) => format!("{outer}/"),
    }
}

/// Returns a failed test. Go names files from the folder of their package.
fn failed(
    site: &ToolchainSite<'_>,
    key: &GoTestKey,
    output: Option<&Vec<String>>,
) -> ToolchainFailure {
    let said: String = output
        .into_iter()
        .flatten()
        // `=== RUN` and `=== PAUSE` are lines of the runner.
        .filter(|line| !line.starts_with("=== "))
        .take(LINES_MAX)
        .map(String::as_str)
        .collect();
    let folders: Vec<&str> = key.0.split('/').collect();
    let in_package = |path: &str| {
        let below = (0..=folders.len()).map(|skip| site.tree().join(folders[skip..].join("/")));
        below
            .into_iter()
            .find_map(|folder| site.repo_path(path, &folder))
    };
    let place =
        place::all(&said).find_map(|(path, line)| in_package(path).map(|path| (path, line)));
    ToolchainFailure::new(
        format!("{} {}", key.0, key.1).trim(),
        place,
        &site.shown(&said),
    )
}
