//! Arguments of `grounds mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Examples and exit codes.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds mcp
  grounds mcp --root ~/src --no-model
  grounds mcp --print-config claude-code --root ~/src > .mcp.json
  grounds mcp --http 127.0.0.1:7300 --token-file ~/.config/grounds/mcp-token

A client starts it and speaks to it over standard input and output; --print-config writes what
goes into the settings of yours.

Exit codes:
  0  the client has ended the session, or the settings were printed
  1  failed: the session broke, or the address cannot be listened on
  2  usage or configuration error";

/// Arguments of `grounds mcp`.
#[derive(Clone, Debug, Args)]
pub struct Mcp {
    /// A folder that may be asked about, including its subfolders; repeatable [default: the folders
    /// that the client names as its roots, else the working directory].
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Allow calls to run code of a repository (its build and its tests). Without this option no
    /// call can.
    #[arg(long)]
    pub allow_run: bool,

    /// Do not use the network: no CI service, no search engine, no model.
    #[arg(long)]
    pub offline: bool,

    /// Serve streamable HTTP at this address of this machine, instead of standard input and output.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub http: Option<SocketAddr>,

    /// The file whose first line is the token that every request over HTTP must carry
    /// [default: the variable GROUNDS_MCP_TOKEN, else one is made and printed].
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,

    /// Print the settings that make a client start this program with the other given options, and
    /// the file for them; serve nothing.
    #[arg(long, value_name = "CLIENT", conflicts_with = "http")]
    pub print_config: Option<ClientName>,

    /// Answer the calls of the server that started this process, one after the other.
    #[arg(long, hide = true, requires = "with_parent")]
    pub worker: bool,
}

/// A client whose settings can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClientName {
    /// Claude Code: `.mcp.json`.
    ClaudeCode,
    /// Claude Desktop: `claude_desktop_config.json`.
    ClaudeDesktop,
    /// Codex: `config.toml`.
    Codex,
    /// Cursor: `mcp.json`.
    Cursor,
    /// Visual Studio Code: `mcp.json`.
    Vscode,
    /// Zed: `settings.json`.
    Zed,
    /// OpenCode: `opencode.json`.
    Opencode,
    /// All known clients, with the paths of their settings.
    List,
}
