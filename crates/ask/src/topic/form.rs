//! Reads the form of a question from its text alone: whether it asks how or where something is
//! done, which places answer, or for a value or how the program performs, which they do not.

use crate::understand::lexicon;
use crate::words::is_in;

/// Verbs for what something in the code does: "what keeps it from …".
const DOINGS: &str = "happens happen stops stop keeps keep prevents prevent makes make ensures ensure guards guard \
    protects protect decides decide picks pick chooses choose turns turn takes take does handles handle";
/// Words with "ing" that are no verbs.
const NO_GERUNDS: &str = "string thing nothing anything something everything during according regarding including \
    king ring being bring spring missing following existing";
/// Words for how the program performs, which no place shows.
const FARES: &str = "leak leaks race bug bugs buggy performance throughput latency benchmark plan plans planned soon \
    reason efficient stable reliable mature vulnerability vulnerable";
/// Such words for things that code may also handle, which count only in a short question: "a crash
/// in the middle of saving" is about code.
const SAID_OF_RUNS: &str = "slow fast memory safe secure deadlock crash crashes hang hangs";
/// Number of words from which on a question is a longer one.
const LONGER_WORDS_MIN: usize = 7;

/// Returns the words of each sentence in lower case, with the commas that separate them.
fn sentences(text: &str) -> Vec<Vec<String>> {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let spaced = lower
        .replace(", ", " , ")
        .replace(" - ", " , ")
        .replace(": ", " , ");
    let ended = spaced
        .replace("? ", "?\n")
        .replace(". ", ".\n")
        .replace("; ", ";\n");
    let is_mark = |letter: char| !(letter.is_alphanumeric() || letter == ',');
    let words = |line: &str| -> Vec<String> {
        let words = line.split_whitespace();
        let bare = words.map(|word| word.trim_matches(is_mark).replace("'s", ""));
        bare.filter(|word| !word.is_empty()).collect()
    };
    let all = ended.lines().map(words);
    all.filter(|words| !words.is_empty()).collect()
}

/// Reports whether a question asks how or where something is done: "how does it …", "saving without
/// …", "which part …".
pub(super) fn asks_how_or_where(text: &str) -> bool {
    let sentences = sentences(text);
    let is_first_done = sentences.len() == 1
        && sentences[0]
            .first()
            .is_some_and(|first| is_gerund(first) && sentences[0].len() > 2);
    is_first_done || sentences.last().is_some_and(|last| asks(last))
}

fn is_gerund(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ing") && !is_in(NO_GERUNDS, word)
}

/// Reports whether a sentence asks so, from its beginning or after a comma.
fn asks(words: &[String]) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let asks_at = |at: usize| match word(at) {
        "where" => !is_of_definition(&words[at + 1..]),
        // "How often does it retry?" asks for a measure, and "how fast is it?" how it runs.
        "how" => !is_in(MEASURES, word(at + 1)) && !lexicon::is_about_running(word(at + 1)),
        // "Which file is never read?" asks for a list.
        "which" | "what" => {
            let noun = word(at + 1);
            let is_one = is_in(PLACES, noun) && lexicon::singular(noun) == noun;
            is_one && !words.iter().any(|word| lexicon::is_negation(word))
                || word(at) == "what" && is_in(DOINGS, word(at + 1))
        }
        _ => false,
    };
    let opens = |at: usize| {
        at == 0
            || word(at - 1) == ","
            || is_in("and so but then in by from", word(at - 1)) && (at == 1 || word(at - 2) == ",")
            || at + 1 == words.len() && word(at) != "what"
    };
    (0..words.len()).any(|at| opens(at) && asks_at(at))
}

/// Reports whether a question asks for a thing, which need not exist: "where is the encryption key
/// defined?"
fn is_of_definition(after: &[String]) -> bool {
    const BE: &str = "is are was were";
    const DEFINED: &str = "defined declared implemented located";
    let is = |list: &str, word: Option<&String>| word.is_some_and(|word| is_in(list, word));
    is(BE, after.first()) && is(DEFINED, after.last())
}

/// Reports whether a question asks for a person. "Who set the limit?" does; "who does that?" asks
/// for a part of the code.
pub(super) fn asks_for_a_person(text: &str) -> bool {
    let last = sentences(text).pop().unwrap_or_default();
    let is_who = last
        .first()
        .is_some_and(|first| is_in("who whose whom", first));
    is_who && !last.get(1).is_some_and(|verb| verb.ends_with('s'))
}

