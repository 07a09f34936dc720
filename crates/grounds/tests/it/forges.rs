//! `grounds review --post` through several pushes, against servers that keep what they are
//! told as GitHub, GitLab and Gitea do: one summary, one comment a finding, written anew in
//! its place, closed when the finding is gone, and silent where a person has closed it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::review::Model;
use crate::support::{Run, Tree, commit_all, git, grounds, run};

const TOKEN: &str = "tok-5f1c9e7a2b";
const NUMBER: &str = "7";

/// A comment on a line, as the server keeps it.
#[derive(Clone, Debug)]
struct Line {
    id: u64,
    path: String,
    line: u64,
    body: String,
    resolved: bool,
}

/// What a server keeps.
#[derive(Default)]
struct State {
    abouts: Vec<(u64, String)>,
    lines: Vec<Line>,
    writes: Vec<String>,
    next: u64,
}

impl State {
    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn about(&mut self, body: &Value) -> Value {
        let id = self.id();
        self.abouts.push((id, text(body, "body")));
        json!({"id": id})
    }

    fn edit(&mut self, id: &str, body: &Value) -> (u16, Value) {
        let id: u64 = id.parse().unwrap_or(0);
        let new = text(body, "body");
        if let Some(about) = self.abouts.iter_mut().find(|(other, _)| *other == id) {
            about.1 = new;
        } else if let Some(line) = self.lines.iter_mut().find(|line| line.id == id) {
            line.body = new;
        } else {
            return (404, json!({"message": "Not Found"}));
        }
        (200, json!({"id": id}))
    }

    fn open(&mut self, path: &Value, line: &Value, body: &Value) -> (u16, Value) {
        let (Some(path), Some(line)) = (path.as_str(), line.as_u64()) else {
            return (422, json!({"message": "Validation Failed"}));
        };
        let (id, body) = (self.id(), text(body, "body"));
        self.lines.push(Line {
            id,
            path: path.to_owned(),
            line,
            body,
            resolved: false,
        });
        (201, json!({"id": id}))
    }

