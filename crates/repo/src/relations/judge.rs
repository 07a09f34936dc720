//! Decides, from what a member is used on, whether the use is of the asked member.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use grounds_syntax::origins::{
    Binding, Gives, LanguageFamily, MemberKind, MemberOwner, NameUse, Origin, TypeKind,
};

use super::eval::At;
use super::extended;
use super::members::SEEN_THROUGH;
use super::tree::{MemberId, RelationIndex, TypeId, hands_on};
use super::types::Ty;
use super::{Decided, MemberVerdict};

/// Minimum number of letters of a name of several words that counts as unique if only one member
/// has it.
const UNIQUE_LETTERS_MIN: usize = 6;

/// What is judged for one question.
pub(super) struct MemberJudge<'t> {
    pub(super) tree: &'t RelationIndex,
    name: &'t str,
    target: &'t BTreeSet<MemberId>,
    owners: BTreeSet<TypeId>,
    /// The types outside of the tree whose extensions are asked for.
    pub(super) extended: Vec<&'t str>,
    /// Whether no other member of the tree has the name, and no library is likely to.
    is_unique: bool,
}

/// Judges every use of a name.
pub(super) fn all(
    tree: &RelationIndex,
    name: &str,
    target: &BTreeSet<MemberId>,
) -> BTreeMap<(String, u32, u32), Decided> {
    let namesakes = tree.namesakes(name, target);
    let owners: BTreeSet<TypeId> = target
        .iter()
        .filter_map(|member| tree.owner_of.get(member).copied())
        .collect();
    let judge = |is_unique| MemberJudge {
        tree,
        name,
        target,
        owners: BTreeSet::clone(&owners),
        extended: extended::extended(tree, target),
        is_unique,
    };
    // Such a name is resolved without a type. An unread file could have another member of the name.
    let is_unique = tree.is_complete && namesakes.is_subset(target) && is_distinct(name);
    let (by_uniqueness, by_types) = (judge(is_unique), judge(false));
    let mut sites = BTreeMap::new();
    for (number, file) in tree.files.iter().enumerate() {
        let is_alike = is_of_same_language(tree, number, target);
        let judge = if is_alike { &by_uniqueness } else { &by_types };
        for site in &file.origins.sites {
            let decided = if Instant::now() > tree.deadline {
                open("the time was up")
            } else {
                tree.refuel();
                judge.site(number, site)
            };
            let (line, column) = file.position(site.at);
            let key = (file.path.clone(), line, column);
            // A place that is seen twice (a macro) keeps what decides more.
            let known = sites.entry(key).or_insert_with(|| decided.clone());
            if known.verdict == MemberVerdict::Open {
                *known = decided;
            }
        }
    }
    sites
}

/// Reports whether a file of the JVM is in the language of the asked member; true of other files.
/// The library of another language may have the name: Kotlin's `File.writeText` is no method of a
/// Java class.
fn is_of_same_language(tree: &RelationIndex, file: usize, target: &BTreeSet<MemberId>) -> bool {
    let ending = |file: usize| tree.files[file].path.rsplit('.').next();
    let is_alike = |id: &MemberId| ending(id.0) == ending(file);
    tree.files[file].family != LanguageFamily::Jvm || target.iter().any(is_alike)
}

/// Reports whether a name has several words, so that a library hardly has the same one by chance.
pub(super) fn is_distinct(name: &str) -> bool {
    let bare = name.trim_matches('_');
    let has_words = bare.contains('_')
        || bare
            .chars()
            .zip(bare.chars().skip(1))
            .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    has_words && bare.chars().count() >= UNIQUE_LETTERS_MIN
}

pub(super) fn decided(verdict: MemberVerdict, reason: impl Into<String>) -> Decided {
    Decided {
        verdict,
        reason: reason.into(),
    }
}

pub(super) fn open(reason: impl Into<String>) -> Decided {
    decided(MemberVerdict::Open, reason)
}

