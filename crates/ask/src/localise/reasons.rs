//! The reasons for the rank of a file, in words.

use grounds_repo::catalogue::FileCounts;

use super::clues::{ClueName, Clues};
use super::features::FEATURES;

/// Maximum number of reasons for one file.
const REASONS_MAX: usize = 4;
/// The feature for words of a short text in a path.
const PATH_TITLE: usize = 8;
/// The feature for words in a path that code may use for a short text.
const PATH_GIVEN: usize = 9;
/// Maximum number of names in one reason.
const NAMES_MAX: usize = 3;

/// Reports whether more than words points at a file.
pub(super) fn is_named(row: &[f32; FEATURES]) -> bool {
    const BY_NAME: [usize; 7] = [12, 15, 16, 18, 20, 21, 36];
    BY_NAME.iter().any(|&feature| row[feature] > 0.0)
}

/// Returns the reasons, the weightiest first.
pub(super) fn of(clues: &Clues, entry: &FileCounts, row: &[f32; FEATURES]) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    let mut say = |is_so: bool, words: String| {
        if is_so && reasons.len() < REASONS_MAX {
            reasons.push(words);
        }
    };
    say(row[18] > 0.0, "is in the trace".to_owned());
    say(row[16] > 0.0, "is named in the text".to_owned());
    say(
        row[20] + row[21] > 0.0,
        "is a module that the text names".to_owned(),
    );
    let defines = names(clues, entry, &|name, defines| name.is_code && defines);
    say(!defines.is_empty(), format!("defines {defines}"));
    say(
        row[15] > 0.0,
        "holds a message that the text quotes".to_owned(),
    );
    say(
        row[23] > 0.0,
        "has words of the title as its name".to_owned(),
    );
    let uses = names(clues, entry, &|name, defines| name.is_code && !defines);
    say(!uses.is_empty(), format!("uses {uses}"));
    let given = given(clues, entry);
    // A path explains the rank only if the content of the file does not.
    let is_by_path = clues.own(&entry.terms) == 0 && given.is_empty();
    say(
        is_by_path && (!clues.is_short || row[PATH_TITLE] > 0.0),
        "has words of the text in its path".to_owned(),
    );
    say(
        is_by_path && row[PATH_TITLE] == 0.0 && row[PATH_GIVEN] > 0.0 && clues.is_short,
        "has words that code may use for it in its path".to_owned(),
    );
    say(
        clues.own(&entry.terms) > 0,
        format!(
            "{} of the {} words of the text occur here",
            clues.own(&entry.terms),
            clues.words()
        ),
    );
    say(
        !given.is_empty(),
        format!("has words like {given}, which code may use for it"),
    );
    reasons
}

/// Returns the words of code that a file has for words of the text.
fn given(clues: &Clues, entry: &FileCounts) -> String {
    let words = clues.given_in(&entry.terms).into_iter().take(NAMES_MAX);
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

fn names(clues: &Clues, entry: &FileCounts, wanted: &dyn Fn(&ClueName, bool) -> bool) -> String {
    let named = entry
        .names
        .iter()
        .map(|count| (&clues.names[usize::from(count.number)], count.defines > 0.0));
    let named: Vec<String> = named
        .filter(|(name, defines)| wanted(name, *defines))
        .map(|(name, _)| format!("`{}`", name.text))
        .collect();
    named[..named.len().min(NAMES_MAX)].join(", ")
}
