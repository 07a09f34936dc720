//! Whether a call means a function: by the text before its name, and by the imports of its file.

use super::Function;
use crate::rules::callers::CallSite;
use crate::rules::side::SideText;

/// Words for the object or the type that code is in.
const SELVES: [&str; 7] = ["self", "this", "cls", "Self", "static", "$this", "class"];
/// Languages in which a method of the same type is called without a receiver.
const BARE_METHODS: [&str; 3] = ["Java", "C#", "Ruby"];
/// Languages in which what a type does not have may come from one above it that the repository does not hold.
const OPEN_TYPES: [&str; 5] = ["Python", "Ruby", "PHP", "TypeScript", "TSX"];

/// Words before a name that is defined there.
const DEFINING: [&str; 4] = ["def ", "fn ", "func ", "function "];

/// Where a name stands as a whole word.
pub(super) fn whole_words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |at| {
            !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        })
}

/// The end of the name in a call that means a function; `None` if the call may mean another one.
pub(super) fn call_of(
    call: &CallSite,
    function: &Function,
    head: &SideText,
    functions: &[Function],
) -> Option<usize> {
    let line = call.text.lines().next().unwrap_or_default();
    let language = head.language.map_or("", |language| language.name);
    let is_inside = |owner: &str| is_inside(call, owner, head, functions);
    let is_meant = |at: usize| {
        let before = &line[..at];
        if is_definition(before) {
            return false;
        }
        match (function.owner.as_deref(), receiver(before)) {
            (None, None) => is_reached(call, function, head),
            (None, Some(receiver)) => is_module(receiver, &head.path),
            (Some(_), None) if function.is_constructor => is_made(before),
            (Some(owner), None) => {
                BARE_METHODS.contains(&language) && is_inside(owner) && !is_made(before)
            }
            (Some(owner), Some(receiver)) if receiver == owner => {
                !function.is_constructor && !is_instance(function, head)
            }
            (Some(owner), Some(receiver)) => SELVES.contains(&receiver) && is_inside(owner),
        }
    };
    let mut called = whole_words(line, &function.name)
        .filter(|at| line[at + function.name.len()..].starts_with('('));
    let at = called.find(|at| is_meant(*at))?;
    Some(at + function.name.len())
}

/// Whether a call without a receiver can mean a function: in Go of the same folder, which is the package, in C of
/// the same file where the function is static, and in Rust beneath the module of a private one.
fn is_reached(call: &CallSite, function: &Function, head: &SideText) -> bool {
    if call.path == head.path {
        return true;
    }
    let before = &head.text[function.item.start..function.at.start];
    let has = |word: &str| whole_words(before, word).next().is_some();
    match head.language.map_or("", |language| language.name) {
        "Go" => folder(&call.path) == folder(&head.path),
        "C" | "C++" => !has("static"),
        "Rust" => has("pub") || call.path.starts_with(&module_folder(&head.path)),
        _ => true,
    }
}

/// Where the modules beneath a file of Rust are.
fn module_folder(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let is_top = matches!(stem, "mod" | "lib" | "main");
    let own = if is_top { "" } else { stem };
    let parts = [folder, own].into_iter().filter(|part| !part.is_empty());
    parts.map(|part| format!("{part}/")).collect()
}

/// Whether a call is in a method of a type.
fn is_inside(call: &CallSite, owner: &str, head: &SideText, functions: &[Function]) -> bool {
    let is_around = |one: &Function| {
        let lines = head.line_of(one.item.start)..=head.line_of(one.item.end);
        one.owner.as_deref() == Some(owner) && lines.contains(&call.line)
    };
    call.path == head.path && functions.iter().any(is_around)
}

/// Whether a call surely means a function that is gone: its file brings the name in, or names its module or type.
pub(super) fn still_means(call: &CallSite, function: &Function, head: &SideText) -> bool {
    let line = call.text.lines().next().unwrap_or_default();
    let language = head.language.map_or("", |language| language.name);
    let is_same_file = call.path == head.path;
    let is_same_folder = folder(&call.path) == folder(&head.path);
    let is_brought = |name: &str| call.brings.contains(name);
    let is_meant = |at: usize| {
        let before = &line[..at];
        if is_definition(before) || is_made(before) {
            return false;
        }
        match (function.owner.as_deref(), receiver(before)) {
            (None, None) => {
                is_same_file
                    || language == "C"
                    || language == "Go" && is_same_folder
                    || is_brought(&function.name)
            }
            (None, Some(receiver)) => {
                let is_known = is_brought(receiver) || ["crate", "super"].contains(&receiver);
                is_module(receiver, &head.path) && is_known
            }
            (Some(owner), Some(receiver)) => {
                let is_near = is_same_folder || is_brought(owner);
                receiver == owner
                    && is_near
                    && !OPEN_TYPES.contains(&language)
                    && !function.is_constructor
            }
            (Some(_), None) => false,
        }
    };
    let mut called = whole_words(line, &function.name)
        .filter(|at| line[at + function.name.len()..].starts_with('('));
    called.any(is_meant)
}

/// Whether a method needs an object, which its type before the name does not give.
fn is_instance(function: &Function, head: &SideText) -> bool {
    function.takes_object && !is_of_class(function, head)
}

/// Whether a method of Python is one of its class.
fn is_of_class(function: &Function, head: &SideText) -> bool {
    head.text[function.at.clone()].contains("(cls")
}

/// The word before the dot or the colons before a name.
fn receiver(before: &str) -> Option<&str> {
    let rest = ["?.", ".", "::", "?->", "->"]
        .iter()
        .find_map(|mark| before.strip_suffix(mark))?;
    let start = rest
        .rfind(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$'))
        .map_or(0, |at| {
            at + rest[at..].chars().next().map_or(1, char::len_utf8)
        });
    Some(&rest[start..])
}

/// Whether a receiver is the module of a file: its name, its folder, or this crate.
fn is_module(receiver: &str, own: &str) -> bool {
    let name = own.rsplit('/').next().unwrap_or(own);
    let name = name.split('.').next().unwrap_or_default();
    let folder = own.rsplit('/').nth(1).unwrap_or_default();
    !receiver.is_empty() && [name, folder, "crate", "super"].contains(&receiver)
}

fn is_definition(before: &str) -> bool {
    DEFINING.iter().any(|mark| before.ends_with(mark))
}

/// Whether an object is made there.
fn is_made(before: &str) -> bool {
    before.trim_end().ends_with("new")
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_may_belong_to_something_else() {
        assert_eq!((receiver("x = "), receiver("x = a.")), (None, Some("a")));
        assert_eq!(receiver("$this->"), Some("$this"));
        assert_eq!(receiver("crate::a::"), Some("a"));
        assert_eq!(receiver("f(x)."), Some(""));
        assert!(
            is_module("a", "src/a.py")
                && !is_module("other", "src/a.py")
                && !is_module("", "src/a.py")
        );
        assert!(is_definition("def ") && is_made("x = new "));
        assert_eq!(
            (module_folder("src/a.rs"), module_folder("src/a/mod.rs")),
            ("src/a/".to_owned(), "src/a/".to_owned())
        );
        assert_eq!(
            whole_words("load(x); reload(y)", "load").collect::<Vec<_>>(),
            [0]
        );
    }
}
