//! The lines of a file that bring something in.

use grounds_repo::path::RepoPath;
use grounds_syntax::languages;

use crate::words::is_in;

/// The words that begin an import line, by language. `mod` names the file of a module.
const WORDS: &[(&str, &str)] = &[
    ("C", "#include #import"),
    ("C++", "#include #import import"),
    ("Rust", "use extern mod"),
    ("C#", "using"),
    ("Go", "import"),
    ("Java", "import"),
    ("Kotlin", "import"),
    ("Scala", "import"),
    ("Python", "import from"),
    ("Swift", "import"),
    ("Ruby", "require require_relative load autoload"),
    ("PHP", "use require require_once include include_once"),
];
/// The words that begin an import line in all other languages.
const OF_OTHERS: &str = "import from use require require_relative include #include using require_once include_once \
    load autoload";

/// An import line, or one line of a block of imports.
pub(super) struct ImportLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// Whether it only declares that a module has a file of its own.
    pub is_module: bool,
}

/// Returns the import lines of a file, including those of a block between brackets.
pub(super) fn import_lines(file: &RepoPath, source: &str) -> Vec<ImportLine> {
    let language = language_of(file);
    let mut lines = Vec::new();
    // Open brackets, and the line that opened them: a line of a block imports something only
    // together with it.
    let (mut depth, mut head) = (0_i32, "");
    for (number, line) in (1_u32..).zip(source.lines()) {
        let trimmed = line.trim();
        let mut push = |text: String, is_module| {
            lines.push(ImportLine {
                number,
                text,
                is_module,
            });
        };
        if depth > 0 {
            // `} from "./a"` ends a block of a script, and gives its path.
            if !trimmed.is_empty() && !trimmed.starts_with([')', '}']) || trimmed.contains(" from ")
            {
                push(format!("{head} {trimmed}"), false);
            }
            // `atomic::{Order},` opens and closes a bracket inside the block, which goes on after
            // it.
            depth += opened(trimmed);
        } else if let Some(word) = import_word(language, line) {
            // The bare head of a block imports nothing itself.
            if !matches!(trimmed, "import (" | "use (") {
                push(line.to_owned(), word == "mod");
            }
            let is_block = trimmed.ends_with(['(', '{', ',']) && opened(trimmed) > 0;
            (depth, head) = (if is_block { opened(trimmed) } else { 0 }, trimmed);
        }
    }
    lines
}

/// Returns how many more brackets a line opens than it closes.
fn opened(line: &str) -> i32 {
    let worth = |letter| match letter {
        '(' | '{' => 1,
        ')' | '}' => -1,
        _ => 0,
    };
    line.chars().map(worth).sum()
}

/// Returns the word by which a line imports something; `None` for other lines.
fn import_word(language: &str, line: &str) -> Option<String> {
    let trimmed = line.trim();
    let bare = match language {
        "Rust" => without_visibility(trimmed),
        "Swift" => of_swift(trimmed),
        "C#" => trimmed.strip_prefix("global ").unwrap_or(trimmed),
        _ => trimmed,
    };
    // "#  include <iterator>".
    let directive = bare
        .strip_prefix('#')
        .filter(|_| matches!(language, "C" | "C++"));
    let bare = directive.map_or(bare.to_owned(), |rest| format!("#{}", rest.trim_start()));
    let ends = |letter: char| letter.is_whitespace() || "(\"'{<".contains(letter);
    let first = bare.split(ends).next().unwrap_or_default();
    let of_language = WORDS.iter().find(|(name, _)| *name == language);
    let words = of_language.map_or(OF_OTHERS, |(_, words)| words);
    let is_word = is_in(words, first) && bare.len() > first.len() && !bare.starts_with("use(");
    let is_one = match language {
        // `mod c {` has its body here, and names no file.
        "Rust" => first != "mod" || bare.ends_with(';'),
        // `using (…)` and `using var x = …` hold a resource, and import nothing.
        "C#" => bare.ends_with(';') && !bare.contains('(') && names_a_space(&bare),
        // An indented `use` is inside of a class, and mixes in a trait.
        "PHP" => first != "use" || !line.starts_with(char::is_whitespace),
        _ => true,
    };
    if is_word && is_one {
        return Some(first.to_owned());
    }
    let by_call = of_language.is_none()
        && (trimmed.contains("require(")
            || trimmed.contains(" import(")
            || trimmed.starts_with("export ") && trimmed.contains(" from "))
        && !trimmed.starts_with("//");
    by_call.then(|| "require".to_owned())
}

