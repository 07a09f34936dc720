//! The one pass over the tree that find, grep and references share.
//!
//! Reads each file that the run has listed, in parallel, into a buffer of the thread,
//! searches for all needles at once and classifies every occurrence in place. Names of files are
//! matched in the same way.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grounds_evidence::QuestionTarget;
use ignore::{DirEntry, WalkBuilder};

use crate::beneath;
use crate::binary;
use crate::catalogue::CountAhead;
use crate::checkout::Checkout;
use crate::files::{self, NameMatch};
use crate::kept::WalkNotes;
use crate::limits::Limits;
use crate::listing::{self, EntryKind, ListedFile, Listing, Pass};
use crate::needles::{Needles, Occurrence, OccurrenceForm};
use crate::path::RepoPath;
use crate::scope::{SearchScope, SkipReason};
use crate::standing::{self, Dialect, NameStanding};
use crate::text::{CONTEXT_BYTES, View, Window};

/// Folders of version control, which hold no files of the project.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj", ".bzr"];

/// Which part of the tree a pass reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurveyedPart {
    /// What the ignore rules leave, without hidden files.
    Visible,
    /// Only what the first part left out: hidden and ignored files, but not git's own.
    HiddenAndIgnored,
}

/// One occurrence that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The number of the target.
    pub target: u8,
    /// The form of the name, by its letters alone.
    pub form: OccurrenceForm,
    /// The line, counted from 1.
    pub line: u32,
    /// The first byte in the file.
    pub start: u64,
    /// Length in bytes.
    pub length: u32,
    /// Its role on its line; a part of a longer word is a use of it.
    pub standing: NameStanding,
}

/// How often a target occurs in each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FormCounts {
    /// As asked.
    pub asked: u64,
    /// In another convention.
    pub convention: u64,
    /// As a phrase.
    pub phrase: u64,
    /// Inside longer words.
    pub inside: u64,
    /// Files that hold at least one of the words.
    pub word_files: u64,
    /// Files that hold all of the words.
    pub all_words_files: u64,
}

/// A file in which something occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHits {
    /// The file.
    pub path: RepoPath,
    /// Its size when it was searched.
    pub bytes: u64,
    /// The first occurrences, in the order of the text; words are not among them.
    pub hits: Vec<Hit>,
    /// For each target, how often it occurs as a whole.
    pub exact: Vec<u32>,
    /// The most promising standing of a whole occurrence.
    pub best_standing: NameStanding,
    /// The most promising standing of the requested spelling on a line.
    pub asked_standing: NameStanding,
    /// For each target, a bit for each of its words that occurs.
    pub words: Vec<u16>,
}

/// The result of a pass.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// What it covered and what it skipped.
    pub scope: SearchScope,
    /// Files in which something occurs, by path.
    pub files: Vec<FileHits>,
    /// For each target, how often it occurs in all.
    pub counts: Vec<FormCounts>,
    /// For each target, files and folders whose names match, best first.
    pub names: Vec<Vec<(NameMatch, RepoPath)>>,
    /// For each target, how often its last part occurs without a sign that it belongs to the rest;
    /// `None` if it belongs.
    pub last_names: Vec<Option<u64>>,
}

/// Counts how far a pass is, for any thread to read.
#[derive(Debug, Default)]
pub struct Progress {
    /// Files searched so far.
    pub files: AtomicU64,
}

/// Searches a part of the tree for all needles.
pub fn survey(
    checkout: &Checkout,
    targets: &[QuestionTarget],
    needles: &Needles,
    part: SurveyedPart,
    limits: &Limits,
    progress: &Progress,
) -> Survey {
    let listing = listing::of(checkout, limits);
    let shared = SharedSurvey {
        root: checkout.root(),
        targets,
        needles,
        part,
        limits,
        progress,
        deadline: Instant::now() + Duration::from_millis(limits.pass_ms_max),
        stopped: AtomicBool::new(false),
        bytes: AtomicU64::new(0),
    };
    let parts = match part {
        SurveyedPart::Visible => visit_visible(&listing, &shared),
        SurveyedPart::HiddenAndIgnored => vec![visit_hidden(&listing, checkout, &shared)],
    };
    let mut whole = merge(parts, targets.len(), limits);
    // The second part is added to the first, which has them already.
    if part == SurveyedPart::Visible {
        for module in files::missing_submodules(checkout) {
            whole.scope.skip(SkipReason::Submodule, &module);
        }
    }
    whole
}

