//! What documents state about the things that a change alters: lines that were true before it and
//! are false after it.
//!
//! diff → altered names (`altered`) → documents that have one → their claims (`grounds-check`) →
//! the files that decide them, at both sides (`room`) → what broke. Each step runs only if the one
//! before it found something: a change that alters no name, or no name that documents mention,
//! reads no code and no document twice.

mod altered;
mod room;
mod told;
mod world;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use grounds_check::CheckedDocument;
use grounds_check::between::Stated as Claims;
use grounds_check::project;
use grounds_evidence::FileRole;
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;
use grounds_repo::{role, words};
use regex::bytes::Regex;

use super::limits::RuleLimits;
use super::report::Unread;
use crate::diff::Diff;
use altered::Alteration;
use room::Rooms;
pub(crate) use world::BothSides;
pub(crate) use world::{TreeWorld, World};

/// Files that say how the project is named and how its documents are built.
const MARKS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "composer.json",
    "setup.cfg",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "README.md",
    "__init__.py",
    "mod.rs",
    "book.toml",
    "mkdocs.yml",
    "conf.py",
    "_config.yml",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "Makefile",
    "justfile",
];
/// Maximum number of folders above such a file.
const MARK_DEPTH_MAX: usize = 2;
/// Maximum number of such files that are read.
const MARKS_MAX: usize = 400;

/// A statement of documents that is no longer true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    /// The line of the change that makes it false; `None` if what it was about is gone.
    pub(crate) line: Option<u32>,
    /// The text of that line, or of the removed one.
    pub(crate) quote: String,
    /// The name that was altered.
    pub(crate) name: String,
    /// What is true now, and where documents say otherwise.
    pub(crate) message: String,
    /// Whether a check of the document alone would at most note it.
    pub(crate) is_note: bool,
}

/// A source of the statements of documents about what a change alters.
pub(crate) trait Stated: Sync {
    /// Returns the statements of documents that a changed file, by its place in the diff, makes
    /// false.
    ///
    /// # Errors
    /// The reason that this is not known.
    fn of(&self, file: usize) -> Result<Vec<Stale>, Unread>;
}

/// The documents of the reviewed side, searched once for the whole change.
pub(crate) struct InDocuments<'w> {
    world: &'w dyn World,
    diff: &'w Diff,
    limits: &'w RuleLimits,
    found: OnceLock<Result<Vec<(usize, Stale)>, Unread>>,
    alteration: OnceLock<Alteration>,
}

impl<'w> InDocuments<'w> {
    /// Returns the documents around a change. Nothing is read before it is needed.
    pub(crate) const fn new(world: &'w dyn World, diff: &'w Diff, limits: &'w RuleLimits) -> Self {
        Self {
            world,
            diff,
            limits,
            found: OnceLock::new(),
            alteration: OnceLock::new(),
        }
    }

    fn look(&self, alteration: &Alteration) -> Result<Vec<(usize, Stale)>, Unread> {
        let names = alteration.altered.words.len() + alteration.altered.paths.len();
        if names == 0 {
            return Ok(Vec::new());
        }
        let most = self.limits.stated_names_max;
        bound(names, most, "names are altered", "stated_names_max")?;
        let paths = self.world.paths()?;
        let documents = self.documents(alteration, &paths)?;
        match documents.is_empty() {
            true => Ok(Vec::new()),
            false => self.decide(alteration, &documents, &paths),
        }
    }

