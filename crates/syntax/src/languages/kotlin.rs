//! Kotlin. The grammar gives names few fields: an identifier stands beside its
//! value, so the table says where names may stand and `refine` which come first.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Declares, Defines, References, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static KOTLIN: Language = Language {
    name: "Kotlin",
    extensions: &["kt", "kts"],
    file_names: &[],
    interpreters: &["kotlin"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_kotlin_ng::LANGUAGE.into(),
        rules: RULES,
        containers: &[],
        members_define: true,
        local_scopes: &[],
        comments: &["line_comment", "block_comment"],
        strings: &["string_literal", "multiline_string_literal", "character_literal"],
        interpolations: &["interpolation"],
        imports: &["import"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("fun", Kind::Function),
            ("class", Kind::Class),
            ("interface", Kind::Interface),
            ("object", Kind::Object),
            ("typealias", Kind::TypeAlias),
            ("^val", Kind::Property),
            ("^var", Kind::Property),
        ],
        importers: &["import"],
        line_comments: &["//"],
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    Rule { node: "class_declaration", field: "name", gives: Defines(Kind::Class) },
    Rule { node: "object_declaration", field: "name", gives: Defines(Kind::Object) },
    Rule { node: "companion_object", field: "name", gives: Defines(Kind::Object) },
    Rule { node: "function_declaration", field: "name", gives: Defines(Kind::Function) },
    Rule { node: "type_alias", field: "type", gives: Defines(Kind::TypeAlias) },
    Rule { node: "enum_entry", field: "", gives: Defines(Kind::Variant) },
    Rule { node: "variable_declaration", field: "", gives: Through },
    Rule { node: "multi_variable_declaration", field: "", gives: Through },
    Rule { node: "property_declaration", field: "", gives: Binds(Kind::Variable) },
    Rule { node: "class_parameter", field: "", gives: Binds(Kind::Parameter) },
    Rule { node: "parameter", field: "", gives: Binds(Kind::Parameter) },
    Rule { node: "lambda_parameters", field: "", gives: Binds(Kind::Parameter) },
    Rule { node: "setter", field: "", gives: Binds(Kind::Parameter) },
    Rule { node: "type_parameter", field: "", gives: Binds(Kind::TypeParameter) },
    Rule { node: "for_statement", field: "", gives: Binds(Kind::Variable) },
    Rule { node: "catch_block", field: "", gives: Binds(Kind::Variable) },
    Rule { node: "when_subject", field: "", gives: Binds(Kind::Variable) },
    Rule { node: "qualified_identifier", field: "", gives: Through },
    Rule { node: "package_header", field: "", gives: Declares(Kind::Module) },
];

const TYPE_BODIES: [&str; 2] = ["class_body", "enum_class_body"];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let above = climb.grandparent_kind().unwrap_or_default();
    let variable = climb.passed("variable_declaration");
    match gives {
        Defines(Kind::Class) if climb.parent_has("interface") => Defines(Kind::Interface),
        Defines(Kind::Class) if climb.parent_has("enum_class_body") => Defines(Kind::Enum),
        Defines(Kind::Function) if TYPE_BODIES.contains(&above) => Defines(Kind::Method),
        Binds(Kind::Variable) if climb.parent().kind() == "property_declaration" => match above {
            _ if !variable => References,
            "source_file" | "class_body" | "enum_class_body" if is_constant(climb) => Defines(Kind::Constant),
            "source_file" | "class_body" | "enum_class_body" => Defines(Kind::Property),
            _ => gives,
        },
        Binds(Kind::Variable) if climb.parent().kind() != "catch_block" && !variable => References,
        Binds(_) | Defines(Kind::Variant) if climb.name().kind() != "identifier" => References,
        Binds(_) | Defines(Kind::Variant) if !climb.came_first() && climb.parent().kind() != "lambda_parameters" => References,
        Binds(Kind::Parameter) if climb.parent_has("val") || climb.parent_has("var") => Defines(Kind::Property),
        other => other,
    }
}

fn is_constant(climb: &Climb<'_, '_>) -> bool {
    let modifiers = climb.parent().named_child(0).filter(|first| first.kind() == "modifiers");
    modifiers.is_some_and(|modifiers| climb.text(modifiers).split(u8::is_ascii_whitespace).any(|word| word == b"const"))
}
