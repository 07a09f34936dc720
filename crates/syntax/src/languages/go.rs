//! Go. Methods are outside of their type, so the receiver gives the container. A structure or an
//! interface inherits what it embeds.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Defines, DefinesUnlessLocal, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
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
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("function_declaration", "name", Defines(Kind::Function)),
    rule("method_declaration", "name", Defines(Kind::Method)),
    rule("method_elem", "name", Defines(Kind::Method)),
    rule("type_spec", "name", Defines(Kind::Struct)),
    rule("type_alias", "name", Defines(Kind::TypeAlias)),
    rule("field_declaration", "name", Defines(Kind::Field)),
    rule("const_spec", "name", DefinesUnlessLocal(Kind::Constant)),
    rule("var_spec", "name", DefinesUnlessLocal(Kind::Variable)),
    rule("short_var_declaration", "left", Binds(Kind::Variable)),
    rule("range_clause", "left", Binds(Kind::Variable)),
    rule("receive_statement", "left", Binds(Kind::Variable)),
    rule("type_switch_statement", "alias", Binds(Kind::Variable)),
    rule("expression_list", "", Through),
    rule("parameter_declaration", "name", Binds(Kind::Parameter)),
    rule(
        "variadic_parameter_declaration",
        "name",
        Binds(Kind::Parameter),
    ),
    rule(
        "type_parameter_declaration",
        "name",
        Binds(Kind::TypeParameter),
    ),
    rule("labeled_statement", "label", Binds(Kind::Label)),
    rule("call_expression", "function", Calls),
    rule("type_conversion_expression", "type", Calls),
    rule("selector_expression", "field", Tail),
    rule("parenthesized_expression", "", Tail),
    rule("type_instantiation_expression", "type", Tail),
    rule("generic_type", "type", Tail),
    rule("qualified_type", "name", Tail),
    rule("field_declaration", "type", Inherits),
    rule("type_elem", "", Inherits),
];

/// Decides types, whose kind comes after the name, and assignments with `=` instead of `:=`, which
/// use what exists.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match (climb.parent().kind(), gives) {
        ("type_spec", Defines(_)) => Defines(kind_of_type(climb)),
        // A field with a name of its own embeds nothing.
        ("field_declaration", Inherits) if climb.parent().child_by_field_name("name").is_some() => {
            References
        }
        // `~int | string` is a set of types, and no interface that is embedded.
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
