//! The gist of a question that says what is done before it asks: "f hands the rest to a helper.
//! Which one?" asks what f calls, and "the reader skips blanks with f. Which lines do so?" asks
//! where f is used.
//!
//! Takes the words of the whole question and returns one list for its one name, or `None`. It never
//! reads a question that denies, counts or compares.

use std::ops::Range;

use grounds_claims::{Argument, Claim, Predicate, names};

use super::{Gist, LANGUAGES, SUPERLATIVES};
use crate::understand::is_callable;
use crate::understand::lexicon::{self, Lexicon, Trigger};
use crate::understand::part::{Asks, ClauseName, ReadClause};
use crate::understand::token::{After, QuestionToken};
use crate::understand::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// Verbs for giving work to another function.
const HANDS: &str = "hand hands pass passes delegate delegates delegating forward forwards defer defers dispatch \
    dispatches outsource outsources entrust entrusts offload offloads leave leaves give gives feed feeds send \
    sends ask asks consult consults rely relies resort resorts turn turns wrap wraps wrapper build builds built \
    use uses call calls employ employs invoke invokes";
/// Nouns for what a function calls.
const CALLEES: &str = "function functions method methods helper helpers routine routines callee callees call calls \
    delegate delegates";
/// Nouns that name what work is given to only after a verb of giving.
const OWNERS: &str = "class classes type types module modules one ones object";
/// Words before "which" that belong to a verb of giving: "to which", "on what".
const JOINTS: &str = "to on onto into around over of with by";
/// Words that order, compare or exclude, or are about another time or about people.
const DECIDING: &str = "both another's else than except besides excluding ignoring ignore skip apart aside nor most \
    least fewer same different first second third last twice once before after until unless when why how whose \
    many often order time times since ago release version versions commit commits author authors wrote write \
    written added introduced changed modified renamed removed deprecated documented document docs readme changelog \
    comment comments default defaults return returns returned raise raises \
    raised throw throws thrown fail fails wrong problem bug runtime thread threads process \
    url address port header status test tests tested";
/// Words of a question for the lines of what was said before: "which lines do so?"
const AGAIN: &str = "which what where on in at from the all exactly lines line places place spots spot sites files \
    file code do does did is are so this that it they these happen happens happening done take takes me us show \
    give list tell name all of them please and precisely can you i";
/// Largest distance from a name to its verb, and from "which" to its noun.
const NEAR_MAX: usize = 9;

/// Returns the gist of the whole question.
pub(super) fn of(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Option<Gist> {
    let lexicon = Lexicon::new();
    let part = ReadClause::new(tokens, tree, &lexicon, &[]);
    let named = one_name(&part)?;
    let reader = Reader {
        name: named.at.filter(|_| !named.is_path)?,
        text: &named.text,
        part: &part,
        lexicon: &lexicon,
    };
    if !reader.is_plain() {
        return None;
    }
    let known = tree.know(&[last_part(&named.text)]).remove(0);
    let is_function = known.definitions().any(|place| is_callable(place.kind));
    let read = reader.again().or_else(|| reader.callees());
    read.filter(|_| is_function)
}

/// Returns the one name that is asked about: others are files, types after it in its brackets
/// ("f(A, B)"), or describe a callee ("what Utils function").
fn one_name(part: &ReadClause) -> Option<&ClauseName> {
    let is_beside = |named: &&ClauseName| {
        let Some(at) = named.at.filter(|_| !named.is_path) else {
            return true;
        };
        let is_argument = |at: usize| part.is_name(at) && !part.tokens[at].is_code;
        let is_of_call = (0..at).rev().find(|at| !is_argument(*at));
        let follows = is_of_call.is_some_and(|name| part.is_name(name) && name < at);
        let describes = part.says(at + 1, CALLEES) && at > 0 && part.says(at - 1, "which what");
        is_argument(at) && follows || describes
    };
    let mut named = part.names.iter().filter(|named| !is_beside(named));
    named.next().filter(|_| named.next().is_none())
}

struct Reader<'r> {
    part: &'r ReadClause,
    lexicon: &'r Lexicon,
    /// The number of the token of the one name.
    name: usize,
    text: &'r str,
}

