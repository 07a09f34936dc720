//! What the words of a question are compared with in the tree: its files, folders and own names,
//! and where a name is defined.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use grounds_evidence::{
    FileRole, QuestionTarget, Relation, SymbolKind, TargetKind, WantedRelation, name,
};
use grounds_repo::area;
use grounds_repo::bench::Bench;
use grounds_repo::checkout::Checkout;
use grounds_repo::enquiry::Enquiry;
use grounds_repo::labels::{self, Fits, LabelledPlace, Sought};
use grounds_repo::limits::Limits;
use grounds_repo::means::Means;
use grounds_repo::needles::{Needles, OccurrenceForm, TARGETS_MAX};
use grounds_repo::path::{RepoPath, is_spelled};
use grounds_repo::role;
use grounds_repo::scope::SearchScope;
use grounds_repo::standing::NameStanding;
use grounds_repo::survey::{Hit, Progress, Survey};
use grounds_syntax::languages;

use crate::flag_lines::declared_in;
use crate::localise::{self, FileRanking};

/// Manifests whose `name` field is the name of the project.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "composer.json",
    "setup.cfg",
];

/// Number of files up to which all are labelled to see what a name is.
const FEW_FILES: usize = 8;

/// Maximum number of bytes of code that are searched for declarations of flags.
const FLAG_BYTES_MAX: usize = 64 << 20;

/// Everything that the tree shows about one name. Its places are labelled on demand.
#[derive(Debug, Default)]
pub(crate) struct KnownName {
    seen: Option<NameFiles>,
    /// Its definitions, as far as files were parsed that can contain one.
    defined: OnceCell<(Vec<LabelledPlace>, SearchScope)>,
    /// Whether there is a definition; known before all of them are.
    is_defined: OnceCell<bool>,
    is_imported: OnceCell<bool>,
    labelled: OnceCell<(Vec<LabelledPlace>, SearchScope)>,
}

/// The files that contain a name.
#[derive(Debug)]
struct NameFiles {
    pass: Rc<NamePass>,
    number: usize,
    checkout: Checkout,
    limits: Limits,
}

/// One search through all files for some names.
#[derive(Debug)]
struct NamePass {
    targets: Vec<QuestionTarget>,
    survey: Rc<Survey>,
    needles: Needles,
}

/// A checkout, prepared for questions.
pub(crate) struct QuestionTree<'c> {
    pub(crate) checkout: &'c Checkout,
    pub(crate) limits: Limits,
    pub(crate) files: Vec<RepoPath>,
    pub(crate) projects: BTreeSet<String>,
    means: Means,
    passes: RefCell<Vec<Rc<NamePass>>>,
    /// Names that the next pass includes.
    expected: RefCell<Vec<String>>,
    known: RefCell<BTreeMap<String, Rc<KnownName>>>,
    /// A text that may be ranked, so that the first pass counts its words; `None` if no ranking is
    /// expected.
    topic: Cell<Option<String>>,
    /// `None` in normal use. Otherwise searches are suppressed, and the value says whether one was
    /// requested.
    untouched: Cell<Option<bool>>,
    missing: OnceCell<SearchScope>,
    flags: OnceCell<BTreeMap<String, (RepoPath, usize)>>,
    /// Files that were read as a whole, and their size in bytes.
    read: RefCell<BTreeMap<String, u64>>,
    /// The last ranked text and its ranking; `None` before the first ranking.
    ranking: RefCell<Option<(String, Rc<FileRanking>)>>,
}

impl<'c> QuestionTree<'c> {
    pub(crate) fn new(checkout: &'c Checkout, limits: &Limits) -> Self {
        let files = area::file_names(checkout, limits);
        let mut tree = Self {
            checkout,
            limits: Limits {
                parse_bytes_max: limits.related_bytes_max,
                ..*limits
            },
            files,
            projects: BTreeSet::new(),
            means: Means::default(),
            passes: RefCell::default(),
            expected: RefCell::default(),
            known: RefCell::default(),
            topic: Cell::default(),
            untouched: Cell::default(),
            missing: OnceCell::new(),
            flags: OnceCell::new(),
            read: RefCell::default(),
            ranking: RefCell::default(),
        };
        tree.projects = tree.project_names();
        // The files read so far are for the name of the project, and not for the question.
        tree.read.take();
        tree
    }

