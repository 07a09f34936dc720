//! The sources of a locked package on this disk, and the names that they define.

use std::path::{Path, PathBuf};

use grounds_repo::labels::parse_is_late;
use grounds_repo::text;
use grounds_syntax::{Parser, languages};
use sha2::{Digest as _, Sha256};

use super::{Ecosystem, Locked};
use crate::code::whole_words;

/// Most files of one package that are read.
const FILES_MAX: usize = 4_000;
/// Most bytes of one file that are read.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// Most bytes of one package that are read.
const BYTES_MAX: usize = 64 << 20;
/// Largest packed crate, in bytes, whose checksum is computed.
const PACKED_BYTES_MAX: u64 = 64 << 20;
/// Greatest depth of folders of a package.
const DEPTH_MAX: usize = 24;

/// The sources of one version of a package.
#[derive(Debug, Default)]
pub(crate) struct PackageSources {
    /// The files of code with their texts, as they are shown.
    files: Vec<(String, String)>,
    /// Whether all of them were read and nothing of them comes from another package.
    pub(crate) is_whole: bool,
}

/// Returns the sources of a package at its locked version, or the reason why they are missing.
pub(crate) fn sources(package: &Locked, root: &Path) -> Result<PackageSources, String> {
    let folder = folder(package, root).ok_or_else(|| {
        format!(
            "the sources of {} {} are not on this disk",
            package.name, package.version
        )
    })?;
    // A link in the tree could otherwise make this read any folder of the machine.
    if folder.starts_with(root) && !is_inside(&folder, root) {
        return Err(format!(
            "`{}` is a link that leads out of the tree",
            package.name
        ));
    }
    verify(package, &folder)?;
    let mut found = PackageSources {
        is_whole: true,
        ..PackageSources::default()
    };
    let shown = format!("{}-{}", package.name, package.version);
    let mut bytes = 0;
    read(&folder, &shown, 0, &mut bytes, &mut found);
    if found.files.is_empty() {
        return Err(format!("the sources of {shown} have no code that is read"));
    }
    found.is_whole &= !found.files.iter().any(|(_, text)| brings_in_all(text));
    Ok(found)
}

/// Reports whether a folder is below the root when its links are followed.
fn is_inside(folder: &Path, root: &Path) -> bool {
    match (folder.canonicalize(), root.canonicalize()) {
        (Ok(folder), Ok(root)) => folder.starts_with(root),
        _ => false,
    }
}

/// Returns the folder with exactly the locked version.
fn folder(package: &Locked, root: &Path) -> Option<PathBuf> {
    match package.ecosystem {
        Ecosystem::Cargo => cargo(package, root),
        Ecosystem::Node => node(package, root),
        Ecosystem::Go => go(package),
        Ecosystem::Python => python(package, root),
    }
}

/// Returns the folder that an environment variable names, or one below the home directory.
fn folder_of_person(variable: &str, below_home: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.or_else(|| Some(grounds_repo::person::home()?.join(below_home)))
}

/// Returns the folder of a crate: vendored in the tree, or in the registry of the user.
fn cargo(package: &Locked, root: &Path) -> Option<PathBuf> {
    let (name, version) = (&package.name, &package.version);
    let named = format!("{name}-{version}");
    let vendored = [
        root.join("vendor").join(name),
        root.join("vendor").join(&named),
    ];
    let is_this = |folder: &PathBuf| {
        // The first version in a manifest is its own; those of dependencies follow.
        let manifest = small(&folder.join("Cargo.toml"));
        let own = manifest.lines().find(|line| line.starts_with("version = "));
        own == Some(&format!("version = \"{version}\""))
    };
    let registry = || {
        let registries = folder_of_person("CARGO_HOME", ".cargo")?.join("registry/src");
        let mut folders = folders(&registries).into_iter().map(|one| one.join(&named));
        folders.find(|one| one.is_dir())
    };
    vendored.into_iter().find(is_this).or_else(registry)
}

/// Returns the folder of a package that is installed in the tree.
fn node(package: &Locked, root: &Path) -> Option<PathBuf> {
    // `npm` may install another version than the locked one, so the manifest is compared.
    let folder = root.join("node_modules").join(&package.name);
    let manifest = small(&folder.join("package.json"));
    manifest
        .contains(&format!("\"version\": \"{}\"", package.version))
        .then_some(folder)
}

/// Returns the folder of a module in the cache, which writes a capital as `!` and the small letter.
fn go(package: &Locked) -> Option<PathBuf> {
    let letters = package.name.chars();
    let escaped: String = letters
        .flat_map(|letter| {
            let mark = letter.is_ascii_uppercase().then_some('!');
            mark.into_iter().chain([letter.to_ascii_lowercase()])
        })
        .collect();
    let cache = folder_of_person("GOMODCACHE", "go/pkg/mod")?;
    let folder = cache.join(format!("{escaped}@{}", package.version));
    folder.is_dir().then_some(folder)
}

/// Returns the folder of a distribution in a virtual environment of the tree.
fn python(package: &Locked, root: &Path) -> Option<PathBuf> {
    // The folder of a distribution may write the name with other marks than the lock file:
    // `ruamel_yaml` for `ruamel.yaml`.
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '.'], "_");
    let wanted = plain(&package.name);
    let active = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    let environments = [Some(root.join(".venv")), Some(root.join("venv")), active];
    environments.into_iter().flatten().find_map(|environment| {
        let packages = folders(&environment.join("lib"))
            .into_iter()
            .map(|python| python.join("site-packages"));
        packages
            .filter(|folder| folder.is_dir())
            .find_map(|folder| {
                let info = folders(&folder).into_iter().find(|one| {
                    let name = one
                        .file_name()
                        .map(|name| name.to_string_lossy().into_owned())
                        .unwrap_or_default();
                    name.strip_suffix(".dist-info")
                        .and_then(|name| name.rsplit_once('-'))
                        .is_some_and(|(name, version)| {
                            plain(name) == wanted && version == package.version
                        })
                })?;
                // The module may be called otherwise than the distribution.
                let top = small(&info.join("top_level.txt"));
                let module = top.lines().next().map_or(wanted.as_str(), str::trim);
                Some(folder.join(module)).filter(|folder| folder.is_dir())
            })
    })
}

