//! Reasons why a mention is not a claim about this tree.
//!
//! From a document and its mentions, collects the names that its examples define or import from
//! elsewhere, and the sentences about another time, another project or a wish.

mod excuse;

use grounds_repo::path::file_name;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::claim::{TextClaim, ThingKind};
use crate::document::CheckedDocument;
use crate::mention::{Mention, MentionContext};

/// Parts of a file's name that make it a record of older versions.
const RECORDS: &[&str] = &[
    "changelog",
    "changes",
    "histor",
    "news",
    "release",
    "migrat",
    "upgrad",
    "whatsnew",
    "what's-new",
    "different",
    "announce",
    "blog",
    "roadmap",
    "proposal",
    "rfc",
    "archive",
    "v1-v2",
    "porting",
    "deprecat",
    "post-mortem",
    "postmortem",
    "old-",
];

/// Folders of texts about what was planned or decided once.
const PLANS: &[&str] = &[
    "design",
    "designs",
    "adr",
    "adrs",
    "decisions",
    "enhancements",
    "keps",
    "plans",
];

/// Words that mark a sentence as being about another time.
const OTHER_TIME: &[&str] = &[
    "removed",
    "renamed",
    "no longer",
    "formerly",
    "previously",
    "used to be",
    "deprecat",
    "was deleted",
    "were deleted",
    "was replaced",
    "were replaced",
    "has been replaced",
    "replaced by",
    "instead of",
    "migrat",
    "upgrad",
    "older version",
    "old version",
    "earlier version",
    "previous version",
    "replace the",
    "replaces the",
    "prior to",
    "in the past",
    "obsolete",
    "legacy",
    "future",
    "planned",
    "not yet",
    "will be added",
    "dropped",
    "backport",
    "breaking change",
    "before version",
    "since been",
    "was used",
    "were used",
    "been moved",
    "moved into",
    "moved out",
];

/// A release up to which something was so: `before v0.12`, `until version 3`.
static OLD_RELEASE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(before|until|up to|prior to|older than)( version| release)? v?\d")
        .expect("an expression")
});

/// A file that the reader is asked to make: `add a RELEASE.md file`.
static ADDED_FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b((add|create|make|write|place|save) (a|an|the|your)|into an?) \S+ file\b")
        .expect("an expression")
});

/// Words that mark a sentence as being about what the reader has or makes.
const OF_READER: &[&str] = &[
    "create a",
    "create an",
    "create the",
    "your own",
    "$home",
    "home directory",
    "your project",
    "your app",
    "your code",
    "you can name",
    "anything like",
    "a sample",
    "let's say",
    "imagine",
    "suppose",
    "hypothetical",
    "for instance, if",
    "called something like",
    "a file named",
    "a file called",
    "does not exist",
    "doesn't exist",
    "there is no",
    "there's no",
    "not supported",
    "isn't supported",
    "is unsupported",
    "does not have",
    "doesn't have",
    "does not provide",
    "doesn't provide",
];

/// Words that introduce a name on a line of an example.
const DEFINING: &[&str] = &[
    "class",
    "def",
    "function",
    "func",
    "fn",
    "const",
    "let",
    "var",
    "val",
    "struct",
    "enum",
    "interface",
    "type",
    "trait",
    "record",
    "module",
    "namespace",
    "export",
    "async",
    "static",
    "public",
    "private",
    "protected",
    "readonly",
    "final",
    "sealed",
    "abstract",
    "void",
    "int",
    "string",
    "bool",
    "auto",
    "#define",
    "implicit",
    "inline",
    "override",
    "internal",
    "virtual",
    "external",
    "extern",
    "open",
    "lazy",
    "local",
    "pub",
    "given",
    "case",
    "object",
    "fun",
    "sub",
    "proc",
    "macro",
    "defp",
    "defn",
    "defmacro",
    "defmodule",
    "typealias",
    "typedef",
    "using",
    "constexpr",
];

