//! What a question about the history says of a change that has no name in the tree: "who added the zstd decoding?",
//! "in which release did the fix for the deadlock of the executor ship?" The message of a commit may say it in the
//! same words.

use grounds_claims::{Argument, Claim, names};
use rust_stemmers::{Algorithm, Stemmer};

use super::lexicon;
use super::token::looks_like_code;
use super::tree::QuestionTree;
use crate::words::is_in;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// Something came in.
    Came,
    /// Something was taken out.
    Gone,
    /// What the verb of the question says, which is one of its words.
    Said,
}

/// A change, as a question describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DescribedEvent {
    /// The stems that a message must have.
    pub(crate) stems: Vec<String>,
    /// The words as they were written.
    pub(crate) words: Vec<String>,
    pub(crate) kind: EventKind,
    /// Whether the release is asked for.
    pub(crate) asks_release: bool,
    /// Whether its author is.
    pub(crate) asks_author: bool,
}

/// Stems of verbs by which something comes in.
const CAME: &str = "add ad introduc introduct come came bring brought land creat creation born \
    arriv ship appear debut \
    wrote write written author contribut contributor implement built build develop made make put start begin began \
    support exist gain got get receiv learn taught teach enabl committed";
/// Stems of verbs by which something goes.
const GONE: &str = "remov delet drop gone went go kill vanish disappear rid deletion";
/// Words that say nothing of what a change is about.
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
/// Nouns of what was added that its message may leave out. In the plural they say which things are meant.
const OPTIONAL: &str = "support feature functionality ability possibility implementation logic code class struct \
    function method module file type interface crate library script helper option flag setting folder \
    directory handling new own";
/// Words of a question for another commit than the one that is described, or for more than one.
const OTHER: &str = "last latest newest recent recently second most many often before after between except besides \
    only again times previous if unless anymore else other others each every per years months weeks current currently";
/// Words that a description has at most.
const STEMS_MAX: usize = 9;

impl DescribedEvent {
    /// What is asked of the change, its words as the name of it.
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

/// A word of the question. What the frames read as verbs of several words stays apart here.
struct Word {
    text: String,
    lower: String,
    stem: String,
    is_code: bool,
}

/// The change that a question describes; `None` where it asks for something else.
pub(crate) fn described(text: &str, tree: &QuestionTree<'_>) -> Option<DescribedEvent> {
    let words = words_of(text);
    let says = |list: &str| words.iter().any(|word| is_in(list, &word.lower));
    let asks_release = says("release releases released version versions tag tagged");
    let asks_author = says("who whom whose author contributor");
    let asks = asks_release || asks_author || says("when day date since commit hash sha");
    // Who adds a header now is said by the code.
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
    // One everyday word is in too many messages.
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
                // The noun for what is asked, and no verb.
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

/// Whether a word turns the question, or asks for another commit.
fn is_turned(word: &Word) -> bool {
    let lower = word.lower.as_str();
    !word.is_code
        && (lexicon::is_negation(lower) || lexicon::is_beyond(lower) || is_in(OTHER, lower))
}

/// What a question says that happened; `None` where it says nothing of that sort.
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

/// Whether a word says what a change is about.
fn is_content(word: &Word, kind: EventKind, tree: &QuestionTree<'_>) -> bool {
    let is_verb = match kind {
        EventKind::Came => is_in(CAME, &word.stem),
        EventKind::Gone => is_in(GONE, &word.stem) || is_in(CAME, &word.stem),
        EventKind::Said => false,
    };
    let lower = word.lower.as_str();
    // "Moved out of": the way says which move is meant.
    let says_way = kind == EventKind::Said && is_in("out into from", lower);
    let is_idle = is_in(IDLE, lower) || is_in(OPTIONAL, lower) || tree.is_project(lower);
    let is_idle = is_idle && !says_way;
    word.is_code || !(is_idle || is_verb)
}

/// The stems of the words in a text, with names at their humps.
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