    /// Returns the text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let path = RepoPath::of_shown(self.checkout.root(), path)?;
        let bytes = grounds_repo::text::read_whole(
            &self.checkout.root().join(path.as_path()),
            self.limits.file_bytes_max,
        );
        let bytes = bytes.ok()?;
        let mut read = self.read.borrow_mut();
        read.insert(path.as_str().to_owned(), bytes.len() as u64);
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the files that the words of a question refer to. The last ranking is kept.
    pub(crate) fn ranking(&self, text: &str, limits: &Limits) -> Rc<FileRanking> {
        let mut known = self.ranking.borrow_mut();
        if let Some((_, ranking)) = known.as_ref().filter(|(ranked, _)| ranked == text) {
            return Rc::clone(ranking);
        }
        let ranking = Rc::new(localise::rank(self.checkout, text, limits));
        *known = Some((text.to_owned(), Rc::clone(&ranking)));
        ranking
    }

    /// Returns the flags that code declares, without their dashes, each with its first file and its
    /// line from zero. The map is empty if the tree is too large to be searched for flags.
    pub(crate) fn flags(&self) -> &BTreeMap<String, (RepoPath, usize)> {
        self.flags.get_or_init(|| {
            let (mut flags, mut bytes) = (BTreeMap::new(), 0);
            let sources = self
                .files
                .iter()
                .filter(|file| role::of(file) == FileRole::Source);
            for file in sources {
                let text = self.text(file.as_str()).unwrap_or_default();
                bytes += text.len();
                if bytes > FLAG_BYTES_MAX {
                    // A part of the flags could not show that one is missing, nor how many there
                    // are.
                    return BTreeMap::new();
                }
                for (flag, at) in declared_in(&text) {
                    flags.entry(flag).or_insert_with(|| (file.clone(), at));
                }
            }
            flags
        })
    }

