//! Where a clause looks: "outside of tests", "in thor.rb", "anything but index.ts".

use grounds_claims::Tests;

use super::lexicon::{self, Lexicon};
use super::part::Part;
use super::tree::Tree;

/// The text of the scope that is the file in which the target is defined.
pub(crate) const OWN_FILE: &str = "its own file";

/// Words before what is meant.
const INSIDE: &[&str] = &[
    "in",
    "under",
    "inside",
    "within",
    "from",
    "by",
    "of",
    "into",
    "across",
    "throughout",
    "below",
];
/// Words before what is not meant, the longer ones first.
const OUTSIDE: &[&str] = &[
    "outside of",
    "other than",
    "apart from",
    "except for",
    "except in",
    "except from",
    "anywhere but",
    "anything but",
    "anyone but",
    "nobody but",
    "nothing but",
    "anywhere but in",
    "not counting",
    "not in",
    "not from",
    "not by",
    "outside",
    "besides",
    "beside",
    "except",
    "excluding",
    "without",
    "no",
    "ignoring",
    "elsewhere than",
    "minus",
];
/// Words after tests that say whether they count.
const TESTS_AFTER: &[(&str, Tests)] = &[
    ("included", Tests::Count),
    ("excluded", Tests::Outside),
    ("not counted", Tests::Outside),
    ("not included", Tests::Outside),
    ("only", Tests::Inside),
    ("aside", Tests::Outside),
    ("apart", Tests::Outside),
    ("too", Tests::Count),
    ("aside", Tests::Outside),
    ("do not count", Tests::Outside),
    ("are excluded", Tests::Outside),
    ("exclusive", Tests::Outside),
    ("inclusive", Tests::Count),
];

/// Takes the words of the scope out of a clause.
pub(crate) fn take(part: &mut Part, tree: &Tree<'_>, lexicon: &Lexicon) {
    tests_by_themselves(part);
    tests_that_do(part, lexicon);
    comments(part);
    for at in 0..part.tokens.len() {
        if part.taken[at] || part.is_name(at) {
            continue;
        }
        let outside = OUTSIDE.iter().find_map(|phrase| part.stands(at, phrase));
        if let Some(length) = outside {
            // "Nobody but A" says that others do not.
            part.is_negated |= ["nobody", "nothing"].contains(&part.word(at));
            let is_plain_no = length == 1 && ["no", "without"].contains(&part.word(at));
            if after(part, tree, at, length, false, is_plain_no) {
                continue;
            }
        }
        let names_module = (at + 1..at + 3).any(|at| module_file(part, at, tree).is_some());
        if INSIDE.contains(&part.word(at)) && (names_module || !belongs_to_verb(part, at, lexicon))
        {
            after(part, tree, at, 1, true, false);
        }
    }
    beside(part);
    leading(part);
    trailing(part, tree);
    elsewhere(part);
}

/// "Inherit from", "mix in", "made by": the word belongs to the verb.
fn belongs_to_verb(part: &Part, at: usize, lexicon: &Lexicon) -> bool {
    // "Inherits directly from": what only says in which manner stands between.
    let is_manner =
        |at: &usize| part.word(*at).ends_with("ly") && lexicon::is_empty(part.word(*at));
    let before = (0..at).rev().find(|at| !is_manner(at));
    let Some(before) = before.map(|at| &part.tokens[at]) else {
        return false;
    };
    match part.word(at) {
        "from" | "in" | "into" => [
            "inherit", "deriv", "descend", "mix", "import", "extend", "requir",
        ]
        .contains(&before.stem.as_str()),
        "by" => {
            let next = (at + 1..part.tokens.len()).find(|at| {
                !lexicon::is_article(part.word(*at))
                    && !["production", "unit", "only", "single", "other"].contains(&part.word(*at))
            });
            !next.is_some_and(|next| {
                lexicon::is_test(part.word(next))
                    || part
                        .names
                        .iter()
                        .any(|named| named.at == Some(next) && named.is_path)
            }) && part.word(at + 1) != "production"
        }
        "of" => lexicon.of(before).next().is_some() || lexicon::is_kind(&before.lower),
        _ => false,
    }
}

