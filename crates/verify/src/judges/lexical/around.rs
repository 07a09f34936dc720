//! The context of a sentence that says what it is about: the name of a product in the title or the
//! address of its page, and the name of a thing that heads the paragraphs about it
//! ("checkpoint_timeout (integer)"). Takes a claim and the sentences of a page in order, and
//! returns the words of the claim that the context contains. It judges nothing.

use std::collections::HashSet;

use super::JudgedPage;
use super::parsed::Parsed;
use super::statement::Statement;
use super::tokens::Token;
use super::words::WordRole;

/// Maximum number of sentences below the name of a thing that are read as being about it.
const SENTENCES_MAX: usize = 24;
/// Maximum number of words of a heading: a line without a full stop, which ends what is said of the
/// thing before.
const HEADING_WORDS_MAX: usize = 8;
/// Words that add nothing to the name of a thing: "the default value of x" is "the default" below
/// `x`.
const LABELS: [&str; 8] = [
    "value",
    "setting",
    "parameter",
    "option",
    "variable",
    "function",
    "method",
    "limit",
];

/// The words of a claim that the context of one sentence contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    names: HashSet<usize>,
    subject: Option<usize>,
    labels: HashSet<usize>,
    said: Vec<String>,
}

impl Around {
    /// Reports whether the context contains a word of the claim.
    pub(crate) fn says(&self, word: usize) -> bool {
        self.names.contains(&word)
            || (self.subject.is_some() && (self.is_subject(word) || self.labels.contains(&word)))
    }

    /// Returns what a row of a table or an item of a list says about the thing that it begins with,
    /// as sentences: "The default is 5". Empty for another thing.
    pub(super) fn said(&self) -> &[String] {
        &self.said
    }

    /// Reports whether a word of the claim is the thing that heads the sentence.
    fn is_subject(&self, word: usize) -> bool {
        self.subject == Some(word)
    }

    /// Returns the claim without the names that the context contains: "in SQLite", "value of
    /// checkpoint_timeout". `None` if there is no such name, or one that cannot be left out.
    pub(super) fn without_names(&self, claim: &Parsed, whole: &Statement) -> Option<Statement> {
        let words = |places: &mut dyn Iterator<Item = usize>| -> HashSet<String> {
            places.map(|at| claim.words[at].lower.clone()).collect()
        };
        let names = words(&mut self.names.iter().copied().chain(self.subject));
        if names.is_empty() {
            return None;
        }
        let mut reduced = whole.clone();
        let tokens = &mut reduced.tokens;
        let is_name = |token: &Token| names.contains(&token.text.to_lowercase());
        while let Some(at) = (1..tokens.len()).find(|at| is_name(&tokens[*at])) {
            // Only a name behind a preposition can be left out; elsewhere it is the subject or the
            // object.
            if !matches!(tokens[at - 1].text.as_str(), "in" | "of" | "for") {
                return None;
            }
            // "The default value of work_mem" is "the default" below the heading `work_mem`.
            let is_labelled =
                self.subject.is_some() && at >= 2 && LABELS.contains(&tokens[at - 2].text.as_str());
            let first = at - 1 - usize::from(is_labelled);
            let removed = at + 1 - first;
            tokens.drain(first..=at);
            // A denial is a place among the tokens, which have moved.
            for denial in &mut reduced.denials {
                denial.place -= if denial.place > at { removed } else { 0 };
            }
        }
        // A name that opens the claim is its subject, without which nothing is claimed.
        let is_left = reduced.tokens.first().is_some_and(is_name);
        (!is_left && reduced.tokens.len() < whole.tokens.len()).then_some(reduced)
    }
}

/// The headings of a page up to the current sentence.
pub(crate) struct Headings {
    around: Around,
    things: Vec<(usize, String)>,
    sentences: usize,
    /// The first row of the table that is being read; `None` outside of tables.
    header: Option<Vec<String>>,
}

impl Headings {
    pub(crate) fn of(claim: &Parsed, page: &JudgedPage<'_>) -> Self {
        let shown = words_of(page.title.unwrap_or_default())
            .chain(words_of(page.url))
            .collect::<HashSet<String>>();
        let items = || {
            claim
                .items
                .iter()
                .map(|item| (item.word, &claim.words[item.word]))
        };
        // Only capitalised words: a title may share common words with a claim about something else.
        let is_name = |word: &super::words::Word| word.is_capital && word.role == WordRole::Content;
        let names = items()
            .filter(|(_, word)| is_name(word) && shown.contains(&word.lower))
            .map(|(at, _)| at)
            .collect();
        let labels = items()
            .filter(|(_, word)| LABELS.contains(&word.lower.as_str()))
            .map(|(at, _)| at)
            .collect();
        let things = items()
            .filter(|(_, word)| is_thing(&word.lower))
            .map(|(at, word)| (at, word.lower.clone()))
            .collect();
        Self {
            around: Around {
                names,
                subject: None,
                labels,
                said: Vec::new(),
            },
            things,
            sentences: 0,
            header: None,
        }
    }

