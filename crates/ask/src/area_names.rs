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

/// Words that say that a folder is meant, beside its name.
const NOUNS: &str =
    "crate module package folder directory dir subsystem component code library area subtree the";

/// The question with the folders that it names, where it asks for a review.
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

/// All folders that hold visible files.
fn folders(checkout: &Checkout, limits: &Limits) -> BTreeSet<String> {
    let mut folders = BTreeSet::new();
    for path in area::file_names(checkout, limits) {
        let mut path = path.as_str();
        while let Some((folder, _)) = path.rsplit_once('/') {
            if !folders.insert(folder.to_owned()) {
                break;
            }
            path = folder;
        }
    }
    folders
}

/// The folder of a name that lies least deep; of several the first.
fn folder_of<'f>(text: &str, folders: &'f BTreeSet<String>) -> Option<&'f str> {
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !is_in(NOUNS, word.to_lowercase().as_str()))
        .collect();
    let [name] = words.as_slice() else {
        return None;
    };
    let folded = |name: &str| name.replace('-', "_");
    let is_it =
        |folder: &&String| folded(folder.rsplit('/').next().unwrap_or(folder)) == folded(name);
    folders
        .iter()
        .filter(is_it)
        .min_by_key(|folder| (folder.matches('/').count(), *folder))
        .map(String::as_str)
}
