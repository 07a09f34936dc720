//! `review`: a change is made to a tree, or taken from a history, and judged by the rules, and by a
//! model if a person chose one. Each finding is a statement of its own: one too many is a false
//! answer, one too few a wrongful refusal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grounds_model::ModelClient;
use grounds_repo::git;
use grounds_review::baseline::Baseline;
use grounds_review::options::PromptOptions;
use grounds_review::report::{Ending, GateStanding, Reported};
use grounds_review::{Anchor, PlanLimits, Report, Reviewer, RuleSet, Setup, diff};
use tempfile::TempDir;

use super::{CaseJob, Terms, TreeOf};
use crate::case::{Case, CaseChange, CaseTree, Input};
use crate::observed::{Observed, Skipped, Spot};
use crate::tree::{Inline, TreeEntry};

/// `grounds review`, with the built-in rules, and with a model if one was chosen.
pub(super) struct Review;

impl CaseJob for Review {
    fn name(&self) -> &'static str {
        "review"
    }

    fn takes(&self, input: &Input) -> bool {
        matches!(input, Input::Change(_))
    }

    fn run(&self, case: &Case, tree: TreeOf<'_>, terms: &Terms) -> Result<Observed, String> {
        let Input::Change(change) = &case.input else {
            return Err("a review needs `change` or `since`".to_owned());
        };
        match change {
            CaseChange::Files(files) => {
                let folder = changed(&case.place, files)?;
                review(folder.path(), &diff::DiffScope::WorkingTree, terms)
            }
            CaseChange::Since(revision) => {
                let tree = tree()?;
                review(
                    tree.checkout.root(),
                    &diff::DiffScope::Between(revision.clone(), "HEAD".to_owned()),
                    terms,
                )
            }
        }
    }
}

/// Makes a repository with the tree of the case, and with the change in its working tree.
fn changed(
    place: &CaseTree,
    files: &BTreeMap<String, Option<TreeEntry>>,
) -> Result<TempDir, String> {
    let CaseTree::Inline(before) = place else {
        return Err("`change` needs a tree that the case brings along in `files`".to_owned());
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    // The tree is committed before it is changed, so that the change is a difference.
    let committed = Inline {
        files: before.files.clone(),
        git: true,
    };
    committed
        .write(folder.path())
        .map_err(|error| error.to_string())?;
    let (gone, new): (Vec<_>, Vec<_>) = files.iter().partition(|(_, entry)| entry.is_none());
    let new = new
        .into_iter()
        .filter_map(|(path, entry)| Some((path.clone(), entry.clone()?)))
        .collect();
    Inline {
        files: new,
        git: false,
    }
    .write(folder.path())
    .map_err(|error| error.to_string())?;
    for (path, _) in gone
        .into_iter()
        .filter(|(path, _)| before.files.contains_key(*path))
    {
        std::fs::remove_file(folder.path().join(PathBuf::from(path)))
            .map_err(|error| format!("cannot remove `{path}`: {error}"))?;
    }
    // Without this, new files are untracked and so no part of the difference.
    let words = ["add", "--intent-to-add", "--all"];
    git::make(folder.path(), &words, git::StreamBounds::of_one_call())
        .map_err(|error| error.to_string())?;
    Ok(folder)
}

fn review(folder: &Path, scope: &diff::DiffScope, terms: &Terms) -> Result<Observed, String> {
    let client = terms.model.as_deref().cloned().map(ModelClient::of);
    let setup = Setup {
        folder,
        scope,
        rules: &RuleSet::built_in(),
        limits: &PlanLimits::default(),
        options: &PromptOptions::default(),
        reviewer: client.as_ref().map_or(
            Reviewer::Nobody("the case is judged by the rules"),
            Reviewer::Model,
        ),
        baseline: &Baseline::default(),
        others: &[],
        carried: None,
    };
    let report = grounds_review::run(&setup, &|_| ()).map_err(|error| error.to_string())?;
    Ok(observed(&report))
}

fn observed(report: &Report) -> Observed {
    let shown = || {
        report.findings.iter().filter(|reported| {
            matches!(
                reported.standing,
                GateStanding::Blocks | GateStanding::Known
            )
        })
    };
    let outcome = match (report.ending(), shown().next()) {
        (Ending::Failed, _) => "failed",
        (Ending::Passes | Ending::Blocks, Some(_)) => "answered",
        (Ending::Passes | Ending::Blocks, None) => "clean",
    };
    let skipped = report.rules_not_judged.iter().map(|part| Skipped {
        reason: part.reason.clone(),
        count: part.lines as u64,
    });
    Observed {
        outcome: outcome.to_owned(),
        is_list: true,
        cited: shown().map(spot).collect(),
        files: report.files.len() as u64,
        skipped: skipped.collect(),
        // Without a request to a model, nothing could ask for a follow-up.
        asked_follow_up: (report.spend.requests > 0)
            .then_some(!report.follow_up.requests.is_empty()),
        ..Observed::default()
    }
}

/// Returns the place of a finding; its text begins with the rule.
fn spot(reported: &Reported) -> Spot {
    let finding = &reported.finding;
    let (line_start, line_end) = match finding.anchor {
        Anchor::Lines { start, end } => (start, end),
        Anchor::File => (0, 0),
    };
    let text = format!(
        "{} {}",
        finding.rule.as_deref().unwrap_or_default(),
        finding.quote.as_deref().unwrap_or_default()
    );
    Spot {
        path: finding.path.clone(),
        line_start,
        line_end,
        what: finding.title.clone(),
        text,
    }
}
