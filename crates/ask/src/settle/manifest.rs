//! What manifests say: licence, versions, authors, the least version of a runtime.

use grounds_claims::Claim;
use grounds_evidence::ConfidenceLevel;

use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, package_version};
use crate::words::is_in;

/// Names of manifests that describe a project.
const NAMES: &str = "Cargo.toml package.json pyproject.toml setup.cfg setup.py composer.json go.mod pom.xml \
    build.gradle build.gradle.kts gradle.properties libs.versions.toml Directory.Build.props \
    global.json mix.exs build.sbt configure.ac CMakeLists.txt meson.build Package.swift \
    pubspec.yaml Directory.Packages.props rust-toolchain.toml .nvmrc .python-version \
    .ruby-version Gemfile";
/// Endings of manifests that are named after their project.
const ENDINGS: &[&str] = &[
    ".gemspec", ".csproj", ".nuspec", ".podspec", ".fsproj", ".props",
];
/// Largest depth of a folder whose manifest describes the project.
const DEPTH_MAX: usize = 3;
/// Limit on the manifests that are read.
pub(super) const MANIFESTS_MAX: usize = 60;

impl Desk<'_, '_> {
    /// Returns the manifests, those at the top first.
    pub(super) fn manifests(&self) -> Vec<(String, String)> {
        self.manifest_paths()
            .into_iter()
            .filter_map(|path| self.tree.text(&path).map(|text| (path, text)))
            .collect()
    }

    /// Returns the paths of the manifests of the project, those at the top first.
    pub(super) fn manifest_paths(&self) -> Vec<String> {
        let mut paths = self.every_manifest_path();
        paths.retain(|path| !is_aside(path));
        paths
    }

    /// Returns the paths of all manifests, including those of tests, examples and benchmarks.
    pub(super) fn every_manifest_path(&self) -> Vec<String> {
        let mut paths: Vec<String> = self
            .tree
            .files
            .iter()
            .map(|file| file.as_str().to_owned())
            .filter(|path| is_manifest(path) && path.matches('/').count() <= DEPTH_MAX)
            .collect();
        paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
        paths.truncate(MANIFESTS_MAX);
        paths
    }

    /// Returns the lines of manifests that fit.
    fn lines(&self, is_wanted: &dyn Fn(&str, &str) -> bool) -> Vec<SettledSpot> {
        let mut spots = Vec::new();
        for (path, text) in self.manifests() {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            for (number, line) in (1_u32..).zip(text.lines()) {
                if is_wanted(&name, line.trim()) {
                    spots.push(SettledSpot::line(&path, number, "manifest"));
                }
            }
        }
        spots
    }

    pub(super) fn told(&self, text: &str, spots: &[SettledSpot], lines_max: u32) -> Settled {
        let top = spots
            .iter()
            .map(|spot| spot.path.matches('/').count())
            .min()
            .unwrap_or(0);
        let is_sure = spots
            .iter()
            .filter(|spot| spot.path.matches('/').count() == top)
            .count()
            <= 2;
        // At the limit, another manifest that was not read may say something else.
        let is_whole = self.every_manifest_path().len() < MANIFESTS_MAX;
        let settled = Settled::told(None, self.section(text, spots, lines_max));
        let why = match (is_sure, is_whole) {
            (true, true) => return settled,
            (false, _) => "several lines of manifests fit",
            (true, false) => "there are more manifests than are read",
        };
        settled.at(ConfidenceLevel::Medium, why)
    }
}

/// Reports whether a manifest is in a folder of tests, examples or benchmarks.
pub(super) fn is_aside(path: &str) -> bool {
    const FOLDERS: [&str; 6] = ["test", "example", "fixture", "sample", "bench", "spec"];
    let is_one = |part: &str| {
        FOLDERS
            .iter()
            .any(|folder| part.to_lowercase().starts_with(folder))
    };
    path.split('/').any(is_one)
}

