//! The imports of a file, as paths of the repository.
//!
//! Takes the text of a file, and returns the modules that its imports name, as parts of a path.
//! Another file matches an import by the end of its path: that holds for packages, crates, aliases
//! (`@/views`) and include paths alike, and needs no build file. Only a relative import is exact.

/// Maximum number of lines of a file that are searched for imports.
const LINES_MAX: usize = 2_000;
/// Maximum number of imports of one file.
const IMPORTS_MAX: usize = 400;
/// Names of files that represent the folder that they are in.
const FOLDER_FILES: &[&str] = &["index", "mod", "__init__", "lib", "main"];

/// A module that a file imports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Import {
    /// The parts of its path, without the ending of a file.
    parts: Vec<String>,
    /// Whether the parts begin at the top of the repository.
    is_exact: bool,
}

/// Returns the modules that the text of a file at `path` imports.
pub(super) fn of_file(path: &str, family: &str, text: &str) -> Vec<Import> {
    let mut imports = Vec::new();
    let folder: Vec<String> = path
        .split('/')
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .split_last()
        .map(|(_, rest)| rest.to_vec())
        .unwrap_or_default();
    let mut block = Block::None;
    for line in text.lines().take(LINES_MAX) {
        let line = line.trim();
        let specs = match family {
            "JavaScript" => javascript(line),
            "Python" => python(line, &mut block),
            "Go" => go(line, &mut block),
            "Rust" => rust(line, &mut block),
            "C" => after_word(line, "#include")
                .or_else(|| after_word(line, "# include"))
                .and_then(quoted_or_angled)
                .into_iter()
                .collect(),
            "Ruby" => ["require_relative", "require", "load"]
                .iter()
                .find_map(|word| after_word(line, word))
                .and_then(quoted)
                .into_iter()
                .collect(),
            _ => dotted(line),
        };
        imports.extend(
            specs
                .iter()
                .filter_map(|spec| import(spec, family, &folder)),
        );
        if imports.len() >= IMPORTS_MAX {
            break;
        }
    }
    imports
}

/// The state of a list of imports that goes on over the next lines.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    None,
    /// The module that the names in parentheses or braces come from.
    Of(String),
}

impl Import {
    /// Reports whether a file of the repository is this module, a part of it, or the file that has
    /// the imported name.
    pub(super) fn is_in(&self, path: &str) -> bool {
        if self.is_exact {
            let file: Vec<&str> = stem(path).split('/').collect();
            // A folder can be imported by its name: `./views` means `views/index.js`.
            let is_below = file.len() > self.parts.len();
            return file
                .iter()
                .zip(&self.parts)
                .all(|(one, other)| one == other)
                && (file.len() == self.parts.len() || is_below && self.opens(&file));
        }
        let file = Self::parts_of_file(path);
        // The last part can be the name of a thing in the module: `app.cache.Store` is in
        // `app/cache.py`.
        let named = &self.parts[..self.parts.len().saturating_sub(1)];
        ends_with(&file, &self.parts)
            || (!named.is_empty() && ends_with(&file, named))
            || self.is_folder_of(&file)
    }

    /// Reports whether a name is a part of the module's path other than the imported name, or the
    /// module itself if nothing else is imported.
    pub(super) fn names(&self, name: &str) -> bool {
        let last = self.parts.len().saturating_sub(1);
        self.parts.iter().enumerate().any(|(place, part)| {
            part == name
                // The last part is a module only if it is written like one: `import os.path`, but
                // not `from app import Store`.
                && (place < last || part.starts_with(char::is_lowercase) && !part.contains('_'))
        })
    }

    /// Returns the parts of a file's path that an inexact import is compared with.
    pub(super) fn parts_of_file(path: &str) -> Vec<&str> {
        let mut parts: Vec<&str> = stem(path).split('/').collect();
        if parts.last().is_some_and(|last| FOLDER_FILES.contains(last)) {
            parts.pop();
        }
        parts
    }

    /// Returns the last two of these parts, the last one first.
    pub(super) fn ends_of_file(path: &str) -> impl Iterator<Item = &str> {
        let mut parts = stem(path).rsplit('/').peekable();
        parts.next_if(|last| FOLDER_FILES.contains(last));
        parts.take(2)
    }

    /// Returns the start of the paths of all files that an exact import can mean, or `None` if the
    /// import is not exact.
    pub(super) fn beginning(&self) -> Option<String> {
        self.is_exact.then(|| self.parts.join("/"))
    }

    /// Returns the last two parts of its path, the last one first. In every file that an inexact
    /// import means, the last part is one of these, or the folder is the last of them.
    pub(super) fn ends(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().rev().take(2).map(String::as_str)
    }

    /// Reports whether an exact import of a folder covers a file below it.
    fn opens(&self, file: &[&str]) -> bool {
        !self.parts.is_empty() && file.len() <= self.parts.len() + 3
    }

