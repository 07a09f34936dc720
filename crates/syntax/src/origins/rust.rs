//! Rust. The inside of a macro call is read as an expression if it contains a wanted name.

use std::ops::Range;

use tree_sitter::Node;

use super::walk::{Walk, child_of, is_callee, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

/// Most bytes inside of one macro call that are read.
const MACRO_BYTES_MAX: usize = 256 << 10;

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "use_declaration" => {
            if let Some(argument) = node.child_by_field_name("argument") {
                use_tree(walk, argument, "");
            }
        }
        "mod_item" => module(walk, node),
        "struct_item" | "enum_item" | "union_item" => kind_item(walk, node, TypeKind::Class),
        "trait_item" => kind_item(walk, node, TypeKind::Interface),
        "type_item" => type_item(walk, node),
        "field_declaration" | "enum_variant" => member(walk, node),
        "impl_item" => implementation(walk, node),
        "function_item" | "function_signature_item" => function(walk, node),
        "const_item" | "static_item" => const_item(walk, node),
        "let_declaration" => let_binding(walk, node),
        "let_condition" => let_condition(walk, node),
        "if_expression" | "while_expression" | "match_arm" | "block" => block(walk, node),
        "for_expression" => for_expression(walk, node),
        "closure_expression" => closure(walk, node),
        "return_expression" => walk.children(node),
        "field_expression" => field(walk, node),
        "scoped_identifier" | "scoped_type_identifier" => scoped_identifier(walk, node),
        "macro_invocation" => in_macro(walk, node),
        // The tokens of a macro's rules are no expressions, so what precedes a name is unknown.
        "macro_rule" => {
            let mut cursor = node.walk();
            for part in node.named_children(&mut cursor) {
                walk.visit_in_macro(part);
            }
        }
        "identifier" | "shorthand_field_identifier" | "type_identifier" if walk.is_wanted(node) => {
            walk.site(node, None, is_called(node))
        }
        // The name before the colon is a field of the struct.
        "field_initializer" => walk.field(node, "value"),
        _ => walk.children(node),
    }
}

fn module(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(name), Some(body)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("body"),
    ) {
        walk.within_type(name, node, Vec::new(), TypeKind::Module, |walk| {
            walk.children(body);
        });
    }
}

fn type_item(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(name), Some(of)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("type"),
    ) {
        let (of, params) = (type_ref(walk, of), params_of(walk, node));
        if walk.directly_in_type() && matches!(walk.owner(), MemberOwner::Named(..)) {
            // An associated type is what `Self::Name` means.
            let owner = walk.owner();
            walk.member(name, node, owner, MemberKind::Value, Gives::Type(of));
            return;
        }
        walk.within_type(name, node, Vec::new(), TypeKind::Alias(of), |walk| {
            walk.type_params(params);
        });
    }
}

fn const_item(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node.child_by_field_name("name") {
        let gives = node
            .child_by_field_name("type")
            .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)));
        let owner = walk.owner();
        // A constant in a function is visible only there.
        if owner == MemberOwner::Local {
            let is = match gives {
                Gives::Type(kind) => Origin::Type(kind),
                Gives::Values(_) | Gives::Nothing => Origin::Value(Expr::Unknown),
            };
            walk.bind(name, is);
        } else {
            walk.member(name, node, owner, MemberKind::Value, gives);
        }
    }
    walk.field(node, "value");
}

fn let_binding(walk: &mut Walk<'_>, node: Node<'_>) {
    let value = node.child_by_field_name("value");
    if let Some(value) = value {
        walk.visit(value);
    }
    walk.field(node, "alternative");
    let is = match (node.child_by_field_name("type"), value) {
        (Some(kind), _) if kind.kind() != "placeholder_type" => Expr::New(type_ref(walk, kind)),
        (_, Some(value)) => expr(walk, value),
        (_, None) => Expr::Unknown,
    };
    if let Some(pattern) = node.child_by_field_name("pattern") {
        // The value may use a name that the pattern shadows from here on.
        bind_pattern(walk, pattern, &is, node.end_byte());
    }
}

