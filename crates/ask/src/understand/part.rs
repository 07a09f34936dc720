//! One part of a question: a clause with its names, its scope and what it asks.

use grounds_claims::Scope;
use grounds_evidence::name;
use grounds_repo::path::RepoPath;

use super::lexicon::{self, Lexicon};
use super::token::{After, QuestionToken, is_flag, looks_like_code};
use super::tree::QuestionTree;
use crate::words::is_in;

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

/// A name in a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClauseName {
    /// The number of its token; `None` for a name of an earlier sentence.
    pub(crate) at: Option<usize>,
    /// The name as written.
    pub(crate) text: String,
    /// Whether it is a file or folder of the tree, or written as one.
    pub(crate) is_path: bool,
}

impl ClauseName {
    pub(crate) fn path(at: Option<usize>, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
            is_path: true,
        }
    }

    pub(crate) fn symbol(at: Option<usize>, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
            is_path: false,
        }
    }
}

/// A clause with its names, its scope and its question word.
pub(crate) struct ReadClause {
    pub(crate) tokens: Vec<QuestionToken>,
    /// Which tokens were used by a scope, a tag or politeness.
    pub(crate) taken: Vec<bool>,
    /// Which tokens belong to a name of several words, or to a scope.
    pub(crate) placed: Vec<bool>,
    pub(crate) names: Vec<ClauseName>,
    pub(crate) scope: Scope,
    pub(crate) asks: Asks,
    pub(crate) is_negated: bool,
    pub(crate) is_only: bool,
    /// Whether the clause asks what holds if nothing was set: "out of the box", "if nobody changes
    /// it".
    pub(crate) is_default: bool,
    /// The number in "exactly one caller"; `None` if no exact number is asked about.
    pub(crate) exactly: Option<u32>,
    /// The lower bound: 2 for "more than once". `None` if there is no bound.
    pub(crate) at_least: Option<u32>,
    /// Whether a negation belongs to words that no claim covers: "when no file is given".
    pub(crate) is_unclear: bool,
    /// Names of earlier sentences and clauses.
    pub(crate) context: Vec<ClauseName>,
    /// Whether earlier clauses said something in plain words, without a name.
    pub(crate) has_told: bool,
    /// Words that name the project itself.
    mentions: Vec<String>,
    /// The number of leading words that set a place or a condition for the question.
    pub(crate) lead: usize,
}

/// Words that can follow a name in a question for its place.
const PLACED: &str = "defined declared implemented located in from return returns call calls raise raises take takes";

/// Turns of phrase that say nothing about the code.
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
    "as far as i see",
    "as far as i can see",
    "as far as i know",
    "as far as i can tell",
    "more or less",
    "one after the other",
    "at compile time",
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
    "all of it",
    "in the call graph",
    "one of the things",
    "every last",
    "each and every",
    "in other words",
    "type alias",
    "according to",
    "correct me if wrong",
    "correct me if i am wrong",
    "nowadays",
    "along the way",
    "on the way",
    "in the hierarchy",
    "in the class hierarchy",
    "in the inheritance tree",
    "in any way",
    "in some way",
    "in any form",
    "of some sort",
    "of some kind",
    "of any sort",
    "of any kind",
    "by now",
    "so far",
    "as of now",
    "as of today",
    "out of curiosity",
    "just curious",
    "to be sure",
    "for sure",
    "at any point",
    "any longer",
    "a bit better",
    "two things about",
    "two questions about",
    "a question about",
    "question about",
    "quick question about",
    "in its body",
    "inside its body",
    "within its body",
    "in its own body",
];

/// Phrases that ask for a number.
const COUNTING: &[&str] = &[
    "how many",
    "what number of",
    "number of",
    "amount of",
    "total of",
    "how often",
    "count of",
    "count the",
    "count how",
];

/// Words that may precede "number of" if that asks for a count.
const BEFORE_NUMBER: &str = "the what is give me a tell show total exact need i and their its";

/// Nouns that a plain word describes: "config files" does not name `config`.
const OF_FILES: &str = "file folder directory";

/// Largest number of words in a flag that is spelled without its dashes.
const FLAG_WORDS_MAX: usize = 4;
/// Nouns for a flag of a command line.
const FLAG_KINDS: &str = "flag option switch argument parameter arg command line command-line cli";

/// Verbs for what a tree or file has. They are not names, even if the tree defines such a name.
const HAVING: &str = "contain contains include includes hold holds";

/// Words of a phrase that says that nothing was set.
const UNSET: &str = "i we you the a an any user users one it that this is are was were do does did has have been \
    not nobody nothing noone none set sets give gives given pass passes passed change changes \
    changed configure configures configured specify specifies specified override overrides \
    overridden provide provides provided choose chosen told said otherwise else explicitly \
    option flag value anything omitted unset absent missing left out no configuration arguments \
    argument touch touches touched explicit";
/// Words that say so without a negation: those of [`UNSET`], and those that open the phrase.
const UNSAID: &str = "unless without omitted unset absent missing no";

impl ReadClause {
    pub(crate) fn new(
        tokens: Vec<QuestionToken>,
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
        context: &[ClauseName],
    ) -> Self {
        let taken = vec![false; tokens.len()];
        let mut part = Self {
            tokens,
            placed: taken.clone(),
            taken,
            names: Vec::new(),
            scope: Scope::default(),
            asks: Asks::Which,
            is_negated: false,
            is_only: false,
            is_default: false,
            exactly: None,
            at_least: None,
            is_unclear: false,
            context: context.to_vec(),
            has_told: false,
            mentions: Vec::new(),
            lead: 0,
        };
        part.lead = super::parts::lead_of(&part.tokens);
        let is_project = |token: &&QuestionToken| tree.is_project(&token.text);
        part.mentions = part
            .tokens
            .iter()
            .filter(is_project)
            .map(|token| token.text.clone())
            .collect();
        // The order of these steps matters: each takes tokens, and the ones after it skip taken
        // tokens. "If nobody changes it" must go before its "if" counts as a condition.
        part.take_defaulting();
        part.ask();
        // Idioms and tags are taken by now. The difference to this snapshot below is what names and
        // scopes took.
        let said = part.taken.clone();
        // Flags become code tokens here, so that `find_names` sees "the app dir option" as one
        // name.
        part.spell_flags(tree);
        part.names = part.find_names(tree, lexicon);
        part.take_kinds_of_flags();
        part.take_command(tree);
        part.join_owners();
        part.join_packages(tree);
        part.join_owned(tree);
        part.join_members(tree);
        part.ask_of_names(lexicon);
        part.take_naming();
        part.take_condition(lexicon);
        // A scope removes the names that it uses, such as the file of "in a.rs".
        super::scope::take(&mut part, tree, lexicon);
        let placed = part.taken.iter().zip(said);
        part.placed = placed.map(|(taken, said)| *taken && !said).collect();
        part.quantify(lexicon);
        part
    }

