//! Tags: the newest ones, and the first one that contains a commit.

use crate::git::{GitError, Next};

use super::repository::Repository;

/// Tags that are kept of a listing.
const TAGS_MAX: usize = 20;

/// One tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name, without `refs/tags/`.
    pub name: String,
    /// The commit that it names.
    pub hash: String,
    /// The day on which it was made; for a tag without a message, that of its commit.
    pub day: String,
    /// The first line of its message, or of its commit's.
    pub subject: String,
}

impl Tag {
    /// Reports whether its name shows that it is no full release: `v2.0-rc1`, `3.0.0.pre.beta4`,
    /// `1.0b2`.
    pub fn is_candidate(&self) -> bool {
        const WORDS: &[&str] = &[
            "rc",
            "alpha",
            "beta",
            "pre",
            "preview",
            "prerelease",
            "dev",
            "snapshot",
            "nightly",
            "canary",
            "candidate",
            "milestone",
        ];
        let name = self.name.to_lowercase();
        let mut words = name.split(|letter: char| !letter.is_alphabetic());
        let has_word = words.any(|word| WORDS.contains(&word));
        // A letter right behind a number: `1.0b2`, `v0.2b`.
        let bytes = name.as_bytes();
        let is_stage = |at: usize| {
            let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
            matches!(bytes[at], b'a' | b'b') && bytes[at - 1].is_ascii_digit() && !is_letter(at + 1)
        };
        // A hash has such letters after digits too, so the name must look like a version.
        let is_version = name.contains(['.', '_']);
        has_word || is_version && (1..bytes.len()).any(is_stage)
    }
}

/// Tags, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tags {
    /// The first of them.
    pub tags: Vec<Tag>,
    /// All of them.
    pub count: u64,
}

const FORMAT: &str =
    "--format=%(refname)%00%(objectname)%00%(*objectname)%00%(creatordate:short)%00%(subject)%00";
const FIELDS: usize = 5;

/// Returns the tags, newest first. For a commit, those that contain it, oldest first.
pub(super) fn tags(repository: &Repository, containing: Option<&str>) -> Result<Tags, GitError> {
    let mut words = vec!["for-each-ref".to_owned(), FORMAT.to_owned()];
    match containing {
        Some(hash) => words.extend([
            "--sort=creatordate".to_owned(),
            format!("--contains={hash}"),
        ]),
        None => words.push("--sort=-creatordate".to_owned()),
    }
    words.push("refs/tags".to_owned());
    let (mut tags, mut fields) = (Tags::default(), Vec::new());
    repository.stream(&words, &mut |record| {
        // Git ends each line with a newline, which precedes the first field of the next tag.
        fields.push(record.trim_start_matches('\n').to_owned());
        if fields.len() == FIELDS {
            tags.take(&std::mem::take(&mut fields));
        }
        Next::GoOn
    })?;
    Ok(tags)
}

/// Returns the first tag that contains a commit.
pub(super) fn first_with(repository: &Repository, hash: &str) -> Option<Tag> {
    tags(repository, Some(hash)).ok()?.tags.into_iter().next()
}

impl Tags {
    fn take(&mut self, fields: &[String]) {
        self.count += 1;
        if self.tags.len() >= TAGS_MAX {
            return;
        }
        let [name, object, commit, day, subject] = fields else {
            return;
        };
        // A tag with a message is an object of its own, which names its commit.
        let hash = if commit.is_empty() { object } else { commit };
        self.tags.push(Tag {
            name: name.strip_prefix("refs/tags/").unwrap_or(name).to_owned(),
            hash: hash.clone(),
            day: day.clone(),
            subject: subject.chars().take(200).collect(),
        });
    }
}
