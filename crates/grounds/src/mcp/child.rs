//! One call: the program itself as a child in a process group of its own, or a question to one that
//! stays for its tree. The number of calls at a time, time and output are bounded. Whatever ends
//! the call ends the group. The output is returned without judging it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grounds_repo::beneath;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use super::McpSettings;
use super::family::{self, ProcessGroup};
use super::progress::ProgressReceiver;
use super::tools::ProgramCall;
use super::worker::TreeId;
use super::workers::{Asked, Workers};

/// Bytes of one line on standard error; of a longer one the rest is passed over.
const LINE_BYTES_MAX: u64 = 64 << 10;
/// Bytes of what a call said on standard error that are kept: the last ones.
const SAID_BYTES_MAX: usize = 4 << 10;
/// The variable that no call needs: a program that a call starts must not read the token of the
/// server.
const TOKEN_VARIABLE: &str = "GROUNDS_MCP_TOKEN";

/// Starts calls, and bounds them.
pub(crate) struct Runner {
    settings: McpSettings,
    turns: Semaphore,
    waiting: AtomicUsize,
    workers: Workers,
    /// Cancelled when the session is over.
    pub(crate) over: CancellationToken,
}

/// The end of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CallEnd {
    /// By itself, with a code.
    Exited(Output),
    /// By a signal that this program did not send.
    Died { said: String },
    /// It was cancelled, or the client has gone.
    Cancelled,
    /// It reached its time limit.
    TooLong,
    /// Its output reached the limit.
    TooMuch,
    /// Too many calls wait already.
    Busy,
    /// It could not be started or listened to.
    Broken(String),
}

/// The output of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    /// The last of what it said on standard error, without progress.
    pub(crate) said: String,
}

impl Runner {
    pub(crate) fn new(settings: McpSettings, over: CancellationToken) -> Self {
        Self {
            turns: Semaphore::new(settings.bounds.calls_max),
            waiting: AtomicUsize::new(0),
            workers: Workers::new(settings.bounds.workers_max),
            settings,
            over,
        }
    }

    /// Returns the number of recent runs that are listed.
    pub(crate) const fn runs_listed_max(&self) -> usize {
        self.settings.bounds.runs_listed_max
    }

    /// Runs a call to its end, or ends it when it is cancelled.
    pub(crate) async fn run(
        &self,
        call: &ProgramCall,
        run: Option<&str>,
        progress: &ProgressReceiver,
        off: &CancellationToken,
    ) -> CallEnd {
        tokio::select! {
            // A call that was cancelled while it waited for its turn must not start.
            biased;
            () = off.cancelled() => CallEnd::Cancelled,
            () = self.over.cancelled() => CallEnd::Cancelled,
            ended = self.in_turn(call, run, progress) => ended,
        }
    }

