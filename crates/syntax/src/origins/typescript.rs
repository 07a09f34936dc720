//! TypeScript and JavaScript.

use tree_sitter::Node;

use super::walk::{Walk, child_of, has_child, is_callee, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

const FUNCTIONS: [&str; 5] = [
    "arrow_function",
    "function_expression",
    "function",
    "generator_function",
    "async_arrow_function",
];

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "import_statement" => import(walk, node),
        "export_statement" => export(walk, node),
        "class_declaration" | "abstract_class_declaration" | "class" => class(walk, node),
        "interface_declaration" => interface(walk, node),
        "type_alias_declaration" => alias(walk, node),
        "enum_declaration" => enum_declaration(walk, node),
        "internal_module" | "module" => internal_module(walk, node),
        "method_definition" | "method_signature" | "abstract_method_signature" => {
            method(walk, node)
        }
        "public_field_definition" | "field_definition" | "property_signature" => field(walk, node),
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            function_declaration(walk, node)
        }
        // The keyword `function` is a node of the same kind, but without a name of its own in the
        // grammar.
        kind if FUNCTIONS.contains(&kind) && node.is_named() => {
            walk.within_closure(node, |walk| body(walk, node))
        }
        "variable_declarator" => declarator(walk, node),
        "assignment_expression" => assignment(walk, node),
        "for_in_statement" => for_in(walk, node),
        "catch_clause" => catch_clause(walk, node),
        "statement_block" | "for_statement" | "switch_body" => {
            walk.within_block(node, |walk| walk.children(node))
        }
        "if_statement" => narrowed(walk, node),
        "return_statement" => walk.return_statement(node, expr),
        "member_expression" => member(walk, node),
        "pair" => pair(walk, node),
        "identifier" | "shorthand_property_identifier" if walk.is_wanted(node) => {
            walk.site(node, None, is_called(node))
        }
        "shorthand_property_identifier_pattern" if walk.is_wanted(node) => {
            destructured_site(walk, node)
        }
        _ => walk.children(node),
    }
}

fn enum_declaration(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        walk.within_type(name, node, Vec::new(), TypeKind::Class, |walk| {
            walk.field(node, "body");
        });
    }
}

fn internal_module(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        walk.within_type(name, node, Vec::new(), TypeKind::Module, |walk| {
            walk.field(node, "body");
        });
    }
}

fn function_declaration(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        let owner = walk.owner();
        function(walk, name, node, node, owner);
    }
}

fn for_in(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let (Some(left), Some(right)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        ) {
            // `for (k in o)` gives keys, which are strings.
            let is = if has_child(node, "of") {
                Expr::Item(Box::new(expr(walk, right)))
            } else {
                Expr::Literal
            };
            bind_pattern(walk, left, Origin::Value(is));
        }
        walk.children(node);
    });
}

fn catch_clause(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let Some(name) = node.child_by_field_name("parameter") {
            let is = node
                .child_by_field_name("type")
                .map_or(Origin::Value(Expr::Unknown), |kind| {
                    Origin::Type(type_ref(walk, kind))
                });
            bind_pattern(walk, name, is);
        }
        walk.children(node);
    });
}

fn pair(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(key) = node
        .child_by_field_name("key")
        .filter(|key| key.kind() == "computed_property_name")
    {
        walk.visit(key);
    }
    walk.field(node, "value");
}

/// Records the use of a member in `const {m} = value`.
fn destructured_site(walk: &mut Walk<'_>, node: Node<'_>) {
    let declarator = std::iter::successors(node.parent(), Node::parent)
        .take(3)
        .find(|parent| parent.kind() == "variable_declarator");
    let value = declarator.and_then(|declarator| declarator.child_by_field_name("value"));
    let receiver = value.map_or(Expr::Unknown, |value| expr(walk, value));
    walk.site(node, Some(receiver), false);
}

fn is_called(node: Node<'_>) -> bool {
    is_callee(node, "call_expression", "function")
        || is_callee(node, "new_expression", "constructor")
}

fn member(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(object), Some(name)) = (
        node.child_by_field_name("object"),
        node.child_by_field_name("property"),
    ) else {
        return;
    };
    if walk.is_wanted(name) {
        let receiver = expr(walk, object);
        walk.site(name, Some(receiver), is_called(node));
    }
    walk.visit(object);
}

