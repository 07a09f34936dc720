//! The site of a run: a private copy of the tree, a private home, and a place
//! for what is built. The checkout itself is only read.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Sheet, java, place};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::process::{self, Ended, Ending, Environment, Order, Sweeper, Walls};
use crate::survey;
use crate::tool::ToolError;

/// Folders of version control, which no build needs.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj", ".bzr"];

/// The file that stands for a build that got to its end.
const BUILT: &str = "built";

/// A private folder with a copy of the tree in it; it goes away with its owner.
#[derive(Debug)]
pub struct Scratch {
    folder: tempfile::TempDir,
    walls: Walls,
    environment: Environment,
    /// Dropped after the folder: it removes what is left of it.
    _sweeper: Sweeper,
}

/// What a toolchain works with.
#[derive(Debug)]
pub struct Site<'s> {
    /// The checkout.
    pub checkout: &'s Checkout,
    /// The bounds.
    pub limits: &'s Limits,
    /// The folder of the manifest in the checkout; empty for the top.
    pub folder: &'s str,
    scratch: &'s Scratch,
    deadline: Instant,
    java_files: OnceCell<Vec<RepoPath>>,
}

impl Scratch {
    /// Copies the tree into a private folder, and raises the walls around it.
    ///
    /// # Errors
    /// [`ToolError`] when there is no room, or a bound was reached.
    pub fn make(
        checkout: &Checkout,
        sheet: &Sheet,
        folder: &str,
        limits: &Limits,
    ) -> Result<Self, ToolError> {
        let cannot = |error: std::io::Error| {
            ToolError::refused(
                Obstacle::RunNotBegun,
                format!("no private copy of the tree could be made: {error}"),
            )
        };
        let private = tempfile::Builder::new()
            .prefix("grounds-run-")
            .tempdir()
            .map_err(cannot)?;
        let sweeper = Sweeper::over(private.path());
        for name in ["tree", "home", "tmp", "out"] {
            std::fs::create_dir(private.path().join(name)).map_err(cannot)?;
        }
        let (home, temporary) = (private.path().join("home"), private.path().join("tmp"));
        let environment = Environment::private(&home, &temporary, checkout.root());
        let tree = private.path().join("tree");
        copy(checkout, &tree, limits)?;
        for name in sheet.brought {
            let (from, to) = (
                checkout.root().join(folder).join(name),
                tree.join(folder).join(name),
            );
            if from.is_dir() && !to.exists() {
                std::os::unix::fs::symlink(from, to).map_err(cannot)?;
            }
        }
        let walls = Walls::raise(private.path(), &environment, limits);
        if !walls.files_closed
            && sheet
                .brought
                .iter()
                .any(|name| tree.join(folder).join(name).is_symlink())
        {
            return super::refuse(
                Obstacle::RunNotBegun,
                "a run would have to use folders of the checkout, and the system cannot keep it from writing there",
            );
        }
        Ok(Self {
            folder: private,
            walls,
            environment,
            _sweeper: sweeper,
        })
    }

    /// What the walls lack on this machine, in words.
    pub fn missing(&self) -> Vec<&'static str> {
        self.walls.missing()
    }
}