    /// Returns the context of the next sentence.
    pub(crate) fn around(&mut self, sentence: &str) -> Around {
        self.sentences += 1;
        self.around.said.clear();
        if let Some(cells) = row(sentence) {
            return self.of_row(cells);
        }
        // The first sentence that is no row ends the table.
        self.header = None;
        if let Some((thing, rest)) = item(sentence) {
            self.enter(&thing);
            if self.around.subject.is_some() && !rest.is_empty() {
                self.around.said.push(rest);
            }
        } else if let Some(thing) = headed(sentence) {
            self.enter(&thing);
        } else if self.sentences > SENTENCES_MAX || is_heading(sentence) {
            self.around.subject = None;
        }
        self.around.clone()
    }

    fn enter(&mut self, thing: &str) {
        // A thing that the claim does not name ends what is said of the one before.
        self.around.subject = self
            .things
            .iter()
            .find(|(_, known)| known == thing)
            .map(|(at, _)| *at);
        self.sentences = 0;
    }

    /// Returns what a row says of the thing in its first cell: each other cell by the name of its
    /// column.
    fn of_row(&mut self, cells: Vec<String>) -> Around {
        // The first row of a table names its columns.
        let Some(header) = &self.header else {
            self.header = Some(cells);
            self.around.subject = None;
            return self.around.clone();
        };
        let said = |(name, cell): (&String, &String)| {
            let name: Vec<String> = name
                .split_whitespace()
                .map(str::to_lowercase)
                .filter(|word| !LABELS.contains(&word.as_str()))
                .collect();
            // A cell of more than three words is a sentence of its own, a shorter one a value.
            let is_sentence = cell.split_whitespace().count() > 3;
            match (cell.is_empty() || name.is_empty(), is_sentence) {
                (true, _) => None,
                (false, true) => Some(cell.clone()),
                (false, false) => Some(format!("The {} is {cell}", name.join(" "))),
            }
        };
        let said: Vec<String> = header.iter().zip(&cells).skip(1).filter_map(said).collect();
        let thing = cells.first().map(|cell| cell.to_lowercase());
        self.enter(&thing.unwrap_or_default());
        let around = Around {
            said: if self.around.subject.is_some() {
                said
            } else {
                Vec::new()
            },
            ..self.around.clone()
        };
        // The next row, or the text below the table, is about something else.
        self.around.subject = None;
        around
    }
}

/// Returns the cells of a row of a table.
fn row(sentence: &str) -> Option<Vec<String>> {
    let inner = sentence.trim().strip_prefix('|')?.strip_suffix('|')?;
    let cell = |cell: &str| cell.trim().trim_matches(['`', '*', '"', ' ']).to_owned();
    Some(inner.split('|').map(cell).collect())
}

/// Returns the thing that an item of a list is about, and what it says: "- `max_payload`: The
/// default is 1 MB."
fn item(sentence: &str) -> Option<(String, String)> {
    let text = sentence
        .trim_start()
        .trim_start_matches(['-', '*', '+', '•']);
    let (first, rest) = text.trim_start().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let name = first
        .trim_matches(['`', '*', ':', '\'', '"', ','])
        .to_lowercase();
    let after_mark = ["- ", "– ", "— ", ": ", "= "]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark));
    // In Markdown the colon may be inside the emphasis: `**max_payload:** The default is 1 MB`.
    let said = match (first.ends_with([':']) || first.contains(":*"), after_mark) {
        (true, _) => rest,
        (false, Some(said)) => said,
        (false, None) => return None,
    };
    is_thing(&name).then(|| (name, said.trim().to_owned()))
}

/// Returns the words of a title or an address, in lower case.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Reports whether a word can only be the name of a thing of a program: `work_mem`, `sys.path`.
fn is_thing(word: &str) -> bool {
    let inner = word
        // A dot at the end is the full stop of a sentence.
        .char_indices()
        .any(|(at, letter)| matches!(letter, '_' | '.') && at > 0 && at + 1 < word.len());
    inner
        && word.chars().any(char::is_alphabetic)
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'))
}

/// Returns the thing whose name opens a sentence as a heading: alone, or before a bracket.
fn headed(sentence: &str) -> Option<String> {
    let mut words = sentence.split_whitespace();
    let first = words.next()?;
    let name = first
        .split_once('(')
        .map_or(first, |(name, _)| name)
        .trim_matches(['`', '*', ':', '¶', '\'', '"']);
    let is_alone = words.next().is_none_or(|next| next.starts_with(['(', '¶']));
    let lower = name.to_lowercase();
    (is_alone && is_thing(&lower)).then_some(lower)
}

/// Reports whether a line is short and no sentence.
pub(super) fn is_heading(sentence: &str) -> bool {
    let is_sentence = sentence
        .trim_end()
        .ends_with(['.', '!', '?', ':', ';', ')', ',']);
    !is_sentence && sentence.split_whitespace().count() <= HEADING_WORDS_MAX
}
