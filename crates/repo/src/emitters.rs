//! The places that can emit a message: literals that are the message, or whose fixed parts make it
//! up; and the places that only quote it.
//!
//! Takes what the pass saw of the pieces of a message, and parses the files that contain enough of
//! them, in a fixed order and up to a limit of bytes.

use std::collections::BTreeSet;
use std::ops::Range;

use grounds_evidence::{FileRole, MentionPlace, Relation};
use grounds_syntax::literal::{self, Literal, LiteralPart};
use grounds_syntax::{Language, Parse, languages};

use crate::checkout::Checkout;
use crate::labels;
use crate::limits::Limits;
use crate::message::{Message, PIECES_MAX};
use crate::path::RepoPath;
use crate::role;
use crate::scope::{SearchScope, SkipReason};
use crate::survey::{FileHits, Survey};
use crate::template::{self, Fitted, LiteralFit};
use crate::{text, threads};

/// Literals of one file that are compared.
const LITERALS_MAX: usize = 2_000;
/// Bytes around a piece within which the other pieces of the same literal are.
const TOGETHER_BYTES: usize = 600;
/// Number of lines up to which a literal is cited as a whole; of a longer one, the line of the
/// piece is cited.
const LINES_MAX: u32 = 6;

/// The relation of a place to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// A literal of the code is the message.
    Literal,
    /// The fixed parts of a literal of the code make it up.
    Format,
    /// A literal could make it among much else, or only a test contains it.
    Loose,
    /// Prose or a comment quotes it.
    Quoted,
}

/// A place that can emit a message, or quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitter {
    /// What it is.
    pub grade: Grade,
    /// The part that the file plays.
    pub role: FileRole,
    /// Letters of the message that its fixed parts cover.
    pub letters: usize,
    /// The file.
    pub path: RepoPath,
    /// The line of the literal, counted from 1.
    pub line: u32,
    /// The last line of it.
    pub line_end: u32,
    /// What the text is in.
    pub relation: Relation,
    /// Whether it is a literal of a test or of prose, which repeats what the code may emit.
    pub is_of_a_test: bool,
    /// The names of what encloses it, outermost first.
    pub containers: Vec<String>,
    /// The name of the file's language.
    pub language: &'static str,
}

/// The places of a message.
#[derive(Clone, Debug, Default)]
pub struct Emitters {
    /// The places, best first.
    pub places: Vec<Emitter>,
    /// The files that were skipped.
    pub scope: SearchScope,
}

/// Searches the files that contain enough of the pieces of a message.
pub fn look(
    checkout: &Checkout,
    survey: &Survey,
    number: usize,
    message: &Message,
    limits: &Limits,
) -> Emitters {
    let pieces = |file: &FileHits| file.words.get(number).copied().unwrap_or(0);
    let mut files: Vec<&FileHits> = survey
        .files
        .iter()
        .filter(|file| pieces(file) != 0 && message.could_come_from(pieces(file)))
        .collect();
    files.sort_by_cached_key(|file| {
        (
            // The limit of bytes drops the last files, so those with most of the message come
            // first.
            std::cmp::Reverse(pieces(file).count_ones()),
            role::of(&file.path),
            file.path.clone(),
        )
    });
    let (within, mut scope) = bounded(files, limits);
    let of_hits = |(): &mut (), file: &&FileHits| of_file(checkout, &file.path, message, limits);
    let found = threads::each(&within, limits.threads, || (), of_hits);
    let mut places = Vec::new();
    for (file, found) in within.iter().zip(found) {
        match found {
            Ok(found) => places.extend(found),
            Err(reason) => scope.skip(reason, file.path.as_str()),
        }
    }
    places.sort_by(rank);
    Emitters { places, scope }
}

fn bounded<'s>(files: Vec<&'s FileHits>, limits: &Limits) -> (Vec<&'s FileHits>, SearchScope) {
    let (mut scope, mut bytes) = (SearchScope::default(), 0);
    let (within, past): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| {
        bytes += file.bytes;
        bytes <= limits.parse_bytes_max
    });
    past.iter()
        .for_each(|file| scope.skip(SkipReason::ParseBytes, file.path.as_str()));
    (within, scope)
}

