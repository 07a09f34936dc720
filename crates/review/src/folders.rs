//! Settings of folders for their own files. The nearest folder that sets a value wins, and no
//! folder affects a file outside of it.

use grounds_evidence::Quality;

use crate::finding::Severity;
use crate::report::Gate;

/// The settings of one folder for its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderSettings {
    /// Its path, with a `/` at the end.
    pub path: String,
    /// Rules that are on.
    pub on: Vec<String>,
    /// Rules that are off.
    pub off: Vec<String>,
    /// The quality of its gate; `None` if it does not set one.
    pub min_quality: Option<Quality>,
    /// The severity of its gate; `None` if it does not set one.
    pub severity: Option<Severity>,
}

/// The folders that have settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders(Vec<FolderSettings>);

impl Folders {
    /// Makes a list of these folders.
    pub fn new(mut folders: Vec<FolderSettings>) -> Self {
        // The longest path is the nearest folder, so that the first one that sets a value wins.
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.path.len()));
        Self(folders)
    }

    /// Returns the folders, the deepest first.
    pub fn all(&self) -> &[FolderSettings] {
        &self.0
    }

    /// Removes the gates of folders if a person set one for the whole review.
    pub fn without_bars(&mut self, of_quality: bool, of_severity: bool) {
        for folder in &mut self.0 {
            folder.min_quality = folder.min_quality.filter(|_| !of_quality);
            folder.severity = folder.severity.filter(|_| !of_severity);
        }
    }

    /// Returns the folders around a file, the nearest first.
    fn around<'f>(&'f self, path: &'f str) -> impl Iterator<Item = &'f FolderSettings> {
        self.0
            .iter()
            .filter(move |folder| path.starts_with(&folder.path))
    }

    /// Reports whether a rule is on in a file; `is_on` is the value if no folder sets it.
    pub(crate) fn is_on(&self, rule: &str, path: &str, is_on: bool) -> bool {
        let has = |names: &[String]| names.iter().any(|name| name == rule);
        let mut around = self.around(path);
        let word = around.find_map(|folder| match (has(&folder.on), has(&folder.off)) {
            (_, true) => Some(false),
            (true, false) => Some(true),
            (false, false) => None,
        });
        word.unwrap_or(is_on)
    }

    /// Reports whether a rule is on in any folder.
    pub(crate) fn has_on(&self, rule: &str) -> bool {
        self.0
            .iter()
            .any(|folder| folder.on.iter().any(|name| name == rule))
    }

    /// Returns the gate for a file; `gate` is the value if no folder sets one.
    pub fn gate(&self, path: &str, gate: Gate) -> Gate {
        let quality = self.around(path).find_map(|folder| folder.min_quality);
        let severity = self.around(path).find_map(|folder| folder.severity);
        Gate {
            min_quality: quality.unwrap_or(gate.min_quality),
            severity: severity.unwrap_or(gate.severity),
        }
    }
}