/// Builds a walk over what the ignore rules leave of a checkout. Every walk is built here, because
/// the walker reads whatever lies in the place of an ignore file.
pub fn walker(checkout: &Checkout, limits: &Limits) -> WalkBuilder {
    walker_of(checkout.root(), checkout, limits)
}

/// Builds the same walk, and notes what it depends on.
pub(crate) fn noted_walker(
    checkout: &Checkout,
    limits: &Limits,
    notes: Option<Arc<WalkNotes>>,
) -> WalkBuilder {
    built(checkout.root(), checkout, limits, notes)
}

/// Builds the same walk for one folder of the checkout.
pub(crate) fn walker_of(folder: &Path, checkout: &Checkout, limits: &Limits) -> WalkBuilder {
    built(folder, checkout, limits, None)
}

fn built(
    folder: &Path,
    checkout: &Checkout,
    limits: &Limits,
    notes: Option<Arc<WalkNotes>>,
) -> WalkBuilder {
    let mut builder = WalkBuilder::new(folder);
    builder
        .threads(limits.threads)
        .max_depth(Some(limits.depth_max))
        .follow_links(false);
    // The walker opens the ignore files of the top and above it before any entry can be looked at.
    let mut above = checkout.root().ancestors();
    let reads_rules = above.all(has_sound_ignore_files);
    // If one of these files cannot be read safely, no rules are read: more is visible then, not
    // less.
    if !reads_rules {
        builder
            .parents(false)
            .ignore(false)
            .git_ignore(false)
            .git_exclude(false);
    }
    // Rules cost much more than their bytes: past the time of a pass no more of them are read.
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let is_guarded = checkout.is_guarded();
    builder.filter_entry(move |entry| {
        if let Some(notes) = notes.as_ref().filter(|_| is_folder(entry)) {
            notes.folder(entry.path());
        }
        let is_walked = !reads_rules
            || is_file(entry)
            || Instant::now() < deadline && has_sound_ignore_files(entry.path());
        is_walked && is_here(entry, is_guarded)
    });
    builder
}

/// Reports whether an entry is where the walk says. While a folder is replaced by a link, a walk
/// lists another place.
fn is_here(entry: &DirEntry, is_guarded: bool) -> bool {
    !is_guarded || beneath::is_unlinked(entry.path())
}

/// Files in which a folder says which of its content is ignored.
const IGNORE_FILES: &[&str] = &[".gitignore", ".ignore", ".git/info/exclude"];

/// Size in bytes up to which an ignore file is read: ten megabytes of patterns take a minute and
/// gigabytes.
const IGNORE_FILE_BYTES_MAX: u64 = 64 << 10;

/// Reports whether the walker can read a folder's ignore files. A pipe or a device in the place of
/// one would block it, and a large one would cost it minutes. Such a folder is left to the second
/// part, which reads no rules.
fn has_sound_ignore_files(folder: &Path) -> bool {
    let is_sound = |file: std::fs::Metadata| file.is_file() && file.len() <= IGNORE_FILE_BYTES_MAX;
    // On Windows a link may lead to another machine, to which the system would log in.
    let look = |name: &&str| match cfg!(windows) {
        true => folder.join(name).symlink_metadata(),
        false => folder.join(name).metadata(),
    };
    let is_link = |kind: std::fs::Metadata| kind.is_symlink();
    let leads_on = |name: &&str| cfg!(windows) && look(name).is_ok_and(is_link);
    ![".git", ".git/info"].iter().any(leads_on)
        && IGNORE_FILES
            .iter()
            .all(|name| look(name).map_or(true, is_sound))
}