/// What stands after a word of place; whether that was a scope.
fn after(
    part: &mut Part,
    tree: &Tree<'_>,
    at: usize,
    length: usize,
    is_inside: bool,
    tests_alone: bool,
) -> bool {
    let mut next = at + length;
    while next < part.tokens.len()
        && (lexicon::is_article(part.word(next))
            || [
                "counting", "real", "whole", "entire", "of", "in", "from", "single", "actual",
                "other",
            ]
            .contains(&part.word(next)))
        && !part.is_name(next)
    {
        next += 1;
    }
    if next >= part.tokens.len() {
        return false;
    }
    let word = part.word(next).to_owned();
    let following = part.word(next + 1).to_owned();
    if lexicon::is_test(&word)
        || ["unit", "integration"].contains(&word.as_str()) && lexicon::is_test(&following)
    {
        let extra = usize::from(!lexicon::is_test(&word))
            + usize::from(
                ["code", "files", "suite", "folder", "directory", "sources"]
                    .contains(&following.as_str()),
            );
        part.take(at, next + 1 + extra - at);
        part.scope.tests = if is_inside {
            Tests::Inside
        } else {
            Tests::Outside
        };
        return true;
    }
    if tests_alone {
        return false;
    }
    if word == "production" || word == "non-test" {
        part.take(at, next + 1 + usize::from(following == "code") - at);
        part.scope.tests = if is_inside {
            Tests::Outside
        } else {
            Tests::Inside
        };
        return true;
    }
    let own = [
        "own file",
        "own module",
        "file",
        "defining file",
        "own source file",
        "module",
    ]
    .iter()
    .find(|phrase| {
        part.stands(next, phrase).is_some()
            && (phrase.starts_with("own")
                || phrase.starts_with("defining")
                || part.word(next.wrapping_sub(1)) == "its"
                || part.word(next.wrapping_sub(1)) == "same")
    });
    if let Some(phrase) = own {
        part.take(at, next + phrase.split(' ').count() - at);
        push(part, OWN_FILE, is_inside);
        return true;
    }
    paths(part, tree, at, next, is_inside)
}

/// Paths, folders and names after a word of place, joined by "and" and commas.
fn paths(part: &mut Part, tree: &Tree<'_>, at: usize, first: usize, is_inside: bool) -> bool {
    let mut next = first;
    let mut found = false;
    while next < part.tokens.len() {
        let text = part.tokens[next].text.clone();
        let is_path_name = part
            .names
            .iter()
            .any(|named| named.at == Some(next) && named.is_path);
        let is_folder = !part.is_name(next)
            && !lexicon::is_asking(part.word(next))
            && text.len() > 1
            && is_folder_word(part, next, tree);
        let others = part
            .names
            .iter()
            .filter(|named| named.at != Some(next) && !named.is_path)
            .count()
            + part.context.len();
        let module = (!is_path_name && !is_folder && !part.is_name(next))
            .then(|| module_file(part, next, tree))
            .flatten();
        if let Some(file) = module {
            push(part, &file, is_inside);
            part.take(at, next + 2 - at);
            return true;
        }
        let is_type = part.is_name(next)
            && !is_path_name
            && others > 0
            && !["of", "by"].contains(&part.word(at));
        if is_path_name || is_folder || is_type {
            part.names.retain(|named| named.at != Some(next));
            push(part, &text, is_inside);
            part.take(at, next + 1 - at);
            found = true;
        } else if !found
            && (tree.is_project(&text) && !part.is_name(next)
                || lexicon::is_whole(part.word(next)) && !part.is_name(next))
        {
            let is_base = part.word(next) == "code" && part.word(next + 1) == "base";
            if is_inside {
                part.take(at, next + 1 + usize::from(is_base) - at);
            }
            return is_inside;
        } else {
            return found;
        }
        let after_kind = usize::from(
            ["folder", "directory", "module", "package", "file", "crate"]
                .contains(&part.word(next + 1)),
        );
        part.take(next + 1, after_kind);
        next += 1 + after_kind;
        if ["and", "or"].contains(&part.word(next))
            && !lexicon::is_asking(part.word(next + 1))
            && !lexicon::is_auxiliary(part.word(next + 1))
        {
            next += 1;
        } else if part
            .tokens
            .get(next - 1)
            .is_none_or(|token| token.after == super::token::After::Word)
        {
            return found;
        }
        while lexicon::is_article(part.word(next)) || part.word(next) == "in" {
            next += 1;
        }
    }
    found
}

