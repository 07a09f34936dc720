//! The targets in the words of a question.

use grounds_evidence::{Intent, QuestionTarget, TargetKind, name};
use grounds_repo::needles::{STOP_WORDS, TARGETS_MAX};
use grounds_repo::within::Within;

use super::forms::{self, FormWants, QuestionForm, is_code, is_filler};
use super::message::message_fragments;
use super::shape::{is_code_like, is_hash, is_name, is_path, is_symbol_path};
use super::trace::{Frame, Trace};
use super::wanted_of;
use super::words::QuestionWord;
use crate::words::is_in;

/// Maximum size of one target in bytes. A longer one is truncated.
pub const TARGET_BYTES_MAX: usize = 1_000;
/// Maximum number of content words in a phrase. More are a sentence, and no name for something.
const PHRASE_WORDS_MAX: usize = 8;

/// Words that refer to the project as a whole.
pub(crate) const PROJECT: &str = "project codebase repository repo code architecture this it design system \
    application app here program \
    structure agent";

/// Those of them that alone can be a name: "where is system" asks for one, "explain the system" for
/// the project.
const PROJECT_WITH_ARTICLE: &str = "system application app program agent";

/// Returns the targets in the captured words of a form.
pub(crate) fn of(
    captured: &[&[QuestionWord]],
    wants: FormWants,
    bounds: &mut Vec<&'static str>,
) -> Vec<QuestionTarget> {
    let mut targets: Vec<QuestionTarget> = Vec::new();
    for target in captured.iter().flat_map(|words| of_words(words, wants)) {
        let is_new = targets.iter().all(|known| known.text != target.text);
        if is_new && !target.text.trim().is_empty() {
            targets.push(target);
        }
    }
    cut(&mut targets, bounds);
    if targets
        .iter()
        .any(|target| target.text.len() >= TARGET_BYTES_MAX)
    {
        bounds.push("question_target_bytes_max");
    }
    targets
}

/// Returns the words of a question for its subject: those between the first and the last that its
/// form does not have.
pub(crate) fn subject<'w>(
    words: &'w [QuestionWord],
    form: Option<&QuestionForm>,
) -> &'w [QuestionWord] {
    let is_order = form.is_some_and(|form| form.intent == Intent::Modify);
    let words = if is_order { ordered(words) } else { words };
    let is_empty = |at: &usize| {
        let word = &words[*at];
        let is_said = form.is_some_and(|form| form.says(word)) || is_filler(word);
        // A capital inside the sentence is a name, even if the form has the word.
        let is_name = *at > 0 && word.text != word.lower && word.text != "I";
        is_said && !is_name && !is_code(word) && !is_in(PROJECT, &word.lower)
    };
    let is_passed = |at: &usize| {
        let word = &words[*at];
        let is_kind = forms::stands_before(&word.text) || is_in("it this", word.text.as_str());
        let next = *at + 1;
        is_empty(at) || is_kind && !is_code(word) && next + 1 < words.len() && is_empty(&next)
    };
    let start = (0..words.len()).find(|at| !is_passed(at));
    let start = start.unwrap_or(words.len());
    // "How does it work in serde?" has its subject before the place.
    let ends =
        |at: &usize| is_empty(at) && !is_filler(&words[*at]) && is_within(words.get(*at + 1));
    let end = (start..words.len()).find(ends).unwrap_or(words.len());
    let last = (start..end).rfind(|at| !is_empty(at));
    &words[start..last.map_or(start, |last| last + 1)]
}

fn is_within(word: Option<&QuestionWord>) -> bool {
    word.is_some_and(|word| is_in("in inside within", word.lower.as_str()))
}

/// Returns the words of an order up to what it makes of its object: "rename line_price to
/// price_of_line" is about `line_price`.
fn ordered(words: &[QuestionWord]) -> &[QuestionWord] {
    let is_joint = |word: &QuestionWord| is_in("to into with", word.lower.as_str());
    let end = words.iter().position(is_joint).filter(|at| *at > 1);
    &words[..end.unwrap_or(words.len())]
}

/// Returns the targets that are written like code, or quoted.
pub(crate) fn named(
    words: &[QuestionWord],
    wants: FormWants,
    bounds: &mut Vec<&'static str>,
) -> Vec<QuestionTarget> {
    let names: Vec<&[QuestionWord]> = words.chunks(1).filter(|word| is_code(&word[0])).collect();
    of(&names, wants, bounds)
}

/// Returns the folders to which a question is restricted as targets, except those it names already.
fn of_folders(within: &Within, known: &[QuestionTarget]) -> Vec<QuestionTarget> {
    let is_new = |folder: &&String| known.iter().all(|target| target.text != **folder);
    within
        .folders
        .iter()
        .filter(is_new)
        .map(|folder| target(folder, TargetKind::Path, FormWants::Occurrence))
        .collect()
}

