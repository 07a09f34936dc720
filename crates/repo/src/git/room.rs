//! The private folder that git runs in, so that it never reads the configuration of a repository.
//!
//! Given the top of a work tree or a bare repository, writes a folder of git with the repository's
//! references, its lists (shallow commits, attributes, ignored files, names of people), and a
//! configuration of our own words and a few checked settings. Git gets index and objects by its
//! environment. So no filter, hook, monitor, driver, pager, helper, include or pointer of the
//! repository exists for the git that runs here, however it is written down. The folder is removed
//! with its last holder.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::layout::Layout;
use super::refs::Refs;
use super::settings::{self, GitSettings};
use super::{GitError, door, guard, objects, program, surroundings, sweep};
use crate::path::simple;
use crate::private;

/// Bytes of the list of commits at which a shallow clone ends.
const SHALLOW_BYTES_MAX: u64 = 16 << 20;
/// Bytes of a list of patterns that git reads: what it ignores, and how it treats files.
pub(super) const PATTERNS_BYTES_MAX: u64 = 1 << 20;
/// Bytes of one table of references, or of a part of an index.
const PART_BYTES_MAX: u64 = 1 << 30;
/// Entries of a folder of git that are read.
const ENTRIES_MAX: usize = 100_000;

/// Our own words, before the few that are taken from the repository.
const CONFIGURATION: &str = "[core]
\trepositoryformatversion = 1
\tbare = true
\tfsmonitor = false
\tuntrackedCache = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tquotePath = false
[protocol]
\tallow = never
[gc]
\tauto = 0
[maintenance]
\tauto = false
[color]
\tui = false
[submodule]
\trecurse = false
[advice]
\tgraftFileDeprecated = false
";

/// What git may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GitReach {
    /// Objects, references and the index.
    Objects,
    /// The files of the work tree too.
    WorkTree,
}

/// A private folder of git.
#[derive(Debug)]
pub(crate) struct Room {
    /// Written at the first call of git, because references and index are read without git.
    folder: OnceLock<Result<TempDir, GitError>>,
    layout: Layout,
    own: GitSettings,
    index: PathBuf,
    settings: GitSettings,
    refs: Refs,
    boundary: BTreeSet<String>,
    has_tables: bool,
    seen: OnceLock<Result<PathBuf, GitError>>,
}

