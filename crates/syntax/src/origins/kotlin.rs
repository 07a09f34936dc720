//! Kotlin.

use tree_sitter::Node;

use super::walk::{Walk, child_of, has_child, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

const TYPES: [&str; 4] = [
    "user_type",
    "nullable_type",
    "parenthesized_type",
    "function_type",
];

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "package_header" => walk.package_clause(node),
        "import" => import(walk, node),
        "class_declaration" | "object_declaration" => class(walk, node),
        "companion_object" => companion(walk, node),
        "enum_entry" => enum_entry(walk, node),
        "function_declaration" => function(walk, node),
        "property_declaration" => property(walk, node),
        "block" | "when_entry" => walk.within_block(node, |walk| walk.children(node)),
        "for_statement" => for_statement(walk, node),
        "catch_block" => catch_block(walk, node),
        "lambda_literal" => lambda_literal(walk, node),
        "navigation_expression" => navigation(walk, node),
        "call_expression" => call(walk, node),
        "value_argument" => walk.argument(node),
        "identifier" if walk.is_wanted(node) => walk.site(node, None, false),
        _ => walk.children(node),
    }
}

fn enum_entry(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = child_of(node, &["identifier"]) {
        let owner = walk.owner();
        let gives = Gives::Type(TypeRef::named("Self"));
        walk.member(name, node, owner, MemberKind::Value, gives);
    }
    for child in named(node).into_iter().skip(1) {
        walk.visit(child);
    }
}

fn for_statement(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        let children = named(node);
        if let [variable, value, ..] = children.as_slice()
            && variable.kind() == "variable_declaration"
        {
            let is = Expr::Item(Box::new(expr(walk, *value)));
            variable_binding(walk, *variable, Origin::Value(is));
        }
        for child in children.into_iter().skip(1) {
            walk.visit(child);
        }
    });
}

fn catch_block(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let (Some(name), Some(kind)) = (child_of(node, &["identifier"]), child_of(node, &TYPES))
        {
            let is = Origin::Type(type_ref(walk, kind));
            walk.bind_in_block(name, is);
        }
        walk.children(node);
    });
}

fn lambda_literal(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_closure(node, |walk| {
        let range = node.byte_range();
        // A lambda without parameters calls its argument `it`.
        walk.bind_in(
            "it",
            range.start,
            range.clone(),
            range,
            Origin::Value(Expr::Unknown),
        );
        if let Some(receiver) = lambda_receiver(walk, node) {
            let range = node.byte_range();
            let is = Origin::Value(receiver);
            walk.bind_in("this", range.start, range.clone(), range, is);
        }
        for param in child_of(node, &["lambda_parameters"]).map_or_else(Vec::new, named) {
            if param.kind() == "variable_declaration" {
                variable_binding(walk, param, Origin::Value(Expr::Unknown));
            }
        }
        for child in named(node)
            .into_iter()
            .filter(|child| child.kind() != "lambda_parameters")
        {
            walk.visit(child);
        }
    });
}

/// Returns what `this` is in a lambda of a scope function: `with(x) { … }`, `x.apply { … }`,
/// `x.run { … }`. `None` for any other lambda.
fn lambda_receiver(walk: &Walk<'_>, lambda: Node<'_>) -> Option<Expr> {
    let mut call = lambda.parent()?;
    // A lambda after the brackets may have a node of its own around it.
    if call.kind() == "annotated_lambda" {
        call = call.parent()?;
    }
    let callee = call
        .named_child(0)
        .filter(|_| call.kind() == "call_expression")?;
    match callee.kind() {
        "navigation_expression" => {
            let parts = named(callee);
            let (object, name) = (parts.first()?, walk.text(*parts.last()?));
            matches!(name.as_str(), "apply" | "run").then(|| expr(walk, *object))
        }
        // The brackets may be a call of their own, inside of the one with the lambda.
        "call_expression" | "identifier" => {
            let inner = match callee.kind() {
                "identifier" => call,
                _ => callee,
            };
            let is_with = walk.text(inner.named_child(0)?) == "with";
            let arguments = child_of(inner, &["value_arguments"]).filter(|_| is_with)?;
            let value = named(*named(arguments).first()?).pop()?;
            Some(expr(walk, value))
        }
        _ => None,
    }
}

/// Reports whether `this` at a place is that of a scope function, and not that of the class.
fn is_of_lambda(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let mut above = node.parent();
    while let Some(around) = above {
        match around.kind() {
            "lambda_literal" if lambda_receiver(walk, around).is_some() => return true,
            "function_declaration" | "class_declaration" | "object_declaration" => return false,
            _ => above = around.parent(),
        }
    }
    false
}

fn call(walk: &mut Walk<'_>, node: Node<'_>) {
    let mut callee = node.named_child(0);
    // The grammar reads `!ready()` as a call of `!ready`.
    while let Some(signed) = callee.filter(|callee| callee.kind() == "unary_expression") {
        callee = signed.child_by_field_name("argument");
    }
    if let Some(callee) = callee
        && callee.kind() == "identifier"
        && walk.is_wanted(callee)
    {
        walk.site(callee, None, true);
        for child in named(node).into_iter().skip(1) {
            walk.visit(child);
        }
        return;
    }
    walk.children(node);
}

