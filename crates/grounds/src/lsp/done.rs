//! Handles the end of a job.

use std::io;
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{CodeLens, Command, Uri};

use super::diagnostics::{CHECK, not_done};
use super::documents::OpenDocument;
use super::failure::report;
use super::jobs::{FinishedJob, JobKey};
use super::lenses::LensSubject;
use super::session::Session;
use super::workspace::DocumentPlace;
use super::{checked, resolved, reviewed};

/// The purpose of a job, with what is needed at its end.
#[derive(Debug)]
pub(super) enum Task {
    /// The check of a document as it was then.
    Check { document: OpenDocument },
    /// The review of a repository, after this document was saved.
    Review { top: PathBuf, uri: Uri },
    /// The functions of a document.
    Lenses,
    /// The text of a lens.
    Resolve {
        lens: CodeLens,
        subject: LensSubject,
        place: DocumentPlace,
    },
}

impl Session {
    pub(super) fn done(&mut self, mut done: FinishedJob) -> io::Result<()> {
        // Another job with the same key has replaced it, or it was cancelled.
        let Some((key, task)) = self.jobs.finish(&done) else {
            return Ok(());
        };
        match (task, key) {
            (Task::Check { document }, _) => self.checked(&document, done),
            (Task::Review { top, uri }, _) => self.reviewed(&top, &uri, done),
            (Task::Lenses, JobKey::Request(id)) => {
                let result = std::mem::replace(&mut done.result, Err(String::new()));
                match result {
                    Ok(lenses) => {
                        if lenses.left_out > 0 {
                            let left_out = lenses.left_out;
                            self.log(&format!(
                                "{left_out} functions have no lens (`lsp.lenses_max`)"
                            ))?;
                        }
                        self.respond(Response::new_ok(id, lenses.lenses))
                    }
                    Err(why) => self.fail(id, why),
                }
            }
            (
                Task::Resolve {
                    lens,
                    subject,
                    place,
                },
                JobKey::Request(id),
            ) => self.resolved(id, lens, &subject, &place, done),
            (Task::Lenses | Task::Resolve { .. }, _) => Ok(()),
        }
    }

    pub(super) fn fail(&mut self, id: RequestId, why: String) -> io::Result<()> {
        self.respond(Response::new_err(id, ErrorCode::RequestFailed as i32, why))
    }

    fn checked(&mut self, document: &OpenDocument, done: FinishedJob) -> io::Result<()> {
        let uri = document.uri.as_str();
        let Some(now) = self.documents.get(uri) else {
            return Ok(());
        };
        // The places would be those of a text that is no longer shown.
        if now.text != document.text {
            return self.check(uri);
        }
        let version = now.version;
        let Some(ended) = done.ended.into_iter().next() else {
            return Ok(());
        };
        let text = &document.text;
        let found = match report::<checked::CheckedReport>(ended, &checked::CODES, &self.bounds) {
            Ok(report) => {
                self.forget_message(uri);
                self.log(&format!("check of {uri}: {}", report.summary()))?;
                report.diagnostics(text, self.bounds.diagnostics_max)
            }
            Err(None) => return Ok(()),
            Err(Some(why)) => {
                self.show(
                    uri,
                    &format!("cannot check `{}`: {why}", document.place.path),
                )?;
                vec![not_done(CHECK, &why, text)]
            }
        };
        let found = self.shown.check(&document.uri, version, found);
        self.publish(&found)
    }

    fn reviewed(&mut self, top: &Path, uri: &Uri, done: FinishedJob) -> io::Result<()> {
        let Some(ended) = done.ended.into_iter().next() else {
            return Ok(());
        };
        let name = format!("review of {}", top.display());
        let failed = match report::<reviewed::ReviewedReport>(ended, &reviewed::CODES, &self.bounds)
        {
            Ok(report) => {
                self.log(&format!("{name}: {}", report.summary()))?;
                let found = report.diagnostics(top, &self.workspace, &self.bounds);
                for found in self.shown.review(top, found) {
                    self.publish(&found)?;
                }
                // A review of which a part failed has findings all the same, so both are shown.
                report.failure()
            }
            Err(None) => return Ok(()),
            Err(Some(why)) => Some(why),
        };
        let Some(why) = failed else {
            self.forget_message(&name);
            return Ok(());
        };
        self.show(&name, &format!("{name}: {why}"))?;
        // A message passes; the notice at the saved document stays until a review succeeds.
        let found = self.shown.review_failed(top, uri, &why);
        self.publish(&found)
    }

    fn resolved(
        &mut self,
        id: RequestId,
        mut lens: CodeLens,
        subject: &LensSubject,
        place: &DocumentPlace,
        done: FinishedJob,
    ) -> io::Result<()> {
        let mut words = Vec::new();
        for (number, ended) in done.ended.into_iter().enumerate() {
            let read = report::<resolved::AskedReport>(ended, &resolved::CODES, &self.bounds);
            words.push(match (read, number) {
                (Ok(report), 0) => report.callers(),
                (Ok(report), _) => report.changed(subject, place),
                // One of the two may fail, as where there is no git; the other is shown all the
                // same.
                (Err(why), _) => {
                    let why = why.unwrap_or_default();
                    self.log(&format!("the lens of `{}`: {why}", subject.name))?;
                    let what = ["callers", "last change"][number.min(1)];
                    format!("{what} not known")
                }
            });
        }
        // A command without a name: editors show the words, and do nothing when they are chosen.
        lens.command = Some(Command::new(words.join(", "), String::new(), None));
        self.respond(Response::new_ok(id, lens))
    }
}
