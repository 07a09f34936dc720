//! The shape of a word: a path, a name of code, a flag.

/// Endings of files that documents name.
const ENDINGS: &[&str] = &[
    "rs",
    "py",
    "pyi",
    "js",
    "mjs",
    "cjs",
    "ts",
    "mts",
    "cts",
    "tsx",
    "jsx",
    "go",
    "java",
    "kt",
    "kts",
    "c",
    "h",
    "cc",
    "cpp",
    "cxx",
    "hpp",
    "hh",
    "cs",
    "rb",
    "php",
    "swift",
    "scala",
    "lua",
    "sh",
    "bash",
    "zsh",
    "fish",
    "ps1",
    "bat",
    "cmd",
    "pl",
    "md",
    "mdx",
    "rst",
    "adoc",
    "txt",
    "json",
    "jsonc",
    "json5",
    "yaml",
    "yml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "xml",
    "html",
    "htm",
    "css",
    "scss",
    "less",
    "svg",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "ico",
    "sql",
    "proto",
    "graphql",
    "gradle",
    "cmake",
    "mk",
    "lock",
    "in",
    "am",
    "ac",
    "gyp",
    "gypi",
    "csproj",
    "sln",
    "props",
    "targets",
    "gemspec",
    "ru",
    "rake",
    "service",
    "dockerfile",
    "ipynb",
    "vue",
    "svelte",
    "tpl",
    "tmpl",
    "hbs",
    "ejs",
    "env",
    "snap",
    "lua",
    "dart",
    "ex",
    "exs",
    "erl",
    "hs",
    "ml",
    "zig",
    "nix",
    "pdf",
    "csv",
    "tsv",
    "pem",
    "key",
    "crt",
];

/// Reports whether a word is a path: folders with a slash, or a file by its ending.
pub(super) fn is_path(word: &str) -> bool {
    let is_written = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_-./+@~".contains(&byte));
    // `./..`, `//` and `...` are no paths of the tree.
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    if !is_written || letters < 2 || word.contains("//") || word.contains("...") {
        return false;
    }
    let last = word
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(word);
    has_known_ending(last) || word.trim_end_matches('/').contains('/')
}

/// Reports whether the name of a file has an ending that documents name.
pub(crate) fn has_known_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        // A short ending alone, as `.md`, means a kind of file.
        !ending.is_empty()
            && (!stem.is_empty() || ending.len() > 3)
            && ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
    })
}

/// Reports whether a word is one identifier.
pub(super) fn is_identifier(word: &str) -> bool {
    let mut letters = word.chars();
    letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Reports whether an identifier is one that only code writes: with humps or with underscores.
pub(crate) fn is_distinctive(name: &str) -> bool {
    let bare = name.trim_matches('_');
    let hump = bare
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    // `HTTPServer` has no hump, but only code writes it.
    let acronym = bare.len() > 4
        && bare.as_bytes().windows(3).any(|three| {
            three[0].is_ascii_uppercase()
                && three[1].is_ascii_uppercase()
                && three[2].is_ascii_lowercase()
        });
    bare.len() > 3 && (hump || acronym || bare.contains('_'))
}

/// Reports whether a name is written in capitals with underscores.
pub(super) fn is_capitals(name: &str) -> bool {
    name.len() > 4
        && name.trim_matches('_').contains('_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_')
}

/// Reports whether a word stands for a thing of the reader: `foo`, `your-name`, `<path>`, `xxx`.
pub(super) fn is_placeholder(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let parts = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    let marks = [
        "foo",
        "bar",
        "baz",
        "qux",
        "foobar",
        "example",
        "your",
        "my",
        "xxx",
        "xyz",
        "yyyy",
        "todo",
        "placeholder",
        "some",
        "acme",
        "hello",
        "path",
        "myapp",
        "mypackage",
        "mypkg",
        "mymodule",
        "myproject",
        "mylib",
        "myscript",
        "myfile",
        "myplugin",
    ];
    parts.clone().any(|part| marks.contains(&part))
        || ["your", "my_", "my-", "foo", "example"]
            .iter()
            .any(|mark| lower.starts_with(mark))
        // Such marks stand for parts to fill in.
        || word.contains(['<', '>', '{', '}', '*', '$', '%', '['])
        || (word.starts_with("My") && word[2..].starts_with(|next: char| next.is_ascii_uppercase()))
        || (word.starts_with("my") && word[2..].starts_with(|next: char| next.is_ascii_uppercase()))
        || (word.starts_with("Your") || word.starts_with("Some") || word.starts_with("Custom"))
}
