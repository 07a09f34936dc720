//! The targets in the words of a question, and the part of the tree that the
//! words name.

use grounds_evidence::{FileRole, Target, TargetKind, name};
use grounds_repo::needles::{STOP_WORDS, TARGETS_MAX};
use grounds_repo::within::Within;
use grounds_syntax::languages;

use super::rules::Wants;
use super::wanted_of;
use super::words::Word;

/// Bytes of one target; a longer one is cut.
pub const TARGET_BYTES_MAX: usize = 1_000;
/// Content words of a phrase; more of them are a sentence, not a name for something.
const PHRASE_WORDS_MAX: usize = 8;

/// Words before a name that say what kind of thing it is.
const NOUNS_BEFORE: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "that",
    "my",
    "our",
    "its",
    "function",
    "functions",
    "class",
    "classes",
    "struct",
    "structs",
    "method",
    "methods",
    "trait",
    "type",
    "types",
    "symbol",
    "symbols",
    "variable",
    "constant",
    "const",
    "file",
    "files",
    "module",
    "modules",
    "enum",
    "macro",
    "macros",
    "interface",
    "field",
    "property",
    "identifier",
    "name",
    "code",
    "for",
    "of",
    "to",
    "called",
    "named",
    "all",
    "any",
    "some",
    "named",
    "word",
    "term",
    "string",
    "text",
    "phrase",
    "folder",
    "directory",
    "crate",
    "package",
    "about",
    "me",
    "def",
    "fn",
    "func",
    "is",
    "are",
    "every",
    "each",
    "where",
    "with",
    "on",
];

/// Words after a name that say what kind of thing it is.
const NOUNS_AFTER: &[&str] = &[
    "function",
    "functions",
    "class",
    "classes",
    "struct",
    "structs",
    "method",
    "methods",
    "trait",
    "type",
    "symbol",
    "variable",
    "constant",
    "enum",
    "macro",
    "interface",
    "field",
    "property",
    "file",
    "files",
    "module",
    "code",
    "logic",
    "implementation",
    "implemented",
    "defined",
    "declared",
    "here",
    "please",
    "exactly",
    "actually",
    "located",
    "definition",
    "declaration",
    "feature",
    "functionality",
    "related",
    "stuff",
    "part",
    "now",
    "currently",
    "again",
];

/// Words that mean the project as a whole.
const PROJECT: &[&str] = &[
    "project",
    "codebase",
    "repository",
    "repo",
    "code",
    "code base",
    "architecture",
    "this",
    "it",
    "design",
    "system",
    "application",
    "app",
    "here",
    "program",
    "structure",
    "agent",
];

/// Those of them that alone are a name: "where is system" asks for one, "explain the system" for the project.
const PROJECT_WITH_ARTICLE: &[&str] = &["system", "application", "app", "program", "agent"];

/// Endings of file names that are no language's.
const FILE_ENDINGS: &[&str] = &[
    "md",
    "txt",
    "toml",
    "json",
    "yaml",
    "yml",
    "rst",
    "cfg",
    "ini",
    "lock",
    "xml",
    "html",
    "css",
    "sql",
    "proto",
    "ipynb",
    "csv",
    "conf",
    "env",
    "gradle",
    "properties",
    "adoc",
];

/// The targets in what the holes of a rule took.
pub(crate) fn of(captured: &[&[Word]], wants: Wants, bounds: &mut Vec<&'static str>) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for target in captured.iter().flat_map(|words| of_words(words, wants)) {
        if !targets.iter().any(|known| known.text == target.text) {
            targets.push(target);
        }
    }
    if targets.len() > TARGETS_MAX {
        bounds.push("question_targets_max");
        targets.truncate(TARGETS_MAX);
    }
    if targets.iter().any(|target| target.text.len() >= TARGET_BYTES_MAX) {
        bounds.push("question_target_bytes_max");
    }
    targets
}

fn of_words(words: &[Word], wants: Wants) -> Vec<Target> {
    let trimmed = trim(words);
    if trimmed.is_empty() || (is_the_project(trimmed) && !asks_for_a_name(words, wants)) {
        return words
            .iter()
            .any(|word| PROJECT.contains(&word.lower.as_str()))
            .then(|| target(".", TargetKind::Path, wants))
            .into_iter()
            .collect();
    }
    if let [only] = trimmed {
        let is_file = ends_in_file(words) && is_name(&only.text) && !is_code_like(&only.text);
        return vec![if is_file { target(&only.text, TargetKind::Path, wants) } else { single(only, wants) }];
    }
    let listed: Vec<&[Word]> = parts_of_a_list(trimmed);
    if listed.len() > 1 {
        return listed.into_iter().flat_map(|part| of_words(part, wants)).collect();
    }
    let named: Vec<Target> =
        trimmed.iter().filter(|word| word.quoted || is_code_like(&word.text)).map(|word| single(word, wants)).collect();
    if named.is_empty() { phrase(trimmed, wants).into_iter().collect() } else { named }
}

