//! C#. A namespace is opened in many files and defined in none. Its name is a reference, and the
//! container of the content of its braces.

use grounds_evidence::SymbolKind as Kind;

use super::csharp_text;
use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Tail, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::Lexicon;

pub(super) static CSHARP: Language = Language {
    name: "C#",
    extensions: &["cs", "csx"],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tidied(
        Grammar {
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
        },
        csharp_text::tidy,
    ),
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
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("class_declaration", "name", Defines(Kind::Class)),
    rule("struct_declaration", "name", Defines(Kind::Struct)),
    rule("record_declaration", "name", Defines(Kind::Class)),
    rule("interface_declaration", "name", Defines(Kind::Interface)),
    rule("enum_declaration", "name", Defines(Kind::Enum)),
    rule("enum_member_declaration", "name", Defines(Kind::Variant)),
    rule("delegate_declaration", "name", Defines(Kind::TypeAlias)),
    rule("method_declaration", "name", Defines(Kind::Method)),
    rule("local_function_statement", "name", Defines(Kind::Function)),
    rule(
        "constructor_declaration",
        "name",
        Defines(Kind::Constructor),
    ),
    rule("destructor_declaration", "name", References),
    rule("property_declaration", "name", Defines(Kind::Property)),
    rule("event_declaration", "name", Defines(Kind::Event)),
    rule("event_field_declaration", "", Defines(Kind::Event)),
    rule("field_declaration", "", Defines(Kind::Field)),
    rule("variable_declarator", "name", Through),
    rule("variable_declarator", "", Through),
    rule("variable_declaration", "", Through),
    rule("local_declaration_statement", "", Binds(Kind::Variable)),
    rule("for_statement", "initializer", Binds(Kind::Variable)),
    rule("using_statement", "", Binds(Kind::Variable)),
    rule("fixed_statement", "", Binds(Kind::Variable)),
    rule("foreach_statement", "left", Binds(Kind::Variable)),
    rule("tuple_pattern", "name", Through),
    rule("declaration_expression", "name", Binds(Kind::Variable)),
    rule("declaration_pattern", "name", Binds(Kind::Variable)),
    rule("var_pattern", "name", Binds(Kind::Variable)),
    rule("recursive_pattern", "name", Binds(Kind::Variable)),
    rule("list_pattern", "name", Binds(Kind::Variable)),
    rule(
        "parenthesized_variable_designation",
        "name",
        Binds(Kind::Variable),
    ),
    rule("catch_declaration", "name", Binds(Kind::Variable)),
    rule("from_clause", "name", Binds(Kind::Variable)),
    rule("join_into_clause", "", Binds(Kind::Variable)),
    rule("parameter", "name", Binds(Kind::Parameter)),
    rule("parameter_list", "name", Binds(Kind::Parameter)),
    rule("bracketed_parameter_list", "name", Binds(Kind::Parameter)),
    rule("lambda_expression", "parameters", Binds(Kind::Parameter)),
    rule("type_parameter", "name", Binds(Kind::TypeParameter)),
    rule("labeled_statement", "", Binds(Kind::Label)),
    rule("invocation_expression", "function", Calls),
    rule("object_creation_expression", "type", Calls),
    rule("base_list", "", Inherits),
    rule("primary_constructor_base_type", "type", Tail),
    rule("member_access_expression", "name", Tail),
    rule("conditional_access_expression", "", Tail),
    rule("member_binding_expression", "name", Tail),
    rule("generic_name", "", Tail),
    rule("qualified_name", "name", Tail),
    rule("alias_qualified_name", "name", Tail),
];

/// Decides names beside the declarators of a variable, which are its modifiers, and the parameters
/// of a record, which are its properties.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let of_record = || {
        climb
            .at
            .checked_sub(2)
            .is_some_and(|index| climb.frames[index].node.kind() == "record_declaration")
    };
    match climb.parent().kind() {
        // Types and values are children beside the names of a declaration.
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

/// Reports whether a name is declared: in a declarator, only its name and a tuple of names are.
fn is_declared(climb: &Climb<'_, '_>) -> bool {
    let below = &climb.frames[climb.at + 1..];
    let declarator = below
        .iter()
        .position(|frame| frame.node.kind() == "variable_declarator");
    let child = declarator.and_then(|index| below.get(index + 1));
    child.is_some_and(|child| child.field != 0 || child.node.kind() == "tuple_pattern")
}
