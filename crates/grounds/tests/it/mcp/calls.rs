//! Pages of calls in `tests/mcp/`: files, a call, and the text that an agent reads.
//!
//! As in `tests/suite`, with `call` blocks instead of `console` blocks: the tool and
//! its arguments, then the outcome and the text. `UPDATE_SUITE=1 cargo test` writes
//! what the server says now into the pages.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::session::Session;
use crate::suite::tree_with;
use crate::support::{Tree, has};

#[test]
fn every_page_shows_what_an_agent_reads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp");
    let mut pages: Vec<_> = std::fs::read_dir(folder)
        .expect("the pages")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    pages.sort();
    let (mut count, mut failures) = (0, String::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        let now = rewritten(&text, &mut count);
        if now != text && std::env::var_os("UPDATE_SUITE").is_some() {
            std::fs::write(&page, &now).expect("the page can be written");
        } else if now != text {
            let (now_line, then) = now
                .lines()
                .zip(text.lines())
                .find(|(now, then)| now != then)
                .unwrap_or_default();
            writeln!(
                failures,
                "{}\n--- expected\n{then}\n--- got\n{now_line}",
                page.display()
            )
            .expect("a string");
        }
    }
    assert!(count >= 15, "only {count} calls were found");
    assert!(failures.is_empty(), "\n{failures}");
}

/// The page with what the server says now.
fn rewritten(page: &str, count: &mut usize) -> String {
    let (mut now, mut files) = (String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        writeln!(now, "{line}").expect("a string");
        if line.starts_with("# ") {
            files.clear();
        }
        let Some(name) = line.strip_prefix("```").filter(|name| !name.is_empty()) else {
            continue;
        };
        let block: String = lines
            .by_ref()
            .take_while(|line| *line != "```")
            .fold(String::new(), |text, line| text + line + "\n");
        if name == "call" {
            *count += 1;
            now.push_str(&said(&files, &block));
        } else {
            now.push_str(&block);
            files.push((name.to_owned(), block));
        }
        now.push_str("```\n");
    }
    now
}

/// The call, its outcome, and the text.
fn said(files: &[(String, String)], block: &str) -> String {
    let needs_git = files.iter().any(|(name, _)| name.starts_with("git "));
    if needs_git && !has("git") {
        return block.to_owned();
    }
    let call = block.lines().next().expect("a call");
    let (tool, arguments) = call.split_once(' ').expect("a tool and its arguments");
    let tree: Tree = tree_with(files);
    let arguments: Value =
        serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{error}: {call}"));
    let called = Session::begun(tree.root(), &[]).call(tool, arguments);
    let root = tree.root().canonicalize().expect("a path");
    let text = called.text().replace(&*root.to_string_lossy(), "[root]");
    let mark = if called.is_error() { " (an error)" } else { "" };
    let lines = text.lines().map(|line| {
        if line.starts_with("run 1") {
            "run [run]"
        } else {
            line.trim_end()
        }
    });
    lines.fold(
        format!(
            "{call}\n[{}{mark}]\n",
            called.report()["outcome"].as_str().unwrap_or_default()
        ),
        |text, line| text + line + "\n",
    )
}
