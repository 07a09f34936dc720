//! `grounds hook`: installs, removes and inspects the pre-commit hook. Respects an existing hook
//! and `core.hooksPath`; never overwrites what it did not write.

mod agent;
mod stop;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use grounds_repo::git;

use super::print;
use crate::cli::{Global, Hook, HookCommand, HookInstall};
use crate::error::Error;
use crate::exit::Exit;
use crate::named;
use crate::safe;

/// The hook, with a place for the path of the program.
const SCRIPT: &str = include_str!("hook/pre-commit.sh");
/// The start of the second line of every hook that this program wrote.
const MARK: &str = "# grounds pre-commit hook, version ";
/// Bytes of a hook that are read to see whose it is.
const HOOK_BYTES_MAX: u64 = 256 << 10;
/// Bytes of the list of skipped runs that are read.
const SKIPPED_BYTES_MAX: u64 = 4 << 20;

/// The paths of the hook and of what belongs to it.
struct HookPaths {
    top: PathBuf,
    hook: PathBuf,
    earlier: PathBuf,
    skipped: PathBuf,
    /// Whether the folder comes from `core.hooksPath`.
    is_configured: bool,
}

/// The owner of the hook that is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HookOwner {
    Nobody,
    Grounds,
    Another,
}

pub(super) fn run(arguments: &Hook, global: &Global) -> Result<Exit, Error> {
    let place = || place(super::ask::open(global)?.root());
    match &arguments.command {
        HookCommand::Agent(agent) => agent::run(agent, global),
        HookCommand::Stop(stop) => stop::run(stop, global),
        HookCommand::Install(install) => self::install(&place()?, install),
        HookCommand::Uninstall => uninstall(&place()?),
        HookCommand::Status => status(&place()?),
    }
}

fn place(root: &Path) -> Result<HookPaths, Error> {
    let no_repository = |error: git::GitError| Error::Hook {
        what: "find the place of",
        path: root.to_owned(),
        reason: error.to_string(),
        advice: "run it in a git repository, or name one with --repo DIR".to_owned(),
    };
    let layout = git::Layout::at(root).map_err(no_repository)?;
    let top = layout.work_tree.clone().unwrap_or_else(|| root.to_owned());
    let configured = layout.hooks_path().map_err(no_repository)?;
    let configured = configured.map(|path| top.join(path));
    let (own, common) = (layout.own, layout.common);
    let is_configured = configured.is_some();
    let folder = configured.unwrap_or_else(|| common.join("hooks"));
    let (hook, earlier) = (
        folder.join("pre-commit"),
        folder.join("pre-commit.before-grounds"),
    );
    Ok(HookPaths {
        top,
        hook,
        earlier,
        // The script writes it below `git rev-parse --git-dir`, which each work tree has for
        // itself.
        skipped: own.join("grounds/skipped"),
        is_configured,
    })
}

fn owner(place: &HookPaths) -> Result<HookOwner, Error> {
    // A dangling link counts as a hook too: writing there would make its target.
    if place.hook.symlink_metadata().is_err() {
        return Ok(HookOwner::Nobody);
    }
    let text = start_of_file(&place.hook, HOOK_BYTES_MAX)
        .map_err(|error| fault("read", &place.hook, &error, "check its permissions"))?;
    let is_ours = text
        .lines()
        // The first line is `#!/bin/sh`.
        .nth(1)
        .is_some_and(|line| line.starts_with(MARK));
    Ok(if is_ours {
        HookOwner::Grounds
    } else {
        HookOwner::Another
    })
}

