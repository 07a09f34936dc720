//! One pass over the files of the reviewed side for all names at once.
//!
//! Takes names, and returns for each the places where it may be defined and, for the names that
//! changed, where it is used: by the look of the line, without a parse. It labels nothing. Files
//! are split into a fixed number of chunks, so that the result does not depend on the threads.

use std::ops::Range;

use grounds_repo::defining::defined_on;
use grounds_repo::git::{GitError, Next};
use grounds_repo::standing::{self, Dialect, NameStanding};

use super::bodies;
use super::words::{NumberedNames, words_in};
use crate::threads;
use crate::tree::{Content, Tree, TreeFile, is_binary};

/// Number of chunks into which the files are divided.
const CHUNKS: usize = 16;
/// Maximum number of bytes of a file that is searched: no person wrote a larger one.
const FILE_BYTES_MAX: usize = 1 << 20;
/// Maximum number of places of one name that one chunk keeps, of each kind.
const PLACES_MAX: usize = 32;
/// Number of ranks of places.
const RANKS: usize = 4;

/// The names to search.
#[derive(Debug)]
pub(super) struct Sought<'n> {
    /// The names of each family of languages.
    pub(super) families: Vec<FamilyNames<'n>>,
    /// Number of names in all.
    pub(super) count: usize,
    /// For each name, whether its uses are wanted too.
    pub(super) wants_uses: Vec<bool>,
}

/// The names to search in files of one family of languages.
#[derive(Debug)]
pub(super) struct FamilyNames<'n> {
    /// The family.
    pub(super) family: &'static str,
    /// Names whose definitions are wanted.
    pub(super) all: NumberedNames<'n>,
    /// Those of them whose uses are wanted too.
    pub(super) used: NumberedNames<'n>,
}

/// A place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamePlace {
    /// The file, by its place in the list of files.
    pub(super) file: u32,
    /// The name, by its number.
    pub(super) name: u32,
    /// The bytes of it.
    pub(super) range: Range<usize>,
    /// Its form at this place.
    pub(super) standing: NameStanding,
    /// Whether its line looks like one that defines just this name.
    pub(super) is_defined_on_line: bool,
}

impl NamePlace {
    /// Places in the order of the files and of the text.
    const fn key(&self) -> (u32, usize) {
        (self.file, self.range.start)
    }
}

/// The result of a pass.
#[derive(Clone, Debug, Default)]
pub(super) struct ScanResult {
    /// Places where a name may be defined, in the order of the files.
    pub(super) definitions: Vec<NamePlace>,
    /// Places where a name that changed is used.
    pub(super) uses: Vec<NamePlace>,
    /// For each name, how many places look like its definition, before any was dropped.
    pub(super) counts: Vec<u32>,
    /// Files that could not be read.
    pub(super) unread: usize,
}

/// Words that a definition of a member can begin with.
const MODIFIERS: &[&str] = &[
    "abstract",
    "const",
    "final",
    "internal",
    "open",
    "override",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "sealed",
    "static",
    "unsafe",
    "virtual",
    "volatile",
];

/// Returns the family of a language: languages of one family see the names of each other.
pub(super) fn family(language: &str) -> &'static str {
    match language {
        "C" | "C++" | "Objective-C" => "C",
        "JavaScript" | "TypeScript" | "TSX" | "Vue" | "Svelte" => "JavaScript",
        "Java" | "Kotlin" | "Scala" | "Groovy" => "Java",
        other => {
            let known = grounds_syntax::languages::ALL
                .iter()
                .find(|language| language.name == other);
            known.map_or("", |language| language.name)
        }
    }
}

/// Returns the family of a file, by its name.
pub(super) fn family_of_path(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    grounds_syntax::languages::of_name(name).map(|language| family(language.name))
}