/// Reports whether a path is one of a manifest.
pub(crate) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    is_in(NAMES, name) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the manifest of a package of the tree: the one with this `name`, or in the folder of
/// this name.
pub(super) fn own_manifest(package: &str, desk: &Desk<'_, '_>) -> Option<String> {
    let package = package.to_lowercase();
    let is_of = |(path, text): &(String, String)| {
        let folder = path.rsplit('/').nth(1).unwrap_or_default().to_lowercase();
        let mut lines = text.lines().map(str::trim);
        let named = |line: &str| {
            let value = line.split(['=', ':']).nth(1).unwrap_or_default();
            key(line) == "name"
                && value.trim().trim_matches(['"', '\'', ',']).to_lowercase() == package
        };
        // A folder may have the name of a dependency (`react`), whose manifest it is not.
        lines.any(named) || folder == package && !package_version::lists(&package, desk.tree)
    };
    desk.manifests()
        .into_iter()
        .find(is_of)
        .map(|(path, _)| path)
}

/// Returns the key that begins a line, without quotes and tags.
pub(super) fn key(line: &str) -> &str {
    line.trim_start_matches(['"', '\'', '<', ':'])
        .split(['"', '\'', ' ', '=', ':', '>', '(', ','])
        .next()
        .unwrap_or_default()
}

fn only_top(mut spots: Vec<SettledSpot>) -> Vec<SettledSpot> {
    let top = spots
        .iter()
        .map(|spot| spot.path.matches('/').count())
        .min()
        .unwrap_or(0);
    spots.retain(|spot| spot.path.matches('/').count() == top);
    spots
}

