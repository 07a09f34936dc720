//! Ranks the messages of a tree by how well a question says when they are shown: "what does it
//! complain about if the shelf is empty?"
//!
//! Takes a question and the texts of a tree, and returns the strings that are raised, reported or
//! logged, best first. A message that is put together of several strings counts by each of them.

use std::collections::BTreeSet;

use super::super::page::{DescribedFile, is_comment, stems};
use super::super::pairs;
use super::asked::{ValueQuestion, ValueWord};
use super::row::FEATURES;
use super::{LikelyValue, SourceText, ValueRanking, arms, is_in};
use crate::settle::SettledSpot;

/// Words for a message, and for what shows one.
const MESSAGES: &str = "message messages wording worded complaint complaints complain complains text texts string \
    sentence warning words say says said told panic panics error";
/// Words for something going wrong, without which a text may be any text.
const FAILURES: &str = "error errors exception exceptions fail fails failing failed failure complain complains \
    complaint complaints panic panics panicked warn warns warning warnings raise raises raised throw throws thrown \
    reject rejects rejected refuse refuses refused abort aborts crash crashes assertion told \
    assertionerror runtimeerror valueerror typeerror get gets got see sees receive receives report reports print \
    prints printed shown greeted carry carries";
/// Words that ask for something else beside a message.
const OTHERWISE: &str = "where who whose whom when why many much long big large often size length limit type types \
    class classes function functions method methods file files line lines level code codes \
    constant variable key number commit release status name";
/// Stems of words of such questions that no message has to have.
const ASKING: &str = "messag text error except complain complaint word panic fail warn rais throw tell told user \
    show see carri end up without not tri call happen moment case exact instead program neither nor report sentenc";
/// Words of a question that the best message has at least.
const SAID_MIN: usize = 2;
/// Parts of lines that raise, report or log.
const MARKS: [&str; 27] = [
    "throw",
    "raise",
    "panic",
    "error",
    "exception",
    "bail!",
    "ensure!",
    "anyhow!",
    "abort",
    "fail",
    "fatal",
    "die(",
    "warn",
    "require(",
    "check(",
    "checkargument",
    "checkstate",
    "assert",
    "expect(",
    "reject",
    "err(",
    "err =",
    "invariant(",
    "message",
    "stderr",
    "msg",
    "eprintln",
];
/// Lines above a string that may raise it.
const HEAD_LINES: usize = 2;
/// Lines above and below a message that are read for its condition.
const ABOVE_LINES: usize = 5;
const BELOW_LINES: usize = 2;
/// Shares of a word by the place that has it.
const IN_TEXT: f32 = 1.0;
const LIKE_TEXT: f32 = 0.7;
const NEAR: f32 = 0.7;
const AROUND: f32 = 0.6;
const LIKE_NEAR: f32 = 0.4;
/// Limit on the messages that are rated.
const RATED_MAX: usize = 20_000;
/// Part of the question from which on a message is likely, and the lead over the others.
const WORTH_MIN: f64 = 0.5;
const LEAD_MIN: f64 = 0.06;
/// The same for a message that is far more likely than any other.
const WORTH_ALONE_MIN: f64 = 0.4;
const LEAD_ALONE_MIN: f64 = 0.1;
/// The margin of the values that are shown, in the unit of the other ranking.
const WORTH_UNIT: f64 = 12.0;

/// A message with the words at each place.
struct Message {
    spot: SettledSpot,
    text: String,
    own: BTreeSet<String>,
    near: BTreeSet<String>,
    around: BTreeSet<String>,
}

/// Reports whether a question asks for the text of a message.
pub(crate) fn asks(text: &str) -> bool {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> = lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_question = has("what which how wich whats what's");
    // "Which class raises it?" asks for no text, and neither does "what is raised?"
    let asks_otherwise = (0..words.len()).any(|at| {
        is_in("what which how wich", words[at])
            && words
                .iter()
                .skip(at + 1)
                .take(2)
                .any(|word| is_in(OTHERWISE, word))
    });
    let is_first = words
        .first()
        .is_some_and(|word| is_in("where who when why whose", word));
    is_question && !asks_otherwise && !is_first && says_message(&words) && has(FAILURES)
}

fn says_message(words: &[&str]) -> bool {
    const ASKERS: &str = "what which how wich whats what's";
    let last_asker = words.iter().rposition(|word| is_in(ASKERS, word));
    let said = words.iter().position(|word| is_in(MESSAGES, word));
    said.is_some() && last_asker.is_some()
}

/// Ranks the messages of a tree.
pub(super) fn rank(question: &ValueQuestion, sources: &[SourceText], ranking: &mut ValueRanking) {
    let words = question.words.iter();
    let words: Vec<&ValueWord> = words.filter(|word| !is_in(ASKING, &word.stem)).collect();
    let sources = sources
        .iter()
        .filter(|source| !source.path.ends_with(".json"));
    let messages: Vec<Message> = sources.flat_map(messages).take(RATED_MAX).collect();
    if words.len() < 2 || messages.is_empty() {
        return;
    }
    let mut values = rated(&words, &messages);
    let says = |spot: &SettledSpot| {
        let mut own = messages.iter().filter(|message| message.spot == *spot);
        own.any(|message| {
            let said = words.iter().filter(|word| share(word, message) > 0.0);
            said.count() >= SAID_MIN
        })
    };
    // A single word that fits says little, however rare it is.
    values.retain(|value| says(&value.spot));
    ranking.right_share = right_share(&values);
    ranking.describing = words.len();
    ranking.absent = 0.0;
    ranking.values = values;
}