/// Reads the first bytes of a file, which may be a link to one. Anything else in its place is an
/// error.
fn start_of_file(path: &Path, bytes_max: u64) -> std::io::Result<String> {
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    let (bytes, _) = named::start_of(path, bytes_max)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn fault(what: &'static str, path: &Path, error: &std::io::Error, advice: &str) -> Error {
    Error::Hook {
        what,
        path: path.to_owned(),
        reason: error.to_string(),
        advice: advice.to_owned(),
    }
}

fn refused(place: &HookPaths, reason: &str, advice: String) -> Error {
    Error::Hook {
        what: "install",
        path: place.hook.clone(),
        reason: reason.to_owned(),
        advice,
    }
}

fn install(place: &HookPaths, install: &HookInstall) -> Result<Exit, Error> {
    let owner = owner(place)?;
    if owner == HookOwner::Another {
        // Nothing is written before it is sure that both steps may be done.
        see_that_it_may_be_moved(place, install)?;
        let moved = std::fs::rename(&place.hook, &place.earlier);
        moved.map_err(|error| {
            fault(
                "move aside",
                &place.hook,
                &error,
                "check the permissions of its folder",
            )
        })?;
    }
    write_hook(place)?;
    let place_shown = safe::for_line(&place.hook.display().to_string());
    print(Exit::Answered, &mut |out| {
        writeln!(
            out,
            "installed {place_shown}: rules judge what is staged before each commit; no model, no network"
        )?;
        match owner {
            HookOwner::Another => writeln!(
                out,
                "the hook that was there runs first, and stops the commit where it stops"
            ),
            HookOwner::Grounds => {
                writeln!(out, "it was there already, and is now that of this version")
            }
            HookOwner::Nobody => Ok(()),
        }
    })
}

fn see_that_it_may_be_moved(place: &HookPaths, install: &HookInstall) -> Result<(), Error> {
    let line = "grounds review --staged --no-model";
    // Only `core.hooksPath` can name a folder of tracked files; `.git/hooks` is never tracked.
    if place.is_configured && is_tracked(place) {
        let advice = format!(
            "add the line `{line}` to it: it is a file of the repository, for all who work on it"
        );
        return Err(refused(place, "a file of the repository is there", advice));
    }
    if !install.chain {
        let advice = format!(
            "run `grounds hook install --chain` to run it first, or add the line `{line}` to it"
        );
        return Err(refused(place, "another hook is there", advice));
    }
    // A hook that was moved aside before would be lost if another took its name.
    match place.earlier.symlink_metadata() {
        Ok(_) => {
            let advice = format!("look at both, and remove `{}`", place.earlier.display());
            Err(refused(
                place,
                "a hook was moved aside before, and another is there again",
                advice,
            ))
        }
        Err(_) => Ok(()),
    }
}

fn is_tracked(place: &HookPaths) -> bool {
    let below = place.hook.strip_prefix(&place.top).ok();
    let Some(path) = below.and_then(|path| path.to_str()) else {
        return false;
    };
    // git is in no work tree here, so the path is one below its top; `literal`, since it may
    // contain `*`.
    let path = format!(":(top,literal){path}");
    git::call(&place.top, &["ls-files", "--error-unmatch", "--", &path]).is_ok()
}

fn write_hook(place: &HookPaths) -> Result<(), Error> {
    let program = std::env::current_exe()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    // Within single quotes of a shell only a single quote means something.
    let script = SCRIPT.replace("@GROUNDS@", &program.replace('\'', "'\\''"));
    let wrong = |error: std::io::Error| {
        fault(
            "write",
            &place.hook,
            &error,
            "check the permissions of its folder",
        )
    };
    if let Some(folder) = place.hook.parent() {
        std::fs::create_dir_all(folder).map_err(wrong)?;
    }
    // A new file under another name, so that a commit at the same moment sees a whole hook.
    let new = place.hook.with_extension("grounds-new");
    std::fs::File::create(&new)
        .and_then(|mut file| file.write_all(script.as_bytes()))
        .map_err(wrong)?;
    make_executable(&new)
        .and_then(|()| std::fs::rename(&new, &place.hook))
        .map_err(wrong)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn uninstall(place: &HookPaths) -> Result<Exit, Error> {
    match owner(place)? {
        HookOwner::Nobody => {
            return print(Exit::Answered, &mut |out| {
                writeln!(out, "there is no pre-commit hook")
            });
        }
        HookOwner::Another => {
            return Err(Error::Hook {
                what: "remove",
                path: place.hook.clone(),
                reason: "it is another's hook".to_owned(),
                advice: "leave it, or remove it by hand".to_owned(),
            });
        }
        HookOwner::Grounds => {}
    }
    let removed = std::fs::remove_file(&place.hook);
    removed.map_err(|error| {
        fault(
            "remove",
            &place.hook,
            &error,
            "check the permissions of its folder",
        )
    })?;
    // The hook that `install --chain` moved aside was run by ours, and takes its place again.
    let had_earlier = place.earlier.symlink_metadata().is_ok();
    if had_earlier {
        let moved = std::fs::rename(&place.earlier, &place.hook);
        moved.map_err(|error| {
            fault(
                "put back",
                &place.earlier,
                &error,
                "rename it to `pre-commit` by hand",
            )
        })?;
    }
    print(Exit::Answered, &mut |out| {
        writeln!(
            out,
            "removed {}",
            safe::for_line(&place.hook.display().to_string())
        )?;
        if had_earlier {
            writeln!(out, "the hook that was there before is back")
        } else {
            Ok(())
        }
    })
}

fn status(place: &HookPaths) -> Result<Exit, Error> {
    let owner = owner(place)?;
    // The second line of a hook names its version.
    let is_current = owner == HookOwner::Grounds && mark_of(&place.hook) == mark_line(SCRIPT);
    let skipped = skipped(place)?;
    // git ignores a hook that is not executable, and the commit passes without a review.
    let exit = if owner == HookOwner::Grounds && is_runnable(&place.hook) {
        Exit::Answered
    } else {
        Exit::Insufficient
    };
    print(exit, &mut |out| {
        let shown = safe::for_line(&place.hook.display().to_string());
        match owner {
            HookOwner::Nobody => writeln!(out, "not installed: there is no {shown}")?,
            HookOwner::Another => writeln!(out, "not installed: {shown} is another's hook")?,
            HookOwner::Grounds if !is_runnable(&place.hook) => writeln!(
                out,
                "installed, but {shown} cannot be run: git passes it over"
            )?,
            HookOwner::Grounds if is_current => writeln!(out, "installed: {shown}")?,
            HookOwner::Grounds => writeln!(
                out,
                "installed, by another version: {shown}; run `grounds hook install` again"
            )?,
        }
        if place.earlier.symlink_metadata().is_ok() {
            writeln!(
                out,
                "runs first: {}",
                safe::for_line(&place.earlier.display().to_string())
            )?;
        }
        writeln!(out, "skipped runs: {}", skipped.len())?;
        if let Some(last) = skipped.last() {
            writeln!(
                out,
                "the last: {}",
                // The script separates the time from the reason by a tab.
                safe::for_line(&last.replace('\t', " "))
            )?;
        }
        Ok(())
    })
}

fn mark_of(hook: &Path) -> Option<String> {
    mark_line(&start_of_file(hook, HOOK_BYTES_MAX).ok()?)
}

fn mark_line(script: &str) -> Option<String> {
    script.lines().nth(1).map(str::to_owned)
}

#[cfg(unix)]
fn is_runnable(hook: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    hook.metadata()
        .is_ok_and(|kind| kind.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_runnable(hook: &Path) -> bool {
    hook.is_file()
}

/// Returns the runs that were skipped, a line each.
fn skipped(place: &HookPaths) -> Result<Vec<String>, Error> {
    match start_of_file(&place.skipped, SKIPPED_BYTES_MAX) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(fault(
            "count the skipped runs of",
            &place.skipped,
            &error,
            "check its permissions",
        )),
    }
}
