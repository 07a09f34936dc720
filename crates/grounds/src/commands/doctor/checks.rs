//! The checks, one function per part. Each reports what was found and, if something is missing,
//! what is unavailable without it and how to get it.

use std::path::Path;

use super::probe::{self, ProbedProgram};
use super::variables::first_set;
use crate::cli::{Doctor, Global};
use crate::commands::pager;
use crate::output::doctor::{CheckEntry, CheckState};
use crate::terminal;

/// Versions of git below this one read a repository of somebody else without a warning.
// `safe.directory` came with 2.35.2; only the first two numbers are compared.
const GIT_SAFE: (u32, u32) = (2, 36);

/// A program that a job calls if it is installed.
struct Program {
    name: &'static str,
    /// Words for its version; empty if saying it would take seconds or write files.
    words: &'static [&'static str],
    costs: &'static str,
    get: &'static str,
}

const VERSION: &[&str] = &["--version"];
/// Makes a sandbox, in which something is said.
const MAKE_SANDBOX: &[&str] = &[
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "echo",
    "sandbox",
];

const TOOLCHAINS: &[Program] = &[
    Program {
        name: "cargo",
        words: VERSION,
        costs: "with --run: questions whether Rust code builds and passes",
        get: "https://rustup.rs",
    },
    Program {
        name: "go",
        words: &["version"],
        costs: "with --run: questions whether Go code builds and passes",
        get: "apt-get install golang-go",
    },
    Program {
        name: "cmake",
        words: VERSION,
        costs: "with --run: questions whether CMake projects build",
        get: "apt-get install cmake",
    },
    Program {
        name: "ctest",
        words: VERSION,
        costs: "with --run: questions whether the tests of CMake projects pass",
        get: "apt-get install cmake",
    },
    Program {
        name: "ninja",
        words: VERSION,
        costs: "with --run: builds of Meson projects; CMake falls back on make",
        get: "apt-get install ninja-build",
    },
    Program {
        name: "meson",
        words: VERSION,
        costs: "with --run: questions whether Meson projects build",
        get: "apt-get install meson",
    },
    Program {
        name: "make",
        words: VERSION,
        costs: "with --run: questions whether projects with a Makefile build",
        get: "apt-get install make",
    },
    Program {
        name: "node",
        words: VERSION,
        costs: "with --run: questions whether the tests of JavaScript projects pass",
        get: "apt-get install nodejs",
    },
    Program {
        name: "npm",
        words: VERSION,
        costs: "with --run: the scripts of package.json",
        get: "apt-get install npm",
    },
    Program {
        name: "pytest",
        words: VERSION,
        costs: "with --run: questions whether the tests of Python projects pass",
        get: "pip install pytest",
    },
    Program {
        name: "mvn",
        words: &[],
        costs: "with --run: questions whether Maven projects build",
        get: "apt-get install maven",
    },
    Program {
        name: "gradle",
        words: &[],
        costs: "with --run: Gradle projects that have no wrapper of their own",
        get: "apt-get install gradle",
    },
];

const INDEXERS: &[Program] = &[
    Program {
        name: "rust-analyzer",
        words: VERSION,
        costs: "an index of Rust code as a second family of evidence",
        get: "rustup component add rust-analyzer",
    },
    Program {
        name: "scip-python",
        words: VERSION,
        costs: "an index of Python code",
        get: "npm install --global @sourcegraph/scip-python",
    },
    Program {
        name: "scip-typescript",
        words: VERSION,
        costs: "an index of TypeScript code",
        get: "npm install --global @sourcegraph/scip-typescript",
    },
];

