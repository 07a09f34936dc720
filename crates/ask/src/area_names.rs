//! Finds names of areas in a question: a word of a review ("the searcher crate", "src") that is the
//! name of a folder of the tree means that folder.
//!
//! Takes a question and a checkout, and returns the question about paths if it means any. The words
//! alone cannot decide that; the tree can.

use std::collections::BTreeSet;

use grounds_evidence::{Intent, QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::area;
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;

use crate::question::Question;
use crate::words::is_in;

/// Words for a folder, beside its name.
const NOUNS: &str =
    "crate module package folder directory dir subsystem component code library area subtree the";

/// Returns the question with the folders that it names, if it asks for a review.
pub(crate) fn resolved(question: Question, checkout: &Checkout, limits: &Limits) -> Question {
    let names_a_word = |target: &QuestionTarget| {
        matches!(target.kind, TargetKind::Identifier | TargetKind::Phrase)
    };
    if question.goal.intent != Intent::Review || !question.goal.targets.iter().any(names_a_word) {
        return question;
    }
    let folders = folders(checkout, limits);
    let mut question = question;
    for target in question
        .goal
        .targets
        .iter_mut()
        .filter(|target| names_a_word(target))
    {
        if let Some(folder) = folder_of(&target.text, &folders) {
            *target = QuestionTarget {
                text: folder.to_owned(),
                kind: TargetKind::Path,
                wanted: WantedRelation::Occurrence,
            };
        }
    }
    question
}

/// Returns all folders with visible files.
fn folders(checkout: &Checkout, limits: &Limits) -> BTreeSet<String> {
    let mut folders = BTreeSet::new();
    for path in area::file_names(checkout, limits) {
        let mut path = path.as_str();
        while let Some((folder, _)) = path.rsplit_once('/') {
            // The folders above a known one are known too.
            if !folders.insert(folder.to_owned()) {
                break;
            }
            path = folder;
        }
    }
    folders
}

/// Returns the topmost folder with a name; of several the first.
fn folder_of<'f>(text: &str, folders: &'f BTreeSet<String>) -> Option<&'f str> {
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !is_in(NOUNS, word.to_lowercase().as_str()))
        .collect();
    let [name] = words.as_slice() else {
        return None;
    };
    // A crate is written `my_crate` in code, and its folder is often `my-crate`.
    let folded = |name: &str| name.replace('-', "_");
    let is_it =
        |folder: &&String| folded(folder.rsplit('/').next().unwrap_or(folder)) == folded(name);
    folders
        .iter()
        .filter(is_it)
        .min_by_key(|folder| (folder.matches('/').count(), *folder))
        .map(String::as_str)
}
