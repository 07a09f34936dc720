//! The file of results while it grows: one line for each result, in the order in which they come.
//! The next run removes a line that a kill has torn. At its end, a run writes the lines in the
//! order of the claims to a new file, which replaces the old one at once.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{BatchClaim, BatchError};

/// Maximum number of bytes of one result.
const RESULT_BYTES_MAX: u64 = 16 << 20;
const NO_RESULT: &str = "it has a line that is no result";

/// The file of results.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Held as long as the run lasts, so that no second run writes the same file.
    lock: File,
    /// The line of each claim: its first byte and its length.
    lines: HashMap<String, (u64, u64)>,
    end: u64,
    /// Whether the file has lines that were made under other terms, which do not count.
    has_stale: bool,
}

/// Claims by their names, each with the key of its plan.
type KnownClaims<'c> = HashMap<&'c str, (&'c str, Option<String>)>;

impl Journal {
    /// Opens the file, or makes it, and reads what it has.
    pub(super) fn open(
        path: &Path,
        claims: &[BatchClaim],
        plan: &dyn Fn(&BatchClaim) -> Option<String>,
    ) -> Result<Self, BatchError> {
        // Locked first: `read` truncates the file, in which another run may be writing a line.
        let lock = locked(path)?;
        let options = || {
            // Appending ignores the position in the file, which `read` and `sort` move.
            OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(path)
        };
        let file = options().map_err(|error| BatchError::file(path, error))?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            lock,
            lines: HashMap::new(),
            end: 0,
            has_stale: false,
        };
        journal.read(claims, plan)?;
        Ok(journal)
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.lines.contains_key(id)
    }

    /// Reads the whole lines, and truncates the file after the last one: a kill may have torn the
    /// next.
    fn read(
        &mut self,
        claims: &[BatchClaim],
        plan: &dyn Fn(&BatchClaim) -> Option<String>,
    ) -> Result<(), BatchError> {
        let known = claims.iter();
        let known: KnownClaims<'_> = known
            .map(|claim| (claim.id.as_str(), (claim.claim.as_str(), plan(claim))))
            .collect();
        let path = self.path.clone();
        let broke = |error| BatchError::file(&path, error);
        let mut reader = BufReader::new(self.file.try_clone().map_err(broke)?);
        reader.seek(SeekFrom::Start(0)).map_err(broke)?;
        loop {
            let mut line = Vec::new();
            let read = reader
                .by_ref()
                .take(RESULT_BYTES_MAX)
                .read_until(b'\n', &mut line)
                .map_err(broke)?;
            let other = |why| BatchError::Other {
                path: path.display().to_string(),
                why,
            };
            if line.last() != Some(&b'\n') {
                torn(&line, &known).map_err(other)?;
                break;
            }
            self.note(&line, &known).map_err(other)?;
            self.end += read as u64;
        }
        // The file is open for appending: without this, the next result would continue the torn
        // line.
        self.file.set_len(self.end).map_err(broke)
    }

    /// Notes the position of a result, unless it was made under other terms.
    fn note(&mut self, line: &[u8], known: &KnownClaims<'_>) -> Result<(), String> {
        let result: Value = serde_json::from_slice(line).map_err(|_| NO_RESULT.to_owned())?;
        let (id, plan) = planned(&result, known)?;
        // The line stays until `sort` leaves it out, and its claim is checked again.
        if plan.as_deref() != result["plan"].as_str() && plan.is_some() {
            self.has_stale = true;
            return Ok(());
        }
        let place = (self.end, line.len() as u64);
        match self.lines.insert(id.to_owned(), place) {
            Some(_) => Err(format!("it has two results for `{id}`")),
            None => Ok(()),
        }
    }

    /// Adds a result, in one write.
    pub(super) fn add(&mut self, id: &str, line: &str) -> Result<(), BatchError> {
        // Within JSON a line feed is only space between tokens, and here it would split the result.
        let text = format!("{}\n", line.replace('\n', " "));
        if text.len() as u64 > RESULT_BYTES_MAX {
            let why = format!("the result for `{id}` has {}", too_long());
            return Err(BatchError::file(&self.path, why));
        }
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // A part may be written, as on a full disk. The results of other threads would
            // continue it.
            let _ = self.file.set_len(self.end);
            return Err(BatchError::file(&self.path, error));
        }
        self.lines
            .insert(id.to_owned(), (self.end, text.len() as u64));
        self.end += text.len() as u64;
        Ok(())
    }

    /// Puts the lines in the order of the claims.
    pub(super) fn finish(mut self, claims: &[BatchClaim]) -> Result<(), BatchError> {
        let path = self.path.clone();
        self.sort(claims)
            .map_err(|error| BatchError::file(&path, error))?;
        // Removed while it is locked: after that, another run may have locked it.
        let _ = std::fs::remove_file(beside(&path, "lock"));
        drop(self.lock);
        Ok(())
    }

    fn sort(&mut self, claims: &[BatchClaim]) -> std::io::Result<()> {
        let places: Vec<(u64, u64)> = claims
            .iter()
            .filter_map(|claim| self.lines.get(&claim.id).copied())
            .collect();
        if places.is_sorted() && !self.has_stale {
            return self.file.sync_all();
        }
        let new = beside(&self.path, "new");
        let mut sorted = BufWriter::new(File::create(&new)?);
        for (start, length) in places {
            self.file.seek(SeekFrom::Start(start))?;
            std::io::copy(&mut (&self.file).take(length), &mut sorted)?;
        }
        sorted
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?
            .sync_all()?;
        // Renamed after `sync_all`, so that a crash leaves either the old file or the whole new
        // one.
        std::fs::rename(new, &self.path)
    }
}

