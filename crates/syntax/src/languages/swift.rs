//! Swift. Structures, enumerations, actors and extensions are all a `class_declaration`. An
//! extension contains members, but defines no type.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Tail, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::Lexicon;

pub(super) static SWIFT: Language = Language {
    name: "Swift",
    extensions: &["swift", "swiftinterface"],
    file_names: &[],
    interpreters: &["swift"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_swift::LANGUAGE.into(),
        rules: RULES,
        containers: &[("class_declaration", "name")],
        members_define: false,
        local_scopes: &[],
        comments: &["comment", "multiline_comment"],
        strings: &[
            "line_string_literal",
            "multi_line_string_literal",
            "raw_string_literal",
            "regex_literal",
        ],
        interpolations: &["interpolated_expression"],
        imports: &["import_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("func", Kind::Function),
            ("class", Kind::Class),
            ("struct", Kind::Struct),
            ("enum", Kind::Enum),
            ("protocol", Kind::Interface),
            ("actor", Kind::Class),
            ("typealias", Kind::TypeAlias),
        ],
        importers: &["import"],
        line_comments: &["//"],
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("class_declaration", "name", Defines(Kind::Class)),
    rule("protocol_declaration", "name", Defines(Kind::Interface)),
    rule("function_declaration", "name", Defines(Kind::Function)),
    rule(
        "protocol_function_declaration",
        "name",
        Defines(Kind::Method),
    ),
    rule("init_declaration", "name", Defines(Kind::Constructor)),
    rule("enum_entry", "name", Defines(Kind::Variant)),
    rule("typealias_declaration", "name", Defines(Kind::TypeAlias)),
    rule(
        "associatedtype_declaration",
        "name",
        Defines(Kind::TypeAlias),
    ),
    rule("operator_declaration", "", Defines(Kind::Function)),
    rule("precedence_group_declaration", "", Defines(Kind::Constant)),
    rule("macro_declaration", "", Defines(Kind::Macro)),
    rule("pattern", "bound_identifier", Through),
    rule("pattern", "", Through),
    rule("property_declaration", "name", Binds(Kind::Variable)),
    rule(
        "protocol_property_declaration",
        "name",
        Defines(Kind::Property),
    ),
    rule("parameter", "name", Binds(Kind::Parameter)),
    rule("lambda_parameter", "name", Binds(Kind::Parameter)),
    rule("capture_list_item", "name", Binds(Kind::Variable)),
    rule("type_parameter", "", Binds(Kind::TypeParameter)),
    rule("if_statement", "bound_identifier", Binds(Kind::Variable)),
    rule("guard_statement", "bound_identifier", Binds(Kind::Variable)),
    rule("while_statement", "bound_identifier", Binds(Kind::Variable)),
    rule("for_statement", "item", Binds(Kind::Variable)),
    rule("catch_block", "error", Binds(Kind::Variable)),
    rule("switch_pattern", "", Binds(Kind::Variable)),
    rule("call_expression", "", Calls),
    rule("constructor_expression", "constructed_type", Calls),
    rule("inheritance_specifier", "inherits_from", Inherits),
    rule("navigation_expression", "suffix", Tail),
    rule("navigation_suffix", "suffix", Tail),
    rule("prefix_expression", "target", Tail),
    rule("postfix_expression", "target", Tail),
    rule("user_type", "", Tail),
];

const TYPE_BODIES: [&str; 3] = ["class_body", "enum_class_body", "protocol_body"];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let above = climb.grandparent_kind().unwrap_or_default();
    match gives {
        Calls if is_subscript(climb) => References,
        // The grammar has one node for classes, structures, enumerations and extensions.
        Defines(Kind::Class) => declared_kind(climb.text_of_field("declaration_kind")),
        // The precedence group of an operator is a child beside its name.
        Defines(Kind::Function)
            if climb.parent().kind() == "operator_declaration"
                && climb.name().kind() != "custom_operator" =>
        {
            References
        }
        Defines(Kind::Function) if TYPE_BODIES.contains(&above) => Defines(Kind::Method),
        Defines(Kind::Constant | Kind::Macro) if !climb.came_first() => References,
        Binds(Kind::Variable)
            if climb.parent().kind() == "property_declaration" && TYPE_BODIES.contains(&above) =>
        {
            Defines(Kind::Property)
        }
        Binds(Kind::Variable)
            if climb.parent().kind() == "property_declaration" && above == "source_file" =>
        {
            Defines(Kind::Variable)
        }
        Binds(Kind::Variable) if climb.parent().kind() == "switch_pattern" && !is_bound(climb) => {
            References
        }
        other => other,
    }
}

/// Reports whether a name is subscripted: `list[0]` is a call to the grammar.
fn is_subscript(climb: &Climb<'_, '_>) -> bool {
    let suffix = climb
        .parent()
        .children(&mut climb.parent().walk())
        .find(|child| child.kind() == "call_suffix");
    suffix.is_some_and(|suffix| climb.text(suffix).starts_with(b"["))
}

fn declared_kind(keyword: &[u8]) -> Gives {
    match keyword {
        b"struct" => Defines(Kind::Struct),
        b"enum" => Defines(Kind::Enum),
        // An extension adds to a type that is defined elsewhere.
        b"extension" => References,
        _ => Defines(Kind::Class),
    }
}

/// Reports whether a name in a pattern is new. In a `case`, only one after `let` or `var` is.
fn is_bound(climb: &Climb<'_, '_>) -> bool {
    let binds = |node: tree_sitter::Node<'_>| {
        node.named_child(0)
            .is_some_and(|first| first.kind() == "value_binding_pattern")
    };
    climb.frames[climb.at..]
        .iter()
        .any(|frame| binds(frame.node))
}
