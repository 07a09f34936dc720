//! npm, pnpm and yarn: the build by its script and the files that it made, or by
//! a check of every file; tests by the runner's own report, where the script
//! names a runner that writes one.

use serde_json::Value;

use super::{
    BuildReport, BuiltPart, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, junit,
    lacking, made, refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::process::{Environment, ProgramEnd};
use crate::role;
use crate::survey;
use crate::text;
use crate::tool::ToolError;

pub(super) struct Npm;

/// Bytes of a manifest or of a report.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Files that are checked if there is no build script.
const FILES_MAX: usize = 2_000;
/// The text that npm itself writes into a new manifest.
const NO_TEST: &str = "no test specified";

static SHEET: Sheet = Sheet {
    name: "npm",
    manifests: &["package.json"],
    languages: &["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"],
    brought: &["node_modules"],
    seen: &[],
};

/// A runner whose report is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NpmRunner {
    Node,
    Jest,
    Vitest,
    Mocha,
}

impl Toolchain for Npm {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, checkout: &Checkout, folder: &str) -> (String, String) {
        let root = checkout.root().join(folder);
        let (manager, manifest) = (manager(&root), manifest(&root).unwrap_or_default());
        let build = if script(&manifest, "build").is_some() {
            format!("{manager} run build")
        } else {
            "node --check".to_owned()
        };
        (build, format!("{manager} run test"))
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let manifest = sound_manifest(site)?;
        match (
            script(&manifest, "build"),
            site.tree().join("tsconfig.json").is_file(),
        ) {
            (Some(_), _) => run_script(site),
            (None, true) => check_types(site),
            (None, false) => check_files(site),
        }
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        let manifest = sound_manifest(site)?;
        let Some(script) = script(&manifest, "test") else {
            return refuse(Obstacle::RunNothing, "the manifest has no script `test`");
        };
        let mut report = TestReport {
            command: format!("{} run test", manager(&site.tree())),
            ..TestReport::default()
        };
        if script.contains(NO_TEST) {
            report
                .notes
                .push("the script `test` is the placeholder that npm writes".to_owned());
            return Ok(report);
        }
        let (runner, file) = (runner(script), site.out("tests.report"));
        let ended = run_tests(site, runner, &file.to_string_lossy())?;
        // A shell ends with 127 if it does not find a program.
        if ended.code() == 127 {
            return refuse(
                Obstacle::RunLacking,
                format!(
                    "the script `test` needs a program that is not installed: {}",
                    tail(&site.shown(&ended.said()), 2)
                ),
            );
        }
        match runner {
            Some(NpmRunner::Node) if site.has(&file) => junit::read_all(&[file], site, &mut report),
            Some(runner) if site.has(&file) => read_json(site, runner, &file, &mut report),
            Some(_) | None => {
                report.uncounted += 1;
                report.notes.push(format!(
                    "the script `test` ended with {} and wrote no report that can be counted",
                    ended.code()
                ));
            }
        }
        let said = site.shown(&ended.said());
        report.agree_with(ended.code(), &said);
        let place = site.last_place(&said);
        report
            .failures
            .iter_mut()
            .filter(|failure| failure.place.is_none())
            .for_each(|failure| failure.place.clone_from(&place));
        Ok(report)
    }
}

fn manifest(folder: &std::path::Path) -> Option<Value> {
    let bytes = text::read_whole(&folder.join("package.json"), FILE_BYTES_MAX).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Reports whether a file of the installed dependencies exists. They are copied, or shown to the
/// run as the checkout has them.
fn is_installed(site: &ToolchainSite<'_>, path: &str) -> bool {
    let places = [site.tree(), site.checkout.root().join(site.folder)];
    places
        .iter()
        .any(|folder| folder.join("node_modules").join(path).exists())
}

/// Returns the manifest. Its dependencies must be installed, because nothing is fetched.
fn sound_manifest(site: &ToolchainSite<'_>) -> Result<Value, ToolError> {
    let bytes = site.read(&site.tree().join("package.json"), FILE_BYTES_MAX);
    let manifest: Option<Value> = bytes
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(manifest) = manifest else {
        return refuse(
            Obstacle::RunNothing,
            "`package.json` is no JSON object that can be read",
        );
    };
    let needs = ["dependencies", "devDependencies"].iter().any(|name| {
        manifest[*name]
            .as_object()
            .is_some_and(|needs| !needs.is_empty())
    });
    if needs && !is_installed(site, "") {
        return refuse(
            Obstacle::RunLacking,
            format!(
                "the dependencies are not installed (`{} install` would install them), and a run has no network",
                manager(&site.tree())
            ),
        );
    }
    Ok(manifest)
}

fn script<'m>(manifest: &'m Value, name: &str) -> Option<&'m str> {
    manifest["scripts"][name]
        .as_str()
        .filter(|script| !script.trim().is_empty())
}

/// Returns the manager by its lock file.
fn manager(folder: &std::path::Path) -> &'static str {
    match () {
        () if folder.join("pnpm-lock.yaml").is_file() => "pnpm",
        () if folder.join("yarn.lock").is_file() => "yarn",
        () => "npm",
    }
}

