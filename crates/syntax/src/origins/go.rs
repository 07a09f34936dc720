//! Go.

use tree_sitter::Node;

use super::walk::{Walk, child_of, is_callee, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "package_clause" => walk.package_clause(node),
        "import_spec" => import_spec(walk, node),
        "type_spec" | "type_alias" => type_spec(walk, node),
        "function_declaration" => function(walk, node, MemberOwner::File),
        "method_declaration" => method(walk, node),
        "func_literal" => func_literal(walk, node),
        "short_var_declaration" => {
            walk.field(node, "right");
            declare(walk, node, "left");
        }
        "range_clause" => {
            walk.field(node, "right");
            range(walk, node);
        }
        "var_spec" | "const_spec" => variable(walk, node),
        "block" | "if_statement" | "for_statement" | "expression_case" | "default_case"
        | "communication_case" => walk.within_block(node, |walk| walk.children(node)),
        "type_switch_statement" => type_switch(walk, node),
        "selector_expression" => selector(walk, node),
        "qualified_type" => qualified_type(walk, node),
        // In `T{name: v}`, the key is a field of `T`.
        "keyed_element" => walk.field(node, "value"),
        "identifier" | "type_identifier" if walk.is_wanted(node) => {
            walk.site(node, None, is_callee(node, "call_expression", "function"))
        }
        _ => walk.children(node),
    }
}

fn import_spec(walk: &mut Walk<'_>, node: Node<'_>) {
    let path = walk.text_of(node, "path");
    let path = path.trim_matches(|letter| matches!(letter, '"' | '`'));
    let name = walk.text_of(node, "name");
    match name.as_str() {
        "" => {
            // The package of `example.com/tool/v5` is called `tool`.
            let last = path
                .rsplit('/')
                .find(|part| !is_version(part))
                .unwrap_or(path);
            walk.import(last, path, None);
        }
        "." => walk.import("*", path, Some("*")),
        _ => walk.import(&name, path, None),
    }
}

fn method(walk: &mut Walk<'_>, node: Node<'_>) {
    let receiver = node
        .child_by_field_name("receiver")
        .and_then(|list| list.named_child(0))
        .and_then(|param| param.child_by_field_name("type"));
    let of = receiver.map_or_else(TypeRef::default, |kind| type_ref(walk, kind));
    function(walk, node, MemberOwner::Named(of, None));
}

fn func_literal(walk: &mut Walk<'_>, node: Node<'_>) {
    walk.within_closure(node, |walk| {
        for field in ["parameters", "result"] {
            if let Some(list) = node.child_by_field_name(field) {
                parameters(walk, list);
            }
        }
        walk.field(node, "body");
    });
}

fn selector(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(operand), Some(name)) = (
        node.child_by_field_name("operand"),
        node.child_by_field_name("field"),
    ) else {
        return;
    };
    if walk.is_wanted(name) {
        let receiver = expr(walk, operand);
        walk.site(
            name,
            Some(receiver),
            is_callee(node, "call_expression", "function"),
        );
    }
    walk.visit(operand);
}

fn qualified_type(walk: &mut Walk<'_>, node: Node<'_>) {
    if let (Some(package), Some(name)) = (
        node.child_by_field_name("package"),
        node.child_by_field_name("name"),
    ) && walk.is_wanted(name)
    {
        let receiver = Expr::Name(walk.text(package));
        walk.site(name, Some(receiver), false);
    }
}

/// Reports whether a part of a module's path is a major version, as `v5`, and no package.
fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn type_spec(walk: &mut Walk<'_>, node: Node<'_>) {
    let (Some(name), Some(of)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("type"),
    ) else {
        return;
    };
    let params = params_of(walk, node);
    match of.kind() {
        "struct_type" => {
            walk.within_type(name, node, Vec::new(), TypeKind::Class, |walk| {
                walk.type_params(params);
                for field in child_of(of, &["field_declaration_list"]).map_or_else(Vec::new, named)
                {
                    struct_field(walk, field);
                }
            });
        }
        "interface_type" => {
            walk.within_type(name, node, Vec::new(), TypeKind::Interface, |walk| {
                walk.type_params(params);
                for child in named(of) {
                    interface_part(walk, child);
                }
            });
        }
        _ if node.kind() == "type_alias" => {
            let of = type_ref(walk, of);
            walk.within_type(name, node, Vec::new(), TypeKind::Alias(of), |_| {});
        }
        // A defined type has no methods of its underlying type. The member `[]` keeps that type
        // for loops over a value.
        _ => {
            let of_ref = type_ref(walk, of);
            walk.within_type(name, node, Vec::new(), TypeKind::Class, |walk| {
                walk.type_params(params);
                let owner = walk.owner();
                walk.member_named(
                    "[]",
                    of.start_byte(),
                    of,
                    owner,
                    MemberKind::Value,
                    Gives::Type(of_ref),
                );
            });
        }
    }
}