fn unquoted(walk: &Walk<'_>, node: Node<'_>) -> String {
    walk.text(node)
        .trim_matches(|letter| matches!(letter, '"' | '\'' | '`'))
        .to_owned()
}

fn import(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(source) = node.child_by_field_name("source") else {
        return;
    };
    let module = unquoted(walk, source);
    for clause in named(node)
        .into_iter()
        .filter(|child| child.kind() == "import_clause")
    {
        for child in named(clause) {
            match child.kind() {
                "identifier" => {
                    let local = walk.text(child);
                    // A default import has a name of its own, and `default` is the name in the
                    // module.
                    walk.import(&local, &module, Some("default"));
                }
                "namespace_import" => {
                    if let Some(name) = child.named_child(0) {
                        let local = walk.text(name);
                        walk.import(&local, &module, None);
                    }
                }
                "named_imports" => {
                    for specifier in named(child) {
                        let name = walk.text_of(specifier, "name");
                        let alias = walk.text_of(specifier, "alias");
                        let local = if alias.is_empty() { &name } else { &alias };
                        walk.import(local, &module, Some(&name));
                    }
                }
                _ => {}
            }
        }
    }
}

fn export(walk: &mut Walk<'_>, node: Node<'_>) {
    let source = node
        .child_by_field_name("source")
        .map(|source| unquoted(walk, source));
    let clause = child_of(node, &["export_clause"]);
    if let Some(module) = source {
        match (clause, child_of(node, &["namespace_export"])) {
            (Some(clause), _) => {
                for specifier in named(clause) {
                    let name = walk.text_of(specifier, "name");
                    let alias = walk.text_of(specifier, "alias");
                    let outward = if alias.is_empty() { &name } else { &alias };
                    walk.export(outward, &module, Some(&name));
                }
            }
            (None, Some(space)) => {
                let name = space
                    .named_child(0)
                    .map_or_else(String::new, |name| walk.text(name));
                walk.export(&name, &module, None);
            }
            // `export * from "x"` passes on everything.
            (None, None) => walk.export("*", &module, Some("*")),
        }
        return;
    }
    if let Some(clause) = clause {
        for specifier in named(clause) {
            let (name, alias) = (
                walk.text_of(specifier, "name"),
                walk.text_of(specifier, "alias"),
            );
            // Without another name, the definition itself is what is exported.
            if !alias.is_empty() {
                walk.export(&alias, "", Some(&name));
            }
        }
        return;
    }
    if has_child(node, "default") {
        let object = node
            .child_by_field_name("value")
            .filter(|value| value.kind() == "object");
        // An object has members that others use by the name that they give to the import.
        if let Some(object) = object {
            return namespace_named(walk, "default", object.start_byte(), object);
        }
        export_default(walk, node);
    }
    walk.children(node);
}

/// Reads `export default X`, which gives the module the name `default`.
fn export_default(walk: &mut Walk<'_>, node: Node<'_>) {
    let value = node
        .child_by_field_name("value")
        .or_else(|| node.child_by_field_name("declaration"));
    let Some(value) = value else { return };
    let named = if value.kind() == "identifier" {
        Some(walk.text(value))
    } else {
        value
            .child_by_field_name("name")
            .map(|name| walk.text(name))
    };
    // A class or a function may have a name of its own, and `default` is another name for it.
    match named {
        Some(name) => walk.export("default", "", Some(&name)),
        None => {
            let gives = match returned(walk, value) {
                Some(gives) => (MemberKind::Function, gives),
                None => (MemberKind::Value, Gives::Values(vec![expr(walk, value)])),
            };
            walk.member_named(
                "default",
                value.start_byte(),
                value,
                MemberOwner::File,
                gives.0,
                gives.1,
            );
        }
    }
}

/// Returns what a function without a name returns by its annotation, or `None` if the node is no
/// function.
fn returned(walk: &Walk<'_>, node: Node<'_>) -> Option<Gives> {
    let is_function = FUNCTIONS.contains(&node.kind());
    is_function.then(|| match node.child_by_field_name("return_type") {
        Some(kind) => Gives::Type(type_ref(walk, kind)),
        // `x => x.y` returns its expression; a block has its own `return` statements.
        None => node
            .child_by_field_name("body")
            .filter(|body| body.kind() != "statement_block")
            .map_or(Gives::Nothing, |body| Gives::Values(vec![expr(walk, body)])),
    })
}

