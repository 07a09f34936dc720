//! The origin of each name of one file: its types with their members and bases, its imports, and
//! what each local name is bound to; and the receiver of every use of a wanted name.
//!
//! Pure over one file: the meaning of a name in another file is decided by the caller, who has all
//! files.

mod csharp;
mod go;
mod java;
mod kotlin;
mod python;
mod ruby;
mod rust;
mod typescript;
mod walk;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::parse::Parse;

/// A type as it is written: its path and its type arguments.
///
/// A path of one sign means a type without a name: `|` a union, `[]` a list, `,` a tuple.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TypeRef {
    /// The names, outermost first.
    pub path: Vec<String>,
    /// The type arguments, alternatives or elements.
    pub args: Vec<TypeRef>,
}

/// An expression, as far as it tells its type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// A name.
    Name(String),
    /// The instance whose method this is.
    This,
    /// The type whose method this is.
    ThisType,
    /// The bases of the enclosing type.
    Super,
    /// A member of a value, a type or a module.
    Member(Box<Expr>, String),
    /// The result of a call.
    Call(Box<Expr>),
    /// A value of a type that is written at that place.
    New(TypeRef),
    /// The type itself: `Vec<T>` in `Vec::<T>::new`.
    Type(TypeRef),
    /// A literal of the language: never a type of the tree.
    Literal,
    /// An element of a list or map, or a turn of a loop over it.
    Item(Box<Expr>),
    /// The inside of a wrapper: `?`, `await`, `Some(x)`.
    Inner(Box<Expr>),
    /// The value that entering a context gives.
    Entered(Box<Expr>),
    /// One of several results, by its number.
    Nth(Box<Expr>, usize),
    /// One of several values.
    Either(Vec<Expr>),
    /// Anything else.
    Unknown,
}

/// One imported name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The name in this file; `*` for everything.
    pub local: String,
    /// The module, as it is written.
    pub module: String,
    /// The name in the module, or `None` for the module itself.
    pub name: Option<String>,
    /// The bytes in which the import is visible.
    pub scope: Range<usize>,
    /// Whether it is only exported again, without a name in this file.
    pub is_export_only: bool,
}

/// The kind of a type, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeKind {
    /// A class, struct, enum or object.
    Class,
    /// An interface, trait or protocol.
    Interface,
    /// A module or namespace: it has members and no instances.
    Module,
    /// Another name for a type.
    Alias(TypeRef),
}

/// A type that the file introduces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// The first byte of its name.
    pub at: usize,
    /// The bytes of all of it.
    pub item: Range<usize>,
    /// The type around it, by its number in the file, or `None` if it is in no type.
    pub outer: Option<usize>,
    /// The types that it extends, implements or embeds.
    pub bases: Vec<TypeRef>,
    /// Its type parameters with their bounds.
    pub params: Vec<(String, Vec<TypeRef>)>,
    /// Its kind.
    pub kind: TypeKind,
}

/// The owner of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberOwner {
    /// The file: a function or value at its top.
    File,
    /// A type of this file, by its number.
    Type(usize),
    /// A type named by an `impl`, a receiver or an extension, with the trait that is implemented,
    /// or `None` if it implements none.
    Named(TypeRef, Option<TypeRef>),
    /// A function in a function.
    Local,
}

/// The kind of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberKind {
    /// It is called.
    Function,
    /// It is a value, or is read like one.
    Value,
}

/// The type or value of a member: what a function returns when it is called, what a value is when
/// it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gives {
    /// The type of its annotation.
    Type(TypeRef),
    /// The values of these expressions in it.
    Values(Vec<Expr>),
    /// Nothing that is known: there is no annotation, or it is that of what is inside of the
    /// result, as of an asynchronous function or a generator.
    Nothing,
}

/// A function, method, field or value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnedMember {
    /// Its name.
    pub name: String,
    /// The first byte of its name.
    pub at: usize,
    /// The bytes of all of it.
    pub item: Range<usize>,
    /// Its owner.
    pub owner: MemberOwner,
    /// Its kind.
    pub kind: MemberKind,
    /// Its type or value.
    pub gives: Gives,
    /// The byte at which the names of expressions in `gives` are looked up.
    pub inside: usize,
    /// Parameters and results on one line, without names, if the language matches methods by them
    /// (Go); else empty.
    pub shape: String,
}

