//! Names that come from elsewhere: the file's own top, its imports, its package, other files.

use crate::path::file_name;
use std::collections::BTreeSet;

use grounds_syntax::origins::{Expr, Gives, Import, LanguageFamily, MemberKind};

use super::eval::At;
use super::tree::{MemberId, RelationIndex, TypeId};
use super::types::Ty;

/// Number of re-exports that are followed one after the other.
const EXPORTS_MAX: usize = 8;
/// Number of types of one name that are compared.
const NAMESAKES_MAX: usize = 32;

/// Endings that a module of a script may have.
const SCRIPT_ENDINGS: [&str; 9] = [
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts",
];

impl RelationIndex {
    /// Returns what a name is that no local scope binds.
    pub(super) fn global(&self, at: &At<'_>, name: &str) -> Ty {
        // What the file defines hides its imports; these hide its package; imports of everything
        // come last.
        if let Some(own) = self.top_of(at.file, name, at) {
            return own;
        }
        if let Some(import) = self.import_of(at.file, at.at, name) {
            return self.imported(at.file, import, 0);
        }
        let family = self.files[at.file].family;
        if let Some(near) = self.of_own_package(at, name) {
            return near;
        }
        if let Some(found) = self.wildcard(at, name, 0) {
            return found;
        }
        // Types of these languages may be visible without an import that names them, so the only
        // type of a name is taken for it.
        let is_by_name = matches!(
            family,
            LanguageFamily::Jvm
                | LanguageFamily::CSharp
                | LanguageFamily::Ruby
                | LanguageFamily::Rust
        );
        match self.types.get(name).map(Vec::as_slice) {
            Some([one]) if is_by_name && self.files[one.0].family == family => Ty::Type(*one),
            Some(parts) if family == LanguageFamily::CSharp && self.is_partial(parts) => {
                Ty::union(parts.iter().copied().map(Ty::Type))
            }
            Some(_) if is_by_name => Ty::Unknown,
            // The name may come from an import of everything whose module is outside of the tree.
            _ if self.has_open_wildcard(at.file) => Ty::Unknown,
            _ => Ty::Outside(name.to_owned()),
        }
    }

    /// Reports whether types of one name are the parts of one type: all at the top of one
    /// namespace.
    fn is_partial(&self, parts: &[TypeId]) -> bool {
        let space = |id: &TypeId| &self.files[id.0].origins.package;
        let is_top = |id: &TypeId| self.kind(*id).outer.is_none();
        parts.iter().all(is_top) && parts.windows(2).all(|two| space(&two[0]) == space(&two[1]))
    }

    /// Returns a type, function or value at the top of a file.
    fn top_of(&self, file: usize, name: &str, at: &At<'_>) -> Option<Ty> {
        let types = self.types.get(name).into_iter().flatten();
        let own: Vec<TypeId> = types
            .copied()
            .filter(|id| id.0 == file && self.is_at_top(*id))
            .collect();
        let members: Vec<MemberId> = self
            .tops
            .get(name)
            .into_iter()
            .flatten()
            .copied()
            .filter(|id| id.0 == file)
            .collect();
        match (own.first(), members.is_empty()) {
            // Rust may define a type once for each platform, and no definition is preferred.
            (Some(_), true) if own.len() > 1 => Some(Ty::union(own.into_iter().map(Ty::Type))),
            (Some(id), true) => Some(Ty::Type(*id)),
            (_, false) => Some(self.read_top(at, &members)),
            (None, true) => None,
        }
    }

    /// Reports whether a type is at the top level, or in Rust inside modules.
    fn is_at_top(&self, id: TypeId) -> bool {
        self.kind(id).outer.is_none() || self.files[id.0].family == LanguageFamily::Rust
    }

    fn read_top(&self, at: &At<'_>, members: &[MemberId]) -> Ty {
        let functions: BTreeSet<MemberId> = members
            .iter()
            .copied()
            .filter(|id| self.member(*id).kind == MemberKind::Function)
            .collect();
        if !functions.is_empty() {
            return Ty::Functions(functions, None);
        }
        Ty::union(members.iter().map(|id| {
            let member = self.member(*id);
            let inside = At {
                file: id.0,
                at: member.inside,
                this: None,
                depth: at.depth + 1,
            };
            match &member.gives {
                Gives::Type(of) => self.instance_at(&inside, of),
                Gives::Values(values) => Ty::union(values.iter().map(|value| match value {
                    // `X = X` is about another `X`.
                    Expr::Name(name) if *name == member.name => Ty::Unknown,
                    value => self.eval(&inside, value),
                })),
                Gives::Nothing => Ty::Unknown,
            }
        }))
    }

