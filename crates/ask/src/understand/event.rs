//! A change that has no name in the tree, as a question about the history describes it: "who added
//! the zstd decoding?", "in which release did the fix for the deadlock of the executor ship?"
//!
//! The message of a commit may have the same words.

use grounds_claims::{Argument, Claim, names};
use rust_stemmers::{Algorithm, Stemmer};

use super::lexicon;
use super::token::looks_like_code;
use super::tree::QuestionTree;
use crate::words::is_in;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// Something was introduced.
    Came,
    /// Something was removed.
    Gone,
    /// The verb of the question says what happened, and is one of its words.
    Said,
}

/// A change, as a question describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DescribedEvent {
    /// The stems that a message must have.
    pub(crate) stems: Vec<String>,
    /// The words as written.
    pub(crate) words: Vec<String>,
    pub(crate) kind: EventKind,
    /// Whether the question asks for the release.
    pub(crate) asks_release: bool,
    /// Whether the question asks for the author.
    pub(crate) asks_author: bool,
}

/// Stems of verbs for being introduced.
const CAME: &str = "add ad introduc introduct come came bring brought land creat creation born \
    arriv ship appear debut \
    wrote write written author contribut contributor implement built build develop made make put start begin began \
    support exist gain got get receiv learn taught teach enabl committed";
/// Stems of verbs for being removed.
const GONE: &str = "remov delet drop gone went go kill vanish disappear rid deletion";
/// Words that do not describe a change.
const IDLE: &str = "a an the this that these those it its our my your their his her we you i \
    they he she me us to of in \
    on at by for from with into onto about as and or but if so than too also please just exactly actually really \
    originally initially first ever now here there some any all one do does did is are was were \
    be been being has have \
    had can could would will should might may am tell show give say let know want need like wonder wondering curious \
    who whom whose whats which what when where how why since until date day days time moment year month commit \
    commits hash sha id release releases released version versions tag tags tagged author person guy somebody \
    contributor contributors history repo repository project codebase tree back out up down off get got getting \
    around roughly earliest whole thing things stuff then well hey hi thanks anybody idea behind responsible name \
    long ago find finds look looking right at which gem package";
/// Nouns for what was added, which its message may leave out. In the plural they select things, so
/// that they count.
const OPTIONAL: &str = "support feature functionality ability possibility implementation logic code class struct \
    function method module file type interface crate library script helper option flag setting folder \
    directory handling new own";
/// Words that ask for another commit than the described one, or for several.
const OTHER: &str = "last latest newest recent recently second most many often before after between except besides \
    only again times previous if unless anymore else other others each every per years months weeks current currently";
/// Largest number of stems in a description.
const STEMS_MAX: usize = 9;

impl DescribedEvent {
    /// Returns the claim about the change, with its words as its name.
    pub(crate) fn claim(&self) -> Claim {
        let predicate = match self.kind {
            EventKind::Gone => &names::REMOVED,
            _ if self.asks_author => &names::AUTHORED,
            _ => &names::INTRODUCED,
        };
        let arguments = vec![Argument::is(self.words.join(" ")), Argument::Hole];
        let kind = self.asks_release.then(|| "release".to_owned());
        Claim {
            kind,
            ..Claim::new(predicate, arguments)
        }
    }
}

/// A word of the question. Verbs of several words are not joined here.
struct Word {
    text: String,
    lower: String,
    stem: String,
    is_code: bool,
}

