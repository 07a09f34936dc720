//! The part of the tree that the words of a question name.

use grounds_evidence::FileRole;
use grounds_repo::within::Within;

use super::shape::{is_name, is_path};
use super::targets::PROJECT;
use super::words::QuestionWord;
use crate::words::is_in;

/// Takes the part of the tree out of the words: "in the tests", "under src/net".
pub(crate) fn take(words: &[QuestionWord]) -> (Vec<QuestionWord>, Within) {
    let mut within = Within::default();
    let mut kept: Vec<QuestionWord> = Vec::with_capacity(words.len());
    let mut index = 0;
    while index < words.len() {
        // "In which file …" opens a question and names no place.
        let taken = if index == 0 {
            0
        } else {
            scope_at(&words[index..], &mut within)
        };
        if taken == 0 {
            kept.push(words[index].clone());
        }
        index += taken.max(1);
    }
    (kept, within)
}

const SCOPE_STARTS: &str = "in under inside within below from across";

/// Returns how many words at the start name a part of the tree, and stores that part.
fn scope_at(words: &[QuestionWord], within: &mut Within) -> usize {
    let [start, rest @ ..] = words else { return 0 };
    if start.quoted || !is_in(SCOPE_STARTS, start.lower.as_str()) {
        return 0;
    }
    let article = rest
        .first()
        .filter(|word| is_in("the this our my all", word.lower.as_str()))
        .map_or(0, |_| 1);
    let kind = rest
        .get(article)
        .filter(|word| {
            is_in(
                "folder directory file crate module package",
                word.lower.as_str(),
            )
        })
        .map_or(0, |_| 1);
    let Some(word) = rest.get(article + kind) else {
        return 0;
    };
    let taken = 1 + article + kind + 1;
    let noun = rest
        .get(article + kind + 1)
        .filter(|next| {
            is_in(
                "code files folder directory crate module package",
                next.lower.as_str(),
            )
        })
        .map_or(0, |_| 1);
    if let Some((_, roles)) = ROLE_WORDS
        .iter()
        .find(|(words, _)| words.contains(&word.lower.as_str()))
    {
        within.roles.extend(*roles);
        return taken + noun;
    }
    // A plain word is a folder only beside a noun for one. "From the x module" is an import.
    if is_path(&word.text) || (kind + noun > 0 && start.lower != "from" && is_name(&word.text)) {
        within.folders.push(word.text.trim_matches('/').to_owned());
        return taken + noun;
    }
    if is_in(PROJECT, &word.lower) && article + kind > 0 {
        return taken + noun;
    }
    0
}

type RoleWords = (&'static [&'static str], &'static [FileRole]);

const ROLE_WORDS: &[RoleWords] = &[
    (
        &["tests", "test", "testing"],
        &[FileRole::Test, FileRole::Fixture],
    ),
    (
        &["docs", "documentation", "readme"],
        &[FileRole::Documentation],
    ),
    (&["examples", "example"], &[FileRole::Example]),
    (&["benchmarks", "benches"], &[FileRole::Bench]),
    (&["headers"], &[FileRole::Header]),
    (
        &["sources", "source"],
        &[FileRole::Source, FileRole::Header],
    ),
];
