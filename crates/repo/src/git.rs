//! git, called so that nothing of the repository can make it run a program.
//!
//! The `git` command is asked, not a library: porcelain, work trees and partial
//! clones are what only it does right. Every call has a limit of time and of
//! output.

use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Milliseconds that one call may take.
const CALL_MS_MAX: u64 = 10_000;
/// Bytes of output that one call may give.
const OUTPUT_BYTES_MAX: u64 = 8 << 20;
/// Bytes of a complaint that are kept.
const COMPLAINT_BYTES_MAX: u64 = 4 << 10;
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Chunks that wait to be looked at.
const CHUNKS_MAX: usize = 4;
/// Bytes of one record of a stream that are kept; of a longer one the beginning is.
const RECORD_BYTES_MAX: usize = 1 << 20;

/// What stands for the complaint of a call that failed without one: git says so that it found nothing.
pub(crate) const SILENT: &str = "no message";

/// Why git gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// There is no `git` to call.
    #[error("run git: {0}")]
    NotRun(String),
    /// It said no.
    #[error("`git {call}` failed: {message}")]
    Failed {
        /// The words of the call.
        call: String,
        /// The first line of its complaint.
        message: String,
    },
    /// What is here of the history cannot tell.
    #[error("{0}")]
    Unseen(String),
    /// It took too long.
    #[error("`git {call}` took longer than {ms_max} ms")]
    TimeUp {
        /// The words of the call.
        call: String,
        /// The milliseconds that it had.
        ms_max: u64,
    },
    /// It said more than is read.
    #[error("`git {call}` gave more than {bytes_max} bytes")]
    TooMuch {
        /// The words of the call.
        call: String,
        /// The bytes that it could give.
        bytes_max: u64,
    },
}

/// What one stream may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// When it must have ended.
    pub deadline: Instant,
    /// Milliseconds that lay before the deadline, for messages.
    pub ms_max: u64,
    /// Bytes of output that are read.
    pub bytes_max: u64,
}

/// Whether a stream goes on after a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// With the next record.
    GoOn,
    /// No more is needed.
    Stop,
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Git had no more to say.
    Fully,
    /// No more was needed.
    Stopped,
    /// The deadline came first.
    TimeUp,
    /// More bytes than are read.
    TooMuch,
}

impl Bounds {
    /// So many milliseconds from now, and so many bytes.
    pub fn of(ms_max: u64, bytes_max: u64) -> Self {
        Self {
            deadline: Instant::now() + Duration::from_millis(ms_max),
            ms_max,
            bytes_max,
        }
    }
}

/// Calls git in a folder and gives its output.
///
/// # Errors
/// [`GitError`] when git is missing, fails, takes too long or says too much.
pub fn call(folder: &Path, words: &[&str]) -> Result<Vec<u8>, GitError> {
    call_with(
        folder,
        words,
        None,
        Bounds::of(CALL_MS_MAX, OUTPUT_BYTES_MAX),
    )
}

/// Calls git in a folder, with something to read, within bounds of its own.
///
/// # Errors
/// As [`call`].
pub fn call_with<W: AsRef<OsStr>>(
    folder: &Path,
    words: &[W],
    input: Option<Vec<u8>>,
    bounds: Bounds,
) -> Result<Vec<u8>, GitError> {
    let mut output = Vec::new();
    let ended = pump(folder, words, input, bounds, &mut |chunk| {
        output.extend_from_slice(chunk);
        Next::GoOn
    })?;
    match ended {
        Ended::Fully | Ended::Stopped => Ok(output),
        Ended::TimeUp => Err(GitError::TimeUp {
            call: shown(words),
            ms_max: bounds.ms_max,
        }),
        Ended::TooMuch => Err(GitError::TooMuch {
            call: shown(words),
            bytes_max: bounds.bytes_max,
        }),
    }
}

/// Calls git in a folder and gives its output record by record (they end with a NUL byte), until it ends, enough is known, or a bound is
/// reached, which is told and no error.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn stream<W: AsRef<OsStr>>(
    folder: &Path,
    words: &[W],
    bounds: Bounds,
    on_record: &mut dyn FnMut(&[u8]) -> Next,
) -> Result<Ended, GitError> {
    let mut record = Vec::new();
    let ended = pump(folder, words, None, bounds, &mut |chunk| {
        take_records(chunk, &mut record, on_record)
    })?;
    if ended == Ended::Fully && !record.is_empty() && on_record(&record) == Next::Stop {
        return Ok(Ended::Stopped);
    }
    Ok(ended)
}

fn take_records(
    chunk: &[u8],
    record: &mut Vec<u8>,
    on_record: &mut dyn FnMut(&[u8]) -> Next,
) -> Next {
    let mut parts = chunk.split(|byte| *byte == 0);
    let mut part = parts.next().unwrap_or_default();
    for next in parts {
        keep(record, part);
        if on_record(record) == Next::Stop {
            return Next::Stop;
        }
        record.clear();
        part = next;
    }
    keep(record, part);
    Next::GoOn
}

