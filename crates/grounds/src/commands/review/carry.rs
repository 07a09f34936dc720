//! `grounds review --carry`: what a model judged, kept between two reviews of one change. It is in
//! a file, or signed in the comment of the review: others can write comments, and their text must
//! not make a model silent.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grounds_review::SettingsSide;
use grounds_review::carried::Carried;

use super::post::Posting;
use crate::cli::Review;
use crate::config::base;
use crate::error::Error;
use crate::named;

/// Bytes of a file of what was judged that are read.
const CARRIED_BYTES_MAX: u64 = 16 << 20;
/// The word that names the comment of the review instead of a file.
const COMMENT: &str = "comment";
/// The variable of the key that signs it there.
const KEY: &str = "GROUNDS_CARRY_KEY";
/// The purpose of the key.
const CONTEXT: &str = "grounds 2026 what a model judged, in a comment of a review";
/// Letters of a signature.
const SIGNATURE_LETTERS: usize = 64;

/// The earlier judgements, with a note about them.
#[derive(Default)]
pub(super) struct JudgedBefore {
    /// `None` if nothing is to be carried.
    pub(super) carried: Option<Carried>,
    /// The reason why the kept judgements do not count; `None` if they count.
    pub(super) note: Option<String>,
}

impl JudgedBefore {
    fn nothing(why: String) -> Self {
        Self {
            carried: Some(Carried::default()),
            note: Some(format!(
                "what was judged before does not count, and all of the change is judged: {why}"
            )),
        }
    }

    fn of(text: Option<String>) -> Self {
        match text.map(|text| Carried::read(&text)) {
            Some(Ok(carried)) => Self {
                carried: Some(carried),
                note: None,
            },
            Some(Err(why)) => Self::nothing(why),
            // The first review finds nothing carried, and what it judges is carried on.
            None => Self {
                carried: Some(Carried::default()),
                note: None,
            },
        }
    }
}

/// Reads what was judged before.
///
/// # Errors
/// No key for a comment, or no comment.
pub(super) fn read(
    arguments: &Review,
    posting: Option<&Posting>,
    top: &Path,
    settings: &SettingsSide<'_>,
) -> Result<JudgedBefore, Error> {
    let Some(place) = &arguments.carry else {
        return Ok(JudgedBefore::default());
    };
    if place.as_os_str() == COMMENT {
        let (key, posting) = (key()?, posting.ok_or_else(no_comment)?);
        let Some(signed) = posting.carried() else {
            return Ok(JudgedBefore::of(None));
        };
        return Ok(match verified(signed, &key, &posting.place()) {
            Some(text) => JudgedBefore::of(Some(text)),
            None => JudgedBefore::nothing(format!(
                "the comment was not signed with the key of {KEY} for this change"
            )),
        });
    }
    // A change could bring the file itself, and have its own lines count as judged.
    if base::changed_below(place, top, settings).is_some() {
        return Ok(JudgedBefore::nothing(format!(
            "the change itself edits `{}`",
            place.display()
        )));
    }
    match named::read(place, CARRIED_BYTES_MAX) {
        Ok(text) => Ok(JudgedBefore::of(Some(text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(JudgedBefore::of(None)),
        // A file that cannot be read costs a judgement again, and no failure.
        Err(error) => Ok(JudgedBefore::nothing(error.to_string())),
    }
}

/// Keeps what was judged in the file, or returns it signed for the comment.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn keep(
    arguments: &Review,
    posting: Option<&Posting>,
    carried: Option<&Carried>,
) -> Result<Option<String>, Error> {
    let (Some(place), Some(carried)) = (&arguments.carry, carried) else {
        return Ok(None);
    };
    if place.as_os_str() == COMMENT {
        let (key, posting) = (key()?, posting.ok_or_else(no_comment)?);
        return Ok(Some(signed(&carried.render(), &key, &posting.place())));
    }
    let written = named::write(place, &carried.render());
    written.map_err(|error| Error::Baseline {
        path: place.clone(),
        reason: error.to_string(),
    })?;
    Ok(None)
}

fn no_comment() -> Error {
    Error::Post {
        reason: "no service is named whose comment holds what was judged".to_owned(),
        advice: "add --post, or name a file with --carry FILE".to_owned(),
    }
}

fn key() -> Result<[u8; 32], Error> {
    match std::env::var(KEY) {
        Ok(secret) if !secret.trim().is_empty() => {
            Ok(blake3::derive_key(CONTEXT, secret.as_bytes()))
        }
        _ => Err(Error::Post {
            reason: format!(
                "a comment can be written by others, and {KEY} is not set to sign what was judged"
            ),
            advice: format!(
                "set {KEY} to a secret of the repository, or name a file with --carry FILE"
            ),
        }),
    }
}

/// Returns the signature of a text for one change, so that it counts for no other.
fn signature(text: &str, key: &[u8; 32], place: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(key);
    // With its length, so that no text can begin with the end of a place.
    hasher.update(&(place.len() as u64).to_le_bytes());
    hasher.update(place.as_bytes());
    hasher.update(text.as_bytes());
    hasher.finalize()
}

fn signed(text: &str, key: &[u8; 32], place: &str) -> String {
    let hash = signature(text, key, place);
    format!("{}{}", hash.to_hex(), STANDARD.encode(text))
}

fn verified(signed: &str, key: &[u8; 32], place: &str) -> Option<String> {
    let (hash, text) = signed.split_at_checked(SIGNATURE_LETTERS)?;
    let hash = blake3::Hash::from_hex(hash).ok()?;
    let text = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
    // The comparison of two hashes takes the same time wherever they differ.
    (signature(&text, key, place) == hash).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_signed_counts_with_its_key_at_its_place_alone() {
        let (key, other) = ([1; 32], [2; 32]);
        let said = signed("{}", &key, "o/r#7");
        assert_eq!(verified(&said, &key, "o/r#7").as_deref(), Some("{}"));
        for (said, key, place) in [
            (said.as_str(), &other, "o/r#7"),
            (&said, &key, "o/r#8"),
            (&said.replace("e30=", "e31="), &key, "o/r#7"),
            (&said[1..], &key, "o/r#7"),
            ("", &key, "o/r#7"),
            ("ä", &key, "o/r#7"),
        ] {
            assert_eq!(verified(said, key, place), None, "{said} {place}");
        }
    }
}
