//! The tree and its history, as far as the claims of a run name something of them. All of it is
//! looked up at once.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use crate::document::CheckedDocument;
use crate::lookup::Missing;
use grounds_repo::checkout::Checkout;
use grounds_repo::git::GitError;
use grounds_repo::history::{
    GonePath, GoneWord, HistoryReading, Past, ReadBack, Repository, short, spoken_of,
};
use grounds_repo::limits::Limits;
use grounds_repo::scope::SearchScope;
use grounds_repo::words::{self, Sighting, TreeWords};
use grounds_repo::{text, tracked};

/// Bytes of a manifest that are read.
const MANIFEST_BYTES_MAX: u64 = 1 << 20;

/// Most pages that are searched for the pages that they include.
const PAGES_READ_MAX: usize = 20_000;

/// Longest line, in bytes, that may include a page.
const LINE_BYTES_MAX: usize = 400;

/// Letters of a type's name behind those that a registry takes: `Rule`, `Command`, `Middleware`.
const ENDING_MAX: usize = 12;

/// Most paths that a message names; the rest are counted.
const NAMED_MAX: usize = 3;

/// The message on a history that was not read to its end.
const CUT: &str = "the history is shallow, a part of it failed, or a bound of it was reached";

/// The known facts about the tree.
pub struct Facts<'c> {
    checkout: &'c Checkout,
    limits: &'c Limits,
    words: BTreeMap<String, Option<Sighting>>,
    paths_with: RefCell<BTreeMap<String, Rc<BTreeSet<String>>>>,
    asked: RefCell<BTreeSet<String>>,
    /// Every file of the tree.
    pub files: BTreeSet<String>,
    /// Every folder of the tree.
    pub folders: BTreeSet<String>,
    by_name: BTreeMap<String, Vec<String>>,
    gone_words: BTreeMap<String, GoneWord>,
    gone_paths: BTreeMap<String, GonePath>,
    spoken: BTreeSet<String>,
    /// Why the history could not be read to its end, or `None` if it was.
    pub history_gap: Option<String>,
    /// Why no index of the history is kept, or `None` if one is, or if none was wanted.
    pub history_unkept: Option<String>,
    identifiers: OnceCell<BTreeMap<(char, usize), Vec<String>>>,
    /// The lines of the tree's pages that include other pages, each with its page.
    taking_in: OnceCell<Vec<(String, String)>>,
    /// The files that git tracks, or `None` if git cannot list them.
    tracked: OnceCell<Option<BTreeSet<String>>>,
    /// What was read of the tree.
    pub scope: SearchScope,
}

impl<'c> Facts<'c> {
    /// Looks up words in one pass over the tree.
    pub fn of(checkout: &'c Checkout, limits: &'c Limits, wanted: &BTreeSet<String>) -> Self {
        let list: Vec<String> = wanted.iter().cloned().collect();
        let found = words::words(checkout, &list, limits);
        Self::from(checkout, limits, list, found)
    }

    /// Returns facts without any look-up, for a run whose claims all stand from an earlier one.
    pub(crate) fn none(checkout: &'c Checkout, limits: &'c Limits) -> Self {
        Self::from(checkout, limits, Vec::new(), TreeWords::default())
    }

    fn from(
        checkout: &'c Checkout,
        limits: &'c Limits,
        list: Vec<String>,
        found: TreeWords,
    ) -> Self {
        let folders = found
            .files
            .iter()
            .flat_map(|file| ancestors(file))
            .collect();
        // By the name in small letters, because links are written in another case than the file.
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in &found.files {
            let name = grounds_repo::path::file_name(file);
            by_name
                .entry(name.to_ascii_lowercase())
                .or_default()
                .push(file.clone());
        }
        Self {
            checkout,
            limits,
            paths_with: RefCell::new(by_word(&list, found.paths_with)),
            asked: RefCell::default(),
            words: list.into_iter().zip(found.found).collect(),
            files: found.files,
            folders,
            by_name,
            gone_words: BTreeMap::new(),
            gone_paths: BTreeMap::new(),
            spoken: BTreeSet::new(),
            history_gap: None,
            history_unkept: None,
            identifiers: OnceCell::new(),
            taking_in: OnceCell::new(),
            tracked: OnceCell::new(),
            scope: found.scope,
        }
    }

