//! TypeScript and TSX: the rules of JavaScript, and types. The two grammars differ in what `<`
//! opens.

use grounds_evidence::SymbolKind as Kind;

use super::javascript::{self, SHARED_RULES};
use crate::language::Gives::{
    Binds, Calls, Declares, Defines, DefinesUnlessLocal, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, join, rule};
use crate::lexical::{self, Lexicon};

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

/// Returns the description that the two share.
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
    ..Lexicon::NONE
};

const RULES: [Rule; 54] = join(
    &SHARED_RULES,
    &[
        rule("abstract_class_declaration", "name", Defines(Kind::Class)),
        rule("interface_declaration", "name", Defines(Kind::Interface)),
        rule("type_alias_declaration", "name", Defines(Kind::TypeAlias)),
        rule("enum_declaration", "name", Defines(Kind::Enum)),
        rule("enum_body", "name", Defines(Kind::Variant)),
        rule("enum_assignment", "name", Defines(Kind::Variant)),
        rule("internal_module", "name", Defines(Kind::Namespace)),
        rule("module", "name", Defines(Kind::Namespace)),
        rule("nested_identifier", "property", Through),
        rule("abstract_method_signature", "name", Defines(Kind::Method)),
        rule("method_signature", "name", Defines(Kind::Method)),
        rule("property_signature", "name", Defines(Kind::Property)),
        rule("public_field_definition", "name", Defines(Kind::Field)),
        rule("function_signature", "name", Declares(Kind::Function)),
        rule("required_parameter", "pattern", Binds(Kind::Parameter)),
        rule("required_parameter", "name", Binds(Kind::Parameter)),
        rule("optional_parameter", "pattern", Binds(Kind::Parameter)),
        rule("optional_parameter", "name", Binds(Kind::Parameter)),
        rule("index_signature", "name", Binds(Kind::Parameter)),
        rule("type_parameter", "name", Binds(Kind::TypeParameter)),
        rule("mapped_type_clause", "name", Binds(Kind::TypeParameter)),
        rule("extends_clause", "value", Inherits),
        rule("extends_type_clause", "type", Inherits),
        rule("implements_clause", "", Inherits),
        rule("generic_type", "name", Tail),
        rule("nested_type_identifier", "name", Tail),
        rule("non_null_expression", "", Tail),
    ],
);

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match climb.parent().kind() {
        // The grammar reads `await f<T>(…)` as a comparison, or as a call of what is awaited.
        "await_expression" if is_generic_call(climb) => Calls,
        // In a class, a signature without a body is an overload of the method that follows. A class
        // without bodies, as in a `.d.ts`, has no other definition of its methods.
        "method_signature" if climb.grandparent_kind() == Some("class_body") => {
            match has_body(climb) {
                true => Declares(Kind::Method),
                false if climb.text(climb.name()) == b"constructor" => Defines(Kind::Constructor),
                false => Defines(Kind::Method),
            }
        }
        // `f(options: { depth: number })` describes a value and defines no name for others.
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
            // `declare const x` in a `.d.ts` announces what another file defines.
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

/// Limit on the members of a class among which the body of a method is searched.
const MEMBERS_MAX: usize = 2_000;

/// Reports whether the class of a signature also has the method with a body.
fn has_body(climb: &Climb<'_, '_>) -> bool {
    let name = climb.text(climb.name());
    let mut next = climb.parent().next_named_sibling();
    for _ in 0..MEMBERS_MAX {
        let Some(member) = next else { return false };
        let is_it = member
            .child_by_field_name("name")
            .is_some_and(|one| climb.text(one) == name);
        match member.kind() {
            "comment" | "decorator" => {}
            // The body follows directly after the overloads.
            "method_signature" if is_it => {}
            kind => return kind == "method_definition" && is_it,
        }
        next = member.next_named_sibling();
    }
    false
}

fn is_generic_call(climb: &Climb<'_, '_>) -> bool {
    let after = lexical::after_type_arguments(climb.source, climb.name().end_byte());
    climb.name().kind() == "identifier" && after.is_some_and(|after| after.starts_with(b"("))
}

/// Reports whether a constant is a `declare const KEY: unique symbol`, a type of its own that no
/// other place defines.
fn is_unique(climb: &Climb<'_, '_>) -> bool {
    climb.text_of_field("type").ends_with(b"unique symbol")
}

/// Reports whether a constructor's parameter has a modifier, so that it is a field of the class.
fn is_property(climb: &Climb<'_, '_>) -> bool {
    climb.parent_has("accessibility_modifier")
        || climb.parent_has("readonly")
        || climb.parent_has("override_modifier")
}