/// Finds the licence of the project.
pub(super) fn license(desk: &Desk<'_, '_>) -> SettleResult {
    let keys = [
        "license",
        "licence",
        "licenses",
        "PackageLicenseExpression",
        "POM_LICENCE_NAME",
        "POM_LICENSE_NAME",
        "PackageLicense",
    ];
    // A package below the top may have another licence.
    let mut spots = only_top(desk.lines(&|_, line| {
        keys.contains(&key(line)) || line.contains(".license") || line.contains(".licenses")
    }));
    spots.truncate(4);
    let is_text = |path: &str| {
        let name = path.to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "MIT-LICENSE"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    for file in desk
        .tree
        .files
        .iter()
        .filter(|file| is_text(file.as_str()))
        .take(4)
    {
        spots.push(SettledSpot {
            path: file.as_str().to_owned(),
            line: 1,
            line_end: 4,
            what: title_of(&desk.tree.text(file.as_str()).unwrap_or_default()),
        });
    }
    if spots.is_empty() {
        return Err(Unsettled::unknown(
            "no manifest and no file of the tree names a licence",
        ));
    }
    // The text of a licence decides its name; the line of a manifest is only shown beside it.
    let titles: Vec<&str> = spots
        .iter()
        .map(|spot| spot.what.as_str())
        .filter(|what| *what != "manifest" && !what.is_empty())
        .collect();
    let told = if titles.is_empty() {
        "The manifest names the licence:".to_owned()
    } else {
        format!("The licence is {}:", titles.join(", "))
    };
    Ok(Settled::told(None, desk.section(told, &spots, 4)))
}

/// Returns the name of a licence by the first words of its text.
fn title_of(text: &str) -> String {
    let head = text.chars().take(1_500).collect::<String>();
    let known = [
        ("Permission is hereby granted, free of charge", "MIT"),
        ("Apache License", "Apache License 2.0"),
        ("GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL"),
        ("GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"),
        ("GNU GENERAL PUBLIC LICENSE", "GPL"),
        ("Mozilla Public License", "MPL 2.0"),
        ("Neither the name", "BSD-3-Clause"),
        ("Redistribution and use in source and binary forms", "BSD"),
        ("Permission to use, copy, modify, and/or distribute", "ISC"),
        ("This is free and unencumbered software", "Unlicense"),
    ];
    let flat = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = text.split_whitespace().collect::<Vec<_>>().join(" ");
    known
        .iter()
        .find(|(mark, _)| {
            // The clause that tells BSD-3 from BSD-2 comes at the end of the text.
            flat.contains(mark) || mark.starts_with("Neither") && whole.contains(mark)
        })
        .map_or_else(String::new, |(_, name)| (*name).to_owned())
}

/// Finds the authors that manifests name.
pub(super) fn authors(desk: &Desk<'_, '_>) -> SettleResult {
    let keys = [
        "authors",
        "author",
        "Authors",
        "Author",
        "POM_DEVELOPER_NAME",
        "maintainers",
        "contributors",
    ];
    let spots = only_top(desk.lines(&|_, line| {
        // A tag with `true` or `false` switches a feature, and names nobody.
        let is_setting = line.contains(">false<") || line.contains(">true<");
        let is_key = keys.contains(&key(line)) && !is_setting;
        is_key || line.contains(".authors") || line.contains(".author ")
    }));
    if spots.is_empty() {
        return Err(Unsettled::unknown("no manifest names the authors"));
    }
    let spots: Vec<SettledSpot> = spots
        .into_iter()
        .take(3)
        .map(|spot| SettledSpot {
            line_end: spot.line + 2,
            ..spot
        })
        .collect();
    Ok(desk.told("The manifest names the authors:", &spots, 6))
}

/// Decides the version of the project, or of something that it depends on.
pub(super) fn version(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let target = claim.text(0).unwrap_or(".");
    if claim.kind.is_none()
        && let Some(spots) = of_itself(target, desk)
    {
        let whose = if target == "." { "the project" } else { target };
        return Ok(desk.told(&format!("The version of {whose}:"), &spots, 2));
    }
    if target == "." {
        return Err(Unsettled::unknown(
            "no manifest names the version of the project",
        ));
    }
    package_version::settle(target, claim, desk)
}

/// Manifests with versions of what the project uses, and not of the project.
const OF_OTHERS: &str = "global.json libs.versions.toml Directory.Packages.props rust-toolchain.toml Gemfile .nvmrc \
    .python-version .ruby-version";

/// Returns the line of a manifest with the version of what it describes.
fn version_line((path, text): &(String, String)) -> Option<SettledSpot> {
    const KEYS: &str =
        "version VERSION_NAME Version VersionPrefix __version__ VERSION projectVersion AC_INIT";
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_own = |number: usize, line: &str| {
        is_in(KEYS, version_key(name, line))
            && !is_in(OF_OTHERS, name)
            && has_version(line)
            && is_of_project(name, number, text)
    };
    let mut lines = text.lines().enumerate();
    let at = lines.position(|(number, line)| is_own(number, line.trim()))?;
    let number = u32::try_from(at + 1).ok()?;
    Some(SettledSpot::line(path, number, "manifest"))
}

/// Returns the key of a line that may give a version. In a Ruby specification (`s.version`) the
/// object before it is left out.
fn version_key<'l>(manifest: &str, line: &'l str) -> &'l str {
    let key = key(line);
    let is_ruby = manifest.ends_with(".gemspec") || manifest.ends_with(".podspec");
    match key.rsplit_once('.') {
        Some((_, last)) if is_ruby => last,
        _ => key,
    }
}

/// Reports whether a manifest says that its version is given elsewhere:
/// `s.version = Acme::VERSION`, `dynamic = ["version"]`, `version = attr: acme.__version__`.
fn defers_version((path, text): &(String, String)) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_one = |line: &str| match version_key(name, line) {
        "dynamic" => name == "pyproject.toml" && line.contains("\"version\""),
        "version" => {
            let value = line.split_once(['=', ':']).map_or("", |(_, value)| value);
            let is_named = ["VERSION", "__version__", "Version"]
                .iter()
                .any(|name| value.contains(name));
            is_named && !has_version(line)
        }
        _ => false,
    };
    text.lines().any(|line| is_one(line.trim()))
}

