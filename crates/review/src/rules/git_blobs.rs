//! The bytes of a change as git has them: those of the reviewed side at once, those
//! of the base when the first rule asks for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grounds_repo::git::GitError;

use super::report::{Open, Unread};
use super::side::{Blobs, Side};
use crate::diff::{ChangedFile, Diff, DiffLimits};
use crate::tree::{self, Content};

/// The bytes of both sides, from a repository.
#[derive(Debug)]
pub struct GitBlobs<'d> {
    top: PathBuf,
    diff: &'d Diff,
    limits: DiffLimits,
    heads: BTreeMap<String, Content>,
    bases: OnceLock<Result<BTreeMap<String, Content>, String>>,
}

impl<'d> GitBlobs<'d> {
    /// The bytes of a change in the repository with this top.
    ///
    /// # Errors
    /// [`GitError`] where git fails or takes too long.
    pub fn new(top: &Path, diff: &'d Diff, limits: &DiffLimits) -> Result<Self, GitError> {
        Ok(Self { top: top.to_owned(), diff, limits: *limits, heads: tree::read_heads(top, diff, limits)?, bases: OnceLock::new() })
    }

    fn bases(&self) -> Result<&BTreeMap<String, Content>, String> {
        let read = || tree::read_bases(&self.top, self.diff, &self.limits).map_err(|error| error.to_string());
        self.bases.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

impl Blobs for GitBlobs<'_> {
    fn read(&self, file: &ChangedFile, side: Side) -> Result<Option<Vec<u8>>, Unread> {
        let content = match side {
            Side::Head => self.heads.get(&file.path),
            Side::Base => self.bases().map_err(Unread::failed)?.get(&file.path),
        };
        match content {
            None => Ok(None),
            Some(Content::Bytes(bytes)) if tree::is_binary(bytes) => Err(Unread { open: Open::Kind, reason: "it is no text".to_owned() }),
            Some(Content::Bytes(bytes)) => Ok(Some(bytes.clone())),
            Some(Content::TooLarge(bytes)) => {
                Err(Unread { open: Open::Bound, reason: format!("it has {bytes} bytes, more than {} that are read", tree::FILE_BYTES_MAX) })
            }
            Some(Content::Missing) => Err(Unread::failed("its bytes are not here: a partial clone, or a damaged repository")),
        }
    }
}
