//! The subject of a target for the history: a path, a commit, a name with its present places, or
//! the project.

use std::path::Path;

use grounds_evidence::{QuestionTarget, Relation, TargetKind};

use crate::bench::Bench;
use crate::git::GitError;
use crate::labels::LabelledPlace;
use crate::obstacle::Obstacle;
use crate::path::RepoPath;
use crate::role;
use crate::tool::ToolError;

use super::HistoryAspect;
use super::range;
use super::repository::Repository;

/// Files that one path of a question may mean.
const FILES_MAX: usize = 20;
/// Files that a role in a question may mean.
const ROLE_FILES_MAX: usize = 5_000;
/// Places of a name whose lines are searched.
const HOMES_MAX: usize = 3;

/// The subject of a target for the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HistorySubject {
    /// Everything, or the folders that the question names.
    Project,
    /// A file or folder.
    Path(Paths),
    /// A commit.
    Commit(String),
    /// A name or words.
    Term(HistoryTerm),
}

/// Files and folders in the form that git gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paths {
    /// The pathspecs for git.
    pub(super) specs: Vec<String>,
    /// The path from the top of the work tree, if exactly one file is meant; otherwise `None`.
    pub(super) file: Option<String>,
}

/// A name or words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HistoryTerm {
    /// The text that is searched, as the tree spells it.
    pub(super) text: String,
    /// Whether the search is case-sensitive: it is for names.
    pub(super) is_name: bool,
    /// Where it occurs now: its definitions, else the first places.
    pub(super) homes: Vec<Home>,
    /// The name that must occur where it was, for the last part of a dotted name that occurs
    /// nowhere now.
    pub(super) owner: Option<String>,
    /// The name that must enclose its definitions: of a dotted name the part before the last.
    /// `None` for other names.
    pub(super) member_of: Option<Enclosing>,
}

/// What encloses the definition of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Enclosing {
    /// Its name.
    pub(super) name: String,
    /// Whether the syntax says it today; otherwise the path does, of a module that is a file or
    /// folder.
    pub(super) is_container: bool,
}

/// Lines with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The file, from the top of the work tree.
    pub path: String,
    /// The first line.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// Whether the name is defined there.
    pub is_definition: bool,
    /// The same place, as the search found it; `None` if it comes from elsewhere.
    pub place: Option<Box<LabelledPlace>>,
}

/// Returns the subject of a target.
pub(super) fn of(
    bench: &mut Bench<'_>,
    repository: &Repository,
    number: usize,
) -> Result<HistorySubject, GitError> {
    let target = &bench.targets()[number];
    Ok(match target.kind {
        TargetKind::Path if target.text == "." => HistorySubject::Project,
        TargetKind::Path => HistorySubject::Path(of_path(bench, repository, number, target)),
        TargetKind::Commit => HistorySubject::Commit(target.text.clone()),
        TargetKind::Identifier
        | TargetKind::SymbolPath
        | TargetKind::Phrase
        | TargetKind::Quoted
        | TargetKind::Message => {
            // A tag or branch is written like a name. If the tree has no such name, the tag is
            // meant.
            let term = of_term(bench, number, target);
            match range::commit(repository, &target.text) {
                Some(hash) if term.homes.is_empty() && target.kind != TargetKind::Phrase => {
                    HistorySubject::Commit(hash)
                }
                _ => HistorySubject::Term(term),
            }
        }
    })
}