    /// Returns the names by which people call the project: its folder, and the names in its
    /// manifests.
    fn project_names(&self) -> BTreeSet<String> {
        let folder = self
            .checkout
            .root()
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase());
        let mut names: BTreeSet<String> = folder.into_iter().collect();
        for manifest in MANIFESTS {
            let text = self.text(manifest).unwrap_or_default();
            let named = text.lines().find_map(|line| {
                let line = line.trim().trim_start_matches('"');
                let rest = line
                    .strip_prefix("name")?
                    .trim_start_matches('"')
                    .trim_start();
                let value = rest.strip_prefix(['=', ':'])?.trim().trim_end_matches(',');
                value
                    .strip_prefix('"')?
                    .split('"')
                    .next()
                    .map(str::to_lowercase)
            });
            names.extend(
                named
                    .iter()
                    // `@scope/name` of npm and `vendor/name` of Composer are called by their last
                    // part.
                    .map(|name| name.rsplit('/').next().unwrap_or(name).to_owned()),
            );
        }
        let module = self.text("go.mod").unwrap_or_default();
        let module = module
            .lines()
            .find_map(|line| line.strip_prefix("module "))
            .map(str::to_owned);
        names.extend(module.iter().flat_map(|path| {
            path.trim()
                .rsplit('/')
                // The last part of a Go module path can be its major version:
                // `example.com/shop/v2`.
                .filter(|part| !is_major(part))
                .take(1)
                .map(str::to_lowercase)
        }));
        for file in &self.files {
            let name = file.file_name();
            let stem = [".gemspec", ".sln", ".csproj", ".podspec"]
                .iter()
                .find_map(|ending| name.strip_suffix(ending));
            // Project files further down belong to a part of the repository.
            if file.as_str().matches('/').count() < 2 {
                names.extend(stem.map(str::to_lowercase));
            }
        }
        names.retain(|name| name.len() > 1);
        names
    }

    /// Reports whether a word names the project itself.
    pub(crate) fn is_project(&self, word: &str) -> bool {
        self.projects.contains(&word.to_lowercase())
    }

    /// Returns the files that a path of a question refers to: the exact path, or else all paths
    /// that end with it.
    pub(crate) fn files_of(&self, asked: &str) -> Vec<&RepoPath> {
        let asked = asked.trim_start_matches("./").trim_end_matches('/');
        if let Some(file) = self.files.iter().find(|file| file.as_str() == asked) {
            return vec![file];
        }
        self.files
            .iter()
            .filter(|file| {
                file.as_str()
                    .strip_suffix(asked)
                    .is_some_and(|before| before.ends_with('/'))
            })
            .collect()
    }

    /// Returns the only file of code whose name without its ending is a word.
    pub(crate) fn file_of_stem(&self, word: &str) -> Option<String> {
        let is_code = |file: &&RepoPath| {
            // `__init__` is said as "init".
            file.stem().trim_matches('_') == word.trim_matches('_')
                && grounds_syntax::languages::of_name(file.file_name()).is_some()
        };
        let mut files = self.files.iter().filter(is_code);
        match (files.next(), files.next()) {
            (Some(only), None) => Some(only.as_str().to_owned()),
            _ => None,
        }
    }

    /// Returns the folders that a path of a question refers to.
    pub(crate) fn folders_of(&self, asked: &str) -> BTreeSet<String> {
        let asked = asked.trim_start_matches("./").trim_matches('/').to_owned();
        let mut folders = BTreeSet::new();
        if asked.is_empty() {
            return folders;
        }
        for file in &self.files {
            let path = file.as_str();
            let inside = path
                .strip_prefix(&asked)
                .is_some_and(|rest| rest.starts_with('/'));
            if inside {
                folders.insert(asked.clone());
            } else if let Some(at) = path.find(&format!("/{asked}/")) {
                folders.insert(path[..=at + asked.len()].to_owned());
            }
        }
        match folders.contains(&asked) {
            true => BTreeSet::from([asked]),
            false => folders,
        }
    }

    /// Reports whether a folder exists, hidden ones included.
    pub(crate) fn has_folder(&self, asked: &str) -> bool {
        let Some(path) = RepoPath::relative(std::path::Path::new(asked)) else {
            return false;
        };
        let root = self.checkout.root();
        // The list of files leaves out hidden folders. On a disk that ignores case the spelling is
        // compared too.
        let is_here = || root.join(path.as_path()).is_dir() && is_spelled(root, path.as_path());
        !self.folders_of(asked).is_empty() || is_here()
    }

    /// Announces names of the question, so that the next pass includes them.
    pub(crate) fn expect(&self, names: impl IntoIterator<Item = String>) {
        self.expected.borrow_mut().extend(names);
    }

    /// Announces that a text may be ranked once the names are known.
    pub(crate) fn expect_ranking(&self, text: &str) {
        self.topic.set(Some(text.to_owned()));
    }

    /// Runs a function with searches suppressed. Returns `None` if it needed one.
    pub(crate) fn untouched<T>(&self, find: impl FnOnce() -> T) -> Option<T> {
        self.untouched.set(Some(false));
        let found = find();
        let was_needed = self.untouched.take() == Some(true);
        (!was_needed).then_some(found)
    }

    /// Reports whether searches are suppressed.
    pub(crate) fn is_untouched(&self) -> bool {
        self.untouched.get().is_some()
    }

    /// Returns what the tree shows about some names. Names that were not searched for share one
    /// pass.
    pub(crate) fn know(&self, names: &[&str]) -> Vec<Rc<KnownName>> {
        if self.is_untouched() {
            // The result of the caller is discarded, so an empty answer is enough.
            self.untouched.set(Some(true));
            return names.iter().map(|_| Rc::default()).collect();
        }
        let mut missing: Vec<String> = Vec::new();
        for name in names {
            if self.passed(name).is_none() && !missing.iter().any(|other| other == name) {
                missing.push((*name).to_owned());
            }
        }
        for some in missing.chunks(TARGETS_MAX) {
            self.pass(some);
        }
        names.iter().map(|name| self.known(name)).collect()
    }

    /// Returns the pass that searched for a name, and the number of the name in it.
    fn passed(&self, name: &str) -> Option<(Rc<NamePass>, usize)> {
        self.passes.borrow().iter().find_map(|pass| {
            let number = pass.targets.iter().position(|target| target.text == name)?;
            Some((Rc::clone(pass), number))
        })
    }

    fn pass(&self, names: &[String]) {
        let mut texts = names.to_vec();
        for name in self.expected.take() {
            let is_new = !texts.contains(&name) && self.passed(&name).is_none();
            if is_new && texts.len() < TARGETS_MAX {
                texts.push(name);
            }
        }
        let target = |text: String| QuestionTarget {
            kind: if name::path_segments(&text).len() > 1 {
                TargetKind::SymbolPath
            } else {
                TargetKind::Identifier
            },
            text,
            wanted: WantedRelation::Uses,
        };
        let enquiry = Enquiry {
            targets: texts.into_iter().map(target).collect(),
            ..Enquiry::default()
        };
        if let Some(text) = self.topic.take() {
            localise::expect(self.checkout, &text, &self.limits);
        }
        let progress = Progress::default();
        let bench = Bench::new(
            self.checkout,
            &self.limits,
            &enquiry,
            &self.means,
            &progress,
        );
        let (survey, needles) = bench.into_pass();
        self.passes.borrow_mut().push(Rc::new(NamePass {
            targets: enquiry.targets,
            survey,
            needles,
        }));
    }

    /// Returns what the tree shows about a name that was searched for.
    fn known(&self, name: &str) -> Rc<KnownName> {
        if let Some(known) = self.known.borrow().get(name) {
            return Rc::clone(known);
        }
        let seen = self.passed(name).map(|(pass, number)| NameFiles {
            pass,
            number,
            checkout: self.checkout.clone(),
            limits: self.limits,
        });
        let known = Rc::new(KnownName {
            seen,
            ..KnownName::default()
        });
        let mut all = self.known.borrow_mut();
        Rc::clone(all.entry(name.to_owned()).or_insert(known))
    }

    /// Returns the files that git tracks and that are missing on disk, which no pass can see.
    pub(crate) fn missing(&self) -> &SearchScope {
        self.missing.get_or_init(|| {
            let mut missing = SearchScope::default();
            grounds_repo::tracked::told(self.checkout, &mut missing);
            missing
        })
    }

    /// Returns what was read for all names, or the files that were read if there are no names.
    pub(crate) fn scope(&self) -> SearchScope {
        let (known, read) = (self.known.borrow(), self.read.borrow());
        let mut most = SearchScope {
            files_searched: if known.is_empty() {
                read.len() as u64
            } else {
                0
            },
            bytes_searched: if known.is_empty() {
                read.values().sum()
            } else {
                0
            },
            ..SearchScope::default()
        };
        // The passes read the same files, so the largest scope counts and not their sum.
        for one in known.values() {
            let scope = one.scope_so_far();
            if scope.files_searched > most.files_searched {
                most = scope;
            }
        }
        most
    }

    /// Reports whether a name is defined in the tree, by its last part.
    pub(crate) fn defines(&self, name: &str) -> bool {
        let last = last_part(name);
        self.know(&[last])[0].is_defined()
    }

    /// Reports whether the tree defines a name as a type.
    pub(crate) fn is_type(&self, name: &str) -> bool {
        use SymbolKind::{Class, Enum, Interface, Object, Struct, Trait, TypeAlias};
        self.know(&[last_part(name)])[0].definitions().any(|place| {
            matches!(
                place.kind,
                Some(Class | Enum | Interface | Object | Struct | Trait | TypeAlias)
            )
        })
    }

    /// Reports whether a name is a type that can be a base: a type of the tree, or one that heads
    /// in the tree inherit from.
    pub(crate) fn is_base(&self, name: &str) -> bool {
        use SymbolKind::{Class, Interface, Struct, Trait, TypeAlias};
        let known = self.know(&[last_part(name)]).remove(0);
        let is_one = |place: &LabelledPlace| {
            matches!(
                place.kind,
                Some(Class | Interface | Struct | Trait | TypeAlias)
            )
        };
        match known.is_defined() {
            true => known.definitions().any(is_one),
            false => known
                .uses()
                .any(|place| place.relation == Relation::Inherits),
        }
    }
}

