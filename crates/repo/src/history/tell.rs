//! The history's answer to a question: one finding for each target, and what could not be seen.

use std::collections::BTreeSet;

use grounds_evidence::TargetKind;

use crate::bench::Bench;
use crate::git::GitError;
use crate::obstacle::Obstacle;
use crate::tool::ToolError;

use super::changes::{self, ChangedFiles, Compared};
use super::commit::Commit;
use super::holes;
use super::lines::{self, Authors};
use super::log::{self, CommitList, WantedCommits};
use super::pickaxe::{self, Introduction, PickaxeResult, Removal};
use super::range::{self, Range};
use super::repository::Repository;
use super::subject::{self, HistorySubject, HistoryTerm, Home, Paths};
use super::tags::{self, Tags};
use super::worktree::{self, Branch, WorkTree};
use super::{HistoryAspect, HistoryQuestion};

/// The answer of the history to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// One entry for each target in their order, or one for a question without a target.
    pub told: Vec<TargetHistory>,
    /// The range of commits that was searched.
    pub range: Range,
    /// The checked-out commit; `None` if it could not be read.
    pub head: Option<Commit>,
    /// What could not be seen, in sentences.
    pub unseen: Vec<String>,
}

/// What the history says about one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetHistory {
    /// The target as the question names it; empty for the project.
    pub name: String,
    /// What was found.
    pub what: What,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Nothing about the target.
    Nothing,
    /// The target still exists, and the question is when it was removed.
    StillThere,
    /// The target is in the work tree and in no commit.
    Uncommitted(Vec<Home>),
    /// Commits of it.
    Commits(CommitList),
    /// One commit, and the files that it changed.
    OneCommit(Box<Commit>, ChangedFiles),
    /// Commits that change lines with the name, and others that have it in their message.
    About {
        /// Those that change it.
        changing: CommitList,
        /// Those that only speak of it.
        mentioning: CommitList,
    },
    /// The commit that added it.
    Introduced(Box<Introduction>),
    /// The commit that removed it.
    Removed(Box<Removal>),
    /// The commits that changed its own lines, newest first.
    LastChanged {
        /// The lines, in each place of it.
        places: Vec<(Home, CommitList)>,
        /// The lines that no commit has yet.
        uncommitted: Vec<Home>,
    },
    /// Who wrote its lines.
    AuthorsOfLines {
        /// The lines.
        places: Vec<Home>,
        /// Their authors.
        authors: Authors,
    },
    /// Who made its commits.
    AuthorsOfCommits(CommitAuthors),
    /// Commits and files of a range.
    Changes {
        /// The commits.
        commits: CommitList,
        /// The files; `None` if the state before the range is not in this clone.
        files: Option<ChangedFiles>,
    },
    /// The work tree.
    WorkTree(Box<WorkTree>),
    /// The branch.
    Branch(Box<Branch>),
    /// Tags, newest first.
    Tags(Tags),
    /// Tags that contain a commit, oldest first.
    TagsWith(Box<Commit>, Tags),
}

/// Who made commits.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CommitAuthors {
    /// The authors with their number of commits and the newest of these, most first.
    pub authors: Vec<(String, u64, Commit)>,
    /// All authors.
    pub count: u64,
    /// All commits.
    pub commits: u64,
    /// Whether counting ended at a bound.
    pub is_cut: bool,
}

