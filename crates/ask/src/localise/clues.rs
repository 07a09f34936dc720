//! What a text says about where to look: its words by the part of the text, names, files, modules,
//! frames of traces, quoted messages.
//!
//! Reads the text alone. The text is untrusted: everything is bounded, and a path in it is only
//! compared with paths of the tree.

use std::collections::HashMap;

use grounds_repo::catalogue::Count;
use grounds_repo::path::RepoPath;
use grounds_repo::stem::stem_of;
use grounds_repo::vocabulary::{WORD_BYTES_MAX, for_each_name, for_each_part};

use super::jargon;
use super::mentions::{self, FileMention};
use super::parts::{self, PARTS, ReportPart};
use crate::words::is_in;

/// Default maximum number of bytes of a text that are read.
pub const TEXT_BYTES_MAX: usize = 256 << 10;
/// Maximum number of different words of a text that are searched for.
pub const TERMS_MAX: usize = 512;
/// Maximum number of different names of a text that are searched for.
pub const NAMES_MAX: usize = 512;
/// Maximum number of quoted messages of a text that are searched for.
pub const LITERALS_MAX: usize = 32;
/// Smallest size in bytes of a quoted text that is worth a search.
const LITERAL_BYTES_MIN: usize = 10;
/// Maximum number of bytes of a quoted text that are searched for.
const LITERAL_BYTES_MAX: usize = 80;

/// Words that do not say where to look.
const STOP_WORDS: &str = "a about after all also always am an and any are as at be because been before being both but \
    by can cannot could did do does doesn doing don done each etc even every few first for from \
    get gets give go got had has have he here hi how however i if in instead into is isn it its \
    just know let like ll make makes many may me might more most much must my no nor not now of \
    ok on one only or other our out over own please re really same see seem seems should since \
    so some still such sure than thank thanks that the their them then there these they think \
    this those though through thus to too two under until up us use used uses using ve very want \
    was we were what when where whether which while who why will with within without work works \
    would yet you your bug issue problem expected actual behavior behaviour steps reproduce \
    example following version currently description fix self return returns def none true false \
    print import python line file code https http www com github";

/// The clues of a text.
#[derive(Debug, Default)]
pub struct Clues {
    /// The stems of its words.
    pub stems: Vec<String>,
    /// How often each stem occurs in each part.
    pub weights: Vec<[f32; PARTS]>,
    /// Words that code may use for what a short text describes, likeliest first, each with its stem
    /// before it.
    pub given: Vec<(String, &'static str)>,
    /// Whole names.
    pub names: Vec<ClueName>,
    /// Quoted messages, and the fixed parts in them.
    pub literals: Vec<String>,
    /// The files and modules that it names.
    pub mentions: Vec<FileMention>,
    /// Whether it is a question or a few words, and not a report.
    pub is_short: bool,
    /// Whether it is short and asks, with more than keywords.
    pub is_question: bool,
    /// The bounds that were reached.
    pub bounds: Vec<&'static str>,
    /// The file of the tree that contains the text itself; `None` if it is outside of the tree or
    /// was not read from a file.
    pub own_file: Option<RepoPath>,
}

/// A whole name of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct ClueName {
    /// The name as written.
    pub text: String,
    /// How often it occurs in each part.
    pub weights: [f32; PARTS],
    /// Whether it is no English word: by its letters, or because it is marked as code.
    pub is_code: bool,
}

impl Clues {
    /// Returns the number of different words of the text itself.
    pub fn words(&self) -> usize {
        (0..self.stems.len())
            .filter(|&number| self.is_own(number))
            .count()
    }

    /// Returns how many of the counted terms are words of the text itself.
    pub(super) fn own(&self, terms: &[Count]) -> usize {
        terms
            .iter()
            .filter(|count| self.is_own(usize::from(count.number)))
            .count()
    }

    /// Returns those counted terms that code may use for the text, likeliest first.
    pub(super) fn given_in(&self, terms: &[Count]) -> Vec<&'static str> {
        let counted = |stem: &String| {
            let is_it = |count: &Count| self.stems.get(usize::from(count.number)) == Some(stem);
            terms.iter().any(is_it)
        };
        let given = self.given.iter().filter(|(stem, _)| counted(stem));
        given.map(|(_, word)| *word).collect()
    }

    /// Reports whether a stem is one of the text, and not one that code may use for it.
    fn is_own(&self, number: usize) -> bool {
        !self.is_short || self.weights[number][ReportPart::Title as usize] > 0.0
    }
}

