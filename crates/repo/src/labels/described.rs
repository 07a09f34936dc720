//! The definitions that a phrase describes.
//!
//! A file is parsed only if its lines show that it could contain one: every word of the phrase
//! occurs where a name could be defined or where documentation begins.

use std::ops::Range;

use grounds_evidence::{QuestionTarget, name};
use grounds_syntax::{Label, Language, doc_line, languages};

use super::{LabelledPlace, Places, could_stand, over_candidates, parse_around, place, rank};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::needles::{Needles, OccurrenceForm, content_words_of};
use crate::role;
use crate::scope::{SearchScope, SkipReason};
use crate::standing::{self, Dialect, NameStanding};
use crate::survey::{FileHits, Hit, Survey};
use crate::text;
use crate::vocabulary::is_name_byte;

/// Definitions of one file that are compared with a phrase.
const DEFINITIONS_MAX: usize = 20_000;
/// Lines between the start of documentation and what it documents.
const DOCUMENTATION_LINES_MAX: usize = 400;

/// Returns the definitions whose name, container and documentation line together contain every
/// content word of a phrase.
pub fn described(
    checkout: &Checkout,
    survey: &Survey,
    number: usize,
    target: &QuestionTarget,
    limits: &Limits,
) -> Places {
    let words = content_words_of(target);
    // The survey has 16 bits for the words of a target.
    let all_bits = (1_u32 << words.len().min(16)) - 1;
    let holds_all =
        |file: &&FileHits| u32::from(file.words.get(number).copied().unwrap_or(0)) == all_bits;
    let candidates = if words.len() < 2 {
        Vec::new()
    } else {
        survey.files.iter().filter(holds_all).collect()
    };
    let needles = Needles::of_targets(std::slice::from_ref(target));
    let read = |file: &FileHits, scope: &mut SearchScope| {
        describe_file(checkout, file, (&words, &needles), limits, scope)
    };
    let (mut places, scope) = over_candidates(candidates, limits, &read);
    let named = |place: &LabelledPlace| {
        let known = name::words(&place.name);
        words.iter().filter(|word| known.contains(word)).count()
    };
    // Words in the name itself count before those that a container or a comment adds.
    let most = places
        .iter()
        .filter(|place| !place.is_in_a_test())
        .map(named)
        .max()
        .unwrap_or(0);
    places.retain(|place| named(place) >= most);
    places.sort_by(rank);
    Places {
        places,
        others: Vec::new(),
        unlabelled: 0,
        scope,
    }
}

fn describe_file(
    checkout: &Checkout,
    file: &FileHits,
    (words, needles): (&[String], &Needles),
    limits: &Limits,
    scope: &mut SearchScope,
) -> Vec<LabelledPlace> {
    let Some(language) = languages::of_name(file.path.file_name()) else {
        return Vec::new();
    };
    if file.bytes > limits.parse_file_bytes_max {
        scope.skip(SkipReason::Unparsed, file.path.as_str());
        return Vec::new();
    }
    let Ok(source) = text::read_whole(
        &checkout.root().join(file.path.as_path()),
        limits.parse_file_bytes_max,
    ) else {
        scope.skip(SkipReason::Changed, file.path.as_str());
        return Vec::new();
    };
    let places = likely_places(&source, file, needles, words.len());
    if places.is_empty() {
        return Vec::new();
    }
    let Some(parse) = parse_around(language, &source, &places) else {
        scope.skip(SkipReason::Unparsed, file.path.as_str());
        return Vec::new();
    };
    let definitions = parse.definitions(DEFINITIONS_MAX);
    let holds = definitions
        .into_iter()
        .filter(|(range, label)| holds_words(&source, range, label, words));
    holds
        .map(|(range, label)| described_place(&source, file, range, label, language))
        .collect()
}

/// Returns where to parse a file for definitions that some words describe; nothing if its lines
/// lack a word.
fn likely_places(
    source: &[u8],
    file: &FileHits,
    needles: &Needles,
    words: usize,
) -> Vec<Range<usize>> {
    let dialect = Dialect::of(file.path.as_path());
    let (mut named, mut documented) = (0_u32, 0_u32);
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while let Some(found) = needles.find(source, from) {
        // Two words of the phrase may overlap in the text.
        from = found.start + 1;
        let OccurrenceForm::Word(word) = needles.get(found.needle).form else {
            continue;
        };
        let bit = 1_u32.checked_shl(word.into()).unwrap_or(0);
        let name = name_around(source, found.start..found.end);
        if could_stand(file, standing::of(source, name.clone(), dialect)) {
            named |= bit;
            places.push(name);
        } else if let Some(place) = documented_at(source, found.start) {
            documented |= bit;
            places.push(place..place + 1);
        }
    }
    let all = (1_u32 << words.min(16)) - 1;
    // As in `holds_words`, a comment alone describes nothing.
    if named == 0 || (named | documented) & all != all {
        return Vec::new();
    }
    places.sort_by_key(|place| place.start);
    places.dedup();
    places
}