fn let_condition(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(pattern), Some(value)) = (
        node.child_by_field_name("pattern"),
        node.child_by_field_name("value"),
    ) {
        walk.visit(value);
        let value = expr(walk, value);
        bind_pattern(walk, pattern, &value, node.end_byte());
    }
}

fn block(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if node.kind() == "match_arm" {
            arm(walk, node);
        }
        walk.children(node);
    })
}

fn for_expression(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_block(node, |walk| {
        if let (Some(pattern), Some(value)) = (
            node.child_by_field_name("pattern"),
            node.child_by_field_name("value"),
        ) {
            walk.visit(value);
            let item = Expr::Item(Box::new(expr(walk, value)));
            bind_pattern(walk, pattern, &item, value.end_byte());
        }
        walk.field(node, "body");
    });
}

fn closure(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_closure(node, |walk| {
        if let Some(list) = node.child_by_field_name("parameters") {
            parameters(walk, list);
        }
        walk.field(node, "body");
    });
}

fn field(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(value), Some(name)) = (
        node.child_by_field_name("value"),
        node.child_by_field_name("field"),
    ) else {
        return;
    };
    if walk.is_wanted(name) {
        let receiver = expr(walk, value);
        let is_call = is_called(node);
        walk.site(name, Some(receiver), is_call);
    }
    walk.visit(value);
}

fn scoped_identifier(walk: &mut Walk<'_>, node: Node<'_>) {
    if let Some(name) = node
        .child_by_field_name("name")
        .filter(|name| walk.is_wanted(*name))
    {
        let receiver = node
            .child_by_field_name("path")
            .map(|path| Expr::Type(type_ref(walk, path)));
        walk.site(name, receiver, is_called(node));
    }
}

fn is_called(node: Node<'_>) -> bool {
    is_callee(node, "call_expression", "function")
        || node
            .parent()
            .is_some_and(|parent| parent.kind() == "generic_function")
}

/// Reads the inside of a macro call as an expression. Every byte keeps its number.
fn in_macro(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(tokens) = child_of(node, &["token_tree"]) else {
        return;
    };
    // A second parse is only worth its time if a wanted name is in the call.
    if tokens.byte_range().len() > MACRO_BYTES_MAX || !walk.holds_wanted(tokens.byte_range()) {
        return;
    }
    let mut parser = tree_sitter::Parser::new();
    let part = tree_sitter::Range {
        start_byte: tokens.start_byte(),
        end_byte: tokens.end_byte(),
        start_point: tokens.start_position(),
        end_point: tokens.end_position(),
    };
    let is_ready = parser
        .set_language(&tree_sitter_rust::LANGUAGE.into())
        .is_ok()
        && parser.set_included_ranges(&[part]).is_ok();
    // The parser reads only this range of the source, so that places need no translation.
    if let Some(tree) = parser.parse(walk.source(), None).filter(|_| is_ready) {
        walk.visit_in_macro(tree.root_node());
    }
}

fn use_tree(walk: &mut Walk<'_>, node: Node<'_>, before: &str) {
    let joined = |path: &str| {
        if before.is_empty() {
            path.to_owned()
        } else {
            format!("{before}::{path}")
        }
    };
    match node.kind() {
        "use_list" => {
            for child in named(node) {
                use_tree(walk, child, before);
            }
        }
        "scoped_use_list" => {
            let path = joined(&walk.text_of(node, "path"));
            if let Some(list) = node.child_by_field_name("list") {
                use_tree(walk, list, &path);
            }
        }
        "use_wildcard" => {
            let path = node
                .named_child(0)
                .map_or_else(String::new, |path| walk.text(path));
            let path = if path.is_empty() {
                before.to_owned()
            } else {
                joined(&path)
            };
            walk.import("*", &path, Some("*"));
        }
        "use_as_clause" => {
            let (path, alias) = (
                joined(&walk.text_of(node, "path")),
                walk.text_of(node, "alias"),
            );
            keep_use(walk, &alias, &path);
        }
        // `use a::b::{self, c}` gives `b` itself.
        "self" => {
            let local = before.rsplit("::").next().unwrap_or_default().to_owned();
            keep_use(walk, &local, before);
        }
        _ => {
            let path = joined(&walk.text(node));
            let local = path.rsplit("::").next().unwrap_or_default().to_owned();
            keep_use(walk, &local, &path);
        }
    }
}

