//! The documents that may be checked, and the folder that each is about.

use std::path::{Path, PathBuf};

use lsp_types::{InitializeParams, WorkspaceFolder};
use url::Url;

use crate::mcp::places::AllowedPlaces;

/// The folders of the editor, within those of the server.
pub(super) struct Workspace {
    server: Vec<PathBuf>,
    editor: Vec<String>,
    places: AllowedPlaces,
}

/// The folder and the path of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocumentPlace {
    /// The checkout that it speaks about: the innermost folder with `.git`, else the root.
    pub(super) folder: PathBuf,
    /// Its path in that folder, with forward slashes.
    pub(super) path: String,
}

impl Workspace {
    /// Returns a workspace before the editor has named folders.
    pub(super) fn new(server: Vec<PathBuf>) -> Self {
        let mut workspace = Self {
            places: AllowedPlaces::of_server(&server),
            editor: Vec::new(),
            server,
        };
        workspace.follow();
        workspace
    }

    /// Takes the folders that the editor begins with.
    #[expect(deprecated, reason = "older editors name one root only")]
    pub(super) fn begin(&mut self, parameters: &InitializeParams) {
        let folders = parameters.workspace_folders.iter().flatten();
        self.editor = folders.map(|folder| folder.uri.to_string()).collect();
        let root = parameters.root_uri.as_ref().map(|uri| uri.to_string());
        let path = parameters.root_path.as_deref().map(Url::from_file_path);
        let path = path.and_then(Result::ok).map(|url| url.to_string());
        // In the protocol `workspaceFolders` replaces `rootUri`, which replaces `rootPath`.
        if self.editor.is_empty() {
            self.editor.extend(root.or(path));
        }
        self.follow();
    }

    /// Adds and removes folders.
    pub(super) fn change(&mut self, added: &[WorkspaceFolder], removed: &[WorkspaceFolder]) {
        let is_removed = |uri: &String| removed.iter().any(|folder| folder.uri.as_str() == uri);
        self.editor.retain(|uri| !is_removed(uri));
        let added = added.iter().map(|folder| folder.uri.to_string());
        self.editor.extend(added);
        self.follow();
    }

    fn follow(&mut self) {
        self.places = match self.editor.as_slice() {
            [] => AllowedPlaces::of_server(&self.server),
            uris => AllowedPlaces::of_client(uris, &self.server),
        };
    }

    /// Returns the place of a document.
    ///
    /// # Errors
    /// Why it may not be checked.
    pub(super) fn place(&self, uri: &str) -> Result<DocumentPlace, String> {
        let path = Url::parse(uri)
            .ok()
            .filter(|url| url.scheme() == "file")
            .and_then(|url| url.to_file_path().ok())
            .ok_or("it is not a file of this machine")?;
        let outside = "it is outside the folders of the workspace";
        let path = followed(&path).ok_or(outside)?;
        let root = self.places.root_of(&path).ok_or(outside)?;
        let above = path
            .ancestors()
            .skip(1)
            // A `.git` above the root is not the editor's: the root is what it may show.
            .take_while(|folder| folder.starts_with(root));
        let folder = above
            .clone()
            .find(|folder| folder.join(".git").exists())
            .unwrap_or(root);
        let inside = path.strip_prefix(folder).unwrap_or(&path);
        let path = inside.to_str().ok_or("its path is not UTF-8")?;
        Ok(DocumentPlace {
            folder: folder.to_owned(),
            path: path.replace(std::path::MAIN_SEPARATOR, "/"),
        })
    }

    /// Reports whether a file lies in the workspace, all links followed.
    pub(super) fn holds(&self, path: &Path) -> bool {
        followed(path).is_some_and(|path| self.places.root_of(&path).is_some())
    }
}

/// Returns the path with all links followed; for a file that was never saved, those of its folder.
fn followed(path: &Path) -> Option<PathBuf> {
    let of_folder = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    match path.symlink_metadata() {
        Ok(_) => path.canonicalize().ok(),
        Err(_) => of_folder(),
    }
}
