//! The configuration: `.grounds.yaml` at the top of the repository, or a file
//! that is named, over the person's own `grounds/config.yaml`. It sets bounds and
//! sends nothing anywhere. Whether code of the repository may run, and how much
//! it may use, is never read from a file inside of the checkout.

#[cfg(feature = "review")]
pub mod base;
mod fields;
mod fleet;
#[cfg(feature = "review")]
pub mod folders;
pub mod keys;
mod lines;
mod lsp;
mod mcp;
mod model;
pub(crate) mod nearest;
mod review;
mod rules;
mod store;
pub mod template;
mod usual;
mod verify;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use grounds_ask::QuestionBudget;
use grounds_repo::limits::Limits;
use grounds_repo::person;
use grounds_repo::text::read_regular;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{ConfigFault, Error};
use crate::named;

pub use fleet::FleetConfig;
pub use lsp::{LspBounds, LspConfig};
pub use mcp::{McpBounds, McpConfig};
pub use model::{ModelConfig, PriceConfig};
pub use review::{AgentConfig, QualityName, ReviewConfig, SeverityName};
pub use rules::{RulesConfig, SuppressConfig};
pub use store::StoreConfig;
pub use verify::VerifyConfig;

/// The name of the file at the top of a repository.
pub const FILE_NAME: &str = ".grounds.yaml";
/// A file of another tool with the same section `review`, read if we have no file of our own.
pub const CORA_FILE_NAME: &str = ".cora.yaml";
/// Bytes of a configuration; a larger file is refused.
const CONFIG_BYTES_MAX: u64 = 256 << 10;

/// The configuration as written.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Bounds of `grounds ask`.
    pub ask: AskConfig,
    /// Which rules judge changes, and what they may look at.
    pub rules: RulesConfig,
    /// Which model is asked, and what it may use. In the person's own configuration only.
    pub model: Option<ModelConfig>,
    /// How a change is reviewed.
    pub review: ReviewConfig,
    /// Bounds and sources of `grounds verify`.
    pub verify: VerifyConfig,
    /// Bounds of `grounds mcp`. In the person's own configuration only.
    pub mcp: Option<McpConfig>,
    /// Bounds of `grounds lsp`. In the person's own configuration only.
    pub lsp: Option<LspConfig>,
    /// The ledger and the bounds of `grounds fleet`. In the person's own configuration only.
    pub fleet: Option<FleetConfig>,
    /// Whether runs are kept on this machine, and how many.
    pub store: StoreConfig,
}

