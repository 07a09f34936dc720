//! Java. The components of a record are its fields.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Tail, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static JAVA: Language = Language {
    name: "Java",
    extensions: &["java"],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_java::LANGUAGE.into(),
        rules: RULES,
        containers: &[],
        members_define: false,
        local_scopes: &[],
        comments: &["line_comment", "block_comment"],
        strings: &["string_literal", "character_literal"],
        interpolations: &["string_interpolation"],
        imports: &["import_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("class", Kind::Class),
            ("interface", Kind::Interface),
            ("enum", Kind::Enum),
            ("record", Kind::Class),
        ],
        importers: &["import"],
        line_comments: &["//"],
        name_bytes: b"$",
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "class_declaration",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "record_declaration",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "interface_declaration",
        field: "name",
        gives: Defines(Kind::Interface),
    },
    Rule {
        node: "annotation_type_declaration",
        field: "name",
        gives: Defines(Kind::Interface),
    },
    Rule {
        node: "annotation_type_element_declaration",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "enum_declaration",
        field: "name",
        gives: Defines(Kind::Enum),
    },
    Rule {
        node: "enum_constant",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "method_declaration",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "constructor_declaration",
        field: "name",
        gives: Defines(Kind::Constructor),
    },
    Rule {
        node: "compact_constructor_declaration",
        field: "name",
        gives: Defines(Kind::Constructor),
    },
    Rule {
        node: "variable_declarator",
        field: "name",
        gives: Through,
    },
    Rule {
        node: "field_declaration",
        field: "declarator",
        gives: Defines(Kind::Field),
    },
    Rule {
        node: "constant_declaration",
        field: "declarator",
        gives: Defines(Kind::Constant),
    },
    Rule {
        node: "local_variable_declaration",
        field: "declarator",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "formal_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "spread_parameter",
        field: "",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "catch_formal_parameter",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "enhanced_for_statement",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "resource",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "instanceof_expression",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "type_pattern",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "record_pattern_component",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "inferred_parameters",
        field: "",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "lambda_expression",
        field: "parameters",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "type_parameter",
        field: "",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "labeled_statement",
        field: "",
        gives: Binds(Kind::Label),
    },
    Rule {
        node: "method_invocation",
        field: "name",
        gives: Calls,
    },
    Rule {
        node: "object_creation_expression",
        field: "type",
        gives: Calls,
    },
    Rule {
        node: "superclass",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "type_list",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "generic_type",
        field: "",
        gives: Tail,
    },
    Rule {
        node: "scoped_type_identifier",
        field: "",
        gives: Tail,
    },
    Rule {
        node: "annotated_type",
        field: "",
        gives: Tail,
    },
];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let of_record = || {
        climb
            .at
            .checked_sub(2)
            .is_some_and(|index| climb.frames[index].node.kind() == "record_declaration")
    };
    match climb.parent().kind() {
        "formal_parameter" if of_record() => Defines(Kind::Field),
        "type_list"
            if !matches!(
                climb.grandparent_kind(),
                Some("super_interfaces" | "extends_interfaces")
            ) =>
        {
            References
        }
        "spread_parameter" if !climb.passed("variable_declarator") => References,
        "type_pattern" | "record_pattern_component" if climb.name().kind() != "identifier" => {
            References
        }
        _ => gives,
    }
}
