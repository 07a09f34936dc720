//! Whether a call on an object, or in a type, means a method of that very type: by the text of the
//! function around the call and of the type. Takes the call and the definitions of its file, and
//! answers no in doubt. It reads no other file.

use super::meant::whole_words;
use super::{Function, SideText};
use crate::rules::callers::CallSite;

/// Words for a type that gets members from elsewhere, or makes them while it runs, by language.
const OPENINGS: &[(&str, &[&str])] = &[
    (
        "Python",
        &[
            "__getattr__",
            "__getattribute__",
            "setattr",
            "exec",
            "metaclass",
        ],
    ),
    (
        "Ruby",
        &[
            "include",
            "extend",
            "prepend",
            "method_missing",
            "define_method",
            "instance_eval",
            "class_eval",
            "module_eval",
            "refine",
            "delegate",
            "def_delegators",
            "def_delegator",
            "alias",
            "alias_method",
            "attr_reader",
            "attr_writer",
            "attr_accessor",
        ],
    ),
    ("C#", &["partial"]),
];

/// Reports whether a call in Go is on an object of a type: its function names the receiver as a
/// parameter of this type, and gives the name no other value.
pub(super) fn is_object(
    call: &CallSite,
    receiver: &str,
    owner: &str,
    head: &SideText,
    functions: &[Function],
) -> bool {
    if call.path != head.path || receiver.is_empty() {
        return false;
    }
    let around = functions.iter().filter(|one| {
        let lines = head.line_of(one.item.start)..=head.line_of(one.item.end);
        lines.contains(&call.line)
    });
    let Some(function) = around.min_by_key(|one| one.item.len()) else {
        return false;
    };
    let text = &head.text[function.item.clone()];
    let heading = &head.text[function.item.start..function.at.end];
    let is_named = whole_words(heading, receiver).any(|at| {
        let behind = &heading[at + receiver.len()..];
        let name = behind.trim_start_matches([' ', '*']);
        behind.starts_with(' ') && whole_words(name, owner).next() == Some(0)
    });
    // `v := other` or `for v := range` makes another object of the name.
    let is_set = |line: &str| {
        let targets = line.split_once(":=").map(|(targets, _)| targets);
        targets.is_some_and(|targets| whole_words(targets, receiver).next().is_some())
    };
    let mut inner = text.match_indices("func(").map(|(at, _)| &text[at..]);
    let is_parameter = |inner: &str| {
        let inside = inner.split(')').next().unwrap_or_default();
        whole_words(inside, receiver).next().is_some()
    };
    is_named && !text.lines().any(is_set) && !inner.any(is_parameter)
}

/// Reports whether a method that is gone cannot come to its type from elsewhere: the method was
/// private, or the type has no base and makes no members itself.
pub(super) fn is_closed(
    function: &Function,
    owner: &str,
    base: &SideText,
    head: &SideText,
) -> bool {
    let language = head.language.map_or("", |language| language.name);
    let openings = OPENINGS.iter().find(|(name, _)| *name == language);
    let has_opening = openings.is_some_and(|(_, words)| {
        let mut words = words.iter();
        words.any(|word| whole_words(&head.text, word).next().is_some())
    });
    if has_opening {
        return false;
    }
    match language {
        "Go" => has_no_embedded(&head.text, owner),
        "Java" => has_word(before(function, base), "private"),
        "C#" => is_private(before(function, base)),
        // Another place of the name may be a value of the object or an alias.
        "Python" => has_no_base(&head.text, owner) && is_only_called(head, &function.name, "self."),
        "Ruby" => has_no_base(&head.text, owner) && is_only_called(head, &function.name, ""),
        _ => false,
    }
}

/// Returns the text of a function before its name.
fn before<'t>(function: &Function, base: &'t SideText) -> &'t str {
    &base.text[function.item.start..function.at.start]
}

fn has_word(text: &str, word: &str) -> bool {
    whole_words(text, word).next().is_some()
}

/// Reports whether a method of C# is private, which is what it is without a word.
fn is_private(before: &str) -> bool {
    let others = [
        "public",
        "protected",
        "internal",
        "override",
        "virtual",
        "abstract",
        "partial",
    ];
    // An explicit implementation of an interface has the name of it before its own.
    !others.iter().any(|word| has_word(before, word)) && !before.ends_with('.')
}

/// Reports whether every place of a name is a call of it, on the object where a language asks for
/// one.
fn is_only_called(head: &SideText, name: &str, object: &str) -> bool {
    whole_words(&head.text, name).all(|at| {
        head.text[..at].ends_with(object) && head.text[at + name.len()..].starts_with('(')
    })
}

/// Reports whether a class or a module is written once in a file, without a base.
fn has_no_base(text: &str, owner: &str) -> bool {
    let mut heads = text.lines().map(str::trim).filter(|line| {
        let words = ["class ", "module "];
        let name = words.iter().find_map(|word| line.strip_prefix(word));
        name.is_some_and(|name| whole_words(name, owner).next() == Some(0))
    });
    let Some(line) = heads.next() else {
        return false;
    };
    heads.next().is_none() && !line.contains(['(', '<'])
}

/// Reports whether a type of Go is a structure of this file that embeds no other type.
fn has_no_embedded(text: &str, owner: &str) -> bool {
    let head = format!("type {owner} struct {{\n");
    let Some((_, behind)) = text.split_once(&head) else {
        return false;
    };
    let Some((body, _)) = behind.split_once("\n}") else {
        return behind.starts_with('}');
    };
    body.lines().map(str::trim).all(|line| {
        // A field has a name and a type; an embedded type is alone, or has a tag.
        let mut words = line.split_whitespace();
        let is_comment = line.starts_with("//");
        let is_one =
            words.next().is_some() && words.next().is_none_or(|next| next.starts_with(['`', '/']));
        is_comment || line.starts_with('}') || !is_one
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_may_get_methods_from_elsewhere() {
        let fields = "type Store struct {\n\t// Path.\n\tpath string\n\n\tnames []string\n}\n";
        assert!(has_no_embedded(fields, "Store") && !has_no_embedded(fields, "Other"));
        assert!(!has_no_embedded(
            "type Store struct {\n\tsync.Mutex\n}\n",
            "Store"
        ));
        assert!(!has_no_embedded(
            "type Store struct {\n\t*Base // all of it\n}\n",
            "Store"
        ));
        assert!(has_no_base("class Store:\n", "Store") && has_no_base("  module Store\n", "Store"));
        assert!(!has_no_base("class Store(Base):\n", "Store"));
        assert!(!has_no_base("class Store < Base\n", "Store"));
        assert!(
            is_private("static void ")
                && !is_private("public void ")
                && !is_private("void IStore.")
        );
    }
}
