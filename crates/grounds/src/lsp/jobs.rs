//! The jobs: each a child of this program, or a parse. A new job replaces one with the same key,
//! which is then ended; the output of an ended job is dropped.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use lsp_server::RequestId;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::sync::CancellationToken;

use super::LspSettings;
use super::documents::OpenDocument;
use super::lenses::{self, Lenses};
use super::session::SessionEvent;
use crate::config::{LspBounds, McpBounds};
use crate::mcp::child::{CallEnd, Runner};
use crate::mcp::family;
use crate::mcp::progress::ProgressReceiver;
use crate::mcp::signals::Signals;
use crate::mcp::tools::ProgramCall;

/// The purpose of a job. There is at most one job with a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum JobKey {
    /// The check of a document, by its address.
    Check(String),
    /// The review of a checkout.
    Review(PathBuf),
    /// The answer to a request.
    Request(RequestId),
}

/// A job that has ended.
#[derive(Debug)]
pub(super) struct FinishedJob {
    key: JobKey,
    number: u64,
    pub(super) result: Result<Lenses, String>,
    pub(super) ended: Vec<CallEnd>,
}

/// Starts jobs, and ends them.
pub(super) struct LspJobs<T> {
    runner: Arc<Runner>,
    handle: Handle,
    driver: Option<JoinHandle<()>>,
    over: CancellationToken,
    events: Sender<SessionEvent>,
    bounds: LspBounds,
    running: HashMap<JobKey, Running<T>>,
    started: u64,
}

struct Running<T> {
    number: u64,
    off: CancellationToken,
    task: T,
}

impl<T> LspJobs<T> {
    /// Starts the runtime of the jobs.
    ///
    /// # Errors
    /// If the system gives no thread for it.
    pub(super) fn start(settings: &LspSettings, events: Sender<SessionEvent>) -> io::Result<Self> {
        family::begin()?;
        let over = CancellationToken::new();
        let runtime = Builder::new_current_thread()
            .enable_all()
            // Parses run on threads of the runtime, so that this bounds how many run at one time.
            .max_blocking_threads(settings.bounds.jobs_max)
            .build()?;
        let handle = runtime.handle().clone();
        let (until, signalled) = (over.clone(), events.clone());
        let drive = move || drive(runtime, &until, &signalled);
        let driver = std::thread::Builder::new().spawn(drive)?;
        Ok(Self {
            runner: Arc::new(Runner::new(of_runner(settings), over.clone())),
            handle,
            driver: Some(driver),
            over,
            events,
            bounds: settings.bounds,
            running: HashMap::new(),
            started: 0,
        })
    }

    /// Runs calls one after the other. `task` is returned with their results.
    pub(super) fn call(&mut self, key: JobKey, calls: Vec<ProgramCall>, task: T) {
        let (mut done, off) = self.begin(key, task);
        let (runner, events) = (Arc::clone(&self.runner), self.events.clone());
        self.handle.spawn(async move {
            let progress = ProgressReceiver::new(None);
            for call in calls {
                done.ended
                    .push(runner.run(&call, None, &progress, &off).await);
            }
            // Nobody listens once the session has ended.
            let _ = events.send(SessionEvent::Done(done));
        });
    }

    /// Starts a search for the functions of a document.
    pub(super) fn lenses(&mut self, key: JobKey, document: OpenDocument, task: T) {
        let (mut done, off) = self.begin(key, task);
        let (events, bounds) = (self.events.clone(), self.bounds);
        self.handle.spawn_blocking(move || {
            let is_off = || off.is_cancelled();
            let parse = || lenses::of(&document, &bounds, &is_off);
            // A request whose job panics would never get a response.
            let parse = std::panic::catch_unwind(std::panic::AssertUnwindSafe(parse));
            done.result = parse.unwrap_or_else(|_| Err("reading it failed".to_owned()));
            let _ = events.send(SessionEvent::Done(done));
        });
    }

    fn begin(&mut self, key: JobKey, task: T) -> (FinishedJob, CancellationToken) {
        // What an older job with this key finds is about an older text.
        self.cancel(&key);
        self.started += 1;
        let off = self.over.child_token();
        let running = Running {
            number: self.started,
            off: off.clone(),
            task,
        };
        self.running.insert(key.clone(), running);
        let done = FinishedJob {
            key,
            number: self.started,
            result: Err("nothing was read".to_owned()),
            ended: Vec::new(),
        };
        (done, off)
    }

    /// Returns the task of a job that has ended; `None` if it was cancelled, or another replaced
    /// it.
    pub(super) fn finish(&mut self, done: &FinishedJob) -> Option<(JobKey, T)> {
        let running = self.running.get(&done.key)?;
        // The output of a job that was replaced may arrive after its successor began.
        if running.number != done.number {
            return None;
        }
        let running = self.running.remove(&done.key)?;
        Some((done.key.clone(), running.task))
    }

    /// Returns why no further job may wait; `None` if one may.
    pub(super) fn full(&self) -> Option<String> {
        let LspBounds {
            jobs_max,
            jobs_waiting_max,
            ..
        } = self.bounds;
        let is_full = self.running.len() >= jobs_max + jobs_waiting_max;
        is_full.then(|| format!("{jobs_waiting_max} jobs wait already (`lsp.jobs_waiting_max`)"))
    }

    /// Ends a job, and reports whether it was running.
    pub(super) fn cancel(&mut self, key: &JobKey) -> bool {
        let running = self.running.remove(key);
        if let Some(running) = &running {
            running.off.cancel();
        }
        running.is_some()
    }
}

impl<T> Drop for LspJobs<T> {
    /// Ends all jobs with the processes that they started.
    fn drop(&mut self) {
        self.over.cancel();
        if let Some(driver) = self.driver.take() {
            let _ = driver.join();
        }
    }
}

/// Drives all jobs until the session ends, and tells the session of a signal to end.
fn drive(runtime: Runtime, over: &CancellationToken, events: &Sender<SessionEvent>) {
    runtime.block_on(async {
        // Without signals the default action of the system ends the process.
        let Ok(mut signals) = Signals::listen() else {
            return over.cancelled().await;
        };
        tokio::select! {
            () = over.cancelled() => return,
            () = signals.any() => {}
        }
        let _ = events.send(SessionEvent::Signal);
        over.cancelled().await;
    });
    // Dropping the runtime drops the jobs, and each ends its processes. A parse notices by itself.
    runtime.shutdown_background();
}

fn of_runner(settings: &LspSettings) -> crate::mcp::McpSettings {
    let LspBounds {
        jobs_max,
        jobs_waiting_max,
        job_ms_max,
        output_bytes_max,
        message_bytes_max,
        ..
    } = settings.bounds;
    crate::mcp::McpSettings {
        roots: Vec::new(),
        config: settings.config.clone(),
        may_run: false,
        // An editor starts jobs without being asked, so nothing leaves the machine and no code
        // runs.
        is_offline: true,
        has_no_model: true,
        bounds: McpBounds {
            calls_max: jobs_max,
            calls_waiting_max: jobs_waiting_max,
            call_ms_max: job_ms_max,
            output_bytes_max,
            text_bytes_max: output_bytes_max,
            message_bytes_max,
            runs_listed_max: 1,
            // Its jobs are few, and not about one tree as it is on disk.
            workers_max: 0,
            ..crate::config::McpConfig::default().bounds()
        },
    }
}
