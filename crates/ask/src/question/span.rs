//! The part of the history that the words name: since when, until when, by whom.
//!
//! Takes the words of a question about the history, and returns the time span and the remaining
//! words. Times keep the form that git reads ("2 weeks ago"); anything else counts as a revision.

use grounds_repo::history::{HistoryAspect, HistoryQuestion, RELEASE_BEFORE};

use super::shape;
use super::words::QuestionWord;
use crate::words::is_in;

/// Maximum number of words in one time.
const TIME_WORDS_MAX: usize = 6;

/// Takes since, until and author out of the words, and returns the rest.
pub(crate) fn take(words: &[QuestionWord], history: &mut HistoryQuestion) -> Vec<QuestionWord> {
    let mut kept = Vec::with_capacity(words.len());
    // The name in "what did bob do last week" is found first, since the span may take the words
    // after it.
    let person = person(words);
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let taken = if first.quoted {
            0
        } else {
            taken_at(rest, history)
        };
        if taken == 0 {
            kept.push(first.clone());
            rest = after;
        } else {
            rest = &rest[taken.min(rest.len())..];
        }
    }
    if let Some(name) = person {
        kept.retain(|word| !name.contains(&word.text.as_str()));
        history.author = Some(name.join(" "));
    }
    kept.retain(|word| word.quoted || number(&word.lower).is_none());
    kept
}

/// Words that a question for the first commit may also have.
const OF_OLDEST: &str = "who what which when wrote made created authored author committed committer did does do is \
    was were the a an very of in by on to this our repo repository project history ever made show me find date day \
    hash sha id git get give us and there it here codebase";

/// Returns the history that is asked for if a question asks for the first commit and nothing more.
pub(crate) fn oldest(words: &[QuestionWord]) -> Option<HistoryQuestion> {
    let mut history = HistoryQuestion::default();
    let left = take(words, &mut history);
    let is_first = |pair: &[QuestionWord]| {
        is_in("first oldest initial earliest", pair[0].lower.as_str()) && pair[1].lower == "commit"
    };
    let at = left.windows(2).position(is_first)?;
    let mut others = left[..at].iter().chain(&left[at + 2..]);
    let is_whole = others.all(|word| !word.quoted && is_in(OF_OLDEST, word.lower.as_str()));
    is_whole.then(|| {
        history.aspect = HistoryAspect::Oldest;
        history
    })
}

/// Returns how many words at the start name a part of the history, and stores that part.
fn taken_at(words: &[QuestionWord], history: &mut HistoryQuestion) -> usize {
    let range = dotted(&words[0].text, history);
    let between = || two_ends(words);
    // A range of git comes first, then two ends: "from A to B" begins like a single end.
    if range {
        return 1;
    }
    if let Some((since, until, taken)) = between() {
        (history.since, history.until) = (Some(since), Some(until));
        return taken;
    }
    if let Some((author, taken)) = author(words) {
        history.author = Some(author);
        return taken;
    }
    one_end(words, history)
}

/// Reads a range of git: `v1.0..v1.1`.
fn dotted(text: &str, history: &mut HistoryQuestion) -> bool {
    // Three dots are tried first, since two of them match as well.
    let ends = text.split_once("...").or_else(|| text.split_once(".."));
    let Some((since, until)) =
        ends.filter(|(since, until)| is_ref(since) && (until.is_empty() || is_ref(until)))
    else {
        return false;
    };
    history.since = Some(since.to_owned());
    history.until = (!until.is_empty()).then(|| until.to_owned());
    true
}

fn is_ref(text: &str) -> bool {
    !text.is_empty()
        // Git would read a leading hyphen as an option.
        && !text.starts_with('-')
        && text
            .chars()
            .all(|letter| letter.is_alphanumeric() || "._-/~^@".contains(letter))
}

