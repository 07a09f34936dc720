//! One part of a question: a clause with its names, its scope and what it asks.

use grounds_claims::{Scope, Tests};

use super::lexicon::{self, Lexicon};
use super::token::{After, Token, looks_like_code};
use super::tree::Tree;

/// What a clause asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Yes or no.
    Whether,
    /// How many.
    Count,
    /// In how many files.
    CountFiles,
    /// Where something is.
    Where,
    /// When, in which commit or release.
    When,
    /// Which things, or who.
    Which,
}

/// A name of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The number of its token; none for one of an earlier sentence.
    pub(crate) at: Option<usize>,
    /// As written.
    pub(crate) text: String,
    /// Whether it is a file or folder of the tree, or written as one.
    pub(crate) is_path: bool,
}

/// A clause.
pub(crate) struct Part {
    pub(crate) tokens: Vec<Token>,
    /// Which tokens a scope, a tag or politeness has taken already.
    pub(crate) taken: Vec<bool>,
    pub(crate) names: Vec<Named>,
    pub(crate) scope: Scope,
    pub(crate) asks: Asks,
    pub(crate) is_negated: bool,
    pub(crate) is_only: bool,
    /// Whether it asks what holds where nothing was set: "out of the box", "if nobody changes it".
    pub(crate) is_default: bool,
    pub(crate) exactly: Option<u32>,
    /// "More than once" is at least 2.
    pub(crate) at_least: Option<u32>,
    /// Names of earlier sentences and clauses.
    pub(crate) context: Vec<Named>,
    /// Words that name the project itself.
    mentions: Vec<String>,
}

/// Turns of phrase that say nothing of the code.
const IDIOMS: &[&str] = &[
    "down the line",
    "under the hood",
    "behind the scenes",
    "at the end of the day",
    "in the end",
    "at all",
    "at some point",
    "at the moment",
    "at this point",
    "at this commit",
    "at this revision",
    "at head",
    "right now",
    "these days",
    "by itself",
    "on its own",
    "of its own",
    "by any chance",
    "by the way",
    "in here",
    "around here",
    "to me",
    "for me",
    "if any",
    "in order",
    "in general",
    "in particular",
    "in practice",
    "in fact",
    "as well",
    "any more",
    "of course",
    "i suppose",
    "i guess",
    "i believe",
    "i think",
    "it seems",
    "so to speak",
    "more or less",
    "one after the other",
    "at compile time",
    "by hand",
    "of the same file",
    "of that same file",
    "of this crate",
    "of this package",
    "of the same module",
    "from the same file",
    "file + line",
    "file and line",
    "line numbers",
    "line number",
    "all of them",
    "each of them",
];

/// Words of a tag: a short end that only asks whether it is so.
const TAG_WORDS: &[&str] = &[
    "is", "are", "was", "were", "am", "does", "do", "did", "has", "have", "can", "could", "it",
    "they", "that", "this", "i", "you", "not", "or", "yes", "no", "y", "n", "true", "false",
    "right", "wrong", "correct", "so", "agreed", "agree", "confirm", "refute", "really", "ok",
    "okay", "there", "such", "a", "the", "case", "thing", "mistaken", "eh", "huh", "please",
    "actually", "still", "what", "call", "think", "sure",
];

/// Whether words are such an end: "am I right", "or is it not", "can you confirm that".
pub(super) fn is_tag(words: &str) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    let tells = [
        "right", "wrong", "correct", "confirm", "refute", "true", "false", "agreed", "agree", "y",
        "yes", "no", "not", "it", "they", "there", "mistaken", "so", "eh", "huh", "such",
    ];
    words.len() <= 7
        && !["what", "call", "a", "the"].contains(&words[0])
        && words.iter().all(|word| TAG_WORDS.contains(word))
        && words.iter().any(|word| tells.contains(word))
}

/// Words before "number of" that leave it what is asked for.
const BEFORE_NUMBER: &[&str] = &[
    "the", "what", "is", "give", "me", "a", "tell", "show", "total", "exact", "need", "i", "and",
    "their", "its",
];

