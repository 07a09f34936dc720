//! C++: the rules of C, and the content of classes and namespaces. Headers are read as C++, since
//! its grammar reads nearly all of C, and the C grammar reads no classes.

use grounds_evidence::SymbolKind as Kind;

use super::c::{self, SHARED_RULES};
use super::c_text;
use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, join, rule};
use crate::lexical::Lexicon;

pub(super) static CPP: Language = Language {
    name: "C++",
    extensions: &[
        "cpp", "cc", "cxx", "c++", "cppm", "ixx", "h", "hpp", "hh", "hxx", "h++", "ipp", "inl",
        "tpp", "cu", "cuh",
    ],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tidied(
        Grammar {
            load: || tree_sitter_cpp::LANGUAGE.into(),
            rules: &RULES,
            containers: &[("qualified_identifier", "scope"), c::TYPEDEFS[0]],
            members_define: false,
            local_scopes: &["function_definition", "lambda_expression"],
            comments: &["comment"],
            strings: &[
                "string_literal",
                "raw_string_literal",
                "char_literal",
                "system_lib_string",
            ],
            interpolations: &[],
            imports: &["preproc_include", "using_declaration"],
            refine,
        },
        c_text::tidy,
    ),
    lexicon: Lexicon {
        definers: &[
            ("define", Kind::Macro),
            ("namespace", Kind::Namespace),
            ("concept", Kind::Trait),
        ],
        importers: &["using"],
        line_comments: &["//"],
        name_bytes: b"$",
        ..Lexicon::NONE
    },
};

const RULES: [Rule; 53] = join(
    &SHARED_RULES,
    &[
        rule("class_specifier", "name", Defines(Kind::Class)),
        rule("namespace_definition", "name", Defines(Kind::Namespace)),
        rule(
            "namespace_alias_definition",
            "name",
            Defines(Kind::Namespace),
        ),
        rule("nested_namespace_specifier", "", Through),
        rule("alias_declaration", "name", Defines(Kind::TypeAlias)),
        rule("concept_definition", "name", Defines(Kind::Trait)),
        rule("qualified_identifier", "name", Through),
        rule("template_function", "name", Through),
        rule("template_type", "name", Through),
        rule("destructor_name", "", Through),
        rule("reference_declarator", "", Through),
        rule("variadic_declarator", "", Through),
        rule("structured_binding_declarator", "", Through),
        rule("pointer_type_declarator", "declarator", Through),
        rule(
            "optional_parameter_declaration",
            "declarator",
            Binds(Kind::Parameter),
        ),
        rule(
            "variadic_parameter_declaration",
            "declarator",
            Binds(Kind::Parameter),
        ),
        rule("for_range_loop", "declarator", Binds(Kind::Variable)),
        rule("lambda_capture_initializer", "left", Binds(Kind::Variable)),
        rule("type_parameter_declaration", "", Binds(Kind::TypeParameter)),
        rule(
            "variadic_type_parameter_declaration",
            "",
            Binds(Kind::TypeParameter),
        ),
        rule(
            "optional_type_parameter_declaration",
            "name",
            Binds(Kind::TypeParameter),
        ),
        rule("base_class_clause", "", Inherits),
        rule("new_expression", "type", Calls),
        rule("compound_literal_expression", "type", Calls),
        rule("template_method", "name", Tail),
        rule("dependent_name", "", Tail),
    ],
);

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let parent = climb.parent();
    match (parent.kind(), c::refine(climb, gives)) {
        ("function_definition", Defines(Kind::Function)) => Defines(kind_of_function(climb)),
        ("declaration", Declares(Kind::Function)) => Declares(kind_of_function(climb)),
        // `auto f = [](int x) {…};` defines a function in all but form.
        ("declaration", Defines(Kind::Variable)) if holds_lambda(climb) => Defines(Kind::Function),
        ("field_declaration", Defines(Kind::Field))
            if c::innermost_declarator(climb) == Some("function_declarator") =>
        {
            // `= default` and `= delete` are the whole definition of a method.
            if parent.child_by_field_name("default_value").is_some() {
                Defines(Kind::Method)
            } else {
                Declares(Kind::Method)
            }
        }
        // A default of a type parameter is a child of the same node as its name.
        ("type_parameter_declaration" | "variadic_type_parameter_declaration", _)
            if climb.name().kind() != "type_identifier" =>
        {
            References
        }
        (_, gives) => gives,
    }
}

/// Returns the kind of a function. One of a class, by its place or by its qualified name, is a
/// method, and one with the name of its class a constructor.
fn kind_of_function(climb: &Climb<'_, '_>) -> Kind {
    let name = climb.text(climb.name());
    let around = climb.frames[..climb.at]
        .iter()
        .rev()
        .map(|frame| frame.node);
    let class = around.clone().into_iter().find(|node| {
        matches!(
            node.kind(),
            "class_specifier" | "struct_specifier" | "union_specifier"
        )
    });
    // A function inside of a method's body belongs to no class.
    let direct = around
        .into_iter()
        .find(|node| matches!(node.kind(), "field_declaration_list" | "compound_statement"));
    let in_class = direct.is_some_and(|node| node.kind() == "field_declaration_list");
    let scope = climb.frames[climb.at..]
        .iter()
        .rev()
        .find(|frame| frame.node.kind() == "qualified_identifier");
    let scope = scope.and_then(|frame| frame.node.child_by_field_name("scope"));
    let class = class
        .filter(|_| in_class)
        .and_then(|node| node.child_by_field_name("name"));
    match scope.or(class) {
        // `~Name` ends in the name of its class too.
        Some(_) if climb.passed("destructor_name") => Kind::Method,
        Some(owner) if owner_name(climb.text(owner)) == name => Kind::Constructor,
        Some(_) => Kind::Method,
        None if in_class => Kind::Method,
        None => Kind::Function,
    }
}

fn owner_name(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|&byte| byte == b'<')
        .unwrap_or(text.len());
    text[..end].trim_ascii()
}

fn holds_lambda(climb: &Climb<'_, '_>) -> bool {
    let declarator = climb.frames[climb.at + 1..]
        .iter()
        .find(|frame| frame.node.kind() == "init_declarator");
    let value = declarator.and_then(|frame| frame.node.child_by_field_name("value"));
    value.is_some_and(|value| value.kind() == "lambda_expression")
}