/// Words with which a question begins.
const ASKING_WORDS: &str = "how what where why when which who in is does can";
/// Number of words from which a short text is a sentence, whether it asks or not.
const SENTENCE_WORDS_MIN: usize = 8;

/// Smallest number of words of a question that must remain if those that ask are left out.
const OWN_MIN: usize = 2;
/// Words that fit any question.
const QUESTION_WORDS: &str = "part source place happen handle handled decide decided determine responsible responsibility implement implemented \
 implementation logic mechanism purpose relationship role specific reason look looking come become thing something somebody someone people exactly \
 internally actually overall underlying involve involved relate against between during across enable ensure allow affect influence";

/// Maximum number of words in a short text. A longer one is a report.
const SHORT_WORDS_MAX: usize = 40;

/// Reads a text.
pub fn read(text: &str) -> Clues {
    read_within(text, TEXT_BYTES_MAX)
}

/// Reads a limited number of bytes of a text.
pub fn read_within(text: &str, bytes_max: usize) -> Clues {
    let mut clues = Clues::default();
    let text = cut(text, bytes_max, &mut clues);
    let parts = parts::split(text);
    // A second line makes a report, however few words it has.
    clues.is_short = text.split_whitespace().take(SHORT_WORDS_MAX + 1).count() <= SHORT_WORDS_MAX
        && !text.trim().contains('\n');
    clues.is_question = clues.is_short && asks(text);
    let mut gathering = Gathering::default();
    for piece in &parts {
        gathering.words(piece.text, piece.part, piece.is_marked || clues.is_short);
    }
    if clues.is_short {
        gathering.leave_out(QUESTION_WORDS);
        // Words of code for a text without any word of its own would be guesses about nothing.
        let says_something = !gathering.stem_list.is_empty();
        for given in jargon::of(text).into_iter().filter(|_| says_something) {
            if clues.given.iter().any(|(stem, _)| *stem == given.stem) {
                continue;
            }
            // All words of a short text are its title. As prose, the words of code count less and
            // can be told apart.
            gathering.count(given.stem.clone(), ReportPart::Prose, given.share);
            clues.given.push((given.stem, given.word));
        }
    }
    gathering.hand_over(&mut clues);
    clues.literals = literals(text);
    if clues.literals.len() > LITERALS_MAX {
        clues.literals.truncate(LITERALS_MAX);
        clues.bounds.push("text_literals_max");
    }
    let (mentions, reached) = mentions::find(text);
    clues.mentions = mentions;
    if reached {
        clues.bounds.push("text_mentions_max");
    }
    clues
}

/// Reports whether a short text is a question, and no list of keywords.
fn asks(text: &str) -> bool {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    text.ends_with('?')
        || is_in(ASKING_WORDS, first.to_lowercase().as_str())
        || text.split_whitespace().count() >= SENTENCE_WORDS_MIN
}

/// Returns the part of the text that is read.
fn cut<'t>(text: &'t str, bytes_max: usize, clues: &mut Clues) -> &'t str {
    if text.len() <= bytes_max {
        return text;
    }
    clues.bounds.push("text_bytes_max");
    &text[..text.floor_char_boundary(bytes_max)]
}

#[derive(Default)]
struct Gathering {
    stems: HashMap<String, usize>,
    stem_list: Vec<(String, [f32; PARTS])>,
    names: HashMap<String, usize>,
    name_list: Vec<ClueName>,
    reached: bool,
}

impl Gathering {
    fn words(&mut self, text: &str, part: ReportPart, is_marked: bool) {
        for_each_name(text.as_bytes(), |_, name| {
            let Ok(name) = std::str::from_utf8(name) else {
                return;
            };
            self.name(name, part, is_marked);
            for_each_part(name.as_bytes(), |word| {
                if let Ok(word) = std::str::from_utf8(word) {
                    self.stem(&word.to_lowercase(), part);
                }
            });
        });
    }

    fn stem(&mut self, lower: &str, part: ReportPart) {
        let is_word = lower.len() >= 2
            && lower.len() <= WORD_BYTES_MAX
            && !lower.bytes().all(|byte| byte.is_ascii_digit());
        if !is_word || is_in(STOP_WORDS, lower) {
            return;
        }
        self.count(stem_of(lower), part, 1.0);
    }

