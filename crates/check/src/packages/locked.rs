//! The version of a package in the lock file of the tree.

use crate::facts::Facts;

/// The ecosystem of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ecosystem {
    /// Crates of `Cargo.lock`.
    Cargo,
    /// Packages of `package-lock.json`, or of `node_modules` alone.
    Node,
    /// Distributions of `poetry.lock`, `uv.lock` or pinned requirements.
    Python,
    /// Modules of `go.mod`.
    Go,
}

/// A package at the version that a lock file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Locked {
    /// Whose package it is.
    pub(crate) ecosystem: Ecosystem,
    /// Its name as the lock file writes it.
    pub(crate) name: String,
    /// The version.
    pub(crate) version: String,
    /// The SHA-256 of the packed form, in hexadecimal, or `None` if the lock file has no checksum.
    pub(crate) checksum: Option<String>,
    /// The lock file.
    pub(crate) file: &'static str,
}

/// Returns the package of a name in the lock files at the top of the tree, or `None` if a lock file
/// has several versions of it.
pub(crate) fn locked(name: &str, facts: &Facts<'_>) -> Option<Locked> {
    let readers: [(&'static str, LockReader); 6] = [
        ("Cargo.lock", in_blocks),
        ("poetry.lock", in_blocks),
        ("uv.lock", in_blocks),
        ("requirements.txt", in_requirements),
        ("package-lock.json", in_package_lock),
        ("go.mod", in_go_mod),
    ];
    readers.iter().find_map(|(file, read)| {
        let text = facts
            .files
            .contains(*file)
            .then(|| facts.text(file))
            .flatten()?;
        read(name, &text, file)
    })
}

/// Reads one kind of lock file.
type LockReader = fn(&str, &str, &'static str) -> Option<Locked>;

/// Reads blocks of `[[package]]` with `name`, `version` and perhaps `checksum`, one on each line.
fn in_blocks(name: &str, text: &str, file: &'static str) -> Option<Locked> {
    let is_python = file != "Cargo.lock";
    let mut found: Vec<Locked> = Vec::new();
    for block in text.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = block.lines().find(|line| line.starts_with(key))?;
            line.split('"').nth(1).map(str::to_owned)
        };
        let named = value("name = ").filter(|known| is_same(known, name));
        if let (Some(named), Some(version)) = (named, value("version = ")) {
            found.push(Locked {
                ecosystem: if is_python {
                    Ecosystem::Python
                } else {
                    Ecosystem::Cargo
                },
                name: named,
                version,
                checksum: value("checksum = "),
                file,
            });
        }
    }
    // Which of several versions the project means is not known.
    match found.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Reports whether two names are those of one package, whatever is between their words.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '.'], "-");
    plain(one) == plain(other)
}

/// Reads `name==1.2.3` on a line of its own.
fn in_requirements(name: &str, text: &str, file: &'static str) -> Option<Locked> {
    text.lines().find_map(|line| {
        // `>=` and `~=` allow several versions, so only `==` locks one.
        let (named, rest) = line.split_once("==")?;
        // `name==1.2.3 ; python_version < "3.9" \` may go on with a condition, or with hashes on
        // the next lines.
        let version = rest.split([' ', ';', '\\', '#']).next()?.trim();
        is_same(named.split('[').next()?.trim(), name).then(|| Locked {
            ecosystem: Ecosystem::Python,
            name: named.trim().to_owned(),
            version: version.to_owned(),
            checksum: None,
            file,
        })
    })
}

/// Reads `"node_modules/NAME": {` with `"version": "1.2.3"` below it.
fn in_package_lock(name: &str, text: &str, file: &'static str) -> Option<Locked> {
    // The quotation mark before the key keeps out the copies inside of other packages, whose keys
    // begin with the path of those.
    let at = text.find(&format!("\"node_modules/{name}\": {{"))?;
    let rest = &text[at..];
    let rest = &rest[rest.find("\"version\":")? + "\"version\":".len()..];
    let version = rest.split('"').nth(1)?;
    Some(Locked {
        ecosystem: Ecosystem::Node,
        name: name.to_owned(),
        version: version.to_owned(),
        checksum: None,
        file,
    })
}

/// Reads `PATH v1.2.3`, where the path ends with the name.
fn in_go_mod(name: &str, text: &str, file: &'static str) -> Option<Locked> {
    text.lines().find_map(|line| {
        let mut words = line
            .trim()
            .trim_start_matches("require ")
            .split_whitespace();
        let (path, version) = (words.next()?, words.next()?);
        let is_named = path == name || path.ends_with(&format!("/{name}"));
        (is_named && version.starts_with('v')).then(|| Locked {
            ecosystem: Ecosystem::Go,
            name: path.to_owned(),
            version: version.to_owned(),
            checksum: None,
            file,
        })
    })
}
