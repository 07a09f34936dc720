//! A rule file as written: YAML documents in the format of ast-grep, each one pattern in one
//! language. Additions of grounds are below `metadata: grounds:`, so that ast-grep reads the same
//! file.

use std::sync::Arc;

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::language::{self, RuleLanguage};

/// Top-level keys of a document that belong to its pattern.
const PATTERN_KEYS: &[&str] = &["rule", "utils", "constraints", "transform", "rewriters"];

/// A fault of a rule file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read the rules of `{path}` at line {line}, column {column}: {reason}")]
pub struct RuleError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What is wrong.
    pub reason: String,
}

/// One document of a rule file.
pub(crate) struct RuleDocument {
    pub(crate) head: Head,
    pub(crate) body: RuleBody,
    /// Its first line in the file, from 1.
    pub(crate) line: u32,
}

/// The part of a document that finds places.
pub(crate) enum RuleBody {
    /// A pattern over the syntax tree, in each of these languages.
    Tree(Vec<TreeBody>),
    /// Regular expressions over lines.
    Text(TextRule),
    /// Code of grounds with the same name.
    Native,
}

/// A pattern over the syntax tree in one language.
pub(crate) struct TreeBody {
    pub(crate) language: RuleLanguage,
    pub(crate) source: TreeSource,
}

/// The source of a pattern.
pub(crate) enum TreeSource {
    /// A file of a project. It is read at once, so that its errors are reported before anything
    /// runs.
    Read(Box<SerializableRuleConfig<RuleLanguage>>),
    /// A built-in document, which is read for the first file of its language. Most changes have
    /// files of few languages, and reading all documents took longer than a small review.
    Document(Arc<str>),
}

/// The keys that every document has, whatever finds the places.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Head {
    #[serde(default)]
    pub(crate) id: String,
    pub(crate) language: String,
    #[serde(default)]
    pub(crate) message: String,
    pub(crate) note: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) severity: Option<String>,
    pub(crate) files: Option<Vec<PathGlob>>,
    pub(crate) ignores: Option<Vec<PathGlob>>,
    pub(crate) metadata: Option<Metadata>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Metadata {
    pub(crate) grounds: Option<Extra>,
}

/// The additions of grounds to a document.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct Extra {
    /// What it finds, in one line.
    pub(crate) what: String,
    /// Why that is wrong.
    pub(crate) why: String,
    /// What to do instead.
    pub(crate) instead: String,
    /// When it is wrong to complain.
    pub(crate) wrong_when: String,
    /// The files in which it looks.
    pub(crate) reach: Option<ReachName>,
    /// Whether it is on by default.
    pub(crate) default: Option<SwitchName>,
    /// More languages with the same pattern.
    pub(crate) also: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReachName {
    Everywhere,
    Code,
    Product,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SwitchName {
    On,
    Off,
}

/// A path that a rule is for, as ast-grep writes it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub(crate) enum PathGlob {
    Plain(String),
    #[serde(rename_all = "camelCase")]
    Configured {
        glob: String,
        #[serde(default)]
        case_insensitive: bool,
    },
}

/// A rule over the text of one line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TextRule {
    /// Must match the line; the match is the place.
    pub(crate) regex: Option<String>,
    /// Each must hold.
    pub(crate) all: Vec<TextRule>,
    /// One must hold.
    pub(crate) any: Vec<TextRule>,
    /// Must not hold.
    pub(crate) not: Option<Box<TextRule>>,
}

/// A whole document of a text rule, in which any other key is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextDocument {
    // The head reads these keys. They are listed here so that any other key is an error.
    #[serde(rename = "id")]
    _id: Option<String>,
    #[serde(rename = "language")]
    _language: String,
    #[serde(rename = "message")]
    _message: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
    #[serde(rename = "severity")]
    _severity: Option<String>,
    #[serde(rename = "files")]
    _files: Option<Vec<PathGlob>>,
    #[serde(rename = "ignores")]
    _ignores: Option<Vec<PathGlob>>,
    #[serde(rename = "metadata")]
    _metadata: Option<serde::de::IgnoredAny>,
    #[serde(rename = "url")]
    _url: Option<String>,
    rule: TextRule,
}

/// Whether a document may name rules in the code of grounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// A file that is part of the program.
    BuiltIn,
    /// A file of a project.
    Project,
}

