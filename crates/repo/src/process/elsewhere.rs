//! Runs on a system without our walls and bounds: nothing is run.

use std::path::Path;

use super::{Order, ProgramEnd, Walls};
use crate::limits::Limits;

/// Removes nothing, because nothing is run.
#[derive(Debug)]
pub struct Sweeper;

impl Sweeper {
    /// Watches over nothing.
    pub fn over(_: &Path) -> Self {
        Self
    }
}

/// Runs nothing: no [`Walls`] can be made on this system, so that nobody can call it.
///
/// # Errors
/// None.
pub fn run(_: &Order<'_>, walls: &Walls, _: &Limits) -> std::io::Result<ProgramEnd> {
    match *walls {}
}