impl Room {
    /// Makes the folder for the repository at the top of a work tree.
    pub(crate) fn open(top: &Path) -> Result<Self, GitError> {
        let layout = Layout::at(top)?;
        let own = GitSettings::of_repository(&layout)?;
        // Git itself would refuse such a repository, but it sees our configuration instead of this
        // one.
        if let Some(why) = own.unknown_format() {
            return Err(door::unseen(&layout.common, &why));
        }
        objects::check(&layout.common.join("objects"))?;
        let has_tables = own
            .value("extensions", "refstorage")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("reftable"));
        Ok(Self {
            folder: OnceLock::new(),
            index: layout.index()?,
            refs: Refs::read(&layout)?,
            boundary: boundary(&layout)?,
            settings: GitSettings::of_user().with(&own),
            seen: OnceLock::new(),
            own,
            has_tables,
            layout,
        })
    }

    /// Returns the folder, which is made at the first call.
    fn folder(&self) -> Result<&Path, GitError> {
        let make = || {
            let folder = folder().map_err(|error| no_room(&error))?;
            self.furnish(folder.path()).map(|()| folder)
        };
        let folder = self.folder.get_or_init(make).as_ref();
        folder.map(TempDir::path).map_err(Clone::clone)
    }

    fn furnish(&self, folder: &Path) -> Result<(), GitError> {
        let made = |result: std::io::Result<()>| result.map_err(|error| no_room(&error));
        let path = |name: &str| folder.join(name);
        // Git takes a folder for its own only if `refs` and `objects` exist in it.
        made(std::fs::create_dir_all(path("refs")))?;
        made(std::fs::create_dir_all(path("objects")))?;
        made(std::fs::create_dir_all(path("info")))?;
        made(self.refs.write(folder))?;
        made(std::fs::write(path("config"), self.configuration(folder)?))?;
        if !self.boundary.is_empty() {
            let lines: Vec<&str> = self.boundary.iter().map(String::as_str).collect();
            made(std::fs::write(path("shallow"), lines.join("\n") + "\n"))?;
        }
        let attributes = self.layout.common.join("info/attributes");
        if let Some(bytes) = door::read(&attributes, PATTERNS_BYTES_MAX)? {
            made(std::fs::write(path("info/attributes"), bytes))?;
        }
        made(std::fs::write(path("info/exclude"), self.excluded()?))?;
        if self.has_tables {
            self.link_tables(folder)?;
        }
        self.link_parts_of_index(folder)
    }

    fn configuration(&self, folder: &Path) -> Result<Vec<u8>, GitError> {
        let mut text = CONFIGURATION.as_bytes().to_vec();
        text.extend(no_hooks(folder));
        // Of settings that repeat, git uses the last one: the user's own come first, then the
        // repository's.
        text.extend(self.settings.written());
        match self.own.value("extensions", "objectformat").as_deref() {
            None | Some("sha1") => {}
            Some("sha256") => text.extend(b"[extensions]\n\tobjectformat = sha256\n"),
            Some(other) => {
                let why = format!("its objects have the unknown format `{other}`");
                return Err(door::unseen(&self.layout.common, &why));
            }
        }
        if self.has_tables {
            text.extend(b"[extensions]\n\trefstorage = reftable\n");
        }
        text.extend(self.names_of_people(folder));
        Ok(text)
    }

    /// Returns the setting for the mailmap. Git gets a copy, because it reads the one of the work
    /// tree only where it may look there. A mailmap that is not a regular file is left out, as git
    /// does with one that it cannot read.
    fn names_of_people(&self, folder: &Path) -> Vec<u8> {
        let Some(top) = &self.layout.work_tree else {
            return Vec::new();
        };
        let (list, copy) = (top.join(".mailmap"), folder.join("mailmap"));
        let bytes = door::check_unlinked(&list, PATTERNS_BYTES_MAX)
            .and_then(|()| door::read(&list, PATTERNS_BYTES_MAX));
        let is_copied = bytes
            .ok()
            .flatten()
            .is_some_and(|bytes| !list.is_symlink() && std::fs::write(&copy, bytes).is_ok());
        // Git would read `HEAD:.mailmap` in a bare repository, so both settings are written even if
        // they are empty.
        let copy = if is_copied { copy } else { PathBuf::new() };
        let place = settings::quoted(copy.as_os_str().as_encoded_bytes(), b"\"");
        [
            b"[mailmap]\n\tblob = \"\"\n\tfile = ".as_slice(),
            &place,
            b"\n",
        ]
        .concat()
    }

    /// Returns what git ignores beside the lists in the work tree: the user's own list, then the
    /// repository's.
    fn excluded(&self) -> Result<Vec<u8>, GitError> {
        let mut text = Vec::new();
        let files = [
            surroundings::excludes_file(&self.settings),
            Some(self.layout.common.join("info/exclude")),
        ];
        for file in files.into_iter().flatten() {
            text.extend(door::read(&file, PATTERNS_BYTES_MAX)?.unwrap_or_default());
            text.push(b'\n');
        }
        Ok(text)
    }

    /// Links tables of references, which only git reads, after a check of their files.
    fn link_tables(&self, folder: &Path) -> Result<(), GitError> {
        let from = self.layout.common.join("reftable");
        if self.layout.own != self.layout.common {
            return Err(door::unseen(
                &from,
                "the references of a further work tree are in tables of their own",
            ));
        }
        let to = folder.join("reftable");
        std::fs::create_dir_all(&to).map_err(|error| no_room(&error))?;
        self.link(&from, &to, |_| true)
    }

    /// Links the parts of an index. An index may be split, and the first part names the other one.
    fn link_parts_of_index(&self, folder: &Path) -> Result<(), GitError> {
        let is_part = |name: &str| name.starts_with("sharedindex.");
        self.link(&self.layout.own, folder, is_part)
    }

    fn link(&self, from: &Path, to: &Path, is_meant: fn(&str) -> bool) -> Result<(), GitError> {
        let listed = std::fs::read_dir(from)
            .map_err(|error| door::unseen(from, &error.to_string()))?
            .take(ENTRIES_MAX);
        for entry in listed.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(is_meant) {
                door::check(&entry.path(), PART_BYTES_MAX)?;
                shown(&entry.path(), &to.join(&name)).map_err(|error| no_room(&error))?;
            }
        }
        Ok(())
    }

    /// Returns where the parts of the repository are.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the path of the index. A call that may read the work tree gets a copy of it.
    pub(crate) fn index(&self) -> &Path {
        &self.index
    }

    /// Returns the settings of the user and of the repository.
    pub(crate) fn settings(&self) -> &GitSettings {
        &self.settings
    }

    /// Returns the checked-out commit if the references show it. `None` before the first commit, or
    /// if only git can read them.
    pub(crate) fn commit(&self) -> Option<&str> {
        self.refs.commit()
    }

    /// Reports whether only git can read the references.
    pub(crate) fn has_tables(&self) -> bool {
        self.has_tables
    }

    /// Returns the commits at which a shallow clone ends.
    pub(crate) fn boundary(&self) -> &BTreeSet<String> {
        &self.boundary
    }

    /// Returns the repository's own `info/attributes`, as git reads them here.
    pub(crate) fn attributes(&self) -> Result<Vec<u8>, GitError> {
        let copy = self.folder()?.join("info/attributes");
        Ok(door::read(&copy, PATTERNS_BYTES_MAX)?.unwrap_or_default())
    }

    /// Reports whether replacements of objects are set up.
    pub(crate) fn has_replacements(&self) -> bool {
        self.refs.has_replacements()
    }

    /// Returns a call of git that is ready to run.
    pub(crate) fn command<W: AsRef<OsStr>>(
        &self,
        reach: GitReach,
        words: &[W],
    ) -> Result<Command, GitError> {
        let folder = self.folder()?;
        let mut command = Command::new(program()?);
        command.arg("--no-pager").args(words);
        surroundings::clear(&mut command, folder);
        // The folder and not the work tree, because PATH may have a relative folder in it.
        command.current_dir(folder);
        command.env("GIT_DIR", folder);
        let objects = self.layout.common.join("objects");
        command.env("GIT_OBJECT_DIRECTORY", simple(&objects));
        command.env("GIT_INDEX_FILE", simple(&self.index));
        if reach == GitReach::WorkTree {
            let Some(top) = &self.layout.work_tree else {
                return Err(door::unseen(&self.layout.own, "it has no work tree"));
            };
            let index = self.seen.get_or_init(|| self.see(top)).clone()?;
            command.env("GIT_WORK_TREE", simple(top));
            command.env("GIT_INDEX_FILE", index);
        }
        Ok(command)
    }

    /// Checks what git will read by itself in a work tree, and copies the index, because git
    /// refreshes and writes the one that it gets.
    fn see(&self, top: &Path) -> Result<PathBuf, GitError> {
        guard::see(top, &self.index, self.hash_bytes())?;
        let copy = self.folder()?.join("index");
        let Some(kind) = door::check(&self.index, u64::MAX)? else {
            return Ok(copy);
        };
        let copied = std::fs::copy(&self.index, &copy).and_then(|_| {
            // Git compares entries as young as the index by content, so the copy must not be
            // younger.
            File::options()
                .write(true)
                .open(&copy)?
                .set_modified(kind.modified()?)
        });
        copied.map_err(|error| no_room(&error))?;
        Ok(copy)
    }

    /// Returns the number of bytes in the name of an object.
    pub(crate) fn hash_bytes(&self) -> usize {
        match self.settings.value("extensions", "objectformat").as_deref() {
            Some("sha256") => 32,
            _ => 20,
        }
    }
}

