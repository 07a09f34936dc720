//! GitHub: comments by REST; only its GraphQL knows whether a thread is resolved.

use std::collections::BTreeMap;

use grounds_review::posting::{self, Existing, PostStep, Thread};
use serde_json::{Value, json};

use super::wire::{self, Wire};
use super::{Forge, PAGE, PAGES_MAX, Surroundings};

const THREADS: &str = "query($owner:String!,$name:String!,$number:Int!,$size:Int!,$after:String){repository(owner:$owner,name:$name){pullRequest(number:$number){reviewThreads(first:$size,after:$after){pageInfo{hasNextPage endCursor}nodes{id isResolved comments(first:1){nodes{databaseId}}}}}}}";
const RESOLVE: &str = "mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{id}}}";
const UNRESOLVE: &str =
    "mutation($id:ID!){unresolveReviewThread(input:{threadId:$id}){thread{id}}}";

/// A pull request.
pub(super) struct GitHub {
    wire: Wire,
    /// The address of GraphQL: below the same address, or beside it on a server of GitHub
    /// Enterprise.
    graphql: Wire,
    repository: String,
    number: String,
}

/// The threads of a pull request by the first comment of each: name, and whether it is resolved.
type Threads = BTreeMap<String, (String, bool)>;

impl GitHub {
    pub(super) fn of(surroundings: &Surroundings<'_>) -> Result<Self, String> {
        let token = Surroundings::variable(&["GITHUB_TOKEN", "GH_TOKEN"])?;
        let base = Surroundings::variable(&["GITHUB_API_URL"])
            .unwrap_or_else(|_| "https://api.github.com".to_owned());
        // GitHub Enterprise has it beside the API and not below: its runner names it in this
        // variable.
        let graphql = Surroundings::variable(&["GITHUB_GRAPHQL_URL"])
            .unwrap_or_else(|_| format!("{base}/graphql"));
        Ok(Self {
            wire: Wire::to(&base, "authorization", "Bearer ", token.clone())?,
            graphql: Wire::to(&graphql, "authorization", "Bearer ", token)?,
            repository: Surroundings::variable(&["GITHUB_REPOSITORY"])?,
            number: surroundings.number(&["GITHUB_REF"])?,
        })
    }

    fn at(&self, rest: &str) -> String {
        format!("/repos/{}{rest}", self.repository)
    }

    fn ask(&self, query: &str, variables: &Value) -> Result<Value, String> {
        let body = json!({"query": query, "variables": variables});
        let answer = self.graphql.call("POST", "", Some(&body))?;
        // GraphQL answers errors with status 200.
        match answer.get("errors") {
            Some(errors) => Err(format!("GraphQL: {errors}")),
            None => Ok(answer),
        }
    }

    fn threads(&self) -> Result<Threads, String> {
        let (owner, name) = self
            .repository
            .split_once('/')
            .ok_or_else(|| format!("`{}` is not OWNER/NAME", self.repository))?;
        let number: u64 = self.number.parse().unwrap_or_default();
        let (mut threads, mut after) = (Threads::new(), Value::Null);
        for _ in 0..PAGES_MAX {
            let variables = json!({"owner": owner, "name": name, "number": number, "size": PAGE, "after": after});
            let answer = self.ask(THREADS, &variables)?;
            let found = answer
                .pointer("/data/repository/pullRequest/reviewThreads")
                .ok_or("GraphQL: the answer has no threads")?;
            for node in found["nodes"].as_array().into_iter().flatten() {
                // REST names comments and no threads, so that a thread is found by its first
                // comment.
                let first = node.pointer("/comments/nodes/0/databaseId");
                if let Some(first) = first {
                    let resolved = node["isResolved"] == Value::Bool(true);
                    threads.insert(wire::name(first), (wire::text(node, "id"), resolved));
                }
            }
            if found["pageInfo"]["hasNextPage"] != Value::Bool(true) {
                return Ok(threads);
            }
            after = found["pageInfo"]["endCursor"].clone();
        }
        // A thread that is not read would count as open, and a finding that a person dismissed
        // would be taken up again.
        Err(format!("GraphQL: more than {PAGES_MAX} pages of threads"))
    }

    fn thread(&self, comment: &str) -> Result<Value, String> {
        let threads = self.threads()?;
        let (id, _) = threads
            .get(comment)
            .ok_or_else(|| format!("comment {comment} has no thread"))?;
        Ok(json!({"id": id}))
    }
}

impl Forge for GitHub {
    fn place(&self) -> String {
        format!("github {}#{}", self.repository, self.number)
    }

    fn existing(&self) -> Result<Existing, String> {
        let threads = self.threads()?;
        let number = &self.number;
        let about = self
            .wire
            .list(&self.at(&format!("/issues/{number}/comments")), "per_page")?;
        let summary = about
            .iter()
            .map(|one| (wire::name(&one["id"]), wire::text(one, "body")))
            .find(|(_, body)| posting::is_summary(body));
        let lines = self
            .wire
            .list(&self.at(&format!("/pulls/{number}/comments")), "per_page")?;
        let thread = |one: &Value| {
            let (id, body) = (wire::name(&one["id"]), wire::text(one, "body"));
            let is_resolved = threads.get(&id).is_some_and(|(_, resolved)| *resolved);
            Thread {
                id,
                body,
                is_resolved,
            }
        };
        Ok(Existing {
            summary,
            threads: lines
                .iter()
                .map(thread)
                // The list has the comments of people too; only ours have the mark of a finding.
                .filter(|thread| posting::is_of_finding(&thread.body))
                .collect(),
        })
    }

    fn take(&self, step: &PostStep, commit: &str) -> Result<(), String> {
        let number = &self.number;
        let (method, path, body) = match step {
            PostStep::Summarise { id: None, body } => (
                "POST",
                self.at(&format!("/issues/{number}/comments")),
                json!({"body": body}),
            ),
            PostStep::Summarise { id: Some(id), body } => (
                "PATCH",
                self.at(&format!("/issues/comments/{id}")),
                json!({"body": body}),
            ),
            PostStep::Open {
                path, line, body, ..
            } => (
                "POST",
                self.at(&format!("/pulls/{number}/comments")),
                // `RIGHT` is the new side of the diff.
                json!({"body": body, "commit_id": commit, "path": path, "line": line, "side": "RIGHT"}),
            ),
            PostStep::Edit { id, body } => (
                "PATCH",
                self.at(&format!("/pulls/comments/{id}")),
                json!({"body": body}),
            ),
            PostStep::Resolve { id } => return self.ask(RESOLVE, &self.thread(id)?).map(drop),
            PostStep::Reopen { id } => return self.ask(UNRESOLVE, &self.thread(id)?).map(drop),
        };
        self.wire.call(method, &path, Some(&body)).map(drop)
    }
}
