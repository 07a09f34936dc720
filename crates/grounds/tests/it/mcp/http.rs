//! The server over HTTP: who gets in, and what they get.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{self, Tree};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A server that listens.
struct Server {
    child: Child,
    address: String,
    /// What it said at its start.
    said: Vec<String>,
}

impl Server {
    fn start(tree: &Tree, prepare: impl Fn(&mut Command), lines: usize) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
        command
            .args(["mcp", "--http", "127.0.0.1:0"])
            .current_dir(tree.root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env("XDG_STATE_HOME", tree.path("state"))
            .env_remove("GROUNDS_MODEL");
        prepare(&mut command);
        let mut child = command.spawn().expect("the server starts");
        let mut err = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let said: Vec<String> = err
            .by_ref()
            .take(lines)
            .map(|line| line.expect("a line"))
            .collect();
        let address = said[0]
            .strip_prefix("listening on http://")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .expect("an address")
            .to_owned();
        Self {
            child,
            address,
            said,
        }
    }

    /// The status and the whole answer to a request that closes the connection.
    fn send(&self, head: &[&str], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a time-out");
        let usual = [
            format!("Content-Length: {}", body.len()),
            "Connection: close".to_owned(),
        ];
        let head: Vec<&str> = head
            .iter()
            .copied()
            .chain(usual.iter().map(String::as_str))
            .collect();
        // A server that has said no may close before it has read all.
        let _ = stream.write_all(format!("{}\r\n\r\n{body}", head.join("\r\n")).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer
            .split_whitespace()
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or_default();
        (status, answer)
    }

    fn post(&self, more: &[&str], message: &Value) -> (u16, String) {
        let (host, token) = (
            format!("Host: {}", self.address),
            format!("Authorization: Bearer {TOKEN}"),
        );
        let usual = [
            "POST /mcp HTTP/1.1",
            &host,
            &token,
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
        ];
        self.send(&[&usual, more].concat(), &message.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tree() -> Tree {
    Tree::of(&[("src/a.rs", "fn total_price() -> u8 {\n    1\n}\n")])
}

fn with_token(tree: &Tree) -> Server {
    Server::start(
        tree,
        |command| {
            command.env("GROUNDS_MCP_TOKEN", TOKEN);
        },
        1,
    )
}

fn begin() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
}

/// The one answer in a stream of events.
fn event(answer: &str) -> Value {
    let data = answer
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(str::trim)
        .filter(|data| !data.is_empty());
    data.filter_map(|data| serde_json::from_str(data).ok())
        .next_back()
        .unwrap_or_else(|| panic!("no event in {answer}"))
}

#[test]
fn a_client_with_the_token_is_served() {
    let tree = tree();
    let server = with_token(&tree);
    let (status, begun) = server.post(&[], &begin());
    assert_eq!(status, 200, "{begun}");
    assert_eq!(event(&begun)["result"]["serverInfo"]["name"], "grounds");
    let session = begun
        .lines()
        .find(|line| line.to_ascii_lowercase().starts_with("mcp-session-id:"))
        .expect("a session")
        .to_owned();
    let question = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "where is total_price defined?"}}});
    let (status, answer) = server.post(&[&session, "MCP-Protocol-Version: 2025-06-18"], &question);
    assert_eq!(
        (
            status,
            &event(&answer)["result"]["structuredContent"]["outcome"]
        ),
        (200, &json!("answered")),
        "{answer}"
    );
}

#[test]
fn nobody_else_is_let_in() {
    let tree = tree();
    let server = with_token(&tree);
    let host = format!("Host: {}", server.address);
    let right = format!("Authorization: Bearer {TOKEN}");
    let twice = format!("{right}\r\n{right}");
    let tokens = [
        "",
        "Authorization: Bearer",
        "Authorization: Bearer 0123456789abcdef0123456789abcdee",
        "Authorization: Bearer 0123456789abcdef",
        &format!("Authorization: Basic {TOKEN}"),
        &twice,
    ];
    let body = begin().to_string();
    for token in tokens {
        let head: Vec<&str> = [
            "POST /mcp HTTP/1.1",
            &host,
            "Content-Type: application/json",
            token,
        ]
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect();
        let (status, answer) = server.send(&head, &body);
        assert!(
            status == 401 && !answer.contains("serverInfo"),
            "{token}: {answer}"
        );
    }
    for (host, more) in [
        ("evil.example.org", ""),
        ("evil.example.org:80", ""),
        ("", ""),
        (&*server.address, "Origin: https://evil.example.org"),
        (&*server.address, "Origin: null"),
        (&*server.address, "Origin: http://localhost:3000"),
    ] {
        let host = if host.is_empty() {
            String::new()
        } else {
            format!("Host: {host}")
        };
        let head = [
            "POST /mcp HTTP/1.1",
            &host,
            &right,
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            more,
        ];
        let head: Vec<&str> = head.into_iter().filter(|line| !line.is_empty()).collect();
        let (status, answer) = server.send(&head, &body);
        assert!(
            (status == 403 || status == 400) && !answer.contains("serverInfo"),
            "{host} {more}: {answer}"
        );
    }
}

