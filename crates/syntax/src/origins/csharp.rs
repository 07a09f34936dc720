//! C#.

use tree_sitter::Node;

use super::walk::{Walk, child_of, is_callee, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "using_directive" => using_directive(walk, node),
        "namespace_declaration" | "file_scoped_namespace_declaration" => namespace(walk, node),
        "class_declaration"
        | "struct_declaration"
        | "record_declaration"
        | "enum_declaration"
        | "record_struct_declaration" => class(walk, node, TypeKind::Class),
        "interface_declaration" => class(walk, node, TypeKind::Interface),
        "method_declaration" | "constructor_declaration" | "local_function_statement" => {
            method(walk, node)
        }
        "property_declaration" => property(walk, node),
        "enum_member_declaration" => enum_member(walk, node),
        "variable_declaration" => variables(walk, node),
        "block" | "switch_section" | "for_statement" | "using_statement" => {
            walk.within_block(node, |walk| walk.children(node))
        }
        "foreach_statement" => foreach(walk, node),
        "catch_clause" => catch_clause(walk, node),
        "declaration_pattern" | "declaration_expression" => typed_name(walk, node),
        "lambda_expression" | "anonymous_method_expression" => lambda(walk, node),
        "member_access_expression" => member_access(walk, node),
        "conditional_access_expression" => conditional(walk, node),
        "generic_name" => generic_name(walk, node),
        "argument" | "attribute_argument" => walk.argument(node),
        "identifier" if walk.is_wanted(node) => walk.site(
            node,
            None,
            is_callee(node, "invocation_expression", "function"),
        ),
        _ => walk.children(node),
    }
}

fn using_directive(walk: &mut Walk<'_>, node: Node<'_>) {
    let alias = walk.text_of(node, "name");
    // An alias comes before the path, which is the last child.
    if let Some(path) = named(node).pop() {
        let path = walk.text(path);
        if alias.is_empty() {
            // `using A.B;` makes all names of the namespace visible.
            walk.import("*", &path, Some("*"));
        } else {
            let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
            walk.import(&alias, module, Some(name));
        }
    }
}

fn namespace(walk: &mut Walk<'_>, node: Node<'_>) {
    // Of several namespaces in a file, the first one is taken for the package.
    if walk.package().is_empty() {
        let name = walk.text_of(node, "name");
        walk.set_package(name);
    }
    walk.children(node);
}

/// Reads the attributes of a definition or parameter: `[Limit(Levels.Top)]`.
fn attributes(walk: &mut Walk<'_>, node: Node<'_>) {
    for list in named(node) {
        if list.kind() == "attribute_list" {
            walk.visit(list);
        }
    }
}

/// Reads the default of a parameter, `int most = Levels.Top`, and its attributes.
fn default_of(walk: &mut Walk<'_>, param: Node<'_>) {
    attributes(walk, param);
    let name = param.child_by_field_name("name");
    let after = name.map_or(usize::MAX, |name| name.end_byte());
    for child in named(param) {
        if child.start_byte() >= after {
            walk.visit(child);
        }
    }
}

fn property(walk: &mut Walk<'_>, node: Node<'_>) {
    attributes(walk, node);
    if let Some(name) = node.child_by_field_name("name") {
        let gives = node
            .child_by_field_name("type")
            .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
        let owner = walk.owner();
        let member = walk.member(name, node, owner, MemberKind::Value, gives);
        // The accessors are code of the property, so a local name in them is no member.
        walk.within_function(member, node, |walk| {
            walk.field(node, "accessors");
            walk.field(node, "value");
        });
    }
}

fn enum_member(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        let owner = walk.owner();
        let gives = Gives::Type(TypeRef::named("Self"));
        walk.member(name, node, owner, MemberKind::Value, gives);
    }
    attributes(walk, node);
    walk.field(node, "value");
}

fn foreach(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let (Some(name), Some(kind)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("type"),
        ) {
            // With `var`, only the elements of the value tell the type.
            let is = match node.child_by_field_name("right") {
                Some(value) if walk.text(kind) == "var" => {
                    Origin::Value(Expr::Item(Box::new(expr(walk, value))))
                }
                Some(_) | None => Origin::Type(type_ref(walk, kind)),
            };
            walk.bind_in_block(name, is);
        }
        walk.field(node, "right");
        walk.field(node, "body");
    });
}

fn catch_clause(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let Some(declaration) = child_of(node, &["catch_declaration"]) {
            typed_name(walk, declaration);
        }
        walk.children(node);
    });
}

fn lambda(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_closure(node, |walk| {
        if let Some(list) = node.child_by_field_name("parameters") {
            match list.kind() {
                "parameter_list" => parameters(walk, list),
                // `x => …` has a name alone for its parameters.
                _ => walk.bind(list, Origin::Value(Expr::Unknown)),
            }
        }
        walk.field(node, "body");
    });
}

