//! Who calls what a change changed: the context chain, asked only where a rule asks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use super::report::{Open, Unread};
use crate::chain::{self, Chain, Ground};
use crate::diff::Change;
use crate::material::ContextKind;
use crate::plan::PlanLimits;
use crate::tree::{self, Content, Tree};

/// Lines of a call that are read.
const CALL_LINES_MAX: usize = 40;

/// A place where something is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The file, at the reviewed side.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The text from this line on, as far as a call may reach.
    pub text: String,
}

/// Who can say where something is called.
pub trait Callers: Sync {
    /// Where the reviewed side calls what a changed file (by its place in the diff) defines by this name. Calls that the diff
    /// itself shows need not be among them.
    ///
    /// # Errors
    /// Why nobody can say.
    fn of(&self, file: usize, name: &str) -> Result<Vec<CallSite>, Unread>;
}

/// The context chain of a change as such.
pub struct ChainCallers<'c> {
    change: &'c Change,
    limits: &'c PlanLimits,
    chains: Mutex<BTreeMap<usize, Result<Chain, Unread>>>,
    tree: Mutex<Option<Tree>>,
}

impl<'c> ChainCallers<'c> {
    /// The callers in the repository of a change. Nothing is read before someone asks.
    pub const fn new(change: &'c Change, limits: &'c PlanLimits) -> Self {
        Self { change, limits, chains: Mutex::new(BTreeMap::new()), tree: Mutex::new(None) }
    }

    fn tree(&self) -> Result<Tree, Unread> {
        let mut known = self.tree.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(tree) = known.as_ref() {
            return Ok(tree.clone());
        }
        let top = self.change.top.as_deref().ok_or_else(|| Unread { open: Open::NoText, reason: "there is no repository".to_owned() })?;
        let tree = Tree::of_head(top, &self.change.diff, &self.limits.diff).map_err(Unread::failed)?;
        *known = Some(tree.clone());
        Ok(tree)
    }

    fn resolve(&self, file: usize) -> Result<Chain, Unread> {
        let tree = self.tree()?;
        let diff = &self.change.diff;
        let heads = tree::read_heads(tree.top(), diff, &self.limits.diff).map_err(Unread::failed)?;
        let bases = tree::read_bases(tree.top(), diff, &self.limits.diff).map_err(Unread::failed)?;
        let ground = Ground { diff, tree: &tree, heads: &heads, bases: &bases, files: &BTreeSet::from([file]) };
        chain::resolve(&ground, &self.limits.resolve).map_err(Unread::failed)
    }
}

impl Callers for ChainCallers<'_> {
    fn of(&self, file: usize, name: &str) -> Result<Vec<CallSite>, Unread> {
        let mut chains = self.chains.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let chain = chains.entry(file).or_insert_with(|| self.resolve(file)).as_ref().map_err(Clone::clone)?;
        let pieces = chain.files.get(&file).map(|chain| chain.pieces.as_slice()).unwrap_or_default();
        let is_call = |kind: ContextKind| matches!(kind, ContextKind::Caller | ContextKind::Test);
        let tree = self.tree()?;
        let calls = pieces.iter().filter(|piece| is_call(piece.kind) && piece.name == name);
        calls.map(|piece| call_site(&tree, &piece.path, piece.lines.0)).collect()
    }
}

fn call_site(tree: &Tree, path: &str, line: u32) -> Result<CallSite, Unread> {
    let content = tree.read_one(path).map_err(Unread::failed)?;
    let bytes = match content {
        Some(Content::Bytes(bytes)) => bytes,
        Some(Content::TooLarge(bytes)) => {
            let reason = format!("`{path}`, which calls it, has {bytes} bytes, more than {} that are read", tree::FILE_BYTES_MAX);
            return Err(Unread { open: Open::Bound, reason });
        }
        Some(Content::Missing) | None => return Err(Unread::failed(format!("`{path}`, which calls it, could not be read"))),
    };
    Ok(CallSite { path: path.to_owned(), line, text: from_line(&String::from_utf8_lossy(&bytes), line) })
}

/// The text from a line on, as far as a call may reach.
pub(crate) fn from_line(text: &str, line: u32) -> String {
    let skipped = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    text.lines().skip(skipped).take(CALL_LINES_MAX).collect::<Vec<_>>().join("\n")
}
