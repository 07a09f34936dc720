//! What the house has too much of, counted for each file: functions that are too long, lines that are too wide, and
//! idioms that only we understand. `ratchet.txt` lists what is left, and no count may grow.
//! `UPDATE_SUITE=1 cargo test -p grounds --test it ratchet` writes the list as it is now: a change may take from it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::tidy::{files_below, root};

/// Lines that a function may have, from its signature to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;
/// Tokens that a function may have: a wide page or a chain of closures does not make it short.
const FUNCTION_TOKENS_MAX: usize = 400;
/// Columns of a line, strings and comments included.
const LINE_COLUMNS_MAX: usize = 120;
/// What a newcomer stumbles over; CONTRIBUTING.md, "Words", has what to write instead.
const IDIOMS: [&str; 17] = [
    "are none",
    "are told",
    "counts anyway",
    "empty where",
    "gives back",
    "is none",
    "is told",
    "left aside",
    "none where",
    "null where",
    "stand at",
    "stand in",
    "stands at",
    "stands in",
    "what comes of",
    "what ends it",
    "where none",
];

type Counts = BTreeMap<(&'static str, String), usize>;

#[test]
fn nothing_gets_longer_or_wider_or_harder_to_read() {
    let list = root().join("crates/grounds/tests/it/ratchet.txt");
    let found = counts();
    if std::env::var_os("UPDATE_SUITE").is_some() {
        let lines: String = found
            .iter()
            .map(|((rule, path), count)| format!("{rule} {count} {path}\n"))
            .collect();
        std::fs::write(&list, lines).expect("the list can be written");
        return;
    }
    let known = std::fs::read_to_string(&list).expect("the list");
    let known: BTreeMap<(&str, &str), usize> = known.lines().map(entry).collect();
    let grown: Vec<String> = found
        .iter()
        .map(|((rule, path), count)| (rule, path, count, known.get(&(*rule, path.as_str()))))
        .filter(|(_, _, count, known)| known.is_none_or(|known| *count > known))
        .map(|(rule, path, count, known)| {
            format!("{path}: {rule}: {count}, was {}", known.unwrap_or(&0))
        })
        .collect();
    assert!(
        grown.is_empty(),
        "functions have at most {FUNCTION_LINES_MAX} lines and {FUNCTION_TOKENS_MAX} tokens, lines at most \
         {LINE_COLUMNS_MAX} columns, and words are those of the trade (CONTRIBUTING.md, \"Functions\", \"Words\"):\n{}",
        grown.join("\n")
    );
}

/// A line of the list: rule, count, path.
fn entry(line: &str) -> ((&str, &str), usize) {
    let mut words = line.splitn(3, ' ');
    let mut next = || words.next().expect("rule, count and path");
    let (rule, count, path) = (next(), next(), next());
    ((rule, path), count.parse().expect("a number"))
}

fn counts() -> Counts {
    let mut counts = Counts::new();
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_rust::LANGUAGE.into())
        .expect("the grammar of Rust");
    for (path, text) in read("crates", "rs") {
        let tree = parser.parse(&text, None).expect("a tree");
        let wide = |line: &&str| line.chars().count() > LINE_COLUMNS_MAX;
        add(
            &mut counts,
            "long-functions",
            &path,
            long_functions(tree.root_node()),
        );
        add(
            &mut counts,
            "wide-lines",
            &path,
            text.lines().filter(wide).count(),
        );
        if path.contains("/src/") {
            add(&mut counts, "idioms", &path, idioms(&text));
        }
    }
    for (path, text) in prose() {
        add(&mut counts, "idioms", &path, idioms(&text));
    }
    counts
}

fn add(counts: &mut Counts, rule: &'static str, path: &str, count: usize) {
    if count > 0 {
        counts.insert((rule, path.to_owned()), count);
    }
}

/// The pages that people read, but the change log, which tells of the past.
fn prose() -> Vec<(String, String)> {
    let mut pages = read("docs", "md");
    pages.extend(read("crates/grounds/src/explain", "md"));
    pages.extend(
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| {
            let text = std::fs::read_to_string(root().join(name)).expect("a page");
            (name.to_owned(), text)
        }),
    );
    pages
}

/// The files below a folder by their paths from the root.
fn read(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = Vec::new();
    files_below(&root().join(folder), ending, &mut files);
    let own = Path::new(file!()).file_name();
    files
        .iter()
        .filter(|path| path.file_name() != own)
        .map(|path| {
            let shown = path.strip_prefix(root()).expect("below the root");
            let text = std::fs::read_to_string(path).expect("UTF-8 text");
            (shown.display().to_string(), text)
        })
        .collect()
}

fn idioms(text: &str) -> usize {
    let text = text.to_lowercase();
    IDIOMS.iter().map(|idiom| text.matches(idiom).count()).sum()
}

/// How many functions below a node are too long; one inside another counts for both.
fn long_functions(node: tree_sitter::Node<'_>) -> usize {
    let is_long = node.kind() == "function_item"
        && (node.end_position().row - node.start_position().row >= FUNCTION_LINES_MAX
            || tokens(node) > FUNCTION_TOKENS_MAX);
    let inside = children(node).map(long_functions).sum::<usize>();
    usize::from(is_long) + inside
}

/// The tokens below a node: a literal is one, and a comment is none.
fn tokens(node: tree_sitter::Node<'_>) -> usize {
    match node.kind() {
        "line_comment" | "block_comment" => 0,
        "string_literal" | "raw_string_literal" | "char_literal" => 1,
        _ if node.child_count() == 0 => 1,
        _ => children(node).map(tokens).sum(),
    }
}

fn children(node: tree_sitter::Node<'_>) -> impl Iterator<Item = tree_sitter::Node<'_>> {
    (0..node.child_count()).filter_map(move |place| node.child(place as u32))
}