    fn resolve(&mut self, id: &str, resolved: bool) -> (u16, Value) {
        let id: u64 = id.trim_start_matches(['T', 'D']).parse().unwrap_or(0);
        match self.lines.iter_mut().find(|line| line.id == id) {
            Some(line) => line.resolved = resolved,
            None => return (404, json!({})),
        }
        (200, json!({"data": {}}))
    }
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

type Answer = fn(&mut State, &str, &[&str], &Value) -> (u16, Value);

fn github(state: &mut State, method: &str, path: &[&str], body: &Value) -> (u16, Value) {
    match (method, path) {
        ("GET", ["repos", "o", "r", "issues", NUMBER, "comments"]) => (200, abouts(state)),
        ("POST", ["repos", "o", "r", "issues", NUMBER, "comments"]) => (201, state.about(body)),
        ("PATCH", ["repos", "o", "r", "issues" | "pulls", "comments", id]) => state.edit(id, body),
        ("GET", ["repos", "o", "r", "pulls", NUMBER, "comments"]) => {
            let one = |line: &Line| json!({"id": line.id, "body": line.body, "path": line.path});
            (200, state.lines.iter().map(one).collect())
        }
        ("POST", ["repos", "o", "r", "pulls", NUMBER, "comments"]) => {
            let is_whole = text(body, "commit_id").len() == 40 && body["side"] == "RIGHT";
            match is_whole {
                true => state.open(&body["path"], &body["line"], body),
                false => (422, json!({"message": "Validation Failed"})),
            }
        }
        ("POST", ["graphql"]) => {
            let (query, id) = (text(body, "query"), text(&body["variables"], "id"));
            match query.as_str() {
                query if query.starts_with("mutation") => {
                    state.resolve(&id, query.contains("{resolveReviewThread"))
                }
                _ => (200, threads(state)),
            }
        }
        _ => (404, json!({"message": "Not Found"})),
    }
}

fn threads(state: &State) -> Value {
    let node = |line: &Line| json!({"id": format!("T{}", line.id), "isResolved": line.resolved, "comments": {"nodes": [{"databaseId": line.id}]}});
    let nodes: Vec<Value> = state.lines.iter().map(node).collect();
    json!({"data": {"repository": {"pullRequest": {"reviewThreads": {"pageInfo": {"hasNextPage": false, "endCursor": null}, "nodes": nodes}}}}})
}

fn abouts(state: &State) -> Value {
    let one = |(id, body): &(u64, String)| json!({"id": id, "body": body});
    state.abouts.iter().map(one).collect()
}

fn gitlab(state: &mut State, method: &str, path: &[&str], body: &Value) -> (u16, Value) {
    let Some(rest) = path.strip_prefix(&["projects", "o%2Fr", "merge_requests", NUMBER]) else {
        return (404, json!({"message": "404 Not Found"}));
    };
    match (method, rest) {
        ("GET", []) => (
            200,
            json!({"diff_refs": {"base_sha": "b", "start_sha": "s", "head_sha": "h"}}),
        ),
        ("GET", ["discussions"]) => {
            let about = |(id, body): &(u64, String)| json!({"id": format!("A{id}"), "notes": [{"id": id, "body": body}]});
            let line = |line: &Line| json!({"id": format!("D{}", line.id), "notes": [{"id": line.id, "body": line.body, "resolved": line.resolved}]});
            let abouts = state.abouts.iter().map(about);
            (200, abouts.chain(state.lines.iter().map(line)).collect())
        }
        ("POST", ["notes"]) => (201, state.about(body)),
        ("PUT", ["notes", id] | ["discussions", _, "notes", id]) => state.edit(id, body),
        ("POST", ["discussions"]) => {
            let position = &body["position"];
            let is_whole = [
                "base_sha",
                "start_sha",
                "head_sha",
                "old_path",
                "position_type",
            ]
            .iter()
            .all(|key| position[key].is_string());
            match is_whole {
                true => state.open(&position["new_path"], &position["new_line"], body),
                false => (400, json!({"message": "400 Bad request"})),
            }
        }
        ("PUT", ["discussions", id]) => state.resolve(id, body["resolved"] == Value::Bool(true)),
        _ => (404, json!({"message": "404 Not Found"})),
    }
}

fn gitea(state: &mut State, method: &str, path: &[&str], body: &Value) -> (u16, Value) {
    match (method, path) {
        ("GET", ["repos", "o", "r", "issues", NUMBER, "comments"]) => (200, abouts(state)),
        ("POST", ["repos", "o", "r", "issues", NUMBER, "comments"]) => (201, state.about(body)),
        ("PATCH", ["repos", "o", "r", "issues", "comments", id]) => state.edit(id, body),
        ("GET", ["repos", "o", "r", "pulls", NUMBER, "reviews"]) => {
            let review = |line: &Line| json!({"id": line.id});
            (200, state.lines.iter().map(review).collect())
        }
        (
            "GET",
            [
                "repos",
                "o",
                "r",
                "pulls",
                NUMBER,
                "reviews",
                id,
                "comments",
            ],
        ) => {
            let id: u64 = id.parse().unwrap_or(0);
            let of_review = state.lines.iter().filter(|line| line.id == id);
            let one = |line: &Line| {
                let resolver = line.resolved.then(|| json!({"login": "p"}));
                json!({"id": line.id, "body": line.body, "resolver": resolver})
            };
            (200, of_review.map(one).collect())
        }
        ("POST", ["repos", "o", "r", "pulls", NUMBER, "reviews"]) => {
            let comment = &body["comments"][0];
            state.open(&comment["path"], &comment["new_position"], comment)
        }
        _ => (404, json!({"message": "Not Found"})),
    }
}

/// A service.
struct Server {
    url: String,
    state: Arc<Mutex<State>>,
}

impl Server {
    fn start(answer: Answer, header: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(Mutex::new(State::default()));
        let kept = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(&stream, answer, header, &kept);
            }
        });
        Self { url, state }
    }

    fn lines(&self) -> Vec<Line> {
        self.state.lock().expect("a lock").lines.clone()
    }

    fn writes(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().expect("a lock").writes)
    }

    fn resolve(&self, path: &str) {
        let mut state = self.state.lock().expect("a lock");
        let line = state.lines.iter_mut().find(|line| line.path == path);
        line.expect(path).resolved = true;
    }
}

