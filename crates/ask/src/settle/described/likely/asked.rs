//! Reads a question about a value: its words, and the words that names of the asked kind have.

use std::collections::BTreeSet;

use grounds_evidence::name;
use rust_stemmers::Stemmer;

use super::super::synonyms;
use crate::localise::jargon;
use crate::understand::lexicon;
use crate::understand::value::is_of_default;
use crate::words::is_in;

/// Phrases for a kind of value, and the words that names of such values have. The words of a phrase
/// are joined by underscores.
const KINDS: &str = "\
how_often: interval period frequency every rate poll refresh
every_how_many: interval period frequency every
how_long: timeout duration ttl wait delay interval expire expiration lifetime age length max
how_many: max limit count num number size capacity
how_much: max limit size percent amount
how_large: max limit size length bytes capacity
how_big: max limit size length bytes capacity
how_high: max limit height
how_deep: max limit depth
how_wide: max width columns
how_old: age max ttl expire
how_far: distance max limit depth
how_soon: delay timeout interval
at_most: max limit maximum cap most
maximum max: max limit maximum cap
limit limits: max limit maximum
upper_bound: max limit
longest largest biggest most highest deepest: max limit
at_least: min minimum least
minimum min least smallest lowest shortest: min minimum
give_up gives_up giving_up gave_up: timeout max attempts retries deadline
wait waits waiting waited: wait delay timeout interval
pause pauses: delay wait interval sleep
tries attempts tried retries: max attempts retries tries
exit_code exit_status status_code: exit code status
environment_variable env_var variable: env environ
port: port
address host: host address bind addr
size: size length bytes limit
threshold: threshold limit min max
chance probability: probability rate ratio percent
";
/// Phrases that say that nothing was set.
const UNSET: [&str; 12] = [
    "by default",
    "default",
    "set nothing",
    "configure nothing",
    "out of the box",
    "unless",
    "isn't set",
    "is not set",
    "if i don't",
    "when nothing",
    "not configured",
    "no options",
];
/// Words for units of a value.
const UNITS: &str = "second seconds ms milliseconds millisecond minute minutes hour hours day days byte bytes \
    kilobyte kilobytes megabyte megabytes mb kb characters chars percent microseconds microsecond \
    columns lines times";
/// Words for a value that is a text.
const TEXTS: &str = "name names named called text message header cookie path url uri prefix suffix character word \
    string label hostname host address file folder directory format type sign placeholder key tag \
    identify domain separator extension property scheme algorithm method mode level encoding locale \
    charset";
/// Stems for a time or a size in code.
pub(super) const OF_UNITS: &str = "second sec ms milli millisecond minut min hour day durat timespan byte \
    kb mb mib kib micro nano timeunit";
/// Words that a question for any value can have.
const ASKING: &str = "many much often long value number constant option setting name called call set sets configure \
    configured nothing anything something else myself otherwise told given take takes took happen \
    happens allowed allow accept accepts accepted can may must does do did have has had using use \
    uses used before after until once when while where which what how if with without through there \
    their them they this that these those from into onto than then also just only ever exactly \
    actually currently please tell know want need get gets got let lets come comes go goes make \
    makes made say says said unless some any each every one two three it's i'm i've you your we our \
    my its at most least";
/// Limit on the words of a question that are searched.
const WORDS_MAX: usize = 24;

/// A word of the question, ready for the search.
pub(super) struct ValueWord {
    /// The word in lower case.
    pub(super) text: String,
    /// Its stem.
    pub(super) stem: String,
    /// The stems of its synonyms.
    pub(super) others: Vec<String>,
}

/// A question about a value.
pub(super) struct ValueQuestion {
    /// The words that say which value, each once.
    pub(super) words: Vec<ValueWord>,
    /// The names of code in it, which the tree must have.
    pub(super) names: Vec<String>,
    /// The names of types in it, in lower case, which the tree must have too.
    pub(super) types: Vec<String>,
    /// Stems that code may use for the question as a whole, each with its share.
    pub(super) given: Vec<(String, f32)>,
    /// Stems that names of values of the asked kind have.
    pub(super) asked: BTreeSet<String>,
    /// The words that ask for a bound, which the value must be.
    pub(super) bounds: Vec<String>,
    /// Whether the value is a number.
    pub(super) is_number: bool,
    /// Whether the value is a text.
    pub(super) is_text: bool,
    /// Whether it is measured in a unit.
    pub(super) is_measured: bool,
    /// Whether the name of an environment variable is asked for.
    pub(super) is_environment: bool,
    /// Whether it says that nothing was set.
    pub(super) is_default: bool,
}

