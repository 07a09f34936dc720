//! Where the files that govern the judgement of a change are read: configuration, rules,
//! dismissals, baselines. Takes a change, and returns the side that they count from. It is never
//! the reviewed side: the author of a change must not decide how it is judged.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use grounds_repo::git::{GitError, Next};

use crate::diff::{Change, DiffLimits, MODE_LINK, Revision, head_of};
use crate::tree::{Content, Tree, TreeFile};

/// The paths that nearly every review needs, read by one call of git.
const USUAL: [&str; 5] = [
    FILE_NAME,
    ".cora.yaml",
    ".grounds/rules",
    ".grounds/dismissed.yml",
    crate::measured::PATH,
];

/// The name of the configuration, at the top and in a folder.
pub const FILE_NAME: &str = ".grounds.yaml";

/// Maximum number of bytes of the paths of folder configurations that are read by the same call.
/// Windows has 32 KiB for a command line.
const FOLDER_BYTES_AT_ONCE_MAX: usize = 16 << 10;
/// Marks a pathspec of git as a plain path, whatever characters it contains.
const LITERAL: &str = ":(literal)";

/// Digits of a commit's hash that are shown.
const COMMIT_DIGITS: usize = 12;

/// The side that settings are read from.
#[derive(Clone, Debug)]
pub struct SettingsSide<'c> {
    change: &'c Change,
    limits: &'c DiffLimits,
    side: Revision,
    /// The configurations of the folders around changed files; empty if there are too many for one
    /// call.
    of_folders: BTreeSet<String>,
    usual: OnceLock<Result<Vec<SettingsFile>, GitError>>,
}

/// A file of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    /// Its path below the top.
    pub path: String,
    /// Its bytes; [`Content::Missing`] for a link.
    pub content: Content,
}

impl<'c> SettingsSide<'c> {
    /// Returns the settings that judge a change: those of its base, or of the last commit if the
    /// base is the index. A diff that applies nowhere has none.
    pub fn of(change: &'c Change, limits: &'c DiffLimits) -> Self {
        let side = match (&change.diff.base, &change.top) {
            // The author of the change writes the index as well, so settings come from the last
            // commit.
            (Revision::Index | Revision::WorkingTree, Some(top)) => {
                head_of(top).map_or(Revision::Unknown, Revision::Commit)
            }
            (base, Some(_)) => base.clone(),
            (_, None) => Revision::Unknown,
        };
        let folders = folders(change);
        let with_name = |folder: &String| format!("{folder}{FILE_NAME}");
        let of_folders: BTreeSet<String> = folders.iter().map(with_name).collect();
        let bytes: usize = of_folders.iter().map(String::len).sum();
        let of_folders = match bytes <= FOLDER_BYTES_AT_ONCE_MAX {
            true => of_folders,
            false => BTreeSet::new(),
        };
        Self {
            change,
            limits,
            side,
            of_folders,
            usual: OnceLock::new(),
        }
    }

    /// Returns the name of the side for messages.
    pub fn name(&self) -> String {
        match &self.side {
            Revision::Commit(hash) => {
                format!("commit {}", hash.get(..COMMIT_DIGITS).unwrap_or(hash))
            }
            Revision::Applied(_) => "the tree that the diff was made from".to_owned(),
            Revision::Index | Revision::WorkingTree | Revision::Unknown => {
                "no commit, so that none of the repository count".to_owned()
            }
        }
    }