/// Returns where the project, or one of its packages, gives its own version: in a manifest at the
/// top, else in the one with the name of the project.
fn of_itself(target: &str, desk: &Desk<'_, '_>) -> Option<Vec<SettledSpot>> {
    let manifests = desk.manifests();
    let of_path = |path: &String| {
        manifests
            .iter()
            .find(|(one, _)| one == path)
            .and_then(version_line)
    };
    if target != "." {
        return Some(vec![of_path(&own_manifest(target, desk)?)?]);
    }
    let at_top = || manifests.iter().filter(|(path, _)| !path.contains('/'));
    // A deferred version comes first: a `package.json` beside a `pyproject.toml` may only be for
    // tools.
    let elsewhere = match at_top().any(defers_version) {
        true => in_code(desk),
        false => Vec::new(),
    };
    if !elsewhere.is_empty() {
        return Some(elsewhere);
    }
    let top: Vec<SettledSpot> = at_top().filter_map(version_line).take(2).collect();
    if !top.is_empty() {
        return Some(top);
    }
    let projects = desk.tree.projects.iter();
    let own = projects.filter_map(|name| own_manifest(name, desk));
    let spots: Vec<SettledSpot> = own.filter_map(|path| of_path(&path)).take(1).collect();
    let spots = if spots.is_empty() {
        in_code(desk)
    } else {
        spots
    };
    (!spots.is_empty()).then_some(spots)
}

/// Reports whether a line has a version of at least two numbers, and is not a sentence.
fn has_version(line: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    let mut parts = line.split(|letter: char| !is_part(letter));
    let has_one = parts
        .any(|part| part.starts_with(|letter: char| letter.is_ascii_digit()) && part.contains('.'));
    has_one && line.split_whitespace().count() < 8
}

/// Reports whether a line of a manifest is about the project, and not in the section of a tool, a
/// dependency or a parent.
pub(super) fn is_of_project(manifest: &str, number: usize, text: &str) -> bool {
    let before: Vec<&str> = text.lines().take(number).map(str::trim).collect();
    match manifest.rsplit('.').next() {
        Some("toml" | "cfg") => {
            let head = before.iter().rev().find(|line| line.starts_with('['));
            let section = head.map_or("", |line| line.trim_matches(['[', ']']));
            is_in(
                "project package workspace.package tool.poetry metadata",
                section,
            )
        }
        Some("json") => {
            let opened: usize = before.iter().map(|line| line.matches('{').count()).sum();
            let closed: usize = before.iter().map(|line| line.matches('}').count()).sum();
            // Only the outermost object of a `package.json` is about the project.
            opened == closed + 1
        }
        Some("xml") => {
            let inside = |tag: &str| {
                let count =
                    |mark: String| before.iter().filter(|line| line.contains(&mark)).count();
                count(format!("<{tag}>")) > count(format!("</{tag}>"))
            };
            // A `pom.xml` gives versions of its parent, dependencies and plugins in the same tag.
            !["parent", "dependency", "plugin", "dependencies"]
                .iter()
                .any(|tag| inside(tag))
        }
        _ => true,
    }
}

/// Returns the constants in code with the version of the project.
fn in_code(desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let mut spots = Vec::new();
    for name in ["VERSION", "__version__", "Version"] {
        let known = desk.tree.know(&[name]).remove(0);
        // Protocols, drivers and scripts have versions of their own, so the file or folder must be
        // named after the version or the project.
        let is_of_project = |place: &&grounds_repo::labels::LabelledPlace| {
            let path = place.path.as_str();
            let mut folders = path.split('/').rev().skip(1);
            let is_named = place.path.stem().to_lowercase().trim_matches('_') == "version"
                || folders
                    .next()
                    .is_some_and(|folder| desk.tree.is_project(folder))
                || desk.tree.is_project(place.path.stem());
            place.role == grounds_evidence::FileRole::Source && is_named
        };
        for place in known.definitions().filter(is_of_project) {
            let line = desk
                .tree
                .text(place.path.as_str())
                .and_then(|text| text.lines().nth(place.line as usize - 1).map(str::to_owned))
                .unwrap_or_default();
            if line.contains('=') && line.contains(|letter: char| letter.is_ascii_digit()) {
                spots.push(SettledSpot::line(
                    place.path.as_str(),
                    place.line,
                    "version",
                ));
            }
        }
        if !spots.is_empty() {
            break;
        }
    }
    spots.truncate(3);
    spots
}

