//! The files of a tree as one index: types by their names, members by their owners, bases and
//! heirs.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use grounds_syntax::origins::{
    Expr, Gives, LanguageFamily, MemberKind, MemberOwner, Origins, OwnedMember, Type, TypeKind,
};

use super::types::Ty;
use crate::labels::LabelledPlace;

/// Maximum depth of nested look-ups.
const NESTED_MAX: u32 = 48;
/// Depth of bases that are followed.
const BASES_MAX: usize = 24;

/// One file.
#[derive(Debug)]
pub(super) struct RelationFile {
    pub(super) path: String,
    pub(super) family: LanguageFamily,
    pub(super) origins: Origins,
    /// Where its lines end.
    pub(super) newlines: Vec<usize>,
}

/// A type by the number of its file and its number there.
pub(super) type TypeId = (usize, usize);
/// A member by the number of its file and its number there.
pub(super) type MemberId = (usize, usize);

/// The index.
#[derive(Debug)]
pub(super) struct RelationIndex {
    pub(super) files: Vec<RelationFile>,
    /// Texts that name modules, by their paths.
    pub(super) manifests: Vec<(String, String)>,
    /// The packages of scripts that the tree has: their names and their folders.
    pub(super) packages: Vec<(String, String)>,
    /// Whether all files were read.
    pub(super) is_complete: bool,
    pub(super) deadline: Instant,
    pub(super) by_path: BTreeMap<String, usize>,
    pub(super) by_stem: BTreeMap<String, Vec<usize>>,
    pub(super) by_folder: BTreeMap<String, Vec<usize>>,
    pub(super) by_package: BTreeMap<String, Vec<usize>>,
    pub(super) types: BTreeMap<String, Vec<TypeId>>,
    /// Functions and values at the top of files.
    pub(super) tops: BTreeMap<String, Vec<MemberId>>,
    pub(super) members_of: BTreeMap<TypeId, Vec<MemberId>>,
    /// Members that an extension or an `impl` gives to a type outside of the tree.
    pub(super) members_outside: BTreeMap<String, Vec<MemberId>>,
    /// Members that an extension gives to a type parameter: to everything.
    pub(super) given_to_all: Vec<MemberId>,
    pub(super) owner_of: BTreeMap<MemberId, TypeId>,
    pub(super) bases: BTreeMap<TypeId, Vec<Ty>>,
    /// Traits that are implemented for a type parameter: for everything.
    pub(super) for_everything: BTreeSet<TypeId>,
    /// Evaluations that are left for the site at hand.
    pub(super) fuel: Cell<u32>,
    /// Current depth of nested look-ups.
    nested: Cell<u32>,
}

/// One nested look-up; it ends when it is dropped.
pub(super) struct Nested<'t>(&'t Cell<u32>);

impl Drop for Nested<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

/// What the hierarchy of a type has under a name.
#[derive(Clone, Debug, Default)]
pub(super) struct HierarchyMember {
    pub(super) members: Vec<MemberId>,
    /// A base lies outside of the tree.
    pub(super) has_outside: bool,
    /// A base could not be resolved.
    pub(super) has_unknown: bool,
}

/// Returns the names and folders of the packages of scripts, from their manifests.
fn packages(manifests: &[(String, String)]) -> Vec<(String, String)> {
    let of_package = |(path, text): &(String, String)| {
        let folder = path.strip_suffix("package.json")?.trim_end_matches('/');
        let name = match serde_json::from_str::<serde_json::Value>(text) {
            Ok(manifest) => manifest.get("name")?.as_str()?.to_owned(),
            // The manifest is no valid JSON. Its folder mostly has the name, and imports by that
            // name stay open.
            Err(_) => folder.rsplit('/').next()?.to_owned(),
        };
        Some((name, folder.to_owned()))
    };
    manifests.iter().filter_map(of_package).collect()
}

impl RelationIndex {
    pub(super) fn new(
        files: Vec<RelationFile>,
        manifests: Vec<(String, String)>,
        is_complete: bool,
        deadline: Instant,
    ) -> Self {
        let mut tree = Self {
            files,
            packages: packages(&manifests),
            manifests,
            is_complete,
            deadline,
            by_path: BTreeMap::new(),
            by_stem: BTreeMap::new(),
            by_folder: BTreeMap::new(),
            by_package: BTreeMap::new(),
            types: BTreeMap::new(),
            tops: BTreeMap::new(),
            members_of: BTreeMap::new(),
            members_outside: BTreeMap::new(),
            given_to_all: Vec::new(),
            owner_of: BTreeMap::new(),
            bases: BTreeMap::new(),
            for_everything: BTreeSet::new(),
            fuel: Cell::new(0),
            nested: Cell::new(0),
        };
        // The order matters: each step looks names up in what the steps before it have filled.
        tree.index_files();
        tree.index_owners();
        tree.index_bases();
        tree
    }

