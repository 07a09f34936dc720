//! A name in brackets after words that describe it: "how long may a number be (MAX_NUMBER_LENGTH)?" What is asked of
//! the description is asked of the name.

use super::lexicon::Lexicon;
use super::token::{self, looks_like_code};
use super::tree::{QuestionTree, last_part};

/// How a question begins or what it has, and what it then asks of the name. The first that fits decides.
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
    ("how many|number of", "how many elements are in {}?"),
];

/// The question about the name alone; `None` where no name of the tree is in brackets, or the words before it say of
/// something what it does: these would be lost.
pub(crate) fn of_name(text: &str, tree: &QuestionTree<'_>) -> Option<String> {
    let (before, rest) = text.split_once(" (")?;
    let (name, after) = rest.split_once(')')?;
    let is_end = after.trim().trim_end_matches(['?', '.', '!']).is_empty();
    let name = name.trim().trim_matches('`');
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

/// Whether a text has a phrase as words of its own.
fn has_words(text: &str, phrase: &str) -> bool {
    let padded = format!(" {} ", text.replace([',', ':', '?', '\''], " "));
    padded.contains(&format!(" {phrase} "))
}

/// Whether words have a verb of a relation, or another name.
fn says_what_is_done(before: &str, tree: &QuestionTree<'_>) -> bool {
    let lexicon = Lexicon::new();
    let (tokens, _) = token::split(before);
    let is_name = |text: &str| looks_like_code(text) && !tree.is_project(text);
    tokens
        .iter()
        .any(|token| is_name(&token.text) || lexicon.is_relation(token))
}
