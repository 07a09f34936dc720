//! What parses said of texts, kept from one run to the next under the hash of the text.
//!
//! Given the bytes of a file, returns what an earlier run of the same program made of the same
//! bytes, in whatever tree they lay: worktrees, forks and later commits share it. A parse that was
//! given up is not kept.

use std::path::Path;

use grounds_shelf::{Name, Objects};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkout::Checkout;

/// A folder of what parses said.
#[derive(Debug)]
pub struct Parses {
    objects: Objects,
    program: String,
}

impl Parses {
    /// Opens a folder for a program: another program may say other things of the same text.
    ///
    /// # Errors
    /// Why nothing can be kept there, in words.
    pub fn open(folder: &Path, program: &str, bytes_max: u64) -> Result<Self, String> {
        Ok(Self {
            objects: Objects::open(folder, bytes_max)?,
            program: program.to_owned(),
        })
    }
}

/// What a parse says of a text: what is kept of it, else what `parse` says now. `asked` is all that
/// the answer depends on beside the text.
pub(crate) fn once<T: Serialize + DeserializeOwned>(
    checkout: &Checkout,
    asked: &[&[u8]],
    source: &[u8],
    parse: impl FnOnce() -> Option<T>,
) -> Option<T> {
    let Some(parses) = checkout.parses() else {
        return parse();
    };
    let program = parses.program.as_bytes();
    let parts: Vec<&[u8]> = [program, source].iter().chain(asked).copied().collect();
    let name = Name::of(&parts);
    let kept = parses.objects.find(name);
    if let Some(kept) = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        return Some(kept);
    }
    let said = parse()?;
    if let Ok(bytes) = serde_json::to_vec(&said) {
        parses.objects.keep(name, &bytes);
    }
    Some(said)
}