/// Names and passages of a document that are not about the project.
#[derive(Debug, Default)]
pub struct Foreign {
    is_record: bool,
    is_description: bool,
    made_here: BTreeSet<String>,
    imported: BTreeSet<String>,
    own: BTreeSet<String>,
    /// Names on lines that import from the project.
    brought: BTreeSet<String>,
    /// Whether its examples make a package, whose scripts are the reader's.
    makes_package: bool,
    /// Files that its examples begin with in a comment of their own.
    captions: BTreeSet<String>,
    /// Names that its examples pass to macros, which may make them.
    passed: BTreeSet<String>,
    /// Names of files and folders in a tree that it draws.
    drawn: BTreeSet<String>,
    /// Paths in the settings and manifests that it shows.
    of_settings: BTreeSet<String>,
    /// Names of optional parameters in the calls that it shows.
    optional: BTreeSet<String>,
    /// Its paragraphs about what no longer exists, with the ones before them, as bytes of its text.
    ended: Vec<Range<usize>>,
    /// Its lists of what no longer exists, as bytes of its text.
    listed: Vec<Range<usize>>,
    /// Its headings, by their letters, below which it says that the thing no longer exists.
    retired: BTreeSet<String>,
}

impl Foreign {
    /// Reads the examples of a document. `own` are the names of the project and its packages.
    pub fn of(document: &CheckedDocument, mentions: &[Mention], own: &BTreeSet<String>) -> Self {
        let mut foreign = Self {
            // A description tells of a change, so words about other times make it no record.
            is_record: !document.is_description
                && (is_record(&document.name)
                    || is_of_another_time(&document.text)
                    || has_status(document)),
            is_description: document.is_description,
            own: own.clone(),
            retired: excuse::retired(&document.text),
            ended: excuse::ended(&document.text),
            listed: excuse::listed(&document.text),
            ..Self::default()
        };
        for mention in mentions {
            if mention.context == MentionContext::Span {
                let optional = excuse::optional(&mention.text);
                foreign.optional.extend(optional.map(str::to_owned));
            }
            if let MentionContext::Fence(language) = &mention.context {
                let declared = excuse::declared(&mention.text, language);
                foreign.passed.extend(declared.map(str::to_owned));
                let drawn = excuse::drawn(&mention.text);
                foreign.drawn.extend(drawn.map(str::to_owned));
                let of_settings = excuse::paths_of_settings(&mention.text, language);
                foreign.of_settings.extend(of_settings.map(str::to_owned));
                foreign.read(&mention.text, own);
            }
        }
        foreign
    }

    fn read(&mut self, line: &str, own: &BTreeSet<String>) {
        let marks = [
            "npm init",
            "yarn init",
            "pnpm init",
            "\"scripts\":",
            "cargo new",
            "go mod init",
        ];
        self.makes_package |= marks.iter().any(|mark| line.contains(mark));
        if let Some(names) = imported_elsewhere(line, own) {
            // The line imports from the project itself, so the examples may use its names.
            if names.is_empty() {
                let words = line.split(|letter: char| !is_name(letter));
                self.brought.extend(words.map(str::to_owned));
            }
            self.imported.extend(names);
            return;
        }
        self.captions
            .extend(excuse::caption(line).map(str::to_owned));
        self.passed.extend(excuse::passed(line).map(str::to_owned));
        // Several defining words may come before a name: `implicit def boxFunctor[Z]` makes
        // `boxFunctor`. A line that begins with another word defines nothing in this way.
        let mut words = line
            .split(|letter: char| !is_name(letter))
            .filter(|word| !word.is_empty());
        let mut was_defining = false;
        for word in words.by_ref() {
            if was_defining && !DEFINING.contains(&word) {
                self.made_here.insert(word.to_owned());
                break;
            }
            was_defining = DEFINING.contains(&word);
            if !was_defining {
                break;
            }
        }
        self.made_here
            .extend(excuse::method(line).map(str::to_owned));
        if let Some(name) = assigned(line) {
            self.made_here.insert(name.to_owned());
        }
        self.made_here.extend(bound(line));
    }