/// A local name and what it is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The bytes in which it is visible.
    pub scope: Range<usize>,
    /// The block in which it is bound: what follows there has passed the binding.
    pub block: Range<usize>,
    /// The byte at which it is bound.
    pub at: usize,
    /// The thing to which it is bound.
    pub is: Origin,
}

/// The thing to which a name is bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Its annotation.
    Type(TypeRef),
    /// A value.
    Value(Expr),
    /// A type parameter with its bounds.
    Bounds(Vec<TypeRef>),
    /// A function in a function, by its number among the members.
    Function(usize),
    /// A type in a function, by its number.
    LocalType(usize),
}

/// One use of a wanted name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameUse {
    /// The first byte of the name.
    pub at: usize,
    /// The name.
    pub name: String,
    /// The receiver on which it is used, or `None` for a name alone.
    pub receiver: Option<Expr>,
    /// Whether it is called.
    pub is_call: bool,
    /// Whether it is inside the arguments of a macro, which may turn it into anything.
    pub in_macro: bool,
}

/// The origins of the names of one file, as its syntax shows them.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origins {
    /// The package or namespace that the file declares.
    pub package: String,
    /// Its imports.
    pub imports: Vec<Import>,
    /// Its types.
    pub types: Vec<Type>,
    /// Its functions, methods, fields and values.
    pub members: Vec<OwnedMember>,
    /// Blocks `impl Trait for Type`, and additions to a type from outside: the type, its base, and
    /// the place.
    pub impls: Vec<(TypeRef, TypeRef, usize)>,
    /// Its local names.
    pub bindings: Vec<Binding>,
    /// The uses of the wanted names.
    pub sites: Vec<NameUse>,
    /// Whether some of it was nested too deeply to be read.
    pub is_partial: bool,
}

/// Languages whose files can see each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LanguageFamily {
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// TypeScript and JavaScript.
    Script,
    /// Go.
    Go,
    /// Java and Kotlin.
    Jvm,
    /// C#.
    CSharp,
    /// Ruby.
    Ruby,
}

impl LanguageFamily {
    /// Returns the family of a language by its name, or `None` if its origins are not read.
    pub fn of_language(name: &str) -> Option<Self> {
        match name {
            "Rust" => Some(Self::Rust),
            "Python" => Some(Self::Python),
            "TypeScript" | "TSX" | "JavaScript" => Some(Self::Script),
            "Go" => Some(Self::Go),
            "Java" | "Kotlin" => Some(Self::Jvm),
            "C#" => Some(Self::CSharp),
            "Ruby" => Some(Self::Ruby),
            _ => None,
        }
    }
}

impl Parse<'_> {
    /// Returns the origins of the names of the file and the uses of the wanted ones, or `None` if
    /// they are not read for the language.
    pub fn origins(&self, wanted: &[&str]) -> Option<Origins> {
        let tree = self.tree()?;
        let visit = match self.language.name {
            "Rust" => rust::visit,
            "Python" => python::visit,
            "TypeScript" | "TSX" | "JavaScript" => typescript::visit,
            "Go" => go::visit,
            "Java" => java::visit,
            "Kotlin" => kotlin::visit,
            "C#" => csharp::visit,
            "Ruby" => ruby::visit,
            _ => return None,
        };
        let mut walk = walk::Walk::new(self.source, wanted, visit);
        walk.visit(tree.root_node());
        Some(walk.finish())
    }
}

impl TypeRef {
    /// Returns a type without a name, by the sign that stands for it: a union, a list, a tuple.
    pub(crate) fn nameless(sign: &str, args: Vec<Self>) -> Self {
        Self {
            path: vec![sign.to_owned()],
            args,
        }
    }

    /// Returns a type by its name alone.
    pub fn named(name: &str) -> Self {
        Self {
            path: vec![name.to_owned()],
            args: Vec::new(),
        }
    }

    /// One of several types.
    pub fn union(args: Vec<Self>) -> Self {
        Self {
            path: vec!["|".to_owned()],
            args,
        }
    }

    /// Returns the last name of its path.
    pub fn last(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}
