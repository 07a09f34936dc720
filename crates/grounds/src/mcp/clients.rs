//! The settings of clients: the text that makes a client start this server, and the place where the
//! client reads it. No file of a client is written, and the machine is known only by the given
//! words.

use serde_json::{Value, json};

use crate::cli::ClientName;

/// The name under which clients list the server.
const SERVER: &str = "grounds";

/// Beginnings of what clients replace in their settings by variables or files.
const REPLACED: [&str; 3] = ["${", "{env:", "{file:"];

/// A client, as a row of data.
pub(crate) struct McpClient {
    /// Its name on the command line.
    pub(crate) name: ClientName,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// Whom or which system a file is for, and its default path.
    pub(crate) places: &'static [(&'static str, &'static str)],
    /// The settings that start a program with arguments.
    settings: fn(&str, &[String]) -> String,
}

/// The clients, in the order of the list.
pub(crate) const ALL: [McpClient; 7] = [
    McpClient {
        name: ClientName::ClaudeCode,
        title: "Claude Code",
        places: &[
            ("one project", ".mcp.json at its top"),
            ("all projects", "~/.claude.json"),
        ],
        settings: |program, words| pretty(&named("mcpServers", typed(program, words))),
    },
    McpClient {
        name: ClientName::ClaudeDesktop,
        title: "Claude Desktop",
        places: &[
            (
                "macOS",
                "~/Library/Application Support/Claude/claude_desktop_config.json",
            ),
            ("Windows", r"%APPDATA%\Claude\claude_desktop_config.json"),
        ],
        settings: |program, words| pretty(&named("mcpServers", plain(program, words))),
    },
    McpClient {
        name: ClientName::Codex,
        title: "Codex",
        places: &[("all projects", "~/.codex/config.toml")],
        settings: toml,
    },
    McpClient {
        name: ClientName::Cursor,
        title: "Cursor",
        places: &[
            ("one project", ".cursor/mcp.json"),
            ("all projects", "~/.cursor/mcp.json"),
        ],
        settings: |program, words| pretty(&named("mcpServers", typed(program, words))),
    },
    McpClient {
        name: ClientName::Vscode,
        title: "Visual Studio Code",
        places: &[
            ("one project", ".vscode/mcp.json"),
            ("Linux", "~/.config/Code/User/mcp.json"),
            ("macOS", "~/Library/Application Support/Code/User/mcp.json"),
            ("Windows", r"%APPDATA%\Code\User\mcp.json"),
        ],
        settings: |program, words| pretty(&named("servers", typed(program, words))),
    },
    McpClient {
        name: ClientName::Zed,
        title: "Zed",
        places: &[
            ("Linux, macOS", "~/.config/zed/settings.json"),
            ("Windows", r"%APPDATA%\Zed\settings.json"),
        ],
        settings: |program, words| {
            let server = json!({"command": program, "args": words, "env": {}});
            pretty(&named("context_servers", server))
        },
    },
    McpClient {
        name: ClientName::Opencode,
        title: "OpenCode",
        places: &[
            ("one project", "opencode.json at its top"),
            ("all projects", "~/.config/opencode/opencode.json"),
        ],
        settings: opencode,
    },
];

impl McpClient {
    /// Returns the client of a name; `None` for the name that asks for the list.
    pub(crate) fn of(name: ClientName) -> Option<Self> {
        ALL.into_iter().find(|client| client.name == name)
    }

    /// Returns the settings that start the server.
    ///
    /// # Errors
    /// The word that the client would replace by something else.
    pub(crate) fn settings(&self, program: &str, words: &[String]) -> Result<String, String> {
        let all = std::iter::once(program).chain(words.iter().map(String::as_str));
        // `${HOME}` in the name of a folder would be replaced, and the server would start for
        // another folder.
        let is_replaced = |word: &&str| REPLACED.iter().any(|mark| word.contains(mark));
        match all.into_iter().find(is_replaced) {
            Some(word) => Err(word.to_owned()),
            None => Ok((self.settings)(program, words)),
        }
    }
}

fn named(key: &str, server: Value) -> Value {
    json!({key: {SERVER: server}})
}

fn plain(program: &str, words: &[String]) -> Value {
    json!({"command": program, "args": words})
}

fn typed(program: &str, words: &[String]) -> Value {
    json!({"type": "stdio", "command": program, "args": words})
}

fn opencode(program: &str, words: &[String]) -> String {
    let command: Vec<&str> = std::iter::once(program)
        .chain(words.iter().map(String::as_str))
        .collect();
    let server = json!({"type": "local", "command": command, "enabled": true});
    pretty(&json!({"$schema": "https://opencode.ai/config.json", "mcp": {SERVER: server}}))
}

fn pretty(settings: &Value) -> String {
    format!("{settings:#}\n")
}

/// Returns a table of TOML. Its strings are written like those of JSON, whose escapes TOML has too;
/// TOML wants one more.
fn toml(program: &str, words: &[String]) -> String {
    let string = |text: &str| {
        let quoted = Value::from(text).to_string();
        quoted.replace('\u{7f}', "\\u007f")
    };
    let words: Vec<String> = words.iter().map(|word| string(word)).collect();
    format!(
        "[mcp_servers.{SERVER}]\ncommand = {}\nargs = [{}]\n",
        string(program),
        words.join(", ")
    )
}

#[cfg(test)]
mod tests;
