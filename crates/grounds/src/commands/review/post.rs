//! `grounds review --post`: comments of a review at the forge of the change. Without `--post-now`
//! it reads the present comments and says what it would do.

mod gitea;
mod github;
mod gitlab;
mod wire;

use grounds_review::posting::{self, Existing, PostStep};
use grounds_review::{Change, Report, Revision};

use crate::cli::{ForgeName as Name, Review};
use crate::error::Error;

/// Pages of comments that are read.
const PAGES_MAX: usize = 50;
/// Comments of one page.
const PAGE: usize = 100;

/// A service, for one change.
trait Forge {
    /// Returns the change that it is for: the repository and the number.
    fn place(&self) -> String;

    /// Returns the comments that the last review left.
    fn existing(&self) -> Result<Existing, String>;

    /// Reports whether it has a request for a step; a step without one is skipped.
    fn can(&self, step: &PostStep) -> bool {
        let _ = step;
        true
    }

    /// Does one step.
    fn take(&self, step: &PostStep, commit: &str) -> Result<(), String>;
}

/// The values that the environment gives.
struct Surroundings<'a> {
    number: Option<&'a str>,
}

impl Surroundings<'_> {
    /// Returns the first of some variables that is set.
    fn variable(names: &[&str]) -> Result<String, String> {
        names
            .iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.trim().is_empty())
            .ok_or_else(|| format!("none of these variables is set: {}", names.join(", ")))
    }

    /// Returns the number of the change: the given one, or the first number in a variable
    /// (`refs/pull/12/merge`).
    fn number(&self, names: &[&str]) -> Result<String, String> {
        let said = match self.number {
            Some(number) => number.to_owned(),
            None => Self::variable(names)?,
        };
        let mut parts = said.split('/');
        parts
            .find(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
            .map(str::to_owned)
            .ok_or_else(|| format!("`{said}` names no pull request; give it with --post-to"))
    }
}

/// The comments of a change: the service, and its comments before the review.
pub(super) struct Posting {
    forge: Box<dyn Forge>,
    existing: Existing,
    commit: String,
}

fn wrong(reason: String) -> Error {
    Error::Post {
        reason,
        advice: "see docs/review.md for the variables; --post-to names the pull request".to_owned(),
    }
}

/// Reads the comments at the service that is named.
pub(super) fn open(arguments: &Review, change: &Change) -> Result<Option<Posting>, Error> {
    let Some(name) = arguments.post else {
        return Ok(None);
    };
    let Revision::Commit(commit) = change.diff.head.clone() else {
        let reason = "only commits have comments; use --base or --commit";
        return Err(wrong(reason.to_owned()));
    };
    let surroundings = Surroundings {
        number: arguments.post_to.as_deref(),
    };
    let forge = named(name, &surroundings).map_err(wrong)?;
    let existing = forge.existing().map_err(wrong)?;
    Ok(Some(Posting {
        forge,
        existing,
        commit,
    }))
}

impl Posting {
    /// Returns what the comment of the last review carries.
    pub(super) fn carried(&self) -> Option<&str> {
        posting::carried(&self.existing)
    }

    /// Returns the name of the change, for a signature.
    pub(super) fn place(&self) -> String {
        self.forge.place()
    }

    /// Plans the comments, and writes them if that is wanted. Returns in words what was done or
    /// would be.
    pub(super) fn post(
        &self,
        arguments: &Review,
        report: &Report,
        change: &Change,
        carried: Option<&str>,
    ) -> Result<Vec<String>, Error> {
        let mut steps = posting::plan(report, &change.diff, &self.existing, carried);
        // A step that nobody takes must not be reported as done.
        steps.retain(|step| self.forge.can(step));
        // If a step fails, those before it stay: the next run reads them as existing comments and
        // goes on.
        if arguments.post_now {
            for step in &steps {
                self.forge.take(step, &self.commit).map_err(wrong)?;
            }
        }
        let verb = if arguments.post_now { "did" } else { "would" };
        Ok(match steps.is_empty() {
            true => vec!["nothing to write to the pull request: it is up to date".to_owned()],
            false => steps
                .iter()
                .map(|step| format!("{verb}: {}", step.words()))
                .collect(),
        })
    }
}

fn named(name: Name, surroundings: &Surroundings<'_>) -> Result<Box<dyn Forge>, String> {
    Ok(match name {
        Name::Github => Box::new(github::GitHub::of(surroundings)?),
        Name::Gitlab => Box::new(gitlab::GitLab::of(surroundings)?),
        Name::Gitea => Box::new(gitea::Gitea::of(surroundings)?),
    })
}