fn bases(walk: &Walk<'_>, node: Node<'_>) -> Vec<TypeRef> {
    let mut bases = Vec::new();
    for child in named(node) {
        match child.kind() {
            "class_heritage" | "implements_clause" | "extends_type_clause" => {
                bases.extend(self::bases(walk, child));
            }
            "extends_clause" => {
                let mut base = child
                    .child_by_field_name("value")
                    .map_or_else(TypeRef::default, |value| type_ref(walk, value));
                // The arguments of `extends Base<T>` are beside the base in the tree, not inside of
                // it.
                if let Some(arguments) = child_of(child, &["type_arguments"]) {
                    base.args = named(arguments)
                        .into_iter()
                        .map(|arg| type_ref(walk, arg))
                        .collect();
                }
                bases.push(base);
            }
            _ if matches!(
                node.kind(),
                "class_heritage" | "implements_clause" | "extends_type_clause"
            ) =>
            {
                bases.push(type_ref(walk, child));
            }
            _ => {}
        }
    }
    bases
}

fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(body) = node.child_by_field_name("body") else {
        return;
    };
    let bases = bases(walk, node);
    let params = params_of(walk, node);
    let inside = |walk: &mut Walk<'_>| {
        walk.type_params(params);
        walk.children(body);
    };
    match node.child_by_field_name("name") {
        Some(name) => walk.within_type(name, node, bases, TypeKind::Class, inside),
        None => {
            // A class without a name is called by the variable that it is assigned to.
            let name = node
                .parent()
                .filter(|parent| parent.kind() == "variable_declarator")
                .map_or_else(String::new, |parent| walk.text_of(parent, "name"));
            walk.within_type_named(
                &name,
                node.start_byte(),
                node,
                bases,
                TypeKind::Class,
                inside,
            )
        }
    };
    for child in named(node)
        .into_iter()
        .filter(|child| child.kind() == "class_heritage")
    {
        walk.children(child);
    }
}

fn interface(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(name), Some(body)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("body"),
    ) else {
        return;
    };
    let (bases, params) = (bases(walk, node), params_of(walk, node));
    walk.within_type(name, node, bases, TypeKind::Interface, |walk| {
        walk.type_params(params);
        walk.children(body);
    });
}

fn alias(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(name), Some(value)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("value"),
    ) else {
        return;
    };
    let params = params_of(walk, node);
    let parts = if value.kind() == "intersection_type" {
        named(value)
    } else {
        vec![value]
    };
    let objects: Vec<Node<'_>> = parts
        .iter()
        .filter(|part| part.kind() == "object_type")
        .copied()
        .collect();
    // `type A = B` is another name of `B`; `type A = B & {…}` is a type with `B` as its base.
    if objects.is_empty() && parts.len() < 2 {
        let of = type_ref(walk, value);
        walk.within_type(name, node, Vec::new(), TypeKind::Alias(of), |walk| {
            walk.type_params(params);
        });
        return;
    }
    let bases = parts
        .iter()
        .filter(|part| part.kind() != "object_type")
        .map(|part| type_ref(walk, *part))
        .collect();
    walk.within_type(name, node, bases, TypeKind::Interface, |walk| {
        walk.type_params(params);
        objects.iter().for_each(|object| walk.children(*object));
    });
}

fn params_of(walk: &Walk<'_>, node: Node<'_>) -> Vec<(String, Vec<TypeRef>)> {
    let list = node.child_by_field_name("type_parameters");
    let one = |param: Node<'_>| {
        let bound = param
            .child_by_field_name("constraint")
            .and_then(|bound| bound.named_child(0));
        let bounds = bound
            .map(|bound| type_ref(walk, bound))
            .into_iter()
            .collect();
        (walk.text_of(param, "name"), bounds)
    };
    list.map_or_else(Vec::new, |list| named(list).into_iter().map(one).collect())
}