fn member_access(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(object), Some(name)) = (
        node.child_by_field_name("expression"),
        node.child_by_field_name("name").map(plain_name),
    ) else {
        return;
    };
    if walk.is_wanted(name) {
        let receiver = expr(walk, object);
        let is_call = is_callee(node, "invocation_expression", "function");
        walk.site(name, Some(receiver), is_call);
    }
    walk.visit(object);
}

fn generic_name(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = plain_name(node);
    if walk.is_wanted(name) {
        walk.site(
            name,
            None,
            is_callee(node, "invocation_expression", "function"),
        );
    }
    if let Some(list) = child_of(node, &["type_argument_list"]) {
        walk.children(list);
    }
}

/// Returns the identifier in a generic name.
fn plain_name(node: Node<'_>) -> Node<'_> {
    child_of(node, &["identifier"]).unwrap_or(node)
}

/// Reads `a?.m()`, which uses `m` of `a`.
fn conditional(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(object) = node.child_by_field_name("condition") else {
        return;
    };
    walk.visit(object);
    let receiver = expr(walk, object);
    for child in named(node)
        .into_iter()
        .filter(|child| child.id() != object.id())
    {
        // In `a?.b.c()`, the member that follows `?` is the innermost node.
        let mut inner = child;
        while inner.kind() != "member_binding_expression" {
            let Some(next) = inner.named_child(0) else {
                break;
            };
            inner = next;
        }
        let name = inner.child_by_field_name("name").map(plain_name);
        if let Some(name) =
            name.filter(|name| inner.kind() == "member_binding_expression" && walk.is_wanted(*name))
        {
            let is_call = inner
                .parent()
                .is_some_and(|parent| parent.kind() == "invocation_expression");
            walk.site(name, Some(receiver.clone()), is_call);
        }
        walk.children(child);
    }
}

fn class(walk: &mut Walk<'_>, node: Node<'_>, kind: TypeKind) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    // The arguments of `class A(int x) : Base(x)` are no bases.
    let bases = child_of(node, &["base_list"])
        .map_or_else(Vec::new, named)
        .into_iter()
        .filter(|base| base.kind() != "argument_list")
        .map(|base| type_ref(walk, base))
        .collect();
    let params = params_of(walk, node);
    walk.within_type(name, node, bases, kind, |walk| {
        walk.type_params(params);
        // The parameters of a record, or of a class with a primary constructor, are visible in the
        // whole type.
        for param in child_of(node, &["parameter_list"]).map_or_else(Vec::new, named) {
            if let Some(name) = param.child_by_field_name("name") {
                let gives = param
                    .child_by_field_name("type")
                    .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
                let owner = walk.owner();
                walk.member(name, param, owner, MemberKind::Value, gives);
            }
            default_of(walk, param);
        }
        attributes(walk, node);
        walk.field(node, "body");
    });
}

fn params_of(walk: &Walk<'_>, node: Node<'_>) -> Vec<(String, Vec<TypeRef>)> {
    let list = child_of(node, &["type_parameter_list"]).map_or_else(Vec::new, named);
    let mut params: Vec<(String, Vec<TypeRef>)> = list
        .into_iter()
        .map(|param| (walk.text_of(param, "name"), Vec::new()))
        .collect();
    // `where T : A, B` has the bounds after the parameters, and apart from them.
    for clause in named(node)
        .into_iter()
        .filter(|child| child.kind() == "type_parameter_constraints_clause")
    {
        let parts = named(clause);
        let Some((name, bounds)) = parts.split_first() else {
            continue;
        };
        let name = walk.text(*name);
        if let Some((_, known)) = params.iter_mut().find(|(param, _)| *param == name) {
            known.extend(
                bounds
                    .iter()
                    .filter_map(|bound| bound.named_child(0))
                    .map(|bound| type_ref(walk, bound)),
            );
        }
    }
    params
}

fn method(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    // The grammar has the result of a method in `returns`, and that of a local function in `type`.
    let gives = node
        .child_by_field_name("returns")
        .or_else(|| node.child_by_field_name("type"))
        .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
    let params = params_of(walk, node);
    let extended = extended(walk, node);
    let given = gives.clone();
    walk.function(name, node, gives, params, |walk| {
        if let Some(list) = node.child_by_field_name("parameters") {
            parameters(walk, list);
        }
        attributes(walk, node);
        walk.field(node, "body");
        if let Some(initializer) = child_of(node, &["constructor_initializer"]) {
            walk.children(initializer);
        }
    });
    // An extension is a member of its class, and of what it extends.
    if let Some(extended) = extended {
        let owner = MemberOwner::Named(extended, None);
        walk.member(name, node, owner, MemberKind::Function, given);
    }
}