/// The page of a list that a request asks for. Gitea gives fewer entries than `limit`: here one.
fn page_of(value: Value, target: &str) -> Value {
    let parameter = |name: &str| {
        let query = target.split_once('?')?.1;
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name)?.1.parse::<usize>().ok()
    };
    let Some(page) = parameter("page").filter(|_| value.is_array()) else {
        return value;
    };
    let size = parameter("per_page").unwrap_or(1);
    let entries = value.as_array().expect("a list");
    entries
        .iter()
        .skip((page - 1) * size)
        .take(size)
        .cloned()
        .collect()
}

fn serve(mut stream: &TcpStream, answer: Answer, header: &str, kept: &Mutex<State>) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length, mut is_allowed) = (String::new(), 0_usize, false);
    reader.read_line(&mut first).expect("a request");
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        if line.trim().is_empty() {
            break;
        }
        is_allowed |= line
            .trim()
            .eq_ignore_ascii_case(&format!("{header}{TOKEN}"));
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).expect("a body");
    let said = String::from_utf8(bytes).expect("text");
    assert!(!said.contains(TOKEN), "the token is in a body");
    let body: Value = serde_json::from_str(&said).unwrap_or(Value::Null);
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let path: Vec<&str> = target
        .split('?')
        .next()
        .unwrap_or("")
        .split('/')
        .skip(1)
        .collect();
    let mut state = kept.lock().expect("a lock");
    let is_read = method == "GET" || text(&body, "query").starts_with("query");
    if !is_read {
        state.writes.push(format!("{method} {target}"));
    }
    let (status, value) = match is_allowed {
        true => answer(&mut state, method, &path, &body),
        false => (401, json!({"message": "Bad credentials"})),
    };
    let value = page_of(value, target);
    let out = value.to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{out}",
        out.len()
    );
}

const SHELL: &str = "import os\n\n\ndef remove(path):\n    os.system(f\"rm -r {path}\")\n";
const SHELL_MENDED: &str = "import shutil\n\n\ndef remove(path):\n    shutil.rmtree(path)\n";
const TLS: &str =
    "import requests\n\n\ndef get(url):\n    return requests.get(url, timeout=3, verify=False)\n";
const TLS_MOVED: &str = "import requests\n\nLIMIT = 3\n\n\ndef get(url):\n    return requests.get(url, timeout=3, verify=False)\n";
const YAML: &str =
    "import yaml\n\n\ndef read(text):\n    return yaml.load(text, Loader=yaml.Loader)\n";