fn other(reason: impl Into<String>) -> Decided {
    decided(MemberVerdict::ResolvedToAnother, reason)
}

impl MemberJudge<'_> {
    fn site(&self, file: usize, site: &NameUse) -> Decided {
        let at = At::new(file, site.at);
        match &site.receiver {
            Some(receiver) => {
                let of = self.tree.receiver(&at, receiver);
                self.on(&at, &of, site.is_call)
            }
            None => match self.alone(&at) {
                // A macro may do anything with a bare name.
                found if found.verdict == MemberVerdict::ResolvedToAnother && site.in_macro => {
                    open("an argument of a macro")
                }
                found => found,
            },
        }
    }

    /// Decides a name without a receiver.
    fn alone(&self, at: &At<'_>) -> Decided {
        let tree = self.tree;
        let family = tree.files[at.file].family;
        let is_member = !self.owners.is_empty();
        let is_bound = !tree.files[at.file].bindings_at(self.name, at.at).is_empty();
        // A bare name of Ruby may be a call on `self` even if a local has the name.
        if is_bound && family != LanguageFamily::Ruby {
            return self.local(at);
        }
        if matches!(
            family,
            LanguageFamily::Jvm | LanguageFamily::CSharp | LanguageFamily::Ruby
        ) {
            return self.implicit(at);
        }
        // A value at the top of one file of a Go package is visible in all of its files.
        if family == LanguageFamily::Go
            && let Some(found) = self.value_of(tree.files[at.file].folder())
        {
            return found;
        }
        // In the body of a Python class, outside of its functions, a bare name is a member of it.
        if family == LanguageFamily::Python
            && let Some(of) = tree.class_body(at.file, at.at)
            && !tree.own_members(of, self.name).is_empty()
        {
            return self.of_type(at, of, false);
        }
        let is = tree.eval(
            at,
            &grounds_syntax::origins::Expr::Name(self.name.to_owned()),
        );
        match &is {
            Ty::Functions(members, _) => self.among(members, "by its import or its own file"),
            Ty::Unknown if !is_member => self.unknown("an import that the text does not decide"),
            // In the languages that are left, members are used on a receiver.
            Ty::Unknown | Ty::Outside(_) | Ty::External(..) if is_member => {
                other("a name without a receiver")
            }
            _ => other("another name"),
        }
    }

    /// Decides the name as a value of a package of Go, which is what the files of a folder have;
    /// `None` if it has no such value.
    fn value_of(&self, folder: &str) -> Option<Decided> {
        let lies_there = |id: &&MemberId| {
            self.tree.files[id.0].folder() == folder
                && self.tree.member(**id).kind == MemberKind::Value
        };
        let all = self.tree.tops.get(self.name).into_iter().flatten();
        let values: BTreeSet<MemberId> = all.filter(lies_there).copied().collect();
        (!values.is_empty()).then(|| self.among(&values, "a value of the package"))
    }

    /// Decides a local name. The asked function may itself be local to a function.
    fn local(&self, at: &At<'_>) -> Decided {
        let bindings = self.tree.files[at.file].bindings_at(self.name, at.at);
        let is_it = bindings.iter().any(|binding| match binding.is {
            Origin::Function(number) => self.target.contains(&(at.file, number)),
            _ => false,
        });
        // `const { f } = require("./f")` is not followed, so such a local may be the asked
        // function.
        let is_script = self.tree.files[at.file].family == LanguageFamily::Script;
        if is_it {
            decided(MemberVerdict::ResolvedToIt, "the function itself")
        } else if is_script && self.owners.is_empty() {
            open("a local name, which may hold the function")
        } else {
            other("a local name")
        }
    }

    /// Decides a name that may be a member of the types around it.
    fn implicit(&self, at: &At<'_>) -> Decided {
        let tree = self.tree;
        let of_lambda = self.on_lambda_receiver(at);
        if let Some(found) = of_lambda
            .as_ref()
            .filter(|one| one.verdict != MemberVerdict::Open)
        {
            return found.clone();
        }
        let mut is_open = false;
        let inner = tree.this(at.file, at.at);
        // The body of an extension sees what it extends, and the classes that the text is in.
        let written = tree.files[at.file].type_around(at.file, at.at);
        for start in [inner, written.filter(|id| Some(*id) != inner)] {
            let mut around = start;
            while let Some(id) = around {
                let found = tree.find(id, self.name);
                if !found.members.is_empty() {
                    let members: BTreeSet<MemberId> = found.members.into_iter().collect();
                    return self.method(id, &members, "a member of the class around it");
                }
                is_open |= found.has_unknown || found.has_outside;
                is_open |= self.owners.iter().any(|owner| tree.is_a(*owner, id));
                around = tree.kind(id).outer.map(|outer| (id.0, outer));
            }
        }
        if let Some(found) = self.in_extension(at) {
            return found;
        }
        match tree.global(at, self.name) {
            Ty::Functions(members, _) => self.among(&members, "by its import"),
            _ if tree.files[at.file].family == LanguageFamily::Ruby => {
                self.unknown("a name without a receiver")
            }
            _ if of_lambda.is_some() => self.unknown("the receiver of a lambda"),
            _ if is_open => other("a member of a class outside of the tree"),
            _ => other("no member of the classes around it"),
        }
    }

    /// Decides a name without a receiver in lambdas of Kotlin that have one, innermost first:
    /// `store.apply { load() }`. `None` if no such receiver has or may have the name.
    fn on_lambda_receiver(&self, at: &At<'_>) -> Option<Decided> {
        let bindings = self.tree.files[at.file].origins.bindings.iter();
        let is_around =
            |binding: &&Binding| binding.name == "this" && binding.scope.contains(&at.at);
        let mut around: Vec<&Binding> = bindings.filter(is_around).collect();
        around.sort_by_key(|binding| binding.scope.len());
        around.into_iter().find_map(|binding| {
            let Origin::Value(value) = &binding.is else {
                return None;
            };
            let before = At::new(at.file, binding.at.saturating_sub(1));
            let of = self.tree.receiver(&before, value);
            let has_name = |part: &Ty| {
                let id = part.id();
                id.is_some_and(|id| !self.tree.find(id, self.name).members.is_empty())
            };
            let found = self.on(at, &of, true);
            let is_certain = of.parts().iter().any(has_name);
            (is_certain || found.verdict != MemberVerdict::ResolvedToAnother).then_some(found)
        })
    }

    /// Decides a member of a value or type.
    pub(super) fn on(&self, at: &At<'_>, of: &Ty, is_call: bool) -> Decided {
        match of {
            Ty::Instance(id, _) | Ty::Type(id) => self.of_type(at, *id, is_call),
            Ty::Param(_, bounds) => match &**bounds {
                Ty::Param(..) | Ty::Unknown => self.unknown("a type parameter"),
                bounds => self.on(at, bounds, is_call),
            },
            Ty::External(name, args) => self.of_external(at, name, args, is_call),
            Ty::Outside(path) => self.of_outside(at, path, is_call),
            Ty::File(_) | Ty::Package(_) => self.of_module(at, of),
            Ty::Functions(..) | Ty::Gives(_) => other("an attribute of a function"),
            Ty::Union(parts) => {
                let all: Vec<Decided> = parts
                    .iter()
                    .map(|part| self.on(at, part, is_call))
                    .collect();
                let of =
                    |verdict: MemberVerdict| all.iter().find(|one| one.verdict == verdict).cloned();
                // A value that may be of several types may be of the asked one.
                of(MemberVerdict::ResolvedToIt)
                    .or_else(|| of(MemberVerdict::Open))
                    .or_else(|| of(MemberVerdict::ResolvedToAnother))
                    .unwrap_or_else(|| open("nothing is known of it"))
            }
            Ty::Unknown => self.on_unknown(),
        }
    }

    /// Decides a member of an import from outside of the tree.
    fn of_outside(&self, at: &At<'_>, path: &str, is_call: bool) -> Decided {
        let name = path.rsplit(['.', ':']).next().unwrap_or_default();
        // `use util;` of the edition 2015 is a module of the crate itself.
        let is_own = path == name && self.tree.is_of_first_edition(at.file);
        let path = [name.to_owned(), self.name.to_owned()];
        match is_own.then(|| self.tree.rust_path(at, &path)) {
            Some(Ty::Functions(members, _)) => self.among(&members, "a function of the module"),
            _ => self.of_external(at, name, &[], is_call),
        }
    }

    /// Decides a name of a module or package.
    fn of_module(&self, at: &At<'_>, of: &Ty) -> Decided {
        if let Ty::Package(folder) = of
            && let Some(found) = self.value_of(folder)
        {
            return found;
        }
        match self.tree.member_of(at, of, self.name) {
            Ty::Functions(members, _) => self.among(&members, "a function of the module"),
            Ty::Unknown => self.unknown("a module that does not show the name"),
            _ => other("another name of the module"),
        }
    }

    /// Decides a member of an unknown value. It may be a module, so a function of one stays open.
    fn on_unknown(&self) -> Decided {
        if self.owners.is_empty() {
            return open("the text does not say whether it is a module");
        }
        self.unknown("the text does not say of what type it is")
    }

    fn of_external(&self, at: &At<'_>, name: &str, args: &[Ty], is_call: bool) -> Decided {
        let outside = self.tree.members_outside.get(name).into_iter().flatten();
        let added: BTreeSet<MemberId> = outside
            .copied()
            .filter(|id| self.tree.member(*id).name == self.name)
            .collect();
        if !added.is_empty() {
            return self.among(&added, "an extension of a type outside of the tree");
        }
        if let Some(found) = self.on_value_below(at.file, name) {
            return found;
        }
        // `Arc<Store>` has the members of `Store`.
        if SEEN_THROUGH.contains(&name)
            && let Some(held) = args.first()
        {
            return self.on(at, held, is_call);
        }
        if self.may_be_given_to_all() {
            return open(format!(
                "a trait of the tree may be implemented for `{name}`"
            ));
        }
        other(format!("a value of `{name}`, which is not in the tree"))
    }

    /// Reports whether the asked member is of a trait that can be implemented for types outside of
    /// the tree.
    fn may_be_given_to_all(&self) -> bool {
        self.owners.iter().any(|owner| {
            let is_rust = self.tree.files[owner.0].family == LanguageFamily::Rust;
            self.tree.for_everything.contains(owner)
                || (is_rust && self.tree.kind(*owner).kind == TypeKind::Interface)
        })
    }

    fn of_type(&self, at: &At<'_>, id: TypeId, is_call: bool) -> Decided {
        let tree = self.tree;
        let mut found = tree.find(id, self.name);
        if tree.files[id.0].family == LanguageFamily::Rust {
            // What is called is a method, what is read is a field, whatever else has the name.
            let fits = |id: &MemberId| (tree.member(*id).kind == MemberKind::Function) == is_call;
            if found.members.iter().any(fits) {
                found.members.retain(fits);
            }
        }
        let name = &tree.kind(id).name;
        if !found.members.is_empty() {
            let members = found.members.into_iter().collect();
            return self.method(id, &members, &format!("a value of `{name}`"));
        }
        if let Some(found) = self.on_type_below(at.file, id) {
            return found;
        }
        // The value may be of a class below, which has the asked member.
        let heir = self.owners.iter().any(|owner| tree.is_a(*owner, id));
        if heir {
            return open(format!(
                "a value of `{name}`, which may be of a type below it"
            ));
        }
        let has_hook = ["__getattr__", "__getattribute__", "method_missing"]
            .iter()
            .any(|hook| !tree.find(id, hook).members.is_empty());
        match () {
            () if has_hook => open(format!(
                "`{name}` answers for names that it does not define"
            )),
            () if self.may_be_given_to_all() => open(format!(
                "a trait of the tree may be implemented for `{name}`"
            )),
            () if found.has_unknown => {
                self.unknown(&format!("a base of `{name}` that the text does not decide"))
            }
            () if found.has_outside => other(format!(
                "a member that `{name}` has from outside of the tree"
            )),
            () if tree.files[id.0].family == LanguageFamily::Python && self.is_assigned(id) => {
                open(format!("`{name}` is given members at run time"))
            }
            () => other(format!("a value of `{name}`, which has no such member")),
        }
    }

    /// Reports whether a type sets its members at run time.
    fn is_assigned(&self, id: TypeId) -> bool {
        !self.tree.find(id, "__setattr__").members.is_empty()
    }

    /// Compares members found on a type with the asked ones.
    fn method(&self, on: TypeId, members: &BTreeSet<MemberId>, why: &str) -> Decided {
        let tree = self.tree;
        let is_rust = tree.files[on.0].family == LanguageFamily::Rust;
        // `impl From<u8> for Id` and `impl From<u16> for Id` both define `from`.
        if is_rust && !members.is_disjoint(self.target) && !members.is_subset(self.target) {
            return open(format!("{why}, which has the name in several `impl`s"));
        }
        if !members.is_disjoint(self.target) {
            return decided(MemberVerdict::ResolvedToIt, why);
        }
        let name = &tree.kind(on).name;
        if members.iter().any(|id| self.hands_on(*id)) {
            return decided(
                MemberVerdict::ResolvedToIt,
                format!("handed on by `{name}`"),
            );
        }
        // A value that holds a function may hold the asked one.
        let holds = members.iter().any(|id| {
            let member = tree.member(*id);
            member.kind == MemberKind::Value && matches!(member.gives, Gives::Values(_))
        });
        match () {
            // The asked class overrides the member that was found on its base.
            () if self.owners.iter().any(|owner| tree.is_a(*owner, on)) => open(format!(
                "a value of `{name}`, of which the asked type is one that has its own"
            )),
            () if holds && self.owners.contains(&on) => open(format!("a field of `{name}`")),
            () => other(format!("{why}, which has its own")),
        }
    }

    /// Reports whether a member of an object of a script is the asked function or value under its own
    /// name: `{ open }`.
    fn hands_on(&self, id: MemberId) -> bool {
        let tree = self.tree;
        let is_script = tree.files[id.0].family == LanguageFamily::Script;
        if !is_script || !hands_on(tree.member(id)) {
            return false;
        }
        let tops = tree.tops.get(self.name).into_iter().flatten();
        let mut own = tops.filter(|top| top.0 == id.0).peekable();
        if own.peek().is_some() {
            return own.any(|top| self.target.contains(top));
        }
        let at = At::new(id.0, tree.member(id).inside);
        match tree.global(&at, self.name) {
            Ty::Functions(functions, _) => !functions.is_disjoint(self.target),
            _ => false,
        }
    }

    fn among(&self, members: &BTreeSet<MemberId>, why: &str) -> Decided {
        match () {
            () if members.is_subset(self.target) => decided(MemberVerdict::ResolvedToIt, why),
            () if !members.is_disjoint(self.target) => {
                open(format!("{why}, one of {} of this name", members.len()))
            }
            () => other(why),
        }
    }

    fn unknown(&self, why: &str) -> Decided {
        let is_local = self
            .target
            .iter()
            .all(|member| self.tree.member(*member).owner == MemberOwner::Local);
        if self.is_unique && !is_local {
            decided(
                MemberVerdict::ResolvedToIt,
                format!("nothing else in the tree is named `{}`", self.name),
            )
        } else {
            open(why)
        }
    }
}
