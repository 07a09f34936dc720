//! A SCIP index as a stream: one document at a time is held, and its fields are
//! borrowed from its bytes. What it says is data: nothing of it is believed here.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::time::Instant;

use super::position::{Encoding, IndexSpan};
use super::wire::{FieldValue, Malformed, WireFields, packed, text};

/// Bytes of one document; a larger one is skipped and reported.
const DOCUMENT_BYTES_MAX: u64 = 64 << 20;
/// Maximum number of documents that are read.
const DOCUMENTS_MAX: u64 = 500_000;
/// Bytes of what the index says of itself.
const METADATA_BYTES_MAX: u64 = 1 << 20;
/// Maximum number of bytes of the name that the index gives itself.
const PRODUCER_BYTES_MAX: usize = 100;

/// Roles of an occurrence, as bits.
pub(super) const DEFINITION: u64 = 1;
pub(super) const IMPORT: u64 = 2;
pub(super) const FORWARD_DEFINITION: u64 = 64;

/// Why an index cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReadError {
    #[error("it could not be read ({0})")]
    Io(std::io::ErrorKind),
    #[error("{0}")]
    Malformed(#[from] Malformed),
    #[error("it ends in the middle of a document")]
    Truncated,
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            Self::Truncated
        } else {
            Self::Io(error.kind())
        }
    }
}

/// What was read on the way.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Passed {
    /// The program that wrote the index, with its version.
    pub(super) producer: String,
    pub(super) documents: u64,
    /// Bounds that were reached.
    pub(super) bounds: Vec<&'static str>,
}

/// One document of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScipDocument<'a> {
    pub(super) path: &'a str,
    pub(super) encoding: Encoding,
    bytes: &'a [u8],
}

/// One occurrence of a symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScipOccurrence<'a> {
    pub(super) symbol: &'a str,
    pub(super) span: IndexSpan,
    pub(super) roles: u64,
    /// The last line of what it introduces, counted from 0; `None` if the index does not say.
    pub(super) enclosing_end: Option<u32>,
}

/// What an index says of a symbol beyond its places.
#[derive(Clone, Debug, Default)]
pub(super) struct Information<'a> {
    pub(super) symbol: &'a str,
    /// The symbols that it implements or extends.
    pub(super) implements: Vec<&'a str>,
}

/// Reads all documents of an index, and passes each to `visit`.
pub(super) fn read(
    file: File,
    deadline: Instant,
    visit: &mut dyn FnMut(ScipDocument<'_>) -> Result<(), Malformed>,
) -> Result<Passed, ReadError> {
    let mut left = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let (mut passed, mut bytes) = (Passed::default(), Vec::new());
    while left > 0 {
        let (key, length) = (
            number(&mut reader, &mut left)?,
            number(&mut reader, &mut left)?,
        );
        // All fields of an index are messages; any other wire type means that the file is no index.
        if key & 7 != 2 || length > left {
            return Err(if key & 7 == 2 {
                ReadError::Truncated
            } else {
                ReadError::Malformed(Malformed)
            });
        }
        left -= length;
        let is_kept = match key >> 3 {
            1 => length <= METADATA_BYTES_MAX,
            2 => length <= DOCUMENT_BYTES_MAX,
            _ => false,
        };
        let is_left_out = key >> 3 == 2 && !is_kept;
        bound(&mut passed, is_left_out, "index_document_bytes_max");
        if !is_kept {
            reader.seek_relative(i64::try_from(length).map_err(|_| Malformed)?)?;
            continue;
        }
        bytes.clear();
        reader.by_ref().take(length).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < length {
            return Err(ReadError::Truncated);
        }
        if key >> 3 == 1 {
            passed.producer = producer(&bytes)?;
            continue;
        }
        passed.documents += 1;
        let is_time_up = Instant::now() > deadline;
        bound(&mut passed, is_time_up, "pass_ms_max");
        let is_past = passed.documents > DOCUMENTS_MAX;
        bound(&mut passed, is_past, "index_documents_max");
        if is_time_up || is_past {
            break;
        }
        // The bounds are checked first, so that no document past them is decoded.
        visit(ScipDocument::of(&bytes)?)?;
    }
    Ok(passed)
}

fn bound(passed: &mut Passed, is_reached: bool, name: &'static str) {
    if is_reached && !passed.bounds.contains(&name) {
        passed.bounds.push(name);
    }
}

/// Reads a number of variable length from the stream.
fn number(reader: &mut BufReader<File>, left: &mut u64) -> Result<u64, ReadError> {
    let mut bytes = [0_u8; 10];
    for count in 1..=bytes.len() {
        let next = *reader.fill_buf()?.first().ok_or(ReadError::Truncated)?;
        reader.consume(1);
        *left = left.saturating_sub(1);
        bytes[count - 1] = next;
        if next & 0x80 == 0 {
            return Ok(super::wire::number(&mut &bytes[..count])?);
        }
    }
    Err(ReadError::Malformed(Malformed))
}

fn producer(metadata: &[u8]) -> Result<String, Malformed> {
    let mut words = Vec::new();
    for field in WireFields(metadata) {
        let (2, FieldValue::Bytes(tool)) = field? else {
            continue;
        };
        for field in WireFields(tool) {
            if let (1 | 2, FieldValue::Bytes(word)) = field? {
                words.push(text(word)?);
            }
        }
    }
    Ok(words.join(" ").chars().take(PRODUCER_BYTES_MAX).collect())
}

impl<'a> ScipDocument<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut document = Self {
            path: "",
            encoding: Encoding::Unsaid,
            bytes,
        };
        for field in WireFields(bytes) {
            match field? {
                (1, FieldValue::Bytes(path)) => document.path = text(path)?,
                (6, FieldValue::Number(encoding)) => {
                    document.encoding = Encoding::of_number(encoding)
                }
                _ => {}
            }
        }
        Ok(document)
    }

    /// Returns the occurrences, in the order of the index; those without a place are skipped.
    pub(super) fn occurrences(self) -> impl Iterator<Item = Result<ScipOccurrence<'a>, Malformed>> {
        self.messages(2)
            .filter_map(|bytes| ScipOccurrence::of(bytes).transpose())
    }

    /// Returns what it says of symbols.
    pub(super) fn information(self) -> impl Iterator<Item = Result<Information<'a>, Malformed>> {
        self.messages(3).map(Information::of)
    }

    /// Reports whether the bytes of the document contain one of the texts: a quick check before
    /// decoding.
    pub(super) fn holds(self, texts: &[memchr::memmem::Finder<'_>]) -> bool {
        texts.iter().any(|text| text.find(self.bytes).is_some())
    }

    fn messages(self, wanted: u64) -> impl Iterator<Item = &'a [u8]> {
        WireFields(self.bytes).filter_map(move |field| match field {
            Ok((number, FieldValue::Bytes(bytes))) if number == wanted => Some(bytes),
            Ok(_) | Err(_) => None,
        })
    }
}