/// Searches the files that `picks` names.
pub(super) fn pass(
    tree: &Tree,
    picks: &[u32],
    sought: &Sought<'_>,
    threads: usize,
) -> Result<ScanResult, GitError> {
    let chunks: Vec<&[u32]> = picks.chunks(picks.len().div_ceil(CHUNKS).max(1)).collect();
    let results = threads::each(
        &chunks,
        threads,
        || (),
        |(), chunk| look_through(tree, chunk, sought),
    );
    let mut all = ScanResult {
        counts: vec![0; sought.count],
        ..ScanResult::default()
    };
    for found in results {
        let found = found?;
        all.definitions.extend(found.definitions);
        all.uses.extend(found.uses);
        all.unread += found.unread;
        all.counts
            .iter_mut()
            .zip(found.counts)
            .for_each(|(sum, count)| *sum += count);
    }
    Ok(all)
}

fn look_through(tree: &Tree, picks: &[u32], sought: &Sought<'_>) -> Result<ScanResult, GitError> {
    let mut shelves = FirstPlaces::of(sought.count);
    let mut unread = 0;
    let files: Vec<&TreeFile> = picks
        .iter()
        .map(|pick| &tree.files()[*pick as usize])
        .collect();
    tree.each_in_any_order(&files, &mut |index, content| {
        match &content {
            Content::Bytes(bytes) if bytes.len() <= FILE_BYTES_MAX && !is_binary(bytes) => {
                look_at(
                    picks[index],
                    &files[index].path,
                    bytes,
                    sought,
                    &mut shelves,
                );
            }
            // A binary or a huge file defines nothing that a person would look up, so it is no gap.
            Content::Bytes(_) => {}
            Content::TooLarge(_) | Content::Missing => unread += 1,
        }
        Next::GoOn
    })?;
    Ok(shelves.found(unread))
}

fn look_at(file: u32, path: &str, text: &[u8], sought: &Sought<'_>, shelves: &mut FirstPlaces) {
    let family = family_of_path(path);
    let Some(names) = sought
        .families
        .iter()
        .find(|names| Some(names.family) == family)
    else {
        return;
    };
    let dialect = Dialect::of(std::path::Path::new(path));
    let look = ScannedFile {
        file,
        text,
        dialect,
        wants_uses: &sought.wants_uses,
    };
    let parts = bodies::parts(text, dialect);
    let mut lines = DefiningLines::of(text, path);
    parts
        .outside
        .into_iter()
        .for_each(|part| look.outside(part, &names.all, &mut lines, shelves));
    // A body only uses names, so without changed names it need not be searched.
    if !names.used.is_empty() {
        parts
            .inside
            .into_iter()
            .for_each(|part| look.inside(part, &names.used, shelves));
    }
}

/// One file that is searched.
struct ScannedFile<'t> {
    file: u32,
    text: &'t [u8],
    dialect: Dialect,
    wants_uses: &'t [bool],
}

impl ScannedFile<'_> {
    /// Searches names in a part where they may be defined.
    fn outside(
        &self,
        part: Range<usize>,
        names: &NumberedNames<'_>,
        lines: &mut DefiningLines<'_>,
        shelves: &mut FirstPlaces,
    ) {
        for range in words_in(self.text, part) {
            let Some(name) = names.number(self.text, &range) else {
                continue;
            };
            let mut place = self.place(name, range);
            if self.is_candidate(&place) {
                place.is_defined_on_line = lines.define(&place.range);
                shelves.put_definition(&place);
            }
            if self.wants_uses[name as usize] {
                shelves.uses[name as usize].put(&place);
            }
        }
    }

    /// Searches names in a part where they can only be used.
    fn inside(&self, part: Range<usize>, names: &NumberedNames<'_>, shelves: &mut FirstPlaces) {
        for range in words_in(self.text, part) {
            if let Some(name) = names.number(self.text, &range) {
                shelves.uses[name as usize].put(&self.place(name, range));
            }
        }
    }

    fn place(&self, name: u32, range: Range<usize>) -> NamePlace {
        let standing = standing::of(self.text, range.clone(), self.dialect);
        NamePlace {
            file: self.file,
            name,
            range,
            standing,
            is_defined_on_line: false,
        }
    }

    /// Reports whether a name may be defined at a place. In C and C++, `value->name =` defines no
    /// member, but in other languages it can.
    fn is_candidate(&self, place: &NamePlace) -> bool {
        match place.standing {
            NameStanding::Use => false,
            NameStanding::Member => self.dialect != Dialect::C,
            NameStanding::Possible | NameStanding::Likely => {
                self.dialect != Dialect::C || !is_tag_of_value(self.text, &place.range)
            }
        }
    }
}

