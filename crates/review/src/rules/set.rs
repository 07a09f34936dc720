//! The rules of a run: the built-in rules, those of a project, which are on, and what the
//! configuration silences.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use globset::GlobSet;
use regex::RegexBuilder;

use super::documents::{
    self, Extra, PathGlob, ReachName, RuleBody, RuleDocument, RuleError, SwitchName, TextRule,
    TreeBody, TreeSource, Trust,
};
use super::limits::RuleLimits;
use super::rule::{
    Detector, DetectorKind, Documentation, Rule, RuleOrigin, RuleReach, TextMatcher, TreeDetector,
};
use super::{built_in, native};
use crate::finding::Severity;
use crate::folders::Folders;
use crate::measured::{Measured, Worth};
use crate::quality::Basis;
use crate::settings::is_at_or_below;

/// Maximum number of bytes of one rule file.
const FILE_BYTES_MAX: u64 = 256 << 10;
/// Maximum number of rule files of a project.
const FILES_MAX: usize = 1_000;
/// Maximum depth of folders below the folder of rules.
const DEPTH_MAX: usize = 8;
/// Maximum number of bytes of a compiled regular expression.
const REGEX_BYTES_MAX: usize = 4 << 20;

/// The rules of a run.
#[derive(Debug, Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    /// The limits of a run.
    pub limits: RuleLimits,
    pub(crate) silenced: Vec<Silenced>,
    /// The settings of folders for their own files.
    pub folders: Folders,
    /// Folders and files of rules in addition to those of the project, by their paths from the top.
    pub packs: Vec<String>,
    /// The figures about earlier findings in this repository.
    pub measured: Measured,
}

/// A suppression of the configuration.
#[derive(Debug)]
pub(crate) struct Silenced {
    pub(crate) rule: String,
    /// The folder that the files are in, with a `/` at the end; empty for the whole tree.
    pub(crate) folder: String,
    pub(crate) files: Option<GlobSet>,
    pub(crate) reason: String,
}

impl Silenced {
    /// Reports whether it applies to a file.
    pub(crate) fn is_about(&self, path: &str) -> bool {
        let below = path.strip_prefix(&self.folder);
        below.is_some_and(|below| {
            self.files
                .as_ref()
                .is_none_or(|files| files.is_match(below))
        })
    }
}

/// A setting that is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// No rule has this name.
    #[error("find a rule `{name}`{}", near(.nearest.as_ref()))]
    Unknown {
        /// The name.
        name: String,
        /// The rule with the most similar name; `None` if no name is similar.
        nearest: Option<String>,
    },
    /// A suppression without a reason.
    #[error("suppress `{0}` without a reason")]
    NoReason(String),
    /// Paths that are invalid.
    #[error("read the paths of the suppression of `{rule}`: {reason}")]
    Paths {
        /// The rule.
        rule: String,
        /// What is wrong.
        reason: String,
    },
}

fn near(nearest: Option<&String>) -> String {
    nearest
        .map(|name| format!(" (is `{name}` meant?)"))
        .unwrap_or_default()
}

impl RuleSet {
    /// Returns the built-in rules.
    pub fn built_in() -> Self {
        let mut set = Self::default();
        for (path, text) in built_in::FILES {
            // A test makes sure that every built-in file can be read.
            if let Ok(rules) = read(path, text, Trust::BuiltIn) {
                set.rules.extend(rules);
            }
        }
        set.rules.sort_by(|one, other| one.name.cmp(&other.name));
        set
    }

    /// Adds the rules of every `.yml` and `.yaml` file below a folder, in the order of their paths.
    /// A missing folder adds nothing.
    ///
    /// # Errors
    /// The first fault, with file, line and column.
    pub fn with_folder(mut self, folder: &Path) -> Result<Self, RuleError> {
        for path in rule_files(folder)? {
            self = self.with_file(&path)?;
        }
        Ok(self)
    }

