//! Lays out the files that decide what documents state twice: at the base, and after the change.
//! Takes paths and bytes, and writes them below private folders, which are removed when the value
//! is dropped.

use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::rules::report::Unread;

/// Both sides of a change, in folders with the name of the repository.
pub(super) struct Rooms {
    _folder: TempDir,
    pub(super) base: PathBuf,
    pub(super) head: PathBuf,
    bytes_left: usize,
    bytes_max: usize,
}

impl Rooms {
    /// Makes an empty folder for each side.
    pub(super) fn make(name: &str, bytes_max: usize) -> Result<Self, Unread> {
        let folder = tempfile::Builder::new()
            .prefix("grounds-stated-")
            .tempdir()
            .map_err(|error| Unread::failed(format!("no private folder could be made: {error}")))?;
        let side = |side: &str| {
            // The name of its folder is one of the names of a project, so both sides need it.
            let path = folder.path().join(side).join(name);
            let made = std::fs::create_dir_all(&path);
            made.map(|()| path).map_err(|error| {
                Unread::failed(format!("no private folder could be made: {error}"))
            })
        };
        let (base, head) = (side("base")?, side("head")?);
        Ok(Self {
            _folder: folder,
            base,
            head,
            bytes_left: bytes_max,
            bytes_max,
        })
    }

    /// Writes a file at the sides that have it.
    pub(super) fn put(
        &mut self,
        (path_base, base): (&str, Option<&[u8]>),
        (path_head, head): (&str, Option<&[u8]>),
    ) -> Result<(), Unread> {
        let bytes = base.map_or(0, <[u8]>::len) + head.map_or(0, <[u8]>::len);
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or_else(|| {
            let reason = format!(
                "the files that decide what documents state of it have more than {} bytes (stated_bytes_max)",
                self.bytes_max
            );
            Unread::bound(reason)
        })?;
        if let Some(bytes) = base {
            write(&self.base, path_base, bytes)?;
        }
        head.map_or(Ok(()), |bytes| write(&self.head, path_head, bytes))
    }
}

/// Writes a file below a folder. A path that leads out of it, or into settings of git, is left out.
fn write(root: &Path, path: &str, bytes: &[u8]) -> Result<(), Unread> {
    let cannot =
        |error: std::io::Error| Unread::failed(format!("`{path}` could not be laid out: {error}"));
    let relative = Path::new(path);
    // The paths come from a diff that others wrote, and a folder `.git` could carry settings that
    // git obeys.
    let is_inside = relative.components().all(|part| match part {
        Component::Normal(name) => !name
            .to_string_lossy()
            .to_ascii_lowercase()
            .starts_with(".git"),
        _ => false,
    });
    if !is_inside {
        return Ok(());
    }
    let file = root.join(relative);
    file.parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .map_err(cannot)?;
    std::fs::write(file, bytes).map_err(cannot)
}
