//! Runs programs of a repository: bounded in time, memory, processes, output
//! and disk, without the surroundings' secrets, behind its [`walls`].
//!
//! Takes a program, its arguments, a folder and the room that it may write to. Returns how it
//! ended, and the head and tail of its output. In a sandbox it leaves no process behind; without
//! one, a process that leaves its group and clears its environment can escape. All bounds are those
//! of Linux: on another system nothing is run, whatever the person accepts.

#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "nothing is run on another system")
)]
mod capture;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
mod environment;
#[cfg(target_os = "linux")]
mod group;
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "nothing is run on another system")
)]
mod room;
#[cfg(target_os = "linux")]
mod running;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod sweeper;
#[cfg(target_os = "linux")]
mod watch;

pub mod walls;

use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

pub use capture::Captured;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Sweeper, run};
pub use environment::Environment;
pub use room::Room;
#[cfg(target_os = "linux")]
pub use running::run;
#[cfg(target_os = "linux")]
pub use sweeper::Sweeper;
pub use walls::Walls;

/// A command to run, with its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Order<'o> {
    /// The program and its arguments.
    pub words: &'o [OsString],
    /// The folder in which it runs.
    pub folder: &'o Path,
    /// All that it may write to.
    pub room: &'o Room,
    /// Its whole environment.
    pub environment: &'o Environment,
    /// The deadline for its end.
    pub deadline: Instant,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code; above 128 by a signal.
    Exited(i32),
    /// It was ended, because this bound was reached.
    Bound(&'static str),
}

/// The end of a program, and its output.
#[derive(Clone, Debug)]
pub struct ProgramEnd {
    /// How it ended.
    pub ending: Ending,
    /// Its standard output.
    pub out: Captured,
    /// Its standard error.
    pub err: Captured,
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