    /// Adds the rules of one file on disk.
    ///
    /// # Errors
    /// The first fault, with line and column.
    pub fn with_file(self, path: &Path) -> Result<Self, RuleError> {
        let text = read_bounded(path)?;
        self.with_text(&path.display().to_string(), &text)
    }

    /// Adds the rules of the rule files among these texts, each with its path, in the order of
    /// their paths.
    ///
    /// # Errors
    /// The first fault, with file, line and column.
    pub fn with_texts(mut self, texts: &[(String, String)]) -> Result<Self, RuleError> {
        let is_rules = |path: &Path| is_yaml(path) && !is_cases(path);
        let files = texts.iter().filter(|(path, _)| is_rules(Path::new(path)));
        for (number, (path, text)) in files.enumerate() {
            if number >= FILES_MAX {
                return Err(fault(
                    Path::new(path),
                    format!("there are more than {FILES_MAX} files of rules"),
                ));
            }
            if text.len() as u64 > FILE_BYTES_MAX {
                return Err(fault(
                    Path::new(path),
                    format!("it has more than {FILE_BYTES_MAX} bytes"),
                ));
            }
            self = self.with_text(path, text)?;
        }
        Ok(self)
    }

    /// Adds the rules of one text.
    ///
    /// # Errors
    /// The first fault, with line and column. A name that is already taken is a fault.
    pub fn with_text(mut self, path: &str, text: &str) -> Result<Self, RuleError> {
        for rule in read(path, text, Trust::Project)? {
            // Findings and suppressions name a rule, so each name must mean one.
            if let Some(other) = self.rule(&rule.name) {
                let owner = match &other.origin {
                    RuleOrigin::BuiltIn => "a built-in rule".to_owned(),
                    RuleOrigin::File(file) => format!("`{file}`"),
                };
                return Err(documents::at_key(
                    path,
                    1,
                    text,
                    "id",
                    format!("the name `{}` is taken by {owner}", rule.name),
                ));
            }
            self.rules.push(rule);
        }
        Ok(self)
    }

    /// Returns all rules, including those that are off.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the rule with a name.
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// Switches rules on or off.
    ///
    /// # Errors
    /// The name that no rule has, with the most similar one.
    pub fn switch(&mut self, names: &[String], is_on: bool) -> Result<(), SwitchError> {
        for name in names {
            let unknown = self.unknown(name);
            let rule = self
                .rules
                .iter_mut()
                .find(|rule| rule.name == *name)
                .ok_or(unknown)?;
            rule.is_on = is_on;
        }
        Ok(())
    }

    /// Silences a rule in some files, with a reason.
    ///
    /// # Errors
    /// An unknown rule, a missing reason, broken paths.
    pub fn silence(
        &mut self,
        rule: &str,
        files: &[String],
        reason: &str,
    ) -> Result<(), SwitchError> {
        self.silence_below("", rule, files, reason)
    }

    /// The same for files below a folder, whose path ends with `/`; paths are relative to it.
    ///
    /// # Errors
    /// As [`Self::silence`].
    pub fn silence_below(
        &mut self,
        folder: &str,
        rule: &str,
        files: &[String],
        reason: &str,
    ) -> Result<(), SwitchError> {
        if self.rule(rule).is_none() {
            return Err(self.unknown(rule));
        }
        if reason.trim().is_empty() {
            return Err(SwitchError::NoReason(rule.to_owned()));
        }
        let globs: Vec<PathGlob> = files.iter().cloned().map(PathGlob::Plain).collect();
        let globs = documents::globs(&globs).map_err(|error| SwitchError::Paths {
            rule: rule.to_owned(),
            reason: error.to_string(),
        })?;
        let files = (!files.is_empty()).then_some(globs);
        self.silenced.push(Silenced {
            rule: rule.to_owned(),
            folder: folder.to_owned(),
            files,
            reason: reason.trim().to_owned(),
        });
        Ok(())
    }

