//! Plain words: contractions written out, misspelt question words put right. Names
//! and quotations stay as they are.

use super::forms;
use super::words::Word;

/// The words, plain.
pub(crate) fn plain(words: Vec<Word>) -> Vec<Word> {
    let words: Vec<Word> = words
        .into_iter()
        .flat_map(|word| {
            if word.quoted {
                vec![word]
            } else {
                plain_word(word)
            }
        })
        .collect();
    without_adverbs(words)
}

/// "Is it still used" asks whether it is used. At an end, and behind a word that names what follows, an adverb may be a name.
fn without_adverbs(words: Vec<Word>) -> Vec<Word> {
    let last = words.len().saturating_sub(1);
    let names_next = |at: usize| {
        words.get(at).is_some_and(|word: &Word| {
            forms::stands_before(&word.lower) && word.lower != "is" && word.lower != "are"
        })
    };
    let is_adverb = |at: usize, word: &Word| {
        at > 0
            && at < last
            && !word.quoted
            && ADVERBS.contains(&word.text.as_str())
            && !names_next(at - 1)
    };
    let is_all = |at: usize, word: &Word| {
        at > 0
            && at < last
            && word.text == "all"
            && ["where", "who", "what", "which"].contains(&words[at - 1].lower.as_str())
    };
    let kept: Vec<Word> = words
        .iter()
        .enumerate()
        .filter(|(at, word)| !is_adverb(*at, word) && !is_all(*at, word))
        .map(|(_, word)| word.clone())
        .collect();
    kept
}

const ADVERBS: &[&str] = &[
    "still",
    "actually",
    "really",
    "just",
    "exactly",
    "currently",
    "even",
    "basically",
    "simply",
    "already",
    "ever",
    "usually",
];

fn plain_word(word: Word) -> Vec<Word> {
    if let Some((_, parts)) = CONTRACTIONS
        .iter()
        .find(|(short, _)| *short == word.lower.replace('’', "'"))
    {
        return parts.split(' ').map(|part| renamed(&word, part)).collect();
    }
    match corrected(&word.lower) {
        Some(right) => vec![renamed(&word, right)],
        None => vec![word],
    }
}

fn renamed(word: &Word, text: &str) -> Word {
    Word {
        text: text.to_owned(),
        lower: text.to_owned(),
        ..word.clone()
    }
}

/// The question word that a misspelt one is meant to be: two letters changed places, or one is missing or doubled.
fn corrected(word: &str) -> Option<&'static str> {
    if let Some((_, right)) = MISSPELT.iter().find(|(wrong, _)| *wrong == word) {
        return Some(right);
    }
    if word.len() < 4 || REAL_WORDS.contains(&word) || OFTEN_MISSPELT.contains(&word) {
        return None;
    }
    OFTEN_MISSPELT
        .iter()
        .find(|right| is_slip(word, right))
        .copied()
}

fn is_slip(word: &str, right: &str) -> bool {
    let (word, right): (Vec<char>, Vec<char>) = (word.chars().collect(), right.chars().collect());
    let start = word
        .iter()
        .zip(&right)
        .take_while(|(one, other)| one == other)
        .count();
    let end = word[start..]
        .iter()
        .rev()
        .zip(right[start..].iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let (wrong, meant) = (
        &word[start..word.len() - end],
        &right[start..right.len() - end],
    );
    match (wrong, meant) {
        ([one, two], [other_one, other_two]) => one == other_two && two == other_one,
        ([], [_]) => true,
        ([extra], []) => start > 0 && word[start - 1] == *extra,
        _ => false,
    }
}

/// Words that are often misspelt.
const OFTEN_MISSPELT: &[&str] = &[
    "where",
    "what",
    "which",
    "when",
    "does",
    "defined",
    "declared",
    "implemented",
    "difference",
    "between",
    "explain",
    "compare",
    "introduced",
    "function",
    "functions",
    "changed",
    "called",
    "references",
    "uncommitted",
    "definition",
    "review",
    "usages",
    "callers",
    "compile",
];

/// Words that are near one of those and mean something else.
const REAL_WORDS: &[&str] = &[
    "here",
    "were",
    "there",
    "then",
    "define",
    "declare",
    "implement",
    "introduce",
    "change",
    "call",
    "caller",
    "reference",
    "complie?",
];

/// Slips in short words.
const MISSPELT: &[(&str, &str)] = &[
    ("teh", "the"),
    ("hte", "the"),
    ("hwo", "how"),
    ("waht", "what"),
    ("wat", "what"),
    ("wich", "which"),
    ("whihc", "which"),
    ("wehre", "where"),
    ("whos", "who"),
    ("whose's", "who"),
    ("dose", "does"),
    ("doe", "does"),
    ("thsi", "this"),
    ("taht", "that"),
    ("si", "is"),
    ("ist", "is"),
    ("fo", "of"),
    ("shwo", "show"),
    ("fidn", "find"),
    ("wehn", "when"),
    ("hwat", "what"),
    ("u", "you"),
    ("pls", "please"),
    ("plz", "please"),
    ("defind", "defined"),
    ("diffrence", "difference"),
    ("diference", "difference"),
];

const CONTRACTIONS: &[(&str, &str)] = &[
    ("where's", "where is"),
    ("wheres", "where is"),
    ("what's", "what is"),
    ("whats", "what is"),
    ("who's", "who is"),
    ("how's", "how is"),
    ("hows", "how is"),
    ("when's", "when is"),
    ("why's", "why is"),
    ("that's", "that is"),
    ("there's", "there is"),
    ("it's", "it is"),
    ("i'm", "i am"),
    ("im", "i am"),
    ("i've", "i have"),
    ("we've", "we have"),
    ("we're", "we are"),
    ("you're", "you are"),
    ("youre", "you are"),
    ("they're", "they are"),
    ("he's", "he is"),
    ("she's", "she is"),
    ("i'd", "i would"),
    ("where're", "where are"),
    ("who're", "who are"),
    ("how'd", "how did"),
    ("where'd", "where did"),
    ("who'd", "who did"),
    ("don't", "do not"),
    ("dont", "do not"),
    ("doesn't", "does not"),
    ("doesnt", "does not"),
    ("didn't", "did not"),
    ("didnt", "did not"),
    ("isn't", "is not"),
    ("isnt", "is not"),
    ("aren't", "are not"),
    ("wasn't", "was not"),
    ("can't", "can not"),
    ("cant", "can not"),
    ("cannot", "can not"),
    ("couldn't", "could not"),
    ("won't", "will not"),
    ("wont", "will not"),
    ("wouldn't", "would not"),
    ("shouldn't", "should not"),
    ("hasn't", "has not"),
    ("haven't", "have not"),
    ("let's", "let us"),
    ("lets", "let us"),
    ("gimme", "give me"),
    ("wanna", "want to"),
];
