//! `grounds check --standing`: the kept documents of a tree, and which claims of each held.

use std::path::{Path, PathBuf};

use grounds_check::{CheckOptions, CheckRun, CheckedDocument, StandingClaims, standing};
use grounds_repo::checkout::Checkout;

use crate::cli::Global;
use crate::commands::show;
use crate::error::Error;
use crate::store::Store;

/// Documents that are kept of one tree.
const DOCUMENTS_MAX: usize = 1_000;
/// Bytes that are kept of one document; what is beyond is decided again each time.
const BYTES_MAX: usize = 16 << 20;

/// The kept documents of one tree.
pub(super) struct StandingStore {
    store: Store,
    folder: String,
    documents: Vec<String>,
    /// The claims that held.
    pub(super) standing: StandingClaims,
}

impl StandingStore {
    /// Reads what is kept. What this program cannot read is decided again.
    ///
    /// # Errors
    /// [`Error::Store`] when the store cannot be used.
    pub(super) fn open(global: &Global, root: &Path) -> Result<Self, Error> {
        let store = show::open(global)?;
        let folder = root.to_string_lossy().into_owned();
        let rows = store.standing(&folder)?;
        let stood = |(name, text): &(String, String)| {
            Some((name.clone(), serde_json::from_str(text).ok()?))
        };
        Ok(Self {
            standing: rows.iter().filter_map(stood).collect(),
            documents: rows.into_iter().map(|(name, _)| name).collect(),
            store,
            folder,
        })
    }

    /// Returns the files that are meant: those that are named, else all that are kept.
    ///
    /// # Errors
    /// [`Error::Claim`] when none is, or when they are too many.
    pub(super) fn files(&self, named: &[PathBuf], root: &Path) -> Result<Vec<PathBuf>, Error> {
        let is_new = |path: &&PathBuf| !self.documents.contains(&name_of(path, root));
        if named.iter().filter(is_new).count() + self.documents.len() > DOCUMENTS_MAX {
            return Err(wrong(
                format!("more than {DOCUMENTS_MAX} documents of a tree are not kept"),
                "drop some with `grounds check --standing --forget FILE`",
            ));
        }
        match (named, self.documents.as_slice()) {
            ([], []) => Err(wrong(
                "no document of this tree is kept".to_owned(),
                "name some: `grounds check --standing README.md`",
            )),
            ([], kept) => Ok(kept.iter().map(|name| root.join(name)).collect()),
            (named, _) => Ok(named.to_vec()),
        }
    }

    /// Keeps what holds now.
    ///
    /// # Errors
    /// [`Error::Store`] when it cannot be written, [`Error::Claim`] for a document of elsewhere.
    pub(super) fn keep(
        mut self,
        documents: &[CheckedDocument],
        report: &CheckRun,
        checkout: &Checkout,
        options: &CheckOptions,
    ) -> Result<(), Error> {
        let all = standing::of(documents, report, checkout, options, &seen(checkout));
        let mut rows = Vec::new();
        for (name, stood) in all {
            if !checkout.root().join(&name).is_file() || Path::new(&name).is_absolute() {
                return Err(wrong(
                    format!("`{name}` is not a document of this tree, and only those can be kept"),
                    "check it without --standing",
                ));
            }
            let text = serde_json::to_string(&stood).map_err(|error| Error::Write(error.into()))?;
            let is_small = text.len() <= BYTES_MAX;
            // The empty text cannot be read back, so that the document stays in the list and is
            // decided again.
            rows.push((name, Some(if is_small { text } else { String::new() })));
        }
        Ok(self.store.keep_standing(&self.folder, &rows)?)
    }

    /// Stops keeping these documents, and returns their names.
    ///
    /// # Errors
    /// [`Error::Store`] when it cannot be written, [`Error::Claim`] for one that is not kept.
    pub(super) fn forget(mut self, named: &[PathBuf], root: &Path) -> Result<Vec<String>, Error> {
        let name = |path: &PathBuf| {
            let name = name_of(path, root);
            match self.documents.contains(&name) {
                true => Ok(name),
                false => Err(wrong(
                    format!(
                        "`{}` is not among the kept documents of this tree",
                        path.display()
                    ),
                    "name it by its path in this tree",
                )),
            }
        };
        let names = named.iter().map(name).collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<_> = names.iter().map(|name| (name.clone(), None)).collect();
        self.store.keep_standing(&self.folder, &rows)?;
        Ok(names)
    }
}

/// Returns the name under which a document of the tree is kept.
fn name_of(path: &Path, root: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // A document that is gone has no canonical path, and is the one that is most likely to be
    // forgotten.
    let whole = whole.canonicalize().unwrap_or(whole);
    super::slashed(whole.strip_prefix(root).unwrap_or(path))
}

fn wrong(reason: String, advice: &str) -> Error {
    Error::Claim {
        reason,
        advice: advice.to_owned(),
    }
}

/// Returns when and where a claim is seen to hold: the day, and the commit, with a mark if the tree
/// differs from it.
fn seen(checkout: &Checkout) -> String {
    let day = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let state = checkout.tree_state();
    match state.commit {
        Some(commit) => {
            // A tree of which it is not known whether it differs is shown as one that may.
            let changed = if state.dirty == Some(false) {
                ""
            } else {
                " with changes"
            };
            format!("{day} at {}{changed}", &commit[..commit.len().min(10)])
        }
        None => day,
    }
}