    /// Returns the word at a place in small letters; empty past the end.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    /// Returns the numbers of the tokens that are not taken yet.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tokens.len()).filter(|at| !self.taken[*at])
    }

    /// Returns the numbers of the free tokens whose word is in a list.
    pub(crate) fn said(&self, words: &str) -> impl Iterator<Item = usize> {
        self.free().filter(move |at| self.says(*at, words))
    }

    pub(crate) fn has(&self, words: &str) -> bool {
        self.said(words).next().is_some()
    }

    /// Reports whether the word at a place is in a list.
    pub(crate) fn says(&self, at: usize, words: &str) -> bool {
        is_in(words, self.word(at))
    }

    /// Takes the words that say that nothing was set: "if nobody changes it", "unless configured
    /// otherwise".
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
            // "If I never touch X, what is it?" puts the name into the condition, and a pause after
            // it.
            let is_object = |at: usize| {
                self.tokens[at].is_code
                    && self.tokens[at].after == After::Pause
                    && self.says(at - 1, UNSET)
            };
            let is_one = |at: &usize| {
                self.says(*at, UNSET) && !self.tokens[*at].is_code
                    || is_object(*at)
                    || self.is_absent(*at)
            };
            let length = (at + 1..self.tokens.len()).take_while(is_one).count();
            let said: Vec<&str> = (at..=at + length).map(|at| self.word(at)).collect();
            // A phrase that goes on says more than that nothing was set: "when no file is given to
            // f".
            let ends = at + length + 1 == self.tokens.len()
                || self.tokens[at + length].after != After::Word;
            let is_unset = said
                .iter()
                .any(|word| lexicon::is_negation(word) || is_in(UNSAID, word));
            if ends && is_unset && length > 0 {
                // The name itself stays free, since the question is about it.
                let of_name = usize::from(self.tokens[at + length].is_code);
                self.take(at, length + 1 - of_name);
                self.is_default = true;
            }
        }
    }

    /// Reports whether a word says that something is missing, in a question about a message: "its
    /// message if there is no code".
    fn is_absent(&self, at: usize) -> bool {
        let before = at - 1 - usize::from(self.says(at - 1, "a an any"));
        let is_one = self.word(at) == "there" || self.says(before, "no without");
        self.has("message text wording") && is_one && !self.tokens[at].is_code
    }

    /// Returns the number of words in a phrase if the phrase begins at a place.
    pub(crate) fn stands(&self, at: usize, phrase: &str) -> Option<usize> {
        let words: Vec<&str> = phrase.split(' ').collect();
        let fits = words
            .iter()
            .enumerate()
            .all(|(offset, word)| self.word(at + offset) == *word);
        fits.then_some(words.len())
    }

    /// Returns where a phrase begins, if the clause has it.
    pub(crate) fn find(&self, phrase: &str) -> Option<usize> {
        (0..self.tokens.len()).find(|at| self.stands(*at, phrase).is_some())
    }

    pub(crate) fn take(&mut self, from: usize, count: usize) {
        let end = (from + count).min(self.taken.len());
        self.taken[from..end].fill(true);
    }

    /// Reports whether the clause asks if something exists: "is there a …?", "do we have …?", "does
    /// … exist?"
    pub(crate) fn is_existence(&self) -> bool {
        let opens = [
            "is there",
            "are there",
            "do we have",
            "do you have",
            "does it have",
            "have we",
            "is the",
            "there is",
            "there are",
        ]
        .iter()
        .any(|phrase| self.stands(0, phrase).is_some());
        // "Is the f helper called?" opens like a question for existence, and asks for uses.
        opens && !self.has("called used leak race") || self.has("exist exists available present")
    }

    /// Returns its names that are not paths.
    pub(crate) fn symbols(&self) -> impl DoubleEndedIterator<Item = &ClauseName> {
        self.names.iter().filter(|named| !named.is_path)
    }

    /// Returns the last name of earlier sentences that is not a path.
    pub(crate) fn symbol_before(&self) -> Option<&ClauseName> {
        self.context.iter().rfind(|named| !named.is_path)
    }

    /// Returns what a pronoun refers to: the last symbol that was named before, or else the last
    /// path.
    pub(super) fn topic(&self) -> Option<ClauseName> {
        self.symbol_before().or(self.context.last()).cloned()
    }

    /// Reports whether a word names the project and nothing in it.
    pub(crate) fn is_mention(&self, word: &str) -> bool {
        self.mentions.iter().any(|known| known == word)
    }

    pub(crate) fn is_name(&self, at: usize) -> bool {
        self.names.iter().any(|named| named.at == Some(at))
    }

    /// Finds out what the clause asks for, from the words that only ask.
    fn ask(&mut self) {
        // Idioms contain words that mean something elsewhere ("as far as I know", "if any"), so
        // they are taken first.
        for idiom in IDIOMS {
            if let Some(at) = self.find(idiom) {
                self.take(at, idiom.split(' ').count());
            }
        }
        self.take_reason();
        self.take_body();
        // "…, right?" makes a statement a yes-or-no question, whatever its first word is.
        let is_tagged = self.take_tag();
        let opened = self.take_opening();
        let opens = |at: &usize| !self.says(*at, "so and but then hey hi also or well now");
        let leads = self
            .free()
            .find(opens)
            .is_some_and(|at| lexicon::is_auxiliary(self.word(at)) && !self.tokens[at].is_code);
        let after_pause = (1..self.tokens.len()).find(|at| {
            self.tokens[at - 1].after == After::Pause
                && lexicon::is_auxiliary(self.word(*at))
                && !self.taken[*at]
        });
        let counts = COUNTING.iter().find_map(|phrase| self.counts_by(phrase));
        // "Count fields of X."
        let orders_count = self.word(0) == "count" && counts.is_none();
        if orders_count {
            self.take(0, 1);
        }
        self.asks = match counts {
            Some(at) => self.take_count(at),
            None if orders_count => Asks::Count,
            None if self.take_trailing_count() => Asks::Count,
            None if is_tagged || opened == Some(true) || (leads && opened.is_none()) => {
                Asks::Whether
            }
            None => self.asks_by_word(after_pause),
        };
    }

    /// Returns where a phrase asks for a number. "The number of" can also be a part of the subject.
    fn counts_by(&self, phrase: &str) -> Option<usize> {
        let asks_other = |at: usize| {
            let paused = self.tokens[..at]
                .iter()
                .rposition(|token| token.after != After::Word);
            let from = paused.map_or(0, |at| at + 1);
            // "Limiting how many run" asks for what limits them.
            let is_done = phrase == "how many"
                && at > 0
                && self.word(at - 1).ends_with("ing")
                && !self.is_name(at - 1)
                && !lexicon::is_empty(self.word(at - 1));
            is_done || phrase == "number of" && (from..at).any(|at| !self.says(at, BEFORE_NUMBER))
        };
        self.find(phrase).filter(|at| !asks_other(*at))
    }

    /// Takes the words that ask for a number, and tells a count of files ("in how many files") from
    /// a count of places.
    fn take_count(&mut self, at: usize) -> Asks {
        let next = (at + 2..self.tokens.len()).find(|at| !lexicon::is_article(self.word(*at)));
        // "In how many files", "the number of files that call X".
        let calls = |at: usize| {
            let verb = at + usize::from(self.says(at, "that which"));
            self.says(
                verb,
                "call calls use uses invoke invokes mention mentions reference references",
            )
        };
        let of_files = next.is_some_and(|at| self.word(at) == "files" && calls(at + 1))
            || next.is_some_and(|at| self.word(at) == "files")
                && self.word(at.wrapping_sub(1)) == "in";
        self.take(at, if self.word(at + 1) == "number" { 3 } else { 2 });
        match of_files {
            true => Asks::CountFiles,
            false => Asks::Count,
        }
    }

    /// Takes the reason for a question: "…, because it is derived from it", "so that I can see …".
    fn take_reason(&mut self) {
        const ABOUT: &str = "i we you it they this that the";
        let begins = |at: &usize| {
            let next = self.word(at + 1);
            match self.word(*at) {
                "because" => is_in(ABOUT, next),
                // "Since the last release" is a time, so "since" needs a sentence after it.
                "since" => is_in(ABOUT, next) && next != "this" && self.has_verb_after(*at + 1),
                "so" => {
                    is_in("i we that all", next)
                        && !(next == "that" && self.word(at + 2).is_empty())
                }
                _ => false,
            }
        };
        let Some(start) = (2..self.tokens.len()).find(begins) else {
            return;
        };
        let end = (start..self.tokens.len())
            .find(|at| self.tokens[*at].after != After::Word)
            .map_or(self.tokens.len(), |at| at + 1);
        // A reason that names code may restrict what is asked for, so its words must stay unread.
        if !(start..end).any(|at| self.tokens[at].is_code) {
            self.take(start, end - start);
        }
    }

    /// Reports whether a verb comes before the next pause, so that the words are a sentence.
    fn has_verb_after(&self, at: usize) -> bool {
        let is_verb = |at: usize| {
            lexicon::is_auxiliary(self.word(at))
                || self.says(at, "want wants need needs think see am")
        };
        let start = at.min(self.tokens.len());
        let end = (start..self.tokens.len())
            .find(|at| self.tokens[*at].after != After::Word)
            .map_or(self.tokens.len(), |at| at + 1);
        (start..end).any(is_verb)
    }

    /// Takes "body" in "the body of X" and "X's body": the name says enough.
    fn take_body(&mut self) {
        for at in 0..self.tokens.len() {
            let is_of = self.word(at + 1) == "of"
                && (at + 2..at + 5)
                    .any(|at| self.tokens.get(at).is_some_and(|token| token.is_code));
            let is_its = at > 0 && self.word(at - 1) == "its";
            let is_owned = is_its || at > 0 && self.tokens[at - 1].is_owner;
            let is_body = self.word(at) == "body";
            // "What does its body call?" asks what it calls; "in its body" says no more.
            if is_body && is_its && !self.taken[at] {
                "it".clone_into(&mut self.tokens[at - 1].lower);
            }
            self.taken[at] |= is_body && (is_of || is_owned);
        }
    }

    /// Takes "count" after what is counted: "PagingMode: variant count".
    fn take_trailing_count(&mut self) -> bool {
        let is_one = |at: &usize| {
            let before = self.word(at - 1);
            let ends = *at + 1 == self.tokens.len() || self.tokens[*at].after != After::Word;
            // "Tests do not count" restricts a list, and counts nothing.
            self.word(*at) == "count"
                && before != "not"
                && (lexicon::is_kind(before) || before == "file" || ends)
        };
        let found = (1..self.tokens.len()).find(is_one);
        if let Some(at) = found {
            self.take(at, 1);
        }
        found.is_some()
    }

    fn asks_by_word(&self, late: Option<usize>) -> Asks {
        let has_late_auxiliary = late.is_some();
        let asking = [
            "who", "whom", "what", "which", "whose", "where", "when", "how",
        ];
        // "Besides a.rs, is there a file in which X is used?": the relative "which" after the
        // auxiliary asks nothing.
        let is_there = late.is_some_and(|at| {
            ["is there", "are there", "do we"]
                .iter()
                .any(|phrase| self.stands(at, phrase).is_some())
        });
        let until = late.filter(|_| is_there).unwrap_or(self.tokens.len());
        let has_asking = self
            .free()
            .any(|at| at < until && asking.contains(&self.word(at)));
        let is_point_in_time = self.has("when commit release since date day year history");
        // In "X: any usage?" the name before the colon is the topic, and the first word comes after
        // it.
        let is_topic =
            |at: &usize| self.tokens[*at].is_code && self.tokens[*at].after == After::Pause;
        let starts_any = self.free().find(|at| !is_topic(at)).is_some_and(|at| {
            self.says(at, "anybody anyone anything any nobody nothing none ever")
        });
        match () {
            () if (has_late_auxiliary || starts_any) && !has_asking => Asks::Whether,
            () if is_point_in_time => Asks::When,
            () if self.has("where") => Asks::Where,
            () if self.has("count") && self.word(0) == "count" => Asks::Count,
            () if has_asking => Asks::Which,
            () if self.is_a_statement() => Asks::Whether,
            () => Asks::Which,
        }
    }

    /// Reports whether the clause states something about a subject, and has no word that asks:
    /// "SupressNotFound is not used".
    fn is_a_statement(&self) -> bool {
        let first = self.word(0);
        // "X is pinned at …?" leaves the answer open, so it is no statement.
        let last = self.free().last().map_or("", |at| self.word(at));
        let is_open = is_in("at to by of in", last);
        !lexicon::is_asking_verb(first)
            && !is_open
            && self
                .free()
                .any(|at| at > 0 && self.says(at, "is are does do") && !self.tokens[at].is_code)
    }

    /// Finds the names: tokens written as code, words beside a kind of code, and capitals that the
    /// tree defines.
    fn find_names(&self, tree: &QuestionTree<'_>, lexicon: &Lexicon) -> Vec<ClauseName> {
        let mut names: Vec<ClauseName> = Vec::new();
        let mut maybe: Vec<usize> = Vec::new();
        for at in self.free() {
            let token = &self.tokens[at];
            let text = &token.text;
            if text.contains(char::is_whitespace) {
                continue;
            }
            // "The locales folder" is a path, although `locales` may be a name in code too.
            let is_folder = self.says(at + 1, "folder directory dir") && token.after == After::Word;
            if is_folder && tree.has_folder(text) {
                names.push(ClauseName::path(Some(at), text));
            } else if let Some(file) = self.document(at, tree) {
                names.push(ClauseName::path(Some(at), &file));
            } else if is_path(text, tree) {
                names.push(ClauseName::path(Some(at), text));
            } else if token.is_code && !(tree.is_project(text) && looks_like_code(text)) {
                names.push(ClauseName::symbol(Some(at), text));
            } else if self.could_be_a_name(at, tree, lexicon) {
                maybe.push(at);
            }
        }
        // Written names are announced first, so that the search for the plain words below covers
        // them in the same pass.
        let written = names.iter().filter(|named| !named.is_path);
        tree.expect(written.flat_map(|named| {
            let segments = name::path_segments(&named.text);
            segments.into_iter().map(str::to_owned).collect::<Vec<_>>()
        }));
        // More words than one pass can look for would cost another pass over the tree.
        maybe.truncate(grounds_repo::needles::TARGETS_MAX);
        names.extend(self.names_among(&maybe, tree, lexicon));
        names.sort_by_key(|named| named.at);
        names
    }

    /// Returns the one file at the top of the tree that "the README" or "the changelog" names.
    fn document(&self, at: usize, tree: &QuestionTree<'_>) -> Option<String> {
        const DOCUMENTS: &str =
            "readme changelog license licence contributing makefile dockerfile gemfile rakefile";
        let is_said = at > 0 && lexicon::is_article(self.word(at - 1));
        if !is_said || !self.says(at, DOCUMENTS) {
            return None;
        }
        let word = self.word(at);
        let is_one = |file: &&RepoPath| {
            let is_top = !file.as_str().contains('/');
            is_top && file.stem().to_lowercase() == word
        };
        let mut files = tree.files.iter().filter(is_one);
        let only = files.next().filter(|_| files.next().is_none());
        only.map(|file| file.as_str().to_owned())
    }

    /// Returns those plain words that the tree has as names.
    fn names_among(
        &self,
        maybe: &[usize],
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
    ) -> Vec<ClauseName> {
        if maybe.is_empty() {
            return Vec::new();
        }
        let words: Vec<&str> = maybe
            .iter()
            .map(|at| self.tokens[*at].text.as_str())
            .collect();
        // "Who implements Drop?" names a trait of a library, which the tree uses and does not
        // define.
        let is_asked_as_base = |at: usize| {
            let before = (0..at).rfind(|at| !self.says(*at, "from the a an"));
            let stem = before.map_or("", |at| self.tokens[at].stem.as_str());
            self.tokens[at].is_capital && is_in("implement extend inherit deriv", stem)
        };
        let is_name = |at: usize, known: &super::tree::KnownName| {
            let token = &self.tokens[at];
            // "Display implementors": the capital of a first word means nothing by itself, so a
            // noun of a relation must follow.
            let relates =
                |next: &QuestionToken| lexicon.is_relation(next) && next.lower.ends_with('s');
            let is_first = at == 0
                && token.text.starts_with(|letter: char| letter.is_uppercase())
                && self.tokens.get(1).is_some_and(relates);
            known.is_defined()
                || (token.is_capital || is_first) && known.uses().count() > 1
                || (is_asked_as_base(at) || self.is_said_of_name(at))
                    && known.uses().next().is_some()
                || self.is_asked_for(at, tree)
        };
        let known = maybe.iter().zip(tree.know(&words));
        known
            .filter(|(at, known)| is_name(**at, known))
            .map(|(at, _)| ClauseName::symbol(Some(*at), &self.tokens[*at].text))
            .collect()
    }

    /// Reports whether a final capital is said of a name: "X is Cloneable, isn't it?"
    fn is_said_of_name(&self, at: usize) -> bool {
        let ends = at + 1 == self.tokens.len() || self.tokens[at].after != After::Word;
        let is_one = |token: &QuestionToken| token.is_code || token.is_capitalised();
        let named = |at: usize| self.tokens.get(at).is_some_and(is_one);
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let is_it = before(1) == "it" && before(2) == "is";
        let is_bare = at > 1 && (before(1) == "is" && named(at - 2) || named(at - 1) || is_it);
        ends && is_bare && self.tokens[at].is_capital
    }

    /// Gives a flag of the tree its dashes if it is spelled without them: "the app dir option",
    /// "ignored-suffix".
    fn spell_flags(&mut self, tree: &QuestionTree<'_>) {
        let found: Vec<_> = (0..self.tokens.len())
            .filter_map(|at| self.flag_at(at, tree))
            .collect();
        for (range, flag) in found {
            let last = range.end - 1;
            self.take(range.start, last - range.start);
            let token = &mut self.tokens[last];
            (token.lower, token.is_code) = (flag.clone(), true);
            token.text = flag;
        }
    }

    /// Returns the flag that ends at a place, and the numbers of its words: before a noun for a
    /// flag, or in one word with a hyphen.
    fn flag_at(
        &self,
        at: usize,
        tree: &QuestionTree<'_>,
    ) -> Option<(std::ops::Range<usize>, String)> {
        let is_part = |at: usize| {
            let token = &self.tokens[at];
            let is_joint = lexicon::is_article(&token.lower)
                || lexicon::is_auxiliary(&token.lower)
                || lexicon::is_asking(&token.lower);
            !token.is_code && !self.taken[at] && !is_joint && token.after == After::Word
        };
        let spelled = |words: std::ops::Range<usize>| {
            let parts: Vec<&str> = words.clone().map(|at| self.word(at)).collect();
            let flag = parts.join("-").replace('_', "-");
            let is_one = tree.flags().contains_key(&flag);
            is_one.then(|| (words, format!("--{flag}")))
        };
        if self.says(at, "flag option switch") {
            let first = at.saturating_sub(FLAG_WORDS_MAX);
            let mut starts = (first..at).filter(|first| (*first..at).all(is_part));
            // The longest spelling is tried first: "app dir option" is `--app-dir`, even if there
            // is a `--dir`.
            return starts.find_map(|first| spelled(first..at));
        }
        let is_joined = self.word(at).contains('-') && !self.tokens[at].is_code;
        is_joined.then(|| spelled(at..at + 1)).flatten()
    }

    /// Takes the command that has the flag: "--limit of `tool list`", "for `tool list`".
    fn take_command(&mut self, tree: &QuestionTree<'_>) {
        let is_command = |at: &usize| {
            let mut words = self.tokens[*at].text.split_whitespace();
            let is_first = words.next().is_some_and(|first| tree.is_project(first));
            let is_plain = |word: &str| {
                word.chars()
                    .all(|letter| letter.is_lowercase() || letter == '-')
            };
            let rest: Vec<&str> = words.collect();
            is_first && (1..=2).contains(&rest.len()) && rest.into_iter().all(is_plain)
        };
        let Some(at) = (1..self.tokens.len()).find(is_command) else {
            return;
        };
        let has_flag = self.names.iter().any(|named| is_flag(&named.text));
        if has_flag && self.says(at - 1, "in of for to on with under from") {
            self.take(at - 1, 2);
        }
    }

    /// Takes the nouns beside a flag, since its dashes say the same: "the --dry-run option", "the
    /// command line flag --dry-run", "--dry-run in the cli".
    fn take_kinds_of_flags(&mut self) {
        let flags = self.names.iter().filter(|named| is_flag(&named.text));
        let flags: Vec<usize> = flags.filter_map(|named| named.at).collect();
        let is_kind = |at: usize| {
            let singular = lexicon::singular(self.word(at));
            is_in(FLAG_KINDS, singular.as_str()) && !self.is_name(at)
        };
        let beside = |at: usize| {
            let behind = (at + 1..self.tokens.len()).take_while(|at| is_kind(*at));
            let ahead = (0..at).rev().take_while(|at| is_kind(*at));
            behind.chain(ahead).collect::<Vec<usize>>()
        };
        let mut nouns: Vec<usize> = flags.iter().flat_map(|at| beside(*at)).collect();
        // "In the cli" and "on the command line" restrict nothing, since every flag is given there.
        for at in (0..self.tokens.len()).filter(|_| !flags.is_empty()) {
            let opens = self.says(at, "in on from of");
            let is_more = |at: &usize| {
                is_kind(*at)
                    || lexicon::is_article(self.word(*at))
                    || self.is_mention(self.word(*at))
            };
            let end = (at + 1..self.tokens.len()).take_while(is_more).last();
            let Some(end) = end.filter(|end| opens && is_kind(*end)) else {
                continue;
            };
            nouns.extend(at..=end);
        }
        for at in nouns {
            self.taken[at] = true;
        }
    }

    /// Reports whether a capital ends a question for existence: "is there a Refund?" also names
    /// what the tree lacks.
    fn is_asked_for(&self, at: usize, tree: &QuestionTree<'_>) -> bool {
        let token = &self.tokens[at];
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        let next = self.word(at + 1);
        let ends = token.after != After::Word
            || at + 1 == self.tokens.len()
            || lexicon::is_kind(next)
            || is_in("in inside anywhere here somewhere at within under", next);
        let is_introduced = lexicon::is_article(before)
            || lexicon::is_kind(before)
            || is_in("called named no", before);
        let names_file = || {
            let lower = &token.lower;
            let has = |file: &grounds_repo::path::RepoPath| {
                let mut parts = file.as_str().split('/').map(str::to_lowercase);
                parts.any(|part| part == *lower || part.split('.').next() == Some(lower))
            };
            tree.files.iter().any(has)
        };
        let is_one = token.is_capital && token.text.chars().all(char::is_alphanumeric);
        self.asks == Asks::Whether
            && self.is_existence()
            && is_one
            && ends
            && is_introduced
            // A word that a file or folder has as its name is not missing from the tree.
            && !names_file()
    }

    /// Reads "A extends B?" as a yes-or-no question, since two names are related.
    fn ask_of_names(&mut self, lexicon: &Lexicon) {
        let asks_otherwise = self.asks != Asks::Which
            || self.has("who what which whose where how")
            || lexicon::is_asking_verb(self.word(0));
        let [one, other] = self.names.as_slice() else {
            return;
        };
        let (Some(one), Some(other)) = (one.at, other.at) else {
            return;
        };
        // "A.f callers (the static ones of b)" lists.
        let lists = |at: usize| {
            let is_noun = lexicon::is_agent(self.word(at)) || self.says(at, "usages usage");
            at == one + 1 && is_noun && !self.says(at + 1, "of for")
        };
        let relates = (one + 1..other).any(|at| {
            let joins = self.tokens[at].after == After::Word && !lists(at);
            lexicon.is_relation(&self.tokens[at]) && joins
        });
        // "A: subclass of B?"
        let is_nominal = other > 0 && self.says(other - 1, "of for");
        if !asks_otherwise && relates && (is_nominal || self.tokens[one].after == After::Word) {
            self.asks = Asks::Whether;
        }
    }

    /// Drops capitals before a plural noun if code is named: "Shelf labels are printed by f. Who
    /// calls it?" is about f.
    pub(super) fn forget_adjectives(&mut self) {
        let is_plain = |named: &ClauseName| {
            let at = named.at.filter(|at| !self.tokens[*at].is_code)?;
            let next = self.tokens.get(at + 1)?;
            let is_verb = self.says(at + 2, "is are was were get gets got become");
            let is_noun = next.lower.ends_with('s') && !next.is_code && is_verb;
            (is_noun && self.tokens[at].after == After::Word).then_some(at)
        };
        let adjectives: Vec<usize> = self.names.iter().filter_map(is_plain).collect();
        let is_code = |named: &ClauseName| named.at.is_some_and(|at| self.tokens[at].is_code);
        if self.names.iter().any(is_code) {
            self.names
                .retain(|named| named.at.is_none_or(|at| !adjectives.contains(&at)));
        }
    }

    /// Takes "called" in "a function called X", where it only introduces the name.
    fn take_naming(&mut self) {
        for at in 1..self.tokens.len() {
            let introduces = self.says(at, "called named")
                && (lexicon::is_kind(self.word(at - 1)) || self.says(at - 1, "thing file"));
            if introduces && self.is_name(at + 1) {
                self.taken[at] = true;
            }
        }
    }

    /// Joins a name with its owner: "InteractivePrinter's print_line".
    fn join_owners(&mut self) {
        // From the last to the first, so that a removal does not move the names that are still to
        // come.
        for number in (1..self.names.len()).rev() {
            let (Some(one), Some(other)) = (self.names[number - 1].at, self.names[number].at)
            else {
                continue;
            };
            let is_plain =
                |at: usize| lexicon::is_kind(self.word(at)) || self.says(at, "private public own");
            let between = (one + 1..other).all(is_plain);
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

    /// Joins a member of Go with the package that is said before it: "the json Codec.Decode".
    fn join_packages(&mut self, tree: &QuestionTree<'_>) {
        for number in 0..self.names.len() {
            let named = &self.names[number];
            let Some(at) = named.at.and_then(|at| at.checked_sub(1)) else {
                continue;
            };
            let word = &self.tokens[at];
            let is_word = word.after == After::Word
                && !word.is_owner
                && !self.taken[at]
                && !self.is_name(at)
                && !lexicon::is_empty(&word.lower);
            let is_member = !named.is_path && name::path_segments(&named.text).len() == 2;
            if is_word && is_member && is_in_package(&named.text, &word.text, tree) {
                self.names[number].text = format!("{}.{}", word.text, named.text);
                self.taken[at] = true;
            }
        }
    }

    /// Joins a plain word with the owner before it, if it is a member: "Template's parse".
    fn join_owned(&mut self, tree: &QuestionTree<'_>) {
        for named in &mut self.names {
            let Some(at) = named
                .at
                .filter(|at| self.tokens[*at].is_owner && !named.is_path)
            else {
                continue;
            };
            let Some(member) = self.tokens.get(at + 1).map(|token| token.text.clone()) else {
                continue;
            };
            let is_word = member
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_');
            // "X's parse errors" is about errors, so the member must end its phrase.
            let is_last = self.tokens.get(at + 2).is_none_or(|next| {
                lexicon::is_be(&next.lower)
                    || lexicon::is_auxiliary(&next.lower)
                    || is_in(PLACED, &next.lower)
            });
            if is_word && is_last && has_member(&named.text, &member, tree) {
                named.text = format!("{}.{member}", named.text);
                named.at = Some(at + 1);
                self.taken[at] = true;
            }
        }
    }

    /// Adds plain words to the names if the tree defines them. Returns whether there were any.
    pub(crate) fn with_plain_names(
        &mut self,
        words: &[usize],
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
    ) -> bool {
        let texts: Vec<&str> = words
            .iter()
            .map(|at| self.tokens[*at].text.as_str())
            .collect();
        if texts.is_empty() {
            return false;
        }
        let known = tree.know(&texts);
        let imports = self.has_path() && self.free().any(|at| lexicon.imports(&self.tokens[at]));
        // "Who calls putenv?" names a function of the language or a library. That is only tried if
        // no word is defined here.
        let is_defined = known
            .iter()
            .any(|known| known.is_defined() || known.is_imported());
        let calls = !is_defined && self.free().any(|at| lexicon.calls(&self.tokens[at]));
        let named = words.iter().zip(known).filter_map(|(at, known)| {
            let file = imports.then(|| tree.file_of_stem(&self.tokens[*at].text));
            let is_known = known.is_defined() || known.is_imported() || calls && known.is_called();
            self.plain_name(*at, file.flatten(), is_known)
        });
        let found: Vec<ClauseName> = named.collect();
        // "Number of threads used by default": both words may be names somewhere, and neither is
        // meant as one.
        if found.len() > 1 && self.names.is_empty() && self.asks != Asks::Whether {
            return false;
        }
        let has_some = !found.is_empty();
        self.names.extend(found);
        self.names.sort_by_key(|named| named.at);
        self.join_members(tree);
        has_some
    }

    /// Returns the plain words that could be names of the tree.
    pub(super) fn could_be_plain_names(&self, tree: &QuestionTree<'_>) -> Vec<usize> {
        let is_candidate = |at: &usize| {
            let token = &self.tokens[*at];
            !self.is_name(*at)
                && token.text.len() > 2
                && !self.is_described(*at)
                && !self.is_counted_noun(*at)
                && !self.is_common(*at, tree)
                && !self.is_left_out(*at)
                && !lexicon::is_empty(&token.lower)
                && !lexicon::is_asking(&token.lower)
                && !lexicon::is_test(&token.lower)
                && !is_in(HAVING, token.lower.as_str())
                && !tree.is_project(&token.text)
        };
        self.free()
            .filter(is_candidate)
            .take(grounds_repo::needles::TARGETS_MAX)
            .collect()
    }

    /// Reports whether a word is the noun for what is counted: "how many errors extend X?" names no
    /// `errors`.
    fn is_counted_noun(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let is_after = before(1) == "many"
            || before(1) == "of" && is_in("number count amount total", before(2));
        let counts_sites = self.says(
            at + 1,
            "call calls caller callers use uses usage usages reference references",
        );
        is_after && self.word(at).ends_with('s') && !counts_sites
    }

    /// Reports whether "a" introduces one of many: "does it use a cache?" names none. A question
    /// for existence can name it.
    fn is_common(&self, at: usize, tree: &QuestionTree<'_>) -> bool {
        let is_one = at > 0 && self.says(at - 1, "a an");
        is_one
            && !self.is_existence()
            && !lexicon::is_kind(self.word(at + 1))
            && !self.is_base_of_name(at, tree)
    }

    /// Reports whether a word is asked about as a base: "is Route a matcher?", where the tree has a
    /// type `matcher`.
    fn is_base_of_name(&self, at: usize, tree: &QuestionTree<'_>) -> bool {
        let ends = at + 1 == self.tokens.len() || self.tokens[at].after != After::Word;
        let follows = |name: usize| {
            self.is_name(name)
                && (self.says(name.wrapping_sub(1), "is") || self.word(name + 1) == "is")
        };
        let is_said = (at.saturating_sub(3)..at).any(follows);
        ends && is_said && self.asks == Asks::Whether && tree.is_base(&self.tokens[at].text)
    }

    /// Returns a plain word as a name if the tree knows it, or as the file that it stands for:
    /// "nativetypes pulls in compiler.py".
    fn plain_name(&self, at: usize, file: Option<String>, is_known: bool) -> Option<ClauseName> {
        let is_path = file.is_some();
        (is_path || is_known).then(|| ClauseName {
            at: Some(at),
            text: file.unwrap_or_else(|| self.tokens[at].text.clone()),
            is_path,
        })
    }

    fn has_path(&self) -> bool {
        self.names.iter().any(|named| named.is_path)
    }

    /// Reports whether a word follows an exception: "apart from the mock".
    pub(super) fn is_left_out(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let says = |word: &str| is_in("from except besides but than without", word);
        says(before(1)) && before(2) == "apart"
            || is_in("except besides but than without", before(1))
            || lexicon::is_article(before(1)) && says(before(2))
    }

    /// Reports whether a plain word selects things or says whose they are: "which factories", "its
    /// source", "config files".
    fn is_described(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        let next = self.word(at + 1);
        let one = lexicon::singular(next);
        let is_plural_kind =
            !lexicon::is_kind(next) && lexicon::is_kind(&one) || is_in(OF_FILES, one.as_str());
        let is_owned = [
            "which", "what", "whose", "its", "their", "some", "these", "those", "other",
        ];
        // In "list what render calls", `render` is the caller, and "what" does not describe it.
        let is_doer = before == "what"
            && at > 1
            && at + 2 == self.tokens.len()
            && is_in(
                "calls uses invokes runs imports extends implements constructs",
                next,
            );
        // "Any of the middlewares" means some things, and none has that name.
        let back = |count: usize| at.checked_sub(count).map_or("", |at| self.word(at));
        let is_some = is_in("the our these", before)
            && back(2) == "of"
            && is_in("any some all none each one", back(3));
        let is_of_some = is_owned.contains(&before) && !lexicon::is_kind(next) && !is_doer;
        is_some || is_plural_kind || is_of_some
    }

    /// Joins a member with its owner if the tree has it so: "the getResponse of RequestException",
    /// "the one in ser.rs".
    pub(super) fn join_members(&mut self, tree: &QuestionTree<'_>) {
        for number in (1..self.names.len()).rev() {
            let (one, other) = (&self.names[number - 1], &self.names[number]);
            let (Some(first), Some(last)) = (one.at, other.at) else {
                continue;
            };
            let joins = |at: usize| self.says(at, "of on");
            let is_plain = |at: usize| {
                joins(at) || lexicon::is_article(self.word(at)) || lexicon::is_kind(self.word(at))
            };
            let mut between = first + 1..last;
            // "Does close in Pool call f?": only right after the auxiliary does "in" give the
            // owner. "Who calls close in Pool?" asks for a place.
            let is_doer = first > 0
                && first + 2 == last
                && self.says(first - 1, "does do did")
                && self.word(first + 1) == "in";
            let is_of = between.clone().all(is_plain) && between.any(joins);
            let is_of = (is_of || is_doer) && !other.is_path;
            if is_of && has_member(&other.text, &one.text, tree) {
                self.names[number].text = format!("{}.{}", other.text, one.text);
                self.names.remove(number - 1);
                self.take(first, last - first);
            }
        }
        self.join_member_before(tree);
    }

    /// Joins the one name of this clause with a member that was named before: "the one in ser.rs",
    /// "the Pool one".
    fn join_member_before(&mut self, tree: &QuestionTree<'_>) {
        let [owner] = self.names.as_slice() else {
            return;
        };
        let Some(at) = owner.at else {
            return;
        };
        // "Verdict: variant count" counts variants, and refers to none that was named before.
        let counts = self.asks == Asks::Count;
        let is_one =
            |at: usize| self.says(at, "one ones version") || self.word(at) == "variant" && !counts;
        let from = at.saturating_sub(5);
        let points = is_one(at + 1) || (from..at).any(|at| is_one(at) && !self.taken[at]);
        let mut named = self.context.iter().rev().filter(|named| !named.is_path);
        let member = named.find(|named| points && has_member(&owner.text, &named.text, tree));
        let Some(member) = member else {
            // Nothing that was named before is a member of `Pool`, so it is unknown which one "the
            // Pool one" is.
            self.is_unclear |= is_one(at + 1);
            return;
        };
        let files = tree.files_of(&owner.text);
        let owner = files
            .first()
            .map_or(owner.text.as_str(), |file| file.stem());
        let joined = ClauseName::symbol(Some(at), format!("{owner}.{}", member.text));
        let is_said = |at: &usize| is_one(*at) || self.says(*at, "belongs belonging lives defined");
        let said = (from..self.tokens.len().min(at + 2)).filter(is_said);
        for at in said.collect::<Vec<usize>>() {
            self.taken[at] = true;
        }
        self.names = vec![joined];
    }

    /// Reports whether the scope came from an exception: "except", "but", "other than".
    pub(crate) fn excepts(&self) -> bool {
        let words = ["except", "but", "besides", "other", "apart", "beside"];
        !self.scope.outside.is_empty()
            && self
                .tokens
                .iter()
                .any(|token| words.contains(&token.lower.as_str()))
    }

    /// Reports whether "A" or "I" is a type of one letter: "does C extend A", "does A implement I".
    /// No article or pronoun can come there.
    fn is_letter(&self, at: usize, tree: &QuestionTree<'_>, lexicon: &Lexicon) -> bool {
        let token = &self.tokens[at];
        let is_verb = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| lexicon.is_relation(token))
        };
        let closes = at > 1 && at + 1 == self.tokens.len() && is_verb(at - 1);
        let opens = at > 0 && self.says(at - 1, "does") && is_verb(at + 1);
        is_in("A I", token.text.as_str()) && (closes || opens) && tree.defines(&token.text)
    }

    fn could_be_a_name(&self, at: usize, tree: &QuestionTree<'_>, lexicon: &Lexicon) -> bool {
        let token = &self.tokens[at];
        let is_word = lexicon::is_empty(&token.lower)
            || lexicon::is_asking(&token.lower)
            || lexicon::is_test(&token.lower)
            || super::value::is_cue(&token.lower)
            || lexicon::is_only(&token.lower)
            || is_numeral(token)
            || lexicon::is_negation(&token.lower);
        // `A` and `I` are words without content, so they are checked before such words are sorted
        // out.
        if self.is_letter(at, tree, lexicon) {
            return true;
        }
        if tree.is_project(&token.text) && !self.is_type_like_project(at, tree)
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
        let is_placed = self.is_beside_kind(at) || self.is_excepted(at);
        !is_word && !lexicon.is_relation(token) && (starts_capital || is_placed)
    }

    /// Reports whether a word with the name of the project means a type of it: "the Shop struct",
    /// "fields of Shop", "the Load method of Shop".
    fn is_type_like_project(&self, at: usize, tree: &QuestionTree<'_>) -> bool {
        const KINDS: &str = "struct class type interface trait enum";
        let before = |back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        const PARTS: &str = "field fields method methods member members property";
        let token = &self.tokens[at];
        let is_member = || {
            let member = at.checked_sub(2).map(|at| self.tokens[at].text.as_str());
            member.is_some_and(|member| has_member(&token.text, member, tree))
        };
        let of_parts = || before(1) == "of" && (is_in(PARTS, before(2)) || is_member());
        let is_placed = self.says(at + 1, KINDS) || is_in(KINDS, before(1)) || of_parts();
        token.text.starts_with(char::is_uppercase) && is_placed && tree.defines(&token.text)
    }

    /// Reports whether a word is beside the noun for its kind: "a member called exit", "the exit
    /// member".
    fn is_beside_kind(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let beside = |other: usize| lexicon::is_kind(self.word(other));
        // "A member called exit" names it. "Which function called exit" asks for its caller.
        let is_a_kind = |other: usize| other > 0 && beside(other) && self.says(other - 1, "a an");
        let is_called = at > 1
            && self.says(at - 1, "called named")
            && (self.says(at - 2, "are is") || is_a_kind(at - 2));
        let after_kind =
            is_called || at > 0 && beside(at - 1) && self.tokens[at - 1].after == After::Word;
        let before_kind =
            self.tokens.get(at + 1).is_some_and(|_| beside(at + 1)) && token.after == After::Word;
        after_kind || before_kind
    }

    /// Reports whether a plain word is excepted: "nobody besides f and g calls it".
    pub(super) fn is_excepted(&self, at: usize) -> bool {
        let word = |at: usize, back: usize| at.checked_sub(back).map_or("", |at| self.word(at));
        let joins = is_in("and or nor", word(at, 1)) && at > 1;
        let first = if joins { at - 2 } else { at };
        match word(first, 1) {
            "besides" | "except" => true,
            "than" => is_in("other else", word(first, 2)),
            "from" => is_in("apart aside", word(first, 2)),
            "but" => is_in("nobody nothing noone none anyone anything", word(first, 2)),
            _ => false,
        }
    }
}

