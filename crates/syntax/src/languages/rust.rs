//! Rust. Items inside macro calls (`cfg_rt! { pub struct X; }`) are token
//! trees to the grammar; there the lexicon speaks.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Imports, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
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
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "function_item",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "function_signature_item",
        field: "name",
        gives: Declares(Kind::Function),
    },
    Rule {
        node: "struct_item",
        field: "name",
        gives: Defines(Kind::Struct),
    },
    Rule {
        node: "union_item",
        field: "name",
        gives: Defines(Kind::Union),
    },
    Rule {
        node: "enum_item",
        field: "name",
        gives: Defines(Kind::Enum),
    },
    Rule {
        node: "enum_variant",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "trait_item",
        field: "name",
        gives: Defines(Kind::Trait),
    },
    Rule {
        node: "mod_item",
        field: "name",
        gives: Defines(Kind::Module),
    },
    Rule {
        node: "type_item",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "associated_type",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "const_item",
        field: "name",
        gives: Defines(Kind::Constant),
    },
    Rule {
        node: "static_item",
        field: "name",
        gives: Defines(Kind::Constant),
    },
    Rule {
        node: "macro_definition",
        field: "name",
        gives: Defines(Kind::Macro),
    },
    Rule {
        node: "field_declaration",
        field: "name",
        gives: Defines(Kind::Field),
    },
    Rule {
        node: "let_declaration",
        field: "pattern",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "let_condition",
        field: "pattern",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "for_expression",
        field: "pattern",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "parameter",
        field: "pattern",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "closure_parameters",
        field: "",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "type_parameter",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "const_parameter",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "mut_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "ref_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "reference_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "tuple_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "use_as_clause",
        field: "alias",
        gives: Imports,
    },
    Rule {
        node: "call_expression",
        field: "function",
        gives: Calls,
    },
    Rule {
        node: "macro_invocation",
        field: "macro",
        gives: Calls,
    },
    Rule {
        node: "impl_item",
        field: "trait",
        gives: Inherits,
    },
    Rule {
        node: "trait_item",
        field: "bounds",
        gives: Inherits,
    },
    Rule {
        node: "trait_bounds",
        field: "",
        gives: Through,
    },
    Rule {
        node: "higher_ranked_trait_bound",
        field: "type",
        gives: Tail,
    },
    Rule {
        node: "generic_type",
        field: "type",
        gives: Tail,
    },
    Rule {
        node: "scoped_type_identifier",
        field: "name",
        gives: Tail,
    },
    Rule {
        node: "generic_function",
        field: "function",
        gives: Tail,
    },
    Rule {
        node: "field_expression",
        field: "field",
        gives: Tail,
    },
    Rule {
        node: "scoped_identifier",
        field: "name",
        gives: Tail,
    },
    Rule {
        node: "parenthesized_expression",
        field: "",
        gives: Tail,
    },
];

/// A function in an `impl` or `trait` is a method; one that a trait requires without a body is
/// still where the method is defined.
fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let owner = climb
        .at
        .checked_sub(2)
        .map(|index| climb.frames[index].node.kind());
    let in_type = climb.grandparent_kind() == Some("declaration_list")
        && matches!(owner, Some("impl_item" | "trait_item"));
    match gives {
        Defines(Kind::Function) if in_type => Defines(Kind::Method),
        Inherits if climb.parent_has("!") => References,
        Declares(Kind::Function) if owner == Some("trait_item") => Defines(Kind::Method),
        other => other,
    }
}
