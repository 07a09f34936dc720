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
    let configuration = configuration(top);
    let sparse = configuration.as_ref().is_some_and(|text| is_sparse(text));
    if configuration.is_none_or(|text| names_a_program(&text)) {
        let commit = call(top, &["rev-parse", "--verify", "HEAD"]).ok();
        return TreeState { commit: commit.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()), dirty: None, sparse };
    }
    let words =
        ["status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=all", "--no-renames", "--no-ahead-behind"];
    let output = call(top, &words).unwrap_or_default();
    TreeState { sparse, ..state_of(&String::from_utf8_lossy(&output)) }
}

fn state_of(status: &str) -> TreeState {
    let commit = status.lines().find_map(|line| line.strip_prefix("# branch.oid ")).filter(|commit| *commit != "(initial)");
    let dirty = status.lines().any(|line| !line.starts_with('#'));
    TreeState { commit: commit.map(str::to_owned), dirty: commit.map(|_| dirty), sparse: false }
}

/// The repository's own configuration as text, in lower case; none where it cannot be found.
fn configuration(top: &Path) -> Option<String> {
    let link = top.join(".git");
    let folder = match std::fs::read_to_string(&link) {
        Ok(text) => top.join(text.trim().strip_prefix("gitdir:")?.trim()),
        Err(_) => link,
    };
    let common = std::fs::read_to_string(folder.join("commondir")).map_or_else(|_| folder.clone(), |path| folder.join(path.trim()));
    let text = |path: std::path::PathBuf| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).to_lowercase());
    Some(text(common.join("config")).ok()? + &text(folder.join("config.worktree")).unwrap_or_default())
}

/// Asking for changes may run the repository's own filter programs; where its
/// configuration could name one, nothing of the kind is asked.
fn names_a_program(configuration: &str) -> bool {
    ["filter", "include", "fsmonitor", "sshcommand"].iter().any(|word| configuration.contains(word))
}

fn is_sparse(configuration: &str) -> bool {
    configuration.lines().any(|line| line.replace([' ', '\t'], "") == "sparsecheckout=true")
}
