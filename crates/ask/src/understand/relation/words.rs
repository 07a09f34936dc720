//! Which words of a clause name a relation, and which names are on each side of it.

use grounds_claims::{Predicate, names};

use super::super::lexicon::{self, Lexicon, Trigger};
use super::super::part::{Asks, ClauseName, ReadClause};
use super::super::token::After;
use super::is_asked_of;
use crate::words::is_in;

/// Nouns of relations that are never verbs in questions, whatever their stems.
const NOMINAL: &str = "usage usages subclass subclasses impl impls base bases child children parent parents \
    descendant descendants";

/// Reports whether a word is a noun by its ending: "invocation". "Mention" is a verb as well.
fn is_noun_by_ending(word: &str) -> bool {
    (word.ends_with("ion") || word.ends_with("ions")) && !word.starts_with("mention")
}

/// Reports whether a word that can be a verb is a noun here: "calls of X", "every call", "make use
/// of".
pub(super) fn is_noun_here(part: &ReadClause, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let next = part.word(at + 1);
    let is_nominal = lexicon::is_agent(part.word(at))
        || is_noun_by_ending(part.word(at))
        || part.says(at, NOMINAL);
    if is_nominal && part.word(at) != "for" {
        return true;
    }
    let is_alone = part.says(
        at,
        "call calls use uses reference references import imports override overrides access \
        accesses include includes",
    );
    let after_noun = is_in("of to for site sites", next) && part.tokens[at].after == After::Word;
    let before_noun = is_in(
        "all every each any incoming outgoing make makes made making the no direct its their",
        before,
    ) || is_in("many of", before)
        && (at + 1 == part.tokens.len() || is_in("and does do", next));
    // "How many calls are there to it?" has "are there" between the noun and its preposition.
    let is_there = part.says(at + 1, "are is were")
        && part.says(at + 2, "there")
        && part.says(at + 3, "to of");
    if is_alone && (is_there || is_counted(part, at)) {
        return true;
    }
    // In "what does a call to find out whether …?" the "to" begins a purpose, and "call" is a verb.
    let is_done = at > 1
        && part.says(at, "call use")
        && part.is_name(at - 1)
        && part.says(at - 2, "do does did");
    if after_noun && is_done {
        return false;
    }
    // "A calls to which functions?" asks with its last words, and "calls" is a verb.
    let asks_last = at > 0 && part.is_name(at - 1) && lexicon::is_asking(part.word(at + 2));
    if after_noun && asks_last {
        return false;
    }
    let is_of_file = is_of_file(part, at);
    let is_noun = if after_noun || is_of_file {
        is_of_file || before_noun || !["is", "does", "do", "it", "not"].contains(&before)
    } else {
        before_noun && !part.is_name(at + 1)
    };
    is_alone && (is_noun || closes_a_list(part, at))
}

/// Reports whether a noun after the name is counted: "how many f calls are there under lib?"
fn is_counted(part: &ReadClause, at: usize) -> bool {
    let next = part.word(at + 1);
    part.asks == Asks::Count
        && at > 0
        && part.is_name(at - 1)
        && (is_in("are in under inside exist", next) || next.is_empty())
}

/// Reports whether the imports of a file are meant: "the imports in a.py".
fn is_of_file(part: &ReadClause, at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| part.word(at));
    let is_first = |word| lexicon::is_article(word) || lexicon::is_asking_verb(word);
    part.says(at, "import imports include includes")
        && part.says(at + 1, "in inside within")
        && before.is_none_or(is_first)
}

/// Reports whether a word that is a verb and a noun is a verb here.
pub(super) fn is_verb_here(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    let is_both = lexicon.of(&part.tokens[at]).any(
        |trigger| matches!(trigger, Trigger::Verb(predicate) if lexicon::is_relation(predicate)),
    );
    let is_plain_noun = lexicon::is_agent(part.word(at)) || is_noun_by_ending(part.word(at));
    let is_nominal = part.says(at, "usage usages subclass subclasses impl impls");
    let asks_verb = is_in(
        "do does did to that which who what",
        at.checked_sub(1).map_or("", |at| part.word(at)),
    );
    is_both && !is_noun_here(part, at) && !(is_plain_noun || is_nominal && !asks_verb)
}

/// Reports whether a noun follows its name as the last word, and nothing before it asks with a
/// verb: "X references".
fn closes_a_list(part: &ReadClause, at: usize) -> bool {
    let after_name = at > 0 && part.is_name(at - 1);
    // In "is a what b uses?" the word is a verb.
    if at > 1 && after_name && part.says(at - 2, "what that") {
        return false;
    }
    let goes_on = part.free().any(|other| {
        other > at
            && (part.is_name(other)
                || lexicon::is_asking(part.word(other))
                || part.word(other).ends_with("thing"))
    });
    let before = |words: &str| (0..at).any(|other| part.says(other, words));
    // "Everything X calls" and "all functions X calls" leave out "that".
    let is_relative = at > 1 && is_said_of(part.word(at - 2));
    let asks_verb = is_relative
        || before("do does did to that")
        || before("which who what how") && !before("is are");
    after_name && !goes_on && !asks_verb
}

/// Reports whether mentions are counted: "how many files mention X?" Comments and strings mention
/// it as well, and no claim counts these.
pub(super) fn counts_mentions(part: &ReadClause, at: usize) -> bool {
    matches!(part.asks, Asks::Count | Asks::CountFiles) && part.tokens[at].stem == "mention"
}