/// Compares the packed crate of the registry with the checksum of the lock file. Without the packed
/// crate there is nothing to compare.
fn verify(package: &Locked, folder: &Path) -> Result<(), String> {
    let (Some(checksum), Ecosystem::Cargo) = (&package.checksum, package.ecosystem) else {
        return Ok(());
    };
    let (Some(name), Some(registry)) = (
        folder.file_name(),
        folder.parent().and_then(Path::file_name),
    ) else {
        return Ok(());
    };
    // `registry/src/INDEX/NAME-VERSION` was unpacked from
    // `registry/cache/INDEX/NAME-VERSION.crate`.
    let cache = folder
        .ancestors()
        .nth(3)
        .map(|home| home.join("cache").join(registry));
    let Some(packed) = cache.map(|cache| cache.join(format!("{}.crate", name.to_string_lossy())))
    else {
        return Ok(());
    };
    if !packed.is_file() {
        return Ok(());
    }
    let bytes = text::read_whole(&packed, PACKED_BYTES_MAX)
        .map_err(|_| "the packed crate could not be read".to_owned())?;
    let taken: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    if taken == *checksum {
        return Ok(());
    }
    Err(format!(
        "the checksum of {} {} on this disk is not that of {}",
        package.name, package.version, package.file
    ))
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .take(FILES_MAX)
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    all.sort();
    all
}

fn small(path: &Path) -> String {
    let bytes = text::read_whole(path, FILE_BYTES_MAX).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn read(folder: &Path, shown: &str, depth: usize, bytes: &mut usize, found: &mut PackageSources) {
    // An entry that cannot be listed may define the name, so the folder then counts as not read.
    let listed: std::io::Result<Vec<_>> = std::fs::read_dir(folder).and_then(Iterator::collect);
    let Ok(mut entries) = listed else {
        found.is_whole = false;
        return;
    };
    // The first definition is shown, and file systems list folders in different orders.
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else {
            found.is_whole = false;
            continue;
        };
        let shown = format!("{shown}/{name}");
        // Packages inside of the package are others, with versions of their own.
        if kind.is_dir() && name != "node_modules" && !name.starts_with('.') {
            if depth >= DEPTH_MAX {
                found.is_whole = false;
                continue;
            }
            read(&entry.path(), &shown, depth + 1, bytes, found);
            continue;
        }
        // A compiled module defines names that no text has.
        let is_compiled = [".so", ".pyd", ".dll", ".node", ".wasm"]
            .iter()
            .any(|ending| name.ends_with(ending));
        if kind.is_symlink() || is_compiled {
            found.is_whole = false;
        }
        if !kind.is_file() || languages::of_file(&name, b"").is_none() {
            continue;
        }
        let text = text::read_whole(&entry.path(), FILE_BYTES_MAX).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        match text {
            Some(text) if found.files.len() < FILES_MAX && *bytes + text.len() <= BYTES_MAX => {
                *bytes += text.len();
                found.files.push((shown, text));
            }
            _ => found.is_whole = false,
        }
    }
}

/// Reports whether a text re-exports all names of another package, or makes names when it runs.
fn brings_in_all(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        let is_rust = line.starts_with("pub use ")
            && line.contains("::*")
            && !line.starts_with("pub use crate")
            && !line.starts_with("pub use self")
            && !line.starts_with("pub use super");
        let is_script =
            line.starts_with("export * from") && !line.contains("'.") && !line.contains("\".");
        let is_python =
            line.starts_with("from ") && line.ends_with("import *") && !line.starts_with("from .");
        is_rust || is_script || is_python || line.contains("def __getattr__")
    })
}

impl PackageSources {
    /// Returns the first definition of a name, of an owner if one is named.
    pub(crate) fn definition(
        &self,
        owner: Option<&str>,
        name: &str,
    ) -> Option<(String, u32, String)> {
        let parser = Parser::default();
        self.files
            .iter()
            // A package may have thousands of files, so only those that have the word are parsed.
            .filter(|(_, text)| whole_words(text, name).next().is_some())
            .find_map(|(path, text)| {
                let short = grounds_repo::path::file_name(path);
                let language = languages::of_file(short, text.as_bytes())?;
                let parse = parser
                    .parse(language, text.as_bytes(), &parse_is_late())
                    .ok()?;
                let place = whole_words(text, name).find(|place| {
                    let label = parse.label(place.clone());
                    let is_of =
                        owner.is_none_or(|owner| label.containers.iter().any(|one| one == owner));
                    label.relation == grounds_evidence::Relation::Defines && is_of
                })?;
                let line = text[..place.start].matches('\n').count() + 1;
                let shown = text
                    .lines()
                    .nth(line - 1)
                    .unwrap_or_default()
                    .trim()
                    .to_owned();
                Some((path.clone(), u32::try_from(line).unwrap_or(u32::MAX), shown))
            })
    }

    /// Reports whether any file has a word.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.files
            .iter()
            .any(|(_, text)| whole_words(text, word).next().is_some())
    }
}