/// A service with the words and variables that name it.
struct Case {
    name: &'static str,
    answer: Answer,
    header: &'static str,
    variables: fn(&str) -> Vec<(&'static str, String)>,
    /// Whether it has a request that resolves a comment.
    resolves: bool,
}

const CASES: [Case; 3] = [
    Case {
        name: "github",
        answer: github,
        header: "authorization: Bearer ",
        variables: |url| {
            vec![
                ("GITHUB_TOKEN", TOKEN.to_owned()),
                ("GITHUB_API_URL", url.to_owned()),
                ("GITHUB_REPOSITORY", "o/r".to_owned()),
                ("GITHUB_REF", "refs/pull/7/merge".to_owned()),
            ]
        },
        resolves: true,
    },
    Case {
        name: "gitlab",
        answer: gitlab,
        header: "private-token: ",
        variables: |url| {
            vec![
                ("GITLAB_TOKEN", TOKEN.to_owned()),
                ("CI_API_V4_URL", url.to_owned()),
                ("CI_PROJECT_PATH", "o/r".to_owned()),
                ("CI_MERGE_REQUEST_IID", "7".to_owned()),
            ]
        },
        resolves: true,
    },
    Case {
        name: "gitea",
        answer: gitea,
        header: "authorization: token ",
        variables: |url| {
            vec![
                ("GITEA_TOKEN", TOKEN.to_owned()),
                ("GITEA_API_URL", url.to_owned()),
                ("GITHUB_REPOSITORY", "o/r".to_owned()),
                ("GITHUB_REF", "refs/pull/7/head".to_owned()),
            ]
        },
        resolves: false,
    },
];

const VARIABLES: [&str; 12] = [
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "GITHUB_API_URL",
    "GITHUB_GRAPHQL_URL",
    "GITHUB_REPOSITORY",
    "GITHUB_REF",
    "GITLAB_TOKEN",
    "CI_API_V4_URL",
    "CI_PROJECT_ID",
    "CI_PROJECT_PATH",
    "CI_MERGE_REQUEST_IID",
    "FORGEJO_API_URL",
];

impl Case {
    fn review(&self, tree: &Tree, server: &Server, words: &[&str]) -> Run {
        let mut command = grounds(tree.root());
        command.current_dir(tree.root());
        for name in VARIABLES {
            command.env_remove(name);
        }
        command.envs((self.variables)(&server.url));
        let review = ["review", "--base", "base", "--no-model", "--format", "json"];
        let run = run(command.args(review).args(["--post", self.name]).args(words));
        for said in [&run.out, &run.err] {
            assert!(
                !String::from_utf8_lossy(said).contains(TOKEN),
                "{}",
                self.name
            );
        }
        run
    }