/// Reports whether a `using` of C# names a namespace or an alias of one, and declares no variable.
fn names_a_space(line: &str) -> bool {
    let head = line.split('=').next().unwrap_or_default();
    let words = head.trim_end_matches(';').split_whitespace();
    let is_word = |word: &&str| !matches!(*word, "using" | "static" | "unsafe");
    words.filter(is_word).count() == 1
}

/// Returns `import …` of `@testable public import …`.
fn of_swift(line: &str) -> &str {
    const BEFORE: &str = "public internal package private fileprivate";
    let mut rest = line;
    while let Some((first, after)) = rest.split_once(' ') {
        if !first.starts_with('@') && !is_in(BEFORE, first) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// Returns `use …` of `pub(crate) use …`.
fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else {
        return line;
    };
    match rest.strip_prefix('(') {
        Some(rest) => rest
            .split_once(')')
            .map_or(line, |(_, rest)| rest.trim_start()),
        None if rest.starts_with(' ') => rest.trim_start(),
        None => line,
    }
}

/// Reports whether a line imports a module by its whole name, or something in it: `react`,
/// `@scope/kit`, `os.path`, `string.h`.
pub(super) fn names_module(file: &RepoPath, line: &str, name: &str) -> bool {
    if is_of_c(file) {
        return included(line).is_some_and(|path| ends_as_path(path, name));
    }
    let language = language_of(file);
    if language == "Ruby" && line.contains("require_relative") {
        // `require_relative` names a file of the tree, and no module.
        return false;
    }
    let is_whole = |at: usize| stands_whole(language, line, at, name);
    line.match_indices(name).any(|(at, _)| is_whole(at))
        || match language {
            "Rust" => has_in_order(line, name),
            "Python" => takes_from(line, name),
            _ => false,
        }
}

/// Endings of script files that an import may write.
const SCRIPT_ENDINGS: &[&str] = &[
    ".js", ".ts", ".mjs", ".jsx", ".tsx", ".cjs", ".mts", ".vue", ".svelte",
];

/// Reports whether a name in a line is a module, or is taken out of one, and is no part of another
/// module's name.
fn stands_whole(language: &str, line: &str, at: usize, name: &str) -> bool {
    let (before, after) = (&line[..at], &line[at + name.len()..]);
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_-@".contains(letter);
    let is_joint = |letter: char| "./\\:".contains(letter);
    if before.ends_with(is_of_name) || after.starts_with(is_of_name) {
        return false;
    }
    let ends = !after.starts_with(is_joint) || after.starts_with(".*");
    if before.ends_with(is_joint) {
        // In `com.shop.Sale`, "github.com/x/cobra" and `serde::Serialize` the last part names the
        // import. Scripts name packages from their beginning.
        let is_by_path = matches!(language, "JavaScript" | "TypeScript" | "TSX" | "Ruby");
        let is_single = !name.contains(is_joint);
        // "./utils/signals" leads to `utils/signals`, in any folder.
        let quoted = before.rsplit(['"', '\'', '`']).next().unwrap_or_default();
        let is_relative = quoted.starts_with('.') && quoted.ends_with('/');
        let is_script = is_by_path && language != "Ruby";
        let has_ending = |ending: &&str| {
            let rest = after.strip_prefix(*ending);
            rest.is_some_and(|rest| rest.starts_with(['"', '\'', '`']))
        };
        let ends_file = ends || SCRIPT_ENDINGS.iter().any(has_ending);
        return is_single && !is_by_path && ends || is_script && is_relative && ends_file;
    }
    // `com.kit.react` is no `com.kit`.
    !matches!(language, "Java" | "Kotlin" | "C#") || ends || !after.starts_with('.')
}

/// Returns the language of a file by its name.
pub(super) fn language_of(file: &RepoPath) -> &'static str {
    languages::of_name(file.file_name()).map_or("", |language| language.name)
}

/// Reports whether a line has the parts of a path in their order:
/// `use alloc::{boxed::Box, string::String}` those of `alloc::string`.
fn has_in_order(line: &str, path: &str) -> bool {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = line.split(|letter: char| !is_of_name(letter));
    let mut parts = path.split("::");
    path.contains("::") && parts.all(|part| words.any(|word| word == part))
}

