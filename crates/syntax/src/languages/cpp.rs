//! C++: what C has, and the content of classes and namespaces. Headers are read as C++, since its
//! grammar reads nearly all of C and the C grammar reads no classes.

use grounds_evidence::SymbolKind as Kind;

use super::c::{self, SHARED_RULES};
use super::c_text;
use crate::language::Gives::{
    Binds, Calls, Declares, Defines, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, join};
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
            containers: &[("qualified_identifier", "scope")],
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
    },
};

const RULES: [Rule; 53] = join(
    &SHARED_RULES,
    &[
        Rule {
            node: "class_specifier",
            field: "name",
            gives: Defines(Kind::Class),
        },
        Rule {
            node: "namespace_definition",
            field: "name",
            gives: Defines(Kind::Namespace),
        },
        Rule {
            node: "namespace_alias_definition",
            field: "name",
            gives: Defines(Kind::Namespace),
        },
        Rule {
            node: "nested_namespace_specifier",
            field: "",
            gives: Through,
        },
        Rule {
            node: "alias_declaration",
            field: "name",
            gives: Defines(Kind::TypeAlias),
        },
        Rule {
            node: "concept_definition",
            field: "name",
            gives: Defines(Kind::Trait),
        },
        Rule {
            node: "qualified_identifier",
            field: "name",
            gives: Through,
        },
        Rule {
            node: "template_function",
            field: "name",
            gives: Through,
        },
        Rule {
            node: "template_type",
            field: "name",
            gives: Through,
        },
        Rule {
            node: "destructor_name",
            field: "",
            gives: Through,
        },
        Rule {
            node: "reference_declarator",
            field: "",
            gives: Through,
        },
        Rule {
            node: "variadic_declarator",
            field: "",
            gives: Through,
        },
        Rule {
            node: "structured_binding_declarator",
            field: "",
            gives: Through,
        },
        Rule {
            node: "pointer_type_declarator",
            field: "declarator",
            gives: Through,
        },
        Rule {
            node: "optional_parameter_declaration",
            field: "declarator",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "variadic_parameter_declaration",
            field: "declarator",
            gives: Binds(Kind::Parameter),
        },
        Rule {
            node: "for_range_loop",
            field: "declarator",
            gives: Binds(Kind::Variable),
        },
        Rule {
            node: "lambda_capture_initializer",
            field: "left",
            gives: Binds(Kind::Variable),
        },
        Rule {
            node: "type_parameter_declaration",
            field: "",
            gives: Binds(Kind::TypeParameter),
        },
        Rule {
            node: "variadic_type_parameter_declaration",
            field: "",
            gives: Binds(Kind::TypeParameter),
        },
        Rule {
            node: "optional_type_parameter_declaration",
            field: "name",
            gives: Binds(Kind::TypeParameter),
        },
        Rule {
            node: "base_class_clause",
            field: "",
            gives: Inherits,
        },
        Rule {
            node: "new_expression",
            field: "type",
            gives: Calls,
        },
        Rule {
            node: "compound_literal_expression",
            field: "type",
            gives: Calls,
        },
        Rule {
            node: "template_method",
            field: "name",
            gives: Tail,
        },
        Rule {
            node: "dependent_name",
            field: "",
            gives: Tail,
        },
    ],
);

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let parent = climb.parent();
    match (parent.kind(), c::refine(climb, gives)) {
        ("function_definition", Defines(Kind::Function)) => Defines(kind_of_function(climb)),
        ("declaration", Declares(Kind::Function)) => Declares(kind_of_function(climb)),
        ("declaration", Defines(Kind::Variable)) if holds_lambda(climb) => Defines(Kind::Function),
        ("field_declaration", Defines(Kind::Field))
            if c::innermost_declarator(climb) == Some("function_declarator") =>
        {
            if parent.child_by_field_name("default_value").is_some() {
                Defines(Kind::Method)
            } else {
                Declares(Kind::Method)
            }
        }
        ("type_parameter_declaration" | "variadic_type_parameter_declaration", _)
            if climb.name().kind() != "type_identifier" =>
        {
            References
        }
        (_, gives) => gives,
    }
}

/// A function of a class, by where it stands or by its qualified name, is a method, and one with
/// the name of its class a constructor.
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
