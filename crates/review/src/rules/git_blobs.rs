//! The bytes of a change from git: those of the reviewed side at once, those of the base when the
//! first rule asks for them.

use grounds_repo::git::GitError;

use super::report::{Open, Unread};
use super::side::{Blobs, Side};
use crate::diff::ChangedFile;
use crate::sides::{Sides, Texts};
use crate::tree::{self, Content};

/// The bytes of both sides, from a repository.
#[derive(Debug)]
pub struct GitBlobs<'s> {
    sides: &'s Sides<'s>,
    heads: &'s Texts,
}

impl<'s> GitBlobs<'s> {
    /// Returns the bytes of a change in its repository.
    ///
    /// # Errors
    /// [`GitError`] if git fails or takes too long.
    pub fn new(sides: &'s Sides<'s>) -> Result<Self, GitError> {
        Ok(Self {
            sides,
            heads: sides.heads()?,
        })
    }
}

impl Blobs for GitBlobs<'_> {
    fn read(&self, file: &ChangedFile, side: Side) -> Result<Option<Vec<u8>>, Unread> {
        let content = match side {
            Side::Head => self.heads.get(&file.path),
            Side::Base => self.sides.bases().map_err(Unread::failed)?.get(&file.path),
        };
        match content {
            None => Ok(None),
            Some(Content::Bytes(bytes)) if tree::is_binary(bytes) => Err(Unread {
                open: Open::Kind,
                reason: "it is not text".to_owned(),
            }),
            Some(Content::Bytes(bytes)) => Ok(Some(bytes.clone())),
            Some(Content::TooLarge(bytes)) => Err(Unread {
                open: Open::Bound,
                reason: format!(
                    "it has {bytes} bytes, more than {} that are read",
                    tree::FILE_BYTES_MAX
                ),
            }),
            Some(Content::Missing) => Err(Unread::failed(
                "its bytes are not here: a partial clone, or a damaged repository",
            )),
        }
    }
}