/// Reports whether a word counts the next one: "two classes clash". In "Two: who calls it?" it does
/// not.
fn is_numeral(token: &QuestionToken) -> bool {
    is_in(NUMERALS, &token.lower) && token.after == After::Word
}

/// Number words with which a sentence may begin.
const NUMERALS: &str = "one two three four five six seven eight nine ten several both";

impl ReadClause {
    /// Returns the word of a quantifier or negation that a claim does not cover, if any.
    pub(crate) fn unclaimed(&self, claim: &grounds_claims::Claim) -> Option<&'static str> {
        use grounds_claims::Quantifier as Q;
        let is_quantified = claim.is_negated
            || !matches!(
                claim.quantifier,
                Q::Some | Q::Any | Q::Count | Q::CountFiles
            );
        match () {
            () if self.is_unclear => Some("not"),
            // Claims have one quantifier. A claim that is negated or quantified used the word
            // already.
            () if is_quantified => None,
            () if self.is_only => Some("only"),
            () if self.is_negated => Some("not"),
            () if self.exactly.is_some() || self.at_least.is_some() => Some("times"),
            () => None,
        }
    }
}

/// Reports whether the tree defines a name in an owner: a type, or a file.
/// Reports whether a file of Go in a folder with the name of a package defines a member of a type.
fn is_in_package(member: &str, package: &str, tree: &QuestionTree<'_>) -> bool {
    if tree.is_project(package) || tree.folders_of(package).is_empty() {
        return false;
    }
    let segments = name::path_segments(member);
    let [owner, member] = segments.as_slice() else {
        return false;
    };
    let known = tree.know(&[*member]).remove(0);
    known.definitions().any(|place| {
        let folder = place.path.as_str().rsplit('/').nth(1);
        let container = place.containers.last();
        place.language == "Go"
            && folder == Some(package)
            && container.is_some_and(|container| container == owner)
    })
}

