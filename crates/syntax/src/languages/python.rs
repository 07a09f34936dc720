//! Python. An assignment at the level of a module or a class defines a name, and so does one to an
//! attribute of `self` in `__init__`.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{
    Binds, Calls, Defines, DefinesUnlessLocal, Inherits, References, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
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
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("function_definition", "name", Defines(Kind::Function)),
    rule("class_definition", "name", Defines(Kind::Class)),
    rule("type_alias_statement", "left", Defines(Kind::TypeAlias)),
    rule("type", "", Through),
    rule("generic_type", "", Through),
    rule("assignment", "left", DefinesUnlessLocal(Kind::Variable)),
    rule("attribute", "attribute", Through),
    rule("pattern_list", "", Through),
    rule("tuple_pattern", "", Through),
    rule("list_pattern", "", Through),
    rule("list_splat_pattern", "", Through),
    rule("dictionary_splat_pattern", "", Through),
    rule(
        "named_expression",
        "name",
        DefinesUnlessLocal(Kind::Variable),
    ),
    rule("for_statement", "left", Binds(Kind::Variable)),
    rule("for_in_clause", "left", Binds(Kind::Variable)),
    rule("as_pattern", "alias", Binds(Kind::Variable)),
    rule("as_pattern_target", "", Through),
    rule("except_clause", "alias", Binds(Kind::Variable)),
    rule("parameters", "", Binds(Kind::Parameter)),
    rule("lambda_parameters", "", Binds(Kind::Parameter)),
    rule("default_parameter", "name", Binds(Kind::Parameter)),
    rule("typed_parameter", "", Binds(Kind::Parameter)),
    rule("typed_default_parameter", "name", Binds(Kind::Parameter)),
    rule("type_parameter", "", Binds(Kind::TypeParameter)),
    rule("call", "function", Calls),
    rule("decorator", "", Calls),
    rule("argument_list", "", Inherits),
    rule("subscript", "value", Inherits),
];

const SCOPES: [&str; 3] = ["function_definition", "lambda", "class_definition"];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match gives {
        Defines(Kind::TypeAlias) if climb.passed("attribute") => References,
        // `argument_list` is the node of bases and of the arguments of a call alike.
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

/// Reports whether the deciding parent is the list of a class's bases, or an entry of it with type
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

/// Returns the kind of the innermost function or class around the deciding parent.
fn scope<'tree>(climb: &Climb<'_, 'tree>) -> Option<&'tree str> {
    climb.frames[..climb.at]
        .iter()
        .rev()
        .map(|frame| frame.node.kind())
        .find(|kind| SCOPES.contains(kind))
}

/// Decides `self.x = …`: a definition in `__init__`, and elsewhere a use of what exists.
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

/// Reports whether type parameters are introduced, as in `def f[T]` and `class C[T]`, and not used,
/// as in `list[T]`.
fn introduces_type_parameters(climb: &Climb<'_, '_>) -> bool {
    matches!(
        climb.grandparent_kind(),
        Some("function_definition" | "class_definition")
    )
}