/// Visits the files that the run has listed.
fn visit_visible<'a>(listing: &'a Listing, shared: &'a SharedSurvey<'a>) -> Vec<Survey> {
    let pass = listing.begin_pass(shared.needles, shared.limits);
    let count = |vocabulary| CountAhead::new(shared.root, shared.limits, vocabulary);
    let begin = || Visitor {
        ahead: listing.expected().map(count),
        ..Visitor::new(shared, Some(pass))
    };
    let visitors = listing.each(shared.limits, begin, |visitor, entry| visitor.visit(entry));
    let mut parts: Vec<Survey> = visitors.into_iter().map(|visitor| visitor.mine).collect();
    if let Some(first) = parts.first_mut() {
        listing.told(&mut first.scope);
    }
    parts
}

/// Visits what the visible part leaves out: in order and on one thread, so that
/// reaching the limit of bytes gives the same result each time.
fn visit_hidden(listing: &Listing, checkout: &Checkout, shared: &SharedSurvey<'_>) -> Survey {
    let files = listing.entries.iter().filter(|entry| entry.is_file());
    let visible: HashSet<&Path> = files.map(|entry| entry.path.as_path()).collect();
    let mut builder = walker(checkout, shared.limits);
    builder.standard_filters(false).sort_by_file_name(Ord::cmp);
    let is_guarded = checkout.is_guarded();
    // This replaces the filter of `walker`: the rules do not count here.
    builder.filter_entry(move |entry| {
        !VERSION_CONTROL.contains(&entry.file_name().to_string_lossy().as_ref())
            && is_here(entry, is_guarded)
    });
    let mut visitor = Visitor::new(shared, None);
    for entry in builder.build() {
        let flow = match entry {
            // The first part has read it.
            Ok(entry) if visible.contains(entry.path()) => ControlFlow::Continue(()),
            Ok(entry) => ListedFile::of(entry)
                .map_or(ControlFlow::Continue(()), |entry| visitor.visit(&entry)),
            Err(error) => {
                let path = path_of_error(shared.root, &error);
                visitor.mine.scope.skip(SkipReason::Unreadable, &path);
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            break;
        }
    }
    visitor.mine
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

struct SharedSurvey<'a> {
    root: &'a Path,
    targets: &'a [QuestionTarget],
    needles: &'a Needles,
    part: SurveyedPart,
    limits: &'a Limits,
    progress: &'a Progress,
    deadline: Instant,
    stopped: AtomicBool,
    bytes: AtomicU64,
}

/// The state of one thread.
struct Visitor<'a> {
    shared: &'a SharedSurvey<'a>,
    mine: Survey,
    window: Window,
    /// Its place among the passes of the run; `None` in a part that is not listed.
    pass: Option<Pass>,
    /// Counts the words of an expected ranking; `None` if no ranking is expected.
    ahead: Option<CountAhead<'a>>,
}

impl<'a> Visitor<'a> {
    fn new(shared: &'a SharedSurvey<'a>, pass: Option<Pass>) -> Self {
        let targets = shared.targets.len();
        Self {
            shared,
            mine: Survey {
                counts: vec![FormCounts::default(); targets],
                names: vec![Vec::new(); targets],
                ..Survey::default()
            },
            // Kept texts are checked again with the list, so only those of listed files are kept.
            window: match pass {
                Some(_) => Window::over_listed(),
                None => Window::default(),
            },
            pass,
            ahead: None,
        }
    }

    fn visit(&mut self, entry: &ListedFile) -> ControlFlow<()> {
        if self.shared.stopped.load(Ordering::Relaxed) || self.is_time_up() {
            return ControlFlow::Break(());
        }
        self.visit_entry(entry)
    }

    fn is_time_up(&mut self) -> bool {
        let up = Instant::now() > self.shared.deadline;
        // One thread alone reports it.
        if up && !self.shared.stopped.swap(true, Ordering::Relaxed) {
            self.mine
                .scope
                .skip(SkipReason::TimeUp, "the rest of the tree");
        }
        up
    }

