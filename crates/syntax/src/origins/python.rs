//! Python.

use tree_sitter::Node;

use super::walk::{Walk, child_of, is_callee, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "import_statement" => import(walk, node),
        "import_from_statement" => import_from(walk, node),
        "class_definition" => class(walk, node),
        "function_definition" => function(walk, node, &[]),
        "decorated_definition" => decorated(walk, node),
        "assignment" => assignment(walk, node),
        "named_expression" => named_expression(walk, node),
        "for_statement" => walk.within_block(node, |walk| loop_over(walk, node)),
        // A comprehension has a scope of its own, as a function has.
        "list_comprehension"
        | "set_comprehension"
        | "dictionary_comprehension"
        | "generator_expression" => walk.within_closure(node, |walk| walk.children(node)),
        "for_in_clause" => loop_over(walk, node),
        "with_item" => with_item(walk, node),
        "except_clause" => walk.within_block(node, |walk| except(walk, node)),
        "lambda" => lambda(walk, node),
        "return_statement" => walk.return_statement(node, expr),
        "if_statement" | "elif_clause" => narrowed(walk, node),
        "assert_statement" => assert(walk, node),
        "block" | "module" | "else_clause" | "try_statement" | "while_statement" => {
            walk.within_block(node, |walk| walk.children(node))
        }
        "attribute" => attribute(walk, node),
        // The name before `=` is that of a parameter.
        "keyword_argument" => walk.field(node, "value"),
        "identifier" if walk.is_wanted(node) => {
            walk.site(node, None, is_callee(node, "call", "function"))
        }
        _ => walk.children(node),
    }
}

fn named_expression(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(name), Some(value)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("value"),
    ) {
        let value_of = expr(walk, value);
        walk.bind(name, Origin::Value(value_of));
        walk.visit(value);
    }
}

fn lambda(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_closure(node, |walk| {
        if let Some(list) = node.child_by_field_name("parameters") {
            parameters(walk, list, None);
        }
        walk.field(node, "body");
    });
}

fn assert(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some((name, is)) = node.named_child(0).and_then(|test| instance(walk, test)) {
        walk.bind(name, Origin::Type(is));
    }
    walk.children(node);
}

fn attribute(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(object), Some(name)) = (
        node.child_by_field_name("object"),
        node.child_by_field_name("attribute"),
    ) else {
        return;
    };
    if walk.is_wanted(name) {
        let receiver = expr(walk, object);
        walk.site(name, Some(receiver), is_callee(node, "call", "function"));
    }
    walk.visit(object);
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    for child in named(node) {
        if child.kind() == "aliased_import" {
            let (module, local) = (walk.text_of(child, "name"), walk.text_of(child, "alias"));
            walk.import(&local, &module, None);
        } else {
            // `import a.b` binds the name `a`; what is below it is found as its members.
            let module = walk.text(child);
            let first = module.split('.').next().unwrap_or_default().to_owned();
            walk.import(&first, &first, None);
        }
    }
}

fn import_from(walk: &mut Walk<'_>, node: Node<'_>) {
    let module_node = node.child_by_field_name("module_name");
    let module = module_node.map_or_else(String::new, |node| walk.text(node));
    // The module is a named child too, and is no imported name.
    for child in named(node) {
        if module_node.is_some_and(|module| module.id() == child.id()) {
            continue;
        }
        match child.kind() {
            "wildcard_import" => walk.import("*", &module, Some("*")),
            "aliased_import" => {
                let (name, local) = (walk.text_of(child, "name"), walk.text_of(child, "alias"));
                walk.import(&local, &module, Some(&name));
            }
            _ => {
                let name = walk.text(child);
                walk.import(&name, &module, Some(&name));
            }
        }
    }
}

fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let list = node.child_by_field_name("superclasses");
    let bases = list.map_or_else(Vec::new, |list| {
        named(list)
            .into_iter()
            // `metaclass=Meta` is no base.
            .filter(|base| base.kind() != "keyword_argument")
            .map(|base| type_ref(walk, base))
            .collect()
    });
    walk.within_type(name, node, bases, TypeKind::Class, |walk| {
        walk.field(node, "body");
    });
    if let Some(list) = list {
        walk.visit(list);
    }
}

fn decorated(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut words = Vec::new();
    for child in named(node) {
        match child.kind() {
            "decorator" => {
                words.push(walk.text(child));
                walk.children(child);
            }
            "function_definition" => function(walk, child, &words),
            _ => walk.visit(child),
        }
    }
}

