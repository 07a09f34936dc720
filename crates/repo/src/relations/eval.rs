//! Evaluates an expression to its type.

use grounds_syntax::origins::{
    Expr, Gives, LanguageFamily, MemberKind, MemberOwner, Origin, TypeKind, TypeRef,
};

use super::tree::{MemberId, RelationIndex, TypeId};
use super::types::Ty;

/// Number of nested expressions that are followed.
const DEPTH_MAX: usize = 24;

/// Where names are looked up.
#[derive(Clone, Debug)]
pub(super) struct At<'a> {
    pub(super) file: usize,
    pub(super) at: usize,
    /// The type of `this` if a method is read for a receiver; `None` at other places.
    pub(super) this: Option<&'a Ty>,
    pub(super) depth: usize,
}

impl<'a> At<'a> {
    pub(super) const fn new(file: usize, at: usize) -> Self {
        Self {
            file,
            at,
            this: None,
            depth: 0,
        }
    }

    pub(super) fn deeper(&self) -> At<'a> {
        At {
            depth: self.depth + 1,
            ..self.clone()
        }
    }
}

impl RelationIndex {
    /// Returns the type of an expression.
    pub(super) fn eval(&self, at: &At<'_>, expr: &Expr) -> Ty {
        self.bounded(at, |at| match expr {
            Expr::Name(name) => self.name(at, name),
            Expr::This => at.this.cloned().unwrap_or_else(|| self.own_at(at)),
            Expr::ThisType => self.this_type(at).map_or(Ty::Unknown, Ty::Type),
            Expr::Super => {
                let this = self.this(at.file, at.at);
                this.map_or(Ty::Unknown, |id| self.supers(id))
            }
            Expr::Member(of, name) => {
                let of = self.receiver(at, of);
                of.map(|of| self.member_of(at, of, name))
            }
            Expr::Call(callee) => {
                let callee = self.eval(at, callee);
                callee.map(|callee| self.called(at, callee))
            }
            Expr::New(of) => self.instance_at(at, of),
            Expr::Type(of) => self.type_itself(at, of),
            Expr::Literal => literal(),
            Expr::Item(of) => self.eval(at, of).map(|of| self.item(at, of)),
            Expr::Inner(of) => self.eval(at, of).map(inner),
            Expr::Entered(of) => self.eval(at, of).map(|of| self.entered(at, of)),
            Expr::Nth(of, number) => self.eval(at, of).map(|of| nth(of, *number)),
            // `x = None` in one branch and `x = Store()` in another: the literal tells nothing of
            // `x`.
            Expr::Either(all) => Ty::union(self.not_literal(at, all)),
            Expr::Unknown => Ty::Unknown,
        })
    }

    /// Returns the type of an expression on which a member is used. On the JVM a function is no
    /// value, so there it is the field of the same name.
    pub(super) fn receiver(&self, at: &At<'_>, expr: &Expr) -> Ty {
        let found = self.eval(at, expr);
        if self.files[at.file].family != LanguageFamily::Jvm {
            return found;
        }
        found.map(|ty| match ty {
            Ty::Functions(members, of) => {
                let is_value = |id: &&MemberId| self.member(**id).kind == MemberKind::Value;
                let values = members.iter().filter(is_value);
                Ty::union(values.map(|id| self.given(at, *id, of.as_deref())))
            }
            ty => ty.clone(),
        })
    }

    /// Returns the types of expressions, without those of literals.
    fn not_literal(&self, at: &At<'_>, all: &[Expr]) -> Vec<Ty> {
        let known = all.iter().map(|one| self.eval(at, one));
        known.filter(|ty| *ty != literal()).collect()
    }

    /// Returns a value of the type around a place.
    fn own_at(&self, at: &At<'_>) -> Ty {
        let this = self.this(at.file, at.at);
        this.map_or(Ty::Unknown, |id| self.own(id))
    }

    /// Returns the type around a place.
    fn this_type(&self, at: &At<'_>) -> Option<TypeId> {
        let known = at.this.and_then(Ty::id);
        known.or_else(|| self.this(at.file, at.at))
    }