    /// Returns the claims in some documents that the change breaks.
    fn decide(
        &self,
        alteration: &Alteration,
        documents: &[CheckedDocument],
        paths: &[String],
    ) -> Result<Vec<(usize, Stale)>, Unread> {
        let mut rooms = Rooms::make(&self.world.name(), self.limits.stated_bytes_max)?;
        let marks: BTreeSet<&str> = paths
            .iter()
            .map(String::as_str)
            .filter(|path| is_mark(path))
            .take(MARKS_MAX)
            .collect();
        // The names of the project are read first: they decide which claims are about it, and only
        // the files for those claims are laid out below.
        self.lay_out(&mut rooms, &marks)?;
        let own = project::names(&open(&rooms.head)?);
        let claims = Claims::of(documents, own, &alteration.altered);
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let deciding = self.deciding(&claims.words(), alteration, paths)?;
        let stating = claims.documents().into_iter();
        let mut needed: BTreeSet<&str> = deciding.iter().map(String::as_str).collect();
        needed.extend(stating.map(|number| documents[number].name.as_str()));
        needed.retain(|path| !marks.contains(path));
        self.lay_out(&mut rooms, &needed)?;
        self.lay_out_changed(&mut rooms)?;
        let sides = (&open(&rooms.base)?, &open(&rooms.head)?);
        let broken = claims.broken(sides, &alteration.altered, &Limits::default());
        Ok(told::of(&broken, documents, alteration, self.diff))
    }

    /// Returns the documents that contain an altered name.
    fn documents(
        &self,
        alteration: &Alteration,
        paths: &[String],
    ) -> Result<Vec<CheckedDocument>, Unread> {
        let listed: Vec<&str> = paths
            .iter()
            .map(String::as_str)
            .filter(|path| is_document(path))
            .collect();
        bound(
            listed.len(),
            self.limits.documents_max,
            "documents",
            "documents_max",
        )?;
        let look = spellings(alteration)?;
        let (mut documents, mut bytes_read) = (Vec::new(), 0);
        self.world.each(&listed, &mut |index, bytes| {
            bytes_read += bytes.len();
            if look.is_match(bytes) {
                documents.push(CheckedDocument::new(
                    listed[index],
                    &String::from_utf8_lossy(bytes),
                ));
            }
            bytes_read <= self.limits.documents_bytes_max
        })?;
        bound(
            bytes_read,
            self.limits.documents_bytes_max,
            "bytes of documents",
            "documents_bytes_max",
        )?;
        documents.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(documents)
    }

    /// Returns the files that contain a word which decides a claim, and those whose name is that of
    /// a path which is gone.
    fn deciding(
        &self,
        wanted: &BTreeSet<String>,
        alteration: &Alteration,
        paths: &[String],
    ) -> Result<BTreeSet<String>, Unread> {
        let last = |path: &str| {
            path.rsplit('/')
                .next()
                .unwrap_or_default()
                .split('.')
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let gone: BTreeSet<String> = alteration
            .altered
            .paths
            .keys()
            .map(|path| last(path))
            .collect();
        let mut found: BTreeSet<String> = paths
            .iter()
            .filter(|path| gone.contains(&last(path)))
            .cloned()
            .collect();
        let listed: Vec<&str> = paths
            .iter()
            .map(String::as_str)
            // Documents state things; only code and configuration decide them.
            .filter(|path| !words::is_prose(path))
            .collect();
        if !wanted.is_empty() {
            // Parts of longer words would bring in files that decide nothing, up to the limit.
            let look = any_of(wanted.iter().map(|word| whole(word)))?;
            self.world.each(&listed, &mut |index, bytes| {
                if look.is_match(bytes) {
                    found.insert(listed[index].to_owned());
                }
                found.len() <= self.limits.stated_files_max
            })?;
        }
        let what = "files may decide what documents state";
        bound(
            found.len(),
            self.limits.stated_files_max,
            what,
            "stated_files_max",
        )?;
        Ok(found)
    }

    /// Lays out files that the change does not touch, the same at both sides.
    fn lay_out(&self, rooms: &mut Rooms, paths: &BTreeSet<&str>) -> Result<(), Unread> {
        let changed: BTreeSet<&str> = self
            .diff
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        let listed: Vec<&str> = paths
            .iter()
            .copied()
            .filter(|path| !changed.contains(path))
            .collect();
        let mut put = Ok(());
        self.world.each(&listed, &mut |index, bytes| {
            put = rooms.put((listed[index], Some(bytes)), (listed[index], Some(bytes)));
            put.is_ok()
        })?;
        put
    }

    fn lay_out_changed(&self, rooms: &mut Rooms) -> Result<(), Unread> {
        for file in &self.diff.files {
            let (base, head) = self.world.sides(file)?;
            rooms.put(
                (file.path_at_base(), base.as_deref()),
                (&file.path, head.as_deref()),
            )?;
        }
        Ok(())
    }
}

impl Stated for InDocuments<'_> {
    fn of(&self, file: usize) -> Result<Vec<Stale>, Unread> {
        let alteration = self.alteration.get_or_init(|| altered::of(self.diff));
        let found = match self.found.get_or_init(|| self.look(alteration)) {
            Ok(found) => found,
            Err(unread) if alteration.sites.values().any(|site| site.file == file) => {
                return Err(unread.clone());
            }
            // A limit leaves only the files open that alter something.
            Err(_) => return Ok(Vec::new()),
        };
        let of_file = found.iter().filter(|(number, _)| *number == file);
        Ok(of_file.map(|(_, stale)| stale.clone()).collect())
    }
}