/// Bounds of `grounds ask`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AskConfig {
    /// Calls of tools for one question.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub steps_max: Option<usize>,
    /// Milliseconds of one investigation.
    #[schemars(range(min = 1))]
    pub total_ms_max: Option<u64>,
    /// Citations of one answer.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub citations_max: Option<usize>,
    /// Leads of one refusal.
    pub leads_max: Option<usize>,
    /// Lines of one citation.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1000>")]
    pub excerpt_lines_max: Option<u32>,
    /// Bytes of one file that are searched; a larger file is skipped and told.
    pub file_bytes_max: Option<u64>,
    /// Bytes of candidate files that are parsed for one target.
    pub parse_bytes_max: Option<u64>,
    /// Bytes of files that are parsed for what an answer tells beside its target.
    pub related_bytes_max: Option<u64>,
    /// Bytes that the second pass reads in hidden and ignored folders.
    pub ignored_bytes_max: Option<u64>,
    /// Milliseconds that one pass over the tree may take.
    pub pass_ms_max: Option<u64>,
    /// Depth of folders.
    pub depth_max: Option<usize>,
    /// Threads of a pass.
    #[schemars(range(min = 1, max = 64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 64>")]
    pub threads: Option<usize>,
    /// Milliseconds that reading the history may take for one question.
    pub history_ms_max: Option<u64>,
    /// Commits of the history that one run of `check` reads beside those that its index has.
    pub history_run_commits_max: Option<usize>,
    /// Commits of a history whose index is kept; a longer one is read at each run. This and the following four: in the
    /// person's own configuration only.
    pub history_index_commits_max: Option<usize>,
    /// Bytes of the kept index of one history.
    pub history_index_bytes_max: Option<u64>,
    /// Indexes of histories that are kept.
    pub history_indexes_max: Option<usize>,
    /// Bytes of all of them.
    pub history_indexes_bytes_max: Option<u64>,
    /// Days after its last use that an index of a history is kept.
    pub history_index_days_max: Option<u64>,
    /// Bytes of what parses of files said that are kept from one run to the next; 0 keeps nothing. In the
    /// person's own configuration only.
    pub parses_bytes_max: Option<u64>,
    /// Whether code of the repository may run, as with `--run`. In the person's own configuration only.
    pub run: Option<bool>,
    /// Whether it may run without a sandbox where the machine has none, as with `--run-without-sandbox`: it can then read, write
    /// and send whatever the person can. In the person's own configuration only.
    pub run_without_sandbox: Option<bool>,
    /// Milliseconds of one step of running the repository's code. This and the following: in the person's own configuration only.
    pub run_ms_max: Option<u64>,
    /// Bytes of memory that its processes may use together.
    pub run_memory_bytes_max: Option<u64>,
    /// Processes that it may have at one time.
    pub run_processes_max: Option<usize>,
    /// Bytes of each output of one of its programs that are kept.
    pub run_output_bytes_max: Option<usize>,
    /// Bytes that the private copy of the tree and what is built beside it may take.
    pub run_disk_bytes_max: Option<u64>,
    /// Files that are copied for a run.
    pub run_files_max: Option<usize>,
    /// Milliseconds that asking a service of CI may take, all requests together.
    pub ci_ms_max: Option<u64>,
    /// Maximum size in bytes of the log of one job; a larger one is reported as too large.
    pub ci_log_bytes_max: Option<u64>,
    /// Maximum size in bytes of a compiler's index; a larger one is not read, and that is reported.
    pub index_bytes_max: Option<u64>,
    /// Names that a model proposed that are looked for where the question's own words gave no answer; 0 asks for none.
    #[schemars(range(min = 0, max = 8))]
    #[serde(deserialize_with = "from_zero_to::<_, _, 8>")]
    pub hypotheses_max: Option<usize>,
    /// Bytes of a text given with `--from` that are read; a longer one is truncated with a notice.
    #[schemars(range(min = 1, max = 4_194_304))]
    #[serde(deserialize_with = "from_one_to::<_, _, 4_194_304>")]
    pub text_bytes_max: Option<usize>,
}

/// The place of the person's own configuration in the folder for configurations.
pub const OWN_FILE_NAME: &str = "grounds/config.yaml";

/// Reads the configuration that is named, else the repository's, over the person's own.
///
/// # Errors
/// [`Error::Config`] when a file that is there cannot be used.
pub fn read(named: Option<&Path>, root: &Path) -> Result<Config, Error> {
    Ok(layers(named, root)?
        .into_iter()
        .fold(Config::default(), |below, layer| layer.config.over(below)))
}

/// Reads the configuration that is named over the person's own, for what is about no repository.
///
/// # Errors
/// As [`read()`].
pub fn read_own(named: Option<&Path>) -> Result<Config, Error> {
    // Nothing lies in this folder, so that no file of a checkout is looked for.
    let nowhere = Path::new(if cfg!(windows) {
        r"\\.\NUL"
    } else {
        "/dev/null"
    });
    read(named, nowhere)
}

/// One file of the configuration.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The file.
    pub path: PathBuf,
    /// Whose it is.
    pub role: ConfigRole,
    /// The configuration in it.
    pub config: Config,
    /// The line of each of its values, by path.
    pub lines: BTreeMap<String, u32>,
}

/// Whose a file of the configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigRole {
    /// The person's own.
    Own,
    /// The repository's.
    Repository,
    /// Named with `--config`, in the place of the repository's.
    Named,
}

/// A file that is looked for, whether it is there or not.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// The file.
    pub path: PathBuf,
    /// Whose it is.
    pub role: ConfigRole,
}

