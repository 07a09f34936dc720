//! The scope of a clause: "outside of tests", "in thor.rb", "anything but index.ts".

use grounds_claims::Tests;
use grounds_repo::path::RepoPath;

use super::lexicon::{self, Lexicon};
use super::part::{ClauseName, ReadClause};
use super::token::After;
use super::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// Text of a scope that is the file with the definition of the target.
pub(crate) const OWN_FILE: &str = "its own file";

/// Words before a place that the question is restricted to.
const INSIDE: &[&str] = &[
    "in",
    "under",
    "inside",
    "within",
    "from",
    "as part of",
    "at the top of",
    "at the head of",
    "by",
    "of",
    "into",
    "across",
    "throughout",
    "below",
];
/// Words before a place that does not count. The first one that stands there is taken.
const OUTSIDE: &[&str] = &[
    "anywhere else than in",
    "anywhere else than",
    "anywhere else but in",
    "anywhere else but",
    "else than in",
    "else than",
    "outside of",
    "other than",
    "other files than",
    "any other file than",
    "any file other than",
    "aside from",
    "save for",
    "beyond",
    "apart from",
    "except for",
    "except in",
    "except from",
    "anywhere but in",
    "anywhere but",
    "anything but",
    "anyone but",
    "nobody but",
    "nothing but",
    "not counting",
    "not the one from",
    "not the one in",
    "not the one of",
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
/// Nouns for what one folder has.
const FOLDERS: &str = "folder directory module package crate extension plugin subproject subpackage submodule \
    subdirectory subfolder";
/// Words after "tests" that say whether tests count.
const TESTS_AFTER: &[(&str, Tests)] = &[
    ("included", Tests::Count),
    ("counted", Tests::Count),
    ("excluded", Tests::Outside),
    ("not counted", Tests::Outside),
    ("not included", Tests::Outside),
    ("only", Tests::Inside),
    ("alone", Tests::Inside),
    ("the only thing that", Tests::Inside),
    ("the only things that", Tests::Inside),
    ("the only code that", Tests::Inside),
    ("the only ones that", Tests::Inside),
    ("the only place that", Tests::Inside),
    ("left out", Tests::Outside),
    ("do not matter", Tests::Outside),
    ("left aside", Tests::Outside),
    ("aside", Tests::Outside),
    ("apart", Tests::Outside),
    ("too", Tests::Count),
    ("do not count", Tests::Outside),
    ("are excluded", Tests::Outside),
    ("exclusive", Tests::Outside),
    ("inclusive", Tests::Count),
];

/// Takes the words of the scope out of a clause.
pub(crate) fn take(part: &mut ReadClause, tree: &QuestionTree<'_>, lexicon: &Lexicon) {
    // Longer phrases go first: "private to a.rs" and "nowhere else" also say "only", which the loop
    // below would miss.
    elsewhere(part, lexicon);
    from_elsewhere(part);
    only_in(part, tree);
    tests_by_themselves(part, tree);
    tests_that_do(part, lexicon);
    comments(part);
    in_context(part);
    whose(part, tree);
    containing(part, tree, lexicon);
    counted_too(part);
    for at in 0..part.tokens.len() {
        if part.taken[at] || part.is_name(at) {
            continue;
        }
        let outside = OUTSIDE.iter().find_map(|phrase| part.stands(at, phrase));
        if let Some(length) = outside {
            // "Nobody but A calls f" also denies that others do.
            part.is_negated |= part.says(at, "nobody nothing");
            let is_plain_no = length == 1 && part.says(at, "no without");
            if after(part, tree, at, length, false, is_plain_no) {
                continue;
            }
            // An exception that is not understood must not be dropped, since the list would have
            // too much.
            part.is_unclear |= leaves_unknown(part, at, length) && !of_origin(part, at, lexicon);
        }
        let names_module = (at + 1..at + 3).any(|at| module_file(part, at, tree).is_some());
        let inside = INSIDE.iter().find_map(|phrase| part.stands(at, phrase));
        if let Some(length) = inside.filter(|_| names_module || !belongs_to_verb(part, at, lexicon))
        {
            after(part, tree, at, length, true, false);
        }
    }
    beside(part);
    leading(part);
    trailing(part, tree);
    all_in(part);
}

/// Reports whether an exception is a plain word that is not understood: "anywhere else than in
/// find", "outside of main".
fn leaves_unknown(part: &ReadClause, at: usize, length: usize) -> bool {
    let is_place = length > 1 && part.word(at + length - 1) == "in";
    let next = (at + length..part.tokens.len()).find(|at| !lexicon::is_article(part.word(*at)));
    next.is_some_and(|next| {
        !part.taken[next] && (is_place || lexicon::is_also_name(part.word(next)))
    })
}

/// Reports whether an exception says where imports come from, which another reader takes: "imports
/// from outside the standard library".
fn of_origin(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    let is_standard = (at + 1..at + 4).any(|at| part.says(at, "standard stdlib"));
    is_standard && part.free().any(|at| lexicon.imports(&part.tokens[at]))
}

/// Reports whether a word of place belongs to the verb before it: "inherit from", "mix in", "made
/// by".
fn belongs_to_verb(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    // "Inherits directly from": an adverb of manner may come between the verb and its word.
    let is_manner = |at: &usize| {
        part.word(*at) == "straight"
            || part.word(*at).ends_with("ly") && lexicon::is_empty(part.word(*at))
    };
    // "Import anything out of x" means "import from x".
    let is_between =
        |at: &usize| is_manner(at) || part.says(*at, "anything something nothing stuff things out");
    let before = (0..at).rev().find(|at| !is_between(at));
    let Some(before) = before.map(|at| &part.tokens[at]) else {
        return false;
    };
    let word = match part.word(at) {
        "of" if at > 0 && part.word(at - 1) == "out" => "from",
        word => word,
    };
    match word {
        "from" | "in" | "into" => is_in(
            "inherit deriv descend mix import extend requir",
            before.stem.as_str(),
        ),
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

/// Reads what follows a word of place. Returns whether it was a scope.
fn after(
    part: &mut ReadClause,
    tree: &QuestionTree<'_>,
    at: usize,
    length: usize,
    is_inside: bool,
    tests_alone: bool,
) -> bool {
    let next = first_of_place(part, at + length);
    // "Used by (tests left out)": that they are left out was read before.
    let is_read = part.taken.get(next) == Some(&true) && part.scope.tests == Tests::Outside;
    if next >= part.tokens.len() || is_read {
        return false;
    }
    // A file comes before the tests: "the test adapter" is `adapter/test.rb` if the tree has it.
    if take_file_in_folder(part, tree, at, next, is_inside) {
        return true;
    }
    if take_tests(part, at, next, is_inside) {
        // "Apart from the tests and a.rs": what follows is left out as well.
        let last = (next..part.tokens.len())
            .take_while(|at| part.taken[*at])
            .last();
        if !is_inside && let Some(more) = last.and_then(|last| next_place(part, last)) {
            paths(part, tree, more, more, false);
        }
        return true;
    }
    // "No" and "without" except only tests: "without a check" is a condition and no place.
    if tests_alone {
        return false;
    }
    if part.says(next, "production non-test") {
        let noun = usize::from(part.word(next + 1) == "code");
        part.take(at, next + 1 + noun - at);
        // "Outside of production code" means the tests.
        part.scope.tests = if is_inside {
            Tests::Outside
        } else {
            Tests::Inside
        };
        return true;
    }
    if let Some(length) = own_file(part, next) {
        part.take(at, next + length - at);
        push(part, OWN_FILE, is_inside);
        if let Some(more) = next_place(part, next + length - 1)
            && (is_inside || !take_tests(part, more, more, false))
        {
            paths(part, tree, more, more, is_inside);
        }
        return true;
    }
    paths(part, tree, at, next, is_inside)
}

/// Returns the first word of a place, after articles and other words that do not name it.
fn first_of_place(part: &ReadClause, from: usize) -> usize {
    const BEFORE: &str = "counting real whole entire of in from single actual other body";
    let mut next = from;
    // In "the package __init__" the noun says what the name is, and is skipped with the article.
    let is_kind_of = |at: usize| {
        part.says(at, "package module file") && part.is_name(at + 1) && !part.is_name(at)
    };
    while next < part.tokens.len()
        && (lexicon::is_article(part.word(next)) || part.says(next, BEFORE) || is_kind_of(next))
        && !part.is_name(next)
    {
        next += 1;
    }
    next
}

/// Takes a file that is named by its folder after a word of place: "the test adapter".
fn take_file_in_folder(
    part: &mut ReadClause,
    tree: &QuestionTree<'_>,
    at: usize,
    next: usize,
    is_inside: bool,
) -> bool {
    let Some(file) = file_in_folder(part, next, tree) else {
        return false;
    };
    part.names.retain(|named| named.at != Some(next + 1));
    push(part, &file, is_inside);
    part.take(at, next + 2 - at);
    true
}

/// Takes a mention of tests after a word of place: "the unit tests".
fn take_tests(part: &mut ReadClause, at: usize, next: usize, is_inside: bool) -> bool {
    let is_test = |at: usize| lexicon::is_test(part.word(at));
    let kind = usize::from(!is_test(next));
    if kind > 0 && !(part.says(next, "unit integration") && is_test(next + 1)) {
        return false;
    }
    let place = part.says(
        next + 1,
        "code file files suite folder directory sources modules",
    );
    // "Also those in the tests" adds the tests to everything else, and restricts nothing.
    let is_more =
        (at.saturating_sub(4)..at).any(|at| part.says(at, "also even including too forget"));
    // "Skip the ones in the tests", "minus those in the tests": the verb that leaves out comes some
    // words before "in".
    let order = (at.saturating_sub(LEFT_OUT_WORDS_MAX)..at)
        .rev()
        .take_while(|at| part.tokens[*at].after == After::Word && !part.is_name(*at))
        .find(|at| part.says(*at, LEAVES_OUT));
    let start = order.unwrap_or(at);
    part.take(start, next + 1 + kind + usize::from(place) - start);
    part.scope.tests = match is_inside && order.is_none() {
        true if is_more => Tests::Count,
        true => Tests::Inside,
        false => Tests::Outside,
    };
    true
}

/// Words that leave out what follows a few words later.
const LEAVES_OUT: &str = "skip skipping ignore ignoring exclude excluding omit omitting drop \
    dropping minus without except leave leaving";
/// Largest number of words between such a word and "in the tests".
const LEFT_OUT_WORDS_MAX: usize = 4;

/// Phrases for the file in which a name is defined.
const OWN_FILES: &[&str] = &[
    "own file",
    "own module",
    "one defining it",
    "one that defines it",
    "one in which it is defined",
    "one where it is defined",
    "file",
    "defining file",
    "own source file",
    "module",
];

/// Returns how many words refer to the file with the definition. A mere "file" or "module" needs an
/// "its" before it.
fn own_file(part: &ReadClause, next: usize) -> Option<usize> {
    let is_owned = part.says(next.wrapping_sub(1), "its same");
    let mut fits = OWN_FILES
        .iter()
        .filter(|phrase| is_owned || !is_in("file module", phrase));
    fits.find_map(|phrase| part.stands(next, phrase))
}

/// Takes the paths, folders and names after a word of place, joined by "and" and commas.
fn paths(
    part: &mut ReadClause,
    tree: &QuestionTree<'_>,
    at: usize,
    first: usize,
    is_inside: bool,
) -> bool {
    let mut next = Some(first);
    let mut found = false;
    while let Some(place) = next.filter(|next| *next < part.tokens.len()) {
        let text = part.tokens[place].text.clone();
        let is_name = part.is_name(place);
        // "Outside of a.rs and the tests": the tests end the list.
        if found && !is_inside && !is_name && take_tests(part, place, place, false) {
            return true;
        }
        let here = |named: &&ClauseName| named.at == Some(place);
        let is_path_name = part
            .names
            .iter()
            .find(here)
            .is_some_and(|named| named.is_path);
        let is_folder = !is_name
            && !lexicon::is_asking(part.word(place))
            && text.len() > 1
            && is_folder_word(part, place, tree);
        if !is_folder
            && !is_name
            && let Some(file) = module_file(part, place, tree)
        {
            push(part, &file, is_inside);
            part.take(at, place + 2 - at);
            return true;
        }
        // "Who calls f in Pool?" has a place, and "what is in Pool?" asks about the type.
        let has_others = !part.context.is_empty()
            || part.symbols().any(|named| !here(&named))
            || !is_inside && part.is_excepted(place);
        if is_path_name || is_folder || is_name && has_others && !part.says(at, "of by") {
            part.names.retain(|named| named.at != Some(place));
            // The name is taken and adds no scope: it only says which `load` is meant.
            if is_home(part, at, place, tree) {
                part.take(at, place + 1 - at);
                return true;
            }
            let file = named_file(part, place, tree).filter(|_| !is_path_name && !is_folder);
            push(part, file.as_deref().unwrap_or(&text), is_inside);
            part.take(at, place + 1 - at);
            found = true;
        } else if !found
            && !is_name
            && (tree.is_project(&text) || lexicon::is_whole(part.word(place)))
        {
            let is_base = part.word(place) == "code" && part.word(place + 1) == "base";
            // "Outside of the repository" cannot be searched, so the clause is not answered.
            part.is_unclear |= !is_inside;
            part.take(at, place + 1 + usize::from(is_base) - at);
            return true;
        } else {
            return found;
        }
        next = next_place(part, place);
    }
    found
}

/// Reports whether a file after "from" only says which name is meant, since that file alone defines
/// it: "who uses `load` from store.py?"
fn is_home(part: &ReadClause, at: usize, place: usize, tree: &QuestionTree<'_>) -> bool {
    let before = part
        .names
        .iter()
        .find(|named| at > 0 && named.at == Some(at - 1));
    // "Who calls f from a.py?" asks for calls in that file.
    let is_call = part.has("call calls called calling caller callers invoke invokes");
    let is_said = !is_call && part.word(at) == "from";
    let Some(name) = before.filter(|named| is_said && !named.is_path) else {
        return false;
    };
    let text = part.tokens[place].text.as_str();
    let is_there = |path: &RepoPath| path.stem() == text || tree.files_of(text).contains(&path);
    let known = tree.know(&[last_part(&name.text)]).remove(0);
    let mut definitions = known.definitions().peekable();
    definitions.peek().is_some() && definitions.all(|place| is_there(&place.path))
}

/// Returns the name of all files that a word names, if they share one ending: "the package
/// __init__", "module `util`".
fn named_file(part: &ReadClause, place: usize, tree: &QuestionTree<'_>) -> Option<String> {
    let is_said = place > 0 && part.says(place - 1, "package module file");
    let text = &part.tokens[place].text;
    let mut files = tree.files.iter().filter(|file| file.stem() == text);
    let name = files.next().filter(|_| is_said)?.file_name().to_owned();
    files.all(|file| file.file_name() == name).then_some(name)
}

/// Returns where a list of places continues after one of them; `None` if it ends.
fn next_place(part: &mut ReadClause, place: usize) -> Option<usize> {
    // "In the src folder and lib": the noun belongs to the place before it.
    let kind = usize::from(part.says(place + 1, FOLDERS) || part.word(place + 1) == "file");
    part.take(place + 1, kind);
    let last = place + kind;
    let mut next = last + 1;
    if part.says(next, "and or")
        && !lexicon::is_asking(part.word(next + 1))
        && !lexicon::is_auxiliary(part.word(next + 1))
    {
        next += 1;
    } else if part
        .tokens
        .get(last)
        .is_none_or(|token| token.after == After::Word)
    {
        return None;
    }
    while lexicon::is_article(part.word(next)) || part.word(next) == "in" {
        next += 1;
    }
    Some(next)
}

/// Returns the one file that a word before "module" names: "the output module".
fn module_file(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> Option<String> {
    if !["module", "file", "package"].contains(&part.word(at + 1)) {
        return None;
    }
    // "In which module" asks, even if there is a file `which.rs`.
    if lexicon::is_asking(part.word(at)) {
        return None;
    }
    let file = tree.file_of_stem(part.word(at))?;
    // A Go package is a folder, so one of its files would be too little.
    let is_folder = part.word(at + 1) == "package" && file.ends_with(".go");
    (!is_folder).then_some(file)
}

/// Returns the one file in a folder that two words name: "the test adapter" is `adapter/test.rb`,
/// and "the fasd importer" is `importers/fasd.py`.
fn file_in_folder(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> Option<String> {
    let (stem, folder) = (part.tokens.get(at)?, part.tokens.get(at + 1)?);
    let is_pair = stem.after == After::Word && !part.is_name(at);
    let kind = lexicon::singular(&folder.lower);
    let fits = |file: &&RepoPath| {
        let mut parts = file.as_str().rsplit('/').skip(1);
        let is_in_it = parts
            .next()
            .is_some_and(|last| lexicon::singular(last) == kind);
        is_in_it && file.stem() == stem.lower
    };
    let mut files = tree.files.iter().filter(fits);
    let file = files.next().filter(|_| is_pair)?;
    files.next().is_none().then(|| file.as_str().to_owned())
}

/// Reports whether a plain word is a folder of the tree: "in lib", "in the build directory", "under
/// src".
fn is_folder_word(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> bool {
    let word = part.tokens[at].text.trim_end_matches('/');
    let is_said = part.says(at + 1, FOLDERS);
    // "In the library" means everything, even if the tree has a folder `library`. "In the library
    // folder" and "in src" mean the folder.
    let is_whole =
        lexicon::is_whole(part.word(at)) && !is_said && !["source", "src"].contains(&part.word(at));
    !is_whole && !tree.is_project(word) && !tree.folders_of(word).is_empty()
        || is_said && !tree.folders_of(word).is_empty()
}

fn push(part: &mut ReadClause, text: &str, is_inside: bool) {
    let list = if is_inside {
        &mut part.scope.inside
    } else {
        &mut part.scope.outside
    };
    if !list.iter().any(|known| known == text) {
        list.push(text.to_owned());
    }
}

/// Phrases that say that the words after them do not count.
const NOT_COUNTING: &[&str] = &[
    "not counting",
    "excluding",
    "ignoring",
    "without",
    "except for",
    "except",
    "leaving out",
    "leaving aside",
    "disregarding",
    "skipping",
    "skip",
    "minus",
    "besides",
    "apart from",
    "other than",
    "not",
];
/// Nouns for places that are never counted as a use of a name.
const NEVER_COUNTED: &str = "comment comments import imports require requires include includes doc docs \
    documentation definition declaration defining declaring";

/// Takes exceptions that change nothing, since uses are only counted in code: "not counting the
/// import lines". "At all" adds nothing either.
fn comments(part: &mut ReadClause) {
    for at in 0..part.tokens.len() {
        let Some(length) = NOT_COUNTING
            .iter()
            .find_map(|phrase| part.stands(at, phrase))
        else {
            continue;
        };
        let mut next = at + length;
        let mut counts = false;
        while next < part.tokens.len() && !part.taken[next] && !part.is_name(next) {
            let word = part.word(next);
            let is_uncounted = is_in(NEVER_COUNTED, word);
            let is_beside = lexicon::is_article(word)
                || counts && is_in("lines line statements statement itself it and or of", word)
                || is_in("in mentions the own just", word);
            if !(is_uncounted || is_beside) {
                break;
            }
            counts |= is_uncounted;
            next += 1;
            if part.tokens[next - 1].after != After::Word {
                break;
            }
        }
        if counts {
            part.take(at, next - at);
        }
    }
    if let Some(at) = part.find("at all") {
        part.take(at, 2);
    }
}

/// Reads what is said of tests without a word of place: "tests not counted", "tests only", "the
/// tests use".
fn tests_by_themselves(part: &mut ReadClause, tree: &QuestionTree<'_>) {
    for at in 0..part.tokens.len() {
        if !lexicon::is_test(part.word(at)) || part.taken[at] || part.is_name(at) {
            continue;
        }
        let fits = TESTS_AFTER.iter().find_map(|(phrase, tests)| {
            // "With test files left out": a noun may come between the tests and what is said of
            // them.
            let files = usize::from(part.says(at + 1, "files code"));
            let length = part.stands(at + 1 + files, phrase)?;
            Some((files + length, *tests))
        });
        if let Some((length, tests)) = fits {
            part.take(at, 1 + length);
            let with = at.checked_sub(1).filter(|with| part.says(*with, "with"));
            part.take(with.unwrap_or(at), 1);
            let kind = at
                .checked_sub(1)
                .filter(|at| part.says(*at, "unit integration"));
            part.take(kind.unwrap_or(at), 1);
            part.scope.tests = tests;
            part.is_only |= tests == Tests::Inside;
            continue;
        }
        opened_tests(part, at);
    }
    // "Within the package" means the code without its tests.
    for phrase in [
        "the package itself",
        "the package",
        "the library itself",
        "the library",
    ] {
        let Some(at) = part.find(phrase).filter(|at| *at > 0) else {
            continue;
        };
        let end = at + phrase.split(' ').count();
        // In "which function of the package gets called", "of the package" says whose function it
        // is.
        let is_done = part.has("which what") && part.has("called invoked used");
        let is_of = part.word(at - 1) == "of" && !is_done;
        let is_itself = phrase.ends_with("itself") && part.says(at - 1, "by from");
        // "Does the library itself use X?" has the library as its subject, without a word of place.
        let does = at == 1 && phrase.ends_with("itself") && part.says(0, "does do did");
        let is_place = part.says(at - 1, "in inside within") || is_of || is_itself || does;
        if is_place && !part.is_name(end) && part.scope.tests == Tests::Count {
            let from = if does { at } else { at - 1 };
            part.take(from, end - from);
            part.scope.tests = Tests::Outside;
            if phrase.ends_with("itself") {
                // Only "itself" sets the library apart from code that shows how it is used.
                without_examples(part, tree);
            }
            // "In the library itself, i.e. not from tests": what follows repeats the scope, and
            // would be read as a new question.
            if part.says(end, "i.e ie i.e.") || part.says(end, "i") && part.says(end + 1, "e") {
                part.taken[end] = true;
            }
        }
    }
    if let Some(at) = part.find("production code") {
        let only = usize::from(part.word(at + 2) == "only");
        part.take(at, 2 + only);
        part.scope.tests = Tests::Outside;
    }
}

/// Excludes the folders that only use the library, if the tree has them.
fn without_examples(part: &mut ReadClause, tree: &QuestionTree<'_>) {
    let is_here = |folder: &&&str| tree.has_folder(folder);
    for folder in EXAMPLES.iter().filter(is_here) {
        push(part, folder, false);
    }
}

/// Top-level folders in which a library is only used.
const EXAMPLES: &[&str] = &[
    "examples",
    "_examples",
    "example",
    "samples",
    "benchmarks",
    "benches",
];

/// Reads a word before "tests" that says whether they count: "skip the tests", "including tests",
/// "only tests".
fn opened_tests(part: &mut ReadClause, at: usize) {
    let opener = |words: &[&str]| {
        (1..=2)
            .filter_map(|back| at.checked_sub(back))
            .find(|before| words.contains(&part.word(*before)))
    };
    let orders = &[
        "skip",
        "skipping",
        "ignore",
        "exclude",
        "omit",
        "leave",
        "leaving",
        "disregard",
        "drop",
        "forget",
    ];
    let without = opener(&["excluding", "without", "ignoring", "outside"]);
    if opener(&["including", "incl", "include"]).is_some() {
        part.taken[at] = true;
    } else if let Some(order) = opener(orders) {
        let is_out = |at: usize| part.says(at, "out aside");
        // "Leave test code out": the particle follows the noun.
        let out = match part.word(at + 1) {
            "code" | "files" if is_out(at + 2) => 2,
            _ => usize::from(is_out(at + 1)),
        };
        part.take(order, at + 1 + out - order);
        part.scope.tests = Tests::Outside;
    } else if let Some(without) = without {
        part.take(without, at + 1 - without);
        part.scope.tests = Tests::Outside;
    } else if opener(&["only", "just"]).is_some() {
        part.taken[at] = true;
        part.scope.tests = Tests::Inside;
        part.is_only = true;
    }
}

/// Reports whether a word says that what follows is no test: "production code", "non-test callers".
fn is_outside_tests(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    let word = part.word(at);
    let is_product = word == "product"
        && part
            .tokens
            .get(at + 1)
            .is_some_and(|next| next.lower == "code" || lexicon.is_relation(next));
    let without = is_product || is_in("non-test nontest non-tests production prod", word);
    // "Internal callers" are in the program itself. Before any other noun the word says something
    // else.
    let is_internal = is_in("internal in-house", word)
        && part
            .tokens
            .get(at + 1)
            .is_some_and(|next| lexicon.is_relation(next));
    // "Library code" and "any library class" are opposed to tests.
    let things = [
        "class",
        "classes",
        "code",
        "file",
        "files",
        "function",
        "functions",
        "method",
        "methods",
    ];
    let is_library = is_in("library lib main", word) && things.contains(&part.word(at + 1));
    without || is_internal || is_library
}

/// Reads tests as the subject of the question, or as what does not count: "which tests use X",
/// "non-test callers".
fn tests_that_do(part: &mut ReadClause, lexicon: &Lexicon) {
    for at in 0..part.tokens.len() {
        if part.taken[at] || part.is_name(at) {
            continue;
        }
        let word = part.word(at).to_owned();
        let without = is_outside_tests(part, at, lexicon);
        let is_plain = !without && lexicon::is_test(&word);
        // "Tests never call f": adverbs and denials come between the tests and their verb.
        let skipped = (at + 1..part.tokens.len())
            .find(|at| !["never", "ever", "do", "not", "also", "really"].contains(&part.word(*at)));
        let next = skipped.and_then(|at| part.tokens.get(at).filter(|_| !part.is_name(at)));
        let does = next.is_some_and(|next| {
            lexicon.is_relation(next) || is_in("code that which", next.lower.as_str())
        });
        if without {
            let code = usize::from(part.says(at + 1, "code sources files"));
            let only = usize::from(part.word(at + 1 + code) == "only");
            part.take(at, 1 + code + only);
            part.scope.tests = Tests::Outside;
        } else if is_plain && does && part.scope.tests == Tests::Count {
            part.taken[at] = true;
            part.scope.tests = Tests::Inside;
        }
    }
}

/// Reads a file directly before a name as its scope, since it selects among namesakes: "main.rs
/// `run`".
fn beside(part: &mut ReadClause) {
    let file = part.names.windows(2).find_map(|pair| {
        let next = pair[0]
            .at
            .zip(pair[1].at)
            .is_some_and(|(one, other)| other == one + 1 && part.tokens[one].after == After::Word);
        (next && pair[0].is_path && !pair[1].is_path).then(|| pair[0].clone())
    });
    if let Some((file, at)) = file.and_then(|file| file.at.map(|at| (file, at))) {
        part.names.retain(|named| named.at != Some(at));
        push(part, &file.text, true);
        part.take(at, 1);
    }
}

/// Reads a file before the question as its scope: "Client.php: count of the calls of f".
fn leading(part: &mut ReadClause) {
    let Some(first) = part.names.first().cloned() else {
        return;
    };
    let is_before = first.is_path
        && first.at == part.free().next()
        && first
            .at
            .is_some_and(|at| part.tokens[at].after == After::Pause)
        && part.names.iter().any(|named| !named.is_path);
    if let (true, Some(at)) = (is_before, first.at) {
        part.names.remove(0);
        push(part, &first.text, true);
        part.take(at, 1);
    }
}

/// Reads a folder before "only" as the scope: "lib only", "src only".
fn trailing(part: &mut ReadClause, tree: &QuestionTree<'_>) {
    for at in 0..part.tokens.len().saturating_sub(1) {
        let is_only = part.word(at + 1) == "only" && !part.taken[at];
        if is_only && !part.is_name(at) && !tree.folders_of(&part.tokens[at].text).is_empty() {
            let text = part.tokens[at].text.clone();
            push(part, &text, true);
            part.take(at, 2);
        }
    }
}

/// Words for everything that was not named.
const OTHERS: &str = "else elsewhere other others another beyond";
/// Reads "elsewhere" as outside of the file with the definition: "is it called from elsewhere?"
fn from_elsewhere(part: &mut ReadClause) {
    let is_one = |at: &usize| part.word(*at) == "elsewhere" && part.word(at + 1) != "than";
    let Some(at) = part.free().find(is_one) else {
        return;
    };
    let names_one = part.symbols().next().is_some() || !part.context.is_empty();
    if names_one
        && !part.is_negated
        && part.scope.inside.is_empty()
        && part.scope.outside.is_empty()
    {
        let joint = at
            .checked_sub(1)
            .filter(|joint| part.says(*joint, "from in"));
        let from = joint.unwrap_or(at);
        part.take(from, at + 1 - from);
        push(part, OWN_FILE, false);
    }
}

/// Words that begin a denial of all others.
const NONE: &str = "nowhere nobody nothing none never not no neither";

/// Reads a denial of all others as "only": "in diff.rs and nowhere else", "…, with no other file
/// involved".
fn elsewhere(part: &mut ReadClause, lexicon: &Lexicon) {
    for at in 1..part.tokens.len() {
        let joins = part.says(at, "and with but");
        let pauses = part.tokens[at - 1].after == After::Pause;
        let leads = joins && part.says(at + 1, "with by in from");
        let first = at + usize::from(joins) + usize::from(leads);
        let begins = part.says(first, NONE);
        let is_plain = part.word(at) == "nowhere" && part.word(at + 1) == "else";
        if !(is_plain || begins && (joins || pauses)) || part.taken[at] {
            continue;
        }
        let end = (first..part.tokens.len())
            .find(|at| part.tokens[*at].after != After::Word)
            .map_or(part.tokens.len(), |at| at + 1);
        let of_library = denies_library(part, at, end);
        let of_others = of_library || (first..end).any(|at| part.says(at, OTHERS));
        let is_said = |at: usize| {
            let is_library = of_library && part.says(at, "library lib package production proper");
            is_library || says_no_other(part, at, lexicon)
        };
        let named_before = (0..at).any(|at| part.is_name(at));
        if of_others && named_before && (first..end).all(is_said) {
            part.take(at, end - at);
            part.is_only = true;
            return;
        }
    }
}

/// Reports whether the library is denied after "only" and tests, which says the same again: "only
/// used by the tests, never by the library itself".
fn denies_library(part: &ReadClause, at: usize, end: usize) -> bool {
    part.says(end - 1, "itself code proper")
        && (0..at).any(|at| lexicon::is_only(part.word(at)))
        && (0..at).any(|at| {
            let is_one_of_more = at > 0 && part.says(at - 1, "and or");
            lexicon::is_test(part.word(at)) && !is_one_of_more
        })
}

/// Reports whether a word can belong to the denial of all others.
fn says_no_other(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    let word = part.word(at);
    !part.is_name(at)
        && (lexicon::is_empty(word)
            || is_in(NONE, word)
            || is_in(OTHERS, word)
            || word == "involved"
            || lexicon.is_relation(&part.tokens[at])
            || part.word(at.saturating_sub(1)) == "in")
}

/// Nouns after a folder that refer to a copy inside it.
const COPIES: &str = "copy one version variant edition flavour flavor";
/// Largest number of words between an owner and its name.
const WHOSE_WORDS_MAX: usize = 3;

/// Reads a folder as the scope if it selects among namesakes: "v3's Color", "core's util
/// randomString", "the v3 copy".
///
/// The tree must have the name in that folder.
fn whose(part: &mut ReadClause, tree: &QuestionTree<'_>) {
    for at in 0..part.tokens.len() {
        let token = &part.tokens[at];
        let is_copy = part.says(at + 1, COPIES) && token.after == After::Word;
        let is_said = token.is_owner || is_copy || selects_doer(part, at);
        if !is_said || token.is_code || part.taken[at] || part.is_name(at) {
            continue;
        }
        let folder = token.text.clone();
        let is_next = |named: &ClauseName| {
            named
                .at
                .is_some_and(|name| at < name && name <= at + WHOSE_WORDS_MAX)
        };
        let is_of_path = part
            .names
            .iter()
            .any(|named| named.is_path && is_next(named) && all_lie_in(&named.text, &folder, tree));
        let is_of_symbol = part
            .symbols()
            .any(|named| (is_copy || is_next(named)) && lies_in_folder(&named.text, &folder, tree));
        // All files of the path are in that folder already, so it restricts nothing.
        if is_of_path {
            part.take(at, 1);
            continue;
        }
        if is_of_symbol {
            push(part, &folder, true);
            part.take(at, 1 + usize::from(is_copy));
        }
    }
}

/// Reports whether a word selects among those of the name after it whose body is asked about: "what
/// does the json Codec.decode call?"
fn selects_doer(part: &ReadClause, at: usize) -> bool {
    let is_after = at > 1 && part.word(at - 1) == "the" && part.says(at - 2, "does do did");
    is_after && part.tokens[at].after == After::Word && part.is_name(at + 1)
}

/// Reports whether all files that a path refers to have a word in their paths.
fn all_lie_in(path: &str, word: &str, tree: &QuestionTree<'_>) -> bool {
    let files = tree.files_of(path);
    let has = |path: &str| path.split(['/', '-', '_', '.']).any(|part| part == word);
    !files.is_empty() && files.iter().all(|file| has(file.as_str()))
}

/// Reports whether the tree defines a name in a folder.
fn lies_in_folder(name: &str, folder: &str, tree: &QuestionTree<'_>) -> bool {
    if tree.is_project(folder) || tree.folders_of(folder).is_empty() {
        return false;
    }
    let known = tree.know(&[super::tree::last_part(name)]);
    known[0].definitions().any(|place| {
        let mut folders = place.path.as_str().split('/').rev().skip(1);
        folders.any(|one| one == folder)
    })
}

/// Reads a folder before "contain" as the scope: "does src contain any implementation of X?"
fn containing(part: &mut ReadClause, tree: &QuestionTree<'_>, lexicon: &Lexicon) {
    for at in 1..part.tokens.len() {
        let is_verb = part.says(at, "contain contains") && !part.taken[at];
        let noun = (at + 1..part.tokens.len()).find(|at| {
            !lexicon::is_article(part.word(*at)) && !["any", "some"].contains(&part.word(*at))
        });
        let relates = noun.is_some_and(|noun| lexicon.is_relation(&part.tokens[noun]));
        let text = part.tokens[at - 1].text.clone();
        let is_plain = !part.taken[at - 1] && !part.is_name(at - 1);
        if is_verb && relates && is_plain && is_folder_word(part, at - 1, tree) {
            push(part, &text, true);
            part.take(at - 1, 2);
        }
    }
}

/// Takes "…, the benchmarks count as well", since they count by default.
fn counted_too(part: &mut ReadClause) {
    for at in 1..part.tokens.len() {
        let counts = part.says(at, "count counts")
            && (part.stands(at + 1, "as well").is_some() || part.says(at + 1, "too also"));
        if !counts {
            continue;
        }
        let start = (0..at)
            .rev()
            .find(|at| part.tokens[*at].after != After::Word);
        let Some(start) = start.map(|start| start + 1) else {
            continue;
        };
        let end = (at..part.tokens.len())
            .find(|at| part.tokens[*at].after != After::Word)
            .map_or(part.tokens.len(), |at| at + 1);
        if !(start..end).any(|at| part.is_name(at)) {
            part.take(start, end - start);
        }
    }
}

/// Reads "all in" with a scope as "only": "are its callers all in a.rs?"
fn all_in(part: &mut ReadClause) {
    part.is_only |= !part.scope.inside.is_empty() && part.find("all in").is_some();
}

/// Phrases before the only place that has something.
const ONLY_IN: &[&str] = &[
    "limited to",
    "confined to",
    "restricted to",
    "private to",
    "exclusive to",
    "unique to",
    "specific to",
    "internal to",
    "local to",
    "exclusively for",
    "purely for",
    "solely for",
    "only for",
    "just for",
    "exclusively to",
    "only there for",
    "reserved for",
];

/// Reads such a phrase as "only": "private to a.rs", "limited to these files: a.rs, b.rs".
fn only_in(part: &mut ReadClause, tree: &QuestionTree<'_>) {
    for at in 0..part.tokens.len() {
        let Some(length) = ONLY_IN.iter().find_map(|phrase| part.stands(at, phrase)) else {
            continue;
        };
        let mut next = at + length;
        let counts = [
            "these",
            "those",
            "the",
            "following",
            "two",
            "three",
            "four",
            "files",
            "file",
        ];
        while counts.contains(&part.word(next)) && !lexicon::is_test(part.word(next + 1)) {
            next += 1;
        }
        if part.asks == super::part::Asks::Whether && after(part, tree, at, next - at, true, false)
        {
            part.is_only = true;
            return;
        }
    }
}

/// Reads "in it" and "in there" as the last thing that was named before.
fn in_context(part: &mut ReadClause) {
    let Some(named) = part.context.last().cloned() else {
        return;
    };
    for at in 0..part.tokens.len() {
        let points = part.says(at + 1, "it there") && part.word(at + 2) != "is";
        let ends_there = part.word(at) == "there" && at + 1 == part.tokens.len() && at > 2;
        if ends_there && named.is_path && !part.taken[at] && !part.names.is_empty() {
            push(part, &named.text, true);
            part.take(at, 1);
            return;
        }
        if part.says(at, "in inside within") && points && !part.taken[at] && !part.names.is_empty()
        {
            push(part, &named.text, true);
            part.take(at, 2);
        }
    }
}
