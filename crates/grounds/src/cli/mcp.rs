//! Arguments of `grounds mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

/// Examples and exit codes.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds mcp
  grounds mcp --root ~/src --no-model
  grounds mcp --http 127.0.0.1:7300 --token-file ~/.config/grounds/mcp-token

A client starts it and speaks to it over standard input and output; docs/mcp.md shows how to
add it to yours.

Exit codes:
  0  the client has ended the session
  1  failed: the session broke, or the address cannot be listened on
  2  usage or configuration error";

/// Arguments of `grounds mcp`.
#[derive(Clone, Debug, Args)]
pub struct Mcp {
    /// A folder that may be asked about, with all below it; repeatable [default: the folders that
    /// the client names as its roots, else the working directory].
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Offer to run code of a repository (its build and its tests). Without this no call can.
    #[arg(long)]
    pub allow_run: bool,

    /// Use no network: no service of CI, no search engine, no model.
    #[arg(long)]
    pub offline: bool,

    /// Serve streamable HTTP at this address of this machine, instead of standard input and output.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub http: Option<SocketAddr>,

    /// The file whose first line is the token that every request over HTTP must carry
    /// [default: the variable GROUNDS_MCP_TOKEN, else one is made and printed].
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
}
