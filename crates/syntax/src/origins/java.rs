//! Java.

use tree_sitter::Node;

use super::walk::{Walk, child_of, has_child, named};
use super::{Expr, Gives, MemberKind, Origin, TypeKind, TypeRef};

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "package_declaration" => package(walk, node),
        "import_declaration" => import(walk, node),
        "class_declaration" | "record_declaration" | "enum_declaration" => {
            class(walk, node, TypeKind::Class)
        }
        "interface_declaration" | "annotation_type_declaration" => {
            class(walk, node, TypeKind::Interface)
        }
        "enum_constant" => enum_constant(walk, node),
        "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
            method(walk, node)
        }
        "field_declaration" | "constant_declaration" => field(walk, node),
        "local_variable_declaration" => local(walk, node),
        "block"
        | "switch_block_statement_group"
        | "switch_rule"
        | "for_statement"
        | "try_with_resources_statement"
        | "constructor_body" => walk.within_block(node, |walk| walk.children(node)),
        "enhanced_for_statement" => enhanced_for(walk, node),
        "resource" => {
            declared(walk, node, node.child_by_field_name("type"));
            walk.field(node, "value");
        }
        "catch_clause" => catch_clause(walk, node),
        "lambda_expression" => lambda(walk, node),
        "instanceof_expression" => instanceof(walk, node),
        "object_creation_expression" => creation(walk, node),
        "method_invocation" => method_invocation(walk, node),
        "method_reference" => method_reference(walk, node),
        "field_access" => field_access(walk, node),
        "return_statement" => walk.return_statement(node, expr),
        "identifier" | "type_identifier" if walk.is_wanted(node) => walk.site(node, None, false),
        _ => walk.children(node),
    }
}

fn package(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = child_of(node, &["scoped_identifier", "identifier"]) {
        let name = walk.text(name);
        walk.set_package(name);
    }
}

fn enum_constant(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        let owner = walk.owner();
        let gives = Gives::Type(TypeRef::named("Self"));
        walk.member(name, node, owner, MemberKind::Value, gives);
    }
    walk.field(node, "arguments");
    // The body of a constant is a class without a name that extends the enumeration.
    if let Some(body) = node.child_by_field_name("body") {
        anonymous(walk, body, TypeRef::named("Self"));
    }
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let kind = node.child_by_field_name("type");
    let gives = kind.map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        if let Some(name) = declarator.child_by_field_name("name") {
            let owner = walk.owner();
            walk.member(name, node, owner, MemberKind::Value, gives.clone());
        }
        walk.field(declarator, "value");
    }
}

fn enhanced_for(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let (Some(name), Some(kind)) = (
            node.child_by_field_name("name"),
            node.child_by_field_name("type"),
        ) {
            let is = match node.child_by_field_name("value") {
                // With `var`, only the elements of the value tell the type.
                Some(value) if walk.text(kind) == "var" => {
                    Origin::Value(Expr::Item(Box::new(expr(walk, value))))
                }
                Some(_) | None => Origin::Type(type_ref(walk, kind)),
            };
            walk.bind_in_block(name, is);
        }
        walk.field(node, "value");
        walk.field(node, "body");
    });
}

fn catch_clause(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let Some(param) = child_of(node, &["catch_formal_parameter"])
            && let Some(name) = param.child_by_field_name("name")
        {
            let kinds = child_of(param, &["catch_type"]).map_or_else(Vec::new, named);
            let kinds = kinds.into_iter().map(|kind| type_ref(walk, kind)).collect();
            // `catch (A | B e)` catches either type.
            walk.bind_in_block(name, Origin::Type(TypeRef::union(kinds)));
        }
        walk.field(node, "body");
    });
}

fn lambda(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_closure(node, |walk| {
        match node.child_by_field_name("parameters") {
            // `x -> …` has a name alone for its parameters.
            Some(name) if name.kind() == "identifier" => {
                walk.bind(name, Origin::Value(Expr::Unknown))
            }
            Some(list) if list.kind() == "inferred_parameters" => named(list)
                .into_iter()
                .for_each(|name| walk.bind(name, Origin::Value(Expr::Unknown))),
            Some(list) => parameters(walk, list),
            None => {}
        }
        walk.field(node, "body");
    });
}

fn instanceof(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(name), Some(kind)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("right"),
    ) {
        let is = Origin::Type(type_ref(walk, kind));
        // The name may be visible after the statement too: `if (!(x instanceof T t)) return;`.
        walk.bind(name, is);
    }
    walk.field(node, "left");
}

