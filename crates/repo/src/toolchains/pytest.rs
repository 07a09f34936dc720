//! pytest: the code is compiled to byte code file by file; tests are read from pytest's JUnit file.
//! tox and nox would install into new environments, which needs a network. So pytest is run in one
//! that they made before, or in the one that is found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    BuildReport, BuiltPart, Sheet, TestReport, Toolchain, ToolchainFailure, ToolchainSite, junit,
    refuse,
};
use crate::checkout::Checkout;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::process::Environment;
use crate::role;
use crate::survey;
use crate::tool::ToolError;

pub(super) struct Pytest;

/// Files that are compiled.
const FILES_MAX: usize = 50_000;
/// Compiles the files that are listed in a file, one a line, and prints the reason of each failure
/// as JSON.
const COMPILE: &str = "import json, sys, warnings\nwarnings.simplefilter('ignore')\ndone = 0\n\
for name in open(sys.argv[1], encoding='utf-8', errors='surrogateescape').read().splitlines():\n\
\x20   try:\n\x20       compile(open(name, 'rb').read(), name, 'exec')\n\x20       done += 1\n\
\x20   except (SyntaxError, ValueError, RecursionError) as error:\n\
\x20       print(json.dumps({'path': name, 'line': getattr(error, 'lineno', None) or 1, 'message': str(error)}))\n\
print(json.dumps({'done': done}))\n";
/// A plugin of pytest that writes the names of the tests which options and configuration leave out,
/// one JSON object a process. pytest's JUnit file does not have them.
const COUNTS: &str = "import json, os\nleft_out = []\ndef pytest_deselected(items):\n\
\x20   left_out.extend(item.nodeid for item in items)\n\
def pytest_sessionfinish(session):\n\
\x20   with open(os.environ['GROUNDS_PYTEST_COUNTS'], 'a') as out:\n\
\x20       out.write(json.dumps({'deselected': left_out}) + '\\n')\n";
/// The name of that plugin as a module.
const COUNTS_MODULE: &str = "grounds_pytest_counts";
/// Bytes of what it writes.
const COUNTS_BYTES_MAX: u64 = 64 << 20;
/// Environments of tox and nox that are checked.
const RUNNER_ENVIRONMENTS_MAX: usize = 200;
/// pytest's code for "no tests were collected".
const NO_TESTS: i32 = 5;

static SHEET: Sheet = Sheet {
    name: "pytest",
    manifests: &[
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "pytest.ini",
        "tox.ini",
        "noxfile.py",
    ],
    languages: &["Python"],
    brought: &[],
    seen: &[".venv", "venv", ".tox", ".nox"],
};

impl Toolchain for Pytest {
    fn sheet(&self) -> &'static Sheet {
        &SHEET
    }

    fn commands(&self, _checkout: &Checkout, _folder: &str) -> (String, String) {
        (
            "python3 -m compileall .".to_owned(),
            "python3 -m pytest".to_owned(),
        )
    }

    fn build(&self, site: &ToolchainSite<'_>) -> Result<BuildReport, ToolError> {
        let environment = environment(site);
        let python = python(site, &environment)?;
        let sources = sources(site);
        let listed: Vec<&str> = sources.iter().map(RepoPath::as_str).collect();
        let files = written(site, &listed)?;
        let compile = [&python, "-c", COMPILE, &files.to_string_lossy()];
        let ended = site.run(&environment, &compile)?;
        let lines = values(&ended.out.text());
        let failed = lines.iter().find(|line| line["path"].is_string());
        // The script prints this count last, so without it Python has ended in the middle.
        let Some(built) = lines.iter().find_map(|line| line["done"].as_u64()) else {
            let said = site.shown(&ended.err.text());
            let why = format!("Python did not compile the files: {}", said.trim());
            return refuse(Obstacle::RunNotBegun, why);
        };
        let notes = vec![
            "Python has no build step of its own: its source files were compiled to byte code"
                .to_owned(),
        ];
        let in_tree = |path: &&str| match site.folder.is_empty() {
            true => (*path).to_owned(),
            false => format!("{}/{path}", site.folder),
        };
        let parts = listed.iter().map(|path| BuiltPart::new("", in_tree(path)));
        let parts = parts.collect();
        let report = BuildReport {
            command: "python3 -m compileall .".to_owned(),
            built,
            unit: "files",
            notes,
            parts,
            ..BuildReport::default()
        };
        Ok(BuildReport {
            failure: failed.map(|line| failure(site, line)),
            is_target: built > 0,
            ..report
        })
    }

    fn test(&self, site: &ToolchainSite<'_>) -> Result<TestReport, ToolError> {
        let environment = environment(site);
        let python = python(site, &environment)?;
        // Without pytest Python ends with 1, as pytest does if tests fail.
        if site
            .run(&environment, &[&python, "-m", "pytest", "--version"])?
            .code()
            != 0
        {
            return refuse(
                Obstacle::RunLacking,
                "there is no pytest in the Python that is found here",
            );
        }
        let file = site.out("pytest.xml");
        let option = format!("--junit-xml={}", file.display());
        let (environment, left_out) = with_counts(site, environment)?;
        let words = [
            &python,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            COUNTS_MODULE,
            "-o",
            // Only this family of reports has the file and line of each test.
            "junit_family=xunit1",
            &option,
        ];
        let ended = site.run(&environment, &words)?;
        let mut report = TestReport {
            command: "python3 -m pytest".to_owned(),
            ..TestReport::default()
        };
        if site.has(&file) {
            junit::read_all(&[file], site, &mut report);
        }
        // A module that an optional test skips is no obstacle, so only a failed run is searched.
        let missing = if ended.code() == 0 {
            None
        } else {
            missing_module(site, &report, &ended.said())
        };
        if let Some(module) = missing {
            return refuse(
                Obstacle::RunLacking,
                format!(
                    "the Python module `{module}` is neither on this machine nor in the checkout"
                ),
            );
        }
        count_deselected(site, &left_out, &mut report);
        if ended.code() != NO_TESTS {
            report.agree_with(ended.code(), &site.shown(&ended.said()));
        }
        note_runners(site, &python, &mut report);
        Ok(report)
    }
}