/// Orders places best first: grade, most of the message, code before tests, then the order of the
/// tree.
fn rank(one: &Emitter, other: &Emitter) -> std::cmp::Ordering {
    let key = |place: &Emitter| {
        (
            // Every literal that is the message has all of it, so only the role decides among them.
            place.grade,
            std::cmp::Reverse(if place.grade == Grade::Literal {
                0
            } else {
                place.letters
            }),
            place.role,
        )
    };
    key(one)
        .cmp(&key(other))
        .then_with(|| (&one.path, one.line).cmp(&(&other.path, other.line)))
}

/// Returns the places of one file.
///
/// # Errors
/// Why it could not be read.
pub fn of_file(
    checkout: &Checkout,
    path: &RepoPath,
    message: &Message,
    limits: &Limits,
) -> Result<Vec<Emitter>, SkipReason> {
    let source = text::read_whole(
        &checkout.root().join(path.as_path()),
        limits.parse_file_bytes_max,
    )
    .map_err(|reason| match reason {
        SkipReason::TooLarge => SkipReason::Unparsed,
        // The pass has read this file, so it is gone or another one by now.
        _ => SkipReason::Changed,
    })?;
    let hits = promising(&source, message);
    if hits.is_empty() {
        return Ok(Vec::new());
    }
    let language = languages::of_file(path.file_name(), &source);
    let parse = match language {
        Some(language) => Some((
            language,
            labels::parse(language, &source).ok_or(SkipReason::Unparsed)?,
        )),
        None => None,
    };
    let reader = EmitterReader {
        path,
        source: &source,
        parse,
        message,
    };
    Ok(reader.places(&hits))
}

/// Returns the positions of pieces that have enough of the others around them.
fn promising(source: &[u8], message: &Message) -> Vec<usize> {
    let mut hits: Vec<(usize, usize)> = Vec::new();
    for number in 0..message.pieces.len().min(PIECES_MAX) {
        let found = memchr::memmem::find_iter(source, message.piece(number)).map(|at| (at, number));
        hits.extend(found.take(LITERALS_MAX));
    }
    hits.sort_unstable();
    let (mut first, mut kept) = (0, Vec::new());
    for index in 0..hits.len() {
        // The hits are in order, so the first one within reach only moves on.
        while hits[first].0 + TOGETHER_BYTES < hits[index].0 {
            first += 1;
        }
        let upto = hits[index..]
            .iter()
            .take_while(|hit| hit.0 <= hits[index].0 + TOGETHER_BYTES)
            .take(LITERALS_MAX)
            .count();
        let around = hits[first..index + upto]
            .iter()
            .fold(0_u16, |bits, (_, number)| bits | (1 << number));
        if message.could_come_from(around) {
            kept.push(hits[index].0);
        }
    }
    kept.truncate(LITERALS_MAX);
    kept
}

struct EmitterReader<'a> {
    path: &'a RepoPath,
    source: &'a [u8],
    parse: Option<(&'static Language, Parse<'a>)>,
    message: &'a Message,
}