/// Runs all checks, and returns them in the order in which they are shown. Programs are started
/// beside each other.
pub(super) fn all(root: &Path, arguments: &Doctor, global: &Global) -> Vec<CheckEntry> {
    let programs: Vec<(&'static str, &Program)> = TOOLCHAINS
        .iter()
        .map(|program| ("toolchains", program))
        .chain(INDEXERS.iter().map(|program| ("indexes", program)))
        .collect();
    let looked = std::thread::scope(|scope| {
        // Collected, so that every program is started before the first is waited for: each may take
        // seconds to print its version.
        let looks: Vec<_> = programs
            .iter()
            .map(|(part, program)| scope.spawn(|| program.check(part, root)))
            .collect();
        looks
            .into_iter()
            .filter_map(|look| look.join().ok())
            .collect::<Vec<_>>()
    });
    let (toolchains, indexers): (Vec<_>, Vec<_>) = looked
        .into_iter()
        .partition(|check| check.part == "toolchains");
    [git(root), repository(root)]
        .into_iter()
        .chain(toolchains)
        .chain([sandbox(root)])
        .chain(indexers)
        .chain([index(root)])
        .chain(models(root, arguments, global))
        .chain(searching())
        .chain(ci(root))
        .chain([own_configuration(), store()])
        .chain(terminal())
        .collect()
}

impl Program {
    fn check(&self, part: &'static str, root: &Path) -> CheckEntry {
        let check = CheckEntry::new(part, self.name);
        match probe::look(self.name, self.words, root) {
            ProbedProgram::There(said) => check.is(CheckState::Ok, said),
            ProbedProgram::Broken(why) => check
                .is(CheckState::Broken, why)
                .lacking(self.costs, self.get),
            ProbedProgram::Missing => check
                .is(CheckState::Missing, String::new())
                .lacking(self.costs, self.get),
        }
    }
}

fn git(root: &Path) -> CheckEntry {
    let check = CheckEntry::new("git", "git").needed();
    let (costs, get) = (
        "reviews, hooks, and questions about history, status and CI",
        "apt-get install git",
    );
    match probe::look("git", VERSION, root) {
        ProbedProgram::Missing => check
            .is(CheckState::Missing, String::new())
            .lacking(costs, get),
        ProbedProgram::Broken(why) => check.is(CheckState::Broken, why).lacking(costs, get),
        ProbedProgram::There(said) => {
            // An old git does its work, so that it is a warning and no failed check.
            match version(&said).is_some_and(|version| version < GIT_SAFE) {
                true => check
                    .is(CheckState::Old, said)
                    .lacking(
                        "safety: this version looks into repositories of others without a word",
                        get,
                    )
                    .optional(),
                false => check.is(CheckState::Ok, said),
            }
        }
    }
}

/// Returns the first two numbers of `git version 2.47.3`.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said
        .split_whitespace()
        .find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))?
        .split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Checks whether git reads this repository at all: it does not if it belongs to somebody else.
fn repository(root: &Path) -> CheckEntry {
    let check = CheckEntry::new("git", "repository");
    let costs = "questions about history and status, and reviews, here";
    // A folder without a repository is not broken: questions about its code are answered all the
    // same.
    if !root.join(".git").exists() {
        let said = format!("{} is not a repository", root.display());
        return check
            .is(CheckState::Missing, said)
            .lacking(costs, "git init, or --repo DIR");
    }
    match grounds_repo::git::Layout::at(root) {
        Ok(_) => check.is(CheckState::Ok, root.display().to_string()),
        Err(error) => {
            let get = format!(
                "if you trust it: git config --global --add safe.directory '{}'",
                root.display()
            );
            check
                .is(CheckState::Broken, error.to_string())
                .lacking(costs, &get)
        }
    }
}

/// Checks the sandbox in which code of a repository runs.
fn sandbox(root: &Path) -> CheckEntry {
    let check = CheckEntry::new("toolchains", "bwrap");
    let costs = "`--run`: code of a repository is run in a sandbox only";
    if !cfg!(target_os = "linux") {
        let why = "bubblewrap is for Linux".to_owned();
        return check
            .is(CheckState::Missing, why)
            .lacking(costs, "run this program on Linux, or in a container of it");
    }
    let (lacks, get) = (
        "apt-get install bubblewrap",
        "allow user namespaces for bubblewrap",
    );
    match probe::look("bwrap", VERSION, root) {
        ProbedProgram::Missing => check
            .is(CheckState::Missing, String::new())
            .lacking(costs, lacks),
        ProbedProgram::Broken(why) => check.is(CheckState::Broken, why).lacking(costs, lacks),
        // bubblewrap may be installed on a system that forbids the namespaces that it needs, so a
        // sandbox is made.
        ProbedProgram::There(said) => match probe::look("bwrap", MAKE_SANDBOX, root) {
            ProbedProgram::There(_) => check.is(CheckState::Ok, said),
            ProbedProgram::Missing => check
                .is(CheckState::Missing, String::new())
                .lacking(costs, lacks),
            ProbedProgram::Broken(why) => check.is(CheckState::Broken, why).lacking(costs, get),
        },
    }
}