    fn visit_entry(&mut self, entry: &ListedFile) -> ControlFlow<()> {
        // The name of the checkout's own folder is in no path.
        if entry.depth > 0 {
            self.match_names(entry);
        }
        match entry.kind {
            EntryKind::File => return self.visit_file(entry),
            EntryKind::Link => self.skip(SkipReason::Link, &entry.path),
            EntryKind::Special => self.skip(SkipReason::Special, &entry.path),
            EntryKind::Folder if entry.depth >= self.shared.limits.depth_max => {
                self.skip(SkipReason::TooDeep, &entry.path)
            }
            EntryKind::Folder => {}
        }
        ControlFlow::Continue(())
    }

    fn skip(&mut self, reason: SkipReason, path: &Path) {
        let shown = RepoPath::below(self.shared.root, path)
            .map_or_else(String::new, |path| path.as_str().to_owned());
        self.mine.scope.skip(reason, &shown);
    }

    fn match_names(&mut self, entry: &ListedFile) {
        let is_folder = entry.kind == EntryKind::Folder;
        for (number, target) in self.shared.targets.iter().enumerate() {
            let matched = files::match_name(target, &entry.path, is_folder);
            let path = matched.and_then(|_| RepoPath::below(self.shared.root, &entry.path));
            if let (Some(matched), Some(path)) = (matched, path) {
                files::keep_best(&mut self.mine.names[number], (matched, path));
            }
        }
    }