fn function(walk: &mut Walk<'_>, node: Node<'_>, decorators: &[String]) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let has = |word: &str| decorators.iter().any(|decorator| decorator.contains(word));
    // A property is used like a field, without a call.
    let kind = if has("property") || has(".setter") {
        MemberKind::Value
    } else {
        MemberKind::Function
    };
    let gives = node
        .child_by_field_name("return_type")
        .map_or(Gives::Nothing, |annotation| {
            Gives::Type(type_ref(walk, annotation))
        });
    let owner = walk.owner();
    let is_method = matches!(owner, MemberOwner::Type(_));
    let first = match () {
        () if !is_method || has("staticmethod") => None,
        // `__new__` gets the class, although no decorator says so.
        () if has("classmethod") || walk.text(name) == "__new__" => Some(Expr::ThisType),
        () => Some(Expr::This),
    };
    let member = walk.member(name, node, owner, kind, gives);
    walk.within_function(member, node, |walk| {
        if let Some(list) = node.child_by_field_name("parameters") {
            parameters(walk, list, first);
        }
        // Names in what it returns are looked up from inside of it.
        if let Some(body) = node.child_by_field_name("body") {
            walk.look_up_at(member, body.end_byte().saturating_sub(1));
            walk.visit(body);
        }
        walk.field(node, "return_type");
    });
}

fn parameters(walk: &mut Walk<'_>, list: Node<'_>, first: Option<Expr>) {
    let mut first = first;
    for child in named(list) {
        let name = match child.kind() {
            "identifier" => Some(child),
            "typed_parameter" => child.named_child(0),
            _ => child.child_by_field_name("name"),
        };
        let Some(name) = name else { continue };
        let annotation = child.child_by_field_name("type");
        let is_plain = name.kind() == "identifier";
        let is = match (first.take(), annotation) {
            // Only the first parameter is the instance, and only without a type of its own.
            (Some(this), None) if is_plain => Origin::Value(this),
            (_, Some(annotation)) if is_plain => Origin::Type(type_ref(walk, annotation)),
            (_, Some(_)) | (_, None) => Origin::Value(Expr::Unknown),
        };
        let name = if is_plain {
            name
        } else {
            name.named_child(0).unwrap_or(name)
        };
        walk.bind(name, is);
        if let Some(annotation) = annotation {
            walk.visit(annotation);
        }
        walk.field(child, "value");
    }
}

fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(left) = node.child_by_field_name("left") else {
        return;
    };
    let right = node.child_by_field_name("right");
    let annotation = node.child_by_field_name("type");
    let is = match (annotation, right) {
        (Some(annotation), _) => Origin::Type(type_ref(walk, annotation)),
        (None, Some(right)) => Origin::Value(expr(walk, right)),
        (None, None) => return,
    };
    bind_target(walk, left, is);
    // In `a.b = c`, the name `a` is used.
    if left.kind() != "identifier" {
        walk.visit(left);
    }
    for child in [annotation, right].into_iter().flatten() {
        walk.visit(child);
    }
}

/// Binds the target on the left of `=`, of `for` or of `as`.
fn bind_target(walk: &mut Walk<'_>, target: Node<'_>, is: Origin) {
    match target.kind() {
        "identifier" => {
            let gives = match &is {
                Origin::Type(type_ref) => Gives::Type(type_ref.clone()),
                Origin::Value(value) => Gives::Values(vec![value.clone()]),
                Origin::Bounds(_) | Origin::Function(_) | Origin::LocalType(_) => Gives::Nothing,
            };
            match walk.owner() {
                MemberOwner::Local => walk.bind(target, is),
                // Outside of functions, a name is a member of its module or class, which others can
                // use.
                owner => {
                    walk.member(target, target, owner, MemberKind::Value, gives);
                }
            }
        }
        "attribute" => own_field(walk, target, is),
        "pattern_list" | "tuple_pattern" | "list_pattern" => {
            for (number, child) in named(target).into_iter().enumerate() {
                let nth = match &is {
                    Origin::Value(value) => Expr::Nth(Box::new(value.clone()), number),
                    Origin::Type(_)
                    | Origin::Bounds(_)
                    | Origin::Function(_)
                    | Origin::LocalType(_) => Expr::Unknown,
                };
                bind_target(walk, child, Origin::Value(nth));
            }
        }
        _ => {}
    }
}