fn navigation(walk: &mut Walk<'_>, node: Node<'_>) {
    let children = named(node);
    let (Some(object), Some(name)) = (children.first(), children.last()) else {
        return;
    };
    if children.len() > 1 && name.kind() == "identifier" && walk.is_wanted(*name) {
        let receiver = expr(walk, *object);
        let is_call = node.parent().is_some_and(|parent| {
            parent.kind() == "call_expression"
                && parent
                    .named_child(0)
                    .is_some_and(|callee| callee.id() == node.id())
        });
        walk.site(*name, Some(receiver), is_call);
    }
    walk.visit(*object);
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let children = named(node);
    let Some(path) = children.first() else { return };
    let path = walk.text(*path);
    // Some forms of the path have the star inside of them.
    if has_child(node, "*") || walk.text(node).trim_end().ends_with(".*") {
        walk.import("*", path.trim_end_matches(".*"), Some("*"));
        return;
    }
    let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
    let alias = children.get(1).map(|alias| walk.text(*alias));
    walk.import(alias.as_deref().unwrap_or(name), module, Some(name));
}

fn bases(walk: &Walk<'_>, node: Node<'_>) -> Vec<TypeRef> {
    let list = child_of(node, &["delegation_specifiers"]).map_or_else(Vec::new, named);
    list.into_iter()
        .filter_map(|specifier| {
            let mut inner = specifier;
            // A base may be inside of a call of its constructor, or of a delegation by `by`.
            for _ in 0..3 {
                if TYPES.contains(&inner.kind()) {
                    return Some(type_ref(walk, inner));
                }
                inner = inner.named_child(0)?;
            }
            None
        })
        .collect()
}

fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let kind = if has_child(node, "interface") {
        TypeKind::Interface
    } else {
        TypeKind::Class
    };
    let (bases, params) = (bases(walk, node), params_of(walk, node));
    walk.within_type(name, node, bases, kind, |walk| {
        walk.type_params(params);
        // Parameters of the primary constructor are properties, or are visible in the body as such.
        let constructor = child_of(node, &["primary_constructor"])
            .and_then(|constructor| child_of(constructor, &["class_parameters"]));
        for param in constructor.map_or_else(Vec::new, named) {
            if let (Some(name), Some(kind)) =
                (child_of(param, &["identifier"]), child_of(param, &TYPES))
            {
                let (owner, gives) = (walk.owner(), Gives::Type(type_ref(walk, kind)));
                walk.member(name, param, owner, MemberKind::Value, gives);
            }
        }
        for child in named(node).into_iter().filter(|child| {
            matches!(
                child.kind(),
                "class_body" | "enum_class_body" | "delegation_specifiers"
            )
        }) {
            walk.children(child);
        }
    });
}

/// Reads a companion, whose members are used as the class's own.
fn companion(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(outer) = walk.inner_type() else {
        return;
    };
    walk.within_owner(MemberOwner::Type(outer), node, |walk| {
        for child in named(node)
            .into_iter()
            .filter(|child| child.kind() == "class_body")
        {
            walk.children(child);
        }
    });
}

fn params_of(walk: &Walk<'_>, node: Node<'_>) -> Vec<(String, Vec<TypeRef>)> {
    let list = child_of(node, &["type_parameters"]).map_or_else(Vec::new, named);
    list.into_iter()
        .map(|param| {
            let name =
                child_of(param, &["identifier"]).map_or_else(String::new, |name| walk.text(name));
            let bounds = child_of(param, &TYPES)
                .map(|bound| type_ref(walk, bound))
                .into_iter()
                .collect();
            (name, bounds)
        })
        .collect()
}

fn function(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let mut kinds = named(node);
    // The type before the name is the receiver of an extension, the one after it is the result.
    kinds.retain(|child| TYPES.contains(&child.kind()));
    let at = name.start_byte();
    let receiver = kinds.iter().copied().find(|kind| kind.start_byte() < at);
    let returned = kinds.iter().copied().find(|kind| kind.start_byte() > at);
    let body = child_of(node, &["function_body"]);
    let value = body
        .filter(|body| has_child(*body, "="))
        .and_then(|body| body.named_child(0));
    let gives = match (returned, value) {
        (Some(kind), _) => Gives::Type(type_ref(walk, kind)),
        (None, Some(value)) => Gives::Values(vec![expr(walk, value)]),
        // A function with a block and without a type returns `Unit`.
        (None, None) => Gives::Type(TypeRef::named("Unit")),
    };
    let owner = match receiver {
        Some(kind) => MemberOwner::Named(type_ref(walk, kind), None),
        None => walk.owner(),
    };
    let member = walk.member(name, node, owner.clone(), MemberKind::Function, gives);
    walk.look_up_at(member, node.end_byte().saturating_sub(1));
    let inside = |walk: &mut Walk<'_>| {
        walk.within_function(member, node, |walk| {
            bind_params(walk, node);
            if let Some(body) = body {
                walk.children(body);
            }
        })
    };
    // The body of an extension sees the members of the type that it extends.
    match receiver {
        Some(_) => walk.within_owner(owner, node, inside),
        None => inside(walk),
    }
}

