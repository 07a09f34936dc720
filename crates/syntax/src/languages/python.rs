//! Python. An assignment defines at the level of a module or a class, and an
//! attribute of `self` where `__init__` assigns it.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Defines, DefinesUnlessLocal, Inherits, References, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax};
use crate::lexical::Lexicon;

pub(super) static PYTHON: Language = Language {
    name: "Python",
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "pypy"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_python::LANGUAGE.into(),
        rules: RULES,
        containers: &[],
        members_define: true,
        local_scopes: &[],
        comments: &["comment"],
        strings: &["string"],
        interpolations: &["interpolation"],
        imports: &[
            "import_statement",
            "import_from_statement",
            "future_import_statement",
        ],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[("def", Kind::Function), ("class", Kind::Class)],
        importers: &["import", "from"],
        line_comments: &["#"],
        name_bytes: &[],
    },
};

const RULES: &[Rule] = &[
    Rule {
        node: "function_definition",
        field: "name",
        gives: Defines(Kind::Function),
    },
    Rule {
        node: "class_definition",
        field: "name",
        gives: Defines(Kind::Class),
    },
    Rule {
        node: "type_alias_statement",
        field: "left",
        gives: Defines(Kind::TypeAlias),
    },
    Rule {
        node: "type",
        field: "",
        gives: Through,
    },
    Rule {
        node: "generic_type",
        field: "",
        gives: Through,
    },
    Rule {
        node: "assignment",
        field: "left",
        gives: DefinesUnlessLocal(Kind::Variable),
    },
    Rule {
        node: "attribute",
        field: "attribute",
        gives: Through,
    },
    Rule {
        node: "pattern_list",
        field: "",
        gives: Through,
    },
    Rule {
        node: "tuple_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "list_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "list_splat_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "dictionary_splat_pattern",
        field: "",
        gives: Through,
    },
    Rule {
        node: "named_expression",
        field: "name",
        gives: DefinesUnlessLocal(Kind::Variable),
    },
    Rule {
        node: "for_statement",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "for_in_clause",
        field: "left",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "as_pattern",
        field: "alias",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "as_pattern_target",
        field: "",
        gives: Through,
    },
    Rule {
        node: "except_clause",
        field: "alias",
        gives: Binds(Kind::Variable),
    },
    Rule {
        node: "parameters",
        field: "",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "lambda_parameters",
        field: "",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "default_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "typed_parameter",
        field: "",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "typed_default_parameter",
        field: "name",
        gives: Binds(Kind::Parameter),
    },
    Rule {
        node: "type_parameter",
        field: "",
        gives: Binds(Kind::TypeParameter),
    },
    Rule {
        node: "call",
        field: "function",
        gives: Calls,
    },
    Rule {
        node: "decorator",
        field: "",
        gives: Calls,
    },
    Rule {
        node: "argument_list",
        field: "",
        gives: Inherits,
    },
    Rule {
        node: "subscript",
        field: "value",
        gives: Inherits,
    },
];

const SCOPES: [&str; 3] = ["function_definition", "lambda", "class_definition"];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match gives {
        Defines(Kind::TypeAlias) if climb.passed("attribute") => References,
        Inherits if !is_base(climb) => References,
        Defines(Kind::Function) if scope(climb) == Some("class_definition") => {
            Defines(Kind::Method)
        }
        DefinesUnlessLocal(_) | Binds(Kind::Variable) if climb.passed("attribute") => {
            of_attribute(climb)
        }
        DefinesUnlessLocal(kind) => match scope(climb) {
            None | Some("class_definition") => Defines(kind),
            Some(_) => Binds(kind),
        },
        Binds(Kind::TypeParameter) if !introduces_type_parameters(climb) => References,
        other => other,
    }
}

/// Whether the deciding parent is the list of a class's bases, or an entry of it with type
/// arguments (`Generic[T]`).
fn is_base(climb: &Climb<'_, '_>) -> bool {
    let list = if climb.parent().kind() == "subscript" {
        climb.at.checked_sub(1)
    } else {
        Some(climb.at)
    };
    let owner = list
        .filter(|&list| climb.frames[list].node.kind() == "argument_list")
        .and_then(|list| list.checked_sub(1));
    owner.is_some_and(|owner| climb.frames[owner].node.kind() == "class_definition")
}

/// The kind of the innermost function or class around the deciding parent.
fn scope<'tree>(climb: &Climb<'_, 'tree>) -> Option<&'tree str> {
    climb.frames[..climb.at]
        .iter()
        .rev()
        .map(|frame| frame.node.kind())
        .find(|kind| SCOPES.contains(kind))
}

/// `self.x = …`: a definition in `__init__`, elsewhere a use of what exists.
fn of_attribute(climb: &Climb<'_, '_>) -> Gives {
    let object = climb
        .name()
        .parent()
        .and_then(|attribute| attribute.child_by_field_name("object"));
    let function = climb.frames[..climb.at]
        .iter()
        .rev()
        .find(|frame| SCOPES.contains(&frame.node.kind()));
    let name = function.and_then(|frame| frame.node.child_by_field_name("name"));
    let is_own = object.is_some_and(|node| climb.text(node) == b"self");
    if is_own && name.is_some_and(|node| climb.text(node) == b"__init__") {
        Defines(Kind::Field)
    } else {
        References
    }
}

/// `def f[T]` and `class C[T]`, not the use in `list[T]`.
fn introduces_type_parameters(climb: &Climb<'_, '_>) -> bool {
    matches!(
        climb.grandparent_kind(),
        Some("function_definition" | "class_definition")
    )
}
