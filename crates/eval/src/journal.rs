//! The journal of a run: one line when a case begins and one with its result. Each is on disk
//! before the run continues, so that a killed run can be resumed.
//!
//! A case that was begun and never ended may have killed the program: it runs again alone, and
//! counts as failed after [`ATTEMPTS_MAX`] times.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::error::EvalError;
use crate::result::CaseResult;

/// How often a case is begun before it counts as the one that killed the program.
pub const ATTEMPTS_MAX: usize = 3;
/// Most bytes of a journal that are read.
const JOURNAL_BYTES_MAX: u64 = 4 << 30;

/// One line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum JournalLine {
    Began { name: String, fingerprint: String },
    Ended(Box<CaseResult>),
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

/// The results and attempts of an earlier run.
#[derive(Debug, Default)]
pub struct EarlierRun {
    ended: HashMap<(String, String), CaseResult>,
    begun: HashMap<(String, String), usize>,
}

impl Journal {
    /// Creates a journal; an existing file is not overwritten.
    ///
    /// # Errors
    /// [`EvalError::File`] when it exists already or cannot be created.
    pub fn create(path: &Path) -> Result<Self, EvalError> {
        let made = OpenOptions::new().write(true).create_new(true).open(path);
        let file = made.map_err(|error| {
            EvalError::file(path, format!("{error}; to go on with it, say --resume"))
        })?;
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
        })
    }

    /// Opens an earlier journal to continue it. An incomplete last line is dropped.
    ///
    /// # Errors
    /// [`EvalError::File`] when it cannot be read.
    pub fn resume(path: &Path) -> Result<(Self, EarlierRun), EvalError> {
        let fault = |error: std::io::Error| EvalError::file(path, error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fault)?;
        let mut bytes = Vec::new();
        (&file)
            .take(JOURNAL_BYTES_MAX)
            .read_to_end(&mut bytes)
            .map_err(fault)?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        // A new line must not continue the incomplete one.
        file.set_len(whole as u64).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        let known = EarlierRun::of(&String::from_utf8_lossy(&bytes[..whole]));
        Ok((
            Self {
                path: path.to_owned(),
                file: Mutex::new(file),
            },
            known,
        ))
    }

    /// Records that a case begins.
    ///
    /// # Errors
    /// [`EvalError::File`] when it cannot be written.
    pub fn began(&self, case: &Case) -> Result<(), EvalError> {
        self.write(&JournalLine::Began {
            name: case.name(),
            fingerprint: case.fingerprint(),
        })
    }

    /// Records a result.
    ///
    /// # Errors
    /// As [`Journal::began`].
    pub fn ended(&self, result: &CaseResult) -> Result<(), EvalError> {
        self.write(&JournalLine::Ended(Box::new(result.clone())))
    }

    fn write(&self, line: &JournalLine) -> Result<(), EvalError> {
        let fault = |error: std::io::Error| EvalError::file(&self.path, error);
        let mut text =
            serde_json::to_string(line).map_err(|error| EvalError::file(&self.path, error))?;
        text.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(text.as_bytes()).map_err(fault)?;
        file.sync_data().map_err(fault)
    }
}

impl EarlierRun {
    /// Reads the lines. One that cannot be read is skipped, so that its case runs again.
    fn of(text: &str) -> Self {
        let mut known = Self::default();
        // A line that cannot be read counts as never written, so its case runs again.
        for line in text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
        {
            match line {
                JournalLine::Began { name, fingerprint } => {
                    *known.begun.entry((name, fingerprint)).or_default() += 1
                }
                JournalLine::Ended(result) => {
                    known
                        .ended
                        .insert((result.name(), result.fingerprint.clone()), *result);
                }
            }
        }
        known
    }

    /// Returns the result of exactly this case, or `None` if it has no result.
    pub fn result(&self, case: &Case) -> Option<&CaseResult> {
        self.ended.get(&(case.name(), case.fingerprint()))
    }

    /// Returns how often the case was begun without a result.
    pub fn attempts(&self, case: &Case) -> usize {
        let key = (case.name(), case.fingerprint());
        // A case that ended did not kill the program, however often it was begun.
        if self.ended.contains_key(&key) {
            0
        } else {
            self.begun.get(&key).copied().unwrap_or(0)
        }
    }
}
