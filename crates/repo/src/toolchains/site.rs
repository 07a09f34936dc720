//! The site of a run: a private copy of the tree, a private home, and a place
//! for what is built. The checkout itself is only read. What the run leaves is
//! read and written without following a link: it may have planted some.

use std::cell::{Cell, OnceCell};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Sheet, java, place};
use crate::beneath::Beneath;
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::process::{self, Ending, Environment, Order, ProgramEnd, Room, Sweeper, Walls};
use crate::survey;
use crate::text;
use crate::tool::ToolError;

/// Folders of version control, which no build needs.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj", ".bzr"];

/// Progress of the build of a run, for toolchains that test what they built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuildProgress {
    NotBegun,
    Begun,
    Built,
}

/// A private folder with a copy of the tree; it is removed with its owner.
#[derive(Debug)]
pub struct Scratch {
    /// Dropped before the sweeper, which removes what is left of it.
    _folder: tempfile::TempDir,
    room: Room,
    work: Beneath,
    walls: Walls,
    /// Places in the folder of the run where its sandbox shows something of the checkout.
    shown: Vec<PathBuf>,
    environment: Environment,
    progress: Cell<BuildProgress>,
    _sweeper: Sweeper,
}

/// What a toolchain works with.
#[derive(Debug)]
pub struct ToolchainSite<'s> {
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
    /// [`ToolError`] when there is no room, no sandbox, or a bound was reached.
    pub fn make(
        checkout: &Checkout,
        sheet: &Sheet,
        folder: &str,
        limits: &Limits,
        without_sandbox: bool,
    ) -> Result<Self, ToolError> {
        let private = tempfile::Builder::new()
            .prefix("grounds-run-")
            .tempdir()
            .map_err(not_copied)?;
        let sweeper = Sweeper::over(private.path());
        let room = Room::make(private.path()).map_err(not_copied)?;
        let work = Beneath::open(room.work()).map_err(not_copied)?;
        let (home, temporary) = (room.work().join("home"), room.work().join("tmp"));
        let environment = Environment::private(&home, &temporary, checkout.root());
        // Nothing is copied for a run that cannot be started.
        let walls = raise(&room, &environment, &[], limits, without_sandbox)?;
        let source = Beneath::open(checkout.root()).map_err(not_copied)?;
        copy(checkout, &source, &work, limits)?;
        let is_sandbox = walls.is_sandbox();
        let brought = bring(checkout, &source, &work, &room, sheet, folder, is_sandbox);
        let brought = brought.map_err(not_copied)?;
        // The folders to show are known only after the copy, so the sandbox is made again with
        // them.
        let walls = match brought.is_empty() {
            true => walls,
            false => raise(&room, &environment, &brought, limits, without_sandbox)?,
        };
        let inside =
            |(_, to): &(PathBuf, PathBuf)| Some(to.strip_prefix(room.work()).ok()?.to_owned());
        Ok(Self {
            _folder: private,
            shown: brought.iter().filter_map(inside).collect(),
            room,
            work,
            walls,
            environment,
            progress: Cell::new(BuildProgress::NotBegun),
            _sweeper: sweeper,
        })
    }

    /// Reports whether the run is in a sandbox.
    pub const fn is_sandboxed(&self) -> bool {
        self.walls.is_sandbox()
    }
}

/// Raises a sandbox. Returns no sandbox only if there can be none and the person accepts that.
fn raise(
    room: &Room,
    environment: &Environment,
    brought: &[(PathBuf, PathBuf)],
    limits: &Limits,
    without_sandbox: bool,
) -> Result<Walls, ToolError> {
    let why = match Walls::raise(room, environment, brought, limits) {
        Ok(walls) => return Ok(walls),
        Err(why) => why,
    };
    let reason = match Walls::without() {
        Ok(walls) if without_sandbox => return Ok(walls),
        Ok(_) => format!(
            "there is no sandbox on this machine, and code of the repository runs in one only: {why}; \
             `--run-without-sandbox`, or `run_without_sandbox: true` under `ask:` in your own configuration, accepts none"
        ),
        Err(why) => format!("code of the repository is not run: {why}"),
    };
    super::refuse(Obstacle::RunNoSandbox, reason)
}

