//! Two claims in one sentence: two clauses, each with a subject and a verb of its own,
//! joined by "and", "but", "while" or a semicolon. "A and B signed the treaty" is one.

/// Words that join clauses.
const JOINTS: [&str; 8] = [
    ", and ",
    " and ",
    ", but ",
    " but ",
    "; ",
    ", while ",
    " while ",
    ", whereas ",
];
/// Words that make one clause a part of another.
const BINDING: [&str; 26] = [
    "that", "if", "when", "whether", "because", "unless", "until", "who", "which", "whose",
    "where", "after", "before", "since", "although", "though", "as", "either", "both", "neither",
    "between", "than", "how", "why", "what", "once",
];
/// Words with which a subject begins.
const STARTS: [&str; 27] = [
    "the", "a", "an", "its", "his", "her", "their", "our", "this", "that", "these", "those", "no",
    "every", "all", "some", "most", "many", "it", "he", "she", "they", "we", "nobody", "everyone",
    "both", "there",
];
/// Subjects that mean nothing without the clause before.
const PRONOUNS: [&str; 8] = ["it", "he", "she", "they", "this", "that", "these", "those"];
/// Verbs in the form that they have in a main clause.
const VERBS: [&str; 91] = [
    "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may",
    "might", "does", "did", "do", "won", "lost", "beat", "fell", "rose", "grew", "became", "began",
    "left", "made", "took", "got", "gave", "went", "came", "saw", "said", "says", "sold", "bought",
    "paid", "met", "held", "hit", "cut", "set", "put", "led", "ran", "drew", "broke", "built",
    "found", "kept", "sent", "spent", "stood", "wrote", "spoke", "flew", "died", "causes", "cures",
    "prevents", "kills", "wins", "loses", "falls", "rises", "reaches", "exceeds", "owns", "makes",
    "sells", "orbits", "contains", "remains", "won't", "isn't", "aren't", "wasn't", "weren't",
    "hasn't", "haven't", "didn't", "doesn't", "don't", "cannot", "can't", "boils", "freezes",
    "lies", "sank", "shut", "closes",
];
/// Maximum number of words of a clause before its verb.
const SUBJECT_WORDS_MAX: usize = 7;

/// Returns the two claims of a sentence: `None` if it makes only one; without parts if the second
/// cannot be read alone.
pub(super) fn split(claim: &str) -> Option<Option<[String; 2]>> {
    let joints = JOINTS.iter().flat_map(|joint| claim.match_indices(*joint));
    joints
        .into_iter()
        .find_map(|(at, joint)| two(&claim[..at], &claim[at + joint.len()..]))
}

fn two(first: &str, second: &str) -> Option<Option<[String; 2]>> {
    let (before, after) = (words(first), words(second));
    // "He said that the bridge was closed and the tunnel was open" is one claim, about what he
    // said.
    let is_bound = before
        .iter()
        .any(|word| BINDING.contains(&word.to_lowercase().as_str()));
    let are_clauses = verb_place(&before).is_some_and(|place| place > 0) && begins_clause(&after);
    if is_bound || !are_clauses {
        return None;
    }
    // "It is based in Cupertino" cannot be looked up without the clause before.
    let stands_alone = after
        .first()
        .is_some_and(|word| !PRONOUNS.contains(&word.to_lowercase().as_str()));
    Some(stands_alone.then(|| [sentence(first), sentence(second)]))
}

/// Reports whether words begin with a subject that soon has a verb of its own.
fn begins_clause(words: &[&str]) -> bool {
    let Some(first) = words.first() else {
        return false;
    };
    // "And sold in 1999" has no subject. A bare noun ("but unemployment rose") is not recognised:
    // to refuse a claim wrongly is the worse error.
    let is_subject = STARTS.contains(&first.to_lowercase().as_str())
        || first.starts_with(char::is_uppercase)
        || first.starts_with(|letter: char| letter.is_ascii_digit());
    let subject = verb_place(words).unwrap_or(usize::MAX);
    let is_bound = words
        .iter()
        .take(subject.min(words.len()))
        .any(|word| BINDING.contains(word));
    is_subject && !is_bound && (1..=SUBJECT_WORDS_MAX).contains(&subject)
}

fn verb_place(words: &[&str]) -> Option<usize> {
    words.iter().position(|word| is_verb(word))
}

fn is_verb(word: &str) -> bool {
    // "Former", "united": such a word is a verb only in lower case, else it is part of a name.
    let is_past = word.len() > 4 && word.ends_with("ed") && word.starts_with(char::is_lowercase);
    VERBS.contains(&word) || is_past
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect()
}

fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', ',', ';']);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}