    /// Returns the reason why a claim is not about this tree, or `None` if it is about it.
    pub fn reason(&self, claim: &TextClaim) -> Option<&'static str> {
        let of_name = self.of_name(claim);
        // From the widest reason to the narrowest: document, section, line, name, sentence.
        match () {
            () if self.is_record => Some("a record of older versions"),
            () if !self.is_description
                && claim
                    .headings
                    .iter()
                    .any(|heading| is_record_heading(heading)) =>
            {
                Some("a section about older versions or plans")
            }
            () if self.is_retired(claim) => Some("a section about what is no more"),
            () if is_output(claim) => Some("the output of a program"),
            () if of_reader(claim).is_some() => of_reader(claim),
            // After `npm init -y`, the script of `npm run start` is one of the reader's own
            // package.
            () if claim.kind == ThingKind::Script && self.makes_package => {
                Some("a script of the package that the example makes")
            }
            () if of_name.is_some() => of_name,
            // A statement says itself what it says of other times.
            () if claim.kind == ThingKind::Statement => None,
            () if !matches!(
                claim.context,
                MentionContext::Fence(_) | MentionContext::Link
            ) =>
            {
                about_another(claim)
            }
            () => None,
        }
    }
}

impl Foreign {
    /// Returns the reason why a name is not one of this tree.
    fn of_name(&self, claim: &TextClaim) -> Option<&'static str> {
        let is_name = matches!(claim.kind, ThingKind::Symbol | ThingKind::Variable);
        let is_word = is_name || claim.kind == ThingKind::Flag;
        let names = || claim.owners.iter().chain([&claim.name]);
        match () {
            () if is_name && self.made_here.contains(&claim.name) => {
                Some("made by the example itself")
            }
            () if claim.linked.as_deref().is_some_and(is_of_revision) => {
                Some("of another revision")
            }
            () if is_word && self.is_elsewhere(claim.linked.as_deref()) => {
                Some("of another site or package")
            }
            () if is_name && self.is_of_another_root(claim) => Some("a name below another package"),
            () if is_name && is_of_another_program(claim, &self.own) => {
                Some("a word of another program's command")
            }
            // `pip install PyStemmer` names a package, even if the tree once had such a class.
            () if is_name && claim.around.contains(&format!("install {}", claim.name)) => {
                Some("a package to install")
            }
            () if is_name && names().any(|name| self.imported.contains(name)) => {
                Some("imported from another package")
            }
            () => None,
        }
    }

    /// Reports whether a claim is in a section whose first lines say that its thing no longer
    /// exists, or in or before a paragraph that says so.
    fn is_retired(&self, claim: &TextClaim) -> bool {
        let mut titles = claim.headings.iter().chain([&claim.around]);
        let is_ended = self.ended.iter().any(|part| part.contains(&claim.start));
        is_ended && claim.context != MentionContext::Link
            || !self.retired.is_empty()
                && titles.any(|title| self.retired.contains(&excuse::letters(title)))
    }

    /// Reports whether a name is written below a package that is not the project's:
    /// `other.parts.Type`.
    fn is_of_another_root(&self, claim: &TextClaim) -> bool {
        let is_small = |name: &String| name.starts_with(char::is_lowercase);
        // Two small owners look like the path of a module: `other.support.get_document`. A single
        // one may be any object.
        claim.context == MentionContext::Span
            && claim.owners.len() > 1
            && claim.owners.iter().take(2).all(is_small)
            && claim
                .owners
                .iter()
                .all(|owner| !self.own.contains(&owner.to_ascii_lowercase()))
            && claim.linked.is_none()
    }

    /// Reports whether a link leads to another site that does not name the project.
    fn is_elsewhere(&self, linked: Option<&str>) -> bool {
        linked.is_some_and(|address| {
            let lower = address.to_ascii_lowercase();
            // On a forge the owner's other repositories are not this one.
            let of_forge = ["github.com/", "gitlab.com/", "bitbucket.org/"]
                .iter()
                .find_map(|forge| lower.split_once(forge));
            let of_forge = of_forge.and_then(|(_, path)| path.split('/').nth(1));
            let named = of_forge.unwrap_or(lower.as_str());
            !named
                .split(['/', '.', '#', '?', '=', ':'])
                .any(|part| self.own.contains(part))
        })
    }
}

/// Reports whether an address is one of a forge at a release or a branch of older versions:
/// `/blob/2.x/`.
fn is_of_revision(address: &str) -> bool {
    let revision = ["/blob/", "/tree/"]
        .iter()
        .find_map(|part| address.split_once(part))
        .and_then(|(_, rest)| rest.split('/').next());
    revision.is_some_and(|name| name.contains(|letter: char| letter.is_ascii_digit()))
}

