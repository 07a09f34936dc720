//! Kotlin. The grammar has few fields: an identifier is beside its value. So the table lists where
//! names may be, and `refine` decides which of them come first.

use grounds_evidence::SymbolKind as Kind;
use tree_sitter::Node;

use super::kotlin_text;
use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::{self, Lexicon};

pub(super) static KOTLIN: Language = Language {
    name: "Kotlin",
    extensions: &["kt", "kts"],
    file_names: &[],
    interpreters: &["kotlin"],
    syntax: Syntax::Tidied(
        Grammar {
            load: || tree_sitter_kotlin_ng::LANGUAGE.into(),
            rules: RULES,
            containers: &[],
            members_define: true,
            local_scopes: &[],
            comments: &["line_comment", "block_comment"],
            strings: &[
                "string_literal",
                "multiline_string_literal",
                "character_literal",
            ],
            interpolations: &["interpolation"],
            imports: &["import"],
            refine,
        },
        kotlin_text::tidy,
    ),
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
    rule("class_declaration", "name", Defines(Kind::Class)),
    rule("object_declaration", "name", Defines(Kind::Object)),
    rule("companion_object", "name", Defines(Kind::Object)),
    rule("function_declaration", "name", Defines(Kind::Function)),
    rule("type_alias", "type", Defines(Kind::TypeAlias)),
    rule("enum_entry", "", Defines(Kind::Variant)),
    rule("variable_declaration", "", Through),
    rule("multi_variable_declaration", "", Through),
    rule("property_declaration", "", Binds(Kind::Variable)),
    rule("class_parameter", "", Binds(Kind::Parameter)),
    rule("parameter", "", Binds(Kind::Parameter)),
    rule("lambda_parameters", "", Binds(Kind::Parameter)),
    rule("setter", "", Binds(Kind::Parameter)),
    rule("type_parameter", "", Binds(Kind::TypeParameter)),
    rule("for_statement", "", Binds(Kind::Variable)),
    rule("catch_block", "", Binds(Kind::Variable)),
    rule("when_subject", "", Binds(Kind::Variable)),
    rule("qualified_identifier", "", Through),
    rule("package_header", "", Declares(Kind::Module)),
    rule("call_expression", "", Calls),
    rule("infix_expression", "", Calls),
    rule("navigation_expression", "", Tail),
    rule("parenthesized_expression", "", Tail),
    rule("delegation_specifier", "", Inherits),
    rule("explicit_delegation", "", Inherits),
    rule("constructor_invocation", "", Tail),
    rule("user_type", "", Tail),
];

const TYPE_BODIES: [&str; 2] = ["class_body", "enum_class_body"];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let above = climb.grandparent_kind().unwrap_or_default();
    let variable = climb.passed("variable_declaration");
    match gives {
        References if is_generic_call(climb) || is_negated_call(climb) => Calls,
        Calls if climb.parent().kind() == "infix_expression" && !is_infix(climb) => References,
        // In `class A : B by c`, only `B` is inherited; `c` does the work.
        Inherits
            if climb.parent().kind() == "explicit_delegation"
                && climb.child().kind() != "user_type" =>
        {
            References
        }
        Defines(Kind::Class) if climb.parent_has("interface") => Defines(Kind::Interface),
        Defines(Kind::Class) if climb.parent_has("enum_class_body") => Defines(Kind::Enum),
        Defines(Kind::Function) if TYPE_BODIES.contains(&above) => Defines(Kind::Method),
        // Only the part that declares the variable binds a name; its value is beside it.
        Binds(Kind::Variable) if climb.parent().kind() == "property_declaration" => match above {
            _ if !variable => References,
            "source_file" | "class_body" | "enum_class_body" if is_constant(climb) => {
                Defines(Kind::Constant)
            }
            "source_file" | "class_body" | "enum_class_body" => Defines(Kind::Property),
            _ => gives,
        },
        Binds(Kind::Variable) if climb.parent().kind() != "catch_block" && !variable => References,
        Binds(_) | Defines(Kind::Variant) if climb.name().kind() != "identifier" => References,
        Binds(_) | Defines(Kind::Variant)
            if !climb.came_first() && climb.parent().kind() != "lambda_parameters" =>
        {
            References
        }
        // `class A(val x: Int)` makes a property of its parameter.
        Binds(Kind::Parameter) if climb.parent_has("val") || climb.parent_has("var") => {
            Defines(Kind::Property)
        }
        other => other,
    }
}

/// Reports whether a name is called with type arguments, `build<Entry>(…)` or `build<Entry> {`,
/// which the grammar may read as comparisons.
fn is_generic_call(climb: &Climb<'_, '_>) -> bool {
    let after = lexical::after_type_arguments(climb.source, climb.name().end_byte());
    let is_type = climb
        .frames
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|above| above.node.kind() == "user_type");
    climb.name().kind() == "identifier"
        && !is_type
        && after.is_some_and(|after| after.starts_with(b"(") || after.starts_with(b" {"))
}

/// Reports whether a name is called behind a sign: the grammar reads `!ready()` as a call of
/// `!ready`.
fn is_negated_call(climb: &Climb<'_, '_>) -> bool {
    let mut above = climb.frames.iter().rev().map(|frame| frame.node);
    let Some(mut callee) = above.next() else {
        return false;
    };
    let mut above = above.skip_while(|node| {
        let is_sign = node.kind() == "unary_expression";
        if is_sign {
            callee = *node;
        }
        is_sign
    });
    let Some(call) = above.next() else {
        return false;
    };
    let is_first = |callee: Node<'_>| {
        call.named_child(0)
            .is_some_and(|one| one.id() == callee.id())
    };
    call.kind() == "call_expression" && callee.kind() == "unary_expression" && is_first(callee)
}

/// Reports whether the name is between the operands of `a name b`.
fn is_infix(climb: &Climb<'_, '_>) -> bool {
    climb
        .parent()
        .named_child(1)
        .is_some_and(|middle| middle.id() == climb.name().id())
}

fn is_constant(climb: &Climb<'_, '_>) -> bool {
    let modifiers = climb
        .parent()
        .named_child(0)
        .filter(|first| first.kind() == "modifiers");
    modifiers.is_some_and(|modifiers| {
        climb
            .text(modifiers)
            .split(u8::is_ascii_whitespace)
            .any(|word| word == b"const")
    })
}
