//! CI runs `X`; CI tests on systems and versions.

use super::{Arguments, Predicate, at, contradicted, line_where, no_words, unknown};
use crate::code::Code;
use crate::verdict::{ClaimVerdict, Evidence};
use grounds_repo::path::file_name;

pub(super) const RUNS: Predicate = Predicate {
    name: "ci_runs",
    frames: &[
        r"(?:ci|continuous integration|pipeline|workflows?|github actions)(?: workflow| pipeline| job| also| now| still)* {not}(?:also |now |still )*(?:runs?|uses?|calls?|invokes?|executes?|lints? with|checks? with) {a}",
        r"{a} is {not}(?:also |now )*(?:run|executed|called|used) (?:in|by|on|as part of)(?: the)? (?:ci|continuous integration|pipeline|github actions)",
    ],
    words: no_words,
    decide: |said, code| decide(&[said.get("a").to_owned()], code),
};

pub(super) const TESTS: Predicate = Predicate {
    name: "ci_tests",
    frames: &[
        r"(?:ci|test matrix|build matrix|matrix|pipeline|workflow|github actions)(?: workflow| pipeline| job| also| now| still)* {not}(?:also |now |still )*(?:tests?|covers?|includes?|runs?(?: on| against)|tests (?:on|against))(?: on)? (?P<v>(?:windows|macos|mac os|linux|ubuntu|freebsd|arm64|(?:python|node|node\.js|go|ruby|php|rust|java|\.net) v?\d[\d.]*(?:(?:, | and |, and )v?\d[\d.]*)*))",
    ],
    words: no_words,
    decide: |said, code| decide(&wanted(said), code),
};

pub(super) const ONLY: Predicate = Predicate {
    name: "ci_only",
    frames: &[
        concat!(
            r"(?:ci|matrix|pipeline|workflows?|github actions)(?: matrix| workflow| jobs?)*",
            r" (?:tests?|runs?)(?: on| against)? (?P<v>windows|macos|linux|ubuntu) only",
        ),
        concat!(
            r"(?:ci|matrix|pipeline|workflows?|github actions)(?: matrix| workflow| jobs?)*",
            r" (?:only (?:tests?|runs?)|(?:tests?|runs?) only) (?:on|against)",
            r" (?P<v>windows|macos|linux|ubuntu)(?:$|[.,;])",
        ),
    ],
    words: no_words,
    decide: only,
};

pub(super) const WORKFLOW: Predicate = Predicate {
    name: "workflow_on",
    frames: &[concat!(
        r"(?:the )?(?P<n>«\d+»|[a-z][a-z0-9_-]+) workflow (?:also )?runs on",
        r" (?P<v>windows|macos|linux|ubuntu)(?: as well| too)?(?:$|[.,;])",
    )],
    words: no_words,
    decide: workflow,
};

/// The systems on which services run jobs, by the first part of their machines' names.
const SYSTEMS: [&str; 3] = ["windows-", "macos-", "ubuntu-"];

/// Returns the first part of the names of a system's machines.
fn machine(system: &str) -> String {
    let system = system.to_ascii_lowercase();
    format!("{}-", system.replace("linux", "ubuntu"))
}

/// Decides that no workflow runs on a machine of another system.
fn only(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let own = machine(said.get("v"));
    let workflows = code.facts.files.iter();
    let files: Vec<&String> = workflows
        .filter(|path| path.starts_with(".github/workflows/"))
        .collect();
    let mut others = SYSTEMS.iter().filter(|system| **system != own);
    let other = others.find_map(|system| find(&files, system, code));
    match other {
        Some(place) => contradicted("another system is named".to_owned(), [place]),
        // A script may make a matrix, whose names are not seen here.
        None => unknown("a workflow may run on another machine"),
    }
}

