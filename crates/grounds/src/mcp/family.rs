//! The processes of a call, which end together: with the call, and with this program however it
//! ends.
//!
//! On Unix a call is a process group. On Windows it is a job that the call itself makes before it
//! starts anything, so that none of its processes is ever outside of it. A server makes one too, in
//! which its calls begin.

#[cfg(unix)]
use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};

/// Milliseconds between two checks whether the process that started this one is still there.
#[cfg(all(unix, not(target_os = "linux")))]
const LOOK_MS: u64 = 250;

/// Makes everything that this program starts end with it.
///
/// # Errors
/// What the system says.
#[cfg(unix)]
pub(crate) fn begin() -> std::io::Result<()> {
    // Each call looks after itself: `die_with`.
    Ok(())
}

/// Makes everything that this program starts end with it.
///
/// # Errors
/// What the system says.
#[cfg(windows)]
pub(crate) fn begin() -> std::io::Result<()> {
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let made = win32job::Job::create_with_limit_info(&limits);
    let job = made.map_err(std::io::Error::other)?;
    job.assign_current_process()
        .map_err(std::io::Error::other)?;
    // The system closes it when this process ends, and thereby ends all others in it.
    let _ = job.into_handle();
    Ok(())
}

/// Starts a call so that what is typed for this program does not reach it.
#[cfg(unix)]
pub(super) fn set_apart(command: &mut Command) {
    // The program is started as `/proc/self/exe`, a name that says nothing in a list of processes.
    command.arg0("grounds").process_group(0);
}

/// Starts a call so that what is typed for this program does not reach it, and without a window.
#[cfg(windows)]
pub(super) fn set_apart(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0200;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

/// The processes of a call, which are killed when this is dropped, unless the call has ended. On
/// Windows they end with the first of them, which is killed when its handle is dropped.
pub(super) struct ProcessGroup {
    #[cfg(unix)]
    first: Option<Pid>,
}

#[cfg(unix)]
impl ProcessGroup {
    /// Returns the group of a call that was started in one of its own.
    pub(super) fn of(call: &Child) -> Self {
        let pid = call.id().and_then(|pid| i32::try_from(pid).ok());
        Self {
            first: pid.and_then(Pid::from_raw),
        }
    }

    /// Leaves the rest of the group alone: its number may be another's by now.
    pub(super) fn leave(mut self) {
        self.first = None;
    }
}

#[cfg(unix)]
impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(pid) = self.first {
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
    }
}

#[cfg(windows)]
impl ProcessGroup {
    /// Returns the group of a call that was started in one of its own.
    pub(super) fn of(_: &Child) -> Self {
        Self {}
    }

    /// Leaves the rest of the group alone.
    pub(super) fn leave(self) {}
}

/// Makes the system kill this process when its parent ends, however that ends. Reports whether the
/// parent is still running.
#[cfg(unix)]
pub fn die_with(parent: u32) -> bool {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // Other systems cannot tell a process that its parent has ended, so it looks again and again.
    #[cfg(not(target_os = "linux"))]
    std::thread::spawn(move || {
        while is_child_of(parent) {
            std::thread::sleep(std::time::Duration::from_millis(LOOK_MS));
        }
        let _ = rustix::process::kill_current_process_group(Signal::KILL);
    });
    is_child_of(parent)
}

#[cfg(unix)]
fn is_child_of(parent: u32) -> bool {
    rustix::process::getppid()
        .is_some_and(|pid| pid.as_raw_nonzero().get().unsigned_abs() == parent)
}

/// Makes everything that this process starts end with it. The process itself is in the job of its
/// parent, and ends with that. Reports whether it succeeded.
#[cfg(windows)]
pub fn die_with(_: u32) -> bool {
    begin().is_ok()
}