/// Returns the files in which configurations are searched, the weakest first.
pub fn places(named: Option<&Path>, root: &Path) -> Vec<ConfigFile> {
    let own = own_file().map(|path| ConfigFile {
        path,
        role: ConfigRole::Own,
    });
    let other = match named {
        Some(path) => ConfigFile {
            path: path.to_owned(),
            role: ConfigRole::Named,
        },
        None => ConfigFile {
            path: root.join(FILE_NAME),
            role: ConfigRole::Repository,
        },
    };
    own.into_iter().chain([other]).collect()
}

/// Returns the configurations that exist, the weakest first.
///
/// # Errors
/// [`Error::Config`] when one of them cannot be used.
pub fn layers(named: Option<&Path>, root: &Path) -> Result<Vec<Layer>, Error> {
    let is_looked_at = |place: &ConfigFile| match place.role {
        // A file that is named and missing is an error; the others may be missing.
        ConfigRole::Named => true,
        ConfigRole::Own | ConfigRole::Repository => place.path.symlink_metadata().is_ok(),
    };
    places(named, root)
        .into_iter()
        .filter(is_looked_at)
        .map(|place| read_one(place, root))
        .collect()
}

/// Returns the person's own configuration, by the rules of XDG.
pub fn own_file() -> Option<PathBuf> {
    Some(person::configuration()?.join(OWN_FILE_NAME))
}

/// Reports whether a file lies in the checkout, so that the author of the code may have written it.
fn is_inside(path: &Path, root: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path.starts_with(root))
}

/// Reads one file that is there.
///
/// # Errors
/// [`Error::Config`] when it cannot be used.
pub fn read_one(place: ConfigFile, root: &Path) -> Result<Layer, Error> {
    let ConfigFile { path, role } = place;
    let wrong = |fault: ConfigFault, reason: String, advice: &str| Error::Config {
        path: path.clone(),
        fault,
        reason,
        advice: advice.to_owned(),
    };
    // A link could lead out of the repository, and a pipe could block; a person may name either.
    let read = match role {
        ConfigRole::Repository => read_plain(&path),
        ConfigRole::Own | ConfigRole::Named => named::read(&path, CONFIG_BYTES_MAX),
    };
    let text = read.map_err(|error| {
        let is_plain = path.symlink_metadata().is_ok_and(|kind| kind.is_file());
        let reason = match role {
            ConfigRole::Repository if !is_plain => "it is not a regular file".to_owned(),
            _ if error.kind() == io::ErrorKind::FileTooLarge => {
                format!("it has more than {CONFIG_BYTES_MAX} bytes")
            }
            _ => error.to_string(),
        };
        let advice = "put a file in UTF-8 there, or name the one that is meant with --config FILE";
        wrong(ConfigFault::Unreadable, reason, advice)
    })?;
    let (config, lines) = (of_text(&path, &text)?, lines::of(&text));
    // `--config .grounds.yaml` names a file of the checkout as well, so its place counts and not
    // its role.
    if let Some((reason, advice)) = is_inside(&path, root).then(|| forbidden(&config)).flatten() {
        return Err(wrong(ConfigFault::Forbidden, reason, advice));
    }
    Ok(Layer {
        path,
        role,
        config,
        lines,
    })
}

