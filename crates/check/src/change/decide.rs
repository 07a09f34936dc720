//! A statement about a change + the change → verdict.

use grounds_evidence::FileRole;
use grounds_repo::path::file_name;

use super::public::{Difference, difference};
use super::sentence::{ChangeStatement, StatedPart};
use super::{FileStatus, Touched, TreeChange};
use crate::code::{Code, is_source, whole_words};
use crate::kinds::has_known_ending;
use crate::statement::at;
use crate::verdict::{ClaimVerdict, Evidence};

/// Names of files in which a dependency has its version.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "requirements.txt",
    "setup.py",
    "setup.cfg",
    "go.mod",
    "go.sum",
    "Gemfile",
    "Gemfile.lock",
    "composer.json",
    "composer.lock",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "libs.versions.toml",
    "Pipfile",
    "Pipfile.lock",
    "gradle.properties",
];

impl ChangeStatement {
    /// Decides it.
    pub(crate) fn decide(&self, change: &TreeChange, code: &Code<'_, '_>) -> ClaimVerdict {
        // The decisions below show the first file of the change, so there must be one.
        if change.files.is_empty() {
            return ClaimVerdict::Unknown(format!("nothing differs from `{}`", change.base));
        }
        match self {
            Self::AddsTests(name) => adds_tests(name.as_deref(), change),
            Self::TouchesOnly(part) => touches_only(part, change),
            Self::LeavesAlone(part) => leaves_alone(part, change),
            Self::NoPublicChange => no_public_change(change),
            Self::Renames(from, to) => renames(from, to, change, code),
            Self::Bumps(name, version) => bumps(name, version, change),
            Self::Adds(name) => adds(name, change),
            Self::Removes(name) => removes(name, change, code),
            Self::Files(count) => files(*count, change),
        }
    }
}

fn against(
    instead: impl Into<String>,
    evidence: impl IntoIterator<Item = Evidence>,
) -> ClaimVerdict {
    ClaimVerdict::Contradicted {
        instead: instead.into(),
        closest: None,
        evidence: evidence.into_iter().take(3).collect(),
    }
}

/// Returns the verdict on something that a change does not have. It contradicts only if all of the
/// change was read.
fn absent(
    change: &TreeChange,
    instead: String,
    evidence: impl IntoIterator<Item = Evidence>,
) -> ClaimVerdict {
    if change.is_whole {
        against(instead, evidence)
    } else {
        ClaimVerdict::Unknown("not all of the change could be read".to_owned())
    }
}

impl StatedPart {
    fn has(&self, file: &Touched) -> bool {
        let name = file_name(&file.path);
        let role = file.role();
        match self {
            Self::Documents => {
                // A manifest such as `requirements.txt` may have the ending of prose.
                let is_prose = || grounds_repo::words::is_prose(&file.path);
                !MANIFESTS.contains(&name) && (role == FileRole::Documentation || is_prose())
            }
            Self::Tests => matches!(role, FileRole::Test | FileRole::Fixture),
            Self::Ci => {
                file.path.starts_with(".github/")
                    || file.path.starts_with(".circleci/")
                    || name.contains("ci.yml")
            }
            Self::Dependencies => MANIFESTS.contains(&name),
            Self::Code => matches!(role, FileRole::Source | FileRole::Header),
            Self::Path(path) => {
                let path = path.trim_start_matches("./").trim_end_matches('/');
                // A description may name a path from inside of a package: `src/a.rs` of
                // `crates/x/src/a.rs`.
                let inside = |known: &str| {
                    known == path
                        || known.starts_with(&format!("{path}/"))
                        || known.ends_with(&format!("/{path}"))
                        || known.contains(&format!("/{path}/"))
                };
                // A file that was moved out of a folder touches that folder as well.
                inside(&file.path) || file.path_before.as_deref().is_some_and(inside)
            }
        }
    }
}

fn first_of(change: &TreeChange, test: impl Fn(&Touched) -> bool) -> Option<&Touched> {
    change.files.iter().find(|file| test(file))
}