fn keep_use(walk: &mut Walk<'_>, local: &str, path: &str) {
    let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
    walk.import(local, module, Some(name));
}

fn kind_item(walk: &mut Walk<'_>, node: Node<'_>, kind: TypeKind) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let bases = node
        .child_by_field_name("bounds")
        .map_or_else(Vec::new, |bounds| bounds_of(walk, bounds));
    let params = params_of(walk, node);
    walk.within_type(name, node, bases, kind, |walk| {
        walk.type_params(params);
        walk.field(node, "body");
    });
}

fn bounds_of(walk: &Walk<'_>, bounds: Node<'_>) -> Vec<TypeRef> {
    named(bounds)
        .into_iter()
        .filter(|bound| bound.kind() != "lifetime")
        .map(|bound| type_ref(walk, bound))
        .collect()
}

/// Returns the type parameters of an item with the bounds at each and in its `where`.
fn params_of(walk: &Walk<'_>, node: Node<'_>) -> Vec<(String, Vec<TypeRef>)> {
    let list = node
        .child_by_field_name("type_parameters")
        .map_or_else(Vec::new, named);
    let mut params: Vec<(String, Vec<TypeRef>)> = list
        .into_iter()
        .filter(|param| matches!(param.kind(), "type_parameter" | "type_identifier"))
        .map(|param| {
            let name = param.child_by_field_name("name").unwrap_or(param);
            let bounds = param
                .child_by_field_name("bounds")
                .map_or_else(Vec::new, |bounds| bounds_of(walk, bounds));
            (walk.text(name), bounds)
        })
        .collect();
    for predicate in child_of(node, &["where_clause"]).map_or_else(Vec::new, named) {
        let left = walk.text_of(predicate, "left");
        if let Some(bounds) = predicate.child_by_field_name("bounds") {
            let bounds = bounds_of(walk, bounds);
            match params.iter_mut().find(|(name, _)| *name == left) {
                Some((_, known)) => known.extend(bounds),
                // `where Vec<T>: Trait` bounds a type that is no parameter, and is kept under its
                // text.
                None => params.push((left, bounds)),
            }
        }
    }
    params
}

fn member(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let owner = walk.owner();
    // A variant is a value of its enumeration.
    let gives = if node.kind() == "enum_variant" {
        Gives::Type(TypeRef::named("Self"))
    } else {
        node.child_by_field_name("type")
            .map_or(Gives::Nothing, |kind| Gives::Type(type_ref(walk, kind)))
    };
    walk.member(name, node, owner, MemberKind::Value, gives);
}

fn implementation(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(of) = node.child_by_field_name("type") else {
        return;
    };
    let target = type_ref(walk, of);
    let base = node
        .child_by_field_name("trait")
        .map(|base| type_ref(walk, base));
    // The trait is a base of the type, although the type itself does not name it.
    if let Some(base) = &base {
        walk.implements(target.clone(), base.clone(), node.start_byte());
    }
    // `T` of `impl<T> Trait for Wrapper<T>` is known in the block by its bounds.
    for (name, bounds) in params_of(walk, node) {
        let range = node.byte_range();
        walk.bind_in(
            &name,
            range.start,
            range.clone(),
            range,
            Origin::Bounds(bounds),
        );
    }
    walk.within_owner(MemberOwner::Named(target, base), node, |walk| {
        walk.field(node, "body");
    });
}

fn function(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    // Without a return type, a function returns the unit.
    let gives = node
        .child_by_field_name("return_type")
        .map_or(Gives::Type(TypeRef::named("()")), |kind| {
            Gives::Type(type_ref(walk, kind))
        });
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
        match param.kind() {
            "parameter" => {
                let is = param
                    .child_by_field_name("type")
                    .map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind)));
                if let Some(pattern) = param.child_by_field_name("pattern") {
                    bind_pattern(walk, pattern, &is, param.start_byte());
                }
            }
            // `self` is an expression of its own, and needs no binding.
            "self_parameter" => {}
            _ => bind_pattern(walk, param, &Expr::Unknown, param.start_byte()),
        }
    }
}