/// Binds the parameters of a function, and its type parameters.
fn bind_params(walk: &mut Walk<'_>, node: Node<'_>) {
    let params = params_of(walk, node);
    walk.bind_bounds(params, node);
    let list = child_of(node, &["function_value_parameters"]);
    for param in list.map_or_else(Vec::new, named) {
        let kind = child_of(param, &TYPES);
        if let (Some(name), Some(kind)) = (child_of(param, &["identifier"]), kind) {
            let is = Origin::Type(type_ref(walk, kind));
            walk.bind(name, is);
        }
    }
}

fn property(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(variable) = child_of(node, &["variable_declaration"]) else {
        // `val (a, b) = pair` has several variables, and no type of them is read.
        walk.children(node);
        return;
    };
    let Some(name) = child_of(variable, &["identifier"]) else {
        return;
    };
    let skipped = [
        "modifiers",
        "variable_declaration",
        "getter",
        "setter",
        "property_delegate",
        "type_constraints",
        "type_parameters",
    ];
    // The grammar has no field for the value, so it is the child that is nothing else.
    let value = named(node)
        .into_iter()
        .find(|child| !skipped.contains(&child.kind()) && !TYPES.contains(&child.kind()));
    let is = match (child_of(variable, &TYPES), value) {
        (Some(kind), _) => Origin::Type(type_ref(walk, kind)),
        (None, Some(value)) => Origin::Value(expr(walk, value)),
        (None, None) => Origin::Value(Expr::Unknown),
    };
    match walk.owner() {
        MemberOwner::Local => walk.bind_in_block(name, is),
        owner => {
            let gives = match is {
                Origin::Type(kind) => Gives::Type(kind),
                Origin::Value(value) => Gives::Values(vec![value]),
                Origin::Bounds(_) | Origin::Function(_) | Origin::LocalType(_) => Gives::Nothing,
            };
            walk.member(name, node, owner, MemberKind::Value, gives);
        }
    }
    for child in named(node)
        .into_iter()
        .filter(|child| child.kind() != "variable_declaration")
    {
        walk.visit(child);
    }
}

fn variable_binding(walk: &mut Walk<'_>, variable: Node<'_>, otherwise: Origin) {
    if let Some(name) = child_of(variable, &["identifier"]) {
        let is =
            child_of(variable, &TYPES).map_or(otherwise, |kind| Origin::Type(type_ref(walk, kind)));
        walk.bind_in_block(name, is);
    }
}

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let first = || {
        node.named_child(0)
            .map_or(Expr::Unknown, |child| expr(walk, child))
    };
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "this_expression" => match node.named_child(0) {
            // `this@Outer` is an instance of the type that it names.
            Some(of) => Expr::New(TypeRef::named(&walk.text(of))),
            None if is_of_lambda(walk, node) => Expr::Name("this".to_owned()),
            None => Expr::This,
        },
        "super_expression" => Expr::Super,
        "navigation_expression" => {
            let name = named(node)
                .last()
                .map_or_else(String::new, |name| walk.text(*name));
            Expr::Member(Box::new(first()), name)
        }
        "call_expression" => Expr::Call(Box::new(first())),
        "as_expression" => node
            .child_by_field_name("right")
            .map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind))),
        "parenthesized_expression" | "unary_expression" | "postfix_expression" => first(),
        "index_expression" | "indexing_expression" => Expr::Item(Box::new(first())),
        // The tree may extend these types.
        "string_literal" | "multiline_string_literal" => Expr::New(TypeRef::named("String")),
        "boolean_literal" => Expr::New(TypeRef::named("Boolean")),
        "character_literal" => Expr::New(TypeRef::named("Char")),
        // Whether `3` is an `Int` or a `Long` depends on where it is used.
        "number_literal" | "float_literal" | "null" => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    match node.kind() {
        "user_type" => {
            let parts = named(node);
            let path = parts
                .iter()
                .filter(|part| part.kind() == "identifier")
                .map(|part| walk.text(*part))
                .collect();
            let args = child_of(node, &["type_arguments"])
                .map_or_else(Vec::new, named)
                .into_iter()
                // The type is inside of a projection, as in `Box<out T>`.
                .filter_map(|projection| child_of(projection, &TYPES))
                .map(|kind| type_ref(walk, kind))
                .collect();
            TypeRef { path, args }
        }
        "nullable_type" | "parenthesized_type" => named(node)
            .last()
            .map_or_else(TypeRef::default, |inner| type_ref(walk, *inner)),
        _ => TypeRef::default(),
    }
}