/// Adds the folders that a question names to its targets.
pub(crate) fn with_folders(
    mut targets: Vec<QuestionTarget>,
    within: &Within,
    bounds: &mut Vec<&'static str>,
) -> Vec<QuestionTarget> {
    targets.extend(of_folders(within, &targets));
    cut(&mut targets, bounds);
    targets
}

/// Limits the targets to the number that is searched for.
pub(crate) fn cut(targets: &mut Vec<QuestionTarget>, bounds: &mut Vec<&'static str>) {
    if targets.len() > TARGETS_MAX {
        bounds.push("question_targets_max");
        targets.truncate(TARGETS_MAX);
    }
}

/// Returns the target of an error: its message without the values, or else the value that it is
/// about, or its deepest place.
pub(crate) fn of_trace(trace: &Trace) -> Option<QuestionTarget> {
    let message = |text: &str| target(text, TargetKind::Message, FormWants::Occurrence);
    let value = trace
        .message
        .trim_matches(['\'', '"', '`', ' ', '.', '(', ')']);
    let place = |frame: &Frame| format!("{}:{}", frame.path, frame.line.unwrap_or(1));
    let is_said = !message_fragments(&trace.message).is_empty();
    match (is_said, trace.frames.first()) {
        (true, _) => Some(message(&trace.message)),
        // A `KeyError` has only its key as the message.
        (false, Some(_)) if value.chars().any(char::is_alphanumeric) => {
            Some(message(&trace.message))
        }
        (false, Some(frame)) => Some(message(&trace.kind.clone().unwrap_or_else(|| place(frame)))),
        (false, None) => {
            (!value.is_empty()).then(|| target(value, TargetKind::Quoted, FormWants::Occurrence))
        }
    }
}

/// Returns what an answer to an error also shows: the kind of the error, and the names of system
/// errors in its message.
pub(crate) fn beside(trace: &Trace) -> Vec<QuestionTarget> {
    let kind = trace
        .kind
        .as_deref()
        .and_then(|kind| kind.rsplit(['.', ':', '\\', '$']).next())
        .filter(|kind| is_name(kind));
    let is_errno = |word: &&str| {
        word.len() > 3
            && word.starts_with('E')
            && word
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
    };
    let errnos = trace
        .message
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(is_errno);
    let mut names: Vec<&str> = kind
        .into_iter()
        // "ERROR" is the level of a log line, and no name of a system error.
        .chain(errnos.filter(|name| *name != "ERROR"))
        .collect();
    names.dedup();
    names
        .into_iter()
        .take(BESIDE_MAX)
        .map(|name| target(name, TargetKind::Identifier, FormWants::Definition))
        .collect()
}

/// Turns targets of a diagnosis into messages if they were quoted, or reported as the text of an
/// error.
pub(crate) fn as_messages(targets: Vec<QuestionTarget>, question: &str) -> Vec<QuestionTarget> {
    let is_message = |known: &QuestionTarget| match known.kind {
        TargetKind::Quoted => known.text.contains(' '),
        TargetKind::Phrase => known.text.split(' ').count() > 2 && is_told(&known.text, question),
        TargetKind::Identifier
        | TargetKind::SymbolPath
        | TargetKind::Path
        | TargetKind::Commit
        | TargetKind::Message => false,
    };
    let as_message = |known: QuestionTarget| {
        if is_message(&known) {
            target(&known.text, TargetKind::Message, FormWants::Occurrence)
        } else {
            known
        }
    };
    targets.into_iter().map(as_message).collect()
}

/// Reports whether the word before a text reports it: "I get …", "it says …".
fn is_told(text: &str, question: &str) -> bool {
    let before = question.find(text).map_or("", |at| &question[..at]);
    let last = before
        .split(|letter: char| !letter.is_alphanumeric())
        .rfind(|word| !word.is_empty() && !["the", "an", "a"].contains(word));
    last.is_some_and(|word| is_in(TELLING, &word.to_lowercase()))
}

/// Words that introduce an error message.
const TELLING: &str = "get gets got getting see seeing saw says say saying error message exception warning \
    receive receiving \
    prints print with log logs";

/// Maximum number of names that an answer to an error also shows.
const BESIDE_MAX: usize = 2;

/// Returns the name before "workflow", "pipeline" or "job".
pub(crate) fn workflow(words: &[QuestionWord]) -> Option<&str> {
    let noun = words
        .iter()
        .position(|word| is_in("workflow pipeline job", word.lower.as_str()))
        .filter(|at| *at > 0)?;
    let name = &words[noun - 1];
    let is_name = name.quoted || !(is_in(NO_WORKFLOWS, &name.lower) || is_filler(name));
    is_name.then_some(name.text.as_str())
}

