//! One side of a changed file as rules see it: its text, its lines, its language, and its tree if a
//! rule needs one.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ast_grep_core::tree_sitter::StrDoc;
use grounds_evidence::FileRole;
use grounds_repo::role;
use grounds_syntax::{KeptParse, Label, Language, Parse, ParseError, Parser, languages};

use super::fix::Edit;
use super::language::RuleLanguage;
use super::limits::RuleLimits;
use super::report::Unread;
use super::watched::Watched;
use crate::diff::ChangedFile;

/// The two sides of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that the change starts from.
    Base,
    /// The side that is reviewed.
    Head,
}

/// A source of the bytes of both sides.
pub trait Blobs: Sync {
    /// Returns the bytes of a file at one side; `None` if the file does not exist there.
    ///
    /// # Errors
    /// The reason that bytes which should exist could not be read.
    fn read(&self, file: &ChangedFile, side: Side) -> Result<Option<Vec<u8>>, Unread>;
}

/// The tree of a file with its text, in the form that the matcher needs.
pub(crate) type Root = ast_grep_core::AstGrep<Watched>;

/// The text of one side of a file.
pub(crate) struct SideText {
    /// The path at this side.
    pub(crate) path: String,
    /// The text; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
    /// Its language; `None` if it is unknown.
    pub(crate) language: Option<&'static Language>,
    /// The role of the file.
    pub(crate) role: FileRole,
    starts: Vec<usize>,
    parsed: OnceLock<Result<Option<KeptParse>, String>>,
    definitions: OnceLock<Vec<(Range<usize>, Label)>>,
}

/// Maximum number of definitions of one side.
const DEFINITIONS_MAX: usize = 20_000;

impl SideText {
    pub(crate) fn new(path: &str, bytes: Vec<u8>) -> Self {
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let name = path.rsplit('/').next().unwrap_or(path);
        let language = languages::of_file(name, text.as_bytes());
        let starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|(_, byte)| *byte == b'\n')
                    .map(|(at, _)| at + 1),
            )
            .collect();
        Self {
            path: path.to_owned(),
            language,
            role: role::of_shown(path),
            starts,
            text,
            parsed: OnceLock::new(),
            definitions: OnceLock::new(),
        }
    }

    /// Returns the line of a byte, from 1.
    pub(crate) fn line_of(&self, byte: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= byte)).unwrap_or(u32::MAX)
    }

    /// Returns the range of bytes of a line, from 1, without its end; empty if there is no such
    /// line.
    pub(crate) fn line_range(&self, line: u32) -> Range<usize> {
        let index = usize::try_from(line)
            .unwrap_or(usize::MAX)
            .saturating_sub(1);
        let Some(&start) = self.starts.get(index) else {
            return self.text.len()..self.text.len();
        };
        let end = self
            .starts
            .get(index + 1)
            .map_or(self.text.len(), |next| next - 1);
        let end = if self.text[start..end].ends_with('\r') {
            end - 1
        } else {
            end
        };
        start..end
    }

    /// Returns the text of a line, from 1.
    pub(crate) fn line(&self, line: u32) -> &str {
        &self.text[self.line_range(line)]
    }

    /// Returns the number of lines.
    pub(crate) fn lines(&self) -> u32 {
        // A newline at the end of a text ends its last line, and begins no further one.
        let last_is_empty = self.starts.last() == Some(&self.text.len());
        u32::try_from(self.starts.len() - usize::from(last_is_empty)).unwrap_or(u32::MAX)
    }

    /// Parses the text within the time limit of a file, once for all callers. Returns `None`
    /// without a language.
    ///
    /// # Errors
    /// The reason if it cannot be parsed.
    pub(crate) fn parse(&self, limits: &RuleLimits) -> Result<Option<Parse<'_>>, String> {
        // Several rules and the finding of symbols need the same parse.
        let parsed = self.parsed.get_or_init(|| self.parsed_now(limits));
        match parsed {
            Ok(kept) => Ok(kept.as_ref().map(|kept| kept.with(self.text.as_bytes()))),
            Err(why) => Err(why.clone()),
        }
    }

    fn parsed_now(&self, limits: &RuleLimits) -> Result<Option<KeptParse>, String> {
        let Some(language) = self.language else {
            return Ok(None);
        };
        let deadline = Instant::now() + Duration::from_millis(limits.file_ms_max);
        let parsed = Parser::default().parse(language, self.text.as_bytes(), &|| {
            Instant::now() >= deadline
        });
        let parse = parsed.map_err(|error| match error {
            ParseError::Stopped => format!(
                "parsing it took longer than {} ms (file_ms_max)",
                limits.file_ms_max
            ),
            ParseError::Grammar => "its grammar could not be loaded".to_owned(),
        })?;
        Ok(Some(parse.keep()))
    }

    /// Returns the definitions of its parse, in the order of the text. They are searched once.
    pub(crate) fn definitions(&self, parse: &Parse<'_>) -> &[(Range<usize>, Label)] {
        self.definitions
            .get_or_init(|| parse.definitions(DEFINITIONS_MAX))
    }

    /// Returns the tree of its parse for the matcher, which may walk it for the time limit of a
    /// file; `None` if rules cannot be written for the language.
    pub(crate) fn root(&self, parse: &Parse<'_>, limits: &RuleLimits) -> Option<Root> {
        let lang = RuleLanguage::of(self.language?)?;
        let doc = StrDoc {
            src: self.text.clone(),
            lang,
            tree: parse.tree()?.clone(),
        };
        let deadline = Instant::now() + Duration::from_millis(limits.file_ms_max);
        Some(Root::doc(Watched::new(doc, deadline)))
    }
}

/// The lines that are searched.
pub(crate) enum ScannedLines<'a> {
    /// All of them.
    All,
    /// These, in order.
    These(&'a [u32]),
}

impl ScannedLines<'_> {
    /// Reports whether one of them is between two lines, both included.
    pub(crate) fn touch(&self, first: u32, last: u32) -> bool {
        match self {
            Self::All => true,
            Self::These(lines) => lines
                .get(lines.partition_point(|line| *line < first))
                .is_some_and(|line| *line <= last),
        }
    }

    /// Returns the lines of a text that are searched, in order.
    pub(crate) fn of(&self, side: &SideText) -> Vec<u32> {
        match self {
            Self::All => (1..=side.lines()).collect(),
            Self::These(lines) => lines
                .iter()
                .copied()
                .filter(|line| *line <= side.lines())
                .collect(),
        }
    }
}

/// A place that a rule points at, on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RulePlace {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// Its first line, from 1.
    pub(crate) line_start: u32,
    /// Its last line.
    pub(crate) line_end: u32,
    /// What is wrong there.
    pub(crate) message: String,
    /// The edit of the rule; `None` if it has no fix.
    pub(crate) edit: Option<Edit>,
}

impl RulePlace {
    /// Returns the place of some bytes of a side.
    pub(crate) fn at(side: &SideText, range: Range<usize>, message: String) -> Self {
        let text = &side.text[range.clone()];
        // Nodes of some grammars contain the newline after them, which would add a line to the
        // place.
        let last = range.start + text.trim_end().len().saturating_sub(1);
        Self {
            line_start: side.line_of(range.start),
            line_end: side.line_of(last.max(range.start)),
            range,
            message,
            edit: None,
        }
    }
}