/// Answers the history question of a bench.
///
/// # Errors
/// [`ToolError`] with the reason if the history in this clone cannot answer; a broken one if git
/// cannot be run.
pub fn tell(bench: &mut Bench<'_>) -> Result<Findings, ToolError> {
    let Some(top) = bench.checkout.git_top() else {
        return Err(ToolError::refused(
            Obstacle::HistoryMissing,
            "the directory is not in a git repository, so there is no history to read",
        ));
    };
    let mut repository = Repository::open(top, bench.limits.history_ms_max)
        .map_err(|error| told_as(&error, None))?;
    let question = bench.enquiry.history.clone();
    // Ends because each round leaves out more paths, up to the bound of `holes::unreadable`.
    let (range, told) = loop {
        let teller = Teller {
            repository: &repository,
            question: &question,
            range: Range::default(),
            specs: Vec::new(),
        };
        match teller.all(bench) {
            Err(error)
                if error.obstacle == Obstacle::HistoryUnreadable
                    && holes::note(&mut repository, &error.why) => {}
            told => break told?,
        }
    };
    // The checked-out commit is only shown, so a failure to read it costs no answer.
    let head = log::of_hashes(&repository, repository.extent.head.as_slice())
        .unwrap_or_default()
        .into_iter()
        .next();
    let mut unseen = repository.extent.unseen(&told);
    unseen.extend(unread(&repository.left_out));
    Ok(Findings {
        told,
        range,
        head,
        unseen,
    })
}

/// Number of paths named if versions of files cannot be read.
const UNREAD_NAMED_MAX: usize = 3;

/// Returns the sentence about paths whose history was left out.
fn unread(paths: &BTreeSet<String>) -> Option<String> {
    let named = paths.iter().take(UNREAD_NAMED_MAX);
    let named: Vec<String> = named.map(|path| format!("`{path}`")).collect();
    let more = paths.len() - named.len();
    let more = (more > 0).then(|| format!(" and {more} more"));
    (!paths.is_empty()).then(|| {
        let (named, more) = (named.join(", "), more.unwrap_or_default());
        format!("Versions of files that are no code cannot be read here, and were left out: {named}{more}.")
    })
}

/// The words for a bound that ended the search.
const BOUND: &str = "the history is larger than the bounds of a question (`history_ms_max`)";

/// Turns a failure of git into the error of the tool.
fn told_as(error: &GitError, repository: Option<&Repository>) -> ToolError {
    match error {
        GitError::NotRun(_) => ToolError::broke(Obstacle::HistoryUnreadable, error.to_string()),
        GitError::TimeUp { .. } | GitError::TooMuch { .. } => {
            ToolError::refused(Obstacle::HistoryBound, format!("{error}: {BOUND}"))
        }
        // In a partial clone a failure most likely means an object that was never fetched.
        GitError::Failed { .. }
            if repository.is_some_and(|repository| repository.extent.is_partial) =>
        {
            ToolError::refused(
                Obstacle::HistoryNotHere,
                format!("{error}; this clone is partial, and what it left out is not fetched"),
            )
        }
        GitError::Failed { .. } | GitError::NoRepository(_) | GitError::Unseen(_) => {
            ToolError::refused(Obstacle::HistoryUnreadable, error.to_string())
        }
    }
}

/// Number of tags named if the requested one is not found.
const TAGS_NAMED_MAX: usize = 3;

struct Teller<'t> {
    repository: &'t Repository,
    question: &'t HistoryQuestion,
    range: Range,
    specs: Vec<String>,
}

