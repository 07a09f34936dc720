//! The callers of what a change changed: runs the context chain only if a rule asks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use grounds_repo::git::Next;

use super::report::{Open, Unread};
use crate::chain::{self, Chain, ContextPiece, FileChain};
use crate::material::ContextKind;
use crate::sides::Sides;
use crate::tree::{self, Content, Tree, TreeFile};

/// Maximum number of lines of a call that are read.
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
    /// The names on the import lines of its file.
    pub brings: Arc<BTreeSet<String>>,
}

/// A source of the calls of a name.
pub trait Callers: Sync {
    /// Returns where the reviewed side calls what a changed file (by its place in the diff) defines
    /// by this name. Calls that the diff itself shows need not be included.
    ///
    /// # Errors
    /// The reason that this is not known.
    fn of(&self, file: usize, name: &str) -> Result<Vec<CallSite>, Unread>;

    /// Reports whether a name that a changed file defined at the base is defined nowhere at the
    /// reviewed side.
    ///
    /// # Errors
    /// The reason that this is not known.
    fn is_gone(&self, file: usize, name: &str) -> Result<bool, Unread>;
}

/// The callers from the context chain: one search of the tree for all that changed, when the first
/// rule asks.
pub struct ChainCallers<'s> {
    sides: &'s Sides<'s>,
    texts: OnceLock<Result<BTreeMap<String, Content>, Unread>>,
}

impl<'s> ChainCallers<'s> {
    /// Returns the callers in the repository of a change. Nothing is read before it is needed.
    pub const fn new(sides: &'s Sides<'s>) -> Self {
        Self {
            sides,
            texts: OnceLock::new(),
        }
    }

    fn look(&self, chain: &Chain) -> Result<BTreeMap<String, Content>, Unread> {
        texts_of(self.sides.tree().map_err(Unread::failed)?, chain)
    }
}

/// Reads the files that contain the calls, all at once.
fn texts_of(tree: &Tree, chain: &Chain) -> Result<BTreeMap<String, Content>, Unread> {
    let paths: BTreeSet<&str> = calls_in(chain.files.values())
        .map(|piece| piece.path.as_str())
        .collect();
    let files: Vec<&TreeFile> = paths.iter().filter_map(|path| tree.file(path)).collect();
    let mut texts = BTreeMap::new();
    let read = tree.each(&files, &mut |index, content| {
        texts.insert(files[index].path.clone(), content);
        Next::GoOn
    });
    read.map_err(Unread::failed)?;
    Ok(texts)
}

fn calls_in<'p>(
    chains: impl Iterator<Item = &'p FileChain>,
) -> impl Iterator<Item = &'p ContextPiece> {
    chains
        .flat_map(|chain| &chain.pieces)
        // A test calls what changed like any other code.
        .filter(|piece| matches!(piece.kind, ContextKind::Caller | ContextKind::Test))
}

impl Callers for ChainCallers<'_> {
    fn of(&self, file: usize, name: &str) -> Result<Vec<CallSite>, Unread> {
        let chain = self.sides.users().map_err(Unread::failed)?;
        let texts = self
            .texts
            .get_or_init(|| self.look(chain))
            .as_ref()
            .map_err(Clone::clone)?;
        let calls = calls_in(chain.files.get(&file).into_iter()).filter(|piece| piece.name == name);
        calls
            .map(|piece| call_site(texts.get(&piece.path), &piece.path, piece.lines.0))
            .collect()
    }

    fn is_gone(&self, file: usize, name: &str) -> Result<bool, Unread> {
        let chain = self.sides.users().map_err(Unread::failed)?;
        let of_file = chain.files.get(&file);
        Ok(of_file.is_some_and(|of_file| of_file.gone.contains(name)))
    }
}

fn call_site(content: Option<&Content>, path: &str, line: u32) -> Result<CallSite, Unread> {
    let bytes = match content {
        Some(Content::Bytes(bytes)) => bytes,
        Some(Content::TooLarge(bytes)) => {
            let reason = format!(
                "`{path}`, which calls it, has {bytes} bytes, more than {} that are read",
                tree::FILE_BYTES_MAX
            );
            return Err(Unread {
                open: Open::Bound,
                reason,
            });
        }
        Some(Content::Missing) | None => {
            return Err(Unread::failed(format!(
                "`{path}`, which calls it, could not be read"
            )));
        }
    };
    Ok(CallSite {
        path: path.to_owned(),
        line,
        text: from_line(&String::from_utf8_lossy(bytes), line),
        brings: Arc::new(chain::brought_in(bytes)),
    })
}

/// Returns the text from a line on, as far as a call may reach.
pub(crate) fn from_line(text: &str, line: u32) -> String {
    let skipped = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    text.lines()
        .skip(skipped)
        .take(CALL_LINES_MAX)
        .collect::<Vec<_>>()
        .join("\n")
}
