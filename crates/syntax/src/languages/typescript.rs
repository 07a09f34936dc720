//! TypeScript and TSX: what JavaScript has, and types. The two grammars differ
//! in what `<` opens.

use grounds_evidence::SymbolKind as Kind;

use super::javascript::{self, SHARED_RULES};
use crate::language::Gives::{
    Binds, Declares, Defines, DefinesUnlessLocal, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, join};
use crate::lexical::Lexicon;

pub(super) static TYPESCRIPT: Language = Language {
    name: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    file_names: &[],
    interpreters: &["ts-node", "deno", "bun"],
    syntax: Syntax::Tree(grammar(
        || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        &["string", "template_string", "regex"],
    )),
    lexicon: LEXICON,
};

pub(super) static TSX: Language = Language {
    name: "TSX",
    extensions: &["tsx"],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tree(grammar(
        || tree_sitter_typescript::LANGUAGE_TSX.into(),
        &["string", "template_string", "regex", "jsx_text"],
    )),
    lexicon: LEXICON,
};

/// What the two have in common.
const fn grammar(load: fn() -> tree_sitter::Language, strings: &'static [&'static str]) -> Grammar {
    Grammar {
        load,
        rules: &RULES,
        containers: &[],
        members_define: true,
        local_scopes: javascript::LOCAL_SCOPES,
        comments: javascript::COMMENTS,
        strings,
        interpolations: &["template_substitution"],
        imports: &["import_statement", "import_alias"],
        refine,
    }
}

const LEXICON: Lexicon = Lexicon {
    definers: &[
        ("function", Kind::Function),
        ("class", Kind::Class),
        ("const", Kind::Constant),
        ("let", Kind::Variable),
        ("var", Kind::Variable),
        ("enum", Kind::Enum),
        ("interface", Kind::Interface),
        ("type", Kind::TypeAlias),
        ("namespace", Kind::Namespace),
    ],
    importers: &["import"],
    line_comments: &["//"],
    name_bytes: b"$",
};

const RULES: [Rule; 54] = join(
    &SHARED_RULES,
    &[
        Rule {
            node: "abstract_class_declaration",
            field: "name",
            gives: Defines(Kind::Class),
        },
        Rule {
            node: "interface_declaration",
            field: "name",
            gives: Defines(Kind::Interface),
        },
        Rule {
            node: "type_alias_declaration",
            field: "name",
            gives: Defines(Kind::TypeAlias),
        },
        Rule {
            node: "enum_declaration",
            field: "name",
            gives: Defines(Kind::Enum),
        },
        Rule {
            node: "enum_body",
            field: "name",
            gives: Defines(Kind::Variant),
        },
        Rule {
            node: "enum_assignment",
            field: "name",
            gives: Defines(Kind::Variant),
        },
        Rule {
            node: "internal_module",
            field: "name",
            gives: Defines(Kind::Namespace),
        },
        Rule {
            node: "module",
            field: "name",
            gives: Defines(Kind::Namespace),
        },
        Rule {
            node: "nested_identifier",
            field: "property",
            gives: Through,
        },
        Rule {
            node: "abstract_method_signature",
            field: "name",
            gives: Defines(Kind::Method),
        },
        Rule {
            node: "method_signature",
            field: "name",
            gives: Defines(Kind::Method),
        },
        Rule {
            node: "property_signature",
            field: "name",
            gives: Defines(Kind::Property),
        },
        Rule {
            node: "public_field_definition",
            field: "name",
            gives: Defines(Kind::Field),
        },
        Rule {
            node: "function_signature",
            field: "name",
            gives: Declares(Kind::Function),
        },
        Rule {
            node: "required_parameter",
            field: "pattern",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "required_parameter",
            field: "name",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "optional_parameter",
            field: "pattern",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "optional_parameter",
            field: "name",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "index_signature",
            field: "name",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "type_parameter",
            field: "name",
            gives: Binds(Kind::TypeParameter),
        },
        Rule {
            node: "mapped_type_clause",
            field: "name",
            gives: Binds(Kind::TypeParameter),
        },
        Rule {
            node: "extends_clause",
            field: "value",
            gives: Inherits,
        },
        Rule {
            node: "extends_type_clause",
            field: "type",
            gives: Inherits,
        },
        Rule {
            node: "implements_clause",
            field: "",
            gives: Inherits,
        },
        Rule {
            node: "generic_type",
            field: "name",
            gives: Tail,
        },
        Rule {
            node: "nested_type_identifier",
            field: "name",
            gives: Tail,
        },
        Rule {
            node: "non_null_expression",
            field: "",
            gives: Tail,
        },
    ],
);

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match climb.parent().kind() {
        "method_signature" if climb.grandparent_kind() == Some("class_body") => {
            Declares(Kind::Method)
        }
        "method_signature" | "property_signature"
            if !climb.inside(&["interface_declaration", "type_alias_declaration"]) =>
        {
            References
        }
        "required_parameter" | "optional_parameter"
            if gives != References && is_property(climb) =>
        {
            Defines(Kind::Field)
        }
        "variable_declarator" => match javascript::refine(climb, gives) {
            DefinesUnlessLocal(kind) | Defines(kind)
                if climb.inside(&["ambient_declaration"]) && !is_unique(climb) =>
            {
                Declares(kind)
            }
            other => other,
        },
        _ => javascript::refine(climb, gives),
    }
}

/// `declare const KEY: unique symbol` is a type of its own: no other place defines it.
fn is_unique(climb: &Climb<'_, '_>) -> bool {
    climb.text_of_field("type").ends_with(b"unique symbol")
}

/// A constructor's parameter with a modifier is a field of the class.
fn is_property(climb: &Climb<'_, '_>) -> bool {
    climb.parent_has("accessibility_modifier")
        || climb.parent_has("readonly")
        || climb.parent_has("override_modifier")
}
