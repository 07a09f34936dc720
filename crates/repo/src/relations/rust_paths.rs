//! Paths of Rust: looks up the last name where the names before it lead.

use grounds_syntax::origins::{MemberKind, MemberOwner, Origin, TypeKind};

use super::eval::At;
use super::tree::{MemberId, RelationIndex, TypeId};
use super::types::Ty;

/// Number of names in one path that is followed.
const PATH_MAX: usize = 12;

impl RelationIndex {
    /// Returns what a path of Rust names at a place.
    pub(super) fn rust_path(&self, at: &At<'_>, path: &[String]) -> Ty {
        let Some(_nested) = self.nest() else {
            return Ty::Unknown;
        };
        let Some((last, before)) = path.split_last() else {
            return Ty::Unknown;
        };
        if path.len() > PATH_MAX || at.depth > 20 {
            return Ty::Unknown;
        }
        if before.is_empty() {
            return self.rust_name(at, last);
        }
        let at = &at.deeper();
        let head = before[0].as_str();
        if matches!(head, "std" | "core" | "alloc") {
            return Ty::Outside(path.join("::"));
        }
        let below = || self.rust_below(at, before, last).unwrap_or(Ty::Unknown);
        if matches!(head, "crate" | "self" | "super") || self.is_crate(head) {
            return below();
        }
        // A type, or a module by a name that is seen here.
        let owner = if before.len() == 1 {
            self.rust_name(at, head)
        } else {
            self.rust_path(at, before)
        };
        let member = |of: &Ty| {
            let id = of.id();
            id.map_or(Ty::Unknown, |id| self.rust_member(at, id, last))
        };
        match owner {
            Ty::Type(id) if self.kind(id).kind != TypeKind::Module => {
                self.rust_member(at, id, last)
            }
            Ty::Param(_, bounds) => bounds.map(|bound| member(bound)),
            Ty::Union(parts) => Ty::union(parts.iter().map(member)),
            // If the tree has a module of this name, the path may lead into it.
            Ty::Outside(name) if !self.is_module(head) => Ty::Outside(format!("{name}::{last}")),
            _ => below(),
        }
    }

    fn rust_member(&self, at: &At<'_>, id: TypeId, name: &str) -> Ty {
        if let TypeKind::Alias(meant) = &self.kind(id).kind {
            let inside = At {
                file: id.0,
                at: self.kind(id).item.start,
                this: None,
                depth: at.depth + 1,
            };
            return match self.instance_at(&inside, meant).id() {
                Some(other) if other != id => self.rust_member(at, other, name),
                _ => Ty::Unknown,
            };
        }
        self.member_of(at, &Ty::Type(id), name)
    }

    /// Returns what a single name is: a type parameter, an item of the file, an import.
    fn rust_name(&self, at: &At<'_>, name: &str) -> Ty {
        if matches!(name, "Self" | "self") {
            let this = at.this.and_then(Ty::id);
            return this
                .or_else(|| self.this(at.file, at.at))
                .map_or(Ty::Unknown, Ty::Type);
        }
        if let Some(param) = self.param(at, name) {
            return param;
        }
        for binding in self.files[at.file].bindings_at(name, at.at) {
            if let Origin::LocalType(number) = binding.is {
                return Ty::Type((at.file, number));
            }
        }
        // Types of the same inline module come first.
        let around = self.files[at.file].type_around(at.file, at.at);
        let own: Vec<TypeId> = self
            .types
            .get(name)
            .into_iter()
            .flatten()
            .copied()
            .filter(|id| id.0 == at.file)
            .collect();
        let near = own.iter().find(|id| {
            let outer = self.kind(**id).outer;
            let module = around.and_then(|around| self.module_around(around));
            outer == module.map(|(_, number)| number)
        });
        match (near, own.as_slice()) {
            (Some(id), _) => Ty::Type(*id),
            (None, [one]) => Ty::Type(*one),
            _ if is_prelude(name) => self.prelude(at, name),
            _ => self.global(at, name),
        }
    }

    /// Returns a name of the prelude, unless an import gives it another meaning.
    fn prelude(&self, at: &At<'_>, name: &str) -> Ty {
        let is_imported = self.files[at.file]
            .origins
            .imports
            .iter()
            .any(|import| import.local == name);
        if is_imported {
            self.global(at, name)
        } else {
            Ty::Outside(name.to_owned())
        }
    }

    fn module_around(&self, id: TypeId) -> Option<TypeId> {
        let mut around = Some(id);
        while let Some(id) = around {
            if self.kind(id).kind == TypeKind::Module {
                return Some(id);
            }
            around = self.kind(id).outer.map(|outer| (id.0, outer));
        }
        None
    }

    /// Finds a name in a module. The module is chosen by how many of the path's names are on the
    /// way to it.
    fn rust_below(&self, at: &At<'_>, before: &[String], last: &str) -> Option<Ty> {
        // By convention a capital begins the name of a type: `crate::a::Type::member`.
        if let Some((owner, outer)) = before.split_last()
            && owner.starts_with(|first: char| first.is_uppercase())
        {
            let owner = if outer.is_empty() {
                self.rust_name(at, owner)
            } else {
                self.rust_below(at, outer, owner)?
            };
            return owner.id().map(|id| self.rust_member(at, id, last));
        }
        let types = self.types.get(last).into_iter().flatten().copied();
        let nearness = |file: usize, outer| self.rust_nearness(at, before, file, outer);
        let types = types.map(|id| (nearness(id.0, self.kind(id).outer), id));
        let (best_type, types) = nearest(types.collect());
        let tops = self.rust_functions(last).into_iter();
        let tops = tops.map(|(id, outer)| (nearness(id.0, outer), id));
        let (best_top, tops) = nearest(tops.collect());
        if best_type >= best_top {
            // Several types in one file are alternatives for platforms. In several files, the path
            // does not tell which one is meant.
            let first = types.first()?;
            let of_one_file = types.iter().all(|id| id.0 == first.0);
            return of_one_file.then(|| Ty::union(types.into_iter().map(Ty::Type)));
        }
        Some(Ty::Functions(tops.into_iter().collect(), None))
    }