/// Words before "workflow" that are no name of one.
const NO_WORKFLOWS: &str = "ci github gitlab failing failed previous our entire first check show which what \
    current red broken \
    actions main";

/// Returns the words of the question with content of their own that no target has.
pub(crate) fn left_aside(
    words: &[QuestionWord],
    form: &QuestionForm,
    targets: &[QuestionTarget],
    others: &[Vec<QuestionWord>],
) -> Vec<String> {
    let is_in_a_target = |word: &QuestionWord| {
        targets
            .iter()
            .any(|target| target.text.contains(clean(&word.text).as_str()) || target.text == ".")
    };
    let says_nothing = |word: &QuestionWord| {
        is_filler(word)
            || form.says(word)
            || forms::stands_before(&word.lower)
            || forms::stands_after(&word.lower)
    };
    let words = words
        .iter()
        .filter(|word| !is_in_a_target(word) && !says_nothing(word))
        .map(|word| word.text.clone());
    let sentences = others
        .iter()
        .filter(|other| !forms::is_talk(other))
        .map(|other| joined(other));
    words.chain(sentences).take(TARGETS_MAX).collect()
}

fn joined(words: &[QuestionWord]) -> String {
    words
        .iter()
        .map(|word| word.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn of_words(words: &[QuestionWord], wants: FormWants) -> Vec<QuestionTarget> {
    if names_a_kind_alone(words) {
        return Vec::new();
    }
    let trimmed = trim(words);
    if trimmed.is_empty() || (is_the_project(trimmed) && !asks_for_a_name(words, wants)) {
        return words
            .iter()
            .any(|word| is_in(PROJECT, &word.lower))
            .then(|| target(".", TargetKind::Path, wants))
            .into_iter()
            .collect();
    }
    if let [only] = trimmed {
        if let Some(kind) = kind_of_files(words, only) {
            return phrase(kind, wants).into_iter().collect();
        }
        let is_file = ends_in_file(words) && is_name(&only.text) && !is_code_like(&only.text);
        return vec![if is_file {
            target(&only.text, TargetKind::Path, wants)
        } else {
            single(only, wants)
        }];
    }
    let listed: Vec<&[QuestionWord]> = parts_of_a_list(trimmed);
    if listed.len() > 1 {
        return listed
            .into_iter()
            .flat_map(|part| of_words(part, wants))
            .collect();
    }
    let named: Vec<QuestionTarget> = trimmed
        .iter()
        .filter(|word| is_code(word))
        .map(|word| single(word, wants))
        .collect();
    if named.is_empty() {
        phrase(trimmed, wants).into_iter().collect()
    } else {
        named
    }
}

/// Reports whether words name a kind and no thing of it: "all classes".
fn names_a_kind_alone(words: &[QuestionWord]) -> bool {
    let [before @ .., last] = words else {
        return false;
    };
    let counts_all = |word: &QuestionWord| is_in("all every each me the", word.lower.as_str());
    let is_of_all = before.is_empty()
        || before
            .iter()
            .any(|word| is_in("all every each", word.lower.as_str()));
    !last.quoted && forms::is_plural(&last.text) && is_of_all && before.iter().all(counts_all)
}

/// Reports whether words name a file and no symbol: "the config file".
fn ends_in_file(words: &[QuestionWord]) -> bool {
    words.len() > 1
        && words
            .last()
            .is_some_and(|last| is_in("file folder directory", last.lower.as_str()))
}

/// Returns the words for a kind of files, which are no path: "ignore files". The word before
/// "files" alone would mean something else.
fn kind_of_files<'w>(words: &'w [QuestionWord], only: &QuestionWord) -> Option<&'w [QuestionWord]> {
    let [.., before, last] = words else {
        return None;
    };
    let are_files = is_in("files folders directories", last.lower.as_str()) && !last.quoted;
    let is_plain = !before.quoted && !is_code_like(&before.text) && before.text == only.text;
    (are_files && is_plain).then(|| &words[words.len() - 2..])
}

/// Returns the names of a list with "and" or commas, if each part is one name.
fn parts_of_a_list(words: &[QuestionWord]) -> Vec<&[QuestionWord]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        if is_in("and or", word.lower.as_str()) && !word.quoted {
            parts.push(&words[start..index]);
            start = index + 1;
        } else if word.comma {
            parts.push(&words[start..=index]);
            start = index + 1;
        }
    }
    parts.push(&words[start..]);
    parts.retain(|part| !part.is_empty());
    let names_only = parts.iter().all(|part| trim(part).len() == 1);
    if names_only { parts } else { vec![words] }
}

fn is_the_project(words: &[QuestionWord]) -> bool {
    words.iter().all(|word| {
        !word.quoted && (is_in(PROJECT, &word.lower) || STOP_WORDS.contains(&word.lower.as_str()))
    })
}