/// Keys of manifests for the least version of a runtime.
const RUNTIMES: &[(&str, &[&str])] = &[
    ("python", &["requires-python", "python_requires", "python"]),
    ("ruby", &["required_ruby_version", "ruby"]),
    ("go", &["go"]),
    ("node", &["node", "engines"]),
    ("npm", &["npm"]),
    ("rust", &["rust-version", "channel"]),
    ("php", &["php"]),
    (
        "java",
        &[
            "sourceCompatibility",
            "targetCompatibility",
            "maven.compiler.release",
            "maven.compiler.source",
            "maven.compiler.target",
            "java",
            "jvmTarget",
            "release",
        ],
    ),
    ("kotlin", &["kotlin"]),
    (
        "dotnet",
        &["TargetFramework", "TargetFrameworks", "LibraryFrameworks"],
    ),
    ("elixir", &["elixir"]),
    ("scala", &["scalaVersion"]),
    ("swift", &["swift-tools-version"]),
    ("typescript", &["typescript"]),
    (
        "cmake",
        &["cmake_minimum_required", "CMAKE_MINIMUM_REQUIRED"],
    ),
];

/// Finds the least version of a runtime that manifests name.
pub(super) fn requires(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let runtime = claim.text(0).unwrap_or_default();
    let keys = RUNTIMES
        .iter()
        .find(|(name, _)| *name == runtime)
        .map_or(&[][..], |(_, keys)| *keys);
    let wanted = |name: &str, line: &str| {
        // Only `go.mod` gives the version of the language after a bare `go`.
        let fits_file = runtime != "go" || name == "go.mod";
        let last = line.split(['=', ' ']).next().unwrap_or_default();
        let is_key = keys.iter().any(|wanted| {
            key(line) == *wanted
                || last.rsplit('.').next() == Some(*wanted)
                    && last.contains('.')
                    && !last.contains('/')
        });
        fits_file && is_key && line.contains(|letter: char| letter.is_ascii_digit())
    };
    let mut spots = desk.lines(&wanted);
    let files: Vec<_> = claim
        .scope
        .inside
        .iter()
        .flat_map(|text| desk.tree.files_of(text))
        .collect();
    if !files.is_empty() {
        spots.retain(|spot| files.iter().any(|file| file.as_str() == spot.path));
    } else if let [package] = claim.scope.inside.as_slice() {
        // "Which Node does core need?" asks for the manifest of the package `core`.
        let own = own_manifest(package, desk)
            .ok_or_else(|| Unsettled::unknown(format!("no manifest of `{package}` was found")))?;
        spots.retain(|spot| spot.path == own);
    }
    let mut spots = only_top(spots);
    spots.truncate(3);
    if spots.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no manifest names the least version of {runtime}"
        )));
    }
    Ok(desk.told(
        &format!("The least version of {runtime} that the manifest names:"),
        &spots,
        2,
    ))
}

#[cfg(test)]
mod tests {
    use super::{defers_version, version_line};

    fn of(path: &str, text: &str) -> (String, String) {
        (path.to_owned(), text.to_owned())
    }

    #[test]
    fn a_manifest_says_that_its_version_is_given_elsewhere() {
        let deferring = [
            ("shop.gemspec", "  spec.version = Shop::VERSION"),
            ("pyproject.toml", "[project]\ndynamic = [\"version\"]"),
            ("setup.cfg", "[metadata]\nversion = attr: shop.__version__"),
        ];
        for (path, text) in deferring {
            assert!(defers_version(&of(path, text)), "{path}");
        }
        let own = [
            ("shop.gemspec", "  spec.version = '1.2.3'"),
            ("pyproject.toml", "[project]\nversion = \"1.2.3\""),
            ("package.json", "{\n  \"version\": \"1.2.3\"\n}"),
        ];
        for (path, text) in own {
            assert!(!defers_version(&of(path, text)), "{path}");
            assert!(version_line(&of(path, text)).is_some(), "{path}");
        }
    }

    #[test]
    fn a_ruby_that_is_required_is_no_version_of_the_project() {
        let text = "  spec.required_ruby_version = '>= 3.1'";
        assert!(version_line(&of("shop.gemspec", text)).is_none());
    }
}
