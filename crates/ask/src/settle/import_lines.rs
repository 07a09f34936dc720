//! The lines of a file that bring something in.

use grounds_repo::path::RepoPath;
use grounds_syntax::languages;

use crate::words::is_in;

/// The words with which a line brings something in, by language. `mod` names the file of a module.
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
/// Those of all other languages.
const OF_OTHERS: &str = "import from use require require_relative include #include using require_once include_once \
    load autoload";

/// A line that brings something in, or one of a block of such lines.
pub(super) struct ImportLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// Whether it only says that a module has a file of its own.
    pub is_module: bool,
}

/// The lines that bring something in, with those of a block between brackets.
pub(super) fn import_lines(file: &RepoPath, source: &str) -> Vec<ImportLine> {
    let language = languages::of_name(file.file_name()).map_or("", |language| language.name);
    let mut lines = Vec::new();
    let mut closes: Option<char> = None;
    for (number, line) in (1_u32..).zip(source.lines()) {
        let trimmed = line.trim();
        let mut push = |is_module| {
            lines.push(ImportLine {
                number,
                text: line.to_owned(),
                is_module,
            });
        };
        if let Some(close) = closes {
            if !trimmed.is_empty() && !trimmed.starts_with(close) || trimmed.contains(" from ") {
                push(false);
            }
            if trimmed.contains(close) {
                closes = None;
            }
        } else if let Some(word) = import_word(language, line) {
            if !matches!(trimmed, "import (" | "use (") {
                push(word == "mod");
            }
            let opens = [('(', ')'), ('{', '}')]
                .into_iter()
                .find(|(open, close)| trimmed.ends_with(*open) && !trimmed.contains(*close));
            closes = opens.map(|(_, close)| close);
        }
    }
    lines
}

/// The word by which a line brings something in.
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
        // A block of its own is no file.
        "Rust" => first != "mod" || bare.ends_with(';'),
        // `using (…)` and `using var x = …` hold a resource.
        "C#" => bare.ends_with(';') && !bare.contains('(') && names_a_space(&bare),
        // Inside of a class, it takes in a trait.
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

/// Whether a `using` of C# names a space or gives one another name, and declares nothing.
fn names_a_space(line: &str) -> bool {
    let head = line.split('=').next().unwrap_or_default();
    let words = head.trim_end_matches(';').split_whitespace();
    let is_word = |word: &&str| !matches!(*word, "using" | "static" | "unsafe");
    words.filter(is_word).count() == 1
}

/// `import …` of `@testable public import …`.
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

/// `use …` of `pub(crate) use …`.
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

/// Whether a line of a file brings in a module by its whole name, or what lies in it: `react`, `@scope/kit`, `os.path`,
/// `string.h`.
pub(super) fn names_module(file: &RepoPath, line: &str, name: &str) -> bool {
    if is_of_c(file) {
        return included(line).is_some_and(|path| ends_as_path(path, name));
    }
    let language = languages::of_name(file.file_name()).map_or("", |language| language.name);
    if language == "Ruby" && line.contains("require_relative") {
        // It brings in a file of the tree.
        return false;
    }
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_-@".contains(letter);
    let is_whole = line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let is_inner = |letter: char| is_of_name(letter) || "./\\:".contains(letter);
        // `com.kit.react` is no `react`, and a longer space of names is another one.
        let goes_on = |letter: char| {
            let is_longer = matches!(language, "Java" | "Kotlin" | "C#") && letter == '.';
            is_of_name(letter) || is_longer && !after.starts_with(".*")
        };
        !before.ends_with(is_inner) && !after.starts_with(goes_on)
    });
    is_whole
        || match language {
            "Rust" => has_in_order(line, name),
            "Python" => takes_from(line, name),
            _ => false,
        }
}

/// `use alloc::{boxed::Box, string::String}` has the parts of `alloc::string` in their order.
fn has_in_order(line: &str, path: &str) -> bool {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = line.split(|letter: char| !is_of_name(letter));
    let mut parts = path.split("::");
    path.contains("::") && parts.all(|part| words.any(|word| word == part))
}

/// `from os import path, sep` takes `os.path`.
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

/// Whether a file is of C or C++.
pub(super) fn is_of_c(file: &RepoPath) -> bool {
    let language = languages::of_name(file.file_name());
    language.is_some_and(|language| matches!(language.name, "C" | "C++" | "Objective-C"))
}

/// The path that a line of C includes.
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

/// Whether a path is another one, or ends with all of its parts.
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