    /// Looks up in the history what the tree does not have, through the kept index if there is one.
    pub(crate) fn look_back(
        &mut self,
        missing: &Missing,
        documents: &[CheckedDocument],
        reading: &HistoryReading,
    ) {
        if missing.words.is_empty() && missing.paths.is_empty() {
            return;
        }
        let Some(top) = self.checkout.git_top() else {
            self.history_gap = Some("there is no git history here".to_owned());
            return;
        };
        let read = Repository::open(top, self.limits.history_ms_max)
            .and_then(|repository| self.read_back(&repository, missing, documents, reading));
        // The tree was read all the same, so a fault of git is a gap and not an error.
        self.history_gap = match read {
            Ok(gaps) => (!gaps.is_empty()).then_some(gaps),
            Err(error) => Some(error.to_string()),
        };
    }

    /// Looks up in a repository what the tree does not have. Returns what could not be read.
    fn read_back(
        &mut self,
        repository: &Repository,
        missing: &Missing,
        documents: &[CheckedDocument],
        reading: &HistoryReading,
    ) -> Result<String, GitError> {
        let mut past = Past::open(repository, reading, self.limits)?;
        let (gone, all_words) = past.gone_words(&missing.words)?;
        self.gone_words = gone;
        let (gone, all_paths) = past.gone_paths(&missing.paths)?;
        self.gone_paths = gone;
        self.history_unkept = past.unkept.take();
        let removed = self.removed();
        // A text that is not of the tree speaks of today's.
        let is_of_tree = documents.iter().any(|document| self.is_of_tree(document));
        let (spoken, all_spoken) = match is_of_tree {
            true => spoken_of(repository, &removed, &patterns(documents)),
            false => (BTreeSet::new(), true),
        };
        self.spoken = spoken;
        let all = all_words && all_paths && all_spoken && missing.is_whole;
        let is_cut = !all || !repository.extent.boundary.is_empty();
        let cut = is_cut.then(|| CUT.to_owned());
        let back = past.read_back.take();
        let back = back.map(|back| told_back(&back, reading.commits_max));
        let unread = unread(&past.left_out);
        let gaps: Vec<String> = back.into_iter().chain(cut).chain(unread).collect();
        Ok(gaps.join("; "))
    }

    /// Takes what a change removed as what is gone, instead of reading the history. Documents named
    /// it rightly until the change, so it counts as spoken of.
    pub(crate) fn take_removed(
        &mut self,
        words: BTreeMap<String, GoneWord>,
        paths: BTreeMap<String, GonePath>,
    ) {
        let names = words.keys().chain(paths.keys());
        self.spoken.extend(names.cloned());
        self.gone_words = words;
        self.gone_paths = paths;
    }

    /// Returns the names that are gone, by the commit that removed each.
    fn removed(&self) -> BTreeMap<String, BTreeSet<String>> {
        let words = self.gone_words.iter();
        let paths = self.gone_paths.iter();
        let gone = words
            .map(|(word, gone)| (&gone.commit, word))
            .chain(paths.map(|(path, gone)| (&gone.commit, path)));
        let mut removed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (commit, name) in gone {
            let names = removed.entry(commit.clone()).or_default();
            // Documents write a flag with dashes, whatever form the code has.
            names.extend([name.clone(), name.replace('_', "-")]);
        }
        removed
    }

    /// Returns the best place of a word in code, or `None` if no file of code has it.
    pub fn sighting(&self, word: &str) -> Option<&Sighting> {
        self.words.get(word)?.as_ref()
    }

    /// Returns the files of code that have a word, or `None` if they are too many to be listed or
    /// the word was not looked for.
    pub fn paths_with(&self, word: &str) -> Option<Rc<BTreeSet<String>>> {
        let all = self.paths_with.borrow();
        let paths = all.get(word)?;
        (paths.len() < words::PATHS_MAX).then(|| Rc::clone(paths))
    }

    /// Looks up the files that have words which the claims do not name, in one pass over the tree.
    pub(crate) fn look_for(&self, wanted: &BTreeSet<String>) {
        let is_new = |word: &&String| !self.paths_with.borrow().contains_key(*word);
        let list: Vec<String> = wanted.iter().filter(is_new).cloned().collect();
        if !list.is_empty() {
            let found = words::words(self.checkout, &list, self.limits);
            let found = by_word(&list, found.paths_with);
            self.paths_with.borrow_mut().extend(found);
        }
    }

    /// Milliseconds that the history may take.
    pub const fn history_ms_max(&self) -> u64 {
        self.limits.history_ms_max
    }

    /// Returns the checkout.
    pub const fn checkout(&self) -> &Checkout {
        self.checkout
    }

    /// Returns how a word went, or `None` if the history does not show that it was there.
    pub fn gone_word(&self, word: &str) -> Option<&GoneWord> {
        self.gone_words.get(word)
    }

