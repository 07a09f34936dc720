//! Rust. Items inside of macro calls (`cfg_rt! { pub struct X; }`) are token trees to the grammar,
//! where the lexicon decides.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Imports, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::Lexicon;

pub(super) static RUST: Language = Language {
    name: "Rust",
    extensions: &["rs"],
    file_names: &[],
    interpreters: &["rust-script"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_rust::LANGUAGE.into(),
        rules: RULES,
        containers: &[("impl_item", "type")],
        members_define: false,
        local_scopes: &["function_item", "closure_expression"],
        comments: &["line_comment", "block_comment"],
        strings: &["string_literal", "raw_string_literal", "char_literal"],
        interpolations: &[],
        imports: &["use_declaration", "extern_crate_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("fn", Kind::Function),
            ("struct", Kind::Struct),
            ("enum", Kind::Enum),
            ("union", Kind::Union),
            ("trait", Kind::Trait),
            ("mod", Kind::Module),
            ("type", Kind::TypeAlias),
            ("const", Kind::Constant),
            ("static", Kind::Constant),
            ("macro_rules", Kind::Macro),
        ],
        importers: &["use"],
        line_comments: &["//"],
        name_bytes: &[],
        quotes_span_lines: true,
    },
};

const RULES: &[Rule] = &[
    rule("function_item", "name", Defines(Kind::Function)),
    rule("function_signature_item", "name", Declares(Kind::Function)),
    rule("struct_item", "name", Defines(Kind::Struct)),
    rule("union_item", "name", Defines(Kind::Union)),
    rule("enum_item", "name", Defines(Kind::Enum)),
    rule("enum_variant", "name", Defines(Kind::Variant)),
    rule("trait_item", "name", Defines(Kind::Trait)),
    rule("mod_item", "name", Defines(Kind::Module)),
    rule("type_item", "name", Defines(Kind::TypeAlias)),
    rule("associated_type", "name", Defines(Kind::TypeAlias)),
    rule("const_item", "name", Defines(Kind::Constant)),
    rule("static_item", "name", Defines(Kind::Constant)),
    rule("macro_definition", "name", Defines(Kind::Macro)),
    rule("field_declaration", "name", Defines(Kind::Field)),
    rule("let_declaration", "pattern", Binds(Kind::Variable)),
    rule("let_condition", "pattern", Binds(Kind::Variable)),
    rule("for_expression", "pattern", Binds(Kind::Variable)),
    rule("parameter", "pattern", Binds(Kind::Parameter)),
    rule("closure_parameters", "", Binds(Kind::Parameter)),
    rule("type_parameter", "name", Binds(Kind::TypeParameter)),
    rule("const_parameter", "name", Binds(Kind::TypeParameter)),
    rule("mut_pattern", "", Through),
    rule("ref_pattern", "", Through),
    rule("reference_pattern", "", Through),
    rule("tuple_pattern", "", Through),
    rule("use_as_clause", "alias", Imports),
    rule("call_expression", "function", Calls),
    rule("macro_invocation", "macro", Calls),
    rule("impl_item", "trait", Inherits),
    rule("trait_item", "bounds", Inherits),
    rule("trait_bounds", "", Through),
    rule("higher_ranked_trait_bound", "type", Tail),
    rule("generic_type", "type", Tail),
    rule("scoped_type_identifier", "name", Tail),
    rule("generic_function", "function", Tail),
    rule("field_expression", "field", Tail),
    rule("scoped_identifier", "name", Tail),
    rule("parenthesized_expression", "", Tail),
];

/// Decides functions. One in an `impl` or `trait` is a method, and a trait that requires it without
/// a body is still where the method is defined.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let owner = climb
        .at
        .checked_sub(2)
        .map(|index| climb.frames[index].node.kind());
    let in_type = climb.grandparent_kind() == Some("declaration_list")
        && matches!(owner, Some("impl_item" | "trait_item"));
    match gives {
        Defines(Kind::Function) if in_type => Defines(Kind::Method),
        // `impl !Send for X` denies the trait.
        Inherits if climb.parent_has("!") => References,
        Declares(Kind::Function) if owner == Some("trait_item") => Defines(Kind::Method),
        other => other,
    }
}