fn method(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    // A method of an object literal in a function belongs to no type that has a name.
    if !walk.directly_in_type() {
        walk.within_closure(node, |walk| body(walk, node));
        return;
    }
    let owner = walk.owner();
    let is_accessor = has_child(node, "get") || has_child(node, "set");
    // An accessor is used like a field, without a call.
    if is_accessor {
        let gives = node
            .child_by_field_name("return_type")
            .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
        let member = walk.member(name, node, owner, MemberKind::Value, gives);
        walk.within_function(member, node, |walk| body(walk, node));
        // Names are looked up at the end of the item, where all that it binds is known.
        walk.look_up_at(member, node.end_byte().saturating_sub(1));
        return;
    }
    if walk.text(name) == "constructor" {
        constructor_fields(walk, node);
    }
    function(walk, name, node, node, owner);
}

/// Reads the fields that `constructor(private readonly x: T)` introduces.
fn constructor_fields(walk: &mut Walk<'_>, node: Node<'_>) {
    let owner = walk.owner();
    let list = node.child_by_field_name("parameters");
    for param in list.map_or_else(Vec::new, named) {
        let is_field =
            child_of(param, &["accessibility_modifier"]).is_some() || has_child(param, "readonly");
        if let Some(name) = param.child_by_field_name("pattern").filter(|_| is_field) {
            let gives = annotated(walk, param);
            walk.member(name, param, owner.clone(), MemberKind::Value, gives);
        }
    }
}

fn annotated(walk: &Walk<'_>, node: Node<'_>) -> Gives {
    match (
        node.child_by_field_name("type"),
        node.child_by_field_name("value"),
    ) {
        (Some(kind), _) => Gives::Type(type_ref(walk, kind)),
        (None, Some(value)) => {
            returned(walk, value).unwrap_or_else(|| Gives::Values(vec![expr(walk, value)]))
        }
        (None, None) => Gives::Nothing,
    }
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let name = node
        .child_by_field_name("name")
        .or_else(|| node.child_by_field_name("property"));
    let Some(name) = name.filter(|_| walk.directly_in_type()) else {
        walk.children(node);
        return;
    };
    let owner = walk.owner();
    let value = node.child_by_field_name("value");
    // `handle = () => {…}` in a class is a method in all but form.
    if let Some(value) = value.filter(|value| FUNCTIONS.contains(&value.kind())) {
        function(walk, name, node, value, owner);
        return;
    }
    let kind = match node
        .child_by_field_name("type")
        .and_then(|kind| kind.named_child(0))
    {
        Some(kind) if kind.kind() == "function_type" => MemberKind::Function,
        Some(_) | None => MemberKind::Value,
    };
    let gives = match (kind, node.child_by_field_name("type")) {
        (MemberKind::Function, Some(annotation)) => annotation
            .named_child(0)
            .and_then(|kind| kind.child_by_field_name("return_type"))
            .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind))),
        _ => annotated(walk, node),
    };
    walk.member(name, node, owner, kind, gives);
    if let Some(value) = value {
        walk.visit(value);
    }
}

fn function(
    walk: &mut Walk<'_>,
    name: Node<'_>,
    item: Node<'_>,
    code: Node<'_>,
    owner: MemberOwner,
) {
    let gives = match code.child_by_field_name("return_type") {
        Some(kind) => Gives::Type(type_ref(walk, kind)),
        None => returned(walk, code).unwrap_or(Gives::Nothing),
    };
    let member = walk.member(name, item, owner, MemberKind::Function, gives);
    walk.look_up_at(member, item.end_byte().saturating_sub(1));
    walk.within_function(member, item, |walk| body(walk, code));
}

/// Reads the parameters and the body of a function.
fn body(walk: &mut Walk<'_>, node: Node<'_>) {
    let params = params_of(walk, node);
    walk.bind_bounds(params, node);
    if let Some(name) = node.child_by_field_name("parameter") {
        walk.bind(name, Origin::Value(Expr::Unknown));
    }
    for param in node
        .child_by_field_name("parameters")
        .map_or_else(Vec::new, named)
    {
        // JavaScript has the patterns themselves, TypeScript wraps them in parameters.
        let pattern = param.child_by_field_name("pattern").unwrap_or(param);
        let is = match (
            param.child_by_field_name("type"),
            param.child_by_field_name("value"),
        ) {
            // The name in `...rest: T[]` is bound without its type.
            (Some(kind), _) if pattern.kind() != "rest_pattern" => {
                Origin::Type(type_ref(walk, kind))
            }
            (None, Some(value)) => Origin::Value(expr(walk, value)),
            _ => Origin::Value(Expr::Unknown),
        };
        bind_pattern(walk, pattern, is);
        walk.field(param, "value");
        if pattern.kind() != "identifier" {
            walk.children(pattern);
        }
    }
    walk.field(node, "body");
}