/// "The output module": the one file that has the word as its name.
fn module_file(part: &Part, at: usize, tree: &Tree<'_>) -> Option<String> {
    if !["module", "file", "package"].contains(&part.word(at + 1)) {
        return None;
    }
    let mut files = tree.files.iter().filter(|file| {
        file.stem() == part.word(at)
            && grounds_syntax::languages::of_name(file.file_name()).is_some()
    });
    match (files.next(), files.next()) {
        (Some(only), None) => Some(only.as_str().to_owned()),
        _ => None,
    }
}

/// A plain word that is a folder of the tree: "in lib", "in the build directory", "under src".
fn is_folder_word(part: &Part, at: usize, tree: &Tree<'_>) -> bool {
    let word = part.tokens[at].text.trim_end_matches('/');
    let is_said =
        ["folder", "directory", "module", "package", "crate"].contains(&part.word(at + 1));
    let is_whole =
        lexicon::is_whole(part.word(at)) && !is_said && !["source", "src"].contains(&part.word(at));
    !is_whole && !tree.is_project(word) && !tree.folders_of(word).is_empty()
        || is_said && !tree.folders_of(word).is_empty()
}

fn push(part: &mut Part, text: &str, is_inside: bool) {
    let list = if is_inside {
        &mut part.scope.inside
    } else {
        &mut part.scope.outside
    };
    if !list.iter().any(|known| known == text) {
        list.push(text.to_owned());
    }
}

/// "Not counting comments": uses are counted in code only anyway. "At all" says nothing more.
fn comments(part: &mut Part) {
    for phrase in ["not counting", "excluding", "ignoring", "without", "except"] {
        for what in [
            "comments",
            "imports",
            "docs",
            "documentation",
            "the import",
            "the imports",
            "the definition",
            "its definition",
            "the declaration",
            "comments and docs",
        ] {
            let whole = format!("{phrase} {what}");
            if let Some(at) = part.find(&whole) {
                part.take(at, whole.split(' ').count());
            }
        }
    }
    if let Some(at) = part.find("at all") {
        part.take(at, 2);
    }
}

/// "Tests not counted", "tests only", "the tests use".
fn tests_by_themselves(part: &mut Part) {
    for at in 0..part.tokens.len() {
        if !lexicon::is_test(part.word(at)) || part.taken[at] || part.is_name(at) {
            continue;
        }
        let fits = TESTS_AFTER
            .iter()
            .find_map(|(phrase, tests)| part.stands(at + 1, phrase).map(|length| (length, *tests)));
        if let Some((length, tests)) = fits {
            part.take(at, 1 + length);
            let kind = at
                .checked_sub(1)
                .filter(|at| ["unit", "integration"].contains(&part.word(*at)));
            part.take(kind.unwrap_or(at), 1);
            part.scope.tests = tests;
            part.is_only |= tests == Tests::Inside;
            continue;
        }
        let opens = |words: &[&str]| {
            (1..=2).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|before| words.contains(&part.word(before)))
            })
        };
        if opens(&["including", "incl", "include"]) {
            part.taken[at] = true;
        } else if opens(&["excluding", "without", "ignoring", "outside"]) {
            part.taken[at] = true;
            part.scope.tests = Tests::Outside;
        } else if opens(&["only", "just"]) {
            part.taken[at] = true;
            part.scope.tests = Tests::Inside;
            part.is_only = true;
        }
    }
    if let Some(at) = part.find("production code") {
        let only = usize::from(part.word(at + 2) == "only");
        part.take(at, 2 + only);
        part.scope.tests = Tests::Outside;
    }
}

