//! A rule: its name, its purpose, and what finds its places.

use std::sync::OnceLock;

use ast_grep_config::RuleConfig;
use globset::GlobSet;
use grounds_evidence::FileRole;
use grounds_syntax::Language;
use regex::Regex;

use super::documents::{self, TreeBody};
use super::language::RuleLanguage;
use super::native::Native;
use crate::finding::Severity;

/// A rule.
pub struct Rule {
    /// Its name, which findings and suppressions use.
    pub name: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// The files in which it looks.
    pub reach: RuleReach,
    /// Whether it is on.
    pub is_on: bool,
    /// Its origin.
    pub origin: RuleOrigin,
    /// Its documentation.
    pub documentation: Documentation,
    pub(crate) detectors: Vec<Detector>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rule")
            .field("name", &self.name)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

impl Rule {
    /// Reports whether it comes from a file and is not built in.
    pub(crate) const fn is_of_file(&self) -> bool {
        match self.origin {
            RuleOrigin::File(_) => true,
            RuleOrigin::BuiltIn => false,
        }
    }
}

/// The purpose of a rule, in its author's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documentation {
    /// What it finds, in one line.
    pub what: String,
    /// Why that is wrong.
    pub why: String,
    /// What to do instead.
    pub instead: String,
    /// When it is wrong to complain.
    pub wrong_when: String,
    /// A page about it.
    pub url: Option<String>,
}

/// The origin of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The program.
    BuiltIn,
    /// A file.
    File(String),
}

/// The files in which a rule looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleReach {
    /// In all.
    Everywhere,
    /// Code, except that of others or of programs, and except tests and fixtures.
    Code,
    /// Code that is shipped: as `Code`, and without examples, benches and build scripts.
    Product,
}

impl RuleReach {
    /// Reports whether a rule with this reach looks into a file of this role.
    pub(crate) const fn has(self, role: FileRole) -> bool {
        match role {
            FileRole::Source | FileRole::Header => true,
            FileRole::Build | FileRole::Bench | FileRole::Example => {
                matches!(self, Self::Everywhere | Self::Code)
            }
            FileRole::Test
            | FileRole::Fixture
            | FileRole::Generated
            | FileRole::Vendored
            | FileRole::Documentation
            | FileRole::Data
            | FileRole::Backup => matches!(self, Self::Everywhere),
        }
    }

    /// Reports whether places inside a test count.
    pub(crate) const fn has_tests(self) -> bool {
        matches!(self, Self::Everywhere)
    }

    /// Returns its description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Code => "code, without tests, fixtures, generated and vendored files",
            Self::Product => {
                "what is shipped: no tests, fixtures, examples, benches, build scripts"
            }
        }
    }
}

/// One thing that finds places: a document of the rule's file.
pub(crate) struct Detector {
    pub(crate) id: String,
    pub(crate) message: String,
    pub(crate) files: Option<GlobSet>,
    pub(crate) ignores: Option<GlobSet>,
    pub(crate) kind: DetectorKind,
}

pub(crate) enum DetectorKind {
    Tree(Box<TreeDetector>),
    Text(TextMatcher),
    Native(&'static dyn Native),
}

/// A pattern over the tree, compiled at its first use.
pub(crate) struct TreeDetector {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) body: TreeBody,
    pub(crate) matcher: OnceLock<Result<RuleConfig<RuleLanguage>, String>>,
}

impl TreeDetector {
    /// Returns the matcher.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub(crate) fn matcher(&self) -> Result<&RuleConfig<RuleLanguage>, String> {
        let compile = || {
            let body = self.body.read(&self.path, self.line);
            body.and_then(|body| documents::compile(&self.path, "", self.line, body))
                .map_err(|error| error.reason)
        };
        self.matcher
            .get_or_init(compile)
            .as_ref()
            .map_err(Clone::clone)
    }
}

/// Regular expressions over one line.
pub(crate) struct TextMatcher {
    pub(crate) regex: Option<Regex>,
    pub(crate) all: Vec<TextMatcher>,
    pub(crate) any: Vec<TextMatcher>,
    pub(crate) not: Option<Box<TextMatcher>>,
}

impl TextMatcher {
    /// Returns the bytes of a line that match: those of `regex`, otherwise of the first part of
    /// `all`, otherwise of `any`.
    pub(crate) fn find(&self, line: &str) -> Option<std::ops::Range<usize>> {
        let mut found = None;
        if let Some(regex) = &self.regex {
            found = Some(regex.find(line)?.range());
        }
        for part in &self.all {
            let range = part.find(line)?;
            found.get_or_insert(range);
        }
        if !self.any.is_empty() {
            let range = self.any.iter().find_map(|part| part.find(line))?;
            found.get_or_insert(range);
        }
        let is_refused = self
            .not
            .as_ref()
            .is_some_and(|not| not.find(line).is_some());
        if is_refused {
            None
        } else {
            Some(found.unwrap_or(0..line.len()))
        }
    }
}

impl Detector {
    /// Reports whether it is for a file with this path and language.
    pub(crate) fn is_for(&self, path: &str, language: Option<&Language>) -> bool {
        let speaks = match &self.kind {
            DetectorKind::Tree(tree) => {
                language.is_some_and(|language| tree.body.language.is(language))
            }
            DetectorKind::Text(_) | DetectorKind::Native(_) => true,
        };
        speaks
            && !self
                .ignores
                .as_ref()
                .is_some_and(|globs| globs.is_match(path))
            && self.files.as_ref().is_none_or(|globs| globs.is_match(path))
    }
}

impl Rule {
    /// Returns the languages that it knows; `Text` for lines of any file.
    pub fn languages(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = Vec::new();
        for detector in &self.detectors {
            let name = match &detector.kind {
                DetectorKind::Tree(tree) => tree.body.language.syntax().name,
                DetectorKind::Text(_) => "Text",
                DetectorKind::Native(native) => native.languages(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns its first message.
    pub fn message(&self) -> &str {
        self.detectors
            .first()
            .map_or("", |detector| &detector.message)
    }
}