fn struct_field(walk: &mut Walk<'_>, field: Node<'_>) {
    let Some(kind) = field.child_by_field_name("type") else {
        return;
    };
    let of = type_ref(walk, kind);
    let owner = walk.owner();
    let mut cursor = field.walk();
    let names: Vec<Node<'_>> = field.children_by_field_name("name", &mut cursor).collect();
    // An embedded struct brings its members, and is a field by the name of its type.
    if names.is_empty() {
        if let Some(number) = walk.inner_type() {
            walk.add_base(number, of.clone());
        }
        let name = of.last().to_owned();
        walk.member_named(
            &name,
            kind.start_byte(),
            field,
            owner,
            MemberKind::Value,
            Gives::Type(of),
        );
        return;
    }
    for name in names {
        walk.member(
            name,
            field,
            owner.clone(),
            MemberKind::Value,
            Gives::Type(of.clone()),
        );
    }
}

fn interface_part(walk: &mut Walk<'_>, part: Node<'_>) {
    let owner = walk.owner();
    match part.kind() {
        "method_elem" | "method_spec" => {
            if let Some(name) = part.child_by_field_name("name") {
                let gives = result(walk, part);
                let member = walk.member(name, part, owner, MemberKind::Function, gives);
                let shape = shape(walk, part);
                walk.shape(member, shape);
            }
        }
        // An embedded interface brings its methods, as a base does.
        "type_elem" => {
            if let (Some(number), Some(base)) = (walk.inner_type(), part.named_child(0)) {
                let base = type_ref(walk, base);
                walk.add_base(number, base);
            }
        }
        _ => {}
    }
}

fn params_of(walk: &Walk<'_>, node: Node<'_>) -> Vec<(String, Vec<TypeRef>)> {
    let list = node
        .child_by_field_name("type_parameters")
        .map_or_else(Vec::new, named);
    list.into_iter()
        .map(|param| {
            let bound = param
                .child_by_field_name("type")
                .and_then(|bound| bound.named_child(0));
            let bounds = bound
                .map(|bound| type_ref(walk, bound))
                .into_iter()
                .collect();
            (walk.text_of(param, "name"), bounds)
        })
        .collect()
}

fn result(walk: &Walk<'_>, node: Node<'_>) -> Gives {
    match node.child_by_field_name("result") {
        Some(list) if list.kind() == "parameter_list" => {
            let mut args = Vec::new();
            for param in named(list) {
                if let Some(kind) = param.child_by_field_name("type") {
                    let mut cursor = param.walk();
                    let names = param.children_by_field_name("name", &mut cursor).count();
                    // `(a, b int)` are two results of one type.
                    args.extend(std::iter::repeat_n(type_ref(walk, kind), names.max(1)));
                }
            }
            Gives::Type(TypeRef::nameless(",", args))
        }
        Some(kind) => Gives::Type(type_ref(walk, kind)),
        // A function without a result gives nothing that has members.
        None => Gives::Type(TypeRef::named("()")),
    }
}

/// Returns the types of parameters and results without names and packages, so that methods can be
/// compared with those of an interface.
fn shape(walk: &Walk<'_>, node: Node<'_>) -> String {
    let of = |field: &str| match node.child_by_field_name(field) {
        Some(list) if list.kind() == "parameter_list" => types(walk, list),
        Some(kind) => bare(&type_text(walk, kind)),
        None => String::new(),
    };
    format!("({}) ({})", of("parameters"), of("result"))
}

/// Returns the types of a list of parameters or results, separated by commas.
fn types(walk: &Walk<'_>, list: Node<'_>) -> String {
    let mut types = Vec::new();
    for param in named(list) {
        let Some(kind) = param.child_by_field_name("type") else {
            continue;
        };
        let mut cursor = param.walk();
        // `(a, b int)` are two parameters of one type.
        let names = param.children_by_field_name("name", &mut cursor).count();
        let dots = if param.kind().starts_with("variadic") {
            "..."
        } else {
            ""
        };
        let text = format!("{dots}{}", bare(&type_text(walk, kind)));
        types.extend(std::iter::repeat_n(text, names.max(1)));
    }
    types.join(",")
}