fn keep(record: &mut Vec<u8>, part: &[u8]) {
    let room = RECORD_BYTES_MAX.saturating_sub(record.len());
    record.extend_from_slice(&part[..part.len().min(room)]);
}

/// Calls git in a folder, with something to read, and gives its output in chunks as it comes, until it ends, enough is known, or a
/// bound is reached, which is told and no error.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn pour<W: AsRef<OsStr>>(
    folder: &Path,
    words: &[W],
    input: Option<Vec<u8>>,
    bounds: Bounds,
    on_chunk: &mut dyn FnMut(&[u8]) -> Next,
) -> Result<Ended, GitError> {
    pump(folder, words, input, bounds, on_chunk)
}

/// Runs git to its end or to a bound, and gives its output as it comes.
fn pump<W: AsRef<OsStr>>(
    folder: &Path,
    words: &[W],
    input: Option<Vec<u8>>,
    bounds: Bounds,
    on_chunk: &mut dyn FnMut(&[u8]) -> Next,
) -> Result<Ended, GitError> {
    let mut command = command(folder, words);
    command.stdin(if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    let mut child = command
        .spawn()
        .map_err(|error| GitError::NotRun(error.to_string()))?;
    feed(&mut child, input);
    let chunks = chunks_of(child.stdout.take());
    let complaint = child
        .stderr
        .take()
        .map(|pipe| std::thread::spawn(move || read_complaint(pipe)));
    let ended = receive(&chunks, bounds, on_chunk);
    if ended != Ended::Fully {
        let _ = child.kill();
        let _ = child.wait();
        return Ok(ended);
    }
    let status = child
        .wait()
        .map_err(|error| GitError::NotRun(error.to_string()))?;
    if status.success() {
        return Ok(Ended::Fully);
    }
    let complaint = complaint
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default();
    let complaint = String::from_utf8_lossy(&complaint);
    let message = complaint
        .lines()
        .find(|line| !line.starts_with("hint:") && !line.starts_with("warning:"))
        .unwrap_or(SILENT)
        .to_owned();
    Err(GitError::Failed {
        call: shown(words),
        message,
    })
}

fn feed(child: &mut Child, input: Option<Vec<u8>>) {
    if let (Some(input), Some(mut pipe)) = (input, child.stdin.take()) {
        std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &input));
    }
}

fn chunks_of(pipe: Option<impl std::io::Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = mpsc::sync_channel(CHUNKS_MAX);
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; CHUNK_BYTES];
        while let Ok(bytes) = pipe.read(&mut chunk) {
            if bytes == 0 || send.send(chunk[..bytes].to_vec()).is_err() {
                return;
            }
        }
    });
    receive
}

