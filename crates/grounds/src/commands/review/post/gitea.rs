//! Gitea and Forgejo: comments at lines belong to reviews. Most versions have no request
//! that resolves one, so that a comment whose finding is gone says so in its text.

use grounds_review::posting::{self, Existing, PostStep, Thread};
use serde_json::{Value, json};

use super::wire::{self, Wire};
use super::{Forge, Surroundings};

/// A pull request.
pub(super) struct Gitea {
    wire: Wire,
    at: String,
    number: String,
}

impl Gitea {
    pub(super) fn of(surroundings: &Surroundings<'_>) -> Result<Self, String> {
        // The runners of Gitea and Forgejo set the variables of GitHub Actions as well.
        let token = Surroundings::variable(&["GITEA_TOKEN", "FORGEJO_TOKEN", "GITHUB_TOKEN"])?;
        let base = Surroundings::variable(&["GITEA_API_URL", "FORGEJO_API_URL", "GITHUB_API_URL"])?;
        let repository = Surroundings::variable(&["GITHUB_REPOSITORY"])?;
        Ok(Self {
            wire: Wire::to(&base, "authorization", "token ", token)?,
            at: format!("/repos/{repository}"),
            number: surroundings.number(&["GITHUB_REF"])?,
        })
    }
}

impl Forge for Gitea {
    fn place(&self) -> String {
        format!("gitea {}#{}", self.at, self.number)
    }

    fn existing(&self) -> Result<Existing, String> {
        let (at, number) = (&self.at, &self.number);
        // The list of comments about a pull request knows no pages there.
        let about = self
            .wire
            .call("GET", &format!("{at}/issues/{number}/comments"), None)?;
        let summary = wire::entries(&about)?
            .iter()
            .map(|one| (wire::name(&one["id"]), wire::text(one, "body")))
            .find(|(_, body)| posting::is_summary(body));
        let mut threads = Vec::new();
        for review in self
            .wire
            .list(&format!("{at}/pulls/{number}/reviews"), "limit")?
        {
            let id = wire::name(&review["id"]);
            let path = format!("{at}/pulls/{number}/reviews/{id}/comments");
            let comments = self.wire.call("GET", &path, None)?;
            let comments = wire::entries(&comments)?.iter();
            let thread = |one: &Value| Thread {
                id: wire::name(&one["id"]),
                body: wire::text(one, "body"),
                is_resolved: one["resolver"].is_object(),
            };
            let ours = comments
                .map(thread)
                .filter(|thread| posting::is_of_finding(&thread.body));
            threads.extend(ours);
        }
        Ok(Existing { summary, threads })
    }

    /// Most versions cannot resolve a comment: its text says whether the finding is gone.
    fn can(&self, step: &PostStep) -> bool {
        !matches!(step, PostStep::Resolve { .. } | PostStep::Reopen { .. })
    }

    fn take(&self, step: &PostStep, commit: &str) -> Result<(), String> {
        let (at, number) = (&self.at, &self.number);
        let (method, path, body) = match step {
            // A pull request is an issue too, and the comment on the whole change is one on that
            // issue.
            PostStep::Summarise { id: None, body } => (
                "POST",
                format!("{at}/issues/{number}/comments"),
                json!({"body": body}),
            ),
            PostStep::Summarise { id: Some(id), body } | PostStep::Edit { id, body } => (
                "PATCH",
                format!("{at}/issues/comments/{id}"),
                json!({"body": body}),
            ),
            // There is no request for a single comment on a line, so each one is a review with one
            // comment.
            PostStep::Open {
                path, line, body, ..
            } => (
                "POST",
                format!("{at}/pulls/{number}/reviews"),
                json!({"event": "COMMENT", "commit_id": commit,
                    "comments": [{"path": path, "new_position": line, "body": body}]}),
            ),
            // `can` refuses these.
            PostStep::Resolve { .. } | PostStep::Reopen { .. } => return Ok(()),
        };
        self.wire.call(method, &path, Some(&body)).map(drop)
    }
}
