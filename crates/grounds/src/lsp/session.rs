//! A session with an editor, from the first message to the last.

use std::collections::HashMap;
use std::io::{self, BufReader, Stdout};
use std::sync::mpsc::{Receiver, Sender, channel};

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::{MessageType, PublishDiagnosticsParams};
use serde_json::{Value, json};

use super::LspSettings;
use super::diagnostics::ShownFindings;
use super::documents::Documents;
use super::done::Task;
use super::jobs::{FinishedJob, LspJobs};
use super::wire::{self, Received, Refusal};
use super::workspace::Workspace;
use crate::config::LspBounds;
use crate::safe;

/// The end of a session.
#[derive(Debug, PartialEq, Eq)]
pub enum LspEnd {
    /// The editor has ended it, or a signal.
    Ended,
    /// It broke.
    Broken(String),
}

/// An event that a session reacts to.
#[derive(Debug)]
pub(super) enum SessionEvent {
    /// The editor sent something.
    Received(Received),
    /// A job has ended.
    Done(FinishedJob),
    /// The process is to end.
    Signal,
}

/// The phase of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before `initialize`.
    New,
    Running,
    /// After `shutdown`.
    ShutDown,
}

/// One session.
pub(super) struct Session {
    pub(super) phase: Phase,
    pub(super) bounds: LspBounds,
    pub(super) workspace: Workspace,
    pub(super) documents: Documents,
    pub(super) shown: ShownFindings,
    pub(super) jobs: LspJobs<Task>,
    /// The last message that was shown for each document, so that none is shown twice in a row.
    messages: HashMap<String, String>,
    out: Stdout,
}

/// Serves one editor over standard input and output, until it goes away.
///
/// # Errors
/// If a thread cannot be started, or the editor no longer reads.
pub fn stdio(settings: LspSettings) -> io::Result<LspEnd> {
    let (events, received) = channel();
    let (turn, turns) = channel();
    let (sender, bytes_max) = (events.clone(), settings.bounds.message_bytes_max);
    // This thread may wait for standard input forever, so nobody waits for it.
    std::thread::Builder::new().spawn(move || read(&sender, &turns, bytes_max))?;
    let jobs = LspJobs::start(&settings, events)?;
    let mut session = Session {
        phase: Phase::New,
        bounds: settings.bounds,
        workspace: Workspace::new(settings.roots),
        documents: Documents::new(settings.bounds),
        shown: ShownFindings::default(),
        jobs,
        messages: HashMap::new(),
        out: io::stdout(),
    };
    while let Ok(event) = received.recv() {
        let is_received = matches!(event, SessionEvent::Received(_));
        if let Some(served) = session.on(event)? {
            return Ok(served);
        }
        if is_received {
            // After its last message the reader is gone, and takes no more turns.
            let _ = turn.send(());
        }
    }
    Ok(LspEnd::Broken("nothing more can come".to_owned()))
}

/// Reads messages, each after the one before it was handled: what waits stays in the pipe and not
/// in memory.
fn read(events: &Sender<SessionEvent>, turns: &Receiver<()>, bytes_max: usize) {
    let mut reader = BufReader::new(io::stdin());
    loop {
        let received = wire::receive(&mut reader, bytes_max);
        let is_last = matches!(received, Received::Broken(_) | Received::End);
        if events.send(SessionEvent::Received(received)).is_err()
            || is_last
            || turns.recv().is_err()
        {
            return;
        }
    }
}

impl Session {
    fn on(&mut self, event: SessionEvent) -> io::Result<Option<LspEnd>> {
        match event {
            SessionEvent::Received(Received::Message(message)) => return self.message(message),
            SessionEvent::Received(Received::Refused(refusal)) => self.refused(&refusal)?,
            SessionEvent::Received(Received::Broken(why)) => {
                // By JSON-RPC null is the name of a request that could not be read.
                let refusal = Refusal {
                    id: Value::Null,
                    code: ErrorCode::ParseError,
                    why: why.clone(),
                    is_lost: true,
                };
                wire::refuse(&mut self.out, &refusal)?;
                return Ok(Some(LspEnd::Broken(why)));
            }
            SessionEvent::Received(Received::End) => {
                return Ok(Some(self.end("the editor went away without `shutdown`")));
            }
            SessionEvent::Done(done) => self.done(done)?,
            SessionEvent::Signal => return Ok(Some(LspEnd::Ended)),
        }
        Ok(None)
    }

    fn message(&mut self, message: Message) -> io::Result<Option<LspEnd>> {
        match message {
            Message::Request(request) => self.ask(request)?,
            Message::Notification(told) if told.method == "exit" => {
                return Ok(Some(self.end("the editor sent `exit` without `shutdown`")));
            }
            Message::Notification(told) if self.phase == Phase::Running => self.told(told)?,
            // Nothing is asked of the editor, so no response means anything.
            Message::Notification(_) | Message::Response(_) => {}
        }
        Ok(None)
    }

    fn end(&self, why: &str) -> LspEnd {
        match self.phase {
            Phase::ShutDown => LspEnd::Ended,
            Phase::New | Phase::Running => LspEnd::Broken(why.to_owned()),
        }
    }

    fn ask(&mut self, request: Request) -> io::Result<()> {
        let refused = match (self.phase, request.method.as_str()) {
            (Phase::New, "initialize") | (Phase::Running, _) => return self.request(request),
            (Phase::New, _) => (ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Phase::ShutDown, _) => (ErrorCode::InvalidRequest, "the session was shut down"),
        };
        let (code, why) = refused;
        self.respond(Response::new_err(request.id, code as i32, why.to_owned()))
    }

    /// Answers a message that was refused. One that was skipped may have changed a document, so
    /// that the known texts may be old.
    fn refused(&mut self, refusal: &Refusal) -> io::Result<()> {
        wire::refuse(&mut self.out, refusal)?;
        if refusal.is_lost && self.phase == Phase::Running {
            self.documents.forget();
            let why = format!(
                "{}; change or reopen the documents to have them checked",
                refusal.why
            );
            self.show("", &why)?;
        }
        Ok(())
    }

    pub(super) fn respond(&mut self, response: Response) -> io::Result<()> {
        wire::send(&mut self.out, &Message::Response(response))
    }

    pub(super) fn publish(&mut self, found: &PublishDiagnosticsParams) -> io::Result<()> {
        self.tell(
            "textDocument/publishDiagnostics",
            serde_json::to_value(found)?,
        )
    }

    /// Shows a message about a document to the person; the same one only once in a row.
    pub(super) fn show(&mut self, uri: &str, text: &str) -> io::Result<()> {
        let last = self.messages.insert(uri.to_owned(), text.to_owned());
        if last.as_deref() == Some(text) {
            return Ok(());
        }
        let text = format!("grounds: {}", safe::for_terminal(text));
        let message = json!({"type": MessageType::WARNING, "message": text});
        self.tell("window/showMessage", message)
    }

    /// Forgets what was shown about a document: the next failure is news again.
    pub(super) fn forget_message(&mut self, uri: &str) {
        self.messages.remove(uri);
    }

    /// Writes a line into the log of the editor.
    pub(super) fn log(&mut self, text: &str) -> io::Result<()> {
        let message = json!({"type": MessageType::INFO, "message": safe::for_line(text)});
        self.tell("window/logMessage", message)
    }

    fn tell(&mut self, method: &str, params: Value) -> io::Result<()> {
        let message = Notification {
            method: method.to_owned(),
            params,
        };
        wire::send(&mut self.out, &Message::Notification(message))
    }
}