/// Reports whether a name of C or C++ is only the tag of the type of a value: `struct name *value`.
/// A type is used far more often than it is defined, and the lines look alike.
fn is_tag_of_value(text: &[u8], name: &Range<usize>) -> bool {
    let before = text[..name.start].trim_ascii_end();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_tag = [b"struct".as_slice(), b"union", b"enum"]
        .iter()
        .any(|word| {
            let rest = before.strip_suffix(*word);
            rest.is_some_and(|rest| before.len() < name.start && !rest.last().is_some_and(is_word))
        });
    if !is_tag {
        return false;
    }
    let after = &text[name.end..];
    let line = after[..memchr::memchr(b'\n', after).unwrap_or(after.len())].trim_ascii();
    // A definition opens a brace here or on the next line: `struct name {`, `struct name : base`,
    // `struct name final`, `struct name // …`.
    let may_open = line.is_empty()
        || line.starts_with(b":")
        || line.starts_with(b"/")
        || line == b"final"
        || memchr::memchr(b'{', line).is_some();
    !may_open
}

/// The first places of each name in the order of the files, whatever order they are found in: for
/// each rank, and for uses.
struct FirstPlaces {
    definitions: Vec<PlaceShelf>,
    uses: Vec<PlaceShelf>,
    counts: Vec<u32>,
}

impl FirstPlaces {
    fn of(names: usize) -> Self {
        Self {
            definitions: vec![PlaceShelf::default(); names * RANKS],
            uses: vec![PlaceShelf::default(); names],
            counts: vec![0; names],
        }
    }

    fn put_definition(&mut self, place: &NamePlace) {
        let name = place.name as usize;
        self.counts[name] += 1;
        self.definitions[name * RANKS + rank(place)].put(place);
    }