/// Reports whether a name is on a line of a shell whose program is not the project's.
fn is_of_another_program(claim: &TextClaim, own: &BTreeSet<String>) -> bool {
    let MentionContext::Fence(language) = &claim.context else {
        return false;
    };
    let shells = [
        "console",
        "bash",
        "sh",
        "shell",
        "zsh",
        "shell-session",
        "terminal",
    ];
    let line = claim.around.trim_start();
    let is_shell = shells.contains(&language.as_str()) || line.starts_with("$ ");
    // The program comes behind a prompt, `sudo` and variables: `$ MODE=x sudo rg --column`.
    let mut words = line
        .split_whitespace()
        .filter(|word| !matches!(*word, "$" | "#" | ">" | "%" | "sudo"))
        .filter(|word| !word.contains('='));
    is_shell
        && words.next().is_some_and(|program| {
            let name = file_name(program);
            !own.contains(&name.to_ascii_lowercase())
        })
}

/// Reports whether a claim is in what a program printed.
fn is_output(claim: &TextClaim) -> bool {
    let is_session = matches!(&claim.context, MentionContext::Fence(language) if SESSIONS.contains(&language.as_str()));
    let is_log = matches!(
        &claim.context,
        MentionContext::Fence(language) if matches!(language.as_str(), "log" | "logs" | "output")
    );
    // In a session, a line without a prompt is output: `GpuDevice(0): any` below `julia>
    // first_device()`.
    is_session && !is_typed_in(claim.around.trim_start()) || is_log || excuse::is_progress(claim)
}

/// Languages of examples that show what is typed in and what is printed.
const SESSIONS: &[&str] = &[
    "console",
    "shell-session",
    "terminal",
    "julia-repl",
    "jldoctest",
    "pycon",
    "ipython",
    "irb",
    "ghci",
    "iex",
    "repl",
];

/// Reports whether a line of a session begins with a prompt: `$`, `>>>`, `julia>`, `In [1]:`,
/// `iex(1)>`.
fn is_typed_in(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    line.starts_with(['$', '#', '>', '%'])
        || first.ends_with('>')
        || first == "..."
        || line.starts_with("In [")
}

/// Reports whether the first lines of a document say that what it is about was removed, or only
/// proposed.
fn is_of_another_time(text: &str) -> bool {
    let end = text.floor_char_boundary(LEAD_BYTES.min(text.len()));
    // Without the bracket, `has been [moved](to.md)` reads like `has been moved`.
    let lead = text[..end].to_ascii_lowercase().replace('[', "");
    [
        "has been removed",
        "was removed",
        "have been removed",
        "has been moved",
        "have been moved",
        "is no longer maintained",
        "in a separate package",
        "in a separate repo",
        "in its own repo",
        "this paper ",
        "this proposal ",
    ]
    .iter()
    .any(|mark| lead.contains(mark))
}

/// Reports whether the first lines of a document state its own status, as decisions and proposals
/// do. Their names were right when they were written. The status of a README is the project's.
fn has_status(document: &CheckedDocument) -> bool {
    let name = file_name(&document.name);
    let end = document
        .text
        .floor_char_boundary(LEAD_BYTES.min(document.text.len()));
    // Decisions write `> **Status**: waiting`, `- Status: accepted`, or a row of a table.
    let is_status = |line: &str| {
        let bare = line.trim_start_matches(['>', '*', '-', '|', ' ', '_']);
        let rest = bare.strip_prefix("Status");
        rest.is_some_and(|rest| rest.trim_start_matches('*').starts_with(':'))
    };
    let mut lines = document.text[..end].lines();
    !name.to_ascii_lowercase().starts_with("readme")
        && (lines.clone().any(is_status)
            || lines
                .find(|line| !line.trim().is_empty())
                .is_some_and(is_of_state))
}

