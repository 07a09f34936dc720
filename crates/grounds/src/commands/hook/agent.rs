//! `grounds hook agent`: adds the stop hook of a coding agent to its settings, or prints it. Keeps
//! every other setting.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::{Global, HookAgent, HookClient};
use crate::commands::print;
use crate::error::Error;
use crate::exit::Exit;
use crate::safe;

/// Bytes of settings that are read.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;
/// Seconds that an agent gives the hook; the hook itself ends before that.
const TIMEOUT_S: u64 = 5;
/// The end of the command, by which the hook is recognised.
const COMMAND: &str = "hook stop";

pub(super) fn run(arguments: &HookAgent, global: &Global) -> Result<Exit, Error> {
    let hook = entry(arguments.client);
    // The settings of the other two belong to the person or to all of the project, so they are only
    // printed.
    if arguments.print || arguments.client != HookClient::Claude {
        let place = match arguments.client {
            HookClient::Claude => ".claude/settings.json",
            HookClient::Codex => "~/.codex/hooks.json",
            HookClient::Cursor => ".cursor/hooks.json",
        };
        return print(Exit::Answered, &mut |out| {
            writeln!(out, "{hook:#}")?;
            eprintln_place(place);
            Ok(())
        });
    }
    let checkout = crate::commands::ask::open(global)?;
    // The local settings are not committed: the command names a path of this machine.
    let path = checkout.root().join(".claude/settings.local.json");
    let settings = merged(read(&path)?, &hook, &path)?;
    write(&path, &settings)?;
    print(Exit::Answered, &mut |out| {
        writeln!(
            out,
            "installed in {}: what an agent says about this code at its end is checked",
            safe::for_line(&path.display().to_string())
        )
    })
}

#[expect(
    clippy::print_stderr,
    reason = "where the settings belong is no part of them"
)]
fn eprintln_place(place: &str) {
    eprintln!("put this into {place}");
}

/// Returns the settings that name the hook, in the form of a client.
fn entry(client: HookClient) -> Value {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("grounds"));
    let quoted = program.display().to_string().replace('\'', "'\\''");
    let command = format!("'{quoted}' {COMMAND}");
    match client {
        HookClient::Claude | HookClient::Codex => json!({"hooks": {"Stop": [{"hooks": [
            {"type": "command", "command": command, "timeout": TIMEOUT_S}
        ]}]}}),
        HookClient::Cursor => json!({"version": 1, "hooks": {"stop": [
            {"command": format!("{command} --client cursor")}
        ]}}),
    }
}

fn read(path: &Path) -> Result<Value, Error> {
    let text = match super::start_of_file(path, SETTINGS_BYTES_MAX) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(json!({})),
        Err(error) => return Err(super::fault("read", path, &error, "check its permissions")),
    };
    let unreadable = || Error::Hook {
        what: "add to",
        path: path.to_owned(),
        reason: "it is not a JSON object".to_owned(),
        advice: "fix it, or print the hook with `grounds hook agent --print`".to_owned(),
    };
    serde_json::from_str(&text)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(unreadable)
}

/// Returns the settings with the hook once, and everything else unchanged.
fn merged(mut settings: Value, hook: &Value, path: &Path) -> Result<Value, Error> {
    let stops = &mut settings["hooks"]["Stop"];
    if stops.is_null() {
        *stops = json!([]);
    }
    let Some(all) = stops.as_array_mut() else {
        return Err(Error::Hook {
            what: "add to",
            path: path.to_owned(),
            reason: "`hooks.Stop` is not a list".to_owned(),
            advice: "fix it, or print the hook with `grounds hook agent --print`".to_owned(),
        });
    };
    // An earlier version of the program may lie at another path.
    all.retain(|entry| !is_ours(entry));
    all.push(hook["hooks"]["Stop"][0].clone());
    Ok(settings)
}

fn is_ours(entry: &Value) -> bool {
    let commands = entry["hooks"].as_array().map_or(&[][..], Vec::as_slice);
    commands.iter().any(|hook| {
        hook["command"]
            .as_str()
            .is_some_and(|command| command.contains("grounds") && command.ends_with(COMMAND))
    })
}

fn write(path: &Path, settings: &Value) -> Result<(), Error> {
    let wrong = |error: std::io::Error| {
        super::fault("write", path, &error, "check the permissions of its folder")
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(wrong)?;
    }
    // A new file under another name, so that a reader at the same moment sees whole settings.
    let new = path.with_extension("grounds-new");
    std::fs::write(&new, format!("{settings:#}\n"))
        .and_then(|()| std::fs::rename(&new, path))
        .map_err(wrong)
}
