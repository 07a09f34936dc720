//! Ruby. Many names are defined by calls with symbols (`attr_reader :name`,
//! `define_method(:name)`). An assignment defines a constant and binds any other name.

use std::collections::HashSet;

use grounds_evidence::SymbolKind as Kind;
use tree_sitter::Node;

use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::Lexicon;

pub(super) static RUBY: Language = Language {
    name: "Ruby",
    extensions: &["rb", "rake", "gemspec", "ru", "rbw", "podspec", "jbuilder"],
    file_names: &[
        "Rakefile",
        "Gemfile",
        "Guardfile",
        "Capfile",
        "Vagrantfile",
        "Podfile",
        "Fastfile",
        "Brewfile",
        "Thorfile",
    ],
    interpreters: &["ruby", "jruby", "rake"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_ruby::LANGUAGE.into(),
        rules: RULES,
        containers: &[("class", "name"), ("module", "name")],
        members_define: true,
        local_scopes: &[],
        comments: &["comment"],
        strings: &[
            "string",
            "string_array",
            "heredoc_body",
            "regex",
            "subshell",
            "character",
        ],
        interpolations: &["interpolation"],
        imports: &[],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("def", Kind::Method),
            ("class", Kind::Class),
            ("module", Kind::Module),
        ],
        importers: &["require", "require_relative"],
        line_comments: &["#"],
        name_bytes: b"?!",
        quotes_span_lines: true,
    },
};

const RULES: &[Rule] = &[
    rule("method", "name", Defines(Kind::Method)),
    rule("singleton_method", "name", Defines(Kind::Method)),
    rule("setter", "name", Through),
    rule("class", "name", Defines(Kind::Class)),
    rule("module", "name", Defines(Kind::Module)),
    rule("scope_resolution", "name", Through),
    rule("alias", "name", Defines(Kind::Method)),
    rule("assignment", "left", Binds(Kind::Variable)),
    rule("operator_assignment", "left", Binds(Kind::Variable)),
    rule("left_assignment_list", "", Through),
    rule("destructured_left_assignment", "", Through),
    rule("rest_assignment", "", Through),
    rule("argument_list", "", Through),
    rule("string", "", Through),
    rule("call", "arguments", References),
    rule("call", "method", Calls),
    rule("call", "receiver", Calls),
    rule("superclass", "", Inherits),
    rule("method_parameters", "", Binds(Kind::Parameter)),
    rule("block_parameters", "", Binds(Kind::Parameter)),
    rule("block_parameters", "locals", Binds(Kind::Variable)),
    rule("lambda_parameters", "", Binds(Kind::Parameter)),
    rule("destructured_parameter", "", Through),
    rule("optional_parameter", "name", Binds(Kind::Parameter)),
    rule("keyword_parameter", "name", Binds(Kind::Parameter)),
    rule("splat_parameter", "name", Binds(Kind::Parameter)),
    rule("hash_splat_parameter", "name", Binds(Kind::Parameter)),
    rule("block_parameter", "name", Binds(Kind::Parameter)),
    rule("for", "pattern", Binds(Kind::Variable)),
    rule("exception_variable", "", Binds(Kind::Variable)),
    rule("as_pattern", "name", Binds(Kind::Variable)),
    rule("array_pattern", "", Binds(Kind::Variable)),
    rule("in_clause", "pattern", Binds(Kind::Variable)),
];

/// Decides what a call or an assignment defines, which depends on its words.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let kind = climb.name().kind();
    match gives {
        // In `caller.first`, the small name `caller` may be a call itself.
        Calls if is_receiver(climb) && kind == "identifier" && is_call_alone(climb) => Calls,
        // `Ledger.new` makes a `Ledger`, so it is a call of that; the receiver of another method is
        // only used.
        Calls if is_receiver(climb) && climb.text_of_field("method") != b"new" => References,
        References if kind == "identifier" && is_call_alone(climb) => Calls,
        References if climb.parent().kind() == "call" && climb.passed("argument_list") => {
            defined_by_call(climb)
        }
        Binds(Kind::Variable) if kind == "constant" && climb.parent().kind() == "assignment" => {
            constant(climb)
        }
        Binds(Kind::Variable)
            if kind == "global_variable" && !climb.inside(&["method", "singleton_method"]) =>
        {
            Defines(Kind::Variable)
        }
        Binds(_) if kind != "identifier" || climb.passed("argument_list") => References,
        Defines(Kind::Method)
            if !climb.inside(&["class", "module", "singleton_class"])
                && climb.parent().kind() != "alias" =>
        {
            Defines(Kind::Function)
        }
        other => other,
    }
}

/// Reports whether the name ends the receiver of a call. In `Ledger.new` it is what is called.
fn is_receiver(climb: &Climb<'_, '_>) -> bool {
    climb.came_by("receiver")
}

/// Most nodes of one method, type or file that are searched for what binds a name.
const NODES_MAX: usize = 4_000;
/// Parents that bind a small name as a local: assignments, parameters and patterns.
const BINDERS: &[&str] = &[
    "left_assignment_list",
    "destructured_left_assignment",
    "rest_assignment",
    "method_parameters",
    "block_parameters",
    "lambda_parameters",
    "destructured_parameter",
    "optional_parameter",
    "keyword_parameter",
    "splat_parameter",
    "hash_splat_parameter",
    "block_parameter",
    "exception_variable",
    "for",
    "as_pattern",
    "array_pattern",
    "find_pattern",
    "in_clause",
    "keyword_pattern",
    // These name methods, and call no method.
    "alias",
    "undef",
];