/// Reads a span with two ends: "between A and B", "from A to B".
fn two_ends(words: &[QuestionWord]) -> Option<(String, String, usize)> {
    let joint = match words[0].lower.as_str() {
        "between" => &["and", "to"][..],
        "from" => &["to", "until", "till", "through"][..],
        _ => return None,
    };
    let (since, first) = when(&words[1..])?;
    let at = 1 + first;
    joint
        .contains(&words.get(at)?.lower.as_str())
        .then_some(())?;
    let (until, second) = when(&words[at + 1..])?;
    Some((since, until, at + 1 + second))
}

/// Reads a span with one end: "since A", "before B", "in the last two weeks", "yesterday".
fn one_end(words: &[QuestionWord], history: &mut HistoryQuestion) -> usize {
    let (first, rest) = (words[0].lower.as_str(), &words[1..]);
    match first {
        "since" | "after" | "newer" => take_end(rest, &mut history.since),
        "before" | "older" => {
            let mut end = None;
            let taken = take_end(rest, &mut end);
            // "Before 2015" excludes that year, so it ends with the last day of 2014.
            if let Some(until) = end {
                history.until = Some(match until.parse::<u32>() {
                    Ok(year) if is_year(&until) => format!("{}-12-31", year - 1),
                    _ => until,
                });
            }
            taken
        }
        "until" | "till" | "upto" => take_end(rest, &mut history.until),
        "in" | "over" | "within" | "during" | "from" | "of" | "for" | "on" | "at" | "this"
        | "last" | "past" | "today" | "today's" | "yesterday" | "yesterday's" | "recently"
        | "lately" => lasting(words, history),
        _ => 0,
    }
}

fn take_end(words: &[QuestionWord], end: &mut Option<String>) -> usize {
    let than = words
        .first()
        .filter(|word| word.lower == "than")
        .map_or(0, |_| 1);
    let Some((found, taken)) = when(&words[than..]) else {
        return 0;
    };
    *end = Some(found);
    1 + than + taken
}

/// Reads a span that ends now or is a period: "in the last two weeks", "in 2023".
fn lasting(words: &[QuestionWord], history: &mut HistoryQuestion) -> usize {
    let lead = words
        .iter()
        .take_while(|word| is_in(LEADS, word.lower.as_str()))
        .count();
    let rest: Vec<&str> = words[lead..]
        .iter()
        .take(3)
        .map(|word| word.lower.as_str())
        .collect();
    let (since, until, taken) = match rest[..] {
        ["last" | "past" | "previous", count, unit, ..]
            if number(count).is_some() && is_unit(unit) =>
        {
            (
                format!("{} {} ago", number(count).unwrap_or(1), unit),
                None,
                3,
            )
        }
        // "A few" has no number, and three is taken for it.
        ["last" | "past" | "previous", "few" | "couple", unit, ..] if is_unit(unit) => {
            (format!("3 {unit} ago"), None, 3)
        }
        ["this" | "last" | "past", unit, ..] if is_unit(unit) => (format!("1 {unit} ago"), None, 2),
        ["last" | "past", "night", ..] => ("yesterday".to_owned(), None, 2),
        ["this", "morning" | "afternoon" | "evening", ..] | ["today", "morning", ..] => {
            ("midnight".to_owned(), None, 2)
        }
        ["last" | "this" | "past", day, ..] if is_in(DAYS, day) => (format!("last {day}"), None, 2),
        ["today" | "today's", ..] => ("midnight".to_owned(), None, 1),
        ["yesterday" | "yesterday's", ..] => ("yesterday".to_owned(), None, 1),
        ["recently" | "lately", ..] if lead == 0 => ("2 weeks ago".to_owned(), None, 1),
        [year, ..] if lead > 0 && is_year(year) => {
            (format!("{year}-01-01"), Some(format!("{year}-12-31")), 1)
        }
        [day, ..] if lead > 0 && is_in(DAYS, day) => (day.to_owned(), None, 1),
        // "From 2024-01-31" begins on that day. "On" and "in" mean only the period that the date
        // names.
        [day, ..] if lead > 0 && is_date(day) => {
            let is_start = is_in("from over", words[0].lower.as_str());
            (day.to_owned(), (!is_start).then(|| day.to_owned()), 1)
        }
        [which, what, ..] if lead > 0 && is_newest(which) && is_release(what) => {
            return version_end(format!("{which} {what}"), lead + 2, history);
        }
        [version, ..] if lead > 0 && is_plain_version(version) => {
            return version_end(words[lead].text.clone(), lead + 1, history);
        }
        _ => match written_date(&words[lead..]).filter(|_| lead > 0) {
            Some((date, taken)) => (date.clone(), Some(date), taken),
            None => return 0,
        },
    };
    history.since = Some(since);
    history.until = until;
    lead + taken
}

