//! Arguments of `grounds lsp`.

use std::path::PathBuf;

use clap::Args;

/// Examples and exit codes.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds lsp
  grounds lsp --root ~/src

An editor starts it and speaks to it over standard input and output; docs/editors.md has the
settings for several editors.

Exit codes:
  0  the editor has ended the session
  1  failed: the session broke, or the editor went away without a word
  2  usage or configuration error";

/// Arguments of `grounds lsp`.
#[derive(Clone, Debug, Args)]
pub struct Lsp {
    /// A folder whose documents may be checked, including its subfolders; repeatable [default: the
    /// workspace folders of the editor, else the working directory].
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Communicate over standard input and output. This is always so; some editors pass this
    /// option.
    #[arg(long)]
    pub stdio: bool,
}