impl Teller<'_> {
    fn all(mut self, bench: &mut Bench<'_>) -> Result<(Range, Vec<TargetHistory>), ToolError> {
        let unborn = self.repository.extent.head.is_none();
        // The state of the work tree exists before the first commit too.
        if unborn && self.question.aspect != HistoryAspect::WorkTree {
            return Err(ToolError::refused(
                Obstacle::HistoryMissing,
                "the repository has no commit yet, so there is no history to read",
            ));
        }
        self.range = self.range_of()?;
        self.specs = subject::within(bench, self.repository)?;
        let wrap = |error: GitError| told_as(&error, Some(self.repository));
        let mut told = Vec::new();
        for number in 0..bench.targets().len() {
            let subject = subject::of(bench, self.repository, number).map_err(wrap)?;
            let name = if subject == HistorySubject::Project {
                String::new()
            } else {
                bench.targets()[number].text.clone()
            };
            let what = self.what(&subject)?;
            // A path that no commit has may be misspelled: the pass finds files with a similar name
            // for the refusal.
            if what == What::Nothing && bench.targets()[number].kind == TargetKind::Path {
                bench.survey();
            }
            told.push(TargetHistory { name, what });
        }
        if told.is_empty() {
            told.push(TargetHistory {
                name: String::new(),
                what: self.what(&HistorySubject::Project)?,
            });
        }
        Ok((self.range, told))
    }

    fn range_of(&self) -> Result<Range, ToolError> {
        let (since, until) = (
            self.question.since.as_deref(),
            self.question.until.as_deref(),
        );
        match Range::of(self.repository, since, until)
            .map_err(|error| told_as(&error, Some(self.repository)))?
        {
            Ok(range) => Ok(range),
            Err(words) => {
                let shallow = if self.repository.extent.boundary.is_empty() {
                    ""
                } else {
                    "; the clone is shallow and may lack it"
                };
                let newest = tags::tags(self.repository, None).unwrap_or_default().tags;
                let newest: Vec<String> = newest
                    .iter()
                    .take(TAGS_NAMED_MAX)
                    .map(|tag| format!("`{}`", tag.name))
                    .collect();
                let known = if newest.is_empty() {
                    String::new()
                } else {
                    format!("; the newest tags are {}", newest.join(", "))
                };
                let why = format!(
                    "`{words}` is not a tag, branch or commit here, and not a date{known}{shallow}"
                );
                Err(ToolError::refused(Obstacle::HistoryQuestion, why))
            }
        }
    }

    fn what(&self, subject: &HistorySubject) -> Result<What, ToolError> {
        match (self.question.aspect, subject) {
            (HistoryAspect::WorkTree, subject) => self.work_tree(subject),
            (HistoryAspect::Branch, _) => {
                let branch = worktree::branch(self.repository);
                self.told(branch.map(|branch| What::Branch(Box::new(branch))))
            }
            (HistoryAspect::Tags, HistorySubject::Commit(text)) => self.told(self.tags_with(text)),
            (HistoryAspect::Tags, _) => self.told(self.tags()),
            (_, HistorySubject::Commit(text)) => self.told(self.one_commit(text)),
            (aspect, HistorySubject::Term(term)) => self.of_term(aspect, term),
            (aspect, HistorySubject::Path(paths)) => self.of_paths(aspect, paths),
            (aspect, HistorySubject::Project) => self.told(self.of_project(aspect)),
        }
    }

    fn of_term(&self, aspect: HistoryAspect, term: &HistoryTerm) -> Result<What, ToolError> {
        let has_homes = !term.homes.is_empty();
        match aspect {
            HistoryAspect::Introduced => self.introduced(term),
            HistoryAspect::Removed => self.removed(term),
            // Lines can be blamed only if the name is in the tree today; else the commits with it
            // are listed.
            HistoryAspect::LastChanged if has_homes => self.told(self.last_changed(term)),
            HistoryAspect::Contributors if !has_homes => Ok(What::Nothing),
            HistoryAspect::Authors | HistoryAspect::Contributors if has_homes => {
                self.told(self.authors_of(&term.homes))
            }
            _ => self.told(self.about(term)),
        }
    }

    fn of_paths(&self, aspect: HistoryAspect, paths: &Paths) -> Result<What, ToolError> {
        match aspect {
            HistoryAspect::Introduced => self.path_introduced(paths),
            HistoryAspect::Removed => self.path_removed(paths),
            // A file has lines to blame; a folder has only commits.
            HistoryAspect::Authors if paths.file.is_some() => {
                self.told(self.authors_of_file(paths))
            }
            HistoryAspect::Authors | HistoryAspect::Contributors => {
                self.told(self.authors_of_commits(&paths.specs))
            }
            HistoryAspect::Changes => self.told(self.changes(&paths.specs, true)),
            _ => self.told(self.commits_of(paths)),
        }
    }

    fn of_project(&self, aspect: HistoryAspect) -> Result<What, GitError> {
        match aspect {
            HistoryAspect::Authors | HistoryAspect::Contributors => {
                self.authors_of_commits(&self.specs)
            }
            HistoryAspect::Oldest => self.oldest(),
            HistoryAspect::Changes => self.changes(&self.specs, !self.specs.is_empty()),
            _ => self.newest(&self.specs, false).map(What::of_commits),
        }
    }

    /// Turns what git showed, or why it failed, into the answer of the tool.
    fn told(&self, found: Result<What, GitError>) -> Result<What, ToolError> {
        self.seen(found.map_err(|error| told_as(&error, Some(self.repository)))?)
    }

    /// Refuses "nothing" in a shallow clone: it may mean that older history is absent.
    fn seen(&self, what: What) -> Result<What, ToolError> {
        if what != What::Nothing || self.repository.extent.boundary.is_empty() {
            return Ok(what);
        }
        Err(ToolError::refused(Obstacle::HistoryNotHere, AT_BOUNDARY))
    }

    fn newest(&self, specs: &[String], follow: bool) -> Result<CommitList, GitError> {
        let author = self.question.author.as_deref();
        log::newest(
            self.repository,
            &WantedCommits {
                range: self.range.clone(),
                specs,
                follow,
                author,
                message: None,
            },
        )
    }

    /// Returns the oldest commits of the range; of everything, those without parents.
    fn oldest(&self) -> Result<What, GitError> {
        if !self.repository.extent.boundary.is_empty() {
            return Err(GitError::Unseen(AT_BOUNDARY.to_owned()));
        }
        let wanted = WantedCommits {
            range: self.range.clone(),
            specs: &self.specs,
            author: self.question.author.as_deref(),
            ..WantedCommits::default()
        };
        Ok(What::of_commits(log::oldest(self.repository, &wanted)?))
    }

    fn commits_of(&self, paths: &Paths) -> Result<What, GitError> {
        Ok(What::of_commits(
            self.newest(&paths.specs, paths.file.is_some())?,
        ))
    }

    fn one_commit(&self, text: &str) -> Result<What, GitError> {
        let Some(hash) = range::commit(self.repository, text) else {
            return Ok(What::Nothing);
        };
        let commit = log::of_hashes(self.repository, std::slice::from_ref(&hash))?
            .into_iter()
            .next();
        let Some(commit) = commit else {
            return Ok(What::Nothing);
        };
        // A diff of the oldest commit of a shallow clone would list the whole tree as added.
        let is_boundary = self.repository.is_boundary(&hash);
        let files = if is_boundary {
            ChangedFiles::default()
        } else {
            changes::files(self.repository, Compared::Of(&hash), &self.specs)?
        };
        Ok(What::OneCommit(
            Box::new(commit),
            ChangedFiles {
                is_cut: files.is_cut || is_boundary,
                ..files
            },
        ))
    }

    fn tags(&self) -> Result<What, GitError> {
        let tags = tags::tags(self.repository, None)?;
        if tags.count == 0 && !self.repository.extent.boundary.is_empty() {
            return Err(GitError::Unseen(
                "no tag is in this clone, which is shallow".to_owned(),
            ));
        }
        Ok(if tags.count == 0 {
            What::Nothing
        } else {
            What::Tags(tags)
        })
    }

    fn tags_with(&self, text: &str) -> Result<What, GitError> {
        let hash = range::commit(self.repository, text);
        let Some(commit) = log::of_hashes(self.repository, hash.as_slice())?
            .into_iter()
            .next()
        else {
            return Ok(What::Nothing);
        };
        let tags = tags::tags(self.repository, Some(&commit.hash))?;
        Ok(What::TagsWith(Box::new(commit), tags))
    }

    fn about(&self, term: &HistoryTerm) -> Result<What, GitError> {
        let author = self.question.author.as_deref();
        let wanted = WantedCommits {
            range: self.range.clone(),
            specs: &self.specs,
            follow: false,
            author,
            message: Some(&term.text),
        };
        let mut mentioning = log::newest(self.repository, &wanted)?;
        let changing = match term.homes.iter().find(|home| home.is_definition) {
            Some(home) => {
                lines::changes(self.repository, home, &self.range, author)?.unwrap_or_default()
            }
            None => pickaxe::touching(self.repository, term, &self.range, &self.specs, author)?,
        };
        // A commit that changes the name and speaks of it is listed once, among the changing ones.
        let before = mentioning.commits.len();
        mentioning
            .commits
            .retain(|commit| !changing.commits.contains(commit));
        mentioning.count -= (before - mentioning.commits.len()) as u64;
        let is_nothing = changing.commits.is_empty() && mentioning.commits.is_empty();
        // Nothing was found, but the search ended at a bound: that is no answer.
        let is_unsure = changing.is_cut || mentioning.is_cut;
        match (is_nothing, is_unsure) {
            (true, true) => Err(GitError::TimeUp {
                call: format!("log -G {}", term.text),
                ms_max: self.repository.ms_max(),
            }),
            (true, false) => Ok(What::Nothing),
            (false, _) => Ok(What::About {
                changing,
                mentioning,
            }),
        }
    }

    fn introduced(&self, term: &HistoryTerm) -> Result<What, ToolError> {
        let found = pickaxe::introduced(self.repository, term)
            .map_err(|error| told_as(&error, Some(self.repository)))?;
        self.of_search(found, term, What::Introduced)
    }

    fn removed(&self, term: &HistoryTerm) -> Result<What, ToolError> {
        let found = pickaxe::removed(self.repository, term)
            .map_err(|error| told_as(&error, Some(self.repository)))?;
        self.of_search(found, term, What::Removed)
    }

    fn of_search<T>(
        &self,
        found: PickaxeResult<T>,
        term: &HistoryTerm,
        what: impl Fn(Box<T>) -> What,
    ) -> Result<What, ToolError> {
        match found {
            PickaxeResult::It(found) => Ok(what(found)),
            PickaxeResult::StillThere => Ok(What::StillThere),
            PickaxeResult::Uncommitted => Ok(What::Uncommitted(term.homes.clone())),
            PickaxeResult::Nothing => self.seen(What::Nothing),
            PickaxeResult::AtBoundary(commit) => Err(ToolError::refused(
                Obstacle::HistoryNotHere,
                format!(
                    "`{}` is present at the oldest commit that is here ({}, {}); older history is not in this clone",
                    term.text,
                    commit.short(),
                    commit.day()
                ),
            )),
            PickaxeResult::Cut => Err(ToolError::refused(
                Obstacle::HistoryBound,
                format!(
                    "the history was searched for `{}` for {} ms (`history_ms_max`) and not to its end",
                    term.text,
                    self.repository.ms_max()
                ),
            )),
        }
    }

    /// Returns the oldest commit of a file, which introduced it.
    fn path_introduced(&self, paths: &Paths) -> Result<What, ToolError> {
        let found = pickaxe::path_introduced(self.repository, &paths.specs);
        match found.map_err(|error| told_as(&error, Some(self.repository)))? {
            PickaxeResult::AtBoundary(commit) => Err(ToolError::refused(
                Obstacle::HistoryNotHere,
                format!(
                    "it is present at the oldest commit that is here ({}, {}); older history is not in this clone",
                    commit.short(),
                    commit.day()
                ),
            )),
            PickaxeResult::It(found) => Ok(What::Introduced(found)),
            PickaxeResult::Cut => Err(ToolError::refused(Obstacle::HistoryBound, BOUND)),
            PickaxeResult::Nothing | PickaxeResult::Uncommitted | PickaxeResult::StillThere => {
                self.seen(What::Nothing)
            }
        }
    }

    fn path_removed(&self, paths: &Paths) -> Result<What, ToolError> {
        let found = pickaxe::path_removed(self.repository, &paths.specs);
        match found.map_err(|error| told_as(&error, Some(self.repository)))? {
            PickaxeResult::It(found) => Ok(What::Removed(found)),
            PickaxeResult::StillThere => Ok(What::StillThere),
            PickaxeResult::Cut => Err(ToolError::refused(Obstacle::HistoryBound, BOUND)),
            PickaxeResult::AtBoundary(_) | PickaxeResult::Nothing | PickaxeResult::Uncommitted => {
                self.seen(What::Nothing)
            }
        }
    }

    fn last_changed(&self, term: &HistoryTerm) -> Result<What, GitError> {
        let author = self.question.author.as_deref();
        // A definition may have several places, of which some are in no commit yet.
        let (mut places, mut uncommitted, mut left_out) = (Vec::new(), Vec::new(), false);
        for home in &term.homes {
            match lines::changes(self.repository, home, &self.range, author)? {
                Some(listed) if listed.commits.is_empty() => left_out |= listed.left_out,
                Some(listed) => places.push((home.clone(), listed)),
                None => uncommitted.push(home.clone()),
            }
        }
        Ok(match (places.is_empty(), uncommitted.is_empty()) {
            (true, true) if left_out => {
                return Err(GitError::Unseen(AT_BOUNDARY.to_owned()));
            }
            (true, true) => What::Nothing,
            (true, false) => What::Uncommitted(uncommitted),
            (false, _) => What::LastChanged {
                places,
                uncommitted,
            },
        })
    }

    fn authors_of(&self, homes: &[Home]) -> Result<What, GitError> {
        let (mut committed, mut new) = (Vec::new(), Vec::new());
        for home in homes.iter().cloned() {
            // Git can blame a file of the commit, changed or not, and none that is only in the work
            // tree.
            match lines::is_committed(self.repository, &home.path)? {
                true => committed.push(home),
                false => new.push(home),
            }
        }
        if committed.is_empty() {
            return Ok(What::Uncommitted(new));
        }
        let committed = outermost(&committed);
        let authors = lines::authors(self.repository, &committed)?;
        // All committed lines are as old as the end of the shallow clone, which hides who wrote
        // them.
        if authors.shares.is_empty() && authors.older > 0 {
            return Err(GitError::Unseen(AT_BOUNDARY.to_owned()));
        }
        // The file is committed, but the lines of the name are new in the work tree.
        Ok(if authors.shares.is_empty() {
            What::Uncommitted(committed)
        } else {
            What::AuthorsOfLines {
                places: committed,
                authors,
            }
        })
    }

    fn authors_of_file(&self, paths: &Paths) -> Result<What, GitError> {
        let whole = |path: &String| Home {
            path: path.clone(),
            line_start: 1,
            line_end: 0,
            is_definition: true,
            place: None,
        };
        let homes: Vec<Home> = paths.file.iter().map(whole).collect();
        let authors = lines::authors(self.repository, &homes)?;
        if authors.shares.is_empty() {
            // An empty file has no lines, and at the end of a shallow clone none of them is known.
            return self.authors_of_commits(&paths.specs);
        }
        Ok(What::AuthorsOfLines {
            places: homes,
            authors,
        })
    }

    fn authors_of_commits(&self, specs: &[String]) -> Result<What, GitError> {
        let authors = log::authors(
            self.repository,
            &WantedCommits {
                range: self.range.clone(),
                specs,
                ..WantedCommits::default()
            },
        )?;
        Ok(if authors.commits == 0 {
            What::Nothing
        } else {
            What::AuthorsOfCommits(authors)
        })
    }

    fn changes(&self, specs: &[String], by_path: bool) -> Result<What, GitError> {
        let commits = self.newest(specs, false)?;
        // An empty list of a whole project is an answer; for a path or a range it means that
        // nothing matches.
        let is_nothing = commits.commits.is_empty() && (by_path || !self.range.is_everything());
        // Files that differ between two states cannot be told by author.
        if self.range.is_everything() || self.question.author.is_some() {
            return Ok(if is_nothing {
                What::Nothing
            } else {
                What::Commits(commits)
            });
        }
        let files = changes::in_range(self.repository, &self.range, specs)?;
        Ok(What::Changes { commits, files })
    }

    fn work_tree(&self, subject: &HistorySubject) -> Result<What, ToolError> {
        let specs = match subject {
            HistorySubject::Path(paths) => &paths.specs,
            HistorySubject::Project | HistorySubject::Commit(_) | HistorySubject::Term(_) => {
                &self.specs
            }
        };
        match worktree::state(self.repository, specs)
            .map_err(|error| told_as(&error, Some(self.repository)))?
        {
            Ok(tree) => Ok(What::WorkTree(Box::new(tree))),
            Err(reason) => Err(ToolError::refused(Obstacle::HistoryUnreadable, reason)),
        }
    }
}