    /// Reports whether the module is the folder that the file is in.
    fn is_folder_of(&self, file: &[&str]) -> bool {
        file.split_last()
            .is_some_and(|(_, folder)| self.parts.len() > 1 && ends_with(folder, &self.parts))
    }
}

/// Returns a path without the extension of its file.
fn stem(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(
        path,
        |(stem, ending)| if ending.contains('/') { path } else { stem },
    );
    // `store.d.ts` declares the module `store`.
    stem.strip_suffix(".d").unwrap_or(stem)
}

/// Reports whether a path ends with these parts, of which only the last three are compared.
fn ends_with(file: &[&str], parts: &[String]) -> bool {
    let most = parts.len().min(3);
    let parts = &parts[parts.len() - most..];
    file.len() >= parts.len()
        && !parts.is_empty()
        && file[file.len() - parts.len()..]
            .iter()
            .zip(parts)
            .all(|(one, other)| *one == other.as_str())
}

/// Converts the name of a module into parts of a path.
fn import(spec: &str, family: &str, folder: &[String]) -> Option<Import> {
    // In these languages a module is a path already. In the others `::`, `.` and `\` separate its
    // parts.
    let slashes = matches!(family, "JavaScript" | "Go" | "C" | "Ruby");
    let is_relative = spec.starts_with("./") || spec.starts_with("..");
    let spec = if slashes || is_relative {
        spec.to_owned()
    } else {
        spec.replace("::", "/").replace(['.', '\\'], "/")
    };
    if let Some(relative) = spec
        .strip_prefix("./")
        .map(|rest| (0, rest))
        .or_else(|| ups(&spec))
    {
        let (levels, rest) = relative;
        let mut parts = folder.get(..folder.len().checked_sub(levels)?)?.to_vec();
        parts.extend(parts_of(rest, slashes));
        return Some(Import {
            parts,
            is_exact: true,
        });
    }
    // An alias for a folder of the project begins with such a mark, as in `@/views`.
    let spec = spec.trim_start_matches(['@', '~', '#', '$', '/']);
    let mut parts: Vec<String> = parts_of(spec, slashes);
    // `crate::cache` is `src/cache.rs`, so these parts are not compared.
    parts.retain(|part| {
        !matches!(
            part.as_str(),
            "crate" | "self" | "super" | "*" | "src" | "static"
        )
    });
    (!parts.is_empty()).then_some(Import {
        parts,
        is_exact: false,
    })
}

/// Returns the number of levels up and the rest: 2 and `a` for `../../a`. `None` if the path does
/// not lead up.
fn ups(spec: &str) -> Option<(usize, &str)> {
    let (mut levels, mut rest) = (0, spec);
    while let Some(next) = rest
        .strip_prefix("../")
        .or_else(|| (rest == "..").then_some(""))
    {
        (levels, rest) = (levels + 1, next);
    }
    (levels > 0).then_some((levels, rest))
}

fn parts_of(spec: &str, has_ending: bool) -> Vec<String> {
    let mut parts: Vec<String> = spec
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .map(str::to_owned)
        .collect();
    if let Some(last) = parts.last_mut().filter(|_| has_ending) {
        let endings = [
            ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".h", ".hpp", ".hh", ".hxx", ".c", ".cc",
            ".rb", ".vue", ".svelte", ".inc",
        ];
        if let Some(stem) = endings.iter().find_map(|ending| last.strip_suffix(ending)) {
            *last = stem.to_owned();
        }
    }
    parts
}

fn after_word<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    line.strip_prefix(word)
        .filter(|rest| rest.starts_with([' ', '\t', '"', '<', '(', '\'']))
}

/// Returns the text in the first pair of quotes.
fn quoted(text: &str) -> Option<String> {
    let open = text.find(['"', '\'', '`'])?;
    let quote = text[open..].chars().next()?;
    let rest = &text[open + 1..];
    Some(rest[..rest.find(quote)?].to_owned())
}

fn quoted_or_angled(text: &str) -> Option<String> {
    let angled = || {
        let rest = text.trim_start().strip_prefix('<')?;
        Some(rest[..rest.find('>')?].to_owned())
    };
    angled().or_else(|| quoted(text))
}

/// Reads `import … from "x"`, `} from "x"`, `require("x")`, `import("x")` and `export * from "x"`.
fn javascript(line: &str) -> Vec<String> {
    let from = line
        .rfind(" from ")
        .or_else(|| line.starts_with("from ").then_some(0))
        .map(|at| &line[at..]);
    let called = ["require(", "import("]
        .iter()
        .find_map(|call| line.find(call).map(|at| &line[at..]));
    let bare = line
        .strip_prefix("import ")
        .filter(|rest| rest.starts_with(['"', '\'']));
    from.or(called)
        .or(bare)
        .and_then(quoted)
        .into_iter()
        .collect()
}