/// Records `self.x = …` as a field of the class around it.
fn own_field(walk: &mut Walk<'_>, target: Node<'_>, is: Origin) {
    let (Some(object), Some(name)) = (
        target.child_by_field_name("object"),
        target.child_by_field_name("attribute"),
    ) else {
        return;
    };
    // The innermost type counts, whatever functions are in between: a closure in a method sets a
    // field too.
    let Some(owner) = walk
        .inner_type()
        .filter(|_| matches!(walk.text(object).as_str(), "self" | "cls"))
    else {
        return;
    };
    let gives = match is {
        Origin::Type(type_ref) => Gives::Type(type_ref),
        Origin::Value(value) => Gives::Values(vec![value]),
        Origin::Bounds(_) | Origin::Function(_) | Origin::LocalType(_) => Gives::Nothing,
    };
    walk.member(
        name,
        target,
        MemberOwner::Type(owner),
        MemberKind::Value,
        gives,
    );
}

fn loop_over(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(left), Some(right)) = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
    ) {
        let item = Expr::Item(Box::new(expr(walk, right)));
        bind_target(walk, left, Origin::Value(item));
    }
    walk.children(node);
}

fn with_item(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(pattern) = child_of(node, &["as_pattern"])
        && let (Some(value), Some(target)) = (
            pattern.named_child(0),
            pattern
                .child_by_field_name("alias")
                .and_then(|alias| alias.named_child(0)),
        )
    {
        // `with open(p) as f` binds what the context manager returns on entry, which may be another
        // type.
        let entered = Expr::Entered(Box::new(expr(walk, value)));
        bind_target(walk, target, Origin::Value(entered));
        walk.visit(value);
        return;
    }
    walk.children(node);
}

fn except(walk: &mut Walk<'_>, node: Node<'_>) {
    let pattern = child_of(node, &["as_pattern"]);
    if let Some((kind, name)) = pattern.and_then(|pattern| {
        let alias = pattern.child_by_field_name("alias")?;
        Some((pattern.named_child(0)?, alias.named_child(0)?))
    }) {
        // `except (A, B) as e` catches either type.
        let is = if kind.kind() == "tuple" {
            TypeRef::union(
                named(kind)
                    .into_iter()
                    .map(|kind| type_ref(walk, kind))
                    .collect(),
            )
        } else {
            type_ref(walk, kind)
        };
        walk.bind(name, Origin::Type(is));
    }
    walk.children(node);
}

/// Reads `if isinstance(x, T):`, which states the type of `x` in its block.
fn narrowed(walk: &mut Walk<'_>, node: Node<'_>) {
    let test = node.child_by_field_name("condition");
    let body = node.child_by_field_name("consequence");
    if let (Some(test), Some(body)) = (test, body)
        && let Some((name, is)) = instance(walk, test)
    {
        let (text, range) = (walk.text(name), body.byte_range());
        walk.bind_in(&text, range.start, range.clone(), range, Origin::Type(is));
    }
    walk.within_block(node, |walk| walk.children(node));
}