fn receive(
    chunks: &Receiver<Vec<u8>>,
    bounds: Bounds,
    on_chunk: &mut dyn FnMut(&[u8]) -> Next,
) -> Ended {
    let mut bytes = 0;
    loop {
        match chunks.recv_timeout(bounds.deadline.saturating_duration_since(Instant::now())) {
            Ok(chunk) => {
                bytes += chunk.len() as u64;
                if bytes > bounds.bytes_max {
                    return Ended::TooMuch;
                }
                if on_chunk(&chunk) == Next::Stop {
                    return Ended::Stopped;
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ended::Fully,
            Err(RecvTimeoutError::Timeout) => return Ended::TimeUp,
        }
    }
}

/// The beginning of what git complains of; the rest is read away, so that it never waits for a reader.
fn read_complaint(mut pipe: impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe
        .by_ref()
        .take(COMPLAINT_BYTES_MAX)
        .read_to_end(&mut bytes);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    bytes
}

/// The words of a call for a message: without settings, and not without end.
fn shown<W: AsRef<OsStr>>(words: &[W]) -> String {
    const SHOWN_MAX: usize = 6;
    let mut words: Vec<String> = words
        .iter()
        .map(|word| word.as_ref().to_string_lossy().into_owned())
        .collect();
    while words.len() > 1 && words[0] == "-c" {
        words.drain(..2);
    }
    let more = if words.len() > SHOWN_MAX { " …" } else { "" };
    words.truncate(SHOWN_MAX);
    words.retain(|word| !word.starts_with("--format="));
    words.join(" ") + more
}

/// Settings of a repository that could run a program, name a file to read, or change what git prints.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.quotePath=false",
    "protocol.allow=never",
    "diff.external=",
    "diff.orderFile=/dev/null",
    "diff.renames=true",
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.submodule=short",
    "diff.relative=false",
    "color.ui=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    "log.mailmap=true",
    "mailmap.file=",
    "mailmap.blob=",
    "blame.ignoreRevsFile=",
    "submodule.recurse=false",
    "advice.graftFileDeprecated=false",
];

/// Variables of git that are kept: where its programs and the person's own settings lie.
const VARIABLES_KEPT: &[&str] = &[
    "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

fn command<W: AsRef<OsStr>>(folder: &Path, words: &[W]) -> Command {
    let mut command = Command::new("git");
    command
        .arg("--no-pager")
        .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
        .args(words);
    command
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let of_git = std::env::vars_os().map(|(name, _)| name).filter(is_foreign);
    of_git.for_each(|name| {
        command.env_remove(name);
    });
    if let Some(index) = index_of_hook(folder) {
        command.env("GIT_INDEX_FILE", index);
    }
    // The tree that was asked for, whatever `core.worktree` says, and the repository at its top, not one further up.
    command.env("GIT_WORK_TREE", folder);
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
    command.envs([
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("LC_ALL", "C"),
    ]);
    // A citation names a commit by its hash: what stands under this hash, not what a replacement or a graft puts in its place.
    command.envs([
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_GRAFT_FILE", "/dev/null"),
    ]);
    command
}

/// The index that git gave to the hook that this runs in: that of `commit --all` is another one than the repository's. Only one that
/// lies in the folder of this very repository counts.
pub fn index_of_hook(top: &Path) -> Option<PathBuf> {
    let index = top
        .join(std::env::var_os("GIT_INDEX_FILE")?)
        .canonicalize()
        .ok()?;
    let link = top.join(".git");
    let folder = match std::fs::read_to_string(&link) {
        Ok(text) => top.join(text.trim().strip_prefix("gitdir:")?.trim()),
        Err(_) => link,
    };
    index
        .starts_with(folder.canonicalize().ok()?)
        .then_some(index)
}

/// Whether a variable of the surroundings could steer git.
fn is_foreign(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("GIT_") && !VARIABLES_KEPT.contains(&name.as_ref())
}

/// The state of the tree that was searched, as git tells it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TreeState {
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// Whether tracked files differ from it; none where that could not be asked safely.
    pub dirty: Option<bool>,
    /// Whether only a part of the commit is checked out.
    pub sparse: bool,
}

/// Asks git for the state of a work tree; nothing where there is none.
pub fn tree_state(top: Option<&Path>) -> TreeState {
    let Some(top) = top else {
        return TreeState::default();
    };
    let configuration = configuration(top);
    let sparse = configuration.as_ref().is_some_and(|text| is_sparse(text));
    if configuration.is_none_or(|text| names_a_program(&text)) {
        let commit = call(top, &["rev-parse", "--verify", "HEAD"]).ok();
        return TreeState {
            commit: commit.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()),
            dirty: None,
            sparse,
        };
    }
    let words = [
        "status",
        "--porcelain=v2",
        "--branch",
        "--untracked-files=no",
        "--ignore-submodules=all",
        "--no-renames",
        "--no-ahead-behind",
    ];
    let output = call(top, &words).unwrap_or_default();
    TreeState {
        sparse,
        ..state_of(&String::from_utf8_lossy(&output))
    }
}

fn state_of(status: &str) -> TreeState {
    let commit = status
        .lines()
        .find_map(|line| line.strip_prefix("# branch.oid "))
        .filter(|commit| *commit != "(initial)");
    let dirty = status.lines().any(|line| !line.starts_with('#'));
    TreeState {
        commit: commit.map(str::to_owned),
        dirty: commit.map(|_| dirty),
        sparse: false,
    }
}

/// The repository's own configuration as text, in lower case; none where it cannot be found.
fn configuration(top: &Path) -> Option<String> {
    let link = top.join(".git");
    let folder = match std::fs::read_to_string(&link) {
        Ok(text) => top.join(text.trim().strip_prefix("gitdir:")?.trim()),
        Err(_) => link,
    };
    let common = std::fs::read_to_string(folder.join("commondir"))
        .map_or_else(|_| folder.clone(), |path| folder.join(path.trim()));
    let text = |path: std::path::PathBuf| {
        std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).to_lowercase())
    };
    Some(
        text(common.join("config")).ok()?
            + &text(folder.join("config.worktree")).unwrap_or_default(),
    )
}

/// Asking for changes may run the repository's own filter programs; where its
/// configuration could name one, nothing of the kind is asked.
fn names_a_program(configuration: &str) -> bool {
    ["filter", "include", "fsmonitor", "sshcommand"]
        .iter()
        .any(|word| configuration.contains(word))
}

/// Whether git, asked for changes of a working tree, could run a program that the repository's own configuration names; also where
/// that cannot be read.
pub fn may_run_programs(top: &Path) -> bool {
    configuration(top).is_none_or(|text| names_a_program(&text))
}

fn is_sparse(configuration: &str) -> bool {
    configuration
        .lines()
        .any(|line| line.replace([' ', '\t'], "") == "sparsecheckout=true")
}
