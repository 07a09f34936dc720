//! Where the imports of a file come from: the tree itself, the standard library of the language, or
//! elsewhere. It reads Go, Python and scripts, and decides nothing about other languages.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::ConfidenceLevel;
use grounds_repo::path::RepoPath;

use super::import_lines::{import_lines, language_of};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted};
use crate::words::is_in;

/// The kind of a claim for imports of what the tree itself has.
pub(crate) const OWN: &str = "own";
/// The kind of a claim for imports of the standard library.
pub(crate) const STANDARD: &str = "standard";
/// The kind of a claim for imports of other projects.
pub(crate) const EXTERNAL: &str = "third-party";
/// The kind of a claim for imports of anything but the standard library.
pub(crate) const NOT_STANDARD: &str = "non-standard";

/// The top-level modules that come with Python 3, including those of earlier versions.
const OF_PYTHON: &str = "\
    __future__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 \
    bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop \
    collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt \
    csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings \
    ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc \
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib \
    imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale \
    logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing \
    netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb \
    pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty \
    pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource \
    rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib \
    sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics \
    string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib \
    tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback \
    tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings \
    wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib \
    zoneinfo";

/// The modules that come with Node.
const OF_NODE: &str = "assert async_hooks buffer child_process cluster console constants crypto dgram \
    diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process \
    punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi \
    worker_threads zlib";

/// Reports whether a claim asks for imports by where they come from.
pub(crate) fn is_asked(claim: &Claim) -> bool {
    let kind = claim.kind.as_deref();
    kind.is_some_and(|kind| [OWN, STANDARD, EXTERNAL, NOT_STANDARD].contains(&kind))
}

/// Lists the imports of a file that come from where the claim says.
///
/// # Errors
/// [`Unsettled`] if it is not decided for one of its imports.
pub(super) fn listed(
    claim: &Claim,
    file: &RepoPath,
    source: &str,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let kind = claim.kind.as_deref().unwrap_or_default();
    let found = lines_from(kind, file, source, desk)?;
    let (path, lines) = (file.as_str(), counted(found.len(), "line"));
    let noun = match kind {
        OWN => "modules of the tree itself",
        STANDARD => "modules of the standard library",
        EXTERNAL => "third-party modules",
        _ => "modules from outside the standard library",
    };
    let because = "told by the paths of the imports";
    let holds = (claim.quantifier == Quantifier::Any).then_some(!found.is_empty());
    let word = match holds {
        Some(true) => "Yes: ",
        Some(false) => "No: ",
        None => "",
    };
    if found.is_empty() {
        let told = format!("{word}`{path}` imports no {noun}.");
        let spot = SettledSpot::line(path, 1, "file");
        let settled = Settled::told(holds, desk.section(told, &[spot], 1));
        return Ok(settled.at(ConfidenceLevel::Medium, because));
    }
    let told = format!("{word}`{path}` imports {noun} in {lines}:");
    Ok(Settled::told(holds, desk.section(told, &found, 1)).at(ConfidenceLevel::Medium, because))
}

/// Returns the lines of a file that import from one kind of place.
///
/// # Errors
/// [`Unsettled`] if it is not decided for one of its imports.
fn lines_from(
    kind: &str,
    file: &RepoPath,
    source: &str,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let mut found = Vec::new();
    for line in import_lines(file, source) {
        let own_line = source.lines().nth(line.number as usize - 1);
        let own_line = own_line.unwrap_or_default();
        let Some(module) = module_of(own_line, file) else {
            // `require(name)` imports what only a run knows.
            if own_line.contains("require(") {
                let why = "one of its imports has no name in the text".to_owned();
                return Err(Unsettled::unknown(why));
            }
            continue;
        };
        // `import a, b` of Python has several modules on a line, of which one is read.
        if language_of(file) == "Python"
            && own_line.trim().starts_with("import ")
            && own_line.contains(',')
        {
            let why = format!("`{}` imports several modules at once", own_line.trim());
            return Err(Unsettled::unknown(why));
        }
        let Some(origin) = origin_of(&module, file, desk) else {
            let why = format!("where `{module}` comes from is not decided");
            return Err(Unsettled::unknown(why));
        };
        let fits = match kind {
            NOT_STANDARD => origin != STANDARD,
            _ => origin == kind,
        };
        if fits {
            found.push(SettledSpot::line(file.as_str(), line.number, "import"));
        }
    }
    Ok(found)
}

