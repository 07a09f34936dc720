//! Whose thing is it? Reasons why a mention is no claim about this tree.
//!
//! Given a document with its mentions, says which names its examples define or import from
//! elsewhere, and which sentences tell of another time, another project or a wish.

use std::collections::BTreeSet;

use crate::claim::{Claim, Kind};
use crate::document::Document;
use crate::mention::{Context, Mention};

/// Parts of a file's name that make it a record of older versions.
const RECORDS: &[&str] = &[
    "changelog",
    "changes",
    "history",
    "news",
    "release",
    "migrat",
    "upgrad",
    "whatsnew",
    "what's-new",
    "announce",
    "blog",
    "roadmap",
    "proposal",
    "rfc",
    "archive",
    "v1-v2",
    "porting",
];

/// Words by which a sentence tells of another time.
const OTHER_TIME: &[&str] = &[
    "removed",
    "renamed",
    "no longer",
    "formerly",
    "previously",
    "used to be",
    "deprecat",
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
];

/// Words by which a sentence speaks of what the reader has or makes.
const OF_READER: &[&str] = &[
    "create a",
    "create an",
    "create the",
    "your own",
    "your project",
    "your app",
    "your code",
    "you can name",
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
];

/// What a document says of names that are not the project's.
#[derive(Debug, Default)]
pub struct Foreign {
    is_record: bool,
    made_here: BTreeSet<String>,
    imported: BTreeSet<String>,
}

impl Foreign {
    /// Reads the examples of a document. `own` are the names of the project and its packages.
    pub fn of(document: &Document, mentions: &[Mention], own: &BTreeSet<String>) -> Self {
        let mut foreign = Self {
            is_record: is_record(&document.name),
            ..Self::default()
        };
        for mention in mentions {
            if matches!(mention.context, Context::Fence(_)) {
                foreign.read(&mention.text, own);
            }
        }
        foreign
    }

    fn read(&mut self, line: &str, own: &BTreeSet<String>) {
        if let Some(names) = imported_elsewhere(line, own) {
            self.imported.extend(names);
            return;
        }
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
        if let Some(name) = assigned(line) {
            self.made_here.insert(name.to_owned());
        }
    }

    /// Why a claim is none about this tree, or `None` if it is one.
    pub fn reason(&self, claim: &Claim) -> Option<&'static str> {
        let is_name = matches!(claim.kind, Kind::Symbol | Kind::Variable);
        let names = || claim.owners.iter().chain([&claim.name]);
        match () {
            () if self.is_record => Some("a record of older versions"),
            () if claim
                .headings
                .iter()
                .any(|heading| is_record_heading(heading)) =>
            {
                Some("a section about older versions or plans")
            }
            () if is_output(claim) => Some("the output of a program"),
            () if is_name && self.made_here.contains(&claim.name) => {
                Some("made by the example itself")
            }
            () if is_name && names().any(|name| self.imported.contains(name)) => {
                Some("imported from another package")
            }
            // A statement says itself what it says of other times.
            () if claim.kind == Kind::Statement => None,
            () if !matches!(claim.context, Context::Fence(_) | Context::Link) => {
                about_another(claim)
            }
            () => None,
        }
    }
}

/// Whether a line of a session at a terminal is what a program printed.
fn is_output(claim: &Claim) -> bool {
    let is_session = matches!(
        &claim.context,
        Context::Fence(language) if matches!(language.as_str(), "console" | "shell-session" | "terminal")
    );
    is_session && !claim.around.trim_start().starts_with(['$', '#', '>', '%'])
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '#'
}

fn is_record(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.split('/').any(|part| {
        RECORDS.iter().any(|mark| {
            part.starts_with(mark)
                || part.contains(&format!("-{mark}"))
                || part.contains(&format!("_{mark}"))
        })
    })
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

/// Why the sentence around a claim is about another time or about the reader's own things.
fn about_another(claim: &Claim) -> Option<&'static str> {
    let sentence = sentence(&claim.around, &claim.name).to_lowercase();
    if OTHER_TIME.iter().any(|mark| sentence.contains(mark)) {
        return Some("the sentence tells of another time");
    }
    if OF_READER.iter().any(|mark| sentence.contains(mark)) {
        return Some("the sentence speaks of the reader's own things");
    }
    None
}

/// The sentence of a paragraph that has a name.
fn sentence<'t>(around: &'t str, name: &str) -> &'t str {
    let Some(at) = around.find(name) else {
        return around;
    };
    let ends = |text: &str, from: usize| {
        text[from..]
            .find(". ")
            .or_else(|| text[from..].find(".\n"))
            .map_or(text.len(), |end| from + end + 1)
    };
    let start = around[..at]
        .rfind(". ")
        .or_else(|| around[..at].rfind(".\n"))
        .map_or(0, |start| start + 2);
    &around[start..ends(around, at)]
}

/// The names that an import line brings in from a package that is not the project's; `None` where
/// the line imports nothing.
fn imported_elsewhere(line: &str, own: &BTreeSet<String>) -> Option<Vec<String>> {
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
        || (line.contains("require(") && line.contains('='));
    if !is_import {
        return None;
    }
    let names: Vec<String> = line
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let is_own = line.contains("./")
        || names
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

/// The name that a line of an example assigns: `client = …`, `Type name = …`, `$client = …`.
fn assigned(line: &str) -> Option<&str> {
    let (left, right) = line.split_once('=')?;
    if right.starts_with('=') || left.ends_with(['!', '<', '>', '+', '-', '*', '/']) {
        return None;
    }
    let left = left.trim_end().trim_end_matches(':').trim_end();
    let name = left.rsplit(|letter: char| !is_name(letter)).next()?;
    let before = left[..left.len() - name.len()].trim_end();
    (!name.is_empty()
        && !before.ends_with('.')
        && !before.ends_with("->")
        && !before.ends_with(['(', ',']))
    .then_some(name)
}