    fn visit_file(&mut self, entry: &ListedFile) -> ControlFlow<()> {
        let (shared, pass) = (self.shared, self.pass.unwrap_or_default());
        // An earlier pass of the run found none of these needles in it.
        if let Some(bytes) = entry.lacking(pass) {
            return self.count(bytes);
        }
        let path = entry.path.as_path();
        let mut seen = FileSurvey::of(shared, path);
        let ahead = shared.needles.bytes_max() + CONTEXT_BYTES;
        let most = shared.limits.file_bytes_max;
        let mut counting = self.ahead.as_mut();
        let read = self.window.slide(path, most, ahead, &mut |view| {
            seen.look(view);
            // The words of a ranking are counted in the same pass, in files that one view holds as
            // a whole.
            if let Some(counting) = counting.as_mut().filter(|_| view.is_whole()) {
                counting.count(entry, view.text);
            }
        });
        match read {
            Err(SkipReason::Binary) => self.skip(binary::reason(path, shared.needles), path),
            Err(reason) => self.skip(reason, path),
            Ok(bytes) => {
                // A later pass of the run with the same needles need not read it.
                if !seen.any {
                    entry.note_lacking(pass, bytes);
                }
                self.keep(path, bytes, &mut seen);
                return self.count(bytes);
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts a file as searched.
    fn count(&mut self, bytes: u64) -> ControlFlow<()> {
        self.mine.scope.files_searched += 1;
        self.mine.scope.bytes_searched += bytes;
        self.shared.progress.files.fetch_add(1, Ordering::Relaxed);
        self.bound_of_part(bytes)
    }

    /// Ends the second part at its limit of bytes.
    fn bound_of_part(&mut self, bytes: u64) -> ControlFlow<()> {
        let read = self.shared.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.shared.part == SurveyedPart::HiddenAndIgnored
            && read > self.shared.limits.ignored_bytes_max
        {
            if !self.shared.stopped.swap(true, Ordering::Relaxed) {
                self.mine.scope.skip(
                    SkipReason::IgnoredBytes,
                    "the rest of the hidden and ignored files",
                );
            }
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn keep(&mut self, path: &Path, bytes: u64, seen: &mut FileSurvey<'_>) {
        if !seen.any {
            return;
        }
        seen.count_words();
        for (mine, counts) in self.mine.counts.iter_mut().zip(&seen.counts) {
            mine.add(counts);
        }
        // A file with only some words of a phrase is counted above, and not kept.
        let holds_all_words =
            seen.has_pieces || seen.counts.iter().any(|counts| counts.all_words_files > 0);
        let exact: Vec<u32> = seen.counts.iter().map(FormCounts::exact).collect();
        let path = RepoPath::below(self.shared.root, path)
            .filter(|_| holds_all_words || !seen.hits.is_empty());
        if let Some(path) = path {
            self.mine.files.push(FileHits {
                path,
                bytes,
                hits: std::mem::take(&mut seen.hits),
                exact,
                best_standing: seen.best_standing,
                asked_standing: seen.asked_standing,
                words: std::mem::take(&mut seen.words),
            });
        }
    }
}

/// Collects the hits of one file, view after view.
struct FileSurvey<'a> {
    needles: &'a Needles,
    hits_max: usize,
    targets: usize,
    path: Option<&'a Path>,
    dialect: Dialect,
    any: bool,
    best_standing: NameStanding,
    asked_standing: NameStanding,
    hits: Vec<Hit>,
    counts: Vec<FormCounts>,
    words: Vec<u16>,
    has_pieces: bool,
    lines: OccurrenceLines,
}

impl<'a> FileSurvey<'a> {
    fn of(shared: &SharedSurvey<'a>, path: &'a Path) -> Self {
        Self {
            path: Some(path),
            ..Self::with(
                shared.needles,
                shared.targets.len(),
                shared.limits.file_hits_max,
            )
        }
    }

    fn with(needles: &'a Needles, targets: usize, hits_max: usize) -> Self {
        Self {
            needles,
            hits_max,
            targets,
            path: None,
            dialect: Dialect::Other,
            any: false,
            best_standing: NameStanding::Use,
            asked_standing: NameStanding::Use,
            hits: Vec::new(),
            counts: Vec::new(),
            words: Vec::new(),
            has_pieces: false,
            lines: OccurrenceLines::default(),
        }
    }

    /// Finds and classifies every occurrence that starts in this view.
    fn look(&mut self, view: View<'_>) {
        let mut next = self.needles.find(view.text, view.from);
        // An occurrence after `upto` is found in the next view, with the text that follows it.
        while let Some(occurrence) = next.filter(|occurrence| occurrence.start < view.upto) {
            for each in self.needles.each_of(occurrence) {
                self.see(view, each);
            }
            // Needles may overlap, so the search goes on one byte later.
            next = self.needles.find(view.text, occurrence.start + 1);
        }
        if view.upto < view.text.len() {
            self.lines.pass(view);
        }
    }

    fn see(&mut self, view: View<'_>, occurrence: Occurrence) {
        // A file without an occurrence needs no tables.
        if !self.any {
            self.any = true;
            self.dialect = self.path.map_or(Dialect::Other, Dialect::of);
            self.counts.resize(self.targets, FormCounts::default());
            self.words.resize(self.targets, 0);
        }
        let target = self.needles.get(occurrence.needle).target;
        match self.needles.classify(view.text, occurrence) {
            OccurrenceForm::Word(number) => {
                self.words[target] |= 1_u16.checked_shl(number.into()).unwrap_or(0)
            }
            OccurrenceForm::Piece(number) => {
                self.words[target] |= 1_u16.checked_shl(number.into()).unwrap_or(0);
                self.has_pieces = true;
            }
            form => {
                self.counts[target].count(form);
                // The standing also counts for the best of the file, whether the hit is kept or
                // not.
                let standing = self.standing(view, occurrence, form);
                if self.keeps(form) {
                    let line = self.lines.of(view, occurrence.start);
                    let (start, length) = (
                        view.base + occurrence.start as u64,
                        occurrence.end - occurrence.start,
                    );
                    let target = u8::try_from(target).unwrap_or(u8::MAX);
                    let length = u32::try_from(length).unwrap_or(u32::MAX);
                    self.hits.push(Hit {
                        target,
                        form,
                        line,
                        start,
                        length,
                        standing,
                    });
                }
            }
        }
    }

    /// Returns the role of an occurrence on its line; the best of the file is kept.
    fn standing(
        &mut self,
        view: View<'_>,
        occurrence: Occurrence,
        form: OccurrenceForm,
    ) -> NameStanding {
        if form == OccurrenceForm::Inside {
            return NameStanding::Use;
        }
        let standing = standing::of(view.text, occurrence.start..occurrence.end, self.dialect);
        self.best_standing = self.best_standing.max(standing);
        if form == OccurrenceForm::Asked {
            self.asked_standing = self.asked_standing.max(standing);
        }
        standing
    }

    /// Reports whether there is room to keep an occurrence. Parts of longer words leave some for
    /// the whole name.
    fn keeps(&self, form: OccurrenceForm) -> bool {
        let most = if form == OccurrenceForm::Inside {
            self.hits_max.div_ceil(4)
        } else {
            self.hits_max
        };
        self.hits.len() < most
    }

    fn count_words(&mut self) {
        for (target, &bits) in self.words.iter().enumerate() {
            let all = self.needles.words(target).len();
            self.counts[target].word_files = u64::from(bits != 0);
            self.counts[target].all_words_files =
                u64::from(all > 0 && bits.count_ones() as usize == all);
        }
    }
}

/// Counts lines forward, so that a text is read once for many occurrences.
#[derive(Default)]
struct OccurrenceLines {
    /// The place in the file up to which lines are counted.
    at: u64,
    line: u32,
}

impl OccurrenceLines {
    fn of(&mut self, view: View<'_>, offset: usize) -> u32 {
        let from = usize::try_from(self.at.saturating_sub(view.base))
            .unwrap_or(offset)
            .min(offset);
        let newlines = memchr::memchr_iter(b'\n', &view.text[from..offset]).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
        self.at = view.base + offset as u64;
        self.line + 1
    }

    /// Counts the lines in the rest of a view before it is left.
    fn pass(&mut self, view: View<'_>) {
        self.of(view, view.upto);
    }
}

/// Occurrences of one file that are labelled at most.
const LABELLED_HITS_MAX: usize = 50_000;

/// Returns every occurrence in a whole text, for a file of which the pass kept only the first ones.
pub fn every_hit(text: &[u8], path: &Path, needles: &Needles, targets: usize) -> Vec<Hit> {
    let mut seen = FileSurvey {
        path: Some(path),
        ..FileSurvey::with(needles, targets, LABELLED_HITS_MAX)
    };
    seen.look(View {
        text,
        base: 0,
        from: 0,
        upto: text.len(),
    });
    seen.hits
}

impl FormCounts {
    /// Returns how often it occurs as a whole, in any form.
    pub fn exact(&self) -> u32 {
        u32::try_from(self.asked + self.convention + self.phrase).unwrap_or(u32::MAX)
    }

    fn count(&mut self, form: OccurrenceForm) {
        match form {
            OccurrenceForm::Asked => self.asked += 1,
            OccurrenceForm::Convention => self.convention += 1,
            OccurrenceForm::Phrase => self.phrase += 1,
            OccurrenceForm::Inside => self.inside += 1,
            OccurrenceForm::Word(_) | OccurrenceForm::Piece(_) => {}
        }
    }

    fn add(&mut self, other: &Self) {
        self.asked += other.asked;
        self.convention += other.convention;
        self.phrase += other.phrase;
        self.inside += other.inside;
        self.word_files += other.word_files;
        self.all_words_files += other.all_words_files;
    }
}

/// Merges the surveys of the threads; their order does not matter.
fn merge(parts: Vec<Survey>, targets: usize, limits: &Limits) -> Survey {
    let mut whole = Survey {
        counts: vec![FormCounts::default(); targets],
        names: vec![Vec::new(); targets],
        last_names: vec![None; targets],
        ..Survey::default()
    };
    for part in parts {
        whole.scope.merge(&part.scope);
        whole.files.extend(part.files);
        whole
            .counts
            .iter_mut()
            .zip(&part.counts)
            .for_each(|(mine, counts)| mine.add(counts));
        for (mine, names) in whole.names.iter_mut().zip(part.names) {
            names
                .into_iter()
                .for_each(|name| files::keep_best(mine, name));
        }
    }
    whole
        .files
        .sort_unstable_by(|one, other| one.path.cmp(&other.path));
    // The files are sorted first, so that the limit leaves out the same ones each time.
    if whole.files.len() > limits.hit_files_max {
        whole.scope.skip(
            SkipReason::HitFiles,
            "files with occurrences past the limit",
        );
        whole.files.truncate(limits.hit_files_max);
    }
    whole
}

pub(crate) fn path_of_error(root: &Path, error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { path, .. } => {
            RepoPath::below(root, path).map_or_else(String::new, |path| path.as_str().to_owned())
        }
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of_error(root, err)
        }
        _ => String::new(),
    }
}