impl Reader<'_> {
    fn says(&self, at: usize, list: &str) -> bool {
        self.part.says(at, list) && at != self.name
    }

    fn count(&self) -> usize {
        self.part.tokens.len()
    }

    /// Reports whether a sentence or a part of it ends with a token.
    fn pauses(&self, at: usize) -> bool {
        let token = self.part.tokens.get(at);
        token.is_none_or(|token| token.after != After::Word)
    }

    fn ends(&self, at: usize) -> bool {
        let token = self.part.tokens.get(at);
        token.is_none_or(|token| token.after == After::End) || at + 1 >= self.count()
    }

    /// Reports whether no word denies, counts, compares or relates in another way.
    fn is_plain(&self) -> bool {
        let part = self.part;
        let is_list = part.asks == Asks::Which || part.asks == Asks::Where;
        let is_odd = part.is_negated || part.is_only || part.is_default || part.is_unclear;
        let counts = part.exactly.is_some() || part.at_least.is_some();
        let is_free = |at: usize| {
            let word = part.word(at);
            at == self.name
                || part.is_name(at)
                || !(part.tokens[at].is_code && !part.taken[at]
                    || lexicon::is_negation(word)
                    || lexicon::is_only(word)
                    || lexicon::is_about_running(word)
                    || self.relates_otherwise(at)
                    || is_in(SUPERLATIVES, word)
                    || part.tokens[at].is_capital && is_in(LANGUAGES, word)
                    || is_in(DECIDING, word))
        };
        let owner = part.tokens[self.name].is_owner;
        is_list && !is_odd && !counts && !owner && (0..self.count()).all(is_free)
    }

    /// Reports whether a word is of a relation that is no use.
    fn relates_otherwise(&self, at: usize) -> bool {
        let mut triggers = self.lexicon.of(&self.part.tokens[at]);
        let is_word = !self.says(at, HANDS)
            && !self.says(at, "depending")
            && !lexicon::is_empty(self.part.word(at));
        triggers.any(|trigger| {
            let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
            is_word && lexicon::is_relation(predicate) && !lexicon::is_use(predicate)
        })
    }

    /// Reads "the reader skips blanks with f. Which lines do so?" as the uses of f.
    fn again(&self) -> Option<Gist> {
        let start = (self.name..self.count()).find(|at| self.ends(*at))? + 1;
        let is_again = (start..self.count()).all(|at| self.says(at, AGAIN));
        let asks = (start..self.count()).any(|at| self.says(at, "which what where lines places"));
        let refers = (start..self.count()).any(|at| self.says(at, "so this that it"));
        let joint = self.name.checked_sub(1)?;
        let is_means = self.says(joint, "with through via using")
            || self.says(joint, "calling invoking") && joint > 0 && self.says(joint - 1, "by");
        let is_told = joint > 2 && !(0..joint).any(|at| lexicon::is_asking(self.part.word(at)));
        let fits = start < self.count() && is_again && asks && refers && is_means && is_told;
        fits.then(|| self.gist(&names::USES, false, 0..start))
    }

    /// Reads "f hands the rest to a helper. Which one?" and "which helper counts the rows in f?" as
    /// what f calls.
    fn callees(&self) -> Option<Gist> {
        let asked = self.is_asked_of_body() || self.hands_on() || self.does_it_hand();
        asked.then(|| self.gist(&names::CALLS, true, 0..self.count()))
    }

    /// Returns where the words ask for a callee: "which helper", "to what".
    fn asks(&self, nouns: &[&str]) -> Option<usize> {
        let is_noun = |at: usize| nouns.iter().any(|list| self.says(at, list));
        (0..self.count()).find(|at| {
            let near = at + 1..(at + 5).min(self.count());
            self.says(*at, "which what")
                && near
                    .take_while(|at| *at != self.name && !self.pauses(at - 1))
                    .any(is_noun)
        })
    }

    /// Reports whether a callee in the body of the name is asked for: "which helper of the text
    /// module decides in f whether it fits?", "f: what helper collects the rows for it?"
    fn is_asked_of_body(&self) -> bool {
        let Some(asks) = self.asks(&[CALLEES]) else {
            return false;
        };
        let is_topic = self.name == 0 && self.pauses(0) && asks < 3;
        let is_inside = self.name > asks + 2 && self.says(self.name - 1, "in inside within");
        // "Which function in f.c …" has its place before the verb, and is about a file.
        let is_done = |at: usize| self.part.word(at).ends_with('s') && !self.says(at, CALLEES);
        let verb = (asks + 2..self.count()).any(|at| at != self.name && is_done(at));
        (is_topic || is_inside) && verb
    }

    /// Reports whether the name gives its work to what is asked for.
    fn hands_on(&self) -> bool {
        let verb = self.name + 1..(self.name + NEAR_MAX).min(self.count());
        let Some(verb) = verb.clone().find(|at| self.says(*at, HANDS)) else {
            return false;
        };
        let asks_before = (0..self.name).any(|at| lexicon::is_asking(self.part.word(at)));
        let is_done = self.part.word(verb).ends_with('s')
            || (0..self.name).any(|at| self.says(at, "does do"))
            || self.says(verb, "wrapper");
        let between = (self.name + 1..verb).all(|at| !lexicon::is_asking(self.part.word(at)));
        is_done && between && (self.asks_for_receiver(verb) || asks_before && self.asks_to())
    }

    /// Reports whether the name is the topic of "f in a.py: which helper does it hand the rows to?"
    fn does_it_hand(&self) -> bool {
        let pause = (self.name..self.count()).find(|at| self.pauses(*at));
        let asks = self.asks(&[CALLEES, OWNERS]);
        let it = (self.name..self.count()).find(|at| self.says(*at, "it this that"));
        let (Some(pause), Some(asks), Some(it)) = (pause, asks, it) else {
            return false;
        };
        let does = self.says(it - 1, "does") && self.says(it + 1, HANDS);
        self.name < 3 && pause < asks && asks < it && does
    }

    /// Reports whether the words after a verb of giving ask for who gets it: "to which class?", "to
    /// one of three functions. Which?", "to a helper, what is it called?"
    fn asks_for_receiver(&self, verb: usize) -> bool {
        let asks = (verb + 1..self.count()).find(|at| self.says(*at, "which what whom who"));
        let Some(asks) = asks else {
            return false;
        };
        let after = asks + 1..(asks + 4).min(self.count());
        let is_noun = |at: usize| self.says(at, CALLEES) || self.says(at, OWNERS);
        let has_joint = self.says(asks - 1, JOINTS);
        let is_bare = self.ends(asks) || asks + 1 == self.count();
        let told = (verb + 1..asks).any(is_noun);
        let names_it = self.says(asks + 1, "is are") || self.says(asks + 1, "one ones");
        match has_joint {
            true => is_bare || after.clone().any(is_noun),
            false => told && (is_bare || names_it || after.clone().any(is_noun)),
        }
    }

    /// Reports whether a question that begins with "which helper" or "to what" ends with the verb
    /// of its name: "which helper does f hand the rows to?"
    fn asks_to(&self) -> bool {
        let begins = self.asks(&[CALLEES, OWNERS]).is_some();
        let to_what =
            (1..self.name).any(|at| self.says(at, "what which whom") && self.says(at - 1, JOINTS));
        begins || to_what
    }

    fn gist(&self, predicate: &'static Predicate, is_subject: bool, told: Range<usize>) -> Gist {
        let name = Argument::is(self.text.to_owned());
        let arguments = match is_subject {
            true => vec![name, Argument::Hole],
            false => vec![Argument::Hole, name],
        };
        let mut claim = Claim::new(predicate, arguments);
        claim.scope = self.part.scope.clone();
        if is_subject {
            claim.scope.inside.clear();
        }
        let words = told
            .filter(|at| *at != self.name && !lexicon::is_empty(self.part.word(*at)))
            .map(|at| self.part.tokens[at].text.as_str());
        let aside = words.collect::<Vec<&str>>().join(" ");
        Gist { claim, aside }
    }
}