/// Returns the first result of a file of results.
pub(super) fn first(path: &Path) -> Result<Option<Value>, BatchError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(BatchError::file(path, error)),
    };
    let mut line = Vec::new();
    BufReader::new(file)
        .take(RESULT_BYTES_MAX)
        .read_until(b'\n', &mut line)
        .map_err(|error| BatchError::file(path, error))?;
    // A torn first line counts as missing, since the next run removes it.
    Ok(line
        .ends_with(b"\n")
        .then(|| serde_json::from_slice(&line).ok())
        .flatten())
}

/// Checks that the end of the file, a line without a line feed, may be truncated: it is the
/// beginning of a result, or the whole result of one of these claims.
fn torn(line: &[u8], known: &KnownClaims<'_>) -> Result<(), String> {
    if line.len() as u64 == RESULT_BYTES_MAX {
        return Err(format!("it has a line of {}", too_long()));
    }
    match serde_json::from_slice::<Value>(line) {
        Ok(result) => planned(&result, known).map(|_| ()),
        Err(error) if error.is_eof() => Ok(()),
        Err(_) => Err(NO_RESULT.to_owned()),
    }
}

fn too_long() -> String {
    format!("more than {} MiB", RESULT_BYTES_MAX >> 20)
}

/// Returns the name of the claim of a result, and the key of its plan.
fn planned<'r, 'k>(
    result: &'r Value,
    known: &'k KnownClaims<'_>,
) -> Result<(&'r str, &'k Option<String>), String> {
    let word = |key: &str| result[key].as_str().unwrap_or_default();
    let (id, claim) = (word("id"), word("claim"));
    // The name alone is not enough: the file of claims may have changed since.
    match known.get(id).filter(|(known, _)| *known == claim) {
        Some((_, plan)) => Ok((id, plan)),
        None => Err(format!(
            "it has a result for `{id}`, which is not one of these claims"
        )),
    }
}

fn locked(path: &Path) -> Result<File, BatchError> {
    // A file of its own: `sort` replaces the results, and a lock on them would stay with the old
    // file.
    let name = beside(path, "lock");
    let lock = File::create(&name).map_err(|error| BatchError::file(path, error))?;
    match lock.try_lock() {
        // Else the run that had it has removed it, and a third run may have made it again.
        Ok(()) if is_at(&lock, &name) => Ok(lock),
        Ok(()) | Err(std::fs::TryLockError::WouldBlock) => {
            Err(BatchError::file(path, "another run is writing it"))
        }
        Err(std::fs::TryLockError::Error(error)) => Err(BatchError::file(path, error)),
    }
}

/// Reports whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let name = |data: std::fs::Metadata| (data.dev(), data.ino());
    let (open, there) = (file.metadata().map(name), path.metadata().map(name));
    matches!((open, there), (Ok(open), Ok(there)) if open == there)
}

/// Reports `true`: the standard library cannot compare open files here.
#[cfg(not(unix))]
const fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}