impl<'a> ScipOccurrence<'a> {
    fn of(bytes: &'a [u8]) -> Result<Option<Self>, Malformed> {
        let mut occurrence = Self {
            symbol: "",
            span: IndexSpan::default(),
            roles: 0,
            enclosing_end: None,
        };
        let mut has_span = false;
        for field in WireFields(bytes) {
            match field? {
                (1, FieldValue::Bytes(numbers)) => {
                    (occurrence.span, has_span) = (span(numbers)?, true)
                }
                // Newer indexes write a range as a message of its own (8 to 11), older ones as
                // packed numbers.
                (8, FieldValue::Bytes(message)) => {
                    (occurrence.span, has_span) = (one_line(message)?, true)
                }
                (9, FieldValue::Bytes(message)) => {
                    (occurrence.span, has_span) = (many_lines(message)?, true)
                }
                (2, FieldValue::Bytes(symbol)) => occurrence.symbol = text(symbol)?,
                (3, FieldValue::Number(roles)) => occurrence.roles = roles,
                (7, FieldValue::Bytes(numbers)) => {
                    occurrence.enclosing_end = Some(span(numbers)?.line_end)
                }
                (10, FieldValue::Bytes(message)) => {
                    occurrence.enclosing_end = Some(one_line(message)?.line_end)
                }
                (11, FieldValue::Bytes(message)) => {
                    occurrence.enclosing_end = Some(many_lines(message)?.line_end)
                }
                _ => {}
            }
        }
        Ok(has_span.then_some(occurrence))
    }

    pub(super) const fn is_definition(self) -> bool {
        self.roles & DEFINITION != 0
    }
}

/// Reads a range: three numbers if it is in one line, otherwise four.
fn span(numbers: &[u8]) -> Result<IndexSpan, Malformed> {
    match packed::<4>(numbers)? {
        ([line, start, end, _], 3) => checked([line, start, line, end]),
        (numbers, 4) => checked(numbers),
        _ => Err(Malformed),
    }
}

fn one_line(message: &[u8]) -> Result<IndexSpan, Malformed> {
    let [line, start, end, _] = numbers(message)?;
    checked([line, start, line, end])
}

fn many_lines(message: &[u8]) -> Result<IndexSpan, Malformed> {
    checked(numbers(message)?)
}

fn numbers(message: &[u8]) -> Result<[u64; 4], Malformed> {
    // A field with the value zero is not written.
    let mut numbers = [0; 4];
    for field in WireFields(message) {
        if let (place @ 1..=4, FieldValue::Number(number)) = field? {
            numbers[usize::try_from(place - 1).unwrap_or(0)] = number;
        }
    }
    Ok(numbers)
}

/// Checks that numbers, which are signed in the format, are places.
fn checked(numbers: [u64; 4]) -> Result<IndexSpan, Malformed> {
    let place = |number: u64| {
        i32::try_from(number)
            .ok()
            .and_then(|number| u32::try_from(number).ok())
            .ok_or(Malformed)
    };
    let [line_start, character_start, line_end, character_end] = numbers.map(place);
    Ok(IndexSpan {
        line_start: line_start?,
        character_start: character_start?,
        line_end: line_end?,
        character_end: character_end?,
    })
}

impl<'a> Information<'a> {
    fn of(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut information = Self::default();
        for field in WireFields(bytes) {
            match field? {
                (1, FieldValue::Bytes(symbol)) => information.symbol = text(symbol)?,
                (4, FieldValue::Bytes(relationship)) => {
                    information.implements.extend(implemented(relationship)?)
                }
                _ => {}
            }
        }
        Ok(information)
    }
}

/// Returns the other symbol of a relationship if that is an implementation.
fn implemented(relationship: &[u8]) -> Result<Option<&str>, Malformed> {
    let (mut symbol, mut is_implementation) = ("", false);
    for field in WireFields(relationship) {
        match field? {
            (1, FieldValue::Bytes(bytes)) => symbol = text(bytes)?,
            (3, FieldValue::Number(flag)) => is_implementation = flag != 0,
            _ => {}
        }
    }
    Ok((is_implementation && !symbol.is_empty()).then_some(symbol))
}
