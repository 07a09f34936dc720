//! Scala, versions 2 and 3. A `val` in a template is a property of it, and in a block it is local.
//! Every file of a package announces the package.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
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
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("class_definition", "name", Defines(Kind::Class)),
    rule("trait_definition", "name", Defines(Kind::Trait)),
    rule("object_definition", "name", Defines(Kind::Object)),
    rule("package_object", "name", Defines(Kind::Object)),
    rule("enum_definition", "name", Defines(Kind::Enum)),
    rule("simple_enum_case", "name", Defines(Kind::Variant)),
    rule("full_enum_case", "name", Defines(Kind::Variant)),
    rule("function_definition", "name", Defines(Kind::Function)),
    rule("function_declaration", "name", Defines(Kind::Function)),
    rule("given_definition", "name", Defines(Kind::Object)),
    rule("type_definition", "name", Defines(Kind::TypeAlias)),
    rule("val_definition", "pattern", Binds(Kind::Variable)),
    rule("var_definition", "pattern", Binds(Kind::Variable)),
    rule("val_declaration", "name", Binds(Kind::Variable)),
    rule("var_declaration", "name", Binds(Kind::Variable)),
    rule("class_parameter", "name", Binds(Kind::Parameter)),
    rule("parameter", "name", Binds(Kind::Parameter)),
    rule("binding", "name", Binds(Kind::Parameter)),
    rule("lambda_expression", "parameters", Binds(Kind::Parameter)),
    rule("type_parameters", "name", Binds(Kind::TypeParameter)),
    rule(
        "covariant_type_parameter",
        "name",
        Binds(Kind::TypeParameter),
    ),
    rule(
        "contravariant_type_parameter",
        "name",
        Binds(Kind::TypeParameter),
    ),
    rule("case_clause", "pattern", Binds(Kind::Variable)),
    rule("enumerator", "", Binds(Kind::Variable)),
    rule("self_type", "", Binds(Kind::Variable)),
    rule("identifiers", "", Through),
    rule("tuple_pattern", "", Through),
    rule("typed_pattern", "pattern", Through),
    rule("capture_pattern", "name", Through),
    rule("capture_pattern", "pattern", Through),
    rule("case_class_pattern", "pattern", Through),
    rule("infix_pattern", "left", Through),
    rule("infix_pattern", "right", Through),
    rule("package_identifier", "", Through),
    rule("package_clause", "name", Declares(Kind::Module)),
    rule("call_expression", "function", Calls),
    rule("infix_expression", "operator", Calls),
    rule("instance_expression", "", Calls),
    rule("extends_clause", "type", Inherits),
    rule("compound_type", "base", Tail),
    rule("compound_type", "extra", Tail),
    rule("field_expression", "field", Tail),
    rule("generic_function", "function", Tail),
    rule("generic_type", "type", Tail),
    rule("stable_type_identifier", "", Tail),
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
        // `def this(…)` is a second constructor.
        Defines(Kind::Function) if climb.text(climb.name()) == b"this" => {
            Defines(Kind::Constructor)
        }
        // `package a { def f … }` has a body like a template, whose functions are no methods.
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

/// Reports whether a name in a pattern is that of an existing value. A capital letter means so, and
/// in a `for`, names after the arrow are used.
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

/// Reports whether a parameter of a class is kept as a field: it is marked so, or the class is a
/// case class.
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