    fn import_of(&self, file: usize, at: usize, name: &str) -> Option<&Import> {
        self.files[file]
            .origins
            .imports
            .iter()
            .filter(|import| {
                import.local == name
                    && !import.is_export_only
                    && import.scope.start <= at
                    && at <= import.scope.end
            })
            // A function may import for itself; the innermost import counts.
            .min_by_key(|import| import.scope.len())
    }

    /// Returns what an import brings in.
    pub(super) fn imported(&self, file: usize, import: &Import, depth: usize) -> Ty {
        let Some(_nested) = self.nest() else {
            return Ty::Unknown;
        };
        if depth > EXPORTS_MAX {
            return Ty::Unknown;
        }
        let name = import.name.as_deref();
        let outside = || {
            let last = name.unwrap_or(&import.module);
            Ty::Outside(last.to_owned())
        };
        match self.files[file].family {
            LanguageFamily::Python => self.python(file, import, depth).unwrap_or_else(outside),
            LanguageFamily::Script => self
                .imported_by_script(file, import, depth)
                .unwrap_or_else(outside),
            LanguageFamily::Go => self
                .go_folder(&import.module)
                .map_or_else(outside, Ty::Package),
            LanguageFamily::Rust => {
                let mut path: Vec<String> = import
                    .module
                    .split("::")
                    .filter(|part| !part.is_empty())
                    .map(str::to_owned)
                    .collect();
                path.extend(name.map(str::to_owned));
                // `use rand;` names another crate.
                let is_itself = path.len() == 1;
                if is_itself {
                    return outside();
                }
                self.rust_path(&At::new(file, import.scope.start), &path)
            }
            LanguageFamily::Jvm | LanguageFamily::CSharp | LanguageFamily::Ruby => {
                let mut path: Vec<String> = import.module.split('.').map(str::to_owned).collect();
                path.extend(name.map(str::to_owned));
                self.by_full_name(&At::new(file, 0), &path)
                    .unwrap_or_else(outside)
            }
        }
    }

    /// Returns what an import of a script brings in, or `None` if that is outside of the tree.
    fn imported_by_script(&self, file: usize, import: &Import, depth: usize) -> Option<Ty> {
        let module = import.module.as_str();
        let Some(name) = import.name.as_deref() else {
            return match self.script(file, module) {
                Some(of) => Some(Ty::File(of)),
                None => self.may_be_inside(module).then_some(Ty::Unknown),
            };
        };
        // `export { f }` without `from` gives a name of the file itself, which it may import.
        if module.is_empty() {
            let again = || {
                let import = self.import_of(file, 0, name)?;
                Some(self.imported(file, import, depth + 1))
            };
            let own = self.top_of(file, name, &At::new(file, 0));
            return Some(own.or_else(again).unwrap_or(Ty::Unknown));
        }
        match self.script(file, module) {
            Some(of) => Some(self.exported(of, name, depth + 1)),
            // An alias of a path may lead into the tree.
            None => self.may_be_inside(module).then_some(Ty::Unknown),
        }
    }

    /// Reports whether a module of a script that was not found may be in the tree: its package is
    /// one of the tree's, or it is an alias of a path.
    fn may_be_inside(&self, module: &str) -> bool {
        // `@types/` has declarations of other packages only.
        let is_alias = module.starts_with(['.', '#', '@', '~']) && !module.starts_with("@types/");
        let stem = file_name(module);
        let stem = stem.split('.').next().unwrap_or_default();
        self.own_packages(module).next().is_some()
            // An alias such as `@/lib/api` leads into the tree only if the tree has a file `api`.
            || is_alias && (module.starts_with('.') || self.by_stem.contains_key(stem))
    }