    /// Returns the functions of a name in files and in inline modules.
    fn rust_functions(&self, name: &str) -> Vec<(MemberId, Option<usize>)> {
        let tops = self.tops.get(name).into_iter().flatten();
        let mut found: Vec<(MemberId, Option<usize>)> = tops
            .copied()
            .filter(|id| self.member(*id).kind == MemberKind::Function)
            .map(|id| (id, None))
            .collect();
        // A function of an inline module belongs to the module, so `tops` does not have it.
        for (id, kind) in self
            .types
            .values()
            .flatten()
            .map(|id| (*id, self.kind(*id)))
        {
            if kind.kind == TypeKind::Module {
                for member in self.own_members(id, name) {
                    if let MemberOwner::Type(outer) = self.member(member).owner {
                        found.push((member, Some(outer)));
                    }
                }
            }
        }
        found
    }

    /// Returns how well a file and its inline modules fit the names before a name.
    fn rust_nearness(
        &self,
        at: &At<'_>,
        before: &[String],
        file: usize,
        outer: Option<usize>,
    ) -> usize {
        let path = self.files[file].path.as_str();
        // `src/store/mod.rs` is the module `store`: these parts of a path name no module.
        let mut names: Vec<&str> = path
            .split('/')
            .map(|part| part.split('.').next().unwrap_or(part))
            .filter(|part| !matches!(*part, "mod" | "lib" | "main" | "src"))
            .collect();
        let mut modules = Vec::new();
        let mut around = outer;
        while let Some(number) = around {
            let kind = &self.files[file].origins.types[number];
            modules.push(kind.name.as_str());
            around = kind.outer;
        }
        names.extend(modules.into_iter().rev());
        // `de::Error` is of the module `de`, rather than of one below it.
        let is_its_own = before
            .last()
            .zip(names.last())
            .is_some_and(|(wanted, inner)| same_crate(inner, wanted));
        let wanted = before
            .iter()
            .filter(|name| !matches!(name.as_str(), "crate" | "self" | "super"));
        let fits = wanted
            .filter(|wanted| names.iter().any(|name| same_crate(name, wanted)))
            .count();
        let here = self.files[at.file].path.as_str();
        let shared = here
            .split('/')
            .zip(path.split('/'))
            .take_while(|(one, other)| one == other)
            .count();
        // A fitting name weighs more than being the module itself, and that more than all shared
        // folders.
        fits * 200 + usize::from(is_its_own) * 100 + shared.min(99)
    }

    fn is_crate(&self, name: &str) -> bool {
        // Every `name = …` counts, because libraries and binaries are crates under their own names
        // too.
        self.manifests.iter().any(|(_, text)| {
            text.lines()
                .filter_map(|line| line.trim().strip_prefix("name"))
                .filter_map(|rest| rest.trim().strip_prefix('='))
                .any(|value| same_crate(value.trim().trim_matches('"'), name))
        })
    }

    /// Reports whether a file is of a crate whose imports begin at its root, as in the edition
    /// 2015: no manifest says an edition.
    pub(super) fn is_of_first_edition(&self, file: usize) -> bool {
        let is_rust = self.files[file].path.ends_with(".rs");
        let manifests = self.manifests.iter();
        let mut crates = manifests.filter(|(path, _)| path.ends_with("Cargo.toml"));
        let says = |(_, text): &(String, String)| text.contains("edition");
        is_rust && crates.clone().next().is_some() && !crates.any(says)
    }

    fn is_module(&self, name: &str) -> bool {
        self.by_stem.contains_key(name)
            || self
                .by_folder
                .keys()
                .any(|folder| folder.rsplit('/').next().is_some_and(|last| last == name))
            || self
                .types
                .get(name)
                .into_iter()
                .flatten()
                .any(|id| self.kind(*id).kind == TypeKind::Module)
    }
}

fn same_crate(one: &str, other: &str) -> bool {
    // The package `my-crate` is `my_crate` in paths.
    one == other || (one.len() == other.len() && one.replace('-', "_") == other)
}

/// Reports whether a type is visible in every file without an import.
fn is_prelude(name: &str) -> bool {
    matches!(
        name,
        "Option"
            | "Result"
            | "Vec"
            | "String"
            | "Box"
            | "str"
            | "Iterator"
            | "IntoIterator"
            | "Clone"
            | "Copy"
            | "Default"
            | "From"
            | "Into"
            | "AsRef"
            | "AsMut"
            | "Drop"
            | "Fn"
            | "FnMut"
            | "FnOnce"
            | "ToString"
            | "ToOwned"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "f32"
            | "f64"
            | "bool"
            | "char"
            | "Send"
            | "Sync"
            | "Sized"
            | "Eq"
            | "PartialEq"
            | "Ord"
            | "PartialOrd"
    )
}

/// Returns the largest nearness, and everything that has it.
fn nearest<Id>(all: Vec<(usize, Id)>) -> (Option<usize>, Vec<Id>) {
    let best = all.iter().map(|(near, _)| *near).max();
    let nearest = all.into_iter().filter(|(near, _)| Some(*near) == best);
    (best, nearest.map(|(_, id)| id).collect())
}