/// "Which tests use X", "non-test callers": the tests do it, or do not count.
fn tests_that_do(part: &mut Part, lexicon: &Lexicon) {
    for at in 0..part.tokens.len() {
        if part.taken[at] || part.is_name(at) {
            continue;
        }
        let word = part.word(at).to_owned();
        let without =
            ["non-test", "nontest", "non-tests", "production", "prod"].contains(&word.as_str());
        let is_plain = !without && lexicon::is_test(&word);
        let next = part.tokens.get(at + 1).filter(|_| !part.is_name(at + 1));
        let does = next.is_some_and(|next| {
            lexicon.is_relation(next) || ["code", "that", "which"].contains(&next.lower.as_str())
        });
        if without {
            let code = usize::from(["code", "sources", "files"].contains(&part.word(at + 1)));
            let only = usize::from(part.word(at + 1 + code) == "only");
            part.take(at, 1 + code + only);
            part.scope.tests = Tests::Outside;
        } else if is_plain && does && part.scope.tests == Tests::Count {
            part.taken[at] = true;
            part.scope.tests = Tests::Inside;
        }
    }
}

/// "main.rs `run`": a file right before a name says which of its namesakes is meant.
fn beside(part: &mut Part) {
    let file = part.names.windows(2).find_map(|pair| {
        let next = pair[0].at.zip(pair[1].at).is_some_and(|(one, other)| {
            other == one + 1 && part.tokens[one].after == super::token::After::Word
        });
        (next && pair[0].is_path && !pair[1].is_path).then(|| pair[0].clone())
    });
    if let Some((file, at)) = file.and_then(|file| file.at.map(|at| (file, at))) {
        part.names.retain(|named| named.at != Some(at));
        push(part, &file.text, true);
        part.take(at, 1);
    }
}

/// "Client.php: count of the calls of f": a file before the question says where to look.
fn leading(part: &mut Part) {
    let Some(first) = part.names.first().cloned() else {
        return;
    };
    let is_before = first.is_path
        && first.at == part.free().next()
        && first
            .at
            .is_some_and(|at| part.tokens[at].after == super::token::After::Pause)
        && part.names.iter().any(|named| !named.is_path);
    if let (true, Some(at)) = (is_before, first.at) {
        part.names.remove(0);
        push(part, &first.text, true);
        part.take(at, 1);
    }
}

/// "Lib only", "src only".
fn trailing(part: &mut Part, tree: &Tree<'_>) {
    for at in 0..part.tokens.len().saturating_sub(1) {
        let is_only = part.word(at + 1) == "only" && !part.taken[at];
        if is_only && !part.is_name(at) && !tree.folders_of(&part.tokens[at].text).is_empty() {
            let text = part.tokens[at].text.clone();
            push(part, &text, true);
            part.take(at, 2);
        }
    }
}

/// "In diff.rs and nowhere else".
fn elsewhere(part: &mut Part) {
    for phrase in [
        "and nowhere else",
        "nowhere else",
        "and not elsewhere",
        "and nothing else",
    ] {
        if let Some(at) = part.find(phrase) {
            part.take(at, phrase.split(' ').count());
            part.is_only = true;
            return;
        }
    }
    let is_alone = !part.scope.inside.is_empty() && part.find("all in").is_some();
    part.is_only |= is_alone;
}