    fn count(&mut self, stem: String, part: ReportPart, times: f32) {
        let next = self.stem_list.len();
        let number = *self.stems.entry(stem.clone()).or_insert(next);
        if number == next && next < TERMS_MAX {
            self.stem_list.push((stem, [0.0; PARTS]));
        }
        match self.stem_list.get_mut(number) {
            Some((_, weights)) => weights[part as usize] += times,
            None => self.reached = true,
        }
    }

    /// Removes words that fit any question, if enough others remain.
    fn leave_out(&mut self, words: &str) {
        let empty: Vec<String> = words.split_whitespace().map(stem_of).collect();
        let is_full = |stem: &String| !empty.contains(stem);
        if self
            .stem_list
            .iter()
            .filter(|(stem, _)| is_full(stem))
            .count()
            < OWN_MIN
        {
            return;
        }
        self.stem_list.retain(|(stem, _)| is_full(stem));
        let numbered = self.stem_list.iter().enumerate();
        self.stems = numbered
            .map(|(number, (stem, _))| (stem.clone(), number))
            .collect();
    }

    fn name(&mut self, name: &str, part: ReportPart, is_marked: bool) {
        let is_name = name.len() >= 2
            && name.len() <= 2 * WORD_BYTES_MAX
            && !name.as_bytes()[0].is_ascii_digit();
        if !is_name || is_in(STOP_WORDS, name.to_lowercase().as_str()) {
            return;
        }
        let next = self.name_list.len();
        let number = *self.names.entry(name.to_owned()).or_insert(next);
        if number == next && next < NAMES_MAX {
            self.name_list.push(ClueName {
                text: name.to_owned(),
                weights: [0.0; PARTS],
                is_code: false,
            });
        }
        match self.name_list.get_mut(number) {
            Some(known) => {
                known.weights[part as usize] += 1.0;
                known.is_code |= is_marked || is_code_name(name);
            }
            None => self.reached = true,
        }
    }

    fn hand_over(self, clues: &mut Clues) {
        (clues.stems, clues.weights) = self.stem_list.into_iter().unzip();
        clues.names = self.name_list;
        if self.reached {
            clues.bounds.push("text_terms_max");
        }
    }
}

/// Reports whether a name is no English word, judged by its letters.
fn is_code_name(name: &str) -> bool {
    let inside = name.trim_matches('_');
    let has_inner_capital =
        inside.chars().skip(1).any(char::is_uppercase) && inside.chars().any(char::is_lowercase);
    name.contains('_') || has_inner_capital
}

/// Returns quoted texts and the messages of traces, split where values were inserted.
fn literals(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        for (open, close) in [
            ('"', '"'),
            ('\'', '\''),
            ('`', '`'),
            ('\u{201c}', '\u{201d}'),
        ] {
            quoted(line, open, close)
                .into_iter()
                .for_each(|quote| fixed_runs(quote, &mut found));
        }
        if let Some((kind, message)) = line.split_once(": ")
            && is_error_name(kind.trim())
        {
            fixed_runs(message, &mut found);
        }
        // Some of these are equal, so more are collected than are searched for.
        if found.len() > 4 * LITERALS_MAX {
            break;
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|literal| seen.insert(literal.clone()));
    found
}

fn is_error_name(kind: &str) -> bool {
    let last = kind.rsplit(['.', ':', ' ']).next().unwrap_or(kind);
    [
        "Error",
        "Exception",
        "Warning",
        "error",
        "panic",
        "fatal",
        "warning",
    ]
    .iter()
    .any(|end| last.ends_with(end))
}

fn quoted(line: &str, open: char, close: char) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(open) {
        let inside = &rest[start + open.len_utf8()..];
        let Some(end) = inside.find(close) else { break };
        found.push(&inside[..end]);
        rest = &inside[end + close.len_utf8()..];
    }
    found
}

/// Collects the parts of a message between numbers, quotes and brackets, which a format string
/// contains.
fn fixed_runs(message: &str, found: &mut Vec<String>) {
    for run in message.split(|c: char| {
        c.is_ascii_digit()
            || matches!(
                c,
                '\'' | '"' | '`' | '<' | '>' | '{' | '}' | '[' | ']' | '%' | '\\'
            )
    }) {
        let run = run.trim().trim_end_matches(['.', ':', ',', '!', '?', '(']);
        if run.len() >= LITERAL_BYTES_MIN && run.contains(' ') {
            found.push(run[..run.floor_char_boundary(LITERAL_BYTES_MAX)].to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
