//! Go. Methods stand outside their type: the receiver gives the container. What
//! a structure or an interface embeds, it inherits.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Defines, DefinesUnlessLocal, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static GO: Language = Language {
    name: "Go",
    extensions: &["go"],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_go::LANGUAGE.into(),
        rules: RULES,
        containers: &[("method_declaration", "receiver")],
        members_define: false,
        local_scopes: &["function_declaration", "method_declaration", "func_literal"],
        comments: &["comment"],
        strings: &[
            "interpreted_string_literal",
            "raw_string_literal",
            "rune_literal",
        ],
        interpolations: &[],
        imports: &["import_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("func", Kind::Function),
            ("type", Kind::TypeAlias),
            ("const", Kind::Constant),
            ("var", Kind::Variable),
        ],
        importers: &["import"],
        line_comments: &["//"],
        name_bytes: &[],
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "function_declaration",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "method_declaration",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "method_elem",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "type_spec",
        field: "name",
        gives: Defines(Kind::Struct),
    },
    Rule {
        node: "type_alias",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "field_declaration",
        field: "name",
        gives: Defines(Kind::Field),
    },
    Rule {
        node: "const_spec",
        field: "name",
        gives: DefinesUnlessLocal(Kind::Constant),
    },
    Rule {
        node: "var_spec",
        field: "name",
        gives: DefinesUnlessLocal(Kind::Variable),
    },
    Rule {
        node: "short_var_declaration",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "range_clause",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "receive_statement",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "type_switch_statement",
        field: "alias",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "expression_list",
        field: "",
        gives: Through,
    },
    Rule {
        node: "parameter_declaration",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "variadic_parameter_declaration",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "type_parameter_declaration",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "labeled_statement",
        field: "label",
        gives: Binds(Kind::Label),
    },
    Rule {
        node: "call_expression",
        field: "function",
        gives: Calls,
    },
    Rule {
        node: "type_conversion_expression",
        field: "type",
        gives: Calls,
    },
    Rule {
        node: "selector_expression",
        field: "field",
        gives: Tail,
    },
    Rule {
        node: "parenthesized_expression",
        field: "",
        gives: Tail,
    },
    Rule {
        node: "type_instantiation_expression",
        field: "type",
        gives: Tail,
    },
    Rule {
        node: "generic_type",
        field: "type",
        gives: Tail,
    },
    Rule {
        node: "qualified_type",
        field: "name",
        gives: Tail,
    },
    Rule {
        node: "field_declaration",
        field: "type",
        gives: Inherits,
    },
    Rule {
        node: "type_elem",
        field: "",
        gives: Inherits,
    },
];

/// What a type is stands after its name, and `=` in place of `:=` assigns to what exists.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match (climb.parent().kind(), gives) {
        ("type_spec", Defines(_)) => Defines(kind_of_type(climb)),
        ("field_declaration", Inherits) if climb.parent().child_by_field_name("name").is_some() => {
            References
        }
        ("type_elem", Inherits)
            if climb.grandparent_kind() != Some("interface_type")
                || climb.parent().child_count() > 1 =>
        {
            References
        }
        ("range_clause" | "receive_statement", Binds(_)) if !climb.parent_has(":=") => References,
        _ => gives,
    }
}

fn kind_of_type(climb: &Climb<'_, '_>) -> Kind {
    match climb
        .parent()
        .child_by_field_name("type")
        .map(|node| node.kind())
    {
        Some("struct_type") => Kind::Struct,
        Some("interface_type") => Kind::Interface,
        _ => Kind::TypeAlias,
    }
}
