//! The open documents, as the editor has them.

use std::collections::HashMap;
use std::sync::Arc;

use lsp_types::Uri;

use super::workspace::DocumentPlace;
use crate::config::LspBounds;

/// Languages of an editor whose documents are texts.
const LANGUAGES: [&str; 4] = ["markdown", "mdx", "restructuredtext", "plaintext"];
/// Endings of texts.
const ENDINGS: [&str; 8] = ["md", "markdown", "mdx", "mdc", "rst", "rest", "txt", "adoc"];

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct OpenDocument {
    pub(super) uri: Uri,
    /// Its version; `None` if only its text is known.
    pub(super) version: Option<i32>,
    pub(super) text: Arc<str>,
    /// Whether `check` reads it.
    pub(super) is_text: bool,
    pub(super) place: DocumentPlace,
}

/// All open documents, within bounds.
pub(super) struct Documents {
    by_uri: HashMap<String, OpenDocument>,
    bytes: usize,
    bounds: LspBounds,
}

impl Documents {
    pub(super) fn new(bounds: LspBounds) -> Self {
        Self {
            by_uri: HashMap::new(),
            bytes: 0,
            bounds,
        }
    }

    pub(super) fn get(&self, uri: &str) -> Option<&OpenDocument> {
        self.by_uri.get(uri)
    }

    /// Adds a document, or replaces it.
    ///
    /// # Errors
    /// The bound that it would break; the document is then not open.
    pub(super) fn put(&mut self, document: OpenDocument) -> Result<(), String> {
        // The older text is not counted against the bound that its successor has to meet.
        self.remove(document.uri.as_str());
        let LspBounds {
            documents_max,
            documents_bytes_max,
            ..
        } = self.bounds;
        if self.by_uri.len() >= documents_max {
            return Err(format!(
                "{documents_max} documents are open already (`lsp.documents_max`)"
            ));
        }
        if self.bytes + document.text.len() > documents_bytes_max {
            return Err(format!(
                "the open documents have more than {documents_bytes_max} bytes together \
                 (`lsp.documents_bytes_max`)"
            ));
        }
        self.bytes += document.text.len();
        self.by_uri.insert(document.uri.to_string(), document);
        Ok(())
    }

    pub(super) fn remove(&mut self, uri: &str) -> Option<OpenDocument> {
        let removed = self.by_uri.remove(uri);
        self.bytes -= removed.as_ref().map_or(0, |document| document.text.len());
        removed
    }

    /// Forgets all of them, because a message that may have changed one was not read.
    pub(super) fn forget(&mut self) {
        self.by_uri.clear();
        self.bytes = 0;
    }
}

/// Reports whether `check` reads documents of this language and path.
pub(super) fn is_text(language: &str, uri: &str) -> bool {
    let ending = uri.rsplit_once('.').map_or("", |(_, ending)| ending);
    LANGUAGES.contains(&language) || ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
}
