//! Whether a commit moved code to another package or repository.
//!
//! Judges by the subject of a commit, and by the files that it removed.

use grounds_evidence::FileRole;

use crate::role;

/// Reports whether the subject of a commit says that something went to another repository or
/// package.
pub(super) fn is_told(subject: &str) -> bool {
    const PLACES: [&str; 10] = [
        "another",
        "separate",
        "own",
        "new",
        "different",
        "external",
        "other",
        "self-contained",
        "standalone",
        "dedicated",
    ];
    const KINDS: [&str; 3] = ["repo", "package", "project"];
    const VERBS: [&str; 5] = ["move", "extract", "split", "into", " to "];
    const OUT: [&str; 7] = [
        "breaking out",
        "break out",
        "broke out",
        "split out",
        "splitting out",
        "spin off",
        "spun off",
    ];
    // Parts of words are enough: `repo` is in "repository", and `move` in "moved".
    let lower = subject.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let is_place = |place: &&str| {
        KINDS
            .iter()
            .any(|kind| lower.contains(&format!(" {place} {kind}")))
    };
    has(&OUT) || has(&VERBS) && PLACES.iter().any(is_place)
}

/// Returns the folders of packages that lost their manifest and code with it.
pub(super) fn packages_dropped<'p>(deleted: &[&'p str]) -> Vec<&'p str> {
    let is_code = |path: &&&str| role::of_shown(path) == FileRole::Source;
    let code: Vec<&str> = deleted.iter().filter(is_code).copied().collect();
    let folders = deleted.iter().filter_map(|path| package_of(path));
    let has_code = |folder: &&str| {
        let folder = format!("{folder}/");
        code.iter().any(|path| path.starts_with(&folder))
    };
    folders.filter(has_code).collect()
}

/// Returns the folder of the package whose manifest this is; `None` for a manifest at the top, and
/// for other files.
fn package_of(manifest: &str) -> Option<&str> {
    const NAMES: [&str; 11] = [
        "setup.py",
        "pyproject.toml",
        "package.json",
        "composer.json",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "mix.exs",
        "pubspec.yaml",
    ];
    const ENDINGS: [&str; 4] = [".gemspec", ".csproj", ".fsproj", ".cabal"];
    let (folder, name) = manifest.rsplit_once('/')?;
    let is_of_package =
        NAMES.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending));
    is_of_package.then_some(folder)
}