    async fn in_turn(
        &self,
        call: &ProgramCall,
        run: Option<&str>,
        progress: &ProgressReceiver,
    ) -> CallEnd {
        let Some(_turn) = self.turn().await else {
            return CallEnd::Busy;
        };
        // The time of a call begins with its turn, since others decide how long it waits.
        let time = Duration::from_millis(self.settings.bounds.call_ms_max);
        tokio::time::timeout(time, self.run_one(call, run, progress))
            .await
            .unwrap_or(CallEnd::TooLong)
    }

    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        if let Ok(turn) = self.turns.try_acquire() {
            return Some(turn);
        }
        let _waiting = Waiting::enter(&self.waiting, self.settings.bounds.calls_waiting_max)?;
        self.turns.acquire().await.ok()
    }

    async fn run_one(
        &self,
        call: &ProgramCall,
        run: Option<&str>,
        progress: &ProgressReceiver,
    ) -> CallEnd {
        // The folder is opened once, and everything else uses the descriptor: its path may lead
        // elsewhere by then.
        let folder = match call.corpus.as_ref().or(call.folder.as_ref()) {
            Some(folder) => match Held::open(folder) {
                Ok(held) => Some(held),
                Err(error) => {
                    let shown = folder.display();
                    return CallEnd::Broken(format!("cannot open the folder `{shown}`: {error}"));
                }
            },
            None => None,
        };
        if let Some(ended) = self.by_worker(call, run, folder.as_ref(), progress).await {
            return ended;
        }
        let words = self.words(call, run);
        let mut child = match self
            .command(words, call.input.is_some(), folder.as_ref())
            .spawn()
        {
            Ok(child) => child,
            Err(error) => return CallEnd::Broken(format!("cannot start the program: {error}")),
        };
        // Dropped before the child: as long as nobody has waited for the child, the number is its own.
        let group = ProcessGroup::of(&child);
        let heard = self.hear(&mut child, call.input.as_deref(), progress).await;
        match heard {
            Ok((out, said, Some(code))) => {
                group.leave();
                CallEnd::Exited(Output { code, out, said })
            }
            Ok((_, said, None)) => CallEnd::Died { said },
            Err(ended) => ended,
        }
    }

    /// Lets a worker of its tree answer a question; `None` if no worker can.
    async fn by_worker(
        &self,
        call: &ProgramCall,
        run: Option<&str>,
        folder: Option<&Held>,
        progress: &ProgressReceiver,
    ) -> Option<CallEnd> {
        let folder = folder.filter(|_| call.is_question())?;
        let words = [OsString::from("grounds")]
            .into_iter()
            .chain(self.words(call, run));
        // A worker reads its words as JSON, which has no place for a path that is not UTF-8.
        let words: Result<Vec<String>, OsString> = words.map(OsString::into_string).collect();
        let (words, tree) = (words.ok()?, folder.id()?);
        let start = || self.command(self.words_of_worker(), true, Some(folder));
        let worker = self.workers.of(tree, start)?;
        let (input, bytes_max) = (call.input.clone(), self.settings.bounds.output_bytes_max);
        let asked = (self.workers)
            .ask(
                worker,
                words,
                input.unwrap_or_default(),
                progress,
                bytes_max,
            )
            .await;
        match asked {
            Asked::Ended(ended) => Some(ended),
            // A worker that ended before it began has answered nothing: a child of the call's own
            // can.
            Asked::Gone => None,
        }
    }

    /// Returns the command line of a call, without the program.
    fn words(&self, call: &ProgramCall, run: Option<&str>) -> Vec<OsString> {
        let mut words = self.options(call, run);
        words.extend(call.words.iter().cloned());
        words
    }

    fn words_of_worker(&self) -> Vec<OsString> {
        let own = std::process::id().to_string();
        let mut words: Vec<OsString> = ["mcp", "--worker", "--with-parent", &own]
            .map(OsString::from)
            .to_vec();
        if let Some(config) = &self.settings.config {
            words.extend(["--config".into(), config.into()]);
        }
        words
    }

    fn command(&self, words: Vec<OsString>, is_fed: bool, folder: Option<&Held>) -> Command {
        let mut command = Command::new(program());
        command.args(words);
        if let Some(folder) = folder {
            command.current_dir(folder.path());
        }
        command.stdin(if is_fed {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A call is ended by dropping its future; without this its child would run on.
            .kill_on_drop(true)
            .env_remove(TOKEN_VARIABLE);
        family::set_apart(&mut command);
        command
    }

    /// Returns the options that every command knows.
    fn options(&self, call: &ProgramCall, run: Option<&str>) -> Vec<OsString> {
        let format = if call.is_markdown { "markdown" } else { "json" };
        let mut words: Vec<OsString> = vec![
            "--format".into(),
            format.into(),
            "--progress".into(),
            "--no-color".into(),
        ];
        words.extend([
            "--with-parent".into(),
            std::process::id().to_string().into(),
        ]);
        let mut option = |name: &str, value: Option<OsString>| {
            if let Some(value) = value {
                words.extend([name.into(), value]);
            }
        };
        // A call about documents starts in their folder; every other one in the folder that it is about.
        let repository = match (&call.corpus, &call.folder) {
            (None, Some(_)) => Some(".".into()),
            (_, folder) => folder.clone().map(OsString::from),
        };
        option("--repo", repository);
        option("--config", self.settings.config.clone().map(OsString::from));
        option("--run-id", run.map(OsString::from));
        // A server that was started without the network must not ask a model over it.
        if self.settings.has_no_model || self.settings.is_offline {
            words.push("--no-model".into());
        }
        words
    }

    async fn hear(
        &self,
        child: &mut Child,
        input: Option<&str>,
        progress: &ProgressReceiver,
    ) -> Result<(Vec<u8>, String, Option<i32>), CallEnd> {
        let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(CallEnd::Broken("cannot listen to the program".to_owned()));
        };
        let fed = feed(child.stdin.take(), input.unwrap_or_default());
        let waited = async {
            child
                .wait()
                .await
                .map_err(|error| CallEnd::Broken(format!("cannot wait for the program: {error}")))
        };
        let bytes_max = self.settings.bounds.output_bytes_max;
        let (out, said, (), status) =
            // All at once: a child whose pipe is full, or who waits for input, would wait forever.
            tokio::try_join!(read(out, bytes_max), listen(err, progress), fed, waited)?;
        Ok((out, said, status.code()))
    }
}

