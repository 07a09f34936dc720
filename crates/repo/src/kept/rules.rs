//! The grounds of a list of files: the folders of the tree, and the files of rules that the walker
//! reads in them, above them and in the home of the person.
//!
//! Each stamp is taken before the walker reads its file.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ignore::gitignore::gitconfig_excludes_path;

use super::stamp::Stamp;
use crate::text;

/// Files of rules of a folder. A new one in a folder of the tree shows in the folder's own stamp.
const IN_FOLDER: &[&str] = &[".gitignore", ".ignore"];
/// What else the walker reads in the folders above a tree.
const ABOVE: &[&str] = &[".git", ".jj", ".gitignore", ".ignore"];
/// Bytes of a file that leads to a repository.
const POINTER_BYTES_MAX: u64 = 4 << 10;

/// The grounds of a walk, noted while it runs.
#[derive(Debug)]
pub(crate) struct WalkNotes {
    began: SystemTime,
    excludes: Option<PathBuf>,
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    folders: Vec<(PathBuf, Stamp)>,
    rules: Vec<(PathBuf, Option<Stamp>)>,
    /// Whether something could not be noted.
    is_lacking: bool,
}

/// The grounds of a walk: its folders, and everything else.
#[derive(Debug)]
pub(super) struct Grounds {
    pub(super) folders: Vec<(PathBuf, Stamp)>,
    pub(super) rules: Rules,
}

/// The files of rules that a walk read, or would have read.
#[derive(Debug)]
pub(super) struct Rules {
    excludes: Option<PathBuf>,
    files: Vec<(PathBuf, Option<Stamp>)>,
}

impl WalkNotes {
    /// Begins the notes of a walk over a tree, with the rules above it.
    pub(super) fn begin(root: &Path) -> Self {
        let notes = Self {
            began: SystemTime::now(),
            excludes: gitconfig_excludes_path(),
            noted: Mutex::default(),
        };
        let rules: Vec<PathBuf> = notes.excludes.iter().cloned().collect();
        notes.add_rules(rules);
        for folder in root.ancestors() {
            notes.add_rules(ABOVE.iter().map(|name| folder.join(name)));
            notes.repository(folder);
        }
        notes.folder(root);
        notes
    }

    /// Notes a folder that the walk is about to read.
    pub(crate) fn folder(&self, path: &Path) {
        let stamp = Stamp::at(path);
        let rules = IN_FOLDER.iter().map(|name| path.join(name));
        // Missing files need no note: the stamp of the folder changes when one is added.
        let present: Vec<_> = rules
            .filter_map(|rule| Stamp::of_rule(&rule).map(|stamp| (rule, Some(stamp))))
            .collect();
        if Stamp::at(&path.join(".git")).is_some() {
            self.add_rules([path.join(".git")]);
            self.repository(path);
        }
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        match stamp {
            Some(stamp) => noted.folders.push((path.to_owned(), stamp)),
            None => noted.is_lacking = true,
        }
        noted.rules.extend(present);
    }

    /// Notes the rules of the repository of a folder: beside its `.git`, or where a file of this
    /// name leads.
    fn repository(&self, folder: &Path) {
        let git = folder.join(".git");
        if !git.metadata().is_ok_and(|kind| kind.is_file()) {
            return self.add_rules([git.join("info/exclude")]);
        }
        let line = |path: &Path| {
            let bytes = text::read_regular(path, POINTER_BYTES_MAX).ok()?;
            let text = String::from_utf8(bytes).ok()?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        };
        let Some(pointer) = line(&git) else {
            self.noted
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_lacking = true;
            return;
        };
        // This follows the walker's own reading of these files, not git's: its rules are what is
        // noted.
        let Some(own) = pointer.strip_prefix("gitdir: ").map(PathBuf::from) else {
            return;
        };
        let common = own.join("commondir");
        let exclude = line(&common).map(|line| match line.starts_with('.') {
            true => own.join(line).join("info/exclude"),
            false => PathBuf::from(line).join("info/exclude"),
        });
        self.add_rules([common].into_iter().chain(exclude));
    }

    fn add_rules(&self, paths: impl IntoIterator<Item = PathBuf>) {
        let rules = paths.into_iter().map(|path| {
            let stamp = Stamp::of_rule(&path);
            (path, stamp)
        });
        let rules: Vec<_> = rules.collect();
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.rules.extend(rules);
    }

    /// Returns the grounds of the walk; `None` if something was changed so shortly before that a
    /// later change could look the same.
    pub(super) fn end(self) -> Option<Grounds> {
        let noted = self
            .noted
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let began = self.began;
        let is_settled = noted
            .folders
            .iter()
            .all(|(_, stamp)| stamp.is_settled(began))
            && noted
                .rules
                .iter()
                .filter_map(|(_, stamp)| stamp.as_ref())
                .all(|stamp| stamp.is_settled(began));
        (is_settled && !noted.is_lacking).then_some(Grounds {
            folders: noted.folders,
            rules: Rules {
                excludes: self.excludes,
                files: noted.rules,
            },
        })
    }
}

impl Rules {
    /// Reports whether every file of rules is the one that was read, and none was added.
    pub(super) fn hold(&self) -> bool {
        self.excludes == gitconfig_excludes_path()
            && self
                .files
                .iter()
                .all(|(path, stamp)| Stamp::of_rule(path) == *stamp)
    }
}