/// Reports whether the title of a document names the release that it tells of: "# Coverage of Thing
/// v3.1.2".
fn is_of_state(title: &str) -> bool {
    let heading = title.strip_prefix('#').unwrap_or_default();
    let mut words = heading.split_whitespace();
    words.any(|word| {
        let parts = word.strip_prefix('v').map(|bare| bare.split('.'));
        let mut parts = parts.into_iter().flatten();
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        word.matches('.').count() == 2 && parts.all(is_number)
    })
}

/// Bytes at the start of a document that say what it is about.
const LEAD_BYTES: usize = 800;

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '#'
}

/// Reports whether a file is by its name a record of older versions, or a plan.
pub(crate) fn is_record(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let folders = lower.rsplit_once('/').map_or("", |(folders, _)| folders);
    // Enhancement proposals: `neps`, `nxeps`.
    let is_proposal = |folder: &str| folder.ends_with("eps") && (4..6).contains(&folder.len());
    // `deps` has the form of such a name, but is a folder of dependencies.
    let is_plan = |folder: &str| PLANS.contains(&folder) || is_proposal(folder) && folder != "deps";
    let is_plan = folders.split('/').any(is_plan);
    let file = file_name(&lower);
    let stem = file.split('.').next().unwrap_or(file);
    let last = stem.split(['-', '_']).next_back().unwrap_or(stem);
    // `PROJECT_PLAN.md`, `zip-triage.md` and `perf-done.md` are working notes.
    let is_plan = is_plan || ["plan", "prd", "triage", "todo", "done"].contains(&last);
    is_plan
        || is_numbered(name)
        || is_of_release(file)
        || is_dated(file)
        // A mark counts only at the start of a word: `threshold-map.md` has `old-` inside of one.
        || lower.split('/').any(|part| {
            RECORDS.iter().any(|mark| {
                part.starts_with(mark)
                    || part.contains(&format!("-{mark}"))
                    || part.contains(&format!("_{mark}"))
            })
        })
}

/// Reports whether a file is the notes on one release, which its name is: `v0.20.0.md`.
fn is_of_release(file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut parts = stem.strip_prefix('v').unwrap_or(stem).split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    stem.matches('.').count() > 1 && parts.all(is_number)
}

