//! Whether a page says a sentence as its own. What stands under "Myths", in a story, after "suppose",
//! or before "this is false" is said and not meant; orders to a reader or a model are no evidence.
//! Given the sentences of a page in order, returns for each whether it is meant.

use super::around::is_heading;

/// Sentences below a heading or a lead-in that disowns them.
const DISOWNED: usize = 12;
/// Sentences after "suppose" or "imagine".
const SUPPOSED: usize = 2;
/// Words of a sentence that disowns the one before it.
const VOIDING_WORDS_MAX: usize = 16;

/// Words of headings and lead-ins of what a page does not hold to be true.
const DISOWNING: [&str; 19] = [
    "myth",
    "myths",
    "misconception",
    "misconceptions",
    "hoax",
    "hoaxes",
    "rumour",
    "rumours",
    "rumor",
    "rumors",
    "debunked",
    "untrue",
    "fiction",
    "fictional",
    "satire",
    "parody",
    "fallacy",
    "fallacies",
    "disinformation",
];
/// Words that disown what the next word names: "false claims". Alone they are values: "returns false".
const WRONG: [&str; 3] = ["false", "wrong", "incorrect"];
/// What can be disowned.
const SAID: [&str; 16] = [
    "claim",
    "claims",
    "statement",
    "statements",
    "belief",
    "beliefs",
    "assertion",
    "assertions",
    "assumption",
    "assumptions",
    "answers",
    "information",
    "idea",
    "ideas",
    "story",
    "news",
];
/// Words of a title that make a page a story.
const STORIES: [&str; 8] = [
    "novel",
    "fiction",
    "fictional",
    "fanfiction",
    "satire",
    "parody",
    "screenplay",
    "fairy",
];
/// Words that say of the sentence before that it is not so.
const VOIDING: [&str; 16] = [
    "false",
    "untrue",
    "wrong",
    "incorrect",
    "myth",
    "hoax",
    "misconception",
    "fiction",
    "satire",
    "misleading",
    "outdated",
    "obsolete",
    "debunked",
    "fabricated",
    "retracted",
    "inaccurate",
];
/// Pieces of sentences that are addressed to a reader or a model.
const ORDERS: [&str; 16] = [
    "ignore all previous",
    "ignore previous",
    "ignore your previous",
    "ignore the previous",
    "ignore all prior",
    "disregard previous",
    "disregard all",
    "disregard your",
    "previous instructions",
    "system prompt",
    "system:",
    "as an ai",
    "language model",
    "to any assistant",
    "you are an assistant",
    "answer that every",
];

/// Which sentences of a page are its own voice, by their place in the list.
pub(super) fn meant(title: Option<&str>, sentences: &[&str]) -> Vec<bool> {
    let is_story = title.is_some_and(|title| has(title, &STORIES));
    let mut left = 0_usize;
    let mut supposed = 0_usize;
    let mut meant = Vec::with_capacity(sentences.len());
    for (at, sentence) in sentences.iter().enumerate() {
        let is_lead = is_heading(sentence) || sentence.trim_end().ends_with(':');
        let is_disowned = left > 0;
        left = left.saturating_sub(1);
        if is_lead && disowns(sentence) {
            left = DISOWNED;
        }
        let is_supposed = supposed > 0;
        supposed = supposed.saturating_sub(1);
        if has_first(sentence, &["suppose", "imagine", "assume", "pretend"]) {
            supposed = SUPPOSED;
        }
        let is_void = sentences.get(at + 1).is_some_and(|next| voids(next));
        meant.push(
            !(is_story
                || is_disowned
                || is_supposed
                || is_void
                || is_quoted(sentence)
                || is_order(sentence)),
        );
    }
    meant
}

/// Whether a sentence is addressed to a reader or a model as an order about its work.
pub(crate) fn is_order(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let lower = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    ORDERS.iter().any(|order| lower.contains(order))
}

/// Whether a sentence is what somebody else says, between marks.
fn is_quoted(sentence: &str) -> bool {
    let sentence = sentence.trim();
    let end = sentence.trim_end_matches(['.', ',', '!', '?']);
    sentence.starts_with(['"', '“', '«']) && end.ends_with(['"', '”', '»']) && end.len() > 2
}

/// Whether a heading or a lead-in disowns what follows.
fn disowns(lead: &str) -> bool {
    let words = words(lead);
    let is_said =
        |pair: &[String]| WRONG.contains(&pair[0].as_str()) && SAID.contains(&pair[1].as_str());
    has(lead, &DISOWNING) || words.windows(2).any(is_said)
}

/// Whether a sentence says of the one before it that it is not so.
fn voids(sentence: &str) -> bool {
    const BETWEEN: [&str; 9] = [
        "a",
        "an",
        "simply",
        "just",
        "completely",
        "entirely",
        "plainly",
        "no",
        "longer",
    ];
    let words = words(sentence);
    let first = words.first().map_or("", String::as_str);
    let is_named = words
        .get(1)
        .is_some_and(|word| SAID.contains(&word.as_str()));
    let points = matches!(first, "this" | "that") || (first == "the" && is_named);
    let is_short = words.len() <= 3 && WRONG.contains(&first);
    let verb = words
        .iter()
        .position(|word| matches!(word.as_str(), "is" | "was" | "isn't" | "proved"));
    let said = verb.and_then(|verb| {
        words[verb + 1..]
            .iter()
            .find(|word| !BETWEEN.contains(&word.as_str()) && *word != "not")
    });
    let is_denied = verb.is_some_and(|verb| {
        words[verb..]
            .iter()
            .take(3)
            .any(|word| matches!(word.as_str(), "not" | "isn't" | "longer"))
    });
    let is_void = said.is_some_and(|word| {
        let is_good = matches!(word.as_str(), "true" | "correct" | "accurate" | "so");
        VOIDING.contains(&word.as_str()) || (is_denied && is_good)
    });
    is_short || (points && is_void && words.len() <= VOIDING_WORDS_MAX)
}

fn has(text: &str, list: &[&str]) -> bool {
    words(text).iter().any(|word| list.contains(&word.as_str()))
}

fn has_first(text: &str, list: &[&str]) -> bool {
    words(text)
        .first()
        .is_some_and(|word| list.contains(&word.as_str()))
}

fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
