//! Java. The components of a record are its fields.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Calls, Defines, Inherits, References, Tail, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
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
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("class_declaration", "name", Defines(Kind::Class)),
    rule("record_declaration", "name", Defines(Kind::Class)),
    rule("interface_declaration", "name", Defines(Kind::Interface)),
    rule(
        "annotation_type_declaration",
        "name",
        Defines(Kind::Interface),
    ),
    rule(
        "annotation_type_element_declaration",
        "name",
        Defines(Kind::Method),
    ),
    rule("enum_declaration", "name", Defines(Kind::Enum)),
    rule("enum_constant", "name", Defines(Kind::Variant)),
    rule("method_declaration", "name", Defines(Kind::Method)),
    rule(
        "constructor_declaration",
        "name",
        Defines(Kind::Constructor),
    ),
    rule(
        "compact_constructor_declaration",
        "name",
        Defines(Kind::Constructor),
    ),
    rule("variable_declarator", "name", Through),
    rule("field_declaration", "declarator", Defines(Kind::Field)),
    rule(
        "constant_declaration",
        "declarator",
        Defines(Kind::Constant),
    ),
    rule(
        "local_variable_declaration",
        "declarator",
        Binds(Kind::Variable),
    ),
    rule("formal_parameter", "name", Binds(Kind::Parameter)),
    rule("spread_parameter", "", Binds(Kind::Parameter)),
    rule("catch_formal_parameter", "name", Binds(Kind::Variable)),
    rule("enhanced_for_statement", "name", Binds(Kind::Variable)),
    rule("resource", "name", Binds(Kind::Variable)),
    rule("instanceof_expression", "name", Binds(Kind::Variable)),
    rule("type_pattern", "", Binds(Kind::Variable)),
    rule("record_pattern_component", "", Binds(Kind::Variable)),
    rule("inferred_parameters", "", Binds(Kind::Parameter)),
    rule("lambda_expression", "parameters", Binds(Kind::Parameter)),
    rule("type_parameter", "", Binds(Kind::TypeParameter)),
    rule("labeled_statement", "", Binds(Kind::Label)),
    rule("method_invocation", "name", Calls),
    rule("object_creation_expression", "type", Calls),
    rule("superclass", "", Inherits),
    rule("type_list", "", Inherits),
    rule("generic_type", "", Tail),
    rule("scoped_type_identifier", "", Tail),
    rule("annotated_type", "", Tail),
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
        // A list of types is also that of what a method throws, or of what a type permits.
        "type_list"
            if !matches!(
                climb.grandparent_kind(),
                Some("super_interfaces" | "extends_interfaces")
            ) =>
        {
            References
        }
        // The type of a variable number of arguments is a child beside the name.
        "spread_parameter" if !climb.passed("variable_declarator") => References,
        "type_pattern" | "record_pattern_component" if climb.name().kind() != "identifier" => {
            References
        }
        _ => gives,
    }
}