impl NameFiles {
    fn label(&self, label: labels::Labeller<'_>) -> (Vec<LabelledPlace>, SearchScope) {
        let NamePass {
            targets,
            survey,
            needles,
        } = &*self.pass;
        let target = &targets[self.number];
        let found = label(
            &self.checkout,
            survey,
            needles,
            self.number,
            target,
            &self.limits,
        );
        (self.sorted(found.places), found.scope)
    }

    /// Reports whether a plain name is in so many files that not all are labelled to see what it
    /// is.
    fn is_in_many_files(&self) -> bool {
        let text = &self.pass.targets[self.number].text;
        let files = self.pass.survey.files.iter();
        let files = files.filter(|file| file.exact[self.number] > 0);
        name::path_segments(text).len() < 2 && files.count() > FEW_FILES
    }

    /// Reports whether an occurrence is what is sought, and what could not be labelled for it.
    fn any(&self, sought: Sought, fits: Fits<'_>) -> (bool, SearchScope) {
        let NamePass {
            targets,
            survey,
            needles,
        } = &*self.pass;
        labels::any(
            (sought, fits),
            &self.checkout,
            survey,
            needles,
            self.number,
            &targets[self.number],
            &self.limits,
        )
    }

    /// Reports whether some line of code looks like a definition of the name.
    fn seems_defined(&self) -> bool {
        let is_likely = |hit: &Hit| {
            usize::from(hit.target) == self.number
                && hit.form == OccurrenceForm::Asked
                && hit.standing == NameStanding::Likely
        };
        let mut files = self.pass.survey.files.iter();
        files.any(|file| {
            role::is_code(role::of(&file.path), &file.path) && file.hits.iter().any(is_likely)
        })
    }