    fn found(self, unread: usize) -> ScanResult {
        let in_order = |shelves: Vec<PlaceShelf>| {
            let mut places: Vec<NamePlace> =
                shelves.into_iter().flat_map(|shelf| shelf.0).collect();
            places.sort_by_key(NamePlace::key);
            places
        };
        ScanResult {
            definitions: in_order(self.definitions),
            uses: in_order(self.uses),
            counts: self.counts,
            unread,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct PlaceShelf(Vec<NamePlace>);

impl PlaceShelf {
    fn put(&mut self, place: &NamePlace) {
        // Files come in any order, so a later one can have an earlier place than those that are
        // kept.
        if self.0.len() == PLACES_MAX && self.0.last().is_some_and(|last| last.key() <= place.key())
        {
            return;
        }
        self.0.insert(
            self.0.partition_point(|kept| kept.key() <= place.key()),
            place.clone(),
        );
        self.0.truncate(PLACES_MAX);
    }
}

/// Returns how certain it is that a place is a definition, by the look of its line; 0 is the most
/// certain.
pub(super) const fn rank(place: &NamePlace) -> usize {
    match place.standing {
        _ if place.is_defined_on_line => 0,
        NameStanding::Likely => 1,
        NameStanding::Possible => 2,
        NameStanding::Member | NameStanding::Use => 3,
    }
}

/// The lines of a text, asked about in order: what a line defines is found once for all names on
/// it.
#[derive(Debug)]
pub(super) struct DefiningLines<'t> {
    text: &'t [u8],
    is_header: bool,
    has_mixed_cases: bool,
    /// The line that was asked about last.
    line: Range<usize>,
    /// The start of the name that this line seems to define; `None` if it does not look like a
    /// definition.
    defined: Option<usize>,
}

impl<'t> DefiningLines<'t> {
    /// Returns the lines of the text of a file.
    pub(super) fn of(text: &'t [u8], path: &str) -> Self {
        Self {
            text,
            is_header: is_header(path),
            has_mixed_cases: [".cs", ".java", ".kt"]
                .iter()
                .any(|ending| path.ends_with(ending)),
            line: 0..0,
            defined: None,
        }
    }

    /// Reports whether the line of a name seems to define just this name.
    pub(super) fn define(&mut self, name: &Range<usize>) -> bool {
        if name.start < self.line.start || self.line.end < name.end {
            self.go_to_line_of(name);
        }
        let (before, after) = (
            &self.text[self.line.start..name.start],
            &self.text[name.end..self.line.end],
        );
        self.defined == Some(name.start)
            || is_typed_member(before, after)
            || is_case(
                before,
                &self.text[name.clone()],
                after,
                self.has_mixed_cases,
            )
            || (self.is_header && is_field(before, after))
    }

    fn go_to_line_of(&mut self, name: &Range<usize>) {
        let start =
            memchr::memrchr(b'\n', &self.text[..name.start]).map_or(0, |newline| newline + 1);
        let end = memchr::memchr(b'\n', &self.text[name.end..])
            .map_or(self.text.len(), |length| name.end + length);
        self.line = start..end;
        self.defined = defined_on(&self.text[start..end]).map(|found| start + found.start);
    }
}

/// Reports whether a file of C or C++ declares for others: a name with a type before it is a field
/// there, and not a local variable.
fn is_header(path: &str) -> bool {
    [".h", ".hpp", ".hh", ".hxx", ".inc"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

/// Reports whether a name has the form of a field: `int32_t letter_space;`.
fn is_field(before: &[u8], after: &[u8]) -> bool {
    let is_plain = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b' ' | b'\t' | b'*' | b':' | b'<' | b'>')
    };
    let is_typed = before
        .trim_ascii()
        .first()
        .is_some_and(u8::is_ascii_alphabetic)
        && before.iter().all(is_plain);
    is_typed && matches!(after.trim_ascii_start().first(), Some(b';' | b'[' | b':'))
}

/// Reports whether a name begins its line as the cases of an enumeration do: in capitals, or
/// capitalised in C#, Java and Kotlin.
fn is_case(before: &[u8], name: &[u8], after: &[u8], has_mixed_cases: bool) -> bool {
    let is_capital = name
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    let after = after.trim_ascii_start();
    // A case ends with a comma, a comment or its line, or has a value: `RED,`, `RED = 1`.
    let ends = matches!(after.first(), None | Some(b',' | b'/'))
        || (after.starts_with(b"=") && !after.starts_with(b"=="));
    let is_named =
        is_capital || has_mixed_cases && name.first().is_some_and(u8::is_ascii_uppercase);
    is_named && before.trim_ascii().is_empty() && ends
}

/// Reports whether a name has the form of a member: `internal readonly Type name =`,
/// `protected Type name {`.
fn is_typed_member(before: &[u8], after: &[u8]) -> bool {
    let before = before.trim_ascii();
    let mut words = before.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
    let is_modified = words
        .next()
        .is_some_and(|word| MODIFIERS.iter().any(|known| known.as_bytes() == word));
    let ends_as_type = before.last().is_some_and(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'>' | b']' | b'?' | b'*' | b'&' | b'_')
    });
    let opens = matches!(
        after.trim_ascii_start().first(),
        None | Some(b'{' | b'=' | b';' | b'(' | b':' | b'<')
    );
    // In `private Type other = name`, the name is a value and not the member.
    let is_plain = !before.iter().any(|byte| matches!(byte, b'=' | b'(' | b'"'));
    is_modified && ends_as_type && opens && is_plain
}