fn arm(walk: &mut Walk<'_>, node: Node<'_>) {
    // An arm is in the body of its `match`, which has the value beside it.
    let scrutinee = node
        .parent()
        .and_then(|body| body.parent())
        .and_then(|matched| matched.child_by_field_name("value"));
    let value = scrutinee.map_or(Expr::Unknown, |value| expr(walk, value));
    if let Some(pattern) = node
        .child_by_field_name("pattern")
        .and_then(|pattern| pattern.named_child(0))
    {
        bind_pattern(walk, pattern, &value, node.start_byte());
    }
}

/// Binds the names of a pattern that is matched against a value.
fn bind_pattern(walk: &mut Walk<'_>, pattern: Node<'_>, value: &Expr, at: usize) {
    let all = |walk: &mut Walk<'_>, value: &Expr| {
        for child in named(pattern) {
            bind_pattern(walk, child, value, at);
        }
    };
    match pattern.kind() {
        "identifier" => bind_name(walk, pattern, value, at),
        "mut_pattern" | "ref_pattern" | "reference_pattern" | "captured_pattern" => {
            all(walk, value);
        }
        "tuple_pattern" => {
            for (number, child) in named(pattern).into_iter().enumerate() {
                let nth = Expr::Nth(Box::new(value.clone()), number);
                bind_pattern(walk, child, &nth, at);
            }
        }
        "tuple_struct_pattern" => {
            let kind = pattern.child_by_field_name("type");
            let name = kind.map_or_else(String::new, |kind| walk.text(kind));
            let inner = match name.as_str() {
                // `Some(x)` and `Ok(x)` give what is inside; other structs have fields that are not
                // followed by number.
                "Some" | "Ok" => Expr::Inner(Box::new(value.clone())),
                _ => Expr::Unknown,
            };
            for child in named(pattern) {
                if kind.is_none_or(|kind| kind.id() != child.id()) {
                    bind_pattern(walk, child, &inner, at);
                }
            }
        }
        "struct_pattern" => bind_fields(walk, pattern, at),
        "or_pattern" | "slice_pattern" => all(walk, &Expr::Unknown),
        _ => {}
    }
}

/// Binds the names of `Point { x, y: other }`.
fn bind_fields(walk: &mut Walk<'_>, pattern: Node<'_>, at: usize) {
    let kind = pattern.child_by_field_name("type");
    let of = kind.map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind)));
    for child in named(pattern) {
        let name = child.child_by_field_name("name");
        let Some(name) = name.filter(|_| child.kind() == "field_pattern") else {
            continue;
        };
        let value = Expr::Member(Box::new(of.clone()), walk.text(name));
        match child.child_by_field_name("pattern") {
            Some(inner) => bind_pattern(walk, inner, &value, at),
            None => bind_name(walk, name, &value, at),
        }
    }
}

fn bind_name(walk: &mut Walk<'_>, name: Node<'_>, value: &Expr, at: usize) {
    let text = walk.text(name);
    let block: Range<usize> = walk.block();
    walk.bind_in(
        &text,
        at,
        block.clone(),
        block,
        Origin::Value(value.clone()),
    );
}