/// Returns the module that a line names; `None` if it only goes on with an import.
fn module_of(line: &str, file: &RepoPath) -> Option<String> {
    let trimmed = line.trim();
    if language_of(file) != "Python" {
        let (_, rest) = trimmed.split_once(['"', '\'', '`'])?;
        return Some(rest.split(['"', '\'', '`']).next()?.to_owned());
    }
    let module = match trimmed.strip_prefix("from ") {
        // A sentence in a comment may begin with "from" as well.
        Some(rest) => rest.split_once(" import")?.0,
        None => trimmed.strip_prefix("import ")?,
    };
    let module = module
        .split([' ', ',', '#'])
        .find(|part| !part.is_empty())?;
    Some(module.to_owned())
}

/// Returns where a module comes from; `None` if that is not decided.
fn origin_of(module: &str, file: &RepoPath, desk: &Desk<'_, '_>) -> Option<&'static str> {
    match language_of(file) {
        "Go" => of_go(module, desk),
        "Python" => Some(of_python(module, desk)),
        "JavaScript" | "TypeScript" | "TSX" => of_script(module, desk),
        _ => None,
    }
}

/// Decides about a Go package by the modules of the tree, and by the dot of a host.
fn of_go(module: &str, desk: &Desk<'_, '_>) -> Option<&'static str> {
    let mut manifests = desk
        .tree
        .files
        .iter()
        .filter(|file| file.file_name() == "go.mod")
        .peekable();
    let is_known = manifests.peek().is_some();
    let is_own = manifests.any(|file| {
        let text = desk.tree.text(file.as_str()).unwrap_or_default();
        let name = text.lines().find_map(|line| line.strip_prefix("module "));
        let name = name.unwrap_or_default().trim().trim_matches('"');
        let rest = module.strip_prefix(name).filter(|_| !name.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    let has_host = module
        .split('/')
        .next()
        .is_some_and(|host| host.contains('.'));
    match () {
        () if is_own => Some(OWN),
        () if !has_host => Some(STANDARD),
        () => is_known.then_some(EXTERNAL),
    }
}

/// Decides about a module of Python by its dots, and by the packages of the tree.
fn of_python(module: &str, desk: &Desk<'_, '_>) -> &'static str {
    let top = module.split('.').next().unwrap_or_default();
    let is_there = |file: &RepoPath| {
        let path = file.as_str();
        let below = path.strip_prefix("src/").unwrap_or(path);
        below == format!("{top}.py") || below.starts_with(&format!("{top}/"))
    };
    match () {
        () if top.is_empty() => OWN,
        () if is_in(OF_PYTHON, top) => STANDARD,
        () if desk.tree.files.iter().any(is_there) => OWN,
        () => EXTERNAL,
    }
}

/// Decides about a module of a script by its dots, and by the packages of the tree.
fn of_script(module: &str, desk: &Desk<'_, '_>) -> Option<&'static str> {
    // A setting says what these signs mean.
    if module.starts_with(['~', '#', '/']) || module.starts_with("@/") {
        return None;
    }
    let name = module.strip_prefix("node:").unwrap_or(module);
    let is_package = |file: &&RepoPath| file.file_name() == "package.json";
    let mut packages = desk.tree.files.iter().filter(is_package);
    let length = if module.starts_with('@') { 2 } else { 1 };
    let package: Vec<&str> = module.split('/').take(length).collect();
    let said = format!("\"name\": \"{}\"", package.join("/"));
    let is_own = |file: &RepoPath| {
        desk.tree
            .text(file.as_str())
            .is_some_and(|text| text.contains(&said))
    };
    match () {
        () if module.starts_with('.') => Some(OWN),
        () if is_in(OF_NODE, name.split('/').next().unwrap_or_default()) => Some(STANDARD),
        () if packages.any(is_own) => Some(OWN),
        () => Some(EXTERNAL),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_line_names_a_module() {
        let cases = [
            ("from .shop import open", "a.py", Some(".shop")),
            ("import os.path as path", "a.py", Some("os.path")),
            ("    open,", "a.py", None),
            ("from the shelf to the till", "a.py", None),
            (
                "\tshop \"example.org/shop\"",
                "a.go",
                Some("example.org/shop"),
            ),
            ("import { open } from './shop';", "a.ts", Some("./shop")),
        ];
        for (line, path, wanted) in cases {
            let file = RepoPath::relative(Path::new(path)).expect("a path of the tree");
            assert_eq!(module_of(line, &file).as_deref(), wanted, "{line}");
        }
    }
}