/// Reads a file of the repository; its folder may be reached by a link, the file may be none.
fn read_plain(path: &Path) -> io::Result<String> {
    // A person may keep the checkout behind a link; only the file itself comes with the repository.
    let folder = path.parent().unwrap_or(path).canonicalize()?;
    let path = folder.join(path.file_name().unwrap_or_default());
    let bytes = read_regular(&path, CONFIG_BYTES_MAX)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Returns what a configuration sets that no file of the checkout may set ([`keys::PERSONAL`]),
/// with advice.
fn forbidden(config: &Config) -> Option<(String, &'static str)> {
    if config.model.is_some() {
        return Some((
            "`model` is set in a file of the checkout, but a repository may not choose where text is sent and with which key".to_owned(),
            "remove it; choose a model with --model or in your own `grounds/config.yaml`",
        ));
    }
    if config.fleet.is_some() {
        return Some((
            "`fleet` is set in a file of the checkout, but a repository may not choose where jobs come from and where \
             results go".to_owned(),
            "remove it; set it in your own `grounds/config.yaml`, or use --ledger",
        ));
    }
    let server = config.mcp.as_ref().map(|_| "mcp");
    if let Some(server) = server.or(config.lsp.as_ref().map(|_| "lsp")) {
        return Some((
            format!(
                "`{server}` is set in a file of the checkout, but a repository may not choose how much a server uses"
            ),
            "remove it; set it in your own `grounds/config.yaml`",
        ));
    }
    if let Some(key) = config.verify.key_of_places() {
        return Some((
            format!(
                "`verify.{key}` is set in a file of the checkout, but a repository may not choose where claims are \
                 sent and who judges them"
            ),
            "remove it; choose with --provider or --entailment-url, or in your own `grounds/config.yaml`",
        ));
    }
    if let Some(key) = config.store.key_of_person() {
        return Some((
            format!(
                "`store.{key}` is set in a file of the checkout, but a repository may not choose what is kept on this machine"
            ),
            "remove it; a file of the checkout may only say `enabled: false`; choose in your own `grounds/config.yaml`",
        ));
    }
    if let Some(key) = config.ask.key_of_kept() {
        return Some((
            format!(
                "`ask.{key}` is set in a file of the checkout, but a repository may not choose what is kept on \
                 this machine"
            ),
            "remove it; choose in your own `grounds/config.yaml`",
        ));
    }
    config.ask.key_of_runs().map(|key| {
        (
            format!("`ask.{key}` is set in a file of the checkout, but a repository may not choose whether its code runs"),
            "remove it; to allow runs, use --run or `run: true` in your own `grounds/config.yaml`",
        )
    })
}

impl Config {
    /// Fills unset fields from another configuration.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let Self {
            ask,
            rules,
            model,
            review,
            verify,
            mcp,
            lsp,
            fleet,
            store,
        } = self;
        Self {
            ask: ask.over(other.ask),
            rules: rules.over(other.rules),
            // As a whole, like `mcp`, `lsp` and `fleet`: the key of one file must not go to the
            // address of another.
            model: model.or(other.model),
            review: review.over(other.review),
            verify: verify.over(other.verify),
            mcp: mcp.or(other.mcp),
            lsp: lsp.or(other.lsp),
            fleet: fleet.or(other.fleet),
            store: store.over(other.store),
        }
    }
}

/// Parses the text of a configuration file.
fn of_text(path: &Path, text: &str) -> Result<Config, Error> {
    let wrong = |fault: ConfigFault, reason: String, advice: &str| Error::Config {
        path: path.to_owned(),
        fault,
        reason,
        advice: advice.to_owned(),
    };
    if text.len() as u64 > CONFIG_BYTES_MAX {
        return Err(wrong(
            ConfigFault::Unreadable,
            format!("it has more than {CONFIG_BYTES_MAX} bytes"),
            "shorten it",
        ));
    }
    parse(text).map_err(|reason| {
        wrong(
            ConfigFault::Invalid,
            reason,
            "see `grounds schema config` for what it may hold",
        )
    })
}

/// Reads a configuration's text.
///
/// # Errors
/// What is wrong, with line and column.
pub fn parse(text: &str) -> Result<Config, String> {
    // An empty file sets nothing; to the parser it would be a null and no mapping.
    if text.trim().is_empty() {
        return Ok(Config::default());
    }
    serde_saphyr::from_str(text)
        .map_err(|error| nearest::with_nearest(&error.without_snippet().to_string()))
}

/// Reads a number from 1 to `MOST`; for any other number, the error has the place in the file.
fn from_one_to<'de, D, N, const MOST: u64>(source: D) -> Result<Option<N>, D::Error>
where
    D: serde::Deserializer<'de>,
    N: TryFrom<u64>,
{
    within(source, 1..=MOST)
}

fn from_zero_to<'de, D, N, const MOST: u64>(source: D) -> Result<Option<N>, D::Error>
where
    D: serde::Deserializer<'de>,
    N: TryFrom<u64>,
{
    within(source, 0..=MOST)
}

