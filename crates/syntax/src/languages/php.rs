//! PHP. A namespace is announced by every file in it, so it is declared, never
//! defined; `define('X', 1)` names a constant by a string.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Imports, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static PHP: Language = Language {
    name: "PHP",
    extensions: &["php", "phtml", "php5", "php7", "inc"],
    file_names: &[],
    interpreters: &["php"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_php::LANGUAGE_PHP.into(),
        rules: RULES,
        containers: &[("namespace_definition", "name")],
        members_define: true,
        local_scopes: &[],
        comments: &["comment"],
        strings: &[
            "string",
            "encapsed_string",
            "heredoc_body",
            "nowdoc_body",
            "text",
            "shell_command_expression",
        ],
        interpolations: &[
            "variable_name",
            "member_access_expression",
            "subscript_expression",
            "member_call_expression",
        ],
        imports: &["namespace_use_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("function", Kind::Function),
            ("class", Kind::Class),
            ("interface", Kind::Interface),
            ("trait", Kind::Trait),
            ("enum", Kind::Enum),
            ("const", Kind::Constant),
        ],
        importers: &["use"],
        line_comments: &["//", "#"],
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "function_definition",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "method_declaration",
        field: "name",
        gives: Defines(Kind::Method),
    },
    Rule {
        node: "class_declaration",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "interface_declaration",
        field: "name",
        gives: Defines(Kind::Interface),
    },
    Rule {
        node: "trait_declaration",
        field: "name",
        gives: Defines(Kind::Trait),
    },
    Rule {
        node: "enum_declaration",
        field: "name",
        gives: Defines(Kind::Enum),
    },
    Rule {
        node: "enum_case",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "const_element",
        field: "",
        gives: Defines(Kind::Constant),
    },
    Rule {
        node: "variable_name",
        field: "",
        gives: Through,
    },
    Rule {
        node: "by_ref",
        field: "",
        gives: Through,
    },
    Rule {
        node: "property_element",
        field: "name",
        gives: Defines(Kind::Property),
    },
    Rule {
        node: "property_promotion_parameter",
        field: "name",
        gives: Defines(Kind::Property),
    },
    Rule {
        node: "simple_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "variadic_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "assignment_expression",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "reference_assignment_expression",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "list_literal",
        field: "",
        gives: Through,
    },
    Rule {
        node: "static_variable_declaration",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "catch_clause",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "namespace_name",
        field: "",
        gives: Through,
    },
    Rule {
        node: "namespace_definition",
        field: "name",
        gives: Declares(Kind::Namespace),
    },
    Rule {
        node: "namespace_use_clause",
        field: "alias",
        gives: Imports,
    },
    Rule {
        node: "string",
        field: "",
        gives: Through,
    },
    Rule {
        node: "encapsed_string",
        field: "",
        gives: Through,
    },
    Rule {
        node: "argument",
        field: "",
        gives: Through,
    },
    Rule {
        node: "arguments",
        field: "",
        gives: Through,
    },
    Rule {
        node: "function_call_expression",
        field: "arguments",
        gives: References,
    },
    Rule {
        node: "named_label_statement",
        field: "",
        gives: Defines(Kind::Label),
    },
    Rule {
        node: "function_call_expression",
        field: "function",
        gives: Calls,
    },
    Rule {
        node: "member_call_expression",
        field: "name",
        gives: Calls,
    },
    Rule {
        node: "nullsafe_member_call_expression",
        field: "name",
        gives: Calls,
    },
    Rule {
        node: "scoped_call_expression",
        field: "name",
        gives: Calls,
    },
    Rule {
        node: "object_creation_expression",
        field: "",
        gives: Calls,
    },
    Rule {
        node: "base_clause",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "class_interface_clause",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "use_declaration",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "qualified_name",
        field: "",
        gives: Tail,
    },
];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match gives {
        Defines(Kind::Constant) if climb.name().kind() != "name" || !climb.came_first() => {
            References
        }
        Defines(Kind::Method)
            if climb
                .text(climb.name())
                .eq_ignore_ascii_case(b"__construct") =>
        {
            Defines(Kind::Constructor)
        }
        Calls if climb.passed("arguments") => References,
        Calls
            if climb.parent().kind() == "object_creation_expression"
                && climb.passed("variable_name") =>
        {
            References
        }
        Binds(Kind::Variable) if !climb.passed("variable_name") => References,
        References
            if climb.parent().kind() == "function_call_expression" && names_constant(climb) =>
        {
            Defines(Kind::Constant)
        }
        other => other,
    }
}

/// Whether the name is the whole first argument of `define`.
fn names_constant(climb: &Climb<'_, '_>) -> bool {
    let name = climb.name();
    let whole = name.kind() == "string_content"
        && name
            .parent()
            .is_some_and(|string| string.named_child_count() == 1);
    let first = climb
        .child()
        .named_child(0)
        .is_some_and(|argument| argument.byte_range().contains(&name.start_byte()));
    whole
        && first
        && climb.passed("arguments")
        && matches!(climb.text_of_field("function"), b"define" | b"\\define")
}