/// Returns the whole name that contains some bytes.
fn name_around(source: &[u8], part: Range<usize>) -> Range<usize> {
    let is_name = |byte: &&u8| is_name_byte(**byte);
    let before = source[..part.start]
        .iter()
        .rev()
        .take_while(is_name)
        .count();
    let after = source[part.end..].iter().take_while(is_name).count();
    part.start - before..part.end + after
}

/// Returns what the line at a place documents, if documentation begins with that line. In a string
/// it is the place itself, else the first line below the comment.
fn documented_at(source: &[u8], at: usize) -> Option<usize> {
    let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
    let line = source[start..].split(|byte| *byte == b'\n').next()?;
    let above = source[..start.saturating_sub(1)].trim_ascii_end();
    let above = above.rsplit(|byte| *byte == b'\n').next()?.trim_ascii();
    let opens_string = above.ends_with(b"\"\"\"") || above.ends_with(b"'''");
    if opens_string || is_string(line.trim_ascii_start()) {
        return Some(at);
    }
    let opens_comment = above.ends_with(b"/*") || above.ends_with(b"/**");
    // Only the first line of a comment counts, and this one continues a comment.
    let goes_on = is_comment(above) && above.iter().any(u8::is_ascii_alphanumeric);
    if !opens_comment && (!is_comment(line.trim_ascii_start()) || goes_on) {
        return None;
    }
    let line = line.trim_ascii();
    let mut is_inside = (opens_comment || line.starts_with(b"/*")) && !line.ends_with(b"*/");
    let mut next = start;
    for _ in 0..DOCUMENTATION_LINES_MAX {
        next += source[next..].split(|byte| *byte == b'\n').next()?.len() + 1;
        let line = source.get(next..)?.split(|byte| *byte == b'\n').next()?;
        let text = line.trim_ascii();
        // Blank lines, decorators and annotations can come between the comment and the definition.
        let goes_on = is_inside || is_comment(text) || text.is_empty() || text.starts_with(b"@");
        if !goes_on {
            return Some(next + line.len() - line.trim_ascii_start().len());
        }
        is_inside &= !text.ends_with(b"*/");
    }
    None
}

fn is_string(line: &[u8]) -> bool {
    // Documentation in Python may be a raw string: `r"""Text"""`.
    let line = line.strip_prefix(b"r").unwrap_or(line);
    line.starts_with(b"\"") || line.starts_with(b"'")
}

fn is_comment(line: &[u8]) -> bool {
    line.first().is_some_and(|first| b"/*#-".contains(first))
}

/// Reports whether name, containers and documentation line together contain every word.
fn holds_words(source: &[u8], range: &Range<usize>, label: &Label, words: &[String]) -> bool {
    let mut known = name::words(&String::from_utf8_lossy(&source[range.clone()]));
    known.extend(
        label
            .containers
            .iter()
            .flat_map(|container| name::words(container)),
    );
    // A comment alone describes nothing: some word must be in the name or in a container.
    if !words.iter().any(|word| known.contains(word)) {
        return false;
    }
    known.extend(
        doc_line(source, &label.item)
            .iter()
            .flat_map(|line| line.split_whitespace())
            .flat_map(name::words),
    );
    words.iter().all(|word| known.contains(word))
}

fn described_place(
    source: &[u8],
    file: &FileHits,
    range: Range<usize>,
    label: Label,
    language: &'static Language,
) -> LabelledPlace {
    let line = memchr::memchr_iter(b'\n', &source[..range.start]).count() + 1;
    let hit = Hit {
        target: 0,
        form: OccurrenceForm::Phrase,
        line: u32::try_from(line).unwrap_or(u32::MAX),
        start: range.start as u64,
        length: u32::try_from(range.len()).unwrap_or(u32::MAX),
        standing: NameStanding::Likely,
    };
    place(
        source,
        file,
        &hit,
        role::of(&file.path),
        language.name,
        range,
        label,
    )
}