    /// Evaluates one step deeper, or returns `Unknown` if a bound on depth or steps is reached.
    fn bounded(&self, at: &At<'_>, give: impl FnOnce(&At<'_>) -> Ty) -> Ty {
        let Some(_nested) = self.nest() else {
            return Ty::Unknown;
        };
        let fuel = self.fuel.get();
        if fuel == 0 || at.depth > DEPTH_MAX {
            return Ty::Unknown;
        }
        self.fuel.set(fuel - 1);
        give(&at.deeper())
    }

    /// Returns a type with its own parameters as its arguments.
    pub(super) fn own(&self, id: TypeId) -> Ty {
        let params = &self.kind(id).params;
        let args = params
            .iter()
            .map(|(name, bounds)| {
                let bounds = Ty::union(
                    bounds
                        .iter()
                        .map(|bound| self.instance(id.0, self.kind(id).at, bound)),
                );
                Ty::Param(name.clone(), Box::new(bounds))
            })
            .collect();
        Ty::Instance(id, args)
    }

    /// Returns the type whose method or body contains a byte.
    pub(super) fn this(&self, file: usize, at: usize) -> Option<TypeId> {
        let members = &self.files[file].origins.members;
        let method = members
            .iter()
            .enumerate()
            .filter(|(_, member)| {
                member.kind == MemberKind::Function
                    && matches!(member.owner, MemberOwner::Type(_) | MemberOwner::Named(..))
                    && member.item.contains(&at)
            })
            .min_by_key(|(_, member)| member.item.len());
        let around = self.files[file].type_around(file, at);
        let Some((number, method)) = method else {
            return around.or_else(|| self.impl_around(file, at));
        };
        // A class inside the method is nearer than the type that owns the method.
        let inner = around
            .filter(|(_, of)| self.files[file].origins.types[*of].item.len() < method.item.len());
        inner.or_else(|| self.owner_of.get(&(file, number)).copied())
    }

    /// Returns the type of the `impl` around a byte, by its member that is nearest to the byte.
    fn impl_around(&self, file: usize, at: usize) -> Option<TypeId> {
        let members = self.files[file].origins.members.iter().enumerate();
        let near = members
            .filter(|(_, member)| matches!(member.owner, MemberOwner::Named(..)))
            .min_by_key(|(_, member)| member.at.abs_diff(at));
        near.filter(|(_, member)| member.item.contains(&at))
            .and_then(|(number, _)| self.owner_of.get(&(file, number)).copied())
    }

    /// Returns the class whose body contains a byte outside of its functions.
    pub(super) fn class_body(&self, file: usize, at: usize) -> Option<TypeId> {
        let around = self.files[file].type_around(file, at)?;
        let item = &self.kind(around).item;
        let in_function = self.files[file].origins.members.iter().any(|member| {
            member.kind == MemberKind::Function
                && member.item.contains(&at)
                && member.item.start > item.start
        });
        (!in_function).then_some(around)
    }

    fn supers(&self, id: TypeId) -> Ty {
        let bases = self.bases.get(&id).map_or(&[][..], Vec::as_slice);
        if bases.is_empty() {
            // The last base of every class is outside of the tree.
            return Ty::External("object".to_owned(), Vec::new());
        }
        Ty::union(bases.iter().cloned())
    }

    /// Returns what a name is at a place.
    fn name(&self, at: &At<'_>, name: &str) -> Ty {
        let file = &self.files[at.file];
        let bindings = file.bindings_at(name, at.at);
        if !bindings.is_empty() {
            return Ty::union(
                bindings
                    .iter()
                    .map(|binding| self.origin(at, &binding.is, binding.at)),
            );
        }
        // A bare lower-case name is a call on `self` in Ruby, unless it is bound.
        if file.family == LanguageFamily::Ruby
            && name.starts_with(|first: char| first.is_lowercase())
        {
            return self.this(at.file, at.at).map_or(Ty::Unknown, |id| {
                self.member_of(at, &Ty::Instance(id, Vec::new()), name)
            });
        }
        // Here members are used without a receiver, those of outer classes too.
        if matches!(file.family, LanguageFamily::Jvm | LanguageFamily::CSharp)
            && let Some(found) = self.of_types_around(at, name)
        {
            return found;
        }
        self.global(at, name)
    }

    /// Returns the type of a member of the types around a place, innermost first, that is used
    /// without a receiver.
    pub(super) fn of_types_around(&self, at: &At<'_>, name: &str) -> Option<Ty> {
        let mut around = self.this(at.file, at.at);
        while let Some(id) = around {
            let found = self.find(id, name);
            if !found.members.is_empty() {
                let of = Ty::Instance(id, Vec::new());
                return Some(self.member_of(at, &of, name));
            }
            around = self.kind(id).outer.map(|outer| (id.0, outer));
        }
        None
    }

    /// Returns the type that a name is bound to. Its expression is looked up from where it is
    /// bound.
    fn origin(&self, at: &At<'_>, is: &Origin, bound_at: usize) -> Ty {
        // The name itself must not be found again: what it is bound to was written before it.
        let before = At {
            at: bound_at.saturating_sub(1),
            ..at.clone()
        };
        match is {
            Origin::Type(of) => self.instance_at(&before, of),
            Origin::Value(value) => self.eval(&before, value),
            Origin::Bounds(bounds) => {
                Ty::union(bounds.iter().map(|bound| self.instance_at(&before, bound)))
            }
            Origin::Function(number) => {
                Ty::Functions([(at.file, *number)].into_iter().collect(), None)
            }
            Origin::LocalType(number) => Ty::Type((at.file, *number)),
        }
    }

    /// Returns what a member is on a value or type.
    pub(super) fn member_of(&self, at: &At<'_>, of: &Ty, name: &str) -> Ty {
        match of {
            Ty::Instance(id, _) | Ty::Type(id) => {
                let found = self.find(*id, name);
                if found.members.is_empty() {
                    return self.not_a_member(at, *id, of, name);
                }
                self.read_members(at, of, &found.members)
            }
            Ty::File(file) => self.exported(*file, name, 0),
            Ty::Package(package) => self.of_package(at, package, name),
            Ty::Param(_, bounds) => bounds.map(|bound| match bound {
                // A bound that is itself a parameter could lead back to this one.
                Ty::Param(..) => Ty::Unknown,
                bound => self.member_of(at, bound, name),
            }),
            Ty::External(wrapper, args) => self.of_external(at, wrapper, args, name),
            Ty::Outside(path) => {
                // In `Shop.Stores.Store` the first names are found nowhere: only the whole path is.
                let path = format!("{path}.{name}");
                let written_out = self.by_written_name(at, &path);
                written_out.unwrap_or(Ty::Outside(path))
            }
            Ty::Functions(..) | Ty::Gives(_) | Ty::Union(_) | Ty::Unknown => Ty::Unknown,
        }
    }

    fn not_a_member(&self, at: &At<'_>, id: TypeId, of: &Ty, name: &str) -> Ty {
        let kind = self.kind(id);
        // A type or module in it.
        let nested = self
            .types
            .get(name)
            .into_iter()
            .flatten()
            .find(|inner| inner.0 == id.0 && self.kind(**inner).outer == Some(id.1));
        if let Some(nested) = nested {
            return Ty::Type(*nested);
        }
        if kind.kind == TypeKind::Module {
            return self
                .wildcard(&At::new(id.0, kind.item.end.saturating_sub(1)), name, 0)
                .unwrap_or(Ty::Unknown);
        }
        match name {
            // Derived and blanket methods return a value of the type itself.
            "clone" | "to_owned" | "by_ref" | "as_ref" | "as_mut" | "borrow" | "borrow_mut"
            | "copy"
                if self.files[at.file].family == LanguageFamily::Rust =>
            {
                Ty::Gives(Box::new(of.clone()))
            }
            // A derive may make these functions, so the tree has no text of them.
            "new" | "default" if self.files[at.file].family == LanguageFamily::Rust => {
                Ty::Gives(Box::new(Ty::Instance(id, Vec::new())))
            }
            _ => Ty::Unknown,
        }
    }

    /// Reads members: functions stay functions until they are called, and values have their type.
    fn read_members(&self, at: &At<'_>, of: &Ty, members: &[MemberId]) -> Ty {
        let is_value = |id: &&MemberId| self.member(**id).kind == MemberKind::Value;
        if members.iter().any(|id| !is_value(&id)) {
            let functions = members.iter().copied().collect();
            return Ty::Functions(functions, Some(Box::new(of.clone())));
        }
        Ty::union(
            members
                .iter()
                .filter(|id| self.member(**id).gives != Gives::Nothing)
                .map(|id| self.given(at, *id, Some(of))),
        )
    }

    /// Returns the type that a member gives, seen from what it is used on.
    fn given(&self, at: &At<'_>, id: MemberId, of: Option<&Ty>) -> Ty {
        let member = self.member(id);
        let inside = At {
            file: id.0,
            at: member.inside,
            // A method that a base defines to return `self` returns what it is called on.
            this: of.filter(|of| matches!(of, Ty::Instance(..))),
            depth: at.depth,
        };
        let given = match &member.gives {
            Gives::Type(of) => self.instance_at(&inside, of),
            Gives::Values(values) => {
                let values = self.not_literal(&inside, values);
                if values.is_empty() {
                    literal()
                } else {
                    Ty::union(values)
                }
            }
            Gives::Nothing => Ty::Unknown,
        };
        match of {
            // The parameters of the owner are replaced by the arguments of the receiver.
            Some(Ty::Instance(owner, args)) if !args.is_empty() => {
                let names: Vec<String> = self
                    .kind(*owner)
                    .params
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect();
                given.with(&names, args)
            }
            _ => given,
        }
    }

    /// Returns the type of what a call of a value of this type returns.
    pub(super) fn called(&self, at: &At<'_>, callee: &Ty) -> Ty {
        match callee {
            // To call a type makes a value of it.
            Ty::Type(id) => Ty::Instance(*id, Vec::new()),
            Ty::Functions(members, of) => {
                Ty::union(members.iter().map(|id| self.given(at, *id, of.as_deref())))
            }
            Ty::Gives(ty) => (**ty).clone(),
            Ty::Outside(path) => called_outside(self.files[at.file].family, path),
            // A value that is called: `__call__`, a functional interface.
            Ty::Instance(id, _) => {
                let found = self.find(*id, "__call__");
                Ty::union(found.members.iter().map(|id| self.given(at, *id, None)))
            }
            Ty::External(name, _) if name == "literal" => callee.clone(),
            _ => Ty::Unknown,
        }
    }

    fn item(&self, at: &At<'_>, of: &Ty) -> Ty {
        match of {
            Ty::External(name, args) => element(name, args),
            Ty::Instance(id, _) => {
                for name in ["[]", "__getitem__", "__iter__", "next", "Iterator"] {
                    let found = self.find(*id, name);
                    if found.members.is_empty() {
                        continue;
                    }
                    let given =
                        Ty::union(found.members.iter().map(|id| self.given(at, *id, Some(of))));
                    // `__iter__` and the like give an iterator, whose items are meant; `next` of
                    // Rust gives an `Option`.
                    return match name {
                        "__getitem__" => given,
                        "next" => inner(&given),
                        _ => given.map(|given| self.item(at, given)),
                    };
                }
                Ty::Unknown
            }
            Ty::Param(_, bounds) => match &**bounds {
                Ty::Param(..) => Ty::Unknown,
                bound => self.item(at, bound),
            },
            _ => Ty::Unknown,
        }
    }

    fn entered(&self, at: &At<'_>, of: &Ty) -> Ty {
        match of {
            Ty::Instance(id, _) => {
                for name in ["__enter__", "__aenter__"] {
                    let found = self.find(*id, name);
                    if !found.members.is_empty() {
                        let given =
                            Ty::union(found.members.iter().map(|id| self.given(at, *id, Some(of))));
                        // A type variable or `Self` means the manager itself.
                        return if matches!(given, Ty::Instance(..) | Ty::Union(_)) {
                            given
                        } else {
                            of.clone()
                        };
                    }
                }
                Ty::Unknown
            }
            Ty::External(name, args) => match name.rsplit('.').next().unwrap_or_default() {
                "Iterator"
                | "Generator"
                | "AsyncIterator"
                | "AsyncGenerator"
                | "ContextManager"
                | "AsyncContextManager"
                | "AbstractContextManager"
                | "Iterable"
                | "AbstractAsyncContextManager" => args.first().cloned().unwrap_or(Ty::Unknown),
                _ => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    /// Returns the type of a value that is written as this type.
    pub(super) fn instance(&self, file: usize, at: usize, of: &TypeRef) -> Ty {
        self.instance_at(&At::new(file, at), of)
    }

    pub(super) fn instance_at(&self, at: &At<'_>, of: &TypeRef) -> Ty {
        if of.path.is_empty() {
            return Ty::Unknown;
        }
        self.bounded(at, |at| self.instance_within(at, of))
    }

    fn instance_within(&self, at: &At<'_>, of: &TypeRef) -> Ty {
        let args = || -> Vec<Ty> {
            let args = of.args.iter();
            args.map(|arg| self.instance_at(at, arg)).collect()
        };
        // Unions, arrays and tuples have these marks in the place of a name.
        match of.last() {
            "|" => return Ty::union(args()),
            "[]" | "," => return Ty::External(of.last().to_owned(), args()),
            _ => {}
        }
        match self.type_itself(at, of) {
            Ty::Type(id) => match &self.kind(id).kind {
                TypeKind::Alias(meant) => self.meant(at, id, meant, args),
                TypeKind::Class | TypeKind::Interface | TypeKind::Module => {
                    Ty::Instance(id, args())
                }
            },
            Ty::Outside(name) => {
                let name = name.rsplit(['.', ':']).next().unwrap_or_default();
                match says_nothing(name) {
                    true => Ty::Unknown,
                    false => Ty::External(name.to_owned(), args()),
                }
            }
            // A value of a name that is a value: Python's `T = TypeVar(…)`, a class that is made.
            Ty::External(..) | Ty::Instance(..) | Ty::Functions(..) => Ty::Unknown,
            Ty::Union(parts) => Ty::union(parts.into_iter().map(|part| match part {
                Ty::Type(id) => Ty::Instance(id, args()),
                part => part,
            })),
            other => other,
        }
    }

    /// Returns what an alias means, with its parameters filled in.
    fn meant(&self, at: &At<'_>, id: TypeId, meant: &TypeRef, args: impl Fn() -> Vec<Ty>) -> Ty {
        let kind = self.kind(id);
        // An alias that names itself is of another module.
        if meant.path.as_slice() == [kind.name.clone()] {
            return Ty::External(kind.name.clone(), args());
        }
        let inside = At {
            depth: at.depth,
            ..At::new(id.0, kind.item.start)
        };
        let names: Vec<String> = kind.params.iter().map(|(name, _)| name.clone()).collect();
        self.instance_at(&inside, meant).with(&names, &args())
    }

    /// Returns the type that a path names.
    pub(super) fn type_itself(&self, at: &At<'_>, of: &TypeRef) -> Ty {
        let Some((first, rest)) = of.path.split_first() else {
            return Ty::Unknown;
        };
        if matches!(first.as_str(), "Self" | "self") && rest.is_empty() {
            return match self.this_type(at) {
                Some(id) => Ty::Type(id),
                None => Ty::Unknown,
            };
        }
        if self.files[at.file].family == LanguageFamily::Rust {
            return self.rust_path(at, &of.path);
        }
        if rest.is_empty()
            && let Some(param) = self.param(at, first)
        {
            return param;
        }
        let mut found = self.type_name(at, first);
        for (number, name) in rest.iter().enumerate() {
            // `Shop.Stores.Store`: a name in the middle may be a package, which is nothing by
            // itself.
            if let (Ty::Unknown | Ty::Outside(_), Some(meant)) =
                (&found, self.by_full_name(at, &of.path[..number + 2]))
            {
                found = meant;
                continue;
            }
            found = self.member_of(at, &found, name);
        }
        found
    }

    /// Returns a type parameter of an item around a place.
    pub(super) fn param(&self, at: &At<'_>, name: &str) -> Option<Ty> {
        let file = &self.files[at.file];
        // The parameter of a function hides that of its type.
        if let Some(binding) = file.bindings_at(name, at.at).first()
            && let Origin::Bounds(bounds) = &binding.is
        {
            let bounds = Ty::union(bounds.iter().map(|bound| self.instance_at(at, bound)));
            return Some(Ty::Param(name.to_owned(), Box::new(bounds)));
        }
        let mut around = file
            .type_around(at.file, at.at)
            .or_else(|| self.this(at.file, at.at));
        while let Some(id) = around {
            let kind = self.kind(id);
            if let Some((_, bounds)) = kind.params.iter().find(|(param, _)| param == name) {
                let bounds = Ty::union(bounds.iter().map(|bound| self.instance_at(at, bound)));
                return Some(Ty::Param(name.to_owned(), Box::new(bounds)));
            }
            around = kind.outer.map(|outer| (id.0, outer));
        }
        None
    }

    /// Returns a type by its name alone, as seen from a place.
    fn type_name(&self, at: &At<'_>, name: &str) -> Ty {
        let file = &self.files[at.file];
        for binding in file.bindings_at(name, at.at) {
            if let Origin::LocalType(number) = binding.is {
                return Ty::Type((at.file, number));
            }
        }
        let mut around = file.type_around(at.file, at.at);
        while let Some(id) = around {
            if let Some(nested) = self.nested(id, name) {
                return Ty::Type(nested);
            }
            if self.kind(id).name == name && file.family != LanguageFamily::Python {
                return Ty::Type(id);
            }
            around = self.kind(id).outer.map(|outer| (id.0, outer));
        }
        match self.global(at, name) {
            // A value of the name hides no type in the languages that keep the two apart.
            found @ (Ty::Type(_) | Ty::File(_) | Ty::Package(_) | Ty::Outside(_)) => found,
            Ty::Instance(id, _) if self.kind(id).kind == TypeKind::Module => Ty::Type(id),
            other => other,
        }
    }

    /// Returns a type inside a type, or inside one that it extends.
    fn nested(&self, id: TypeId, name: &str) -> Option<TypeId> {
        let named = self.types.get(name)?;
        let is_in = |outer: TypeId| {
            named
                .iter()
                .copied()
                .find(|inner| inner.0 == outer.0 && self.kind(*inner).outer == Some(outer.1))
        };
        let of_bases = || {
            self.bases
                .get(&id)
                .into_iter()
                .flatten()
                .filter_map(Ty::id)
                .find_map(is_in)
        };
        is_in(id).or_else(of_bases)
    }
}

/// Returns what a call of a function or type outside of the tree gives.
fn called_outside(family: LanguageFamily, path: &str) -> Ty {
    let last = path.rsplit(['.', ':']).next().unwrap_or_default();
    // By convention a name with a capital is a class, and its call makes a value of it.
    let is_type = last.starts_with(|first: char| first.is_uppercase());
    // Only builtins whose result is of no type of the tree: `next(all)` and `max(a, b)` may return
    // one that is.
    let is_plain_builtin = matches!(
        last,
        "str"
            | "int"
            | "len"
            | "bytes"
            | "float"
            | "bool"
            | "open"
            | "repr"
            | "dict"
            | "set"
            | "range"
            | "bytearray"
            | "object"
            | "hash"
            | "id"
            | "isinstance"
            | "print"
            | "format"
    );
    match family {
        LanguageFamily::Python if is_type || (is_plain_builtin && !path.contains('.')) => {
            Ty::External(last.to_owned(), Vec::new())
        }
        LanguageFamily::Script | LanguageFamily::Jvm | LanguageFamily::CSharp if is_type => {
            Ty::External(last.to_owned(), Vec::new())
        }
        _ => Ty::Unknown,
    }
}

/// Reports whether the name of a type says nothing about its values.
fn says_nothing(name: &str) -> bool {
    matches!(
        name,
        "any"
            | "Any"
            | "unknown"
            | "object"
            | "Object"
            | "dynamic"
            | "interface"
            | "Self"
            | "never"
    )
}

/// Returns the type inside a wrapper, and any other type unchanged.
fn inner(of: &Ty) -> Ty {
    match of {
        Ty::External(name, args) => match name.rsplit('.').next().unwrap_or_default() {
            "Option" | "Result" | "Promise" | "PromiseLike" | "Future" | "Awaitable"
            // The result of Python's `Coroutine[Any, Any, T]` is last, and `Any` is unknown.
            | "Coroutine" | "Poll" | "Task" | "ValueTask" | "Box" | "Pin" | "Deferred" => args
                .iter()
                .find(|arg| **arg != Ty::Unknown)
                .or(args.first())
                .cloned()
                .unwrap_or(Ty::Unknown),
            _ => of.clone(),
        },
        other => other.clone(),
    }
}

fn nth(of: &Ty, number: usize) -> Ty {
    match of {
        Ty::External(name, args) if name == "," || name == "tuple" || name == "Tuple" => {
            args.get(number).cloned().unwrap_or(Ty::Unknown)
        }
        // `value, ok := …` of a language whose functions give several results.
        other if number == 0 => other.clone(),
        _ => Ty::Unknown,
    }
}

fn element(name: &str, args: &[Ty]) -> Ty {
    match (name.rsplit('.').next().unwrap_or_default(), args) {
        // An item of a map is its value.
        (
            "dict" | "Dict" | "Mapping" | "MutableMapping" | "HashMap" | "BTreeMap" | "Map"
            | "Record" | "Dictionary" | "DefaultDict" | "OrderedDict",
            [_, value],
        ) if *value != Ty::Unknown => value.clone(),
        ("literal" | "str" | "bytes" | "string" | "String", _) => literal(),
        (_, [one]) => one.clone(),
        ("," | "tuple" | "Tuple", args) => Ty::union(args.iter().cloned()),
        ("Generator" | "AsyncGenerator", [one, ..]) => one.clone(),
        ("Vec" | "VecDeque", [one, ..]) => one.clone(),
        _ => Ty::Unknown,
    }
}

/// Returns the type of a literal: a value on which no member of the tree is asked for.
fn literal() -> Ty {
    Ty::External("literal".to_owned(), Vec::new())
}
