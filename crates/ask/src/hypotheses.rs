//! Names from an untrusted proposer, used if the question's own words gave no answer. The proposer
//! gets the question and what is missing, and returns names; the tools search for them. A find
//! counts only if the question's own words meet it (`evidence/table.rs`), otherwise it is a lead.
//! The proposer is never asked if there is an answer.

use std::fmt::Debug;

use grounds_evidence::{Intent, Observation, QuestionTarget, TargetKind, name};
use grounds_repo::bench::Bench;
use grounds_repo::hypotheses::{self as tested, ProposedDefinition, QuestionGround};

use crate::leads::Lead;

/// Proposes names: a language model, or a script in tests.
pub trait Proposer: Debug {
    /// Returns names that the subject of the question may have in code.
    ///
    /// # Errors
    /// Returns the reason in plain words if the proposer has no names.
    fn propose(&self, plea: &Plea<'_>) -> Result<Proposal, String>;
}

/// The input of a proposer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plea<'q> {
    /// The question.
    pub question: &'q str,
    /// The targets that were searched for and not found; empty if the question named none.
    pub lacking: Vec<&'q str>,
    /// Limit on the names that are searched.
    pub names_max: usize,
}

/// The reply of a proposer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// The intent that the proposer read, by its name; `None` if it gives no intent.
    pub intent: Option<String>,
    /// Names of what the question may be about.
    pub targets: Vec<String>,
    /// Synonyms of these names.
    pub synonyms: Vec<String>,
}

/// The results of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hypotheses {
    /// The intent that the proposer read, if it differs from the intent that was understood. It is
    /// reported and changes nothing.
    pub intent: Option<Intent>,
    /// The names that were searched.
    pub tried: Vec<Tried>,
    /// Number of names that were not searched: too many, already known, or no valid names.
    pub dropped: usize,
    /// The reason why there is no proposal, if the proposer failed.
    pub error: Option<String>,
    /// Notes about the proposal: what was masked, and what it used.
    pub notes: Vec<String>,
}

/// A proposed name that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The name.
    pub name: String,
    /// Its definitions, each with how the question's own words support it.
    pub places: Vec<(QuestionGround, Lead)>,
}

/// Asks for names of the lacking targets and searches them. Returns their results and the
/// observations.
pub(crate) fn test(
    proposer: &dyn Proposer,
    plea: &Plea<'_>,
    intent: Intent,
    targets: &[&QuestionTarget],
    bench: &Bench<'_>,
) -> (Hypotheses, Vec<Observation>) {
    let proposal = match proposer.propose(plea) {
        Ok(proposal) => proposal,
        Err(error) => {
            return (
                Hypotheses {
                    error: Some(error),
                    ..Hypotheses::default()
                },
                Vec::new(),
            );
        }
    };
    let all = proposal.targets.len() + proposal.synonyms.len();
    let names = usable(
        // The names come first, so that the bound cuts synonyms.
        proposal.targets.into_iter().chain(proposal.synonyms),
        &plea.lacking,
        plea.names_max,
    );
    let found = if names.is_empty() {
        Vec::new()
    } else {
        tested::look(bench, &names)
    };
    let observations = targets
        .iter()
        .flat_map(|target| tested::observations(target, &names, &found))
        .collect();
    let ground = |found: &ProposedDefinition| {
        targets
            .iter()
            .map(|target| found.ground(target))
            .max()
            .unwrap_or(QuestionGround::Alone)
    };
    let tried = |(number, name): (usize, &String)| {
        let of_it = found.iter().filter(|found| found.number == number);
        Tried {
            name: name.clone(),
            places: of_it
                .map(|found| (ground(found), lead(name, found, ground(found))))
                .collect(),
        }
    };
    // The intent of a model never steers the search; it is only reported.
    let read_as = proposal.intent.and_then(|word| {
        Intent::ALL
            .into_iter()
            .find(|intent| intent.as_str().eq_ignore_ascii_case(&word))
    });
    let hypotheses = Hypotheses {
        intent: read_as.filter(|other| *other != intent),
        tried: names.iter().enumerate().map(tried).collect(),
        dropped: all - names.len(),
        ..Hypotheses::default()
    };
    (hypotheses, observations)
}

/// Returns the valid names that were not searched yet, each once.
fn usable(
    proposed: impl Iterator<Item = String>,
    lacking: &[&str],
    names_max: usize,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for text in proposed {
        if names.len() >= names_max {
            break;
        }
        let text = text.trim();
        // `fooBar` for `foo_bar` is the same name in another convention, which the search covered.
        let is_known = lacking.iter().any(|known| name::same_name(known, text))
            || names.iter().any(|known| name::same_name(known, text));
        if tested::is_name(text) && !is_known {
            names.push(text.to_owned());
        }
    }
    names
}

/// Reports whether a target can have another name.
pub(crate) const fn may_have_another_name(target: &QuestionTarget) -> bool {
    match target.kind {
        TargetKind::Identifier | TargetKind::SymbolPath | TargetKind::Phrase => true,
        TargetKind::Path | TargetKind::Quoted | TargetKind::Commit | TargetKind::Message => false,
    }
}

fn lead(name: &str, found: &ProposedDefinition, ground: QuestionGround) -> Lead {
    let source = found.source();
    let said = match ground {
        QuestionGround::Alone => "no word of the question says so",
        QuestionGround::Near => "other forms of the question's words say what it is",
        QuestionGround::Met => "the question's words say what it is",
    };
    let why = format!("`{name}` is defined here: a name that a model proposed; {said}");
    Lead {
        path: source.path,
        line_start: source.line_start,
        line_end: source.line_end,
        why,
    }
}

#[cfg(test)]
mod tests;