fn method_invocation(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node
        .child_by_field_name("name")
        .filter(|name| walk.is_wanted(*name))
    {
        let receiver = node
            .child_by_field_name("object")
            .map(|object| expr(walk, object));
        walk.site(name, receiver, true);
    }
    walk.field(node, "object");
    walk.field(node, "arguments");
}

fn method_reference(walk: &mut Walk<'_>, node: Node<'_>) {
    let parts = named(node);
    if let (Some(first), Some(last)) = (parts.first(), parts.last())
        && parts.len() > 1
        && walk.is_wanted(*last)
    {
        let receiver = expr(walk, *first);
        walk.site(*last, Some(receiver), false);
    }
    parts
        .split_last()
        .into_iter()
        .flat_map(|(_, before)| before)
        .for_each(|part| walk.visit(*part));
}

fn field_access(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(object), Some(name)) = (
        node.child_by_field_name("object"),
        node.child_by_field_name("field"),
    ) {
        if walk.is_wanted(name) {
            let receiver = expr(walk, object);
            walk.site(name, Some(receiver), false);
        }
        walk.visit(object);
    }
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(path) = child_of(node, &["scoped_identifier", "identifier"]) else {
        return;
    };
    let path = walk.text(path);
    if child_of(node, &["asterisk"]).is_some() {
        walk.import("*", &path, Some("*"));
    } else {
        let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
        walk.import(name, module, Some(name));
    }
}

fn class(walk: &mut Walk<'_>, node: Node<'_>, kind: TypeKind) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let mut bases = Vec::new();
    for child in named(node) {
        match child.kind() {
            "superclass" => bases.extend(named(child).into_iter().map(|base| type_ref(walk, base))),
            // The interfaces are in a list below this node.
            "super_interfaces" | "extends_interfaces" => {
                for list in named(child) {
                    bases.extend(named(list).into_iter().map(|base| type_ref(walk, base)));
                }
            }
            _ => {}
        }
    }
    let params = params_of(walk, node);
    walk.within_type(name, node, bases, kind, |walk| {
        walk.type_params(params);
        // The components of a record are fields.
        for param in node
            .child_by_field_name("parameters")
            .map_or_else(Vec::new, named)
        {
            if let (Some(name), Some(kind)) = (
                param.child_by_field_name("name"),
                param.child_by_field_name("type"),
            ) {
                let (owner, gives) = (walk.owner(), Gives::Type(type_ref(walk, kind)));
                walk.member(name, param, owner, MemberKind::Value, gives);
            }
        }
        walk.field(node, "body");
    });
}

/// Records a class without a name.
fn anonymous(walk: &mut Walk<'_>, body: Node<'_>, base: TypeRef) {
    walk.within_type_named(
        "",
        body.start_byte(),
        body,
        vec![base],
        TypeKind::Class,
        |walk| walk.children(body),
    );
}

fn creation(walk: &mut Walk<'_>, node: Node<'_>) {
    let kind = node.child_by_field_name("type");
    if let Some(kind) = kind {
        walk.visit(kind);
    }
    walk.field(node, "arguments");
    if let Some(body) = child_of(node, &["class_body"]) {
        let base = kind.map_or_else(TypeRef::default, |kind| type_ref(walk, kind));
        anonymous(walk, body, base);
    }
}

fn params_of(walk: &Walk<'_>, node: Node<'_>) -> Vec<(String, Vec<TypeRef>)> {
    let list = node
        .child_by_field_name("type_parameters")
        .or_else(|| child_of(node, &["type_parameters"]));
    list.map_or_else(Vec::new, named)
        .into_iter()
        .map(|param| {
            let name = child_of(param, &["type_identifier", "identifier"])
                .map_or_else(String::new, |name| walk.text(name));
            let bounds = child_of(param, &["type_bound"]).map_or_else(Vec::new, named);
            (
                name,
                bounds
                    .into_iter()
                    .map(|bound| type_ref(walk, bound))
                    .collect(),
            )
        })
        .collect()
}

fn method(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let gives = node
        .child_by_field_name("type")
        .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
    let params = params_of(walk, node);
    walk.function(name, node, gives, params, |walk| {
        if let Some(list) = node.child_by_field_name("parameters") {
            parameters(walk, list);
        }
        walk.field(node, "body");
    });
}