/// Copies what the ignore rules leave, hidden files too, with the times of its files.
fn copy(checkout: &Checkout, to: &Path, limits: &Limits) -> Result<(), ToolError> {
    let mut builder = survey::walker(checkout, limits);
    builder.hidden(false).sort_by_file_name(Ord::cmp);
    let walk = builder.build().flatten().filter(|entry| entry.depth() > 0);
    let (mut files, mut bytes) = (0_usize, 0_u64);
    for entry in walk {
        let Ok(inside) = entry.path().strip_prefix(checkout.root()) else {
            continue;
        };
        if inside
            .iter()
            .any(|part| VERSION_CONTROL.contains(&part.to_string_lossy().as_ref()))
        {
            continue;
        }
        let Some(kind) = entry.file_type() else {
            continue;
        };
        files += 1;
        bytes = bytes.saturating_add(
            entry
                .metadata()
                .map_or(0, |file| if kind.is_file() { file.len() } else { 0 }),
        );
        if files > limits.run_files_max || bytes > limits.run_disk_bytes_max {
            let bound = if files > limits.run_files_max {
                "run_files_max"
            } else {
                "run_disk_bytes_max"
            };
            return super::refuse(
                Obstacle::RunBound,
                format!("the tree is too large to be copied for a run (`{bound}` was reached)"),
            );
        }
        let target = to.join(inside);
        let done = match () {
            () if kind.is_dir() => std::fs::create_dir_all(&target),
            () if kind.is_symlink() => copy_link(entry.path(), inside, &target),
            () if kind.is_file() => copy_file(entry.path(), &target),
            () => Ok(()),
        };
        done.map_err(|error| {
            ToolError::refused(
                Obstacle::RunNotBegun,
                format!(
                    "`{}` could not be copied for a run: {error}",
                    inside.display()
                ),
            )
        })?;
    }
    Ok(())
}

/// The times of the files tell what is newer than what: make and its kin go by them.
fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(from, to)?;
    let kind = from.metadata()?;
    let mut rights = kind.permissions();
    rights.set_mode(rights.mode() | 0o200);
    std::fs::set_permissions(to, rights)?;
    std::fs::File::options()
        .write(true)
        .open(to)?
        .set_modified(kind.modified()?)
}

/// Links that stay inside the tree are made again; others are left out.
fn copy_link(from: &Path, inside: &Path, to: &Path) -> std::io::Result<()> {
    let aim = std::fs::read_link(from)?;
    let mut depth = inside.components().count().saturating_sub(1);
    let leaves = aim.is_absolute()
        || aim.components().any(|part| match part {
            std::path::Component::ParentDir if depth == 0 => true,
            std::path::Component::ParentDir => {
                depth -= 1;
                false
            }
            std::path::Component::Normal(_) => {
                depth += 1;
                false
            }
            std::path::Component::CurDir
            | std::path::Component::RootDir
            | std::path::Component::Prefix(_) => false,
        });
    if leaves {
        Ok(())
    } else {
        std::os::unix::fs::symlink(aim, to)
    }
}

impl<'s> Site<'s> {
    /// A site whose step begins now.
    pub fn begin(
        checkout: &'s Checkout,
        limits: &'s Limits,
        folder: &'s str,
        scratch: &'s Scratch,
    ) -> Self {
        let deadline = Instant::now() + Duration::from_millis(limits.run_ms_max);
        Self {
            checkout,
            limits,
            folder,
            scratch,
            deadline,
            java_files: OnceCell::new(),
        }
    }

    /// The copy of the manifest's folder.
    pub fn tree(&self) -> PathBuf {
        self.scratch.folder.path().join("tree").join(self.folder)
    }

    /// A place for what is built.
    pub fn out(&self, name: &str) -> PathBuf {
        self.scratch.folder.path().join("out").join(name)
    }

    /// Whether the build of this run got to its end. One that has begun and has not is no ground for tests.
    ///
    /// # Errors
    /// [`ToolError`] where it has not.
    pub fn is_built(&self) -> Result<bool, ToolError> {
        match (self.out(BUILT).exists(), self.out("build").exists()) {
            (true, _) => Ok(true),
            (false, false) => Ok(false),
            (false, true) => super::refuse(
                Obstacle::RunBuildFails,
                "the build did not get to its end, so no test can run",
            ),
        }
    }

    /// Keeps in mind that the build of this run got to its end.
    ///
    /// # Errors
    /// [`ToolError`] where nothing can be written.
    pub fn note_built(&self) -> Result<(), ToolError> {
        std::fs::write(self.out(BUILT), "").map_err(|error| {
            ToolError::refused(
                Obstacle::RunNotBegun,
                format!("nothing can be written beside the build: {error}"),
            )
        })
    }

    /// The environment to start from.
    pub fn environment(&self) -> Environment {
        self.scratch.environment.clone()
    }

