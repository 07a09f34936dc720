//! Where the names of one file come from: its types with their members and bases, its imports, and
//! what each local name is bound to; and the receiver of every use of a wanted name.
//!
//! Pure over one file: what a name means in another file is the business of who has them all.

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
/// A path of one sign stands for what has no name: `|` a union, `[]` a list, `,` a tuple.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TypeRef {
    /// The names, outermost first.
    pub path: Vec<String>,
    /// The type arguments, alternatives or elements.
    pub args: Vec<TypeRef>,
}

/// An expression, as far as it says what type it has.
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
    /// What a call returns.
    Call(Box<Expr>),
    /// A value of a type that is written there.
    New(TypeRef),
    /// The type itself: `Vec<T>` in `Vec::<T>::new`.
    Type(TypeRef),
    /// A literal of the language: never a type of the tree.
    Literal,
    /// An element of a list or map, or what a loop over it gives.
    Item(Box<Expr>),
    /// What is inside of a wrapper: `?`, `await`, `Some(x)`.
    Inner(Box<Expr>),
    /// What entering a context gives.
    Entered(Box<Expr>),
    /// One of several results, by its number.
    Nth(Box<Expr>, usize),
    /// One of several values.
    Either(Vec<Expr>),
    /// Anything else.
    Unknown,
}

/// One name that is brought in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The name in this file; `*` for everything.
    pub local: String,
    /// The module, as it is written.
    pub module: String,
    /// The name in the module; `None` for the module itself.
    pub name: Option<String>,
    /// Where the import holds.
    pub scope: Range<usize>,
    /// Whether it is only handed on, without a name in this file.
    pub is_export_only: bool,
}

/// What kind of type it is, as far as it matters here.
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
    /// The bytes of its name.
    pub at: usize,
    /// The bytes of all of it.
    pub item: Range<usize>,
    /// The type around it, by its number in the file.
    pub outer: Option<usize>,
    /// What it extends, implements or embeds.
    pub bases: Vec<TypeRef>,
    /// Its type parameters with their bounds.
    pub params: Vec<(String, Vec<TypeRef>)>,
    /// What kind it is.
    pub kind: TypeKind,
}

/// Whose member it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberOwner {
    /// The file's own: a function or value at its top.
    File,
    /// A type of this file, by its number.
    Type(usize),
    /// A type named by an `impl`, a receiver or an extension; with the trait that is implemented,
    /// where one is.
    Named(TypeRef, Option<TypeRef>),
    /// A function in a function.
    Local,
}

/// What kind of member it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberKind {
    /// It is called.
    Function,
    /// It is a value, or is read like one.
    Value,
}

/// What a member gives: a function when it is called, a value when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gives {
    /// What its annotation says.
    Type(TypeRef),
    /// What these expressions in it are.
    Values(Vec<Expr>),
    /// What an annotation says that is inside of what it returns: an asynchronous function's, a
    /// generator's.
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
    /// Whose it is.
    pub owner: MemberOwner,
    /// What kind it is.
    pub kind: MemberKind,
    /// What it gives.
    pub gives: Gives,
    /// Where expressions in `gives` stand: the byte at which their names are looked up.
    pub inside: usize,
    /// Parameters and results on one line, without names, where the language matches methods by
    /// them (Go).
    pub shape: String,
}

/// What a local name is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// Where it can be seen.
    pub scope: Range<usize>,
    /// The block in which it is bound: what comes after it there has passed the binding.
    pub block: Range<usize>,
    /// Where it is bound.
    pub at: usize,
    /// To what.
    pub is: Origin,
}

/// To what a name is bound.
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
    /// On what it is used; `None` for a name that stands alone.
    pub receiver: Option<Expr>,
    /// Whether it is called.
    pub is_call: bool,
    /// Whether it is inside the arguments of a macro, which may turn it into anything.
    pub in_macro: bool,
}

/// What the syntax of one file says of where its names come from.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origins {
    /// The package or namespace that the file declares.
    pub package: String,
    /// What it brings in.
    pub imports: Vec<Import>,
    /// Its types.
    pub types: Vec<Type>,
    /// Its functions, methods, fields and values.
    pub members: Vec<OwnedMember>,
    /// `impl Trait for Type`, and what is added to a type from outside: the type and its base.
    pub impls: Vec<(TypeRef, TypeRef, usize)>,
    /// Its local names.
    pub bindings: Vec<Binding>,
    /// The uses of the wanted names.
    pub sites: Vec<NameUse>,
    /// Whether some of it was nested too deep to be looked at.
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
    /// The family of a language by its name; `None` where origins are not read.
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
    /// Where the names of the file come from, and the uses of the wanted ones; `None` where the
    /// language is not read so.
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
    /// A type without a name, by the sign that stands for it: a union, a list, a tuple.
    pub(crate) fn nameless(sign: &str, args: Vec<Self>) -> Self {
        Self {
            path: vec![sign.to_owned()],
            args,
        }
    }

    /// A type by its name alone.
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

    /// The last name of its path.
    pub fn last(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}