/// Words of what says that nothing was set.
const UNSET: &[&str] = &[
    "i",
    "we",
    "you",
    "the",
    "a",
    "an",
    "any",
    "user",
    "users",
    "one",
    "it",
    "that",
    "this",
    "is",
    "are",
    "was",
    "were",
    "do",
    "does",
    "did",
    "has",
    "have",
    "been",
    "not",
    "nobody",
    "nothing",
    "noone",
    "none",
    "set",
    "sets",
    "give",
    "gives",
    "given",
    "pass",
    "passes",
    "passed",
    "change",
    "changes",
    "changed",
    "configure",
    "configures",
    "configured",
    "specify",
    "specifies",
    "specified",
    "override",
    "overrides",
    "overridden",
    "provide",
    "provides",
    "provided",
    "choose",
    "chosen",
    "told",
    "said",
    "otherwise",
    "else",
    "explicitly",
    "option",
    "flag",
    "value",
    "anything",
    "omitted",
    "unset",
    "absent",
    "missing",
    "left",
    "out",
    "no",
    "configuration",
    "arguments",
    "argument",
    "touch",
    "touches",
    "touched",
    "explicit",
];
/// Those that say it with no word of negation.
const UNSAID: &[&str] = &[
    "unless", "without", "omitted", "unset", "absent", "missing", "no",
];

/// Beginnings that say that what follows is to be told or judged.
const OPENINGS: &[(&str, bool)] = &[
    ("is it true that", true),
    ("is it right that", true),
    ("is it correct that", true),
    ("is it correct to say that", true),
    ("is it the case that", true),
    ("is it a fact that", true),
    ("is it so that", true),
    ("am i right that", true),
    ("my understanding is that", true),
    ("my understanding is", true),
    ("i am under the impression that", true),
    ("as far as i can tell", true),
    ("as far as i know", true),
    ("afaik", true),
    ("i see no", true),
    ("i see that", true),
    ("i am told that", true),
    ("i heard that", true),
    ("someone told me that", true),
    ("it looks like", true),
    ("looks like", true),
    ("it seems that", true),
    ("it seems", true),
    ("seems like", true),
    ("i need to know whether", true),
    ("i need to know if", true),
    ("i want to know whether", true),
    ("i want to know if", true),
    ("wondering whether", true),
    ("wondering if", true),
    ("not sure whether", true),
    ("not sure if", true),
    ("find out whether", true),
    ("find out if", true),
    ("verify whether", true),
    ("verify if", true),
    ("double check that", true),
    ("make sure that", true),
    ("make sure", true),
    ("can you check whether", true),
    ("can you check if", true),
    ("can you verify that", true),
    ("can you confirm", true),
    ("please confirm", true),
    ("i think that", true),
    ("i think", true),
    ("i believe that", true),
    ("i believe", true),
    ("i assume that", true),
    ("i assume", true),
    ("i suspect that", true),
    ("i suspect", true),
    ("i guess", true),
    ("pretty sure that", true),
    ("pretty sure", true),
    ("i wonder whether", true),
    ("i wonder if", true),
    ("tell me whether", true),
    ("tell me if", true),
    ("check whether", true),
    ("check if", true),
    ("can you confirm that", true),
    ("confirm that", true),
    ("verify that", true),
    ("do you know if", true),
    ("do you know whether", true),
    ("can you tell me whether", true),
    ("can you tell me if", true),
    ("could you tell me", false),
    ("can you tell me", false),
    ("could you list", false),
    ("can you list", false),
    ("could you show me", false),
    ("can you show me", false),
    ("can you find", false),
    ("could you find", false),
    ("can you show", false),
    ("could you show", false),
    ("do you know", false),
    ("would you tell me", false),
    ("can you give me", false),
    ("could you give me", false),
    ("can i see", false),
    ("may i see", false),
    ("can you point me to", false),
    ("i want to know", false),
    ("i would like to know", false),
    ("i need to know", false),
    ("i need", false),
    ("i am interested in", false),
    ("whether", true),
];