/// Reports whether a word for the project is a name here: "where is `program` defined", "where is
/// `Where` defined". "The program" is the project, and "it" is what was spoken of.
fn asks_for_a_name(words: &[QuestionWord], wants: FormWants) -> bool {
    let is_name =
        |word: &QuestionWord| word.text != word.lower || !STOP_WORDS.contains(&word.lower.as_str());
    matches!(words, [only] if is_in(PROJECT_WITH_ARTICLE, only.lower.as_str()) || (wants == FormWants::DefinitionOnly && is_name(only)))
}

/// Returns the words without those that only say what kind of thing is meant.
fn trim(mut words: &[QuestionWord]) -> &[QuestionWord] {
    let is_kind =
        |word: &QuestionWord, stands: fn(&str) -> bool| !word.quoted && stands(word.text.as_str());
    while let [first, rest @ ..] = words
        && !rest.is_empty()
        && is_kind(first, forms::stands_before)
        && !(rest.len() == 1
            && is_kind(&rest[0], forms::stands_after)
            && !STOP_WORDS.contains(&first.lower.as_str()))
    {
        words = rest;
    }
    while let [rest @ .., last] = words
        && !rest.is_empty()
        && is_kind(last, forms::stands_after)
    {
        words = rest;
    }
    words
}

/// Returns the target for one name, path or text.
pub(crate) fn target_of(text: &str, wants: FormWants) -> QuestionTarget {
    let word = QuestionWord {
        text: text.to_owned(),
        ..QuestionWord::default()
    };
    single(&word, wants)
}

fn single(word: &QuestionWord, wants: FormWants) -> QuestionTarget {
    let text = clean(&word.text);
    let words = text.split_whitespace().count();
    let kind = match () {
        // A quoted text is searched for byte by byte. As a symbol path it would also match its
        // other notations.
        () if word.quoted
            && wants == FormWants::Occurrence
            && is_symbol_path(&text)
            && !is_path(&text) =>
        {
            TargetKind::Quoted
        }
        () if word.quoted && (words > 1 || !is_name(&text)) && !is_symbol_path(&text) => {
            if wants == FormWants::DefinitionOnly && words > 1 {
                TargetKind::Phrase
            } else if is_path(&text) {
                TargetKind::Path
            } else {
                TargetKind::Quoted
            }
        }
        // An import of `net/http` or `uv.h` contains this text. A file of that name in the tree is
        // not asked for.
        () if is_path(&text) && matches!(wants, FormWants::Uses | FormWants::Importers) => {
            TargetKind::Quoted
        }
        () if is_path(&text) || is_place(&text) => TargetKind::Path,
        () if is_symbol_path(&text) => TargetKind::SymbolPath,
        // A hash has the letters of a name, so it is checked first.
        () if is_hash(&text) => TargetKind::Commit,
        () if text.contains(['-', ' ']) && !text.contains('_') => TargetKind::Phrase,
        () if is_name(&text) => TargetKind::Identifier,
        () => TargetKind::Quoted,
    };
    target(&text, kind, wants)
}

/// Reports whether a text is a line of a file, as answers cite it: `src/a.rs:12`.
fn is_place(text: &str) -> bool {
    name::split_place(text).is_some_and(|(path, ..)| is_path(path))
}

fn phrase(words: &[QuestionWord], wants: FormWants) -> Option<QuestionTarget> {
    let content = words
        .iter()
        .filter(|word| !STOP_WORDS.contains(&word.lower.as_str()))
        .count();
    let text = words
        .iter()
        .map(|word| word.text.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    (content > 0 && content <= PHRASE_WORDS_MAX).then(|| target(&text, TargetKind::Phrase, wants))
}

fn target(text: &str, kind: TargetKind, wants: FormWants) -> QuestionTarget {
    let end = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8())
        .take_while(|end| *end <= TARGET_BYTES_MAX)
        .last()
        .unwrap_or(0);
    let named_in_code = matches!(kind, TargetKind::Identifier | TargetKind::SymbolPath);
    let wanted = wanted_of(
        wants,
        named_in_code,
        matches!(
            kind,
            TargetKind::Path | TargetKind::Quoted | TargetKind::Commit | TargetKind::Message
        ),
    );
    QuestionTarget {
        text: text[..end].to_owned(),
        kind,
        wanted,
    }
}

/// Returns a name without call brackets, type parameters and sigils.
fn clean(text: &str) -> String {
    let text = text.trim().trim_end_matches("()").trim_end_matches('(');
    let text = match text.split_once('<') {
        Some((name, rest)) if is_name(name) && rest.ends_with('>') => name,
        _ => text,
    };
    let bare = text.trim_start_matches(['$', '@', '#', '&', '*']);
    if is_name(bare) || is_symbol_path(bare) {
        bare.to_owned()
    } else {
        text.to_owned()
    }
}