/// Makes room for the folders that a build needs and that are not copied. Returns where each is,
/// and where a run sees it.
fn bring(
    checkout: &Checkout,
    source: &Beneath,
    work: &Beneath,
    room: &Room,
    sheet: &Sheet,
    folder: &str,
    is_sandbox: bool,
) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut brought = Vec::new();
    // A link of the repository would show another folder of the machine.
    let is_folder = |inside: &Path| source.has(inside) && checkout.root().join(inside).is_dir();
    for name in sheet.brought {
        let inside = Path::new(folder).join(name);
        let (from, to) = (
            checkout.root().join(&inside),
            Path::new("tree").join(&inside),
        );
        // A folder that is not ignored was copied with the tree.
        match is_folder(&inside) && !work.has(&to) {
            true if is_sandbox => {
                work.make_folders(&to)?;
                brought.push((from, room.work().join(to)));
            }
            // Without a sandbox there is no mount, so a link leads to the folder.
            true => work.link(&from, &to)?,
            false => {}
        }
    }
    let seen = sheet.seen.iter().map(|name| Path::new(folder).join(name));
    let seen = seen.filter(|inside| is_sandbox && is_folder(inside));
    brought.extend(seen.map(|inside| {
        let place = checkout.root().join(inside);
        (place.clone(), place)
    }));
    Ok(brought)
}

fn not_copied(error: io::Error) -> ToolError {
    let why = format!("no private copy of the tree could be made: {error}");
    ToolError::refused(Obstacle::RunNotBegun, why)
}

/// Copies what the ignore rules leave, hidden files too, and keeps the times of the files.
fn copy(
    checkout: &Checkout,
    source: &Beneath,
    work: &Beneath,
    limits: &Limits,
) -> Result<(), ToolError> {
    let mut builder = survey::walker(checkout, limits);
    builder.hidden(false).sort_by_file_name(Ord::cmp);
    let (mut files, mut bytes) = (0_usize, 0_u64);
    for entry in builder.build() {
        // Without this folder, the run would be one of another tree.
        let entry = entry.map_err(|error| not_copied(io::Error::other(error)))?;
        if entry.depth() == 0 {
            continue;
        }
        let Ok(inside) = entry.path().strip_prefix(checkout.root()) else {
            continue;
        };
        // `hidden(false)` lets the walk into `.git` too.
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
        let own_bytes = || entry.metadata().map_or(0, |file| file.len());
        bytes = bytes.saturating_add(if kind.is_file() { own_bytes() } else { 0 });
        let bound = match () {
            () if files > limits.run_files_max => Some("run_files_max"),
            () if bytes > limits.run_disk_bytes_max => Some("run_disk_bytes_max"),
            () => None,
        };
        if let Some(bound) = bound {
            let why =
                format!("the tree is too large to be copied for a run (`{bound}` was reached)");
            return super::refuse(Obstacle::RunBound, why);
        }
        copy_entry(&entry, kind, inside, source, work).map_err(|error| {
            let path = inside.display();
            let why = format!("`{path}` could not be copied for a run: {error}");
            ToolError::refused(Obstacle::RunNotBegun, why)
        })?;
    }
    Ok(())
}

fn copy_entry(
    entry: &ignore::DirEntry,
    kind: std::fs::FileType,
    inside: &Path,
    source: &Beneath,
    work: &Beneath,
) -> io::Result<()> {
    let target = Path::new("tree").join(inside);
    match () {
        () if kind.is_dir() => work.make_folders(&target),
        () if kind.is_symlink() => copy_link(entry.path(), inside, &target, work),
        () if kind.is_file() => copy_file(source, inside, work, &target),
        () => Ok(()),
    }
}

/// Copies a file with its time: make and its kin go by what is newer than what.
fn copy_file(source: &Beneath, from: &Path, work: &Beneath, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        work.make_folders(folder)?;
    }
    let (mut from, mut to) = (source.file(from)?, work.create(to)?);
    let kind = from.metadata()?;
    // A file that grows meanwhile is cut at the size that was counted.
    io::copy(&mut io::Read::take(&mut from, kind.len()), &mut to)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mut rights = kind.permissions();
        // Bits such as set-user-ID are dropped, and the run may write to its own copy.
        rights.set_mode((rights.mode() & 0o777) | 0o200);
        to.set_permissions(rights)?;
    }
    to.set_modified(kind.modified()?)
}