    fn index_files(&mut self) {
        for (number, file) in self.files.iter().enumerate() {
            self.by_path.insert(file.path.clone(), number);
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let stem = name.split('.').next().unwrap_or(name);
            self.by_stem
                .entry(stem.to_owned())
                .or_default()
                .push(number);
            self.by_folder
                .entry(folder.to_owned())
                .or_default()
                .push(number);
            self.by_package
                .entry(file.origins.package.clone())
                .or_default()
                .push(number);
            for (of, kind) in file.origins.types.iter().enumerate() {
                self.types
                    .entry(kind.name.clone())
                    .or_default()
                    .push((number, of));
            }
            for (of, member) in file.origins.members.iter().enumerate() {
                match member.owner {
                    MemberOwner::File => {
                        self.tops
                            .entry(member.name.clone())
                            .or_default()
                            .push((number, of));
                    }
                    MemberOwner::Type(owner) => {
                        self.members_of
                            .entry((number, owner))
                            .or_default()
                            .push((number, of));
                        self.owner_of.insert((number, of), (number, owner));
                    }
                    // A named owner may be in a file that is not indexed yet: `index_owners` looks
                    // it up.
                    MemberOwner::Named(..) | MemberOwner::Local => {}
                }
            }
        }
    }

    /// Gives the members of `impl`s, receivers and extensions to their types.
    fn index_owners(&mut self) {
        // All owners are looked up before the first is added, so that the order of the files
        // changes nothing.
        let mut owned: Vec<(MemberId, Vec<Ty>)> = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            for (of, member) in file.origins.members.iter().enumerate() {
                if let MemberOwner::Named(named, _) = &member.owner {
                    self.refuel();
                    let ty = self.instance(number, member.at, named);
                    owned.push(((number, of), ty.parts()));
                }
            }
        }
        for (member, parts) in owned {
            for part in parts {
                match part {
                    Ty::Instance(id, _) | Ty::Type(id) => {
                        self.members_of.entry(id).or_default().push(member);
                        self.owner_of.insert(member, id);
                    }
                    Ty::External(name, _) => {
                        self.members_outside.entry(name).or_default().push(member);
                    }
                    Ty::Param(..) => self.given_to_all.push(member),
                    _ => {}
                }
            }
        }
    }

    fn index_bases(&mut self) {
        let mut bases: BTreeMap<TypeId, Vec<Ty>> = BTreeMap::new();
        let mut for_everything = BTreeSet::new();
        for (number, file) in self.files.iter().enumerate() {
            for (of, kind) in file.origins.types.iter().enumerate() {
                for base in &kind.bases {
                    self.refuel();
                    // A base is looked up from outside of the type itself.
                    let at = kind.item.start.saturating_sub(1);
                    let base = self.base(number, at, kind, base);
                    bases.entry((number, of)).or_default().extend(base.parts());
                }
            }
            for (of, base, at) in &file.origins.impls {
                self.refuel();
                let base = self.instance(number, *at, base);
                for part in self.instance(number, *at + 1, of).parts() {
                    match part {
                        Ty::Instance(id, _) | Ty::Type(id) => {
                            bases.entry(id).or_default().extend(base.parts());
                        }
                        // `impl<T> Trait for T` is for every type. One for a type that is not known
                        // may be too.
                        Ty::Param(..) | Ty::Unknown => {
                            for_everything.extend(base.parts().iter().filter_map(Ty::id));
                        }
                        _ => {}
                    }
                }
            }
        }
        self.bases = bases;
        self.for_everything = for_everything;
    }

    fn base(
        &self,
        file: usize,
        at: usize,
        kind: &Type,
        base: &grounds_syntax::origins::TypeRef,
    ) -> Ty {
        let found = self.instance(file, at, base);
        // A class may have the name of its own base in another module: never itself.
        match found.id() {
            Some((of, number))
                if of == file && self.files[of].origins.types[number].at == kind.at =>
            {
                Ty::Unknown
            }
            _ => found,
        }
    }

    /// Enters a look-up, or returns `None` if too many are nested: imports and aliases may be
    /// circular.
    pub(super) fn nest(&self) -> Option<Nested<'_>> {
        let nested = self.nested.get();
        if nested >= NESTED_MAX {
            return None;
        }
        self.nested.set(nested + 1);
        Some(Nested(&self.nested))
    }

    pub(super) fn refuel(&self) {
        self.fuel.set(3_000);
    }

    pub(super) fn kind(&self, id: TypeId) -> &Type {
        &self.files[id.0].origins.types[id.1]
    }

    pub(super) fn member(&self, id: MemberId) -> &OwnedMember {
        &self.files[id.0].origins.members[id.1]
    }

    /// Returns the members that are defined at some places, with those of the same name and owner.
    pub(super) fn members_at(
        &self,
        name: &str,
        definitions: &[&LabelledPlace],
    ) -> BTreeSet<MemberId> {
        let mut found = BTreeSet::new();
        for (number, file) in self.files.iter().enumerate() {
            let lines: Vec<u32> = definitions
                .iter()
                .filter(|place| place.path.as_str() == file.path)
                .map(|place| place.line)
                .collect();
            if lines.is_empty() {
                continue;
            }
            for (of, member) in file.origins.members.iter().enumerate() {
                if member.name == name && lines.contains(&file.position(member.at).0) {
                    found.insert((number, of));
                }
            }
        }
        let owners: BTreeSet<TypeId> = found
            .iter()
            .filter_map(|member| self.owner_of.get(member).copied())
            .collect();
        if found
            .iter()
            .any(|id| self.files[id.0].family == LanguageFamily::Rust)
        {
            // Several `impl`s of one type may each have the name; all of them are returned.
            return found;
        }
        // A field and a method of one name are two things.
        let kinds: Vec<MemberKind> = found.iter().map(|id| self.member(*id).kind).collect();
        for owner in owners {
            let own = self.own_members(owner, name);
            found.extend(
                own.into_iter()
                    .filter(|id| kinds.contains(&self.member(*id).kind)),
            );
        }
        found
    }

    /// Returns the members of a name that a type has itself.
    pub(super) fn own_members(&self, id: TypeId, name: &str) -> Vec<MemberId> {
        let all = self.members_of.get(&id).map_or(&[][..], Vec::as_slice);
        all.iter()
            .copied()
            .filter(|member| self.member(*member).name == name)
            .collect()
    }

    /// Returns the members of a name in the hierarchy of a type: those of the nearest type that has
    /// it.
    pub(super) fn find(&self, id: TypeId, name: &str) -> HierarchyMember {
        let mut found = HierarchyMember::default();
        let mut level = self.reopened(id);
        let mut seen: BTreeSet<TypeId> = level.iter().copied().collect();
        // The hierarchy is searched level by level, so that an override is found before what it
        // overrides.
        for _ in 0..BASES_MAX {
            for of in &level {
                found.members.extend(self.own_members(*of, name));
            }
            if !found.members.is_empty() || level.is_empty() {
                return found;
            }
            let mut next = Vec::new();
            for of in level {
                for base in self.bases.get(&of).into_iter().flatten() {
                    match base {
                        Ty::Instance(id, _) | Ty::Type(id) => {
                            let parts = self.reopened(*id).into_iter();
                            next.extend(parts.filter(|part| seen.insert(*part)));
                        }
                        Ty::External(..) => found.has_outside = true,
                        _ => found.has_unknown = true,
                    }
                }
            }
            level = next;
        }
        found
    }

    /// Reports whether a type is another one, or extends or implements it.
    pub(super) fn is_a(&self, id: TypeId, base: TypeId) -> bool {
        let mut level = self.reopened(id);
        let mut seen: BTreeSet<TypeId> = level.iter().copied().collect();
        for _ in 0..BASES_MAX {
            if level.contains(&base) {
                return true;
            }
            let next: Vec<TypeId> = level
                .iter()
                .flat_map(|of| self.bases.get(of).into_iter().flatten())
                .filter_map(Ty::id)
                .flat_map(|id| self.reopened(id))
                .filter(|id| seen.insert(*id))
                .collect();
            if next.is_empty() {
                break;
            }
            level = next;
        }
        // A type of Go implements an interface without naming it.
        self.kind(base).kind == TypeKind::Interface && self.fits(id, base)
    }

    /// Returns everything in the tree that has this name and is used on something: methods, fields,
    /// functions of modules.
    pub(super) fn namesakes(&self, name: &str, target: &BTreeSet<MemberId>) -> BTreeSet<MemberId> {
        // A value at the top of a file has a namesake in any file that has one.
        let is_top = |member: &MemberId| {
            let member = self.member(*member);
            member.owner == MemberOwner::File && member.kind == MemberKind::Value
        };
        let mut all = BTreeSet::new();
        if target.iter().any(is_top) {
            all.extend(self.tops.get(name).into_iter().flatten());
        }
        for (number, file) in self.files.iter().enumerate() {
            for (of, member) in file.origins.members.iter().enumerate() {
                let is_top_value =
                    member.owner == MemberOwner::File && member.kind == MemberKind::Value;
                let is_namesake =
                    member.name == name && member.owner != MemberOwner::Local && !is_top_value;
                if is_namesake && !hands_on(member) {
                    all.insert((number, of));
                }
            }
        }
        all
    }
}

/// Reports whether a member of an object only hands on what has its name outside of the object:
/// `{ open }` of a script.
pub(super) fn hands_on(member: &OwnedMember) -> bool {
    let of_name = |value: &Expr| matches!(value, Expr::Name(name) if *name == member.name);
    let Gives::Values(values) = &member.gives else {
        return false;
    };
    member.kind == MemberKind::Value
        && matches!(member.owner, MemberOwner::Type(_))
        && !values.is_empty()
        && values.iter().all(of_name)
}

impl RelationFile {
    /// Returns the folder that contains it.
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the line and column of a byte, both counted from 1.
    pub(super) fn position(&self, at: usize) -> (u32, u32) {
        let line = self.newlines.partition_point(|newline| *newline < at);
        let start = line
            .checked_sub(1)
            .and_then(|before| self.newlines.get(before))
            .map_or(0, |newline| newline + 1);
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        (number(line + 1), number(at.saturating_sub(start) + 1))
    }
}