    /// Returns how a path went, or `None` if the history does not show that it was there.
    pub fn gone_path(&self, path: &str) -> Option<&GonePath> {
        self.gone_paths.get(path)
    }

    /// Reports whether a text is a document of the tree, which also speaks to readers of their own
    /// files; an answer about the tree does not. A file that git tracks is of the tree even if its
    /// rules ignore it.
    pub fn is_of_tree(&self, document: &CheckedDocument) -> bool {
        let list = || tracked::files(self.checkout).ok().flatten();
        let is_here = || match self.tracked.get_or_init(list) {
            // An answer that lies in the tree, but that nobody has added to git, speaks from
            // outside.
            Some(tracked) => tracked.contains(&document.name),
            None => self.files.contains(&document.name),
        };
        !document.is_description && is_here()
    }

    /// Reports whether documents had a word or path right before the commit that removed it. A text
    /// that is not of the tree speaks of it today, so it needs no such document.
    pub fn was_spoken_of(&self, name: &str, document: &CheckedDocument) -> bool {
        let is_spoken = |name: &str| self.spoken.contains(name);
        is_spoken(name) || is_spoken(&name.replace('_', "-")) || !self.is_of_tree(document)
    }

    /// Files whose last part is this name, whatever its case.
    pub fn files_named(&self, name: &str) -> &[String] {
        self.by_name
            .get(&name.to_ascii_lowercase())
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the identifiers of the code that begin with the same letter as a name, whatever its
    /// case, and whose lengths differ by at most `edits`.
    pub fn identifiers_like(&self, name: &str, edits: usize) -> impl Iterator<Item = &String> {
        let identifiers = self.identifiers();
        let lengths = name.len().saturating_sub(edits)..=name.len() + edits;
        lengths
            .filter_map(|length| identifiers.get(&shape(name, length)))
            .flatten()
    }

    /// Reports whether a type of the code has the name of a snake-case word, with an ending at
    /// most: a registry makes `no_empty_block` of `NoEmptyBlockRule`.
    pub fn spells_with_humps(&self, name: &str) -> bool {
        let parts = name.split('_').filter(|part| !part.is_empty());
        let capital = |part: &str| {
            let (first, rest) = part.split_at(part.ceil_char_boundary(1));
            first.to_uppercase() + rest
        };
        let humps: String = parts.map(capital).collect();
        let is_snake = name.contains('_') && name == name.to_lowercase();
        // In `NoEmptyBlocking`, the rest would be a part of the last word and no ending.
        let is_ending = |rest: &str| !rest.contains('_') && !rest.starts_with(char::is_lowercase);
        let all = shape(&humps, humps.len())..=shape(&humps, humps.len() + ENDING_MAX);
        let mut like = self.identifiers().range(all).flat_map(|(_, names)| names);
        is_snake && like.any(|other| other.strip_prefix(&humps).is_some_and(is_ending))
    }

    /// Counts the names of the code that begin with a name and an underscore.
    pub fn names_begun_with(&self, name: &str) -> usize {
        // A longer name has at least `_` and one more letter.
        let first = shape(name, name.len() + 2)..=shape(name, usize::MAX);
        let begin = format!("{name}_");
        let longer = self.identifiers().range(first).flat_map(|(_, names)| names);
        longer.filter(|other| other.starts_with(&begin)).count()
    }

    fn identifiers(&self) -> &BTreeMap<(char, usize), Vec<String>> {
        self.identifiers.get_or_init(|| {
            // Names with the same first letter and length lie together, so that a misspelled name
            // is compared with few of them.
            let mut by_shape: BTreeMap<(char, usize), Vec<String>> = BTreeMap::new();
            for name in words::identifiers(self.checkout, self.limits).into_keys() {
                by_shape
                    .entry(shape(&name, name.len()))
                    .or_default()
                    .push(name);
            }
            by_shape
        })
    }

    /// Returns the text of a file of the tree, or `None` if it is no text or too large.
    pub fn text(&self, path: &str) -> Option<String> {
        self.ask(path);
        let bytes = text::read_whole(&self.checkout.root().join(path), MANIFEST_BYTES_MAX).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// Records that the content of a file was asked for.
    pub(crate) fn ask(&self, path: &str) {
        self.asked.borrow_mut().insert(path.to_owned());
    }

    /// Returns the files that were asked for since the last call.
    pub(crate) fn take_asked(&self) -> BTreeSet<String> {
        self.asked.take()
    }

    /// Reports whether something is at a path though no text was read there: a link, an ignored
    /// file.
    pub fn is_on_disk(&self, path: &str) -> bool {
        let path = self.checkout.root().join(path);
        // A path that leads out of the tree shows nothing about it.
        !path
            .components()
            .any(|part| part == std::path::Component::ParentDir)
            && path.symlink_metadata().is_ok()
    }

    /// Returns the pages that include a page: one of their lines has an include command of a site
    /// builder and the page's path.
    pub(crate) fn pages_taking_in(&self, page: &str) -> Vec<String> {
        let name = grounds_repo::path::file_name(page);
        let lines = self.taking_in.get_or_init(|| self.lines_taking_in());
        let is_of = |line: &str| {
            let mut parts = line
                .split(|letter: char| letter.is_whitespace() || "\"'<>(){}[]|,;".contains(letter));
            parts.any(|part| {
                let path = part.trim_start_matches(['.', '/']);
                path.ends_with(name) && page.ends_with(path)
            })
        };
        let found = lines.iter().filter(|(_, line)| is_of(line));
        found.map(|(page, _)| page.clone()).collect()
    }

    fn lines_taking_in(&self) -> Vec<(String, String)> {
        let is_page = |path: &&String| {
            let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
            ["md", "mdx", "rst", "markdown", "adoc"].contains(&ending)
        };
        let mut found = Vec::new();
        for page in self.files.iter().filter(is_page).take(PAGES_READ_MAX) {
            let path = self.checkout.root().join(page);
            let bytes = text::read_whole(&path, MANIFEST_BYTES_MAX).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let lines = text.lines().filter(|line| takes_in(line));
            found.extend(lines.map(|line| (page.clone(), line.to_owned())));
        }
        found
    }

    /// Returns the name of the checkout's folder.
    pub fn folder_name(&self) -> String {
        self.checkout
            .root()
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    }
}

/// Reports whether a line of a page has a command that includes another page: `--8<-- "part.md"`.
fn takes_in(line: &str) -> bool {
    const COMMANDS: [&str; 8] = [
        "include",
        "--8<--",
        "snippet",
        "import ",
        "{{#",
        "{%",
        "embed",
        "transclude",
    ];
    line.len() < LINE_BYTES_MAX && COMMANDS.iter().any(|command| line.contains(command))
}

/// Returns the message on a history of which only the newest commits were read.
fn told_back(back: &ReadBack, commits_max: Option<usize>) -> String {
    let commits = back.commits;
    let oldest = match &back.commit {
        Some(oldest) => {
            let date = back.date.as_deref().unwrap_or("an unknown date");
            let oldest = short(oldest);
            format!("the newest {commits} commits were read, back to {oldest} of {date}")
        }
        None => "no commit was read".to_owned(),
    };
    match commits_max {
        Some(max) => format!(
            "{oldest}; `--recent-history` reads {max} more at each run (`history_run_commits_max`)"
        ),
        None => format!("{oldest}; the next run goes on"),
    }
}

/// Returns the message on paths that were left out of the history, or `None` if there are no such
/// paths.
fn unread(paths: &BTreeSet<String>) -> Option<String> {
    let named: Vec<String> = paths
        .iter()
        .take(NAMED_MAX)
        .map(|path| format!("`{path}`"))
        .collect();
    let more = match paths.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = named.join(", ");
    (!paths.is_empty()).then(|| {
        format!("git cannot read every version of {named}{more}, so what these had is not known")
    })
}

fn by_word(
    words: &[String],
    paths: Vec<BTreeSet<String>>,
) -> BTreeMap<String, Rc<BTreeSet<String>>> {
    let paths = paths.into_iter().map(Rc::new);
    words.iter().cloned().zip(paths).collect()
}

/// Returns patterns that match every document, in whatever folder it once was: `*.md`, `*README`.
fn patterns(documents: &[CheckedDocument]) -> BTreeSet<String> {
    let pattern = |document: &CheckedDocument| {
        let last = grounds_repo::path::file_name(&document.name);
        match last.rsplit_once('.') {
            Some((_, ending)) => format!("*.{ending}"),
            None => format!("*{last}"),
        }
    };
    documents.iter().map(pattern).collect()
}

/// Returns the first letter of a name, whatever its case, and a length.
fn shape(name: &str, length: usize) -> (char, usize) {
    let first = name.chars().next().unwrap_or(' ');
    (first.to_ascii_lowercase(), length)
}

fn ancestors(file: &str) -> Vec<String> {
    Path::new(file)
        .ancestors()
        .skip(1)
        .map(|folder| folder.to_string_lossy().into_owned())
        .filter(|folder| !folder.is_empty())
        .collect()
}