/// Reads a date in words at the start: "June 2023", "1 June 2023", "June 1st 2023".
fn written_date(words: &[QuestionWord]) -> Option<(String, usize)> {
    let is_day = |word: &str| {
        let digits = word.trim_end_matches(char::is_alphabetic);
        let ending = &word[digits.len()..];
        matches!(digits.len(), 1 | 2)
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (ending.is_empty() || is_in("st nd rd th", ending))
    };
    let year = words.iter().take(3).position(|word| is_year(&word.lower))?;
    let before = &words[..year];
    let months = before
        .iter()
        .filter(|word| is_in(MONTHS, word.lower.as_str()));
    let is_part = |word: &QuestionWord| is_in(MONTHS, word.lower.as_str()) || is_day(&word.lower);
    if months.count() != 1 || !before.iter().all(is_part) {
        return None;
    }
    let text: Vec<&str> = words[..=year]
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    Some((text.join(" "), year + 1))
}

/// Reads a version as a span: "what changed in v1.2" begins with the release before it and ends
/// with it.
fn version_end(version: String, taken: usize, history: &mut HistoryQuestion) -> usize {
    history.since = Some(format!("{RELEASE_BEFORE}{version}"));
    history.until = Some(version);
    taken
}

fn is_newest(word: &str) -> bool {
    is_in("last latest previous newest", word)
}

fn is_release(word: &str) -> bool {
    is_in("release tag version", word)
}

fn is_plain_version(text: &str) -> bool {
    shape::is_revision(text) && text.chars().any(|letter| letter.is_ascii_digit())
}

/// Reads a time or a revision at the start of the words.
fn when(words: &[QuestionWord]) -> Option<(String, usize)> {
    let articles = words
        .iter()
        .take_while(|word| {
            is_in(
                "the tag version release commit branch our",
                word.lower.as_str(),
            )
        })
        .count();
    let rest = &words[articles..];
    if let [which, what, ..] = rest
        && is_in("last latest previous", which.lower.as_str())
        && is_in("release tag version commit", what.lower.as_str())
    {
        return Some((format!("{} {}", which.lower, what.lower), articles + 2));
    }
    let is_time = |word: &&QuestionWord| is_time_word(&word.lower);
    let times = rest.iter().take(TIME_WORDS_MAX).take_while(is_time).count();
    // "The last" alone is no time, so one of the words must say more.
    if times > 0
        && rest[..times].iter().any(|word| {
            !["of", "at", "the", "last", "latest", "first", "in"].contains(&word.lower.as_str())
        })
    {
        let text: Vec<&str> = rest[..times]
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        return Some((spelled(&text), articles + times));
    }
    let first = rest.first().filter(|word| is_ref(&word.text))?;
    Some((first.text.clone(), articles + 1))
}

/// Returns a time with its numbers as digits, which git reads.
fn spelled(words: &[&str]) -> String {
    let digits = |word: &&str| {
        number(&word.to_lowercase())
            .filter(|_| words.len() > 1)
            .map_or_else(|| (*word).to_owned(), |number| number.to_string())
    };
    words.iter().map(digits).collect::<Vec<_>>().join(" ")
}

fn is_time_word(word: &str) -> bool {
    is_in(DAYS, word)
        || is_in(MONTHS, word)
        || is_unit(word)
        || is_date(word)
        || number(word).is_some()
        || is_in(TIMES, word)
}

