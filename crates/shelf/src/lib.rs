//! Data that is kept below a user's cache folder from one run to the next.
//!
//! Given a cache folder and the folder from which something was made, returns a private place for
//! it: one folder for each owner, and in it one for each state. Housekeeping is bounded in number,
//! bytes and age, and removes first what was not used for longest. The data itself is never read
//! here.

mod private;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The beginning of the name of a folder that is being written.
const STAGING: &str = "making-";
/// Seconds after which a folder that is still being written counts as left behind by a killed
/// process.
const STAGING_SECONDS_MAX: u64 = 60 * 60;
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// The bounds of everything that is kept below one cache folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShelfBounds {
    /// Maximum number of things, those of other owners included.
    pub things_max: usize,
    /// Maximum number of bytes of all of them.
    pub bytes_max: u64,
    /// Days after its last use for which a thing is kept.
    pub days_max: u64,
}

impl ShelfBounds {
    fn age_max(&self) -> Duration {
        Duration::from_secs(self.days_max.saturating_mul(DAY_SECONDS))
    }
}

/// The place for the data of one owner.
#[derive(Clone, Debug)]
pub struct Shelf {
    all: PathBuf,
    own: PathBuf,
    bounds: ShelfBounds,
}

impl Shelf {
    /// Opens the place below a cache folder for an owner, and creates it for the user alone if it
    /// is missing. The second value says what was removed because others could write to it.
    ///
    /// # Errors
    /// Why nothing can be kept there, in words.
    pub fn open(
        cache: &Path,
        owner: &Path,
        bounds: ShelfBounds,
    ) -> Result<(Self, Option<String>), String> {
        let cannot =
            |error: io::Error| format!("`{}` cannot be used: {}", cache.display(), error.kind());
        // A path of any length and with any characters becomes the name of one folder.
        let name = blake3::hash(owner.as_os_str().as_encoded_bytes()).to_hex();
        let own = cache.join(&name[..40]);
        let mut told = None;
        // The upper folder first: whoever can write to it can replace what lies below.
        for folder in [cache, &own] {
            private::make(folder).map_err(cannot)?;
            if private::claim(folder)? == private::FolderBefore::Writable {
                empty(folder);
                told = Some(format!(
                    "`{}` could be written to by others",
                    folder.display()
                ));
            }
        }
        let all = cache.to_owned();
        Ok((Self { all, own, bounds }, told))
    }

    /// Returns the folder of a name.
    pub fn place(&self, name: &str) -> PathBuf {
        self.own.join(name)
    }

    /// Returns the names of this owner's data with this beginning, the last used first.
    pub fn names(&self, beginning: &str) -> Vec<String> {
        let entries = fs::read_dir(&self.own).into_iter().flatten().flatten();
        let mut known: Vec<(SystemTime, String)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let used_at = entry.metadata().and_then(|data| data.modified()).ok()?;
                name.starts_with(beginning).then_some((used_at, name))
            })
            .collect();
        known.sort();
        known.into_iter().rev().map(|(_, name)| name).collect()
    }

    /// Creates the folder of a name, to which only the user can write.
    ///
    /// # Errors
    /// Why it cannot be made, in words.
    pub fn make(&self, name: &str) -> Result<PathBuf, String> {
        let place = self.place(name);
        private::make(&place).map_err(|error| self.unwritable(&error))?;
        if private::claim(&place)? == private::FolderBefore::Writable {
            empty(&place);
        }
        Ok(place)
    }

    /// Reports whether something was not used for longer than it is kept.
    pub fn is_old(&self, metadata: &fs::Metadata) -> bool {
        age(metadata).is_some_and(|age| age > self.bounds.age_max())
    }

    /// Creates a folder next to the kept ones, to write one in.
    ///
    /// # Errors
    /// Why it cannot be made, in words.
    pub fn staging(&self) -> Result<tempfile::TempDir, String> {
        let made = tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(&self.own);
        made.map_err(|error| self.unwritable(&error))
    }

    /// Returns the message that the folder of the owner cannot be written.
    pub fn unwritable(&self, error: &io::Error) -> String {
        format!(
            "`{}` cannot be written: {}",
            self.own.display(),
            error.kind()
        )
    }

    /// Removes what is kept under a name.
    pub fn forget(&self, name: &str) {
        remove(&self.place(name));
    }

    /// Removes what is too old, then what was not used for longest beyond the bounds, and what
    /// killed processes left behind. `own` stays.
    pub fn tidy(&self, own: &Path) {
        let (mut kept, staged) = self.everything();
        // A younger folder may belong to a process that is still writing.
        let is_left = |path: &&PathBuf| {
            path.metadata()
                .is_ok_and(|data| age(&data).is_some_and(|age| age.as_secs() > STAGING_SECONDS_MAX))
        };
        staged.iter().filter(is_left).for_each(|path| remove(path));
        kept.sort();
        let mut bytes: u64 = kept.iter().map(|one| one.bytes).sum();
        let mut count = kept.len();
        for one in kept.iter().filter(|one| one.path != own) {
            let is_beyond = count > self.bounds.things_max.max(1) || bytes > self.bounds.bytes_max;
            let is_old = one
                .used_at
                .elapsed()
                .is_ok_and(|age| age > self.bounds.age_max());
            if is_beyond || is_old {
                remove(&one.path);
                count -= 1;
                bytes = bytes.saturating_sub(one.bytes);
            }
        }
    }

    /// Returns the data of every owner, and the folders that are being written.
    fn everything(&self) -> (Vec<ShelfFile>, Vec<PathBuf>) {
        let below = |folder: &Path| {
            fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .collect::<Vec<_>>()
        };
        let all: Vec<PathBuf> = below(&self.all)
            .iter()
            .flat_map(|folder| below(folder))
            .collect();
        let is_staged = |path: &PathBuf| {
            path.file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(STAGING.as_bytes()))
        };
        let (staged, kept): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(is_staged);
        let of_path = |path: PathBuf| {
            let used_at = path.metadata().and_then(|data| data.modified()).ok()?;
            Some(ShelfFile {
                used_at,
                bytes: bytes_of(&path),
                path,
            })
        };
        (kept.into_iter().filter_map(of_path).collect(), staged)
    }
}

/// Creates a folder for the user alone if it is missing. A folder that others could write to is
/// emptied.
///
/// # Errors
/// Why it cannot be used, in words.
pub fn private_folder(folder: &Path) -> Result<(), String> {
    private::make(folder)
        .map_err(|error| format!("`{}` cannot be used: {}", folder.display(), error.kind()))?;
    if private::claim(folder)? == private::FolderBefore::Writable {
        empty(folder);
    }
    Ok(())
}

/// Something that is kept.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ShelfFile {
    used_at: SystemTime,
    path: PathBuf,
    bytes: u64,
}

/// Sets the time of the last use to now: it decides what is removed first.
pub fn use_now(folder: &Path) {
    let _ = fs::File::open(folder).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Returns the bytes of the files right below a folder.
pub fn bytes_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}

/// Removes a folder or a file. Errors are ignored: what remains does no harm.
pub fn remove(path: &Path) {
    // A link to a folder is removed as a link, and not what it leads to.
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        let _ = fs::remove_dir_all(path);
    } else {
        let _ = fs::remove_file(path);
    }
}

fn age(metadata: &fs::Metadata) -> Option<Duration> {
    metadata.modified().ok()?.elapsed().ok()
}

fn empty(folder: &Path) {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .for_each(|entry| remove(&entry.path()));
}