    /// Runs a program in the manifest's folder.
    ///
    /// # Errors
    /// [`ToolError`] when it is not there or a bound was reached.
    pub fn run(&self, environment: &Environment, words: &[&str]) -> Result<Ended, ToolError> {
        self.run_in(&self.tree(), environment, words)
    }

    /// Runs a program in a folder.
    ///
    /// # Errors
    /// As [`Site::run`].
    pub fn run_in(
        &self,
        folder: &Path,
        environment: &Environment,
        words: &[&str],
    ) -> Result<Ended, ToolError> {
        let program = words.first().copied().unwrap_or_default();
        if environment.find(program).is_none() {
            return super::refuse(
                Obstacle::RunLacking,
                format!("there is no `{program}` on this machine"),
            );
        }
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let private = self.scratch.folder.path();
        let order = Order {
            words: &words,
            folder,
            private,
            environment,
            deadline: self.deadline,
        };
        let ended = process::run(&order, &self.scratch.walls, self.limits);
        let ended = ended.map_err(|error| {
            ToolError::refused(
                Obstacle::RunLacking,
                format!("`{program}` could not be started: {error}"),
            )
        })?;
        match ended.ending {
            Ending::Exited(_) => Ok(ended),
            Ending::Bound(bound) => super::refuse(
                Obstacle::RunBound,
                format!(
                    "`{}` was ended because `{bound}` was reached",
                    self.shown(&words_of(&words))
                ),
            ),
        }
    }

    /// A text without the paths of the private folder.
    pub fn shown(&self, text: &str) -> String {
        let tree = self.scratch.folder.path().join("tree");
        let (tree, private) = (
            tree.to_string_lossy().into_owned(),
            self.scratch.folder.path().to_string_lossy().into_owned(),
        );
        text.replace(&format!("{tree}/"), "")
            .replace(&tree, ".")
            .replace(&private, "$PRIVATE")
    }

    /// The path in the checkout of a file that a program names, seen from a folder of the copy.
    pub fn repo_path(&self, named: &str, from: &Path) -> Option<String> {
        let top = self.scratch.folder.path().join("tree");
        let top = top.canonicalize().ok()?;
        [from.join(named), self.tree().join(named)]
            .into_iter()
            .find_map(|file| {
                let file = file.canonicalize().ok()?;
                let inside = file.strip_prefix(&top).ok()?.to_string_lossy().into_owned();
                (file.is_file() && self.checkout.root().join(&inside).is_file()).then_some(inside)
            })
    }

    /// The first place in the checkout that a text names as `path:line`.
    pub fn first_place(&self, text: &str) -> Option<(String, u32)> {
        place::all(text)
            .find_map(|(path, line)| self.repo_path(path, &self.tree()).map(|path| (path, line)))
    }

    /// The last place in the checkout that a text names: the deepest own frame of a traceback.
    pub fn last_place(&self, text: &str) -> Option<(String, u32)> {
        place::all(text)
            .filter_map(|(path, line)| self.repo_path(path, &self.tree()).map(|path| (path, line)))
            .last()
    }

    /// The deepest own frame of a Java machine's trace.
    pub fn java_place(&self, text: &str) -> Option<(String, u32)> {
        let is_trace = text
            .lines()
            .any(|line| line.trim_start().starts_with("at "));
        is_trace
            .then(|| java::own_frame(text, self.java_files.get_or_init(|| java::files(self))))?
    }

    /// The first line that a compiler marks as an error and that names a place in the checkout, with its message.
    pub fn first_error(&self, text: &str, from: &Path) -> Option<((String, u32), String)> {
        place::errors(text).find_map(|(path, line, message)| {
            self.repo_path(path, from)
                .map(|path| ((path, line), self.shown(message)))
        })
    }
}

/// Words as a person would type them.
pub(super) fn words_of(words: &[OsString]) -> String {
    words
        .iter()
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

impl Ended {
    /// The code that the program ended with.
    pub fn code(&self) -> i32 {
        match self.ending {
            Ending::Exited(code) => code,
            Ending::Bound(_) => 1,
        }
    }

    /// Both outputs, the first first.
    pub fn said(&self) -> String {
        format!("{}{}", self.out.text(), self.err.text())
    }
}