    /// Returns the places in some files.
    fn label_in(&self, paths: &[&str]) -> (Vec<LabelledPlace>, SearchScope) {
        let (places, scope) = labels::label_some(
            &self.checkout,
            &self.pass.survey,
            &self.pass.needles,
            self.number,
            &self.pass.targets[self.number],
            &self.limits,
            paths,
        );
        (self.sorted(places), scope)
    }

    fn sorted(&self, mut places: Vec<LabelledPlace>) -> Vec<LabelledPlace> {
        let text = &self.pass.targets[self.number].text;
        let is_path = name::path_segments(text).len() > 1;
        places.retain(|place| place.form == OccurrenceForm::Asked || is_path);
        places.sort_by(|one, other| {
            (one.role, &one.path, one.line, one.column).cmp(&(
                other.role,
                &other.path,
                other.line,
                other.column,
            ))
        });
        places
    }
}

impl KnownName {
    /// Returns its occurrences, spelled as asked.
    pub(crate) fn places(&self) -> &[LabelledPlace] {
        &self.labelled().0
    }

    fn labelled(&self) -> &(Vec<LabelledPlace>, SearchScope) {
        let label = || self.seen.as_ref().map(|seen| seen.label(&labels::label));
        self.labelled.get_or_init(|| label().unwrap_or_default())
    }

    fn defined(&self) -> &(Vec<LabelledPlace>, SearchScope) {
        let seen = self.seen.as_ref();
        let label = || seen.map(|seen| seen.label(&labels::definitions));
        self.defined.get_or_init(|| label().unwrap_or_default())
    }

    /// Returns its occurrences in some files, and what was read for them.
    pub(crate) fn places_in(&self, paths: &[&str]) -> (Vec<LabelledPlace>, SearchScope) {
        let is_in = |place: &&LabelledPlace| paths.contains(&place.path.as_str());
        match (&self.seen, self.labelled.get()) {
            // Only these files are labelled, unless all were labelled already.
            (Some(seen), None) => {
                let (places, labelled) = seen.label_in(paths);
                let mut scope = seen.pass.survey.scope.clone();
                scope.merge(&labelled);
                (places, scope)
            }
            _ => {
                let places = self.places().iter().filter(is_in).cloned();
                (places.collect(), self.scope())
            }
        }
    }

    /// Returns its occurrences in files of a language, as their names say.
    pub(crate) fn places_of(&self, language: &str) -> Vec<LabelledPlace> {
        let (Some(seen), None) = (&self.seen, self.labelled.get()) else {
            let places = self.places().iter();
            return places
                .filter(|place| place.language == language)
                .cloned()
                .collect();
        };
        let is_of =
            |name: &str| languages::of_name(name).is_some_and(|of_name| of_name.name == language);
        let files = seen.pass.survey.files.iter().map(|file| &file.path);
        let files = files.filter(|path| is_of(path.file_name()));
        let paths: Vec<&str> = files.map(RepoPath::as_str).collect();
        seen.label_in(&paths).0
    }

    /// Returns what was read for the name.
    pub(crate) fn scope(&self) -> SearchScope {
        self.labelled();
        self.scope_so_far()
    }

    fn scope_so_far(&self) -> SearchScope {
        let pass = self
            .seen
            .as_ref()
            .map(|seen| seen.pass.survey.scope.clone());
        let mut scope = pass.unwrap_or_default();
        match (self.labelled.get(), self.defined.get()) {
            (Some((_, labelled)), _) => scope.merge(labelled),
            (None, Some((_, defined))) => scope.merge(defined),
            (None, None) => {}
        }
        scope
    }

    /// Reports whether its letters occur anywhere, also as a part of a longer name (`empty` of
    /// `empty?`).
    pub(crate) fn occurs(&self) -> bool {
        let seen = self.seen.as_ref();
        seen.is_some_and(|seen| seen.pass.survey.counts[seen.number].exact() > 0)
    }

