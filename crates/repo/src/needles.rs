//! The texts that one pass searches for, and how an occurrence is classified in place: as the whole
//! name, in the requested spelling or in another convention; as the phrase; as a part of a longer
//! word; as one word of it.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, packed};
use grounds_evidence::{QuestionTarget, TargetKind, name};
use unicode_normalization::char::is_combining_mark;

use crate::message::Message;

/// Targets of one question that are searched; more are left out and reported.
pub const TARGETS_MAX: usize = 8;
/// Content words of one phrase that are searched one by one.
pub const PHRASE_WORDS_MAX: usize = 12;

/// The form of an occurrence, by its letters alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OccurrenceForm {
    /// The whole name or text, spelled as in the question.
    Asked,
    /// The whole name in another naming convention.
    Convention,
    /// The words of a phrase in this order, apart from capitals.
    Phrase,
    /// The letters of the name inside a longer word.
    Inside,
    /// One word of the target; its number.
    Word(u8),
    /// One piece of a message; its number.
    Piece(u8),
}

/// One text of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    /// The text.
    pub text: String,
    /// The number of the target that it belongs to.
    pub target: usize,
    /// What a whole-word occurrence of it is.
    pub form: OccurrenceForm,
}

/// All the texts of one pass, with the engine that finds them.
#[derive(Debug)]
pub struct Needles {
    needles: Vec<Needle>,
    /// For each needle the others with its text: `Store.load` and `Cache.load` share `load`.
    twins: Vec<Vec<usize>>,
    words: Vec<Vec<String>>,
    engine: NeedleEngine,
}

#[derive(Debug)]
enum NeedleEngine {
    /// Vector instructions over a few short literals.
    Packed(packed::Searcher),
    /// One literal.
    Single(memchr::memmem::Finder<'static>),
    /// Any number of literals.
    Automaton(AhoCorasick),
    /// There are no texts.
    Nothing,
}

/// An occurrence: which needle, from where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of the needle.
    pub needle: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Needles {
    /// Returns the needles of some targets: their spellings, and for phrases also their content
    /// words.
    pub fn of_targets(targets: &[QuestionTarget]) -> Self {
        let words: Vec<Vec<String>> = targets.iter().map(content_words_of).collect();
        let mut needles = Vec::new();
        for (number, target) in targets.iter().enumerate().take(TARGETS_MAX) {
            spell(target, number, &mut needles);
            spell_words(&words[number], number, &mut needles);
        }
        Self::of(needles, words)
    }

    /// Returns needles as given; of two with the same text for one target, the first wins.
    pub fn of(all: Vec<Needle>, words: Vec<Vec<String>>) -> Self {
        let mut needles: Vec<Needle> = Vec::with_capacity(all.len());
        for needle in all {
            let known = needles
                .iter()
                .any(|known| known.text == needle.text && known.target == needle.target);
            if !known && !needle.text.is_empty() {
                needles.push(needle);
            }
        }
        let engine = NeedleEngine::of(&needles);
        let twins_of = |(number, needle): (usize, &Needle)| {
            let others = needles.iter().enumerate();
            let is_twin =
                |(other, twin): &(usize, &Needle)| *other != number && twin.text == needle.text;
            others.filter(is_twin).map(|(other, _)| other).collect()
        };
        let twins = needles.iter().enumerate().map(twins_of).collect();
        Self {
            needles,
            twins,
            words,
            engine,
        }
    }

    /// Returns the needle with a number.
    pub fn get(&self, number: usize) -> &Needle {
        &self.needles[number]
    }

    /// Returns an occurrence once for each needle with its text: a search gives only one of them.
    pub fn each_of(&self, found: Occurrence) -> impl Iterator<Item = Occurrence> {
        let twins = self.twins[found.needle].iter();
        let twins = twins.map(move |needle| Occurrence {
            needle: *needle,
            ..found
        });
        std::iter::once(found).chain(twins)
    }

    /// Returns all needles.
    pub fn all(&self) -> &[Needle] {
        &self.needles
    }

    /// Returns the length of the longest needle in bytes.
    pub fn bytes_max(&self) -> usize {
        self.needles
            .iter()
            .map(|needle| needle.text.len())
            .max()
            .unwrap_or(0)
    }

    /// Returns the content words of a target that are searched one by one: those of a phrase. A
    /// name has no such words.
    pub fn words(&self, target: usize) -> &[String] {
        self.words.get(target).map_or(&[], Vec::as_slice)
    }

    /// Returns the first occurrence at or after `from`.
    pub fn find(&self, text: &[u8], from: usize) -> Option<Occurrence> {
        let found = |needle: usize, start: usize, end: usize| Occurrence { needle, start, end };
        match &self.engine {
            NeedleEngine::Packed(searcher) => {
                let span = aho_corasick::Span {
                    start: from,
                    end: text.len(),
                };
                searcher
                    .find_in(text, span)
                    .map(|hit| found(hit.pattern().as_usize(), hit.start(), hit.end()))
            }
            NeedleEngine::Single(finder) => {
                let start = from + finder.find(&text[from..])?;
                Some(found(0, start, start + finder.needle().len()))
            }
            NeedleEngine::Automaton(automaton) => {
                let input = aho_corasick::Input::new(text).range(from..);
                automaton
                    .find(input)
                    .map(|hit| found(hit.pattern().as_usize(), hit.start(), hit.end()))
            }
            NeedleEngine::Nothing => None,
        }
    }

    /// Returns the form of an occurrence, with the letters around it taken into account.
    pub fn classify(&self, text: &[u8], occurrence: Occurrence) -> OccurrenceForm {
        let form = self.needles[occurrence.needle].form;
        let whole = is_whole(text, occurrence.start, occurrence.end);
        match form {
            OccurrenceForm::Word(_) | OccurrenceForm::Piece(_) => form,
            OccurrenceForm::Asked | OccurrenceForm::Convention | OccurrenceForm::Phrase
                if whole =>
            {
                form
            }
            OccurrenceForm::Asked
            | OccurrenceForm::Convention
            | OccurrenceForm::Phrase
            | OccurrenceForm::Inside => OccurrenceForm::Inside,
        }
    }
}

impl NeedleEngine {
    fn of(needles: &[Needle]) -> Self {
        match needles {
            [] => Self::Nothing,
            [only] => Self::Single(memchr::memmem::Finder::new(only.text.as_bytes()).into_owned()),
            // Vector instructions can search only a few short literals; the automaton takes any.
            many => Self::packed(many).unwrap_or_else(|| Self::automaton(many)),
        }
    }

