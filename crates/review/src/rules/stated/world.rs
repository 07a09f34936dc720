//! The files around a change: those of the repository at the reviewed side, and the changed ones at both.

use grounds_evidence::FileRole;
use grounds_repo::git::Next;
use grounds_repo::role;

use crate::diff::{ChangedFile, MODE_LINK, MODE_SUBMODULE};
use crate::rules::report::Unread;
use crate::sides::Sides;
use crate::tree::{self, Content, TreeFile};

/// The bytes of one file at the base and at the reviewed side; `None` if it is absent or not text.
pub(crate) type BothSides = (Option<Vec<u8>>, Option<Vec<u8>>);

/// A source of documents and of the files that decide them.
pub(crate) trait World: Sync {
    /// Returns the name of the repository's folder.
    fn name(&self) -> String;

    /// Returns the paths at the reviewed side.
    ///
    /// # Errors
    /// The reason that they cannot be listed.
    fn paths(&self) -> Result<Vec<String>, Unread>;

    /// Reads files of the reviewed side in any order, each with its place in the list, until
    /// `on_file` returns false. Links and binaries are left out.
    ///
    /// # Errors
    /// The reason that they cannot be read.
    fn each(
        &self,
        paths: &[&str],
        on_file: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Unread>;

    /// Returns a changed file at both sides.
    ///
    /// # Errors
    /// The reason that it cannot be read.
    fn sides(&self, file: &ChangedFile) -> Result<BothSides, Unread>;
}

/// The repository of a change.
#[derive(Debug)]
pub(crate) struct TreeWorld<'s> {
    sides: &'s Sides<'s>,
}

impl<'s> TreeWorld<'s> {
    /// Returns the files of a repository. Nothing is read before it is needed.
    pub(crate) const fn new(sides: &'s Sides<'s>) -> Self {
        Self { sides }
    }
}

impl World for TreeWorld<'_> {
    fn name(&self) -> String {
        let name = self.sides.top().file_name();
        name.map_or_else(
            || "tree".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    fn paths(&self) -> Result<Vec<String>, Unread> {
        let tree = self.sides.tree().map_err(Unread::failed)?;
        let files = tree.files().iter().filter(|file| is_file(file));
        Ok(files.map(|file| file.path.clone()).collect())
    }

    fn each(
        &self,
        paths: &[&str],
        on_file: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Unread> {
        let tree = self.sides.tree().map_err(Unread::failed)?;
        let known = paths.iter().enumerate();
        let (places, files): (Vec<usize>, Vec<&TreeFile>) = known
            .filter_map(|(place, path)| {
                Some((place, tree.file(path).filter(|file| is_file(file))?))
            })
            .unzip();
        let mut unread = None;
        let read = tree.each_in_any_order(&files, &mut |index, content| {
            unread = unread_of(&files[index].path, &content);
            let goes_on = unread.is_none()
                && text_of(&content).is_none_or(|bytes| on_file(places[index], bytes));
            if goes_on { Next::GoOn } else { Next::Stop }
        });
        read.map_err(Unread::failed)?;
        unread.map_or(Ok(()), Err)
    }

    fn sides(&self, file: &ChangedFile) -> Result<BothSides, Unread> {
        let heads = self.sides.heads().map_err(Unread::failed)?;
        let bases = self.sides.bases().map_err(Unread::failed)?;
        let of = |content: Option<&Content>, mode: Option<u32>| {
            let bytes = content.and_then(text_of).map(<[u8]>::to_vec);
            bytes.filter(|_| mode != Some(MODE_LINK))
        };
        Ok((
            of(bases.get(&file.path), file.mode_old),
            of(heads.get(&file.path), file.mode_new),
        ))
    }
}

/// Returns the reason that a file which could not be read leaves everything open: it may contain
/// the name. Large data is skipped, since it contains all kinds of names and defines none.
fn unread_of(path: &str, content: &Content) -> Option<Unread> {
    match content {
        Content::Bytes(_) => None,
        Content::TooLarge(_) if role::of_shown(path) == FileRole::Data => None,
        Content::TooLarge(bytes) => {
            let most = tree::FILE_BYTES_MAX;
            let reason = format!("`{path}` has {bytes} bytes, more than {most} that are read");
            Some(Unread::bound(reason))
        }
        Content::Missing => Some(Unread::failed(format!("`{path}` could not be read"))),
    }
}

fn text_of(content: &Content) -> Option<&[u8]> {
    content.bytes().filter(|bytes| !tree::is_binary(bytes))
}

const fn is_file(file: &TreeFile) -> bool {
    file.mode != MODE_LINK && file.mode != MODE_SUBMODULE
}
