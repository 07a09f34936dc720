//! The scope of a search: what was read, what was not, and why. A refusal relies on it.

use std::collections::BTreeMap;

/// Examples that are kept for each reason.
const EXAMPLES_MAX: usize = 3;

/// Why something in the tree was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// It could not be opened or read.
    Unreadable,
    /// Larger than `file_bytes_max`.
    TooLarge,
    /// A file without text, by a NUL byte in its first 8 KiB.
    Binary,
    /// A binary file whose name says that it is code.
    BinaryNamedAsCode,
    /// A pointer of git LFS in the place of the content.
    LfsPointer,
    /// A submodule that is not checked out.
    Submodule,
    /// A folder deeper than `depth_max`.
    TooDeep,
    /// A symbolic link: never followed.
    Link,
    /// A pipe, socket or device.
    Special,
    /// The pass reached its limit of time.
    TimeUp,
    /// More files with occurrences than are kept.
    HitFiles,
    /// More bytes of candidates than are parsed.
    ParseBytes,
    /// A file whose parse was given up.
    Unparsed,
    /// Content that changed between the search and the reading.
    Changed,
    /// Hidden and ignored folders past the bytes that the second pass reads.
    IgnoredBytes,
    /// A clone without all the content: a sparse checkout.
    Sparse,
    /// A file that counts as binary, and contains the letters of a target.
    BinaryMatch,
    /// A file that writes a name in another Unicode form or with escapes.
    OtherForm,
    /// A path that the question names as where to search, and that does not exist.
    NoSuchPath,
    /// A tree without a single file that can be read.
    NothingToRead,
    /// Git could not list what it tracks, so that files may be missing on the disk.
    Unlisted,
}

/// The things that were skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Skipped {
    /// How many.
    pub count: u64,
    /// The first few in the order of their names.
    pub examples: Vec<String>,
}

/// What a search covered.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchScope {
    /// Files whose content was searched.
    pub files_searched: u64,
    /// Bytes that were searched.
    pub bytes_searched: u64,
    /// What was not searched.
    pub skipped: BTreeMap<SkipReason, Skipped>,
}

impl SkipReason {
    /// Returns the word for the reason, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
            Self::Binary => "binary",
            Self::BinaryNamedAsCode => "binary_named_as_code",
            Self::LfsPointer => "lfs_pointer",
            Self::Submodule => "submodule_not_checked_out",
            Self::TooDeep => "depth_limit",
            Self::Link => "symbolic_link",
            Self::Special => "special_file",
            Self::TimeUp => "time_limit",
            Self::HitFiles => "hit_files_limit",
            Self::ParseBytes => "parse_bytes_limit",
            Self::Unparsed => "unparsed",
            Self::Changed => "changed_during_the_run",
            Self::IgnoredBytes => "ignored_bytes_limit",
            Self::Sparse => "sparse_checkout",
            Self::BinaryMatch => "binary_file_matches",
            Self::OtherForm => "written_in_another_form",
            Self::NoSuchPath => "no_such_path",
            Self::NothingToRead => "nothing_to_read",
            Self::Unlisted => "tracked_files_not_listed",
        }
    }

    /// Reports whether what was skipped for this reason could have contained the answer.
    pub const fn could_matter(self) -> bool {
        match self {
            // A link is never followed, and what it leads to is searched at its own path if it is
            // in the tree.
            Self::Binary | Self::Link | Self::Special => false,
            Self::Unreadable
            | Self::TooLarge
            | Self::TooDeep
            | Self::BinaryNamedAsCode
            | Self::LfsPointer
            | Self::Submodule => true,
            Self::TimeUp
            | Self::HitFiles
            | Self::ParseBytes
            | Self::Unparsed
            | Self::Changed
            | Self::IgnoredBytes
            | Self::Sparse => true,
            Self::BinaryMatch | Self::OtherForm | Self::NoSuchPath => true,
            Self::NothingToRead | Self::Unlisted => true,
        }
    }
}

impl SkipReason {
    /// Reports whether what was skipped is known to contain the target.
    pub const fn is_of_a_candidate(self) -> bool {
        matches!(
            self,
            Self::HitFiles | Self::ParseBytes | Self::Unparsed | Self::Changed
        )
    }
}

impl SearchScope {
    /// Counts one thing that was skipped.
    pub fn skip(&mut self, reason: SkipReason, what: &str) {
        let skipped = self.skipped.entry(reason).or_default();
        skipped.count += 1;
        let at = skipped
            .examples
            .partition_point(|known| known.as_str() < what);
        if at < EXAMPLES_MAX {
            skipped.examples.insert(at, what.to_owned());
            skipped.examples.truncate(EXAMPLES_MAX);
        }
    }

    /// Adds what another part of the search covered. The order of the parts does not matter.
    pub fn merge(&mut self, other: &Self) {
        self.files_searched += other.files_searched;
        self.bytes_searched += other.bytes_searched;
        for (reason, skipped) in &other.skipped {
            let mine = self.skipped.entry(*reason).or_default();
            mine.count += skipped.count;
            mine.examples.extend(skipped.examples.iter().cloned());
            mine.examples.sort_unstable();
            mine.examples.dedup();
            mine.examples.truncate(EXAMPLES_MAX);
        }
    }

    /// Reports whether nothing that could matter was skipped.
    pub fn is_complete(&self) -> bool {
        self.skipped.keys().all(|reason| !reason.could_matter())
    }
}
