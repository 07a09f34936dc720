//! Answers the requests of an editor.

use std::io;

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::{CodeActionParams, CodeLens, CodeLensParams, InitializeParams};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions;
use super::done::Task;
use super::jobs::JobKey;
use super::lenses::LensSubject;
use super::resolved;
use super::session::{Phase, Session};

impl Session {
    /// Answers a request, at once or when a job for it has ended.
    pub(super) fn request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params } = request;
        match method.as_str() {
            "initialize" if self.phase == Phase::New => self.with(id, params, Self::initialize),
            // By the protocol it may be sent once only.
            "initialize" => {
                let why = "the session was initialized already".to_owned();
                self.respond(Response::new_err(id, ErrorCode::InvalidRequest as i32, why))
            }
            // The process goes on until `exit`; what is asked in between is refused (`ask`).
            "shutdown" => {
                self.phase = Phase::ShutDown;
                self.respond(Response::new_ok(id, Value::Null))
            }
            "textDocument/codeLens" => self.with(id, params, Self::lenses),
            "codeLens/resolve" => self.with(id, params, Self::resolve),
            "textDocument/codeAction" => self.with(id, params, Self::actions),
            _ => {
                let why = format!("there is no method `{}`", crate::safe::for_line(&method));
                self.respond(Response::new_err(id, ErrorCode::MethodNotFound as i32, why))
            }
        }
    }

    fn with<T: DeserializeOwned>(
        &mut self,
        id: RequestId,
        params: Value,
        take: fn(&mut Self, RequestId, T) -> io::Result<()>,
    ) -> io::Result<()> {
        match serde_json::from_value(params) {
            Ok(params) => take(self, id, params),
            Err(error) => {
                let why = format!("the parameters cannot be read: {error}");
                self.respond(Response::new_err(id, ErrorCode::InvalidParams as i32, why))
            }
        }
    }

    fn initialize(&mut self, id: RequestId, parameters: InitializeParams) -> io::Result<()> {
        self.phase = Phase::Running;
        self.workspace.begin(&parameters);
        let result = json!({
            "serverInfo": {"name": "grounds", "version": env!("CARGO_PKG_VERSION")},
            "capabilities": {
                // Every editor supports this one.
                "positionEncoding": "utf-16",
                // Whole texts: a lost or misread piece would shift every place after it.
                "textDocumentSync": {"openClose": true, "change": 1, "save": {"includeText": true}},
                "codeLensProvider": {"resolveProvider": true},
                "codeActionProvider": {"codeActionKinds": ["quickfix", actions::FIX_ALL]},
                "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
            },
        });
        self.respond(Response::new_ok(id, result))
    }

    fn lenses(&mut self, id: RequestId, parameters: CodeLensParams) -> io::Result<()> {
        let uri = parameters.text_document.uri;
        if let Some(why) = self.jobs.full() {
            return self.fail(id, why);
        }
        match self.documents.get(uri.as_str()) {
            Some(document) => {
                let document = document.clone();
                self.jobs
                    .lenses(JobKey::Request(id), document, Task::Lenses);
                Ok(())
            }
            None => self.fail(
                id,
                "the document is not open, or may not be checked".to_owned(),
            ),
        }
    }

    fn resolve(&mut self, id: RequestId, lens: CodeLens) -> io::Result<()> {
        if let Some(why) = self.jobs.full() {
            return self.fail(id, why);
        }
        let subject = lens.data.clone().unwrap_or_default();
        let subject: Result<LensSubject, String> = serde_json::from_value(subject)
            .map_err(|error| format!("the lens carries nothing of this server: {error}"));
        let found = subject.and_then(|subject| {
            // The lens comes back from the editor, which may have changed it: its address is
            // checked again.
            let place = self.workspace.place(&subject.uri)?;
            let calls = resolved::calls(&subject, &place)?;
            Ok((subject, place, calls))
        });
        let (subject, place, calls) = match found {
            Ok(found) => found,
            Err(why) => return self.fail(id, why),
        };
        let task = Task::Resolve {
            lens,
            subject,
            place,
        };
        self.jobs.call(JobKey::Request(id), calls, task);
        Ok(())
    }

    fn actions(&mut self, id: RequestId, parameters: CodeActionParams) -> io::Result<()> {
        let uri = parameters.text_document.uri;
        let shown = self.shown.of_check(uri.as_str());
        let document = self.documents.get(uri.as_str());
        let actions = document.map(|document| actions::at(document, &parameters.context, shown));
        self.respond(Response::new_ok(id, actions))
    }

    /// Ends the job for a request. The request gets a response all the same.
    pub(super) fn cancel(&mut self, id: RequestId) -> io::Result<()> {
        // A request without a job has its response already.
        if !self.jobs.cancel(&JobKey::Request(id.clone())) {
            return Ok(());
        }
        let why = "cancelled by the editor".to_owned();
        self.respond(Response::new_err(
            id,
            ErrorCode::RequestCanceled as i32,
            why,
        ))
    }
}