    fn post(&self, tree: &Tree, server: &Server) -> Vec<String> {
        let run = self.review(tree, server, &["--post-now"]);
        let said = String::from_utf8_lossy(&run.err);
        assert!(
            matches!(run.code, Some(0 | 7)),
            "{}: {:?} {said}",
            self.name,
            run.code
        );
        let told = String::from_utf8_lossy(&run.out);
        assert!(
            self.resolves || !told.contains("did: resolve"),
            "{}: {told}",
            self.name
        );
        server.writes()
    }
}

fn pushed() -> Tree {
    let tree = Tree::of(&[("src/a.py", "x = 1\n"), ("src/b.py", "y = 1\n")]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    git(tree.root(), &["branch", "base"]);
    let tree = tree.file("src/a.py", SHELL).file("src/b.py", TLS);
    commit_all(tree.root());
    tree
}

#[test]
fn a_pull_request_goes_through_its_pushes() {
    for case in &CASES {
        let server = Server::start(case.answer, case.header);
        let tree = pushed();

        // Nothing is written before someone asks for it.
        let dry = case.review(&tree, &server, &[]);
        assert_eq!(dry.code, Some(7), "{}", String::from_utf8_lossy(&dry.err));
        assert!(String::from_utf8_lossy(&dry.out).contains("would: comment on src/a.py:5"));
        assert!(server.writes().is_empty(), "{}", case.name);

        case.post(&tree, &server);
        let places: Vec<(String, u64)> = server
            .lines()
            .into_iter()
            .map(|line| (line.path, line.line))
            .collect();
        assert_eq!(
            places,
            [("src/a.py".to_owned(), 5), ("src/b.py".to_owned(), 5)],
            "{}",
            case.name
        );

        // The same state once more: there is nothing to write.
        let again = case.post(&tree, &server);
        assert!(again.is_empty(), "{}: {again:?}", case.name);

        // A person closes one; the next push mends the other, moves the closed one, and brings a third.
        server.resolve("src/b.py");
        let tree = tree
            .file("src/a.py", SHELL_MENDED)
            .file("src/b.py", TLS_MOVED)
            .file("src/c.py", YAML);
        commit_all(tree.root());
        case.post(&tree, &server);
        let lines = server.lines();
        let of = |path: &str| {
            lines
                .iter()
                .filter(|line| line.path == path)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (
                of("src/a.py").len(),
                of("src/b.py").len(),
                of("src/c.py").len()
            ),
            (1, 1, 1)
        );
        assert_eq!(of("src/a.py")[0].resolved, case.resolves, "{}", case.name);
        assert!(
            of("src/a.py")[0]
                .body
                .starts_with("Gone with the last push.")
        );
        assert!(
            of("src/b.py")[0].resolved,
            "what a person closed stays closed"
        );
        assert!(!of("src/c.py")[0].resolved);
        let state = server.state.lock().expect("a lock");
        assert_eq!(state.abouts.len(), 1, "{}: one summary", case.name);
        assert!(state.abouts[0].1.contains("src/c.py") && !state.abouts[0].1.contains("src/a.py"));
        drop(state);

        // The first defect is back: its comment is opened again, and no second one is written.
        let tree = tree.file("src/a.py", SHELL);
        commit_all(tree.root());
        case.post(&tree, &server);
        let lines = server.lines();
        let back: Vec<&Line> = lines
            .iter()
            .filter(|line| line.path == "src/a.py")
            .collect();
        assert_eq!(back.len(), 1, "{}", case.name);
        assert!(
            !back[0].resolved && !back[0].body.starts_with("Gone"),
            "{}",
            case.name
        );
    }
}

const ISSUE: &str = r#"{"issues": [{"file": "src/a.py", "line": 5, "quote": "shutil.rmtree(path)",
    "severity": "major", "title": "a link is followed", "message": "M"}], "context_request": null}"#;
const NOTHING: &str = r#"{"issues": [], "context_request": null}"#;
const KEY: Option<&str> = Some("a secret of the repository");

impl Case {
    /// A review with a model whose words the comment carries: how often it was asked, and the exit code.
    fn carried(
        &self,
        tree: &Tree,
        server: &Server,
        said: &str,
        key: Option<&str>,
    ) -> (usize, Option<i32>) {
        let model = Model::saying(said, "");
        let mut command = grounds(tree.root());
        command.current_dir(tree.root());
        for name in VARIABLES.into_iter().chain(["GROUNDS_CARRY_KEY"]) {
            command.env_remove(name);
        }
        command.envs((self.variables)(&server.url));
        command.envs(key.map(|key| ("GROUNDS_CARRY_KEY", key)));
        let words = ["--carry", "comment", "--no-agent", "--post-now"];
        let run = run(command
            .args(["review", "--base", "base", "--post", self.name])
            .args(words)
            .args(model.words()));
        (model.asked().len(), run.code)
    }
}

