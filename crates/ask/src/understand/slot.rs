//! Names that are spelled like words of questions (`main`, `show`, `remove`, `each`), recognised by
//! their position.

use grounds_claims::Claim;
use grounds_evidence::Intent;

use super::lexicon::{self, Lexicon};
use super::part::{Asks, ClauseName, ReadClause};
use super::token::QuestionToken;
use super::tree::{KnownName, QuestionTree};
use crate::words::is_in;

/// Words for any or every thing, which are subject or object of a verb without being a name.
const ANYTHING: &str = "any anything something nothing everything other others it them this that these those they he \
    she i we you anyone anybody someone somebody everyone nobody none there here anywhere somewhere not also ever too \
    all both at directly code tests test a an the in of";

/// Verbs that open a question about one thing: "does main call show?", "when was show added?".
const AUXILIARIES: &str = "does do did is was are were has have had";

/// Words that end the object of a verb.
const AFTER_OBJECT: &str =
    "in within inside from at by on anywhere outside and or under across last first";

/// Stems of the history, in addition to the verbs of relations.
const HISTORY: &str =
    "chang modifi modif touch updat edit add introduc creat remov delet drop wrote write written";

/// Verbs in questions about a function that are no relation.
const OF_FUNCTIONS: &str =
    "take takes accept accepts return returns have has need needs require requires unused dead";

fn is_kind(word: &str) -> bool {
    lexicon::is_kind(&lexicon::singular(word))
}

impl ReadClause {
    /// Takes words of questions as names if they stand where only a name can and the tree defines
    /// them.
    pub(super) fn with_names_in_slots(&mut self, tree: &QuestionTree<'_>, lexicon: &Lexicon) {
        let mut slots: Vec<usize> = (1..self.tokens.len())
            .filter(|at| !self.is_name(*at) && !self.taken[*at] && !self.says(*at, ANYTHING))
            .filter(|at| self.is_slot(*at, lexicon) || self.is_object(*at, lexicon))
            // "What do I have to touch?": the infinitive "to" is no name, even if the tree has a
            // function `to`.
            .filter(|at| self.word(*at) != "to" || at + 1 == self.tokens.len())
            .collect();
        let texts: Vec<&str> = slots
            .iter()
            .map(|at| self.tokens[*at].text.as_str())
            .collect();
        let known = tree.know(&texts);
        let mut known = known.iter();
        slots.retain(|at| {
            let known = known.next();
            known.is_some_and(|known| {
                self.is_slot(*at, lexicon) && known.is_defined() || self.is_of_named_file(known)
            })
        });
        self.names.extend(slots.into_iter().map(|at| ClauseName {
            at: Some(at),
            text: self.tokens[at].text.clone(),
            is_path: false,
        }));
        self.names.sort_by_key(|named| named.at);
    }

    /// Reports whether only a name can be at a place.
    fn is_slot(&self, at: usize, lexicon: &Lexicon) -> bool {
        let word = self.word(at);
        let ends_yes_or_no = self.asks == Asks::Whether && at + 1 == self.tokens.len();
        self.is_subject(at, lexicon)
            // A word without content is an object only where nothing else can be: at the end of
            // "does f call get?"
            || lexicon::is_empty(word) && ends_yes_or_no && self.is_verb(at - 1, lexicon)
            || lexicon::is_also_name(word) && !is_kind(word) && self.is_object(at, lexicon)
            || lexicon::is_also_name(word) && !is_kind(word) && self.is_asked_subject(at, lexicon)
    }

    /// Reports whether a word is the object of a verb: "who calls show in a.py?", "who changed
    /// total last?"
    fn is_object(&self, at: usize, lexicon: &Lexicon) -> bool {
        // "Call sites in a.py": here "call" is a noun, and "sites" belongs to it.
        const OF_CALLS: &str = "site sites place places spot spots line lines location locations file files chain \
            path trace statement statements graph stack";
        let ends = at + 1 == self.tokens.len() || self.says(at + 1, AFTER_OBJECT);
        let is_called = !self.is_history(at - 1);
        ends && !(is_called && self.says(at, OF_CALLS))
            && (self.is_verb(at - 1, lexicon)
                || self.is_history(at - 1)
                || self.says(at - 1, "define defines declare declares")
                // "Is f called by main?"
                || at > 1 && self.says(at - 1, "by") && self.is_verb(at - 2, lexicon))
    }

    /// Returns the object of a question about the history of a file that is no name of the tree:
    /// "who wrote path in a.py?"
    ///
    /// The answer about the whole file would be about something else.
    pub(super) fn open_object(&self, claim: &Claim, lexicon: &Lexicon) -> Option<String> {
        const OF_FILES: &str = "things stuff line file folder directory parts complete one section";
        let is_of_file = claim.predicate.intent == Intent::Status
            && claim.text(0).is_some_and(|text| text.contains(['/', '.']));
        let is_one = |at: &usize| {
            let word = self.word(*at);
            !self.is_name(*at)
                && !self.taken[*at]
                && !self.says(*at, ANYTHING)
                && !is_kind(word)
                && lexicon::is_also_name(word)
                && !is_in(OF_FILES, &lexicon::singular(word))
                && self.is_object(*at, lexicon)
        };
        let found = (1..self.tokens.len()).find(is_one).filter(|_| is_of_file);
        found.map(|at| self.tokens[at].text.clone())
    }

    /// Reports whether a word comes between an auxiliary and its verb: "what does main call?",
    /// "when was show added?"
    fn is_subject(&self, at: usize, lexicon: &Lexicon) -> bool {
        let next = at + 1 + usize::from(self.says(at + 1, "last first ever"));
        self.says(at - 1, AUXILIARIES)
            && (self.is_verb(next, lexicon)
                || self.is_history(next)
                || self.says(next, OF_FUNCTIONS))
    }

    /// Reports whether a word is the subject after "what": "show me what list calls".
    fn is_asked_subject(&self, at: usize, lexicon: &Lexicon) -> bool {
        self.says(at - 1, "what")
            && self.word(at + 1).ends_with('s')
            && self.is_verb(at + 1, lexicon)
    }

    /// Reports whether a file that the clause names defines a word.
    fn is_of_named_file(&self, known: &KnownName) -> bool {
        let named = self.names.iter().filter(|named| named.is_path);
        let mut files = named.map(|named| &named.text).chain(&self.scope.inside);
        files.any(|file| known.is_defined_in(file))
    }

    fn is_verb(&self, at: usize, lexicon: &Lexicon) -> bool {
        let token = self.tokens.get(at);
        let is_plain = |token: &QuestionToken| token.text == token.lower;
        token.is_some_and(|token| is_plain(token) && lexicon.is_relation(token))
            && !self.is_name(at)
    }

    fn is_history(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| !token.is_code && is_in(HISTORY, &token.stem))
    }
}
