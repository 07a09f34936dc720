//! Where names stand in the reviewed tree. Given the files of a side and names,
//! reads every file of a known language once, and says of each occurrence what it is by
//! the syntax. Where not all could be read it says so: then absence is not shown.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use grounds_evidence::Relation;
use grounds_repo::git::Next;
use grounds_syntax::{Parser, languages};

use crate::tree::{Content, Tree, TreeFile, is_binary};

/// Names of one review that are looked for.
pub const NAMES_MAX: usize = 20;
/// Occurrences of one name that are kept.
const OCCURRENCES_MAX: usize = 2_000;
/// Milliseconds that looking through a tree may take.
const LOOK_MS_MAX: u64 = 30_000;

/// One place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// What it is to the name.
    pub relation: Relation,
}

/// Where names stand, as far as the tree could be looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The places of each name.
    pub places: BTreeMap<String, Vec<Occurrence>>,
    /// Why not all of the tree was looked through; none where it was.
    pub open: Option<String>,
}

/// Looks for names in all files of a side.
pub fn look(tree: &Tree, names: &[String]) -> Names {
    let names: Vec<&String> = names.iter().take(NAMES_MAX).collect();
    let mut found = Names {
        places: names
            .iter()
            .map(|name| ((*name).clone(), Vec::new()))
            .collect(),
        open: None,
    };
    let files: Vec<&TreeFile> = tree
        .files()
        .iter()
        .filter(|file| languages::of_name(file_name(&file.path)).is_some())
        .collect();
    let (parser, until) = (
        Parser::default(),
        Instant::now() + Duration::from_millis(LOOK_MS_MAX),
    );
    let mut at = 0;
    let read = tree.each(&files, &mut |place, content| {
        at = place + 1;
        match content {
            Content::Bytes(bytes) if is_binary(&bytes) => {}
            Content::Bytes(bytes) => look_in(
                &files[place].path,
                &bytes,
                &names,
                &parser,
                until,
                &mut found,
            ),
            Content::TooLarge(_) | Content::Missing => {
                found.open = Some(format!("`{}` could not be read", files[place].path))
            }
        }
        if Instant::now() < until {
            Next::GoOn
        } else {
            Next::Stop
        }
    });
    match read {
        Err(error) => found.open = Some(error.to_string()),
        Ok(()) if at < files.len() => {
            found.open = Some(format!(
                "{LOOK_MS_MAX} ms passed after {at} of {} files",
                files.len()
            ))
        }
        Ok(()) => {}
    }
    found
}

fn look_in(
    path: &str,
    bytes: &[u8],
    names: &[&String],
    parser: &Parser,
    until: Instant,
    found: &mut Names,
) {
    let places: Vec<(&String, usize)> = names
        .iter()
        .flat_map(|name| whole_words(bytes, name).map(move |at| (*name, at)))
        .collect();
    if places.is_empty() {
        return;
    }
    let head = &bytes[..bytes.len().min(256)];
    let Some(language) = languages::of_file(file_name(path), head) else {
        return;
    };
    let ranges: Vec<std::ops::Range<usize>> = places
        .iter()
        .map(|(name, at)| *at..at + name.len())
        .collect();
    let Ok(parse) = parser.parse_around(language, bytes, &ranges, &|| Instant::now() >= until)
    else {
        found.open = Some(format!("`{path}` could not be parsed in time"));
        return;
    };
    for ((name, at), range) in places.into_iter().zip(ranges) {
        let occurrences = found.places.entry(name.clone()).or_default();
        if occurrences.len() < OCCURRENCES_MAX {
            occurrences.push(Occurrence {
                path: path.to_owned(),
                line: line_of(bytes, at),
                relation: parse.label(range).relation,
            });
        }
    }
}

/// The places of a name that are no part of a longer one.
fn whole_words<'b>(bytes: &'b [u8], name: &'b str) -> impl Iterator<Item = usize> + 'b {
    let is_word = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    let is_whole = move |at: &usize| {
        !is_word(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && !is_word(bytes.get(at + name.len()))
    };
    memchr::memmem::find_iter(bytes, name.as_bytes()).filter(is_whole)
}

fn line_of(bytes: &[u8], at: usize) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', &bytes[..at]).count())
        .unwrap_or(u32::MAX)
        .saturating_add(1)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
