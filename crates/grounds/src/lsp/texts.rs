//! Handles the editor's notifications about its documents.

use std::io;
use std::sync::Arc;

use lsp_server::Notification;
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    NumberOrString, Uri,
};
use serde::de::DeserializeOwned;

use super::documents::{OpenDocument, is_text};
use super::done::Task;
use super::jobs::JobKey;
use super::session::Session;
use super::{checked, reviewed};

impl Session {
    /// Handles a notification. An unknown one is ignored; one that cannot be read is shown to the
    /// person.
    pub(super) fn told(&mut self, told: Notification) -> io::Result<()> {
        match told.method.as_str() {
            "textDocument/didOpen" => self.read(told, Self::opened),
            "textDocument/didChange" => self.read(told, Self::changed),
            "textDocument/didSave" => self.read(told, Self::saved),
            "textDocument/didClose" => self.read(told, Self::closed),
            "workspace/didChangeWorkspaceFolders" => self.read(told, Self::folders),
            "$/cancelRequest" => self.read(told, Self::cancelled),
            _ => Ok(()),
        }
    }

    fn read<T: DeserializeOwned>(
        &mut self,
        told: Notification,
        take: fn(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        match serde_json::from_value(told.params) {
            Ok(parameters) => take(self, parameters),
            Err(error) => {
                let why = format!(
                    "the parameters of `{}` cannot be read: {error}",
                    told.method
                );
                self.show("", &why)
            }
        }
    }

    fn opened(&mut self, opened: DidOpenTextDocumentParams) -> io::Result<()> {
        let document = opened.text_document;
        let is_text = is_text(&document.language_id, document.uri.as_str());
        let uri = document.uri.clone();
        self.put(document.uri, Some(document.version), document.text, is_text)?;
        self.check(uri.as_str())
    }

    fn changed(&mut self, changed: DidChangeTextDocumentParams) -> io::Result<()> {
        let document = changed.text_document;
        let known = self.documents.get(document.uri.as_str());
        let is_text = known.map_or_else(
            || is_text("", document.uri.as_str()),
            |document| document.is_text,
        );
        // The server asks for whole texts; the last one counts.
        let Some(text) = changed.content_changes.into_iter().next_back() else {
            return Ok(());
        };
        // The text that is known is old from now on, so that it must not be checked.
        if text.range.is_some() {
            self.documents.remove(document.uri.as_str());
            let why = "a part of a text was sent, and the whole text was asked for";
            return self.refuse(&document.uri, is_text, why);
        }
        self.put(document.uri, Some(document.version), text.text, is_text)
    }

    fn saved(&mut self, saved: DidSaveTextDocumentParams) -> io::Result<()> {
        let uri = saved.text_document.uri;
        let known = self.documents.get(uri.as_str());
        let (version, is_text) = known.map_or_else(
            || (None, is_text("", uri.as_str())),
            |known| (known.version, known.is_text),
        );
        // After a message that was lost the document is not known; its text on saving makes it
        // known again.
        if let Some(text) = saved.text {
            self.put(uri.clone(), version, text, is_text)?;
        }
        let Some(document) = self.documents.get(uri.as_str()).cloned() else {
            return Ok(());
        };
        self.check(uri.as_str())?;
        self.review(&document)
    }

    fn closed(&mut self, closed: DidCloseTextDocumentParams) -> io::Result<()> {
        let uri = closed.text_document.uri;
        self.documents.remove(uri.as_str());
        self.forget_message(uri.as_str());
        // Its findings would be shown at a document that is closed.
        self.jobs.cancel(&JobKey::Check(uri.to_string()));
        match self.shown.close(uri.as_str()) {
            Some(left) => self.publish(&left),
            None => Ok(()),
        }
    }

    fn folders(&mut self, changed: DidChangeWorkspaceFoldersParams) -> io::Result<()> {
        self.workspace
            .change(&changed.event.added, &changed.event.removed);
        Ok(())
    }

    fn cancelled(&mut self, cancelled: CancelParams) -> io::Result<()> {
        let id = match cancelled.id {
            NumberOrString::Number(id) => id.into(),
            NumberOrString::String(id) => id.into(),
        };
        self.cancel(id)
    }

    fn put(
        &mut self,
        uri: Uri,
        version: Option<i32>,
        text: String,
        is_text: bool,
    ) -> io::Result<()> {
        let document = self
            .workspace
            .place(uri.as_str())
            .map(|place| OpenDocument {
                uri: uri.clone(),
                version,
                text: Arc::from(text),
                is_text,
                place,
            });
        match document.and_then(|document| self.documents.put(document)) {
            Ok(()) => Ok(()),
            Err(why) => {
                // What is known of it is older than what the editor shows now.
                self.documents.remove(uri.as_str());
                self.refuse(&uri, is_text, &why)
            }
        }
    }

    /// Reports that a document is not checked. For code, which is checked on demand only, the log
    /// is enough.
    fn refuse(&mut self, uri: &Uri, is_text: bool, why: &str) -> io::Result<()> {
        let message = format!("cannot check `{}`: {why}", uri.as_str());
        match is_text {
            true => self.show(uri.as_str(), &message),
            false => self.log(&message),
        }
    }

    /// Starts the check of a document, instead of one that runs.
    pub(super) fn check(&mut self, uri: &str) -> io::Result<()> {
        if let Some(document) = self.documents.get(uri).filter(|document| document.is_text) {
            let (call, document) = (checked::call(document), document.clone());
            let task = Task::Check { document };
            self.jobs
                .call(JobKey::Check(uri.to_owned()), vec![call], task);
        }
        Ok(())
    }

    /// Starts the review of the checkout of a document, instead of one that runs.
    fn review(&mut self, document: &OpenDocument) -> io::Result<()> {
        if !cfg!(feature = "review") {
            return self.log("no review: this program was built without reviews");
        }
        let Some((top, call)) = reviewed::call(&document.place) else {
            return self.log("no review: the document is in no git repository");
        };
        let task = Task::Review {
            top: top.clone(),
            uri: document.uri.clone(),
        };
        self.jobs.call(JobKey::Review(top), vec![call], task);
        Ok(())
    }
}
