//! Names that are said as words: "the audit command" is `AuditCommand`, "the retry policy" is
//! `retry_policy`, where the tree defines exactly one type or function that is spelled so.

use grounds_evidence::SymbolKind;
use grounds_repo::needles::TARGETS_MAX;

use super::is_callable;
use super::lexicon;
use super::token::{After, QuestionToken};
use super::tree::QuestionTree;
use crate::words::is_in;

/// Largest number of words in one name.
const WORDS_MAX: usize = 4;
/// Number of spellings of one run of words.
const FORMS: usize = 4;
/// Maximum number of spellings to look for. Each `TARGETS_MAX` of one form cost a pass.
const SPELLINGS_MAX: usize = FORMS * TARGETS_MAX;
/// Longest word that code may write in capitals as an abbreviation.
const ABBREVIATION_MAX: usize = 4;
/// Words that can precede a noun phrase.
const BEFORE: &str = "a an the our your my this that its each every any of by in for from with on and or into via \
    through than do does did is are was were will would can could should has have";

/// Adjacent words that may be one name.
struct SpokenName {
    from: usize,
    count: usize,
    spellings: Vec<String>,
}

/// Returns the words with names in place of those that spell one; `None` if none does.
pub(super) fn joined(
    tokens: &[QuestionToken],
    tree: &QuestionTree<'_>,
) -> Option<Vec<QuestionToken>> {
    let spoken = spoken(tokens);
    // Each form needs a pass of its own: one pass takes spellings of the same words for one name,
    // and finds only the first.
    for form in 0..FORMS {
        let spellings: Vec<&str> = spoken
            .iter()
            .filter_map(|one| one.spellings.get(form).map(String::as_str))
            .collect();
        tree.know(&spellings);
    }
    let mut joined = tokens.to_vec();
    let mut end = tokens.len();
    // From the end, so that the numbers of earlier words stay valid. At one place the longest run
    // comes first.
    for one in spoken.iter().rev().filter(|one| !one.spellings.is_empty()) {
        let past = one.from + one.count;
        // A word belongs to one name only.
        if past > end {
            continue;
        }
        if let Some(name) = only_defined(&one.spellings, tree) {
            let last = &tokens[past - 1];
            let token = QuestionToken {
                lower: name.to_lowercase(),
                text: name,
                is_code: true,
                is_capital: false,
                ..last.clone()
            };
            joined.splice(one.from..past, [token]);
            end = one.from;
        }
    }
    (joined.len() < tokens.len()).then_some(joined)
}

/// Returns the runs of words that can be one name. Of those at one place the longest comes last.
fn spoken(tokens: &[QuestionToken]) -> Vec<SpokenName> {
    let mut found = Vec::new();
    let mut left = SPELLINGS_MAX;
    for from in (0..tokens.len()).filter(|at| begins(tokens, *at)) {
        for count in 2..=WORDS_MAX {
            let Some(words) = tokens.get(from..from + count).filter(|words| is_run(words)) else {
                break;
            };
            let mut spellings = spellings(words);
            spellings.truncate(left);
            left -= spellings.len();
            found.push(SpokenName {
                from,
                count,
                spellings,
            });
        }
    }
    found
}

/// Reports whether a noun phrase can begin at a place.
fn begins(tokens: &[QuestionToken], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let is_first = before.is_none_or(|before| before.after != After::Word);
    is_first || before.is_some_and(|before| is_in(BEFORE, &before.lower))
}

/// Reports whether some words can be one name: plain words with content and no pause between them.
fn is_run(words: &[QuestionToken]) -> bool {
    let is_word = |token: &QuestionToken| {
        let is_plain = |letter: char| letter.is_alphanumeric() || letter == '-';
        let is_function_word = lexicon::is_asking(&token.lower)
            || lexicon::is_article(&token.lower)
            || lexicon::is_auxiliary(&token.lower)
            || lexicon::is_negation(&token.lower)
            || is_in(BEFORE, &token.lower);
        !token.is_code && token.text.chars().all(is_plain) && !is_function_word
    };
    let (last, before) = words.split_last().unzip();
    let is_joined = |token: &QuestionToken| token.after == After::Word && !token.is_owner;
    words.iter().all(is_word)
        && before.unwrap_or_default().iter().all(is_joined)
        && last.is_some_and(|last| last.text.len() > 1)
}

/// Returns the ways in which code could spell some words: `AuditCommand`, `auditCommand`,
/// `audit_command`, `CSVLocale`.
fn spellings(words: &[QuestionToken]) -> Vec<String> {
    let parts: Vec<&str> = words
        .iter()
        .flat_map(|token| token.text.split('-'))
        .filter(|part| !part.is_empty())
        .collect();
    let lower = |part: &&str| part.to_lowercase();
    let capital = |part: &&str| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + &letters.as_str().to_lowercase()
    };
    let with_abbreviations = |part: &&str| match part.len() <= ABBREVIATION_MAX {
        true => part.to_uppercase(),
        false => capital(part),
    };
    let Some((first, rest)) = parts.split_first() else {
        return Vec::new();
    };
    let pascal: String = parts.iter().map(capital).collect();
    let camel = lower(first) + &rest.iter().map(capital).collect::<String>();
    let snake = parts.iter().map(lower).collect::<Vec<_>>().join("_");
    let upper = with_abbreviations(first) + &rest.iter().map(capital).collect::<String>();
    let mut all = vec![pascal, camel, snake, upper];
    all.sort();
    all.dedup();
    all
}

/// Returns the one spelling that the tree defines as a type or as something callable.
fn only_defined(spellings: &[String], tree: &QuestionTree<'_>) -> Option<String> {
    let is_named = |spelling: &&String| {
        let known = tree.know(&[spelling.as_str()]).remove(0);
        let mut kinds = known.definitions().map(|place| place.kind);
        known.is_defined() && kinds.all(|kind| is_callable(kind) || kind.is_some_and(is_type))
    };
    let mut named = spellings.iter().filter(is_named);
    let one = named.next()?;
    // Two spellings that are both defined (`retry_policy` and `RetryPolicy`) leave open which one
    // is meant.
    named.next().is_none().then(|| one.clone())
}

const fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    matches!(
        kind,
        K::Class | K::Struct | K::Enum | K::Trait | K::Interface | K::Object | K::TypeAlias
    )
}

#[cfg(test)]
mod tests {
    use super::{super::token, spoken};

    #[test]
    fn noun_phrases_are_spelled_as_code_spells_them() {
        let (tokens, _) = token::split("does the csv locale class use Pool?");
        let all: Vec<String> = spoken(&tokens)
            .into_iter()
            .flat_map(|one| one.spellings)
            .collect();
        for name in [
            "CsvLocale",
            "csvLocale",
            "csv_locale",
            "CSVLocale",
            "CsvLocaleClass",
        ] {
            assert!(all.contains(&name.to_owned()), "{all:?}");
        }
        assert!(spoken(&token::split("who calls start process?").0).is_empty());
    }
}