/// Returns the name and the type of `isinstance(name, Type)`, alone or as the first part of an
/// `and`.
fn instance<'t>(walk: &Walk<'_>, test: Node<'t>) -> Option<(Node<'t>, TypeRef)> {
    if test.kind() == "boolean_operator" {
        // After `or`, either part may have been the true one.
        let is_and = test
            .child_by_field_name("operator")
            .is_some_and(|operator| walk.text(operator) == "and");
        return instance(walk, test.child_by_field_name("left").filter(|_| is_and)?);
    }
    let arguments = test.child_by_field_name("arguments")?;
    let is_test = test.kind() == "call" && walk.text_of(test, "function") == "isinstance";
    let (name, kind) = (arguments.named_child(0)?, arguments.named_child(1)?);
    if !is_test || name.kind() != "identifier" {
        return None;
    }
    let is = if kind.kind() == "tuple" {
        TypeRef::union(
            named(kind)
                .into_iter()
                .map(|kind| type_ref(walk, kind))
                .collect(),
        )
    } else {
        type_ref(walk, kind)
    };
    Some((name, is))
}

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let inner = |field: &str| {
        node.child_by_field_name(field)
            .map_or(Expr::Unknown, |child| expr(walk, child))
    };
    let first = || {
        node.named_child(0)
            .map_or(Expr::Unknown, |child| expr(walk, child))
    };
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "attribute" => Expr::Member(Box::new(inner("object")), walk.text_of(node, "attribute")),
        "call" => call(walk, node),
        "await" => Expr::Inner(Box::new(first())),
        "subscript" => Expr::Item(Box::new(inner("value"))),
        "parenthesized_expression" | "list_splat" => first(),
        // `a if test else b` has the test between its two values.
        "conditional_expression" => Expr::Either(
            [node.named_child(0), node.named_child(2)]
                .into_iter()
                .flatten()
                .map(|child| expr(walk, child))
                .collect(),
        ),
        // `a or b` gives one of its parts, and no boolean.
        "boolean_operator" => Expr::Either(vec![inner("left"), inner("right")]),
        "string"
        | "concatenated_string"
        | "integer"
        | "float"
        | "true"
        | "false"
        | "none"
        | "list"
        | "dictionary"
        | "set"
        | "tuple"
        | "list_comprehension"
        | "dictionary_comprehension"
        | "set_comprehension"
        | "comparison_operator"
        | "not_operator" => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn call(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let Some(function) = node.child_by_field_name("function") else {
        return Expr::Unknown;
    };
    let argument = |number: u32| {
        node.child_by_field_name("arguments")
            .and_then(|list| list.named_child(number))
    };
    match walk.text(function).as_str() {
        "super" => Expr::Super,
        "type" => match argument(0) {
            // `type(self)` is the class, whichever subclass it is.
            Some(value) if walk.text(value) == "self" => Expr::ThisType,
            Some(_) | None => Expr::Unknown,
        },
        "cast" | "typing.cast" | "t.cast" => {
            // `cast(T, x)` has its type as an argument.
            argument(0).map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind)))
        }
        _ => Expr::Call(Box::new(expr(walk, function))),
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    match node.kind() {
        "type" | "parenthesized_expression" => node
            .named_child(0)
            .map_or_else(TypeRef::default, |child| type_ref(walk, child)),
        "identifier" | "none" => TypeRef::named(&walk.text(node)),
        "attribute" | "member_type" => TypeRef {
            path: walk.text(node).split('.').map(str::to_owned).collect(),
            args: Vec::new(),
        },
        "subscript" | "generic_type" => generic(walk, node),
        "binary_operator" | "union_type" => TypeRef::union(
            named(node)
                .into_iter()
                .map(|child| type_ref(walk, child))
                .collect(),
        ),
        // A type that is defined later is written as a string.
        "string" => quoted(&walk.text(node)),
        // `Callable[[A, B], C]` has a list among its arguments.
        "list" | "tuple" => TypeRef {
            path: vec![",".to_owned()],
            args: named(node)
                .into_iter()
                .map(|child| type_ref(walk, child))
                .collect(),
        },
        _ => TypeRef::default(),
    }
}

fn generic(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    let children = named(node);
    let Some((head, rest)) = children.split_first() else {
        return TypeRef::default();
    };
    let mut args: Vec<TypeRef> = Vec::new();
    for child in rest {
        if child.kind() == "type_parameter" {
            args.extend(named(*child).into_iter().map(|arg| type_ref(walk, arg)));
        } else {
            args.push(type_ref(walk, *child));
        }
    }
    let head = type_ref(walk, *head);
    match head.last() {
        "Optional" | "Union" => TypeRef::union(args),
        // Such a wrapper says something of the variable, and its first argument is the type.
        "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" => {
            args.into_iter().next().unwrap_or_default()
        }
        _ => TypeRef {
            path: head.path,
            args,
        },
    }
}

/// Reads a type in quotation marks: its name, or its alternatives, without type arguments.
fn quoted(text: &str) -> TypeRef {
    let bare = text.trim_matches(|letter| matches!(letter, '"' | '\''));
    let one = |part: &str| {
        let part = part.trim();
        let inner = part
            .strip_prefix("Optional[")
            .or_else(|| part.strip_prefix("t.Optional["))
            .or_else(|| part.strip_prefix("typing.Optional["));
        let part = inner.unwrap_or(part);
        let part = part.split(['[', ']']).next().unwrap_or_default();
        TypeRef {
            path: part.split('.').map(|name| name.trim().to_owned()).collect(),
            args: Vec::new(),
        }
    };
    // In `dict[str, A | B]`, the bar is inside of the arguments.
    if bare.contains('|') && !bare.contains('[') {
        return TypeRef::union(bare.split('|').map(one).collect());
    }
    one(bare)
}
