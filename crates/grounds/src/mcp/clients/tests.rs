use serde_json::{Value, json};

use super::{ALL, McpClient};
use crate::cli::ClientName;

const PROGRAM: &str = "/opt/a \"b\"/grounds";

fn words() -> Vec<String> {
    ["mcp", "--root", r"C:\src\x", "--offline"]
        .map(str::to_owned)
        .to_vec()
}

fn settings(name: ClientName) -> String {
    let client = McpClient::of(name).expect("a client");
    client.settings(PROGRAM, &words()).expect("settings")
}

#[test]
fn json_settings_have_the_keys_of_their_client() {
    for (name, pointer, server) in [
        (
            ClientName::ClaudeCode,
            "/mcpServers",
            json!({"type": "stdio", "command": PROGRAM, "args": words()}),
        ),
        (
            ClientName::ClaudeDesktop,
            "/mcpServers",
            json!({"command": PROGRAM, "args": words()}),
        ),
        (
            ClientName::Cursor,
            "/mcpServers",
            json!({"type": "stdio", "command": PROGRAM, "args": words()}),
        ),
        (
            ClientName::Vscode,
            "/servers",
            json!({"type": "stdio", "command": PROGRAM, "args": words()}),
        ),
        (
            ClientName::Zed,
            "/context_servers",
            json!({"command": PROGRAM, "args": words(), "env": {}}),
        ),
    ] {
        let parsed: Value = serde_json::from_str(&settings(name)).expect("JSON");
        assert_eq!(parsed.as_object().map(serde_json::Map::len), Some(1));
        assert_eq!(
            parsed.pointer(pointer),
            Some(&json!({"grounds": server})),
            "{name:?}"
        );
    }
    let parsed: Value = serde_json::from_str(&settings(ClientName::Opencode)).expect("JSON");
    let command = [PROGRAM, "mcp", "--root", r"C:\src\x", "--offline"];
    assert_eq!(
        parsed["mcp"],
        json!({"grounds": {"type": "local", "command": command, "enabled": true}})
    );
    assert_eq!(parsed["$schema"], "https://opencode.ai/config.json");
}

#[test]
fn toml_settings_escape_what_toml_must() {
    assert_eq!(
        settings(ClientName::Codex),
        "[mcp_servers.grounds]\n\
        command = \"/opt/a \\\"b\\\"/grounds\"\n\
        args = [\"mcp\", \"--root\", \"C:\\\\src\\\\x\", \"--offline\"]\n"
    );
    let client = McpClient::of(ClientName::Codex).expect("a client");
    let odd = client
        .settings("/a\u{7f}\nb", &[])
        .expect("settings of odd letters");
    assert!(odd.contains("\"/a\\u007f\\nb\""), "{odd}");
}

#[test]
fn words_that_clients_replace_are_no_settings() {
    for client in ALL {
        for word in ["/src/${HOME}", "/src/{env:X}", "/src/{file:x}"] {
            assert_eq!(
                client.settings(PROGRAM, &[word.to_owned()]),
                Err(word.to_owned()),
                "{}",
                client.title
            );
        }
    }
}