fn index(root: &Path) -> CheckEntry {
    let (check, file) = (
        CheckEntry::new("indexes", "index.scip"),
        root.join("index.scip"),
    );
    match file.metadata() {
        Ok(kind) => check.is(
            CheckState::Ok,
            format!(
                "{} bytes; each answer says whether it still fits the files",
                kind.len()
            ),
        ),
        Err(_) => check.is(CheckState::NotSet, String::new()).lacking(
            "a second family of evidence: definitions are Strong, not Verified",
            "rust-analyzer scip . (docs/answers.md)",
        ),
    }
}

#[cfg(feature = "model")]
fn models(root: &Path, arguments: &Doctor, global: &Global) -> Vec<CheckEntry> {
    use grounds_model::local;
    let chosen = CheckEntry::new("models", "chosen");
    let costs = "sentences over answers, names where words found nothing, a second judge of pages, a judge beside the rules";
    let get = "--model PROVIDER/MODEL, GROUNDS_MODEL, or `model.use` in your own configuration; no job needs one";
    let config = crate::config::read(global.config.as_deref(), root);
    let settings = config.and_then(|config| {
        Ok(crate::model::settings(
            &arguments.model,
            &config.model.unwrap_or_default(),
        )?)
    });
    let chosen = match settings {
        // Comes first: settings that cannot be used are no fault if no model is wanted.
        _ if global.no_model => chosen.is(CheckState::NotSet, "--no-model".to_owned()),
        Ok(Some(settings)) => key(chosen.is(CheckState::Ok, said(&settings)), &settings),
        Ok(None) => chosen
            .is(CheckState::NotSet, String::new())
            .lacking(costs, get),
        Err(error) => chosen
            .is(CheckState::Broken, error.to_string())
            .lacking(costs, &error.advice()),
    };
    let servers: Vec<String> = local::find()
        .into_iter()
        .map(|server| format!("{} at {}", server.kind, server.base))
        .collect();
    let local = CheckEntry::new("models", "on this machine");
    let local = match servers.is_empty() {
        true => local.is(CheckState::Missing, String::new()).lacking(
            "a model without a key",
            "`ollama serve`, or `llama-server -m MODEL.gguf`",
        ),
        false => local.is(CheckState::Ok, servers.join(", ")),
    };
    vec![chosen, local]
}

#[cfg(feature = "model")]
fn said(settings: &grounds_model::ModelSettings) -> String {
    format!(
        "{}/{} at {}; `grounds doctor model` asks it",
        settings.provider.card().name,
        settings.endpoint.model,
        settings.endpoint.base
    )
}

/// Reports whether there is a key, never the key. A command for it is not run: it may ask its
/// person.
#[cfg(feature = "model")]
fn key(check: CheckEntry, settings: &grounds_model::ModelSettings) -> CheckEntry {
    use grounds_model::key::KeySource;
    match &settings.key {
        KeySource::None | KeySource::Command(_) | KeySource::Keyring(_) => check,
        KeySource::Environment(names) => {
            match first_set(&names.iter().map(String::as_str).collect::<Vec<_>>()) {
                Some(_) => check,
                None => {
                    let found = check.found.clone().unwrap_or_default();
                    check
                        .is(CheckState::Broken, format!("{found}: no key"))
                        .lacking(
                            "every request to it",
                            &format!("set {}", names.join(" or ")),
                        )
                }
            }
        }
    }
}

