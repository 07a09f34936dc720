//! The walls around a run: a sandbox, or none where the person accepts that.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Environment, Room};
use crate::limits::Limits;

#[cfg(target_os = "linux")]
use super::sandbox::Sandbox;

/// What is around a run.
#[derive(Clone, Debug)]
pub enum Walls {
    /// A sandbox.
    #[cfg(target_os = "linux")]
    Sandbox(Box<Sandbox>),
    /// Nothing: what is run may do whatever the person may.
    None,
}

impl Walls {
    /// A sandbox around a room; folders can be brought into it, each from where it is to where a run sees it.
    ///
    /// # Errors
    /// Why there is none on this machine.
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

    /// No other system has one that is used here.
    #[cfg(not(target_os = "linux"))]
    pub fn raise(
        _room: &Room,
        _environment: &Environment,
        _brought: &[(PathBuf, PathBuf)],
        _limits: &Limits,
    ) -> Result<Self, String> {
        Err("there is one for Linux only".to_owned())
    }

    /// Whether there is a sandbox.
    pub const fn is_sandbox(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The words to put before a command that is run in a folder, with folders of its own for temporary files.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(unused_variables, reason = "only the sandbox needs them")
    )]
    pub(super) fn words(&self, room: &Room, own: &Path, folder: &Path) -> Vec<OsString> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Sandbox(sandbox) => sandbox.words(room, own, folder),
            Self::None => Vec::new(),
        }
    }
}