fn parameters(walk: &mut Walk<'_>, list: Node<'_>) {
    for param in named(list) {
        if param.kind() == "spread_parameter" {
            // A variable number of arguments is an array inside of the method.
            let kind = named(param)
                .into_iter()
                .find(|child| child.kind() != "modifiers");
            let name = child_of(param, &["variable_declarator"])
                .and_then(|declarator| declarator.child_by_field_name("name"));
            if let (Some(kind), Some(name)) = (kind, name) {
                let is = TypeRef::nameless("[]", vec![type_ref(walk, kind)]);
                walk.bind(name, Origin::Type(is));
            }
        } else {
            declared(walk, param, param.child_by_field_name("type"));
        }
    }
}

fn declared(walk: &mut Walk<'_>, node: Node<'_>, kind: Option<Node<'_>>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let value = node.child_by_field_name("value");
    let is = match (kind, value) {
        (Some(kind), Some(value)) if walk.text(kind) == "var" => Origin::Value(expr(walk, value)),
        (Some(kind), _) => Origin::Type(type_ref(walk, kind)),
        (None, _) => Origin::Value(Expr::Unknown),
    };
    walk.bind_in_block(name, is);
}

fn local(walk: &mut Walk<'_>, node: Node<'_>) {
    let kind = node.child_by_field_name("type");
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        declared(walk, declarator, kind);
        walk.field(declarator, "value");
    }
}

/// Expressions whose values are of a type of the language itself.
const LITERALS: &[&str] = &[
    "string_literal",
    "character_literal",
    "decimal_integer_literal",
    "true",
    "false",
    "null_literal",
    "class_literal",
    "binary_expression",
    "array_creation_expression",
];

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let of = |child: Option<Node<'_>>| child.map_or(Expr::Unknown, |child| expr(walk, child));
    let inner = |field: &str| of(node.child_by_field_name(field));
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "type_identifier" | "scoped_type_identifier" | "generic_type" => {
            Expr::Type(type_ref(walk, node))
        }
        "this" => Expr::This,
        "super" => Expr::Super,
        "field_access" => {
            let name = walk.text_of(node, "field");
            if name == "this" {
                // `Outer.this` is an instance of the type that it names.
                let of = walk.text_of(node, "object");
                return Expr::New(TypeRef::named(&of));
            }
            Expr::Member(Box::new(inner("object")), name)
        }
        "method_invocation" => {
            let name = walk.text_of(node, "name");
            let callee = match node.child_by_field_name("object") {
                Some(object) => Expr::Member(Box::new(expr(walk, object)), name),
                None => Expr::Name(name),
            };
            Expr::Call(Box::new(callee))
        }
        "object_creation_expression" | "cast_expression" => node
            .child_by_field_name("type")
            .map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind))),
        "parenthesized_expression" => of(node.named_child(0)),
        "assignment_expression" => inner("right"),
        "ternary_expression" => Expr::Either(vec![inner("consequence"), inner("alternative")]),
        "array_access" => Expr::Item(Box::new(inner("array"))),
        kind if LITERALS.contains(&kind) => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    match node.kind() {
        "type_identifier" | "identifier" => TypeRef::named(&walk.text(node)),
        "scoped_type_identifier" => TypeRef {
            // The names of a path may have type arguments: `Outer<T>.Inner`.
            path: walk
                .text(node)
                .split('.')
                .map(|part| part.split('<').next().unwrap_or_default().trim().to_owned())
                .collect(),
            args: Vec::new(),
        },
        "generic_type" => {
            let head = named(node)
                .first()
                .map_or_else(TypeRef::default, |head| type_ref(walk, *head));
            let args = child_of(node, &["type_arguments"]).map_or_else(Vec::new, named);
            TypeRef {
                path: head.path,
                args: args.into_iter().map(|arg| type_ref(walk, arg)).collect(),
            }
        }
        "array_type" => TypeRef {
            path: vec!["[]".to_owned()],
            args: node
                .child_by_field_name("element")
                .map(|element| type_ref(walk, element))
                .into_iter()
                .collect(),
        },
        "annotated_type" => named(node)
            .last()
            .map_or_else(TypeRef::default, |last| type_ref(walk, *last)),
        // `? extends T` has at least the members of `T`, `? super T` none that are known.
        "wildcard" => named(node)
            .last()
            .filter(|_| has_child(node, "extends"))
            .map_or_else(TypeRef::default, |bound| type_ref(walk, *bound)),
        "integral_type" | "floating_point_type" | "boolean_type" | "void_type" => {
            TypeRef::named(&walk.text(node))
        }
        _ => TypeRef::default(),
    }
}
