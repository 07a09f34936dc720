//! Decides whether a page says a sentence as its own. A sentence under "Myths", in a story, after
//! "suppose", or before "this is false" is said and not meant; orders to a reader or a model are no
//! evidence. Takes the sentences of a page in order, and returns for each whether it is meant.

use super::around::is_heading;

/// Number of sentences after a heading or a lead-in that are disowned by it.
const DISOWNED: usize = 12;
/// Maximum number of sentences of a story.
const STORY: usize = 400;
/// Maximum number of words of the result of a fact check.
const RATING_WORDS_MAX: usize = 8;
/// Number of sentences that "suppose" or "imagine" governs.
const SUPPOSED: usize = 2;
/// Maximum number of words of a sentence that disowns the one before it.
const VOIDING_WORDS_MAX: usize = 16;

/// Words of headings and lead-ins above statements that the page does not hold to be true.
const DISOWNING: [&str; 33] = [
    "outdated",
    "obsolete",
    "withdrawn",
    "retracted",
    "superseded",
    "believed",
    "legends",
    "claimed",
    "alleged",
    "allegations",
    "critics",
    "opponents",
    "sceptics",
    "skeptics",
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
/// Phrases that announce the next sentence.
const AHEAD: [&str; 8] = [
    "the following",
    "next sentence",
    "next line",
    "next paragraph",
    "these sentences",
    "these statements",
    "here is",
    "here are",
];
/// Words of a sentence with such a phrase, by which the page does not mean the next one.
const DOUBTED: [&str; 9] = [
    "none", "mistake", "mistakes", "wrong", "false", "earlier", "formerly", "untrue", "verified",
];
/// Phrases after which the reader has to guess what is true.
const RIDDLES: [&str; 4] = [
    "true or false",
    "find the mistake",
    "find the error",
    "spot the mistake",
];
/// Phrases of headings above the words of others.
const OTHERS: [&str; 6] = [
    "the claim",
    "reader comments",
    "user comments",
    "comments of readers",
    "your comments",
    "letters to the editor",
];
/// Nouns for what can be disowned.
const SAID: [&str; 18] = [
    "sentence",
    "sentences",
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
/// Words of a title by which the page is a story.
const STORIES: [&str; 9] = [
    "short story",
    "novel",
    "fiction",
    "fictional",
    "fanfiction",
    "satire",
    "parody",
    "screenplay",
    "fairy",
];
/// Phrases of headings that open a story. "Novel" alone may mean new.
const TALES: [&str; 6] = [
    "the novel",
    "a novel",
    "fairy tale",
    "short story",
    "fanfiction",
    "screenplay",
];
/// Words that call the sentence before untrue.
const VOIDING: [&str; 19] = [
    "unproven",
    "unfounded",
    "baseless",
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
/// Phrases of sentences that are addressed to a reader or a model.
const ORDERS: [&str; 25] = [
    "<|im_start|>",
    "[inst]",
    "note to ai",
    "ai reviewers",
    "ai agents",
    "ai assistants",
    "assistants must",
    "answer every question",
    "repeat after me",
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

/// A sentence with its words in lower case, separated by single spaces, with one at each end.
struct Said<'t> {
    text: &'t str,
    plain: String,
}

impl<'t> Said<'t> {
    fn of(text: &'t str) -> Self {
        let mut plain = String::with_capacity(text.len() + 2);
        let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '\''));
        for word in words.filter(|word| !word.is_empty()) {
            plain.push(' ');
            plain.extend(word.chars().flat_map(char::to_lowercase));
        }
        plain.push(' ');
        Self { text, plain }
    }

    /// Reports whether it contains one of the words or phrases, as whole words.
    fn has(&self, phrases: &[&str]) -> bool {
        let is_whole = |at: usize, length: usize| {
            let bytes = self.plain.as_bytes();
            bytes[at - 1] == b' ' && bytes[at + length] == b' '
        };
        phrases.iter().any(|phrase| {
            let mut places = self.plain.match_indices(phrase);
            places.any(|(at, _)| at > 0 && is_whole(at, phrase.len()))
        })
    }

    fn begins(&self, phrases: &[&str]) -> bool {
        let rest = &self.plain[1..];
        phrases.iter().any(|phrase| {
            rest.strip_prefix(phrase)
                .is_some_and(|rest| rest.starts_with(' '))
        })
    }

    fn words(&self) -> Vec<&str> {
        self.plain.split_whitespace().collect()
    }

    /// Reports whether it is a heading, or introduces what follows.
    fn leads(&self) -> bool {
        is_heading(self.text)
            || self.text.trim_start().starts_with('#')
            || self.text.trim_end().ends_with(':')
    }
}

/// Returns for each sentence of a page whether it is the page's own voice.
pub(super) fn meant(title: Option<&str>, sentences: &[&str]) -> Vec<bool> {
    let said: Vec<Said<'_>> = sentences
        .iter()
        .map(|sentence| Said::of(sentence))
        .collect();
    let is_story =
        title.is_some_and(|title| Said::of(title).has(&STORIES)) || said.iter().any(disowns_page);
    let mut meant = vec![!is_story; said.len()];
    let mut left = 0_usize;
    for (at, sentence) in said.iter().enumerate() {
        // Read before this sentence can change it: a heading disowns the next ones, not itself.
        let is_disowned = left > 0;
        left = left.saturating_sub(1).max(disowned_after(sentence));
        // A fact check gives its result after the claim, which may be some sentences back.
        if rates(at.checked_sub(1).map(|at| &said[at]), sentence) {
            meant[at.saturating_sub(DISOWNED)..at].fill(false);
        }
        // "The bridge is closed. This is false."
        let is_void = said.get(at + 1).is_some_and(voids);
        meant[at] &=
            !(is_disowned || is_void || is_quoted(sentence.text) || is_order(sentence.text));
    }
    meant
}

/// Returns how many sentences after this one are not the page's own.
fn disowned_after(sentence: &Said<'_>) -> usize {
    let is_lead = sentence.leads();
    // "None of these statements is true: …"; "here is" alone introduces facts as well.
    let points_ahead = || sentence.has(&AHEAD) && (sentence.has(&DOUBTED) || disowns(sentence));
    match () {
        () if sentence.has(&["once upon a time"]) || (is_lead && sentence.has(&TALES)) => STORY,
        // After an order to a model, the next sentences are the answer that it demands.
        () if is_order(sentence.text) || sentence.has(&RIDDLES) => DISOWNED,
        () if is_lead && (disowns(sentence) || sentence.has(&OTHERS)) => DISOWNED,
        () if points_ahead() => DISOWNED,
        () if sentence.begins(&["suppose", "imagine", "assume", "pretend"]) => SUPPOSED,
        () => 0,
    }
}

/// Reports whether a sentence says that its whole page is not meant.
fn disowns_page(sentence: &Said<'_>) -> bool {
    const PAGE: [&str; 9] = [
        "this page",
        "this article",
        "this text",
        "this site",
        "this document",
        "this story",
        "these sentences",
        "none of this",
        "everything here",
    ];
    const INVENTED: [&str; 12] = [
        "invented",
        "fictional",
        "fictitious",
        "satire",
        "parody",
        "hoax",
        "fabricated",
        "untrue",
        "retracted",
        "made up",
        "of this is true",
        "of this is real",
    ];
    // Both in one sentence: a page about a hoax says elsewhere that something was invented.
    sentence.has(&PAGE) && sentence.has(&INVENTED)
}

/// Reports whether a sentence is the result of a fact check of the text before it: "Rating: false".
fn rates(before: Option<&Said<'_>>, sentence: &Said<'_>) -> bool {
    const RATINGS: [&str; 6] = [
        "verdict",
        "rating",
        "ruling",
        "fact check",
        "factcheck",
        "our conclusion",
    ];
    // "Rating: false" in one line, or "False" below the heading "Rating".
    let own = || {
        let name = sentence
            .text
            .split_once(':')
            .map(|(name, _)| Said::of(name));
        name.is_some_and(|name| name.has(&RATINGS) && name.words().len() <= 4)
    };
    let below = || before.is_some_and(|before| is_heading(before.text) && before.has(&RATINGS));
    sentence.has(&VOIDING) && sentence.words().len() <= RATING_WORDS_MAX && (own() || below())
}

/// Reports whether a sentence gives orders to a reader or a model.
pub(crate) fn is_order(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    // A line break within "ignore all\nprevious" must not hide the order.
    let lower = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    ORDERS.iter().any(|order| lower.contains(order))
}

/// Reports whether a sentence is a quotation as a whole.
fn is_quoted(sentence: &str) -> bool {
    let sentence = sentence.trim();
    let end = sentence.trim_end_matches(['.', ',', '!', '?']);
    sentence.starts_with(['"', '“', '«']) && end.ends_with(['"', '”', '»']) && end.len() > 2
}

/// Reports whether a heading or a lead-in disowns what follows.
fn disowns(lead: &Said<'_>) -> bool {
    let is_said = |pair: &[&str]| WRONG.contains(&pair[0]) && SAID.contains(&pair[1]);
    lead.has(&DISOWNING) || lead.words().windows(2).any(is_said)
}

/// Reports whether a sentence takes back the one before it.
fn voids(sentence: &Said<'_>) -> bool {
    const TAKEN_BACK: [&str; 8] = [
        "not",
        "no",
        "nope",
        "no longer",
        "not really",
        "not true",
        "not any more",
        "not anymore",
    ];
    const JOKES: [&str; 6] = [
        "kidding",
        "joking",
        "april fools",
        "april fool's",
        "made this up",
        "made that up",
    ];
    const SINCE: [&str; 4] = ["has changed", "was true until", "used to be", "no longer"];
    // `plain` has one space more than it has words.
    let is_short = sentence.plain.matches(' ').count() <= VOIDING_WORDS_MAX + 1;
    let is_question = sentence.text.trim_end().ends_with('?');
    // "This was true until 2019."
    let is_since = || sentence.begins(&["this", "that"]) && sentence.has(&SINCE);
    // "Correction: that is wrong."
    let note = || {
        let (name, note) = sentence.text.split_once(':')?;
        let is_note = Said::of(name).has(&["note", "correction", "update", "edit"]);
        is_note.then(|| Said::of(note))
    };
    TAKEN_BACK.contains(&sentence.plain.trim())
        // "Or so he thought.", "Or is it?"
        || sentence.begins(&["or so", "at least that"])
        || (is_question && sentence.begins(&["or"]))
        || (is_short && (sentence.has(&JOKES) || is_since()))
        || denies_what_was_said(sentence)
        || note().is_some_and(|note| denies_what_was_said(&note))
}

/// Reports whether a sentence points at what was said and calls it wrong: "This is false."
fn denies_what_was_said(sentence: &Said<'_>) -> bool {
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
    let words = sentence.words();
    let first = words.first().copied().unwrap_or_default();
    let is_named = words.get(1).is_some_and(|word| SAID.contains(word));
    let points = matches!(first, "this" | "that") || (first == "the" && is_named);
    // "False.", "Wrong again."
    let is_short = words.len() <= 3 && WRONG.contains(&first);
    let verb = words
        .iter()
        .position(|word| matches!(*word, "is" | "was" | "isn't" | "proved"));
    let said = verb.and_then(|verb| {
        let mut after = words[verb + 1..].iter();
        after.find(|word| !BETWEEN.contains(word) && **word != "not")
    });
    let is_denied = verb.is_some_and(|verb| {
        // "Is not", "is no longer": a denial further on belongs to something else.
        let mut near = words[verb..].iter().take(3);
        near.any(|word| matches!(*word, "not" | "isn't" | "longer"))
    });
    let is_void = said.is_some_and(|word| {
        let is_good = matches!(*word, "true" | "correct" | "accurate" | "so");
        VOIDING.contains(word) || (is_denied && is_good)
    });
    is_short || (points && is_void && words.len() <= VOIDING_WORDS_MAX)
}
