//! The part that a file plays in a repository. It ranks hits; it never rates them.

/// The role of a file, best first: a definition in a source file is shown before one in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileRole {
    /// Code of the project.
    Source,
    /// A header of C or C++, or typings: declarations of what is defined elsewhere.
    Header,
    /// A build file or a script around the project.
    Build,
    /// A test.
    Test,
    /// A benchmark.
    Bench,
    /// An example.
    Example,
    /// Data of a test.
    Fixture,
    /// Documentation and prose.
    Documentation,
    /// Configuration and data.
    Data,
    /// Written by a program.
    Generated,
    /// Code of others, kept in the tree.
    Vendored,
    /// A copy that an editor or a merge left behind.
    Backup,
}

impl FileRole {
    /// Every role, best first.
    pub const ALL: [Self; 12] = [
        Self::Source,
        Self::Header,
        Self::Build,
        Self::Test,
        Self::Bench,
        Self::Example,
        Self::Fixture,
        Self::Documentation,
        Self::Data,
        Self::Generated,
        Self::Vendored,
        Self::Backup,
    ];

    /// Returns the word for the role.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Header => "header",
            Self::Build => "build",
            Self::Test => "test",
            Self::Bench => "bench",
            Self::Example => "example",
            Self::Fixture => "fixture",
            Self::Documentation => "documentation",
            Self::Data => "data",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
            Self::Backup => "backup",
        }
    }
}