/// Returns the path of this program, even if its file was replaced since.
fn program() -> std::path::PathBuf {
    // An upgrade may replace the file while the server runs; this still starts the version that
    // runs.
    let own = std::path::PathBuf::from("/proc/self/exe");
    // On another system anybody may have made a file of this name.
    if cfg!(target_os = "linux") && own.symlink_metadata().is_ok() {
        own
    } else {
        std::env::current_exe().unwrap_or_else(|_| "grounds".into())
    }
}

/// Writes the input. A program that stops reading has seen enough.
async fn feed(pipe: Option<ChildStdin>, input: &str) -> Result<(), CallEnd> {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(input.as_bytes()).await;
    }
    Ok(())
}

async fn read(pipe: impl AsyncRead + Unpin, bytes_max: usize) -> Result<Vec<u8>, CallEnd> {
    let mut bytes = Vec::new();
    let read = pipe
        // One byte more than allowed shows that there is more.
        .take(bytes_max as u64 + 1)
        .read_to_end(&mut bytes)
        .await;
    match read {
        Err(error) => Err(CallEnd::Broken(format!(
            "cannot read what the program wrote: {error}"
        ))),
        Ok(_) if bytes.len() > bytes_max => Err(CallEnd::TooMuch),
        Ok(_) => Ok(bytes),
    }
}

/// Passes progress on, and keeps the last of everything else.
async fn listen(
    pipe: impl AsyncRead + Unpin,
    progress: &ProgressReceiver,
) -> Result<String, CallEnd> {
    listen_to(&mut BufReader::new(pipe), None, progress).await
}

/// Reads as [`listen`] does, up to a line that is the mark, if there is one.
pub(super) async fn listen_to(
    lines: &mut (impl AsyncBufRead + Unpin),
    mark: Option<&[u8]>,
    progress: &ProgressReceiver,
) -> Result<String, CallEnd> {
    let mut said = Vec::new();
    loop {
        let mut line = Vec::new();
        let read = (&mut *lines)
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line)
            .await;
        if mark.is_some() && line.strip_suffix(b"\n") == mark {
            return Ok(as_said(&said));
        }
        match read {
            // The messages of the call are only an addition: a pipe that breaks here does not undo
            // its answer.
            Ok(0) | Err(_) => return Ok(as_said(&said)),
            Ok(_) if progress.tell(&line).await => {}
            Ok(_) => {
                said.extend_from_slice(&line);
                // The last words say why a call ended; the first ones are its warnings.
                said.drain(..said.len().saturating_sub(SAID_BYTES_MAX));
            }
        }
    }
}

fn as_said(said: &[u8]) -> String {
    String::from_utf8_lossy(said).trim().to_owned()
}

/// The folder of a call, held open. Between the check of its path and the start of the call,
/// anybody who can write beside it may put a link in its place. On Windows no folder that is open
/// can be moved.
struct Held {
    /// Read only where the descriptor has no path of its own.
    #[cfg_attr(
        target_os = "linux",
        expect(dead_code, reason = "the descriptor has a path")
    )]
    path: PathBuf,
    #[cfg_attr(windows, expect(dead_code, reason = "it is only held open"))]
    descriptor: beneath::Folder,
}

impl Held {
    fn open(path: &std::path::Path) -> std::io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            descriptor: beneath::open_folder(path)?,
        })
    }

    /// Returns the identity of the folder, whatever its path is.
    #[cfg(unix)]
    fn id(&self) -> Option<TreeId> {
        let folder = std::fs::File::from(self.descriptor.try_clone().ok()?);
        super::worker::id_of(&folder.metadata().ok()?)
    }

    /// Returns `None`: Windows has no workers.
    #[cfg(windows)]
    const fn id(&self) -> Option<TreeId> {
        None
    }

    /// Returns a path at which a new process finds the opened folder.
    #[cfg(target_os = "linux")]
    fn path(&self) -> PathBuf {
        use std::os::fd::AsRawFd as _;
        format!("/proc/self/fd/{}", self.descriptor.as_raw_fd()).into()
    }

    /// Returns a path at which a new process finds the opened folder: its own, the only way on this
    /// system.
    #[cfg(not(target_os = "linux"))]
    fn path(&self) -> PathBuf {
        // No process of Windows begins in a folder that is named in the long form.
        grounds_repo::path::simple(&self.path).to_owned()
    }
}

/// A call that waits for its turn.
struct Waiting<'w>(&'w AtomicUsize);

impl<'w> Waiting<'w> {
    fn enter(count: &'w AtomicUsize, most: usize) -> Option<Self> {
        let entered = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |waiting| {
            (waiting < most).then_some(waiting + 1)
        });
        entered.is_ok().then_some(Self(count))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