fn shown(file: &Touched) -> Evidence {
    match file.added().first() {
        Some((line, text)) => at(&file.path, *line, text),
        None => at(&file.path, 0, ""),
    }
}

fn touches_only(part: &StatedPart, change: &TreeChange) -> ClaimVerdict {
    match first_of(change, |file| !part.has(file)) {
        Some(other) => against(
            format!("the change touches `{}`", other.path),
            [shown(other)],
        ),
        None => ClaimVerdict::Holds(shown(&change.files[0])),
    }
}

fn leaves_alone(part: &StatedPart, change: &TreeChange) -> ClaimVerdict {
    match first_of(change, |file| part.has(file)) {
        Some(file) => against(format!("the change touches `{}`", file.path), [shown(file)]),
        None => ClaimVerdict::Holds(shown(&change.files[0])),
    }
}

fn files(count: usize, change: &TreeChange) -> ClaimVerdict {
    let all = change.files.len();
    if all == count {
        return ClaimVerdict::Holds(at(&change.files[0].path, 0, ""));
    }
    against(
        format!("the change touches {all} files"),
        change.files.iter().map(|file| at(&file.path, 0, "")),
    )
}

/// Reports whether an added line looks like one of a test.
fn is_of_test(line: &str) -> bool {
    let line = line.trim();
    // In Rust, tests are in the file that they test, so the added line is looked at and not only
    // the path. These marks begin a line.
    [
        "#[test]",
        "#[tokio::test",
        "@Test",
        "[Fact]",
        "[Theory]",
        "it(",
        "it '",
        "it \"",
        "test(",
        "describe(",
        "TEST(",
        "TEST_F(",
        "TEST_CASE(",
        "#[cfg(test)]",
    ]
    .iter()
    .any(|mark| line.starts_with(mark))
        // These may follow other words: `async def test_a`, `export function testB`.
        || [
            "def test_",
            "func Test",
            "function test",
            "fn test_",
            "public function test",
        ]
        .iter()
        .any(|mark| line.contains(mark))
}

fn adds_tests(name: Option<&str>, change: &TreeChange) -> ClaimVerdict {
    let is_test = |file: &&Touched| {
        StatedPart::Tests.has(file) || file.added().iter().any(|(_, line)| is_of_test(line))
    };
    let tests: Vec<&Touched> = change
        .files
        .iter()
        .filter(is_test)
        .filter(|file| !file.added().is_empty())
        .collect();
    let Some(first) = tests.first() else {
        return absent(change, "the change adds no line to a test".to_owned(), []);
    };
    let Some(name) = name.map(last_name) else {
        return ClaimVerdict::Holds(shown(first));
    };
    let named = tests.iter().find_map(|file| {
        let lines = file.added();
        let (line, text) = lines
            .iter()
            .find(|(_, line)| whole_words(line, name).next().is_some())?;
        Some(at(&file.path, *line, text))
    });
    // Tests may reach a name in another way.
    named.map_or_else(
        || ClaimVerdict::Unknown(format!("no added line of a test has `{name}`")),
        ClaimVerdict::Holds,
    )
}

fn no_public_change(change: &TreeChange) -> ClaimVerdict {
    let mut is_open = !change.is_whole;
    for file in &change.files {
        match difference(file) {
            Difference::None => {}
            Difference::Unknown => is_open = true,
            // What a file of a crate or a package makes public may stay inside of it.
            Difference::Found(..) if may_stay_inside(&file.path) => is_open = true,
            Difference::Found(line, words) => {
                return against(words, [at(&file.path, line as usize, "")]);
            }
        }
    }
    if is_open {
        return ClaimVerdict::Unknown("what is public could not be compared everywhere".to_owned());
    }
    ClaimVerdict::Holds(at(&change.files[0].path, 0, ""))
}

/// Reports whether what a file makes public may be invisible outside of its crate or package.
fn may_stay_inside(path: &str) -> bool {
    let name = file_name(path);
    let is_hidden = path
        .split('/')
        .any(|part| part == "internal" || part == "cmd" || part.starts_with('_'));
    // Whether a module of Rust is public is written in the file above it, so only `lib.rs` is sure.
    is_hidden || (path.ends_with(".rs") && name != "lib.rs") || name == "main.go"
}