/// Returns the pathspecs of the part of the tree that the question names; empty for everything.
pub(super) fn within(bench: &Bench<'_>, repository: &Repository) -> Result<Vec<String>, ToolError> {
    let (prefix, within) = (prefix(bench, repository), &bench.enquiry.within);
    let folders: Vec<String> = within
        .folders
        .iter()
        .flat_map(|folder| specs(repository, &prefix, folder).specs)
        .collect();
    if within.roles.is_empty() || repository.extent.head.is_none() {
        return Ok(folders);
    }
    let listed = repository.bytes(&["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
    let listed = listed
        .map_err(|error| ToolError::refused(Obstacle::HistoryUnreadable, error.to_string()))?;
    let path = |name: &[u8]| {
        RepoPath::relative(Path::new(
            String::from_utf8_lossy(name).strip_prefix(prefix.as_str())?,
        ))
    };
    let here = listed
        .split(|byte| *byte == 0)
        .filter_map(path)
        .filter(|path| within.holds(path, role::of(path)));
    let files: Vec<String> = here
        .map(|path| literal(&format!("{prefix}{}", path.as_str())))
        .collect();
    // Without a pathspec git would list everything.
    match files.len() {
        0 => Ok(vec![NOWHERE.to_owned()]),
        1..=ROLE_FILES_MAX => Ok(files),
        more => Err(ToolError::refused(
            Obstacle::HistoryQuestion,
            format!(
                "the question names {more} files by their role, and {ROLE_FILES_MAX} are the most; name a folder"
            ),
        )),
    }
}

/// Returns the path from the top of the work tree to the searched folder, with a slash at its end.
pub(super) fn prefix(bench: &Bench<'_>, repository: &Repository) -> String {
    let below = bench
        .checkout
        .root()
        .strip_prefix(repository.top())
        .unwrap_or(Path::new(""));
    RepoPath::relative(below).map_or_else(String::new, |path| format!("{}/", path.as_str()))
}

fn of_path(
    bench: &mut Bench<'_>,
    repository: &Repository,
    number: usize,
    target: &QuestionTarget,
) -> Paths {
    let prefix = prefix(bench, repository);
    let asked = target.text.trim_end_matches('/');
    let paths = specs(repository, &prefix, asked);
    // HEAD has the path as it is written, so nothing else is meant.
    if paths.specs.len() < 2 {
        return paths;
    }
    let survey = bench.survey();
    let is_it = |path: &&RepoPath| {
        path.as_str()
            .strip_suffix(asked)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let here: Vec<String> = survey.names[number]
        .iter()
        .map(|(_, path)| path)
        .filter(is_it)
        .map(|path| format!("{prefix}{}", path.as_str()))
        .collect();
    match here.as_slice() {
        [] => paths,
        [only] => Paths {
            specs: vec![literal(only)],
            file: repository.is_file(only).then(|| only.clone()),
        },
        several if several.len() > FILES_MAX => paths,
        several => Paths {
            specs: several.iter().map(|path| literal(path)).collect(),
            file: None,
        },
    }
}

/// Returns a path as it is written if the checked-out commit has it. Otherwise any path that ends
/// so counts too.
fn specs(repository: &Repository, prefix: &str, asked: &str) -> Paths {
    let Some(path) = RepoPath::relative(Path::new(asked)) else {
        return Paths {
            specs: vec![NOWHERE.to_owned()],
            file: None,
        };
    };
    let full = format!("{prefix}{}", path.as_str());
    if repository.is_file(&full) {
        return Paths {
            specs: vec![literal(&full)],
            file: Some(full),
        };
    }
    if repository.is_folder(&full) {
        return Paths {
            specs: vec![literal(&full)],
            file: None,
        };
    }
    // The path may be gone, or be written without its first folders (`store.rs` for
    // `src/store.rs`).
    let (prefix, end) = (escaped(prefix), escaped(path.as_str()));
    let anywhere = [
        format!(":(top,glob){prefix}**/{end}"),
        format!(":(top,glob){prefix}**/{end}/**"),
    ];
    Paths {
        specs: [literal(&full)].into_iter().chain(anywhere).collect(),
        file: None,
    }
}

/// A pathspec that matches nothing, for a path that leads out of the tree.
const NOWHERE: &str = ":(top,literal).git";

pub(super) fn literal(path: &str) -> String {
    format!(":(top,literal){path}")
}

fn escaped(path: &str) -> String {
    path.chars()
        .flat_map(|letter| {
            "*?[]\\"
                .contains(letter)
                .then_some('\\')
                .into_iter()
                .chain([letter])
        })
        .collect()
}

fn of_term(bench: &mut Bench<'_>, number: usize, target: &QuestionTarget) -> HistoryTerm {
    let places = bench.places(number);
    // Git names paths from the top of the work tree, and the search from the checkout.
    let prefix = bench
        .checkout
        .git_top()
        .and_then(|top| bench.checkout.root().strip_prefix(top).ok())
        .and_then(RepoPath::relative);
    let prefix = prefix.map_or_else(String::new, |path| format!("{}/", path.as_str()));
    let home = |place: &LabelledPlace| Home {
        path: format!("{prefix}{}", place.path.as_str()),
        line_start: place.line,
        line_end: place.line_end.max(place.line),
        is_definition: place.relation == Relation::Defines,
        place: Some(Box::new(place.clone())),
    };
    let mut homes: Vec<Home> = places
        .places
        .iter()
        .filter(|place| place.relation == Relation::Defines)
        .take(HOMES_MAX)
        .map(home)
        .collect();
    if homes.is_empty() {
        homes = places.places.iter().take(HOMES_MAX).map(home).collect();
    }
    let is_name = matches!(
        target.kind,
        TargetKind::Identifier | TargetKind::SymbolPath | TargetKind::Quoted
    );
    // Git searches a name with its letter case, so `loadConfig` is searched as the tree spells it.
    let spelled = places
        .places
        .first()
        .filter(|place| is_name && !place.name.is_empty())
        .map(|place| place.name.clone());
    let term = HistoryTerm {
        text: spelled.unwrap_or_else(|| target.needle().to_owned()),
        is_name,
        member_of: enclosing(&homes, target),
        homes,
        owner: None,
    };
    if term.homes.is_empty() {
        without_owner(term, target, bench.enquiry.history.aspect)
    } else {
        term
    }
}

/// Returns the owner of a dotted name, if the name is defined today.
fn enclosing(homes: &[Home], target: &QuestionTarget) -> Option<Enclosing> {
    let owner = target.qualifiers().pop()?;
    let mut places = homes
        .iter()
        .filter(|home| home.is_definition)
        .filter_map(|home| home.place.as_ref())
        .peekable();
    places.peek()?;
    let mut containers = places.flat_map(|place| &place.containers);
    Some(Enclosing {
        name: owner.to_owned(),
        is_container: containers.any(|container| container == owner),
    })
}

/// Returns a dotted name that occurs nowhere now. It is searched as written; for its removal, by
/// its last part with the owner nearby.
fn without_owner(term: HistoryTerm, target: &QuestionTarget, aspect: HistoryAspect) -> HistoryTerm {
    match (target.qualifiers().last(), aspect) {
        (None, _) => term,
        (Some(owner), HistoryAspect::Removed) => HistoryTerm {
            owner: Some((*owner).to_owned()),
            ..term
        },
        (Some(_), _) => HistoryTerm {
            text: target.text.clone(),
            ..term
        },
    }
}

impl Repository {
    fn is_file(&self, path: &str) -> bool {
        self.kind_of(path).as_deref() == Some("blob")
    }

    fn is_folder(&self, path: &str) -> bool {
        self.kind_of(path).as_deref() == Some("tree")
    }

    /// Returns the type of the object that the checked-out commit has at a path.
    fn kind_of(&self, path: &str) -> Option<String> {
        self.text(&["cat-file", "-t", &format!("HEAD:{path}")]).ok()
    }
}