/// Returns a pattern for the spellings of what was altered: `maxSize` can be `max-size` in a
/// document, and `max_size` too.
fn spellings(alteration: &Alteration) -> Result<Regex, Unread> {
    let names = alteration.altered.words.iter().map(|word| {
        let mut humps = String::new();
        for letter in word.chars() {
            let is_hump = letter.is_uppercase() && humps.ends_with(char::is_lowercase);
            humps.extend(is_hump.then_some('-'));
            humps.push(letter);
        }
        // The flag `--max-size` and the field `max_size` are one name.
        let spelled = regex::escape(word).replace('_', "[-_]");
        format!("{spelled}|(?i:{})", regex::escape(&humps))
    });
    let paths = alteration.altered.paths.keys();
    let paths = paths.map(|path| regex::escape(path.rsplit('/').next().unwrap_or(path)));
    any_of(names.chain(paths))
}

/// Returns a pattern for a whole word. An end that is not a letter, as in `--flag`, has no boundary
/// of a word.
fn whole(word: &str) -> String {
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter == '_' || letter.is_ascii_alphanumeric())
    };
    let edge = |letter| if is_word(letter) { r"(?-u:\b)" } else { "" };
    let (first, last) = (edge(word.chars().next()), edge(word.chars().next_back()));
    format!("{first}{}{last}", regex::escape(word))
}

fn any_of(patterns: impl Iterator<Item = String>) -> Result<Regex, Unread> {
    let patterns: Vec<String> = patterns.collect();
    Regex::new(&patterns.join("|"))
        .map_err(|error| Unread::bound(format!("the altered names cannot be looked for: {error}")))
}

fn bound(count: usize, most: usize, what: &str, name: &str) -> Result<(), Unread> {
    match count > most {
        true => Err(Unread::bound(format!(
            "{count} {what}, more than {most} ({name})"
        ))),
        false => Ok(()),
    }
}

fn open(folder: &std::path::Path) -> Result<Checkout, Unread> {
    Checkout::open(folder).map_err(Unread::failed)
}

/// Reports whether a file is a document of the project that may state what its code does. A record
/// of versions states what was.
fn is_document(path: &str) -> bool {
    const ENDINGS: [&str; 6] = [".md", ".mdx", ".markdown", ".rst", ".adoc", "README"];
    const RECORDS: [&str; 6] = [
        "change",
        "history",
        "news",
        "release",
        "upgrading",
        "migrat",
    ];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let is_own = matches!(
        role::of_shown(path),
        FileRole::Documentation | FileRole::Data | FileRole::Source
    );
    is_own
        && ENDINGS.iter().any(|ending| path.ends_with(ending))
        && !RECORDS.iter().any(|record| name.contains(record))
}

fn is_mark(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.matches('/').count() <= MARK_DEPTH_MAX && MARKS.contains(&name)
}

#[cfg(test)]
mod tests;