/// Returns the words of a text in lower case, without signs.
fn words_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '\''))
        .map(|word| word.trim_matches('\'').to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Reports whether words contain a phrase, whose own words are joined by underscores.
fn says(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split('_').collect();
    words
        .windows(phrase.len())
        .any(|part| part.iter().eq(&phrase))
}

/// Reports whether a question asks for a value, by its first words or by the words for one.
pub(crate) fn asks_for_value(text: &str) -> bool {
    let words = words_of(text);
    let is_kind = KINDS
        .lines()
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(said, _)| said.split(' '))
        .any(|phrase| says(&words, phrase));
    // "Where", "who" and "when" do not ask for a value, even beside a word such as "limit".
    let asks_place = words.first().is_some_and(|word| word == "where")
        || ["who", "whose", "whom", "why", "when"]
            .iter()
            .any(|word| words.first().is_some_and(|first| first == word));
    let is_default = words.iter().any(|word| is_of_default(word));
    (is_kind || is_default) && !asks_place
}

/// Returns the stems that names of the asked kind have.
fn kinds_of(words: &[String], stemmer: &Stemmer) -> BTreeSet<String> {
    KINDS
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(said, _)| said.split(' ').any(|phrase| says(words, phrase)))
        .flat_map(|(_, names)| names.split(' '))
        .map(|word| stemmer.stem(word).into_owned())
        .collect()
}

impl ValueQuestion {
    /// Reads a question.
    pub(super) fn of(text: &str, stemmer: &Stemmer, is_project: &dyn Fn(&str) -> bool) -> Self {
        let words = words_of(text);
        let asked = kinds_of(&words, stemmer);
        let lower = text.to_lowercase();
        let counts = ["how", "many"];
        let is_number = words.windows(2).any(|pair| {
            pair[0] == counts[0] && is_in("many much often long large big high deep wide", &pair[1])
        }) || words.iter().any(|word| is_in(UNITS, word));
        Self {
            words: content_of(text, stemmer, is_project),
            names: names_of(text),
            bounds: words
                .iter()
                .filter(|word| is_in("maximum minimum max min", word))
                .cloned()
                .collect(),
            types: types_of(text),
            given: jargon::of(text)
                .into_iter()
                .map(|given| (stemmer.stem(given.word).into_owned(), given.share))
                .collect(),
            asked,
            is_number,
            // "How long may a name be?" has a word for a text, and asks for a number.
            is_text: !is_number && words.iter().any(|word| is_in(TEXTS, word)),
            is_measured: words.iter().any(|word| is_in(UNITS, word))
                || says(&words, "how_long")
                || says(&words, "how_often"),
            is_environment: lower.contains("env var")
                || lower.contains("environment")
                || words.iter().any(|word| word == "variable"),
            is_default: UNSET.iter().any(|phrase| lower.contains(phrase)),
        }
    }
}

/// Returns the words of a text that are written like names of types, in lower case:
/// `CorsMiddleware`.
fn types_of(text: &str) -> Vec<String> {
    let has_humps = |word: &&str| {
        let letters = word.chars().zip(word.chars().skip(1));
        word.starts_with(|letter: char| letter.is_ascii_uppercase())
            && letters
                .clone()
                .any(|(one, next)| one.is_lowercase() && next.is_uppercase())
    };
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(has_humps)
        .map(str::to_lowercase)
        .collect()
}

/// Returns the words of a text that are written like names in code: `max_size`, `maxSize`.
fn names_of(text: &str) -> Vec<String> {
    let is_camel = |word: &str| {
        word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && word.contains(|letter: char| letter.is_ascii_uppercase())
    };
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| word.trim_matches('_').contains('_') || is_camel(word))
        .map(str::to_owned)
        .collect()
}

/// Returns the words that say which value is meant. A name counts as its parts.
fn content_of(text: &str, stemmer: &Stemmer, is_project: &dyn Fn(&str) -> bool) -> Vec<ValueWord> {
    let mut found: Vec<ValueWord> = Vec::new();
    let parts = text
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '\''))
        .map(|word| word.trim_matches('\''))
        .flat_map(name::words);
    for word in parts {
        // Words that a question for any value can have, and the name of the project, select
        // nothing.
        let is_plain = word.len() < 2
            || is_in(ASKING, &word)
            || is_in(UNITS, &word)
            || is_of_default(&word)
            || lexicon::is_empty(&word)
            || lexicon::is_article(&word)
            || lexicon::is_asking(&word)
            || lexicon::is_asking_verb(&word)
            || lexicon::is_auxiliary(&word)
            || is_project(&word);
        let stem = stemmer.stem(&word).into_owned();
        if is_plain || found.iter().any(|known| known.stem == stem) || found.len() == WORDS_MAX {
            continue;
        }
        found.push(ValueWord {
            others: synonyms::of(&word),
            stem,
            text: word,
        });
    }
    found
}