/// "The config file" names a file, not a symbol.
fn ends_in_file(words: &[Word]) -> bool {
    words.len() > 1 && words.last().is_some_and(|last| ["file", "files", "folder", "directory"].contains(&last.lower.as_str()))
}

/// Several names with "and" or commas between them, where each part is one name.
fn parts_of_a_list(words: &[Word]) -> Vec<&[Word]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        if ["and", "or"].contains(&word.lower.as_str()) && !word.quoted {
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

fn is_the_project(words: &[Word]) -> bool {
    words.iter().all(|word| !word.quoted && (PROJECT.contains(&word.lower.as_str()) || STOP_WORDS.contains(&word.lower.as_str())))
}

/// "Where is `program` defined" asks for a name in the code, and so does "where
/// is `Where` defined"; "the program" is the project, and "it" what was spoken of.
fn asks_for_a_name(words: &[Word], wants: Wants) -> bool {
    let is_name = |word: &Word| word.text != word.lower || !STOP_WORDS.contains(&word.lower.as_str());
    matches!(words, [only] if PROJECT_WITH_ARTICLE.contains(&only.lower.as_str()) || (wants == Wants::DefinitionOnly && is_name(only)))
}

/// The words without those that only say what kind of thing is meant.
fn trim(mut words: &[Word]) -> &[Word] {
    let is_noun = |word: &Word, nouns: &[&str]| !word.quoted && nouns.contains(&word.text.as_str());
    while let [first, rest @ ..] = words
        && !rest.is_empty()
        && is_noun(first, NOUNS_BEFORE)
        && !(rest.len() == 1 && is_noun(&rest[0], NOUNS_AFTER) && !STOP_WORDS.contains(&first.lower.as_str()))
    {
        words = rest;
    }
    while let [rest @ .., last] = words
        && !rest.is_empty()
        && is_noun(last, NOUNS_AFTER)
    {
        words = rest;
    }
    words
}

fn single(word: &Word, wants: Wants) -> Target {
    let text = clean(&word.text);
    let words = text.split_whitespace().count();
    let kind = match () {
        () if word.quoted && (words > 1 || !is_name(&text)) && !is_symbol_path(&text) => {
            if wants == Wants::DefinitionOnly && words > 1 {
                TargetKind::Phrase
            } else if is_path(&text) {
                TargetKind::Path
            } else {
                TargetKind::Quoted
            }
        }
        // Who imports `net/http` or includes `uv.h` writes it; the file of that name is not asked for.
        () if is_path(&text) && wants == Wants::Uses => TargetKind::Quoted,
        () if is_path(&text) => TargetKind::Path,
        () if is_symbol_path(&text) => TargetKind::SymbolPath,
        () if is_hash(&text) => TargetKind::Commit,
        () if text.contains(['-', ' ']) && !text.contains('_') => TargetKind::Phrase,
        () if is_name(&text) => TargetKind::Identifier,
        () => TargetKind::Quoted,
    };
    target(&text, kind, wants)
}

fn phrase(words: &[Word], wants: Wants) -> Option<Target> {
    let content = words.iter().filter(|word| !STOP_WORDS.contains(&word.lower.as_str())).count();
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    (content > 0 && content <= PHRASE_WORDS_MAX).then(|| target(&text, TargetKind::Phrase, wants))
}

fn target(text: &str, kind: TargetKind, wants: Wants) -> Target {
    let end = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).take_while(|end| *end <= TARGET_BYTES_MAX).last().unwrap_or(0);
    let named_in_code = matches!(kind, TargetKind::Identifier | TargetKind::SymbolPath);
    let wanted = wanted_of(wants, named_in_code, matches!(kind, TargetKind::Path | TargetKind::Quoted | TargetKind::Commit));
    Target { text: text[..end].to_owned(), kind, wanted }
}

/// A name without call brackets, type parameters and sigils.
fn clean(text: &str) -> String {
    let text = text.trim().trim_end_matches("()").trim_end_matches('(');
    let text = match text.split_once('<') {
        Some((name, rest)) if is_name(name) && rest.ends_with('>') => name,
        _ => text,
    };
    let bare = text.trim_start_matches(['$', '@', '#', '&', '*']);
    if is_name(bare) || is_symbol_path(bare) { bare.to_owned() } else { text.to_owned() }
}

