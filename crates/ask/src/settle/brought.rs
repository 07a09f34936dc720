//! Whether an import line imports a file.

use grounds_repo::path::RepoPath;

use super::import_lines::{ends_as_path, included, is_of_c, language_of};
use super::imports::has_word;
use crate::words::is_in;

/// The relation of an import line to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brought {
    /// It leads to this file.
    Yes,
    /// It has the name of the module, but may mean a namesake.
    Perhaps,
    /// It ends with the name of the module, but names another package. A setting of the project may
    /// map that package to the folder of the file.
    OfPackage,
    /// It leads elsewhere, or has another name.
    No,
}

/// Endings that a script is imported with or without. The file may have another one of them:
/// `./memoizer.js` imports `memoizer.ts`.
const SCRIPT_ENDINGS: [&str; 8] = [".tsx", ".ts", ".mts", ".cts", ".jsx", ".js", ".mjs", ".cjs"];

impl Brought {
    /// Reports whether imports of a file name its path, so that a file without a matching import is
    /// not imported.
    pub(super) fn is_told_by_path(file: &RepoPath) -> bool {
        let path = file.as_str();
        path.ends_with(".py") || SCRIPT_ENDINGS.iter().any(|ending| path.ends_with(ending))
    }
}

/// Decides whether an import line in one file imports another file.
pub(super) fn brings(line: &str, from: &RepoPath, target: &RepoPath) -> Brought {
    let wanted = module_path(target);
    // A relative path leads to exactly one file, seen from the importing one.
    let relative = quoted(line).find(|text| text.starts_with('.'));
    if let Some(text) = relative {
        let led = below(from, text).map(|path| without_ending(&path).to_owned());
        return yes_or_no(led.is_some_and(|led| leads_to(&led, &wanted)));
    }
    // `from .compiler import f` gives a whole path; `import pkg.compiler` may begin in any folder.
    if from.as_str().ends_with(".py")
        && let Some((led, is_whole)) = of_python(line, from)
    {
        return match is_whole {
            true => yes_or_no(led.iter().any(|led| leads_to(led, &wanted))),
            false if led.iter().any(|led| ends_as(&wanted, led)) => Brought::Perhaps,
            false => of_package(led.iter().any(|led| last_of(led) == last_of(&wanted))),
        };
    }
    let is_script = SCRIPT_ENDINGS
        .iter()
        .any(|ending| from.as_str().ends_with(ending));
    // `@/core/config` and `vitest/config` look alike; the parts of the path tell them apart.
    if is_script && let Some(text) = quoted(line).next() {
        return match could_lead_to(text, &wanted) {
            true => Brought::Perhaps,
            false => of_package(last_of(without_ending(text)) == last_of(&wanted)),
        };
    }
    match language_of(target) {
        "Ruby" => of_ruby(line, from, target),
        _ if is_of_c(from) => {
            yes_or_no(included(line).is_some_and(|path| includes(path, from, target)))
        }
        // In other languages an import names the module, and not the path of its file.
        _ => perhaps(has_word(line, &module_of(target))),
    }
}

/// Decides whether a line of Ruby imports a file: from its own folder (`require_relative`), or from
/// any folder on the load path.
fn of_ruby(line: &str, from: &RepoPath, target: &RepoPath) -> Brought {
    let is_ruby = language_of(from) == "Ruby";
    let Some(text) = quoted(line).next().filter(|_| is_ruby) else {
        return Brought::No;
    };
    let (text, wanted) = (without_ending(text), without_ending(target.as_str()));
    match line.contains("require_relative") {
        true => yes_or_no(below(from, text).is_some_and(|led| led == wanted)),
        false => yes_or_no(ends_as(wanted, text)),
    }
}

/// Reports whether a path in an `#include` leads to a file: from the including file's folder, or
/// from one that the build names.
fn includes(path: &str, from: &RepoPath, target: &RepoPath) -> bool {
    let is_beside = below(from, path).is_some_and(|led| led == target.as_str());
    is_beside || ends_as_path(target.as_str(), path.trim_start_matches("../"))
}

const fn of_package(is_named_alike: bool) -> Brought {
    if is_named_alike {
        Brought::OfPackage
    } else {
        Brought::No
    }
}

/// Returns the last part of a path.
fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the package that an import line names first.
pub(super) fn package_of(line: &str) -> &str {
    let text = quoted(line)
        .next()
        .or_else(|| line.split_whitespace().nth(1));
    let text = text.unwrap_or_default();
    text.split(['/', '.', ','])
        .find(|part| !part.is_empty())
        .unwrap_or_default()
}

const fn perhaps(could_be: bool) -> Brought {
    if could_be {
        Brought::Perhaps
    } else {
        Brought::No
    }
}

/// Reports whether a path from the root may lead to a file: the path of the file has all its parts
/// in order, except a sign for a folder.
fn could_lead_to(text: &str, wanted: &str) -> bool {
    let parts = without_ending(text).split('/');
    // `@/core/config` begins with a sign for a folder that a setting names, often `src`.
    let parts = parts.filter(|part| !["@", "~", "#", "src", ""].contains(part));
    let parts: Vec<&str> = parts
        .map(|part| part.trim_start_matches(['@', '~', '#']))
        .collect();
    let mut path = wanted.split('/');
    let in_order = parts.iter().all(|part| path.any(|folder| folder == *part));
    in_order
        && parts
            .last()
            .is_some_and(|last| wanted.rsplit('/').next() == Some(last))
}

