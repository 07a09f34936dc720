//! git, called so that nothing of the repository can make it run a program.
//!
//! The `git` command is asked, not a library: porcelain, work trees and partial
//! clones are what only it does right. Every call has a limit of time and of
//! output.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Milliseconds that one call may take.
const CALL_MS_MAX: u64 = 10_000;
/// Bytes of output that are read.
const OUTPUT_BYTES_MAX: u64 = 8 << 20;
/// Milliseconds between two looks whether git has ended.
const POLL_MS: u64 = 2;

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
    /// It took too long.
    #[error("`git {0}` took longer than {CALL_MS_MAX} ms")]
    TimeUp(String),
}

/// Calls git in a folder and gives its output.
///
/// # Errors
/// [`GitError`] when git is missing, fails or takes too long.
pub fn call(folder: &Path, words: &[&str]) -> Result<Vec<u8>, GitError> {
    let shown = words.join(" ");
    let mut child = command(folder, words).spawn().map_err(|error| GitError::NotRun(error.to_string()))?;
    let mut out = child.stdout.take();
    let mut err = child.stderr.take();
    let reader = std::thread::spawn(move || read_bounded(out.as_mut()));
    let complaint = std::thread::spawn(move || read_bounded(err.as_mut()));
    let deadline = Instant::now() + Duration::from_millis(CALL_MS_MAX);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(POLL_MS)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(GitError::TimeUp(shown));
            }
        }
    };
    let output = reader.join().unwrap_or_default();
    if status.success() {
        return Ok(output);
    }
    let complaint = complaint.join().unwrap_or_default();
    let message = String::from_utf8_lossy(&complaint).lines().next().unwrap_or("no message").to_owned();
    Err(GitError::Failed { call: shown, message })
}

fn read_bounded(pipe: Option<&mut impl std::io::Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let _ = pipe.take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes);
    }
    bytes
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("--no-pager").args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"]);
    command.args(["-c", "protocol.allow=never", "-c", "diff.external=", "-c", "core.quotePath=false"]).args(words);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_PAGER"] {
        command.env_remove(name);
    }
    command.envs([("GIT_OPTIONAL_LOCKS", "0"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("LC_ALL", "C")]);
    command
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
    let Some(top) = top else { return TreeState::default() };
    let commit = call(top, &["rev-parse", "--verify", "HEAD"]).ok();
    let commit = commit.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    TreeState { dirty: commit.as_ref().and_then(|_| is_dirty(top)), sparse: is_sparse(top), commit }
}

fn is_sparse(top: &Path) -> bool {
    call(top, &["config", "--type=bool", "--get", "core.sparseCheckout"]).is_ok_and(|value| value.starts_with(b"true"))
}

/// Asking for changes may run the repository's own filter programs; then nothing is asked.
fn is_dirty(top: &Path) -> Option<bool> {
    let programs = r"^(filter\..*\.(clean|process|smudge)|core\.(fsmonitor|sshcommand))$";
    let set = call(top, &["config", "--show-scope", "--includes", "--name-only", "--get-regexp", programs]).unwrap_or_default();
    let of_repository = |line: &str| line.starts_with("local\t") || line.starts_with("worktree\t");
    if String::from_utf8_lossy(&set).lines().any(of_repository) {
        return None;
    }
    let status = call(top, &["status", "--porcelain=v1", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"]);
    status.ok().map(|output| !output.is_empty())
}