fn bind_pattern(walk: &mut Walk<'_>, pattern: Node<'_>, is: Origin) {
    let value = match &is {
        Origin::Value(value) => value.clone(),
        Origin::Type(kind) => Expr::New(kind.clone()),
        Origin::Bounds(_) | Origin::Function(_) | Origin::LocalType(_) => Expr::Unknown,
    };
    match pattern.kind() {
        "identifier" => walk.bind_in_block(pattern, is),
        "assignment_pattern" => {
            if let Some(left) = pattern.child_by_field_name("left") {
                let is = match pattern.child_by_field_name("right") {
                    // In `function f({a} = make())`, only the default tells what `a` is of.
                    Some(right) if value == Expr::Unknown => Origin::Value(expr(walk, right)),
                    _ => is,
                };
                bind_pattern(walk, left, is);
            }
        }
        "object_pattern" => {
            for child in named(pattern) {
                bind_property(walk, child, &value);
            }
        }
        "array_pattern" => {
            for child in named(pattern) {
                bind_pattern(
                    walk,
                    child,
                    Origin::Value(Expr::Item(Box::new(value.clone()))),
                );
            }
        }
        "rest_pattern" => {
            if let Some(name) = pattern.named_child(0) {
                bind_pattern(walk, name, Origin::Value(Expr::Unknown));
            }
        }
        _ => {}
    }
}

fn bind_property(walk: &mut Walk<'_>, child: Node<'_>, value: &Expr) {
    let of = |name: String| Origin::Value(Expr::Member(Box::new(value.clone()), name));
    match child.kind() {
        "shorthand_property_identifier_pattern" => {
            let name = walk.text(child);
            walk.bind_in_block(child, of(name));
        }
        // In `{a = 1}`, the member tells more than its default.
        "object_assignment_pattern" => {
            if let Some(left) = child.child_by_field_name("left") {
                let name = walk.text(left);
                walk.bind_in_block(left, of(name));
            }
        }
        // `{a: b}` binds `b` to the member `a`.
        "pair_pattern" => {
            if let (Some(key), Some(target)) = (
                child.child_by_field_name("key"),
                child.child_by_field_name("value"),
            ) {
                let name = walk.text(key);
                bind_pattern(walk, target, of(name));
            }
        }
        _ => {}
    }
}

fn declarator(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let value = node.child_by_field_name("value");
    let given = value.map_or(Expr::Unknown, |value| expr(walk, value));
    if name.kind() != "identifier" {
        bind_pattern(walk, name, Origin::Value(given));
        walk.children(name);
        walk.field(node, "value");
        return;
    }
    let owner = walk.owner();
    if let Some(code) = value.filter(|value| FUNCTIONS.contains(&value.kind())) {
        return function(walk, name, node, code, owner);
    }
    // An object at the top of a file is a namespace, whose members others use by its name.
    let is_object = |value: &Node<'_>| value.kind() == "object" && owner == MemberOwner::File;
    if let Some(object) = value.filter(is_object) {
        return namespace(walk, name, object);
    }
    let kind = node
        .child_by_field_name("type")
        .map(|kind| type_ref(walk, kind));
    // Inside of a block, even at the top of the file, a name is visible in that block only.
    if owner == MemberOwner::Local || walk.block().len() < walk.source().len() {
        walk.bind_in_block(name, kind.map_or(Origin::Value(given), Origin::Type));
    } else {
        let gives = kind.map_or_else(|| Gives::Values(vec![given]), Gives::Type);
        walk.member(name, node, owner, MemberKind::Value, gives);
    }
    if let Some(value) = value {
        walk.visit(value);
    }
}

/// Reads `const x = {m() {…}}` at the top of a file: a value with members of its own.
fn namespace(walk: &mut Walk<'_>, name: Node<'_>, object: Node<'_>) {
    let (name, at) = (walk.text(name), name.start_byte());
    namespace_named(walk, &name, at, object);
}