/// Decides that the one workflow of a name has machines of a system.
fn workflow(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let name = said.get("n").to_ascii_lowercase();
    let is_named = |path: &&String| {
        let file = path.strip_prefix(".github/workflows/").unwrap_or_default();
        file == name || file.rsplit_once('.').is_some_and(|(stem, _)| stem == name)
    };
    let files: Vec<&String> = code.facts.files.iter().filter(is_named).collect();
    let [path] = files.as_slice() else {
        return unknown("no one workflow has this name");
    };
    if let Some(place) = find(&files, &machine(said.get("v")), code) {
        return ClaimVerdict::Holds(place);
    }
    let text = code.facts.text(path).unwrap_or_default();
    // A workflow that is called has machines of its own, and one may be named elsewhere.
    let is_open = [
        ".github/workflows/",
        "fromJSON",
        "self-hosted",
        "runs-on: ${{ inputs",
    ];
    let machines = SYSTEMS.iter().find_map(|system| find(&files, system, code));
    match machines.filter(|_| !is_open.iter().any(|mark| text.contains(mark))) {
        Some(place) => contradicted("the workflow names other machines".to_owned(), [place]),
        None => unknown("which machines it runs on is not followed"),
    }
}

/// Returns the versions or the system that a matrix is said to have.
fn wanted(said: &Arguments) -> Vec<String> {
    let text = said.get("v").to_ascii_lowercase();
    let versions: Vec<String> = text
        .split([' ', ','])
        .map(|word| word.trim_start_matches('v').trim_end_matches('.'))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .map(str::to_owned)
        .collect();
    if versions.is_empty() {
        vec![text.replace(' ', "")]
    } else {
        versions
    }
}

/// Reports whether a path is a file that configures a CI service.
fn is_ci(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    path.starts_with(".github/workflows/")
        || path.starts_with(".circleci/")
        || path.starts_with(".buildkite/")
        || name.contains("gitlab-ci")
        || name.contains("travis")
        || name.contains("appveyor")
        || name.contains("azure-pipelines")
        || name.contains("cirrus")
        || name == "jenkinsfile"
}

/// Reports whether the jobs of CI may run a file's commands.
fn is_called(path: &str) -> bool {
    let name = file_name(path);
    path.starts_with(".github/")
        || path.starts_with("ci/")
        || path.starts_with(".ci/")
        || path.starts_with("script")
        || path.ends_with(".sh")
        || matches!(
            name,
            "Makefile"
                | "package.json"
                | "tox.ini"
                | "noxfile.py"
                | "justfile"
                | "Rakefile"
                | "Taskfile.yml"
                | "pyproject.toml"
                | ".pre-commit-config.yaml"
                | "composer.json"
                | "build.gradle"
                | "pom.xml"
                | "Cargo.toml"
                | "setup.cfg"
        )
}

fn decide(wanted: &[String], code: &Code<'_, '_>) -> ClaimVerdict {
    let files: Vec<&String> = code.facts.files.iter().filter(|path| is_ci(path)).collect();
    if files.iter().any(|path| code.facts.text(path).is_none()) {
        return unknown("a file that tells what CI runs could not be read");
    }
    if files.is_empty() {
        return unknown("no file here tells what CI runs");
    }
    let mut shown = None;
    for word in wanted {
        let word = word.to_ascii_lowercase();
        match find(&files, &word, code) {
            Some(place) => shown = Some(place),
            None => {
                // `npm test` in a workflow runs what `package.json` names, so such files leave it
                // open.
                let called: Vec<&String> = code
                    .facts
                    .files
                    .iter()
                    .filter(|path| is_called(path))
                    .collect();
                if find(&called, &word, code).is_some() {
                    return unknown(format!("CI may reach `{word}` through another file"));
                }
                return contradicted(
                    format!("no file of CI names `{word}`"),
                    files.iter().map(|path| at(path, 0, "")),
                );
            }
        }
    }
    shown.map_or_else(|| unknown("nothing was named"), ClaimVerdict::Holds)
}

fn find(files: &[&String], word: &str, code: &Code<'_, '_>) -> Option<Evidence> {
    files.iter().find_map(|path| {
        let text = code.facts.text(path)?;
        line_where(path, &text, |line| line.to_ascii_lowercase().contains(word))
    })
}
