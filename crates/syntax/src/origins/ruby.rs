//! Ruby: classes, modules, `self`, constants and `X.new`. A local name has the type of the value
//! that is assigned to it.

use tree_sitter::Node;

use super::walk::{Walk, named};
use super::{Expr, Gives, MemberKind, MemberOwner, Origin, TypeKind, TypeRef};

pub(super) fn visit(walk: &mut Walk<'_>, node: Node<'_>) {
    match node.kind() {
        "class" | "module" => class(walk, node),
        "method" | "singleton_method" => method(walk, node),
        "assignment" => assignment(walk, node),
        "block" | "do_block" | "lambda" => walk.within_closure(node, |walk| {
            let params = node.child_by_field_name("parameters");
            for param in params.map_or_else(Vec::new, named) {
                if param.kind() == "identifier" {
                    walk.bind(param, Origin::Value(Expr::Unknown));
                }
            }
            walk.field(node, "body");
        }),
        "call" => {
            let receiver = node.child_by_field_name("receiver");
            let name = node.child_by_field_name("method");
            if let Some(name) = name.filter(|name| walk.is_wanted(*name)) {
                let receiver = receiver.map(|receiver| expr(walk, receiver));
                walk.site(name, receiver, true);
            }
            includes(walk, node);
            if let Some(receiver) = receiver {
                walk.visit(receiver);
            }
            walk.field(node, "arguments");
            walk.field(node, "block");
        }
        "pair" => walk.field(node, "value"),
        // A name alone may be a call, as Ruby needs no parentheses.
        "identifier" | "constant" if walk.is_wanted(node) => walk.site(node, None, true),
        _ => walk.children(node),
    }
}

fn assignment(walk: &mut Walk<'_>, node: Node<'_>) {
    let left = node.child_by_field_name("left");
    let (Some(left), Some(right)) = (left, node.child_by_field_name("right")) else {
        return;
    };
    let value = expr(walk, right);
    let owner = match left.kind() {
        "constant" => Some(walk.owner()),
        // An instance variable is a field of the class, wherever it is assigned.
        "instance_variable" => walk.inner_type().map(MemberOwner::Type),
        "identifier" => {
            walk.bind(left, Origin::Value(value.clone()));
            None
        }
        _ => {
            walk.visit(left);
            None
        }
    };
    if let Some(owner) = owner {
        walk.member(
            left,
            node,
            owner,
            MemberKind::Value,
            Gives::Values(vec![value]),
        );
    }
    walk.visit(right);
}

/// Records `include M`, which makes the members of a module those of the class.
fn includes(walk: &mut Walk<'_>, node: Node<'_>) {
    let word = walk.text_of(node, "method");
    let is_mixin = matches!(word.as_str(), "include" | "extend" | "prepend")
        && node.child_by_field_name("receiver").is_none();
    if let Some(number) = walk.inner_type().filter(|_| is_mixin) {
        for base in node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, named)
        {
            let base = type_ref(walk, base);
            walk.add_base(number, base);
        }
    }
}

fn class(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    // `class A::B` introduces the last name of its path.
    let last = name.child_by_field_name("name").unwrap_or(name);
    let bases = node
        .child_by_field_name("superclass")
        .and_then(|superclass| superclass.named_child(0))
        .map(|base| type_ref(walk, base))
        .into_iter()
        .collect();
    let kind = if node.kind() == "module" {
        TypeKind::Module
    } else {
        TypeKind::Class
    };
    walk.within_type(last, node, bases, kind, |walk| walk.field(node, "body"));
}

fn method(walk: &mut Walk<'_>, node: Node<'_>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let owner = walk.owner();
    let member = walk.member(name, node, owner, MemberKind::Function, Gives::Nothing);
    walk.look_up_at(member, node.end_byte().saturating_sub(1));
    walk.within_function(member, node, |walk| {
        for param in node
            .child_by_field_name("parameters")
            .map_or_else(Vec::new, named)
        {
            let name = param.child_by_field_name("name").unwrap_or(param);
            walk.bind(name, Origin::Value(Expr::Unknown));
            walk.field(param, "value");
        }
        walk.field(node, "body");
    });
}

fn expr(walk: &Walk<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "identifier" => Expr::Name(walk.text(node)),
        "instance_variable" => Expr::Member(Box::new(Expr::This), walk.text(node)),
        "constant" | "scope_resolution" => Expr::Type(type_ref(walk, node)),
        "self" => Expr::This,
        "call" => {
            let name = walk.text_of(node, "method");
            match node.child_by_field_name("receiver") {
                // Only `new` on a constant tells the type of the object.
                Some(receiver) if name == "new" => match expr(walk, receiver) {
                    Expr::Type(of) => Expr::New(of),
                    _ => Expr::Unknown,
                },
                Some(receiver) => {
                    Expr::Call(Box::new(Expr::Member(Box::new(expr(walk, receiver)), name)))
                }
                None => Expr::Call(Box::new(Expr::Name(name))),
            }
        }
        // The tree may open the classes of literals and add to them.
        "string" => Expr::New(TypeRef::named("String")),
        "integer" => Expr::New(TypeRef::named("Integer")),
        "float" => Expr::New(TypeRef::named("Float")),
        "array" | "string_array" | "symbol_array" => Expr::New(TypeRef::named("Array")),
        "hash" => Expr::New(TypeRef::named("Hash")),
        "simple_symbol" => Expr::New(TypeRef::named("Symbol")),
        "regex" => Expr::New(TypeRef::named("Regexp")),
        "true" | "false" | "nil" => Expr::Literal,
        _ => Expr::Unknown,
    }
}

fn type_ref(walk: &Walk<'_>, node: Node<'_>) -> TypeRef {
    match node.kind() {
        "constant" | "scope_resolution" => TypeRef {
            path: walk
                .text(node)
                .split("::")
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect(),
            args: Vec::new(),
        },
        _ => TypeRef::default(),
    }
}
