//! The configuration: `.grounds.yaml` at the top of the repository, or a file
//! that is named. It sets bounds; it can run nothing and send nothing anywhere.

use std::io::Read as _;
use std::path::Path;

use grounds_ask::Budget;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::Error;

/// The name of the file at the top of a repository.
pub const FILE_NAME: &str = ".grounds.yaml";
/// Bytes of a configuration; a larger file is refused.
const CONFIG_BYTES_MAX: u64 = 256 << 10;

/// The configuration as written.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Bounds of `grounds ask`.
    pub ask: AskConfig,
}

/// Bounds of `grounds ask`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AskConfig {
    /// Calls of tools for one question.
    #[schemars(range(min = 1, max = 1000))]
    pub steps_max: Option<usize>,
    /// Milliseconds of one investigation.
    #[schemars(range(min = 1))]
    pub total_ms_max: Option<u64>,
    /// Citations of one answer.
    #[schemars(range(min = 1, max = 1000))]
    pub citations_max: Option<usize>,
    /// Leads of one refusal.
    pub leads_max: Option<usize>,
    /// Lines of one citation.
    #[schemars(range(min = 1, max = 1000))]
    pub excerpt_lines_max: Option<u32>,
    /// Bytes of one file that are searched; a larger file is skipped and told.
    pub file_bytes_max: Option<u64>,
    /// Bytes of candidate files that are parsed for one target.
    pub parse_bytes_max: Option<u64>,
    /// Bytes that the second pass reads in hidden and ignored folders.
    pub ignored_bytes_max: Option<u64>,
    /// Milliseconds that one pass over the tree may take.
    pub pass_ms_max: Option<u64>,
    /// Depth of folders.
    pub depth_max: Option<usize>,
    /// Threads of a pass.
    #[schemars(range(min = 1, max = 64))]
    pub threads: Option<usize>,
    /// Bytes of a compiler's index; a larger one is not read and told.
    pub index_bytes_max: Option<u64>,
}

/// Reads the configuration that is named, else the repository's, else none.
///
/// # Errors
/// [`Error::Config`] when a file that is there cannot be used.
pub fn read(named: Option<&Path>, root: &Path) -> Result<Config, Error> {
    let of_repository = root.join(FILE_NAME);
    let path = match named {
        Some(path) => path,
        None if of_repository.symlink_metadata().is_ok() => &of_repository,
        None => return Ok(Config::default()),
    };
    let wrong = |reason: String, advice: &str| Error::Config { path: path.to_owned(), reason, advice: advice.to_owned() };
    // A link could lead out of the repository, and a pipe could block; a person may name either.
    if named.is_none() && !path.symlink_metadata().is_ok_and(|kind| kind.is_file()) {
        return Err(wrong("it is not a regular file".to_owned(), "remove it, or name the file that is meant with --config FILE"));
    }
    let text = read_bounded(path).map_err(|error| wrong(error.to_string(), "name a readable file in UTF-8 with --config FILE"))?;
    if text.len() as u64 > CONFIG_BYTES_MAX {
        return Err(wrong(format!("it has more than {CONFIG_BYTES_MAX} bytes"), "shorten it"));
    }
    parse(&text).map_err(|reason| wrong(reason, "see `grounds schema config` for what it may hold"))
}

/// As much of a file as tells that it is too long.
fn read_bounded(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(CONFIG_BYTES_MAX + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// Reads a configuration's text.
///
/// # Errors
/// What is wrong, with line and column.
pub fn parse(text: &str) -> Result<Config, String> {
    if text.trim().is_empty() {
        return Ok(Config::default());
    }
    let config: Config = serde_saphyr::from_str(text).map_err(|error| error.without_snippet().to_string())?;
    let bounds = [
        ("steps_max", config.ask.steps_max, 1_000),
        ("citations_max", config.ask.citations_max, 1_000),
        ("excerpt_lines_max", config.ask.excerpt_lines_max.map(|lines| lines as usize), 1_000),
        ("threads", config.ask.threads, 64),
    ];
    match bounds.into_iter().find(|(_, value, most)| value.is_some_and(|value| value == 0 || value > *most)) {
        Some((name, _, most)) => Err(format!("`ask.{name}` must be from 1 to {most}")),
        None => Ok(config),
    }
}

impl AskConfig {
    /// The budget with what the configuration sets.
    pub fn budget(&self) -> Budget {
        let mut budget = Budget::default();
        fn set<T: Copy>(field: &mut T, value: Option<T>) {
            *field = value.unwrap_or(*field);
        }
        set(&mut budget.steps_max, self.steps_max);
        set(&mut budget.total_ms_max, self.total_ms_max);
        set(&mut budget.citations_max, self.citations_max);
        set(&mut budget.leads_max, self.leads_max);
        set(&mut budget.excerpt_lines_max, self.excerpt_lines_max);
        set(&mut budget.limits.file_bytes_max, self.file_bytes_max);
        set(&mut budget.limits.parse_bytes_max, self.parse_bytes_max);
        set(&mut budget.limits.ignored_bytes_max, self.ignored_bytes_max);
        set(&mut budget.limits.pass_ms_max, self.pass_ms_max);
        set(&mut budget.limits.depth_max, self.depth_max);
        set(&mut budget.limits.threads, self.threads);
        set(&mut budget.limits.index_bytes_max, self.index_bytes_max);
        budget
    }
}
