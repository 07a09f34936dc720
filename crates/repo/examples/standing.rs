//! Holds the look at a line against a parse of every file of a tree:
//! `cargo run --release -p grounds-repo --features measure --example standing -- DIR`.
//!
//! Prints each definition whose line alone says that the name is used, which
//! would hide it, and how many definitions were looked at.

use std::collections::BTreeMap;
use std::ffi::OsString;

use grounds_repo::standing::{self, Dialect, NameStanding};
use grounds_syntax::{Parser, languages};

/// Definitions of one file that are looked at.
const DEFINITIONS_MAX: usize = 100_000;

#[expect(clippy::print_stdout, reason = "printing is what this example is for")]
fn main() {
    let folder = std::env::args_os()
        .nth(1)
        .unwrap_or_else(|| OsString::from("."));
    let parser = Parser::default();
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for entry in ignore::Walk::new(folder)
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
    {
        let Some(language) = languages::of_name(&entry.file_name().to_string_lossy()) else {
            continue;
        };
        let Ok(source) = std::fs::read(entry.path()) else {
            continue;
        };
        let Ok(parse) = parser.parse(language, &source, &|| false) else {
            continue;
        };
        let dialect = Dialect::of(entry.path());
        let count = counts.entry(language.name).or_default();
        for (name, _) in parse.definitions(DEFINITIONS_MAX) {
            count.0 += 1;
            let standing = standing::of(&source, name.clone(), dialect);
            let hidden = standing == NameStanding::Use
                || (standing == NameStanding::Member && !language.members_define());
            if hidden {
                count.1 += 1;
                let start =
                    memchr::memrchr(b'\n', &source[..name.start]).map_or(0, |newline| newline + 1);
                let end = memchr::memchr(b'\n', &source[name.end..])
                    .map_or(source.len(), |newline| name.end + newline);
                let line = memchr::memchr_iter(b'\n', &source[..name.start]).count() + 1;
                let (named, text) = (
                    String::from_utf8_lossy(&source[name.clone()]),
                    String::from_utf8_lossy(&source[start..end.min(start + 160)]),
                );
                println!(
                    "{}:{line}: {}: {named}: {}",
                    entry.path().display(),
                    language.name,
                    text.escape_debug()
                );
            }
        }
    }
    for (language, (definitions, hidden)) in counts {
        println!("{language}: {hidden} of {definitions} definitions are hidden by their line");
    }
}
