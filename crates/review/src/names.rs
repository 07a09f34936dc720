//! Where names occur in the reviewed tree. Takes the files of a side and names, reads every file of
//! a known language once, and says for each occurrence what it is by the syntax. It reports files
//! that it could not read: then absence is not shown.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use grounds_evidence::Relation;
use grounds_repo::git::Next;
use grounds_syntax::{Parser, languages};

use crate::tree::{Content, Tree, TreeFile, is_binary};

/// Maximum number of names that one review searches.
pub const NAMES_MAX: usize = 20;
/// Maximum number of occurrences of one name that are kept.
const OCCURRENCES_MAX: usize = 2_000;
/// Number of bytes before a name in which its qualifier is searched.
const QUALIFIER_BYTES_MAX: usize = 200;
/// Maximum number of lines of an import before and after a name.
const STATEMENT_LINES_MAX: usize = 20;
/// Maximum time for searching a tree, in milliseconds.
const LOOK_MS_MAX: u64 = 30_000;

/// One place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameOccurrence {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// Its relation to the name.
    pub relation: Relation,
    /// The names of the items around it, outermost first; a definition is not among its own.
    pub containers: Vec<String>,
    /// The word before it, joined by a dot, an arrow or two colons; empty without one.
    pub qualifier: String,
    /// The whole statement of an import; otherwise empty.
    pub statement: String,
}

impl NameOccurrence {
    /// Returns the innermost item that contains it, or `None` at the top level.
    pub fn owner(&self) -> Option<&str> {
        self.containers.last().map(String::as_str)
    }
}

/// The places of names, as far as the tree could be searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The places of each name.
    pub places: BTreeMap<String, Vec<NameOccurrence>>,
    /// The reason that the tree was searched only in part; `None` if it was searched completely.
    pub open: Option<String>,
}

/// Searches names in all files of a side.
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
        // Only files of a known language show what an occurrence is: a mention in a document is
        // neither a use nor a definition.
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
        // The search stopped at its deadline, so a name that was not found may still be in the
        // rest.
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
            let label = parse.label(range);
            let mut containers = label.containers;
            // The syntax counts a class as a container of its own name. The owner of a definition
            // is the item around it.
            if containers.last() == Some(name) && is_head(label.relation) {
                containers.pop();
            }
            occurrences.push(NameOccurrence {
                path: path.to_owned(),
                line: line_of(bytes, at),
                qualifier: qualifier(bytes, at),
                statement: match label.relation {
                    Relation::Imports => statement(bytes, at),
                    _ => String::new(),
                },
                relation: label.relation,
                containers,
            });
        }
    }
}

/// Returns the places of a name that are not a part of a longer one.
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

/// Reports whether a name with this relation is in the head of the item that it names.
const fn is_head(relation: Relation) -> bool {
    matches!(relation, Relation::Defines | Relation::Declares)
}

/// Returns the word that qualifies a name: `cache` for `cache.flush`.
fn qualifier(bytes: &[u8], at: usize) -> String {
    let before = &bytes[at.saturating_sub(QUALIFIER_BYTES_MAX)..at];
    let joined = [&b"."[..], b"->", b"::", b"?."]
        .iter()
        .find_map(|mark| before.strip_suffix(*mark));
    let Some(rest) = joined else {
        return String::new();
    };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$';
    let length = rest.iter().rev().take_while(|byte| is_word(byte)).count();
    match length {
        // In `open().flush`, `items[0].flush` or `"".flush`, the owner cannot be known from the
        // text.
        0 => "?".to_owned(),
        _ => String::from_utf8_lossy(&rest[rest.len() - length..]).into_owned(),
    }
}

/// Returns the lines of the import that contains a name.
fn statement(bytes: &[u8], at: usize) -> String {
    const HEADS: [&str; 9] = [
        "import", "from", "use ", "pub use", "const ", "let ", "var ", "export", "require",
    ];
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let line = (line_of(bytes, at) as usize)
        .saturating_sub(1)
        .min(lines.len().saturating_sub(1));
    let begins = |number: &usize| {
        HEADS
            .iter()
            .any(|head| lines[*number].trim_start().starts_with(head))
    };
    let first = line.saturating_sub(STATEMENT_LINES_MAX);
    let start = (first..=line).rev().find(begins).unwrap_or(line);
    let last = lines.len().min(line + STATEMENT_LINES_MAX);
    let ends = |number: &usize| lines[*number].contains([';', '}', ')', '\'', '"']);
    let end = (line..last).find(ends).unwrap_or(line);
    lines.get(start..=end).unwrap_or_default().join(" ")
}

fn line_of(bytes: &[u8], at: usize) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', &bytes[..at]).count())
        .unwrap_or(u32::MAX)
        .saturating_add(1)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