fn within<'de, D, N>(source: D, range: std::ops::RangeInclusive<u64>) -> Result<Option<N>, D::Error>
where
    D: serde::Deserializer<'de>,
    N: TryFrom<u64>,
{
    // `threads: null` is how `grounds init` writes a key that has no default.
    let Some(number) = Option::<u64>::deserialize(source)? else {
        return Ok(None);
    };
    let narrowed = N::try_from(number).ok().filter(|_| range.contains(&number));
    let wrong = || {
        serde::de::Error::custom(format!(
            "{number} is not from {} to {}",
            range.start(),
            range.end()
        ))
    };
    narrowed.map(Some).ok_or_else(wrong)
}

fn first_set(keys: &[(&'static str, bool)]) -> Option<&'static str> {
    let set = keys.iter().find(|(_, is_set)| *is_set);
    set.map(|(key, _)| *key)
}

impl AskConfig {
    /// Returns a key that says whether or how code of the repository may run, if one is set.
    fn key_of_runs(&self) -> Option<&'static str> {
        let keys = [
            ("run", self.run.is_some()),
            ("run_without_sandbox", self.run_without_sandbox.is_some()),
            ("run_ms_max", self.run_ms_max.is_some()),
            ("run_memory_bytes_max", self.run_memory_bytes_max.is_some()),
            ("run_processes_max", self.run_processes_max.is_some()),
            ("run_output_bytes_max", self.run_output_bytes_max.is_some()),
            ("run_disk_bytes_max", self.run_disk_bytes_max.is_some()),
            ("run_files_max", self.run_files_max.is_some()),
        ];
        first_set(&keys)
    }

    /// Returns a key that says how much of the person's disk kept indexes take, if one is set.
    fn key_of_kept(&self) -> Option<&'static str> {
        // A file of the checkout that sets one of them is refused (`forbidden`).
        let keys = [
            (
                "history_index_commits_max",
                self.history_index_commits_max.is_some(),
            ),
            (
                "history_index_bytes_max",
                self.history_index_bytes_max.is_some(),
            ),
            ("history_indexes_max", self.history_indexes_max.is_some()),
            (
                "history_indexes_bytes_max",
                self.history_indexes_bytes_max.is_some(),
            ),
            (
                "history_index_days_max",
                self.history_index_days_max.is_some(),
            ),
            ("parses_bytes_max", self.parses_bytes_max.is_some()),
        ];
        first_set(&keys)
    }

    /// Fills unset fields from another configuration.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let kept = self.kept_over(&other);
        Self {
            steps_max: self.steps_max.or(other.steps_max),
            total_ms_max: self.total_ms_max.or(other.total_ms_max),
            citations_max: self.citations_max.or(other.citations_max),
            leads_max: self.leads_max.or(other.leads_max),
            excerpt_lines_max: self.excerpt_lines_max.or(other.excerpt_lines_max),
            file_bytes_max: self.file_bytes_max.or(other.file_bytes_max),
            parse_bytes_max: self.parse_bytes_max.or(other.parse_bytes_max),
            ignored_bytes_max: self.ignored_bytes_max.or(other.ignored_bytes_max),
            pass_ms_max: self.pass_ms_max.or(other.pass_ms_max),
            depth_max: self.depth_max.or(other.depth_max),
            threads: self.threads.or(other.threads),
            related_bytes_max: self.related_bytes_max.or(other.related_bytes_max),
            history_ms_max: self.history_ms_max.or(other.history_ms_max),
            history_run_commits_max: self
                .history_run_commits_max
                .or(other.history_run_commits_max),
            ci_ms_max: self.ci_ms_max.or(other.ci_ms_max),
            ci_log_bytes_max: self.ci_log_bytes_max.or(other.ci_log_bytes_max),
            index_bytes_max: self.index_bytes_max.or(other.index_bytes_max),
            text_bytes_max: self.text_bytes_max.or(other.text_bytes_max),
            hypotheses_max: self.hypotheses_max.or(other.hypotheses_max),
            run: self.run.or(other.run),
            run_without_sandbox: self.run_without_sandbox.or(other.run_without_sandbox),
            run_ms_max: self.run_ms_max.or(other.run_ms_max),
            run_memory_bytes_max: self.run_memory_bytes_max.or(other.run_memory_bytes_max),
            run_processes_max: self.run_processes_max.or(other.run_processes_max),
            run_output_bytes_max: self.run_output_bytes_max.or(other.run_output_bytes_max),
            run_disk_bytes_max: self.run_disk_bytes_max.or(other.run_disk_bytes_max),
            run_files_max: self.run_files_max.or(other.run_files_max),
            ..kept
        }
    }

    /// Returns the bounds of kept indexes alone.
    fn kept_over(&self, other: &Self) -> Self {
        Self {
            history_index_commits_max: self
                .history_index_commits_max
                .or(other.history_index_commits_max),
            history_index_bytes_max: self
                .history_index_bytes_max
                .or(other.history_index_bytes_max),
            history_indexes_max: self.history_indexes_max.or(other.history_indexes_max),
            history_indexes_bytes_max: self
                .history_indexes_bytes_max
                .or(other.history_indexes_bytes_max),
            history_index_days_max: self.history_index_days_max.or(other.history_index_days_max),
            parses_bytes_max: self.parses_bytes_max.or(other.parses_bytes_max),
            ..Self::default()
        }
    }

    /// Returns the default budget with the values of the configuration.
    pub fn budget(&self) -> QuestionBudget {
        let mut budget = QuestionBudget::default();
        set(&mut budget.steps_max, self.steps_max);
        set(&mut budget.total_ms_max, self.total_ms_max);
        set(&mut budget.citations_max, self.citations_max);
        set(&mut budget.leads_max, self.leads_max);
        set(&mut budget.excerpt_lines_max, self.excerpt_lines_max);
        set(&mut budget.limits.file_bytes_max, self.file_bytes_max);
        set(&mut budget.limits.parse_bytes_max, self.parse_bytes_max);
        set(&mut budget.limits.related_bytes_max, self.related_bytes_max);
        set(&mut budget.limits.ignored_bytes_max, self.ignored_bytes_max);
        set(&mut budget.limits.pass_ms_max, self.pass_ms_max);
        set(&mut budget.limits.depth_max, self.depth_max);
        set(&mut budget.limits.threads, self.threads);
        set(&mut budget.limits.history_ms_max, self.history_ms_max);
        set(
            &mut budget.limits.history_run_commits_max,
            self.history_run_commits_max,
        );
        self.set_kept(&mut budget.limits);
        self.set_run(&mut budget.limits);
        set(&mut budget.limits.ci_ms_max, self.ci_ms_max);
        set(&mut budget.limits.ci_log_bytes_max, self.ci_log_bytes_max);
        set(&mut budget.limits.index_bytes_max, self.index_bytes_max);
        set(&mut budget.text_bytes_max, self.text_bytes_max);
        set(&mut budget.hypotheses_max, self.hypotheses_max);
        budget
    }

    /// Sets the bounds of builds and tests.
    fn set_run(&self, limits: &mut Limits) {
        set(&mut limits.run_ms_max, self.run_ms_max);
        set(&mut limits.run_memory_bytes_max, self.run_memory_bytes_max);
        set(&mut limits.run_processes_max, self.run_processes_max);
        set(&mut limits.run_output_bytes_max, self.run_output_bytes_max);
        set(&mut limits.run_disk_bytes_max, self.run_disk_bytes_max);
        set(&mut limits.run_files_max, self.run_files_max);
    }

    /// Sets the bounds of kept indexes.
    fn set_kept(&self, limits: &mut Limits) {
        *limits = Limits {
            history_index_commits_max: self
                .history_index_commits_max
                .unwrap_or(limits.history_index_commits_max),
            history_index_bytes_max: self
                .history_index_bytes_max
                .unwrap_or(limits.history_index_bytes_max),
            history_indexes_max: self
                .history_indexes_max
                .unwrap_or(limits.history_indexes_max),
            history_indexes_bytes_max: self
                .history_indexes_bytes_max
                .unwrap_or(limits.history_indexes_bytes_max),
            history_index_days_max: self
                .history_index_days_max
                .unwrap_or(limits.history_index_days_max),
            parses_bytes_max: self.parses_bytes_max.unwrap_or(limits.parses_bytes_max),
            ..*limits
        };
    }
}

fn set<T: Copy>(field: &mut T, value: Option<T>) {
    *field = value.unwrap_or(*field);
}
