//! The names by which the project calls itself: those of its packages, modules and programs.
//!
//! Reads the manifests of a checkout, the title of its README and the folders that are packages. An
//! import of one of these names is an import of this tree.

use std::collections::BTreeSet;
use std::path::Path;

use grounds_repo::checkout::Checkout;
use grounds_repo::text;

/// Bytes of a manifest that are read.
const MANIFEST_BYTES_MAX: u64 = 1 << 20;
/// Most entries of a folder that are read.
const ENTRIES_MAX: usize = 2_000;

/// Manifests, each with the texts that precede a name in it.
const MANIFESTS: &[(&str, &[&str])] = &[
    ("Cargo.toml", &["name = \""]),
    ("pyproject.toml", &["name = \""]),
    ("package.json", &["\"name\": \""]),
    (
        "composer.json",
        &["\"name\": \"", "\"psr-4\": {", "\"psr-0\": {"],
    ),
    ("setup.cfg", &["name = "]),
    ("setup.py", &["name=\"", "name='"]),
    ("go.mod", &["module "]),
    ("pom.xml", &["<artifactId>"]),
    ("build.gradle", &["group = '"]),
];

/// Returns the names of the project and of its packages, in lower case.
pub fn names(checkout: &Checkout) -> BTreeSet<String> {
    let root = checkout.root();
    let mut names = BTreeSet::new();
    if let Some(folder) = root.file_name() {
        add(&mut names, &folder.to_string_lossy());
    }
    for (file, marks) in MANIFESTS {
        let text = read(&root.join(file));
        for mark in *marks {
            if let Some(name) = after(&text, mark) {
                add(&mut names, &name);
            }
        }
    }
    if let Some(title) = title(&read(&root.join("README.md"))) {
        add(&mut names, &title);
    }
    names.extend(go_package(root));
    for folder in ["", "src", "lib", "crates", "packages"] {
        names.extend(packages(&root.join(folder)));
    }
    // One letter, as a folder may be called, would match too much.
    names.retain(|name| name.len() > 1);
    names
}

fn read(path: &Path) -> String {
    let bytes = text::read_whole(path, MANIFEST_BYTES_MAX).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the name after a mark, without quotes and brackets around it.
fn after(text: &str, mark: &str) -> Option<String> {
    let rest = &text[text.find(mark)? + mark.len()..];
    let rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '"');
    let end = rest.find(['"', '\'', '\n', '<'])?;
    Some(rest[..end].trim().trim_end_matches('\\').to_owned())
}

/// Adds a name as manifests and imports write it: `guzzlehttp/guzzle`, `my-crate`, `my_crate`.
fn add(names: &mut BTreeSet<String>, name: &str) {
    let lower = name.to_ascii_lowercase();
    for part in lower
        .split(['/', '\\', '@', ':'])
        .filter(|part| !part.is_empty())
    {
        names.insert(part.to_owned());
        names.insert(part.replace('-', "_"));
        // The package `chart.js` may be imported as `chart`.
        names.insert(part.trim_end_matches(".js").to_owned());
    }
}

/// Returns the only word of the first heading, or `None` if it has several.
fn title(text: &str) -> Option<String> {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "))?;
    let mut words = heading.split_whitespace();
    words
        .next()
        .filter(|_| words.next().is_none())
        .map(str::to_owned)
}

/// Returns the package of the first Go file at the top.
fn go_package(root: &Path) -> Option<String> {
    let mut files: Vec<_> = std::fs::read_dir(root)
        .ok()?
        .take(ENTRIES_MAX)
        .flatten()
        .collect();
    // The order of a folder differs between file systems.
    files.sort_by_key(std::fs::DirEntry::file_name);
    let first = files
        .iter()
        .find(|file| file.file_name().to_string_lossy().ends_with(".go"))?;
    let text = read(&first.path());
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("package "))?;
    Some(line.trim().trim_end_matches("_test").to_ascii_lowercase())
}

/// Returns the packages in a folder: by the name in their manifest, or by the folder's if no
/// manifest names them.
fn packages(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let each = entries
        .take(ENTRIES_MAX)
        .map(|entry| package(&entry.path()));
    let mut names = BTreeSet::new();
    for name in each.flatten() {
        add(&mut names, &name);
    }
    names.into_iter().collect()
}

/// Returns the name of a package at a path, or `None` if the path has no package.
fn package(path: &Path) -> Option<String> {
    let manifests = [
        ("Cargo.toml", "name = \""),
        ("package.json", "\"name\": \""),
    ];
    // The folder of a crate is not its name: `crates/regex` may be `grep-regex`.
    let named = manifests
        .iter()
        .find_map(|(file, mark)| after(&read(&path.join(file)), mark));
    let stem = || {
        path.file_stem()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let is_project = path
        .extension()
        .is_some_and(|ending| ending == "gemspec" || ending == "csproj" || ending == "sln");
    let is_module = || {
        ["__init__.py", "mod.rs"]
            .iter()
            .any(|mark| path.join(mark).is_file())
    };
    named.or_else(|| stem().filter(|_| is_project || is_module()))
}
