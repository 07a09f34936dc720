//! Names that are spelled like words of questions (`main`, `show`, `remove`, `each`), by the place that they have.

use grounds_claims::Claim;
use grounds_evidence::Intent;

use super::lexicon::{self, Lexicon};
use super::part::{Asks, ClauseName, ReadClause};
use super::token::QuestionToken;
use super::tree::{KnownName, QuestionTree};
use crate::words::is_in;

/// What stands for any or every thing, and is the subject or object of a verb without being a name.
const ANYTHING: &str = "any anything something nothing everything other others it them this that these those they he \
    she i we you anyone anybody someone somebody everyone nobody none there here anywhere somewhere not also ever too \
    all both at directly code tests test a an the in of";

/// Verbs of a question about one thing: "does main call show?", "when was show added?".
const AUXILIARIES: &str = "does do did is was are were has have had";

/// Words that begin what no longer belongs to the object of a verb.
const AFTER_OBJECT: &str =
    "in within inside from at by on anywhere outside and or under across last first";

/// Verbs of the history, beside those of relations.
const HISTORY: &str =
    "chang modifi modif touch updat edit add introduc creat remov delet drop wrote write written";

/// Verbs that ask about a function and are no relation.
const OF_FUNCTIONS: &str =
    "take takes accept accepts return returns have has need needs require requires unused dead";

fn is_kind(word: &str) -> bool {
    lexicon::is_kind(&lexicon::singular(word))
}

impl ReadClause {
    /// Takes words of questions as names if they stand where only a name can and the tree defines them.
    pub(super) fn with_names_in_slots(&mut self, tree: &QuestionTree<'_>, lexicon: &Lexicon) {
        let mut slots: Vec<usize> = (1..self.tokens.len())
            .filter(|at| !self.is_name(*at) && !self.taken[*at] && !self.says(*at, ANYTHING))
            .filter(|at| self.is_slot(*at, lexicon) || self.is_object(*at, lexicon))
            // "What do I have to touch?": what goes before a verb is no name, whatever is called so.
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

    fn is_slot(&self, at: usize, lexicon: &Lexicon) -> bool {
        let word = self.word(at);
        let ends_yes_or_no = self.asks == Asks::Whether && at + 1 == self.tokens.len();
        self.is_subject(at, lexicon)
            || lexicon::is_empty(word) && ends_yes_or_no && self.is_verb(at - 1, lexicon)
            || lexicon::is_also_name(word) && !is_kind(word) && self.is_object(at, lexicon)
            || lexicon::is_also_name(word) && !is_kind(word) && self.is_asked_subject(at, lexicon)
    }

    /// "Who calls show in a.py?", "who changed total last?"
    fn is_object(&self, at: usize, lexicon: &Lexicon) -> bool {
        // "Call sites in a.py": a noun with its noun.
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

    /// "Who wrote path in a.py?", where the file has no such thing: the word is still not the file.
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

    /// "What does main call?", "when was show added?", "when was list last changed?"
    fn is_subject(&self, at: usize, lexicon: &Lexicon) -> bool {
        let next = at + 1 + usize::from(self.says(at + 1, "last first ever"));
        self.says(at - 1, AUXILIARIES)
            && (self.is_verb(next, lexicon)
                || self.is_history(next)
                || self.says(next, OF_FUNCTIONS))
    }

    /// "Show me what list calls."
    fn is_asked_subject(&self, at: usize, lexicon: &Lexicon) -> bool {
        self.says(at - 1, "what")
            && self.word(at + 1).ends_with('s')
            && self.is_verb(at + 1, lexicon)
    }

    /// Whether a file that the clause names defines a word.
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