fn has_member(owner: &str, member: &str, tree: &QuestionTree<'_>) -> bool {
    let files = tree.files_of(owner);
    let owner = super::tree::last_part(owner);
    let known = tree.know(&[super::tree::last_part(member)]);
    known[0].definitions().any(|place| {
        files
            .iter()
            .any(|file| file.as_str() == place.path.as_str())
            || place
                .containers
                .last()
                .is_some_and(|container| container == owner)
    })
}

/// Reports whether a word is a file or folder of the tree, or can only be a path.
pub(crate) fn is_path(text: &str, tree: &QuestionTree<'_>) -> bool {
    let (path, _) = with_line(text);
    if path.contains("://") || path.len() < 3 {
        return false;
    }
    let has_ending = path.rsplit('/').next().is_some_and(|name| {
        name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                // An ending is short and has a small letter: "and/or" and "v1/2.0" are no files.
                && (1..=8).contains(&ending.len())
                && ending.chars().all(|l| l.is_ascii_alphanumeric())
                && ending.chars().any(|l| l.is_ascii_lowercase())
        })
    });
    // Without a slash, `a.b` may be an owner and its member, so the tree must have such a file.
    if path.contains('/') {
        return has_ending || tree.has_folder(path) || !tree.files_of(path).is_empty();
    }
    path.contains('.') && !tree.files_of(path).is_empty()
}

/// Splits a path from the line number after its colon: `a.rs:4`.
pub(crate) fn with_line(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once(':') {
        // `Pool::4` is no path with a line.
        Some((path, line)) if !path.ends_with(':') => {
            line.parse().map_or((text, None), |line| (path, Some(line)))
        }
        _ => (text, None),
    }
}
