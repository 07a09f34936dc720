//! The folders that may be asked about. Inputs are the settings of the server and the roots that
//! the client names; the folder of a call is allowed or refused. Links are followed before anything
//! is compared, so that none leads out.

use std::path::{Path, PathBuf};

use url::Url;

use super::arguments::Wrong;

/// Roots of a client that are read; further ones are ignored.
const ROOTS_MAX: usize = 256;

/// The authority for the roots that a client names.
const CLIENT: &str = "the roots of the client";

/// The advice if a client names roots, and none of them may be asked about.
const NO_ROOT: &str = "no root of the client is a folder of this machine that is allowed: \
     open such a folder in the client, or start the server with --root DIR";

/// The folders that may be asked about: each with all below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AllowedPlaces {
    /// One of these must hold the folder, all links followed.
    allowed: Vec<PathBuf>,
    /// If it is not empty, one of these must hold the folder too.
    outer: Vec<PathBuf>,
    /// The authority for these folders, for messages.
    said_by: &'static str,
}

impl AllowedPlaces {
    /// Returns the folders of a server whose client names none.
    pub(crate) fn of_server(roots: &[PathBuf]) -> Self {
        if !roots.is_empty() {
            return Self {
                allowed: followed(roots),
                outer: Vec::new(),
                said_by: "--root of the server",
            };
        }
        let here = std::env::current_dir()
            .ok()
            .and_then(|folder| folder.canonicalize().ok())
            .filter(|folder| is_meant(folder));
        Self {
            allowed: here.into_iter().collect(),
            outer: Vec::new(),
            said_by: "the working directory of the server",
        }
    }

    /// Returns the folders of a client, within those that the server was started with. A client
    /// whose roots are all of another machine (`vscode-remote://…`) says nothing about folders
    /// here. The server's folders count then.
    pub(crate) fn of_client(uris: &[String], server: &[PathBuf]) -> Self {
        let uris = &uris[..uris.len().min(ROOTS_MAX)];
        // Visual Studio Code with a remote workspace names its folder as `vscode-remote://…`.
        if !server.is_empty() && !uris.iter().any(|uri| is_file(uri)) {
            return Self::of_server(server);
        }
        let folders: Vec<PathBuf> = uris.iter().filter_map(|uri| folder_of(uri)).collect();
        Self {
            allowed: followed(&folders),
            outer: followed(server),
            said_by: CLIENT,
        }
    }

    /// Returns the folder of a call: the one that it names, else the only one.
    pub(crate) fn repository(&self, named: Option<&str>) -> Result<PathBuf, Wrong> {
        match (named, self.allowed.as_slice()) {
            (Some(named), _) => self.folder("repo", named),
            // The root of a client may lie outside of those of the server.
            (None, [only]) => self.within(only.clone(), "repo", &only.display().to_string()),
            (None, _) => Err(Wrong::new(
                "cannot choose a folder: `repo` is not given",
                self.advice(),
            )),
        }
    }

    /// Checks a folder that a call names, and returns its path.
    pub(crate) fn folder(&self, argument: &str, named: &str) -> Result<PathBuf, Wrong> {
        let named_path = path_of(named);
        let candidates: Vec<PathBuf> = match named_path.is_absolute() {
            true => vec![named_path],
            // An agent names a folder as its client shows it: relative to a root, which may be any
            // of several.
            false => self
                .allowed
                .iter()
                .map(|root| root.join(&named_path))
                .collect(),
        };
        let found = candidates
            .iter()
            .filter_map(|path| path.canonicalize().ok())
            .find(|path| self.holds(path));
        // A missing folder and a forbidden one look the same, so that a caller cannot learn what
        // exists outside the allowed folders.
        let refused = || {
            Wrong::new(
                format!(
                    "cannot use `{argument}`: `{named}` is not a folder below {}",
                    self.said_by
                ),
                self.advice(),
            )
        };
        self.within(found.ok_or_else(refused)?, argument, named)
    }

    fn within(&self, folder: PathBuf, argument: &str, named: &str) -> Result<PathBuf, Wrong> {
        match folder.is_dir() && self.holds(&folder) {
            true => Ok(folder),
            false => Err(Wrong::new(
                format!(
                    "cannot use `{argument}`: `{named}` is not a folder below {}",
                    self.said_by
                ),
                self.advice(),
            )),
        }
    }

    /// Reports whether a path, all links followed, is below an allowed folder.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let below = |roots: &[PathBuf]| roots.iter().any(|root| path.starts_with(root));
        below(&self.allowed) && (self.outer.is_empty() || below(&self.outer))
    }

    /// Returns the innermost allowed folder that holds a path, all links followed.
    #[cfg(feature = "lsp")]
    pub(crate) fn root_of(&self, path: &Path) -> Option<&Path> {
        let roots = self.allowed.iter().filter(|root| path.starts_with(root));
        let innermost = roots.max_by_key(|root| root.components().count());
        innermost.filter(|_| self.holds(path)).map(PathBuf::as_path)
    }

    fn advice(&self) -> String {
        let shown: Vec<String> = self
            .allowed
            .iter()
            .filter(|root| self.holds(root))
            .map(|root| root.display().to_string())
            .collect();
        match shown.as_slice() {
            [] if self.said_by == CLIENT => NO_ROOT.to_owned(),
            [] => "no folder is allowed here: start the server with --root DIR, or in the folder of a project".to_owned(),
            _ => format!("name one of these folders, or one below: {}", shown.join(", ")),
        }
    }
}

/// Returns the folders that exist, all links followed.
fn followed(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| folder.canonicalize().ok())
        .filter(|folder| folder.is_dir())
        .collect();
    found.dedup();
    found
}

/// Reports whether a working directory was chosen on purpose: clients start servers in `/` or at
/// home, which contain everything.
fn is_meant(folder: &Path) -> bool {
    let home = grounds_repo::person::home().and_then(|home| home.canonicalize().ok());
    folder.parent().is_some() && home.is_none_or(|home| home != folder)
}

/// Returns the path of an argument, which some callers write as the address of a file.
fn path_of(named: &str) -> PathBuf {
    folder_of(named).unwrap_or_else(|| PathBuf::from(named))
}

fn folder_of(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file");
    url.and_then(|url| url.to_file_path().ok())
}

/// Reports whether an address is one of a file, here or not. An address that cannot be read counts
/// as one, so that it allows nothing.
fn is_file(uri: &str) -> bool {
    Url::parse(uri).map_or(true, |url| url.scheme() == "file")
}

#[cfg(test)]
mod tests;