/// Returns the environment with the plugin that counts, and the file that it writes to.
fn with_counts(
    site: &ToolchainSite<'_>,
    mut environment: Environment,
) -> Result<(Environment, PathBuf), ToolError> {
    let (folder, counts) = (site.out("pytest-plugin"), site.out("pytest-counts"));
    let file = folder.join(COUNTS_MODULE).with_extension("py");
    let made = site.write(&file, COUNTS.as_bytes());
    made.map_err(|error| {
        ToolError::refused(
            Obstacle::RunNotBegun,
            format!("no plugin of pytest could be made: {error}"),
        )
    })?;
    // The environment names the folders of the project already.
    let known = environment.variable("PYTHONPATH").unwrap_or_default();
    let paths = std::env::split_paths(&known).chain([folder]);
    let joined = std::env::join_paths(paths).unwrap_or_default();
    environment.set("PYTHONPATH", joined);
    environment.set("GROUNDS_PYTEST_COUNTS", &counts);
    Ok((environment, counts))
}

/// Adds the tests that were left out. Without the plugin's file, they cannot be counted.
fn count_deselected(site: &ToolchainSite<'_>, counts: &Path, report: &mut TestReport) {
    let text = site.read(counts, COUNTS_BYTES_MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut processes = text
        .lines()
        .map_while(|line| serde_json::from_str::<Value>(line).ok())
        .peekable();
    if processes.peek().is_none() {
        report.uncounted += 1;
        report.notes.push(
            "whether the configuration of pytest left tests out could not be seen".to_owned(),
        );
    }
    // Processes that share one run each leave out the same tests.
    let names: BTreeSet<String> = processes
        .flat_map(|process| {
            process["deselected"]
                .as_array()
                .cloned()
                .unwrap_or_default()
        })
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    for name in names {
        let path = name.split("::").next().unwrap_or_default().to_owned();
        report.deselect(BuiltPart::new(name, path));
    }
}

fn note_runners(site: &ToolchainSite<'_>, python: &str, report: &mut TestReport) {
    let there = ["tox.ini", "noxfile.py"]
        .into_iter()
        .find(|name| site.tree().join(name).is_file());
    let own = Path::new(python)
        .strip_prefix(site.checkout.root())
        .ok()
        .and_then(|path| path.ancestors().nth(2));
    let ran = own.map_or_else(
        || "the one that is there".to_owned(),
        |folder| format!("`{}`", folder.display()),
    );
    let note =
        |name| format!("`{name}` describes environments of their own; pytest was run in {ran}");
    report.notes.extend(there.map(note));
}

fn environment(site: &ToolchainSite<'_>) -> Environment {
    let mut environment = site.environment();
    let tree = site.tree();
    // The project is not installed in the copy, so its modules are found by their folders.
    let paths = [tree.clone(), tree.join("src")]
        .into_iter()
        .filter(|folder| folder.is_dir());
    environment.set(
        "PYTHONPATH",
        std::env::join_paths(paths).unwrap_or_default(),
    );
    for (name, value) in [
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("PIP_NO_INDEX", "1"),
        ("PYTHONNOUSERSITE", "1"),
    ] {
        environment.set(name, value);
    }
    environment
}

/// Returns the interpreter of the checkout's own virtual environment, else the one that is found.
fn python(site: &ToolchainSite<'_>, environment: &Environment) -> Result<String, ToolError> {
    // An environment is used at its own path, where the sandbox shows it, and not copied.
    let folder = site.checkout.root().join(site.folder);
    let own = [".venv", "venv"]
        .map(|name| folder.join(name))
        .into_iter()
        .chain(made_by_runners(&folder));
    let own = own
        .map(|folder| folder.join("bin/python"))
        .find(|path| path.exists())
        .map(|path| path.to_string_lossy().into_owned());
    let found = ["python3", "python"]
        .into_iter()
        .find(|name| environment.find(name).is_some());
    match own.or_else(|| found.map(str::to_owned)) {
        Some(python) => Ok(python),
        None => refuse(
            Obstacle::RunLacking,
            "there is no `python3` on this machine",
        ),
    }
}

/// Returns the environments for tests that tox and nox have made before: those with a pytest of
/// their own first, then by name.
fn made_by_runners(folder: &Path) -> Vec<PathBuf> {
    let below = |name: &str| {
        std::fs::read_dir(folder.join(name))
            .into_iter()
            .flatten()
            .flatten()
    };
    let has_pytest = |path: &PathBuf| path.join("bin/pytest").exists();
    let is_for_tests = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // tox calls them `py312`, nox `tests-3-12`. Others may be for documentation.
        has_pytest(path) || name.starts_with("py") || name.starts_with("test")
    };
    let all = [".tox", ".nox"]
        .into_iter()
        .flat_map(below)
        .take(RUNNER_ENVIRONMENTS_MAX)
        .map(|entry| entry.path());
    let mut made: Vec<PathBuf> = all.filter(is_for_tests).collect();
    made.sort_by_cached_key(|path| (!has_pytest(path), path.clone()));
    made
}