/// Does the same for a name that is not a node's text.
fn namespace_named(walk: &mut Walk<'_>, name: &str, at: usize, object: Node<'_>) {
    walk.within_type_named(name, at, object, Vec::new(), TypeKind::Module, |walk| {
        for child in named(object) {
            property(walk, child);
        }
    });
}

/// Reads one property of an object whose members others use by its name.
fn property(walk: &mut Walk<'_>, child: Node<'_>) {
    match child.kind() {
        "method_definition" => method(walk, child),
        "pair" => {
            let (Some(key), Some(value)) = (
                child.child_by_field_name("key"),
                child.child_by_field_name("value"),
            ) else {
                return;
            };
            let owner = walk.owner();
            // `{m: () => …}` has a method in all but form.
            if FUNCTIONS.contains(&value.kind()) {
                function(walk, key, child, value, owner);
            } else {
                let gives = Gives::Values(vec![expr(walk, value)]);
                walk.member(key, child, owner, MemberKind::Value, gives);
                walk.visit(value);
            }
        }
        // `{m}` hands on what has the name here.
        "shorthand_property_identifier" => {
            let gives = Gives::Values(vec![Expr::Name(walk.text(child))]);
            let owner = walk.owner();
            walk.member(child, child, owner, MemberKind::Value, gives);
            walk.visit(child);
        }
        // `{...other}` has the members of the other object.
        "spread_element" => {
            if let (Some(number), Some(other)) = (walk.inner_type(), child.named_child(0)) {
                let base = type_ref(walk, other);
                walk.add_base(number, base);
            }
            walk.visit(child);
        }
        _ => walk.visit(child),
    }
}

fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(left), Some(right)) = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
    ) else {
        return;
    };
    if left.kind() == "identifier" && walk.in_function() {
        let value = expr(walk, right);
        walk.bind(left, Origin::Value(value));
    }
    if left.kind() == "member_expression"
        && let (Some(object), Some(name)) = (
            left.child_by_field_name("object"),
            left.child_by_field_name("property"),
        )
    {
        let code = FUNCTIONS.contains(&right.kind());
        match object.kind() {
            "this" => {
                if let Some(owner) = walk.inner_type() {
                    let gives = Gives::Values(vec![expr(walk, right)]);
                    walk.member(
                        name,
                        left,
                        MemberOwner::Type(owner),
                        MemberKind::Value,
                        gives,
                    );
                }
            }
            // `Type.prototype.name = function () {…}` defines a method of the type.
            _ if code && !walk.in_function() => {
                let path = walk.text(object);
                let path = path.trim_end_matches(".prototype");
                let owner = MemberOwner::Named(TypeRef::named(path), None);
                walk.visit(object);
                function(walk, name, node, right, owner);
                return;
            }
            _ => {}
        }
    }
    walk.visit(left);
    walk.visit(right);
}

/// Reads `if (x instanceof T)`, which states the type of `x` in its block.
fn narrowed(walk: &mut Walk<'_>, node: Node<'_>) {
    let test = node
        .child_by_field_name("condition")
        .and_then(|test| test.named_child(0))
        .filter(|test| test.kind() == "binary_expression" && has_child(*test, "instanceof"));
    if let (Some(test), Some(body)) = (test, node.child_by_field_name("consequence"))
        && let (Some(name), Some(kind)) = (
            test.child_by_field_name("left"),
            test.child_by_field_name("right"),
        )
        && name.kind() == "identifier"
    {
        let (text, range, is) = (walk.text(name), body.byte_range(), type_ref(walk, kind));
        walk.bind_in(&text, range.start, range.clone(), range, Origin::Type(is));
    }
    walk.children(node);
}