/// Makes links that stay inside the tree again; others are left out.
fn copy_link(from: &Path, inside: &Path, to: &Path, work: &Beneath) -> io::Result<()> {
    let aim = std::fs::read_link(from)?;
    // Each step is checked: `../../other/tree` may leave the tree and come back by its name.
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
    if leaves { Ok(()) } else { work.link(&aim, to) }
}

impl<'s> ToolchainSite<'s> {
    /// Returns a site whose step begins now.
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

    /// Returns the copy of the manifest's folder.
    pub fn tree(&self) -> PathBuf {
        self.scratch.room.work().join("tree").join(self.folder)
    }

    /// Returns a place for what is built.
    pub fn out(&self, name: &str) -> PathBuf {
        self.scratch.room.work().join("out").join(name)
    }

    /// Reads a file that the run has left. A link, or a file behind one, is refused.
    ///
    /// # Errors
    /// Returns the error of the system, or an error if the file has more than `bytes_max` bytes.
    pub fn read(&self, path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
        let bytes = self.scratch.work.read(self.inside(path)?, bytes_max)?;
        Ok(text::decoded(bytes))
    }

    /// Reports whether the run has left a file or a folder of this path, and no link.
    pub fn has(&self, path: &Path) -> bool {
        self.inside(path)
            .is_ok_and(|path| self.scratch.work.has(path))
    }