    /// Returns the folders of the tree's packages that a module may be of, each with the rest of
    /// the path.
    fn own_packages<'t>(&'t self, module: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
        self.packages.iter().filter_map(move |(name, folder)| {
            let rest = module.strip_prefix(name.as_str())?;
            // `@shop/kit-extra` is not in the package `@shop/kit`.
            let rest = match rest {
                "" => "",
                _ => rest.strip_prefix('/')?,
            };
            Some((folder.as_str(), rest))
        })
    }

    /// Returns what a file exports under a name.
    pub(super) fn exported(&self, file: usize, name: &str, depth: usize) -> Ty {
        let Some(_nested) = self.nest() else {
            return Ty::Unknown;
        };
        if depth > EXPORTS_MAX {
            return Ty::Unknown;
        }
        if let Some(own) = self.top_of(file, name, &At::new(file, 0)) {
            return own;
        }
        let imports = &self.files[file].origins.imports;
        if let Some(import) = imports.iter().find(|import| import.local == name) {
            return self.imported(file, import, depth + 1);
        }
        // `from package import module` needs no line in `__init__.py`.
        if self.files[file].family == LanguageFamily::Python
            && let Some(inner) = self.python_below(file, name)
        {
            return Ty::File(inner);
        }
        self.wildcard(&At::new(file, 0), name, depth + 1)
            .unwrap_or(Ty::Unknown)
    }

    /// Returns what an import of everything gives under a name.
    pub(super) fn wildcard(&self, at: &At<'_>, name: &str, depth: usize) -> Option<Ty> {
        if depth > EXPORTS_MAX {
            return None;
        }
        let family = self.files[at.file].family;
        let imports = self.files[at.file].origins.imports.iter();
        imports
            .filter(|import| import.local == "*")
            .find_map(|import| {
                let found = match family {
                    LanguageFamily::Python => self
                        .python_module(at.file, &import.module)
                        .map(|of| self.exported(of, name, depth + 1)),
                    LanguageFamily::Script => self
                        .script(at.file, &import.module)
                        .map(|of| self.exported(of, name, depth + 1)),
                    LanguageFamily::Jvm | LanguageFamily::CSharp => {
                        let mut path: Vec<String> =
                            import.module.split('.').map(str::to_owned).collect();
                        path.push(name.to_owned());
                        self.by_full_name(at, &path)
                    }
                    LanguageFamily::Go => self
                        .go_folder(&import.module)
                        .map(|folder| self.of_package(at, &folder, name)),
                    LanguageFamily::Rust | LanguageFamily::Ruby => None,
                };
                // The next such import may have the name.
                found.filter(|ty| *ty != Ty::Unknown)
            })
    }

    fn has_open_wildcard(&self, file: usize) -> bool {
        self.files[file]
            .origins
            .imports
            .iter()
            .any(|import| import.local == "*" && !import.is_export_only)
    }

    /// Returns what the files of the same package or folder give without an import.
    fn of_own_package(&self, at: &At<'_>, name: &str) -> Option<Ty> {
        let file = &self.files[at.file];
        match file.family {
            LanguageFamily::Go => {
                let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let found = self.of_package(at, folder, name);
                (found != Ty::Unknown).then_some(found)
            }
            LanguageFamily::Jvm | LanguageFamily::CSharp => {
                let mut path: Vec<String> = file
                    .origins
                    .package
                    .split('.')
                    .filter(|part| !part.is_empty())
                    .map(str::to_owned)
                    .collect();
                path.push(name.to_owned());
                self.by_full_name(at, &path)
            }
            LanguageFamily::Python
            | LanguageFamily::Script
            | LanguageFamily::Rust
            | LanguageFamily::Ruby => None,
        }
    }

    /// Returns what a package has under a name.
    pub(super) fn of_package(&self, at: &At<'_>, package: &str, name: &str) -> Ty {
        if self.files[at.file].family == LanguageFamily::Go {
            let files = self.by_folder.get(package).into_iter().flatten();
            let found: Vec<Ty> = files
                .filter_map(|file| self.top_of(*file, name, at))
                .collect();
            return if found.is_empty() {
                Ty::Unknown
            } else {
                Ty::union(found)
            };
        }
        let mut path: Vec<String> = package.split('.').map(str::to_owned).collect();
        path.push(name.to_owned());
        self.by_full_name(at, &path).unwrap_or(Ty::Unknown)
    }

    /// Returns a type by its name with the package before it. The package may begin at that of the
    /// file or at one around it: `Shop.Stores.Store`, and in a file of `Shop` also `Stores.Store`.
    pub(super) fn by_written_name(&self, at: &At<'_>, path: &str) -> Option<Ty> {
        let package = self.files[at.file].origins.package.as_str();
        let ends = package.match_indices('.').map(|(end, _)| end);
        let around = ends.chain([package.len()]).map(|end| &package[..end]);
        let around = around.filter(|around| !around.is_empty());
        let prefixed = around.map(|around| format!("{around}.{path}"));
        prefixed.chain([path.to_owned()]).find_map(|path| {
            let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
            let found = self.by_full_name(at, &parts)?;
            matches!(found, Ty::Type(_) | Ty::Union(_)).then_some(found)
        })
    }

    /// Finds `package.Outer.Inner`, `package.function` or `Outer.member` by its full name.
    pub(super) fn by_full_name(&self, at: &At<'_>, path: &[String]) -> Option<Ty> {
        let _nested = self.nest()?;
        let (name, before) = path.split_last()?;
        let family = self.files[at.file].family;
        if !matches!(
            family,
            LanguageFamily::Jvm | LanguageFamily::CSharp | LanguageFamily::Ruby
        ) {
            return None;
        }
        let wanted = before.join(".");
        let types = self.types.get(name).into_iter().flatten();
        let of_path: Vec<TypeId> = types
            .copied()
            .take(NAMESAKES_MAX)
            .filter(|id| self.full_owner(*id) == wanted)
            .collect();
        if let Some(first) = of_path.first() {
            return Some(if of_path.len() == 1 {
                Ty::Type(*first)
            } else {
                Ty::union(of_path.into_iter().map(Ty::Type))
            });
        }
        let members: Vec<MemberId> = self
            .tops
            .get(name)
            .into_iter()
            .flatten()
            .copied()
            .filter(|id| self.files[id.0].origins.package == wanted)
            .collect();
        if !members.is_empty() {
            return Some(self.read_top(at, &members));
        }
        // A static member, brought in by its class.
        if at.depth < 20 && !before.is_empty() {
            let deeper = At {
                depth: at.depth + 1,
                ..at.clone()
            };
            if let Some(Ty::Type(owner)) = self.by_full_name(&deeper, before)
                && !self.find(owner, name).members.is_empty()
            {
                return Some(self.member_of(&deeper, &Ty::Type(owner), name));
            }
        }
        None
    }

    /// Returns a type with its other parts. A module of Ruby is opened again in each file that adds
    /// to it, a class of C# may be partial, and one of Kotlin is expected in one file and actual in
    /// others.
    pub(super) fn reopened(&self, id: TypeId) -> Vec<TypeId> {
        if !self.has_parts(id.0) {
            return vec![id];
        }
        let (kind, owner) = (self.kind(id), self.full_owner(id));
        let all = self.types.get(&kind.name).into_iter().flatten();
        let others = all.copied().filter(|other| {
            *other != id
                && self.has_parts(other.0)
                // `Shelf` and `Shelf<T>` are two classes of C#.
                && self.kind(*other).params.len() == kind.params.len()
                && self.full_owner(*other) == owner
        });
        std::iter::once(id).chain(others).collect()
    }

    /// Reports whether a type of a file may have parts in other files.
    fn has_parts(&self, file: usize) -> bool {
        let file = &self.files[file];
        match file.family {
            LanguageFamily::Ruby | LanguageFamily::CSharp => true,
            LanguageFamily::Jvm => file.path.ends_with(".kt"),
            _ => false,
        }
    }

    /// Returns the package and the outer types of a type, joined by dots.
    fn full_owner(&self, id: TypeId) -> String {
        let mut names = Vec::new();
        let mut outer = self.kind(id).outer;
        while let Some(number) = outer {
            let kind = self.kind((id.0, number));
            names.push(kind.name.as_str());
            outer = kind.outer;
        }
        let package = self.files[id.0].origins.package.as_str();
        if !package.is_empty() {
            names.push(package);
        }
        names.reverse();
        names.join(".")
    }

    fn python(&self, file: usize, import: &Import, depth: usize) -> Option<Ty> {
        let name = import.name.as_deref();
        let of = self.python_module(file, &import.module);
        match (of, name) {
            (Some(of), None) => Some(Ty::File(of)),
            // `from . import name` in `__init__.py` itself: `exported` would find this very import.
            (Some(of), Some(name)) if of == file => self
                .python_below(of, name)
                .map(Ty::File)
                .or_else(|| self.top_of(of, name, &At::new(of, 0))),
            (Some(of), Some(name)) => Some(self.exported(of, name, depth + 1)),
            (None, Some(name)) => {
                // `from . import x` in a folder without `__init__.py`.
                let dots = import.module.trim_end_matches('.').len() != import.module.len();
                let joined = if dots {
                    format!("{}{name}", import.module)
                } else {
                    format!("{}.{name}", import.module)
                };
                self.python_module(file, &joined).map(Ty::File)
            }
            (None, None) => None,
        }
    }

    /// Returns the file of a Python module, by its name in another file.
    fn python_module(&self, file: usize, module: &str) -> Option<usize> {
        let dots = module.len() - module.trim_start_matches('.').len();
        let parts: Vec<&str> = module[dots..]
            .split('.')
            .filter(|part| !part.is_empty())
            .collect();
        let tail = parts.join("/");
        // One dot is the folder of the file itself, each further one its parent.
        if dots > 0 {
            let mut folder = self.files[file].path.as_str();
            for _ in 0..dots {
                folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            }
            let base = match (folder.is_empty(), tail.is_empty()) {
                (true, _) => tail,
                (false, true) => folder.to_owned(),
                (false, false) => format!("{folder}/{tail}"),
            };
            return self.python_file(&base);
        }
        // The roots of packages are not known, so any path that ends in the module fits; the
        // shortest is nearest to a root.
        let last = parts.last()?;
        let ends = [
            format!("{tail}.py"),
            format!("{tail}/__init__.py"),
            format!("{tail}.pyi"),
            format!("{tail}/__init__.pyi"),
        ];
        let stems = [*last, "__init__"];
        let candidates = stems
            .iter()
            .filter_map(|stem| self.by_stem.get(*stem))
            .flatten()
            .copied();
        candidates
            .filter(|number| {
                let path = self.files[*number].path.as_str();
                ends.iter().any(|end| {
                    path.strip_suffix(end.as_str())
                        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
                })
            })
            .min_by_key(|number| self.files[*number].path.len())
    }

    fn python_file(&self, base: &str) -> Option<usize> {
        [".py", "/__init__.py", ".pyi", "/__init__.pyi"]
            .iter()
            .find_map(|end| {
                let path = format!("{base}{end}");
                self.by_path.get(path.trim_start_matches('/')).copied()
            })
    }

    /// Returns a module in the package whose `__init__.py` a file is.
    fn python_below(&self, file: usize, name: &str) -> Option<usize> {
        let folder = self.files[file]
            .path
            .strip_suffix("__init__.py")?
            .trim_end_matches('/');
        let base = if folder.is_empty() {
            name.to_owned()
        } else {
            format!("{folder}/{name}")
        };
        self.python_file(&base)
    }

    /// Returns the file of a script's module, by a path in another file or by the name of a
    /// package.
    fn script(&self, file: usize, module: &str) -> Option<usize> {
        if !module.starts_with('.') {
            return self.script_of_package(module);
        }
        let folder = self.files[file]
            .path
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        self.script_at(folder, module)
    }

    /// Returns the file of a module in a package of the tree, in the folders where packages keep
    /// their sources.
    fn script_of_package(&self, module: &str) -> Option<usize> {
        let mut found = self.own_packages(module).filter_map(|(folder, rest)| {
            let sources = format!("src/{rest}");
            let below = [sources.as_str(), rest];
            below.iter().find_map(|path| self.script_at(folder, path))
        });
        // If two packages have the name, the module stays open.
        let one = found.next()?;
        found.next().is_none().then_some(one)
    }

    /// Returns the file of a script by its path from a folder.
    fn script_at(&self, folder: &str, path: &str) -> Option<usize> {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        let base = parts.join("/");
        // TypeScript writes `./store.js` for the file `store.ts`.
        let bare = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"]
            .iter()
            .find_map(|end| base.strip_suffix(end));
        let of = |base: &str| {
            SCRIPT_ENDINGS
                .iter()
                .find_map(|end| self.by_path.get(&format!("{base}{end}")))
                .copied()
        };
        self.by_path
            .get(&base)
            .copied()
            .or_else(|| bare.and_then(of))
            .or_else(|| of(&base))
            .or_else(|| of(&format!("{base}/index")))
    }

    /// Returns the folder of a Go package, by the modules that the tree declares.
    fn go_folder(&self, module: &str) -> Option<String> {
        let modules = self
            .manifests
            .iter()
            .filter_map(|(path, text)| Some((path.strip_suffix("go.mod")?, text)));
        modules
            .filter_map(|(folder, text)| {
                let name = text
                    .lines()
                    .find_map(|line| line.trim().strip_prefix("module "))?;
                let below = module.strip_prefix(name.trim())?;
                let below = if below.is_empty() {
                    below
                } else {
                    below.strip_prefix('/')?
                };
                let whole = format!("{folder}{below}");
                Some((name.len(), whole.trim_end_matches('/').to_owned()))
            })
            // The longest name of a module wins: a module may lie in the folder of another.
            .max()
            .map(|(_, folder)| folder)
            .filter(|folder| self.by_folder.contains_key(folder))
    }
}