/// Reports whether the name of a file begins with a day, as that of a plan or of minutes:
/// `2026-07-09-retry.md`.
fn is_dated(file: &str) -> bool {
    let mut parts = file.splitn(4, '-');
    let lengths = [4, 2, 2];
    lengths.into_iter().all(|length| {
        let part = parts.next().and_then(|part| part.get(..length));
        part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Reports whether a document is one of a series of papers, which their folder names:
/// `swip/SWIP-12.md`.
fn is_numbered(name: &str) -> bool {
    let mut parts = name.rsplit('/');
    let (file, folder) = (parts.next().unwrap_or(name), parts.next());
    let stem = file.split('.').next().unwrap_or(file);
    stem.split_once('-').is_some_and(|(series, number)| {
        let folder = folder.map(|folder| folder.trim_end_matches('s'));
        // Only a series in capitals is one of papers: `tip/tip-12.md` may be the page of a tip.
        let is_series = folder.is_some_and(|folder| folder.eq_ignore_ascii_case(series));
        is_series
            && series.chars().all(|letter| letter.is_ascii_uppercase())
            && number.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// Returns the reason why a path belongs to the reader, to an example or to a release.
fn of_reader(claim: &TextClaim) -> Option<&'static str> {
    let is_path = claim.kind == ThingKind::Path;
    match () {
        () if claim.name.contains("path/to/") => Some("a placeholder"),
        () if is_path && is_fragment(&claim.name) => {
            Some("a note of one change, which a release takes in")
        }
        () if is_path && ADDED_FILE.is_match(&claim.around) => Some("a file that the reader makes"),
        () => None,
    }
}

/// Reports whether a path is a note of one change in a folder of such: `CHANGES/1654.bugfix.rst`.
fn is_fragment(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = file_name(folders);
    let is_of_changes = ["change", "news", "release"]
        .iter()
        .any(|mark| folder.to_ascii_lowercase().starts_with(mark));
    // Such a name has a number, a kind and an extension.
    is_of_changes && name.matches('.').count() > 1
}

fn is_record_heading(heading: &str) -> bool {
    let lower = heading.to_ascii_lowercase();
    [
        "changelog",
        "migrat",
        "upgrad",
        "release notes",
        "history",
        "deprecat",
        "removed",
        "roadmap",
        "what's new",
        "breaking",
    ]
    .iter()
    .any(|mark| lower.contains(mark))
}

/// Returns the reason why the sentence around a claim is about another time or about the reader's
/// own things.
fn about_another(claim: &TextClaim) -> Option<&'static str> {
    let told = sentences(&claim.around, &claim.name);
    let tells = |sentence: &&str| {
        // The name itself tells nothing: `FutureResponse`.
        let lower = sentence.replace(&claim.name, "").to_lowercase();
        OTHER_TIME.iter().any(|mark| lower.contains(mark)) || OLD_RELEASE.is_match(&lower)
    };
    if told.iter().any(tells) || excuse::is_told_in_past(claim) {
        return Some("the sentence tells of another time");
    }
    let sentence = sentence(&claim.around, &claim.name).to_lowercase();
    let name = claim.name.to_lowercase();
    let bare = sentence.replace('`', "");
    let is_added = matches!(claim.kind, ThingKind::Path) && ADDED_FILE.is_match(&sentence);
    // "`ThingBuilder` to create a thing" says what the project's own is for.
    let is_means = claim.kind == ThingKind::Symbol && bare.contains(&format!("{name} to create"));
    let is_readers = ["your", "example", "sample"]
        .iter()
        .any(|whose| bare.contains(&format!("{whose} {name}")))
        || bare.starts_with(&format!("where {name} is"));
    if is_added || is_readers || !is_means && OF_READER.iter().any(|mark| sentence.contains(mark)) {
        return Some("the sentence speaks of the reader's own things");
    }
    None
}

/// Returns the sentences of a paragraph that have a name.
fn sentences<'t>(around: &'t str, name: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut rest = around;
    while rest.contains(name) {
        let said = sentence(rest, name);
        found.push(said);
        let end = said.as_ptr() as usize - rest.as_ptr() as usize + said.len();
        rest = &rest[end..];
    }
    found
}

/// Returns the sentence of a paragraph that has a name.
pub(crate) fn sentence<'t>(around: &'t str, name: &str) -> &'t str {
    let Some(at) = around.find(name) else {
        return around;
    };
    // A period inside of a name or a version, as in `thing.rs` or `1.2`, ends no sentence.
    let is_end = |place: &usize| around[place + 1..].starts_with([' ', '\n', '\r']);
    let ends = |text| str::match_indices(text, '.').map(|(place, _)| place);
    let start = ends(&around[..at]).rfind(is_end);
    let end = ends(&around[at..]).map(|place| at + place).find(is_end);
    &around[start.map_or(0, |start| start + 2)..end.map_or(around.len(), |end| end + 1)]
}

/// Returns the names by which an import line says whose package it imports from: the parts of its
/// string, or the first part of a module.
fn roots(line: &str) -> Vec<&str> {
    let parts = |text| str::split(text, ['/', '.', ':', '\\', '@', '<', '>', '"']);
    if let Some(quoted) = line.split(['"', '\'']).nth(1) {
        return parts(quoted).filter(|part| !part.is_empty()).collect();
    }
    let words = line.split_whitespace().skip(1);
    let Some(module) = words
        .into_iter()
        .find(|word| !matches!(*word, "static" | "type" | "{"))
    else {
        return Vec::new();
    };
    // `from thing.parts import a` belongs to its first part. In `import com.thing.parts.A;` any
    // part may be the project's name.
    let is_python =
        line.starts_with("from ") || (line.starts_with("import ") && !line.ends_with(';'));
    let all = parts(module).filter(|part| !part.is_empty());
    let count = if is_python || module.contains("::") {
        1
    } else {
        usize::MAX
    };
    all.take(count)
        .map(|part| part.trim_end_matches([';', ',']))
        .collect()
}

/// Reports whether a line imports from the sources by a relative path: from the top, or from a
/// folder of sources. Any other relative path is one of the reader's own.
fn is_of_source(line: &str) -> bool {
    let quoted = line.split(['"', '\'']).nth(1).unwrap_or_default();
    let is_relative = quoted.starts_with('.');
    let rest = quoted.trim_start_matches(['.', '/']);
    let first = rest.split(['/', '.']).next().unwrap_or_default();
    is_relative && matches!(first, "" | "src" | "lib" | "dist" | "index")
}

/// Returns the names that an import line brings in from another package. The list is empty if the
/// package is the project's; `None` if the line imports nothing.
fn imported_elsewhere(line: &str, own: &BTreeSet<String>) -> Option<Vec<String>> {
    // The line may be behind a prompt: `>>> import thing`.
    let line = line.trim_start_matches(['>', ' ', '.', '$']);
    let is_import = [
        "import ",
        "from ",
        "use ",
        "using ",
        "require ",
        "#include ",
    ]
    .iter()
    .any(|mark| line.starts_with(mark))
        // `const a = require("b")` begins with the name that it binds.
        || (line.contains("require(") && line.contains('='));
    if !is_import {
        return None;
    }
    let names: Vec<String> = line
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let is_own = is_of_source(line)
        || roots(line)
            .iter()
            .any(|name| own.contains(&name.to_ascii_lowercase()));
    let keywords = [
        "import", "from", "use", "using", "require", "include", "const", "let", "var", "as", "type",
    ];
    Some(if is_own {
        Vec::new()
    } else {
        names
            .into_iter()
            .filter(|name| !keywords.contains(&name.as_str()))
            .collect()
    })
}

/// Returns the names that a line of an example binds: parameters, variables of loops, `as` names.
fn bound(line: &str) -> Vec<String> {
    let line = line.trim_start_matches(['>', '.', ' ', '\t']);
    let parameters = || {
        let is_head = DEFINING.iter().any(|word| {
            line.strip_prefix(word)
                .is_some_and(|rest| rest.starts_with(' '))
        });
        let (_, rest) = line.split_once('(').filter(|_| is_head)?;
        Some(rest.rsplit_once(')').map_or(rest, |(inner, _)| inner))
    };
    let loops = || {
        let rest = line.strip_prefix("for ")?;
        rest.split_once(" in ").or_else(|| rest.split_once(" of "))
    };
    let of_parameter = |parameter: &str| {
        let name = parameter.split(['=', ':']).next().unwrap_or(parameter);
        // `ThingInterface $thing` binds the second.
        let name = name.rsplit('$').next().unwrap_or(name);
        let words = name.split(|letter: char| !is_name(letter));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut found: Vec<String> = Vec::new();
    found.extend(
        parameters()
            .into_iter()
            .flat_map(|all| all.split(',').flat_map(of_parameter)),
    );
    found.extend(
        loops()
            .into_iter()
            .flat_map(|(names, _)| of_parameter(names)),
    );
    if let Some((_, name)) = line.rsplit_once(" as ") {
        found.extend(of_parameter(name).into_iter().take(1));
    }
    found
}

/// Returns the name that a line of an example assigns: `client = …`, `Type name = …`, `$client =
/// …`.
fn assigned(line: &str) -> Option<&str> {
    let (left, right) = line.split_once('=')?;
    // Comparisons and `+=` make no new name.
    if right.starts_with('=') || left.ends_with(['!', '<', '>', '+', '-', '*', '/']) {
        return None;
    }
    // What precedes may be the colon of `name := value`.
    let left = left.trim_end().trim_end_matches(':').trim_end();
    let name = left.rsplit(|letter: char| !is_name(letter)).next()?;
    let before = left[..left.len() - name.len()].trim_end();
    // A member (`a.b = 1`) and an argument by its name (`f(a, b=1)`) are no names that the example
    // makes.
    (!name.is_empty()
        && !before.ends_with('.')
        && !before.ends_with("->")
        && !before.ends_with(['(', ',']))
    .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_sentence_ends_at_the_nearest_full_stop() {
        let text = "It is yours. Or not.\nIt calls `send`.\nThe rest is. So it ends.";
        assert_eq!(sentence(text, "send"), "It calls `send`.");
        assert_eq!(
            sentence(&text.replace('\n', "\r\n"), "send").trim(),
            "It calls `send`."
        );
        assert_eq!(
            sentence("See `a.rs` of 1.2 there. Or not.", "a.rs"),
            "See `a.rs` of 1.2 there."
        );
    }
}
