//! Modifiers of a definition, such as `async` or `abstract`, as its head and what is around it tell.
//!
//! Takes a word that people write before a kind ("an abstract class") and a definition. Returns
//! `None` if the language writes no such word, or if the head does not settle it.

use grounds_evidence::SymbolKind;
use grounds_repo::path::file_name;

use crate::code::{Definition, whole_words};

/// The words of a sentence that may stand before a kind, as alternatives of an expression.
pub(super) const WORDS: &str = concat!(
    "public|private|protected|internal|exported|abstract|final|sealed|open|static|instance|async|",
    "asynchronous|non-async|synchronous|generic|small|simple|thin|plain|free|top-level|module-level"
);

/// Families of languages by the modifiers that they write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    CSharp,
    Java,
    JavaScript,
    Kotlin,
    Php,
    Python,
    Rust,
    TypeScript,
    Other,
}

fn family(one: &Definition) -> Family {
    let ending = file_name(&one.path)
        .rsplit_once('.')
        .map_or("", |(_, ending)| ending);
    match ending {
        "cs" => Family::CSharp,
        "java" => Family::Java,
        "js" | "mjs" | "cjs" | "jsx" => Family::JavaScript,
        "kt" | "kts" => Family::Kotlin,
        "php" => Family::Php,
        "py" | "pyi" => Family::Python,
        "rs" => Family::Rust,
        "ts" | "tsx" | "mts" | "cts" => Family::TypeScript,
        _ => Family::Other,
    }
}

/// Reports whether a definition is what a word says, or `None` if its text does not tell.
pub(super) fn fits(word: &str, one: &Definition) -> Option<bool> {
    match word {
        // People call a function plain that is not awaited.
        "plain" if is_function(one) => Some(is_async(one) != Some(true)),
        "small" | "simple" | "thin" | "plain" => Some(true),
        "free" | "top-level" | "module-level" => one.owners.is_empty().then_some(true),
        "async" | "asynchronous" => is_async(one),
        "non-async" | "synchronous" => is_async(one).map(|is_async| !is_async),
        "abstract" => is_abstract(one),
        "static" => is_static(one),
        "instance" => is_static(one).map(|is_static| !is_static),
        "final" => is_final(one),
        "sealed" | "open" => is_written(one, word, &[Family::CSharp, Family::Java, Family::Kotlin]),
        "generic" => head_has(one, &['<', '[']).then_some(true),
        _ => is_visible(word, one),
    }
}

/// Returns the words of a head before the name that it defines.
fn before_name(one: &Definition) -> &str {
    let at = whole_words(&one.head, &one.name).next();
    at.map_or("", |at| &one.head[..at.start])
}

fn writes(one: &Definition, word: &str) -> bool {
    whole_words(before_name(one), word).next().is_some()
}

fn head_has(one: &Definition, letters: &[char]) -> bool {
    let rest = one
        .head
        .split_once(&one.name)
        .map_or("", |(_, after)| after);
    rest.trim_start().starts_with(letters)
}

const fn is_function(one: &Definition) -> bool {
    matches!(one.kind, SymbolKind::Function | SymbolKind::Method)
}

/// Reports whether a class writes a modifier, for the languages that have it.
fn is_written(one: &Definition, word: &str, languages: &[Family]) -> Option<bool> {
    if writes(one, word) {
        return Some(true);
    }
    let is_class = matches!(one.kind, SymbolKind::Class);
    (is_class && languages.contains(&family(one))).then_some(false)
}

fn is_async(one: &Definition) -> Option<bool> {
    if writes(one, "async") || writes(one, "suspend") {
        return Some(true);
    }
    // `send = async () => …` has the word after its name.
    let after = one
        .text
        .split_once(&one.name)
        .map_or("", |(_, after)| after);
    let mut words = after
        .trim_start_matches([' ', '=', ':', '('])
        .split_whitespace();
    if words.next() == Some("async") {
        return Some(true);
    }
    // A function that returns what is awaited is called so too.
    let awaited = [
        "Promise",
        "Task",
        "Future",
        "Awaitable",
        "Coroutine",
        "Generator",
    ];
    let may_be = awaited.iter().any(|word| one.text.contains(word));
    let tells = !matches!(family(one), Family::Other | Family::Java | Family::Php);
    (tells && !may_be && is_function(one)).then_some(false)
}

fn is_abstract(one: &Definition) -> Option<bool> {
    if writes(one, "abstract") {
        return Some(true);
    }
    match family(one) {
        Family::Python if one.text.contains("abstract") || one.head.contains("ABC") => Some(true),
        Family::Java | Family::CSharp | Family::Php | Family::TypeScript | Family::Kotlin => {
            // A member of an interface has no body, and its head does not say so.
            let is_sure = matches!(one.kind, SymbolKind::Class) && !writes(one, "sealed");
            is_sure.then_some(false)
        }
        _ => None,
    }
}

fn is_static(one: &Definition) -> Option<bool> {
    let of_python = |word| one.about.contains(word);
    match family(one) {
        Family::Python if is_function(one) && !one.owners.is_empty() => {
            let is_of_class = of_python("@classmethod") || one.name == "__new__";
            (!is_of_class).then(|| of_python("@staticmethod"))
        }
        Family::Java | Family::CSharp | Family::Php | Family::TypeScript | Family::JavaScript => {
            let is_member = is_function(one) && !one.owners.is_empty();
            // A class inside of an interface is static without the word.
            let is_outer = matches!(one.kind, SymbolKind::Class);
            let is_static = writes(one, "static");
            (is_static || is_member || is_outer).then_some(is_static)
        }
        _ => None,
    }
}

fn is_final(one: &Definition) -> Option<bool> {
    if writes(one, "final") || (family(one) == Family::CSharp && writes(one, "sealed")) {
        return Some(true);
    }
    let is_class = matches!(one.kind, SymbolKind::Class);
    let is_record = writes(one, "record") || writes(one, "enum");
    match family(one) {
        Family::Java | Family::Php if is_class && !is_record => Some(false),
        Family::Kotlin if is_class => {
            let is_open = ["open", "abstract", "sealed"]
                .iter()
                .any(|word| writes(one, word));
            Some(!is_open)
        }
        Family::Python if one.about.contains("@final") => Some(true),
        _ => None,
    }
}

/// Reports whether a definition has a visibility.
pub(super) fn is_visible(word: &str, one: &Definition) -> Option<bool> {
    const WRITTEN: [&str; 4] = ["public", "private", "protected", "internal"];
    let has_words = matches!(family(one), Family::Java | Family::CSharp | Family::Kotlin);
    let mut written = WRITTEN.iter().filter(|word| writes(one, word));
    match (written.next(), written.next(), has_words) {
        (Some(only), None, true) => {
            return Some(*only == if word == "exported" { "public" } else { word });
        }
        (Some(_), Some(_), true) => return None,
        // A type of C# without a word is internal.
        (None, _, true) if word == "private" && family(one) == Family::CSharp && one.is_type() => {
            return None;
        }
        // Without a word, members of Java are seen in their package only.
        (None, _, true) if family(one) == Family::Java && one.is_public == Some(false) => {
            return Some(false);
        }
        _ => {}
    }
    match word {
        "public" | "exported" => one.is_public,
        // `internal` and `protected` say more than that other code does not see it.
        "private" | "unexported" => one.is_public.map(|is_public| !is_public),
        _ => (one.is_public == Some(true)).then_some(false),
    }
}