#[cfg(not(feature = "model"))]
fn models(_root: &Path, _arguments: &Doctor, _global: &Global) -> Vec<CheckEntry> {
    let check = CheckEntry::new("models", "chosen").is(
        CheckState::Missing,
        "this program was built without models".to_owned(),
    );
    vec![check.lacking("whatever a model adds", "build it with the feature `model`")]
}

fn searching() -> Vec<CheckEntry> {
    let engine = |name: &'static str, variable: &'static str| {
        let check = CheckEntry::new("search", name);
        match first_set(&[variable]) {
            Some(_) => check.is(CheckState::Ok, format!("{variable} is set")),
            None => check.is(CheckState::NotSet, String::new()).lacking(
                "claims checked on the web by it; folders need none",
                &format!("set {variable}"),
            ),
        }
    };
    vec![
        engine("serper", "SERPER_API_KEY"),
        engine("brave", "BRAVE_API_KEY"),
        engine("searxng", "SEARXNG_URL"),
    ]
}

fn ci(root: &Path) -> Vec<CheckEntry> {
    let token = |name: &'static str, variables: &[&str], get: &str| {
        let check = CheckEntry::new("CI", name);
        match first_set(variables) {
            Some(variable) => check.is(CheckState::Ok, format!("{variable} is set")),
            None => check
                .is(CheckState::NotSet, String::new())
                .lacking("logs of jobs, and all of private repositories", get),
        }
    };
    let gh =
        probe::place("gh", root).map_or("set GH_TOKEN", |_| "`gh auth login`, or set GH_TOKEN");
    vec![
        token("GitHub", &["GH_TOKEN", "GITHUB_TOKEN"], gh),
        token("GitLab", &["GITLAB_TOKEN"], "set GITLAB_TOKEN"),
    ]
}

fn own_configuration() -> CheckEntry {
    let check = CheckEntry::new("here", "configuration");
    match crate::config::own_file() {
        Some(file) if file.is_file() => check.is(CheckState::Ok, file.display().to_string()),
        Some(_) | None => check
            .is(CheckState::NotSet, String::new())
            .lacking("nothing: every bound has a default", "grounds init --user"),
    }
}

/// Returns the state of the folder that runs are kept in, by the rules of XDG.
fn store() -> CheckEntry {
    let check = CheckEntry::new("here", "state folder");
    let costs = "what is kept of runs, for looking at them again";
    let Some(folder) = grounds_repo::person::state() else {
        return check
            .is(CheckState::Missing, String::new())
            .lacking(costs, "set HOME or XDG_STATE_HOME");
    };
    let folder = folder.join("grounds");
    // The folder is made by the first run that is kept; until then its parent must be writable.
    match folder.ancestors().find(|folder| folder.exists()) {
        Some(there) if is_writable(there) => check.is(CheckState::Ok, folder.display().to_string()),
        Some(_) | None => check
            .is(
                CheckState::Broken,
                format!("{} cannot be written", folder.display()),
            )
            .lacking(costs, "check its permissions"),
    }
}

fn is_writable(folder: &Path) -> bool {
    let file = folder.join(format!(".grounds-doctor-{}", std::process::id()));
    // Permissions alone do not show a file system that is read-only or full.
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .is_ok();
    made && std::fs::remove_file(&file).is_ok()
}

fn terminal() -> Vec<CheckEntry> {
    let said = |is: bool, word: &str| {
        if is {
            word.to_owned()
        } else {
            format!("no {word}")
        }
    };
    let able = [
        said(terminal::has_colour(), "colour"),
        said(terminal::has_links(), "links"),
        format!("{} columns", terminal::columns()),
    ];
    let pager = pager::chosen().unwrap_or_else(|| {
        "none: standard output is not a terminal, or the pager is off".to_owned()
    });
    let check = |name, found| CheckEntry::new("here", name).is(CheckState::Ok, found);
    vec![check("terminal", able.join(", ")), check("pager", pager)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("git version 2.47.3"), Some((2, 47)));
        assert_eq!(version("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(version("git"), None);
        assert!(version("git version 2.9.1").is_some_and(|version| version < GIT_SAFE));
    }
}