/// Returns the last part of a qualified name, without a call.
pub(super) fn last_name(name: &str) -> &str {
    let bare = name.split_once('(').map_or(name, |(head, _)| head);
    bare.rsplit(['.', ':', '#', '\\', '>'])
        .next()
        .unwrap_or(bare)
}

/// Reports whether a name may be a path. `config.load` may be one.
fn is_path(name: &str) -> bool {
    is_surely_path(name)
        || name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && (1..5).contains(&ending.len()) && !name.contains('(')
        })
}

/// Reports whether a path has an end that begins at one of its folders.
fn ends_with_path(path: &str, end: &str) -> bool {
    let end = end.trim_start_matches("./");
    let folders = path.strip_suffix(end);
    folders.is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
}

/// Reports whether a name is a path by its folders or by an ending that documents name.
pub(super) fn is_surely_path(name: &str) -> bool {
    !name.contains(' ') && (name.contains('/') || has_known_ending(name))
}

/// Returns the first added line of the change that has a name.
fn line_with<'c>(
    change: &'c TreeChange,
    name: &str,
    lines: fn(&'c Touched) -> Vec<(usize, &'c str)>,
) -> Option<(&'c Touched, usize, &'c str)> {
    change.files.iter().find_map(|file| {
        let found = lines(file);
        let (line, text) = found
            .iter()
            .find(|(_, line)| whole_words(line, name).next().is_some())?;
        Some((file, *line, *text))
    })
}

fn adds(name: &str, change: &TreeChange) -> ClaimVerdict {
    if is_path(name) {
        let path = name.trim_start_matches("./").trim_end_matches('/');
        return match change.file(path) {
            Some(file) if file.status == FileStatus::Removed => {
                against(format!("the change removes `{path}`"), [])
            }
            Some(file) => ClaimVerdict::Holds(at(&file.path, 0, "")),
            // A name with a dot, such as `config.load`, looks like a path, so the lines are
            // searched too.
            None => match line_with(change, name, Touched::added) {
                Some((file, line, text)) => ClaimVerdict::Holds(at(&file.path, line, text)),
                // With a folder, it can only be a path.
                None if path.contains('/') => {
                    absent(change, format!("the change does not touch `{path}`"), [])
                }
                None => ClaimVerdict::Unknown(format!("the change touches no `{path}`")),
            },
        };
    }
    let short = last_name(name).trim_start_matches("--");
    if short.is_empty() || name.contains(' ') {
        return ClaimVerdict::Unknown("what is added is no single name".to_owned());
    }
    match line_with(change, short, Touched::added) {
        Some((file, line, text)) => ClaimVerdict::Holds(at(&file.path, line, text)),
        // A plain word can be meant in another way, so its absence shows nothing.
        None if crate::kinds::is_distinctive(short) => absent(
            change,
            format!("no line that the change adds has `{short}`"),
            [],
        ),
        None => ClaimVerdict::Unknown(format!("no added line has `{short}`")),
    }
}

fn removes(name: &str, change: &TreeChange, code: &Code<'_, '_>) -> ClaimVerdict {
    if is_path(name) {
        let path = name.trim_start_matches("./").trim_end_matches('/');
        return match change.file(path) {
            Some(file) if matches!(file.status, FileStatus::Removed | FileStatus::Renamed) => {
                ClaimVerdict::Holds(at(&file.path, 0, ""))
            }
            Some(file) if path.contains('/') => against(
                format!("`{}` is still here", file.path),
                [at(&file.path, 0, "")],
            ),
            _ => ClaimVerdict::Unknown(format!("the change does not remove a file `{path}`")),
        };
    }
    let short = last_name(name).trim_start_matches("--");
    // A plain word such as `run` may go from one line and remain in others.
    if name.contains(' ') || !crate::kinds::is_distinctive(short) {
        return ClaimVerdict::Unknown("the name alone does not tell what is meant".to_owned());
    }
    let Some((file, line, text)) = line_with(change, short, Touched::removed) else {
        return absent(
            change,
            format!("no line that the change removes has `{short}`"),
            [],
        );
    };
    // Lines go when code is moved or reformatted, so a definition that is still here decides.
    let still = code
        .definitions(short)
        .and_then(|all| all.into_iter().find(|one| is_source(&one.path)));
    match still {
        Some(one) => against(format!("`{short}` is still defined"), [one.place()]),
        None => ClaimVerdict::Holds(at(&file.path, line, text)),
    }
}