/// Expressions whose values are of a type of the language itself.
const LITERALS: &[&str] = &[
    "string_literal",
    "raw_string_literal",
    "integer_literal",
    "float_literal",
    "char_literal",
    "boolean_literal",
    "array_expression",
    "tuple_expression",
    "unit_expression",
    "binary_expression",
    "range_expression",
];

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let of = |child: Option<Node<'_>>| child.map_or(Expr::Unknown, |child| expr(walk, child));
    let inner = |field: &str| of(node.child_by_field_name(field));
    let first = || of(node.named_child(0));
    let new = |field: &str| {
        let kind = node.child_by_field_name(field);
        kind.map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind)))
    };
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "self" => Expr::This,
        "scoped_identifier" => {
            let name = walk.text_of(node, "name");
            match node.child_by_field_name("path") {
                Some(path) => Expr::Member(Box::new(Expr::Type(type_ref(walk, path))), name),
                None => Expr::Name(name),
            }
        }
        "field_expression" => Expr::Member(Box::new(inner("value")), walk.text_of(node, "field")),
        "call_expression" => call(walk, node),
        "generic_function" => inner("function"),
        "struct_expression" => new("name"),
        "type_cast_expression" => new("type"),
        // `x?` gives what is inside of a result or an option, and `x.await` the result of a future.
        "try_expression" | "await_expression" => Expr::Inner(Box::new(first())),
        // A reference has the members of what it refers to.
        "reference_expression" => inner("value"),
        "parenthesized_expression" | "unary_expression" => first(),
        "index_expression" => Expr::Item(Box::new(first())),
        "if_expression" => either(walk, node),
        // The last expression of a block is its value.
        "block" => of(named(node).pop()),
        "macro_invocation" => of_macro(&walk.text_of(node, "macro")),
        kind if LITERALS.contains(&kind) => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn of_macro(name: &str) -> Expr {
    match name {
        "format" | "vec" | "concat" | "stringify" | "include_str" | "env" => Expr::Literal,
        _ => Expr::Unknown,
    }
}

/// Returns the value of either branch of a condition.
fn either(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let alternative = node.child_by_field_name("alternative");
    let alternative = alternative.and_then(|alternative| alternative.named_child(0));
    let parts = [node.child_by_field_name("consequence"), alternative];
    let parts = parts.into_iter().flatten();
    Expr::Either(parts.map(|part| expr(walk, part)).collect())
}

/// Reads a call. A wrapper of its argument counts as that argument, so that `Some(x)` has the type
/// of `x`.
fn call(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    const WRAPPING: &[&str] = &["Some", "Ok", "Box::new", "Rc::new", "Arc::new"];
    let Some(function) = node.child_by_field_name("function") else {
        return Expr::Unknown;
    };
    if !WRAPPING.contains(&walk.text(function).as_str()) {
        return Expr::Call(Box::new(expr(walk, function)));
    }
    let list = node.child_by_field_name("arguments");
    let value = list.and_then(|list| list.named_child(0));
    value.map_or(Expr::Unknown, |value| expr(walk, value))
}

/// Returns a type by the names of its path, without type arguments.
fn scoped_type(text: &str) -> TypeRef {
    let names = text
        .split("::")
        .map(|part| part.split('<').next().unwrap_or_default().trim());
    let path = names.filter(|name| !name.is_empty()).map(str::to_owned);
    TypeRef {
        path: path.collect(),
        args: Vec::new(),
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    let of = |child: Option<Node<'_>>| {
        child.map_or_else(TypeRef::default, |child| type_ref(walk, child))
    };
    let all = |children: Vec<Node<'_>>| -> Vec<TypeRef> {
        let kinds = children
            .into_iter()
            .filter(|child| child.kind() != "lifetime");
        kinds.map(|child| type_ref(walk, child)).collect()
    };
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "type_identifier" | "identifier" | "primitive_type" | "self" | "crate" | "super"
        | "metavariable" => TypeRef::named(&walk.text(node)),
        "scoped_type_identifier" | "scoped_identifier" => scoped_type(&walk.text(node)),
        "reference_type" | "pointer_type" => of(field("type")),
        "generic_type" | "generic_type_with_turbofish" => TypeRef {
            path: of(field("type")).path,
            args: all(field("type_arguments").map_or_else(Vec::new, named)),
        },
        "dynamic_type" | "abstract_type" => match of(field("trait")) {
            // `dyn Trait` may have the trait as a plain child, without the field.
            bound if bound.path.is_empty() => of(node.named_child(0)),
            bound => bound,
        },
        "bounded_type" => all(named(node)).into_iter().next().unwrap_or_default(),
        "array_type" => TypeRef::nameless("[]", vec![of(field("element"))]),
        "tuple_type" => TypeRef::nameless(",", all(named(node))),
        "unit_type" | "never_type" => TypeRef::named("()"),
        "bracketed_type" => of(node.named_child(0)),
        "qualified_type" => TypeRef {
            // In `<T as Trait>::m`, the type `T` decides, and the trait is not read.
            path: of(field("type")).path,
            args: Vec::new(),
        },
        _ => TypeRef::default(),
    }
}
