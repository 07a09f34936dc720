//! The context chain over pages of cases: `tests/chain/*.md`. Each case has files at the base,
//! files at the reviewed side, and what the one call of the review is shown beside its lines.
//! `UPDATE_SUITE=1` writes what came; read it before it is committed.

#![expect(
    clippy::use_debug,
    reason = "pages show kinds and ratings by their names"
)]

use std::fmt::Write as _;
use std::path::Path;

use grounds_model::tokens::Tokenizer;
use grounds_review::{DiffScope, PlanLimits, Prepared, prepare};

use crate::bed::Bed;

/// A fenced block: its head (`base src/a.py`) and its text.
struct Block {
    head: String,
    text: String,
}

/// The blocks of one case, and where its expectation stands in the page.
struct Case {
    title: String,
    blocks: Vec<Block>,
}

#[test]
fn what_is_shown_is_what_the_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chain");
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("pages")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    pages.sort();
    let mut wrong = String::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let now = rewritten(&text);
        if now != text && std::env::var_os("UPDATE_SUITE").is_some() {
            std::fs::write(&page, &now).expect("written");
        } else if now != text {
            let differs = text
                .lines()
                .zip(now.lines())
                .enumerate()
                .find(|(_, (one, other))| one != other);
            writeln!(wrong, "{}: {differs:?}", page.display()).expect("a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A page with what comes of its cases now.
fn rewritten(page: &str) -> String {
    let mut out = String::new();
    for case in cases(page) {
        let found = told(&case);
        let mut given = case.title;
        for block in &case.blocks {
            let text = if block.head == "chain" {
                &found
            } else {
                &block.text
            };
            given = given.replacen('\u{0}', &format!("```{}\n{text}```", block.head), 1);
        }
        out += &given;
    }
    out
}

/// Cuts a page into cases; in the prose a NUL stands for each block.
fn cases(page: &str) -> Vec<Case> {
    let mut cases = vec![Case {
        title: String::new(),
        blocks: Vec::new(),
    }];
    let mut open: Option<Block> = None;
    for line in page.split_inclusive('\n') {
        if open.is_none() && line.starts_with("## ") {
            cases.push(Case {
                title: String::new(),
                blocks: Vec::new(),
            });
        }
        let case = cases.last_mut().expect("a case");
        match (open.take(), line.strip_prefix("```")) {
            (None, Some(head)) => {
                open = Some(Block {
                    head: head.trim().to_owned(),
                    text: String::new(),
                })
            }
            (Some(block), Some(_)) => {
                case.blocks.push(block);
                case.title += "\u{0}\n";
            }
            (Some(mut block), None) => {
                block.text += line;
                open = Some(block);
            }
            (None, None) => case.title += line,
        }
    }
    cases
}

/// What the calls of a case are shown.
fn told(case: &Case) -> String {
    if case.blocks.is_empty() {
        return String::new();
    }
    let bed = Bed::new();
    let write = |side: &str| {
        let files = case
            .blocks
            .iter()
            .filter_map(|block| Some((block.head.strip_prefix(side)?.trim(), &block.text)));
        files.for_each(|(path, text)| bed.write(path, text));
    };
    write("base ");
    bed.commit("base");
    write("head ");
    case.blocks
        .iter()
        .filter_map(|block| block.head.strip_prefix("gone "))
        .for_each(|path| {
            std::fs::remove_file(bed.path().join(path)).expect("gone");
        });
    bed.commit("head");
    let change = bed.change(&DiffScope::Commit("HEAD".to_owned()));
    let prepared = prepare(
        &change,
        Tokenizer::for_model("gpt-4o"),
        &PlanLimits::default(),
    )
    .expect("a plan");
    shown(
        &prepared,
        &change
            .diff
            .files
            .iter()
            .map(|file| file.path.clone())
            .collect::<Vec<_>>(),
    )
}

fn shown(prepared: &Prepared, files: &[String]) -> String {
    let mut out = String::new();
    for (index, reason) in &prepared.skipped {
        writeln!(out, "skipped {}: {reason:?}", files[*index]).expect("a string");
    }
    for bundle in &prepared.plan.bundles {
        let mut paths: Vec<&str> = bundle
            .parts
            .iter()
            .map(|part| files[part.file].as_str())
            .collect();
        paths.dedup();
        writeln!(out, "{}: {}", bundle.id, paths.join(", ")).expect("a string");
        for item in &bundle.items {
            let first = item.text.lines().next().unwrap_or_default().trim();
            writeln!(
                out,
                "  {:?} {}:{}-{} `{first}` {}, {:?}",
                item.kind, item.path, item.line_start, item.line_end, item.reason, item.rating
            )
            .expect("a string");
        }
        for gap in &bundle.unresolved {
            writeln!(
                out,
                "  gap `{}` of {}: {} {}",
                gap.name,
                gap.used_at,
                gap.why,
                gap.menu_ids.join(" ")
            )
            .expect("a string");
        }
        for range in &bundle.menu.ranges {
            writeln!(
                out,
                "  {} {}:{}-{} {}",
                range.id, range.path, range.line_start, range.line_end, range.holds
            )
            .expect("a string");
        }
    }
    out
}