fn renames(from: &str, to: &str, change: &TreeChange, code: &Code<'_, '_>) -> ClaimVerdict {
    if is_path(from) && is_path(to) {
        return match change.file(to) {
            Some(file)
                if file
                    .path_before
                    .as_deref()
                    .is_some_and(|known| ends_with_path(known, from)) =>
            {
                ClaimVerdict::Holds(at(&file.path, 0, ""))
            }
            Some(_) => ClaimVerdict::Unknown(format!("`{to}` is changed, and git sees no rename")),
            None if to.contains('/') => {
                absent(change, format!("the change does not touch `{to}`"), [])
            }
            // Without a folder, the path may be one that the description shortens.
            None => ClaimVerdict::Unknown(format!("the change touches no `{to}`")),
        };
    }
    let (old, new) = (last_name(from), last_name(to));
    match (
        removes(old, change, code),
        line_with(change, new, Touched::added),
    ) {
        (ClaimVerdict::Holds(_), Some((file, line, text))) => {
            ClaimVerdict::Holds(at(&file.path, line, text))
        }
        (
            ClaimVerdict::Contradicted {
                instead, evidence, ..
            },
            _,
        ) => against(instead, evidence),
        (_, None) if crate::kinds::is_distinctive(new) => absent(
            change,
            format!("no line that the change adds has `{new}`"),
            [],
        ),
        _ => ClaimVerdict::Unknown("the names alone do not tell what is meant".to_owned()),
    }
}

fn bumps(name: &str, version: &str, change: &TreeChange) -> ClaimVerdict {
    let is_manifest =
        |file: &&Touched| StatedPart::Dependencies.has(file) || StatedPart::Ci.has(file);
    let manifests: Vec<&Touched> = change.files.iter().filter(is_manifest).collect();
    let bare = name.trim_matches(['"', '\'']);
    let mut other = None;
    for file in &manifests {
        let text = file.after.as_deref().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in file.added() {
            // In a lock file the name stands on a line of its own, above its version.
            let above = lines
                .get(number.saturating_sub(4)..number)
                .unwrap_or_default();
            if !names(line, bare) && !above.iter().any(|line| names(line, bare)) {
                continue;
            }
            if has_version(line, version) {
                return ClaimVerdict::Holds(at(&file.path, number, line));
            }
            // A line with the name and no digit, as `name = "serde"` in a lock file, sets no
            // version.
            if names(line, bare) && line.bytes().any(|byte| byte.is_ascii_digit()) {
                other.get_or_insert_with(|| at(&file.path, number, line));
            }
        }
    }
    match other {
        Some(place) => absent(
            change,
            format!("the change sets another version of `{bare}`"),
            [place],
        ),
        None if manifests.is_empty() => {
            absent(change, "the change touches no manifest".to_owned(), [])
        }
        None => ClaimVerdict::Unknown(format!("no added line of a manifest names `{bare}`")),
    }
}

/// Reports whether a line names a package as a whole: a line of `serde_json` says nothing of `serde`.
fn names(line: &str, package: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    line.match_indices(package).any(|(at, _)| {
        !line[..at].ends_with(is_part) && !line[at + package.len()..].starts_with(is_part)
    })
}

/// Reports whether a line has a version as a whole, or one of its releases: `1.2` in `1.2.3`.
fn has_version(line: &str, version: &str) -> bool {
    line.match_indices(version).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + version.len()..].chars().next();
        !before.is_some_and(|letter| letter.is_ascii_digit() || letter == '.')
            && !after.is_some_and(|letter| letter.is_ascii_digit())
    })
}
