//! Quantities in a clause, and what they apply to: "only", "never", "exactly one", "no more than".

use super::lexicon::{self, Lexicon, Trigger};
use super::part::{Asks, ReadClause};
use super::token::{After, QuestionToken};
use crate::words::is_in;

/// Reports whether "just" before a word means "only": "just by tests", "just once".
fn is_before_scope(word: &str) -> bool {
    is_in("by from in inside within for once tests specs under", word)
}

impl ReadClause {
    /// Reads the quantity of a clause: "only", "never", "exactly one".
    pub(super) fn quantify(&mut self, lexicon: &Lexicon) {
        // Phrases go first: "at least one" and "exactly one caller" contain words that the loop
        // would read alone.
        self.take_scope_only();
        self.take_least();
        self.take_counted(lexicon);
        let free: Vec<usize> = self.free().collect();
        for at in free {
            let word = self.word(at).to_owned();
            if self.is_name(at) {
                continue;
            }
            let is_just = word == "just" && is_before_scope(self.word(at + 1));
            if lexicon::is_only(&word) || is_just || word == "all" && self.asks == Asks::Whether {
                // "The one and only": the words before "only" belong to it.
                let is_one = self.word(at.wrapping_sub(1)) == "and"
                    && self.word(at.wrapping_sub(2)) == "one";
                if is_one {
                    self.take(at - 2, 2);
                }
                self.is_only = true;
                self.taken[at] = true;
            } else if lexicon::is_negation(&word)
                || is_in("no zero", word.as_str()) && at + 1 < self.tokens.len()
            {
                self.is_unclear |= !self.denies_again(at) && self.is_subordinate(at);
                self.is_negated = true;
                self.taken[at] |= !lexicon::is_un(&word);
            }
        }
        // "Isn't X used in Y?" expects a yes, and denies nothing.
        if self.word(0) != "nobody" && self.word(1) == "not" && lexicon::is_auxiliary(self.word(0))
        {
            self.is_negated = false;
        }
        let is_every =
            self.find("every").is_some_and(|at| !self.taken[at]) && self.asks == Asks::Whether;
        self.is_only |= is_every;
        self.take_times();
    }

    /// Reads "tests only" as a scope where places are asked for, and as a statement in "X - used by
    /// tests only?"
    fn take_scope_only(&mut self) {
        if self.is_only && self.asks == Asks::Which && self.is_bare_question() {
            self.asks = Asks::Whether;
        }
        self.is_only &= self.asks == Asks::Whether;
    }

    /// Reports whether only a question mark asks: no question word, and no order to list or show.
    fn is_bare_question(&self) -> bool {
        let asks = |token: &QuestionToken| {
            lexicon::is_asking(&token.lower) || lexicon::is_asking_verb(&token.lower)
        };
        let is_asked = self.tokens.last().is_some_and(|token| token.is_asked);
        is_asked
            && !self
                .tokens
                .iter()
                .any(|token| !token.is_code && asks(token))
    }