    fn packed(needles: &[Needle]) -> Option<Self> {
        let texts = needles.iter().map(|needle| needle.text.as_bytes());
        let mut config = packed::Config::new();
        // If two needles begin at one place, the longer one is what is written: `load_all` and not
        // `load`.
        config.match_kind(packed::MatchKind::LeftmostLongest);
        config.builder().extend(texts).build().map(Self::Packed)
    }

    fn automaton(needles: &[Needle]) -> Self {
        let texts = needles.iter().map(|needle| needle.text.as_bytes());
        let built = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(texts);
        built.map_or(Self::Nothing, Self::Automaton)
    }
}

fn spell(target: &QuestionTarget, number: usize, needles: &mut Vec<Needle>) {
    let mut push = |text: String, form| {
        needles.push(Needle {
            text,
            target: number,
            form,
        })
    };
    match target.kind {
        TargetKind::Identifier | TargetKind::SymbolPath => {
            let asked = target.needle().to_owned();
            let others = name::spellings(&asked);
            push(asked, OccurrenceForm::Asked);
            others
                .into_iter()
                // The first spelling is the asked one.
                .skip(1)
                .for_each(|text| push(text, OccurrenceForm::Convention));
        }
        TargetKind::Phrase => {
            name::phrase_spellings(&target.text)
                .into_iter()
                .for_each(|text| push(text, OccurrenceForm::Phrase));
            name::spellings(&target.text)
                .into_iter()
                .skip(1)
                .for_each(|text| push(text, OccurrenceForm::Convention));
        }
        TargetKind::Quoted => push(target.text.clone(), OccurrenceForm::Asked),
        TargetKind::Message => spell_pieces(&target.text, number, needles),
        TargetKind::Path | TargetKind::Commit => {}
    }
}

/// Adds the pieces of a message in the spelling of the message.
fn spell_pieces(text: &str, number: usize, needles: &mut Vec<Needle>) {
    let message = Message::of(text);
    for index in 0..message.pieces.len() {
        let form = OccurrenceForm::Piece(u8::try_from(index).unwrap_or(u8::MAX));
        needles.push(Needle {
            text: message.piece(index).to_owned(),
            target: number,
            form,
        });
    }
}

/// Adds every content word in the cases that code and prose use.
fn spell_words(words: &[String], number: usize, needles: &mut Vec<Needle>) {
    for (index, word) in words.iter().enumerate() {
        let index = u8::try_from(index).unwrap_or(u8::MAX);
        for text in [word.clone(), name::capitalised(word), word.to_uppercase()] {
            needles.push(Needle {
                text,
                target: number,
                form: OccurrenceForm::Word(index),
            });
        }
    }
}

/// Returns the words of a phrase that carry its meaning, in lower case and without repetition.
pub fn content_words_of(target: &QuestionTarget) -> Vec<String> {
    if target.kind != TargetKind::Phrase {
        return Vec::new();
    }
    let mut words = name::words(&target.text);
    words.retain(|word| !STOP_WORDS.contains(&word.as_str()));
    words.sort_unstable();
    words.dedup();
    words.truncate(PHRASE_WORDS_MAX);
    words
}

/// Words without a meaning of their own in a question about code.
pub const STOP_WORDS: &[&str] = &[
    "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "is",
    "are", "be", "it", "its", "this", "that", "these", "those", "do", "does", "did", "we", "our",
    "you", "i", "as", "into", "when", "where", "which", "what", "how", "why", "who",
];

/// Reports whether no letter, digit or underscore adjoins an occurrence whose own edge is one.
pub fn is_whole(text: &[u8], start: usize, end: usize) -> bool {
    let joined = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(is_word) && outer.is_some_and(is_word)
    };
    let inside = &text[start..end];
    !joined(first_char(inside), last_char(&text[..start]))
        && !joined(last_char(inside), first_char(&text[end..]))
}

fn is_word(letter: char) -> bool {
    // A mark that combines with the letter before it makes another letter.
    letter.is_alphanumeric() || letter == '_' || is_combining_mark(letter)
}

fn first_char(text: &[u8]) -> Option<char> {
    // A letter has four bytes at most.
    let head = &text[..text.len().min(4)];
    match std::str::from_utf8(head) {
        Ok(valid) => valid.chars().next(),
        // The four bytes may end in the middle of a later letter.
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()])
            .ok()?
            .chars()
            .next(),
    }
}

fn last_char(text: &[u8]) -> Option<char> {
    let tail = &text[text.len().saturating_sub(4)..];
    // The four bytes may begin in the middle of a letter.
    (0..tail.len())
        .find_map(|skip| std::str::from_utf8(&tail[skip..]).ok())
        .and_then(|valid| valid.chars().next_back())
}

#[cfg(test)]
mod tests;