    /// Returns the evidence that a finding of a rule has. A rule of others has to be measured in
    /// this repository first.
    pub(crate) fn basis(&self, rule: &Rule) -> Basis {
        let is_in_pack = |path: &String| self.packs.iter().any(|pack| is_at_or_below(pack, path));
        let is_foreign = match &rule.origin {
            RuleOrigin::File(path) => is_in_pack(path),
            RuleOrigin::BuiltIn => false,
        };
        // A rule of others was written for other code, so that without figures its findings are not
        // trusted. Rules of the program and of the project are trusted until their figures say
        // otherwise.
        match self.measured.worth(&rule.name) {
            Worth::Noisy => Basis::Noisy,
            Worth::Unmeasured if is_foreign => Basis::Noisy,
            Worth::Unmeasured | Worth::Quiet | Worth::Mended => Basis::Rule,
        }
    }

    /// Keeps only rules of these names.
    ///
    /// # Errors
    /// The name that no rule has.
    pub fn only(mut self, names: &[String]) -> Result<Self, SwitchError> {
        if let Some(name) = names.iter().find(|name| self.rule(name).is_none()) {
            return Err(self.unknown(name));
        }
        self.rules.retain(|rule| names.contains(&rule.name));
        // A rule that is named is wanted, even if it is off by default.
        self.rules.iter_mut().for_each(|rule| rule.is_on = true);
        Ok(self)
    }

    /// Sets the settings of folders for their own files.
    ///
    /// # Errors
    /// The name that no rule has.
    pub fn with_folders(mut self, folders: Folders) -> Result<Self, SwitchError> {
        let mut names = folders
            .all()
            .iter()
            .flat_map(|folder| folder.on.iter().chain(&folder.off));
        if let Some(name) = names.find(|name| self.rule(name).is_none()) {
            return Err(self.unknown(name));
        }
        self.folders = folders;
        Ok(self)
    }

    fn unknown(&self, name: &str) -> SwitchError {
        let distance = |rule: &&Rule| distance(&rule.name, name);
        let nearest = self
            .rules
            .iter()
            .min_by_key(distance)
            // A suggestion that changes more than half of the letters is no help.
            .filter(|rule| distance(rule) * 2 <= name.len());
        SwitchError::Unknown {
            name: name.to_owned(),
            nearest: nearest.map(|rule| rule.name.clone()),
        }
    }
}

/// Returns the number of letters to change, add or remove to turn one name into another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (at, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *against);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

fn fault(path: &Path, reason: String) -> RuleError {
    RuleError {
        path: path.display().to_string(),
        line: 1,
        column: 1,
        reason,
    }
}

/// Reports whether a file contains cases of rules and not rules.
fn is_cases(path: &Path) -> bool {
    path.file_stem()
        .and_then(|stem| stem.to_str())
        .is_some_and(|stem| stem.ends_with("-test"))
}

fn is_yaml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "yml" || ending == "yaml")
}

fn rule_files(folder: &Path) -> Result<Vec<std::path::PathBuf>, RuleError> {
    let mut files = yaml_files(folder, 0)?;
    files.retain(|path| !is_cases(path));
    Ok(files)
}

/// Returns the files of cases below a folder: `*-test.yml`.
///
/// # Errors
/// A folder that cannot be read.
pub fn case_files(folder: &Path) -> Result<Vec<std::path::PathBuf>, RuleError> {
    let mut files = yaml_files(folder, 0)?;
    files.retain(|path| is_cases(path));
    Ok(files)
}

