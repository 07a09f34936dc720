//! `grounds mcp`: the server, from its options to its end.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use grounds_repo::private;

use clap::ValueEnum as _;

use crate::cli::{ClientName, Global, Mcp};
use crate::config;
use crate::error::Error;
use crate::exit::Exit;
use crate::mcp::clients::{self, McpClient};
use crate::mcp::{self, McpEnd, McpSettings};
use crate::named;
use crate::safe;

/// The variable that holds the token.
const TOKEN_VARIABLE: &str = "GROUNDS_MCP_TOKEN";
/// Letters that a token has at least.
const TOKEN_LETTERS_MIN: usize = 16;
/// Bytes of a file with a token.
const TOKEN_FILE_BYTES_MAX: u64 = 4 << 10;
/// Random bytes in a token that is made here.
const TOKEN_CHANCE_BYTES: usize = 32;

pub(super) fn run(arguments: &Mcp, global: &Global) -> Result<Exit, Error> {
    if let Some(name) = arguments.print_config {
        return print_config(name, arguments, global);
    }
    let settings = settings(arguments, global)?;
    // A worker serves the server and no client: it speaks another protocol over the same pipes.
    if arguments.worker {
        return mcp::work(&settings.bounds, &super::answer)
            .map(|()| Exit::Answered)
            .map_err(|error| broken(&error.to_string(), "start the server again"));
    }
    let served = match arguments.http {
        None => mcp::stdio(settings)
            .map_err(|error| broken(&error.to_string(), "check standard input and output"))?,
        Some(address) => over_http(address, settings, arguments)?,
    };
    match served {
        McpEnd::Ended => Ok(Exit::Answered),
        McpEnd::Broken(why) => Err(broken(
            &why,
            "begin with `initialize`, as a client of the Model Context Protocol does; docs/mcp.md",
        )),
    }
}

/// Prints the settings of a client on standard output, and the place from which it reads them on
/// standard error.
fn print_config(name: ClientName, arguments: &Mcp, global: &Global) -> Result<Exit, Error> {
    let Some(client) = McpClient::of(name) else {
        let listed: String = clients::ALL.iter().map(listed).collect();
        return print(&listed);
    };
    let program = std::env::current_exe().map_err(|error| {
        broken(
            &format!("the path of this program is unknown: {error}"),
            "write the settings by hand; docs/mcp.md",
        )
    })?;
    let settings = client
        .settings(&as_text(&program)?, &words(arguments, global)?)
        .map_err(|word| {
            usage(
                format!(
                    "`{}` cannot go into settings: clients replace what is in braces",
                    safe::for_line(&word)
                ),
                "name the folder by a path without `${`, `{env:` and `{file:`, such as a link",
            )
        })?;
    // Settings alone go to standard output, so that they can be written into a file.
    if !global.quiet {
        let mut stderr = anstream::stderr().lock();
        let _ = writeln!(stderr, "{} reads this from:", client.title);
        for (whom, path) in client.places {
            let _ = writeln!(stderr, "  {whom}: {path}");
        }
        let _ = writeln!(stderr, "Add it to what is in the file already.");
    }
    print(&settings)
}

/// Returns a client and the paths of its settings, for the list.
fn listed(client: &McpClient) -> String {
    let name = client.name.to_possible_value();
    let name = name.as_ref().map_or("", |name| name.get_name());
    let places = client.places.iter();
    let places: Vec<String> = places
        .map(|(whom, path)| format!("    {whom}: {path}\n"))
        .collect();
    format!("{name}  ({})\n{}", client.title, places.concat())
}

fn print(text: &str) -> Result<Exit, Error> {
    let mut stdout = anstream::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Ok(()) => Ok(Exit::Answered),
        Err(error) => Err(broken(
            &format!("the settings cannot be written: {error}"),
            "check standard output",
        )),
    }
}

/// Returns the words that start the server with the given options, without those that only apply
/// here.
fn words(arguments: &Mcp, global: &Global) -> Result<Vec<String>, Error> {
    let mut words = vec!["mcp".to_owned()];
    for root in arguments.roots.iter().chain(&global.repo) {
        // Reported now, and not by a client that cannot start the server.
        folder(root)?;
        words.extend(["--root".to_owned(), absolute(root)?]);
    }
    if let Some(config) = &global.config {
        canonical(config)?;
        words.extend(["--config".to_owned(), absolute(config)?]);
    }
    for (is_set, flag) in [
        (arguments.allow_run, "--allow-run"),
        (arguments.offline, "--offline"),
        (global.no_model, "--no-model"),
    ] {
        words.extend(is_set.then(|| flag.to_owned()));
    }
    Ok(words)
}

