//! What a review reads of the two sides of a change: the changed files, the tree, and the findings
//! of the chain in it. Each is read once, when it is first needed, for all users: the rules, the
//! callers that a rule asks for, and the plan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grounds_repo::git::GitError;

use crate::chain::{self, Chain, Ground};
use crate::diff::skip;
use crate::diff::{Change, ChangedFile};
use crate::plan::PlanLimits;
use crate::report::SkipReason;
use crate::tree::{self, Content, Tree};

pub use crate::tree::Texts;

/// Both sides of a change in a repository.
#[derive(Debug)]
pub struct Sides<'c> {
    change: &'c Change,
    limits: &'c PlanLimits,
    top: PathBuf,
    needs_chain: bool,
    /// The changed files at the reviewed side, and at the base.
    texts: OnceLock<Result<(Texts, Texts), GitError>>,
    tree: OnceLock<Result<Tree, GitError>>,
    chain: OnceLock<Result<Chain, GitError>>,
    users: OnceLock<Result<Chain, GitError>>,
}

/// Both sides after they were read, to be kept.
#[derive(Debug)]
pub(crate) struct ReadSides {
    pub(crate) heads: Texts,
    pub(crate) bases: Texts,
    pub(crate) tree: Tree,
    pub(crate) chain: Chain,
    pub(crate) skipped: BTreeMap<usize, SkipReason>,
}

impl<'c> Sides<'c> {
    /// Returns the sides of a change, or `None` if it came as a file that applies nowhere. Nothing
    /// is read before it is needed.
    pub fn of(change: &'c Change, limits: &'c PlanLimits) -> Option<Self> {
        let top = change.top.clone()?;
        let (texts, tree, chain, users) = (
            OnceLock::new(),
            OnceLock::new(),
            OnceLock::new(),
            OnceLock::new(),
        );
        Some(Self {
            change,
            limits,
            top,
            needs_chain: false,
            texts,
            tree,
            chain,
            users,
        })
    }

    /// Marks that the whole chain will be needed, since a model is asked.
    #[must_use]
    pub fn with_chain(self) -> Self {
        Self {
            needs_chain: true,
            ..self
        }
    }

    /// Reports whether the whole chain is needed, since a model is asked.
    pub const fn needs_chain(&self) -> bool {
        self.needs_chain
    }

    /// Returns the change.
    pub const fn change(&self) -> &'c Change {
        self.change
    }

    /// Returns the top of the repository.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The changed files at the reviewed side.
    ///
    /// # Errors
    /// [`GitError`] if git fails or takes too long.
    pub fn heads(&self) -> Result<&Texts, GitError> {
        Ok(&self.texts()?.0)
    }

    /// Returns the changed files at the base, by the path at the reviewed side.
    ///
    /// # Errors
    /// As [`Sides::heads`].
    pub fn bases(&self) -> Result<&Texts, GitError> {
        Ok(&self.texts()?.1)
    }

    /// Reads both, by one call of git. Nearly every change needs both, and a call costs more than
    /// the base of the few that do not.
    fn texts(&self) -> Result<&(Texts, Texts), GitError> {
        let read = || tree::read_sides(&self.top, &self.change.diff, &self.limits.diff);
        self.texts.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    /// Returns the files of the reviewed side.
    ///
    /// # Errors
    /// As [`Sides::heads`].
    pub fn tree(&self) -> Result<&Tree, GitError> {
        let read = || Tree::of_head(&self.top, &self.change.diff, &self.limits.diff);
        self.tree.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    /// Reads the tree and the texts at the same time, so that neither waits for the other. Later
    /// callers get what was read.
    pub fn read_ahead(&self) {
        std::thread::scope(|scope| {
            // Errors are stored too, and returned to those who ask for the result.
            scope.spawn(|| drop(self.tree()));
            drop(self.texts());
        });
    }

    /// Returns why no model is asked about a file, by its place in the diff.
    ///
    /// # Errors
    /// As [`Sides::heads`].
    pub fn skipped(&self) -> Result<BTreeMap<usize, SkipReason>, GitError> {
        let (heads, bases) = (self.heads()?, self.bases()?);
        let reason = |file: &ChangedFile| {
            skip::reason(
                file,
                heads.get(&file.path).and_then(Content::bytes),
                bases.get(&file.path).and_then(Content::bytes),
                &self.limits.skip,
            )
        };
        let files = self.change.diff.files.iter().enumerate();
        Ok(files
            .filter_map(|(index, file)| Some((index, reason(file)?)))
            .collect())
    }

    /// Returns the context of the files that a model may be asked about.
    ///
    /// # Errors
    /// As [`Sides::heads`].
    pub fn chain(&self) -> Result<&Chain, GitError> {
        self.chain
            .get_or_init(|| self.resolve())
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Returns the users of definitions whose head changed, for all changed files. Names that
    /// standard libraries have too are included, which the chain leaves out.
    ///
    /// # Errors
    /// As [`Sides::heads`].
    pub fn users(&self) -> Result<&Chain, GitError> {
        self.users
            .get_or_init(|| self.resolve_users())
            .as_ref()
            .map_err(Clone::clone)
    }

    fn resolve(&self) -> Result<Chain, GitError> {
        self.read_ahead();
        let skipped = self.skipped()?;
        let files = (0..self.change.diff.files.len())
            .filter(|index| !skipped.contains_key(index))
            .collect();
        self.on_ground(&files, |ground| {
            chain::resolve(ground, &self.limits.resolve)
        })
    }

    fn resolve_users(&self) -> Result<Chain, GitError> {
        let files = (0..self.change.diff.files.len()).collect();
        self.on_ground(&files, |ground| {
            chain::users_of_heads(ground, &self.limits.resolve)
        })
    }

    fn on_ground(
        &self,
        files: &BTreeSet<usize>,
        look: impl FnOnce(&Ground<'_>) -> Result<Chain, GitError>,
    ) -> Result<Chain, GitError> {
        let (tree, heads, bases) = (self.tree()?, self.heads()?, self.bases()?);
        look(&Ground {
            diff: &self.change.diff,
            tree,
            heads,
            bases,
            files,
        })
    }

    /// Returns everything that was read, for a caller that keeps it.
    pub(crate) fn into_read(self) -> Result<ReadSides, GitError> {
        let skipped = self.skipped()?;
        self.chain()?;
        let taken = || GitError::Unseen("read a side: it was taken before it was read".to_owned());
        let (heads, bases) = self.texts.into_inner().ok_or_else(taken)??;
        Ok(ReadSides {
            heads,
            bases,
            tree: self.tree.into_inner().ok_or_else(taken)??,
            chain: self.chain.into_inner().ok_or_else(taken)??,
            skipped,
        })
    }
}
