//! Decides what a mentioned time is for the claim, by the words before it: a deadline, a start, one
//! end of an interval, the day of something planned, or only background.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::mentions::TimeMention;

/// The role of a time for the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeRole {
    /// The start of an interval.
    From,
    /// The end of an interval.
    To,
    /// The last moment, itself included.
    By,
    /// What comes after the last moment.
    Before,
    /// The first moment, itself included.
    Since,
    /// What comes before the first moment.
    After,
    /// The time for which something is planned.
    Scheduled,
    /// The time of what is claimed.
    On,
    /// A time without a word that gives it a role.
    Bare,
    /// The last moment to which something may be put off.
    Fallback,
    /// The time of something else.
    Background,
}

/// Maximum number of bytes before a mention that are read.
const BEFORE_BYTES: usize = 160;

/// Words right before a mention, the most specific first. The words of the mention itself follow,
/// and `@` marks its place.
static RULES: LazyLock<Vec<(Regex, TimeRole)>> = LazyLock::new(|| {
    const DAY: &str = r"(?:the\s+)?(?:(?:end|close|start|beginning|morning|evening)\s+of\s+)?(?:the\s+(?:day|month|year|quarter|week)\s+)?(?:\(?\w+day\)?,?\s+)?(?:on\s+)?(?:or\s+around\s+)?";
    let rules: [(&str, TimeRole); 12] = [
        (
            r"(?:postponed|delayed|moved|rescheduled|put off|canceled|cancelled|extended)\b[^.@]{0,60}?\b(?:beyond|after|past|until|to a date after)\s+",
            TimeRole::Fallback,
        ),
        (r"\b(?:beyond|past)\s+", TimeRole::Fallback),
        (
            r"\b(?:will|shall|would|to|is|are) be \w+(?:\s+on)?\s+",
            TimeRole::Scheduled,
        ),
        (
            r"\b(?:as of|announced|reported|introduced|published|passed|signed|sent|released|since being \w+)\s+(?:on\s+)?",
            TimeRole::Background,
        ),
        (
            r"\b(?:not later than|no later than|on or before|at or before|by|until|till|up to and including|through|thru|within|deadline(?: is| of)?:?|expires?(?: on)?|ending(?: on)?|ends(?: on)?|up to|up until)\s+",
            TimeRole::By,
        ),
        (
            r"\b(?:before|prior to|earlier than|ahead of)\s+",
            TimeRole::Before,
        ),
        (r"\b(?:after|later than|following)\s+", TimeRole::After),
        (
            r"\b(?:since|from|starting(?: on)?|beginning(?: on)?|as from|effective|on or after)\s+",
            TimeRole::Since,
        ),
        (
            r"\b(?:scheduled|slated|planned|expected|set|due|taking place|takes place|take place|to be (?:held|played|released|aired))\b[^.@]{0,80}?(?:\b(?:for|on|at|to|in|from|begin|start|take place)\b[^.@]{0,12}?)?\s+",
            TimeRole::Scheduled,
        ),
        (r"\b(?:between)\s+", TimeRole::From),
        (
            r"\b(?:on|in|during|at|of|for|throughout|over|the)\s+",
            TimeRole::On,
        ),
        // The empty pattern matches always, so that every mention has a role.
        (r"", TimeRole::Bare),
    ];
    let compiled = |(words, role): (&str, TimeRole)| {
        Some((
            RegexBuilder::new(&format!("(?:{words}){DAY}@$"))
                .case_insensitive(true)
                .build()
                .ok()?,
            role,
        ))
    };
    rules.into_iter().filter_map(compiled).collect()
});

/// Words that join the two ends of an interval.
static JOINTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    RegexBuilder::new(r"^\s*\)?\s*,?\s*(?:and|to|through|thru|until|till|-|–|—)\s*(?:by\s+|on\s+|the\s+end\s+of\s+)?$")
        .case_insensitive(true)
        .build()
        .ok()
});

pub(super) fn of(text: &str, mentions: &[TimeMention], place: usize) -> TimeRole {
    let mention = &mentions[place];
    // An interval goes first: in "between May 1 and May 3", the words before "May 3" mean nothing
    // alone.
    if place > 0 && joins(text, &mentions[place - 1], mention) && opens(text, &mentions[place - 1])
    {
        return TimeRole::To;
    }
    if mentions
        .get(place + 1)
        .is_some_and(|next| joins(text, mention, next))
        && opens(text, mention)
    {
        return TimeRole::From;
    }
    let role = by_words(text, mention);
    match role {
        // "On March 25, she sent the letter. Will he answer by May?" asks about May.
        TimeRole::On | TimeRole::Bare if opens_sentence_about_the_past(text, mention) => {
            TimeRole::Background
        }
        TimeRole::By if is_put_off(text, mention) => TimeRole::Fallback,
        // "Between" without a second end only sets a start.
        TimeRole::From => TimeRole::Since,
        TimeRole::To
        | TimeRole::By
        | TimeRole::Before
        | TimeRole::Since
        | TimeRole::After
        | TimeRole::Scheduled
        | TimeRole::On
        | TimeRole::Bare
        | TimeRole::Fallback
        | TimeRole::Background => role,
    }
}