/// Returns the messages that fit some words best, best first, each text once.
fn rated(words: &[&ValueWord], messages: &[Message]) -> Vec<LikelyValue> {
    let masses: Vec<f32> = words.iter().map(|word| mass(word, messages)).collect();
    let all: f32 = masses.iter().sum();
    let worth = |message: &Message| -> f64 {
        let shares = words.iter().zip(&masses);
        let sum: f32 = shares.map(|(word, mass)| mass * share(word, message)).sum();
        f64::from(sum / all)
    };
    let mut values: Vec<LikelyValue> = messages
        .iter()
        .map(|message| LikelyValue {
            spot: message.spot.clone(),
            key: message.text.clone(),
            value: message.text.clone(),
            worth: worth(message) * WORTH_UNIT,
            row: [0.0; FEATURES],
        })
        .collect();
    values.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    values.dedup_by(|one, other| one.value == other.value);
    values.truncate(super::KEPT_MAX);
    values
}

/// Returns how likely the first messages have the right one.
fn right_share(values: &[LikelyValue]) -> f64 {
    let worth = |at: usize| values.get(at).map_or(0.0, |value| value.worth / WORTH_UNIT);
    let best = worth(0);
    let leads = best >= WORTH_MIN && best - worth(3) >= LEAD_MIN
        || best >= WORTH_ALONE_MIN && best - worth(1) >= LEAD_ALONE_MIN;
    match leads {
        true => 0.75,
        false if best >= WORTH_MIN / 2.0 => 0.4,
        false => 0.0,
    }
}

/// Returns the weight of a word: the fewer messages have it, the more.
fn mass(word: &ValueWord, messages: &[Message]) -> f32 {
    let has = |message: &&Message| share(word, message) > 0.0;
    let count = messages.iter().filter(has).count();
    // A word that no message has is another way of saying something, and tells little.
    let count = if count == 0 {
        messages.len() / 4
    } else {
        count
    };
    let ratio = (messages.len() as f32 + 1.0) / (count as f32 + 0.5);
    ratio.ln().max(0.1)
}

fn share(word: &ValueWord, message: &Message) -> f32 {
    let like = |among: &BTreeSet<String>| word.others.iter().any(|other| among.contains(other));
    match () {
        () if message.own.contains(&word.stem) => IN_TEXT,
        () if message.near.contains(&word.stem) => NEAR,
        () if like(&message.own) => LIKE_TEXT,
        () if message.around.contains(&word.stem) => AROUND,
        () if like(&message.near) => LIKE_NEAR,
        () => 0.0,
    }
}

/// Returns the messages of a file.
fn messages(source: &SourceText) -> Vec<Message> {
    let stemmer = rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English);
    let page = DescribedFile {
        path: &source.path,
        of_path: stems(&source.path, &stemmer),
        lines: source.text.lines().collect(),
        stemmer: &stemmer,
    };
    let mut found = Vec::new();
    for at in 0..page.lines.len() {
        let line = page.lines[at];
        if !line.contains(['"', '\'', '`']) || is_comment(line.trim()) || !is_raised(&page, at) {
            continue;
        }
        let masked = pairs::masked(line);
        let is_sentence = |text: &&str| text.trim().contains(' ') && !text.contains("://");
        let texts = arms::texts(line, &masked).into_iter().map(|(text, _)| text);
        found.extend(
            texts
                .filter(is_sentence)
                .map(|text| message(&page, at, text)),
        );
    }
    found
}

/// Reports whether a line, or one right above it, raises, reports or logs something.
fn is_raised(page: &DescribedFile<'_>, at: usize) -> bool {
    let head = at.saturating_sub(HEAD_LINES)..=at;
    page.lines[head].iter().any(|line| {
        let lower = line.to_lowercase();
        MARKS.iter().any(|mark| lower.contains(mark))
    })
}

fn message(page: &DescribedFile<'_>, at: usize, text: &str) -> Message {
    let first = at.saturating_sub(ABOVE_LINES);
    let last = (at + BELOW_LINES + 1).min(page.lines.len());
    let around = page.around(at);
    let mut words = around.of_above;
    words.extend(around.of_doc);
    words.extend(page.of_path.iter().cloned());
    let number = u32::try_from(at + 1).unwrap_or(0);
    Message {
        spot: SettledSpot::line(page.path, number, "a message"),
        text: text.to_owned(),
        own: stems(text, page.stemmer),
        near: stems(&page.lines[first..last].join(" "), page.stemmer),
        around: words,
    }
}

#[cfg(test)]
mod tests {
    use super::asks;

    #[test]
    fn a_question_for_a_message_names_it_and_what_shows_it() {
        for text in [
            "which error text do I see if a shelf has no label?",
            "what does the exception say when two shelves overlap",
            "A shelf is full. What will it complain about?",
            "Reading a closed shelf panics. With what message?",
        ] {
            assert!(asks(text), "{text}");
        }
        for text in [
            "which class raises the error for a full shelf?",
            "how many messages does a shelf keep before it fails?",
            "where is the message of a full shelf thrown?",
            "what is a shelf?",
            "which message type do we get?",
        ] {
            assert!(!asks(text), "{text}");
        }
    }
}
