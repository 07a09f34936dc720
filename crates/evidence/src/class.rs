//! The classes of evidence, and the families of producers that can corroborate
//! each other.

use std::fmt;

/// A class of evidence: the kind of knowledge that a requirement asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceClass {
    /// Places in the tree that match the target.
    FileSearch,
    /// Text of a file that was read.
    FileContent,
    /// The history of the repository.
    GitLog,
    /// A build of the project.
    Build,
    /// A run of its tests.
    Test,
    /// The kind of the project.
    Discovery,
    /// Runs of its continuous integration.
    CiWorkflow,
}

/// Producers that share their false positives. One family never corroborates itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// find, grep and references: they read the same matches.
    Search,
    /// read: reads the text from disk again and checks that it contains the target.
    Reader,
    /// git.
    History,
    /// Build and test tools.
    Toolchain,
    /// A service that runs the project's continuous integration.
    Ci,
    /// An index written by a compiler or a language server.
    Index,
    /// The project's own manifests.
    Manifest,
    /// A count of the files.
    Census,
}

impl EvidenceClass {
    /// Every class, in the order of the requirements table.
    pub const ALL: [Self; 7] = [
        Self::FileSearch,
        Self::FileContent,
        Self::Discovery,
        Self::GitLog,
        Self::Build,
        Self::Test,
        Self::CiWorkflow,
    ];

    /// Returns the name of the class, as used in JSON and on the screen.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileSearch => "FileSearch",
            Self::FileContent => "FileContent",
            Self::GitLog => "GitLog",
            Self::Build => "Build",
            Self::Test => "Test",
            Self::Discovery => "Discovery",
            Self::CiWorkflow => "CiWorkflow",
        }
    }

    /// Reports whether the class is about one target of the question, and not about the project as
    /// a whole.
    pub const fn is_about_a_target(self) -> bool {
        match self {
            Self::FileSearch | Self::FileContent => true,
            Self::GitLog | Self::Build | Self::Test | Self::Discovery | Self::CiWorkflow => false,
        }
    }
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 8] = [
        Self::Search,
        Self::Reader,
        Self::History,
        Self::Toolchain,
        Self::Ci,
        Self::Index,
        Self::Manifest,
        Self::Census,
    ];

    /// Returns the word for the family.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Reader => "reader",
            Self::History => "history",
            Self::Toolchain => "toolchain",
            Self::Ci => "ci",
            Self::Index => "index",
            Self::Manifest => "manifest",
            Self::Census => "census",
        }
    }
}

impl fmt::Display for EvidenceClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
