//! JavaScript. A name is defined by an assignment or a pair of an object as often as by a
//! declaration. The kind of the value decides.

use grounds_evidence::SymbolKind as Kind;
use tree_sitter::Node;

use crate::language::Gives::{
    Binds, Calls, Defines, DefinesUnlessLocal, Imports, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, join, rule};
use crate::lexical::Lexicon;

pub(super) static JAVASCRIPT: Language = Language {
    name: "JavaScript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &[],
    interpreters: &["node", "nodejs"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_javascript::LANGUAGE.into(),
        rules: &RULES,
        containers: &[],
        members_define: true,
        local_scopes: LOCAL_SCOPES,
        comments: COMMENTS,
        strings: &["string", "template_string", "regex", "jsx_text"],
        interpolations: &["template_substitution"],
        imports: &["import_statement"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("function", Kind::Function),
            ("class", Kind::Class),
            ("const", Kind::Constant),
            ("let", Kind::Variable),
            ("var", Kind::Variable),
        ],
        importers: &["import"],
        line_comments: &["//"],
        name_bytes: b"$",
        ..Lexicon::NONE
    },
};

/// Nodes whose content is local, in JavaScript and TypeScript.
pub(super) const LOCAL_SCOPES: &[&str] = &[
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
    "class_static_block",
    "for_statement",
    "for_in_statement",
];
/// Nodes that are comments, in both.
pub(super) const COMMENTS: &[&str] = &["comment", "html_comment", "hash_bang_line"];

const RULES: [Rule; 29] = join(
    &SHARED_RULES,
    &[
        rule("field_definition", "property", Defines(Kind::Field)),
        rule("class_heritage", "", Inherits),
    ],
);

/// The rules that JavaScript and TypeScript share.
pub(super) const SHARED_RULES: [Rule; 27] = [
    rule("function_declaration", "name", Defines(Kind::Function)),
    rule(
        "generator_function_declaration",
        "name",
        Defines(Kind::Function),
    ),
    rule("function_expression", "name", Binds(Kind::Function)),
    rule("generator_function", "name", Binds(Kind::Function)),
    rule("class_declaration", "name", Defines(Kind::Class)),
    rule("class", "name", Binds(Kind::Class)),
    rule("method_definition", "name", Defines(Kind::Method)),
    rule(
        "variable_declarator",
        "name",
        DefinesUnlessLocal(Kind::Variable),
    ),
    rule("assignment_expression", "left", Defines(Kind::Method)),
    rule("member_expression", "property", Through),
    rule("pair", "key", Defines(Kind::Method)),
    rule("object_pattern", "", Through),
    rule("array_pattern", "", Through),
    rule("rest_pattern", "", Through),
    rule("pair_pattern", "value", Through),
    rule("assignment_pattern", "left", Through),
    rule("object_assignment_pattern", "left", Through),
    rule("formal_parameters", "", Binds(Kind::Parameter)),
    rule("arrow_function", "parameter", Binds(Kind::Parameter)),
    rule("catch_clause", "parameter", Binds(Kind::Variable)),
    rule("for_in_statement", "left", Binds(Kind::Variable)),
    rule("labeled_statement", "label", Binds(Kind::Label)),
    rule("call_expression", "function", Calls),
    rule("new_expression", "constructor", Calls),
    rule("decorator", "", Calls),
    rule("parenthesized_expression", "", Tail),
    rule("sequence_expression", "", Tail),
];

const FUNCTIONS: [&str; 4] = [
    "function_expression",
    "arrow_function",
    "generator_function",
    "class",
];

pub(super) fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match climb.parent().kind() {
        "variable_declarator" => of_variable(climb, gives),
        "assignment_expression" if gives != References => of_assignment(climb),
        // A key of an object defines a name only if its value is a function or a class.
        "pair" if gives != References => {
            kind_of_function(climb, "value").map_or(References, |_| gives)
        }
        "field_definition" | "public_field_definition"
            if gives != References && kind_of_function(climb, "value").is_some() =>
        {
            Defines(Kind::Method)
        }
        "method_definition"
            if gives != References && climb.text(climb.name()) == b"constructor" =>
        {
            Defines(Kind::Constructor)
        }
        "function_expression" | "generator_function" | "class" if names_itself(climb) => {
            of_expression(gives)
        }
        // Without `const`, `let` or `var`, a loop assigns to a variable that exists.
        "for_in_statement" if climb.parent().child_by_field_name("kind").is_none() => References,
        _ => gives,
    }
}

