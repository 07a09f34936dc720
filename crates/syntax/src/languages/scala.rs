//! Scala, versions 2 and 3. A `val` in a template is a property of it, in a
//! block it is local; a package is announced by every file in it.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static SCALA: Language = Language {
    name: "Scala",
    extensions: &["scala", "sc", "sbt"],
    file_names: &[],
    interpreters: &["scala", "amm", "scala-cli"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_scala::LANGUAGE.into(),
        rules: RULES,
        containers: &[],
        members_define: true,
        local_scopes: &[],
        comments: &["comment", "block_comment"],
        strings: &["string", "interpolated_string", "character_literal"],
        interpolations: &["interpolation"],
        imports: &["import_declaration", "export_declaration"],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[
            ("def", Kind::Method),
            ("class", Kind::Class),
            ("trait", Kind::Trait),
            ("object", Kind::Object),
            ("enum", Kind::Enum),
        ],
        importers: &["import", "export"],
        line_comments: &["//"],
        name_bytes: b"$",
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "class_definition",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "trait_definition",
        field: "name",
        gives: Defines(Kind::Trait),
    },
    Rule {
        node: "object_definition",
        field: "name",
        gives: Defines(Kind::Object),
    },
    Rule {
        node: "package_object",
        field: "name",
        gives: Defines(Kind::Object),
    },
    Rule {
        node: "enum_definition",
        field: "name",
        gives: Defines(Kind::Enum),
    },
    Rule {
        node: "simple_enum_case",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "full_enum_case",
        field: "name",
        gives: Defines(Kind::Variant),
    },
    Rule {
        node: "function_definition",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "function_declaration",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "given_definition",
        field: "name",
        gives: Defines(Kind::Object),
    },
    Rule {
        node: "type_definition",
        field: "name",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "val_definition",
        field: "pattern",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "var_definition",
        field: "pattern",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "val_declaration",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "var_declaration",
        field: "name",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "class_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "binding",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "lambda_expression",
        field: "parameters",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "type_parameters",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "covariant_type_parameter",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "contravariant_type_parameter",
        field: "name",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "case_clause",
        field: "pattern",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "enumerator",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "self_type",
        field: "",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "identifiers",
        field: "",
        gives: Through,
    },
    Rule {
        node: "tuple_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "typed_pattern",
        field: "pattern",
        gives: Through,
    },
    Rule {
        node: "capture_pattern",
        field: "name",
        gives: Through,
    },
    Rule {
        node: "capture_pattern",
        field: "pattern",
        gives: Through,
    },
    Rule {
        node: "case_class_pattern",
        field: "pattern",
        gives: Through,
    },
    Rule {
        node: "infix_pattern",
        field: "left",
        gives: Through,
    },
    Rule {
        node: "infix_pattern",
        field: "right",
        gives: Through,
    },
    Rule {
        node: "package_identifier",
        field: "",
        gives: Through,
    },
    Rule {
        node: "package_clause",
        field: "name",
        gives: Declares(Kind::Module),
    },
    Rule {
        node: "call_expression",
        field: "function",
        gives: Calls,
    },
    Rule {
        node: "infix_expression",
        field: "operator",
        gives: Calls,
    },
    Rule {
        node: "instance_expression",
        field: "",
        gives: Calls,
    },
    Rule {
        node: "extends_clause",
        field: "type",
        gives: Inherits,
    },
    Rule {
        node: "compound_type",
        field: "base",
        gives: Tail,
    },
    Rule {
        node: "compound_type",
        field: "extra",
        gives: Tail,
    },
    Rule {
        node: "field_expression",
        field: "field",
        gives: Tail,
    },
    Rule {
        node: "generic_function",
        field: "function",
        gives: Tail,
    },
    Rule {
        node: "generic_type",
        field: "type",
        gives: Tail,
    },
    Rule {
        node: "stable_type_identifier",
        field: "",
        gives: Tail,
    },
];

const TEMPLATES: [&str; 6] = [
    "template_body",
    "with_template_body",
    "enum_body",
    "extension_definition",
    "refinement",
    "structural_type",
];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let above = climb.grandparent_kind().unwrap_or_default();
    let parent = climb.parent().kind();
    let is_value = matches!(
        parent,
        "val_definition" | "var_definition" | "val_declaration" | "var_declaration"
    );
    let in_package = climb
        .at
        .checked_sub(2)
        .is_some_and(|index| climb.frames[index].node.kind() == "package_clause");
    match gives {
        Defines(Kind::Function) if climb.text(climb.name()) == b"this" => {
            Defines(Kind::Constructor)
        }
        Defines(Kind::Function) if TEMPLATES.contains(&above) && !in_package => {
            Defines(Kind::Method)
        }
        Binds(Kind::Variable) if is_value && TEMPLATES.contains(&above) => Defines(Kind::Property),
        Binds(Kind::Variable) if is_value && above == "compilation_unit" => Defines(Kind::Variable),
        Binds(Kind::Variable) if !is_value && names_a_value(climb) => References,
        Binds(Kind::Parameter) if parent == "class_parameter" && is_field(climb) => {
            Defines(Kind::Property)
        }
        other => other,
    }
}

/// In a pattern, a capital letter means a value that exists already; in a `for`, what follows the
/// arrow is used.
fn names_a_value(climb: &Climb<'_, '_>) -> bool {
    let capital = climb
        .text(climb.name())
        .first()
        .is_some_and(u8::is_ascii_uppercase);
    let first = climb
        .parent()
        .child(0)
        .is_some_and(|first| first.id() == climb.child().id());
    capital || (climb.parent().kind() == "enumerator" && !first)
}

/// Whether a parameter of a class is kept: marked so, or the class is a case class.
fn is_field(climb: &Climb<'_, '_>) -> bool {
    let marked = climb.parent_has("val") || climb.parent_has("var");
    let class = climb
        .at
        .checked_sub(2)
        .map(|index| climb.frames[index].node);
    let is_case = |class: tree_sitter::Node<'_>| {
        class.kind() == "full_enum_case" || class.child(0).is_some_and(|word| word.kind() == "case")
    };
    let after_modifiers = |class: tree_sitter::Node<'_>| {
        class
            .children(&mut class.walk())
            .any(|word| word.kind() == "case")
    };
    marked || class.is_some_and(|class| is_case(class) || after_modifiers(class))
}