/// Returns the code of the project itself. Examples and data of tests may be broken on purpose.
fn sources(site: &ToolchainSite<'_>) -> Vec<RepoPath> {
    // The order is fixed, so that the bound leaves out the same files in every run.
    let walk = survey::walker(site.checkout, site.limits)
        .sort_by_file_name(Ord::cmp)
        .build()
        .flatten();
    let root: PathBuf = site.checkout.root().join(site.folder);
    let files = walk.filter_map(|entry| RepoPath::below(&root, entry.path()));
    let is_source = |path: &RepoPath| {
        path.file_name().ends_with(".py") && role::of(path) == grounds_evidence::FileRole::Source
    };
    files
        .filter(|path| is_source(path) && root.join(path.as_path()).is_file())
        .take(FILES_MAX)
        .collect()
}

fn failure(site: &ToolchainSite<'_>, line: &Value) -> ToolchainFailure {
    let named = line["path"].as_str().unwrap_or_default();
    let number = line["line"]
        .as_u64()
        .and_then(|number| u32::try_from(number).ok())
        .unwrap_or(1);
    let place = site
        .repo_path(named, &site.tree())
        .map(|path| (path, number));
    ToolchainFailure::new(
        "",
        place,
        &site.shown(line["message"].as_str().unwrap_or_default()),
    )
}

/// Returns a module that tests could not import, and that the checkout does not have either.
fn missing_module(site: &ToolchainSite<'_>, report: &TestReport, said: &str) -> Option<String> {
    let texts = report
        .failures
        .iter()
        .map(|failure| failure.message.as_str())
        .chain([said]);
    let named = texts
        .flat_map(str::lines)
        .filter_map(|line| line.split_once("ModuleNotFoundError: No module named '"))
        .filter_map(|(_, rest)| rest.split('\'').next());
    // A module of the checkout that fails to be imported is a fault of the code.
    let is_own = |module: &str| {
        let first = module.split('.').next().unwrap_or(module);
        [site.tree(), site.tree().join("src")].iter().any(|folder| {
            folder.join(first).exists() || folder.join(format!("{first}.py")).exists()
        })
    };
    named
        .into_iter()
        .find(|module| !is_own(module))
        .map(str::to_owned)
}

/// Returns the lines that are JSON.
fn values(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Writes a file with the names of files, one a line.
fn written(site: &ToolchainSite<'_>, names: &[&str]) -> Result<PathBuf, ToolError> {
    let file = site.out("files");
    let written = site.write(&file, names.join("\n").as_bytes());
    written.map_err(|error| {
        let why = format!("no list of files could be made: {error}");
        ToolError::refused(Obstacle::RunNotBegun, why)
    })?;
    Ok(file)
}
