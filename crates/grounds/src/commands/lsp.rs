//! `grounds lsp`: the language server, from its options to its end.

use std::path::{Path, PathBuf};

use crate::cli::{Global, Lsp};
use crate::config;
use crate::error::Error;
use crate::exit::Exit;
use crate::lsp::{self, LspEnd, LspSettings};

pub(super) fn run(arguments: &Lsp, global: &Global) -> Result<Exit, Error> {
    // The file in the folder where an editor happens to start a server says nothing about the server.
    let config = global.config.as_deref().map(canonical).transpose()?;
    let read = config::read_own(config.as_deref())?;
    let roots = arguments.roots.iter().chain(&global.repo);
    let settings = LspSettings {
        roots: roots.map(|root| folder(root)).collect::<Result<_, _>>()?,
        config,
        bounds: read.lsp.unwrap_or_default().bounds(),
    };
    match lsp::stdio(settings) {
        Ok(LspEnd::Ended) => Ok(Exit::Answered),
        Ok(LspEnd::Broken(why)) => Err(broken(why)),
        Err(error) => Err(broken(error.to_string())),
    }
}

fn folder(root: &Path) -> Result<PathBuf, Error> {
    let path = canonical(root)?;
    match path.is_dir() {
        true => Ok(path),
        false => Err(usage(format!("`{}` is not a folder", root.display()))),
    }
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize()
        .map_err(|error| usage(format!("`{}` cannot be used: {error}", path.display())))
}

fn usage(reason: String) -> Error {
    Error::Server {
        reason,
        advice: "name an existing file or folder".to_owned(),
        is_usage: true,
    }
}

fn broken(reason: String) -> Error {
    Error::Server {
        reason,
        advice: "let an editor start `grounds lsp`; docs/editors.md has the settings".to_owned(),
        is_usage: false,
    }
}
