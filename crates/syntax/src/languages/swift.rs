//! Swift. Structures, enumerations, actors and extensions are all a
//! `class_declaration`; an extension contains, but defines no type.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Tail, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
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
    Rule {
        node: "class_declaration",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "protocol_declaration",
        field: "name",
        gives: Defines(Kind::Interface),
    },
    Rule {
        node: "function_declaration",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "protocol_function_declaration",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "init_declaration",
        field: "name",
        gives: Defines(Kind::Constructor),
    },
    Rule {
        node: "enum_entry",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "typealias_declaration",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "associatedtype_declaration",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "operator_declaration",
        field: "",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "precedence_group_declaration",
        field: "",
        gives: Defines(Kind::Constant),
    },
    Rule {
        node: "macro_declaration",
        field: "",
        gives: Defines(Kind::Macro),
    },
    Rule {
        node: "pattern",
        field: "bound_identifier",
        gives: Through,
    },
    Rule {
        node: "pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "property_declaration",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "protocol_property_declaration",
        field: "name",
        gives: Defines(Kind::Property),
    },
    Rule {
        node: "parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "lambda_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "capture_list_item",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "type_parameter",
        field: "",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "if_statement",
        field: "bound_identifier",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "guard_statement",
        field: "bound_identifier",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "while_statement",
        field: "bound_identifier",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "for_statement",
        field: "item",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "catch_block",
        field: "error",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "switch_pattern",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "call_expression",
        field: "",
        gives: Calls,
    },
    Rule {
        node: "constructor_expression",
        field: "constructed_type",
        gives: Calls,
    },
    Rule {
        node: "inheritance_specifier",
        field: "inherits_from",
        gives: Inherits,
    },
    Rule {
        node: "navigation_expression",
        field: "suffix",
        gives: Tail,
    },
    Rule {
        node: "navigation_suffix",
        field: "suffix",
        gives: Tail,
    },
    Rule {
        node: "prefix_expression",
        field: "target",
        gives: Tail,
    },
    Rule {
        node: "postfix_expression",
        field: "target",
        gives: Tail,
    },
    Rule {
        node: "user_type",
        field: "",
        gives: Tail,
    },
];

const TYPE_BODIES: [&str; 3] = ["class_body", "enum_class_body", "protocol_body"];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let above = climb.grandparent_kind().unwrap_or_default();
    match gives {
        Calls if is_subscript(climb) => References,
        Defines(Kind::Class) => declared_kind(climb.text_of_field("declaration_kind")),
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

/// `list[0]` is a call to the grammar.
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
        b"extension" => References,
        _ => Defines(Kind::Class),
    }
}

/// In a pattern of a `case`, only a name after `let` or `var` is new.
fn is_bound(climb: &Climb<'_, '_>) -> bool {
    let binds = |node: tree_sitter::Node<'_>| {
        node.named_child(0)
            .is_some_and(|first| first.kind() == "value_binding_pattern")
    };
    climb.frames[climb.at..]
        .iter()
        .any(|frame| binds(frame.node))
}
