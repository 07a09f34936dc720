//! `X` is a dependency; `X` is pinned at a version.

use super::{Arguments, Predicate, at, contradicted, dependency_kind, no_words, unknown};
use crate::code::Code;
use crate::verdict::{ClaimVerdict, Evidence};
use grounds_repo::path::file_name;

pub(super) const DEPENDENCY: Predicate = Predicate {
    name: "dependency",
    frames: &[
        concat!(
            r"{a},? (?:which )?is {not}(?:an?|the|listed as an?|declared as an?)? ?",
            r"(?:(?P<n>(?:{sort} )*{sort})[ -])?dependency",
        ),
        concat!(
            r"{file} (?:lists|names|declares|has|includes|contains) {a} ",
            r"(?:as an? |in its |among (?:its|the) )",
            r"(?:(?:(?P<n>{sort})|[\w-]+)[ -])?dependenc(?:y|ies)",
        ),
        r"(?:package|project|module|crate|library|it|gem) {not}(?:also |now |still )*depends on {a}(?:$|[.,; ])",
        r"^[a-z /0-9-]{3,50} (?P<v>by|with|via|using|through|on)(?: the)? {a} (?:crate|package|library|gem|dependency)",
        r"^[a-z /0-9-]{3,50} (?:relies on|is built on|is powered by|goes through|is handled by) (?:the )?{a}(?: crate| package| library| gem| module)?(?:$|[.,;])",
    ],
    words: no_words,
    decide: depends,
};

pub(super) const VERSION: Predicate = Predicate {
    name: "dependency_version",
    frames: &[
        // "Requires X 5 or later" pins nothing, so only an end or certain words may follow.
        concat!(
            r"(?:pins|requires|uses|locks|depends on|needs|asks for) {a}(?: at| to| in)?(?: version)? ",
            r"v?{n}(?:$|[,;:)]|\.(?:$| )| (?:for|in|as|by|to|from|exactly)\b)",
        ),
        concat!(
            r"^«\d+» (?:pins|requires|locks|needs) {a}(?: at| to| in)?(?: version)? {n}",
            r"(?:$|[,;)]|\.(?:$| ))",
        ),
        r"{a} is (?:pinned|locked|required|held)(?: at| to| in)(?: version)?(?: at least)? {n}",
    ],
    words: no_words,
    decide: pinned,
};

/// Files in which projects name what they depend on.
const MANIFESTS: [&str; 18] = [
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "composer.json",
    "Gemfile",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "libs.versions.toml",
    "CMakeLists.txt",
    "mix.exs",
    "Pipfile",
    "Package.swift",
    "Directory.Packages.props",
];
/// Endings of manifests that have the project's own name.
const ENDINGS: [&str; 3] = [".gemspec", ".csproj", ".cabal"];

fn is_manifest(path: &&String) -> bool {
    let name = file_name(path);
    MANIFESTS.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the manifests of the tree with their texts.
pub(super) fn manifests(code: &Code<'_, '_>) -> Vec<(String, String)> {
    let found = code.facts.files.iter().filter(is_manifest);
    found
        .filter_map(|path| Some((path.clone(), code.facts.text(path)?)))
        .collect()
}

/// Reports whether a line of a manifest names a package as a whole word.
fn names(line: &str, package: &str) -> bool {
    // `jinja2` is no part of `jinja2-time` or `@scope/jinja2`.
    let is_part = |letter: char| letter.is_alphanumeric() || "-_./@".contains(letter);
    line.match_indices(package).any(|(at, _)| {
        !line[..at].ends_with(is_part) && !line[at + package.len()..].starts_with(is_part)
    })
}

fn lines_of(package: &str, code: &Code<'_, '_>) -> Option<Vec<Evidence>> {
    let all = manifests(code);
    // Unless every manifest was read, a missing line proves nothing.
    if all.is_empty() || all.len() < code.facts.files.iter().filter(is_manifest).count() {
        return None;
    }
    let found = all.iter().flat_map(|(path, text)| {
        let lines = text.lines().enumerate();
        let fits = lines.filter(|(_, line)| names(line, package));
        fits.map(|(number, line)| at(path, number + 1, line))
            .collect::<Vec<_>>()
    });
    Some(found.collect())
}

fn depends(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    if said.get("a").contains(['(', '`', ' ']) {
        return unknown("it is no name of a package");
    }
    let manifest = said.path("b").and_then(|(path, _)| code.file_at(path));
    let mut lines = lines_of(said.get("a"), code);
    if let (Some(lines), Some(file)) = (&mut lines, &manifest) {
        lines.retain(|line| matches!(line, Evidence::Place { path, .. } if path == file));
    }
    match lines {
        None => unknown("no manifest is here, or one could not be read"),
        Some(lines) if !lines.is_empty() && !said.get("n").is_empty() => of_kind(said, lines, code),
        Some(lines) => match lines.into_iter().next() {
            Some(line) => ClaimVerdict::Holds(line),
            // Documents also name packages that a reader may add.
            None if manifest.is_none()
                && (!said.get("v").is_empty() || code.is_known(said.get("a"))) =>
            {
                unknown(format!("no manifest names `{}`", said.get("a")))
            }
            None => contradicted(
                format!("no manifest names `{}`", said.get("a")),
                manifests(code).iter().map(|(path, _)| at(path, 0, "")),
            ),
        },
    }
}

/// Decides whether one of some lines lists a package as the kind of dependency that is stated.
fn of_kind(said: &Arguments, mut lines: Vec<Evidence>, code: &Code<'_, '_>) -> ClaimVerdict {
    let words = said.get("n").to_ascii_lowercase();
    lines.retain(|line| !dependency_kind::is_beside(line, code));
    let fits = |line: &Evidence| dependency_kind::fits(&words, line, code);
    let told: Vec<Option<bool>> = lines.iter().map(fits).collect();
    if let Some(at) = told.iter().position(|fits| *fits == Some(true)) {
        return ClaimVerdict::Holds(lines[at].clone());
    }
    let package = said.get("a");
    let is_open = told.contains(&None) || words.contains("only");
    match is_open || lines.is_empty() {
        true => unknown(format!(
            "no manifest tells whether `{package}` is a {words} dependency"
        )),
        false => contradicted(format!("`{package}` is no {words} dependency"), lines),
    }
}

fn pinned(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let stated = said.get("n").trim_start_matches('v');
    let lines = lines_of(said.get("a"), code).unwrap_or_default();
    let versions: Vec<(String, &Evidence)> = lines
        .iter()
        .filter_map(|line| match line {
            Evidence::Place { text, .. } => Some((version_after(text, said.get("a"))?, line)),
            Evidence::Commit { .. } => None,
        })
        .collect();
    // A pin at 1.2.3 fits the statement of 1.2.
    let fits = |version: &str| {
        version == stated
            || version
                .strip_prefix(stated)
                .is_some_and(|rest| rest.starts_with('.'))
    };
    match (
        versions.iter().find(|(version, _)| fits(version)),
        versions.first(),
    ) {
        (Some((_, line)), _) => ClaimVerdict::Holds((*line).clone()),
        (None, Some((version, line))) if !stated.is_empty() => contradicted(
            format!("`{}` is at {version}", said.get("a")),
            [(*line).clone()],
        ),
        _ => unknown("no manifest states its version"),
    }
}

fn version_after(line: &str, package: &str) -> Option<String> {
    let rest = &line[line.find(package)? + package.len()..];
    let from = rest.find(|letter: char| letter.is_ascii_digit())?;
    let version: String = rest[from..]
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == '.')
        .collect();
    Some(version.trim_end_matches('.').to_owned())
}