/// The reason of a refusal if the target is only older than the end of a shallow clone.
const AT_BOUNDARY: &str = "nothing that is newer than the oldest commit that is here matches; older history is not in this clone, which is shallow";

impl What {
    fn of_commits(listed: CommitList) -> Self {
        if listed.commits.is_empty() {
            Self::Nothing
        } else {
            Self::Commits(listed)
        }
    }
}

impl super::Extent {
    /// Returns what of the history could not be seen, in sentences.
    fn unseen(&self, told: &[TargetHistory]) -> Vec<String> {
        // The state of the work tree does not depend on older commits.
        let looks_back =
            |told: &TargetHistory| !matches!(told.what, What::WorkTree(_) | What::Branch(_));
        if !told.iter().any(looks_back) {
            return Vec::new();
        }
        let sentences = [
            (
                !self.boundary.is_empty(),
                "The clone is shallow: older history is not in it.",
            ),
            (
                self.has_replacements,
                "Replacements of commits are set up (`refs/replace`) and were not followed.",
            ),
        ];
        sentences
            .into_iter()
            .filter(|(applies, _)| *applies)
            .map(|(_, words)| words.to_owned())
            .collect()
    }
}

impl What {
    /// Returns the commits that it names, most telling first.
    pub fn commits(&self) -> Vec<&Commit> {
        match self {
            Self::Commits(listed)
            | Self::Changes {
                commits: listed, ..
            } => listed.commits.iter().collect(),
            Self::About {
                changing,
                mentioning,
            } => changing.commits.iter().chain(&mentioning.commits).collect(),
            Self::OneCommit(commit, _) | Self::TagsWith(commit, _) => vec![commit],
            Self::Introduced(found) => std::iter::once(&found.commit)
                .chain(found.home.iter().map(|home| &home.commit))
                .collect(),
            Self::Removed(found) => vec![&found.commit],
            Self::LastChanged { places, .. } => places
                .iter()
                .flat_map(|(_, listed)| &listed.commits)
                .collect(),
            Self::AuthorsOfLines { authors, .. } => {
                authors.shares.iter().map(|share| &share.newest).collect()
            }
            Self::AuthorsOfCommits(authors) => authors
                .authors
                .iter()
                .map(|(_, _, commit)| commit)
                .collect(),
            Self::WorkTree(tree) => tree.branch.tip.iter().collect(),
            Self::Branch(branch) => branch
                .tip
                .iter()
                .chain(branch.others.iter().map(|(_, commit)| commit))
                .collect(),
            Self::Nothing | Self::StillThere | Self::Uncommitted(_) | Self::Tags(_) => Vec::new(),
        }
    }
}

/// Returns the places that are in no other one: the lines of a constructor are lines of its class.
fn outermost(homes: &[Home]) -> Vec<Home> {
    let mut kept: Vec<Home> = Vec::new();
    for home in homes {
        let is_in = |other: &Home| {
            other.path == home.path
                && other.line_start <= home.line_start
                && home.line_end <= other.line_end
        };
        let is_larger =
            |other: &Home| (other.line_start, other.line_end) != (home.line_start, home.line_end);
        let is_within = homes.iter().any(|other| is_in(other) && is_larger(other));
        if !is_within && !kept.iter().any(is_in) {
            kept.push(home.clone());
        }
    }
    kept
}