impl Part {
    pub(crate) fn new(
        tokens: Vec<Token>,
        tree: &Tree<'_>,
        lexicon: &Lexicon,
        context: &[Named],
    ) -> Self {
        let taken = vec![false; tokens.len()];
        let mut part = Self {
            tokens,
            taken,
            names: Vec::new(),
            scope: Scope::default(),
            asks: Asks::Which,
            is_negated: false,
            is_only: false,
            is_default: false,
            exactly: None,
            at_least: None,
            context: context.to_vec(),
            mentions: Vec::new(),
        };
        let is_project = |token: &&Token| tree.is_project(&token.text);
        part.mentions = part
            .tokens
            .iter()
            .filter(is_project)
            .map(|token| token.text.clone())
            .collect();
        part.take_defaulting();
        part.ask();
        part.names = part.find_names(tree, lexicon);
        part.join_owners();
        part.ask_of_names(lexicon);
        part.take_naming();
        super::scope::take(&mut part, tree, lexicon);
        part.quantify();
        part
    }

    pub(crate) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    /// The numbers of the tokens that are not taken yet.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tokens.len()).filter(|at| !self.taken[*at])
    }

    pub(crate) fn has(&self, words: &[&str]) -> bool {
        self.free().any(|at| words.contains(&self.word(at)))
    }

    /// Takes what says that nothing was set: "if nobody changes it", "unless configured otherwise".
    fn take_defaulting(&mut self) {
        for phrase in ["out of the box", "out-of-the-box"] {
            if let Some(at) = self.find(phrase) {
                self.take(at, phrase.split(' ').count());
                self.is_default = true;
            }
        }
        for at in 0..self.tokens.len() {
            if !["if", "when", "unless", "without", "where"].contains(&self.word(at)) {
                continue;
            }
            let is_one = |at: &usize| UNSET.contains(&self.word(*at)) && !self.tokens[*at].is_code;
            let length = (at + 1..self.tokens.len()).take_while(is_one).count();
            let said: Vec<&str> = (at..=at + length).map(|at| self.word(at)).collect();
            let ends = at + length + 1 == self.tokens.len()
                || self.tokens[at + length].after != After::Word;
            let is_unset = said
                .iter()
                .any(|word| lexicon::is_negation(word) || UNSAID.contains(word));
            if ends && is_unset && length > 0 {
                self.take(at, length + 1);
                self.is_default = true;
            }
        }
    }

    /// Whether some words stand one after the other, from a place on.
    pub(crate) fn stands(&self, at: usize, phrase: &str) -> Option<usize> {
        let words: Vec<&str> = phrase.split(' ').collect();
        let fits = words
            .iter()
            .enumerate()
            .all(|(offset, word)| self.word(at + offset) == *word);
        fits.then_some(words.len())
    }

    /// Where some words stand.
    pub(crate) fn find(&self, phrase: &str) -> Option<usize> {
        (0..self.tokens.len()).find(|at| self.stands(*at, phrase).is_some())
    }

    pub(crate) fn take(&mut self, from: usize, count: usize) {
        let end = (from + count).min(self.taken.len());
        self.taken[from..end].fill(true);
    }

    /// "Is there a …?", "do we have …?", "does … exist?"
    pub(crate) fn is_existence(&self) -> bool {
        let opens = [
            "is there",
            "are there",
            "do we have",
            "do you have",
            "does it have",
            "have we",
            "is the",
        ]
        .iter()
        .any(|phrase| self.stands(0, phrase).is_some());
        opens && !self.has(&["called", "used", "leak", "race"])
            || self.has(&["exist", "exists", "available", "present"])
    }

    /// Whether a word names the project and nothing in it.
    pub(crate) fn is_mention(&self, word: &str) -> bool {
        self.mentions.iter().any(|known| known == word)
    }

    pub(crate) fn is_name(&self, at: usize) -> bool {
        self.names.iter().any(|named| named.at == Some(at))
    }

    /// What it asks for, by the words that only ask.
    fn ask(&mut self) {
        for idiom in IDIOMS {
            if let Some(at) = self.find(idiom) {
                self.take(at, idiom.split(' ').count());
            }
        }
        let is_tagged = self.take_tag();
        let opened = self.take_opening();
        let first = self.free().find(|at| {
            ![
                "so", "and", "but", "then", "hey", "hi", "also", "or", "well", "now",
            ]
            .contains(&self.word(*at))
        });
        let leads = first
            .is_some_and(|at| lexicon::is_auxiliary(self.word(at)) && !self.tokens[at].is_code);
        let after_pause = (1..self.tokens.len()).find(|at| {
            self.tokens[at - 1].after == After::Pause
                && lexicon::is_auxiliary(self.word(*at))
                && !self.taken[*at]
        });
        let counts = [
            "how many",
            "what number of",
            "number of",
            "amount of",
            "total of",
            "how often",
            "count of",
            "count the",
            "count how",
        ]
        .iter()
        .find_map(|phrase| {
            let asks_other = |at: usize| {
                let paused = (0..at)
                    .rev()
                    .find(|at| self.tokens[*at].after != After::Word);
                let from = paused.map_or(0, |at| at + 1);
                *phrase == "number of"
                    && (from..at).any(|at| !BEFORE_NUMBER.contains(&self.word(at)))
            };
            self.find(phrase).filter(|at| !asks_other(*at))
        });
        self.asks = if let Some(at) = counts {
            let next = (at + 2..self.tokens.len()).find(|at| !lexicon::is_article(self.word(*at)));
            let of_files = next.is_some_and(|at| self.word(at) == "files")
                && self.word(at.wrapping_sub(1)) == "in";
            self.take(at, if self.word(at + 1) == "number" { 3 } else { 2 });
            if of_files {
                Asks::CountFiles
            } else {
                Asks::Count
            }
        } else if self.take_trailing_count() {
            Asks::Count
        } else if is_tagged || opened == Some(true) || (leads && opened.is_none()) {
            Asks::Whether
        } else {
            self.asks_by_word(after_pause.is_some())
        };
    }

    /// "PagingMode: variant count": the word after what is counted.
    fn take_trailing_count(&mut self) -> bool {
        let is_one = |at: &usize| {
            let before = self.word(at - 1);
            let ends = *at + 1 == self.tokens.len() || self.tokens[*at].after != After::Word;
            self.word(*at) == "count" && (lexicon::is_kind(before) || before == "file" || ends)
        };
        let found = (1..self.tokens.len()).find(is_one);
        if let Some(at) = found {
            self.take(at, 1);
        }
        found.is_some()
    }

    fn asks_by_word(&self, has_late_auxiliary: bool) -> Asks {
        let has_asking = self.has(&[
            "who", "whom", "what", "which", "whose", "where", "when", "how",
        ]);
        let is_point_in_time = self.has(&[
            "when", "commit", "release", "since", "date", "day", "year", "history",
        ]);
        let starts_any = self.free().next().is_some_and(|at| {
            [
                "anybody", "anyone", "anything", "any", "nobody", "nothing", "none", "ever",
            ]
            .contains(&self.word(at))
        });
        match () {
            () if (has_late_auxiliary || starts_any) && !has_asking => Asks::Whether,
            () if is_point_in_time => Asks::When,
            () if self.has(&["where"]) => Asks::Where,
            () if self.has(&["count"]) && self.word(0) == "count" => Asks::Count,
            () if has_asking => Asks::Which,
            () if self.is_a_statement() => Asks::Whether,
            () => Asks::Which,
        }
    }

    /// Whether it says something of a subject, and asks for nothing: "SupressNotFound is not used".
    fn is_a_statement(&self) -> bool {
        let first = self.word(0);
        !lexicon::is_asking_verb(first)
            && self.free().any(|at| {
                at > 0
                    && ["is", "are", "does", "do"].contains(&self.word(at))
                    && !self.tokens[at].is_code
            })
    }

    fn take_tag(&mut self) -> bool {
        let count = self.tokens.len();
        let word = |at: usize| self.tokens[at].lower.as_str();
        let bare = ["true or false", "yes or no", "or not"];
        for start in 1..count {
            let words: Vec<&str> = (start..count).map(word).collect();
            let words = words.join(" ");
            let pauses =
                self.tokens[start - 1].after != After::Word || bare.contains(&words.as_str());
            if pauses && is_tag(&words) && !(start..count).any(|at| self.tokens[at].is_code) {
                self.take(start, count - start);
                return true;
            }
        }
        false
    }

    fn take_opening(&mut self) -> Option<bool> {
        for (opening, is_whether) in OPENINGS {
            for at in 0..self.tokens.len().min(4) {
                if let Some(length) = self.stands(at, opening) {
                    self.take(at, length);
                    self.is_negated |= opening.ends_with(" no");
                    return Some(*is_whether);
                }
            }
        }
        None
    }

    /// The names: what is written as code, what stands beside a word for a kind of code, and capitals that the tree defines.
    fn find_names(&self, tree: &Tree<'_>, lexicon: &Lexicon) -> Vec<Named> {
        let mut names: Vec<Named> = Vec::new();
        let mut maybe: Vec<usize> = Vec::new();
        for at in self.free() {
            let token = &self.tokens[at];
            if token.text.contains(char::is_whitespace) {
                continue;
            }
            if is_path(&token.text, tree) {
                names.push(Named {
                    at: Some(at),
                    text: token.text.clone(),
                    is_path: true,
                });
            } else if token.is_code
                && !(tree.is_project(&token.text) && looks_like_code(&token.text))
            {
                names.push(Named {
                    at: Some(at),
                    text: token.text.clone(),
                    is_path: false,
                });
            } else if self.could_be_a_name(at, tree, lexicon) {
                maybe.push(at);
            }
        }
        maybe.truncate(grounds_repo::needles::TARGETS_MAX);
        let words: Vec<&str> = maybe
            .iter()
            .map(|at| self.tokens[*at].text.as_str())
            .collect();
        let known = if words.is_empty() {
            Vec::new()
        } else {
            tree.know(&words)
        };
        for (at, known) in maybe.iter().zip(known) {
            let token = &self.tokens[*at];
            let is_type_or_value = known.definitions().next().is_some()
                || token.is_capital && known.uses().count() > 1;
            if is_type_or_value {
                names.push(Named {
                    at: Some(*at),
                    text: token.text.clone(),
                    is_path: false,
                });
            }
        }
        names.sort_by_key(|named| named.at);
        names
    }

    /// "A extends B?" asks whether it does.
    fn ask_of_names(&mut self, lexicon: &Lexicon) {
        let asks_otherwise = self.asks != Asks::Which
            || self.has(&["who", "what", "which", "whose", "where", "how"])
            || lexicon::is_asking_verb(self.word(0));
        let [one, other] = self.names.as_slice() else {
            return;
        };
        let (Some(one), Some(other)) = (one.at, other.at) else {
            return;
        };
        let relates = (one + 1..other).any(|at| lexicon.is_relation(&self.tokens[at]));
        if !asks_otherwise && relates && self.tokens[one].after == After::Word {
            self.asks = Asks::Whether;
        }
    }

    /// "A function called X": the word only introduces the name.
    fn take_naming(&mut self) {
        for at in 1..self.tokens.len() {
            let introduces = ["called", "named"].contains(&self.word(at))
                && (lexicon::is_kind(self.word(at - 1))
                    || ["thing", "file"].contains(&self.word(at - 1)));
            if introduces && self.is_name(at + 1) {
                self.taken[at] = true;
            }
        }
    }

    /// "InteractivePrinter's print_line" is one name with its owner.
    fn join_owners(&mut self) {
        for number in (1..self.names.len()).rev() {
            let (Some(one), Some(other)) = (self.names[number - 1].at, self.names[number].at)
            else {
                continue;
            };
            let between = (one + 1..other).all(|at| lexicon::is_kind(self.word(at)));
            if self.tokens[one].is_owner
                && between
                && !self.names[number - 1].is_path
                && !self.names[number].is_path
            {
                let joined = format!(
                    "{}.{}",
                    self.names[number - 1].text,
                    self.names[number].text
                );
                self.names[number].text = joined;
                self.names.remove(number - 1);
                self.take(one, other - one);
            }
        }
    }

    /// The names with words that the tree defines as well, where the question has no name in their place.
    pub(crate) fn with_plain_names(&mut self, tree: &Tree<'_>) -> bool {
        let is_candidate = |at: &usize| {
            let token = &self.tokens[*at];
            !self.is_name(*at)
                && token.text.len() > 2
                && !lexicon::is_empty(&token.lower)
                && !lexicon::is_asking(&token.lower)
                && !lexicon::is_test(&token.lower)
                && !tree.is_project(&token.text)
        };
        let words: Vec<usize> = self
            .free()
            .filter(is_candidate)
            .take(grounds_repo::needles::TARGETS_MAX)
            .collect();
        let texts: Vec<&str> = words
            .iter()
            .map(|at| self.tokens[*at].text.as_str())
            .collect();
        if texts.is_empty() {
            return false;
        }
        let known = tree.know(&texts);
        let found: Vec<Named> = words
            .iter()
            .zip(known)
            .filter(|(_, known)| known.definitions().next().is_some())
            .map(|(at, _)| Named {
                at: Some(*at),
                text: self.tokens[*at].text.clone(),
                is_path: false,
            })
            .collect();
        let has_some = !found.is_empty();
        self.names.extend(found);
        self.names.sort_by_key(|named| named.at);
        has_some
    }

    /// Whether the scope came from an exception: "except", "but", "other than".
    pub(crate) fn excepts(&self) -> bool {
        let words = ["except", "but", "besides", "other", "apart", "beside"];
        !self.scope.outside.is_empty()
            && self
                .tokens
                .iter()
                .any(|token| words.contains(&token.lower.as_str()))
    }

    fn could_be_a_name(&self, at: usize, tree: &Tree<'_>, lexicon: &Lexicon) -> bool {
        let token = &self.tokens[at];
        let is_word = lexicon::is_empty(&token.lower)
            || lexicon::is_asking(&token.lower)
            || lexicon::is_test(&token.lower)
            || super::value::is_cue(&token.lower)
            || lexicon::is_negation(&token.lower);
        if tree.is_project(&token.text)
            || token.text.len() < 2
            || lexicon::is_language(&token.lower)
        {
            return false;
        }
        if token.is_capital {
            return token.text.len() > 2
                && !lexicon::is_article(&token.lower)
                && !lexicon::is_asking(&token.lower)
                && !lexicon::is_test(&token.lower);
        }
        let starts_capital = token.text.starts_with(|letter: char| letter.is_uppercase());
        let beside = |other: usize| lexicon::is_kind(self.word(other));
        let after_kind = at > 0 && beside(at - 1) && self.tokens[at - 1].after == After::Word;
        let before_kind =
            self.tokens.get(at + 1).is_some_and(|_| beside(at + 1)) && token.after == After::Word;
        !is_word && !lexicon.is_relation(token) && (starts_capital || after_kind || before_kind)
    }

    /// "Only", "never", "exactly one".
    fn quantify(&mut self) {
        // "Tests only" is a scope where places are asked for.
        self.is_only &= self.asks == Asks::Whether;
        self.take_least();
        let free: Vec<usize> = self.free().collect();
        for at in free {
            let word = self.word(at).to_owned();
            if self.is_name(at) {
                continue;
            }
            if lexicon::is_only(&word) || word == "all" && self.asks == Asks::Whether {
                let is_one = self.word(at.wrapping_sub(1)) == "and"
                    && self.word(at.wrapping_sub(2)) == "one";
                if is_one {
                    self.take(at - 2, 2);
                }
                self.is_only = true;
                self.taken[at] = true;
            } else if lexicon::is_negation(&word) || word == "no" && at + 1 < self.tokens.len() {
                self.is_negated = true;
                self.taken[at] |= !lexicon::is_un(&word);
            }
        }
        // "Isn't X used in Y?" asks whether it is.
        if self.word(0) != "nobody" && self.word(1) == "not" && lexicon::is_auxiliary(self.word(0))
        {
            self.is_negated = false;
        }
        let is_every =
            self.find("every").is_some_and(|at| !self.taken[at]) && self.asks == Asks::Whether;
        self.is_only |= is_every;
        for (phrase, count) in [
            ("one place", 1),
            ("a single place", 1),
            ("single place", 1),
            ("just once", 1),
            ("only once", 1),
            ("exactly once", 1),
            ("exactly one place", 1),
            ("one spot", 1),
            ("exactly twice", 2),
            ("two places", 2),
            ("three places", 3),
            ("exactly one", 1),
            ("a single time", 1),
            ("one time", 1),
            ("once", 1),
            ("twice", 2),
        ] {
            if self.asks == Asks::Whether
                && let Some(at) = self.find(phrase)
                && (at == 0 || self.word(at - 1) != "than")
            {
                self.take(at, phrase.split(' ').count());
                self.exactly = Some(count);
                self.is_only = false;
                break;
            }
        }
        if self.exactly.is_some() {
            let besides = [
                "besides its definition",
                "apart from its definition",
                "besides the definition",
                "except its definition",
                "not counting its definition",
                "besides the declaration",
                "apart from the definition",
            ];
            if let Some((at, phrase)) = besides
                .iter()
                .find_map(|phrase| self.find(phrase).map(|at| (at, phrase)))
            {
                self.take(at, phrase.split(' ').count());
            }
        }
        if self.scope.tests == Tests::Inside
            && self.scope.inside.is_empty()
            && self.has(&["exercised"])
        {
            self.is_only = true;
        }
    }
}

