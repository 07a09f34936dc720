//! The settings that make clients start the server: what is printed starts it.

use std::process::Command;

use serde_json::Value;

use super::session::Session;
use crate::support::{Tree, run};

/// The clients with the key that holds their servers.
const CLIENTS: [(&str, &str, &str); 6] = [
    ("claude-code", "/mcpServers/grounds", "~/.claude.json"),
    (
        "claude-desktop",
        "/mcpServers/grounds",
        "claude_desktop_config.json",
    ),
    ("cursor", "/mcpServers/grounds", "~/.cursor/mcp.json"),
    ("vscode", "/servers/grounds", "~/.config/Code/User/mcp.json"),
    (
        "zed",
        "/context_servers/grounds",
        "~/.config/zed/settings.json",
    ),
    (
        "opencode",
        "/mcp/grounds",
        "~/.config/opencode/opencode.json",
    ),
];

fn grounds() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    command
}

/// What is printed for a client: settings, and where they belong.
fn printed(tree: &Tree, client: &str, words: &[&str]) -> (String, String) {
    let mut command = grounds();
    command.args(["mcp", "--print-config", client]).args(words);
    let run = run(command.current_dir(tree.root()));
    assert_eq!(run.code, Some(0), "{}", run.text());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&run.out), text(&run.err))
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list").iter();
    list.map(|word| word.as_str().expect("a string").to_owned())
        .collect()
}

/// A server that was started as settings say, in a folder that no root leads to, answers about the root.
#[track_caller]
fn starts(command: &[String]) {
    let [program, mcp, words @ ..] = command else {
        panic!("too few words: {command:?}");
    };
    assert_eq!(
        (program.as_str(), mcp.as_str()),
        (env!("CARGO_BIN_EXE_grounds"), "mcp")
    );
    let elsewhere = Tree::new();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut session = Session::begun(elsewhere.root(), &words);
    session
        .call(
            "ask",
            serde_json::json!({"question": "where is PageCache defined?"}),
        )
        .is("answered", 0, "ANSWERED");
}

#[test]
fn printed_settings_start_the_server() {
    let tree = Tree::of(&[("src/a b/cache.rs", "pub struct PageCache;\n")]);
    for (client, pointer, place) in CLIENTS {
        let (settings, places) = printed(&tree, client, &["--root", "src", "--offline"]);
        assert!(places.contains(place), "{client}: {places}");
        let settings: Value = serde_json::from_str(&settings).expect("JSON");
        let server = settings.pointer(pointer).expect("the server");
        let command = match &server["command"] {
            Value::String(program) => {
                let mut words = vec![program.clone()];
                words.extend(strings(&server["args"]));
                words
            }
            list => strings(list),
        };
        assert_eq!(command.last().map(String::as_str), Some("--offline"));
        starts(&command);
    }
}

/// A string or a list of strings of TOML is one of JSON too.
#[test]
fn printed_settings_of_codex_start_the_server() {
    let tree = Tree::of(&[("src/cache.rs", "pub struct PageCache;\n")]);
    let (settings, _) = printed(&tree, "codex", &["--root", "src"]);
    let mut lines = settings.lines();
    assert_eq!(lines.next(), Some("[mcp_servers.grounds]"));
    let mut value = |key: &str| -> Value {
        let line = lines.next().expect("a line");
        let value = line.strip_prefix(key).expect("the key");
        serde_json::from_str(value).expect("a value")
    };
    let mut command = vec![value("command = ").as_str().expect("a string").to_owned()];
    command.extend(strings(&value("args = ")));
    assert_eq!(lines.next(), None);
    starts(&command);
}

#[test]
fn what_cannot_be_settings_is_told() {
    let tree = Tree::of(&[("${HOME}/a.rs", "fn a() {}\n")]);
    for (words, told) in [
        (["--root", "nowhere"], "`nowhere` cannot be used"),
        (["--root", "${HOME}"], "clients replace what is in braces"),
        (["--http", "127.0.0.1:0"], "cannot be used with"),
    ] {
        let mut command = grounds();
        command.args(["mcp", "--print-config", "codex"]).args(words);
        let run = run(command.current_dir(tree.root()));
        assert!(
            run.code == Some(2) && run.out.is_empty() && run.text().contains(told),
            "{words:?}: {}",
            run.text()
        );
    }
}

#[test]
fn the_list_names_every_client() {
    let (listed, said) = printed(&Tree::new(), "list", &[]);
    let names = CLIENTS.iter().map(|(client, _, _)| *client);
    for name in names.chain(["codex"]) {
        assert!(listed.contains(&format!("{name}  (")), "{listed}");
    }
    assert!(said.is_empty(), "{said}");
}
