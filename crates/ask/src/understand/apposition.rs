//! A name in brackets after words that describe it: "how long may a number be (MAX_NUMBER_LENGTH)?"
//! The question is about the name then.

use super::lexicon::{self, Lexicon};
use super::set_aside::Rest;
use super::token::{self, After, QuestionToken, looks_like_code};
use super::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// Phrases of a question, and what it asks about the name. The first phrase that is found decides.
const FORMS: &[(&str, &str)] = &[
    (
        "in which release|in which version|first release|first version|since which|which release",
        "in which release was {} introduced?",
    ),
    (
        "who added|who wrote|who created|who introduced|who contributed",
        "who added {}?",
    ),
    ("when was|when did", "when was {} introduced?"),
    (
        "how many ms|how many seconds|how many minutes|how many bytes|how many times|how long|how big|\
         how large|how much|how often|default|limit|bound|maximum|minimum|value",
        "what is the value of {}?",
    ),
    (
        "where|which file|which class|which module",
        "where is {} defined?",
    ),
    // "How many seconds" is a value and was found above, so "how many" counts here.
    ("how many|number of", "how many elements are in {}?"),
];

/// Returns the question about the name alone.
///
/// Returns `None` if the brackets contain no name of the tree, or if the words before them relate
/// it to something: that would be lost.
pub(crate) fn of_name(text: &str, tree: &QuestionTree<'_>) -> Option<String> {
    let (before, rest) = text.split_once(" (")?;
    let (name, after) = rest.split_once(')')?;
    let is_end = after.trim().trim_end_matches(['?', '.', '!']).is_empty();
    let name = name.trim().trim_matches('`');
    if let Some(counted) = counted_of(before, name, tree).filter(|_| is_end) {
        return Some(counted);
    }
    let is_name = looks_like_code(name) && !name.contains(char::is_whitespace);
    let is_known =
        || !tree.files_of(name).is_empty() || tree.know(&[last_part(name)])[0].is_defined();
    if !is_end || !is_name || says_what_is_done(before, tree) || !is_known() {
        return None;
    }
    let lower = before.to_lowercase();
    let has = |phrases: &str| phrases.split('|').any(|phrase| has_words(&lower, phrase));
    let (_, form) = FORMS.iter().find(|(phrases, _)| has(phrases))?;
    Some(form.replace("{}", name))
}

/// Reports whether a text ends with a name in brackets.
pub(super) fn closes(text: &str) -> bool {
    let name = text
        .rsplit_once(" (")
        .and_then(|(_, rest)| rest.split_once(')'));
    name.is_some_and(|(name, after)| {
        let is_end = after.trim().trim_end_matches(['?', '.', '!']).is_empty();
        is_end && looks_like_code(name.trim_matches('`')) && !name.contains(' ')
    })
}

/// Returns the question about a name that ends a clause after a pause.
pub(super) fn rest(tokens: &[QuestionToken], tree: &QuestionTree<'_>) -> Option<Rest> {
    let (name, before) = tokens.split_last()?;
    let is_apart = before.last().is_some_and(|last| last.after == After::Pause) && name.is_code;
    let words: Vec<&str> = before.iter().map(|token| token.text.as_str()).collect();
    let plain = of_name(&format!("{} ({})?", words.join(" "), name.text), tree)?;
    let said = words
        .iter()
        .filter(|word| !lexicon::is_empty(&word.to_lowercase()));
    let said: Vec<&str> = said.copied().collect();
    is_apart.then(|| Rest {
        is_guess: false,
        tokens: token::split(&plain).0,
        aside: vec![said.join(" ")],
        describes_name: true,
        is_condition: false,
    })
}

/// Types that begin with a small letter.
const PRIMITIVES: &str = "int long short byte char float double boolean bool string object decimal";
/// Values that begin with a capital.
const VALUES: &str = "None True False Nil";

/// Returns the name of a method that a question gives with the types of its parameters:
/// "Shop.open(Path, int)".
pub(crate) fn overload_of(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once('(')?;
    let (types, _) = rest.split_once(')')?;
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_.:#".contains(letter);
    let name = &before[before.trim_end_matches(is_of_name).len()..];
    let is_method = name.starts_with(char::is_lowercase) || name.contains(['.', '#', ':']);
    let is_type = |one: &str| {
        let word = one.split_whitespace().next().unwrap_or_default();
        let bare = word.trim_end_matches(['[', ']', '*', '&', '?', '.', '>']);
        is_in(PRIMITIVES, bare) || bare.starts_with(char::is_uppercase) && !is_in(VALUES, bare)
    };
    (is_method && types.split(',').all(is_type)).then_some(name)
}

/// Nouns for the parts of a whole, and words around them.
const OF_PARTS: &str = "member members variant variants field fields value values entry entries element elements \
    constant constants const key keys item items property properties case cases enum class struct type interface map \
    table list array dict dictionary literal of in the from enumeration";

/// Returns a question for the number of parts that the brackets name: "how many features are there
/// (members of Feature)?"
fn counted_of(before: &str, remark: &str, tree: &QuestionTree<'_>) -> Option<String> {
    let lower = before.to_lowercase();
    let counts = has_words(&lower, "how many") || has_words(&lower, "number of");
    let words: Vec<&str> = remark.split_whitespace().collect();
    let is_known = |word: &&str| is_in(OF_PARTS, &word.to_lowercase());
    let (nouns, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| is_known(word));
    let [name] = names[..] else {
        return None;
    };
    let name = name.trim_matches('`');
    let says_what = |word: &&&str| {
        is_in(
            "member members variant variants field fields value values entry entries element elements constant \
            constants key keys item items property properties case cases",
            &word.to_lowercase(),
        )
    };
    let noun = nouns.iter().find(says_what);
    let is_enum = nouns.iter().any(|word| is_in("enum enumeration", word));
    let part = match noun {
        Some(noun) => format!("{}s", lexicon::singular(&noun.to_lowercase())),
        None if is_enum => "variants".to_owned(),
        None => return None,
    };
    let is_whole = name.len() > 1 && tree.know(&[last_part(name)])[0].is_defined();
    (counts && is_whole).then(|| format!("how many {part} does {name} have?"))
}