fn is_name(text: &str) -> bool {
    let body = text.trim_end_matches(['?', '!', '\'']);
    !body.is_empty() && body.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

fn is_path(text: &str) -> bool {
    if text.contains(char::is_whitespace) || text.contains("::") || text.contains("://") {
        return false;
    }
    let ending = text.rsplit_once('.').map(|(stem, ending)| (stem, ending.to_lowercase()));
    let is_file = ending.is_some_and(|(stem, ending)| {
        !stem.is_empty() && (FILE_ENDINGS.contains(&ending.as_str()) || languages::of_name(&format!("x.{ending}")).is_some())
    });
    (text.contains('/') && text.len() > 1)
        || is_file
        || languages::of_name(text).is_some_and(|language| language.file_names.contains(&text))
}

fn is_symbol_path(text: &str) -> bool {
    let segments = name::path_segments(text);
    let separated = text.contains("::") || text.contains("->") || text.contains(['.', '#']);
    separated && segments.len() > 1 && segments.iter().all(|segment| is_name(segment)) && !text.ends_with(['.', ':', '#'])
}

fn is_hash(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (text.len() == 40 || (7..40).contains(&text.len()) && digits >= 3)
        && text.chars().all(|letter| letter.is_ascii_hexdigit() && !letter.is_uppercase())
        && digits < text.len()
}

/// Whether a word in a sentence is written as code writes names.
fn is_code_like(text: &str) -> bool {
    let text = text.trim_end_matches("()");
    let inner_capital = text.chars().skip(1).any(char::is_uppercase) && text.chars().any(char::is_lowercase);
    let is_shouting = text.contains('_') || inner_capital || text.ends_with("()");
    (is_name(text) && is_shouting) || is_path(text) || is_symbol_path(text)
}

/// Takes "in the tests", "under src/net" out of the words.
pub(crate) fn take_scope(words: Vec<Word>) -> (Vec<Word>, Within) {
    let mut within = Within::default();
    let mut kept: Vec<Word> = Vec::with_capacity(words.len());
    let mut index = 0;
    while index < words.len() {
        let taken = if index == 0 { 0 } else { scope_at(&words[index..], &mut within) };
        if taken == 0 {
            kept.push(words[index].clone());
        }
        index += taken.max(1);
    }
    (kept, within)
}

const SCOPE_STARTS: &[&str] = &["in", "under", "inside", "within", "below", "from", "across"];

/// How many words name a part of the tree, at the start of these words.
fn scope_at(words: &[Word], within: &mut Within) -> usize {
    let [start, rest @ ..] = words else { return 0 };
    if start.quoted || !SCOPE_STARTS.contains(&start.lower.as_str()) {
        return 0;
    }
    let article = rest.first().filter(|word| ["the", "this", "our", "my", "all"].contains(&word.lower.as_str())).map_or(0, |_| 1);
    let kind = rest
        .get(article)
        .filter(|word| ["folder", "directory", "file", "crate", "module", "package"].contains(&word.lower.as_str()))
        .map_or(0, |_| 1);
    let Some(word) = rest.get(article + kind) else { return 0 };
    let taken = 1 + article + kind + 1;
    let noun = rest
        .get(article + kind + 1)
        .filter(|next| ["code", "files", "folder", "directory", "crate", "module", "package"].contains(&next.lower.as_str()))
        .map_or(0, |_| 1);
    if let Some((_, roles)) = ROLE_WORDS.iter().find(|(words, _)| words.contains(&word.lower.as_str())) {
        within.roles.extend(*roles);
        return taken + noun;
    }
    if is_path(&word.text) || (kind + noun > 0 && start.lower != "from" && is_name(&word.text)) {
        within.folders.push(word.text.trim_matches('/').to_owned());
        return taken + noun;
    }
    if PROJECT.contains(&word.lower.as_str()) && article + kind > 0 {
        return taken + noun;
    }
    0
}

type RoleWords = (&'static [&'static str], &'static [FileRole]);

const ROLE_WORDS: &[RoleWords] = &[
    (&["tests", "test", "testing"], &[FileRole::Test, FileRole::Fixture]),
    (&["docs", "documentation", "readme"], &[FileRole::Documentation]),
    (&["examples", "example"], &[FileRole::Example]),
    (&["benchmarks", "benches"], &[FileRole::Bench]),
    (&["headers"], &[FileRole::Header]),
    (&["sources", "source"], &[FileRole::Source, FileRole::Header]),
];