/// Returns the type that a method extends: that of a first parameter with `this`.
fn extended(walk: &Walk<'_>, method: Node<'_>) -> Option<TypeRef> {
    let list = method.child_by_field_name("parameters")?;
    let first = named(list).into_iter().next()?;
    let modifier = child_of(first, &["modifier"])?;
    let kind = first.child_by_field_name("type")?;
    (walk.text(modifier) == "this").then(|| type_ref(walk, kind))
}

fn parameters(walk: &mut Walk<'_>, list: Node<'_>) {
    for param in named(list) {
        typed_name(walk, param);
        default_of(walk, param);
    }
}

fn typed_name(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        let is = match node.child_by_field_name("type") {
            Some(kind) if walk.text(kind) != "var" => Origin::Type(type_ref(walk, kind)),
            Some(_) | None => Origin::Value(Expr::Unknown),
        };
        walk.bind(name, is);
    }
}

fn variables(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(kind) = node.child_by_field_name("type") else {
        return;
    };
    let is_var = walk.text(kind) == "var";
    for declarator in named(node)
        .into_iter()
        .filter(|child| child.kind() == "variable_declarator")
    {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let value = named(declarator)
            .into_iter()
            .rfind(|child| child.id() != name.id());
        let of = type_ref(walk, kind);
        // A variable directly in a type is a field.
        if walk.directly_in_type() {
            let owner = walk.owner();
            walk.member(name, node, owner, MemberKind::Value, Gives::Type(of));
        } else {
            let is = match value {
                Some(value) if is_var => Origin::Value(expr(walk, value)),
                _ => Origin::Type(of),
            };
            walk.bind_in_block(name, is);
        }
        if let Some(value) = value {
            walk.visit(value);
        }
    }
}

/// Returns a literal as a value of its type, which the tree may extend.
fn literal(kind: &str) -> Expr {
    Expr::New(TypeRef::named(kind))
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
    let typed = |field: &str| {
        node.child_by_field_name(field)
            .map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind)))
    };
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "generic_name" => Expr::Name(walk.text(plain_name(node))),
        "qualified_name" => Expr::Type(type_ref(walk, node)),
        "this" | "this_expression" => Expr::This,
        "base" | "base_expression" => Expr::Super,
        "member_access_expression" => {
            let name = node
                .child_by_field_name("name")
                .map_or_else(String::new, |name| walk.text(plain_name(name)));
            Expr::Member(Box::new(inner("expression")), name)
        }
        "invocation_expression" => Expr::Call(Box::new(inner("function"))),
        "object_creation_expression" | "cast_expression" => typed("type"),
        // `a as T` has its type on the right.
        "as_expression" => typed("right"),
        "parenthesized_expression" | "checked_expression" => first(),
        "await_expression" => Expr::Inner(Box::new(first())),
        "element_access_expression" => Expr::Item(Box::new(inner("expression"))),
        "conditional_expression" => Expr::Either(vec![inner("consequence"), inner("alternative")]),
        "string_literal" | "interpolated_string_expression" => literal("string"),
        "boolean_literal" => literal("bool"),
        "character_literal" => literal("char"),
        "integer_literal" | "real_literal" | "null_literal" | "typeof_expression"
        | "predefined_type" => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    match node.kind() {
        "identifier" | "predefined_type" => TypeRef::named(&walk.text(node)),
        "qualified_name" => TypeRef {
            // The names of a path may have type arguments.
            path: walk
                .text(node)
                .split('.')
                .map(|part| part.split('<').next().unwrap_or_default().to_owned())
                .collect(),
            args: Vec::new(),
        },
        "generic_name" => TypeRef {
            path: vec![walk.text(plain_name(node))],
            args: child_of(node, &["type_argument_list"])
                .map_or_else(Vec::new, named)
                .into_iter()
                .map(|arg| type_ref(walk, arg))
                .collect(),
        },
        "nullable_type" | "ref_type" | "scoped_type" => node
            .child_by_field_name("type")
            .or_else(|| node.named_child(0))
            .map_or_else(TypeRef::default, |kind| type_ref(walk, kind)),
        "primary_constructor_base_type" => node
            .named_child(0)
            .map_or_else(TypeRef::default, |kind| type_ref(walk, kind)),
        "array_type" => TypeRef {
            path: vec!["[]".to_owned()],
            args: node
                .child_by_field_name("type")
                .map(|kind| type_ref(walk, kind))
                .into_iter()
                .collect(),
        },
        _ => TypeRef::default(),
    }
}
