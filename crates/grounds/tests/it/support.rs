//! What the tests share: small trees, and the real program with a time-out.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Seconds after which a run counts as hanging.
const RUN_S_MAX: u64 = 150;

/// A folder of files that goes away after the test.
pub(crate) struct Tree {
    folder: tempfile::TempDir,
}

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
    pub(crate) took: Duration,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    /// A tree with some files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        files
            .iter()
            .fold(Self::new(), |tree, (path, text)| tree.file(path, text))
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, inside: impl AsRef<Path>) -> PathBuf {
        self.root().join(inside)
    }

    /// Adds a file and the folders that it lies in.
    pub(crate) fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders are made");
        std::fs::write(path, content).expect("a file is written");
        self
    }

    /// Adds a symbolic link to a file, or on Unix to anything.
    pub(crate) fn link(self, path: &str, to: impl AsRef<Path>) -> Self {
        #[cfg(unix)]
        std::os::unix::fs::symlink(to, self.path(path)).expect("a link is made");
        #[cfg(windows)]
        std::os::windows::fs::symlink_file(to, self.path(path)).expect("a link is made");
        self
    }

    /// The report of `ask` about this tree.
    pub(crate) fn ask(&self, question: &str) -> Report {
        self.ask_in(".", question)
    }

    /// The report of `ask --repo FOLDER`.
    pub(crate) fn ask_in(&self, folder: &str, question: &str) -> Report {
        let run = run(grounds(&self.path(folder)).args(["--format", "json", "ask", question]));
        Report::of(&run)
    }

    /// A run of `ask` with more words on the command line.
    pub(crate) fn run(&self, words: &[&str]) -> Run {
        run(grounds(self.root()).args(words))
    }
}

/// The report of a run in JSON.
pub(crate) struct Report {
    pub(crate) json: Value,
    pub(crate) code: i32,
    pub(crate) took: Duration,
}

impl Report {
    pub(crate) fn of(run: &Run) -> Self {
        run.assert_is_sound();
        let json = serde_json::from_slice(&run.out)
            .unwrap_or_else(|error| panic!("{error}: {}", run.text()));
        Self {
            json,
            code: run.code.expect("an exit code"),
            took: run.took,
        }
    }

    /// Answered, be it with no, with this place among the citations.
    #[track_caller]
    pub(crate) fn is_found_at(&self, path: &str, line: u64) {
        let at = |citation: &Value| citation["path"] == path && citation["line_start"] == line;
        assert!(
            self.json["outcome"] == "answered" && matches!(self.code, 0 | 6),
            "{:#}",
            self.json
        );
        assert!(
            self.json["citations"]
                .as_array()
                .is_some_and(|cited| cited.iter().any(at)),
            "{path}:{line} in {:#}",
            self.json
        );
    }

    /// Refused in this way.
    #[track_caller]
    pub(crate) fn is_refused(&self, kind: &str) {
        assert!(
            self.json["refusal"] == kind && self.code == 3,
            "{kind}: {:#}",
            self.json
        );
    }

    /// Refused because something was not read, for this reason.
    #[track_caller]
    pub(crate) fn cannot_tell_for(&self, reason: &str) {
        self.is_refused("cannot_tell");
        assert!(
            self.skipped(reason) > 0,
            "{reason}: {:#}",
            self.json["scope"]
        );
    }

    /// How much was skipped for a reason.
    pub(crate) fn skipped(&self, reason: &str) -> u64 {
        let skipped = self.json["scope"]["skipped"].as_array().expect("a list");
        skipped
            .iter()
            .filter(|skipped| skipped["reason"] == reason)
            .filter_map(|skipped| skipped["count"].as_u64())
            .sum()
    }
}

impl Run {
    /// Everything that was printed, for messages.
    pub(crate) fn text(&self) -> String {
        format!(
            "{:?}\n{}\n{}",
            self.code,
            String::from_utf8_lossy(&self.out),
            String::from_utf8_lossy(&self.err)
        )
    }

    /// Ended by itself and not in a panic.
    #[track_caller]
    pub(crate) fn assert_is_sound(&self) {
        let panicked = String::from_utf8_lossy(&self.err).contains("panicked");
        assert!(
            self.code.is_some_and(|code| code <= 6) && !panicked,
            "{}",
            self.text()
        );
    }

    /// Ended with this code, one error and nothing else.
    #[track_caller]
    pub(crate) fn is_one_error(&self, code: i32, saying: &str) {
        self.assert_is_sound();
        let err = String::from_utf8_lossy(&self.err);
        assert_eq!(
            (self.code, err.matches("error:").count(), self.out.len()),
            (Some(code), 1, 0),
            "{}",
            self.text()
        );
        assert!(err.contains(saying), "{saying}: {err}");
    }

    /// Nothing that a terminal could take for a command, or that changes the direction of text.
    #[track_caller]
    pub(crate) fn is_safe_for_a_terminal(&self) {
        let text = [self.out.as_slice(), &self.err].concat();
        let text = String::from_utf8(text).expect("UTF-8");
        let is_raw = |letter: &char| letter.is_control() && !matches!(letter, '\n' | '\t');
        let turns = |letter: &char| matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let raw: Vec<char> = text
            .chars()
            .filter(|letter| is_raw(letter) || turns(letter))
            .collect();
        assert!(raw.is_empty(), "{raw:?} in {text:?}");
    }
}

