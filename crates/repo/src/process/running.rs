//! A run on Linux, from its start behind a gate to the end of all its processes.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal};

use super::capture::PipeReader;
use super::{Ending, Order, ProgramEnd, Room, Walls, group, watch};
use crate::limits::Limits;

/// Milliseconds between two checks whether a program has ended.
pub(super) const POLL_MS: u64 = 10;
/// Milliseconds between a polite and a hard end.
const GRACE_MS: u64 = 1_000;
/// The variable that marks a process as one of a run, wherever it has gone.
pub(super) const MARK: &str = "GROUNDS_RUN";
/// How much a run yields to everything else.
const NICENESS: i32 = 5;
/// Threads that are allowed for each allowed process.
pub(super) const THREADS_PER_PROCESS: u64 = 16;
/// Milliseconds to wait for the last processes of a sandbox.
const LAST_MS_MAX: u64 = 5_000;

/// Waits for the limits, then runs the words. If the program that started it goes away, so does the
/// whole group. A sandbox reads its filter from descriptor 4 and names its first process on
/// descriptor 5.
pub(super) const GATE: &str = "exec 3<&0 </dev/null\nread -r go <&3 || exit 125\n\
    { read -r end; kill -KILL 0; } <&3 >/dev/null 2>&1 3<&- &\nexec 3<&-\n\
    [ -z \"$1\" ] || exec 4<\"$1\" 5>\"$2\"\nshift 2\n\"$@\"\nexit $?";

/// Runs a program to its end, however it ends.
///
/// # Errors
/// The error of the system if it cannot be started.
pub fn run(order: &Order<'_>, walls: &Walls, limits: &Limits) -> std::io::Result<ProgramEnd> {
    let mut watch = watch::RunWatch::new(order.room.top());
    let own = order.room.temporary()?;
    // Descriptors that a shell or an editor left open for this program are not for a run.
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    let mut child = command(order, walls, own.path()).spawn()?;
    let (out, err) = (
        PipeReader::start(child.stdout.take(), limits),
        PipeReader::start(child.stderr.take(), limits),
    );
    let gate = open_gate(&mut child, limits);
    let ending = wait(&mut child, order, &mut watch, limits);
    let ending = watch.explained(ending, limits);
    end_all(&mut child, order.room);
    // The control group in it can be removed only after its last process has ended.
    drop(gate);
    Ok(ProgramEnd {
        ending,
        out: out.finish(),
        err: err.finish(),
    })
}

fn command(order: &Order<'_>, walls: &Walls, own: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", GATE, "sh"]);
    if walls.is_sandbox() {
        command.args([order.room.filter(), order.room.first()]);
    } else {
        command.args(["", ""]);
    }
    command
        .args(walls.words(order.room, own, order.folder))
        .args(order.words);
    command
        // The sandbox enters the folder by itself: outside of it the path may be a link by now.
        .current_dir(if walls.is_sandbox() {
            Path::new("/")
        } else {
            order.folder
        })
        .env_clear()
        .envs(order.environment.variables())
        .env(MARK, order.room.work());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command
}

/// Keeps a run alive and within the limits of the system.
struct RunGuard {
    _input: std::process::ChildStdin,
    _group: Option<group::ControlGroup>,
}

/// Sets the limits of the system on the waiting program, then lets it go.
fn open_gate(child: &mut Child, limits: &Limits) -> Option<RunGuard> {
    let (pid, mut gate) = (pid_of(child)?, child.stdin.take()?);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get) as u64;
    // Memory, disk and processes are watched, because a limit of the system would look like a fault
    // of the code. This limit is twice the watched number of threads, for what is faster than a
    // check.
    let threads_max = 2 * limits.run_processes_max as u64 * THREADS_PER_PROCESS;
    let bounds = [
        (Resource::Core, 0),
        (
            Resource::Cpu,
            limits
                .run_ms_max
                .div_ceil(1_000)
                .saturating_mul(cores)
                .saturating_add(1),
        ),
        (Resource::Nproc, watch::threads_of_user() + threads_max),
    ];
    for (resource, most) in bounds {
        // Without privileges a lower hard limit cannot be raised: the call fails, and that limit
        // stays.
        let _ = rustix::process::prlimit(
            Some(pid),
            resource,
            Rlimit {
                current: Some(most),
                maximum: Some(most),
            },
        );
    }
    // The watcher must be able to run, whatever the run does with the processors.
    let _ = rustix::process::setpriority_process(Some(pid), NICENESS);
    let group = group::ControlGroup::around(pid, threads_max);
    gate.write_all(b"go\n").ok()?;
    Some(RunGuard {
        _input: gate,
        _group: group,
    })
}

pub(super) fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

fn wait(
    child: &mut Child,
    order: &Order<'_>,
    watch: &mut watch::RunWatch<'_>,
    limits: &Limits,
) -> Ending {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ending::Exited(code_of(status)),
            Ok(None) => {}
            Err(_) => return Ending::Exited(128),
        }
        if Instant::now() > order.deadline {
            end_politely(child);
            return Ending::Bound("run_ms_max");
        }
        if let Some(bound) = watch.passed_bound(child.id(), limits) {
            return Ending::Bound(bound);
        }
        std::thread::sleep(Duration::from_millis(POLL_MS));
    }
}

fn code_of(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status
        .code()
        // A shell reports an end by a signal in the same way.
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// Asks the whole group to end, and waits a little for it.
fn end_politely(child: &mut Child) {
    let Some(pid) = pid_of(child) else { return };
    let _ = rustix::process::kill_process_group(pid, Signal::TERM);
    let until = Instant::now() + Duration::from_millis(GRACE_MS);
    while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(POLL_MS));
    }
}

/// Ends the group, and every process of the run that has left it: after this nothing changes its
/// files.
fn end_all(child: &mut Child, room: &Room) {
    if let Some(pid) = pid_of(child) {
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
    // In a sandbox all processes end with the first, which the kernel does after the group is gone.
    watch::await_first(&room.first(), Duration::from_millis(LAST_MS_MAX));
    watch::end_marked(MARK, room.work());
}