    /// Writes a file for the run, in the place of whatever has this path.
    ///
    /// # Errors
    /// The error of the system; a link on the way is an error.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = self.inside(path)?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        self.scratch.work.make_folders(folder)?;
        self.scratch.work.write(path, bytes)
    }

    /// Makes a link for the run, where nothing has this path.
    ///
    /// # Errors
    /// The error of the system; a link on the way is an error.
    pub fn link(&self, aim: &Path, path: &Path) -> io::Result<()> {
        let path = self.inside(path)?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        self.scratch.work.make_folders(folder)?;
        self.scratch.work.link(aim, path)
    }

    /// Returns a path below what the run may write to.
    fn inside<'p>(&self, path: &'p Path) -> io::Result<&'p Path> {
        let inside = path.strip_prefix(self.scratch.room.work());
        inside.map_err(|_| io::ErrorKind::InvalidInput.into())
    }

    /// Reports whether the build of this run got to its end. A build that began and did not is no
    /// ground for tests.
    ///
    /// # Errors
    /// [`ToolError`] if it began and did not get to its end.
    pub fn is_built(&self) -> Result<bool, ToolError> {
        match self.scratch.progress.get() {
            BuildProgress::Built => Ok(true),
            BuildProgress::NotBegun => Ok(false),
            BuildProgress::Begun => super::refuse(
                Obstacle::RunBuildFails,
                "the build did not get to its end, so no test can run",
            ),
        }
    }

    /// Notes that the build of this run has begun.
    pub fn note_begun(&self) {
        self.scratch.progress.set(BuildProgress::Begun);
    }

    /// Notes that the build of this run got to its end.
    pub fn note_built(&self) {
        self.scratch.progress.set(BuildProgress::Built);
    }

    /// Returns the environment to start from.
    pub fn environment(&self) -> Environment {
        self.scratch.environment.clone()
    }

    /// Runs a program in the manifest's folder.
    ///
    /// # Errors
    /// [`ToolError`] if it is not installed or a bound was reached.
    pub fn run(&self, environment: &Environment, words: &[&str]) -> Result<ProgramEnd, ToolError> {
        self.run_in(&self.tree(), environment, words)
    }

    /// Runs a program in a folder.
    ///
    /// # Errors
    /// As [`ToolchainSite::run`].
    pub fn run_in(
        &self,
        folder: &Path,
        environment: &Environment,
        words: &[&str],
    ) -> Result<ProgramEnd, ToolError> {
        let program = words.first().copied().unwrap_or_default();
        if environment.find(program).is_none() {
            return super::refuse(
                Obstacle::RunLacking,
                format!("there is no `{program}` on this machine"),
            );
        }
        // The sandbox shows these at paths of the run. If the build put a link there, it would lead
        // out.
        if !self
            .scratch
            .shown
            .iter()
            .all(|path| self.scratch.work.has(path))
        {
            return super::refuse(
                Obstacle::RunNotBegun,
                "the build has replaced a folder of the checkout that is shown to it",
            );
        }
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let order = Order {
            words: &words,
            folder,
            room: &self.scratch.room,
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
            Ending::Bound(bound) => {
                let words = self.shown(&words_of(&words));
                // Other bounds are the machine's own: its memory or its disk.
                let why = match bound.starts_with("run_") {
                    true => format!("`{words}` was ended because `{bound}` was reached"),
                    false => format!("`{words}` failed when {bound} was used up"),
                };
                super::refuse(Obstacle::RunBound, why)
            }
        }
    }

    /// Returns a text without the paths of the private folder.
    pub fn shown(&self, text: &str) -> String {
        let work = self.scratch.room.work();
        let (tree, private) = (
            work.join("tree").to_string_lossy().into_owned(),
            work.to_string_lossy().into_owned(),
        );
        // The longer path comes first, because it begins with the shorter one.
        text.replace(&format!("{tree}/"), "")
            .replace(&tree, ".")
            .replace(&private, "$PRIVATE")
    }

    /// Returns the path in the checkout of a file that a program names, seen from a folder of the
    /// copy.
    pub fn repo_path(&self, named: &str, from: &Path) -> Option<String> {
        let top = self.scratch.room.work().join("tree");
        // A compiler names a file from its own folder, which may be below the tree or beside it.
        let bare = named.trim_start_matches("../");
        [
            from.join(named),
            self.tree().join(named),
            self.tree().join(bare),
        ]
        .into_iter()
        .find_map(|file| {
            let file = file.canonicalize().ok()?;
            let inside = file.strip_prefix(&top).ok()?.to_string_lossy().into_owned();
            // What the build made is in the copy only, and no place in the checkout.
            (file.is_file() && self.checkout.root().join(&inside).is_file()).then_some(inside)
        })
    }

    /// Returns the first place in the checkout that a text names as `path:line`.
    pub fn first_place(&self, text: &str) -> Option<(String, u32)> {
        place::all(text)
            .find_map(|(path, line)| self.repo_path(path, &self.tree()).map(|path| (path, line)))
    }

    /// Returns the last place in the checkout that a text names: the deepest own frame of a
    /// traceback.
    pub fn last_place(&self, text: &str) -> Option<(String, u32)> {
        place::all(text)
            .filter_map(|(path, line)| self.repo_path(path, &self.tree()).map(|path| (path, line)))
            .last()
    }

    /// Returns the deepest own frame of a Java machine's trace.
    pub fn java_place(&self, text: &str) -> Option<(String, u32)> {
        let is_trace = text
            .lines()
            .any(|line| line.trim_start().starts_with("at "));
        is_trace
            .then(|| java::own_frame(text, self.java_files.get_or_init(|| java::files(self))))?
    }

    /// Returns the first place in the checkout on a line that a compiler marks as an error, with
    /// its message.
    pub fn first_error(&self, text: &str, from: &Path) -> Option<((String, u32), String)> {
        place::errors(text).find_map(|(path, line, message)| {
            self.repo_path(path, from)
                .map(|path| ((path, line), self.shown(message)))
        })
    }
}

/// Returns words as a person would type them.
pub(super) fn words_of(words: &[OsString]) -> String {
    words
        .iter()
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

impl ProgramEnd {
    /// Returns the code that the program ended with.
    pub fn code(&self) -> i32 {
        match self.ending {
            Ending::Exited(code) => code,
            Ending::Bound(_) => 1,
        }
    }

    /// Returns both outputs, standard output first.
    pub fn said(&self) -> String {
        format!("{}{}", self.out.text(), self.err.text())
    }
}
