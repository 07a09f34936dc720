//! Go. Methods stand outside their type: the receiver gives the container.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Defines, DefinesUnlessLocal, References, Through};
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
        strings: &["interpreted_string_literal", "raw_string_literal", "rune_literal"],
        interpolations: &[],
        imports: &["import_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[("func", Kind::Function), ("type", Kind::TypeAlias), ("const", Kind::Constant), ("var", Kind::Variable)],
        importers: &["import"],
        line_comments: &["//"],
        name_bytes: &[],
    },
};

const RULES: &[Rule] = &[
    Rule { node: "function_declaration", field: "name", gives: Defines(Kind::Function) },
    Rule { node: "method_declaration", field: "name", gives: Defines(Kind::Method) },
    Rule { node: "method_elem", field: "name", gives: Defines(Kind::Method) },
    Rule { node: "type_spec", field: "name", gives: Defines(Kind::Struct) },
    Rule { node: "type_alias", field: "name", gives: Defines(Kind::TypeAlias) },
    Rule { node: "field_declaration", field: "name", gives: Defines(Kind::Field) },
    Rule { node: "const_spec", field: "name", gives: DefinesUnlessLocal(Kind::Constant) },
    Rule { node: "var_spec", field: "name", gives: DefinesUnlessLocal(Kind::Variable) },
    Rule { node: "short_var_declaration", field: "left", gives: Binds(Kind::Variable) },
    Rule { node: "range_clause", field: "left", gives: Binds(Kind::Variable) },
    Rule { node: "receive_statement", field: "left", gives: Binds(Kind::Variable) },
    Rule { node: "type_switch_statement", field: "alias", gives: Binds(Kind::Variable) },
    Rule { node: "expression_list", field: "", gives: Through },
    Rule { node: "parameter_declaration", field: "name", gives: Binds(Kind::Parameter) },
    Rule { node: "variadic_parameter_declaration", field: "name", gives: Binds(Kind::Parameter) },
    Rule { node: "type_parameter_declaration", field: "name", gives: Binds(Kind::TypeParameter) },
    Rule { node: "labeled_statement", field: "label", gives: Binds(Kind::Label) },
];

/// What a type is stands after its name, and `=` in place of `:=` assigns to what exists.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match (climb.parent().kind(), gives) {
        ("type_spec", Defines(_)) => Defines(kind_of_type(climb)),
        ("range_clause" | "receive_statement", Binds(_)) if !climb.parent_has(":=") => References,
        _ => gives,
    }
}

fn kind_of_type(climb: &Climb<'_, '_>) -> Kind {
    match climb.parent().child_by_field_name("type").map(|node| node.kind()) {
        Some("struct_type") => Kind::Struct,
        Some("interface_type") => Kind::Interface,
        _ => Kind::TypeAlias,
    }
}