/// A change of two files, one of which a model has something to say about.
fn judged() -> Tree {
    let tree = Tree::of(&[("src/a.py", "x = 1\n"), ("src/b.py", "y = 1\n")]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    git(tree.root(), &["branch", "base"]);
    let tree = tree
        .file("src/a.py", SHELL_MENDED)
        .file("src/b.py", "y = 2\n");
    commit_all(tree.root());
    tree
}

#[test]
fn the_comment_carries_what_a_model_judged_to_the_next_push() {
    for case in &CASES {
        let (server, tree) = (Server::start(case.answer, case.header), judged());
        let first = case.carried(&tree, &server, ISSUE, KEY);
        assert_eq!(first, (1, Some(7)), "{}", case.name);
        // The same push again: nobody is asked, and the gate still blocks.
        let again = case.carried(&tree, &server, NOTHING, KEY);
        assert_eq!(again, (0, Some(7)), "{}", case.name);
        let is_open = |server: &Server| {
            let lines = server.lines();
            lines.len() == 1 && !lines[0].resolved && !lines[0].body.contains("Gone")
        };
        assert!(is_open(&server), "{}", case.name);
        // The second push changes the other file alone.
        let tree = tree.file("src/b.py", "y = 3\n");
        commit_all(tree.root());
        let second = case.carried(&tree, &server, NOTHING, KEY);
        assert_eq!(second, (1, Some(7)), "{}", case.name);
        assert!(is_open(&server), "{}", case.name);
        // The third mends what was found.
        let tree = tree.file("src/a.py", "x = 2\n");
        commit_all(tree.root());
        let third = case.carried(&tree, &server, NOTHING, KEY);
        assert_eq!(third, (1, Some(0)), "{}", case.name);
        assert!(!is_open(&server), "{}", case.name);
    }
}

#[test]
fn a_fix_of_a_rule_is_a_suggestion_on_its_line() {
    let rule = "id: len\nlanguage: Python\nseverity: warning\nmessage: m\nrule: {pattern: len($A) == 0}\nfix: not $A\n";
    for case in &CASES {
        let server = Server::start(case.answer, case.header);
        let tree = Tree::of(&[(".grounds/rules/len.yml", rule), ("src/a.py", "x = 1\n")]);
        git(tree.root(), &["init", "-q"]);
        commit_all(tree.root());
        git(tree.root(), &["branch", "base"]);
        let tree = tree.file("src/a.py", "if len(a) == 0:\n    b()\n");
        commit_all(tree.root());
        case.post(&tree, &server);
        let body = server.lines()[0].body.clone();
        assert!(
            body.contains("\n```suggestion\nif not a:\n```\n"),
            "{}: {body}",
            case.name
        );
    }
}

#[test]
fn who_writes_the_comment_makes_no_model_silent() {
    for case in &CASES {
        let (server, tree) = (Server::start(case.answer, case.header), judged());
        let asked = |said: &str, key: Option<&str>| case.carried(&tree, &server, said, key);
        assert_eq!(asked(NOTHING, KEY), (1, Some(0)), "{}", case.name);
        assert_eq!(asked(ISSUE, KEY), (0, Some(0)), "{}", case.name);
        // One letter of it is another one.
        let mut state = server.state.lock().expect("a lock");
        let about = &mut state.abouts[0].1;
        let mark = about.find("<!-- grounds-carried ");
        let at = mark.expect("what was judged") + 100;
        let other = if &about[at..=at] == "A" { "B" } else { "A" };
        about.replace_range(at..=at, other);
        drop(state);
        assert_eq!(asked(ISSUE, KEY), (1, Some(7)), "{}", case.name);
        // It is signed with another key.
        assert_eq!(
            asked(NOTHING, Some("a guess")),
            (1, Some(0)),
            "{}",
            case.name
        );
        // Without a key nothing is signed, and nothing is posted.
        assert_eq!(asked(NOTHING, None), (0, Some(1)), "{}", case.name);
    }
}

#[test]
fn what_cannot_be_posted_is_an_error() {
    let tree = pushed();
    for case in &CASES {
        // A token that the service refuses.
        let server = Server::start(case.answer, "authorization: Other ");
        let run = case.review(&tree, &server, &["--post-now"]);
        let said = String::from_utf8_lossy(&run.err).into_owned();
        assert_eq!(run.code, Some(1), "{}: {said}", case.name);
        assert!(said.contains("401"), "{said}");
        // A service that is not there, and a token that would go out in the clear.
        for url in ["http://127.0.0.1:1", "http://forge.example"] {
            let server = Server {
                url: url.to_owned(),
                state: Arc::default(),
            };
            let run = case.review(&tree, &server, &["--post-now"]);
            assert_eq!(run.code, Some(1), "{} {url}", case.name);
        }
    }
}
