//! GitLab: notes about a merge request, and discussions at its lines.

use grounds_review::posting::{self, Existing, PostStep, Thread};
use serde_json::{Value, json};

use super::wire::{self, Wire};
use super::{Forge, Surroundings};

/// A merge request.
pub(super) struct GitLab {
    wire: Wire,
    at: String,
}

impl GitLab {
    pub(super) fn of(surroundings: &Surroundings<'_>) -> Result<Self, String> {
        let token = Surroundings::variable(&["GITLAB_TOKEN"])?;
        let base = Surroundings::variable(&["CI_API_V4_URL"])
            .unwrap_or_else(|_| "https://gitlab.com/api/v4".to_owned());
        let project = Surroundings::variable(&["CI_PROJECT_ID", "CI_PROJECT_PATH"])?;
        let number = surroundings.number(&["CI_MERGE_REQUEST_IID"])?;
        Ok(Self {
            wire: Wire::to(&base, "private-token", "", token)?,
            at: format!(
                "/projects/{}/merge_requests/{number}",
                // GitLab takes the path of a project as one part of the address.
                project.replace('/', "%2F")
            ),
        })
    }

    /// Splits a name into the discussion and its first note. They are named together, since each
    /// step needs one or both.
    fn parts(id: &str) -> (&str, &str) {
        id.split_once('/').unwrap_or((id, ""))
    }

    fn resolve(&self, id: &str, resolved: bool) -> Result<(), String> {
        let path = format!("{}/discussions/{}", self.at, Self::parts(id).0);
        let body = json!({"resolved": resolved});
        self.wire.call("PUT", &path, Some(&body)).map(drop)
    }

    /// Returns the position of a comment, with the commits that the request has now.
    fn position(&self, step: &PostStep) -> Result<Value, String> {
        let PostStep::Open {
            path,
            path_old,
            line,
            line_old,
            ..
        } = step
        else {
            return Ok(Value::Null);
        };
        // The position names the commits of the latest version of the merge request, which only
        // GitLab knows.
        let request = self.wire.call("GET", &self.at, None)?;
        let mut position = request["diff_refs"].clone();
        let Some(fields) = position.as_object_mut() else {
            return Err("the merge request has no `diff_refs`".to_owned());
        };
        fields.insert("position_type".to_owned(), json!("text"));
        fields.insert("new_path".to_owned(), json!(path));
        fields.insert("old_path".to_owned(), json!(path_old));
        fields.insert("new_line".to_owned(), json!(line));
        // A line that the change did not add is named at both sides.
        if let Some(line_old) = line_old {
            fields.insert("old_line".to_owned(), json!(line_old));
        }
        Ok(position)
    }
}

impl Forge for GitLab {
    fn place(&self) -> String {
        format!("gitlab {}", self.at)
    }

    fn existing(&self) -> Result<Existing, String> {
        let discussions = self
            .wire
            .list(&format!("{}/discussions", self.at), "per_page")?;
        let mut existing = Existing::default();
        for discussion in &discussions {
            // The first note is the one that was written; those after it are replies.
            let note = &discussion["notes"][0];
            let (body, note_id) = (wire::text(note, "body"), wire::name(&note["id"]));
            if posting::is_summary(&body) && existing.summary.is_none() {
                existing.summary = Some((note_id, body));
            } else if posting::is_of_finding(&body) {
                existing.threads.push(Thread {
                    id: format!("{}/{note_id}", wire::name(&discussion["id"])),
                    is_resolved: note["resolved"] == Value::Bool(true),
                    body,
                });
            }
        }
        Ok(existing)
    }

    fn take(&self, step: &PostStep, _commit: &str) -> Result<(), String> {
        let at = &self.at;
        let (method, path, body) = match step {
            PostStep::Summarise { id: None, body } => {
                ("POST", format!("{at}/notes"), json!({"body": body}))
            }
            PostStep::Summarise { id: Some(id), body } => {
                ("PUT", format!("{at}/notes/{id}"), json!({"body": body}))
            }
            PostStep::Open { body, .. } => (
                "POST",
                format!("{at}/discussions"),
                json!({"body": body, "position": self.position(step)?}),
            ),
            PostStep::Edit { id, body } => {
                let (discussion, note) = Self::parts(id);
                (
                    "PUT",
                    format!("{at}/discussions/{discussion}/notes/{note}"),
                    json!({"body": body}),
                )
            }
            PostStep::Resolve { id } => return self.resolve(id, true),
            PostStep::Reopen { id } => return self.resolve(id, false),
        };
        self.wire.call(method, &path, Some(&body)).map(drop)
    }
}