impl EmitterReader<'_> {
    fn places(&self, hits: &[usize]) -> Vec<Emitter> {
        let (mut seen, mut found): (BTreeSet<usize>, Vec<Emitter>) = (BTreeSet::new(), Vec::new());
        for &at in hits {
            let literal = self.literal(at);
            let key = literal.as_ref().map_or(at, |literal| literal.range.start);
            // A long literal may contain several pieces, of which one is near the cited line.
            let is_long = literal
                .as_ref()
                .is_some_and(|literal| literal.range.len() > TOGETHER_BYTES);
            if !seen.insert(if is_long { at } else { key }) {
                continue;
            }
            let place = match literal {
                Some(literal) => template::fit(&literal.parts, self.message)
                    .map(|fitted| self.emitter(at, &literal, fitted)),
                None => self.quotation(at),
            };
            found.extend(
                place.filter(|place| !found.iter().any(|known: &Emitter| known.line == place.line)),
            );
        }
        found
    }

    /// Returns the literal at a place: by the syntax of the file, or by the marks on its line. In
    /// data it may also be what follows a key.
    fn literal(&self, at: usize) -> Option<Literal> {
        match &self.parse {
            Some((_, parse)) => parse.literal(at),
            // Quotes in prose are no literals of code.
            None if role::of(self.path) == FileRole::Documentation => None,
            None => literal::on_line(self.source, at).or_else(|| value_on_line(self.source, at)),
        }
    }

    fn emitter(&self, at: usize, literal: &Literal, fitted: Fitted) -> Emitter {
        let role = role::of(self.path);
        let grade = match fitted.fit {
            LiteralFit::Literal => Grade::Literal,
            LiteralFit::Format => Grade::Format,
            LiteralFit::Loose => Grade::Loose,
        };
        let is_of_a_test = matches!(
            role,
            FileRole::Test | FileRole::Fixture | FileRole::Documentation | FileRole::Backup
        ) && grade < Grade::Loose;
        let relation = match self.parse {
            Some(_) => Relation::Mentions(MentionPlace::String),
            None => Relation::Mentions(MentionPlace::Data),
        };
        let (first, last) = (
            self.line_of(literal.range.start),
            self.line_of(literal.range.end.saturating_sub(1)),
        );
        // A help text of many lines is no citation: only the line of the piece is shown.
        let (line, line_end) = if last - first < LINES_MAX {
            (first, last)
        } else {
            (self.line_of(at), self.line_of(at))
        };
        let grade = if is_of_a_test { Grade::Loose } else { grade };
        Emitter {
            grade,
            role,
            letters: fitted.letters,
            line,
            line_end,
            relation,
            is_of_a_test,
            ..self.place(at)
        }
    }

    /// Returns a place that has the whole message outside of a literal.
    fn quotation(&self, at: usize) -> Option<Emitter> {
        let (start, end) = (
            at.saturating_sub(self.message.text.len()),
            self.source.len().min(at + self.message.text.len() + 1),
        );
        let around = String::from_utf8_lossy(&self.source[start..end]);
        let said = self
            .message
            .text
            .trim_matches(|letter: char| !letter.is_alphanumeric());
        let has_all = around
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(said);
        let place = self.place(at);
        // A single word is in too many places to be a quotation.
        let is_quoted =
            has_all && said.contains(' ') && matches!(place.relation, Relation::Mentions(_));
        is_quoted.then_some(Emitter {
            grade: Grade::Quoted,
            letters: said.len(),
            ..place
        })
    }

    /// Returns the emitter at a byte position.
    fn place(&self, at: usize) -> Emitter {
        let role = role::of(self.path);
        let range: Range<usize> = at..at + 1;
        let label = self.parse.as_ref().map(|(_, parse)| parse.label(range));
        let plain = if role == FileRole::Documentation {
            MentionPlace::Prose
        } else {
            MentionPlace::Data
        };
        let relation = label
            .as_ref()
            .map_or(Relation::Mentions(plain), |label| label.relation);
        let (line, language) = (
            self.line_of(at),
            self.parse
                .as_ref()
                .map_or("", |(language, _)| language.name),
        );
        let containers = label.map_or_else(Vec::new, |label| label.containers);
        Emitter {
            grade: Grade::Loose,
            role,
            letters: 0,
            path: self.path.clone(),
            line,
            line_end: line,
            relation,
            is_of_a_test: false,
            containers,
            language,
        }
    }

    fn line_of(&self, at: usize) -> u32 {
        let newlines =
            memchr::memchr_iter(b'\n', &self.source[..at.min(self.source.len())]).count();
        u32::try_from(newlines + 1).unwrap_or(u32::MAX)
    }
}

/// Returns what follows the first `=` or `:` of a line of data.
fn value_on_line(source: &[u8], at: usize) -> Option<Literal> {
    let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |length| at + length);
    let key = source[start..at]
        .iter()
        .position(|byte| matches!(byte, b'=' | b':'))?;
    let from = start + key + 1;
    let text = String::from_utf8_lossy(source.get(from..end)?)
        .trim()
        .to_owned();
    Some(Literal {
        range: from..end,
        parts: vec![LiteralPart::Text(text)],
    })
}
