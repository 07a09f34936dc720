//! Lua. A module is a table whose fields hold functions, so an assignment of a function defines.
//! Other values define only as locals of the file.

use grounds_evidence::SymbolKind as Kind;
use tree_sitter::Node;

use crate::language::Gives::{Binds, Calls, Defines, Imports, References, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::Lexicon;

pub(super) static LUA: Language = Language {
    name: "Lua",
    extensions: &["lua", "rockspec"],
    file_names: &[],
    interpreters: &["lua", "luajit", "luau"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_lua::LANGUAGE.into(),
        rules: RULES,
        containers: &[],
        members_define: true,
        local_scopes: &[],
        comments: &["comment"],
        strings: &["string"],
        interpolations: &[],
        imports: &[],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[("function", Kind::Function)],
        importers: &["require"],
        line_comments: &["--"],
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("function_declaration", "name", Defines(Kind::Function)),
    rule("dot_index_expression", "field", Through),
    rule("method_index_expression", "method", Through),
    rule("variable_list", "name", Through),
    rule("assignment_statement", "", References),
    rule("variable_declaration", "", Binds(Kind::Variable)),
    rule("for_generic_clause", "", Binds(Kind::Variable)),
    rule("for_numeric_clause", "name", Binds(Kind::Variable)),
    rule("parameters", "name", Binds(Kind::Parameter)),
    rule("field", "name", References),
    rule("label_statement", "", Defines(Kind::Label)),
    rule("function_call", "name", Calls),
];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let in_function = climb.inside(&["function_declaration", "function_definition"]);
    match climb.parent().kind() {
        // With a colon, the function gets `self`.
        "function_declaration" if climb.passed("method_index_expression") => Defines(Kind::Method),
        "assignment_statement" if climb.passed("variable_list") => assigned(climb, in_function),
        "variable_declaration" if !in_function && climb.passed("variable_list") => {
            Defines(Kind::Variable)
        }
        "for_generic_clause" if !climb.passed("variable_list") => References,
        "field" if climb.child().id() == climb.name().id() && holds_function(climb) => {
            Defines(Kind::Function)
        }
        _ => gives,
    }
}

/// Decides an assignment by the value that the name gets.
fn assigned(climb: &Climb<'_, '_>, in_function: bool) -> Gives {
    let names = climb.child();
    // In `a, b = f, g`, each name gets the value at its own place.
    let index = (0..names.named_child_count()).find(|&at| {
        names
            .named_child(at as u32)
            .is_some_and(|name| holds(name, climb.name()))
    });
    let values = climb.parent().named_child(1);
    let value = index
        .zip(values)
        .and_then(|(at, values)| values.named_child(at as u32));
    let is_local = climb.grandparent_kind() == Some("variable_declaration");
    match value.is_some_and(is_function) {
        true => Defines(Kind::Function),
        _ if !is_local => References,
        _ if in_function => Binds(Kind::Variable),
        // A `local` at the top of a file that requires a module is its import.
        _ if value.is_some_and(|value| climb.text(value).starts_with(b"require")) => Imports,
        _ => Defines(Kind::Variable),
    }
}

/// Reports whether a value is a function, or the call of one that wraps it (`M.f = once(function()
/// … end)`).
fn is_function(value: Node<'_>) -> bool {
    let wraps = |arguments: Node<'_>| {
        arguments
            .named_children(&mut arguments.walk())
            .any(|argument| argument.kind() == "function_definition")
    };
    let is_call = value.kind() == "function_call"
        && value
            .child_by_field_name("name")
            .is_some_and(|name| name.kind() == "identifier");
    value.kind() == "function_definition"
        || is_call && value.child_by_field_name("arguments").is_some_and(wraps)
}

fn holds(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.byte_range().contains(&inner.start_byte())
}

/// Reports whether a field of a table contains a function, wherever the table is used: as a module,
/// a class or an argument.
fn holds_function(climb: &Climb<'_, '_>) -> bool {
    climb
        .parent()
        .child_by_field_name("value")
        .is_some_and(|value| value.kind() == "function_definition")
}