/// Returns the text of a type. The names of parameters in it are no part of it: `func(a int)` and
/// `func(int)` are the same type.
fn type_text(walk: &Walk<'_>, node: Node<'_>) -> String {
    let children = named(node);
    let is_only_result = |child: &Node<'_>| {
        node.child_by_field_name("result") == Some(*child) && !types(walk, *child).contains(',')
    };
    let mut text = String::new();
    let mut from = node.start_byte();
    for child in children {
        text.push_str(&text_in(walk, from..child.start_byte()));
        from = child.end_byte();
        match child.kind() {
            // `func() (err error)` has the type of `func() error`.
            "parameter_list" if is_only_result(&child) => text.push_str(&types(walk, child)),
            "parameter_list" => text.push_str(&format!("({})", types(walk, child))),
            _ => text.push_str(&type_text(walk, child)),
        }
    }
    text.push_str(&text_in(walk, from..node.end_byte()));
    text
}

fn text_in(walk: &Walk<'_>, range: std::ops::Range<usize>) -> String {
    String::from_utf8_lossy(walk.source().get(range).unwrap_or_default()).into_owned()
}

/// Returns a type without the packages of its names, and `interface{}` as `any`.
fn bare(text: &str) -> String {
    let text: String = text.split_whitespace().collect();
    let text = text.replace("interface{}", "any");
    let mut bare = String::new();
    let mut word = String::new();
    for letter in text.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
        } else if letter == '.' && !word.is_empty() {
            word.clear();
        } else {
            bare.push_str(&std::mem::take(&mut word));
            bare.push(letter);
        }
    }
    bare + &word
}

fn function(walk: &mut Walk<'_>, node: Node<'_>, owner: MemberOwner) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let gives = result(walk, node);
    let member = walk.member(name, node, owner, MemberKind::Function, gives);
    let shape = shape(walk, node);
    walk.shape(member, shape);
    // Names are looked up at the end of the function, where all that it binds is known.
    walk.look_up_at(member, node.end_byte().saturating_sub(1));
    walk.within_function(member, node, |walk| {
        let params = params_of(walk, node);
        walk.bind_bounds(params, node);
        for field in ["receiver", "parameters", "result"] {
            if let Some(list) = node
                .child_by_field_name(field)
                .filter(|list| list.kind() == "parameter_list")
            {
                parameters(walk, list);
            }
        }
        walk.field(node, "body");
    });
}

fn parameters(walk: &mut Walk<'_>, list: Node<'_>) {
    for param in named(list) {
        let Some(kind) = param.child_by_field_name("type") else {
            continue;
        };
        let of = type_ref(walk, kind);
        // Inside of the function, `...T` is a slice.
        let of = if param.kind().starts_with("variadic") {
            TypeRef::nameless("[]", vec![of])
        } else {
            of
        };
        let mut cursor = param.walk();
        for name in param.children_by_field_name("name", &mut cursor) {
            walk.bind(name, Origin::Type(of.clone()));
        }
        walk.visit(kind);
    }
}

/// Binds the names of `a, b := f()`, each to its result.
fn declare(walk: &mut Walk<'_>, node: Node<'_>, field: &str) {
    let names = node.child_by_field_name(field).map_or_else(Vec::new, named);
    let values = node
        .child_by_field_name("right")
        .or_else(|| node.child_by_field_name("value"))
        .map_or_else(Vec::new, named);
    for (number, name) in names.iter().enumerate() {
        let value = match values.as_slice() {
            // One call gives all names; several values give one each.
            [one] if names.len() > 1 => Expr::Nth(Box::new(expr(walk, *one)), number),
            values => values
                .get(number)
                .map_or(Expr::Unknown, |value| expr(walk, *value)),
        };
        walk.bind_in_block(*name, Origin::Value(value));
    }
}

fn range(walk: &mut Walk<'_>, node: Node<'_>) {
    let names = node
        .child_by_field_name("left")
        .map_or_else(Vec::new, named);
    let value = node
        .child_by_field_name("right")
        .map_or(Expr::Unknown, |value| expr(walk, value));
    for (number, name) in names.into_iter().enumerate() {
        // The first name of a range is an index or a key, the second one an item.
        let is = if number == 1 {
            Expr::Item(Box::new(value.clone()))
        } else {
            Expr::Unknown
        };
        walk.bind_in_block(name, Origin::Value(is));
    }
}

fn variable(walk: &mut Walk<'_>, node: Node<'_>) {
    let kind = node.child_by_field_name("type");
    let values = node
        .child_by_field_name("value")
        .map_or_else(Vec::new, named);
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> = node.children_by_field_name("name", &mut cursor).collect();
    for (number, name) in names.iter().enumerate() {
        let is = match (kind, values.as_slice()) {
            (Some(kind), _) => Origin::Type(type_ref(walk, kind)),
            // `var a, b = f()` has one call with a result for each name.
            (None, [one]) if names.len() > 1 => {
                Origin::Value(Expr::Nth(Box::new(expr(walk, *one)), number))
            }
            (None, values) => Origin::Value(
                values
                    .get(number)
                    .map_or(Expr::Unknown, |value| expr(walk, *value)),
            ),
        };
        if walk.in_function() {
            walk.bind_in_block(*name, is);
        } else {
            let gives = match is {
                Origin::Type(kind) => Gives::Type(kind),
                Origin::Value(value) => Gives::Values(vec![value]),
                Origin::Bounds(_) | Origin::Function(_) | Origin::LocalType(_) => Gives::Nothing,
            };
            walk.member(*name, node, MemberOwner::File, MemberKind::Value, gives);
        }
    }
    values.into_iter().for_each(|value| walk.visit(value));
}