    /// Takes a number of times: "once", "in one place".
    fn take_times(&mut self) {
        for (phrase, count) in TIMES {
            if self.asks == Asks::Whether
                && let Some(at) = self.find(phrase)
                && (at == 0 || self.word(at - 1) != "than")
            {
                self.take(at, phrase.split(' ').count());
                self.exactly = Some(*count);
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
    }

    /// Reports whether a denial repeats another: "dead code, with no references".
    fn denies_again(&self, at: usize) -> bool {
        (0..at).any(|at| lexicon::is_un(self.word(at))) && self.says(at, "no zero")
    }

    /// Reports whether a word is in a part of the clause that only says when, why or how.
    fn is_subordinate(&self, at: usize) -> bool {
        let starts = |at: usize| self.says(at, "when if because since unless although with");
        let before = (1..at).rev().find(|at| starts(*at));
        // The part must follow what the clause is about: "with no one calling it", "when no delay
        // is given".
        before.is_some_and(|before| (0..before).any(|at| self.is_name(at)))
    }

    /// Returns the first noun of a relation or of a place.
    fn counted(&self, lexicon: &Lexicon) -> Option<usize> {
        let is_counted = |at: &usize| {
            let is_noun = lexicon
                .of(&self.tokens[*at])
                .any(|trigger| matches!(trigger, Trigger::Noun(predicate, 0) if lexicon::is_relation(predicate)));
            let is_place = is_in(
                "place spot site location line",
                lexicon::singular(self.word(*at)).as_str(),
            );
            (is_noun || is_place) && !self.is_name(*at)
        };
        self.free().find(is_counted)
    }

    /// Returns the number that some words give.
    fn number(&self, start: usize, end: usize) -> Option<u32> {
        let says = |word: &str| (start..end).any(|at| self.word(at) == word);
        let number = ["two", "three", "four", "five"]
            .iter()
            .zip(2_u32..)
            .find_map(|(word, number)| says(word).then_some(number));
        let says_one = says("single")
            || says("one")
                && ["exactly", "precisely", "just", "only", "than"]
                    .iter()
                    .any(|word| says(word));
        let count = number.or(says_one.then_some(1));
        count.filter(|_| !says("more") || says("less"))
    }

    /// Takes a number before a noun of a relation: "a single caller", "exactly one call site".
    fn take_number(&mut self, at: usize) {
        let is_number = |at: &usize| {
            "a one single exactly precisely just only even but two three four five no more and less than"
                .split(' ')
                .any(|word| word == self.word(*at))
        };
        let start = (0..at).rev().take_while(is_number).last().unwrap_or(at);
        let says = |word: &str| (start..at).any(|at| self.word(at) == word);
        // "Every single place" means all places.
        let is_every = start > 0 && self.says(start - 1, "every each");
        let Some(count) = self.number(start, at).filter(|_| !is_every) else {
            self.take(start, if is_every { at - start } else { 0 });
            return;
        };
        // "The one and only caller" and "the single place" say that there is no other, which is
        // more than a number.
        if start > 0 && self.word(start - 1) == "the" && count == 1 {
            self.is_only |= self.asks == Asks::Whether;
            self.is_unclear |= self.asks != Asks::Whether;
            self.take(start, at - start);
            return;
        }
        // "Is there even a single one?", "not a single one" and "can you find a single one?" ask if
        // there is any.
        let is_any = says("even")
            || (0..start).any(|at| {
                self.says(at, "find not without any no never") && self.word(at + 1) != "that"
            });
        let restricts = says("exactly") || says("only") || says("just");
        self.take(start, at - start);
        if is_any && count == 1 {
            self.asks = Asks::Whether;
        } else if self.asks == Asks::Whether {
            self.exactly = Some(count);
            self.is_only = false;
            self.take_no_more();
        } else {
            // "Its two users" lists all of them. In a list "the only two" would have to be checked.
            self.is_unclear = count == 1 || restricts;
        }
    }

    /// Takes the number before what is counted.
    fn take_counted(&mut self, lexicon: &Lexicon) {
        match self.counted(lexicon) {
            Some(at) if !self.take_one_only(at) => self.take_number(at),
            _ => {}
        }
    }

    /// Takes "one … only" around a noun: "X: one caller only?"
    fn take_one_only(&mut self, at: usize) -> bool {
        let is_one = at > 0 && self.says(at - 1, "one single");
        let asks = self.free().any(|at| lexicon::is_asking(self.word(at)));
        let fits = is_one && self.word(at + 1) == "only" && !asks;
        if fits {
            self.take(at - 1, 1);
            self.take(at + 1, 1);
            self.asks = Asks::Whether;
            self.exactly = Some(1);
        }
        fits
    }

    /// Takes what repeats a number: "… and no more", "… and nothing else".
    fn take_no_more(&mut self) {
        for phrase in [
            "and no more",
            "no more",
            "and nothing more",
            "and no others",
            "and no other",
        ] {
            if let Some(at) = self.find(phrase) {
                self.take(at, phrase.split(' ').count());
                return;
            }
        }
    }

    /// Takes the words around X in "when X runs, does it call y?", which only say what "it" is.
    pub(super) fn take_condition(&mut self, lexicon: &Lexicon) {
        let first = (0..self.tokens.len())
            .find(|at| !self.taken[*at])
            .unwrap_or(0);
        if !["when", "whenever", "once", "if", "while", "after"].contains(&self.word(first)) {
            return;
        }
        let Some(end) =
            (first..self.tokens.len()).find(|at| self.tokens[*at].after == After::Pause)
        else {
            return;
        };
        let is_run = |at: usize| {
            lexicon
                .of(&self.tokens[at])
                .any(|trigger| matches!(trigger, Trigger::Verb(one) if one == &grounds_claims::names::CALLS))
        };
        let is_said =
            |at: usize| self.is_name(at) || is_run(at) || lexicon::is_empty(self.word(at));
        let has_name = (first..=end).filter(|at| self.is_name(*at)).count() == 1;
        if has_name && (first..=end).all(is_said) && end + 2 < self.tokens.len() {
            for at in first..=end {
                self.taken[at] |= !self.is_name(at);
            }
        }
    }
}

/// Phrases that give a number.
const TIMES: &[(&str, u32)] = &[
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
];

/// Phrases that give a lower bound.
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

impl ReadClause {
    /// Takes a lower bound: "more than once".
    fn take_least(&mut self) {
        if self.asks != Asks::Whether {
            return;
        }
        let found = LEAST
            .iter()
            .find_map(|(phrase, count)| self.find(phrase).map(|at| (at, phrase, *count)));
        if let Some((at, phrase, count)) = found.filter(|(at, ..)| !self.taken[*at]) {
            // "Defined more than once" is read with its verb.
            let is_defined = self.has("defined declared");
            if !is_defined {
                self.take(at, phrase.split(' ').count());
                self.at_least = Some(count);
            }
        }
    }
}