/// Reports whether a small name alone is a call: nothing in its method binds it, so it is no local.
fn is_call_alone(climb: &Climb<'_, '_>) -> bool {
    let Some(scope) = scope_of(climb) else {
        return false;
    };
    let list = || bound_in(climb, scope);
    climb.scopes.is_free(scope, climb.text(climb.name()), list)
}

/// Returns the method around a name, or the type, or the file.
fn scope_of<'tree>(climb: &Climb<'_, 'tree>) -> Option<Node<'tree>> {
    let of_method = |kind: &str| ["method", "singleton_method"].contains(&kind);
    let of_type = |kind: &str| ["class", "module", "singleton_class"].contains(&kind);
    let nodes = || climb.frames.iter().rev().map(|frame| frame.node);
    nodes()
        .find(|node| of_method(node.kind()))
        .or_else(|| nodes().find(|node| of_type(node.kind())))
        .or_else(|| nodes().next_back())
}

/// Returns the small names that a method, a type or a file binds, or `None` if it has too many
/// nodes.
fn bound_in(climb: &Climb<'_, '_>, scope: Node<'_>) -> Option<HashSet<Vec<u8>>> {
    let mut bound = HashSet::new();
    let mut cursor = scope.walk();
    // The parents of the node under the cursor: to ask a node for its parent costs time in its
    // depth.
    let mut parents: Vec<Node<'_>> = Vec::new();
    for _ in 0..NODES_MAX {
        let node = cursor.node();
        let parent = parents.last().filter(|_| node.kind() == "identifier");
        if parent.is_some_and(|parent| binds(*parent, node)) {
            bound.insert(climb.text(node).to_owned());
        }
        if cursor.goto_first_child() {
            parents.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            parents.pop();
            if !cursor.goto_parent() {
                return Some(bound);
            }
        }
    }
    None
}

/// Reports whether a parent binds a name that is its child.
fn binds(parent: Node<'_>, name: Node<'_>) -> bool {
    let left = || parent.child_by_field_name("left");
    match parent.kind() {
        "assignment" | "operator_assignment" => left().is_some_and(|left| left.id() == name.id()),
        kind => BINDERS.contains(&kind),
    }
}

/// Decides a constant: one that is assigned a new class is a class.
fn constant(climb: &Climb<'_, '_>) -> Gives {
    let makes = |word: &[u8]| climb.text_of_field("right").starts_with(word);
    let class = [b"Struct.new".as_slice(), b"Class.new", b"Data.define"]
        .into_iter()
        .any(makes);
    match (
        class || is_made_with_methods(climb.text_of_field("right")),
        makes(b"Module.new"),
    ) {
        (true, _) => Defines(Kind::Class),
        (_, true) => Defines(Kind::Module),
        _ => Defines(Kind::Constant),
    }
}

/// Reports whether a text makes a type with a block of methods, `Options.new(:one, :two) do … def f
/// … end`, which is a class as with `Struct`.
fn is_made_with_methods(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:".contains(byte);
    let length = text.iter().take_while(|byte| is_name(byte)).count();
    let has = |word: &[u8]| text.windows(word.len()).any(|found| found == word);
    let is_class = text.first().is_some_and(u8::is_ascii_uppercase);
    is_class && text[length..].starts_with(b".new") && has(b" do\n") && has(b" def ")
}

/// Decides what a symbol or string among the arguments of a call names.
fn defined_by_call(climb: &Climb<'_, '_>) -> Gives {
    let name = climb.name();
    // A symbol in a list or a hash is no argument of the call itself.
    let is_symbol = name.kind() == "simple_symbol" && name.parent() == climb.child().into();
    // A string with an inserted value has several parts, and names nothing that is known.
    let is_string = name.kind() == "string_content"
        && name
            .parent()
            .is_some_and(|string| string.named_child_count() == 1);
    // `alias_method :new, :old` defines its first argument only.
    let first = climb
        .child()
        .named_child(0)
        .is_some_and(|argument| argument.byte_range().contains(&name.start_byte()));
    match climb.text_of_field("method") {
        b"attr_accessor" | b"attr_reader" | b"attr_writer" | b"attr" if is_symbol => {
            Defines(Kind::Property)
        }
        b"cattr_accessor" | b"mattr_accessor" | b"class_attribute" if is_symbol => {
            Defines(Kind::Property)
        }
        b"define_method" | b"define_singleton_method" | b"alias_method"
            if first && (is_symbol || is_string) =>
        {
            Defines(Kind::Method)
        }
        // With a receiver, it is a method of another object.
        b"include" | b"extend" | b"prepend"
            if name.kind() == "constant" && climb.text_of_field("receiver").is_empty() =>
        {
            Inherits
        }
        b"new" | b"define"
            if is_symbol && matches!(climb.text_of_field("receiver"), b"Struct" | b"Data") =>
        {
            Defines(Kind::Property)
        }
        _ => References,
    }
}

#[cfg(test)]
mod tests;