/// Reports whether a question asks how the program performs, or for something that cannot be read
/// in it.
pub(super) fn asks_how_it_fares(text: &str) -> bool {
    let words: Vec<String> = sentences(text).into_iter().flatten().collect();
    let is_long = words.len() >= LONGER_WORDS_MIN;
    words.iter().enumerate().any(|(at, word)| {
        // "Where should I read?" asks for a place.
        let asks_to_read = word == "should" && at > 0 && words[at - 1] == "where";
        is_in(FARES, word)
            || lexicon::is_beyond(word) && !asks_to_read
            || is_in(SAID_OF_RUNS, word) && !is_long
    })
}

/// Nouns that places answer, and nouns of relations, which no ranking answers.
const PLACES: &str = "file files class classes module modules function functions method methods code part parts piece \
    place places component package folder directory line lines mechanism layer type struct trick way means";
const OF_RELATIONS: &str = "calls callers usages";
/// Words between "which" and the verb: "which environment variable do I set".
const NOUN_WORDS_MAX: usize = 3;

/// Reports whether a noun means places: "which file", "what part", and not "which status code".
fn is_of_place(noun: &[&&str]) -> bool {
    let is_place = noun.last().is_some_and(|word| is_in(PLACES, word));
    is_place && (noun.len() == 1 || !noun.ends_with(&[&"code"]))
}

/// Words of a size or a time, after "how".
const MEASURES: &str = "long many much large big often high wide deep old far";

/// Words for the most or least of something, which is a number.
const SUPERLATIVES: &str =
    "longest largest biggest smallest shortest highest lowest maximum minimum";

/// Reports whether a question asks for a value, which is no place: "which status code does it
/// answer with?", "the default ports".
pub(super) fn asks_for_a_value(text: &str) -> bool {
    const VERBS: &str = "is are was do does did will can could must should has have";
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    let asks = |at: usize| {
        let noun: Vec<&&str> = words[at + 1..]
            .iter()
            .take(NOUN_WORDS_MAX + 1)
            .take_while(|word| !is_in(VERBS, word))
            .collect();
        let is_short = !noun.is_empty() && noun.len() <= NOUN_WORDS_MAX;
        let is_closed = at + 1 + noun.len() < words.len();
        is_short && is_closed && !is_in("to it they we i you", noun[0]) && !is_of_place(&noun)
    };
    let is_which = |at: &usize| is_in("which what", words[*at]);
    // "How long may a key be?"
    let measures = words.first() == Some(&"how")
        && words.get(1).is_some_and(|word| is_in(MEASURES, word))
        && (is_in("much many", words[1])
            || words
                .iter()
                .any(|word| is_in("may can must most least", word)));
    (0..words.len()).filter(is_which).any(asks)
        || measures
        || words.iter().any(|word| {
            is_in("default defaults", word)
                || is_in(OF_RELATIONS, word)
                || is_in(SUPERLATIVES, word)
        })
}

#[cfg(test)]
mod tests {
    use super::{asks_for_a_person, asks_for_a_value, asks_how_it_fares, asks_how_or_where};

    #[test]
    fn asks_how_or_where_something_is_done() {
        for text in [
            "how are parcels weighed that have no label",
            "sorting letters which nobody opened",
            "We drop every second parcel. Where is that done?",
            "Our parcels arrive twice: which part of the code merges them?",
            "Somebody asked me how parcels are weighed. Where should they read?",
            "what keeps a parcel from being sent twice",
        ] {
            assert!(asks_how_or_where(text), "{text}");
        }
        for text in [
            "does it weigh parcels that have no label?",
            "which shelves are never filled?",
            "which class is never used?",
            "how fast is the sorting?",
            "why are parcels not weighed?",
        ] {
            assert!(!asks_how_or_where(text), "{text}");
        }
    }

    #[test]
    fn how_the_program_fares_is_no_topic() {
        for text in [
            "where is the leak in the shelf code?",
            "what makes it slow?",
        ] {
            assert!(asks_how_it_fares(text), "{text}");
        }
        let about = "making sure a crash in the middle of sorting loses no parcel";
        assert!(!asks_how_it_fares(about));
        assert!(asks_for_a_person("who chose the shelf for parcels?"));
        assert!(!asks_for_a_person(
            "parcels end up on a shelf. who does that?"
        ));
        assert!(asks_for_a_value("which weight does it take for a parcel?"));
        assert!(!asks_for_a_value("We return what it was given. Where?"));
    }
}