/// Reports whether a path ends with all parts of another one.
fn ends_as(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

const fn yes_or_no(is_brought: bool) -> Brought {
    if is_brought {
        Brought::Yes
    } else {
        Brought::No
    }
}

/// Returns the path of a file without its ending, or that of its folder for `index` and `__init__`.
fn module_path(file: &RepoPath) -> String {
    let path = without_ending(file.as_str());
    let folder = ["/index", "/__init__"]
        .iter()
        .find_map(|end| path.strip_suffix(end));
    folder.unwrap_or(path).to_owned()
}

/// Returns a path without the ending of a script or a module.
fn without_ending(path: &str) -> &str {
    let mut endings = SCRIPT_ENDINGS.iter().chain(&[".py", ".rb"]);
    endings
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path)
}

fn leads_to(led: &str, wanted: &str) -> bool {
    let folder = ["/index", "/__init__"]
        .iter()
        .find_map(|end| led.strip_suffix(end));
    folder.unwrap_or(led) == wanted
}

/// Returns the texts between quotation marks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split(['"', '\'', '`']).skip(1).step_by(2)
}

/// Resolves a relative path, seen from a file; `None` above the tree.
fn below(from: &RepoPath, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.as_str().split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the modules that a line of Python names ("from .a import b", "import c.d"), and whether
/// their paths are whole, since they begin at the file's own folder.
fn of_python(line: &str, from: &RepoPath) -> Option<(Vec<String>, bool)> {
    let line = line.trim_start().split('#').next().unwrap_or_default();
    let (rest, has_from) = match line.strip_prefix("from ") {
        Some(rest) => (rest.trim_start(), true),
        None => (line.strip_prefix("import ")?.trim_start(), false),
    };
    let path_of = |module: &str| module.trim().replace('.', "/");
    if !has_from {
        let modules = rest
            .split(',')
            .filter_map(|module| module.split_whitespace().next());
        return Some((modules.map(path_of).collect(), false));
    }
    let module = rest.trim_start_matches('.');
    let dots = rest.len() - module.len();
    let (module, names) = module.split_once("import ")?;
    let base = match dots {
        0 => path_of(module),
        dots => {
            // One dot is the file's own folder; each further one goes a folder up.
            let up = format!("./{}", "../".repeat(dots - 1));
            below(from, &format!("{up}{}", path_of(module)))?
        }
    };
    let names = names.split(',');
    let named = names.filter_map(|name| name.trim_matches([' ', '(', ')']).split(' ').next());
    let mut led: Vec<String> = named.map(|name| format!("{base}/{name}")).collect();
    // An imported name is a module of the package, or a name in the package itself.
    led.push(base);
    Some((led, dots > 0))
}

/// Returns the name by which a file is imported: its own, or that of its folder for files such as
/// `mod.rs`.
fn module_of(file: &RepoPath) -> String {
    let stem = file.stem().to_owned();
    let folder = file.as_str().rsplit('/').nth(1).unwrap_or_default();
    let stands_for_folder = is_in("mod index __init__ lib main", stem.as_str());
    if stands_for_folder && !folder.is_empty() {
        folder.to_owned()
    } else {
        stem
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::relative(Path::new(text)).expect("a path of the tree")
    }

    /// A line, its file, the file that is asked about, and what the line says of it.
    const CASES: &[(&str, &str, &str, Brought)] = &[
        (
            "import { a } from \"./config.js\";",
            "src/core/api.ts",
            "src/core/config.ts",
            Brought::Yes,
        ),
        (
            "import { a } from \"./config.js\";",
            "docs/api.ts",
            "src/core/config.ts",
            Brought::No,
        ),
        (
            "export * from '../core/index.js';",
            "src/mini/all.ts",
            "src/core/index.ts",
            Brought::Yes,
        ),
        (
            "const a = require('./config');",
            "src/core/api.js",
            "src/core/config.js",
            Brought::Yes,
        ),
        (
            "import a from '@/core/config';",
            "web/api.ts",
            "src/core/config.ts",
            Brought::Perhaps,
        ),
        (
            "import a from 'vitest/config';",
            "a.ts",
            "src/core/config.ts",
            Brought::OfPackage,
        ),
        (
            "from .compiler import generate",
            "pkg/native.py",
            "pkg/compiler.py",
            Brought::Yes,
        ),
        (
            "from . import compiler, nodes",
            "pkg/native.py",
            "pkg/compiler.py",
            Brought::Yes,
        ),
        (
            "from ..compiler import generate",
            "pkg/sub/a.py",
            "pkg/compiler.py",
            Brought::Yes,
        ),
        (
            "from .compiler import generate",
            "other/native.py",
            "pkg/compiler.py",
            Brought::No,
        ),
        (
            "from pkg.compiler import generate",
            "tests/a.py",
            "pkg/compiler.py",
            Brought::Perhaps,
        ),
        (
            "require_relative '../lib/shell'",
            "spec/a.rb",
            "lib/shell.rb",
            Brought::Yes,
        ),
        (
            "import a from '$lib/config';",
            "a.ts",
            "src/core/config.ts",
            Brought::OfPackage,
        ),
        (
            "import a from 'other';",
            "a.ts",
            "src/core/config.ts",
            Brought::No,
        ),
        (
            "import other.compiler",
            "tests/a.py",
            "src/pkg/compiler.py",
            Brought::OfPackage,
        ),
        (
            "from pkg import compiler",
            "tests/a.py",
            "src/pkg/compiler.py",
            Brought::Perhaps,
        ),
    ];

    #[test]
    fn relative_imports_lead_to_one_file() {
        for (line, from, target, expected) in CASES {
            assert_eq!(
                brings(line, &path(from), &path(target)),
                *expected,
                "{line} in {from}"
            );
        }
    }
}
