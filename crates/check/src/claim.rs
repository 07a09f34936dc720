//! Claims that a text makes about a tree, as far as this crate decides them by itself.

use crate::mention::MentionContext;
use crate::statement::Statement;

/// The kind of thing that a claim says is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThingKind {
    /// A link leads to a file of the tree.
    Link,
    /// A file or folder exists.
    Path,
    /// A file has a line, and the line shows what is named.
    Line,
    /// A symbol exists in the code.
    Symbol,
    /// A command-line flag exists.
    Flag,
    /// An environment variable or a constant in capitals exists.
    Variable,
    /// A script or target of a build tool exists.
    Script,
    /// A minimum version is what the manifest says.
    Version,
    /// A sentence states how things of the code relate.
    Statement,
}

impl ThingKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Link,
        Self::Path,
        Self::Line,
        Self::Symbol,
        Self::Flag,
        Self::Variable,
        Self::Script,
        Self::Version,
        Self::Statement,
    ];

    /// Returns the word for the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Path => "path",
            Self::Line => "line",
            Self::Symbol => "symbol",
            Self::Flag => "flag",
            Self::Variable => "variable",
            Self::Script => "script",
            Self::Version => "version",
            Self::Statement => "statement",
        }
    }
}

/// One claim of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextClaim {
    /// The kind of thing that it says is here.
    pub kind: ThingKind,
    /// The thing: a path, a name, a flag without its value.
    pub name: String,
    /// The names that enclose it as the text writes them, outermost first: `["Client"]` of
    /// `Client.send`.
    pub owners: Vec<String>,
    /// A line number or a value that goes with it, or `None` if the text gives none.
    pub detail: Option<String>,
    /// Its first byte in the text.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// The form in which it is mentioned.
    pub context: MentionContext,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The paragraph, item or code line around it.
    pub around: String,
    /// The address of the link whose text it is, or the module that the text says it describes.
    /// `None` if it has neither.
    pub linked: Option<String>,
    /// The statement of a sentence, or `None` for the other kinds.
    pub statement: Option<Statement>,
}

impl TextClaim {
    /// Reports whether the text asks for a version.
    pub(crate) fn requires(&self) -> bool {
        let around = self.around.to_ascii_lowercase();
        let words = [
            "requir",
            "need",
            "minimum",
            "at least",
            "prerequisite",
            "must",
        ];
        words.iter().any(|word| around.contains(word))
    }

    /// Reports whether a version is said to be the least that works, not one of those that do.
    pub(crate) fn states_least(&self) -> bool {
        let around = self.around.to_ascii_lowercase();
        let words = [
            "or later",
            "or newer",
            "or higher",
            "or above",
            "at least",
            "minimum",
            "and up",
        ];
        words.iter().any(|word| around.contains(word))
            || around.contains(&format!("{}+", self.name))
    }
}