/// The program, about to look at a folder.
pub(crate) fn grounds(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
    command
        .arg("--repo")
        .arg(folder)
        .stdin(Stdio::null())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env_remove("GROUNDS_MODEL");
    command
        .arg("--no-store")
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// A person with a folder for configuration and one for what is kept.
pub(crate) struct Person {
    home: Tree,
}

impl Person {
    pub(crate) fn new() -> Self {
        Self { home: Tree::new() }
    }

    /// What the person's own configuration says.
    pub(crate) fn config(self, text: &str) -> Self {
        Self {
            home: self.home.file("config/grounds/config.yaml", text),
        }
    }

    /// The file of the store.
    pub(crate) fn store(&self) -> PathBuf {
        self.home.path("state/grounds/runs.sqlite3")
    }

    /// The program as this person calls it in a folder, with runs kept.
    pub(crate) fn calls(&self, folder: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
        command
            .current_dir(folder)
            .stdin(Stdio::null())
            .env_remove("GROUNDS_MODEL");
        command
            .env("XDG_CONFIG_HOME", self.home.path("config"))
            .env("XDG_STATE_HOME", self.home.path("state"));
        command
            .env("XDG_CACHE_HOME", self.home.path("cache"))
            .env_remove("GROUNDS_FLEET_LEDGER");
        command
    }

    /// A run of these words in a folder.
    #[track_caller]
    pub(crate) fn run(&self, folder: &Path, words: &[&str]) -> Run {
        run(self.calls(folder).args(words))
    }
}

/// Runs a command to its end, or kills it and fails.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Run {
    finish(
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts"),
    )
}

/// Waits for the end of a program, or kills it and fails.
#[track_caller]
pub(crate) fn finish(mut child: Child) -> Run {
    let start = Instant::now();
    let (out, err) = (read(child.stdout.take()), read(child.stderr.take()));
    let status = loop {
        match child.try_wait().expect("a status") {
            Some(status) => break status,
            None if start.elapsed() < Duration::from_secs(RUN_S_MAX) => {
                std::thread::sleep(Duration::from_millis(5))
            }
            None => {
                let _ = child.kill();
                panic!("still running after {RUN_S_MAX} s");
            }
        }
    };
    let took = start.elapsed();
    Run {
        code: status.code(),
        out: out.join().expect("output"),
        err: err.join().expect("errors"),
        took,
    }
}

fn read(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Sends a signal to a process; a bare system has no `kill`.
#[cfg(unix)]
pub(crate) fn send(signal: rustix::process::Signal, process: u32) -> rustix::io::Result<()> {
    let process = i32::try_from(process)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .ok_or(rustix::io::Errno::SRCH)?;
    rustix::process::kill_process(process, signal)
}

/// Whether a program is there; a test that needs one that is not says so, and fails under CI.
pub(crate) fn has(program: &str) -> bool {
    let there = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "`{program}` is needed here"
    );
    if !there {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: there is no `{program}`");
        }
    }
    there
}

/// git in a folder, apart from the settings of whoever runs the tests.
#[track_caller]
pub(crate) fn git(folder: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "init.defaultBranch=main",
    ]);
    command
        .args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(words)
        .current_dir(folder);
    let done = run(command.envs([
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        STATE,
    ]));
    assert_eq!(done.code, Some(0), "git {words:?}: {}", done.text());
}

/// Hooks call the program too: what they keep lies with the tests.
const STATE: (&str, &str) = ("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));

/// git in a folder, as an author on a day.
#[track_caller]
pub(crate) fn git_as(folder: &Path, day: &str, author: &str, words: &[String]) {
    let date = format!("{day}T10:00:00Z");
    let mut command = Command::new("git");
    command
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgsign=false",
            "-c",
            "core.autocrlf=false",
        ])
        .args(words);
    command.current_dir(folder).envs([
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        STATE,
    ]);
    command.envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)]);
    for person in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{person}_NAME"), author).env(
            format!("GIT_{person}_EMAIL"),
            format!("{}@example.org", author.to_lowercase()),
        );
    }
    let done = run(&mut command);
    assert_eq!(done.code, Some(0), "git {words:?}: {}", done.text());
}

/// Lines of a shell in a folder, up to the first that fails; git has no settings of the machine, and a fixed time.
#[track_caller]
pub(crate) fn shell_in(folder: &Path, lines: &str) {
    const TIME: &str = "2026-01-05T10:00:00Z";
    let mut command = Command::new("sh");
    command.args(["-ec", lines]).current_dir(folder).envs([
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_AUTHOR_DATE", TIME),
        ("GIT_COMMITTER_DATE", TIME),
        STATE,
    ]);
    let done = run(&mut command);
    assert_eq!(done.code, Some(0), "{lines}: {}", done.text());
}

/// Makes a folder a repository with all its files in one commit.
pub(crate) fn commit_all(folder: &Path) {
    git(folder, &["init", "-q"]);
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "all", "--allow-empty"]);
}

/// A repository of two commits: some files, then others on top of them.
pub(crate) fn two_commits(base: &[(&str, &str)], change: &[(&str, &str)]) -> Tree {
    let tree = Tree::of(base);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    let write = |tree: Tree, (path, text): &(&str, &str)| tree.file(path, text);
    let tree = change.iter().fold(tree, write);
    commit_all(tree.root());
    tree
}

/// A result against its published schema.
#[track_caller]
pub(crate) fn keeps_to(schema: &str, result: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../schemas/{schema}.json"));
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let errors: Vec<String> = validator
        .iter_errors(result)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
}
