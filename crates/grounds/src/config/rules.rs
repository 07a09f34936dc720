//! `rules:` of the configuration: what is on, what is silenced with a reason, and
//! the bounds of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;

/// Which rules judge changes, and what they may look at.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RulesConfig {
    /// Packs of rules beside `.grounds/rules`: folders and files of the repository, from its top.
    pub extends: Vec<String>,
    /// Rules that are on, though they are off where nobody says.
    pub on: Vec<String>,
    /// Rules that are off.
    pub off: Vec<String>,
    /// Findings that are silenced: they are counted and told apart.
    pub suppress: Vec<SuppressConfig>,
    /// Maximum size in bytes of one side of a file; a larger file is reported as not judged.
    #[schemars(range(min = 1, max = 67_108_864))]
    #[serde(deserialize_with = "from_one_to::<_, _, 67_108_864>")]
    pub file_bytes_max: Option<usize>,
    /// Milliseconds that one side of a file may take.
    #[schemars(range(min = 1, max = 600_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 600_000>")]
    pub file_ms_max: Option<u64>,
    /// Bytes of a line; of a longer one, rules over lines read the beginning.
    #[schemars(range(min = 1, max = 67_108_864))]
    #[serde(deserialize_with = "from_one_to::<_, _, 67_108_864>")]
    pub line_bytes_max: Option<usize>,
    /// Findings of one rule in one file; more are counted and told.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub findings_in_file_max: Option<usize>,
    /// Findings of a run; more are counted and told.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub findings_max: Option<usize>,
    /// Documents that are read for what a change alters; with more, none is read, and the report says so.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_000_000>")]
    pub documents_max: Option<usize>,
    /// Bytes of these documents.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub documents_bytes_max: Option<usize>,
    /// Names and paths that a change may alter; with more, no document is read, and the report says so.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub stated_names_max: Option<usize>,
    /// Files that may decide what documents state of a change; with more, nothing is decided, and the report says so.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub stated_files_max: Option<usize>,
    /// Bytes of these files, at both sides.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_073_741_824>")]
    pub stated_bytes_max: Option<usize>,
    /// Bytes of the tree that are looked through for a caller of new code; with more, the report says so.
    #[schemars(range(min = 1, max = 4_294_967_296_u64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 4_294_967_296>")]
    pub mentions_bytes_max: Option<usize>,
    /// Threads of a run.
    #[schemars(range(min = 1, max = 64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 64>")]
    pub threads_max: Option<usize>,
}

/// A rule that is silenced in some files, with the reason.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuppressConfig {
    /// The rule.
    pub rule: String,
    /// The files, as globs from the top of the repository; an empty list means all files.
    #[serde(default)]
    pub files: Vec<String>,
    /// Why.
    pub reason: String,
}

impl RulesConfig {
    /// Fills unset fields from another configuration. Lists of both count, this one's first.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let joined = |mut first: Vec<String>, second: Vec<String>| {
            first.extend(second);
            first
        };
        // The other configuration does not switch off a rule that this one switches on, and the
        // reverse.
        let is_free = |name: &String| !self.on.contains(name) && !self.off.contains(name);
        let (other_on, other_off) = (
            other.on.into_iter().filter(is_free).collect(),
            other.off.into_iter().filter(is_free).collect(),
        );
        Self {
            extends: joined(self.extends, other.extends),
            on: joined(self.on, other_on),
            off: joined(self.off, other_off),
            suppress: self.suppress.into_iter().chain(other.suppress).collect(),
            file_bytes_max: self.file_bytes_max.or(other.file_bytes_max),
            file_ms_max: self.file_ms_max.or(other.file_ms_max),
            line_bytes_max: self.line_bytes_max.or(other.line_bytes_max),
            findings_in_file_max: self.findings_in_file_max.or(other.findings_in_file_max),
            findings_max: self.findings_max.or(other.findings_max),
            documents_max: self.documents_max.or(other.documents_max),
            documents_bytes_max: self.documents_bytes_max.or(other.documents_bytes_max),
            stated_names_max: self.stated_names_max.or(other.stated_names_max),
            mentions_bytes_max: self.mentions_bytes_max.or(other.mentions_bytes_max),
            stated_files_max: self.stated_files_max.or(other.stated_files_max),
            stated_bytes_max: self.stated_bytes_max.or(other.stated_bytes_max),
            threads_max: self.threads_max.or(other.threads_max),
        }
    }
}