/// Reports whether a word can have a relative clause without "that".
fn is_said_of(word: &str) -> bool {
    word.ends_with("thing") || is_in("functions methods things names routines", word)
}

pub(super) fn is_participle(word: &str) -> bool {
    let irregular = [
        "built",
        "overridden",
        "thrown",
        "rethrown",
        "written",
        "made",
        "run",
        "hit",
        "read",
    ];
    // "Need" and "feed" only end like participles.
    word.ends_with("ed") && !word.ends_with("eed") || irregular.contains(&word)
}

/// Reports whether a verb is in the passive.
pub(super) fn is_passive(part: &ReadClause, at: usize, predicate: &Predicate) -> bool {
    // "X appears in y" says where X is, as "is used in" does.
    if is_in("appear occur", part.tokens[at].stem.as_str()) {
        return true;
    }
    if !is_participle(part.word(at)) {
        return false;
    }
    if predicate == &names::EXTENDS && part.says(at + 1, "from in") {
        return false;
    }
    let has_be = (0..at)
        .rev()
        .take(8)
        .any(|before| lexicon::is_be(part.word(before)) && !part.is_name(before));
    let has_have = at > 0 && part.says(at - 1, "has have had");
    let follows = part.says(
        at + 1,
        "by in outside from anywhere at only somewhere within just elsewhere where inside under \
        throughout everywhere",
    );
    // "Run" and "hit" have one form for the participle and the present, so they need an auxiliary.
    let is_base = part.says(at, "run hit read");
    let ends = at + 1 == part.tokens.len() || part.tokens[at].after == After::End;
    !has_have && (has_be || !is_base && (follows || ends))
}

/// Returns the nearest names before and after a word.
pub(super) fn around(part: &ReadClause, at: usize) -> (Option<&ClauseName>, Option<&ClauseName>) {
    let before = part
        .names
        .iter()
        .rfind(|named| named.at.is_some_and(|other| other < at));
    let after = part
        .names
        .iter()
        .find(|named| named.at.is_some_and(|other| other > at));
    (before, after)
}

/// Reports whether a word can refer to something that was named before.
fn is_pronoun(word: &str) -> bool {
    is_in("it that this them these those one its", word)
}

/// Reports whether "that" begins a relative clause.
fn joins_a_clause(word: &str, step: isize, next: &str) -> bool {
    word == "that" && step < 0 && !lexicon::is_kind(next)
}

/// Reports whether a pronoun belongs to the noun after it: "this parser".
fn points_at_what_follows(part: &ReadClause, word: &str, here: usize, step: isize) -> bool {
    is_in("this that these those", word)
        && !part.taken.get(here + 1).copied().unwrap_or(true)
        && step > 0
        && !lexicon::is_empty(part.word(here + 1))
}

/// Reports whether a pronoun is directly before or after a place, with only words without content
/// between.
pub(super) fn refers(part: &ReadClause, at: usize, step: isize) -> bool {
    let mut here = at;
    for _ in 0..4 {
        let Some(next) = here
            .checked_add_signed(step)
            .filter(|next| *next < part.tokens.len())
        else {
            return false;
        };
        here = next;
        if part.is_name(here) {
            return false;
        }
        let word = part.word(here);
        if is_pronoun(word)
            && !part.taken[here]
            && (!joins_a_clause(word, step, part.word(here + 1)) || is_asked_of(part, here))
            && !points_at_what_follows(part, word, here, step)
        {
            return true;
        }
        if step > 0 && !["of", "to", "on", "from", "the", "for", "by", "in"].contains(&word) {
            return false;
        }
    }
    false
}

/// Returns subject and object of a verb without a name after it: "b is one of the things that a
/// calls".
pub(super) fn turned(
    part: &ReadClause,
    at: usize,
    before: Option<&ClauseName>,
    is_it: bool,
) -> Option<(ClauseName, Option<ClauseName>)> {
    let is_before = |named: &&ClauseName, end: usize| named.at.is_some_and(|other| other < end);
    let mut earlier = part.names.iter().filter(|named| is_before(named, at));
    // "Is a something that b calls?": the object is the first name, and the subject is in the
    // relative clause.
    let start = before.and_then(|named| named.at).unwrap_or(0);
    let is_relative = start > 0 && part.says(start - 1, "that what");
    if is_relative && part.asks == Asks::Whether && !is_it {
        let object = earlier.next().filter(|named| is_before(named, start))?;
        return Some((before?.clone(), Some(object.clone())));
    }
    let (first, last) = (earlier.next().filter(|_| is_it)?, earlier.next_back());
    match (part.asks, last, part.context.last()) {
        // "A: is b one of the things it calls?"
        (Asks::Whether, Some(object), _) => Some((first.clone(), Some(object.clone()))),
        (Asks::Whether, None, Some(topic)) => Some((topic.clone(), Some(first.clone()))),
        // "X - which methods of Y does it call?"
        (Asks::Which | Asks::Count, Some(_), _)
            if !first.is_path
                && first
                    .at
                    .is_some_and(|at| part.tokens[at].after == After::Pause) =>
        {
            Some((first.clone(), None))
        }
        _ => None,
    }
}