/// Reads `switch x := v.(type)`, where `x` has the type of each case.
fn type_switch(walk: &mut Walk<'_>, node: Node<'_>) {
    let alias = node
        .child_by_field_name("alias")
        .and_then(|alias| alias.named_child(0))
        .map(|name| walk.text(name));
    walk.field(node, "value");
    for case in named(node)
        .into_iter()
        .filter(|child| matches!(child.kind(), "type_case" | "default_case"))
    {
        if let Some(alias) = &alias {
            let mut cursor = case.walk();
            let kinds: Vec<TypeRef> = case
                .children_by_field_name("type", &mut cursor)
                .filter(|kind| kind.is_named())
                .map(|kind| type_ref(walk, kind))
                .collect();
            // In a case of several types, `x` keeps the type of the interface.
            let is = match kinds.as_slice() {
                [one] => Origin::Type(one.clone()),
                _ => Origin::Value(Expr::Unknown),
            };
            let range = case.byte_range();
            walk.bind_in(alias, range.start, range.clone(), range, is);
        }
        walk.within_block(case, |walk| walk.children(case));
    }
}

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    let inner = |field: &str| {
        node.child_by_field_name(field)
            .map_or(Expr::Unknown, |child| expr(walk, child))
    };
    let of = |field: &str| {
        node.child_by_field_name(field)
            .map_or(Expr::Unknown, |kind| Expr::New(type_ref(walk, kind)))
    };
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "selector_expression" => {
            Expr::Member(Box::new(inner("operand")), walk.text_of(node, "field"))
        }
        "call_expression" => {
            let function = walk.text_of(node, "function");
            let argument = node
                .child_by_field_name("arguments")
                .and_then(|list| list.named_child(0));
            match (function.as_str(), argument) {
                // `new(T)` and `make(T)` have a type as their argument.
                ("new" | "make", Some(kind)) => Expr::New(type_ref(walk, kind)),
                ("append", Some(list)) => expr(walk, list),
                ("len" | "cap" | "string", _) => Expr::Literal,
                _ => Expr::Call(Box::new(inner("function"))),
            }
        }
        "composite_literal" | "type_conversion_expression" | "type_assertion_expression" => {
            of("type")
        }
        "unary_expression" => inner("operand"),
        "parenthesized_expression" | "expression_list" => node
            .named_child(0)
            .map_or(Expr::Unknown, |child| expr(walk, child)),
        "index_expression" => Expr::Item(Box::new(inner("operand"))),
        "slice_expression" => inner("operand"),
        "interpreted_string_literal"
        | "raw_string_literal"
        | "int_literal"
        | "float_literal"
        | "rune_literal"
        | "true"
        | "false"
        | "nil"
        | "binary_expression" => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    let of = |field: &str| {
        node.child_by_field_name(field)
            .map_or_else(TypeRef::default, |child| type_ref(walk, child))
    };
    let list = |args: Vec<TypeRef>| TypeRef::nameless("[]", args);
    match node.kind() {
        "type_identifier" | "identifier" => TypeRef::named(&walk.text(node)),
        "qualified_type" | "selector_expression" => TypeRef {
            path: walk.text(node).split('.').map(str::to_owned).collect(),
            args: Vec::new(),
        },
        "pointer_type" | "parenthesized_type" | "unary_expression" => node
            .named_child(0)
            .map_or_else(TypeRef::default, |child| type_ref(walk, child)),
        "generic_type" => {
            let args = node
                .child_by_field_name("type_arguments")
                .map_or_else(Vec::new, named);
            TypeRef {
                path: of("type").path,
                args: args
                    .into_iter()
                    .map(|arg| type_ref(walk, arg.named_child(0).unwrap_or(arg)))
                    .collect(),
            }
        }
        "slice_type" | "array_type" | "implicit_length_array_type" => list(vec![of("element")]),
        // A loop over a map and an index into it both give its values.
        "map_type" => list(vec![of("value")]),
        "channel_type" => list(vec![of("value")]),
        "type_elem" => node
            .named_child(0)
            .map_or_else(TypeRef::default, |child| type_ref(walk, child)),
        "function_type" | "interface_type" | "struct_type" => TypeRef::default(),
        _ => TypeRef::default(),
    }
}
