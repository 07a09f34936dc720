//! A client that speaks raw lines to a real server, and believes nothing: every line
//! that comes must be one message of the protocol and harmless for a terminal.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Seconds after which an answer counts as missing.
const ANSWER_S_MAX: u64 = 100;

/// A session with a server.
pub(crate) struct Session {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
    /// What came beside the answers that were waited for.
    pub(crate) others: Vec<Value>,
    /// Where the server keeps what it keeps.
    _state: tempfile::TempDir,
}

impl Session {
    /// A server in a folder, to which nothing was said yet.
    pub(crate) fn start(folder: &Path, words: &[&str]) -> Self {
        Self::start_with(folder, words, |_| {})
    }

    /// The same, with more in its surroundings.
    pub(crate) fn start_with(
        folder: &Path,
        words: &[&str],
        prepare: impl Fn(&mut Command),
    ) -> Self {
        let state = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
        command
            .arg("mcp")
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        command
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env("XDG_STATE_HOME", state.path())
            .env_remove("GROUNDS_MODEL");
        prepare(&mut command);
        let mut child = command.spawn().expect("the server starts");
        let (out, (sender, lines)) = (child.stdout.take().expect("a pipe"), channel());
        std::thread::spawn(move || {
            BufReader::new(out)
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            next_id: 0,
            others: Vec::new(),
            _state: state,
        }
    }

    /// A server that has begun a session.
    pub(crate) fn begun(folder: &Path, words: &[&str]) -> Self {
        let mut session = Self::start(folder, words);
        session.begin(&json!({}));
        session
    }

    /// Begins the session as a client with these capabilities.
    pub(crate) fn begin(&mut self, capabilities: &Value) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let begun =
            self.request("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client}));
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        begun["result"].clone()
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open session");
        input
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| input.flush())
            .expect("the server reads");
    }

    /// Sends a request, and gives back its name.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> u64 {
        self.next_id += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": parameters});
        self.send(&request.to_string());
        self.next_id
    }

    /// Sends a request and waits for its answer.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        self.answer(&json!(id))
    }

    /// The result of a tool.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Called {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        Called(answer)
    }

    /// Waits for the answer to a request; what else comes is kept.
    #[track_caller]
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self
                .message(Duration::from_secs(ANSWER_S_MAX))
                .unwrap_or_else(|| panic!("no answer to {id}; others: {:#?}", self.others));
            if message.get("id") == Some(id) && message.get("method").is_none() {
                return message;
            }
            self.others.push(message);
        }
    }

    /// The next message, if one comes in time.
    #[track_caller]
    pub(crate) fn message(&mut self, time: Duration) -> Option<Value> {
        match self.lines.recv_timeout(time) {
            Ok(line) => Some(checked(&line)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Closes the server's input and waits for its end; what still came is given back.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<Value>) {
        drop(self.input.take());
        let code = self.wait(Duration::from_secs(10));
        let mut rest = std::mem::take(&mut self.others);
        rest.extend(std::iter::from_fn(|| {
            self.message(Duration::from_millis(200))
        }));
        (code, rest)
    }

    /// Reads nothing more: the server's next word finds nobody.
    pub(crate) fn forget_output(&mut self) {
        self.lines = channel().1;
    }

    /// Waits for the server's end.
    #[track_caller]
    pub(crate) fn wait(&mut self, time: Duration) -> Option<i32> {
        let start = Instant::now();
        loop {
            match self.child.try_wait().expect("a status") {
                Some(status) => return status.code(),
                None if start.elapsed() < time => std::thread::sleep(Duration::from_millis(5)),
                None => panic!("the server still runs after {time:?}"),
            }
        }
    }

    /// The processes that the server started and that are there, with what they started.
    pub(crate) fn children(&self) -> Vec<u32> {
        below(self.child.id())
    }
}

/// The processes below a process that are there.
pub(crate) fn below(process: u32) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut parents = vec![process];
    while let Some(parent) = parents.pop() {
        let of_parent = processes()
            .into_iter()
            .filter(|(_, of)| *of == parent)
            .map(|(pid, _)| pid);
        let new: Vec<u32> = of_parent.collect();
        parents.extend(&new);
        found.extend(new);
    }
    found
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer to a call of a tool.
pub(crate) struct Called(pub(crate) Value);

impl Called {
    pub(crate) fn result(&self) -> &Value {
        assert!(self.0.get("error").is_none(), "{:#}", self.0);
        &self.0["result"]
    }

    pub(crate) fn text(&self) -> &str {
        self.result()["content"][0]["text"]
            .as_str()
            .expect("a text")
    }

    pub(crate) fn is_error(&self) -> bool {
        self.result()["isError"] == true
    }

    pub(crate) fn report(&self) -> &Value {
        &self.result()["structuredContent"]
    }

    /// Ended so, and says so in its first line.
    #[track_caller]
    pub(crate) fn is(&self, outcome: &str, exit_code: u64, head: &str) {
        let report = self.report();
        assert!(
            report["outcome"] == outcome && report["exit_code"] == exit_code,
            "{outcome}, {exit_code}: {:#}",
            self.0
        );
        assert!(self.text().starts_with(head), "{head}: {}", self.text());
        assert_eq!(
            self.is_error(),
            ["failed", "usage"].contains(&outcome),
            "{:#}",
            self.0
        );
    }
}

/// A message, which must be one.
#[track_caller]
fn checked(line: &str) -> Value {
    let message: Value = serde_json::from_str(line)
        .unwrap_or_else(|error| panic!("not the protocol: {error}: {line}"));
    assert_eq!(message["jsonrpc"], "2.0", "{line}");
    let is_raw = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!line.chars().any(is_raw), "{line:?}");
    message
}

/// Every process that is no zombie, with its parent.
fn processes() -> Vec<(u32, u32)> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folders
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid| Some((pid, parent(pid)?)))
        .collect()
}

/// The parent of a process that is there and no zombie.
pub(crate) fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    (state != "Z").then_some(parent)
}

/// Waits until something holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{what} did not come about"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A folder with a `git` that never ends, and the words that put it before all others.
#[cfg(unix)]
pub(crate) fn endless_git() -> (tempfile::TempDir, String) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let file: PathBuf = folder.path().join("git");
    std::fs::write(&file, "#!/bin/sh\nsleep 300\n").expect("a file is written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("rights");
    let path = format!(
        "{}:{}",
        folder.path().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    (folder, path)
}
