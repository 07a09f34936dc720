//! The walk over one tree that the languages share: it knows what encloses a node, and keeps what
//! is found.

use std::ops::Range;

use tree_sitter::Node;

use super::{
    Binding, Expr, Gives, Import, MemberKind, MemberOwner, NameUse, Origin, Origins, OwnedMember,
    Type, TypeKind, TypeRef,
};

/// Greatest depth of nodes that are visited; deeper ones are left out, and the result says so.
const DEPTH_MAX: usize = 300;
/// Most values that one function is seen to return.
const RETURNS_MAX: usize = 8;

pub(super) type Visit = fn(&mut Walk<'_>, Node<'_>);

/// The state of a walk.
pub(super) struct Walk<'s> {
    source: &'s [u8],
    wanted: &'s [&'s str],
    visit: Visit,
    depth: usize,
    origins: Origins,
    /// The owners of the members around the node, innermost last, each with the number of functions
    /// around it.
    owners: Vec<(MemberOwner, usize)>,
    /// The functions around the node: their numbers and their bytes.
    functions: Vec<(usize, Range<usize>)>,
    /// The blocks around the node.
    blocks: Vec<Range<usize>>,
    /// Whether the node is inside the arguments of a macro.
    in_macro: bool,
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: &'s [u8], wanted: &'s [&'s str], visit: Visit) -> Self {
        Self {
            source,
            wanted,
            visit,
            depth: 0,
            origins: Origins::default(),
            owners: Vec::new(),
            functions: Vec::new(),
            blocks: std::iter::once(0..source.len()).collect(),
            in_macro: false,
        }
    }

    pub(super) fn finish(self) -> Origins {
        self.origins
    }

    pub(super) fn source(&self) -> &'s [u8] {
        self.source
    }

    /// Reports whether a text holds a wanted name at all.
    pub(super) fn holds_wanted(&self, range: Range<usize>) -> bool {
        let text = self.source.get(range).unwrap_or_default();
        self.wanted
            .iter()
            .any(|name| memchr::memmem::find(text, name.as_bytes()).is_some())
    }

    /// Visits one node, unless it is too deep.
    pub(super) fn visit(&mut self, node: Node<'_>) {
        if self.depth >= DEPTH_MAX {
            self.origins.is_partial = true;
            return;
        }
        self.depth += 1;
        (self.visit)(self, node);
        self.depth -= 1;
    }

    /// Visits a node inside the arguments of a macro.
    pub(super) fn visit_in_macro(&mut self, node: Node<'_>) {
        let before = std::mem::replace(&mut self.in_macro, true);
        self.visit(node);
        self.in_macro = before;
    }

    /// Visits the named children of a node.
    pub(super) fn children(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.visit(child);
        }
    }

    /// Visits a field of a node, if it has the field.
    pub(super) fn field(&mut self, node: Node<'_>, field: &str) {
        if let Some(child) = node.child_by_field_name(field) {
            self.visit(child);
        }
    }

    /// Returns the text of a node.
    pub(super) fn text(&self, node: Node<'_>) -> String {
        let text = self.source.get(node.byte_range()).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    /// Returns the text of a field; empty if the node has no such field.
    pub(super) fn text_of(&self, node: Node<'_>, field: &str) -> String {
        node.child_by_field_name(field)
            .map_or_else(String::new, |child| self.text(child))
    }

    pub(super) fn set_package(&mut self, package: String) {
        self.origins.package = package;
    }

    /// Reads a clause that names the package of the file.
    pub(super) fn package_clause(&mut self, node: Node<'_>) {
        if let Some(name) = node.named_child(0) {
            self.set_package(self.text(name));
        }
    }

    /// Reads an argument, in which a name before the value is that of a parameter: `name = value`.
    pub(super) fn argument(&mut self, node: Node<'_>) {
        if let Some(value) = named(node).pop() {
            self.visit(value);
        }
    }

    /// Reads a statement that returns a value, as the language reads expressions.
    pub(super) fn return_statement(&mut self, node: Node<'_>, expr: fn(&Self, Node<'_>) -> Expr) {
        if let Some(value) = node.named_child(0) {
            let value = expr(self, value);
            self.returns(value);
        }
        self.children(node);
    }

    pub(super) fn package(&self) -> &str {
        &self.origins.package
    }

    /// Returns the bytes in which a name of the innermost function can be seen.
    pub(super) fn scope(&self) -> Range<usize> {
        self.functions
            .last()
            .map_or(0..self.source.len(), |(_, range)| range.clone())
    }

    /// Returns the bytes of the innermost block.
    pub(super) fn block(&self) -> Range<usize> {
        self.blocks.last().cloned().unwrap_or(0..self.source.len())
    }

    pub(super) fn in_function(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Reports whether the node is directly in a type or an `impl`, and in no function of it.
    pub(super) fn directly_in_type(&self) -> bool {
        self.owners
            .last()
            .is_some_and(|(_, functions)| *functions == self.functions.len())
    }

    /// Returns the innermost type.
    pub(super) fn inner_type(&self) -> Option<usize> {
        self.owners.iter().rev().find_map(|(owner, _)| match owner {
            MemberOwner::Type(number) => Some(*number),
            MemberOwner::File | MemberOwner::Named(..) | MemberOwner::Local => None,
        })
    }

    /// Returns the owner of a name that is introduced here.
    pub(super) fn owner(&self) -> MemberOwner {
        match self.owners.last() {
            Some((owner, _)) if self.directly_in_type() => owner.clone(),
            _ if self.in_function() => MemberOwner::Local,
            _ => MemberOwner::File,
        }
    }

    /// Records an import.
    pub(super) fn import(&mut self, local: &str, module: &str, name: Option<&str>) {
        let import = Import {
            local: local.to_owned(),
            module: module.to_owned(),
            name: name.map(str::to_owned),
            // An import in a function is visible only there.
            scope: self.scope(),
            is_export_only: false,
        };
        self.origins.imports.push(import);
    }

    /// Records a name that is exported without being visible in this file.
    pub(super) fn export(&mut self, outward: &str, module: &str, name: Option<&str>) {
        self.import(outward, module, name);
        if let Some(import) = self.origins.imports.last_mut() {
            import.is_export_only = true;
        }
    }

    /// Records a type; the nodes that `inside` visits belong to it.
    pub(super) fn within_type(
        &mut self,
        name: Node<'_>,
        item: Node<'_>,
        bases: Vec<TypeRef>,
        kind: TypeKind,
        inside: impl FnOnce(&mut Self),
    ) -> usize {
        let name_text = self.text(name);
        self.within_type_named(&name_text, name.start_byte(), item, bases, kind, inside)
    }

    /// Does the same for a name that is not a node's text.
    pub(super) fn within_type_named(
        &mut self,
        name: &str,
        at: usize,
        item: Node<'_>,
        bases: Vec<TypeRef>,
        kind: TypeKind,
        inside: impl FnOnce(&mut Self),
    ) -> usize {
        let number = self.origins.types.len();
        let outer = self.inner_type();
        self.origins.types.push(Type {
            name: name.to_owned(),
            at,
            item: item.byte_range(),
            outer,
            bases,
            params: Vec::new(),
            kind,
        });
        // A type inside of a function is visible like a local name.
        if self.in_function() {
            self.bind_at(name, at, Origin::LocalType(number));
        }
        self.within_owner(MemberOwner::Type(number), item, inside);
        number
    }

    /// Sets the type parameters of the innermost type.
    pub(super) fn type_params(&mut self, params: Vec<(String, Vec<TypeRef>)>) {
        if let Some(inner) = self.inner_type() {
            self.origins.types[inner].params = params;
        }
    }

    pub(super) fn add_base(&mut self, number: usize, base: TypeRef) {
        self.origins.types[number].bases.push(base);
    }

    /// Makes the nodes that `inside` visits belong to `owner`.
    pub(super) fn within_owner(
        &mut self,
        owner: MemberOwner,
        item: Node<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.owners.push((owner, self.functions.len()));
        self.blocks.push(item.byte_range());
        inside(self);
        self.blocks.pop();
        self.owners.pop();
    }

    /// Records `impl Trait for Type` at a place.
    pub(super) fn implements(&mut self, of: TypeRef, base: TypeRef, at: usize) {
        self.origins.impls.push((of, base, at));
    }

    /// Records a member and returns its number.
    pub(super) fn member(
        &mut self,
        name: Node<'_>,
        item: Node<'_>,
        owner: MemberOwner,
        kind: MemberKind,
        gives: Gives,
    ) -> usize {
        let text = self.text(name);
        self.member_named(&text, name.start_byte(), item, owner, kind, gives)
    }

    /// Does the same for a name that is not a node's text.
    pub(super) fn member_named(
        &mut self,
        name: &str,
        at: usize,
        item: Node<'_>,
        owner: MemberOwner,
        kind: MemberKind,
        gives: Gives,
    ) -> usize {
        let number = self.origins.members.len();
        self.origins.members.push(OwnedMember {
            name: name.to_owned(),
            at,
            item: item.byte_range(),
            owner,
            kind,
            gives,
            inside: at,
            shape: String::new(),
        });
        number
    }

    /// Records the shape of parameters and results of a member.
    pub(super) fn shape(&mut self, member: usize, shape: String) {
        self.origins.members[member].shape = shape;
    }

    /// Makes the nodes that `inside` visits belong to the function with this number.
    pub(super) fn within_function(
        &mut self,
        member: usize,
        item: Node<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        if self.origins.members[member].owner == MemberOwner::Local {
            let (name, at) = {
                let local = &self.origins.members[member];
                (local.name.clone(), local.at)
            };
            self.bind_at(&name, at, Origin::Function(member));
        }
        self.functions.push((member, item.byte_range()));
        self.blocks.push(item.byte_range());
        inside(self);
        self.blocks.pop();
        self.functions.pop();
    }

    /// Records a function of its owner; its type parameters are known in what `inside` visits.
    pub(super) fn function(
        &mut self,
        name: Node<'_>,
        item: Node<'_>,
        gives: Gives,
        params: Vec<(String, Vec<TypeRef>)>,
        inside: impl FnOnce(&mut Self),
    ) {
        let owner = self.owner();
        let member = self.member(name, item, owner, MemberKind::Function, gives);
        // Names in what it returns are looked up at its end, where all its bindings were passed.
        self.look_up_at(member, item.end_byte().saturating_sub(1));
        self.within_function(member, item, |walk| {
            walk.bind_bounds(params, item);
            inside(walk);
        });
    }

    /// Binds type parameters throughout an item.
    pub(super) fn bind_bounds(&mut self, params: Vec<(String, Vec<TypeRef>)>, item: Node<'_>) {
        for (name, bounds) in params {
            self.bind_at(&name, item.start_byte(), Origin::Bounds(bounds));
        }
    }

    /// Makes the nodes that `inside` visits belong to a function without a name.
    pub(super) fn within_closure(&mut self, item: Node<'_>, inside: impl FnOnce(&mut Self)) {
        // No member has this number, so its returns are recorded nowhere.
        self.functions.push((usize::MAX, item.byte_range()));
        self.blocks.push(item.byte_range());
        inside(self);
        self.blocks.pop();
        self.functions.pop();
    }

    /// Makes the nodes that `inside` visits belong to a block.
    pub(super) fn within_block(&mut self, item: Node<'_>, inside: impl FnOnce(&mut Self)) {
        self.blocks.push(item.byte_range());
        inside(self);
        self.blocks.pop();
    }

    /// Records a value that the innermost function returns.
    pub(super) fn returns(&mut self, value: Expr) {
        let Some(&(number, _)) = self.functions.last() else {
            return;
        };
        let Some(member) = self.origins.members.get_mut(number) else {
            return;
        };
        match &mut member.gives {
            Gives::Values(known) if known.len() < RETURNS_MAX => known.push(value),
            // An annotation says more than a value, and a few values are enough.
            Gives::Values(_) | Gives::Type(_) => {}
            Gives::Nothing => member.gives = Gives::Values(vec![value]),
        }
    }

    /// Sets the place at which the names of a member's value are looked up.
    pub(super) fn look_up_at(&mut self, member: usize, inside: usize) {
        self.origins.members[member].inside = inside;
    }

    /// Binds a name that is visible in the whole function.
    pub(super) fn bind(&mut self, name: Node<'_>, is: Origin) {
        let text = self.text(name);
        self.bind_at(&text, name.start_byte(), is);
    }

    pub(super) fn bind_at(&mut self, name: &str, at: usize, is: Origin) {
        let (scope, block) = (self.scope(), self.block());
        self.bind_in(name, at, scope, block, is);
    }

    /// Binds a name that is visible in its block only.
    pub(super) fn bind_in_block(&mut self, name: Node<'_>, is: Origin) {
        let (text, block) = (self.text(name), self.block());
        self.bind_in(&text, name.start_byte(), block.clone(), block, is);
    }

    pub(super) fn bind_in(
        &mut self,
        name: &str,
        at: usize,
        scope: Range<usize>,
        block: Range<usize>,
        is: Origin,
    ) {
        self.origins.bindings.push(Binding {
            name: name.to_owned(),
            scope,
            block,
            at,
            is,
        });
    }

    /// Records the use of a name, if it is wanted.
    pub(super) fn site(&mut self, name: Node<'_>, receiver: Option<Expr>, is_call: bool) {
        let text = self.text(name);
        self.site_named(&text, name.start_byte(), receiver, is_call);
    }

    /// Does the same for a node that has more than the name.
    pub(super) fn site_named(
        &mut self,
        name: &str,
        at: usize,
        receiver: Option<Expr>,
        is_call: bool,
    ) {
        if self.wanted.contains(&name) {
            self.origins.sites.push(NameUse {
                at,
                name: name.to_owned(),
                receiver,
                is_call,
                in_macro: self.in_macro,
            });
        }
    }

    /// Reports whether a name is wanted.
    pub(super) fn is_wanted(&self, node: Node<'_>) -> bool {
        let text = self.source.get(node.byte_range()).unwrap_or_default();
        self.wanted.iter().any(|name| name.as_bytes() == text)
    }
}

/// Reports whether a node is the callee of a call: its parent's field of that name.
pub(super) fn is_callee(node: Node<'_>, call: &str, field: &str) -> bool {
    node.parent().is_some_and(|parent| {
        parent.kind() == call
            && parent
                .child_by_field_name(field)
                .is_some_and(|callee| callee.id() == node.id())
    })
}

/// Returns the named children of a node.
pub(super) fn named<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    // Comments can be anywhere, and are no part of a list.
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .collect()
}

/// Returns the first named child of a kind.
pub(super) fn child_of<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    named(node)
        .into_iter()
        .find(|child| kinds.contains(&child.kind()))
}

/// Reports whether a node has a direct child of this kind, named or not.
pub(super) fn has_child(node: Node<'_>, kind: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == kind)
}