#[test]
fn bodies_and_heads_are_bounded() {
    let tree = tree().file("own.yaml", "mcp:\n  message_bytes_max: 100000\n");
    let server = Server::start(
        &tree,
        |command| {
            command
                .env("GROUNDS_MCP_TOKEN", TOKEN)
                .args(["--config", "own.yaml"]);
        },
        1,
    );
    let (status, _) = server.post(
        &[],
        &json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "x": "y".repeat(200_000)}),
    );
    assert_eq!(status, 413);
    let (status, _) = server.post(&[&format!("X-Long: {}", "y".repeat(100_000))], &begin());
    assert!((400..500).contains(&status), "{status}");
    assert_eq!(server.post(&[], &begin()).0, 200);
}

#[test]
fn a_token_is_made_and_told_once_where_none_is_given() {
    let tree = tree();
    let server = Server::start(
        &tree,
        |command| {
            command.env_remove("GROUNDS_MCP_TOKEN");
        },
        2,
    );
    let token = server.said[1].strip_prefix("token: ").expect("a token");
    assert!(
        token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{token}"
    );
    let (host, right) = (
        format!("Host: {}", server.address),
        format!("Authorization: Bearer {token}"),
    );
    let head = [
        "POST /mcp HTTP/1.1",
        &host,
        &right,
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
    ];
    assert_eq!(server.send(&head, &begin().to_string()).0, 200);
}

#[cfg(unix)]
#[test]
fn it_listens_on_this_machine_alone_and_with_a_token_that_is_one() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = tree()
        .file("open", TOKEN)
        .file("short", "x")
        .file("weak", "short");
    for name in ["short", "weak"] {
        std::fs::set_permissions(tree.path(name), std::fs::Permissions::from_mode(0o600))
            .expect("rights");
    }
    std::fs::set_permissions(tree.path("open"), std::fs::Permissions::from_mode(0o644))
        .expect("rights");
    let at = |name: &str| tree.path(name).display().to_string();
    for (words, saying) in [
        (vec!["--http", "0.0.0.0:0"], "not a loopback address"),
        (vec!["--http", "[::]:0"], "not a loopback address"),
        (vec!["--http", "192.0.2.1:80"], "not a loopback address"),
        (
            vec!["--http", "127.0.0.1:0", "--token-file", &at("open")],
            "others can read it",
        ),
        (
            vec!["--http", "127.0.0.1:0", "--token-file", &at("short")],
            "fewer than 16",
        ),
        (
            vec!["--http", "127.0.0.1:0", "--token-file", &at("none")],
            "cannot be used",
        ),
        (vec!["--root", "/no/such/folder"], "cannot be used"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
        command
            .arg("mcp")
            .args(&words)
            .current_dir(tree.root())
            .stdin(Stdio::null())
            .env("XDG_CONFIG_HOME", "/nonexistent");
        support::run(&mut command).is_one_error(2, saying);
    }
}

/// Who says nothing, or says it slowly, keeps nobody waiting: not by many connections, and not by some that know the token.
#[test]
fn slow_connections_keep_nobody_waiting() {
    let tree = tree();
    let server = with_token(&tree);
    let begun = |said: &str| {
        let mut stream = TcpStream::connect(&server.address).expect("a connection");
        // It may have given way already.
        let _ = stream.write_all(said.as_bytes());
        stream
    };
    let half = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.address
    );
    for (count, said) in [
        (500, "POST /mcp HTTP/1.1\r\nHost: a\r\n"),
        (60, &half),
        (200, &half),
        (500, ""),
    ] {
        let held: Vec<TcpStream> = (0..count).map(|_| begun(said)).collect();
        let start = Instant::now();
        let (status, answer) = server.post(&[], &begin());
        let took = start.elapsed();
        assert_eq!(status, 200, "{answer}");
        assert!(
            took < Duration::from_secs(3),
            "{count} connections: {took:?}"
        );
        eprintln!(
            "next request beside {} slow connections: {took:?}",
            held.len()
        );
    }
}