fn of_expression(gives: Gives) -> Gives {
    if let Binds(kind) = gives {
        Defines(kind)
    } else {
        gives
    }
}

/// Reports whether no other place defines the name of an expression: `each(function name() {…})`,
/// `module.exports = function name() {…}`.
fn names_itself(climb: &Climb<'_, '_>) -> bool {
    let Some(around) = climb
        .at
        .checked_sub(1)
        .map(|index| climb.frames[index].node)
    else {
        return false;
    };
    let target = around
        .child_by_field_name("left")
        .or_else(|| around.child_by_field_name("key"));
    match around.kind() {
        "arguments" | "return_statement" => true,
        "assignment_expression" | "pair" => {
            // `exports.name = function name() {…}` defines the name on its left already.
            target.is_some_and(|node| !climb.text(node).ends_with(climb.text(climb.name())))
        }
        _ => false,
    }
}

fn of_variable(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let DefinesUnlessLocal(_) = gives else {
        return gives;
    };
    // In `const {a} = function () {…}`, the pattern binds members of the function.
    let is_whole = climb.frames.len() == climb.at + 2;
    match kind_of_function(climb, "value") {
        _ if requires(climb) => Imports,
        // A function inside a function is one, however it is written.
        Some(kind) if is_whole => Defines(kind),
        _ if is_constant(climb) => DefinesUnlessLocal(Kind::Constant),
        _ => gives,
    }
}

fn is_constant(climb: &Climb<'_, '_>) -> bool {
    let declaration = climb
        .at
        .checked_sub(1)
        .map(|index| climb.frames[index].node);
    declaration
        .and_then(|node| node.child_by_field_name("kind"))
        .is_some_and(|kind| kind.kind() == "const")
}

/// Reports whether a value imports: `require("x")`, `require("x").y` and `await import("x")`.
fn requires(climb: &Climb<'_, '_>) -> bool {
    let value = climb
        .parent()
        .child_by_field_name("value")
        .map(|node| climb.text(node))
        .unwrap_or_default();
    [b"require(".as_slice(), b"await import("]
        .iter()
        .any(|start| value.starts_with(start))
}

/// Decides `a.b = …`. It defines `b` if a function or a class is assigned, if `a` is what the
/// module exports, and on `this` in a constructor.
fn of_assignment(climb: &Climb<'_, '_>) -> Gives {
    let target = climb
        .parent()
        .child_by_field_name("left")
        .filter(|node| node.kind() == "member_expression");
    let Some(object) = target.and_then(|node| node.child_by_field_name("object")) else {
        return References;
    };
    let object = climb.text(object);
    let exported = object == b"exports" || object == b"module.exports";
    match kind_of_function(climb, "right") {
        Some(kind) if exported => Defines(kind),
        Some(Kind::Function) => Defines(Kind::Method),
        Some(kind) => Defines(kind),
        None if exported => Defines(Kind::Variable),
        None if object == b"this" && in_constructor(climb) => Defines(Kind::Field),
        None => References,
    }
}

fn in_constructor(climb: &Climb<'_, '_>) -> bool {
    let around = climb.frames[..climb.at]
        .iter()
        .rev()
        .map(|frame| frame.node);
    let function = around
        .into_iter()
        .find(|node| node.kind() == "method_definition" || is_plain_function(*node));
    let name = function.and_then(|node| node.child_by_field_name("name"));
    name.is_some_and(|node| climb.text(node) == b"constructor")
}

fn is_plain_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "function_declaration" | "function_expression")
}

/// Returns function or class, if the value in `field` of the deciding parent is one.
fn kind_of_function(climb: &Climb<'_, '_>, field: &str) -> Option<Kind> {
    let kind = climb.parent().child_by_field_name(field)?.kind();
    FUNCTIONS.contains(&kind).then_some(if kind == "class" {
        Kind::Class
    } else {
        Kind::Function
    })
}