/// Largest number of words in a remark.
const REMARK_MAX: usize = 7;

/// Returns a question without the remark in brackets that describes a name ("a.pro (what to
/// keep)"), and this remark. Returns `None` if the remark may change what is asked.
pub(crate) fn without_remark(text: &str, tree: &QuestionTree<'_>) -> Option<(String, String)> {
    let (before, rest) = text.split_once(" (")?;
    let (remark, after) = rest.split_once(')')?;
    let name = before.rsplit(' ').next()?.trim_matches(['`', '"', ',']);
    let is_named = looks_like_code(name) || tree.files_of(name).len() == 1;
    let (tokens, _) = token::split(remark);
    let decides = |token: &QuestionToken| {
        let word = token.lower.as_str();
        token.is_code
            || token.after == After::End
            || lexicon::is_negation(word)
            || lexicon::is_only(word)
            || lexicon::is_test(word)
            || lexicon::is_asking(word)
            || lexicon::is_auxiliary(word)
            || word.ends_with("ing")
            || super::restriction::is_selecting(word)
            || is_in(OF_SCOPE, word)
            || super::value::is_cue(word)
            || super::value::is_of_limit(word)
    };
    // "(list them all)" orders something, and describes no name.
    let asks = tokens
        .first()
        .is_some_and(|first| lexicon::is_asking_verb(&first.lower));
    let is_remark =
        !asks && tokens.len() > 1 && tokens.len() <= REMARK_MAX && !tokens.iter().any(decides);
    (is_named && is_remark).then(|| (format!("{before}{after}"), remark.to_owned()))
}

/// Returns a question with a name in brackets instead of the words that describe it ("the refresh
/// task (run_refresh) calls"), and these words.
pub(crate) fn with_name(text: &str, tree: &QuestionTree<'_>) -> Option<(String, String)> {
    let (before, rest) = text.split_once(" (")?;
    let (name, after) = rest.split_once(')')?;
    let name = name.trim().trim_matches('`');
    let starts = before.rmatch_indices(' ').map(|(at, _)| at + 1);
    let is_article = |at: &usize| {
        let first = before[*at..].split(' ').next().unwrap_or_default();
        is_in("the our a this", &first.to_lowercase())
    };
    let start = starts.take(REMARK_MAX).find(is_article)?;
    let is_name = looks_like_code(name) && !name.contains(char::is_whitespace);
    let goes_on = after.trim_start().starts_with(char::is_alphabetic);
    let fits = goes_on && is_name && only_describes(&before[start..]);
    let is_known = || tree.know(&[last_part(name)])[0].is_defined();
    (fits && is_known()).then(|| {
        let plain = format!("{}{name}{after}", &before[..start]);
        (plain, before[start..].to_owned())
    })
}

/// Reports whether words before a name in brackets relate, select and ask nothing.
fn only_describes(text: &str) -> bool {
    let (words, _) = token::split(text);
    let lexicon = Lexicon::new();
    let is_plain = |token: &QuestionToken| {
        !(token.after != After::Word && token.text != words.last().map_or("", |last| &last.text)
            || lexicon.is_relation(token)
            || lexicon::is_negation(&token.lower)
            || lexicon::is_only(&token.lower)
            || lexicon::is_test(&token.lower)
            || lexicon::is_auxiliary(&token.lower)
            || super::restriction::is_selecting(&token.lower)
            || is_in(
                "of in for from by with to that which and or on",
                &token.lower,
            ))
    };
    (2..5).contains(&words.len()) && words.iter().all(is_plain)
}

/// Words with which a remark selects places.
const OF_SCOPE: &str = "in under inside within outside from without with except excluding \
    including skip ignore at both \
    all any if when before after per each every and or one ones those these other others new old";

/// Reports whether a text has a phrase as words of its own.
fn has_words(text: &str, phrase: &str) -> bool {
    let padded = format!(" {} ", text.replace([',', ':', '?', '\''], " "));
    padded.contains(&format!(" {phrase} "))
}

/// Reports whether words have a verb of a relation, or another name.
fn says_what_is_done(before: &str, tree: &QuestionTree<'_>) -> bool {
    let lexicon = Lexicon::new();
    let (tokens, _) = token::split(before);
    let is_name = |text: &str| looks_like_code(text) && !tree.is_project(text);
    tokens
        .iter()
        .any(|token| is_name(&token.text) || lexicon.is_relation(token))
}

#[cfg(test)]
mod tests {
    use super::overload_of;

    #[test]
    fn types_in_brackets_select_an_overload() {
        let name = |text| overload_of(text).unwrap_or_default();
        assert_eq!(name("who calls Shop.open(Path, int)?"), "Shop.open");
        assert_eq!(name("callers of open(Map<String, Item[]>)"), "open");
        for other in [
            "who calls open()?",
            "who calls open (Shop)?",
            "who calls open(None)?",
        ] {
            assert_eq!(name(other), "", "{other}");
        }
    }
}