/// Reads the documents of a rule file.
///
/// # Errors
/// The first fault with its line and column.
pub(crate) fn read(path: &str, text: &str, trust: Trust) -> Result<Vec<RuleDocument>, RuleError> {
    let parts = split(text);
    let documents: Vec<RuleDocument> = parts
        .iter()
        .map(|(line, part)| document(path, *line, part, trust))
        .collect::<Result<_, _>>()?;
    match documents.is_empty() {
        true => Err(RuleError {
            path: path.to_owned(),
            line: 1,
            column: 1,
            reason: "there is no rule in it".to_owned(),
        }),
        false => Ok(documents),
    }
}

/// Returns the heads of a text, each read from its whole document.
#[cfg(test)]
pub(crate) fn read_whole_heads(text: &str) -> Vec<Head> {
    let parts = split(text);
    let head = |(_, part): &(u32, String)| ast_grep_config::from_str(part).expect("a head");
    parts.iter().map(head).collect()
}

/// Splits a text into its documents. Each begins with as many empty lines as there are lines before
/// it, so that the lines of its errors are those of the file.
fn split(text: &str) -> Vec<(u32, String)> {
    // The documents are separated here and not by the YAML reader, so that a single one can be read
    // later.
    let mut parts = vec![(1, String::new())];
    for (index, line) in text.lines().enumerate() {
        if line == "---" || line.starts_with("--- ") || line.starts_with("---\t") {
            let start = index + 2;
            parts.push((
                u32::try_from(start).unwrap_or(u32::MAX),
                "\n".repeat(index + 1),
            ));
        } else if let Some((_, part)) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    let is_empty = |part: &str| {
        part.lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
    };
    parts.retain(|(_, part)| !is_empty(part));
    parts
}

fn document(path: &str, line: u32, text: &str, trust: Trust) -> Result<RuleDocument, RuleError> {
    let head = match trust {
        // A test makes sure that this head is the one of the whole document.
        Trust::BuiltIn => parsed(path, line, &without_patterns(text))?,
        Trust::Project => parsed::<Head>(path, line, text)?,
    };
    let body = match head.language.to_lowercase().as_str() {
        "text" => RuleBody::Text(parsed::<TextDocument>(path, line, text)?.rule),
        // A file of a project must not name code of the program.
        "native" if trust == Trust::BuiltIn => RuleBody::Native,
        _ => RuleBody::Tree(tree_bodies(path, line, text, (&head, trust))?),
    };
    Ok(RuleDocument { head, body, line })
}

fn parsed<T: DeserializeOwned>(path: &str, line: u32, text: &str) -> Result<T, RuleError> {
    ast_grep_config::from_str(text).map_err(|error| at_error(path, line, text, &error))
}

/// Returns the lines of a document outside of its patterns. [`Head`] has no key for those, and they
/// are most of the text.
pub(crate) fn without_patterns(text: &str) -> String {
    let (mut kept, mut is_kept) = (String::new(), true);
    for line in text.trim_start_matches('\n').lines() {
        if let Some((key, _)) = line
            .split_once(':')
            .filter(|_| !line.starts_with([' ', '#']))
        {
            is_kept = !PATTERN_KEYS.contains(&key);
        }
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn tree_bodies(
    path: &str,
    line: u32,
    text: &str,
    (head, trust): (&Head, Trust),
) -> Result<Vec<TreeBody>, RuleError> {
    let also = head
        .metadata
        .iter()
        .flat_map(|metadata| &metadata.grounds)
        .flat_map(|extra| &extra.also);
    let in_language = |name: &String, key: &str| {
        let reason = || {
            format!(
                "no grammar for the language `{name}`; there are {}",
                language::names()
            )
        };
        RuleLanguage::named(name).ok_or_else(|| at_key(path, line, text, key, reason()))
    };
    let also = also.map(|name| in_language(name, "metadata"));
    let also = also.collect::<Result<Vec<RuleLanguage>, RuleError>>();
    match trust {
        Trust::BuiltIn => {
            let (first, document) = (in_language(&head.language, "language")?, Arc::from(text));
            let body = |language| TreeBody {
                language,
                source: TreeSource::Document(Arc::clone(&document)),
            };
            Ok(std::iter::once(first).chain(also?).map(body).collect())
        }
        Trust::Project => {
            let first: SerializableRuleConfig<RuleLanguage> = parsed(path, line, text)?;
            let body = |language| TreeBody {
                language,
                source: TreeSource::Read(Box::new(SerializableRuleConfig {
                    language,
                    ..first.clone()
                })),
            };
            Ok(std::iter::once(first.language)
                .chain(also?)
                .map(body)
                .collect())
        }
    }
}

impl TreeBody {
    /// Returns the pattern as it is written.
    ///
    /// # Errors
    /// What is wrong with the document.
    pub(crate) fn read(
        &self,
        path: &str,
        line: u32,
    ) -> Result<SerializableRuleConfig<RuleLanguage>, RuleError> {
        match &self.source {
            TreeSource::Read(body) => Ok((**body).clone()),
            TreeSource::Document(text) => Ok(SerializableRuleConfig {
                language: self.language,
                ..parsed(path, line, text)?
            }),
        }
    }
}

/// Makes the matcher of a document.
///
/// # Errors
/// What is wrong with the pattern, at the key that contains it.
pub(crate) fn compile(
    path: &str,
    source: &str,
    line: u32,
    body: SerializableRuleConfig<RuleLanguage>,
) -> Result<RuleConfig<RuleLanguage>, RuleError> {
    use ast_grep_config::{RuleConfigError as Fault, RuleCoreError as Core};
    RuleConfig::try_from(body, &GlobalRules::default()).map_err(|fault| {
        let key = match &fault {
            Fault::Core(Core::Utils(_)) => "utils",
            Fault::Core(Core::Constraints(_)) => "constraints",
            Fault::Core(Core::Transform(_)) => "transform",
            Fault::Fixer(_) => "fix",
            Fault::Rewriter(_) | Fault::UndefinedRewriter(_) => "rewriters",
            Fault::LabelVariable(_) => "labels",
            Fault::Core(Core::Rule(_) | Core::Yaml(_) | Core::UndefinedMetaVar(..))
            | Fault::Yaml(_)
            | Fault::MissingPotentialKinds => "rule",
        };
        at_key(path, line, source, key, chain(&fault))
    })
}

/// Returns an error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string().trim_end_matches('.').to_owned();
    let mut cause = error.source();
    while let Some(error) = cause {
        told = format!("{told}: {}", error.to_string().trim_end_matches('.'));
        cause = error.source();
    }
    told
}

pub(crate) fn at_error(
    path: &str,
    line: u32,
    text: &str,
    error: &serde_saphyr::Error,
) -> RuleError {
    let reason = error.without_snippet().to_string();
    let reason = reason.lines().next().unwrap_or_default();
    // The place is reported separately.
    let reason = reason
        .split(" at line ")
        .next()
        .unwrap_or(reason)
        .to_owned();
    let place = error.location().map(|place| {
        (
            u32::try_from(place.line()).unwrap_or(line),
            u32::try_from(place.column()).unwrap_or(1),
        )
    });
    let (line, column) = place.filter(|(line, _)| *line > 0).unwrap_or((line, 1));
    let (line, column) = nearer(text, line, column.max(1), &reason);
    RuleError {
        path: path.to_owned(),
        line,
        column,
        reason,
    }
}

/// Returns the place of the last word in backquotes at or after a place: the error itself, if only
/// the map around it is known.
fn nearer(text: &str, line: u32, column: u32, reason: &str) -> (u32, u32) {
    let from = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let words = reason
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| !word.is_empty());
    let place_of = |word: &str| {
        text.lines()
            .enumerate()
            .skip(from)
            .find_map(|(index, text)| Some((index, text.find(word)?)))
    };
    let found = words.filter_map(place_of).last();
    let place = |(index, at): (usize, usize)| {
        Some((u32::try_from(index + 1).ok()?, u32::try_from(at + 1).ok()?))
    };
    found.and_then(place).unwrap_or((line, column))
}

/// Returns an error at the line of a key of the document that begins on `line`.
pub(crate) fn at_key(path: &str, line: u32, text: &str, key: &str, reason: String) -> RuleError {
    let from = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let start = format!("{key}:");
    let found = text
        .lines()
        .enumerate()
        .skip(from)
        .find(|(_, text)| text.starts_with(&start))
        .map(|(index, _)| index + 1);
    let line = found
        .and_then(|line| u32::try_from(line).ok())
        .unwrap_or(line);
    let (line, column) = nearer(text, line, 1, &reason);
    RuleError {
        path: path.to_owned(),
        line,
        column,
        reason,
    }
}

/// Returns the paths of a list as one matcher.
pub(crate) fn globs(list: &[PathGlob]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for item in list {
        let (glob, is_insensitive) = match item {
            PathGlob::Plain(glob) => (glob, false),
            PathGlob::Configured {
                glob,
                case_insensitive,
            } => (glob, *case_insensitive),
        };
        set.add(
            GlobBuilder::new(glob)
                .case_insensitive(is_insensitive)
                .build()?,
        );
    }
    set.build()
}