/// Reports whether a line takes a name from a module: `from os import path, sep` takes `os.path`.
fn takes_from(line: &str, name: &str) -> bool {
    let Some((module, last)) = name.rsplit_once('.') else {
        return false;
    };
    let parts = line
        .trim()
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import "));
    parts.is_some_and(|(from, names)| {
        let mut names = names.split([',', '(', ')']).map(str::trim);
        from.trim() == module && names.any(|one| one.split(' ').next() == Some(last))
    })
}

/// Reports whether a file is of C, C++ or Objective-C.
pub(super) fn is_of_c(file: &RepoPath) -> bool {
    matches!(language_of(file), "C" | "C++" | "Objective-C")
}

/// Returns the path of an `#include` or `#import`.
pub(super) fn included(line: &str) -> Option<&str> {
    let rest = line
        .split_once("include")
        .or_else(|| line.split_once("import"))?
        .1;
    let rest = rest.trim_start();
    match rest.strip_prefix('<') {
        Some(rest) => rest.split('>').next(),
        None => rest.strip_prefix('"')?.split('"').next(),
    }
}

/// Reports whether a path is another one, or ends with all of its parts.
pub(super) fn ends_as_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use grounds_repo::path::RepoPath;

    use super::{import_lines, names_module};

    #[test]
    fn modules_are_compared_by_their_whole_names() {
        let cases = [
            ("a.c", "#  include <string.h>", "string.h", true),
            ("a.c", "#include \"lua.h\"", "math.h", false),
            ("a.c", "#include \"port/port.h\"", "port.h", true),
            ("a.ts", "import { a } from \"react-redux\";", "react", false),
            ("a.ts", "import { a } from \"react/jsx\";", "react", true),
            ("a.ts", "import { a } from \"@x/react\";", "react", false),
            (
                "A.java",
                "import com.shop.store.Sale;",
                "com.shop.Sale",
                false,
            ),
            ("A.java", "import com.shop.Sale;", "Sale", true),
            ("a.go", "\t\"github.com/spf13/cobra\"", "cobra", true),
            ("a.rs", "use serde::Deserialize;", "Deserialize", true),
            ("a.rs", "use serde::Deserialize;", "serde", true),
            ("a.kt", "import com.kit.react.Page", "react", false),
            ("a.cs", "using Kit.Logging.Console;", "Kit.Logging", false),
            (
                "a.rs",
                "use alloc::{boxed::Box, string::String};",
                "alloc::string",
                true,
            ),
            ("a.py", "from os import sep, path", "os.path", true),
            ("a.py", "from os.more import path", "os.path", false),
            ("a.rb", "require_relative \"rack/builder\"", "rack", false),
        ];
        for (path, line, name, wanted) in cases {
            let file = RepoPath::relative(Path::new(path)).expect("a path");
            assert_eq!(names_module(&file, line, name), wanted, "{line}: {name}");
        }
    }

    #[test]
    fn lines_of_a_block_are_read_with_its_head() {
        let file = RepoPath::relative(Path::new("a.py")).expect("a path");
        let lines = import_lines(&file, "from os import (\n    sep,\n    path,\n)\n");
        assert_eq!(lines.len(), 3);
        assert!(names_module(&file, &lines[2].text, "os.path"));
        assert!(!names_module(&file, &lines[1].text, "os.path"));
        let file = RepoPath::relative(Path::new("a.rs")).expect("a path");
        let text = "use std::sync::{\n    atomic::{Order},\n    Mutex,\n};\nlet x = Mutex;\n";
        let lines = import_lines(&file, text);
        assert_eq!(lines.len(), 3);
        assert!(names_module(&file, &lines[2].text, "std::sync::Mutex"));
    }

    #[test]
    fn what_brings_something_in_is_told_by_the_language() {
        let cases = [
            ("a.rs", "pub(crate) use a::b;\nuse(x);\nmod c {\n", 1),
            (
                "a.cs",
                "using A;\nusing (var x = y) {\nusing var z = w;\n",
                1,
            ),
            ("a.php", "use A\\B;\nclass C {\n    use D;\n", 1),
            (
                "a.go",
                "import (\n\t\"a\"\n)\ninclude = &Include{\n\tA: 1,\n}\n",
                1,
            ),
            ("a.swift", "public import A\n@testable import B\n", 2),
            ("a.cpp", "using Name = Other;\n#include <a>\n", 1),
        ];
        for (path, text, count) in cases {
            let file = RepoPath::relative(Path::new(path)).expect("a path");
            assert_eq!(import_lines(&file, text).len(), count, "{text}");
        }
    }
}