/// Returns an absolute path, since a client may start the server in any folder.
fn absolute(path: &Path) -> Result<String, Error> {
    let path = std::path::absolute(path).map_err(|error| {
        usage(
            format!("`{}` cannot be used: {error}", path.display()),
            "name it from the top",
        )
    })?;
    as_text(&path)
}

fn as_text(path: &Path) -> Result<String, Error> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        usage(
            format!(
                "`{}` cannot go into settings: it is not UTF-8",
                path.display()
            ),
            "name it by a path that is, such as a link",
        )
    })
}

fn settings(arguments: &Mcp, global: &Global) -> Result<McpSettings, Error> {
    // The file in the folder where a client happens to start a server says nothing about the server.
    let config = global.config.as_deref().map(canonical).transpose()?;
    let read = config::read_own(config.as_deref())?;
    let roots: Result<Vec<PathBuf>, Error> = arguments
        .roots
        .iter()
        .chain(&global.repo)
        .map(|root| folder(root))
        .collect();
    Ok(McpSettings {
        roots: roots?,
        config,
        may_run: arguments.allow_run,
        is_offline: arguments.offline,
        has_no_model: global.no_model,
        bounds: read.mcp.unwrap_or_default().bounds(),
    })
}

fn folder(root: &Path) -> Result<PathBuf, Error> {
    let path = canonical(root)?;
    let wrong = || {
        usage(
            format!("`{}` is not a folder", root.display()),
            "name a folder with --root DIR",
        )
    };
    path.is_dir().then_some(path).ok_or_else(wrong)
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|error| {
        usage(
            format!("`{}` cannot be used: {error}", path.display()),
            "name one that is there",
        )
    })
}

fn over_http(address: SocketAddr, settings: McpSettings, arguments: &Mcp) -> Result<McpEnd, Error> {
    // The token travels without encryption.
    if !address.ip().is_loopback() {
        return Err(usage(
            format!("`{}` is not a loopback address", address.ip()),
            "use 127.0.0.1:PORT or [::1]:PORT; who needs it from elsewhere puts a server with TLS before it",
        ));
    }
    let (token, is_made) = token(arguments)?;
    let shown = token.clone();
    let on_listening = move |address: SocketAddr| {
        let mut stderr = anstream::stderr().lock();
        let _ = writeln!(stderr, "listening on http://{address}/mcp");
        // A token that was given is known already, and does not belong in a log.
        if is_made {
            let _ = writeln!(stderr, "token: {shown}");
        }
    };
    mcp::http(settings, address, token, &on_listening).map_err(|error| {
        broken(
            &format!("`{address}` cannot be listened on: {error}"),
            "choose another port; 0 takes one that is free",
        )
    })
}

/// Returns the token of the file, else of the environment, else a new one; and whether it is new.
fn token(arguments: &Mcp) -> Result<(String, bool), Error> {
    let given = match &arguments.token_file {
        Some(path) => Some(token_in(path)?),
        None => std::env::var(TOKEN_VARIABLE)
            .ok()
            .filter(|token| !token.is_empty()),
    };
    match given {
        None => Ok((made()?, true)),
        // A header has room for visible ASCII only, and a short token could be guessed.
        Some(token)
            if token.len() >= TOKEN_LETTERS_MIN
                && token.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            Ok((token, false))
        }
        Some(_) => Err(usage(
            format!(
                "the token has fewer than {TOKEN_LETTERS_MIN} letters, or others than plain ones"
            ),
            "make one with: openssl rand -hex 32",
        )),
    }
}

fn token_in(path: &Path) -> Result<String, Error> {
    let wrong = |why: String| {
        usage(
            format!(
                "the token of `{}` cannot be used: {why}",
                safe::for_line(&path.display().to_string())
            ),
            "name a file that only you can read (chmod 600; on Windows one in your profile)",
        )
    };
    let file = named::open(path).map_err(|error| wrong(error.to_string()))?;
    // The file that was opened is examined, so that no other one can be put in its place meanwhile.
    if private::is_open_to_others(&file, path) {
        return Err(wrong("others can read it".to_owned()));
    }
    let text =
        named::read_all(file, TOKEN_FILE_BYTES_MAX).map_err(|error| wrong(error.to_string()))?;
    // An editor ends a file with a line break, which is no part of the token.
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

fn made() -> Result<String, Error> {
    let mut chance = [0; TOKEN_CHANCE_BYTES];
    getrandom::fill(&mut chance).map_err(|error| {
        broken(
            &format!("no token can be made: {error}"),
            "give one with --token-file FILE",
        )
    })?;
    Ok(chance.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn usage(reason: String, advice: &str) -> Error {
    Error::Server {
        reason,
        advice: advice.to_owned(),
        is_usage: true,
    }
}

fn broken(reason: &str, advice: &str) -> Error {
    Error::Server {
        reason: reason.to_owned(),
        advice: advice.to_owned(),
        is_usage: false,
    }
}
