//! C#. A namespace is opened in many files and defined in none: its name is a reference, and the
//! container of the content of its braces.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Tail, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static CSHARP: Language = Language {
    name: "C#",
    extensions: &["cs", "csx"],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_c_sharp::LANGUAGE.into(),
        rules: RULES,
        containers: &[("namespace_declaration", "name")],
        members_define: true,
        local_scopes: &[],
        comments: &["comment"],
        strings: &[
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "character_literal",
            "interpolated_string_expression",
        ],
        interpolations: &["interpolation"],
        imports: &["using_directive", "extern_alias_directive"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("class", Kind::Class),
            ("struct", Kind::Struct),
            ("interface", Kind::Interface),
            ("enum", Kind::Enum),
            ("record", Kind::Class),
        ],
        importers: &["using"],
        line_comments: &["//"],
        name_bytes: &[],
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "class_declaration",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "struct_declaration",
        field: "name",
        gives: Defines(Kind::Struct),
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
        node: "enum_declaration",
        field: "name",
        gives: Defines(Kind::Enum),
    },
    Rule {
        node: "enum_member_declaration",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "delegate_declaration",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "method_declaration",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "local_function_statement",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "constructor_declaration",
        field: "name",
        gives: Defines(Kind::Constructor),
    },
    Rule {
        node: "destructor_declaration",
        field: "name",
        gives: References,
    },
    Rule {
        node: "property_declaration",
        field: "name",
        gives: Defines(Kind::Property),
    },
    Rule {
        node: "event_declaration",
        field: "name",
        gives: Defines(Kind::Event),
    },
    Rule {
        node: "event_field_declaration",
        field: "",
        gives: Defines(Kind::Event),
    },
    Rule {
        node: "field_declaration",
        field: "",
        gives: Defines(Kind::Field),
    },
    Rule {
        node: "variable_declarator",
        field: "name",
        gives: Through,
    },
    Rule {
        node: "variable_declarator",
        field: "",
        gives: Through,
    },
    Rule {
        node: "variable_declaration",
        field: "",
        gives: Through,
    },
    Rule {
        node: "local_declaration_statement",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "for_statement",
        field: "initializer",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "using_statement",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "fixed_statement",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "foreach_statement",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "tuple_pattern",
        field: "name",
        gives: Through,
    },
    Rule {
        node: "declaration_expression",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "declaration_pattern",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "var_pattern",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "recursive_pattern",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "list_pattern",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "parenthesized_variable_designation",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "catch_declaration",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "from_clause",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "join_into_clause",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "parameter_list",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "bracketed_parameter_list",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "lambda_expression",
        field: "parameters",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "type_parameter",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "labeled_statement",
        field: "",
        gives: Binds(Kind::Label),
    },
    Rule {
        node: "invocation_expression",
        field: "function",
        gives: Calls,
    },
    Rule {
        node: "object_creation_expression",
        field: "type",
        gives: Calls,
    },
    Rule {
        node: "base_list",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "primary_constructor_base_type",
        field: "type",
        gives: Tail,
    },
    Rule {
        node: "member_access_expression",
        field: "name",
        gives: Tail,
    },
    Rule {
        node: "conditional_access_expression",
        field: "",
        gives: Tail,
    },
    Rule {
        node: "member_binding_expression",
        field: "name",
        gives: Tail,
    },
    Rule {
        node: "generic_name",
        field: "",
        gives: Tail,
    },
    Rule {
        node: "qualified_name",
        field: "name",
        gives: Tail,
    },
    Rule {
        node: "alias_qualified_name",
        field: "name",
        gives: Tail,
    },
];

/// Beside the declarators of a variable stand its modifiers, and what a record takes in its header
/// are its properties.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let of_record = || {
        climb
            .at
            .checked_sub(2)
            .is_some_and(|index| climb.frames[index].node.kind() == "record_declaration")
    };
    match climb.parent().kind() {
        "event_field_declaration"
        | "field_declaration"
        | "local_declaration_statement"
        | "for_statement"
        | "using_statement"
        | "fixed_statement"
            if !is_declared(climb) =>
        {
            References
        }
        "parameter" if of_record() => Defines(Kind::Property),
        "labeled_statement" if climb.name().kind() != "identifier" => References,
        _ => gives,
    }
}

/// Of what a declarator holds, only its name and a tuple of names are declared.
fn is_declared(climb: &Climb<'_, '_>) -> bool {
    let below = &climb.frames[climb.at + 1..];
    let declarator = below
        .iter()
        .position(|frame| frame.node.kind() == "variable_declarator");
    let child = declarator.and_then(|index| below.get(index + 1));
    child.is_some_and(|child| child.field != 0 || child.node.kind() == "tuple_pattern")
}