    /// Returns one file, if that side has it.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn file(&self, path: &str) -> Result<Option<SettingsFile>, GitError> {
        let files = self.folder(path)?;
        Ok(files.into_iter().find(|file| file.path == path))
    }

    /// Reports whether settings can be read from a side.
    pub fn has_side(&self) -> bool {
        self.change.top.is_some() && self.side != Revision::Unknown
    }

    /// Returns the files below a folder at that side, in the order of their paths.
    ///
    /// # Errors
    /// As [`Self::file`].
    pub fn folder(&self, path: &str) -> Result<Vec<SettingsFile>, GitError> {
        self.files(&[path])
    }

    /// Returns the files at or below these paths at that side, in the order of their paths.
    ///
    /// # Errors
    /// As [`Self::file`].
    pub fn files(&self, paths: &[&str]) -> Result<Vec<SettingsFile>, GitError> {
        let is_usual = |path: &&str| {
            self.of_folders.contains(*path) || USUAL.iter().any(|usual| is_at_or_below(usual, path))
        };
        // Any other path, such as a `--config` that the change edits, needs a call of its own.
        // Reading the usual ones one by one made a hook call git seven times.
        if !paths.iter().all(is_usual) {
            return self.read(paths);
        }
        let usual = self.usual.get_or_init(|| {
            let of_folders = self.of_folders.iter().map(String::as_str);
            self.read(&USUAL.into_iter().chain(of_folders).collect::<Vec<&str>>())
        });
        let is_meant = |file: &&SettingsFile| {
            let mut meant = paths.iter().map(|path| path.trim_end_matches('/'));
            meant.any(|path| is_at_or_below(path, &file.path))
        };
        let usual = usual.as_ref().map_err(Clone::clone)?;
        Ok(usual.iter().filter(is_meant).cloned().collect())
    }

    fn read(&self, paths: &[&str]) -> Result<Vec<SettingsFile>, GitError> {
        let Some(top) = &self.change.top else {
            return Ok(Vec::new());
        };
        let paths: Vec<String> = paths
            .iter()
            .map(|path| format!("{LITERAL}{path}"))
            .collect();
        let paths = paths.iter().map(String::as_str);
        let words: Vec<&str> = std::iter::once("--").chain(paths).collect();
        let tree = Tree::below(top, &self.side, &words, self.limits)?;
        let listed: Vec<&TreeFile> = tree.files().iter().collect();
        let mut files = Vec::new();
        tree.each(&listed, &mut |place, content| {
            let TreeFile { path, mode, .. } = listed[place];
            // A link may lead out of the repository, so its target is not read.
            let content = match *mode {
                MODE_LINK => Content::Missing,
                _ => content,
            };
            files.push(SettingsFile {
                path: path.clone(),
                content,
            });
            Next::GoOn
        })?;
        Ok(files)
    }

    /// Returns the folders below the top around changed files, each with a `/` at the end, in
    /// order.
    pub fn folders(&self) -> BTreeSet<String> {
        folders(self.change)
    }

    /// Reports whether the change edits a file, or one below a folder whose path ends with `/`.
    pub fn is_changed(&self, path: &str) -> bool {
        let is_it = |changed: &str| match path.ends_with('/') {
            true => changed.starts_with(path),
            false => changed == path,
        };
        self.change
            .diff
            .files
            .iter()
            // Moving a file of settings away changes it as well.
            .any(|file| is_it(&file.path) || is_it(file.path_at_base()))
    }
}

fn folders(change: &Change) -> BTreeSet<String> {
    let files = change.diff.files.iter();
    let paths = files.flat_map(|file| [file.path.as_str(), file.path_at_base()]);
    paths
        .flat_map(|path| {
            path.match_indices('/')
                .map(|(at, _)| path[..=at].to_owned())
        })
        .collect()
}

/// Reports whether a path is this place or is below it.
pub fn is_at_or_below(place: &str, path: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns a note about a change that edits settings, or `None` if it edits none.
pub(crate) fn note(change: &Change, settings: &SettingsSide<'_>) -> Option<String> {
    const OWN_FILES: [&str; 4] = [
        ".grounds.yaml",
        ".cora.yaml",
        ".grounds/",
        // A workflow decides how the review is called.
        ".github/workflows/",
    ];
    let files = change.diff.files.iter().map(|file| file.path.as_str());
    let own: Vec<&str> = files
        .filter(|path| {
            path.ends_with("/.grounds.yaml") || OWN_FILES.iter().any(|own| path.starts_with(own))
        })
        .collect();
    (!own.is_empty()).then(|| {
        format!(
            "this change touches what decides how it is reviewed: {}; that counts once it is merged, and this review is judged by the settings of {}",
            own.join(", "),
            settings.name()
        )
    })
}