/// Reports whether the words before a mention say that it is still to come.
pub(super) fn is_ahead(text: &str, mention: &TimeMention) -> bool {
    match by_words(text, mention) {
        TimeRole::By | TimeRole::Before | TimeRole::Scheduled | TimeRole::Fallback => true,
        TimeRole::From
        | TimeRole::To
        | TimeRole::Since
        | TimeRole::After
        | TimeRole::On
        | TimeRole::Bare
        | TimeRole::Background => false,
    }
}

/// Returns the words before a mention, with the prepositions that it begins with, and a mark for
/// it.
fn context(text: &str, mention: &TimeMention) -> String {
    let at = mention.span.start;
    let from = (at.saturating_sub(BEFORE_BYTES)..=at)
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(at);
    // Some forms match their preposition ("in 2025") to tell a year from a number.
    let own = &text[mention.span.clone()];
    let own_words: String = own
        .split_inclusive([' ', '-'])
        .take_while(|word| is_preposition(word))
        .collect();
    let before = text[from..at]
        .rsplit(['\n', ';'])
        .next()
        .unwrap_or_default();
    // The words of the sentence before belong to another time.
    let before = before.rsplit(". ").next().unwrap_or(before);
    format!("{before}{own_words}@")
}

fn is_preposition(word: &str) -> bool {
    let word = word.trim_matches([' ', '-']).to_lowercase();
    [
        "in",
        "by",
        "before",
        "until",
        "till",
        "during",
        "since",
        "after",
        "through",
        "throughout",
        "of",
        "from",
        "to",
        "and",
        "between",
        "end",
        "within",
        "than",
    ]
    .contains(&word.as_str())
}

fn by_words(text: &str, mention: &TimeMention) -> TimeRole {
    let context = context(text, mention);
    RULES
        .iter()
        .find(|(pattern, _)| pattern.is_match(&context))
        .map_or(TimeRole::Bare, |(_, role)| *role)
}

pub(super) fn joins(text: &str, one: &TimeMention, other: &TimeMention) -> bool {
    let own = &text[other.span.clone()];
    // In "from 2020 to 2022" the second mention begins with its preposition: it is "to 2022".
    let own_words: String = own
        .split_inclusive(' ')
        .take_while(|word| is_preposition(word))
        .collect();
    let between = text.get(one.span.end..other.span.start).unwrap_or_default();
    let between = format!("{between}{own_words}");
    JOINTS
        .as_ref()
        .is_some_and(|joints| joints.is_match(between.trim_start_matches(['.', ','])))
}

/// Reports whether an interval begins here: after "between", "from", or any word that is no
/// deadline.
fn opens(text: &str, mention: &TimeMention) -> bool {
    let context = context(text, mention).to_lowercase();
    let words = context.trim_end_matches('@').trim_end();
    !["by", "before", "until", "not later than", "no later than"]
        .iter()
        .any(|word| words.ends_with(word))
}

/// Reports whether a mention is the day of an earlier event: "On March 25, she sent …".
fn opens_sentence_about_the_past(text: &str, mention: &TimeMention) -> bool {
    let before = text[..mention.span.start].trim_end();
    let opens = ["On", "In", "As of"].iter().any(|word| {
        before.strip_suffix(word).is_some_and(|rest| {
            rest.trim_end().is_empty()
                || rest.trim_end().ends_with(['.', '\n', ':'])
                || rest.ends_with('\n')
        })
    });
    opens && text[mention.span.end..].starts_with([',', ' '])
}

/// Reports whether a mention is the deadline of a condition: "If the game is not completed by …".
/// The claim may have a deadline of its own.
fn is_put_off(text: &str, mention: &TimeMention) -> bool {
    let before = text[..mention.span.start]
        .rsplit(['\n'])
        .next()
        .unwrap_or_default();
    let sentence = before
        .rsplit(". ")
        .next()
        .unwrap_or(before)
        .trim_start()
        .to_lowercase();
    sentence.starts_with("if ")
}
