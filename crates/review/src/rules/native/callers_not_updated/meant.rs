//! Whether a call means a function: by the text before its name, and by the imports of its file.

use super::{Function, own};
use crate::rules::callers::CallSite;
use crate::rules::side::SideText;

/// Words for the object or the type that code is in.
const SELVES: [&str; 7] = ["self", "this", "cls", "Self", "static", "$this", "class"];
/// Languages in which a method of the same type is called without a receiver.
const BARE_METHODS: [&str; 3] = ["Java", "C#", "Ruby"];
/// Languages in which a type may inherit a missing member from one that is not in the repository.
const OPEN_TYPES: [&str; 5] = ["Python", "Ruby", "PHP", "TypeScript", "TSX"];

/// Words before a name that is defined there.
const DEFINING: [&str; 4] = ["def ", "fn ", "func ", "function "];

/// Returns the places of a name as a whole word.
pub(super) fn whole_words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |at| {
            !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        })
}

/// Returns the end of the name in a call that means a function; `None` if the call may mean another
/// one.
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
        // The definition has the name before a bracket, too.
        if is_definition(before) {
            return false;
        }
        match (function.owner.as_deref(), receiver(before)) {
            (None, None) => is_reached(call, function, head),
            (None, Some(receiver)) => is_module(receiver, &head.path),
            // A constructor is called by the name of its type: `new Store(x)`.
            (Some(_), None) if function.is_constructor => is_made(before),
            (Some(owner), None) => {
                BARE_METHODS.contains(&language) && is_inside(owner) && !is_made(before)
            }
            // An instance method that is called on its type, `Store.get(s, x)`, takes its object as
            // a further argument, which is not counted.
            (Some(owner), Some(receiver)) if receiver == owner => {
                !function.is_constructor && !is_instance(function, head)
            }
            (Some(owner), Some(receiver)) => {
                SELVES.contains(&receiver) && is_inside(owner)
                    || language == "Go" && own::is_object(call, receiver, owner, head, functions)
            }
        }
    };
    let mut called = whole_words(line, &function.name)
        .filter(|at| line[at + function.name.len()..].starts_with('('));
    let at = called.find(|at| is_meant(*at))?;
    Some(at + function.name.len())
}

/// Reports whether a call without a receiver can mean a function: in Go from the same folder, which
/// is the package; in C from the same file if the function is static; in Rust from below the module
/// of a private one.
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

/// Returns the folder of the modules below a file of Rust: `src/a/` for both `src/a.rs` and
/// `src/a/mod.rs`.
fn module_folder(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let is_top = matches!(stem, "mod" | "lib" | "main");
    let own = if is_top { "" } else { stem };
    let parts = [folder, own].into_iter().filter(|part| !part.is_empty());
    parts.map(|part| format!("{part}/")).collect()
}

/// Reports whether a call is in a method of a type.
fn is_inside(call: &CallSite, owner: &str, head: &SideText, functions: &[Function]) -> bool {
    let is_around = |one: &Function| {
        let lines = head.line_of(one.item.start)..=head.line_of(one.item.end);
        one.owner.as_deref() == Some(owner) && lines.contains(&call.line)
    };
    call.path == head.path && functions.iter().any(is_around)
}

/// Reports whether a call surely means a function that is gone: its file imports the name or names
/// its module or type, or it is within a type that gets nothing from elsewhere.
pub(super) fn still_means(
    call: &CallSite,
    function: &Function,
    (base, head): (&SideText, &SideText),
    functions: &[Function],
) -> bool {
    let line = call.text.lines().next().unwrap_or_default();
    let is_meant = |at: usize| {
        let before = &line[..at];
        !is_definition(before)
            && !is_made(before)
            && means(call, function, (base, head), functions, receiver(before))
    };
    let mut called = whole_words(line, &function.name)
        .filter(|at| line[at + function.name.len()..].starts_with('('));
    called.any(is_meant)
}

/// Reports whether a call with a receiver, or a bare one, surely means a function that is gone.
fn means(
    call: &CallSite,
    function: &Function,
    (base, head): (&SideText, &SideText),
    functions: &[Function],
    receiver: Option<&str>,
) -> bool {
    let language = head.language.map_or("", |language| language.name);
    let is_same_folder = folder(&call.path) == folder(&head.path);
    let is_brought = |name: &str| call.brings.contains(name);
    let is_closed = |owner: &str| own::is_closed(function, owner, base, head);
    match (function.owner.as_deref(), receiver) {
        (None, None) => is_seen(call, function, head),
        (None, Some(receiver)) => {
            let is_known = is_brought(receiver) || ["crate", "super"].contains(&receiver);
            is_module(receiver, &head.path) && is_known
        }
        (Some(owner), Some(receiver)) if language == "Go" => {
            own::is_object(call, receiver, owner, head, functions) && is_closed(owner)
        }
        (Some(owner), Some("self" | "this")) => {
            is_inside(call, owner, head, functions) && is_closed(owner)
        }
        (Some(owner), Some(receiver)) => {
            let is_near = is_same_folder || is_brought(owner);
            receiver == owner
                && is_near
                && !OPEN_TYPES.contains(&language)
                && !function.is_constructor
        }
        // A bare call in a type may mean an inherited method of the same name, unless nothing
        // can be inherited.
        (Some(owner), None) => {
            BARE_METHODS.contains(&language)
                && !function.is_constructor
                && is_inside(call, owner, head, functions)
                && is_closed(owner)
        }
    }
}

/// Reports whether a bare call of a function of no type sees this one.
fn is_seen(call: &CallSite, function: &Function, head: &SideText) -> bool {
    let language = head.language.map_or("", |language| language.name);
    call.path == head.path
        // C has no modules, so a name means the same in every file.
        || language == "C"
        || language == "Go" && folder(&call.path) == folder(&head.path)
        || call.brings.contains(&function.name)
}

/// Reports whether a method needs an object, which its type before the name does not give.
fn is_instance(function: &Function, head: &SideText) -> bool {
    function.takes_object && !is_of_class(function, head)
}

/// Reports whether a method of Python is a class method.
fn is_of_class(function: &Function, head: &SideText) -> bool {
    head.text[function.at.clone()].contains("(cls")
}

/// Returns the word before the dot or the colons in front of a name.
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

/// Reports whether a receiver is the module of a file: its name, its folder, or this crate.
fn is_module(receiver: &str, own: &str) -> bool {
    let name = own.rsplit('/').next().unwrap_or(own);
    let name = name.split('.').next().unwrap_or_default();
    let folder = own.rsplit('/').nth(1).unwrap_or_default();
    // `cache::load` is in `cache.rs` or in `cache/mod.rs`.
    !receiver.is_empty() && [name, folder, "crate", "super"].contains(&receiver)
}

fn is_definition(before: &str) -> bool {
    DEFINING.iter().any(|mark| before.ends_with(mark))
}

/// Reports whether the text before a name makes an object: `new`.
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