/// Reads an author: "by alice", "alice's commits".
fn author(words: &[QuestionWord]) -> Option<(String, usize)> {
    let (first, rest) = words.split_first()?;
    if let Some(owner) = first
        .text
        .strip_suffix("'s")
        .or_else(|| first.text.strip_suffix("’s"))
        && rest.first().is_some_and(|next| {
            is_in(
                "commits changes work last latest commit contributions",
                next.lower.as_str(),
            )
        })
    {
        return Some((owner.to_owned(), 1));
    }
    if first.lower != "by" && first.lower != "author" {
        return None;
    }
    let is_name = |word: &&QuestionWord| {
        !is_in(NOT_NAMES, &word.lower) && !is_time_word(&word.lower) && !shape::is_path(&word.text)
    };
    let lead = rest
        .iter()
        .take_while(|word| is_in("user author the", word.lower.as_str()))
        .count();
    let name: Vec<&str> = rest[lead..]
        .iter()
        .take(3)
        .take_while(is_name)
        .map(|word| word.text.as_str())
        .collect();
    (!name.is_empty()).then(|| (name.join(" "), 1 + lead + name.len()))
}

/// Returns the name in a question about one person's work: "what did bob do", "what did Ann Lee
/// change".
fn person(words: &[QuestionWord]) -> Option<Vec<&str>> {
    let at = match words {
        [what, did, ..] if what.lower == "what" && is_in("did has had is", did.lower.as_str()) => 2,
        _ => return None,
    };
    let is_work = |word: &QuestionWord| is_in(WORKS, &word.lower);
    let end = at
        + words[at..]
            .iter()
            .take(NAME_WORDS_MAX + 2)
            .position(is_work)?;
    let said = &words[at..end];
    // "What did bob last do?" has an adverb between the name and the verb.
    let beside = said.iter().rev();
    let beside = beside.take_while(|word| is_in("last just recently ever", &word.lower));
    let name = &said[..said.len() - beside.count()];
    let is_part = |word: &QuestionWord| {
        let is_letters = word
            .text
            .chars()
            .all(|letter| letter.is_alphanumeric() || ".-".contains(letter));
        let is_capital = word.text.starts_with(char::is_uppercase);
        !word.quoted
            && is_letters
            // A name of several words needs capitals, or any noun phrase would be an author.
            && (is_capital || name.len() == 1)
            && !is_in(NOT_NAMES, &word.lower)
    };
    let is_name = !name.is_empty() && name.iter().all(is_part);
    is_name.then(|| name.iter().map(|word| word.text.as_str()).collect())
}

/// Maximum number of words in the name of a person.
const NAME_WORDS_MAX: usize = 3;

fn number(word: &str) -> Option<u32> {
    let words = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let spelled = words
        .iter()
        .position(|name| *name == word)
        .and_then(|at| u32::try_from(at + 1).ok());
    spelled
        .or_else(|| (word == "couple").then_some(2))
        .or_else(|| word.parse().ok().filter(|number| *number < 1_000))
}

fn is_unit(word: &str) -> bool {
    is_in(UNITS, word.trim_end_matches('s'))
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.chars().all(|letter| letter.is_ascii_digit())
}

/// Reports whether a word is a date in digits: `2024-01-31`, `2024-01`, `31.01.2024`, `2024`.
fn is_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    let is_number = |part: &&str| {
        !part.is_empty() && part.len() <= 4 && part.chars().all(|letter| letter.is_ascii_digit())
    };
    parts.iter().all(is_number) && parts.iter().any(|part| is_year(part)) && parts.len() <= 3
}

const LEADS: &str = "in over within during from of for on at the all release version";
const UNITS: &str = "second minute hour day week fortnight month quarter year sprint";
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday weekend christmas";
const MONTHS: &str = "january february march april may june july august september october november december jan \
    feb mar apr jun \
    jul aug sep oct nov dec";
const TIMES: &str = "ago yesterday today last noon midnight this morning beginning start of now";
const WORKS: &str =
    "do change commit work push write done changed committed pushed working doing fix touch add";
const NOT_NAMES: &str = "we i you it they this that the me us file files date author name size default what who \
    whom in on to and \
    since until before after between from under with not people someone somebody anyone for of everyone he \
    she your my our a an all any last recently at is was hand";
