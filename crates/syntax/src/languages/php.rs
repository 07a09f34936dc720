//! PHP. Every file of a namespace announces it, so it is declared and never defined. `define('X',
//! 1)` names a constant by a string.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Imports, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
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
        quotes_span_lines: true,
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("function_definition", "name", Defines(Kind::Function)),
    rule("method_declaration", "name", Defines(Kind::Method)),
    rule("class_declaration", "name", Defines(Kind::Class)),
    rule("interface_declaration", "name", Defines(Kind::Interface)),
    rule("trait_declaration", "name", Defines(Kind::Trait)),
    rule("enum_declaration", "name", Defines(Kind::Enum)),
    rule("enum_case", "name", Defines(Kind::Variant)),
    rule("const_element", "", Defines(Kind::Constant)),
    rule("variable_name", "", Through),
    rule("by_ref", "", Through),
    rule("property_element", "name", Defines(Kind::Property)),
    rule(
        "property_promotion_parameter",
        "name",
        Defines(Kind::Property),
    ),
    rule("simple_parameter", "name", Binds(Kind::Parameter)),
    rule("variadic_parameter", "name", Binds(Kind::Parameter)),
    rule("assignment_expression", "left", Binds(Kind::Variable)),
    rule(
        "reference_assignment_expression",
        "left",
        Binds(Kind::Variable),
    ),
    rule("list_literal", "", Through),
    rule("static_variable_declaration", "name", Binds(Kind::Variable)),
    rule("catch_clause", "name", Binds(Kind::Variable)),
    rule("namespace_name", "", Through),
    rule("namespace_definition", "name", Declares(Kind::Namespace)),
    rule("namespace_use_clause", "alias", Imports),
    rule("string", "", Through),
    rule("encapsed_string", "", Through),
    rule("argument", "", Through),
    rule("arguments", "", Through),
    rule("function_call_expression", "arguments", References),
    rule("named_label_statement", "", Defines(Kind::Label)),
    rule("function_call_expression", "function", Calls),
    rule("member_call_expression", "name", Calls),
    rule("nullsafe_member_call_expression", "name", Calls),
    rule("scoped_call_expression", "name", Calls),
    rule("object_creation_expression", "", Calls),
    rule("base_clause", "", Inherits),
    rule("class_interface_clause", "", Inherits),
    rule("use_declaration", "", Inherits),
    rule("qualified_name", "", Tail),
];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match gives {
        // The value of a constant is a child beside its name.
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
        // The arguments of `new` are children without a field, as its class is.
        Calls if climb.passed("arguments") => References,
        // `new $kind` calls a class that a variable names.
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

/// Reports whether the name is the whole first argument of `define`.
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
