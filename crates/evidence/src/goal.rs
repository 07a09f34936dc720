//! The goal of a question: an intent, and the targets that it is about.

use crate::name;

/// The purpose of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// Where is it?
    Locate,
    /// What is connected with it: what calls it, what imports it?
    Navigate,
    /// How does it work?
    Explain,
    /// How do two or more things compare?
    Compare,
    /// What is in an area of the code?
    Review,
    /// Why does it fail?
    Diagnose,
    /// What has happened, and what is the present state?
    Status,
    /// Does it build, do the tests pass?
    Execute,
    /// What would a change touch?
    Modify,
    /// Nothing that evidence could answer.
    Chat,
}

/// A thing that the question is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuestionTarget {
    /// The words of the question, as written there.
    pub text: String,
    /// The kind of thing that the words name.
    pub kind: TargetKind,
    /// The relation to it that answers the question.
    pub wanted: WantedRelation,
}

/// The kind of thing that the words of a target name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// One name in code: `EvidenceStore`.
    Identifier,
    /// A name with its enclosing names: `Planner::next`, `pkg.mod.func`.
    SymbolPath,
    /// A file or folder: `src/net`, `main.rs`.
    Path,
    /// Several words that mean one thing, as a whole: `evidence gating`.
    Phrase,
    /// Text between quotation marks, which is searched literally.
    Quoted,
    /// A commit, by its hash.
    Commit,
    /// The text of an error: searched as a literal, and as the output of a format string.
    Message,
}

/// The relation to the target that answers the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WantedRelation {
    /// Where the target is introduced.
    Definition,
    /// Where the target is used, in whatever way.
    Uses,
    /// Where the target is called.
    Calls,
    /// What extends or implements the target.
    Implementations,
    /// Where the target is imported.
    Imports,
    /// Where the target occurs, in whatever relation.
    Occurrence,
}

/// The meaning of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What the person wants.
    pub intent: Intent,
    /// What it is about, in the order of the question.
    pub targets: Vec<QuestionTarget>,
    /// Whether the question is about continuous integration.
    pub about_ci: bool,
}

impl Intent {
    /// Every intent, in the order of the requirements table.
    pub const ALL: [Self; 10] = [
        Self::Locate,
        Self::Navigate,
        Self::Explain,
        Self::Review,
        Self::Diagnose,
        Self::Compare,
        Self::Status,
        Self::Execute,
        Self::Modify,
        Self::Chat,
    ];

    /// Returns the name of the intent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Locate => "Locate",
            Self::Navigate => "Navigate",
            Self::Explain => "Explain",
            Self::Compare => "Compare",
            Self::Review => "Review",
            Self::Diagnose => "Diagnose",
            Self::Status => "Status",
            Self::Execute => "Execute",
            Self::Modify => "Modify",
            Self::Chat => "Chat",
        }
    }
}

impl TargetKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Identifier,
        Self::SymbolPath,
        Self::Path,
        Self::Phrase,
        Self::Quoted,
        Self::Commit,
        Self::Message,
    ];

    /// Returns the word for the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::SymbolPath => "symbol_path",
            Self::Path => "path",
            Self::Phrase => "phrase",
            Self::Quoted => "quoted",
            Self::Commit => "commit",
            Self::Message => "message",
        }
    }
}

impl WantedRelation {
    /// Every relation that a question can want.
    pub const ALL: [Self; 6] = [
        Self::Definition,
        Self::Uses,
        Self::Calls,
        Self::Implementations,
        Self::Imports,
        Self::Occurrence,
    ];

    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Uses => "uses",
            Self::Calls => "calls",
            Self::Implementations => "implementations",
            Self::Imports => "imports",
            Self::Occurrence => "occurrence",
        }
    }
}

impl QuestionTarget {
    /// Returns what is searched in the tree: the last name of a symbol path, otherwise the whole
    /// text.
    pub fn needle(&self) -> &str {
        match self.kind {
            // A definition is written with its own name only: `fn next`, and not
            // `fn Planner::next`.
            TargetKind::SymbolPath => name::path_segments(&self.text)
                .last()
                .copied()
                .unwrap_or(&self.text),
            TargetKind::Identifier | TargetKind::Path | TargetKind::Phrase | TargetKind::Quoted => {
                &self.text
            }
            TargetKind::Commit | TargetKind::Message => &self.text,
        }
    }

    /// Returns the names that must enclose the last name of a symbol path, outermost first.
    pub fn qualifiers(&self) -> Vec<&str> {
        match self.kind {
            TargetKind::SymbolPath => {
                let mut segments = name::path_segments(&self.text);
                segments.pop();
                segments
            }
            TargetKind::Identifier | TargetKind::Path | TargetKind::Phrase | TargetKind::Quoted => {
                Vec::new()
            }
            TargetKind::Commit | TargetKind::Message => Vec::new(),
        }
    }
}