/// Returns the change that a question describes; `None` if it asks for something else.
pub(crate) fn described(text: &str, tree: &QuestionTree<'_>) -> Option<DescribedEvent> {
    let words = words_of(text);
    let says = |list: &str| words.iter().any(|word| is_in(list, &word.lower));
    let asks_release = says("release releases released version versions tag tagged");
    let asks_author = says("who whom whose author contributor");
    let asks = asks_release || asks_author || says("when day date since commit hash sha");
    // "Who adds a header?" in the present asks about code.
    let is_now = says("adds writes brings removes creates does");
    if !asks || is_now || words.iter().any(is_turned) {
        return None;
    }
    let kind = kind_of(&words)?;
    let content = words.iter().filter(|word| is_content(word, kind, tree));
    let words: Vec<String> = content.map(|word| word.text.clone()).collect();
    let mut stems: Vec<String> = Vec::new();
    for stem in words.iter().flat_map(|word| stems_of(word)) {
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    // A single everyday word is in too many messages.
    let says_enough = stems.len() > 1 || stems.iter().any(|stem| stem.len() > 5);
    (says_enough && stems.len() <= STEMS_MAX).then_some(DescribedEvent {
        stems,
        words,
        kind,
        asks_release,
        asks_author,
    })
}

fn words_of(text: &str) -> Vec<Word> {
    let stemmer = Stemmer::create(Algorithm::English);
    let is_edge = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    let word = |piece: &str| {
        let text = piece.trim_matches(is_edge);
        let text = ["'s", "\u{2019}s"]
            .iter()
            .find_map(|end| text.strip_suffix(end))
            .unwrap_or(text);
        let lower = text.to_lowercase();
        Word {
            text: text.to_owned(),
            stem: match lower.as_str() {
                // "Commit" is the noun for what is asked. Its stem would be that of the verb.
                "commit" | "commits" => String::new(),
                "committed" => lower.clone(),
                _ => stemmer.stem(&lower).into_owned(),
            },
            is_code: piece.starts_with('`') || looks_like_code(text),
            lower,
        }
    };
    let words = text.split_whitespace().map(word);
    words.filter(|word| !word.text.is_empty()).collect()
}

/// Reports whether a word negates the question, or asks for another commit.
fn is_turned(word: &Word) -> bool {
    let lower = word.lower.as_str();
    !word.is_code
        && (lexicon::is_negation(lower) || lexicon::is_beyond(lower) || is_in(OTHER, lower))
}

/// Returns what a question says happened; `None` if it says nothing of that sort.
fn kind_of(words: &[Word]) -> Option<EventKind> {
    let plain = || words.iter().filter(|word| !word.is_code);
    let has = |list: &str| plain().any(|word| is_in(list, &word.stem));
    let is_past = |word: &Word| word.lower.len() > 4 && word.lower.ends_with("ed");
    match () {
        () if has(GONE) => Some(EventKind::Gone),
        () if has(CAME) || plain().any(|word| word.lower == "first") => Some(EventKind::Came),
        () if plain().any(is_past) => Some(EventKind::Said),
        () => None,
    }
}

/// Reports whether a word describes a change.
fn is_content(word: &Word, kind: EventKind, tree: &QuestionTree<'_>) -> bool {
    let is_verb = match kind {
        EventKind::Came => is_in(CAME, &word.stem),
        EventKind::Gone => is_in(GONE, &word.stem) || is_in(CAME, &word.stem),
        EventKind::Said => false,
    };
    let lower = word.lower.as_str();
    // In "moved out of" the preposition tells one move from another.
    let says_way = kind == EventKind::Said && is_in("out into from", lower);
    let is_idle = is_in(IDLE, lower) || is_in(OPTIONAL, lower) || tree.is_project(lower);
    let is_idle = is_idle && !says_way;
    word.is_code || !(is_idle || is_verb)
}

/// Returns the stems of the words in a text. Names are split at their humps.
pub(crate) fn stems_of(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let parts = text.split(|letter: char| !letter.is_alphanumeric());
    let words = parts.filter(|part| !part.is_empty()).flat_map(|part| {
        let mut humps = grounds_evidence::name::words(part);
        if humps.is_empty() {
            humps.push(part.to_owned());
        }
        humps
    });
    words
        .map(|word| stemmer.stem(&word.to_lowercase()).into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::stems_of;

    #[test]
    fn names_are_read_at_their_humps() {
        let stems = stems_of("Add `HttpRetry` to the .tar.xz downloaders (#12)");
        for stem in ["http", "retri", "tar", "xz", "download", "12"] {
            assert!(stems.contains(&stem.to_owned()), "{stems:?}");
        }
    }
}