fn environment(site: &ToolchainSite<'_>) -> Environment {
    let mut environment = site.environment();
    let cache = site.out("npm-cache");
    environment.set("npm_config_cache", &cache);
    // The person's `.npmrc` may contain tokens.
    environment.set("npm_config_userconfig", "/dev/null");
    for (name, value) in [
        ("npm_config_offline", "true"),
        ("npm_config_update_notifier", "false"),
        ("npm_config_fund", "false"),
        // Some runners of tests watch the files and do not end without it.
        ("CI", "true"),
    ] {
        environment.set(name, value);
    }
    environment
}

/// Returns the manager if it is installed, else npm, which runs the same scripts.
fn program(site: &ToolchainSite<'_>, environment: &Environment) -> &'static str {
    let manager = manager(&site.tree());
    if environment.find(manager).is_some() {
        manager
    } else {
        "npm"
    }
}

fn run_script(site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
    let environment = environment(site);
    let program = program(site, &environment);
    let before = made::look(&site.tree());
    let ended = site.run(&environment, &[program, "run", "build"])?;
    let report = BuildReport {
        command: format!("{program} run build"),
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

fn failure(site: &ToolchainSite<'_>, ended: &ProgramEnd) -> Result<ToolchainFailure, ToolError> {
    let said = site.shown(&ended.said());
    if let Some(lack) = lacking::of_compiler(site, &said, ended.code()) {
        return refuse(Obstacle::RunLacking, lack);
    }
    Ok(match site.first_error(&said, &site.tree()) {
        Some((place, message)) => ToolchainFailure::new("", Some(place), &message),
        None => ToolchainFailure::new("", site.first_place(&said), &tail(&said, 12)),
    })
}

/// Checks TypeScript without a build script: the compiler checks all of it and writes nothing.
fn check_types(site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
    let compiler = site.tree().join("node_modules/.bin/tsc");
    if !is_installed(site, ".bin/tsc") {
        return refuse(
            Obstacle::RunNothing,
            "there is no script `build`, and the TypeScript compiler is not installed in `node_modules`",
        );
    }
    let environment = environment(site);
    let ended = site.run(
        &environment,
        &[
            &compiler.to_string_lossy(),
            "--noEmit",
            "--pretty",
            "false",
            // The listed files are counted: otherwise the compiler is silent on success.
            "--listFiles",
        ],
    )?;
    let said = ended.out.text();
    let report = BuildReport {
        command: "tsc --noEmit".to_owned(),
        unit: "files",
        ..BuildReport::default()
    };
    if ended.code() != 0 {
        return Ok(report.failed(failure(site, &ended)?));
    }
    let built = said
        .lines()
        .filter(|line| {
            !line.contains("/node_modules/") && site.repo_path(line, &site.tree()).is_some()
        })
        .count() as u64;
    Ok(BuildReport {
        built,
        is_target: built > 0,
        ..report
    })
}

/// Checks plain JavaScript: node parses every file of the code.
fn check_files(site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
    let environment = environment(site);
    let notes = vec!["there is no script `build`: every source file was parsed by node".to_owned()];
    let mut report = BuildReport {
        command: "node --check".to_owned(),
        unit: "files",
        notes,
        ..BuildReport::default()
    };
    for path in sources(site) {
        // `node --check` takes one file.
        let ended = site.run(&environment, &["node", "--check", path.as_str()])?;
        if ended.code() != 0 {
            let said = site.shown(&ended.err.text());
            report.failure = Some(ToolchainFailure::new("", site.first_place(&said), &said));
            return Ok(report);
        }
        report.built += 1;
        report
            .parts
            .push(BuiltPart::new("", in_tree(site, path.as_str())));
    }
    report.is_target = report.built > 0;
    Ok(report)
}

/// Returns a path below the manifest's folder as it is named in the checkout.
fn in_tree(site: &ToolchainSite<'_>, path: &str) -> String {
    if site.folder.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", site.folder)
    }
}

fn sources(site: &ToolchainSite<'_>) -> Vec<RepoPath> {
    // The order is fixed, so that the bound leaves out the same files in every run.
    let walk = survey::walker(site.checkout, site.limits)
        .sort_by_file_name(Ord::cmp)
        .build()
        .flatten();
    let root = site.checkout.root().join(site.folder);
    let is_code = |path: &RepoPath| {
        [".js", ".mjs", ".cjs"]
            .iter()
            .any(|ending| path.file_name().ends_with(ending))
    };
    let is_source =
        |path: &RepoPath| is_code(path) && role::of(path) == grounds_evidence::FileRole::Source;
    walk.filter_map(|entry| RepoPath::below(&root, entry.path()))
        .filter(is_source)
        .take(FILES_MAX)
        .collect()
}

/// Returns the runner that the last command of a script calls: words that are added go to that one.
fn runner(script: &str) -> Option<NpmRunner> {
    let last = script.rsplit(['&', ';', '|']).next().unwrap_or(script);
    let calls = |name: &str| {
        last.split_whitespace()
            .any(|word| word.rsplit('/').next() == Some(name))
    };
    match () {
        () if calls("node") && last.split_whitespace().any(|word| word == "--test") => {
            Some(NpmRunner::Node)
        }
        () if calls("jest") => Some(NpmRunner::Jest),
        () if calls("vitest") => Some(NpmRunner::Vitest),
        () if calls("mocha") => Some(NpmRunner::Mocha),
        () => None,
    }
}

fn run_tests(
    site: &ToolchainSite<'_>,
    runner: Option<NpmRunner>,
    file: &str,
) -> Result<ProgramEnd, ToolError> {
    let mut environment = environment(site);
    let program = program(site, &environment);
    let output = format!("--outputFile={file}");
    let option = format!("output={file}");
    let more: &[&str] = match runner {
        // Words that are added to the script come after its files, where `node --test` reads no
        // options.
        Some(NpmRunner::Node) => {
            environment.set(
                "NODE_OPTIONS",
                format!("--test-reporter=junit --test-reporter-destination={file}"),
            );
            &[]
        }
        Some(NpmRunner::Jest) => &["--json", &output],
        Some(NpmRunner::Vitest) => &["--reporter=json", &output],
        Some(NpmRunner::Mocha) => &["--reporter", "json", "--reporter-option", &option],
        None => &[],
    };
    // npm passes words on to the script only after `--`; pnpm and yarn need no mark.
    let separator: &[&str] = if program == "npm" && !more.is_empty() {
        &["--"]
    } else {
        &[]
    };
    let words: Vec<&str> = [program, "run", "test"]
        .iter()
        .chain(separator)
        .chain(more)
        .copied()
        .collect();
    site.run(&environment, &words)
}

/// Reads the report of jest, vitest or mocha.
fn read_json(
    site: &ToolchainSite<'_>,
    runner: NpmRunner,
    file: &std::path::Path,
    report: &mut TestReport,
) {
    let read = site
        .read(file, FILE_BYTES_MAX)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let Some(json) = read else {
        report.uncounted += 1;
        report
            .notes
            .push("the report of the tests is no JSON that can be read".to_owned());
        return;
    };
    match runner {
        NpmRunner::Mocha => of_mocha(site, &json, report),
        // vitest writes the report in the form of jest.
        NpmRunner::Jest | NpmRunner::Vitest | NpmRunner::Node => of_jest(site, &json, report),
    }
}

fn of_jest(site: &ToolchainSite<'_>, json: &Value, report: &mut TestReport) {
    let files = json["testResults"].as_array().into_iter().flatten();
    for file in files {
        let tests = file["assertionResults"].as_array().into_iter().flatten();
        let (mut failed, file_name) = (0, file["name"].as_str().unwrap_or_default());
        for test in tests {
            match test["status"].as_str().unwrap_or_default() {
                "passed" => report.pass(part(site, test, file_name)),
                "pending" | "skipped" | "todo" | "disabled" => {
                    report.skip(part(site, test, file_name))
                }
                _ => {
                    failed += 1;
                    let said = test["failureMessages"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str)
                        .collect::<Vec<_>>()
                        .join("\n");
                    report.fail(located(
                        site,
                        test["fullName"].as_str().unwrap_or_default(),
                        &said,
                        file_name,
                    ));
                }
            }
        }
        // A file that could not be loaded has failed without a failing test.
        if failed == 0 && file["status"] == "failed" {
            report.fail(located(
                site,
                file_name,
                file["message"].as_str().unwrap_or_default(),
                file_name,
            ));
        }
    }
}

fn part(site: &ToolchainSite<'_>, test: &Value, file: &str) -> BuiltPart {
    let name = test["fullName"]
        .as_str()
        .or_else(|| test["fullTitle"].as_str());
    BuiltPart::new(name.unwrap_or_default(), site.shown(file))
}

fn of_mocha(site: &ToolchainSite<'_>, json: &Value, report: &mut TestReport) {
    let count = |name: &str| json["stats"][name].as_u64().unwrap_or(0);
    let listed = |name: &str| json[name].as_array().cloned().unwrap_or_default();
    for test in listed("passes") {
        report.pass(part(site, &test, test["file"].as_str().unwrap_or_default()));
    }
    for test in listed("pending") {
        report.skip(part(site, &test, test["file"].as_str().unwrap_or_default()));
    }
    for test in json["failures"].as_array().into_iter().flatten() {
        let said = ["message", "stack"]
            .map(|name| test["err"][name].as_str().unwrap_or_default())
            .join("\n");
        report.fail(located(
            site,
            test["fullTitle"].as_str().unwrap_or_default(),
            &said,
            test["file"].as_str().unwrap_or_default(),
        ));
    }
    // A failure that is counted and not listed is a failure too.
    report.failed = report.failed.max(count("failures"));
}

/// Returns the failure at the first frame in the checkout, else at the file of the test.
fn located(site: &ToolchainSite<'_>, name: &str, said: &str, file: &str) -> ToolchainFailure {
    let place = site
        .first_place(said)
        .or_else(|| site.repo_path(file, &site.tree()).map(|path| (path, 1)));
    ToolchainFailure::new(site.shown(name), place, &site.shown(said))
}

fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