    /// Reports whether the name occurs nowhere.
    pub(crate) fn is_absent(&self) -> bool {
        !self.occurs() || !self.is_defined() && !self.has(Sought::Anything)
    }

    /// Reports whether the tree defines the name.
    pub(crate) fn is_defined(&self) -> bool {
        let look = || self.has(Sought::Definition);
        *self.is_defined.get_or_init(look)
    }

    /// Reports whether some line looks like a definition of the name. This is only a guess.
    pub(crate) fn seems_defined(&self) -> bool {
        self.seen.as_ref().is_some_and(NameFiles::seems_defined)
    }

    /// Reports whether a fitting definition is found before all are known.
    ///
    /// False means nothing for a name in few files, of which all definitions are known soon.
    pub(crate) fn has_definition(&self, fits: Fits<'_>) -> bool {
        let looks = |seen: &&NameFiles| self.defined.get().is_none() && seen.is_in_many_files();
        let seen = self.seen.as_ref().filter(looks);
        let is_it = |place: &LabelledPlace| place.relation == Relation::Defines && fits(place);
        seen.is_some_and(|seen| seen.any(Sought::Definition, &is_it).0)
    }

    /// Reports whether an occurrence is what is sought. In many files the first one ends the
    /// search.
    fn has(&self, sought: Sought) -> bool {
        let is = |relation: Relation| self.places().iter().any(|place| place.relation == relation);
        let is_known = match sought {
            Sought::Definition => self.defined.get().is_some(),
            Sought::Import | Sought::Anything => self.labelled.get().is_some(),
        };
        let looks = |seen: &&NameFiles| !is_known && seen.is_in_many_files();
        let Some(seen) = self.seen.as_ref().filter(looks) else {
            return match sought {
                Sought::Definition => !self.defined().0.is_empty(),
                Sought::Import => is(Relation::Imports),
                Sought::Anything => !self.places().is_empty(),
            };
        };
        let (is_found, scope) = seen.any(sought, &|_| true);
        if !is_found && sought == Sought::Definition {
            // The search went through all files and found none, so the result is complete and need
            // not be repeated.
            self.defined.get_or_init(|| (Vec::new(), scope));
        }
        is_found
    }

    /// Reports whether a file with this path, or with this ending of a path, defines the name.
    pub(crate) fn is_defined_in(&self, file: &str) -> bool {
        let is_it = |path: &str| {
            let start = path.strip_suffix(file);
            start.is_some_and(|start| start.is_empty() || start.ends_with('/'))
        };
        let mut places = self.defined().0.iter();
        places.any(|place| is_it(place.path.as_str()))
    }

    /// Reports whether some file imports the name.
    pub(crate) fn is_imported(&self) -> bool {
        *self.is_imported.get_or_init(|| self.has(Sought::Import))
    }

    /// Reports whether some code calls the name.
    pub(crate) fn is_called(&self) -> bool {
        let mut places = self.places().iter();
        places.any(|place| place.relation == Relation::Calls)
    }

    /// Returns the places that introduce the name.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &LabelledPlace> {
        let strong = |places: &[LabelledPlace]| {
            places
                .iter()
                .any(|place| place.relation == Relation::Defines)
        };
        let is_known = self.labelled.get().is_none() && strong(&self.defined().0);
        let places = if is_known {
            &self.defined().0
        } else {
            self.places()
        };
        let strong = strong(places);
        places.iter().filter(move |place| match place.relation {
            Relation::Defines => true,
            // A declaration (a prototype of C) counts only if the tree has no definition.
            Relation::Declares => !strong,
            _ => false,
        })
    }

    /// Returns its uses in code, without imports.
    pub(crate) fn uses(&self) -> impl Iterator<Item = &LabelledPlace> {
        self.places().iter().filter(|place| is_use(place))
    }
}

/// Reports whether a place uses a name in code, and does not import it.
pub(crate) const fn is_use(place: &LabelledPlace) -> bool {
    matches!(
        place.relation,
        Relation::Calls | Relation::Inherits | Relation::References
    )
}

/// Returns the last name of a symbol path.
pub(crate) fn last_part(text: &str) -> &str {
    name::path_segments(text).last().copied().unwrap_or(text)
}

/// Returns the names before the last one, outermost first.
pub(crate) fn owners(text: &str) -> Vec<&str> {
    let mut parts = name::path_segments(text);
    parts.pop();
    parts
}

fn is_major(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()))
}