fn yaml_files(folder: &Path, depth: usize) -> Result<Vec<std::path::PathBuf>, RuleError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if depth == 0 && error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(fault(folder, error.to_string())),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry
            .map_err(|error| fault(folder, error.to_string()))?
            .path();
        let kind = path
            .symlink_metadata()
            .map_err(|error| fault(&path, error.to_string()))?;
        // `symlink_metadata` does not follow links, so a link that leads back to a folder above is
        // no loop.
        if kind.is_dir() && depth < DEPTH_MAX {
            files.extend(yaml_files(&path, depth + 1)?);
        } else if kind.is_file() && is_yaml(&path) {
            files.push(path);
        }
        if files.len() > FILES_MAX {
            return Err(fault(
                folder,
                format!("there are more than {FILES_MAX} files of rules"),
            ));
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a file of rules or cases.
///
/// # Errors
/// A file that is too long, unreadable or not UTF-8.
pub(crate) fn read_bounded(path: &Path) -> Result<String, RuleError> {
    use std::io::Read as _;
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| fault(path, error.to_string()))?;
    file.take(FILE_BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(|error| fault(path, error.to_string()))?;
    match text.len() as u64 > FILE_BYTES_MAX {
        true => Err(fault(
            path,
            format!("it has more than {FILE_BYTES_MAX} bytes"),
        )),
        false => Ok(text),
    }
}

/// Reads the rules of a file. Documents whose ids are the same up to a `/` are one rule.
fn read(path: &str, text: &str, trust: Trust) -> Result<Vec<Rule>, RuleError> {
    let mut by_name: BTreeMap<String, Vec<RuleDocument>> = BTreeMap::new();
    for document in documents::read(path, text, trust)? {
        if document.head.id.is_empty() {
            return Err(documents::at_key(
                path,
                document.line,
                text,
                "id",
                "the rule has no `id`".to_owned(),
            ));
        }
        // A document of ast-grep has one language. A rule for several languages has several
        // documents, such as `a-rule/python` and `a-rule/go`.
        let name = document
            .head
            .id
            .split('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        // Documents of one rule need not be next to each other.
        by_name.entry(name).or_default().push(document);
    }
    by_name
        .into_iter()
        .map(|(name, documents)| rule(path, text, trust, name, documents))
        .collect()
}

fn rule(
    path: &str,
    text: &str,
    trust: Trust,
    name: String,
    documents: Vec<RuleDocument>,
) -> Result<Rule, RuleError> {
    let (line, head) = (documents[0].line, documents[0].head.clone());
    let extra = head
        .metadata
        .clone()
        .and_then(|metadata| metadata.grounds)
        .unwrap_or_default();
    let (severity, is_off) = severity(path, line, text, head.severity.as_deref())?;
    let detectors: Vec<Vec<Detector>> = documents
        .into_iter()
        .map(|document| detectors(path, text, document))
        .collect::<Result<_, _>>()?;
    // A file of ast-grep has no reach and looks at every file, so that is the default for rules of
    // a project.
    let reach = extra.reach.unwrap_or(if trust == Trust::BuiltIn {
        ReachName::Code
    } else {
        ReachName::Everywhere
    });
    let is_on = !is_off && extra.default != Some(SwitchName::Off);
    let origin = if trust == Trust::BuiltIn {
        RuleOrigin::BuiltIn
    } else {
        RuleOrigin::File(path.to_owned())
    };
    let documentation = documentation(extra, &head.message, head.note, head.url);
    Ok(Rule {
        name,
        severity,
        reach: reach.into(),
        is_on,
        origin,
        documentation,
        detectors: detectors.into_iter().flatten().collect(),
    })
}

fn documentation(
    extra: Extra,
    message: &str,
    note: Option<String>,
    url: Option<String>,
) -> Documentation {
    let what = if extra.what.is_empty() {
        message.to_owned()
    } else {
        extra.what
    };
    let why = if extra.why.is_empty() {
        note.unwrap_or_default()
    } else {
        extra.why
    };
    let clean = |text: String| text.trim().to_owned();
    Documentation {
        what: clean(what),
        why: clean(why),
        instead: clean(extra.instead),
        wrong_when: clean(extra.wrong_when),
        url: url.filter(|url| url.starts_with("https://")),
    }
}

fn severity(
    path: &str,
    line: u32,
    text: &str,
    word: Option<&str>,
) -> Result<(Severity, bool), RuleError> {
    // The words are those of ast-grep, whose default is `hint`.
    match word.unwrap_or("hint").to_lowercase().as_str() {
        "error" => Ok((Severity::Critical, false)),
        "warning" => Ok((Severity::Major, false)),
        "info" => Ok((Severity::Minor, false)),
        "hint" => Ok((Severity::Info, false)),
        "off" => Ok((Severity::Info, true)),
        other => {
            let reason = format!(
                "the severity `{other}` is unknown; write error, warning, info, hint or off"
            );
            Err(documents::at_key(path, line, text, "severity", reason))
        }
    }
}

fn detectors(path: &str, text: &str, document: RuleDocument) -> Result<Vec<Detector>, RuleError> {
    let RuleDocument { head, body, line } = document;
    let files = globs(path, text, line, "files", head.files.as_deref())?;
    let ignores = globs(path, text, line, "ignores", head.ignores.as_deref())?;
    let kinds = match body {
        RuleBody::Tree(bodies) => bodies
            .into_iter()
            .map(|body| tree(path, text, line, body))
            .collect::<Result<_, _>>()?,
        RuleBody::Text(rule) => vec![DetectorKind::Text(text_matcher(path, text, line, &rule)?)],
        RuleBody::Native => {
            let name = &head.id;
            let found = native::named(name).ok_or_else(|| {
                documents::at_key(path, line, text, "id", format!("no code for `{name}`"))
            })?;
            vec![DetectorKind::Native(found)]
        }
    };
    let detector = |kind| Detector {
        id: head.id.clone(),
        message: head.message.clone(),
        files: files.clone(),
        ignores: ignores.clone(),
        kind,
    };
    Ok(kinds.into_iter().map(detector).collect())
}

fn globs(
    path: &str,
    text: &str,
    line: u32,
    key: &str,
    list: Option<&[PathGlob]>,
) -> Result<Option<GlobSet>, RuleError> {
    let made = list.map(documents::globs).transpose();
    made.map_err(|error| documents::at_key(path, line, text, key, error.to_string()))
}

/// Makes a detector of a pattern. A pattern of a project is compiled at once, so that its errors
/// are reported before anything runs; a built-in one is read and compiled for the first file of its
/// language.
fn tree(path: &str, text: &str, line: u32, body: TreeBody) -> Result<DetectorKind, RuleError> {
    let matcher = OnceLock::new();
    if let TreeSource::Read(body) = &body.source {
        let made = documents::compile(path, text, line, (**body).clone())?;
        // The cell is new, so it is empty.
        let _ = matcher.set(Ok(made));
    }
    Ok(DetectorKind::Tree(Box::new(TreeDetector {
        path: path.to_owned(),
        line,
        body,
        matcher,
    })))
}

fn text_matcher(
    path: &str,
    text: &str,
    line: u32,
    rule: &TextRule,
) -> Result<TextMatcher, RuleError> {
    let TextRule {
        regex,
        all,
        any,
        not,
    } = rule;
    if regex.is_none() && all.is_empty() && any.is_empty() {
        return Err(documents::at_key(
            path,
            line,
            text,
            "rule",
            "a text rule needs `regex`, `all` or `any`".to_owned(),
        ));
    }
    // The limit keeps an expression such as `(a{1000}){1000}` from taking all memory.
    let compile = |shape: &String| RegexBuilder::new(shape).size_limit(REGEX_BYTES_MAX).build();
    let regex = regex.as_ref().map(compile).transpose();
    let regex = regex.map_err(|error| {
        documents::at_key(
            path,
            line,
            text,
            "rule",
            error.to_string().replace('\n', " "),
        )
    })?;
    let parts = |rules: &[TextRule]| {
        rules
            .iter()
            .map(|rule| text_matcher(path, text, line, rule))
            .collect::<Result<Vec<_>, _>>()
    };
    let not = not
        .as_ref()
        .map(|rule| text_matcher(path, text, line, rule))
        .transpose()?;
    Ok(TextMatcher {
        regex,
        all: parts(all)?,
        any: parts(any)?,
        not: not.map(Box::new),
    })
}

impl From<ReachName> for RuleReach {
    fn from(name: ReachName) -> Self {
        match name {
            ReachName::Everywhere => Self::Everywhere,
            ReachName::Code => Self::Code,
            ReachName::Product => Self::Product,
        }
    }
}
