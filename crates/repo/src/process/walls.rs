//! The walls around a run: a sandbox, or nothing if the person accepts that.

#[cfg(target_os = "linux")]
use std::ffi::OsString;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::path::PathBuf;

use super::{Environment, Room};
use crate::limits::Limits;

#[cfg(target_os = "linux")]
use super::sandbox::Sandbox;

/// Why nothing of a repository is run on another system.
#[cfg(not(target_os = "linux"))]
const ELSEWHERE: &str = "on this system nothing keeps it in: the sandbox, and the bounds of time, memory, processes \
    and disk, are there for Linux only";

/// The walls around a run. On systems other than Linux this type has no value.
#[derive(Clone, Debug)]
pub enum Walls {
    /// A sandbox.
    #[cfg(target_os = "linux")]
    Sandbox(Box<Sandbox>),
    /// Nothing: the run may do whatever the person may.
    #[cfg(target_os = "linux")]
    None,
}

impl Walls {
    /// Returns a sandbox around a room. Folders can be brought into it, each from where it is to
    /// where a run sees it.
    ///
    /// # Errors
    /// Returns why this machine has no sandbox.
    #[cfg(target_os = "linux")]
    pub fn raise(
        room: &Room,
        environment: &Environment,
        brought: &[(PathBuf, PathBuf)],
        limits: &Limits,
    ) -> Result<Self, String> {
        let sandbox = Sandbox::raise(room, environment, brought, limits)?;
        Ok(Self::Sandbox(Box::new(sandbox)))
    }

    /// Fails: no other system has a sandbox that is used here.
    #[cfg(not(target_os = "linux"))]
    pub fn raise(
        _room: &Room,
        _environment: &Environment,
        _brought: &[(PathBuf, PathBuf)],
        _limits: &Limits,
    ) -> Result<Self, String> {
        Err(ELSEWHERE.to_owned())
    }

    /// Returns no walls, which the person has to accept.
    ///
    /// # Errors
    /// Why a run without a sandbox cannot be bounded on this machine.
    pub fn without() -> Result<Self, String> {
        #[cfg(target_os = "linux")]
        return Ok(Self::None);
        #[cfg(not(target_os = "linux"))]
        return Err(ELSEWHERE.to_owned());
    }

    /// Reports whether there is a sandbox.
    pub const fn is_sandbox(&self) -> bool {
        #[cfg(target_os = "linux")]
        return !matches!(self, Self::None);
        #[cfg(not(target_os = "linux"))]
        match *self {}
    }

    /// Returns the words to put before a command that is run in a folder, with its own folders for
    /// temporary files.
    #[cfg(target_os = "linux")]
    pub(super) fn words(&self, room: &Room, own: &Path, folder: &Path) -> Vec<OsString> {
        match self {
            Self::Sandbox(sandbox) => sandbox.words(room, own, folder),
            Self::None => Vec::new(),
        }
    }
}