/// Reads `import a.b as c, d`, `from .a import b, c` and `from . import a`, and the names in parentheses below it.
fn python(line: &str, block: &mut Block) -> Vec<String> {
    if let Block::Of(module) = block.clone() {
        if line.contains(')') {
            *block = Block::None;
        }
        return of_module(&module, line);
    }
    if let Some(rest) = line.strip_prefix("import ") {
        return rest
            .split(',')
            .filter_map(|part| part.split_whitespace().next())
            .map(str::to_owned)
            .collect();
    }
    let Some((module, names)) = line
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import"))
    else {
        return Vec::new();
    };
    let dots = module.len() - module.trim_start_matches('.').len();
    let bare = &module[dots..];
    let module = match dots {
        0 => bare.to_owned(),
        1 => format!("./{}", bare.replace('.', "/")),
        // One dot is the folder of the file itself, so that two dots are one level up.
        levels => format!("{}{}", "../".repeat(levels - 1), bare.replace('.', "/")),
    };
    if dots > 0 && !bare.is_empty() {
        return vec![module];
    }
    // A list in parentheses goes on over the next lines.
    if names.contains('(') && !names.contains(')') {
        *block = Block::Of(module.clone());
    }
    let mut found = of_module(&module, names);
    if dots > 0 {
        // A name of the folder itself is one of this file.
        found.push(format!("{module}__init__"));
    } else if found.is_empty() {
        found.push(module);
    }
    found
}

/// Returns the modules that a list of names of a module means. `./` and `../` are folders, whose
/// names are files.
fn of_module(module: &str, list: &str) -> Vec<String> {
    let mark = if module.ends_with('/') { "" } else { "." };
    let names = names_in(list).into_iter();
    names.map(|name| format!("{module}{mark}{name}")).collect()
}

/// Returns the names of a list, without their `as`.
fn names_in(list: &str) -> Vec<String> {
    let list = list.split('#').next().unwrap_or_default();
    let names = list
        .split([',', '(', ')'])
        .filter_map(|part| part.split_whitespace().next());
    names
        .filter(|name| {
            name.chars()
                .all(|mark| mark.is_alphanumeric() || mark == '_')
        })
        .map(str::to_owned)
        .collect()
}

/// Reads `import "a/b"` and `import x "a/b"`, and the lines of an import in parentheses.
fn go(line: &str, block: &mut Block) -> Vec<String> {
    if line.starts_with("import (") {
        *block = Block::Of(String::new());
        return Vec::new();
    }
    if *block != Block::None && line.starts_with(')') {
        *block = Block::None;
    }
    let is_import = *block != Block::None || line.starts_with("import ");
    is_import
        .then(|| quoted(line))
        .flatten()
        .into_iter()
        .collect()
}

/// Reads `use a::b::{c, d};` over one line or several, and `mod a;`.
fn rust(line: &str, block: &mut Block) -> Vec<String> {
    if let Block::Of(module) = block.clone() {
        // A list inside of the list is closed by a brace without a semicolon.
        if line.contains("};") {
            *block = Block::None;
        }
        return paths_in(line)
            .into_iter()
            .map(|name| format!("{module}::{name}"))
            .collect();
    }
    let line = ["pub(crate) ", "pub(super) ", "pub "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    if let Some(name) = line
        .strip_prefix("mod ")
        .and_then(|rest| rest.strip_suffix(';'))
    {
        return vec![name.to_owned()];
    }
    let Some(path) = line.strip_prefix("use ") else {
        return Vec::new();
    };
    let Some((module, names)) = path.split_once("::{") else {
        return vec![
            path.trim_end_matches(';')
                .split(" as ")
                .next()
                .unwrap_or_default()
                .to_owned(),
        ];
    };
    if !names.contains('}') {
        *block = Block::Of(module.to_owned());
    }
    paths_in(names)
        .into_iter()
        .map(|name| format!("{module}::{name}"))
        .collect()
}

/// Returns the paths of a list in braces.
fn paths_in(list: &str) -> Vec<String> {
    let paths = list
        .split([',', '{', '}', ';'])
        .filter_map(|part| part.split_whitespace().next());
    paths
        .filter(|path| {
            path.chars()
                .all(|mark| mark.is_alphanumeric() || mark == '_' || mark == ':')
        })
        .map(str::to_owned)
        .collect()
}

/// Reads `import a.b.C;`, `using A.B;` and `use A\B\C;`.
fn dotted(line: &str) -> Vec<String> {
    let words = [
        "import static ",
        "import ",
        "using static ",
        "using ",
        "use ",
    ];
    let rest = words
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or_default();
    let path: &str = rest.split([';', ' ', '=']).next().unwrap_or_default();
    let is_path = path.contains(['.', '\\'])
        && path
            .chars()
            .all(|mark| mark.is_alphanumeric() || "._\\*".contains(mark));
    is_path.then(|| path.to_owned()).into_iter().collect()
}