/// Expressions whose values are of a type of the language itself.
const LITERALS: &[&str] = &[
    "string",
    "template_string",
    "number",
    "array",
    "regex",
    "true",
    "false",
    "null",
    "undefined",
    "arrow_function",
    "function_expression",
];

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let of = |child: Option<Node<'_>>| child.map_or(Expr::Unknown, |child| expr(walk, child));
    let inner = |field: &str| of(node.child_by_field_name(field));
    let first = || of(node.named_child(0));
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "this" => this(node),
        "super" => Expr::Super,
        "member_expression" if walk.text(node) == "this.constructor" => this_type(node),
        "member_expression" => {
            Expr::Member(Box::new(inner("object")), walk.text_of(node, "property"))
        }
        "call_expression" => Expr::Call(Box::new(inner("function"))),
        "new_expression" => made(walk, node),
        "as_expression" | "satisfies_expression" => node
            .named_child(1)
            .map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind))),
        "non_null_expression" | "parenthesized_expression" => first(),
        // The awaited type is inside of the promise: `Promise<T>` gives `T`.
        "await_expression" => Expr::Inner(Box::new(first())),
        "subscript_expression" => Expr::Item(Box::new(inner("object"))),
        "ternary_expression" => Expr::Either(vec![inner("consequence"), inner("alternative")]),
        "binary_expression" => match walk.text_of(node, "operator").as_str() {
            "??" | "||" | "&&" => Expr::Either(vec![inner("left"), inner("right")]),
            _ => Expr::Literal,
        },
        "assignment_expression" => inner("right"),
        kind if LITERALS.contains(&kind) => Expr::Literal,
        _ => Expr::Unknown,
    }
}

/// Returns what `new X()` makes, if a name says which type it is of.
fn made(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    match node.child_by_field_name("constructor") {
        Some(kind) if ["identifier", "member_expression"].contains(&kind.kind()) => {
            Expr::Call(Box::new(expr(walk, kind)))
        }
        _ => Expr::Unknown,
    }
}

/// Returns what `this.constructor` is: the class, whose static members are used on it.
fn this_type(node: Node<'_>) -> Expr {
    match node.named_child(0).map_or(Expr::Unknown, this) {
        Expr::This => Expr::ThisType,
        _ => Expr::Unknown,
    }
}

/// Returns `this` as that of the class, unless a function of its own is in between. Arrow functions
/// have none of their own.
fn this(node: Node<'_>) -> Expr {
    let mut above = node.parent();
    while let Some(node) = above {
        match node.kind() {
            "function_expression"
            | "function_declaration"
            | "generator_function"
            | "generator_function_declaration"
            | "function" => return Expr::Unknown,
            "method_definition" if has_child(node, "static") => return Expr::ThisType,
            "method_definition" | "class_body" => return Expr::This,
            _ => above = node.parent(),
        }
    }
    Expr::Unknown
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    let all = |sign: &str| TypeRef {
        path: vec![sign.to_owned()],
        args: named(node)
            .into_iter()
            .map(|child| type_ref(walk, child))
            .collect(),
    };
    match node.kind() {
        "type_annotation" | "parenthesized_type" | "readonly_type" | "optional_type" => node
            .named_child(0)
            .map_or_else(TypeRef::default, |child| type_ref(walk, child)),
        "type_identifier" | "identifier" | "predefined_type" => TypeRef::named(&walk.text(node)),
        "nested_type_identifier" | "member_expression" | "nested_identifier" => TypeRef {
            path: walk.text(node).split('.').map(str::to_owned).collect(),
            args: Vec::new(),
        },
        "this_type" => TypeRef::named("Self"),
        "generic_type" => {
            let head = node
                .child_by_field_name("name")
                .map_or_else(TypeRef::default, |name| type_ref(walk, name));
            let args = child_of(node, &["type_arguments"]).map_or_else(Vec::new, |list| {
                named(list)
                    .into_iter()
                    .map(|arg| type_ref(walk, arg))
                    .collect()
            });
            TypeRef {
                path: head.path,
                args,
            }
        }
        "union_type" | "intersection_type" => {
            let mut flat = Vec::new();
            for child in named(node) {
                // `A | B | C` is a tree of pairs, and is kept as one list.
                let part = type_ref(walk, child);
                if part.last() == "|" {
                    flat.extend(part.args);
                } else {
                    flat.push(part);
                }
            }
            TypeRef::union(flat)
        }
        "array_type" => all("[]"),
        "tuple_type" => all(","),
        // Values of such types have members of the language only, as a string has.
        "literal_type" | "template_literal_type" | "function_type" | "undefined" | "null" => {
            TypeRef::named("string")
        }
        _ => TypeRef::default(),
    }
}