/// Phrases that give a least number.
const LEAST: &[(&str, u32)] = &[
    ("more than once", 2),
    ("more than one place", 2),
    ("more than one spot", 2),
    ("more than one", 2),
    ("more than twice", 3),
    ("more than two", 3),
    ("at least once", 1),
    ("at least one", 1),
    ("at least twice", 2),
    ("at least two", 2),
    ("at least three", 3),
    ("multiple times", 2),
    ("several times", 2),
    ("in multiple places", 2),
    ("in several places", 2),
];

impl Part {
    /// "More than once".
    fn take_least(&mut self) {
        if self.asks != Asks::Whether {
            return;
        }
        let found = LEAST
            .iter()
            .find_map(|(phrase, count)| self.find(phrase).map(|at| (at, phrase, *count)));
        if let Some((at, phrase, count)) = found.filter(|(at, ..)| !self.taken[*at]) {
            let is_defined = self.has(&["defined", "declared"]);
            if !is_defined {
                self.take(at, phrase.split(' ').count());
                self.at_least = Some(count);
            }
        }
    }

    /// The words of a quantifier or a negation that a claim does not have.
    pub(crate) fn unclaimed(&self, claim: &grounds_claims::Claim) -> Option<&'static str> {
        use grounds_claims::Quantifier as Q;
        let is_quantified = claim.is_negated
            || !matches!(
                claim.quantifier,
                Q::Some | Q::Any | Q::Count | Q::CountFiles
            );
        match () {
            () if is_quantified => None,
            () if self.is_only => Some("only"),
            () if self.is_negated => Some("not"),
            () if self.exactly.is_some() || self.at_least.is_some() => Some("times"),
            () => None,
        }
    }
}

/// Whether a word is a file or folder of the tree, or is written as a path and nothing else.
pub(crate) fn is_path(text: &str, tree: &Tree<'_>) -> bool {
    let (path, _) = with_line(text);
    if path.contains("://") || path.len() < 3 {
        return false;
    }
    let has_ending = path.rsplit('/').next().is_some_and(|name| {
        name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && (1..=8).contains(&ending.len())
                && ending.chars().all(|l| l.is_ascii_alphanumeric())
                && ending.chars().any(|l| l.is_ascii_lowercase())
        })
    });
    if path.contains('/') {
        return has_ending || tree.has_folder(path) || !tree.files_of(path).is_empty();
    }
    path.contains('.') && !tree.files_of(path).is_empty()
}

/// A path and the line after its colon.
pub(crate) fn with_line(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once(':') {
        Some((path, line)) if !path.ends_with(':') => {
            line.parse().map_or((text, None), |line| (path, Some(line)))
        }
        _ => (text, None),
    }
}
