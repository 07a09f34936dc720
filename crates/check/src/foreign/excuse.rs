//! Why a claim that does not hold accuses nobody after all: what the examples of a document make.

use std::collections::BTreeSet;

use super::Foreign;
use super::is_name;
use crate::claim::{Claim, Kind};
use crate::mention::Context;

impl Foreign {
    /// Why a claim that does not hold accuses nobody after all.
    pub fn excuse(&self, claim: &Claim) -> Option<&'static str> {
        let is_fence = matches!(claim.context, Context::Fence(_));
        let is_path = matches!(claim.kind, Kind::Path | Kind::Line);
        let is_template = claim.kind == Kind::Path && is_fence && claim.around.contains("{%");
        match () {
            () if is_template => Some("a path of the reader's template"),
            () if is_diagram(claim) => Some("a node of a diagram"),
            () if is_path && self.captions.contains(&claim.name) => Some("a file of the example"),
            () if is_path && is_fence && is_passed_to(claim, &self.own) => {
                Some("a file of the reader, given to the program")
            }
            () if claim.kind == Kind::Symbol && self.is_of_example(claim) => {
                Some("a name of the example")
            }
            () if claim.kind == Kind::Symbol && is_fence && self.passed.contains(&claim.name) => {
                Some("a name that the example gives to a macro")
            }
            () if is_placeholder(claim) => Some("a placeholder"),
            () if is_fence && self.is_member_of_example(claim) => Some("a name of the example"),
            () if claim.kind == Kind::Variable && is_fence && is_expanded(claim) => {
                Some("a variable of the reader's shell")
            }
            () => None,
        }
    }

    /// Whether a name is one of a type that the example makes.
    fn is_member_of_example(&self, claim: &Claim) -> bool {
        claim.owners.last().is_some_and(|owner| {
            owner.starts_with(char::is_uppercase) && self.made_here.contains(owner)
        })
    }

    /// Whether an example uses a small name alone without bringing it in, where the language asks
    /// for that. An argument, a key and a member are somebody's interface.
    fn is_of_example(&self, claim: &Claim) -> bool {
        let Context::Fence(language) = &claim.context else {
            return false;
        };
        let languages = [
            "cmake",
            "meson",
            "python",
            "py",
            "pycon",
            "js",
            "javascript",
            "ts",
            "typescript",
            "jsx",
            "tsx",
            "mjs",
        ];
        let is_small = claim.name.starts_with(char::is_lowercase) && claim.owners.is_empty();
        let is_interface = [
            format!("{}=", claim.name),
            format!("{}:", claim.name),
            format!("{}?:", claim.name),
            format!(".{}", claim.name),
            format!("@{}", claim.name),
        ]
        .iter()
        .any(|form| claim.around.contains(form));
        is_small
            && languages.contains(&language.as_str())
            && !is_interface
            && !self.brought.contains(&claim.name)
    }
}

/// Whether a name is written in brackets for what is put in: `[name text]`, `{name}`.
fn is_placeholder(claim: &Claim) -> bool {
    let has = |open: &str, close: &str| {
        claim
            .around
            .contains(&format!("{open}{}{close}", claim.name))
    };
    let is_put_in = has("[", " ") && claim.context == Context::Span;
    claim.kind == Kind::Symbol && (is_put_in || has("[", ": ") || has("_{", "}") || has("{", "}_"))
}

/// Whether a claim is part of a diagram that is written as text.
fn is_diagram(claim: &Claim) -> bool {
    let languages = [
        "mermaid", "dot", "graphviz", "plantuml", "puml", "d2", "ditaa",
    ];
    matches!(&claim.context, Context::Fence(language) if languages.contains(&language.as_str()))
}

/// The path that a line of an example names in a comment of its own: `// test/setup.js`.
pub(super) fn caption(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = ["//", "#", "--", "/*", "<!--", ";", "%"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))?;
    let rest = rest.trim_end_matches("*/").trim_end_matches("-->");
    let path = rest.trim().trim_start_matches("./").trim_end_matches(':');
    let is_path = path.contains('.') && !path.contains(char::is_whitespace);
    is_path.then_some(path)
}

/// The name that a line of an example declares with a type or a rule: `id?: number;`, `sum: a "+" b`.
pub(super) fn declared<'l>(line: &'l str, language: &str) -> Option<&'l str> {
    let (left, right) = line.trim().split_once(':')?;
    let name = left.trim_start_matches("readonly ").trim_end_matches('?');
    let is_field = language.starts_with("ts") || language == "typescript";
    let is_rule = matches!(language, "" | "text" | "ebnf" | "bnf" | "grammar");
    let is_declared = (is_field && right.ends_with(';'))
        || (is_rule && (right.contains('"') || right.contains(" | ")));
    (is_declared && !name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// The names that a line passes to a macro in capitals: `TEST(Suite, Case)`.
pub(super) fn passed(line: &str) -> impl Iterator<Item = &str> {
    let call = line.split_once('(').filter(|(before, _)| {
        let name = before.trim_start();
        name.len() > 2
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    call.into_iter()
        .flat_map(|(_, rest)| rest.split(','))
        .map(|part| part.trim_matches([' ', '(', ')', ';', '{', '}']))
        .filter(|part| !part.is_empty() && part.chars().all(is_name))
}

/// Whether a path stands on a line of a shell behind a program of the project, which the reader
/// runs on files of his own.
fn is_passed_to(claim: &Claim, own: &BTreeSet<String>) -> bool {
    let line = claim
        .around
        .trim_start()
        .trim_start_matches(['$', '>', '%', ' ']);
    let mut words = line.split_whitespace();
    words
        .find(|word| !matches!(*word, "npx" | "sudo") && !word.contains('='))
        .is_some_and(|program| own.contains(program) && !program.contains(&claim.name))
}

/// Whether a line of an example has a variable as a shell puts in its value.
fn is_expanded(claim: &Claim) -> bool {
    ["$", "${"]
        .iter()
        .any(|mark| claim.around.contains(&format!("{mark}{}", claim.name)))
}