/// Shows a file under another path.
#[cfg(unix)]
fn shown(file: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(file, at)
}

/// Shows a file under another path. On another drive it is a copy, because a link needs rights that
/// few have.
#[cfg(windows)]
fn shown(file: &Path, at: &Path) -> std::io::Result<()> {
    std::fs::hard_link(file, at).or_else(|_| std::fs::copy(file, at).map(drop))
}

fn folder() -> std::io::Result<TempDir> {
    sweep::once();
    // The names of branches are no business of other users of this machine.
    private::folder(&sweep::prefix())
}

/// Returns the setting of a folder of hooks that does not exist. On Windows `/dev/null` is a path
/// below the top of a drive, where others may create it.
fn no_hooks(folder: &Path) -> Vec<u8> {
    if !cfg!(windows) {
        return Vec::new();
    }
    let nowhere = folder.join("no-hooks");
    let place = settings::quoted(nowhere.as_os_str().as_encoded_bytes(), b"\"");
    [b"[core]\n\thooksPath = ".as_slice(), &place, b"\n"].concat()
}

fn no_room(error: &std::io::Error) -> GitError {
    GitError::NotRun(format!("make a private folder for it: {error}"))
}

fn boundary(layout: &Layout) -> Result<BTreeSet<String>, GitError> {
    let bytes = door::read(&layout.common.join("shallow"), SHALLOW_BYTES_MAX)?.unwrap_or_default();
    let is_hash = |line: &&str| {
        matches!(line.len(), 40 | 64) && line.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter(is_hash).map(str::to_owned).collect())
}
